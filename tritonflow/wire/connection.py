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
from functools import partial
from time import monotonic, sleep
from types import TracebackType
from typing import Any

from tritonflow.device import torch_cuda
from tritonflow.device.device import Device
from tritonflow.device.memory import DISCARD, Block
from tritonflow.errors import ForkError, RankError
from tritonflow.settings import settings
from tritonflow.vm.failure import caller
from tritonflow.vm.machine import machine
from tritonflow.wire import backend_throttled
from tritonflow.wire.courier import Courier
from tritonflow.wire.memory import CPU
from tritonflow.wire.record import Message, Ranks, Record, Ring
from tritonflow.wire.sentinel import Sentinel
from tritonflow.wire.tree import gather_over_tree
from tritonflow.wire.world import this_rank

NCCL_DEVICES = "cuda"  # a type by its name: NCCL is the library of these; bytes of others go by Gloo, through the host's memory
MANY = 64  # ranks above which a `control_gather` goes over a tree
_SETTLING = 1.0  # seconds for what waits to notice that its connections are cut


class Channel:
    """Collectives in one order: a courier, and groups of its own.

    Args:
        link: whose channel it is.
        name: "data" or "control".
        sits: whether the calling thread, which nobody interrupts, sits in gloo itself where its connections can be cut.
    """

    def __init__(self, link: Connection, name: str, sits: bool) -> None:
        self._link, self._name, self._sits = link, name, sits
        self._store = link.store.clone()
        self._courier = Courier(f"tritonflow {name} courier")
        self._groups: dict[tuple[Device, Ranks], Any] = {}  # by ranks in ascending order
        self._world = tuple(range(this_rank().world_size))

    def record(
        self, verb: str, what: str, ranks: Ranks, sends: Sequence[Message], receives: Sequence[Message]
    ) -> Record:
        """Give the next collective its number, in the thread that issues it."""
        link = self._link
        link.check_thread()
        link.sentinel.check()
        return link.ring.enter(self._name, verb, what, ranks, sends, receives, caller(4))

    def reserve(self, what: str, ranks: Ranks, count: int, digest: int) -> Record:
        """Give the collectives of a program their numbers, in the thread that issues it."""
        link = self._link
        link.check_thread()
        link.sentinel.check()
        return link.ring.reserve(self._name, what, ranks, count, digest, caller(3))

    def connects(self, device: Device) -> bool:
        """Whether messages go from device to device: every rank of this node has a GPU of its own, and torch has NCCL."""
        from torch.distributed import is_nccl_available

        return (
            device.type == NCCL_DEVICES
            and is_nccl_available()
            and this_rank().local_size <= torch_cuda.runtime.device_count()
        )

    def begin(
        self,
        record: Record,
        memory: Sequence[Any],
        sends: Sequence[Message],
        receives: Sequence[Message],
        device: Device,
    ) -> Callable[[], None]:
        """Start the messages of a collective to and from other ranks; what waits until they have moved.

        Args:
            record: of the collective.
            memory: what its messages lie in: blocks, or other objects.
            sends, receives: the messages, all on one device.

        Raises:
            RankError: they will not move; so does what waits.
        """
        if not (sends or receives):
            return _nothing
        from tritonflow.wire.backend_gloo import Works

        sentinel, works = self._link.sentinel, Works()
        sentinel.check()

        def start() -> None:
            group = self._group(record.ranks, device)
            backend_throttled.start(group, works, record, sends, receives)
            if sentinel.verdict is not None:
                group.cut()

        def guarded(call: Callable[[], None]) -> None:
            try:
                self._make(record, device, call)
            except BaseException:
                if not self._courier.send(works.settle).ended(_SETTLING):
                    abandon(memory)
                raise

        guarded(start)
        return partial(guarded, works.wait)

    def _make(self, record: Record, device: Device, call: Callable[[], None]) -> None:
        """Make a call that waits for other ranks: here, if it ends when their connections are cut, or by a courier."""
        group = self._connected(record.ranks, device) if self._sits else None
        if group is not None and group.can_be_cut:
            self._link.sentinel.sit(record, call)
        else:
            self._link.sentinel.wait(record, self._courier.send(call))

    def is_connected(self, ranks: Ranks, device: Device) -> bool:
        """Whether some ranks have connections that the sentinel can cut, so that any thread may wait for their messages."""
        group = self._connected(ranks, device)
        return self._sits and group is not None and bool(group.can_be_cut)

    def _connected(self, ranks: Ranks, device: Device) -> Any:
        """The connections that some ranks have: those among all, once these are there. That is so on all ranks, by their order."""
        return self._groups.get((device, self._world)) or self._groups.get((device, tuple(sorted(ranks))))

    def _group(self, ranks: Ranks, device: Device) -> Any:
        """The connections among some ranks, made at first use."""
        group = self._connected(ranks, device)
        if group is None:
            from tritonflow.wire.backend_gloo import part_of

            ranks = tuple(sorted(ranks))
            store = part_of(self._store, f"{self._name} {device.type} {ranks}")
            group = self._groups[device, ranks] = _connect(store, ranks, device, self._link.sentinel.check)
        return group

    def cut(self) -> None:
        """The world has failed: whoever waits gets an error."""
        for group in list(self._groups.values()):
            group.cut()

    def stop(self) -> bool:
        """Let go of the connections; whether nothing uses them any more."""
        if not self._courier.stop():
            return False
        self._groups.clear()
        return True


