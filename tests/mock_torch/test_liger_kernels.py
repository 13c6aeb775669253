"""Kernels of the package liger-kernel, unchanged, on the CPU: results and gradients beside torch's in float64.

docs/own_kernels.md lists them.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy
import pytest
import torch
from torch.nn import functional as F

import tritonflow as flow

pytestmark = pytest.mark.long

ROWS, COLS = 6, 40
numbers = numpy.random.default_rng(0)


class Case(NamedTuple):
    """A `Function` of `liger_kernel.ops`.

    Attributes:
        name: "file.Class".
        arrays: its tensors; those of floats get gradients.
        reference: what it computes, of torch's tensors.
        further: the arguments behind the tensors.
        without_gradient: the positions of tensors of floats that get none.
        outputs: how many results count; others are for logging.
    """

    name: str
    arrays: tuple[Any, ...]
    reference: Callable[..., Any]
    further: tuple[Any, ...] = ()
    without_gradient: tuple[int, ...] = ()
    outputs: int = 1


def normal(*shape: int) -> Any:
    return numbers.standard_normal(shape, numpy.float32)


def log_probabilities(*shape: int) -> Any:
    return torch.log_softmax(torch.from_numpy(normal(*shape)), -1).numpy()


def labels(count: int = ROWS, classes: int = COLS) -> Any:
    return numbers.integers(0, classes, count)


def rms(x: Any, eps: float = 1e-6) -> Any:
    return x / (x.square().mean(-1, keepdim=True) + eps).sqrt()


def rotated(x: Any, cos: Any, sin: Any) -> Any:
    """Rotary position embedding of heads (batch, head, position, element), as LLaMA's."""
    left, right = x.chunk(2, -1)
    return x * cos[:, None] + torch.cat([-right, left], -1) * sin[:, None]


