"""Groups, meshes and messages of `torch.distributed` on processes over Gloo, while torch's own reductions raise."""

from __future__ import annotations

from time import monotonic
from typing import Any

import numpy
import pytest

import tritonflow as flow
from tests.consistent.pool import Pool, RankFailure
from tests.consistent.test_no_backend_adds import no_backend_adds
from tests.mock_torch.test_distributed_groups import shift
from tritonflow.errors import RankError
from tritonflow.mock_torch.names import distributed as dist
from tritonflow.wire.connection import connection


def begin() -> tuple[int, int]:
    """This rank's number and the size of the world, whose processes stay from test to test."""
    if not dist.is_initialized():
        dist.init_process_group("gloo")
    return dist.get_rank(), dist.get_world_size()


def numbers(rank: int, *shape: int) -> numpy.ndarray[Any, Any]:
    return numpy.random.default_rng(rank).standard_normal(shape).astype(numpy.float32)


def lines() -> None:
    """Collectives along both dimensions of a grid of 2 by world / 2, issued without a wait between them."""
    rank, world = begin()
    grid = numpy.arange(world).reshape(2, -1)
    mesh = dist.init_device_mesh("cpu", grid.shape, mesh_dim_names=("dp", "tp"))
    dp, tp = mesh.get_coordinate() or ()
    assert connection() is not None
    with no_backend_adds():
        works, found = [], []
        for name, line in (("dp", grid[:, tp]), ("tp", grid[dp])):
            group = mesh.get_group(name)
            for n in (5, 300_000):
                x = flow.tensor(numbers(rank, n))
                works.append(dist.all_reduce(x, group=group, async_op=True))
                out = flow.zeros(len(line), n)
                works.append(dist.all_gather_into_tensor(out, flow.tensor(numbers(rank, n)), group, True))
                found.append((line, n, x, out))
        assert all(work.wait() for work in works) and all(work.is_completed() for work in works)
    for line, n, x, out in found:
        rows = numpy.stack([numbers(int(r), n) for r in line])
        assert (out.numpy() == rows).all()
        total = rows[0]
        for row in rows[1:]:
            total = total + row
        assert (x.numpy() == total).all(), "in the order of the ranks, in float32"
    y = (flow.ones(2) * rank).to_global(mesh["dp"], flow.sbp.partial_sum)
    assert y.numpy().tolist() == [grid[:, tp].sum()] * 2 and flow.rand(4, placement=mesh["tp"], sbp=flow.sbp.split(0)).full().shape == (4,)


def test_lines_of_a_mesh(ranks: Pool) -> None:
    ranks.run(lines)


def reductions() -> None:
    """Against NumPy in float64."""
    rank, world = begin()
    group = dist.new_group(range(world - 1))
    if rank == world - 1:
        assert group == dist.GroupMember.NON_GROUP_MEMBER
        return
    rows = numpy.stack([numbers(r, world - 1, 6) for r in range(world - 1)]).astype(numpy.float64)
    for op, fold in (("SUM", numpy.sum), ("AVG", numpy.mean), ("PRODUCT", numpy.prod), ("MIN", numpy.min), ("MAX", numpy.max)):
        reduction, expected = getattr(dist.ReduceOp, op), fold(rows, axis=0)
        with no_backend_adds():
            x, piece = flow.tensor(numbers(rank, world - 1, 6)), flow.zeros(6)
            dist.reduce_scatter_tensor(piece, x, reduction, group)
            dist.all_reduce(x, reduction, group)
        assert numpy.abs(x.numpy() - expected).max() < 1e-5 and numpy.abs(piece.numpy() - expected[rank]).max() < 1e-5


def test_a_group_without_the_last_rank(ranks4: Pool) -> None:
    ranks4.run(reductions)


def exchanged(n: int) -> Any:
    """Rank i sends (i + j) % 3 rows of n numbers to j."""
    rank, world = begin()
    counts = numpy.add.outer(numpy.arange(world), numpy.arange(world)) % 3
    x = flow.arange(float(counts[rank].sum() * n)).reshape(-1, n) + 1000 * rank
    out = flow.zeros(int(counts[:, rank].sum()), n)
    dist.all_to_all_single(out, x, counts[:, rank].tolist(), counts[rank].tolist())
    rows = [numpy.arange(counts[i].sum() * n, dtype=numpy.float32).reshape(-1, n) + 1000 * i for i in range(world)]
    expected = [rows[i][counts[i, :rank].sum() : counts[i, : rank + 1].sum()] for i in range(world)]
    assert (out.numpy() == numpy.concatenate(expected)).all()


