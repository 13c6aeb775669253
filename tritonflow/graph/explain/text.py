"""An explanation as a table of text."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from tritonflow.errors import ArgumentValueError
from tritonflow.graph.explain.report import KernelRow, Report
from tritonflow.graph.ir.roof import Roof

TITLE = 40
DOUBTFUL_SPREAD = 0.25  # of the runs that measured the roof; chosen, not measured on an idle machine
ORDERS: dict[str, Callable[[KernelRow], Any]] = {
    "seconds": lambda kernel: -kernel.seconds,
    "bytes": lambda kernel: -kernel.cost.bytes,
    "flops": lambda kernel: -kernel.cost.flops,
}


def table(report: Report, sort_by: str | None, limit: int | None) -> str:
    """The rows, and what they come to."""
    kernels = report.kernels
    if sort_by is not None:
        if sort_by not in ORDERS:
            raise ArgumentValueError(f"table(): sort_by must be one of {', '.join(ORDERS)} or None, not {sort_by!r}")
        kernels = sorted(kernels, key=ORDERS[sort_by])
    return "\n".join([*_rows(kernels[:limit], len(kernels)), "", *summary(report)])


def _rows(kernels: list[KernelRow], total: int) -> Iterator[str]:
    numbers = "".join(f" {head:>9}" for head in ("read", "written", "flops", "time"))
    yield f"{'':>4} {'kernel':{TITLE}} {'result':28}{numbers} {'share':>6} {'roof':>5}  line"
    for k in kernels:
        result = k.writes[0] if k.writes else ""
        numbers = f"{amount(k.cost.read, 'B'):>9} {amount(k.cost.written, 'B'):>9} {amount(k.cost.flops):>9}"
        times = f"{duration(k.seconds):>9} {k.share:>6.1%} {k.roof:>5.0%}"
        yield f"{k.number:>4} {short(k.title, TITLE):{TITLE}} {short(result, 28):28} {numbers} {times}  {k.source_line}".rstrip()
    if len(kernels) < total:
        yield f"     ... and {total - len(kernels)} more"


def summary(report: Report) -> Iterator[str]:
    """Launches, bytes and memory, beside those of the program op by op."""
    before, after = report.before, report.after
    yield f"{report.name} on {report.device}: {duration(report.seconds)} a run"
    yield f"  launches           {after.launches:>10,}   an op a kernel: {before.launches:,}"
    yield f"  read and written   {amount(after.bytes, 'B'):>10}   an op a kernel: {amount(before.bytes, 'B')}"
    yield f"  between kernels    {amount(after.arena, 'B'):>10}   an op a kernel: {amount(before.arena, 'B')}"
    yield f"  memory at its peak {amount(after.peak, 'B'):>10}   an op a kernel: {amount(before.peak, 'B')}"
    yield f"  operations         {amount(after.flops):>10}   an op a kernel: {amount(before.flops)}"
    if after.folded_launches:
        what = f"of these launches: once, and when a parameter is written; {amount(after.folded_bytes, 'B')} hold their results"
        yield f"  folded             {after.folded_launches:>10,}   {what}"
    choices = [kernel.choice for kernel in report.kernels if kernel.choice is not None]
    if choices:
        others = sum(choice.number != 0 for choice in choices)
        yield f"  tuned              {others:>10,}   of {len(choices)} kernels that have a choice; the others run by the rule"
    yield f"  the roof: {roof_text(report.roof)}"


def roof_text(roof: Roof) -> str:
    """The rates in one line."""
    products = "".join(f", {amount(rate)} in products of {dtype}" for dtype, rate in roof.products.items())
    rates = f"{amount(roof.flops)} operations a second{products}, {amount(roof.bandwidth, 'B')} a second"
    if roof.spread <= DOUBTFUL_SPREAD:
        return rates
    return f"{rates} (doubtful: the runs that measured it differ by {roof.spread:.0%}; is the machine busy?)"


def amount(value: float, unit: str = "") -> str:
    """1234567 as "1.23 M"."""
    for prefix in ("", "k", "M", "G", "T"):
        if abs(value) < 1000 or prefix == "T":
            digits = 0 if not prefix else max(0, 2 - len(str(int(abs(value)))) + 1)
            return f"{value:.{digits}f} {prefix}{unit}".rstrip()
        value /= 1000
    raise AssertionError


def duration(seconds: float) -> str:
    """0.00123 as "1.23 ms"."""
    for factor, unit in ((1e6, "us"), (1e3, "ms"), (1, "s")):
        if seconds * factor < 1000 or unit == "s":
            value = seconds * factor
            return f"{value:.{2 if value < 10 else 1 if value < 100 else 0}f} {unit}"
    raise AssertionError


def short(text: str, length: int) -> str:
    """The text, cut where it is longer."""
    return text if len(text) <= length else text[: length - 1] + "…"
