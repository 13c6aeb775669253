"""Promise 3 on two processes: a step over ranks trains while every reduction of torch.distributed, and every operator of torch, raises."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy
import pytest
import torch
import torch.distributed

import tritonflow as flow
from tests.consistent.pool import Pool
from tests.test_promise3 import MemoryOnly
from tritonflow.wire.world import this_rank

REDUCTIONS = ("all_reduce", "reduce", "reduce_scatter", "reduce_scatter_tensor", "all_reduce_coalesced")
METHODS = (
    "allreduce", "allreduce_coalesced", "reduce", "reduce_scatter", "_reduce_scatter_base", "reduce_scatter_tensor_coalesced",
)  # fmt: skip


@contextmanager
def no_backend_adds() -> Iterator[None]:
    """torch.distributed cannot add."""

    def refuse(*args: Any, **options: Any) -> None:
        raise AssertionError("torch.distributed was asked to add")

    patch = pytest.MonkeyPatch()
    try:
        for name in REDUCTIONS:
            patch.setattr(torch.distributed, name, refuse)
        for group in (torch.distributed.ProcessGroup, torch.distributed.ProcessGroupGloo):
            for name in METHODS:
                patch.setattr(group, name, refuse, raising=False)
        yield
    finally:
        patch.undo()


def losses(over_ranks: bool) -> list[float]:
    """Of some steps with the batch split, and with what flow.comm adds besides."""
    flow.manual_seed(0)
    rng = numpy.random.default_rng(0)
    images, labels = rng.standard_normal((6, 8)).astype(numpy.float32), numpy.array([0, 1, 2, 0, 1, 2])
    model = flow.nn.Sequential(flow.nn.Linear(8, 16), flow.nn.ReLU(), flow.nn.Linear(16, 3))
    x, y = flow.tensor(images), flow.tensor(labels)
    if over_ranks:
        placement, B, S0 = flow.placement.all("cpu"), flow.sbp.broadcast, flow.sbp.split(0)
        model = model.to_global(placement=placement, sbp=B)
        x, y = (t.to_global(placement=placement, sbp=B).to_global(sbp=S0) for t in (x, y))
    optimizer = flow.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    found = []
    for _ in range(3):
        loss = flow.nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        found.append(loss.item())
    return found


def trained() -> tuple[list[float], list[float]]:
    """The losses, and a sum over ranks."""
    with MemoryOnly(), no_backend_adds():
        total = flow.tensor([1.0, this_rank().index + 2.0])
        flow.comm.all_reduce(total)
        return losses(True), total.tolist()


def refused() -> str:
    """The guard's own eyes."""
    with no_backend_adds():
        for call in (torch.distributed.all_reduce, torch.distributed.ProcessGroupGloo.allreduce):
            with pytest.raises(AssertionError, match="asked to add"):
                call(torch.ones(1))
    return "refused"


def test_no_backend_adds(ranks2: Pool) -> None:
    expected = losses(False)
    for found, total in ranks2.run(trained):
        assert total == [2.0, 5.0]
        assert numpy.abs(numpy.array(found) - expected).max() < 1e-6
    assert ranks2.run(refused) == ["refused"] * 2
