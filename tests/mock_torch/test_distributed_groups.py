"""Groups, meshes and messages of `torch.distributed`, on ranks that are threads."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy
import pytest

import tritonflow as flow
from tests.mock_torch.test_distributed import initialized, on_ranks  # noqa: F401
from tritonflow import mock_torch
from tritonflow.errors import RankError
from tritonflow.mock_torch.names import distributed as dist
from tritonflow.settings import settings

GROUPS = ([0, 2], [1, 3])
FOLDS = {
    "SUM": numpy.sum, "AVG": numpy.mean, "PRODUCT": numpy.prod, "MIN": numpy.min, "MAX": numpy.max,
    "BAND": numpy.bitwise_and.reduce, "BOR": numpy.bitwise_or.reduce, "BXOR": numpy.bitwise_xor.reduce,
}  # fmt: skip


@pytest.fixture(scope="module")
def torch() -> Any:
    with mock_torch.enable():
        import torch
        import torch.distributed
        import torch.futures
    return torch


@pytest.fixture
def comm_timeout() -> Iterator[None]:
    yield
    del settings.comm_timeout


def mine(rank: int) -> tuple[Any, list[int]]:
    """This rank's group, with its ranks; all ranks make both."""
    groups = [dist.new_group(ranks) for ranks in GROUPS]
    return groups[rank % 2], GROUPS[rank % 2]


def numbers(rank: int, *shape: int) -> numpy.ndarray[Any, Any]:
    return numpy.random.default_rng(rank).integers(1, 6, shape)


