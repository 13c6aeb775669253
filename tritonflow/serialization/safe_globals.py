"""Classes and functions that `load` may call to unpickle objects which a file has pickled, where it does not allow all."""

from __future__ import annotations

import io
import pickle
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from tritonflow.errors import PickleRefusedError

_marked: list[Any] = []


def add_safe_globals(safe_globals: Sequence[Any]) -> None:
    """Let `load` unpickle objects that need nothing but these classes and functions.

    Args:
        safe_globals: classes and functions, or pairs of one and the full name that files have for it.

    Source: torch.serialization.add_safe_globals.
    """
    _marked.extend(safe_globals)


def get_safe_globals() -> list[Any]:
    """What `add_safe_globals` was given."""
    return list(_marked)


def clear_safe_globals() -> None:
    """Forget them all."""
    _marked.clear()


@contextmanager
def safe_globals(safe_globals: Sequence[Any]) -> Iterator[None]:
    """A block in which these are safe, too.

    Source: torch.serialization.safe_globals.
    """
    before = get_safe_globals()
    add_safe_globals(safe_globals)
    try:
        yield
    finally:
        _marked[:] = before


def unpickle(data: bytes) -> Any:
    """A pickled object that needs nothing but what is safe.

    Raises:
        PickleRefusedError: it needs something else, which is not called.
    """
    return _Unpickler(io.BytesIO(data)).load()


class _Unpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        known = dict(_named(each) for each in _marked)
        if f"{module}.{name}" not in known:
            raise PickleRefusedError(
                "it contains pickled objects, which can run any code when loaded. "
                f"help: give allow_pickle=True if you trust the file, or {module}.{name} to add_safe_globals()"
            )
        return known[f"{module}.{name}"]


def _named(marked: Any) -> tuple[str, Any]:
    """The full name of what was marked, and what it stands for."""
    if isinstance(marked, tuple):
        return marked[1], marked[0]
    return f"{marked.__module__}.{marked.__qualname__}", marked
