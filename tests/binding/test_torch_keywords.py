"""Names, defaults and order of parameters, in-place forms and out=, against the schemas that torch has for its functions."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import pytest
import torch

import tritonflow as flow
from tests.op_samples import entries
from tritonflow.binding.arguments import _starts_with_tensors
from tritonflow.binding.prototype import prototype
from tritonflow.binding.torch_calls import known_keywords
from tritonflow.registry.schema import Entry

# Parameters of torch that a function here does not take, and why.
NOT_TAKEN: dict[str, dict[str, str]] = {
    "elu": dict.fromkeys(("scale", "input_scale"), "of torch's kernel; torch.nn.functional.elu has alpha alone"),
    **dict.fromkeys(("mm", "bmm", "addmm", "baddbmm"), {"out_dtype": "of a product on a GPU in another dtype"}),
    "expand": {"implicit": "of torch's own calls"},
    **dict.fromkeys(("embedding", "embedding_bag"), {"indices": "as torch.nn.functional, which has the input first"}),
    **dict.fromkeys(("view", "view_copy"), {"dtype": "the bits as another dtype"}),
    "expand_copy": {"implicit": "of torch's own calls"},
    "rrelu": {"generator": "as torch.nn.functional.rrelu, which has none"},
    "unfold": dict.fromkeys(("dimension", "size", "step"), "of torch.Tensor.unfold, which is another function"),
    "round": {"decimals": "digits behind the point"},
}
EVERYWHERE = {"memory_format": "a layout, of which the functions that have one say so"}
# Schemas that Python does not reach, or that have no Python names.
NOT_OF_PYTHON = {
    ("eq", "Tensor_list"), ("ne", "Tensor_list"), ("sort", "Tensor"), ("tensordot", ""), ("einsum", "sublist"),
}  # fmt: skip


def schemas(name: str) -> Iterator[Any]:
    """torch's signatures over tensors, without out= and named dimensions."""
    for schema in torch._C._jit_get_schemas_for_operator(f"aten::{name}"):
        arguments = schema.arguments
        kinds = [str(a.type) for a in arguments]
        names = {a.name for a in arguments}
        of_tensors = kinds[:1] in (["Tensor"], ["List[Tensor]"]) or "pin_memory" in names
        of_text = any(k == "str" and a.name != "rounding_mode" for a, k in zip(arguments, kinds))
        if of_tensors and not of_text and not any(a.is_out for a in arguments) and "names" not in names:
            if (name, schema.overload_name) not in NOT_OF_PYTHON:
                yield schema


def shared() -> list[str]:
    public = (torch, torch.Tensor, torch.nn.functional)
    return [
        e.name
        for e in entries().values()
        if e.bind_python and any(hasattr(p, e.name) for p in public) and [*schemas(e.name)]
    ]


def accepted(entry: Entry, name: str) -> bool:
    names = [slot.name for slot in prototype(entry.signatures, bool(entry.methods)).slots]
    first = next((s.parameters[0].name for s in entry.signatures if _starts_with_tensors(s)), None)
    known = known_keywords(entry.name, {name: None}, names, first) if name not in names else {name: None}
    return set(known) <= set(names)


@pytest.mark.parametrize("name", shared())
def test_keywords(name: str) -> None:
    entry = entries()[name]
    excused = NOT_TAKEN.get(name, {}) | EVERYWHERE
    given = {"input" if a.name == "self" else a.name for s in schemas(name) for a in s.arguments}
    assert sorted(n for n in given if n not in excused and not accepted(entry, n)) == []


@pytest.mark.parametrize("name", shared())
def test_numbers_that_are_defaults(name: str) -> None:
    ours = {p.name: p for s in entries()[name].signatures for p in s.parameters if not p.required}
    for schema in schemas(name):
        for argument in schema.arguments:
            own, default = ours.get(argument.name), argument.default_value
            if own is None or not isinstance(default, (bool, int, float)) or own.type.name in ("DataType", "String"):
                continue
            own_default = own.default[0] if isinstance(own.default, tuple) and own.default else own.default
            if own_default is not None:
                assert own_default == default, argument.name


