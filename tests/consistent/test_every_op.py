"""Every op of the registry on consistent tensors of two simulated ranks: its values and gradients are those of local tensors.

The samples are those of the registry. Inputs lie at random: split along some dimension, broadcast, or partial. An op may refuse
consistent tensors where `REFUSED` says why.
"""

from __future__ import annotations

from typing import Any

import numpy
import pytest
import torch

import tritonflow as flow
from tests.op_samples import Sample, entries, tested_entries, tolerance_of, with_ops
from tests.ops.allowed import CONSTANT_INPUTS
from tests.ops.sides import attempt, compare, convert, twin
from tests.ops.test_gradients import SKIPPED, samples_of
from tests.sampling import by_turn
from tritonflow import _C
from tritonflow.device.torch_exchange import from_torch_dtype
from tritonflow.errors import PlacementError
from tritonflow.framework.sbp import Sbp, broadcast, partial_sum, split
from tritonflow.testing import TOLERANCES

REFUSED = {"as_strided": "its strides are of memory, of which every rank has another"}
WORLD = 2


def selected(name: str, rng: numpy.random.Generator, count: int) -> list[Sample]:
    """Small samples of all kinds."""
    found = []
    for sample in samples_of(entries()[name], torch.float64, rng, thorough=False):
        tensors: list[torch.Tensor] = []
        convert((sample.args, list(sample.kwargs.values())), tensors.append, lambda d: d)
        if tensors and sum(t.numel() for t in tensors) <= 400 and sample.label not in SKIPPED:
            found.append(sample)
    step = max(len(found) / count, 1)
    return [found[int(k * step)] for k in range(min(count, len(found)))]


def layout_of(x: torch.Tensor, rng: numpy.random.Generator) -> Sbp:
    """A random sbp for a tensor."""
    choices = [broadcast, *[split(d) for d in range(x.ndim)] * 2]
    if x.is_floating_point() and x.isfinite().all():
        choices.append(partial_sum)
    return choices[int(rng.integers(len(choices)))]


def call(name: str, sample: Sample, tensor: Any) -> list[Any]:
    """The outputs of an op, and the gradients of its floating inputs, of tensors made by `tensor`."""
    made: list[flow.Tensor] = []

    def leaf(x: torch.Tensor) -> flow.Tensor:
        made.append(tensor(x, len(made)))
        return made[-1]

    args, kwargs = convert(sample.args, leaf, from_torch_dtype), convert(sample.kwargs, leaf, from_torch_dtype)
    constant = CONSTANT_INPUTS.get(name, ())
    names = [p.name for p in entries()[name].signatures[0].parameters]
    fixed = [id(a) for a, n in zip(args, names) if n in constant]
    leaves = [x for x in made if x.is_floating_point() and id(x) not in fixed]
    for x in leaves:
        x.requires_grad_()
    results = getattr(_C, name)(*args, **kwargs)
    outputs = [y for y in (results if isinstance(results, (tuple, list)) else [results]) if isinstance(y, flow.Tensor)]
    recorded = [y for y in outputs if y.requires_grad]
    gradients: list[Any] = []
    if recorded:
        weights = [flow.ones_like(y).cumsum(0) if y.ndim else flow.ones_like(y) for y in recorded]
        gradients = list(flow.autograd.grad(recorded, leaves, weights, allow_unused=True))
    return [*outputs, *gradients]


def check(name: str, sample: Sample, rng: numpy.random.Generator) -> None:
    """Compare an op on consistent tensors with the same on local ones."""
    layouts = []

    def local(x: torch.Tensor, number: int) -> flow.Tensor:
        layouts.append(layout_of(x, rng))
        return flow.from_torch(twin(x))

    expected, error = attempt(call, (name, sample, local), {})
    if error is not None:
        return
    def on_a_rank() -> list[Any]:
        placement = flow.placement("cpu", range(WORLD))

        def consistent(x: torch.Tensor, number: int) -> flow.Tensor:
            whole = flow.from_torch(twin(x)).clone().to_global(placement=placement, sbp=broadcast)
            return whole.to_global(sbp=layouts[number]).detach()

        results = call(name, sample, consistent)
        return [None if y is None else (tuple(y.shape), flow.to_torch(y.detach().full()).clone()) for y in results]

    where = f"{name}{sample} of {', '.join(map(str, layouts))}"
    found, error = attempt(flow.testing.simulate(WORLD)(on_a_rank), (), {})
    if isinstance(error, PlacementError) and "no signature for the sbp of what it writes" in str(error):
        return  # what an op writes cannot be boxed: running statistics that are partial
    assert error is None, f"{where}: {type(error).__name__}: {error}"
    for rank, actual in enumerate(found):
        for number, (y, given) in enumerate(zip(expected, actual)):
            context = f"{where}: rank {rank}, result {number}"
            assert (y is None) == (given is None), f"{context}: {given}, not {y}"
            if y is not None:
                shape, values = given
                assert shape == tuple(y.shape), f"{context}: {shape}, not {tuple(y.shape)}"
                wide = max(tolerance_of(entries()[name]), "matmul", key=list(TOLERANCES).index)
                compare(flow.from_torch(values), flow.to_torch(y.detach()), wide, context)


NAMES = [e.name for e in tested_entries() if e.name not in REFUSED]
LONG = pytest.mark.long


@pytest.mark.parametrize(
    ("name", "samples"),
    [
        *[(n, 1) for n in NAMES if by_turn(n, range(2 if n in with_ops() else 4), 1) == [0]],
        *[pytest.param(n, 8, marks=LONG if n in with_ops() else pytest.mark.hours) for n in NAMES],
    ],
)
def test_as_local(name: str, samples: int, rng: numpy.random.Generator) -> None:
    failures = []
    for sample in selected(name, rng, samples):
        try:
            check(name, sample, rng)
        except AssertionError as error:
            failures.append(str(error)[:1000])
    assert not failures, "\n\n".join(failures)
