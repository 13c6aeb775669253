"""Collectives of `torch.distributed` on two ranks, which are threads here."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

import tritonflow as flow
from tritonflow import mock_torch
from tritonflow.mock_torch.names import distributed as dist
from tritonflow.testing import simulate
from tritonflow.wire.world import this_rank


@pytest.fixture(autouse=True)
def initialized() -> Iterator[None]:
    dist.init_process_group()
    yield
    dist.destroy_process_group()


def on_ranks(world: int, function: Callable[[int], Any]) -> list[Any]:
    def initialized_on(rank: int) -> Any:
        dist.init_process_group()
        return function(rank)

    return simulate(world)(lambda: initialized_on(this_rank().index))()


def on_two_ranks(function: Callable[[int], Any]) -> list[Any]:
    return on_ranks(2, function)


@pytest.mark.parametrize(
    ("op", "expected"), [("SUM", [5, 9]), ("AVG", [2.5, 4.5]), ("PRODUCT", [6, 20]), ("MIN", [2, 4]), ("MAX", [3, 5])]
)
def test_reductions(op: str, expected: list[float]) -> None:
    def reduced(rank: int) -> list[Any]:
        given = flow.tensor([2.0, 5.0] if rank == 0 else [3.0, 4.0])
        everywhere, on_one = given.clone(), given.clone()
        dist.all_reduce(everywhere, getattr(dist.ReduceOp, op))
        dist.reduce(on_one, 1, getattr(dist.ReduceOp, op))
        assert on_one.tolist() == (expected if rank == 1 else [2.0, 5.0])
        return everywhere.tolist()

    assert on_two_ranks(reduced) == [expected, expected]


def test_bits() -> None:
    def reduced(rank: int) -> list[Any]:
        found = []
        for op in (dist.ReduceOp.BAND, dist.ReduceOp.BOR, dist.ReduceOp.BXOR):
            x = flow.tensor([12] if rank == 0 else [10])
            dist.all_reduce(x, op)
            found.append(x.item())
        with pytest.raises(RuntimeError, match="mean of tensors of tritonflow.int64"):
            dist.all_reduce(flow.tensor([1]), dist.ReduceOp.AVG)
        with pytest.raises(NotImplementedError, match="premul_sum"):
            dist.all_reduce(flow.tensor([1]), dist.ReduceOp.PREMUL_SUM)
        return found

    assert on_two_ranks(reduced) == [[8, 14, 6]] * 2


def test_moves() -> None:
    def moved(rank: int) -> None:
        mine, x = flow.tensor([float(rank)]), flow.zeros(1)
        dist.scatter(x, [flow.tensor([7.0]), flow.tensor([8.0])] if rank == 1 else None, src=1)
        assert x.item() == 7 + rank
        gathered = [flow.zeros(1), flow.zeros(1)] if rank == 1 else None
        dist.gather(mine, gathered, dst=1)
        assert gathered is None or [each.item() for each in gathered] == [0, 1]
        dist.reduce_scatter(x, [flow.tensor([1.0 + rank]), flow.tensor([10.0 + rank])])
        assert x.item() == (3, 21)[rank]
        dist.reduce_scatter_tensor(x, flow.tensor([1.0 + rank, 10.0 + rank]), op=dist.ReduceOp.AVG)
        assert x.item() == (1.5, 10.5)[rank]
        out = flow.zeros(4)
        dist.all_to_all_single(out, flow.arange(4.0) + 10 * rank)
        assert out.tolist() == ([0, 1, 10, 11], [2, 3, 12, 13])[rank]
        outs = [flow.zeros(1), flow.zeros(1)]
        dist.all_to_all(outs, [flow.tensor([rank + 1.0]), flow.tensor([rank + 5.0])])
        assert [each.item() for each in outs] == ([1, 2], [5, 6])[rank]
        if rank == 0:
            dist.send(flow.tensor([3.5]), 1)
        else:
            assert dist.recv(x, 0) == 0 and x.item() == 3.5

    on_two_ranks(moved)


def test_objects() -> None:
    def sent(rank: int) -> None:
        mine = {"rank": rank, "text": "é" * (5000 * rank)}
        everyone: list[Any] = [None, None]
        dist.all_gather_object(everyone, mine)
        assert [each["rank"] for each in everyone] == [0, 1] and len(everyone[1]["text"]) == 5000
        gathered = [None, None] if rank == 0 else None
        dist.gather_object(("of", rank), gathered, dst=0)
        assert gathered is None or gathered == [("of", 0), ("of", 1)]
        objects = ["a", {1: 2}] if rank == 1 else [None, None]
        dist.broadcast_object_list(objects, src=1)
        assert objects == ["a", {1: 2}]
        own: list[Any] = [None]
        dist.scatter_object_list(own, [10, 20] if rank == 0 else None)
        assert own == [10 * (rank + 1)]

    on_two_ranks(sent)


def test_wrong_calls() -> None:
    x = flow.ones(2)
    with pytest.raises(ValueError, match="gather_list"):
        dist.gather(x)
    with pytest.raises(RuntimeError, match="rank 3 is not among the 1 ranks"):
        dist.broadcast(x, 3)
    with pytest.raises(NotImplementedError, match="from any rank"):
        dist.recv(x)
    with pytest.raises(ValueError, match="an object for each of 1 ranks"):
        dist.scatter_object_list([None], [1, 2])


def test_one_rank_needs_no_messages() -> None:
    x, y = flow.tensor([1.0, 2.0]), flow.zeros(2)
    dist.all_reduce(x, dist.ReduceOp.MAX)
    dist.reduce_scatter_tensor(y, x)
    dist.all_to_all_single(y, x * 2)
    objects: list[Any] = [None]
    dist.all_gather_object(objects, {"a": 1})
    assert (x.tolist(), y.tolist(), objects) == ([1, 2], [2, 4], [{"a": 1}])


def test_collectives_with_gradients() -> None:
    with mock_torch.enable():
        from torch.distributed.nn import functional as collectives

    def gradients(rank: int) -> list[Any]:
        found = []
        weight = rank + 1.0

        def leaf() -> Any:
            return flow.tensor([2.0 + rank, 5.0], requires_grad=True)

        x = leaf()
        total = collectives.all_reduce(x)
        assert total.tolist() == [5, 10] and x.tolist() == [2 + rank, 5]
        (total * weight).sum().backward()
        found.append(x.grad.tolist())
        x = leaf()
        first, second = collectives.all_gather(x)
        assert (first.tolist(), second.tolist()) == ([2, 5], [3, 5])
        (first * weight + second * 10 * weight).sum().backward()
        found.append(x.grad.tolist())
        x = leaf()
        (collectives.broadcast(x, 1) * weight).sum().backward()
        found.append(x.grad.tolist())
        x = leaf()
        output = flow.zeros(1)
        piece = collectives.reduce_scatter(output, [x[:1], x[1:]])
        assert piece.tolist() == ([5], [10])[rank] and output.tolist() == [0]
        (piece * weight).sum().backward()
        found.append(x.grad.tolist())
        with pytest.raises(NotImplementedError, match="sums alone"):
            collectives.all_reduce(x, dist.ReduceOp.MAX)
        return found

    zero, one = on_two_ranks(gradients)
    assert zero == [[3, 3], [3, 3], [0, 0], [1, 2]] and one == [[3, 3], [30, 30], [3, 3], [1, 2]]
