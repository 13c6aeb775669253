"""A transformer block with split weights, as Megatron splits them: what it sends, and that its numbers are those of one process."""

from __future__ import annotations

from collections import Counter

import numpy
import pytest

import tritonflow as flow
from tritonflow import nn
from tritonflow.framework.sbp import broadcast, partial_sum, split
from tritonflow.nn import functional as F
from tritonflow.wire.world import this_rank

BATCH, LENGTH, WIDTH, HEADS, DROPOUT = 3, 5, 16, 4, 0.2
ACTIVATION = (BATCH, LENGTH, WIDTH)
# Outputs are split in the first layer of each pair, inputs in the second. What is not named here is on every rank.
SPLIT = {"weight": split(0), "bias": split(0)}
SECOND = {"weight": split(1), "bias": broadcast}
LAYOUTS = {"qkv": SPLIT, "query": SPLIT, "key": SPLIT, "value": SPLIT, "up": SPLIT, "project": SECOND, "down": SECOND}


class Block(nn.Module):
    """Attention and a multilayer perceptron around residuals; `fused`: one layer makes query, key and value, head by head."""

    def __init__(self, fused: bool) -> None:
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        if fused:
            self.qkv = nn.Linear(WIDTH, 3 * WIDTH)
        else:
            self.query, self.key, self.value = [nn.Linear(WIDTH, WIDTH) for _ in range(3)]
        self.project = nn.Linear(WIDTH, WIDTH)
        self.up, self.down = nn.Linear(WIDTH, 2 * WIDTH), nn.Linear(2 * WIDTH, WIDTH)

    def attention(self, x: flow.Tensor) -> flow.Tensor:
        if hasattr(self, "qkv"):
            found = self.qkv(x).view(BATCH, LENGTH, HEADS, 3, -1).unbind(3)
        else:
            found = [layer(x).view(BATCH, LENGTH, HEADS, -1) for layer in (self.query, self.key, self.value)]
        q, k, v = [t.transpose(1, 2) for t in found]
        y = F.scaled_dot_product_attention(q, k, v, dropout_p=DROPOUT, is_causal=True)
        return self.project(y.transpose(1, 2).reshape(ACTIVATION))

    def forward(self, x: flow.Tensor) -> flow.Tensor:
        x = x + F.dropout(self.attention(self.norm1(x)), DROPOUT)
        return x + F.dropout(self.down(F.gelu(self.up(self.norm2(x)))), DROPOUT)


def step(fused: bool, sent: Counter[int]) -> tuple[list[numpy.ndarray], list[int]]:
    """Output and gradients of two blocks; what the rank sends forward, and then backward."""
    everywhere, rank = flow.placement.all("cpu"), this_rank().index
    flow.manual_seed(3)
    blocks = nn.Sequential(Block(fused), Block(fused))
    for name, p in list(blocks.named_parameters()):
        layer, _, kind = name.rpartition(".")
        whole = p.detach().to_global(everywhere, broadcast)
        laid_out = whole.to_global(sbp=LAYOUTS.get(layer.rpartition(".")[2], {}).get(kind, broadcast))
        setattr(blocks.get_submodule(layer), kind, nn.Parameter(laid_out.detach()))
    x = flow.randn(*ACTIVATION, placement=everywhere, sbp=broadcast).requires_grad_(True)
    counts = [sent[rank]]
    y = blocks(x)
    counts.append(sent[rank])
    y.square().sum().backward()
    counts.append(sent[rank])
    return [t.numpy() for t in (y, x.grad, *[p.grad for p in blocks.parameters()])], list(numpy.diff(counts))


def bytes_of_a_sum() -> dict[int, int]:
    """What each rank sends so that shares of an activation become a sum on every rank."""
    return flow.boxing.explain((ACTIVATION, flow.float32, flow.placement.all("cpu"), partial_sum), broadcast).bytes


@pytest.mark.parametrize(("fused", "ranks"), [(True, 2), (True, 4), (False, 2)])
def test_two_sums_forward_and_two_backward(fused: bool, ranks: int, sent: Counter[int]) -> None:
    """And nothing else: each block sums its activations behind either half, and their gradients before."""
    ((expected, _),) = flow.testing.simulate(1)(step)(fused, sent)
    one_sum = flow.testing.simulate(ranks)(bytes_of_a_sum)()[0]
    for rank, (results, counts) in enumerate(flow.testing.simulate(ranks)(step)(fused, sent)):
        for ours, theirs in zip(results, expected):
            numpy.testing.assert_allclose(ours, theirs, rtol=1e-4, atol=1e-5)
        assert counts == [2 * 2 * one_sum[rank]] * 2
