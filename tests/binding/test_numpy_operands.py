"""NumPy's numbers, arrays and functions where torch takes them, and what refuses them."""

from __future__ import annotations

import operator
from array import array
from typing import Any

import numpy
import pytest
import torch

import tritonflow as flow
from tritonflow.utils.data import default_collate


def shown(value: Any) -> Any:
    if isinstance(value, (torch.Tensor, flow.Tensor)):
        return str(value.dtype).split(".")[-1], tuple(value.shape), value.tolist()
    return type(value).__name__, value


@pytest.mark.parametrize("function", [
    lambda x: numpy.add(x, 1),
    lambda x: numpy.sin(x),
    lambda x: numpy.add(x, numpy.ones(2)),
    lambda x: numpy.greater(x, 2),
    lambda x: numpy.transpose(x),
    lambda x: numpy.add.reduce(x),
    lambda x: x * numpy.float32(2),
    lambda x: numpy.float64(2) * x,
    lambda x: numpy.int64(7) - x.long(),
])
def test_functions_of_numpy_give_tensors(function: Any) -> None:
    assert shown(function(flow.tensor([1.5, 2.5]))) == shown(function(torch.tensor([1.5, 2.5])))


def test_a_result_of_numpy_has_no_gradient_so_what_requires_one_is_refused() -> None:
    for lib in (torch, flow):
        with pytest.raises(RuntimeError, match="requires grad"):
            numpy.sin(lib.ones(2, requires_grad=True))


OPERATORS = [operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod, operator.pow, operator.eq,
             operator.and_, operator.or_, operator.xor, operator.lshift, operator.rshift, operator.matmul]  # fmt: skip
IN_PLACE = [operator.iadd, operator.isub, operator.imul, operator.itruediv, operator.ifloordiv, operator.imod, operator.ipow,
            operator.iand, operator.ior, operator.ixor, operator.ilshift, operator.irshift]  # fmt: skip
OPERANDS = [numpy.array(2.0), numpy.array(2), numpy.array(2, numpy.float32), numpy.array(2, numpy.int32), numpy.array(2, numpy.uint8),
            numpy.array(True), numpy.array([2.0, 3.0]), numpy.array([2, 3]), numpy.array([[2], [3]], numpy.int16),
            numpy.array([True, True]), numpy.array([4.0, 3.0], numpy.float16)]  # fmt: skip


def outcome(function: Any, x: Any, y: Any) -> Any:
    try:
        return shown(function(x, y))
    except (TypeError, RuntimeError, ValueError) as error:
        return "refused", isinstance(error, (TypeError, NotImplementedError))


@pytest.mark.parametrize("operand", OPERANDS, ids=lambda a: f"{a.dtype}{a.shape}")
@pytest.mark.parametrize("name", ["float32", "float16", "int64", "uint8", "bool"])
def test_operators_with_arrays_give_what_numpy_gives(operand: Any, name: str) -> None:
    """torch leaves `tensor + array` to NumPy; here a kernel computes, in the dtypes that NumPy computes in."""
    for function in (*OPERATORS, *IN_PLACE):
        if function is operator.matmul and name == "bool" and operand.dtype == bool:
            continue  # there is no product of truth values here
        for data in ([3, 2], 3):
            expected = outcome(function, torch.tensor(data, dtype=getattr(torch, name)), operand)
            x = flow.tensor(data, dtype=getattr(flow, name))
            found = outcome(function, x, operand)
            if function is operator.eq and expected[0] != "refused" and expected[-1] in (True, False):
                continue  # Python's own answer, where torch and NumPy both refuse
            if expected[0] != "refused":
                assert found == expected, (function, data)
            assert x.tolist() == flow.tensor(data, dtype=x.dtype).tolist()  # which an in-place operator leaves, too


@pytest.mark.parametrize("operand", [numpy.array(2.0), numpy.array(2), numpy.array([2.0, 3.0])], ids=repr)
def test_a_compiled_operator_with_an_array_gives_the_same(operand: Any) -> None:
    x = flow.tensor([3.0, 2.0])
    for function in (operator.add, operator.truediv, operator.imul):
        compiled = flow.compile(lambda x, f=function: f(x, operand))
        assert shown(compiled(x)) == shown(function(x.clone(), operand))


def test_uint16_takes_part_as_in_numpy() -> None:
    array = numpy.array([2, 65535], numpy.uint16)
    for function in (operator.add, operator.mul, operator.eq, operator.and_):
        x = function(flow.tensor([3, 2], dtype=flow.uint8), array)
        expected = function(numpy.array([3, 2], numpy.uint8), array)
        assert x.tolist() == expected.tolist() and x.numpy().dtype == expected.dtype


