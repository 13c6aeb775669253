"""`vmap` of every op with samples: one call for a batch gives what a call for each example gives, and so do the gradients."""

from __future__ import annotations

import warnings
import zlib
from typing import Any

import numpy
import pytest
import torch

import tritonflow as flow
from tests.op_samples import entries, samples_of, tested_entries, tolerance_of
from tests.ops.allowed import NO_GRADCHECK
from tests.ops.sides import attempt, compare, ours
from tests.ops.test_gradients import _problem, _samples, differentiable
from tests.sampling import quick_by_turn
from tritonflow import _C
from tritonflow.errors import BatchedValueError, BatchingError
from tritonflow.registry.op_schema import TOLERANCE_CLASSES

SMALL = 80  # elements of all inputs
ORDINARY, LONG, BATCH = 1, 5, 2
# Ops whose results have a shape that depends on values, or that need a value in Python.
BY_VALUES = {
    "allclose": "gives a bool", "equal": "gives a bool", "item": "gives a number", "is_nonzero": "gives a bool",
    "bincount": "its size is the largest value", "nonzero": "its size is a count", "argwhere": "its size is a count",
    "masked_select": "its size is a count", "unique": "its size is a count", "unique_consecutive": "its size is a count",
    "gaussian_nll_loss": "it looks whether a variance is negative", "nonzero_static": "it counts",
    "unique_dim": "its size is a count", "where_nonzero": "its size is a count", "histc": "its bounds are values",
}  # fmt: skip


REFUSED = {
    "one_hot": "classes that are counted", "index_put": "a mask", "repeat_interleave": "its size is a sum",
    **dict.fromkeys(("batch_norm", "native_batch_norm"), "running statistics that examples share"),
}  # fmt: skip


def others(x: torch.Tensor) -> torch.Tensor:
    """A batch: the sample's values, and the same in another order."""
    flat = x.reshape(-1)
    return torch.stack([torch.roll(flat, k).reshape(x.shape) for k in range(BATCH)])


def leaves_of(value: Any) -> list[torch.Tensor]:
    if isinstance(value, torch.Tensor):
        return [value]
    if isinstance(value, dict):
        value = list(value.values())
    return [x for part in value for x in leaves_of(part)] if isinstance(value, (list, tuple)) else []


def rebuilt(value: Any, tensors: Any) -> Any:
    if isinstance(value, torch.Tensor):
        return next(tensors)
    if isinstance(value, (list, tuple)):
        return type(value)(rebuilt(part, tensors) for part in value)
    if isinstance(value, dict):
        return {key: rebuilt(part, tensors) for key, part in value.items()}
    return ours(value)


def flat(result: Any) -> list[Any]:
    if isinstance(result, flow.Tensor):
        return [result]
    return [x for part in result for x in flat(part)] if isinstance(result, (list, tuple)) else [result]


def check(name: str, sample: Any, only: int | None) -> bool:
    """Compare one sample, with one input batched or all; whether there was something to compare."""
    given = leaves_of((sample.args, sample.kwargs))
    batches = [others(x) if only is None or k == only else x for k, x in enumerate(given)]
    dims = [0 if only is None or k == only else None for k in range(len(given))]

    def function(*tensors: Any) -> Any:
        args, kwargs = rebuilt((sample.args, sample.kwargs), iter(tensors))
        found = flat(getattr(_C, name)(*args, **kwargs))
        return [x for x in found if isinstance(x, flow.Tensor)]

    tensors = [ours(x) for x in batches]
    wanted = [k for k, x in enumerate(tensors) if x.is_floating_point() and dims[k] == 0]
    for k in wanted:
        tensors[k].requires_grad_()
    singles = []
    for b in range(BATCH):
        result, error = attempt(function, [x if d is None else x[b].clone() for x, d in zip(tensors, dims)], {})
        if error is not None or not result:
            return False
        singles.append(result)
    if len({tuple(tuple(x.shape) for x in row) for row in singles}) > 1:
        return False
    context = f"vmap of {name}{sample}, input {'all' if only is None else only}"
    batched, error = attempt(flow.func.vmap(function, tuple(dims)), tensors, {})
    if name in REFUSED and isinstance(error, (BatchedValueError, BatchingError)):
        return False
    assert error is None, f"{context}: {type(error).__name__}: {error}"
    tolerance = tolerance_of(entries()[name])
    for column, mine in zip(zip(*singles), batched):
        stacked = torch.stack([flow.to_torch(x.detach()).cpu() for x in column])
        compare(mine.detach(), stacked, tolerance, context)
    sums = max(tolerance, "reduction", key=TOLERANCE_CLASSES.index)  # what examples share is a sum, in another order
    expected = _check_gradients(singles, batched, [tensors[k] for k in wanted], sums, context)
    if expected is not None:
        _check_inner_gradients(function, tensors, dims, wanted, expected, sums, context)
    return True


