"""Generated functions: which overload is taken, what is converted, and what wrong calls are told."""

from __future__ import annotations

import re

import numpy as np
import pytest

from tritonflow.device.device import Device
from tritonflow.dtypes import float16, float32, float64, int64
from tritonflow.framework.tensor import Tensor

ADD = [
    "Tensor (Tensor input, Tensor other, *, Scalar alpha=1, Bool inplace=False)",
    "Tensor (Tensor input, Scalar other, *, Scalar alpha=1, Bool inplace=False)",
    "Tensor (Scalar input, Tensor other, *, Scalar alpha=1)",
]
POW = [
    "Tensor (Tensor input, Tensor exponent)",
    "Tensor (Tensor input, Scalar exponent, *, Bool inplace=False)",
    "Tensor (Tensor input, Scalar exponent)",
    "Tensor (Scalar exponent, Tensor input)",
]
ARANGE = [
    "Tensor (Scalar start, Scalar end, Scalar step=1, *, DataType dtype=None, Device device=None)",
    "Tensor (Scalar end, Scalar step=1, *, DataType dtype=None, Device device=None)",
]


# ---------------------------------------------------------------------------------------------- errors


@pytest.mark.parametrize(
    ("signature", "call", "text"),
    [
        (
            "Tensor (Tensor x, Bool inplace=False)",
            "f(t, False, 1, 2)",
            "f(): takes 2 positional arguments but 4 were given",
        ),
        ("Tensor (Tensor x, Bool inplace=False)", "f(t, foo=1)", "f(): got an unexpected keyword argument 'foo'"),
        ("Tensor (Tensor x, Bool inplace=False)", "f(1)", "f(): argument 'x' must be tensor, not int"),
        ("Tensor (Tensor x, Bool inplace=False)", "f('a')", "f(): argument 'x' must be tensor, not str"),
        ("Tensor (Tensor x, Bool inplace=False)", "f(None)", "f(): argument 'x' must be tensor, not NoneType"),
        ("Tensor (Tensor x, Bool inplace=False)", "f(t, 'yes')", "f(): argument 'inplace' must be bool, not str"),
        ("Tensor (Tensor x, Bool inplace=False)", "f()", "f(): missing required argument x"),
        ("Tensor (Tensor input, Tensor other)", "f(t)", "f(): missing required argument other"),
        ("Tensor (Tensor input, Tensor other)", "f(other=t)", "f(): missing required argument input"),
        ("Tensor (Tensor x, *, Scalar alpha)", "f(t)", "f(): missing required argument alpha"),
        ("Tensor (Tensor x, *, Scalar alpha=1)", "f(t, 2)", "f(): takes 1 positional arguments but 2 were given"),
        ("Tensor (Tensor x, Int32 dim)", "f(t, 1.5)", "f(): argument 'dim' must be int32, not float"),
        ("Tensor (Tensor x, Double p=0.5)", "f(t, 'a')", "f(): argument 'p' must be double, not str"),
        ("Tensor (Tensor x, Float p=0.5)", "f(t, None)", "f(): argument 'p' must be float, not NoneType"),
        ("Tensor (Tensor x, Scalar a)", "f(t, 'a')", "f(): argument 'a' must be scalar, not str"),
        ("Tensor (Tensor x, Scalar a)", "f(t, t)", "f(): argument 'a' must be scalar, not Tensor"),
        ("Tensor (Tensor x, String mode)", "f(t, 3)", "f(): argument 'mode' must be string, not int"),
        ("Tensor (Tensor x, Int32List[2] k)", "f(t, 1.5)", "f(): argument 'k' must be int32 list, not float"),
        (
            "Tensor (Tensor x, Int32List[2] k)",
            "f(t, (1, 'a'))",
            "f(): argument 'k' must be int32 list, not tuple of str",
        ),
        ("Tensor (Tensor x, Int32List k)", "f(t, 1)", "f(): argument 'k' must be int32 list, not int"),
        ("Tensor (Tensor x, Shape shape)", "f(t, 'a')", "f(): argument 'shape' must be shape, not str"),
        ("Tensor (TensorTuple xs, Int32 dim)", "f(t, 1)", "f(): argument 'xs' must be tensor tuple, not Tensor"),
        ("Tensor (Tensor x, *, DataType dtype)", "f(t, dtype=3)", "f(): argument 'dtype' must be data type, not int"),
        ("Tensor (Tensor x, *, Device device)", "f(t, device=3)", "f(): argument 'device' must be device, not int"),
    ],
)
def test_one_signature_says_exactly_what_is_wrong(bind, tensor, signature, call, text):
    f = bind(signature).f
    with pytest.raises(TypeError, match=f"^{re.escape(text)}$"):
        eval(call, {"f": f, "t": tensor})


