"""Intervals by name: how often, and how long."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from tritonflow.errors import ArgumentValueError
from tritonflow.vm.timeline import Span

KINDS = ("range", "instruction", "kernel")


@dataclass(frozen=True)
class Average:
    """The intervals of one kind and name; times in nanoseconds, `share` of the time that was recorded."""

    kind: str
    name: str
    count: int
    total: int
    least: int
    most: int
    share: float

    @property
    def mean(self) -> float:
        """The mean time of an interval."""
        return self.total / self.count


ORDERS: dict[str, Callable[[Average], Any]] = {
    "total": lambda average: -average.total,
    "mean": lambda average: -average.mean,
    "max": lambda average: -average.most,
    "count": lambda average: -average.count,
    "name": lambda average: average.name,
}
ORDERS["cpu_time_total"], ORDERS["cpu_time"] = ORDERS["total"], ORDERS["mean"]  # torch's names


class Averages(list[Average]):
    """An `Average` for each kind and name, in the order of their first ends; prints as a table.

    Args:
        spans: what was recorded.
        wall: the nanoseconds that it took.
    """

    def __init__(self, spans: Iterable[Span], wall: int) -> None:
        times: dict[tuple[str, str], list[int]] = {}
        for span in spans:
            times.setdefault((span.kind, span.name), []).append(span.end - span.start)
        share = 1 / max(wall, 1)
        super().__init__(
            Average(*key, len(found), sum(found), min(found), max(found), sum(found) * share)
            for key, found in times.items()
        )
        self.wall = wall

    def table(self, sort_by: str = "total", row_limit: int = 100) -> str:
        """Ranges, instructions and kernels, each sorted.

        Args:
            sort_by: "total", "mean", "max", "count" or "name" (or torch's "cpu_time_total", "cpu_time"); largest first.
            row_limit: rows of each kind at most; -1: all.

        Raises:
            ValueError: another `sort_by`.
        """
        if sort_by not in ORDERS:
            raise ArgumentValueError(f"table(): sort_by must be one of {', '.join(ORDERS)}, not {sort_by!r}")
        return "\n".join(self._lines(sort_by, row_limit))

    def _lines(self, sort_by: str, row_limit: int) -> Iterator[str]:
        width = max((len(average.name) for average in self), default=0)
        width = min(max(width, 12), 60)
        for kind in KINDS:
            rows = sorted((average for average in self if average.kind == kind), key=ORDERS[sort_by])
            if not rows:
                continue
            heads = "".join(f"{head:>12}" for head in ("calls", "total ms", "mean us", "min us", "max us", "share"))
            yield f"{kind + 's':{width}}{heads}"
            for row in rows if row_limit < 0 else rows[:row_limit]:
                times = f"{row.total / 1e6:12.3f}{row.mean / 1e3:12.2f}{row.least / 1e3:12.2f}{row.most / 1e3:12.2f}"
                yield f"{row.name[:width]:{width}}{row.count:12}{times}{row.share:12.1%}"
            if 0 <= row_limit < len(rows):
                yield f"... and {len(rows) - row_limit} more"
            yield ""
        yield f"recorded: {self.wall / 1e6:.3f} ms"

    def __str__(self) -> str:
        return self.table()
