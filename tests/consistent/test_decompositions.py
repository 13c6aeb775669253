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
from tests.sampling import by_turn
from tritonflow.execution.context import OpContext
from tritonflow.framework.consistent_meta import ConsistentTensorMeta
from tritonflow.framework.placement import Placement
from tritonflow.framework.shards import box_of
from tritonflow.interpreter import consistent
from tritonflow.interpreter.shard import from_local, local_shard
from tritonflow.ops.sbp.signature import NdSignature, nd_signatures
from tritonflow.wire.world import this_rank

# An entry whose samples lead to the op, forward or backward.
ENTRIES = (
    "mean", "var", "std", "var_mean", "norm", "argmax", "argmin", "max", "min", "softmax", "log_softmax", "cosine_similarity",
    "layer_norm", "rms_norm", "batch_norm", "cross_entropy", "nll_loss", "narrow", "select", "cat",
    "prod", "cumsum", "cumprod",
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
            inputs.append(from_local(piece, own))
        context = OpContext(call.attrs, call.dynamic)
        results = consistent.apply_view(call.op, inputs[0], context) if call.op.is_view else consistent.apply(call.op, tuple(inputs), context)
        outputs = [results] if call.op.single_output else list(results)
        outputs += [inputs[k] for k in call.op.written(tuple(inputs), call.attrs)]
        return [(y.meta.sbp, y.meta.shape, flow.to_torch(local_shard(y)).clone()) for y in outputs]

    found = flow.testing.simulate(len(ranks))(run)()
    for number, expected in enumerate(whole):
        (sbp, shape, _), *others = [own[number] for own in found]
        assert all(other[0] == sbp for other in others), f"{where}: output {number}: ranks disagree on its sbp"
        assert shape == tuple(expected.shape), f"{where}: output {number} is {shape}, not {tuple(expected.shape)}"
        actual = join(expected, {c: own[number][2] for c, own in zip(ranks, found)}, mesh, sbp)
        compare(call, signature, expected, actual, f"{where}: output {number}")


@pytest.mark.parametrize(
    ("name", "count"),
    [*[(n, 1) for n in ENTRIES if by_turn(n, (True, False), 1) == [True]], *[pytest.param(n, 3, marks=pytest.mark.long) for n in ENTRIES]],
)
@pytest.mark.sampled(most=6)
def test_decomposed(name: str, count: int, rng: numpy.random.Generator) -> None:
    calls = [c for c in calls_from(name, torch.float64, rng, 12) if decomposed(c, (2,))]
    assert calls, f"no call of {name} is decomposed"
    for call in spread(calls, count):
        for mesh in MESHES:
            chosen = decomposed(call, mesh)
            for k in range(0, len(chosen), 1 + len(chosen) // 3):
                check(call, chosen[k], mesh, rng)


# ---------------------------------------------------------------------------------- what other frameworks got wrong


def global_(x: torch.Tensor, sbp: Any) -> flow.Tensor:
    """A consistent tensor over the ranks of the world, of what every rank has."""
    placement = flow.placement.all("cpu")
    return flow.from_torch(x).clone().to_global(placement=placement, sbp=flow.sbp.broadcast).to_global(sbp=sbp).detach()


@pytest.mark.parametrize("name", ["nll_loss", "cross_entropy"])
def test_weighted_mean_is_no_mean_of_means_pytorch_185167(name: str, rng: numpy.random.Generator) -> None:
    """The ranks' weights differ, and so do their numbers of samples."""
    x = torch.from_numpy(rng.standard_normal((5, 4)))
    target, weight = torch.tensor([0, 3, 3, 1, 2]), torch.tensor([0.1, 5.0, 1.0, 0.3], dtype=torch.float64)
    loss = getattr(flow.nn.functional, name)

    def run() -> list[numpy.ndarray]:
        leaf = global_(x, flow.sbp.split(0)).requires_grad_()
        y = loss(leaf, global_(target, flow.sbp.split(0)), global_(weight, flow.sbp.broadcast))
        assert y.sbp == (flow.sbp.partial_sum,), "as the mean of losses that are not reduced"
        y.backward()
        return [y.detach().numpy(), leaf.grad.numpy()]

    leaf = x.clone().requires_grad_()
    expected = getattr(torch.nn.functional, name)(leaf, target, weight)
    expected.backward()
    for found in flow.testing.simulate(2)(run)():
        numpy.testing.assert_allclose(found[0], expected.detach(), rtol=1e-12)
        numpy.testing.assert_allclose(found[1], leaf.grad, rtol=1e-12, atol=1e-15)


def test_log_softmax_of_split_classes_has_other_consumers_pytorch_190746(rng: numpy.random.Generator) -> None:
    """The gradient through log_softmax is its own, and no loss's, where something else than a loss reads it."""
    x, scale = torch.from_numpy(rng.standard_normal((3, 5))), torch.from_numpy(rng.standard_normal((3, 5)))

    def run() -> numpy.ndarray:
        leaf = global_(x, flow.sbp.split(1)).requires_grad_()
        (flow.log_softmax(leaf, 1) * global_(scale, flow.sbp.broadcast)).sum().backward()
        return leaf.grad.numpy()

    leaf = x.clone().requires_grad_()
    (torch.log_softmax(leaf, 1) * scale).sum().backward()
    for found in flow.testing.simulate(2)(run)():
        numpy.testing.assert_allclose(found, leaf.grad, rtol=1e-10, atol=1e-14)


@pytest.mark.parametrize("dim", range(4))
def test_convolution_of_split_pixels_pytorch_191926(dim: int, rng: numpy.random.Generator) -> None:
    """Windows overlap, so split pixels are gathered; batch and channels stay split."""
    x, w = torch.from_numpy(rng.standard_normal((2, 3, 5, 4))), torch.from_numpy(rng.standard_normal((4, 3, 3, 3)))

    def run() -> list[numpy.ndarray]:
        leaf, weight = global_(x, flow.sbp.split(dim)).requires_grad_(), global_(w, flow.sbp.broadcast).requires_grad_()
        flow.nn.functional.conv2d(leaf, weight, padding=1).square().sum().backward()
        return [leaf.grad.numpy(), weight.grad.numpy()]

    leaf, weight = x.clone().requires_grad_(), w.clone().requires_grad_()
    torch.nn.functional.conv2d(leaf, weight, padding=1).square().sum().backward()
    for found in flow.testing.simulate(2)(run)():
        numpy.testing.assert_allclose(found[0], leaf.grad, rtol=1e-10)
        numpy.testing.assert_allclose(found[1], weight.grad, rtol=1e-10)


def test_a_class_that_is_none_is_an_error() -> None:
    """Where classes are split as well: no rank has such a class, which must not look like a loss of 0."""

    def run() -> None:
        flow.nn.functional.cross_entropy(
            global_(torch.zeros(2, 4), flow.sbp.split(1)), global_(torch.tensor([1, 4]), flow.sbp.broadcast), reduction="sum"
        )

    with pytest.raises((IndexError, RuntimeError), match="out of"):
        flow.testing.simulate(2)(run)()
