"""The sentinel: a thread that finds out why ranks wait, and ends their waits with an error.

It posts to the store every half second what this rank does, and reads what the others post. Ranks of the same machine are
watched directly: the kernel tells when a process ends. The first cause that any rank finds is the verdict: it is written to the
store once, and every rank raises it, also in every later collective.
"""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import socket
import sys
import threading
from collections.abc import Callable
from time import monotonic
from traceback import format_exception_only
from typing import Any, NamedTuple

from tritonflow.errors import RankError
from tritonflow.settings import settings
from tritonflow.vm.failure import describe, line_outside
from tritonflow.wire.courier import Errand
from tritonflow.wire.record import BRANCHED, Record, Ring, describe_collective, disagreement, rank_names

_PERIOD = 0.5
_STUCK = 0.3  # seconds in a collective behind which a rank posts its records, and asks the others for theirs
_TOLD = 64  # how many
_PATIENCE = 1.0  # seconds beyond the timeout for the records, where every rank has come
_GRACE = 2.0  # seconds that a broken connection waits for the sentinel to say why it broke

State = dict[str, Any]


class _Wait(NamedTuple):
    """A thread that waits in a collective: from when on, and for whom; nobody where it sits in the call itself."""

    since: float
    errand: Errand | None


class Sentinel:
    """What one rank knows of the others.

    Args:
        store: a connection to the store of its own.
        me: this rank.
        size: of the world.
        ring: the records of this rank's collectives.
        cut: called when the world has failed.
    """

    def __init__(self, store: Any, me: int, size: int, ring: Ring, cut: Callable[[], None]) -> None:
        self._cut = cut
        self._store, self._me, self._size, self._ring = store, me, size, ring
        self.verdict: str | None = None
        self._decided = threading.Event()
        self._waits: dict[Record, _Wait] = {}
        self._states: dict[int, State] = {}
        self._beat = 0
        self._status = "runs"
        self._host = {"pid": os.getpid(), "host": socket.gethostname(), "machine": _machine()}
        self._main = threading.main_thread().ident
        self._lock = threading.Lock()  # of the store
        self._selector = selectors.DefaultSelector()
        self._wakeup = os.pipe()
        self._selector.register(self._wakeup[0], selectors.EVENT_READ, None)
        self._watched: set[int] = set()
        self._stopping = False
        self._post()
        self._thread = threading.Thread(target=self._run, name="tritonflow sentinel", daemon=True)
        self._thread.start()

    # -------------------------------------------------------------------------------------- for other threads

    def check(self) -> None:
        """Raise if the world has failed."""
        if self.verdict is not None:
            raise RankError(self.verdict)

    def wait(self, record: Record, errand: Errand) -> Any:
        """Wait, for a collective, until a courier's call has ended; what it returns.

        Raises:
            RankError: the world has failed, or a connection broke.
        """
        self._waits[record] = _Wait(monotonic(), errand)
        try:
            if self.verdict is not None:
                errand.open()
            if errand.wait() and errand.error is None:
                return errand.result
            if errand.error is not None:
                self._explain(record, errand.error)
        finally:
            del self._waits[record]
        raise self._error(record)

    def sit(self, record: Record, call: Callable[[], None]) -> None:
        """Make, for a collective, a call that ends when connections are cut; otherwise as `wait`."""
        self._waits[record] = _Wait(monotonic(), None)
        try:
            call()
            return
        except Exception as error:
            self._explain(record, error)
        finally:
            del self._waits[record]
        raise self._error(record)

    def _error(self, record: Record) -> RankError:
        return RankError(f"{self.verdict}\n  this rank waits in collective {record.number}, {record.text()}")

    def _explain(self, record: Record, error: BaseException) -> None:
        """A connection broke: that is a consequence. Wait until the cause is known, for a while."""
        self._wake()
        if not self._decided.wait(_GRACE):
            text = str(error).splitlines()[0].rpartition("] ")[2] if str(error) else type(error).__name__
            self.fail(f"rank {self._me} lost a connection in collective {record.number}, {record.text()}: {text}")

    def fail(self, text: str) -> None:
        """Write a verdict, unless there is one, and act by the one that there is."""
        verdict = text
        with contextlib.suppress(Exception), self._lock:  # the store itself may be gone
            verdict = self._store.compare_set("verdict", "", text).decode() or text
        self._take(verdict)

    def report(self, error: BaseException) -> None:
        """Tell the other ranks of an exception that ends this rank's program."""
        if self.verdict is None:
            at = _last_line(error)
            last = "".join(format_exception_only(type(error), error)).strip()
            self.fail(f"rank {self._me} failed: {last}" + (f"\n  at {at}" if at else ""))

    def leave(self) -> None:
        """This rank's program has ended."""
        self._status = "ended"
        self._stopping = True
        self._wake()
        self._thread.join(2 * _PERIOD)

    def others_left(self) -> bool:
        """Whether every other rank has ended."""
        self._read()
        others = [self._states.get(rank) for rank in range(self._size) if rank != self._me]
        return all(state is not None and state["status"] != "runs" for state in others)

    def _wake(self) -> None:
        os.write(self._wakeup[1], b"x")

    # -------------------------------------------------------------------------------------- the thread

    def _run(self) -> None:
        while not self._stopping and self.verdict is None:
            for key, _ in self._selector.select(_PERIOD):
                if key.data is None:
                    os.read(self._wakeup[0], 4096)
                else:
                    self._dead(key.data, key.fd)
            try:
                self._post()
                self._read()
                self._watch()
                self._judge()
            except Exception as error:
                if not self._stopping:
                    self._take(f"rank {self._me} has lost the store, which the launcher or rank 0 holds: {error}")
        with contextlib.suppress(Exception):
            self._post()

    def _take(self, verdict: str) -> None:
        """The world has failed: every wait ends."""
        if self.verdict is None:
            self.verdict = verdict
        self._decided.set()
        for wait in list(self._waits.values()):
            if wait.errand is not None:
                wait.errand.open()
        self._cut()

    # -------------------------------------------------------------------------------------- the store

    def _post(self) -> None:
        self._beat += 1
        last = self._ring.last(1)
        waits = [record.facts() for record in list(self._waits)]  # before what is issued: see `_are_apart`
        state: State = {
            **self._host,
            "beat": self._beat,
            "status": self._status,
            "line": self._line(),
            "issued": self._ring.numbers(),
            "last": last[0].facts() if last else None,
            "waits": waits,
        }
        with self._lock:
            if self._is_stuck() or self._store.check(["ask"]):
                state["records"] = [record.facts() for record in self._ring.last(_TOLD)]
            self._store.set(f"state {self._me}", json.dumps(state))

    def _read(self) -> None:
        with self._lock:
            if self._store.check(["verdict"]):
                self._take(self._store.get("verdict").decode())
            others = [rank for rank in range(self._size) if rank != self._me]
            known = [rank for rank in others if rank in self._states or self._store.check([f"state {rank}"])]
            texts = self._store.multi_get([f"state {rank}" for rank in known]) if known else []
        for rank, text in zip(known, texts):
            state = json.loads(text)
            before = self._states.get(rank)
            moved = before is None or before["beat"] != state["beat"]
            state["seen"] = monotonic() if moved or before is None else before["seen"]
            self._states[rank] = state

    def _ask(self) -> None:
        with self._lock:
            self._store.set("ask", "1")

    # -------------------------------------------------------------------------------------- processes of this machine

    def _watch(self) -> None:
        """Have the kernel tell when a process of this machine ends."""
        for rank, state in self._states.items():
            if rank in self._watched or state["machine"] != self._host["machine"] or not hasattr(os, "pidfd_open"):
                continue
            self._watched.add(rank)
            try:
                self._selector.register(os.pidfd_open(state["pid"]), selectors.EVENT_READ, rank)
            except ProcessLookupError:
                self._gone(rank)
            except OSError:  # a kernel without them
                pass

    def _dead(self, rank: int, descriptor: int) -> None:
        self._selector.unregister(descriptor)
        os.close(descriptor)
        self._gone(rank)

    def _gone(self, rank: int) -> None:
        self._read()
        state = self._states[rank]
        if state["status"] == "runs":
            self.fail(
                f"rank {rank} (host {state['host']}, pid {state['pid']}) is gone: its process has ended; {_doing(state)}"
            )

    # -------------------------------------------------------------------------------------- judging

    def _is_stuck(self) -> bool:
        now = monotonic()
        return any(now - wait.since > _STUCK for wait in list(self._waits.values()))

    def _judge(self) -> None:
        """Look for the cause of a wait of this rank."""
        for record, wait in list(self._waits.items()):
            waited = monotonic() - wait.since
            if waited > _STUCK:
                self._ask()
                self._compare(record)
                self._cross(record)
            self._missing(record, waited)

    def _compare(self, record: Record) -> None:
        """Ranks that came to the same number with something else."""
        theirs = {rank: self._record_of(rank, record) for rank in record.ranks if rank != self._me}
        came = {rank: facts for rank, facts in theirs.items() if facts is not None}
        if not any(facts["digest"] != record.digest for facts in came.values()) and not self._sizes_differ(
            record, came
        ):
            return
        texts = {rank: _text(facts) for rank, facts in came.items()}
        texts[self._me] = _text(record.facts())
        before = self._ring.find(record.channel, record.ranks, record.number - 1)
        self.fail(
            disagreement(record.number, record.ranks, texts, f"{record.number - 1}, {before.text()}" if before else "")
        )

    def _cross(self, record: Record) -> None:
        """A rank that waits for this one in a collective to which this one cannot come, which waits for that one in `record`."""
        for rank in {message.peer for message in record.receives}:
            for facts in self._states.get(rank, {}).get("waits", ()):
                if str(self._me) in facts["receives"] and self._are_apart(record, rank, facts):
                    self.fail(
                        f"ranks {self._me} and {rank} have collectives in different orders"
                        f"\n  {rank_names([self._me]):<16}waits in {record.text()}"
                        f"\n  {rank_names([rank]):<16}waits in {_text(facts)}"
                    )

    def _are_apart(self, record: Record, rank: int, facts: Any) -> bool:
        """Whether neither has begun what the other waits in; or each, waiting where it issues, has not issued it."""
        theirs = self._ring.find(facts["channel"], tuple(facts["ranks"]), facts["number"])
        if theirs is None:
            return record.blocks and facts["blocks"] and not self._has_come(rank, record)
        mine = self._record_of(rank, record)
        same = theirs.channel == record.channel and mine is not None
        return same and not _has_begun(theirs.facts(), facts["number"]) and not _has_begun(mine, record.number)

    def _sizes_differ(self, record: Record, came: dict[int, Any]) -> bool:
        mine = record.facts()
        for rank, facts in came.items():
            if facts["count"] > 1:  # a program's, whose sizes are compared when it is made
                continue
            if mine["sends"].get(str(rank), 0) != facts["receives"].get(str(self._me), 0):
                return True
            if mine["receives"].get(str(rank), 0) != facts["sends"].get(str(self._me), 0):
                return True
        return False

    def _record_of(self, rank: int, record: Record) -> Any:
        state = self._states.get(rank)
        for facts in (state or {}).get("records", ()):
            if (
                facts["channel"] == record.channel
                and facts["ranks"] == list(record.ranks)
                and 0 <= record.number - facts["number"] < facts["count"]
            ):
                return facts
        return None

    def _missing(self, record: Record, waited: float) -> None:
        """Ranks that will not come, or have not come in time."""
        absent = [rank for rank in record.ranks if rank != self._me and not self._has_come(rank, record)]
        ended = [rank for rank in absent if self._states.get(rank, {}).get("status") == "ended"]
        if ended:
            self.fail(
                f"{rank_names(ended)} ended; the others wait in collective {record.number}, {record.text()}\n  {BRANCHED}"
            )
        elif waited > settings.comm_timeout + (0 if absent else _PATIENCE):
            lines = [f"rank {self._me} has waited {waited:.0f} s in collective {record.number}, {record.text()}"]
            for rank in record.ranks:
                if rank != self._me:
                    came = "has come too" if rank not in absent else "has not come"
                    lines.append(f"  rank {rank} {came}: {self._where(rank)}")
            lines.append(f"  help: TRITONFLOW_COMM_TIMEOUT has the seconds. {BRANCHED}")
            self.fail("\n".join(lines))

    def _has_come(self, rank: int, record: Record) -> bool:
        state = self._states.get(rank)
        return state is not None and state["issued"].get(record.group_name(), 0) >= record.number

    def _where(self, rank: int) -> str:
        state = self._states.get(rank)
        if state is None:
            return "it has not started"
        silent = monotonic() - state["seen"]
        heard = f"nothing was heard of it for {silent:.0f} s; " if silent > 4 * _PERIOD else ""
        return heard + _doing(state)

    def _line(self) -> str:
        """Where the main thread is."""
        frame = sys._current_frames().get(self._main) if self._main is not None else None
        return describe(line_outside(frame)) if frame is not None else ""


def _has_begun(facts: dict[str, Any], number: int) -> bool:
    begun: int = facts["begun"]
    return number < facts["number"] + begun


def _text(facts: dict[str, Any]) -> str:
    return describe_collective(facts["verb"], facts["what"], facts["at"])


def _doing(state: State) -> str:
    """What a rank did last."""
    if state["waits"]:
        facts = state["waits"][0]
        return f"it waits in collective {facts['number']} of group {facts['ranks']}, {_text(facts)}"
    last = state["last"]
    behind = f", behind collective {last['number']} of group {last['ranks']}, {_text(last)}" if last else ""
    return f"last seen at {state['line']}{behind}"


def _last_line(error: BaseException) -> str:
    """Where the user's program raised."""
    traceback, found = error.__traceback__, ""
    while traceback is not None:
        found = describe((traceback.tb_frame.f_code, traceback.tb_lasti))
        traceback = traceback.tb_next
    return found


def _machine() -> str:
    """Which numbers of processes mean the same: those of one machine and namespace."""
    try:
        with open("/proc/sys/kernel/random/boot_id") as file:
            return file.read().strip() + os.readlink("/proc/self/ns/pid")
    except OSError:
        return f"{socket.gethostname()} {os.getpid()}"
