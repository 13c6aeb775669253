"""Flights: several collectives on their way, numbers that are reserved, sizes that no rank knows, a slow wire, a tree."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from typing import Any

import numpy
import pytest

import tritonflow as flow
from tests.consistent.conftest import pool_of
from tests.consistent.pool import Died, Pool, RankFailure
from tests.consistent.test_verbs import buffer, own
from tritonflow.errors import InvalidArgumentError, RankError
from tritonflow.vm.machine import machine
from tritonflow.wire import connection as connections
from tritonflow.wire import verbs
from tritonflow.wire.flights import Flight, begin, reserve
from tritonflow.wire.memory import CPU
from tritonflow.wire.record import Message, Record
from tritonflow.wire.world import this_rank

Run = Callable[..., list[Any]]


def world() -> tuple[int, ...]:
    return tuple(range(this_rank().world_size))


def flight_of(record: Record, x: numpy.ndarray, y: numpy.ndarray) -> Flight:
    """Everybody's `x` to everybody, one behind the other in `y`."""
    sends = [Message(rank, x.ctypes.data, x.nbytes, CPU) for rank in record.ranks]
    receives = [Message(rank, y.ctypes.data + k * x.nbytes, x.nbytes, CPU) for k, rank in enumerate(record.ranks)]
    return begin(record, sends, receives, [x, y], CPU)


def flown(order: list[int], count: int) -> list[bool]:
    """Collectives of a program that begin in order and are waited for in another one: whether each has its bytes."""
    me, everyone = this_rank().index, world()
    reserved = reserve(everyone, len(order), 123, "a program")
    sent = [own(me, count) + 10 * k for k in range(len(order))]
    received = [numpy.full(count * len(everyone), numpy.nan, numpy.float32) for _ in order]
    flights = [
        flight_of(reserved.part(k, "gather", f"number {k}", [], []), x, y) for k, (x, y) in enumerate(zip(sent, received))
    ]
    for k in order:
        flights[k].wait()
        flights[k].wait()  # a second time is nothing
    return [y.tolist() == [n for rank in everyone for n in own(rank, count) + 10 * k] for k, y in enumerate(received)]


@pytest.mark.parametrize("count", [3, 1 << 18])
def test_flights_end_in_any_order(ranks: Pool, count: int) -> None:
    for order in ([0, 1, 2, 3], [3, 1, 2, 0]):
        assert ranks.run(flown, order, count) == [[True] * 4] * ranks.size


@pytest.mark.parametrize("size", [2, 5])
def test_flights_of_simulated_ranks_end_in_any_order(size: int) -> None:
    assert flow.testing.simulate(size)(flown)([3, 1, 2, 0], 3) == [[True] * 4] * size


def both_send_first(count: int) -> bool:
    """Each rank sends to the next one before it receives of the last one."""
    rank = this_rank()
    me, size = rank.index, rank.world_size
    x, y = flow.full((count,), me + 1.0), flow.zeros(count)
    verbs.send(buffer(x), 4 * count, (me + 1) % size, "numbers")
    verbs.receive(buffer(y), 4 * count, (me - 1) % size, "numbers")
    return bool((y.numpy() == (me - 1) % size + 1.0).all())


def test_all_send_before_they_receive(ranks: Pool) -> None:
    assert all(ranks.run(both_send_first, 3) + ranks.run(both_send_first, 1 << 20))
    assert all(flow.testing.simulate(4)(both_send_first)(3))


def crossed(count: int) -> list[float]:
    """Rank 0 sends twice, then receives; rank 1 receives once, sends, and receives again: each direction has its own numbers."""
    me = this_rank().index
    x, y = flow.full((count,), me + 1.0), flow.zeros(2, count)
    if me == 0:
        verbs.send(buffer(x), 4 * count, 1, "numbers")
        verbs.send(buffer(x), 4 * count, 1, "numbers")
        verbs.receive(buffer(y[0]), 4 * count, 1, "numbers")
    else:
        verbs.receive(buffer(y[0]), 4 * count, 0, "numbers")
        verbs.send(buffer(x), 4 * count, 0, "numbers")
        verbs.receive(buffer(y[1]), 4 * count, 0, "numbers")
    return y.mean(1).tolist()


def test_each_direction_of_two_ranks_has_its_own_numbers(ranks2: Pool) -> None:
    for count in (3, 1 << 19):
        assert ranks2.run(crossed, count) == [[2.0, 0.0], [1.0, 1.0]]
    assert flow.testing.simulate(2)(crossed)(3) == [[2.0, 0.0], [1.0, 1.0]]


