"""Gloo: messages between hosts' memory over TCP.

Every message has a tag of its own: what it is part of, from whom, to whom, how large. Messages of ranks that disagree never meet,
and the sentinel finds out why. Gloo's collectives would take one for the other, and end the process where sizes differ.
"""

from __future__ import annotations

import contextlib
import os
import socket
import threading
from collections.abc import Callable, Sequence
from datetime import timedelta
from time import sleep
from typing import Any

from torch.distributed import PrefixStore, ProcessGroupGloo, TCPStore

from tritonflow.errors import RankError
from tritonflow.wire.memory import bytes_of
from tritonflow.wire.record import Message, Ranks, Record
from tritonflow.wire.world import Rank

_NEVER = timedelta(days=1)  # the sentinel ends waits earlier
_making = threading.Lock()


class Works:
    """Messages on their way. What is received is waited for first: what is sent has then been sent, as a rule."""

    def __init__(self) -> None:
        self.received: list[Any] = []
        self.sent: list[Any] = []

    def wait(self) -> None:
        """Wait until they have arrived.

        Raises:
            RuntimeError: a connection is broken.
        """
        for work in (*self.received, *self.sent):
            work.wait()

    def settle(self) -> None:
        """Behind a failure: wait until nothing touches their memory any more."""
        for work in (*self.received, *self.sent):
            with contextlib.suppress(RuntimeError):
                work.wait()


class GlooGroup:
    """Connections among some ranks. To make one is to wait for all of them.

    Args:
        store: where they find each other.
        ranks: who they are.
        me: which of them this is.
        check: raises if there is no use in waiting any more.
    """

    def __init__(self, store: Any, ranks: Ranks, me: int, check: Callable[[], None]) -> None:
        self._me = me
        self._positions = {rank: k for k, rank in enumerate(ranks)}
        device, port = _device()
        ports = meet(store, ranks, me, check, port)
        options = ProcessGroupGloo._Options()
        options._devices, options._timeout = [device], _NEVER
        self._group = ProcessGroupGloo(store, self._positions[me], len(ranks), options)
        self._connections = _connections(port, ports)

    @property
    def can_be_cut(self) -> bool:
        """Whether `cut` ends every wait."""
        return len(self._connections) == len(self._positions) - 1

    def start(self, works: Works, record: Record, sends: Sequence[Message], receives: Sequence[Message]) -> None:
        """Start the messages of a collective.

        First the sends. Few takers are ready for them then, so gloo's thread sends them. Sent here, they would hold a connection's
        lock, for which that thread does not sleep: half of an all-reduce's processor time went into that.
        """
        group, positions, me = self._group, self._positions, self._me
        for message in sends:
            tag = _tag(record, me, message.peer, message.nbytes)
            works.sent.append(group.send([bytes_of(message)], positions[message.peer], tag))
        for message in receives:
            tag = _tag(record, message.peer, me, message.nbytes)
            works.received.append(group.recv([bytes_of(message)], positions[message.peer], tag))

    def cut(self) -> None:
        """Cut the connections. Whoever waits gets an error, here and at the peers; gloo itself has no call that does this."""
        for descriptor, name in self._connections.items():
            with contextlib.suppress(OSError):
                if os.readlink(f"/proc/self/fd/{descriptor}") == name:
                    with socket.socket(fileno=os.dup(descriptor)) as connection:
                        connection.shutdown(socket.SHUT_RDWR)
        self._connections = {}


def meet(store: Any, ranks: Ranks, me: int, check: Callable[[], None], port: int = 0) -> list[int]:
    """Wait until every rank is about to connect, since gloo's own wait cannot be ended; the ports of all.

    Raises:
        RankError: the world has failed.
    """
    store.set(f"here {me}", str(port))
    names = [f"here {rank}" for rank in ranks]
    pause = 1e-3
    while not store.check(names):
        check()
        sleep(pause)
        pause = min(2 * pause, 0.05)
    return [int(text) for text in store.multi_get(names)]


def _device() -> tuple[Any, int]:
    """Gloo's network device, and the port that it listens on; 0 where that is not known."""
    name = os.environ.get("GLOO_SOCKET_IFNAME", "").partition(",")[0]
    with _making:
        before = {descriptor for descriptor, _ in _sockets(listening=True)}
        device = ProcessGroupGloo.create_device(interface=name) if name else ProcessGroupGloo.create_default_device()
        made = [connection for descriptor, connection in _sockets(listening=True) if descriptor not in before]
    return device, made[0][0] if len(made) == 1 else 0


def _connections(port: int, ports: Sequence[int]) -> dict[int, str]:
    """The connections between a port of this rank and ports of others: their descriptors, and the kernel's names for them."""
    found = {}
    for descriptor, (here, there) in _sockets(listening=False):
        if port and (here == port or there in ports and there != 0):
            found[descriptor] = os.readlink(f"/proc/self/fd/{descriptor}")
    return found


def _sockets(listening: bool) -> list[tuple[int, tuple[int, int]]]:
    """The TCP sockets of this process, with their ports here and there; none where Linux's /proc is not."""
    found = []
    with contextlib.suppress(FileNotFoundError):
        for descriptor in map(int, os.listdir("/proc/self/fd")):
            with contextlib.suppress(OSError):  # it is no socket, or closed by now
                ports = _ports(descriptor, listening)
                if ports is not None:
                    found.append((descriptor, ports))
    return found


def _ports(descriptor: int, listening: bool) -> tuple[int, int] | None:
    """The ports of a TCP socket that listens, or of one that is connected."""
    if not os.readlink(f"/proc/self/fd/{descriptor}").startswith("socket:"):
        return None
    with socket.socket(fileno=os.dup(descriptor)) as connection:
        if connection.family not in (socket.AF_INET, socket.AF_INET6):
            return None
        if listening != bool(connection.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN)):
            return None
        return connection.getsockname()[1], 0 if listening else connection.getpeername()[1]


def part_of(store: Any, name: str) -> Any:
    """A part of a store, with names of its own."""
    return PrefixStore(name, store)


def _tag(record: Record, source: int, target: int, nbytes: int) -> int:
    """The same number in every process (Python randomises hashes of texts, not of numbers)."""
    return hash((record.number, record.digest, source, target, nbytes)) & 0x7FFFFFFF


def connect(rank: Rank, timeout: timedelta) -> tuple[Any, bool]:
    """The store of the world, and whether this process holds it: torchrun's agent does, or rank 0 where there is none.

    Raises:
        RankError: the environment does not say where it is, or it is not there.
    """
    host, port = os.environ.get("MASTER_ADDR", ""), os.environ.get("MASTER_PORT", "")
    if not host or not port.isdigit():
        raise RankError(
            f"this is rank {rank.index} of {rank.world_size}, but MASTER_ADDR={host!r} and MASTER_PORT={port!r} do not say where"
            " the others are. help: torchrun sets them"
        )
    holds = rank.index == 0 and os.environ.get("TORCHELASTIC_USE_AGENT_STORE", "") != "True"
    try:
        store = TCPStore(host, int(port), None, holds, timeout, wait_for_workers=False, multi_tenant=True)
    except Exception as error:
        raise RankError(f"rank {rank.index} finds no store at {host}:{port}: {str(error).splitlines()[0]}") from error
    return store, holds