def test_who_is_who() -> None:
    def f(rank: int) -> None:
        even, odd = [dist.new_group(ranks) for ranks in GROUPS]
        own, other = (odd, even) if rank % 2 else (even, odd)
        ranks = GROUPS[rank % 2]
        assert other == dist.GroupMember.NON_GROUP_MEMBER and isinstance(own, dist.ProcessGroup)
        assert (dist.get_rank(own), dist.get_world_size(own)) == (rank // 2, 2) == (own.rank(), own.size())
        assert (dist.get_rank(other), dist.get_world_size(other)) == (-1, -1)
        assert (dist.get_rank(), dist.get_world_size(), dist.get_rank(dist.group.WORLD)) == (rank, 4, rank)
        assert dist.get_process_group_ranks(own) == ranks and dist.get_process_group_ranks(None) == [0, 1, 2, 3]
        assert [dist.get_global_rank(own, k) for k in (0, 1)] == ranks
        assert [dist.get_group_rank(own, r) for r in ranks] == [0, 1] and dist.get_group_rank(dist.group.WORLD, 3) == 3
        with pytest.raises(ValueError, match="Group rank 2 is not part of group"):
            dist.get_global_rank(own, 2)
        with pytest.raises(ValueError, match=f"Global rank {1 - rank % 2} is not part of group"):
            dist.get_group_rank(own, 1 - rank % 2)
        assert dist.get_backend(own) == "gloo" and dist.get_pg_count() == 2
        dist.destroy_process_group(own)
        with pytest.raises(ValueError, match="Invalid process group specified"):
            dist.all_reduce(flow.ones(1), group=own)
        assert dist.get_pg_count() == 1
        dist.destroy_process_group()
        with pytest.raises(ValueError, match="has not been initialized"):
            dist.get_rank()

    on_ranks(4, f)


def test_groups_that_are_wrong() -> None:
    def f(rank: int) -> None:
        with pytest.raises(ValueError, match=r"ranks list must not contain duplicate entries, got \[0, 1, 1\]"):
            dist.new_group([1, 0, 1])
        with pytest.raises(ValueError, match=r"Rank 4 is out of range. Valid ranks are 0 to 3 \(world_size=4\)"):
            dist.new_group([0, 4])
        with pytest.raises(ValueError, match="Invalid process group specified"):
            dist.all_reduce(flow.ones(1), group="dp")
        own, ranks = mine(rank)
        with pytest.raises(ValueError, match=f"Global rank {1 - rank % 2} is not part of group"):
            dist.broadcast(flow.ones(1), 1 - rank % 2, group=own)
        with pytest.raises(ValueError, match="Must specify global_rank or group_rank"):
            dist.broadcast(flow.ones(1), group=own)
        with pytest.raises(ValueError, match="Can't specify both group_rank and global_rank"):
            dist.broadcast(flow.ones(1), ranks[0], group=own, group_src=0)
        x, outside = flow.ones(1), dist.GroupMember.NON_GROUP_MEMBER
        with pytest.warns(UserWarning, match=f"Running all_reduce on global rank {rank} which does not belong to the given group"):
            assert dist.all_reduce(x, group=outside) is None
        with pytest.warns(UserWarning, match="does not belong"):
            assert dist.recv(x, 0, group=outside) == -1
        assert x.item() == 1

    on_ranks(4, f)


@pytest.mark.parametrize("op", list(FOLDS))
def test_reductions_of_a_group(op: str) -> None:
    bits = op.startswith("B")

    def f(rank: int) -> None:
        group, ranks = mine(rank)
        reduction = getattr(dist.ReduceOp, op)
        for dtype in ("int32",) if bits else ("float32", "float64", "bfloat16"):
            rows = numpy.stack([numbers(r, 2, 3) for r in ranks])
            expected = FOLDS[op](rows if bits else rows.astype(numpy.float64), axis=0)
            given = flow.tensor(numbers(rank, 2, 3), dtype=getattr(flow, dtype))
            x, y = given.clone(), given.clone()
            dist.all_reduce(x, reduction, group)
            assert (x.to(flow.float64).numpy() == expected).all()
            dist.reduce(y, ranks[1], reduction, group)
            assert (y.to(flow.float64).numpy() == (expected if rank == ranks[1] else numbers(rank, 2, 3))).all()
            for scatter, given_to in ((dist.reduce_scatter, list(given.unbind(0))), (dist.reduce_scatter_tensor, given)):
                piece = flow.zeros(3, dtype=given.dtype)
                scatter(piece, given_to, reduction, group)
                assert (piece.to(flow.float64).numpy() == expected[ranks.index(rank)]).all()

    on_ranks(4, f)


def test_means_and_products_of_half_types_are_computed_in_float32() -> None:
    """60000 + 60000 overflows float16, and so does 256 * 512."""

    def f(rank: int) -> Any:
        mean, product = flow.tensor([60000.0], dtype=flow.float16), flow.tensor([(256.0, 512.0, 0.25)[rank]], dtype=flow.float16)
        piece = flow.zeros(1, dtype=flow.float16)
        dist.reduce_scatter_tensor(piece, flow.full((3,), 60000.0, dtype=flow.float16), dist.ReduceOp.AVG)
        dist.all_reduce(mean, dist.ReduceOp.AVG)
        dist.all_reduce(product, dist.ReduceOp.PRODUCT)
        return mean.item(), piece.item(), product.item()

    assert on_ranks(3, f) == [(60000, 60000, 32768)] * 3


def test_moves_in_a_group() -> None:
    def f(rank: int) -> None:
        group, ranks = mine(rank)
        k = ranks.index(rank)
        x = flow.tensor([float(rank)])
        dist.broadcast(x, ranks[1], group)
        assert x.item() == ranks[1]
        dist.broadcast(x, group=group, group_src=0) if k else dist.broadcast(flow.tensor([7.0]), group=group, group_src=0)
        assert x.item() == (7 if k else ranks[1])
        own, outs, stacked = flow.tensor([float(rank)]), [flow.zeros(1), flow.zeros(1)], flow.zeros(2)
        dist.all_gather(outs, own, group)
        dist.all_gather_into_tensor(stacked, own, group)
        assert [out.item() for out in outs] == ranks == stacked.tolist()
        dist.gather(own, outs if k else None, ranks[1], group)
        dist.scatter(x, [flow.tensor([5.0]), flow.tensor([6.0])] if k else None, group=group, group_src=1)
        assert x.item() == 5 + k
        out = flow.zeros(3)
        dist.all_to_all_single(out, flow.arange(3.0) + 10 * rank, [1, 2] if k == 0 else [2, 1], [1, 2] if k == 0 else [2, 1], group)
        first, second = (10.0 * r + numpy.arange(3) for r in ranks)
        assert out.tolist() == ([first[0], *second[:2]] if k == 0 else [*first[1:], second[2]])
        lists = [flow.zeros(1), flow.zeros(2)] if k == 0 else [flow.zeros(3), flow.zeros(4)]
        sent = [flow.full((1 + 2 * j + k,), float(rank)) for j in range(2)]  # from k to j: 1 + 2j + k numbers
        dist.all_to_all(lists, sent, group)
        assert [x.tolist() for x in lists] == [[float(r)] * (1 + 2 * k + j) for j, r in enumerate(ranks)]
        dist.barrier(group)
        dist.monitored_barrier(group, timeout=timedelta(seconds=5))

    on_ranks(4, f)


def test_objects_in_a_group() -> None:
    def f(rank: int) -> None:
        group, ranks = mine(rank)
        k, found = ranks.index(rank), [None, None]
        dist.all_gather_object(found, {"rank": rank}, group)
        assert found == [{"rank": r} for r in ranks]
        gathered: Any = [None, None] if k else None
        dist.gather_object("x" * rank, gathered, ranks[1], group)
        assert gathered == (["x" * r for r in ranks] if k else None)
        objects = [rank, {1: 2}] if k else [None, None]
        dist.broadcast_object_list(objects, group=group, group_src=1)
        assert objects == [ranks[1], {1: 2}]
        own: list[Any] = [None]
        dist.scatter_object_list(own, ["a", "b"] if k else None, ranks[1], group)
        assert own == ["ab"[k]]
        if k:
            dist.send_object_list([rank, "text"], ranks[0], group)
        else:
            objects = [None, None]
            assert dist.recv_object_list(objects, ranks[1], group) == ranks[1] and objects == [ranks[1], "text"]

    on_ranks(4, f)


def test_subgroups() -> None:
    def f(rank: int) -> None:
        own, groups = dist.new_subgroups(2)
        assert own.ranks == (rank // 2 * 2, rank // 2 * 2 + 1) and len(groups) == 2 and own in groups
        own, _ = dist.new_subgroups_by_enumeration([[0, 3]])
        assert (own is None) == (rank in (1, 2))
        with pytest.raises(ValueError, match=r"Rank 0 has appeared in both subgroup \[0, 1\] and \[0, 2\]"):
            dist.new_subgroups_by_enumeration([[0, 1], [0, 2]])
        with pytest.raises(ValueError, match="must be divisible by 'group_size=3'"):
            dist.new_subgroups(3)

    on_ranks(4, f)


# ---------------------------------------------------------------------------------------------------------- messages


def shift(rank: int, world: int, sends_first: bool, n: int = 2) -> Any:
    """What a rank gets when each sends to the next one, in a batch."""
    x, y = flow.arange(float(n)) + 2 * rank, flow.zeros(n)
    ops = [dist.P2POp(dist.isend, x, (rank + 1) % world), dist.P2POp(dist.irecv, y, (rank - 1) % world)]
    works = dist.batch_isend_irecv(ops if sends_first else ops[::-1])
    assert len(works) == 2 and all(work.wait() and work.is_completed() for work in works)
    return y


@pytest.mark.parametrize("sends_first", [True, False])
@pytest.mark.parametrize("world", [1, 2, 3, 4])
def test_a_batch_in_any_order(world: int, sends_first: bool) -> None:
    """torch's own example."""
    found = on_ranks(world, lambda rank: shift(rank, world, sends_first).tolist())
    assert found == [[2.0 * ((rank - 1) % world), 2.0 * ((rank - 1) % world) + 1] for rank in range(world)]


def test_a_batch_of_everybody_with_everybody() -> None:
    """Two messages for each pair, in orders of their own; those of one direction stay in theirs."""

    def f(rank: int) -> None:
        world = 3
        received = [[flow.zeros(1), flow.zeros(1)] for _ in range(world)]
        ops = [dist.P2POp(dist.isend, flow.tensor([100.0 * rank + 10 * peer + k]), peer) for peer in range(world) for k in range(2)]
        ops += [dist.P2POp(dist.irecv, received[peer][k], peer) for peer in range(world) for k in range(2)]
        order = numpy.random.default_rng(rank).permutation(2 * world)  # of peers and directions, each with two messages
        for work in dist.batch_isend_irecv([ops[2 * at + k] for at in order for k in range(2)]):
            work.wait()
        for peer in range(world):
            assert [x.item() for x in received[peer]] == [100 * peer + 10 * rank + k for k in range(2)]

    on_ranks(3, f)


def test_batches_that_are_wrong() -> None:
    def f(rank: int) -> None:
        x = flow.ones(1)
        with pytest.raises(ValueError, match="Invalid ``op``"):
            dist.P2POp(dist.all_reduce, x, 1)
        with pytest.raises(TypeError, match="Expected parameter `tensor` of type torch.Tensor"):
            dist.P2POp(dist.isend, [1.0], 1)
        with pytest.raises(ValueError, match="Invalid ``p2p_op_list``"):
            dist.batch_isend_irecv([x])
        group = dist.new_group([0, 1])
        with pytest.raises(ValueError, match="All ops need to use the same group"):
            dist.batch_isend_irecv([dist.P2POp(dist.isend, x, 1 - rank, group), dist.P2POp(dist.irecv, x, 1 - rank)])
        with pytest.raises(ValueError, match=f"rank {rank} sends itself 1 tensors and receives 0"):
            dist.batch_isend_irecv([dist.P2POp(dist.isend, x, rank)])

    on_ranks(2, f)


def test_messages_with_tags() -> None:
    def f(rank: int, tag: int) -> Any:
        x = flow.tensor([1.0 + rank])
        if rank == 0:
            return dist.isend(x, 1, tag=tag).wait()
        work = dist.irecv(x, 0, tag=5)
        work.wait()
        return x.item()

    assert on_ranks(2, lambda rank: f(rank, 5)) == [True, 1]
    with pytest.raises(RankError, match="send with tag 5"):
        on_ranks(2, lambda rank: f(rank, 6))


def test_messages_in_both_directions_at_once() -> None:
    """Simulated ranks receive where they issue, so that one that receives first waits for ever; ranks that are processes do not."""

    def f(rank: int, sends_first: bool) -> Any:
        x, y = flow.tensor([1.0 + rank]), flow.zeros(1)
        calls = [lambda: dist.isend(x, 1 - rank), lambda: dist.irecv(y, 1 - rank)]
        for work in [call() for call in (calls if sends_first else calls[::-1])]:
            work.wait()
        return y.item()

    assert on_ranks(2, lambda rank: f(rank, True)) == [2, 1]
    with pytest.raises(RankError, match="every rank waits for another one"):
        on_ranks(2, lambda rank: f(rank, False))


# -------------------------------------------------------------------------------------------------------------- works


def test_every_collective_gives_a_work() -> None:
    def f(rank: int) -> None:
        def x() -> Any:
            return flow.ones(2)

        works = [
            dist.all_reduce(x(), async_op=True), dist.reduce(x(), 0, async_op=True), dist.broadcast(x(), 0, async_op=True),
            dist.all_gather([x(), x()], x(), async_op=True), dist.all_gather_into_tensor(flow.zeros(4), x(), async_op=True),
            dist.gather(x(), [x(), x()] if rank == 0 else None, async_op=True),
            dist.scatter(x(), [x(), x()] if rank == 0 else None, async_op=True),
            dist.reduce_scatter(x(), [x(), x()], async_op=True), dist.reduce_scatter_tensor(flow.zeros(1), x(), async_op=True),
            dist.all_to_all([x(), x()], [x(), x()], async_op=True), dist.all_to_all_single(x(), x(), async_op=True),
            dist.all_reduce_coalesced([x(), x()], async_op=True), dist.barrier(async_op=True),
        ]  # fmt: skip
        for work in works:
            assert isinstance(work, dist.Work) and work.wait() and work.is_completed() and work.is_success()

    on_ranks(2, f)


def test_futures_of_works(torch: Any) -> None:
    def f(rank: int) -> Any:
        x = flow.tensor([1.0 + rank])
        future = dist.all_reduce(x, async_op=True).get_future()
        assert isinstance(future, torch.futures.Future) and future.done() and future.wait() == [x]
        return future.then(lambda done: done.value()[0] / 2).wait().item()

    assert on_ranks(2, f) == [1.5, 1.5]


def test_futures(torch: Any) -> None:
    future, other = torch.futures.Future(), torch.futures.Future()
    later, both = future.then(lambda done: done.value() + 1), torch.futures.collect_all([future, other])
    with pytest.raises(RuntimeError, match="no value yet"):
        future.value()
    future.set_result(1)
    assert later.wait() == 2 and not both.done()
    with pytest.raises(RuntimeError, match="a value already"):
        future.set_result(1)
    other.set_exception(KeyError("lost"))
    assert both.wait() == [future, other]
    with pytest.raises(KeyError, match="lost"):
        other.then(lambda done: done.value()).wait()
    assert torch.futures.wait_all([future, later]) == [1, 2] and torch.futures.collect_all([]).wait() == []


# ------------------------------------------------------------------------------------------------- starts and meshes


def test_how_ranks_are_started(comm_timeout: None) -> None:
    with pytest.raises(ValueError, match="twice"):
        dist.init_process_group("gloo")
    dist.destroy_process_group()
    with pytest.raises(ValueError, match="expected one of gloo, nccl"):
        dist.init_process_group("mpi")
    with pytest.raises(RuntimeError, match=r"init_process_group\(rank=1, world_size=2\): this is rank 0 of 1; help: start ranks"):
        dist.init_process_group(rank=1, world_size=2)
    assert not dist.is_initialized()
    dist.init_process_group("cpu:gloo,cuda:nccl", init_method="env://", timeout=timedelta(minutes=2), world_size=1, rank=0)
    assert dist.is_initialized() and dist.get_backend() == "nccl" and settings.comm_timeout == 120


PROGRAM = """
import subprocess, sys
import torch
import torch.distributed as dist

if len(sys.argv) == 2:
    other = subprocess.Popen([sys.executable, "-u", __file__, sys.argv[1], "1"], stdout=subprocess.PIPE, text=True)
rank = int(*sys.argv[2:]) if sys.argv[2:] else 0
dist.init_process_group("gloo", init_method="tcp://127.0.0.1:" + sys.argv[1], rank=rank, world_size=2)
x = torch.tensor([rank + 1.0])
dist.all_reduce(x)
print(rank, dist.get_world_size(), x.item(), torch.__version__.endswith("tritonflow"), flush=True)
dist.destroy_process_group()
if rank == 0:
    print(other.communicate(timeout=60)[0], end="", flush=True)
    assert other.returncode == 0
"""


def test_ranks_that_a_program_starts_and_numbers_itself(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    variables = {name: value for name, value in os.environ.items() if name not in ("RANK", "WORLD_SIZE", "LOCAL_RANK")}
    done = subprocess.run(
        [sys.executable, "-m", "tritonflow.mock_torch", "program.py", port],
        cwd=tmp_path, capture_output=True, text=True, timeout=180, env=variables,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines() == ["0 2 3.0 True", "1 2 3.0 True"]


def test_meshes(torch: Any) -> None:
    from tritonflow.distributed import DeviceMesh

    module = torch.distributed.device_mesh
    assert torch.distributed.DeviceMesh is module.DeviceMesh is DeviceMesh is dist.DeviceMesh
    dist.destroy_process_group()
    mesh = module.init_device_mesh("cpu", (1,), mesh_dim_names=("dp",))
    assert dist.is_initialized(), "as with torch"
    assert (mesh.size(), mesh.ndim, mesh.get_rank(), mesh["dp"].shape, mesh.mesh.tolist()) == (1, 1, 0, (1,), [0])

    def f(rank: int) -> Any:
        mesh = torch.distributed.init_device_mesh("cpu", (2, 2), mesh_dim_names=("dp", "tp"))
        x = flow.tensor([float(rank)])
        dist.all_reduce(x, group=mesh.get_group("dp"))
        return x.item(), dist.get_rank(mesh["tp"].get_group()), dist.get_process_group_ranks(mesh.get_group("dp"))

    assert on_ranks(4, f) == [(2, 0, [0, 2]), (4, 1, [1, 3]), (2, 0, [0, 2]), (4, 1, [1, 3])]


def test_gradients_in_a_group(torch: Any) -> None:
    collectives = torch.distributed.nn.functional

    def f(rank: int) -> Any:
        group, _ = mine(rank)
        x = flow.tensor([1.0, 2.0, 3.0], requires_grad=True)
        k = rank // 2
        sizes = [1, 2] if k == 0 else [2, 1]  # the matrix [[1, 2], [2, 1]] of rows
        (collectives.all_to_all_single(flow.zeros(3), x, sizes, sizes, group) * (1 + rank)).sum().backward()
        (collectives.all_reduce(x * 1, group=group)).sum().backward()
        outs = [flow.zeros(k + 1), flow.zeros(k + 1)]
        first, second = collectives.all_to_all(outs, [x[:1], x[1:]], group)
        ((first + second) * 10).sum().backward()
        return x.grad.tolist()

    assert on_ranks(4, f) == [[13, 15, 15], [14, 16, 16], [13, 13, 15], [14, 14, 16]]
