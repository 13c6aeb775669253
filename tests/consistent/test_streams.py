"""Collectives are instructions on the communication stream: they overlap with compute, and the timeline shows them."""

from __future__ import annotations

import threading
from time import sleep

import pytest

import tritonflow as flow
from tests.consistent.pool import Pool
from tests.consistent.test_verbs import buffer, own
from tritonflow.errors import InvalidArgumentError, RankError
from tritonflow.vm.machine import machine
from tritonflow.wire import verbs
from tritonflow.wire.connection import connection
from tritonflow.wire.world import this_rank

EVERYONE = (0, 1)


def overlapped() -> tuple[list[float], list[tuple[str, str, int, int]]]:
    """Rank 1 takes part in a collective when rank 0 has computed behind it. What each received, and its timeline."""
    me = this_rank().index
    x, y, z = flow.tensor(own(me, 3)), flow.zeros(6), flow.ones(3)
    machine.start_timeline()
    if me == 1:
        verbs.control_gather(EVERYONE, b"", "rank 0 has computed")
    verbs.gather(EVERYONE, buffer(x), 12, buffer(y), "numbers")
    while not connection().ring.last(1)[0].started:  # the worker begins when it gets a core
        sleep(0.001)
    assert (z + 1).sum().item() == 6.0
    if me == 0:
        verbs.control_gather(EVERYONE, b"", "rank 0 has computed")
    received = y.numpy().tolist()
    return received, [(span.stream, span.name, span.start, span.end) for span in machine.stop_timeline().spans]


def test_a_collective_overlaps_with_compute(ranks2: Pool) -> None:
    (received, spans), (theirs, _) = ranks2.run(overlapped)
    assert received == theirs == [*own(0, 3), *own(1, 3)]
    (begin,) = [span[2] for span in spans if span[:2] == ("communication", "gather, numbers")]
    (end,) = [span[3] for span in spans if span[:2] == ("arrivals", "gather, numbers")]
    assert [name for stream, name, start, stop in spans if stream == "compute" and begin < start and stop < end]


def recorded() -> list[tuple[str, int, int, str, bool]]:
    """Two collectives, as this rank's records have them."""
    me = this_rank().index
    x, y = flow.tensor(own(me, 3)), flow.zeros(6)
    verbs.gather(EVERYONE, buffer(x), 12, buffer(y), "numbers")
    verbs.broadcast(EVERYONE, buffer(x), 12, 0, "numbers")
    x.add_(y[3:]).numpy()  # what is sent can be written when it is gone
    return [
        (record.verb, record.number, record.nbytes, record.text(), record.issued <= record.started <= record.done)
        for record in connection().ring.last(2)
    ]


def test_collectives_are_recorded(ranks2: Pool) -> None:
    for me, (gather, broadcast) in enumerate(ranks2.run(recorded)):
        assert (gather[0], gather[2], gather[4]) == ("gather", 12, True)
        assert "gather, numbers, at " in gather[3] and "test_streams.py" in gather[3] and "in recorded" in gather[3]
        assert (broadcast[0], broadcast[2], broadcast[4]) == ("broadcast from rank 0", 12 * (me == 0), True)
        assert broadcast[1] == gather[1] + 1


def made_where_it_is_issued() -> list[tuple[bool, bool, list[float]]]:
    """A short collective, a long one, and a short one behind that: whether the issuing thread made it, whether it was over then."""
    me, results = this_rank().index, []
    for count, waits in ((3, True), (1 << 18, False), (3, True)):
        x, y = flow.full((count,), me + 1.0), flow.zeros(2 * count)
        verbs.gather(EVERYONE, buffer(x), 4 * count, buffer(y), "numbers")
        record = connection().ring.last(1)[0]
        over = record.blocks and record.done > 0
        if waits:
            machine.sync()
        results.append((record.blocks, over, [y[0].item(), y[-1].item()]))
    return results


def test_a_short_collective_is_made_where_it_is_issued(ranks2: Pool) -> None:
    ranks2.run(recorded)  # now they are connected
    for short, long, last in ranks2.run(made_where_it_is_issued):
        assert short == last == (True, True, [1.0, 2.0])
        assert long == (False, False, [1.0, 2.0])


def from_another_thread() -> str:
    """Collectives of two threads have no order that ranks agree on."""
    verbs.control_gather(EVERYONE, b"", "a start")
    errors = []

    def gather() -> None:
        try:
            verbs.control_gather(EVERYONE, b"", "another thread")
        except RankError as error:
            errors.append(str(error))

    thread = threading.Thread(target=gather, name="loader")
    thread.start()
    thread.join()
    return errors[0]


def test_one_thread_issues_collectives(ranks2: Pool) -> None:
    for text in ranks2.run(from_another_thread):
        assert "collectives are issued by one thread" in text and "'loader' is about to" in text


def with_wrong_sizes() -> None:
    x = flow.zeros(2)
    verbs.exchange(EVERYONE, buffer(x), [4], buffer(x), [4, 4], "numbers")


def test_sizes_are_one_for_each_rank() -> None:
    with pytest.raises(InvalidArgumentError, match="2 ranks take part"):
        flow.testing.simulate(2)(with_wrong_sizes)()
