"""Attention spelled out: which spellings become one op forward and one backward, which stay, and that results are torch's."""

from __future__ import annotations

from collections.abc import Callable
from math import inf, sqrt
from typing import Any

import pytest
import torch

import tritonflow as flow
from tests.graph.test_fusion import optimized
from tritonflow import nn
from tritonflow.graph.executable import Executable
from tritonflow.testing import assert_close

F = nn.functional
Program = Callable[..., Any]  # of a library (flow or torch), q, k, v, and masks
OPS = ["scaled_dot_product_attention", "attention_grad"]


def attention(m: Any, q: Any, k: Any, v: Any, scores: Callable[[Any], Any]) -> Any:
    """softmax(what `scores` makes of q k') v."""
    return m.softmax(scores(q @ k.transpose(-2, -1)), -1) @ v


def matrices(*batch: int, rows: int = 20, keys: int = 20, size: int = 16, dtype: Any = torch.float32) -> list[torch.Tensor]:
    torch.manual_seed(0)
    return [torch.randn(*batch, n, size, dtype=dtype) for n in (rows, keys, keys)]


def trained(m: Any, program: Program) -> Program:
    """The program's result and the gradients of q, k and v."""

    def run(*tensors: Any) -> Any:
        leaves = [x.detach().requires_grad_() for x in tensors[:3]]
        y = program(m, *leaves, *tensors[3:])
        return [y, *m.autograd.grad(y, leaves, y.detach() * 2 + 1)]

    return run


def ops(graph: Any) -> list[str]:
    """The ops of attention in a graph."""
    return [op.op.name for node in graph.nodes for op in node.ops() if op.op.name in (*OPS, "softmax", "softmax_grad")]


def check(program: Program, *tensors: Any, expected: list[str] = OPS, wrap: Any = trained) -> Any:
    """The graph, after a look at its ops, and at results and gradients beside torch's."""
    inputs = [flow.from_torch(x) for x in tensors]
    graph = optimized(wrap(flow, program), *inputs)
    assert ops(graph) == expected
    results = Executable(graph, inputs[0].device).run(inputs)
    for actual, reference in zip(results, wrap(torch, program)(*tensors)):
        assert_close(flow.to_torch(actual), reference.detach(), op_class="matmul", equal_nan=True)
    return graph


tril = torch.ones(24, 24).tril()
padding = torch.arange(20) < torch.tensor([[20], [13]])[:, None, None]  # (2, 1, 1, 20)

SPELLINGS: dict[str, tuple[Program, tuple[Any, ...]]] = {
    "plain": (lambda m, q, k, v: attention(m, q, k, v, lambda s: s), ()),
    "divided": (lambda m, q, k, v: attention(m, q, k, v, lambda s: s / sqrt(16)), ()),
    "multiplied": (lambda m, q, k, v: attention(m, q, k, v, lambda s: 0.3 * s), ()),
    "scaled in front": (lambda m, q, k, v: attention(m, q * 0.5, k * 0.25, v, lambda s: s), ()),
    "a constant tensor": (lambda m, q, k, v: attention(m, q, k, v, lambda s: s / m.full((), 4.0)), ()),
    "two factors": (lambda m, q, k, v: attention(m, q, k, v, lambda s: s * 0.3 / 0.7), ()),
    "added": (lambda m, q, k, v, x: attention(m, q, k, v, lambda s: s * 0.25 + x), (torch.randn(20, 20),)),
    "added from the left": (lambda m, q, k, v, x: attention(m, q, k, v, lambda s: x + s * 0.25), (torch.randn(3, 1, 20),)),
    "nanoGPT": (lambda m, q, k, v, x: attention(m, q, k, v, lambda s: (s * 0.25).masked_fill(x[:20, :20] == 0, -inf)), (tril,)),
    "a finite fill": (lambda m, q, k, v, x: attention(m, q, k, v, lambda s: (s / 4).masked_fill(~x, -1e9)), (padding,)),
    "a small fill": (lambda m, q, k, v, x: attention(m, q, k, v, lambda s: (s / 4).masked_fill(~x, -0.5)), (padding,)),
    "scaled behind": (lambda m, q, k, v, x: attention(m, q, k, v, lambda s: s.masked_fill(~x, -1e4) / 4), (padding,)),
    "two masks": (
        lambda m, q, k, v, x, y: attention(m, q, k, v, lambda s: s.masked_fill(x[:20, :20] == 0, -inf).masked_fill(~y, -inf)),
        (tril, padding),
    ),
    "where": (lambda m, q, k, v, x: attention(m, q, k, v, lambda s: m.where(x, s * 0.25, -inf)), (padding,)),
    "where not": (lambda m, q, k, v, x: attention(m, q, k, v, lambda s: m.where(~x, -1e9, s * 0.25)), (padding,)),
    "where, of tensors": (lambda m, q, k, v, x: attention(m, q, k, v, lambda s: m.where(x, s, m.full((), -1e9))), (padding,)),
    "computed causal": (
        lambda m, q, k, v: attention(m, q, k, v, lambda s: s.masked_fill(m.ones(20, 20).triu(1).bool(), -inf)), (),
    ),
    "in place": (lambda m, q, k, v, x: attention(m, q, k, v, lambda s: s.mul_(0.25).masked_fill_(~x, -inf)), (padding,)),
    "its own softmax dtype": (lambda m, q, k, v: m.softmax(q @ k.mT * 0.25, -1, dtype=m.float32) @ v, ()),
    "given transposed": (lambda m, q, k, v: (q.mT.contiguous().mT @ k.mT.contiguous() * 0.25).softmax(-1) @ v.mT.contiguous().mT, ()),
    "queries are keys": (lambda m, q, k, v: (q @ q.mT * 0.25).softmax(-1) @ v + k, ()),
}  # fmt: skip


@pytest.mark.parametrize("name", SPELLINGS)
def test_spellings(name: str) -> None:
    program, masks = SPELLINGS[name]
    check(program, *matrices(2, 3), *masks).verify()
