"""Random programs of collectives in which one rank goes astray: every rank ends in time, with right numbers or with an error.

A program is repeated alone by its number: `pytest tests/consistent/test_fault_programs.py -k "program and 17" -m ""`.
"""

from __future__ import annotations

import os
import random
import signal
import time
from typing import Any, NamedTuple

import pytest

import tritonflow as flow
from tests.consistent.conftest import pool_of
from tests.consistent.pool import Died, Pool, RankFailure
from tests.consistent.test_verbs import buffer, gathered
from tritonflow.errors import RankError
from tritonflow.settings import settings
from tritonflow.wire import verbs
from tritonflow.wire.world import this_rank

TIMEOUT = 1.0
LIMIT = 2 * (TIMEOUT + 2) + 4  # seconds: two waits in turn, and slow machines
PROGRAMS = 200
FAULTS = ("kill", "raise", "sleep", "doze", "skip", "more", "swap", "op", "shape", "source", "read")


class Step(NamedTuple):
    """One collective: of which ranks, how many elements, from whom, and whether its result is read at once."""

    verb: str
    ranks: tuple[int, ...]
    elements: int
    source: int
    read: bool


class Fault(NamedTuple):
    """What one rank does at one step."""

    kind: str
    rank: int
    step: int


def random_program(number: int, size: int) -> tuple[list[Step], Fault]:
    rng = random.Random(number)
    steps = []
    for _ in range(rng.randint(3, 10)):
        ranks = tuple(rng.sample(range(size), rng.randint(2, size)))
        verb = rng.choice(("gather", "exchange", "broadcast", "control"))
        steps.append(Step(verb, ranks, rng.choice((1, 3, 1000, 300_000)), rng.choice(ranks), rng.random() < 0.5))
    step = rng.randrange(len(steps))
    return steps, Fault(rng.choice(FAULTS), rng.choice(steps[step].ranks), step)


def astray(steps: list[Step], fault: Fault) -> list[Step]:
    """The steps of the rank that goes astray, where the fault is another program."""
    k, kind = fault.step, fault.kind
    step = steps[k]
    changed = {
        "skip": [],
        "more": [step, step],
        "swap": [*steps[k + 1 : k + 2], step],
        "op": [step._replace(verb="gather" if step.verb != "gather" else "exchange")],
        "shape": [step._replace(elements=step.elements + 1)],
        "source": [step._replace(source=step.ranks[step.ranks.index(step.source) - 1])],
        "read": [step._replace(read=not step.read)],
    }.get(kind, [step])
    return steps[:k] + changed + steps[k + (2 if kind == "swap" else 1) :]


def run(steps: list[Step], fault: Fault) -> int:
    """Run a program on this rank; how many results were right.

    Raises:
        AssertionError: a result was wrong.
    """
    me = this_rank().index
    if me == fault.rank:
        steps = astray(steps, fault)
    results = []
    with settings.override(comm_timeout=TIMEOUT):
        for number, step in enumerate(steps):
            if me == fault.rank and number == fault.step:
                go_astray(fault.kind)
            if me not in step.ranks:
                continue
            result = collective(step, me)
            if step.read:
                check(step, result)
            results.append((step, result))
        for step, result in results:
            check(step, result)
        flow.sync()  # a rank that only sends is in no result
        verbs.control_gather(tuple(range(this_rank().world_size)), b"", "an end")
    return len(results)


def go_astray(kind: str) -> None:
    if kind == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    elif kind == "raise":
        raise MemoryError("no memory")
    elif kind in ("sleep", "doze"):
        time.sleep(TIMEOUT + 2.5 if kind == "sleep" else 0.4)


def collective(step: Step, me: int) -> Any:
    n, count = step.elements, len(step.ranks)
    what = f"float32[{n}]"
    if step.verb == "control":
        return verbs.control_gather(step.ranks, bytes([me]) * min(n, 1000), what)
    if step.verb == "broadcast":
        x = flow.full((n,), float(me + 1))
        verbs.broadcast(step.ranks, buffer(x), 4 * n, step.source, what)
        return x
    received = flow.zeros(n * count)
    if step.verb == "gather":
        sent = flow.full((n,), float(me + 1))
        verbs.gather(step.ranks, buffer(sent), 4 * n, buffer(received), what)
    else:
        sent = flow.full((n * count,), float(me + 1))
        verbs.exchange(step.ranks, buffer(sent), [4 * n] * count, buffer(received), [4 * n] * count, what)
    return received


def check(step: Step, result: Any) -> None:
    if step.verb == "control":
        assert result == [bytes([rank]) * min(step.elements, 1000) for rank in step.ranks]
        return
    ranks = (step.source,) if step.verb == "broadcast" else step.ranks
    numbers = result.numpy().reshape(len(ranks), -1)
    assert [set(row) for row in numbers.tolist()] == [{float(rank + 1)} for rank in ranks]


def check_program(pool: Pool, number: int) -> str:
    """How a program ended."""
    steps, fault = random_program(number, pool.size)
    pool.run(gathered, tuple(range(pool.size)), 3, False)  # which compiles, and connects
    try:
        pool.run(run, steps, fault, seconds=LIMIT)
    except RankFailure as failure:
        expected = {"kill": Died, "raise": MemoryError}.get(fault.kind, RankError)
        for rank, error in failure.errors.items():  # on a slow machine ranks may wait for too long before the fault
            assert isinstance(error, (RankError, expected) if rank == fault.rank else RankError), (number, fault, failure)
        return "failed"
    assert fault.kind not in ("kill", "raise")
    return "ran"


@pytest.mark.parametrize("number", range(6))
def test_program(ranks4: Pool, number: int) -> None:
    check_program(ranks4, number)


@pytest.mark.long
def test_more_programs(ranks: Pool) -> None:
    for number in range(100 * ranks.size, 100 * ranks.size + 8):
        check_program(pool_of(ranks.size), number)


@pytest.mark.hours
@pytest.mark.timeout(3600)
def test_programs(ranks: Pool) -> None:
    first = 1000 * ranks.size
    ends = [check_program(pool_of(ranks.size), number) for number in range(first, first + PROGRAMS // 2)]
    assert {"failed", "ran"} <= set(ends)
