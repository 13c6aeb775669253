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
    """Messages on their way."""

    def __init__(self) -> None:
        self.all: list[Any] = []

    def wait(self) -> None:
        """Wait until they have arrived.

        Raises:
            RuntimeError: a connection is broken.
        """
        for work in self.all:
            work.wait()

    def settle(self) -> None:
        """Behind a failure: wait until nothing touches their memory any more."""
        for work in self.all:
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
        meet(store, ranks, me, check)
        with _making:
            before = _connections()
            self._group = ProcessGroupGloo(store, self._positions[me], len(ranks), timeout=_NEVER)
            made = {descriptor: name for descriptor, name in _connections().items() if before.get(descriptor) != name}
        # somebody else may have connected in the meantime
        self._connections = made if len(made) == len(ranks) - 1 else {}

    def start(self, works: Works, record: Record, sends: Sequence[Message], receives: Sequence[Message]) -> None:
        """Start the messages of a collective."""
        group, positions, me = self._group, self._positions, self._me
        for message in receives:
            tag = _tag(record, message.peer, me, message.nbytes)
            works.all.append(group.recv([bytes_of(message)], positions[message.peer], tag))
        for message in sends:
            tag = _tag(record, me, message.peer, message.nbytes)
            works.all.append(group.send([bytes_of(message)], positions[message.peer], tag))

    def cut(self) -> None:
        """Cut the connections. Whoever waits gets an error, here and at the peers; gloo itself has no call that does this."""
        now = _connections()
        for descriptor, name in self._connections.items():
            if now.get(descriptor) == name:
                with contextlib.suppress(OSError), socket.socket(fileno=os.dup(descriptor)) as connection:
                    connection.shutdown(socket.SHUT_RDWR)
        self._connections = {}


def meet(store: Any, ranks: Ranks, me: int, check: Callable[[], None]) -> None:
    """Wait until every rank is about to connect: gloo's own wait cannot be ended."""
    store.set(f"here {me}", "")
    names = [f"here {rank}" for rank in ranks]
    pause = 1e-3
    while not store.check(names):
        check()
        sleep(pause)
        pause = min(2 * pause, 0.05)


def _connections() -> dict[int, str]:
    """The connected TCP sockets of this process but those to the store, by descriptor; none where there is no /proc."""
    found = {}
    with contextlib.suppress(OSError):
        for text in os.listdir("/proc/self/fd"):
            with contextlib.suppress(OSError):
                name = os.readlink(f"/proc/self/fd/{text}")
                if name.startswith("socket:") and _is_peer(int(text)):
                    found[int(text)] = name
    return found


def _is_peer(descriptor: int) -> bool:
    with socket.socket(fileno=os.dup(descriptor)) as connection:
        if connection.family not in (socket.AF_INET, socket.AF_INET6):
            return False
        port = os.environ.get("MASTER_PORT", "")
        return port not in (str(connection.getpeername()[1]), str(connection.getsockname()[1]))


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
