"""What autograd makes of every op's result, against torch: whether it requires grad, and whether it may be written in place."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy
import pytest
import torch

import tritonflow as flow
from tests.op_references import reference_of
from tests.op_samples import Sample, entries, samples_of, tested_entries
from tests.ops.allowed import SAVED_RESULTS
from tests.ops.sides import attempt, ours, twins
from tests.sampling import quick_by_turn
from tritonflow import _C

SMALL = 100  # elements of all inputs
ORDINARY = 3  # samples of an op in the ordinary run

# Results that are compared. In torch those behind the first have its history: a copy of A of triangular_solve, and the statistics of
# a norm, though no weight has a part in them. Ours of a sum that is normalised has the history of both.
RESULTS = {
    "triangular_solve": 1, "native_layer_norm": 1, "native_group_norm": 1, "native_batch_norm": 1,
    "add_layer_norm": 1, "add_rms_norm": 1,
}  # fmt: skip


PARTS = {"qkv_linear"}  # whose results are views of one product, as in torch's composition


def _flat(values: Any) -> list[Any]:
    flat: list[Any] = []
    for value in values:
        flat.extend(_flat(value)) if isinstance(value, (list, tuple)) else flat.append(value)
    return flat


def _samples(name: str, rng: numpy.random.Generator) -> list[Sample]:
    """Samples with floating tensors, one of every label first."""
    found, rest, labels = [], [], set()
    for sample in samples_of(entries()[name], torch.float32, rng, thorough=False):
        tensors = [t for t in _flat((*sample.args, *sample.kwargs.values())) if isinstance(t, torch.Tensor)]
        if not any(t.is_floating_point() for t in tensors) or sum(t.numel() for t in tensors) > SMALL:
            continue
        key = (sample.label, len(sample.args), *sorted(sample.kwargs))
        (rest if key in labels else found).append(sample)
        labels.add(key)
    return (found + rest)[: max(ORDINARY, len(found))]


def _leaves(args: Any, kwargs: Any) -> list[Any]:
    tensors = [t for t in _flat((*args, *kwargs.values())) if isinstance(t, (flow.Tensor, torch.Tensor))]
    return [t for t in tensors if t.is_floating_point()]


def _call(
    function: Callable[..., Any], args: Any, kwargs: Any, which: int | None
) -> tuple[list[Any], list[Any], Exception | None]:
    """The tensors that come back, and the leaves: all floating tensors, or one of them."""
    leaves = _leaves(args, kwargs)
    leaves = leaves if which is None else leaves[which : which + 1]
    for leaf in leaves:
        leaf.requires_grad_()
    result, error = attempt(function, args, kwargs)
    outputs = [r for r in _flat((result,)) if isinstance(r, (flow.Tensor, torch.Tensor))]
    return outputs, leaves, error


def _both(name: str, sample: Sample, which: int | None) -> Any:
    theirs = _call(reference_of(entries()[name]), twins(sample.args), twins(sample.kwargs), which)
    mine = _call(getattr(_C, name), ours(sample.args), ours(sample.kwargs), which)
    return None if theirs[2] is not None or mine[2] is not None else (theirs, mine)


@pytest.mark.parametrize("name", quick_by_turn([e.name for e in tested_entries()], (), 0, 6))
def test_results_require_grad_as_torchs(name: str, rng: numpy.random.Generator) -> None:
    wrong = []
    for sample in _samples(name, rng):
        count = len(_leaves(sample.args, sample.kwargs))
        for which in (None, *range(count)) if count > 1 else (None,):
            found = _both(name, sample, which)
            if found is None:
                continue
            (expected, _, _), (actual, _, _) = found
            flags = [[t.requires_grad for t in side[: RESULTS.get(name)]] for side in (actual, expected)]
            if flags[0] != flags[1]:
                wrong.append(f"{name}{sample}, by {which}: {flags[0]}, torch {flags[1]}")
    assert not wrong, "\n".join(wrong[:8])


def _sharing(outputs: list[Any], arguments: list[Any]) -> list[list[bool]]:
    """Which results lie in the memory of which arguments."""

    def memory(t: Any) -> Any:
        return t.impl if isinstance(t, flow.Tensor) else t.untyped_storage().data_ptr()

    return [[memory(out) == memory(argument) for argument in arguments] for out in outputs if out.numel()]


@pytest.mark.parametrize("name", quick_by_turn([e.name for e in tested_entries()], (), 1, 6))
def test_results_are_views_where_torchs_are(name: str, rng: numpy.random.Generator) -> None:
    wrong = []
    for sample in _samples(name, rng):
        found = _both(name, sample, None)
        if found is not None:
            shared = [_sharing(outputs, leaves) for outputs, leaves, _ in found]
            views = [t.requires_grad and t._view is not None and not any(row) for t, row in zip(found[1][0], shared[1])]
            if any(views) and name not in PARTS:
                wrong.append(f"{name}{sample}: a view of what nobody else has, whose history a write without gradients would change")
            if shared[0] != shared[1]:
                wrong.append(f"{name}{sample}: shares {shared[1]}, torch {shared[0]}")
    assert not wrong, "\n".join(wrong[:8])


def _write_and_go_back(outputs: list[Any], leaves: list[Any], library: Any) -> tuple[list[Any], Exception | None]:
    """The leaves' gradients after every result that requires grad was written in place."""
    roots = [t for t in outputs if t.requires_grad]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            for root in roots:
                root.add_(1)
            grads = library.autograd.grad([root.sum() for root in roots], leaves, allow_unused=True)
            return [None if g is None else g.detach() for g in grads], None
        except RuntimeError as error:
            return [], error


@pytest.mark.parametrize("name", quick_by_turn([e.name for e in tested_entries()], (), 2, 6))
def test_results_may_be_written_where_torchs_may(name: str, rng: numpy.random.Generator) -> None:
    wrong = []
    for sample in _samples(name, rng):
        found = _both(name, sample, None)
        if (
            found is None
            or not any(t.requires_grad for t in found[0][0])
            or not any(t.requires_grad for t in found[1][0])
        ):
            continue
        theirs, mine = (_write_and_go_back(*side[:2], lib) for side, lib in zip(found, (torch, flow)))
        if theirs[1] is None and mine[1] is not None and name not in SAVED_RESULTS:
            wrong.append(f"{name}{sample}: {type(mine[1]).__name__}: {str(mine[1])[:200]}")
        elif theirs[1] is None and mine[1] is None:
            shapes = [[None if g is None else tuple(g.shape) for g in side[0]] for side in (mine, theirs)]
            if any(a is not None and b is not None and a != b for a, b in zip(*shapes)):
                wrong.append(f"{name}{sample}: gradients of shapes {shapes[0]}, torch {shapes[1]}")
    assert not wrong, "\n".join(wrong[:8])