def test_an_in_place_operator_with_an_array_names_another_tensor() -> None:
    for lib in (torch, flow):
        x = y = lib.ones(2)
        x += numpy.array(2.0)
        assert x is not y and x.dtype == lib.float64 and y.tolist() == [1, 1]


def test_arrays_on_the_left_are_refused_but_in_quotients() -> None:
    for left in (numpy.array(2.0), numpy.ones(2)):
        for function in (operator.add, operator.sub, operator.mul, operator.pow, operator.and_, operator.matmul):
            with pytest.raises(TypeError, match="from_numpy"):
                function(left, flow.ones(2))
        assert shown(left / flow.tensor([4.0, 2.0])) == shown(left / torch.tensor([4.0, 2.0]))


def test_an_operator_with_an_array_has_a_gradient() -> None:
    x = flow.ones(2, requires_grad=True)
    (x * numpy.array([2.0, 3.0])).sum().backward()
    assert x.grad is not None and x.grad.tolist() == [2, 3]


def test_a_sequence_is_repeated_by_a_tensor_of_one_whole_number() -> None:
    for lib in (torch, flow):
        assert [1] * lib.tensor(2) == lib.tensor(2) * [1] == [1, 1] and (1, 2) * lib.tensor([2]) == (1, 2, 1, 2)
        assert "ab" * lib.tensor(2) == "abab"
        for sequence in ([1], (1,), "a", range(2)):
            with pytest.raises(TypeError):
                lib.tensor(2.0) * sequence
            with pytest.raises(TypeError, match=r"unsupported operand type\(s\) for \+"):
                lib.tensor(2) + sequence


@pytest.mark.parametrize("make", [
    lambda lib, n: lib.zeros(n), lambda lib, n: lib.ones(n), lambda lib, n: lib.zeros(2).repeat(n), lambda lib, n: lib.zeros(2).tile(n),
    lambda lib, n: lib.zeros(2).view(n), lambda lib, n: lib.zeros((n, 3)), lambda lib, n: lib.Tensor(n).zero_(),
    lambda lib, n: lib.LongTensor(n).zero_(),
])  # fmt: skip
def test_arrays_of_one_whole_number_are_sizes(make: Any) -> None:
    for n in (numpy.array(2), numpy.array(2, numpy.int32)):
        assert shown(make(flow, n)) == shown(make(torch, n))
    with pytest.raises(TypeError):
        flow.zeros(numpy.array(2.0))


@pytest.mark.parametrize("index", [numpy.array(True), numpy.array(False), numpy.array(1, numpy.uint8), (numpy.array(True),), numpy.array(1)], ids=repr)
@pytest.mark.filterwarnings("ignore")
def test_arrays_of_no_dimensions_are_masks_or_numbers(index: Any) -> None:
    for data in ([1.0, 2.0, 3.0], [[1.0, 2.0], [3.0, 4.0]]):
        x, y = flow.tensor(data), torch.tensor(data)
        assert shown(x[index]) == shown(y[index])
        x[index], y[index] = 7, 7
        assert shown(x) == shown(y)
    mask = flow.tensor(1, dtype=flow.uint8)
    assert flow.ones(3)[mask].shape == torch.ones(3)[torch.tensor(1, dtype=torch.uint8)].shape


def test_arrays_and_numbers_are_copied_into_tensors() -> None:
    x = flow.zeros(2, 2)
    assert x.copy_(numpy.array([1, 2])).tolist() == [[1, 2], [1, 2]] and x.copy_(numpy.float64(3)).tolist() == [[3, 3], [3, 3]]
    assert x.copy_(True).tolist() == [[1, 1], [1, 1]] and flow.zeros(2, dtype=flow.int64).copy_(2.7).tolist() == [2, 2]
    with pytest.raises(TypeError, match=r"copy_\(\): argument 'other' must be tensor, not list"):
        x.copy_([1, 2])
    with pytest.raises(RuntimeError):
        x.copy_(numpy.zeros(3))
    assert x.tolist() == [[1, 1], [1, 1]]


@pytest.mark.parametrize("function", [
    lambda lib: lib.add(numpy.float32(2), numpy.int64(3)), lambda lib: lib.div(numpy.int32(3), 2), lambda lib: lib.tensor(bytearray(b"ab")),
    lambda lib: lib.tensor([memoryview(b"ab")]), lambda lib: lib.tensor([numpy.array([], numpy.int64)]), lambda lib: lib.tensor(array("f", [1, 2])),
    lambda lib: lib.lerp(lib.ones(2), lib.zeros(2), lib.tensor(1)), lambda lib: lib.lerp(lib.ones(2), lib.zeros(2), lib.tensor(True)),
    lambda lib: lib.lerp(lib.tensor([1, 2]), lib.tensor([3, 4]), lib.tensor(0.5)), lambda lib: lib.ones(2).lerp_(lib.zeros(2), lib.tensor(0)),
    lambda lib: lib.lerp(lib.ones(2).half(), lib.zeros(2).half(), lib.tensor(0.5)),
    lambda lib: lib.lerp(lib.ones(()), lib.zeros(()), lib.tensor(0.5, dtype=lib.float64)),
])  # fmt: skip
def test_forms_are_taken_as_torch_takes_them(function: Any) -> None:
    assert shown(function(flow)) == shown(function(torch))


