"""Gradients that are added up beside the compute stream: bit for bit those that are added on it. Over Gloo, with long messages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from typing import Any
from unittest import mock

import numpy
import pytest

import tritonflow as flow
from tests.consistent.graph_programs import everywhere, whole
from tests.consistent.pool import Pool
from tritonflow import nn
from tritonflow.distributed import fully_shard
from tritonflow.nn.parallel import DistributedDataParallel
from tritonflow.optim import ZeroRedundancyOptimizer
from tritonflow.wire.world import this_rank

WIDTH, ROWS = 384, 24
Way = Callable[[Any], tuple[Any, Any]]


def adam(net: Any) -> Any:
    return flow.optim.AdamW(net.parameters(), lr=1e-3)


def zero(net: Any, stage: int) -> Any:
    return ZeroRedundancyOptimizer(net.parameters(), flow.optim.AdamW, stage=stage, lr=1e-3)


WAYS: dict[str, Way] = {
    "ddp": lambda net: (DistributedDataParallel(net, bucket_cap_mb=1.3), adam(net)),
    "views": lambda net: (DistributedDataParallel(net, bucket_cap_mb=1.3, gradient_as_bucket_view=True), adam(net)),
    "zero 1": lambda net: (DistributedDataParallel(net), zero(net, 1)),
    "zero 2": lambda net: (DistributedDataParallel(net, bucket_cap_mb=1.3), zero(net, 2)),
    "fully_shard": lambda net: (net, adam(sharded(net))),
    "global": lambda net: (net.to_global(everywhere(), flow.sbp.broadcast), adam(net)),
}


def sharded(net: Any) -> Any:
    for layer in net:
        fully_shard(layer)
    return fully_shard(net)


@contextmanager
def on_the_compute_stream() -> Iterator[None]:
    def here(device: Any, nbytes: float = 0) -> Any:
        return nullcontext()

    with ExitStack() as patches:
        for module in ("nn.parallel.reducer", "nn.parallel.unit", "rules.support"):
            patches.enter_context(mock.patch(f"tritonflow.{module}.beside", here))
        yield


def trained(way: str, steps: int) -> list[Any]:
    """Losses and weights, with norms that are clipped, gradients that are zeroed in either way, or added to earlier ones."""
    flow.manual_seed(0)
    net: Any = nn.Sequential(*[layer for _ in range(4) for layer in (nn.Linear(WIDTH, WIDTH), nn.Tanh())])
    model, optimizer = WAYS[way](net)
    rng, found = numpy.random.default_rng(this_rank().index), []
    for k in range(steps):
        x = flow.tensor(rng.standard_normal((ROWS, WIDTH)).astype(numpy.float32))
        if k % 3 != 1:
            optimizer.zero_grad(set_to_none=k % 2 == 0)
        loss = model(x.to_global(everywhere(), flow.sbp.split(0)) if way == "global" else x).square().mean()
        loss.backward()
        if k % 4 == 0:
            nn.utils.clip_grad_norm_(net.parameters(), 0.5)
        optimizer.step()
        found.append(loss)
    return [x.numpy() if x.is_local else whole(x) for x in (*found, *net.parameters())]


def equal(way: str, steps: int) -> bool:
    with on_the_compute_stream():
        expected = trained(way, steps)
    return all(map(numpy.array_equal, trained(way, steps), expected))


@pytest.mark.ranks
@pytest.mark.parametrize("way", WAYS)
def test_bits(ranks2: Pool, way: str) -> None:
    assert ranks2.run(equal, way, 7, seconds=60.0) == [True, True]


@pytest.mark.ranks
@pytest.mark.long
@pytest.mark.parametrize("way", WAYS)
def test_bits_of_many_steps(ranks4: Pool, way: str) -> None:
    assert ranks4.run(equal, way, 150, seconds=300.0) == [True] * 4
