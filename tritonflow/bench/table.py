"""Results as text for a terminal."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from tritonflow.bench.case import OURS
from tritonflow.bench.verdict import SLOWED

COLOURS = {"faster": "32", "slower": "31", "too uneven to tell": "33", "wrong": "31;1", "same": "0"}
SHORT = {"too uneven to tell": "uneven"}
CHECKS = {"right": "right", "wrong": "WRONG", "unchecked": "-"}
HEADS = (("GB/s", 6), ("GFLOP/s", 7), ("roof", 5), ("launches", 8), ("first", 8), ("check", 5))
UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "us"), (1e-9, "ns"))


def seconds_text(seconds: float | None) -> str:
    """Three digits and a unit.

    Example:
        >>> from tritonflow.bench.table import seconds_text
        >>> seconds_text(0.00123456), seconds_text(2.5e-6), seconds_text(None)
        ('1.23 ms', '2.50 us', '')
    """
    if seconds is None:
        return ""
    scale, unit = next(((s, u) for s, u in UNITS if seconds >= 0.9995 * s), UNITS[-1])
    return f"{_digits(seconds / scale)} {unit}"


def _digits(value: float) -> str:
    """Three digits."""
    decimals = max(0, 2 - int(math.floor(math.log10(value)))) if value > 0 else 2
    return f"{value:,.{min(decimals, 3)}f}"


def rate_text(rate: float | None) -> str:
    """In thousands of millions a second."""
    return "" if not rate else _digits(rate * 1e-9)


def share_text(row: Mapping[str, Any]) -> str:
    """The share of the roof; with a ? where it is doubtful, and a ! where it is below the case's bar."""
    if row.get("roof") is None:
        return ""
    mark = "?" if row.get("doubt") else "!" if row["roof"] < row.get("bar", 0.0) else ""
    return f"{row['roof']:.0%}{mark}"


def spread_text(times: Mapping[str, float]) -> str:
    """From p20 to p80, as deviations from the median; "" where they are not known."""
    if "p20" not in times:
        return ""
    return f"-{1 - times['p20'] / times['p50']:.0%} +{times['p80'] / times['p50'] - 1:.0%}"


def setting_text(row: Mapping[str, Any]) -> str:
    """The values of the parameters; with their names where these are not those of ops."""
    plain = ("size", "direction", "dtype")
    return " ".join(str(value) if key in plain else f"{key}={value}" for key, value in row["params"].items())


class Table:
    """Lines of equal columns, printed as rows come in.

    Args:
        labels: (name, setting) of all rows that may come, for the widths.
        rivals: a column each.
        cold: whether there is a column of times with cold caches.
        coloured: whether verdicts have colours.
    """

    def __init__(self, labels: Iterable[tuple[str, str]], rivals: Sequence[str], cold: bool, coloured: bool = False) -> None:
        found = list(labels)
        self.names = min(max([4, *(len(name) for name, _ in found)]), 44)
        self.settings = min(max([0, *(len(setting) for _, setting in found)]), 40)
        self.rivals, self.cold, self.coloured = rivals, cold, coloured

    def heading(self) -> str:
        """The first line."""
        cells = [f"{'case':{self.names}}", *([f"{'setting':{self.settings}}"] if self.settings else [])]
        cells += [f"{'time':>9}", f"{'p20 p80':>10}", *([f"{'cold':>9}"] if self.cold else [])]
        cells += [f"{head:>{width}}" for head, width in HEADS]
        return "  ".join([*cells, *(f"{_rival_title(name):>{_width(name)}}" for name in self.rivals)])

    def line(self, row: Mapping[str, Any]) -> str:
        """A row."""
        name = f"{row['case'][: self.names]:{self.names}}"
        setting = [f"{setting_text(row)[: self.settings]:{self.settings}}"] if self.settings else []
        if "sides" not in row:
            return "  ".join([name, *setting, self._paint(f"failed: {row.get('problem', '')}", "wrong")])
        times = row["sides"][OURS]
        cells = [f"{seconds_text(times['p50']):>9}", f"{spread_text(times):>10}"]
        cells += [f"{seconds_text(times.get('cold')):>9}"] if self.cold else []
        cells += [f"{rate_text(row.get('bytes_per_s')):>6}", f"{rate_text(row.get('flops_per_s')):>7}", f"{share_text(row):>5}"]
        status = row["check"]["status"]
        cells += [f"{row.get('launches', ''):>8}", f"{seconds_text(row.get('first_s')):>8}"]
        cells.append(self._paint(f"{CHECKS[status]:>5}", status))
        return "  ".join([name, *setting, *cells, *(self._rival(row, rival) for rival in self.rivals)])

    def _rival(self, row: Mapping[str, Any], name: str) -> str:
        ratio = row["vs"].get(name)
        if ratio is None:
            return f"{'absent':>{_width(name)}}"
        verdict = ratio["verdict"]
        return self._paint(f"{ratio['p50']:.2f} {SHORT.get(verdict, verdict):6}".rjust(_width(name)), verdict)

    def _paint(self, text: str, kind: str) -> str:
        colour = COLOURS.get(kind, "0")
        return f"\033[{colour}m{text}\033[0m" if self.coloured and colour != "0" else text


