"""Every road asks whether a tensor is local. With a consistent tensor an op is refused, by name, and all stays as it was."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy
import pytest
import torch

import tritonflow as flow
from tests.op_samples import samples_of, tested_entries
from tests.ops.sides import convert, twin
from tritonflow import _C
from tritonflow.device.torch_exchange import from_torch_dtype
from tritonflow.errors import LocalityError, NotYetImplementedError
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.meta import TensorMeta
from tritonflow.functional.schema import Entry
from tritonflow.interpreter.dispatch import dispatch


class ConsistentMeta(TensorMeta):
    """Stands for the meta of a consistent tensor: all that it does is to say that it is one."""

    __slots__ = ()
    is_local = False


def consistent(x: flow.Tensor) -> flow.Tensor:
    """A consistent tensor over the memory of a local one, so that a road which does not ask would give a local result."""
    m = x.meta
    return flow.Tensor(ConsistentMeta(m.shape, m.stride, m.dtype, m.device, m.aligned), x.impl, x.ptr)


def tensors_in(value: Any) -> list[flow.Tensor]:
    """The tensors of nested sequences."""
    if isinstance(value, flow.Tensor):
        return [value]
    return [t for v in value for t in tensors_in(v)] if isinstance(value, (list, tuple)) else []


@pytest.fixture
def x() -> flow.Tensor:
    return flow.tensor([[1.0, 2.0], [3.0, 4.0]])


@pytest.mark.parametrize("entry", tested_entries(), ids=lambda entry: entry.name)
def test_no_function_makes_a_local_tensor_of_a_consistent_one(entry: Entry, rng: numpy.random.Generator) -> None:
    for sample in samples_of(entry, torch.float32, rng, thorough=False):
        args, kwargs = convert(
            (sample.args, sample.kwargs), lambda t: consistent(flow.from_torch(twin(t))), from_torch_dtype
        )
        given = tensors_in([*args, *kwargs.values()])
        if not given:
            continue
        generator = flow.get_rng_state()
        try:
            result = getattr(_C, entry.name)(*args, **kwargs)
        except (LocalityError, NotYetImplementedError) as error:
            assert "global" in str(error)
        else:
            assert not any(t.is_local for t in tensors_in(result))
        assert all(t.impl.version == 0 for t in given)
        assert flow.get_rng_state() == generator
        return


LIKE = {
    "empty_like": flow.empty_like,
    "new_empty": lambda x: x.new_empty((2,)),
    "rand_like": flow.rand_like,
    "randn_like": flow.randn_like,
    "randint_like": lambda x: flow.randint_like(x, 5),
    "bernoulli": lambda x: flow.bernoulli(x, 0.5),
}


@pytest.mark.parametrize("name", LIKE)
def test_what_is_made_like_a_tensor_is_local_as_that_is(x: flow.Tensor, name: str) -> None:
    generator = flow.get_rng_state()
    with pytest.raises(LocalityError, match=rf"{name}\(\): expected a local tensor"):
        LIKE[name](consistent(x))
    assert flow.get_rng_state() == generator


VIEWS = {
    "T": lambda x: x.T,
    "index": lambda x: x[0],
    "view": lambda x: x.view(4),
    "expand": lambda x: x.expand(3, 2, 2),
    "as_strided": lambda x: flow.as_strided(x, (2,), (1,)),
    "split": lambda x: x.split(1),
    "unbind": lambda x: x.unbind(0),
}


@pytest.mark.parametrize("view", VIEWS.values(), ids=VIEWS)
def test_views_whose_plans_are_cached(x: flow.Tensor, view: Any) -> None:
    for _ in range(2):
        view(x)
    with pytest.raises(NotYetImplementedError, match="ops on consistent"):
        view(consistent(x))


def test_ops_whose_plans_are_cached(x: flow.Tensor) -> None:
    for _ in range(2):
        flow.relu(x), x + x
    with pytest.raises(NotYetImplementedError, match="relu: ops on consistent"):
        flow.relu(consistent(x))
    with pytest.raises(LocalityError, match="op_type_name: add attributes of inputs is: local, global"):
        x + consistent(x)


CHANGES = {
    "relu_": lambda x: flow.relu(x, inplace=True),
    "add_": lambda x: x.add_(x),
    "fill_": lambda x: x.fill_(1.0),
    "copy_": lambda x: x.copy_(flow.zeros(2, 2)),
    "setitem": lambda x: x.__setitem__(0, 1.0),
    "uniform_": lambda x: x.uniform_(),
    "normal_": lambda x: x.normal_(),
    "random_": lambda x: x.random_(0, 5),
    "bernoulli_": lambda x: x.bernoulli_(),
    "out of another": lambda x: dispatch(op_expr("copy_"), (flow.zeros(2, 2), flow.zeros(2, 2)), out=x),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_writes(x: flow.Tensor, change: Any) -> None:
    generator = flow.get_rng_state()
    with pytest.raises((LocalityError, NotYetImplementedError), match="global"):
        change(consistent(x))
    assert x.tolist() == [[1.0, 2.0], [3.0, 4.0]] and x._version == 0
    assert flow.get_rng_state() == generator


READS = [
    ("numpy", lambda x: x.numpy()),
    ("tolist", lambda x: x.tolist()),
    ("item", lambda x: x.item()),
    ("to_torch", flow.to_torch),
    ("data_ptr", lambda x: x.data_ptr()),
    ("numpy", pickle.dumps),
    ("to_torch", torch.from_dlpack),
    ("run_kernel", lambda x: type(x)._run_kernel([x], [True], print)),
]


@pytest.mark.parametrize(("name", "read"), READS)
def test_reads(x: flow.Tensor, name: str, read: Any) -> None:
    with pytest.raises(LocalityError, match=rf"{name}\(\): expected a local tensor, but got a global"):
        read(consistent(x))


def test_saving(x: flow.Tensor, tmp_path: Path) -> None:
    path = tmp_path / "x.flow"
    with pytest.raises(LocalityError, match="save"):
        flow.save({"x": consistent(x)}, path)
    assert not path.exists()


def test_what_passes_a_tensor_on(x: flow.Tensor) -> None:
    given = consistent(x)
    assert given.is_global and given.is_consistent and not given.is_local
    assert repr(given) == "tensor(..., size=(2, 2), dtype=tritonflow.float32)"
    assert given.detach().is_global and given.data.is_global
    x.data = given
    assert x.is_global


def test_gradients(x: flow.Tensor) -> None:
    class Strange(flow.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * 2

        @staticmethod
        def backward(ctx: Any, dy: Any) -> Any:
            return consistent(dy)

    x.requires_grad_()
    y = Strange.apply(x)
    with pytest.raises(LocalityError, match="invalid gradient: expected a local tensor, got a global one"):
        y.backward(flow.ones(2, 2))
    with pytest.raises(LocalityError, match="grad_output: expected a local tensor"):
        (x * 2).backward(consistent(flow.ones(2, 2)))
    with pytest.raises(LocalityError, match="assigned grad: expected a local tensor"):
        x.grad = consistent(flow.ones(2, 2))
    assert x.grad is None


def test_optimizers(x: flow.Tensor) -> None:
    weight = consistent(x)
    weight.requires_grad_()
    weight.grad = consistent(flow.ones(2, 2))
    for optimizer in (flow.optim.SGD([weight], lr=0.1, momentum=0.9), flow.optim.Adam([weight])):
        with pytest.raises((LocalityError, NotYetImplementedError), match="global"):
            optimizer.step()
    assert x.tolist() == [[1.0, 2.0], [3.0, 4.0]]


def test_captures(x: flow.Tensor) -> None:
    for function in (flow.relu, lambda x: x):
        with pytest.raises((LocalityError, NotYetImplementedError), match="global"):
            flow.compile(function)(consistent(x))
    other = consistent(x)
    with pytest.raises((LocalityError, NotYetImplementedError), match="global"):
        flow.compile(lambda x: (x, other))(x)


@pytest.mark.parametrize("how", [{"placement": "a placement"}, {"sbp": "an sbp"}], ids=["placement", "sbp"])
def test_a_placement_reaches_the_consistent_interpreter(how: dict[str, Any]) -> None:
    with pytest.raises(NotYetImplementedError, match=f"empty: .*{next(iter(how.values()))}"):
        dispatch(op_expr("empty"), (), ((2,), flow.float32, flow.device("cpu")), **how)
