"""The GPT over characters on several ranks: states and weights in shares, the step one program, saved, killed and resumed.

    torchrun --nproc-per-node 2 examples/char_gpt_ranks.py [--zero 3] [--compile] [--steps 200] [--folder FOLDER]

`--zero` says what each rank has a share of: 1 the optimizer's states, 2 gradients, too, 3 weights, too. With `--compile` weights
are tensors over all ranks, and a step with its collectives is one `nn.Graph`. Without, ranks have local tensors, as torch's do.
Where the folder has a checkpoint, training goes on from it, on any number of ranks and by any of these ways.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy
from char_gpt import GPT, Windows, read_sources

import tritonflow as flow
from tritonflow import nn

BROADCAST, ROWS = flow.sbp.broadcast, flow.sbp.split(0)


def options_of(arguments: list[str] | None = None) -> argparse.Namespace:
    """What the command line says."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--zero", type=int, choices=(0, 1, 2, 3), default=0)
    parser.add_argument("--compile", action="store_true")
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--batch", type=int, default=32, help="windows in a step, on all ranks together")
    parser.add_argument("--every", type=int, default=20, help="steps between checkpoints")
    parser.add_argument("--folder", default="char_gpt_ranks")
    parser.add_argument("--width", type=int, default=64)
    parser.add_argument("--layers", type=int, default=2)
    parser.add_argument("--length", type=int, default=64)
    parser.add_argument("--lr", type=float, default=1e-3)
    return parser.parse_args(arguments)


def loss_sum(model: Any, x: flow.Tensor, y: flow.Tensor) -> Any:
    """The summed loss of all characters."""
    logits = model(x)
    return nn.functional.cross_entropy(logits.reshape(-1, logits.shape[-1]), y.reshape(-1), reduction="sum")


def local_rows(windows: Windows, batch: int, step: int) -> list[flow.Tensor]:
    """This rank's rows of a step's batch, which is the same on any number of ranks."""
    rank, world = flow.env.get_rank(), flow.env.get_world_size()
    starts = numpy.random.default_rng(step).integers(len(windows), size=batch)
    mine = [windows[int(start)] for start in numpy.array_split(starts, world)[rank]]
    return [flow.tensor(numpy.stack(rows)) for rows in zip(*mine)]


class Step(nn.Graph):
    """One step over all ranks as one program."""

    def __init__(self, model: GPT, optimizer: Any, zero: int, characters: int) -> None:
        super().__init__()
        self.model, self.characters = model, characters
        self.add_optimizer(optimizer)
        if zero:
            self.config.enable_zero(True, stage=zero, shard_min_size=1)

    def build(self, x: flow.Tensor, y: flow.Tensor) -> flow.Tensor:
        loss: flow.Tensor = loss_sum(self.model, x, y) / self.characters
        loss.backward()
        return loss


def compiled(model: GPT, options: argparse.Namespace) -> tuple[Any, Any, Any]:
    """Model, optimizer and step of tensors over all ranks."""
    everyone = flow.placement.all("cpu")
    model = model.to_global(placement=everyone, sbp=BROADCAST)
    optimizer = flow.optim.AdamW(model.parameters(), lr=options.lr)
    graph = Step(model, optimizer, options.zero, options.batch * options.length)

    def step(x: flow.Tensor, y: flow.Tensor) -> float:
        loss = graph(*[rows.to_global(placement=everyone, sbp=ROWS) for rows in (x, y)])
        return loss.to_global(sbp=BROADCAST).to_local().item()

    return model, optimizer, step


def eager(model: GPT, options: argparse.Namespace) -> tuple[Any, Any, Any]:
    """Model, optimizer and step of local tensors."""
    shared: Any
    if options.zero == 3:
        for block in model.blocks:
            flow.distributed.fully_shard(block)
        shared = flow.distributed.fully_shard(model)
    else:
        shared = nn.parallel.DistributedDataParallel(model)
    optimizer: Any
    if options.zero in (1, 2):
        optimizer = flow.optim.ZeroRedundancyOptimizer(
            shared.parameters(), flow.optim.AdamW, stage=options.zero, lr=options.lr
        )
    else:
        optimizer = flow.optim.AdamW(shared.parameters(), lr=options.lr)

    def step(x: flow.Tensor, y: flow.Tensor) -> float:
        optimizer.zero_grad()
        own = loss_sum(shared, x, y)
        flow.distributed.global_mean(own, y.numel()).backward()
        optimizer.step()
        return float(flow.comm.all_reduce(own.detach()).item() / (options.batch * options.length))

    return shared, optimizer, step


def train(options: argparse.Namespace) -> float:
    """Train from the last checkpoint, or the beginning, on; the last loss."""
    flow.manual_seed(0)  # the same weights on every rank
    model = GPT(options.width, options.layers, 4, options.length, dropout=0.0)
    shared, optimizer, step = (compiled if options.compile else eager)(model, options)
    checkpointer = flow.utils.Checkpointer(options.folder, every=options.every)
    parts = {"model": shared, "optimizer": optimizer}
    begin = checkpointer.resume(**parts)
    text, _ = read_sources()
    windows, loss, is_first = Windows(text, options.length), float("nan"), flow.env.get_rank() == 0
    if is_first and begin:
        print(f"goes on behind step {begin}, on {flow.env.get_world_size()} ranks", flush=True)
    for number in range(begin + 1, options.steps + 1):
        loss = step(*local_rows(windows, options.batch, number))
        checkpointer.save(number, **parts)
        if is_first and (number % 10 == 0 or number == options.steps):
            print(f"step {number}: loss {loss:.4f}", flush=True)
    checkpointer.wait()
    return loss


if __name__ == "__main__":
    train(options_of())
