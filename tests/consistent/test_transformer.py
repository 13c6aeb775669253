"""A transformer with split weights, as Megatron splits them: what it sends, and that its numbers are those of one process."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy
import pytest

import tritonflow as flow
from tritonflow import nn
from tritonflow.framework.sbp import Sbp, broadcast, partial_sum, split
from tritonflow.nn import functional as F
from tritonflow.wire.world import this_rank

BATCH, LENGTH, WIDTH, HEADS, CLASSES, DROPOUT = 8, 64, 128, 4, 64, 0.2  # not small: latencies would decide what is cheap
ACTIVATION = (BATCH, LENGTH, WIDTH)
# Outputs are split in the first layer of each pair, inputs in the second. What is not named here is on every rank.
SPLIT = {"weight": split(0), "bias": split(0)}
SECOND = {"weight": split(1), "bias": broadcast}
LAYOUTS = {"qkv": SPLIT, "query": SPLIT, "key": SPLIT, "value": SPLIT, "up": SPLIT, "project": SECOND, "down": SECOND,
           "tokens": SPLIT, "head": SPLIT}  # fmt: skip


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


class Model(nn.Module):
    """Two blocks between a table of tokens and a loss, both split by classes."""

    def __init__(self, fused: bool) -> None:
        super().__init__()
        self.tokens, self.positions = nn.Embedding(CLASSES, WIDTH), nn.Embedding(LENGTH, WIDTH)
        self.blocks = nn.Sequential(Block(fused), Block(fused))
        self.norm, self.head = nn.LayerNorm(WIDTH), nn.Linear(WIDTH, CLASSES, bias=False)

    def forward(self, tokens: flow.Tensor, positions: flow.Tensor) -> flow.Tensor:
        x = self.tokens(tokens) + self.positions(positions)
        return F.cross_entropy(self.head(self.norm(self.blocks(x))).view(-1, CLASSES), tokens.view(-1))


def step(fused: bool, sent: Counter[int]) -> tuple[list[numpy.ndarray], list[int]]:
    """Loss and gradients; what the rank sends forward, and then backward."""
    everywhere, rank = flow.placement.all("cpu"), this_rank().index
    flow.manual_seed(3)
    model = Model(fused).double()
    for name, p in list(model.named_parameters()):
        layer, _, kind = name.rpartition(".")
        whole = p.detach().to_global(everywhere, broadcast)
        laid_out = whole.to_global(sbp=LAYOUTS.get(layer.rpartition(".")[2], {}).get(kind, broadcast))
        setattr(model.get_submodule(layer), kind, nn.Parameter(laid_out.detach()))
    tokens = (flow.arange(BATCH * LENGTH, placement=everywhere, sbp=broadcast) * 7 % CLASSES).view(BATCH, LENGTH)
    positions = flow.arange(LENGTH, placement=everywhere, sbp=broadcast)
    counts = [sent[rank]]
    loss = model(tokens, positions)
    counts.append(sent[rank])
    loss.backward()
    counts.append(sent[rank])
    return [t.numpy() for t in (loss, *[p.grad for p in model.parameters()])], list(numpy.diff(counts))


def bytes_of_sums() -> list[int]:
    """What each rank sends so that shares become a sum on every rank: of an activation, and of a number for each token."""
    everywhere = flow.placement.all("cpu")
    shapes = ACTIVATION, (BATCH * LENGTH, 1)
    found = [flow.boxing.explain((shape, flow.float64, everywhere, partial_sum), broadcast) for shape in shapes]
    return [explanation.bytes[this_rank().index] for explanation in found]


@pytest.mark.parametrize(("fused", "size"), [(True, 2), (True, 4), (False, 2)])
@pytest.mark.sampled(most=1)
def test_two_sums_a_block_forward_and_two_backward(fused: bool, size: int, sent: Counter[int]) -> None:
    """And one of what the table gives, one of the gradient of what the loss reads; the loss sums three numbers for each token."""
    ((expected, _),) = flow.testing.simulate(1)(step)(fused, sent)
    sums = flow.testing.simulate(size)(bytes_of_sums)()
    found = flow.testing.simulate(size)(step)(fused, sent)
    for (large, small), (results, counts) in zip(sums, found):
        for ours, theirs in zip(results, expected):
            numpy.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-13)
        assert counts == [5 * large + 3 * small, 5 * large]


def test_what_is_left_for_later_counts(sent: Counter[int]) -> None:
    """Where a sum of shares is laid out, and that it is made once, whoever reads it."""

    def lies() -> list[Any]:
        everywhere, rank = flow.placement.all("cpu"), this_rank().index

        def lie(sbp: Sbp, *shape: int) -> flow.Tensor:
            return flow.ones(*shape, placement=everywhere, sbp=sbp)

        shares, whole, rows, bias = [lie(sbp, 512, 256) for sbp in (partial_sum, broadcast, split(0))] + [lie(broadcast, 256)]
        added = [str((other + shares).sbp[0]) for other in (whole, rows, bias)]
        counts = [sent[rank]]
        for _ in range(2):
            shares.exp()
            counts.append(sent[rank])
        shares.mul_(2)
        assert float(shares.exp().mean()) == pytest.approx(numpy.exp(2))
        return [*added, counts[1] - counts[0], counts[2] - counts[1]]

    assert flow.testing.simulate(2)(lies)()[0] == ["B", "S0", "P", 0, 0]
