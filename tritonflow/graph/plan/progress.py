"""What a person in front of a terminal sees of a compilation, or of tuning, that takes more than a second."""

from __future__ import annotations

import sys
import time

_PATIENCE = 1.0


class Progress:
    """Says on standard error, in one line, how much is done; only on a terminal, and only once it takes long.

    Args:
        what: that is counted, and what is done with it.
    """

    def __init__(self, what: str = "kernels compiled") -> None:
        self._what = what
        self._start = time.monotonic()

    def __call__(self, count: int, total: int) -> None:
        """So many of so many are done."""
        seconds = time.monotonic() - self._start
        if seconds < _PATIENCE or not sys.stderr.isatty():
            return
        end = "\n" if count == total else ""
        print(f"\rtritonflow: {count} of {total} {self._what} ({seconds:.0f} s)", end=end, file=sys.stderr, flush=True)