def test_a_value_given_twice_names_the_argument(bind, tensor):
    with pytest.raises(TypeError, match="got multiple values for argument 'x'"):
        bind("Tensor (Tensor x)").f(tensor, x=tensor)


@pytest.mark.parametrize(
    "call", ["f('a', t)", "f(t)", "f(t, t, t, t)", "f(t, 1, foo=2)", "f(t, t, alpha='a')", "f(1, 2)"]
)
def test_several_signatures_are_listed(bind, tensor, call):
    f = bind(ADD).f
    with pytest.raises(TypeError) as error:
        eval(call, {"f": f, "t": tensor})
    lines = str(error.value).splitlines()
    assert lines[0] == "f(): received an invalid combination of arguments. The valid signatures are:"
    assert lines[1:4] == [f"\t*{i}: {text}" for i, text in enumerate(ADD)]
    assert lines[4].startswith("but the arguments were: (")


def test_an_inplace_method_names_itself(bind, tensor):
    functions = bind("Tensor (Tensor x, Bool inplace=False)", name="relu", methods=["relu", "relu_"])
    with pytest.raises(TypeError, match=re.escape("relu_(): argument 'x' must be tensor, not int")):
        functions.relu_(1)
    assert functions.relu_(tensor) == ("A", tensor, ("inplace", True))


# ---------------------------------------------------------------------------------------------- overloads


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("f(t, t)", "A t t 1 False"),
        ("f(t, t, alpha=2)", "A t t 2 False"),
        ("f(t, other=t, inplace=True)", "A t t 1 True"),
        ("f(t, 2)", "B t 2 1 False"),
        ("f(t, 2.5, alpha=3)", "B t 2.5 3 False"),
        ("f(2, t)", "C 2 t 1"),
        ("f(np.float32(2), t)", "C 2.0 t 1"),
        ("f(input=t, other=np.int64(3))", "B t 3 1 False"),
    ],
)
def test_add_picks_its_overload(bind, tensor, call, expected):
    result = eval(call, {"f": bind(ADD).f, "t": tensor, "np": np})
    assert " ".join("t" if isinstance(v, Tensor) else str(v) for v in result) == expected


def test_overloads_with_swapped_names_follow_positions_and_keywords(bind, tensor):
    f = bind(POW).f
    assert f(tensor, tensor) == ("A", tensor, tensor)
    assert f(tensor, 2) == ("B", tensor, 2, False)
    assert f(2, tensor) == ("D", 2, tensor)
    assert f(exponent=2, input=tensor) == ("B", tensor, 2, False)


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("f(5)", ("B", 5, 1)),
        ("f(1, 5)", ("A", 1, 5, 1)),
        ("f(1, 5, 2)", ("A", 1, 5, 2)),
        ("f(5, step=2)", ("B", 5, 2)),
        ("f(end=5)", ("B", 5, 1)),
        ("f(start=1, end=5, step=2.5)", ("A", 1, 5, 2.5)),
    ],
)
def test_a_shorter_overload_reads_the_same_position_by_another_name(bind, call, expected):
    assert eval(call, {"f": bind(ARANGE).f}) == (*expected, None, None)


def test_a_keyword_that_another_signature_takes_by_position(bind, tensor):
    f = bind(["Tensor (Tensor x, Scalar low)", "Tensor (Tensor x, *, Tensor low, Tensor high=None)"]).f
    assert f(tensor, 1) == ("A", tensor, 1)
    assert f(tensor, low=tensor) == ("B", tensor, tensor, None)
    assert f(x=tensor, low=tensor, high=tensor) == ("B", tensor, tensor, tensor)


def test_the_earlier_signature_wins_where_both_fit(bind, tensor):
    f = bind(["Tensor (Tensor x, Float p)", "Tensor (Tensor x, Int32 n)"]).f
    assert f(tensor, 2) == ("A", tensor, 2.0)
    f = bind(["Tensor (Tensor x, Int32 n)", "Tensor (Tensor x, Float p)"]).f
    assert f(tensor, 2) == ("A", tensor, 2)
    assert f(tensor, 2.5) == ("B", tensor, 2.5)


def test_a_zero_dim_tensor_is_a_scalar_only_where_no_tensor_signature_comes_first(bind, tensor, scalar_tensor):
    f = bind(ADD).f
    assert f(tensor, scalar_tensor)[0] == "A"
    f = bind(["Tensor (Tensor x, Scalar a)"]).f
    assert f(tensor, scalar_tensor) == ("A", tensor, 7)


# ---------------------------------------------------------------------------------------------- varargs


def test_a_lone_list_takes_all_positions(bind):
    f = bind("Tensor (Shape size, *, DataType dtype=None)").f
    assert f(2, 3) == f((2, 3)) == f([2, 3]) == f(size=(2, 3)) == ("A", (2, 3), None)
    assert f(2) == ("A", (2,), None)
    assert f(2, 3, dtype=float16) == ("A", (2, 3), float16)
    assert f(np.int64(2), 3) == ("A", (2, 3), None)
    with pytest.raises(TypeError, match=r"argument 'size' must be shape, not tuple of float"):
        f(2, 3.5)


