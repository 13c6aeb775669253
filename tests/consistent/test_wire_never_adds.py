"""Promise 3 over ranks: the wire moves bytes, and every number is computed by our kernels.

Training on two processes while every reduction of torch.distributed raises, and every operator of torch that computes.
"""

from __future__ import annotations

from typing import Any

import pytest
import torch.distributed

import tritonflow as flow
from tests.consistent.pool import Pool
from tests.test_promise3 import MemoryOnly
from tritonflow import nn

BACKEND = ("allreduce", "allreduce_coalesced", "reduce", "reduce_scatter", "_reduce_scatter_base")
FUNCTIONS = ("all_reduce", "all_reduce_coalesced", "reduce", "reduce_scatter", "reduce_scatter_tensor")


def refuse(*args: Any, **kwargs: Any) -> None:
    raise AssertionError("torch.distributed was asked to add")


def train() -> tuple[list[float], set[str]]:
    """Losses of data-parallel steps with a split weight, and the names of torch's operators that were used."""
    ranks = flow.placement.all("cpu")
    flow.manual_seed(0)
    model = nn.Sequential(nn.Linear(8, 16), nn.LayerNorm(16), nn.GELU(), nn.Dropout(0.1), nn.Linear(16, 3))
    model = model.to_global(placement=ranks, sbp=flow.sbp.broadcast)
    optimizer = flow.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    losses = []
    with pytest.MonkeyPatch.context() as patch:
        for name in FUNCTIONS:
            patch.setattr(torch.distributed, name, refuse)
        for name in BACKEND:
            patch.setattr(torch.distributed.ProcessGroupGloo, name, refuse)
        with MemoryOnly() as mode:
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
    for name in BACKEND:
        assert callable(getattr(torch.distributed.ProcessGroupGloo, name))
    for name in FUNCTIONS:
        assert callable(getattr(torch.distributed, name))