def overlapping(latency: float, count: int) -> float:
    """Seconds of four large collectives on a slow wire, whose results nobody needs before."""
    me, everyone = this_rank().index, world()
    x, results = flow.full((count,), me + 1.0), [flow.zeros(count * len(everyone)) for _ in range(4)]
    verbs.control_gather(everyone, b"", "a start")
    start = time.monotonic()
    with flow.testing.throttled(latency, 1e12):
        for y in results:
            verbs.gather(everyone, buffer(x), 4 * count, buffer(y), "numbers")
        machine.sync()
    assert all(y[-1].item() == len(everyone) for y in results)
    return time.monotonic() - start


def test_several_are_on_their_way(ranks2: Pool) -> None:
    """One behind the other they would take four times the latency."""
    ranks2.run(overlapping, 0.0, 1 << 18)
    assert max(ranks2.run(overlapping, 1.0, 1 << 18)) < 3.0


def in_turn() -> list[float]:
    """Rank 0 waits long for the first collective and begins the second one behind it, for which rank 1 waits meanwhile."""
    me, everyone = this_rank().index, world()
    reserved = reserve(everyone, 2, 7, "a program")
    x, y, z = own(me, 3), numpy.zeros(6, numpy.float32), numpy.zeros(6, numpy.float32)
    with flow.testing.throttled(3.0 if me == 1 else 0.0, 1e9):
        first = flight_of(reserved.part(0, "gather", "number 0", [], []), x, y)
        if me == 0:
            first.wait()
        second = flight_of(reserved.part(1, "gather", "number 1", [], []), y[:3].copy() if me == 0 else x, z)
        second.wait()
        first.wait()
    return z.tolist()


def test_a_long_way_is_no_failure(ranks2: Pool) -> None:
    assert ranks2.run(in_turn) == [[*own(0, 3), *own(1, 3)]] * 2


def in_other_orders() -> list[float]:
    """Two groups of the same ranks, which each rank takes in an order of its own; large, so that nobody waits where it issues."""
    me, results = this_rank().index, []
    x = flow.full((1 << 18,), me + 1.0)
    for ranks in ((0, 1), (1, 0))[:: -1 if me else 1]:
        results.append(flow.zeros(1 << 19))
        verbs.gather(ranks, buffer(x), 1 << 20, buffer(results[-1]), "numbers")
    return [y[k].item() for y in results[:: -1 if me else 1] for k in (0, -1)]


def test_what_has_begun_everywhere_ends_in_any_order(ranks2: Pool) -> None:
    ranks2.run(flown, [0], 3)  # they are connected
    assert ranks2.run(in_other_orders) == [[1.0, 2.0, 2.0, 1.0]] * 2


def slowed(count: int) -> list[float]:
    """Seconds of a collective on a wire that takes 0.1 s and another second for these bytes; processor time of it."""
    me, everyone = this_rank().index, world()
    x, y = flow.full((count,), me + 1.0), flow.zeros(count * len(everyone))
    verbs.control_gather(everyone, b"", "a start")
    start = time.monotonic()
    with flow.testing.throttled(0.1, 4 * count * (len(everyone) - 1)):
        verbs.gather(everyone, buffer(x), 4 * count, buffer(y), "numbers")
        assert y.numpy().reshape(len(everyone), count).mean(1).tolist() == [rank + 1.0 for rank in everyone]
    return time.monotonic() - start


def test_a_slow_wire_takes_the_time_of_the_bytes(ranks: Pool) -> None:
    for run in (ranks.run, lambda *args: flow.testing.simulate(3)(args[0])(*args[1:])):
        for seconds in run(slowed, 1000):
            assert 1.1 <= seconds < 3.0
    with pytest.raises(InvalidArgumentError, match="a rate above 0"), flow.testing.throttled(0.1, 0):
        pass


