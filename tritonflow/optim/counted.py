"""Containers of an optimizer that count their changes: while the count has not moved, a captured step need not compare them.

The option "lr" of a group is not counted: a captured step looks it up in each run.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Callable
from typing import Any

_UNCOUNTED = ("lr", "initial_lr")


class OptimizerVersion:
    """Advances when the groups, an option or the state of any optimizer is changed.

    Attributes:
        latest: the version; a new number after every change.
    """

    __slots__ = ("_numbers", "latest")

    def __init__(self) -> None:
        self._numbers = itertools.count(1)
        self.latest = 0

    def advance(self) -> None:
        """To be called after a change."""
        self.latest = next(self._numbers)


optimizer_version = OptimizerVersion()


class CountedList(list[Any]):
    """The groups of an optimizer, or the parameters of a group."""

    __slots__ = ()


class CountedDict(dict[Any, Any]):
    """What an optimizer remembers of a parameter."""

    __slots__ = ()


class CountedState(defaultdict[Any, Any]):
    """What an optimizer remembers, by parameters."""

    __slots__ = ()

    def __init__(self, *items: Any) -> None:
        super().__init__(CountedDict, *items)

    def __missing__(self, key: Any) -> Any:
        optimizer_version.advance()
        return super().__missing__(key)

    def __setitem__(self, key: Any, value: Any) -> None:
        optimizer_version.advance()
        super().__setitem__(key, CountedDict(value) if type(value) is dict else value)

    def __reduce__(self) -> Any:
        return CountedState, (dict(self),)


class CountedGroup(dict[str, Any]):
    """A group of parameters with its options."""

    __slots__ = ()

    def __setitem__(self, key: str, value: Any) -> None:
        if key not in _UNCOUNTED:
            optimizer_version.advance()
        super().__setitem__(key, value)


def counted_groups(groups: Any) -> CountedList:
    """Groups that count their changes."""
    return CountedList([counted_group(group) for group in groups])


def counted_group(group: Any) -> Any:
    """A group that counts its changes; what is no dict, as it is."""
    if type(group) is not dict:
        return group
    made = CountedGroup(group)
    if type(made.get("params")) is list:
        dict.__setitem__(made, "params", CountedList(made["params"]))
    return made


def counted_state(state: Any) -> Any:
    """A state that counts its changes."""
    if isinstance(state, CountedState) or not isinstance(state, dict):
        return state
    return CountedState({key: CountedDict(value) if type(value) is dict else value for key, value in state.items()})


def _count(kind: type, name: str) -> None:
    """Let a method advance the version."""
    method: Callable[..., Any] = getattr(kind, name)

    def counting(self: Any, *args: Any, **kwargs: Any) -> Any:
        optimizer_version.advance()
        return method(self, *args, **kwargs)

    counting.__name__ = name
    setattr(kind, name, counting)


for _name in "append extend insert remove pop clear sort reverse __setitem__ __delitem__ __iadd__ __imul__".split():
    _count(CountedList, _name)
for _name in ("__delitem__", "pop", "popitem", "clear", "update", "setdefault", "__ior__"):
    for _kind in (CountedDict, CountedState, CountedGroup):
        _count(_kind, _name)
_count(CountedDict, "__setitem__")
