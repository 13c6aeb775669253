"""A transformer block with split weights, as Megatron splits them: what it sends, and that its numbers are those of one process."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy
import pytest

import tritonflow as flow
from tritonflow import nn
from tritonflow.framework.sbp import broadcast, partial_sum, split
from tritonflow.nn import functional as F
from tritonflow.wire import verbs
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


def step(fused: bool, phases: dict[int, str]) -> list[numpy.ndarray]:
    """Output and gradients of two blocks; tells what it does in `phases`, by rank."""
    everywhere, rank = flow.placement.all("cpu"), this_rank().index
    flow.manual_seed(3)
    blocks = nn.Sequential(Block(fused), Block(fused))
    for name, p in list(blocks.named_parameters()):
        layer, _, kind = name.rpartition(".")
        whole = p.detach().to_global(everywhere, broadcast)
        laid_out = whole.to_global(sbp=LAYOUTS.get(layer.rpartition(".")[2], {}).get(kind, broadcast))
        setattr(blocks.get_submodule(layer), kind, nn.Parameter(laid_out.detach()))
    x = flow.randn(*ACTIVATION, placement=everywhere, sbp=broadcast).requires_grad_(True)
    phases[rank] = "forward"
    y = blocks(x)
    phases[rank] = "backward"
    y.square().sum().backward()
    phases[rank] = "the end"
    return [t.numpy() for t in (y, x.grad, *[p.grad for p in blocks.parameters()])]


def bytes_of_a_sum() -> dict[int, int]:
    """What each rank sends so that shares of an activation become a sum on every rank."""
    return flow.boxing.explain((ACTIVATION, flow.float32, flow.placement.all("cpu"), partial_sum), broadcast).bytes


@pytest.mark.parametrize(("fused", "ranks"), [(True, 2), (True, 4), (False, 2)])
def test_two_sums_forward_and_two_backward(fused: bool, ranks: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """And nothing else: each block sums its activations behind either half, and their gradients before."""
    (expected,) = flow.testing.simulate(1)(step)(fused, {})
    sent: Counter[Any] = Counter()
    phases: dict[int, str] = {}
    move = verbs._move

    def count(verb: Any, members: Any, send: Any, sends: Any, *rest: Any) -> Any:
        me = this_rank().index
        sent[me, phases.get(me)] += sum(message.nbytes for message in sends if message.peer != me)
        return move(verb, members, send, sends, *rest)

    monkeypatch.setattr(verbs, "_move", count)
    found = flow.testing.simulate(ranks)(step)(fused, phases)
    for results in found:
        for ours, theirs in zip(results, expected):
            numpy.testing.assert_allclose(ours, theirs, rtol=1e-4, atol=1e-5)
    one_sum = flow.testing.simulate(ranks)(bytes_of_a_sum)()[0]
    for rank in range(ranks):
        assert sent[rank, "forward"] == sent[rank, "backward"] == 2 * 2 * one_sum[rank]
