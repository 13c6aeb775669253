"""Ops whose reduced dimension is split, put together from other ops on the ranks of a simulated world, give the numbers of the whole."""

from __future__ import annotations

from itertools import product
from math import prod
from typing import Any

import numpy
import pytest
import torch

import tritonflow as flow
from tests.consistent.simulate_rules import OpCall, compare, cut, join, partial_shares, results_of, text_of
from tests.consistent.test_rules import calls_from, spread
from tritonflow.execution.context import OpContext
from tritonflow.framework.consistent_meta import ConsistentTensorMeta
from tritonflow.framework.placement import Placement
from tritonflow.framework.shards import box_of
from tritonflow.interpreter import consistent, layout
from tritonflow.ops.sbp.signature import NdSignature, nd_signatures
from tritonflow.wire.world import this_rank

# An entry whose samples lead to the op, forward or backward.
ENTRIES = (
    "mean", "var", "std", "var_mean", "norm", "argmax", "argmin", "max", "min", "softmax", "log_softmax", "cosine_similarity",
    "layer_norm", "rms_norm", "batch_norm", "cross_entropy", "nll_loss",
)  # fmt: skip
MESHES = ((2,), (3,), (2, 2))


def decomposed(call: OpCall, mesh: tuple[int, ...]) -> list[NdSignature]:
    """The signatures of a call that take a decomposition."""
    return [s for s in nd_signatures(call.op.definition, call.metas, call.attrs, mesh) if s.decomposed]


def check(call: OpCall, signature: NdSignature, mesh: tuple[int, ...], rng: numpy.random.Generator) -> None:
    """Run the op on consistent tensors that lie as the signature says; join and compare what the ranks have then."""
    where = f"{call} over {mesh}: {text_of(signature)}"
    whole = results_of(call, call.inputs, call.attrs, call.dynamic)
    shares = [None if x is None else partial_shares(x, mesh, s or (), rng) for x, s in zip(call.inputs, signature.inputs)]
    ranks = list(product(*map(range, mesh)))

    def run() -> list[tuple[Any, torch.Tensor]]:
        placement = Placement("cpu", numpy.arange(prod(mesh)).reshape(mesh))
        coordinate = ranks[this_rank().index]
        inputs = []
        for share, sbp, meta in zip(shares, signature.inputs, call.metas):
            if share is None or sbp is None or meta is None:
                inputs.append(None)
                continue
            piece = flow.from_torch(cut(share[coordinate], box_of(meta.shape, mesh, sbp, coordinate))).clone()
            own = ConsistentTensorMeta.get(meta.shape, meta.dtype, placement, sbp, piece.meta)
            inputs.append(layout.from_local(piece, own))
        results = consistent.apply(call.op, tuple(inputs), OpContext(call.attrs, call.dynamic))
        outputs = [results] if call.op.single_output else list(results)
        outputs += [inputs[k] for k in call.op.written(tuple(inputs))]
        return [(y.meta.sbp, y.meta.shape, flow.to_torch(layout.local_shard(y)).clone()) for y in outputs]

    found = flow.testing.simulate(len(ranks))(run)()
    for number, expected in enumerate(whole):
        (sbp, shape, _), *others = [own[number] for own in found]
        assert all(other[0] == sbp for other in others), f"{where}: output {number}: ranks disagree on its sbp"
        assert shape == tuple(expected.shape), f"{where}: output {number} is {shape}, not {tuple(expected.shape)}"
        actual = join(expected, {c: own[number][2] for c, own in zip(ranks, found)}, mesh, sbp)
        compare(call, signature, expected, actual, f"{where}: output {number}")


@pytest.mark.parametrize("name", ENTRIES)
def test_decomposed(name: str, rng: numpy.random.Generator) -> None:
    calls = [c for c in calls_from(name, torch.float64, rng, 12) if decomposed(c, (2,))]
    assert calls, f"no call of {name} is decomposed"
    for call in spread(calls, 2):
        for mesh in MESHES:
            chosen = decomposed(call, mesh)
            for k in range(0, len(chosen), 1 + len(chosen) // 3):
                check(call, chosen[k], mesh, rng)
