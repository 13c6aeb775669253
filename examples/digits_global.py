"""Learn to read digits on several ranks: one program, and the losses of one process.

    torchrun --nproc-per-node 2 examples/digits_global.py [--steps 12] [--seed 0]

trains the net of `digits.py` for some steps in several layouts, with the same global batches, weights and dropout:

    local            on one process, as any other program; every rank computes all of it
    batch split      images split(0), parameters broadcast: data parallelism
    weights split    parameters split by columns and rows in turn, images broadcast: tensor parallelism
    both             over a grid of ranks, where there are four or another number that is no prime

The training loop is the same for all. The exit status is 1 if a loss differs from the local one by more than 1e-5.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from itertools import islice

import numpy
from common import Defaults, progress
from digits import DigitNet, load_data

import tritonflow as flow
from tritonflow import nn
from tritonflow.utils.data import DataLoader

BATCH, TOLERANCE = 64, 1e-5
B, S0 = flow.sbp.broadcast, flow.sbp.split(0)

# Which dimension of each layer's weight is split, where the weights are. A layer split by columns (its outputs, dimension 0) is
# followed by one split by rows (its inputs, dimension 1), whose result is partial; batch norm has the layout of what it norms.
WEIGHTS = {
    "features.0": 0, "features.1": 0, "features.3": 1, "features.6": 0, "features.7": 0, "classifier.2": 1,
}  # fmt: skip


class Layout:
    """How a model and its batches lie over the ranks.

    Args:
        placement: over which ranks.
        batch: sbp of images and labels, one for each dimension of the placement.
        weights: the dimension of the placement along which weights are split, or None.
    """

    def __init__(self, placement: flow.placement, batch: Sequence[flow.sbp.sbp], weights: int | None) -> None:
        self.placement, self.batch, self.weights = placement, batch, weights

    def model(self, model: nn.Module) -> nn.Module:
        """The model over the ranks."""
        model.to_global(placement=self.placement, sbp=[B] * self.placement.ndim)
        if self.weights is not None:
            for name, dim in WEIGHTS.items():
                self.split(model.get_submodule(name), self.weights, dim)
        return model

    def split(self, layer: nn.Module, weights: int, dim: int) -> None:
        """Split a layer's parameters and buffers that have the dimension `dim`, along a dimension of the placement."""
        sbp = [B] * self.placement.ndim
        sbp[weights] = flow.sbp.split(dim)
        for name, tensor in [*layer.named_parameters(), *layer.named_buffers()]:
            if tensor.ndim > dim:
                whole = tensor.detach().to_global(sbp=sbp)
                setattr(layer, name, nn.Parameter(whole) if isinstance(tensor, nn.Parameter) else whole)

    def tensor(self, tensor: flow.Tensor) -> flow.Tensor:
        """Images or labels, which every rank has, over the ranks."""
        return tensor.to_global(placement=self.placement, sbp=[B] * self.placement.ndim).to_global(sbp=self.batch)


def layouts() -> Iterator[tuple[str, Layout]]:
    """Those that the world's ranks allow."""
    world = flow.env.get_world_size()
    line = flow.placement("cpu", range(world))
    yield "batch split", Layout(line, [S0], None)
    yield "weights split", Layout(line, [B], 0)
    rows = next((n for n in range(2, world) if world % n == 0), None)
    if rows is not None:
        yield "both", Layout(flow.placement("cpu", numpy.arange(world).reshape(rows, -1)), [S0, B], 1)


def train(options: argparse.Namespace, layout: Layout | None = None, name: str = "local") -> list[float]:
    """The losses of the first steps; without a layout, of a local model."""
    flow.manual_seed(options.seed)
    data, _ = load_data(options.seed)
    order = flow.Generator("cpu")
    order.manual_seed(options.seed)
    batches = DataLoader(data, batch_size=BATCH, shuffle=True, generator=order)
    model = DigitNet() if layout is None else layout.model(DigitNet())
    optimizer = flow.optim.Adam(model.parameters(), lr=2e-3)
    flow.manual_seed(options.seed + 1)  # of dropout: element i of the whole tensor draws the same number in every layout
    losses: list[float] = []
    silent = None if flow.env.get_rank() == 0 else True  # None: where there is no terminal
    for images, labels in progress(islice(batches, options.steps), name, "step", total=options.steps, disable=silent):
        if layout is not None:
            images, labels = layout.tensor(images), layout.tensor(labels)
        loss = nn.functional.cross_entropy(model(images), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0], formatter_class=Defaults)
    parser.add_argument("--steps", type=int, default=12, help="steps of training in each layout")
    parser.add_argument("--seed", type=int, default=0, help="of the data, the weights and dropout")
    options = parser.parse_args(arguments)
    first = flow.env.get_rank() == 0
    local, worst = train(options), 0.0
    if first:
        print(f"{'local':16}{' '.join(f'{loss:.6f}' for loss in local)}")
    for name, layout in layouts():
        losses = train(options, layout, name)
        distance = max(abs(a - b) for a, b in zip(losses, local))
        worst = max(worst, distance)
        if first:
            print(f"{name:16}{' '.join(f'{loss:.6f}' for loss in losses)}  differs by {distance:.1e} at most")
    if worst > TOLERANCE:
        print(f"FAILED on rank {flow.env.get_rank()}: expected at most {TOLERANCE:g}")
    return int(worst > TOLERANCE)


if __name__ == "__main__":
    sys.exit(main())
