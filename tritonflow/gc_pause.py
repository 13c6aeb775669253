"""A pause of Python's garbage collector: for work that makes many small objects that stay, and for the compilers of kernels.

Python 3.11 fails with "AST constructor recursion depth mismatch" where a thread parses while another does: it lets others run
there only when a collection calls a finalizer.
"""

from __future__ import annotations

import gc
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_lock = threading.RLock()  # a finalizer may pause as well
_paused: list[int] = []  # the threads that are in such blocks, as often as they are
_was_enabled = False


@contextmanager
def gc_paused() -> Iterator[None]:
    """A block in which no collection runs: one walks over all objects of torch and Triton, takes 0.1 s and frees nothing there.

    The last one of the threads that are in such blocks ends the pause.

    Example:
        >>> import gc
        >>> with gc_paused():
        ...     gc.isenabled()
        False
    """
    global _was_enabled
    thread = threading.get_ident()
    with _lock:
        if not _paused:
            _was_enabled = gc.isenabled()
            gc.disable()
        _paused.append(thread)
    try:
        yield
    finally:
        with _lock:
            _end(thread)


def _end(thread: int) -> None:
    _paused.remove(thread)
    if not _paused and _was_enabled:
        gc.enable()


def _after_fork() -> None:
    """In a forked child the other threads are gone, and their pauses are over."""
    for thread in [thread for thread in _paused if thread != threading.get_ident()]:
        _end(thread)
    _lock.release()


os.register_at_fork(before=_lock.acquire, after_in_parent=_lock.release, after_in_child=_after_fork)
