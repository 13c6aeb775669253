"""Two results beside each other: what became faster or slower, and what nobody can tell."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tritonflow.bench.case import OURS
from tritonflow.bench.machine import key
from tritonflow.bench.record import Results, key_of
from tritonflow.bench.table import seconds_text
from tritonflow.bench.verdict import Verdict, verdict_of_runs


@dataclass(frozen=True)
class Change:
    """What became of a case: `ratio` is the old time by the new one."""

    label: str
    old: float
    new: float
    ratio: float
    verdict: Verdict


def changes(new: Results, old: Results) -> Iterator[Change]:
    """Of the cases that both results have."""
    before = {key_of(row): row for row in old.rows if "sides" in row}
    for row in new.rows:
        past = before.get(key_of(row))
        if past is None or "sides" not in row:
            continue
        control = past.get("control", 1.0) / row.get("control", 1.0)
        ratio, verdict = verdict_of_runs(_times(row), _times(past), control)
        yield Change(key_of(row), past["sides"][OURS]["p50"], row["sides"][OURS]["p50"], ratio, verdict)


def _times(row: Mapping[str, Any]) -> Sequence[float]:
    """The times of the rounds; of results without them, which are of an older form, the median alone."""
    return row.get("times", {}).get(OURS) or [row["sides"][OURS]["p50"]]


def comparison_lines(new: Results, old: Results) -> Iterator[str]:
    """A line for each case that changed or cannot be told, a count, and what makes the comparison doubtful."""
    if key(new.about) != key(old.about):
        there, here = ([str(part) for part in key(about) if part is not None] for about in (old.about, new.about))
        yield f"warning: another machine or setting: {', '.join(there)} then, {', '.join(here)} now"
    found = list(changes(new, old))
    width = max([4, *(len(change.label) for change in found)])
    yield f"{'case':{width}}  {'then':>9}  {'now':>9}  then / now"
    for change in sorted(found, key=lambda change: change.ratio):
        times = f"{seconds_text(change.old):>9}  {seconds_text(change.new):>9}"
        yield f"{change.label:{width}}  {times}  {change.ratio:10.2f}  {change.verdict.value}"
    counts = {verdict: sum(change.verdict is verdict for change in found) for verdict in Verdict}
    yield ", ".join(f"{count} {verdict.value}" for verdict, count in counts.items())
    only = len({key_of(row) for row in new.rows} ^ {key_of(row) for row in old.rows})
    if only:
        yield f"{only} cases are in one of the two results only"
