"""Programs: many launches, fixed but for a few arguments, run as one.

The arguments of a launch are what leads in the kernel's signature: integers and floats that stay, or `Live(k, offset)`: the k-th
number given to each run, plus an offset. Where the host can know, a run ends behind a launch that sets its error word, so that what
would follow from bad indices, an optimizer's step above all, is not done. `LaunchLoop` is the plain way, which any device can
take; a provider may have a better one behind the same interface.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple


class Live(NamedTuple):
    """An argument that each run gives."""

    number: int
    offset: int = 0

    def of(self, live: Sequence[Any]) -> Any:
        """The argument, where a run is given these numbers. One without an offset is what was given: -0.0 + 0 is 0.0."""
        return live[self.number] + self.offset if self.offset else live[self.number]


class Gap(NamedTuple):
    """A number that a `ProgramForm` is filled with: the one at this position."""

    number: int


class ProgramLaunch(NamedTuple):
    """One launch of a program; of a form, any number may be a gap."""

    kernel: Any
    grid: tuple[Any, Any, Any]
    arguments: tuple[Any, ...]
    sizes: tuple[Any, ...]
    inline: bool | Gap  # in the caller, not spread over threads
    word: int | Gap = 0  # the address of the error word that it may set

    def filled(self, values: Sequence[Any]) -> ProgramLaunch:
        """The launch with numbers for its gaps."""
        return ProgramLaunch(self.kernel, *[filled(part, values) for part in self[1:]])


def filled(value: Any, values: Sequence[Any]) -> Any:
    """A number, or a tuple of some, with numbers for its gaps."""
    kind = value.__class__
    if kind is Gap:
        return values[value.number]
    if kind is Live:
        return Live(value.number, filled(value.offset, values))
    return tuple([filled(item, values) for item in value]) if kind is tuple else value


class LaunchGroup:
    """Launches with gaps that stand together in each form that has them.

    Args:
        launches: in order.

    Attributes:
        launches: as above.
        prepared: what a provider has made of them, for the next form; None until then.
    """

    __slots__ = ("launches", "prepared")

    def __init__(self, launches: Sequence[ProgramLaunch]) -> None:
        self.launches = launches
        self.prepared: Any = None


class Check(NamedTuple):
    """What it means that a launch has set its error word: the error's text and class, and the line that the op comes from."""

    message: str
    error: type[Exception]
    source_line: Callable[[], str]

    def failure(self) -> Exception:
        """What to raise."""
        return self.error(f"{self.message} (in an op issued at {self.source_line()})")


class LaunchForm:
    """Launches with gaps, of which each filling makes a program anew.

    Args:
        groups: the launches, in order.
        make: makes a program of launches without gaps.
    """

    def __init__(self, groups: Sequence[LaunchGroup], make: Callable[[Sequence[ProgramLaunch]], Any]) -> None:
        self._launches, self._make = [launch for group in groups for launch in group.launches], make

    def filled(self, values: Sequence[Any]) -> Any:
        """The program with these numbers for its gaps."""
        return self._make([launch.filled(values) for launch in self._launches])


class LaunchLoop:
    """A program as a loop over bound launches.

    Args:
        launches: in order.
        is_set: says whether the error word at an address is set, where that is known as soon as a launch returns.
    """

    atomic = False

    def __init__(self, launches: Sequence[ProgramLaunch], is_set: Callable[[int], bool] | None = None) -> None:
        self._is_set = is_set
        self._bound: list[tuple[Callable[..., None], tuple[Any, ...], Any]] = [
            (launch.kernel.bind(*launch.grid, launch.sizes, launch.inline), launch.arguments, launch.word if is_set else 0)
            for launch in launches
        ]

    def run(self, live: Sequence[Any]) -> None:
        """Launch everything with these numbers for the `Live` arguments."""
        for bound, arguments, word in self._bound:
            bound(*[a.of(live) if a.__class__ is Live else a for a in arguments])
            if word and self._is_set(word):  # type: ignore[misc]
                return
