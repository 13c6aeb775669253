"""Gloo: messages between hosts' memory over TCP.

Every message has a tag of its own: what it is part of, from whom, to whom, how large. Messages of ranks that disagree never meet,
and the sentinel finds out why. Gloo's collectives would take one for the other, and end the process where sizes differ.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any

from torch.distributed import PrefixStore, ProcessGroupGloo, TCPStore

from tritonflow.device import torch_memory
from tritonflow.errors import RankError
from tritonflow.wire.record import Message, Ranks, Record
from tritonflow.wire.world import Rank

_NEVER = timedelta(days=1)  # the sentinel ends waits earlier


class GlooGroup:
    """Connections among some ranks. To make one is to wait for all of them.

    Args:
        store: where they find each other.
        ranks: who they are.
        me: which of them this is.
    """

    def __init__(self, store: Any, ranks: Ranks, me: int) -> None:
        self._me = me
        self._positions = {rank: k for k, rank in enumerate(ranks)}
        self._group = ProcessGroupGloo(store, self._positions[me], len(ranks), timeout=_NEVER)

    def start(self, record: Record, sends: Sequence[Message], receives: Sequence[Message]) -> Callable[[], None]:
        """Start the messages of a collective; the call that waits for them."""
        group, positions, me = self._group, self._positions, self._me
        works = []
        for peer, address, nbytes in receives:
            data = torch_memory.host_bytes(address, nbytes, None)
            works.append(group.recv([data], positions[peer], _tag(record, peer, me, nbytes)))
        for peer, address, nbytes in sends:
            data = torch_memory.host_bytes(address, nbytes, None)
            works.append(group.send([data], positions[peer], _tag(record, me, peer, nbytes)))

        def wait() -> None:
            for work in works:
                work.wait()

        return wait


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