def _check_gradients(singles: Any, batched: Any, leaves: list[Any], tolerance: str, context: str) -> Any:
    """Through the batch and through each example; the latter, and the weights that outputs were summed with."""
    live = [k for k, x in enumerate(singles[0]) if x.requires_grad]
    if not live or not leaves:
        return None
    if not all(flow.to_torch(batched[k].detach()).isfinite().all() for k in live):
        return None
    weights = [flow.linspace(0.5, 1.5, max(batched[k].numel(), 1), dtype=batched[k].dtype) for k in live]
    weights = [w[: batched[k].numel()].reshape(tuple(batched[k].shape)).to(batched[k].device) for w, k in zip(weights, live)]
    stacked = [flow.stack([row[k] for row in singles]) for k in live]
    expected, error = attempt(flow.autograd.grad, (stacked, leaves, weights), {"allow_unused": True})
    if error is not None:
        return None
    found, error = attempt(flow.autograd.grad, ([batched[k] for k in live], leaves, weights), {"allow_unused": True})
    assert error is None, f"{context}, gradient: {type(error).__name__}: {error}"
    for mine, other, leaf in zip(found, expected, leaves):
        pair = [flow.zeros_like(leaf.detach()) if g is None else g for g in (mine, other)]
        compare(pair[0], flow.to_torch(pair[1]).cpu(), tolerance, f"{context}, gradient")
    return live, weights, expected


def _check_inner_gradients(
    function: Any, tensors: list[Any], dims: list[Any], wanted: list[int], expected: Any, tolerance: str, context: str
) -> None:
    """By `grad` inside of `vmap`: the derivatives run on batched tensors."""
    live, weights, wholes = expected

    def gradients(rows: Any, *own: Any) -> Any:
        def total(*leaves: Any) -> Any:
            given = list(own)
            for k, leaf in zip(wanted, leaves):
                given[k] = leaf
            found = function(*given)
            return sum((found[k] * w).sum() for k, w in zip(live, rows))

        return flow.func.grad(total, tuple(range(len(wanted))))(*[own[k] for k in wanted])

    detached = [x.detach() for x in tensors]
    found, error = attempt(flow.func.vmap(gradients, (0, *dims)), [weights, *detached], {})
    assert error is None, f"{context}, gradient inside: {type(error).__name__}: {error}"
    for mine, other, k in zip(found, wholes, wanted):
        exact = flow.zeros_like(detached[k]) if other is None else other
        compare(mine, flow.to_torch(exact).cpu(), tolerance, f"{context}, gradient inside")


def small_samples(name: str, rng: numpy.random.Generator, most: int, dtype: torch.dtype = torch.float64) -> list[Any]:
    found = []
    for sample in samples_of(entries()[name], dtype, rng, thorough=most > LONG):
        tensors = leaves_of((sample.args, sample.kwargs))
        if sample.label != "in terms of the storage" and tensors and 0 < sum(t.numel() for t in tensors) <= SMALL and all(t.isfinite().all() for t in tensors):
            found.append(sample)
    step = max(len(found) / most, 1)
    return [found[int(k * step)] for k in range(min(most, len(found)))]


def names() -> list[Any]:
    """One op in eight in the ordinary run; more samples in the long one."""
    found: list[Any] = []
    for entry in tested_entries():
        name = entry.name
        if name in BY_VALUES or name.endswith("_"):
            continue
        marks = () if zlib.crc32(name.encode()) % 8 == 1 else pytest.mark.long
        found.append(pytest.param(name, ORDINARY, id=name, marks=marks))
        found.append(pytest.param(name, LONG, id=f"{name}-more", marks=pytest.mark.hours))
    return found


@pytest.mark.parametrize(("name", "most"), names())
def test_a_batch_is_its_examples(name: str, most: int, rng: numpy.random.Generator) -> None:
    for number, sample in enumerate(small_samples(name, rng, most)):
        count = len(leaves_of((sample.args, sample.kwargs)))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            check(name, sample, None)
            if count > 1:
                check(name, sample, (zlib.crc32(name.encode()) + number) % count)


def tangents() -> list[Any]:
    """One op in twelve in the ordinary run."""
    found = [name for name in differentiable() if name not in NO_GRADCHECK and name not in BY_VALUES]
    return quick_by_turn(found, (), 1, 12)


@pytest.mark.parametrize("name", tangents())
def test_tangents_are_differences(name: str, rng: numpy.random.Generator) -> None:
    for sample in _samples(name, torch.float64, rng, ORDINARY):
        problem = _problem(name, sample)
        if problem is not None:
            check_tangents = {"check_forward_ad": True, "check_backward_ad": False}
            flow.autograd.gradcheck(*problem, atol=1e-5, rtol=1e-4, **check_tangents)
