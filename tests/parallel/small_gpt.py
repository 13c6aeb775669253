"""A small GPT over characters, and how it is trained by each way of sharing work among ranks."""

from __future__ import annotations

from typing import Any

import numpy

import tritonflow as flow
from tritonflow import nn
from tritonflow.nn.parallel import DistributedDataParallel
from tritonflow.wire.world import this_rank

TEXT = "the quick brown fox jumps over the lazy dog, and the dog sleeps on while the fox runs through the dark and silent wood. "
CHARS = sorted(set(TEXT))
WIDTH, LENGTH, BATCH = 32, 16, 8
WAYS = ("ddp", "zero 1", "zero 2", "fully_shard", "fully_shard, checkpoints", "hybrid")


class GPTBlock(nn.Module):
    """Attention and a feed-forward net, each with a residual."""

    def __init__(self) -> None:
        super().__init__()
        self.norm, self.attend, self.join = nn.LayerNorm(WIDTH), nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.norm_2, self.up, self.down = nn.LayerNorm(WIDTH), nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)

    def forward(self, x: Any) -> Any:
        b, t, _ = x.shape
        q, k, v = self.attend(self.norm(x)).reshape(b, t, 3, 4, WIDTH // 4).permute(2, 0, 3, 1, 4)
        y = nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.join(y.permute(0, 2, 1, 3).reshape(b, t, WIDTH))
        return x + self.down(nn.functional.gelu(self.up(self.norm_2(x))))


class SmallGPT(nn.Module):
    """The head is tied to the embedding."""

    def __init__(self, blocks: int = 2, checkpoints: bool = False) -> None:
        super().__init__()
        self.embed, self.position = nn.Embedding(len(CHARS), WIDTH), nn.Embedding(LENGTH, WIDTH)
        self.blocks = nn.ModuleList([GPTBlock() for _ in range(blocks)])
        self.norm, self.head = nn.LayerNorm(WIDTH), nn.Linear(WIDTH, len(CHARS), bias=False)
        self.head.weight = self.embed.weight
        self.checkpoints = checkpoints
        for k, p in enumerate(self.parameters()):
            p.data.copy_(flow.tensor(numpy.random.default_rng(k).normal(p.ndim == 1, 0.1, tuple(p.shape)).astype(numpy.float32)))

    def forward(self, tokens: Any) -> Any:
        x = self.embed(tokens) + self.position.weight
        for block in self.blocks:
            x = flow.utils.checkpoint.checkpoint(block, x, use_reentrant=False) if self.checkpoints else block(x)
        return self.head(self.norm(x))


def batch(step: int) -> tuple[Any, Any]:
    """Tokens and the next ones, of the whole batch."""
    starts = numpy.random.default_rng(step).integers(0, len(TEXT) - LENGTH - 1, BATCH)
    rows = numpy.array([[CHARS.index(c) for c in TEXT[k : k + LENGTH + 1]] for k in starts])
    return rows[:, :-1], rows[:, 1:]


def made(way: str | None) -> tuple[Any, Any]:
    """The model and its optimizer."""
    model: Any = SmallGPT(checkpoints=way == "fully_shard, checkpoints")
    adamw, options = flow.optim.AdamW, {"lr": 3e-3, "eps": 1e-5}
    if way is None:
        return model, adamw(model.parameters(), **options)
    if way.startswith(("ddp", "zero")):
        model = DistributedDataParallel(model, bucket_cap_mb=0.02, gradient_as_bucket_view=way == "ddp")
        if way == "ddp":
            return model, adamw(model.parameters(), **options)
        return model, flow.optim.ZeroRedundancyOptimizer(model.parameters(), adamw, stage=int(way[-1]), **options)
    world = this_rank().world_size
    mesh = flow.distributed.init_device_mesh("cpu", (2, world // 2) if way == "hybrid" else (world,))
    for block in model.blocks:
        flow.distributed.fully_shard(block, mesh=mesh)
    return flow.distributed.fully_shard(model, mesh=mesh), adamw(model.parameters(), **options)


def trained(way: str | None, steps: int) -> tuple[list[float], list[Any]]:
    """The losses of this rank's rows, and the whole weights at last."""
    rank, world = (0, 1) if way is None else (this_rank().index, this_rank().world_size)
    model, optimizer = made(way)
    losses = []
    for step in range(steps):
        tokens, targets = (flow.tensor(rows[rank * BATCH // world : (rank + 1) * BATCH // world]) for rows in batch(step))
        loss = nn.functional.cross_entropy(model(tokens).flatten(0, 1), targets.flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses, [p.full().numpy() if p.is_global else p.numpy() for p in model.parameters()]