def angles(*shape: int) -> tuple[Any, Any]:
    """Cosines and sines whose two halves are alike."""
    half = normal(*shape[:-1], shape[-1] // 2)
    both = numpy.concatenate([half, half], -1)
    return numpy.cos(both), numpy.sin(both)


def sparsemax(x: Any) -> Any:
    """The projection onto the simplex: max(x - t, 0) with rows that sum to 1."""
    ordered, count = x.sort(-1, descending=True).values, torch.arange(1, x.shape[-1] + 1)
    behind = (ordered.cumsum(-1) - 1) / count
    size = (ordered > behind).sum(-1, keepdim=True)
    return (x - behind.gather(-1, size - 1)).clamp(min=0)


def jensen_shannon(log_q: Any, log_p: Any) -> Any:
    """Half of KL(p || m) + KL(q || m), where m is the mean of both; the mean over the rows."""
    q, p = log_q.exp(), log_p.exp()
    log_m = ((p + q) / 2).log()
    return 0.5 * (p * (log_p - log_m) + q * (log_q - log_m)).sum() / len(q)


def linear_jensen_shannon(x: Any, w: Any, teacher: Any, teacher_w: Any) -> Any:
    return jensen_shannon((x @ w.T).log_softmax(-1), (teacher @ teacher_w.T).log_softmax(-1))


def poly_norm(x: Any, w: Any, b: Any) -> Any:
    return w[0] * rms(x**3) + w[1] * rms(x**2) + w[2] * rms(x) + b


def added_rms_norm(x: Any, residual: Any, w: Any) -> tuple[Any, Any]:
    return rms(x + residual) * w, x + residual


def attention_of_residuals(values: Any, query: Any, norm: Any) -> Any:
    """Blocks' outputs (block, row, element), weighted by softmax(query . normed value)."""
    weights = (rms(values) * norm * query).sum(-1).softmax(0)
    return (weights[..., None] * values).sum(0)


def neighbours(q: Any, k: Any, v: Any) -> Any:
    """Attention to the positions that are at most one away."""
    length = q.shape[2]
    near = (torch.arange(length)[:, None] - torch.arange(length)).abs() <= 1
    scores = (q @ k.transpose(-1, -2)) / q.shape[-1] ** 0.5
    return scores.masked_fill(~near, float("-inf")).softmax(-1) @ v


def tokens_of_several(scores: Any, weight: Any, bias: Any) -> Any:
    """softmax of scores up to the diagonal, a convolution over queries and keys, zeros behind the diagonal."""
    future = torch.ones(scores.shape[-2:], dtype=torch.bool).triu(1)
    mixed = F.conv2d(scores.masked_fill(future, float("-inf")).softmax(-1), weight, bias, padding=1)
    return mixed.masked_fill(future, 0)


def modulated(x: Any, w: Any, scale: Any, shift: Any) -> Any:
    return rms(x) * w * (1 + scale) + shift


def complex_rotation(q: Any, k: Any, turns: Any) -> tuple[Any, Any]:
    """Rotary position embedding of neighbouring pairs of elements (batch, position, head, element), as Llama 4's."""
    turning = torch.view_as_complex(turns)[:, None]

    def turned(x: Any) -> Any:
        pairs = torch.view_as_complex(x.reshape(*x.shape[:-1], -1, 2))
        return torch.view_as_real(pairs * turning).flatten(-2)

    return turned(q), turned(k)


def rotation_in_sections(q: Any, k: Any, cos: Any, sin: Any) -> tuple[Any, Any]:
    """Rotary position embedding with angles of time, height and width, for 2, 3 and 3 pairs of elements."""
    sections = [2, 3, 3, 2, 3, 3]

    def chosen(angle: Any) -> Any:
        return torch.cat([part[i % 3] for i, part in enumerate(angle.split(sections, -1))], -1)

    return rotated(q, chosen(cos), chosen(sin)), rotated(k, chosen(cos), chosen(sin))


x, w, b = normal(ROWS, COLS), normal(COLS), normal(COLS)
heads = normal(2, 4, 5, 16), normal(2, 2, 5, 16)  # of queries and of keys
steps = normal(2, 5, 4, 16), normal(2, 5, 2, 16)
CASES = [
    Case("rms_norm.LigerRMSNormFunction", (x, w), lambda x, w: rms(x) * w, (1e-6, 0.0, "llama", False)),
    Case("layer_norm.LigerLayerNormFunction", (x, w, b), lambda x, w, b: F.layer_norm(x, (COLS,), w, b, 1e-5), (1e-5,)),
    Case("group_norm.LigerGroupNormFunction", (normal(2, 6, 7), normal(6), normal(6)), lambda x, w, b: F.group_norm(x, 3, w, b, 1e-5), (6, 3, 1e-5)),
    Case("poly_norm.LigerPolyNormFunction", (x, normal(3), numpy.array(0.5, numpy.float32)), poly_norm, (1e-6, False)),
    Case("fused_add_rms_norm.LigerFusedAddRMSNormFunction", (x, normal(ROWS, COLS), w), added_rms_norm, (1e-6, 0.0, "llama", False), outputs=2),
    Case("modulated_rms_norm.LigerModulatedRMSNormFunction", (x, w, normal(ROWS, COLS), normal(ROWS, COLS)), modulated, (1e-6, 0.0, "llama", False)),
    Case("softmax.LigerSoftmaxFunction", (x,), lambda x: x.softmax(-1)),
    Case("sparsemax.LigerSparsemaxFunction", (x,), sparsemax, (-1,)),
    Case("relu_squared.LigerReLUSquaredFunction", (x,), lambda x: x.relu().square()),
    Case("swiglu.LigerSiLUMulFunction", (x, normal(ROWS, COLS)), lambda a, b: F.silu(a) * b),
    Case("swiglu.LigerFusedGateUpSiLUMulFunction", (x,), lambda y: F.silu(y[:, : COLS // 2]) * y[:, COLS // 2 :]),
    Case("geglu.LigerGELUMulFunction", (x, normal(ROWS, COLS)), lambda a, b: F.gelu(a, approximate="tanh") * b),
    Case("rope.LigerRopeFunction", (*heads, *angles(2, 5, 16)), lambda q, k, cos, sin: (rotated(q, cos, sin), rotated(k, cos, sin)), without_gradient=(2, 3), outputs=2),
    Case("llama4_rope.LigerLlama4RopeFunction", (*steps, normal(5, 8, 2)), complex_rotation, without_gradient=(2,), outputs=2),
    Case("qwen2vl_mrope.LigerQwen2VLMRopeFunction", (*heads, *angles(3, 2, 5, 16)), rotation_in_sections, ([2, 3, 3],), without_gradient=(2, 3), outputs=2),
    Case("cross_entropy.LigerCrossEntropyFunction", (x, labels()), F.cross_entropy, (None,)),
    Case("fused_linear_cross_entropy.LigerFusedLinearCrossEntropyFunction", (normal(ROWS, 16), normal(COLS, 16), labels()), lambda x, w, t: F.cross_entropy(x @ w.T, t)),
    Case("kl_div.LigerKLDivLossFunction", (log_probabilities(ROWS, COLS), numpy.exp(log_probabilities(ROWS, COLS))), lambda x, y: F.kl_div(x, y, reduction="batchmean"), without_gradient=(1,)),
    Case("jsd.LigerJSDFunction", (log_probabilities(ROWS, COLS), log_probabilities(ROWS, COLS)), jensen_shannon, without_gradient=(1,)),
    Case("fused_linear_jsd.LigerFusedLinearJSDFunction", (normal(ROWS, 16), normal(COLS, 16), normal(ROWS, 16), normal(COLS, 16)), linear_jensen_shannon, without_gradient=(2, 3)),
    Case("tvd.LigerTVDLossFunction", (numpy.exp(log_probabilities(ROWS, COLS)), numpy.exp(log_probabilities(ROWS, COLS))), lambda p, q: 0.5 * (p - q).abs().sum() / ROWS, without_gradient=(1,)),
    Case("attn_res.LigerAttnResFunction", (normal(3, ROWS, COLS), w, b), attention_of_residuals, (1e-6,)),
    Case("fused_neighborhood_attention.LigerFusedNeighborhoodAttentionFunction", tuple(normal(1, 2, 8, 16) for _ in range(3)), neighbours, (3, 1, None)),
    Case("multi_token_attention.LigerMultiTokenAttentionFunction", (normal(1, 2, 8, 8), normal(2, 2, 3, 3), normal(2)), tokens_of_several, (1, 1)),
]


def as_tuple(result: Any, count: int) -> tuple[Any, ...]:
    return (result if isinstance(result, tuple) else (result,))[:count]


def results(case: Case, function: Any, tensors: list[Any], weights: list[Any]) -> list[Any]:
    """What it gives, and the gradients of a sum of it with weights."""
    wanted = [t for k, t in enumerate(tensors) if t.dtype.is_floating_point and k not in case.without_gradient]
    for tensor in wanted:
        tensor.requires_grad_()
    outputs = as_tuple(function(*[t * 1 if t.requires_grad else t for t in tensors]), case.outputs)  # no leaves, which may be written
    sum((out * weight).sum() for out, weight in zip(outputs, weights)).backward()
    return [t.detach().numpy() for t in (*outputs, *[t.grad for t in wanted])]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name.partition(".")[0])
def test_as_in_torch(case: Case) -> None:
    file, _, name = case.name.partition(".")
    with flow.mock_torch.enable():
        function = getattr(importlib.import_module(f"liger_kernel.ops.{file}"), name)
    exact = [torch.from_numpy(a.copy()) for a in case.arrays]
    exact = [t.double() if t.is_floating_point() else t for t in exact]
    shapes = [out.shape for out in as_tuple(case.reference(*exact), case.outputs)]
    weights = [normal(*shape) if shape else numpy.float32(1.5) for shape in shapes]
    expected = results(case, case.reference, exact, [torch.as_tensor(weight).double() for weight in weights])
    given = [flow.tensor(a) for a in case.arrays]
    found = results(case, lambda *xs: function.apply(*xs, *case.further), given, [flow.tensor(weight) for weight in weights])
    assert len(found) == len(expected)
    for mine, theirs in zip(found, expected):
        assert mine.shape == theirs.shape
        numpy.testing.assert_allclose(mine, theirs, rtol=2e-4, atol=2e-5)


def test_the_page_lists_them() -> None:
    page = (Path(__file__).parents[2] / "docs" / "own_kernels.md").read_text()
    assert re.findall(r"^\| `(\w+\.Liger\w+)` \| yes \| yes \|$", page, re.MULTILINE) == [case.name for case in CASES]
