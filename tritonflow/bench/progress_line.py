"""A line on the terminal that says which case is measured, how many are done, and how long the rest will take."""

from __future__ import annotations

import sys
import time

BAR = 24


class ProgressLine:
    """Drawn on stderr, if that is a terminal; `clear` before anything is printed."""

    def __init__(self, total: int) -> None:
        self.total, self.start = total, time.monotonic()
        self.shown = sys.stderr.isatty()

    def show(self, done: int, label: str) -> None:
        """Say what is measured now."""
        if self.shown:
            print(f"\r\033[K{self.text(done, label, time.monotonic() - self.start)}", end="", flush=True, file=sys.stderr)

    def text(self, done: int, label: str, seconds: float) -> str:
        """The line.

        Example:
            >>> from tritonflow.bench.progress_line import ProgressLine
            >>> ProgressLine(8).text(2, "softmax", 30.0)
            '[######------------------] 2/8, 1:30 left: softmax'
        """
        filled = BAR * done // max(self.total, 1)
        left = round(seconds / done * (self.total - done)) if done else None
        rest = "" if left is None else f", {left // 60}:{left % 60:02} left"
        return f"[{'#' * filled}{'-' * (BAR - filled)}] {done}/{self.total}{rest}: {label[:50]}"

    def clear(self) -> None:
        """Take the line away."""
        if self.shown:
            print("\r\033[K", end="", flush=True, file=sys.stderr)
