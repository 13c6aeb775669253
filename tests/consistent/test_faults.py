"""Ranks that die, stop, raise, sleep or disagree: an error on every rank, in time, that says which rank it was."""

from __future__ import annotations

import os
import signal
import threading
import time

import pytest

import tritonflow as flow
from tests.consistent.conftest import pool_of
from tests.consistent.pool import Died, Pool, RankFailure
from tests.consistent.test_verbs import buffer, gathered
from tritonflow.errors import RankError
from tritonflow.settings import settings
from tritonflow.wire import verbs
from tritonflow.wire.world import this_rank

CULPRIT = 1
TIMEOUT = 1.0


def gather(ranks: tuple[int, ...], elements: int = 4, why: str = "for matmul") -> flow.Tensor:
    x, y = flow.ones(elements), flow.zeros(elements * len(ranks))
    verbs.gather(ranks, buffer(x), 4 * elements, buffer(y), f"S0 -> B of float32[{elements}], {why}")
    return y


def faulty(kind: str, timeout: float) -> float:
    """Three collectives; one rank then goes astray. How long the error took, where there is one, and that the world stays failed."""
    size, me = this_rank().world_size, this_rank().index
    everyone = tuple(range(size))
    with settings.override(comm_timeout=timeout):
        for _ in range(3):
            gather(everyone)
        begin = time.monotonic()
        error: BaseException | None = None
        try:
            if me == CULPRIT:
                go_astray(kind, everyone)
            if kind == "order":
                for ranks in (everyone, everyone[::-1])[:: -1 if me == CULPRIT else 1]:
                    gather(ranks)
            (gather(everyone) + 0).numpy()
            if me == CULPRIT:  # it has come too late for the others, whose messages were there
                time.sleep(1)
                gather(everyone)
        except RankError as raised:
            error = raised
        taken = time.monotonic() - begin
        if error is None:
            return taken
        with pytest.raises(RankError):
            gather(everyone)
        error.add_note(f"{taken:.3f}")
        raise error


def go_astray(kind: str, everyone: tuple[int, ...]) -> None:
    if kind == "kill":
        time.sleep(0.3)
        os.kill(os.getpid(), signal.SIGKILL)
    elif kind == "exit":
        os._exit(3)
    elif kind == "stop":
        os.kill(os.getpid(), signal.SIGSTOP)
    elif kind == "raise":
        raise MemoryError("no memory for 5 numbers")
    elif kind == "sleep":
        time.sleep(TIMEOUT + 2)
    elif kind == "op":
        gather(everyone, why="for add")
    elif kind == "shape":
        gather(everyone, 5)
    elif kind == "verb":
        x = flow.ones(4)
        verbs.broadcast(everyone, buffer(x), 16, 0, "S0 -> B of float32[4], for matmul")
    elif kind == "bytes":
        x, y = flow.ones(8), flow.zeros(8 * len(everyone))
        verbs.gather(everyone, buffer(x), 32, buffer(y), "S0 -> B of float32[4], for matmul")
    elif kind == "control":
        verbs.control_gather(everyone, b"x", "the metas of add")


# what the error of the other ranks says, and after how many seconds at most it comes; 3.0: the timeout and 2 s
KINDS = {
    "kill": (r"rank 1 \(host .*, pid \d+\) is gone: its process has ended", 2.3),
    "exit": (r"rank 1 \(host .*, pid \d+\) is gone: its process has ended", 2.0),
    "stop": (r"rank \d has waited \d s in collective \d, (.|\n)*rank 1 has not come", 3.0),
    "raise": (r"rank 1 failed: MemoryError: no memory for 5 numbers\n  at .*test_faults.py:\d+, in go_astray", 2.0),
    "sleep": (
        r"rank \d has waited \d s in collective \d, (.|\n)*rank 1 has not come: last seen at .*test_faults.py",
        3.0,
    ),
    "op": (r"ranks disagree at collective \d of group(.|\n)*rank 1 .*for add, at .*test_faults.py", 3.0),
    "shape": (r"ranks disagree at collective \d of group(.|\n)*rank 1 .*float32\[5\]", 3.0),
    "verb": (r"ranks disagree at collective \d of group(.|\n)*rank 1 .*broadcast", 3.0),
    "bytes": (r"ranks disagree at collective \d of group", 3.0),
    "order": (r"ranks \d and \d have collectives in different orders", 3.0),
    "control": (r"ranks \d and \d have collectives in different orders(.|\n)*control_gather, the metas of add", 3.0),
}


def check_fault(pool: Pool, kind: str) -> None:
    text, limit = KINDS[kind]
    waker = threading.Timer(TIMEOUT + 2, lambda: pool.processes[CULPRIT].send_signal(signal.SIGCONT))
    if kind == "stop":
        waker.start()
    with pytest.raises(RankFailure) as caught:
        pool.run(faulty, kind, TIMEOUT)
    errors = caught.value.errors
    assert sorted(errors) == list(range(pool.size))
    for rank, error in errors.items():
        if rank == CULPRIT and kind in ("kill", "exit", "raise"):
            assert isinstance(error, MemoryError if kind == "raise" else Died)
            continue
        assert isinstance(error, RankError)
        error_matches(error, text)
        if rank != CULPRIT or kind not in ("sleep", "stop"):
            assert float(error.__notes__[-1]) <= limit
    pool = pool_of(pool.size)  # the same processes, unless one is dead
    everyone = tuple(range(pool.size))
    assert len({tuple(result) for result in pool.run(gathered, everyone, 3, False)}) == 1


def error_matches(error: RankError, text: str) -> None:
    with pytest.raises(RankError, match=text):
        raise error


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "kill"])
def test_faults_of_two(ranks2: Pool, kind: str) -> None:
    check_fault(ranks2, kind)


@pytest.mark.parametrize("kind", ["kill", "sleep", "op"])
def test_faults_of_four(ranks4: Pool, kind: str) -> None:
    check_fault(ranks4, kind)