def test_in_place_forms_are_there() -> None:
    """As methods, and as functions where torch has these."""
    names = [n for n, e in entries().items() if e.bind_python and not n.endswith("_")]
    methods = [f"{n}_" for n in names if hasattr(torch.Tensor, f"{n}_") and hasattr(flow.Tensor, n)]
    assert [m for m in methods if not hasattr(flow.Tensor, m)] == []
    functions = [f"{n}_" for n in names if hasattr(torch, f"{n}_") and hasattr(flow, n)]
    assert [f for f in functions if not hasattr(flow, f)] == []


def test_other_names_of_parameters() -> None:
    x = flow.tensor([[1.0, 2.0], [3.0, 5.0]])
    assert flow.sum(input=x, axis=0, keepdims=True).tolist() == [[4.0, 7.0]]
    assert flow.relu(input=x).tolist() == x.tolist()
    assert flow.where(x > 2, input=x, other=-x).tolist() == [[-1.0, -2.0], [3.0, 5.0]]
    assert flow.nn.functional.leaky_relu(-x, negative_slope=1.0).tolist() == (-x).tolist()
    assert flow.zeros(2, layout=flow.strided, pin_memory=False).tolist() == [0.0, 0.0]
    with pytest.raises(TypeError, match="multiple values for argument 'dim'"):
        flow.sum(x, dim=0, axis=0)
    with pytest.raises(TypeError, match="multiple values for argument 'x'"):
        flow.relu(x, input=x)
    with pytest.raises(TypeError, match="unexpected keyword argument 'axes'"):
        flow.relu(x, axes=0)


# ----------------------------------------------------------------------------------------------------------------- out=


def test_out_is_written_and_returned() -> None:
    x, out = flow.tensor([1.0, 2.0]), flow.empty(2, dtype=flow.float64)
    view = out[:]
    assert flow.add(x, 1, out=out) is out
    assert view.tolist() == [2.0, 3.0]
    transposed = flow.zeros(3, 2).t()
    flow.exp(flow.zeros(2, 3), out=transposed)
    assert transposed.tolist() == [[1.0] * 3] * 2 and transposed.stride() == (1, 2)


def test_out_of_another_shape() -> None:
    x, empty, full = flow.tensor([1.0, 2.0]), flow.empty(0), flow.zeros(3)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert flow.mul(x, 2, out=empty).tolist() == [2.0, 4.0]
    with pytest.warns(UserWarning, match="An output with one or more elements was resized since it had shape \\[3\\]"):
        flow.mul(x, 2, out=full)
    assert full.shape == (2,)


def test_out_of_another_shape_stays_as_it_was_where_nothing_can_be_written() -> None:
    x, out = flow.ones(2, 3), flow.zeros(2)
    memory = out.data_ptr()
    with warnings.catch_warnings(), pytest.raises(RuntimeError, match="vmap"):
        warnings.simplefilter("ignore")
        flow.vmap(lambda row: flow.add(row, 2, out=out))(x)
    assert out.tolist() == [0.0, 0.0] and out.data_ptr() == memory


def test_a_rounding_mode_of_none() -> None:
    x = flow.tensor([7.0])
    assert flow.div(x, 2, rounding_mode=None).tolist() == flow.div(x, flow.tensor([2.0]), rounding_mode=None).tolist() == [3.5]
    assert x.div_(2, rounding_mode="floor") is x and x.tolist() == [3.0]


def test_several_outs() -> None:
    x = flow.tensor([[1.0, 3.0, 2.0]])
    values, indices = flow.empty(0), flow.empty(0, dtype=flow.int64)
    result = flow.max(x, 1, out=(values, indices))
    assert result.values is values and result.indices is indices
    assert (values.tolist(), indices.tolist()) == ([3.0], [1])
    with pytest.raises(TypeError, match="must be tuple of 2 Tensors"):
        flow.max(x, 1, out=values)


def test_new_tensors_in_out() -> None:
    out = flow.empty(0, dtype=flow.int32)
    assert flow.arange(3, out=out).dtype is flow.int32 and out.tolist() == [0, 1, 2]
    with pytest.raises(RuntimeError, match="dtype Float does not match dtype of out parameter \\(Int\\)"):
        flow.zeros(3, dtype=flow.float32, out=out)