def _rival_title(name: str) -> str:
    return f"{name} / ours"


def _width(name: str) -> int:
    return max(13, len(_rival_title(name)))


def head_text(about: Mapping[str, Any]) -> str:
    """Two or three lines about what was measured where."""
    commit = f" ({about['commit']})" if about.get("commit") else ""
    packages = ", ".join(f"{name} {about[name]}" for name in ("torch", "triton", "python") if about.get(name))
    lines = [f"tritonflow {about.get('tritonflow', '')}{commit}, {packages}; {about['date']}"]
    cores = f" on {about['cores']} cores" if "cores" in about else ""
    where = about.get("gpu") or f"{about['cpu']}, {about['threads']} threads{cores}"
    clock = f", {about['mhz']} MHz" if about.get("mhz") else ""
    load = f", load {about['load']}" if "load" in about else ""
    lines.append(f"{where}{clock}{load}; caches {about['cache']}, clock {about['clock']}")
    if "roof" in about:
        roof = about["roof"]
        operations, moved = (_digits(roof[name] * 1e-9) for name in ("flops", "bytes"))
        lines.append(f"roof: {operations} GFLOP/s in float32, {moved} GB/s of large copies")
    lines += [f"warning: {text}" for text in warnings_of(about)]
    return "\n".join(lines)


def warnings_of(about: Mapping[str, Any]) -> list[str]:
    """Why the figures may say little."""
    found = []
    if about.get("tiny"):
        found.append("sizes are shrunk: the times say nothing")
    if about["device"] == "cpu" and about.get("load", 0.0) > about.get("cores", 1) / 2:
        found.append(f"the load is {about['load']} on {about['cores']} cores: others use the machine")
    if about.get("governor", "") not in ("", "performance"):
        found.append(f"the clock is governed by {about['governor']!r}; 'performance' makes times even")
    return found


def summary_lines(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """How many verdicts of each kind against each rival, the median ratio, and what is wrong, failed or absent."""
    lines = []
    for name in dict.fromkeys(name for row in rows for name in row.get("vs", {})):
        found = [row["vs"][name] for row in rows if name in row.get("vs", {})]
        counts = {v: sum(ratio["verdict"] == v for ratio in found) for v in ("faster", "same", "slower", "too uneven to tell")}
        ratios = sorted(ratio["p50"] for ratio in found)
        lines.append(
            f"beside {name}: " + ", ".join(f"{count} {verdict}" for verdict, count in counts.items())
            + f"; median ratio {ratios[len(ratios) // 2]:.2f}"
        )  # fmt: skip
    for row in rows:
        label = f"{row['case']} {setting_text(row)}".strip()
        if row.get("check", {}).get("status") == "wrong":
            lines.append(f"WRONG: {label}: {row['check']['why']}")
    return [*lines, *_doubt_lines(rows), *_absent_lines(rows)]


def _doubt_lines(rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    slowed = [row["speed"] for row in rows if row.get("speed", 1.0) < SLOWED]
    if slowed:
        least = f"{min(slowed):.0%} of its roof"
        cases = "a case" if len(slowed) == 1 else f"{len(slowed)} cases"
        yield f"the machine was slower in {cases}, down to {least}: there no verdict is given, and a share is doubtful"
    above = [f"{row['case']} {setting_text(row)}".strip() for row in rows if row.get("doubt", "").startswith("above")]
    if above:
        yield f"above the roof, as they move less than was counted, or only read: {', '.join(above)}"


def _absent_lines(rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    reasons: dict[tuple[str, str], list[str]] = {}
    for row in rows:
        for name, why in row.get("absent", {}).items():
            reasons.setdefault((name, why), []).append(f"{row['case']} {setting_text(row)}".strip())
    for (name, why), labels in reasons.items():
        yield f"{name} is absent, {why}: {', '.join(labels)}"