def test_rows_of_different_numbers(ranks: Pool) -> None:
    for n in (1, 70_000):
        ranks.run(exchanged, n)


def objects() -> Any:
    rank, world = begin()
    group = dist.new_group([0, world - 1])
    everyone: list[Any] = [None] * world
    dist.all_gather_object(everyone, "x" * rank)
    told = [{"of": rank}] if rank == world - 1 else [None]
    if group != dist.GroupMember.NON_GROUP_MEMBER:
        dist.broadcast_object_list(told, world - 1, group)
    dist.barrier()
    return everyone, told


def test_objects(ranks: Pool) -> None:
    size = ranks.size
    for rank, (everyone, told) in enumerate(ranks.run(objects)):
        assert everyone == ["x" * r for r in range(size)]
        assert told == ([{"of": size - 1}] if rank in (0, size - 1) else [None])


def shifted(sends_first: bool, n: int) -> list[float]:
    rank, world = begin()
    y = shift(rank, world, sends_first, n)
    return [y[0].item(), y[-1].item()]


@pytest.mark.parametrize("n", [2, 1 << 20], ids=["8 bytes", "4 MB"])
@pytest.mark.parametrize("sends_first", [True, False])
def test_a_batch_in_any_order(ranks: Pool, sends_first: bool, n: int) -> None:
    world = ranks.size
    begins = [2.0 * ((rank - 1) % world) for rank in range(world)]
    assert ranks.run(shifted, sends_first, n, seconds=20.0) == [[first, first + n - 1] for first in begins]


def crossed(sends_first: bool, n: int) -> float:
    rank, _ = begin()
    x, y = flow.full((n,), 1.0 + rank), flow.zeros(n)
    calls = [lambda: dist.isend(x, 1 - rank), lambda: dist.irecv(y, 1 - rank)]
    for work in [call() for call in (calls if sends_first else calls[::-1])]:
        work.wait()
    return float(y[-1].item())


@pytest.mark.parametrize("n", [2, 1 << 20], ids=["8 bytes", "4 MB"])
@pytest.mark.parametrize("sends_first", [True, False])
def test_messages_in_both_directions_at_once(ranks2: Pool, sends_first: bool, n: int) -> None:
    assert ranks2.run(crossed, sends_first, n, seconds=20.0) == [2, 1]


def waits_for_nobody() -> Any:
    """Rank 0 sums with rank 1 in a group, and alone; how long the second one took."""
    rank, _ = begin()
    alone, mesh = dist.new_group([0]), dist.init_device_mesh("cpu", (1, 1), mesh_dim_names=("dp", "tp"))
    if rank:
        return 0.0
    start = monotonic()
    x = flow.ones(2)
    dist.all_reduce(x, group=alone)
    dist.barrier(alone)
    dist.all_reduce(x, group=mesh.get_group("tp"))
    assert x.tolist() == [1, 1]
    return monotonic() - start


def test_members_alone_take_part(ranks2: Pool) -> None:
    ranks2.run(waits_for_nobody)


def disagreeing(n: int) -> None:
    rank, _ = begin()
    group, x = dist.new_group([0, 1]), flow.ones(n)
    work = dist.all_reduce(x, group=group, async_op=True) if rank else dist.all_gather([flow.ones(n), flow.ones(n)], x, group, True)
    assert work is not None
    work.wait()


@pytest.mark.parametrize("n", [2, 1 << 20], ids=["made at once", "issued"])
def test_ranks_of_a_group_that_disagree(ranks2: Pool, n: int) -> None:
    with pytest.raises(RankFailure) as failure:
        ranks2.run(disagreeing, n)
    assert sorted(failure.value.errors) == [0, 1]
    assert all(isinstance(error, RankError) for error in failure.value.errors.values())
    assert "ranks disagree at collective" in str(failure.value) and "group [0, 1]" in str(failure.value)