def test_what_out_refuses() -> None:
    x = flow.tensor([1.5])
    with pytest.raises(RuntimeError, match="result type Float can't be cast to the desired output type Long"):
        flow.add(x, 1, out=flow.zeros(1, dtype=flow.int64))
    with pytest.raises(RuntimeError, match="out=... arguments don't support automatic differentiation"):
        flow.add(x.clone().requires_grad_(), 1, out=flow.zeros(1))
    with pytest.raises(RuntimeError, match="out=... arguments don't support automatic differentiation"):
        flow.add(x, 1, out=flow.zeros(1, requires_grad=True))
    with flow.no_grad():
        assert flow.add(x.clone().requires_grad_(), 1, out=flow.zeros(1)).tolist() == [2.5]
    whole = flow.arange(4.0)
    assert flow.add(whole, 1, out=whole).tolist() == [1.0, 2.0, 3.0, 4.0]
    with pytest.raises(RuntimeError, match="refer to a single memory location"):
        flow.add(whole[1:], 1, out=whole[:3])
    with pytest.raises(RuntimeError, match="more than one element of the written-to tensor"):
        flow.add(flow.ones(2), 1, out=flow.zeros(1).expand(2))
    with pytest.raises(TypeError, match="argument 'out' must be Tensor, not int"):
        flow.add(x, 1, out=3)


@pytest.mark.parametrize("name", ["complex", "polar"])
def test_complex_numbers_of_parts_go_to_an_out_of_their_dtype(name: str) -> None:
    x = flow.ones(2, dtype=flow.float64)
    with pytest.raises(RuntimeError, match="have dtype ComplexDouble, but got ComplexFloat"):
        getattr(flow, name)(x, x, out=flow.zeros(2, dtype=flow.complex64))


def test_out_in_a_captured_program() -> None:
    held = flow.zeros(2)

    def program(x: Any) -> Any:
        flow.mul(x, 2, out=held)
        return flow.add(held, 1, out=flow.empty(0))

    compiled = flow.compile(program)
    for x in (flow.tensor([1.0, 2.0]), flow.tensor([3.0, 4.0])):
        assert compiled(x).tolist() == (2 * x + 1).tolist()
        assert held.tolist() == (2 * x).tolist()


# ------------------------------------------------------------------------------------------------------------- in place


def test_results_are_copied_over_the_input() -> None:
    x = flow.tensor([1.0, 2.0, 4.0])
    whole, part = x, x[1:]
    assert part.pow_(2) is part and whole.tolist() == [1.0, 4.0, 16.0]
    whole **= 2
    assert whole is x and part.tolist() == [16.0, 256.0]
    assert part.eq_(16).tolist() == [1.0, 0.0] and part.dtype is flow.float32
    mask = flow.tensor([True, False])
    mask |= flow.tensor([True, True])
    mask &= flow.tensor([False, True])
    assert mask.tolist() == [False, True]
    with pytest.raises(RuntimeError, match="can't be cast"):
        flow.tensor([1, 2]).pow_(0.5)
    with pytest.raises(RuntimeError, match="doesn't match the broadcast shape"):
        flow.ones(2).lt_(flow.ones(3, 2))
    with pytest.raises(RuntimeError, match="leaf Tensor that requires grad"):
        flow.ones(2, requires_grad=True).pow_(2)


def test_gradients_of_what_is_copied_over() -> None:
    x = flow.tensor([1.0, 2.0, 3.0], requires_grad=True)
    y = x * 1
    y[1:].pow_(3)
    y.cumsum_(0)
    y.sum().backward()
    assert x.grad.tolist() == [3.0, 24.0, 27.0]


def test_views_in_place() -> None:
    x = flow.arange(6.0).reshape(2, 3).requires_grad_()
    y = x * 2
    base, part = y, y[0]
    assert part.unsqueeze_(1) is part and part.shape == (3, 1)
    part.mul_(5)
    assert base.tolist()[0] == [0.0, 10.0, 20.0]
    y.t_().unsqueeze_(0).squeeze_(0).transpose_(0, 1)
    y.sum().backward()
    assert x.grad.tolist() == [[10.0] * 3, [2.0] * 3]
    with pytest.raises(RuntimeError, match="leaf Variable that requires grad"):
        x.t_()


def test_arithmetic_of_two_numbers_is_a_tensor() -> None:
    for lib in (flow, torch):
        found = lib.add(1, 2), lib.mul(2, 3.0), lib.div(7, 2, rounding_mode="trunc"), lib.sub(1, 2, alpha=3)
        assert [x.item() for x in found] == [3, 6.0, 3, -5]
        assert [x.dtype for x in found] == [lib.int64, lib.float32, lib.int64, lib.int64]
        with pytest.raises(TypeError):
            lib.remainder(7, 2)
