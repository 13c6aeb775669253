"""Python's garbage collector, kept away from work that makes many small objects and keeps them."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def no_collection() -> Iterator[None]:
    """A block without collections: each is a walk over all objects of torch and Triton, 0.1 s, and frees nothing there.

    Example:
        >>> import gc
        >>> with no_collection():
        ...     gc.isenabled()
        False
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
