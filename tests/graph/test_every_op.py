"""Every op of the registry, captured: what it returns, and its gradients, have eager mode's bits; with passes they are close.

Kernels find poisoned memory, so that an element which one leaves unwritten is a wrong result, in eager mode and in a program.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy
import pytest
import torch

import tritonflow as flow
from tests.op_samples import DTYPES, entries, samples_of, tested_entries, thinned, tolerance_of
from tests.ops.sides import attempt, convert, ours
from tests.poison import poisoned
from tests.sampling import by_turn
from tritonflow import _C
from tritonflow.device.torch_exchange import from_torch_dtype
from tritonflow.errors import CaptureError
from tritonflow.graph.api import compiled_graph
from tritonflow.graph.api.function import CapturedFunction
from tritonflow.graph.passes import optimize
from tritonflow.testing import assert_close

KEPT, QUICK = 4, 1  # samples of an op: in the long run, and in the ordinary one
OF_THE_MEMORY = ("as_strided", "is_contiguous")  # what they return depends on strides, and results of a graph are contiguous


@pytest.fixture(autouse=True, scope="module")
def _poisoned() -> Iterator[None]:
    """An element that a kernel leaves unwritten is a wrong result here."""
    with poisoned():
        yield


MANY_KERNELS = ("grid_sample",)  # 55 in two samples


def _in_the_ordinary_run(name: str) -> bool:
    """Entries with ops of their own, and half of those that are put together from these."""
    return name not in MANY_KERNELS and (bool(entries()[name].ops) or by_turn(name, (True, False), 1) == [True])


def _in_the_long_run(name: str) -> list[torch.dtype]:
    if entries()[name].ops:
        return [torch.float32, *by_turn(name, DTYPES[1:], 1)]
    return by_turn(name, DTYPES[1:], 1) if _in_the_ordinary_run(name) else [torch.float32]


def cases() -> list[Any]:
    quick = [
        pytest.param(e.name, torch.float32, QUICK, id=e.name)
        for e in tested_entries() if _in_the_ordinary_run(e.name)
    ]  # fmt: skip
    more = [
        pytest.param(e.name, d, KEPT, id=f"{e.name}-{str(d)[6:]}", marks=pytest.mark.long)
        for e in tested_entries() for d in _in_the_long_run(e.name)
    ]  # fmt: skip
    most = [
        pytest.param(e.name, d, KEPT, id=f"{e.name}-{str(d)[6:]}", marks=pytest.mark.hours)
        for e in tested_entries() for d in DTYPES if d not in _in_the_long_run(e.name)
    ]  # fmt: skip
    return quick + more + most


@pytest.mark.parametrize(("name", "dtype", "count"), cases())
def test_op(name: str, dtype: torch.dtype, count: int, rng: numpy.random.Generator) -> None:
    entry = entries()[name]
    if name in OF_THE_MEMORY:
        return
    for sample in thinned(list(samples_of(entry, dtype, rng, False)), count):
        check(entry, f"{name}{sample}", getattr(_C, name), sample)


INPLACE = [e.name for e in tested_entries() if any(m.endswith("_") and not m.startswith("_") for m in e.methods)]


@pytest.mark.parametrize("name", INPLACE)
def test_in_place(name: str, rng: numpy.random.Generator) -> None:
    """Written over a copy, a part of one, and an input, which stays as it was."""
    entry = entries()[name]
    method = getattr(flow.Tensor, next(m for m in entry.methods if m.endswith("_")))
    for sample in thinned(list(samples_of(entry, torch.float32, rng, False)), QUICK):
        if sample.args and isinstance(sample.args[0], torch.Tensor):
            for target in (copy_of, part_of_a_copy, itself):
                check_in_place(f"x.{name}_{sample} on {target.__name__}", method, sample, target)


def copy_of(x: Any) -> tuple[Any, Any]:
    whole = x.clone()
    return whole, whole


def part_of_a_copy(x: Any) -> tuple[Any, Any]:
    whole = _C.stack([x, x, x])
    return whole, whole[1]


def itself(x: Any) -> tuple[Any, Any]:
    return x, x


def check_in_place(context: str, method: Any, sample: Any, target: Any) -> None:
    def program(*tensors: Any) -> Any:
        whole, part = target(tensors[0])
        rest = iter(tensors[1:])
        args, kwargs = convert((sample.args[1:], sample.kwargs), lambda _: next(rest), from_torch_dtype)
        method(part, *args, **kwargs)
        return whole + 0 if whole is tensors[0] else whole

    flow.manual_seed(1)
    with flow.no_grad():
        changed = tensors_of(sample)
        expected, eager_error = attempt(program, changed, {})
        flow.manual_seed(1)
        given = tensors_of(sample)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(compiled_graph, "optimize", untouched)
            actual, error = attempt(CapturedFunction(program, context), given, {})
    if isinstance(error, CaptureError):
        return
    assert type(error) is type(eager_error), f"{context}: eager {eager_error!r}, as a graph {error!r}"
    same(actual, expected, context)
    if error is None:
        same(given, changed, context)


def check(entry: Any, context: str, function: Any, sample: Any) -> None:
    """Forward and, where there is one, backward."""
    flow.manual_seed(1)
    expected, eager_error = attempt(lambda: step(function, sample), (), {})
    for passes, compare in ((untouched, same), (optimize, partial(close, tolerance_of(entry)))):
        flow.manual_seed(1)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(compiled_graph, "optimize", passes)
            program = CapturedFunction(lambda *tensors: step(function, sample, tensors), context)
            actual, error = attempt(program, tensors_of(sample), {})
        if isinstance(error, CaptureError):
            known = ["captured as a graph", "a graph cannot have", "make the leaf outside", *["return a copy of it"] * entry.name.startswith("unsafe_")]
            assert any(each in str(error) for each in known)
            return
        assert type(error) is type(eager_error), f"{context}: eager {eager_error!r}, as a graph {error!r}"
        compare(actual, expected, context)


def untouched(graph: Any, *_: Any) -> Any:
    return graph


def tensors_of(sample: Any) -> list[Any]:
    found: list[Any] = []
    collect((sample.args, sample.kwargs), found)
    return ours(found)


def collect(value: Any, found: list[Any]) -> None:
    if isinstance(value, torch.Tensor):
        found.append(value.contiguous())
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else ():
        collect(item, found)


def step(function: Any, sample: Any, tensors: Any = None) -> Any:
    """The call, and the gradients of its tensors; on the given tensors, or new ones."""
    inputs = iter(tensors_of(sample) if tensors is None else tensors)
    leaves: list[Any] = []

    def replaced(value: Any) -> Any:
        if isinstance(value, torch.Tensor):
            tensor = next(inputs)
            if tensor.dtype.is_floating_point:
                tensor = tensor.detach().requires_grad_()
                leaves.append(tensor)
            return tensor
        if isinstance(value, (list, tuple)):
            return type(value)(replaced(v) for v in value)
        return {k: replaced(v) for k, v in value.items()} if isinstance(value, dict) else value

    args = ours(replaced(sample.args))
    kwargs = ours(replaced(sample.kwargs))
    result = function(*args, **kwargs)
    outputs = [y for y in leaves_of(result) if y.requires_grad]
    if not outputs or not leaves:
        return result, []
    gradients = flow.autograd.grad(outputs, leaves, [flow.ones_like(y) for y in outputs], allow_unused=True)
    return result, [g for g in gradients if g is not None]


def close(op_class: str, actual: Any, expected: Any, context: str) -> None:
    """As `same`, within the tolerance of the op: what is fused rounds less often."""
    if isinstance(expected, flow.Tensor):
        assert_close(actual, expected, op_class=op_class, equal_nan=True)
    elif isinstance(expected, (list, tuple)):
        for a, b in zip(actual, expected):
            close(op_class, a, b, context)


def bits(tensor: Any) -> bytes:
    return flow.to_torch(tensor.detach()).cpu().reshape(-1).contiguous().view(torch.uint8).numpy().tobytes() if tensor.numel() else b""


def leaves_of(value: Any) -> list[Any]:
    if isinstance(value, flow.Tensor):
        return [value]
    return [t for v in value for t in leaves_of(v)] if isinstance(value, (list, tuple)) else []


def same(actual: Any, expected: Any, context: str) -> None:
    if isinstance(expected, flow.Tensor):
        assert actual.dtype is expected.dtype and actual.shape == expected.shape, context
        if bits(actual) != bits(expected):
            a, b = (t.detach().double().numpy() for t in (actual, expected))
            assert numpy.array_equal(a, b, equal_nan=True), context  # NaNs have many bit patterns
    elif isinstance(expected, (list, tuple)):
        assert len(actual) == len(expected), context
        for a, b in zip(actual, expected):
            same(a, b, context)
    else:
        assert actual == expected, context