def of_unknown_sizes(sizes: list[list[int]]) -> list[float]:
    """Rank i sends sizes[i][j] numbers to rank j, which learns so."""
    me, everyone, made = this_rank().index, world(), []

    def make(nbytes: list[int]) -> verbs.Buffer:
        made.append(flow.zeros(max(sum(nbytes) // 4, 1)))
        return buffer(made[0])

    x = flow.tensor(own(me, max(sum(sizes[me]), 1)))
    got = verbs.exchange_sized(everyone, buffer(x), [4 * n for n in sizes[me]], make, "rows")
    assert got == [4 * sizes[rank][me] for rank in everyone]
    return made[0].numpy()[: sum(got) // 4].tolist()


def test_sizes_that_only_the_sender_knows(ranks: Pool) -> None:
    size = ranks.size
    sizes = [[(3 * i + 2 * j) % 4 for j in range(size)] for i in range(size)]
    expected = [
        [n for i in range(size) for n in own(i, sum(sizes[i]))[sum(sizes[i][:j]) :][: sizes[i][j]]] for j in range(size)
    ]
    assert ranks.run(of_unknown_sizes, sizes) == expected
    assert flow.testing.simulate(size)(of_unknown_sizes)(sizes) == expected


def told_over_a_tree(width: int) -> list[bytes]:
    """A gather that goes over a tree of so many ranks below one."""
    everyone = tuple(reversed(world()))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(connections, "MANY", 1)
        patch.setattr("tritonflow.wire.tree.WIDTH", width)
        return [
            told
            for length in (0, 5)
            for told in verbs.control_gather(everyone, bytes([this_rank().index]) * (length * this_rank().index), "a test")
        ]


def test_a_gather_over_a_tree(ranks: Pool) -> None:
    everyone = range(ranks.size - 1, -1, -1)
    for width in (1, 2, 8):
        assert ranks.run(told_over_a_tree, width) == [[*[b""] * ranks.size, *[bytes([k]) * (5 * k) for k in everyone]]] * ranks.size


def program_that_differs(kind: str) -> None:
    me, everyone = this_rank().index, world()
    reserved = reserve(everyone, 3, 5 if kind == "digest" and me == 1 else 4, f"Graph {'other' if me == 1 else 'gpt'}")
    x, y = own(me, 3), numpy.zeros(3 * len(everyone), numpy.float32)
    if kind == "eager" and me == 1:
        x, y = flow.zeros(1), flow.zeros(len(everyone))
    for k in range(3):
        if kind == "killed" and me == 1 and k == 2:
            os.kill(os.getpid(), signal.SIGKILL)
        if kind == "missing" and me == 1 and k == 2:
            return
        flight_of(reserved.part(k, "gather", f"number {k}", [], []), x, y).wait()


def eager_meets_a_program() -> None:
    me, everyone = this_rank().index, world()
    x, y = own(me, 3), numpy.zeros(3 * len(everyone), numpy.float32)
    if me == 1:
        mine, theirs = flow.zeros(3), flow.zeros(3 * len(everyone))
        verbs.gather(everyone, buffer(mine), 12, buffer(theirs), "float32[3], for add")
        machine.sync()
    else:
        flight_of(reserve(everyone, 3, 4, "Graph gpt").part(0, "gather", "number 0", [], []), x, y).wait()


@pytest.mark.parametrize(
    ("function", "args", "text"),
    [
        (program_that_differs, ("digest",), r"ranks disagree at collective \d+ of group(.|\n)*rank 1 .*Graph other"),
        (eager_meets_a_program, (), r"ranks disagree at collective \d+ of group(.|\n)*rank 1 .*for add"),
        (program_that_differs, ("killed",), r"rank 1 \(host .*, pid \d+\) is gone"),
    ],
    ids=["digest", "eager", "killed"],
)
def test_programs_that_disagree(ranks2: Pool, function: Any, args: tuple[str, ...], text: str) -> None:
    begin = time.monotonic()
    with pytest.raises(RankFailure) as caught:
        ranks2.run(function, *args)
    assert time.monotonic() - begin < 10
    for error in caught.value.errors.values():
        if not isinstance(error, Died):
            with pytest.raises(RankError, match=text):
                raise error
    assert pool_of(2).run(flown, [1, 0], 3) == [[True] * 2] * 2


@pytest.mark.parametrize(
    ("function", "args", "text"),
    [
        (program_that_differs, ("digest",), r"ranks disagree at collective 1 of group(.|\n)*rank 1 .*number 0, of Graph other"),
        (eager_meets_a_program, (), r"ranks disagree at collective 1 of group(.|\n)*rank 1 .*for add"),
        (program_that_differs, ("missing",), "rank 1 has ended"),
    ],
    ids=["digest", "eager", "missing"],
)
def test_simulated_programs_that_disagree(function: Any, args: tuple[str, ...], text: str) -> None:
    with pytest.raises(RankError, match=text):
        flow.testing.simulate(3)(function)(*args)


def never_received() -> None:
    if this_rank().index == 0:
        x = flow.zeros(3)
        verbs.send(buffer(x), 12, 1, "numbers")


def test_what_no_simulated_rank_receives_is_an_error() -> None:
    with pytest.raises(RankError, match="rank 1 has ended, and did not receive collective 1, send from rank 0 to rank 1, numbers"):
        flow.testing.simulate(2)(never_received)()
