"""The programs that a function was captured as, by kinds of calls."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from typing import Any

from tritonflow.graph.api.call import Call, CallKind
from tritonflow.graph.api.captured import Captured

CACHE_SIZE = 16


class Programs:
    """A cache: of each kind of call a few programs, the latest first. Kinds that were not called for long go.

    Example:
        >>> from tritonflow.graph.api.programs import Programs
        >>> bool(Programs())
        False
    """

    def __init__(self) -> None:
        self._kinds: OrderedDict[tuple[Any, ...], list[Captured]] = OrderedDict()  # by the keys of calls

    def __bool__(self) -> bool:
        return bool(self._kinds)

    def __iter__(self) -> Iterator[Captured]:
        return iter([captured for each in self._kinds.values() for captured in each])

    def find(self, call: Call) -> tuple[Captured, Call] | None:
        """The program for a call, and the call as its own."""
        captures = self._kinds.get(call.key)
        if captures is None:
            return None
        self._kinds.move_to_end(call.key)
        for captured in captures:
            own = captured.call_of(call)
            if own is not None and not captured.difference(own.numbers, own.given):
                return captured, own
        return None

    def add(self, call: Call, captured: Captured) -> None:
        """Put in a program for a call."""
        captures = self._kinds.setdefault(call.key, [])
        captures.insert(0, captured)
        del captures[CACHE_SIZE:]
        while len(self._kinds) > CACHE_SIZE:
            self._kinds.popitem(last=False)

    def is_full(self, call: Call) -> bool:
        """Whether a program for a call makes that of another kind go."""
        return call.key not in self._kinds and len(self._kinds) >= CACHE_SIZE

    def of_kind(self, call: Call) -> list[Captured]:
        """The programs for calls of one kind, the latest first."""
        return self._kinds.get(call.key, [])

    def last(self) -> Captured | None:
        """The program for the kind of call that was made last."""
        return next((captures[0] for captures in reversed(self._kinds.values())), None)

    def what_is_new(self, call: Call) -> str:
        """What there is in a call for which no program is right; there are some."""
        last, kind = CallKind._make(next(reversed(self._kinds))), call.kind
        if last == kind:
            latest = self._kinds[call.key][0]
            own = latest.call_of(call)
            return "what kind of values its states have" if own is None else latest.difference(own.numbers, own.given)
        if last.structure != kind.structure:
            return "the structure of the inputs"
        if last.metas != kind.metas:
            return "; ".join(f"{a!r} became {b!r}" for a, b in zip(last.metas, kind.metas) if a is not b)
        return "a mode around the call, whether inputs require gradients, or a setting of the graph"
