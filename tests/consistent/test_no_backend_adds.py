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
GLOO_METHODS = ("allreduce", "allreduce_coalesced", "reduce", "reduce_scatter", "_reduce_scatter_base")
METHODS = (*GLOO_METHODS, "reduce_scatter_tensor_coalesced")


@contextmanager
def no_backend_adds() -> Iterator[None]:
    """torch.distributed cannot add."""

    def refuse(*args: Any, **options: Any) -> None:
        raise AssertionError("torch.distributed was asked to add")

    with pytest.MonkeyPatch.context() as patch:
        for owner, names in _adders():
            for name in names:
                patch.setattr(owner, name, refuse)
        yield


def _adders() -> tuple[tuple[Any, tuple[str, ...]], ...]:
    """Whatever of torch.distributed adds, by what has it."""
    distributed = torch.distributed
    return (distributed, REDUCTIONS), (distributed.ProcessGroup, METHODS), (distributed.ProcessGroupGloo, GLOO_METHODS)


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


def train() -> tuple[list[float], set[str]]:
    """Losses of data-parallel steps with a split batch and dropout, and the names of torch's operators that were used."""
    ranks = flow.placement.all("cpu")
    flow.manual_seed(0)
    nn = flow.nn
    model = nn.Sequential(nn.Linear(8, 16), nn.LayerNorm(16), nn.GELU(), nn.Dropout(0.1), nn.Linear(16, 3))
    model = model.to_global(placement=ranks, sbp=flow.sbp.broadcast)
    optimizer = flow.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    losses = []
    with no_backend_adds(), MemoryOnly() as mode:
        for _ in range(3):
            x = flow.randn(12, 8, placement=ranks, sbp=flow.sbp.split(0))
            labels = (x.sum(1) > 0).to(flow.int64)
            loss = nn.functional.cross_entropy(model(x), labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
    return losses, mode.used


def test_training_on_two_ranks_computes_nothing_by_torch(ranks2: Pool) -> None:
    (losses, used), (theirs, _) = ranks2.run(train)
    assert losses == theirs and len(losses) == 3 and losses[-1] != losses[0]
    assert used <= {"empty", "set_", "frombuffer", "view", "copy_"}


def test_the_reductions_are_those_that_torch_has() -> None:
    for owner, names in _adders():
        for name in names:
            assert callable(getattr(owner, name))
