"""Intervals by name: how often, how long, how much memory; as rows of a table."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, NamedTuple

from tritonflow.device.device import is_gpu
from tritonflow.errors import ArgumentValueError
from tritonflow.vm.failure import describe
from tritonflow.vm.timeline import Span

TITLES = {
    "range": "ranges", "instruction": "instructions", "kernel": "kernels", "compile": "compiled kernels",
    "load": "kernels from disk", "capture": "captured graphs", "plan": "planned graphs",
}  # fmt: skip


@dataclass(frozen=True)
class Average:
    """The intervals of one kind and name.

    Attributes:
        kind: "range", "instruction", "kernel"; of compilations "compile", "load", "capture", "plan".
        name, key: of the op, kernel, range or graph.
        count: how many intervals.
        total, least, most: nanoseconds, of all and of single ones.
        share: `total` as part of the time that was recorded.
        self_total: `total` without the intervals of the same thread that lie inside.
        shapes: of the inputs; None where they were not recorded, or intervals are not grouped by them.
        nbytes: of the tensors that the instructions made.
        flops: the operations that they took.
        line: of the program, where intervals are grouped by it.
        device: where they ran; "python" for ranges and compilations.
        is_inside: whether an interval lies in another one of its thread.
    """

    kind: str
    name: str
    count: int
    total: int
    least: int
    most: int
    share: float
    self_total: int = 0
    shapes: tuple[tuple[int, ...], ...] | None = None
    nbytes: int = 0
    flops: int = 0
    line: str = ""
    device: str = ""
    is_inside: bool = False

    @property
    def mean(self) -> float:
        """The mean time of an interval, in nanoseconds."""
        return self.total / self.count

    def rate(self) -> str:
        """Billions of operations a second, of an instruction on a CPU: on a GPU launches alone are timed."""
        return f"{self.flops / self.total:.2f}" if self.flops and self.total and not is_gpu(self.device) else ""

    # ---- torch's names; times in microseconds

    @property
    def key(self) -> str:
        return self.name

    @property
    def cpu_time_total(self) -> float:
        return self.total / 1e3

    @property
    def cpu_time(self) -> float:
        return self.mean / 1e3

    @property
    def self_cpu_time_total(self) -> float:
        return self.self_total / 1e3

    @property
    def device_time_total(self) -> float:
        """0 for what runs on the CPU; NaN on a GPU, of which launches alone are timed."""
        return math.nan if is_gpu(self.device) else 0.0

    device_time = self_device_time_total = cuda_time = cuda_time_total = self_cuda_time_total = device_time_total

    @property
    def cpu_memory_usage(self) -> int:
        return self.nbytes * (not is_gpu(self.device))

    @property
    def device_memory_usage(self) -> int:
        return self.nbytes * is_gpu(self.device)

    self_cpu_memory_usage = cpu_memory_usage
    self_device_memory_usage = cuda_memory_usage = self_cuda_memory_usage = device_memory_usage

    @property
    def input_shapes(self) -> list[list[int]]:
        return [list(shape) for shape in self.shapes or ()]


Order = Callable[[Average], Any]
ORDERS: dict[str, Order] = {
    "total": lambda average: -average.total,
    "self": lambda average: -average.self_total,
    "mean": lambda average: -average.mean,
    "max": lambda average: -average.most,
    "bytes": lambda average: -average.nbytes,
    "count": lambda average: -average.count,
    "name": lambda average: average.name,
}
for _device in ("cpu", "cuda", "xpu", "device"):  # torch's names
    ORDERS[f"{_device}_time_total"], ORDERS[f"{_device}_time"] = ORDERS["total"], ORDERS["mean"]
    ORDERS[f"self_{_device}_time_total"] = ORDERS["self"]
    ORDERS[f"{_device}_memory_usage"] = ORDERS[f"self_{_device}_memory_usage"] = ORDERS["bytes"]


class Columns(NamedTuple):
    """What a table has besides names and times.

    Attributes:
        shapes, lines: of inputs, and of the program; instructions that differ in them have rows of their own.
        memory: the bytes of the tensors that were made.
        flops: operations and their rate.
    """

    shapes: bool = False
    lines: bool = False
    memory: bool = False
    flops: bool = False


class Averages(list[Average]):
    """An `Average` for each kind and name, in the order of their first ends; prints as a table.

    Args:
        spans: what was recorded.
        wall: the nanoseconds that it took.
        shows: the columns of its table.
    """

    def __init__(self, spans: Sequence[Span], wall: int, shows: Columns = Columns()) -> None:  # noqa: B008
        groups: dict[tuple[Any, ...], list[tuple[Span, int, bool]]] = {}
        for span, (own, inside) in zip(spans, nested(spans)):
            key = _key(span, shows.shapes, shows.lines)
            groups.setdefault(key, []).append((span, own, inside))
        super().__init__(_average(key, found, wall) for key, found in groups.items())
        self.wall = wall
        self._shows = shows

    @property
    def self_cpu_time_total(self) -> float:
        """Microseconds of all intervals, none counted twice."""
        return sum(average.self_total for average in self) / 1e3

    def total_average(self) -> Average:
        """All instructions as one row."""
        rows = [average for average in self if average.kind == "instruction"]
        return Average(
            "instruction", "Total", sum(r.count for r in rows), sum(r.total for r in rows), min((r.least for r in rows), default=0),
            max((r.most for r in rows), default=0), sum(r.share for r in rows), sum(r.self_total for r in rows), None,
            sum(r.nbytes for r in rows), sum(r.flops for r in rows),
        )  # fmt: skip

    def table(
        self,
        sort_by: str | None = "total",
        row_limit: int = 100,
        max_src_column_width: int = 75,
        max_name_column_width: int = 60,
        max_shapes_column_width: int = 80,
        header: str | None = None,
        top_level_events_only: bool = False,
    ) -> str:
        """Ranges, instructions, kernels and compilations, each sorted.

        Args:
            sort_by: "total", "self", "mean", "max", "bytes", "count" or "name", or torch's names such as "cpu_time_total"; largest
                first. None: the order of their first ends.
            row_limit: rows of each kind at most; -1: all.
            max_src_column_width, max_name_column_width, max_shapes_column_width: characters of lines, names and shapes.
            header: a line above.
            top_level_events_only: leave out what ran inside of something else.

        Raises:
            ValueError: another `sort_by`.
        """
        if sort_by is not None and sort_by not in ORDERS:
            raise ArgumentValueError(f"table(): sort_by must be one of {', '.join(ORDERS)}, not {sort_by!r}")
        order = None if sort_by is None else ORDERS[sort_by]
        longest = max(len(text) for text in (*TITLES.values(), *(average.name for average in self)))
        name = max(min(longest, max_name_column_width), 20)
        lines = [header] if header else []
        for title, rows in self._sections(order, top_level_events_only):
            shown = rows if row_limit < 0 else rows[:row_limit]
            cells = [[title, *self._heads()], *map(self._cells, shown)]
            lines += _text_lines(cells, name, max_shapes_column_width, max_src_column_width)
            if len(shown) < len(rows):
                lines.append(f"... and {len(rows) - len(shown)} more")
            lines.append("")
        return "\n".join([*lines, self._foot()])

    def _sections(self, order: Order | None, top: bool) -> Iterator[tuple[str, list[Average]]]:
        for kind, title in TITLES.items():
            rows = [average for average in self if average.kind == kind and not (top and average.is_inside)]
            if rows:
                yield title, rows if order is None else sorted(rows, key=order)

    def _heads(self) -> list[str]:
        heads = ["calls", "total ms", "self ms", "mean us", "min us", "max us", "share"]
        heads += ["bytes made"] * self._shows.memory + ["MFLOP", "GFLOP/s"] * self._shows.flops
        return heads + ["  shapes"] * self._shows.shapes + ["  line"] * self._shows.lines

    def _cells(self, row: Average) -> list[str]:
        sums, singles = (row.total, row.self_total), (row.mean, row.least, row.most)
        times = [*(f"{time / 1e6:.3f}" for time in sums), *(f"{time / 1e3:.2f}" for time in singles)]
        cells = [row.name, str(row.count), *times, f"{row.share:.1%}"]
        cells += [f"{row.nbytes:,}" if row.nbytes else ""] * self._shows.memory
        cells += [f"{row.flops / 1e6:.3f}" if row.flops else "", row.rate()] * self._shows.flops
        cells += [f"  {row.input_shapes}" if row.shapes is not None else ""] * self._shows.shapes
        return cells + [f"  {row.line}" if row.line else ""] * self._shows.lines

    def _foot(self) -> str:
        return f"recorded: {self.wall / 1e6:.3f} ms"

    def __str__(self) -> str:
        return self.table()

    __repr__ = __str__

    def _repr_html_(self) -> str:
        """For notebooks: the same tables."""
        parts = []
        for title, rows in self._sections(ORDERS["total"], False):
            heads = "".join(f"<th>{escape(head)}</th>" for head in (title, *self._heads()))
            cells = "".join("<tr>" + "".join(f"<td>{escape(c)}</td>" for c in self._cells(row)) + "</tr>" for row in rows[:100])
            parts.append(f"<table><thead><tr>{heads}</tr></thead><tbody>{cells}</tbody></table>")
        return "".join(parts) + f"<p>{escape(self._foot())}</p>"


class Events(list[Span]):
    """What a profile recorded, in the order in which it ended.

    Args:
        spans: the intervals.
        wall: the nanoseconds that all of it took.
        recorded: which details they have.
    """

    def __init__(self, spans: Sequence[Span], wall: int, recorded: Columns) -> None:
        super().__init__(spans)
        self._wall, self._recorded = wall, recorded

    def key_averages(
        self, group_by_input_shapes: bool = False, group_by_stack_n: int = 0, group_by_overload_name: bool = False
    ) -> Averages:
        """Calls and times by name, as of `profile.key_averages`."""
        by_line = group_by_stack_n > 0
        for wanted, found, option in (
            (group_by_input_shapes, self._recorded.shapes, "record_shapes"), (by_line, self._recorded.lines, "with_stack"),
        ):  # fmt: skip
            if wanted and not found:
                warnings.warn(f"profile.key_averages(): there is nothing to group by; help: profile({option}=True)", stacklevel=3)
        return Averages(self, self._wall, self._recorded._replace(shapes=group_by_input_shapes, lines=by_line))

    def total_average(self) -> Average:
        """All instructions as one row."""
        return self.key_averages().total_average()

    def table(self, **options: Any) -> str:
        """The rows of `key_averages()` as text."""
        return self.key_averages().table(**options)

    @property
    def self_cpu_time_total(self) -> float:
        """Microseconds of all instructions."""
        return self.key_averages().self_cpu_time_total


def nested(spans: Sequence[Span]) -> list[tuple[int, bool]]:
    """For each interval its time without those of the same thread that lie inside, and whether it lies in another one."""
    own = [span.end - span.start for span in spans]
    inside = [False] * len(spans)
    stacks: dict[str, list[int]] = {}
    for k in sorted(range(len(spans)), key=lambda k: (spans[k].start, -spans[k].end, -k)):
        span = spans[k]
        stack = stacks.setdefault(span.thread, [])
        while stack and spans[stack[-1]].end < span.end:
            stack.pop()
        if stack and span.start < spans[stack[-1]].end:
            own[stack[-1]] -= span.end - span.start
            inside[k] = True
        stack.append(k)
    return list(zip(own, inside))


def _key(span: Span, by_shape: bool, by_line: bool) -> tuple[Any, ...]:
    name = "ProfilerStep*" if span.kind == "range" and span.name.startswith("ProfilerStep#") else span.name
    if span.details is None:
        return span.kind, name, None, ""
    line = span.details.source_line
    return span.kind, name, span.details.shapes if by_shape else None, describe(line) if by_line and line else ""


def _average(key: tuple[Any, ...], found: list[tuple[Span, int, bool]], wall: int) -> Average:
    kind, name, shapes, line = key
    times = [span.end - span.start for span, _, _ in found]
    details = [span.details for span, _, _ in found if span.details is not None]
    nbytes, flops = sum(each.nbytes for each in details), sum(each.flops for each in details)
    own = sum(own for _, own, _ in found)
    inside = any(inside for _, _, inside in found)
    share = sum(times) / max(wall, 1)
    first = found[0][0]
    return Average(
        kind, name, len(found), sum(times), min(times), max(times), share, own, shapes, nbytes, flops, line, first.device, inside
    )


def _text_lines(rows: list[list[str]], name: int, most_shapes: int, most_line: int) -> list[str]:
    """Lines: names (at most so wide) and, behind the numbers, shapes and lines of the program to the left, numbers to the right."""
    cut = {"  shapes": lambda text: _short(text, most_shapes + 2), "  line": lambda text: _tail(text, most_line + 2)}
    columns = []
    for head, *cells in list(zip(*rows))[1:]:
        column = [cut[head](cell) if head in cut else f"{cell:>12}" for cell in (head, *cells)]
        columns.append([cell.ljust(max(map(len, column))) for cell in column])
    names = [f"{_short(row[0], name):{name}}" for row in rows]
    return ["".join(cells).rstrip() for cells in zip(names, *columns)]


def _short(text: str, length: int) -> str:
    return text if len(text) <= length else text[: length - 1] + "…"


def _tail(text: str, length: int) -> str:
    """The end of a path and line, which says more than its beginning."""
    return text if len(text) <= length else "  …" + text[3 - length :]
