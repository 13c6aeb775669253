"""Which configuration a planner takes: the rule's, or another one, which a graph has found to be faster.

A planner calls `choose` once, with candidates that differ in tiles, warps and stages: never in the order in which a number is
added up, so that tuning changes no bit of a result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple, TypeVar

from tritonflow.thread_state import thread_state

Config = dict[str, Any]
T = TypeVar("T")


@contextmanager
def folded_weight() -> Iterator[None]:
    """A block in which planners are asked for products whose second operand is laid out once, not in each run."""
    before, thread_state.folded_weight = thread_state.folded_weight, True
    try:
        yield
    finally:
        thread_state.folded_weight = before


def has_folded_weight() -> bool:
    """Whether a planner is asked for such a product."""
    return thread_state.folded_weight


class Choice(NamedTuple):
    """What a node's kernels run with.

    Attributes:
        candidates: configurations, the rule's first.
        seconds: the least that each took which was run, by its number.
        number: of the candidate that is taken.
        settled: whether the times told; if not, this is for this process alone.
    """

    candidates: list[Config]
    seconds: dict[int, float]
    number: int
    settled: bool = True


def choose(candidates: Iterable[Config]) -> Config:
    """The first of the candidates, which is the rule's; in a planner that is called by `ask` the one that is asked for."""
    take = thread_state.configuration
    config: Config = next(iter(candidates)) if take is None else take(candidates)
    return config


def ask(planner: Callable[[], T], number: int = 0) -> tuple[T, list[Config]]:
    """What a planner gives with the candidate of that number, and its candidates: none if it has no choice."""
    found: list[Config] = []

    def take(candidates: Iterable[Config]) -> Config:
        assert not found, "a plan has one configuration"
        found.extend(candidates)
        return found[number]

    before, thread_state.configuration = thread_state.configuration, take
    try:
        return planner(), found
    finally:
        thread_state.configuration = before