@pytest.mark.parametrize("number", [numpy.float32(2), numpy.float64(2), numpy.int64(2), numpy.uint8(2)], ids=repr)
def test_the_dtype_of_a_result_with_numpys_numbers(number: Any) -> None:
    for name in ("int32", "float16", "bool"):
        names = [str(lib.result_type(lib.ones(1, dtype=getattr(lib, name)), number)).split(".")[-1] for lib in (torch, flow)]
        assert names[0] == names[1]


def test_batches_of_numpys_strings_are_lists() -> None:
    assert default_collate([numpy.str_("a"), numpy.str_("b")]) == ["a", "b"]


def test_an_array_of_another_dtype_is_always_a_copy() -> None:
    x = flow.ones(2)
    assert numpy.shares_memory(x.__array__(copy=False), x.numpy())
    assert x.__array__(numpy.int32).tolist() == [1, 1]
    with pytest.raises(ValueError, match="Unable to avoid copy"):
        x.__array__(numpy.int32, copy=False)
    assert x.numpy(force=True).tolist() == [1.0, 1.0]


@pytest.mark.parametrize("make", ["Tensor", "FloatTensor", "LongTensor"])
def test_numpys_integers_are_sizes(make: str) -> None:
    for sizes in ([numpy.int64(3)], [numpy.int32(2), 3]):
        assert tuple(getattr(flow, make)(*sizes).shape) == tuple(getattr(torch, make)(*sizes).shape)


def test_sizes_are_integers() -> None:
    for lib in (torch, flow):
        size = lib.Size((lib.tensor(2), numpy.int64(3)))
        assert type(size[0]) is int and size == (2, 3)
        with pytest.raises(TypeError, match=r"Size\(\) takes an iterable of 'int' \(item 1 is 'float'\)"):
            lib.Size([1, 2.0])


@pytest.mark.parametrize("batch", [[1, 2.5], [1, 2], [1, True]])
def test_a_batch_of_numbers_loses_no_fraction(batch: list[Any]) -> None:
    assert shown(default_collate(batch)) == shown(torch.utils.data.default_collate(batch))


@pytest.mark.parametrize("sizes", [{"size": numpy.int64(4)}, {"scale_factor": numpy.float32(2)}], ids=str)
def test_numpys_numbers_are_sizes_of_images(sizes: dict[str, Any]) -> None:
    image = [[[[1.0, 2.0], [3.0, 4.0]]]]
    shapes = [lib.nn.functional.interpolate(lib.tensor(image), **sizes).tolist() for lib in (torch, flow)]
    assert shapes[0] == shapes[1]


@pytest.mark.parametrize("function", [
    lambda x: numpy.exp(x * 2) + x,
    lambda x: numpy.maximum(x, x * 0 + 1.5),
    lambda x: x * float(numpy.sum(x)),
    lambda x: x * flow.tensor(numpy.stack([x, x])[0]),
])
@pytest.mark.filterwarnings("ignore:.*runs in eager mode")
def test_what_numpy_computes_in_a_compiled_function_is_no_constant(function: Any) -> None:
    compiled = flow.compile(function)
    for numbers in ([1.0, 2.0], [3.0, 4.0], [0.5, 7.0]):
        x = flow.tensor(numbers)
        assert compiled(x).tolist() == pytest.approx(function(x).tolist())


def test_a_graph_refuses_what_numpy_computes() -> None:
    class Sine(flow.nn.Graph):
        def build(self, x: flow.Tensor) -> Any:
            return numpy.sin(x)

    with pytest.raises(RuntimeError, match="NumPy needs the value of a tensor"):
        Sine()(flow.ones(2))


@pytest.mark.parametrize("make", [
    lambda tensor: [tensor([1.0]), tensor([2.0])],
    lambda tensor: [[tensor([1.0])], [tensor(2.0)]],
    lambda tensor: (tensor([[1]]), 3),
    lambda tensor: [tensor(numpy.ones(1))],
    lambda tensor: [numpy.ones(1), numpy.ones(1)],
], ids=["sequence", "nested", "integers", "float64", "arrays"])  # fmt: skip
def test_tensors_of_one_element_in_sequences_are_numbers(make: Any) -> None:
    assert shown(flow.tensor(make(flow.tensor))) == shown(torch.tensor(make(torch.tensor)))