def _nothing() -> None:
    """What waits for no message."""


def _connect(store: Any, ranks: Ranks, device: Device, check: Callable[[], None]) -> Any:
    me = this_rank().index
    if device.type == NCCL_DEVICES:
        from tritonflow.wire.backend_nccl import NcclGroup

        return NcclGroup(store, ranks, me, device, check)
    from tritonflow.wire.backend_gloo import GlooGroup

    return GlooGroup(store, ranks, me, check)


class Connection:
    """This process as a rank.

    Args:
        epoch: which world of this process it is; the same on all ranks.
    """

    def __init__(self, epoch: int) -> None:
        from tritonflow.wire.backend_gloo import connect, part_of

        rank = this_rank()
        whole, self._holds_store = connect(rank, timedelta(seconds=settings.comm_timeout))
        # torchrun's store outlives the processes: what those before a restart have posted is not for these
        self.store = part_of(whole, f"tritonflow {os.environ.get('TORCHELASTIC_RESTART_COUNT', '0')} {epoch}")
        self.ring = Ring()
        self.data, self.control = Channel(self, "data", True), Channel(self, "control", False)
        self.sentinel = Sentinel(self.store.clone(), rank.index, rank.world_size, self.ring, self._cut)
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
        if len(ranks) > MANY:
            return gather_over_tree(self.control, ranks, this_rank().index, payload, what)
        lengths = self._gather(ranks, struct.pack("<q", len(payload)), [8] * len(ranks), what)
        return self._gather(ranks, payload, [struct.unpack("<q", length)[0] for length in lengths], what)

    def _gather(self, ranks: Ranks, payload: bytes, sizes: Sequence[int], what: str) -> list[bytes]:
        me = this_rank().index
        given = ctypes.create_string_buffer(payload, max(len(payload), 1))
        taken = {rank: ctypes.create_string_buffer(max(size, 1)) for rank, size in zip(ranks, sizes) if rank != me}
        sends = [Message(rank, ctypes.addressof(given), len(payload), CPU) for rank in taken if payload]
        sizes_of = dict(zip(ranks, sizes))
        receives = [
            Message(rank, ctypes.addressof(buffer), sizes_of[rank], CPU)
            for rank, buffer in taken.items()
            if sizes_of[rank]
        ]
        record = self.control.record("control_gather", what, ranks, sends, receives)
        record.begin()
        self.control.begin(record, [given, taken], sends, receives, CPU)()
        record.done = monotonic()
        return [payload if rank == me else taken[rank].raw[:size] for rank, size in zip(ranks, sizes)]

    def _cut(self) -> None:
        self.data.cut()
        self.control.cut()

    def leave(self) -> None:
        """End it: behind everything issued."""
        self.sentinel.leave()
        if self._holds_store:
            end = monotonic() + settings.comm_timeout
            while self.sentinel.verdict is None and monotonic() < end and not self.sentinel.others_left():
                sleep(0.02)
        stopped = [self.data.stop(), self.control.stop()]
        if not all(stopped):  # gloo would wait for ever for its threads
            _immortal(self)


def abandon(memory: Sequence[Any]) -> None:
    """A call that may never return uses this: nobody else is given it, and it stays where it is."""
    for thing in memory:
        if isinstance(thing, Block):
            thing.free = DISCARD
    _immortal(list(memory))


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
    _tell_once()
    stop()


def _tell_once() -> None:
    """Of a world that has failed, every collective that was issued has an error. The first is enough."""
    failures = machine.engine.failures
    consequences = [failure for failure in failures if isinstance(failure.error, RankError)]
    told = any(failure.told for failure in consequences) or hasattr(sys, "last_value")
    for failure in consequences if told else consequences[1:]:
        failure.told = True


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
