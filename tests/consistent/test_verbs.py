"""Every verb on simulated ranks and on processes: what each rank receives, by NumPy."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Callable, Iterator
from typing import Any

import numpy
import pytest

import tritonflow as flow
from tests.consistent.pool import Pool
from tests.device.fake_cuda import FakeCuda, forget_gpus
from tritonflow.device import torch_cuda
from tritonflow.errors import InvalidArgumentError, RankError
from tritonflow.vm.machine import machine
from tritonflow.wire import streams, verbs
from tritonflow.wire.memory import device_of
from tritonflow.wire.world import this_rank

Run = Callable[..., list[Any]]


def buffer(x: flow.Tensor) -> verbs.Buffer:
    return verbs.Buffer(x.impl.block, x.ptr - x.impl.block.ptr)


def own(rank: int, count: int) -> numpy.ndarray:
    """What a rank has: numbers that no other rank has."""
    return numpy.arange(count, dtype=numpy.float32) + 1000 * (rank + 1)


def exchanged(ranks: tuple[int, ...], sizes: list[list[int]]) -> list[float] | None:
    """Row i of sizes: how many elements rank `ranks[i]` sends to each."""
    me = this_rank().index
    if me not in ranks:
        return None
    k = ranks.index(me)
    sent, taken = sizes[k], [row[k] for row in sizes]
    send, recv = flow.tensor(own(me, sum(sent))), flow.zeros(sum(taken))
    verbs.exchange(ranks, buffer(send), [4 * n for n in sent], buffer(recv), [4 * n for n in taken], "numbers")
    return recv.numpy().tolist()


def expected_exchange(ranks: tuple[int, ...], sizes: list[list[int]], world: int) -> list[list[float] | None]:
    results: list[list[float] | None] = [None] * world
    for k, rank in enumerate(ranks):
        pieces = [own(r, sum(row))[sum(row[:k]) : sum(row[: k + 1])] for r, row in zip(ranks, sizes)]
        results[rank] = numpy.concatenate(pieces).tolist()
    return results


def gathered(ranks: tuple[int, ...], count: int, in_place: bool) -> list[float] | None:
    me = this_rank().index
    if me not in ranks:
        return None
    recv = flow.zeros(count * len(ranks))
    send = recv[ranks.index(me) * count :][:count] if in_place else flow.zeros(count)
    send.copy_(flow.tensor(own(me, count)))
    verbs.gather(ranks, buffer(send), 4 * count, buffer(recv), "numbers")
    return recv.numpy().tolist()


def broadcasted(ranks: tuple[int, ...], source: int, offset: int) -> list[float] | None:
    me = this_rank().index
    if me not in ranks:
        return None
    x = flow.tensor(own(me, 4))
    verbs.broadcast(ranks, buffer(x[offset:]), 8, source, "numbers")
    return (x + 0).numpy().tolist()


def sent_around() -> list[float]:
    """To the next rank and from the one before; the even ones send first."""
    rank = this_rank()
    me, size = rank.index, rank.world_size
    x, y = flow.tensor(own(me, 3)), flow.zeros(3)
    for sends in (me % 2 == 0, me % 2 == 1):
        if sends:
            verbs.send(buffer(x), 12, (me + 1) % size, "numbers")
        else:
            verbs.receive(buffer(y), 12, (me - 1) % size, "numbers")
    return y.numpy().tolist()


def told(ranks: tuple[int, ...]) -> list[bytes] | None:
    me = this_rank().index
    return verbs.control_gather(ranks, b"x" * (3 * me), "a test") if me in ranks else None


def many(count: int) -> float:
    """Collectives whose results nobody waits for in between."""
    rank = this_rank()
    everyone = tuple(range(rank.world_size))
    x = flow.tensor([float(rank.index)])
    for _ in range(count):
        recv = flow.zeros(rank.world_size)
        verbs.gather(everyone, buffer(x), 4, buffer(recv), "a number")
        x = recv.sum(0, True)
    return x.item()


def check_all(run: Run, size: int) -> None:
    for ranks in ((0, 1), tuple(reversed(range(size))), (size - 1,), tuple(range(size))):
        n = len(ranks)
        sizes = [[(i + 2 * j) % 4 for j in range(n)] for i in range(n)]
        assert run(exchanged, ranks, sizes) == expected_exchange(ranks, sizes, size)
        for in_place in (False, True):
            whole = numpy.concatenate([own(rank, 5) for rank in ranks]).tolist()
            assert run(gathered, ranks, 5, in_place) == [whole if r in ranks else None for r in range(size)]
        source = ranks[-1]
        for rank, result in enumerate(run(broadcasted, ranks, source, 1)):
            if rank in ranks:
                expected = own(rank, 4)
                expected[1:3] = own(source, 4)[1:3]
                assert result == expected.tolist()
        assert run(told, ranks) == [[b"x" * (3 * r) for r in ranks] if k in ranks else None for k in range(size)]
    assert run(sent_around) == [own((k - 1) % size, 3).tolist() for k in range(size)]
    assert run(many, 20) == [sum(range(size)) * float(size) ** 19] * size


@pytest.mark.parametrize("size", [2, 4])
def test_verbs_simulated(size: int) -> None:
    check_all(lambda function, *args: flow.testing.simulate(size)(function)(*args), size)


def test_verbs_of_processes(ranks: Pool) -> None:
    check_all(ranks.run, ranks.size)


def between_gpus() -> list[float]:
    """A tensor of a GPU, which host memory stands for, gathered and read."""
    me, world = this_rank().index, this_rank().world_size
    x, y = flow.tensor(own(me, 3), device="cuda"), flow.tensor(numpy.zeros(3 * world, numpy.float32), device="cuda")
    assert device_of(x.impl.block) == flow.device("cuda:0")
    verbs.gather(tuple(range(world)), buffer(x), 12, buffer(y), "numbers")
    return y.cpu().numpy().tolist()


@contextlib.contextmanager
def fake_gpu() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(torch_cuda, "runtime", FakeCuda())
        forget_gpus()
        yield
        machine.sync()
        streams._streams.pop(flow.device("cuda:0"), None)
        forget_gpus()
        gc.collect()


def between_fake_gpus() -> list[float]:
    with fake_gpu():
        return between_gpus()


def test_memory_of_gpus_simulated() -> None:
    with fake_gpu():
        results = flow.testing.simulate(2)(between_gpus)()
    assert results == [[*own(0, 3), *own(1, 3)]] * 2


def test_memory_of_gpus_is_staged(ranks2: Pool) -> None:
    assert ranks2.run(between_fake_gpus) == [[*own(0, 3), *own(1, 3)]] * 2
    ranks2.close()  # streams of the GPU that there is not are left in the processes


def outside() -> None:
    if this_rank().index == 1:
        told_to = flow.zeros(1)
        verbs.broadcast((0,), buffer(told_to), 4, 0, "a number")


def test_a_rank_outside_is_refused() -> None:
    with pytest.raises(InvalidArgumentError, match=r"rank 1 calls a collective of ranks \[0\]"):
        flow.testing.simulate(2)(outside)()


def test_simulated_ranks() -> None:
    ranks = flow.testing.simulate(4, nodes=2)(this_rank)()
    assert [(r.index, r.world_size, r.local_index, r.local_size, r.node, r.nodes) for r in ranks] == [
        (0, 4, 0, 2, 0, 2), (1, 4, 1, 2, 0, 2), (2, 4, 0, 2, 1, 2), (3, 4, 1, 2, 1, 2),
    ]  # fmt: skip
    assert this_rank().world_size == 1
    for wrong in (0, True, 2.0):
        with pytest.raises(ValueError, match="expected at least 1 as ranks"):
            flow.testing.simulate(wrong)
    with pytest.raises(ValueError, match="expected a divisor of 4 as nodes"):
        flow.testing.simulate(4, nodes=3)


def differ(kind: str) -> None:
    me = this_rank().index
    x = flow.zeros(2 if kind == "shape" and me == 2 else 1)
    if kind == "raise" and me == 2:
        raise KeyError("nothing")
    if kind == "absent" and me == 2:
        return
    what = f"float32[{x.numel()}]" + (", for add" if kind == "op" and me == 2 else "")
    pairs = [(0, 1, 2), (0, 1)] if me == 0 else [(0, 1), (0, 1, 2)]
    if kind == "order" and me == 2:
        pairs = pairs[1:]
    for ranks in pairs if kind == "order" else [(0, 1, 2)]:
        if me in ranks and kind == "order":
            y = flow.zeros(len(ranks))
            verbs.gather(ranks, buffer(x), 4, buffer(y), what)
        elif me in ranks:
            verbs.broadcast(ranks, buffer(x), x.numel() * 4, 0, what)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("op", r"ranks disagree at collective 1 of group \[0, 1, 2\]\n  ranks 0, 1 .*\n  rank 2 .*for add"),
        ("shape", r"ranks disagree .*\n  ranks 0, 1 .*\n  rank 2 .*float32\[2\]"),
        ("order", "every rank waits for another one"),
        ("absent", "rank 2 has ended"),
    ],
)
def test_simulated_ranks_that_disagree(kind: str, text: str) -> None:
    with pytest.raises(RankError, match=text):
        flow.testing.simulate(3)(differ)(kind)


def test_the_first_exception_of_simulated_ranks_ends_the_others() -> None:
    with pytest.raises(KeyError, match="nothing") as caught:
        flow.testing.simulate(3)(differ)("raise")
    assert caught.value.__notes__ == ["on rank 2 of 3 simulated ranks"]
