"""The world: which rank this process is, and of how many.

torchrun's environment variables say it. In a simulated world every rank is a thread, and its thread state says it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from tritonflow.errors import InvalidArgumentError
from tritonflow.thread_state import thread_state


@dataclass(frozen=True)
class Rank:
    """One process of a world, or one thread of a simulated one.

    Attributes:
        index: 0 <= index < world_size.
        world_size: how many ranks there are.
        local_index: its number among the ranks of its node, and the number of its GPU.
        local_size: how many ranks its node has.
        node: the number of the node.
        nodes: how many nodes there are.
        local: what `rank_local()` gives.
    """

    index: int
    world_size: int
    local_index: int
    local_size: int
    node: int
    nodes: int
    local: dict[Any, Any] = field(default_factory=dict, compare=False, repr=False)


@dataclass(frozen=True, kw_only=True)
class SimulatedRank(Rank):
    """A rank that is a thread.

    Attributes:
        world: the simulated world (`backend_simulated.SimulatedWorld`).
        ring: the records of its collectives.
    """

    world: Any
    ring: Any


def _from_environment(variables: Mapping[str, str]) -> Rank:
    def number(name: str, default: int) -> int:
        text = variables.get(name, "")
        if text and not text.isdigit():
            raise InvalidArgumentError(f"environment variable {name}={text!r}: expected a number; torchrun sets it")
        return int(text) if text else default

    index, size = number("RANK", 0), number("WORLD_SIZE", 1)
    if index >= size:
        raise InvalidArgumentError(f"environment variables RANK={index}, WORLD_SIZE={size}: RANK must be less")
    local_index, local_size = number("LOCAL_RANK", index), number("LOCAL_WORLD_SIZE", size)
    return Rank(index, size, local_index, local_size, number("GROUP_RANK", 0), number("GROUP_WORLD_SIZE", 1))


_process: Rank | None = None
_inherited: dict[Any, Any] = {}  # what a forked process has of its parent's rank


def this_rank() -> Rank:
    """The rank of the calling thread: of a simulated world where it runs in one, else that of the process."""
    global _process
    simulated: Rank | None = thread_state.rank
    if simulated is not None:
        return simulated
    if _process is None:
        _process = replace(_from_environment(os.environ), local=_inherited)
    return _process


def join_world(index: int, world_size: int) -> Rank:
    """Let this process be a rank of a world whose program numbers its ranks itself: no launcher has set RANK.

    What it has in `rank_local()` stays.

    Raises:
        RuntimeError: there is no such rank.
    """
    global _process
    local = _inherited if _process is None else _process.local
    if not 0 <= index < world_size:
        raise InvalidArgumentError(f"rank {index} of {world_size}: expected 0 <= rank < world_size")
    given = {"RANK": str(index), "WORLD_SIZE": str(world_size)}
    _process = replace(_from_environment(os.environ | given), local=local)
    return _process


def _ask_anew() -> None:
    """A process that was alone forks: its child may be numbered by then, as launchers number what they fork."""
    global _process, _inherited
    if _process is not None and _process.world_size == 1:
        _inherited = _process.local
        _process = None


os.register_at_fork(after_in_child=_ask_anew)


def rank_local() -> dict[Any, Any]:
    """What belongs to the calling rank, such as a generator."""
    return this_rank().local
