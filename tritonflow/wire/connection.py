"""The connection of this process with the other ranks: the store, groups, couriers and the sentinel; made at first use.

torchrun's environment says where the store is. A world that has failed stays failed, until `stop` and `start`.
"""

from __future__ import annotations

import atexit
import ctypes
import os
import struct
import sys
import threading
from collections.abc import Callable, Sequence
from datetime import timedelta
from time import monotonic, sleep
from types import TracebackType
from typing import Any

from tritonflow.device.memory import DISCARD
from tritonflow.errors import ForkError, RankError
from tritonflow.settings import settings
from tritonflow.vm.dependence import TrackedBlock
from tritonflow.vm.failure import caller
from tritonflow.vm.machine import machine
from tritonflow.wire.courier import Courier
from tritonflow.wire.record import Message, Ranks, Record, Ring
from tritonflow.wire.sentinel import Sentinel
from tritonflow.wire.world import this_rank


class Lane:
    """Collectives in one order: a courier, and groups of its own."""

    def __init__(self, link: Connection, name: str) -> None:
        self._link, self._name = link, name
        self._store = link.store.clone()
        self._courier = Courier(f"tritonflow {name} courier")
        self._groups: dict[Ranks, Any] = {}

    def record(
        self, verb: str, what: str, ranks: Ranks, sends: Sequence[Message], receives: Sequence[Message]
    ) -> Record:
        """Give the next collective its number, in the thread that issues it."""
        link = self._link
        link.check_thread()
        link.sentinel.check()
        return link.ring.enter(self._name, verb, what, ranks, sends, receives, caller(4))

    def move(self, record: Record) -> None:
        """Move the bytes of a collective, and wait until they have moved.

        Raises:
            RankError: they will not.
        """
        if record.sends or record.receives:
            self._link.sentinel.check()
            self._link.sentinel.wait(record, self._courier.send(lambda: self._start(record)()))

    def _start(self, record: Record) -> Callable[[], None]:
        from tritonflow.wire.backend_gloo import GlooGroup, part_of

        group = self._groups.get(record.ranks)
        if group is None:
            store = part_of(self._store, record.group_name())
            group = self._groups[record.ranks] = GlooGroup(store, record.ranks, this_rank().index)
        wait: Callable[[], None] = group.start(record, record.sends, record.receives)
        return wait

    def stop(self) -> None:
        """Let go of the connections."""
        self._courier.stop()
        self._groups.clear()


class Connection:
    """This process as a rank.

    Args:
        epoch: which world of this process it is; the same on all ranks.
    """

    def __init__(self, epoch: int) -> None:
        from tritonflow.wire.backend_gloo import connect, part_of

        rank = this_rank()
        whole, self._holds_store = connect(rank, timedelta(seconds=settings.comm_timeout))
        self.store = part_of(whole, f"tritonflow {epoch}")
        self.ring = Ring()
        self.sentinel = Sentinel(self.store.clone(), rank.index, rank.world_size, self.ring)
        self.data, self.control = Lane(self, "data"), Lane(self, "control")
        self._thread: threading.Thread | None = None

    def check_thread(self) -> None:
        """One thread issues collectives, so that there is one order of them.

        Raises:
            RankError: another thread, which has not ended, has issued some.
        """
        current = threading.current_thread()
        if self._thread is not current:
            if self._thread is not None and self._thread.is_alive():
                raise RankError(
                    f"collectives are issued by one thread, so that all ranks have them in one order: {self._thread.name!r} has"
                    f" issued some, and {current.name!r} is about to"
                )
            self._thread = current

    def control_gather(self, ranks: Ranks, payload: bytes, what: str) -> list[bytes]:
        """What every rank gives: first the sizes, then the bytes."""
        lengths = self._gather(ranks, struct.pack("<q", len(payload)), [8] * len(ranks), what)
        return self._gather(ranks, payload, [struct.unpack("<q", length)[0] for length in lengths], what)

    def _gather(self, ranks: Ranks, payload: bytes, sizes: Sequence[int], what: str) -> list[bytes]:
        me = this_rank().index
        given = ctypes.create_string_buffer(payload, max(len(payload), 1))
        taken = {rank: ctypes.create_string_buffer(max(size, 1)) for rank, size in zip(ranks, sizes) if rank != me}
        sends = [Message(rank, ctypes.addressof(given), len(payload)) for rank in taken if payload]
        receives = [
            Message(rank, ctypes.addressof(taken[rank]), size)
            for rank, size in zip(ranks, sizes)
            if rank != me and size
        ]
        record = self.control.record("control_gather", what, ranks, sends, receives)
        try:
            self.control.move(record)
        except BaseException:
            _immortal((given, taken))  # the courier may still write there
            raise
        return [payload if rank == me else taken[rank].raw[:size] for rank, size in zip(ranks, sizes)]

    def leave(self) -> None:
        """End it: behind everything issued. Of a failed world nothing is freed, since calls into it may never return."""
        failed = self.sentinel.verdict is not None
        self.sentinel.leave()
        failed = failed or self.sentinel.verdict is not None
        if failed:
            _immortal(self)
            return
        if self._holds_store:
            end = monotonic() + settings.comm_timeout
            while monotonic() < end and not self.sentinel.others_left():
                sleep(0.02)
        self.data.stop()
        self.control.stop()


def abandon(blocks: Sequence[TrackedBlock]) -> None:
    """A call that may never return uses these: they are not given to anybody else, and stay where they are."""
    for block in blocks:
        block.free = DISCARD
    _immortal(list(blocks))


def _immortal(thing: Any) -> None:
    """It is not freed when the process ends either."""
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(thing))


_connection: Connection | None = None
_epoch = 0
_lock = threading.Lock()
_forked = False


def connection() -> Connection:
    """The connection, made at first use."""
    return _connection if _connection is not None else start()


def start() -> Connection:
    """Connect this rank with the store, and through it with the others.

    Raises:
        RankError: there is no store where the environment says.
    """
    global _connection, _epoch
    if _forked:
        raise ForkError("a forked child process is no rank: it cannot take part in collectives")
    with _lock:
        if _connection is None:
            _epoch += 1
            _connection = Connection(_epoch)
        return _connection


def stop() -> None:
    """Wait for what was issued, and end the connection. A later collective makes a new one, if all ranks stop."""
    global _connection
    link = _connection
    if link is not None:
        machine.drain("leaving the world", [stream for stream in machine.streams() if stream.kind == "communication"])
        _connection = None
        link.leave()


def restart() -> None:
    """Begin anew behind a failure: every rank that is left calls it, and no rank may be missing."""
    stop()
    start()


def report(error: BaseException) -> None:
    """Tell the other ranks, if there are any, of an exception that ends this rank's program."""
    if _connection is not None and not isinstance(error, (SystemExit, RankError)):
        _connection.sentinel.report(error)


def _at_exit() -> None:
    machine.close()
    stop()


def _except_hook(kind: type[BaseException], error: BaseException, traceback: TracebackType | None) -> None:
    report(error)
    _hook_before(kind, error, traceback)


def _forget() -> None:
    global _connection, _forked
    if _connection is not None:
        _immortal(_connection)
        _connection, _forked = None, True


_hook_before = sys.excepthook
sys.excepthook = _except_hook
atexit.register(_at_exit)
os.register_at_fork(after_in_child=_forget)
