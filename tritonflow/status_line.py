"""A line on a terminal that says what a long first call compiles. It is erased before the program goes on.

It appears once a second was spent on work with no pause of a second in it, and only where standard error is a terminal.
`TRITONFLOW_STATUS=0` turns it off.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import threading
from time import perf_counter

from tritonflow.settings import settings

SECONDS = 1.0  # of work before the line is drawn, and of a pause after which they are counted anew

_lock = threading.RLock()
_names: list[str] = []  # of what is being done now, in all threads
_began = _ended = 0.0
_count = 0
_drawn = False
_timer: threading.Timer | None = None


def begin(name: str) -> None:
    """Something that may take long begins."""
    global _began, _count, _timer
    with _lock:
        now = perf_counter()
        if not _names and now - _ended > SECONDS:
            _began, _count = now, 0
        _count += 1
        _names.append(name)
        if not is_wanted():
            return
        if now - _began > SECONDS:
            _draw()
        elif _timer is None:
            _timer = threading.Timer(SECONDS - (now - _began), _draw_late)
            _timer.daemon = True
            _timer.start()


def end(name: str) -> None:
    """It is over."""
    global _ended, _timer
    with _lock:
        if name in _names:  # in a forked child, what began before the fork is not
            _names.remove(name)
        if _names:
            return
        _ended = perf_counter()
        if _timer is not None:
            _timer.cancel()
            _timer = None
        _erase()


def is_wanted() -> bool:
    """Whether a line may be drawn: standard error is a terminal, and the setting is on."""
    try:
        return sys.stderr is not None and sys.stderr.isatty() and settings.status
    except ValueError:  # it is closed
        return False


def _draw_late() -> None:
    global _timer
    with _lock:
        _timer = None
        if _names:
            _draw()


def _draw() -> None:
    global _drawn
    text = f"compiling {_names[-1]} ({_count} so far, {perf_counter() - _began:.0f} s)"
    width = shutil.get_terminal_size().columns - 1
    _write("\r\x1b[K" + text[:width])
    _drawn = True


def _erase() -> None:
    global _drawn
    if _drawn:
        _drawn = False
        _write("\r\x1b[K")


def _write(text: str) -> None:
    with contextlib.suppress(OSError, ValueError):  # the terminal is gone, or the stream is closed
        sys.stderr.write(text)
        sys.stderr.flush()


def _restart() -> None:
    """In a forked child, other threads' work and what they have locked are gone."""
    global _lock, _timer, _drawn
    _lock, _timer, _drawn = threading.RLock(), None, False
    _names.clear()


os.register_at_fork(after_in_child=_restart)
