"""Every road asks whether a tensor is local. What comes of consistent tensors is consistent; mixed with local ones, an op is
refused, by name, and all stays as it was."""

from __future__ import annotations

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
from tritonflow.errors import DTypeNotImplementedError, LocalityError, NotYetImplementedError
from tritonflow.execution.op_expr import op_expr
from tritonflow.interpreter.dispatch import dispatch
from tritonflow.registry.schema import Entry

B = flow.sbp.broadcast


def consistent(x: flow.Tensor) -> flow.Tensor:
    """A consistent tensor over the memory of a local one, so that a road which does not ask would give a local result."""
    return x.detach().to_global(flow.placement.all("cpu"), B)


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
    samples = [s for dtype in (torch.float32, torch.int32) for s in samples_of(entry, dtype, rng, thorough=False)]
    for sample in samples:
        args, kwargs = convert(
            (sample.args, sample.kwargs), lambda t: consistent(flow.from_torch(twin(t))), from_torch_dtype
        )
        if not tensors_in([*args, *kwargs.values()]):
            continue
        generator = flow.get_rng_state()
        try:
            result = getattr(_C, entry.name)(*args, **kwargs)
        except DTypeNotImplementedError:
            continue
        except (LocalityError, NotYetImplementedError) as error:
            assert "global" in str(error)
        else:
            assert not any(t.is_local for t in tensors_in(result))
        assert flow.get_rng_state() == generator
        return


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
    assert all(t.is_global for t in tensors_in(view(consistent(x))))


def test_ops_whose_plans_are_cached(x: flow.Tensor) -> None:
    for _ in range(2):
        flow.relu(x), x + x
    assert flow.relu(consistent(x)).is_global
    for _ in range(2):
        consistent(x) + consistent(x)
    for call in (lambda: x + consistent(x), lambda: flow.cat([consistent(x), x]), lambda: flow.add(x, x, alpha=2) + consistent(x)):
        with pytest.raises(LocalityError, match="attributes of inputs is: .*; make the local one global with to_global"):
            call()


CHANGES = {
    "add_": lambda x: x.add_(flow.zeros(2, 2)),
    "copy_": lambda x: x.copy_(flow.zeros(2, 2)),
    "setitem": lambda x: x.__setitem__(0, flow.zeros(2)),
    "index": lambda x: x.__setitem__(flow.tensor([0]), 1.0),
    "where": lambda x: x.masked_fill_(flow.ones(2, 2, dtype=flow.bool), 1.0),
    "out of another": lambda x: dispatch(op_expr("copy_"), (flow.zeros(2, 2), flow.zeros(2, 2)), out=x),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_writes_of_local_tensors(x: flow.Tensor, change: Any) -> None:
    given = consistent(x)
    with pytest.raises(LocalityError, match="global"):
        change(given)
    assert given.tolist() == x.tolist() == [[1.0, 2.0], [3.0, 4.0]] and x._version == 0


READS = [
    ("to_torch", flow.to_torch),
    ("data_ptr", lambda x: x.data_ptr()),
    ("to_torch", torch.from_dlpack),
    ("run_kernel", lambda x: type(x)._run_kernel("k", [x], [True], print)),
]


@pytest.mark.parametrize(("name", "read"), READS)
def test_reads_of_memory(x: flow.Tensor, name: str, read: Any) -> None:
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


def test_captures(x: flow.Tensor) -> None:
    other = consistent(x)
    assert flow.compile(flow.relu, fullgraph=True)(other).sbp == other.sbp
    with pytest.raises(LocalityError, match="make the local one global"):
        flow.compile(lambda x, y: x + y, fullgraph=True)(x.detach(), other)
    first, second = flow.compile(lambda x: (x, other))(x)
    assert first is x and second is other
