"""The locks under which code is made and loaded.

`building` is of LLVM: one thread at a time uses it. A fork waits until it is free. A child that inherits it locked, or a lock of
LLVM's, waits for ever.
"""

from __future__ import annotations

import functools
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")
building = threading.RLock()
_keys: dict[str, threading.RLock] = {}


def alone(function: Callable[P, R]) -> Callable[P, R]:
    """A function that has `building`. LLVM's objects in its frame are gone before another thread, or a fork, has the lock."""

    @functools.wraps(function)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        with building:
            return function(*args, **kwargs)

    return run


@contextmanager
def making(key: str) -> Iterator[None]:
    """A block that makes what is found by this key. One thread at a time is in it; those that waited find what was made."""
    with _keys.setdefault(key, threading.RLock()):
        try:
            yield
        finally:
            _keys.pop(key, None)


os.register_at_fork(before=building.acquire, after_in_parent=building.release, after_in_child=building.release)
os.register_at_fork(after_in_child=_keys.clear)  # those who had them are not in the child