def test_one_int_for_a_lone_list_of_known_length_is_repeated(bind, tensor):
    f = bind("Tensor (Tensor x, Int32List[2] k)", methods=["f"]).f
    assert f(tensor, 3) == f(tensor, np.int64(3)) == f(tensor, (3, 3)) == f(tensor, 3, 3) == ("A", tensor, (3, 3))


def test_a_methods_list_takes_all_positions_after_self(bind, tensor):
    f = bind("Tensor (Tensor x, Int32List dims)", methods=["f"]).f
    assert f(tensor, 0, 2, 1) == f(tensor, (0, 2, 1)) == f(tensor, [0, 2, 1]) == ("A", tensor, (0, 2, 1))
    assert f(tensor, 0) == ("A", tensor, (0,))
    not_method = bind("Tensor (Tensor x, Int32List dims)").f
    with pytest.raises(TypeError, match="takes 2 positional arguments but 4 were given"):
        not_method(tensor, 0, 2, 1)


def test_a_lone_tensor_tuple_takes_all_positions(bind, tensor):
    f = bind("Tensor (TensorTuple xs)").f
    assert f(tensor, tensor) == f((tensor, tensor)) == f([tensor, tensor]) == ("A", (tensor, tensor))


# ---------------------------------------------------------------------------------------------- conversions


@pytest.mark.parametrize(
    ("parameter", "value", "expected"),
    [
        ("Scalar a", np.float64(2.5), 2.5),
        ("Scalar a", np.int32(2), 2),
        ("Scalar a", np.bool_(True), True),
        ("Scalar a", np.array(3), 3),
        ("Int32 a", True, 1),
        ("Int64 a", np.int16(4), 4),
        ("Float a", 2, 2.0),
        ("Double a", np.float32(0.5), 0.5),
        ("Bool a", 1, True),
        ("Bool a", np.bool_(False), False),
        ("String a", b"same", "same"),
        ("Int32List[2] a", 3, (3, 3)),
        ("Int32List[2] a", [1, 2], (1, 2)),
        ("Int32List[1] a", np.int64(1), (1,)),
        ("Int32List a", np.array([1, 2]), (1, 2)),
        ("Int32List a", (True, np.int32(2)), (1, 2)),
        ("FloatList[2] a", 1, (1.0, 1.0)),
        ("StringList a", ["a", "b"], ("a", "b")),
        ("ShapeList a", [[1, 2], (3,)], ((1, 2), (3,))),
        ("Shape a", [], ()),
        ("DataType a", float, float64),
        ("DataType a", int, int64),
        ("Device a", "cpu", Device("cpu")),
        ("Device a", Device("cpu"), Device("cpu")),
        ("Int32 a=None", None, None),
        ("Int32List a=None", None, None),
        ("TensorIndex a", (slice(None), 1, None, ...), (slice(None), 1, None, ...)),
        ("PyObject a", "anything", "anything"),
    ],
)
def test_values_are_converted(bind, tensor, parameter, value, expected):
    for call in (lambda f: f(tensor, value), lambda f: f(tensor, a=value)):
        result = call(bind(f"Tensor (Tensor x, {parameter})").f)[2]
        assert result == expected
        assert type(result) is type(expected)


@pytest.mark.parametrize("parameter", ["Scalar a", "Int32 a", "Int64List[2] a"])
def test_zero_dim_tensors_are_numbers(bind, tensor, scalar_tensor, parameter):
    assert bind(f"Tensor (Tensor x, {parameter})").f(tensor, scalar_tensor)[2] in (7, (7, 7))


def test_defaults_have_their_run_time_values(bind):
    f = bind("Tensor (*, DataType dtype=kFloat, Int32List[2] stride=1, Float eps=1e-5, Float a=-1, Scalar b=inf)").f
    assert f() == ("A", float32, (1, 1), 1e-5, -1.0, float("inf"))
    assert f(stride=[2, 3]) == ("A", float32, (2, 3), 1e-5, -1.0, float("inf"))


def test_a_subclass_of_tensor_is_a_tensor(bind):
    class Special(Tensor):
        __slots__ = ()

    x = Special(None, None, 0)  # type: ignore[arg-type]
    assert bind("Tensor (Tensor x)").f(x) == ("A", x)


def test_named_results(bind, tensor):
    functions = bind("TensorTuple[functor, values, indices] (Tensor x, Int32 dim=-1)", name="topk")
    for result in (functions.topk(tensor), functions.topk(x=tensor, dim=np.int64(-1))):
        assert type(result).__name__ == "topk"
        assert result._fields == ("functor", "values", "indices")
        assert result.indices == -1
