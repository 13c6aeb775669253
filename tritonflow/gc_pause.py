"""A pause of Python's garbage collector: for work that makes many small objects that stay, and for the compilers of kernels.

Python 3.11 fails with "AST constructor recursion depth mismatch" where a thread parses while another does: it lets others run
there only when a collection calls a finalizer.
"""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_lock = threading.RLock()  # a finalizer may pause as well
_pauses = 0
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
    global _pauses, _was_enabled
    with _lock:
        if not _pauses:
            _was_enabled = gc.isenabled()
            gc.disable()
        _pauses += 1
    try:
        yield
    finally:
        with _lock:
            _pauses -= 1
            if not _pauses and _was_enabled:
                gc.enable()
