"""Every op of the registry in programs for many sizes: captured with symbols for all sizes, and called with others.

The second call has the tensors of the first repeated along each dimension until they have another size; equal sizes become equal
ones. Where eager mode raises an error for these, so does the program.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy
import pytest
import torch

import tritonflow as flow
from tests.graph.test_every_op import OF_THE_MEMORY, close, same, step, tensors_of, untouched
from tests.op_samples import entries, samples_of, tested_entries, thinned, tolerance_of
from tests.ops.sides import attempt
from tests.poison import poisoned
from tests.sampling import by_turn
from tritonflow import _C
from tritonflow.errors import CaptureError
from tritonflow.graph.api import compiled_graph, sized_graph
from tritonflow.graph.api.function import CapturedFunction
from tritonflow.graph.passes import optimize


@pytest.fixture(autouse=True, scope="module")
def _poisoned() -> Iterator[None]:
    with poisoned():
        yield


def cases() -> list[Any]:
    """An op in seven in the ordinary run."""
    return [
        pytest.param(entry.name, marks=[] if by_turn(entry.name, range(7), 1) == [0] else pytest.mark.long)
        for entry in tested_entries()
        if entry.name not in OF_THE_MEMORY
    ]


def resized(tensor: Any, by: int) -> Any:
    """A tensor whose sizes of 2 and more are other ones."""
    for dim, size in enumerate(tuple(tensor.shape)):
        if size > 1:
            tensor = tensor.index_select(dim, flow.tensor([k % size for k in range(size + by)]))
    return tensor.contiguous()


PINNING = {
    "combinations": "choices of three and more are counted out in Python",
    "linalg_householder_product": "its gradient is a loop over the reflections",
    "ormqr": "a loop over the reflections",
    "unbind": "a tensor for each index",
    "unbind_copy": "a tensor for each index",
}


@pytest.mark.long
@pytest.mark.parametrize("name", [pytest.param(entry.name) for entry in tested_entries() if entry.name not in OF_THE_MEMORY])
def test_which_ops_are_captured_for_each_size(name: str, rng: numpy.random.Generator) -> None:
    """All others need no number: one program holds for all sizes that do not change what it does."""
    entry, function, pins = entries()[name], getattr(_C, name), set()
    for sample in thinned(list(samples_of(entry, torch.float32, rng, False)), 4):
        program = CapturedFunction(lambda *tensors, sample=sample: step(function, sample, tensors), name, dynamic=True)
        attempt(program, [resized(tensor, 0) for tensor in tensors_of(sample)], {})
        pins |= {str(pin) for family in program.programs._families.values() for t in family.templates for pin in t.pins}
    assert not pins or name in PINNING, pins


@pytest.mark.parametrize("name", cases())
def test_op(name: str, rng: numpy.random.Generator) -> None:
    entry = entries()[name]
    for sample in thinned(list(samples_of(entry, torch.float32, rng, False)), 2):
        for passes, compare in ((untouched, same), (optimize, partial(close, tolerance_of(entry)))):
            check(f"{name}{sample}", getattr(_C, name), sample, passes, compare)


def check(context: str, function: Any, sample: Any, passes: Any, compare: Any) -> None:
    program = CapturedFunction(lambda *tensors: step(function, sample, tensors), context, dynamic=True)
    for by in (0, 1, 3):
        given = [resized(tensor, by) for tensor in tensors_of(sample)]
        flow.manual_seed(1)
        expected, eager_error = attempt(partial(step, function, sample), (given,), {})
        flow.manual_seed(1)
        with pytest.MonkeyPatch.context() as patch:
            for room in (compiled_graph, sized_graph):
                patch.setattr(room, "optimize", passes)
            actual, error = attempt(program, given, {})
        if isinstance(error, CaptureError):
            return
        assert type(error) is type(eager_error), f"{context} + {by}: eager {eager_error!r}, as a graph {error!r}"
        compare(actual, expected, f"{context} + {by}")
