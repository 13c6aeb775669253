"""What a run found, for machines (summary.json) and, in a few lines, for people."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from gpu.order import DONE
from gpu.records import AGAIN, BENCH, MODELS, ROADS, RUN, SUMMARY, TESTS, Row, replace, results_of, rows_of

ABOUT = ("gpu", "torch", "triton", "python", "numpy", "llvmlite", "cores", "roof", "date", "commit")
KINDS, FAILED, SLOWEST = 60, 3000, 15


def summary_of(folder: Path) -> Row:
    """All that the files of a folder say, in short."""
    run = rows_of(folder / RUN)
    return {
        "machine": next((row["machine"] for row in reversed(run) if "machine" in row), None),
        "phases": [row for row in run if "phase" in row],
        "roads": _of_roads(rows_of(folder / ROADS)), "tests": of_tests(rows_of(folder / TESTS)),
        "again": [{name: value for name, value in row.items() if name != "text"} for row in rows_of(folder / AGAIN)],
        "bench": _of_bench(results_of(folder / BENCH)), "models": _of_bench(results_of(folder / MODELS)),
    }  # fmt: skip


def write(folder: Path) -> Row:
    """Write summary.json, and return what it has."""
    found = summary_of(folder)
    replace(folder / SUMMARY, json.dumps(found, indent=1, default=str).encode())
    return found


def _of_roads(rows: Sequence[Row]) -> Row:
    last = {row["road"]: row for row in rows}
    closed = {name: row["text"] for name, row in last.items() if not row["ok"]}
    return {"open": sorted(set(last) - set(closed)), "closed": closed, "seconds": {name: row["s"] for name, row in last.items()}}


def kind_of(text: str) -> str:
    """An error without what differs from test to test: one fault behind many failures.

    >>> kind_of("E   AssertionError: 3 of 17 differ by 2.5e-3")
    'AssertionError: # of # differ by #'
    """
    lines = [line[1:].strip() for line in text.splitlines() if line.startswith("E ")]
    text = lines[0] if lines else (text.strip().splitlines() or [""])[0]
    text = re.sub(r"0x[0-9a-f]+|gw\d+|\d+(\.\d+)?(e[-+]?\d+)?", "#", text)
    return re.sub(r"\s+", " ", re.sub(r"while running .*", "", text)).strip()[:160]


def of_tests(rows: Iterable[Row]) -> Row:
    """Outcomes, kinds of failures with an example of each, and what took long."""
    last: dict[str, Row] = {}
    to_run, reached = 0, set[str]()
    for row in rows:
        if "to_run" in row:
            to_run, reached = row["to_run"], set()
        elif "id" in row:
            last[row["id"]] = row
            reached.add(row["id"])
    folders: dict[str, Counter[str]] = defaultdict(Counter)
    kinds: Counter[str] = Counter()
    example: dict[str, str] = {}
    for name, row in last.items():
        folders["/".join(name.split("::")[0].split("/")[:2])][row["outcome"]] += 1
        if row["outcome"] not in DONE:
            kind = kind_of(row.get("error", ""))
            kinds[kind] += 1
            example.setdefault(kind, name)
    slowest = sorted(last.values(), key=lambda row: -row.get("s", 0))[:SLOWEST]
    return {
        "outcomes": Counter(row["outcome"] for row in last.values()), "folders": folders,
        "not_reached": max(to_run - len(reached), 0),
        "kinds": [{"count": count, "error": kind, "example": example[kind]} for kind, count in kinds.most_common(KINDS)],
        "failed": sorted(name for name, row in last.items() if row["outcome"] not in DONE)[:FAILED],
        "slowest": [[row["id"], row.get("s")] for row in slowest],
    }  # fmt: skip


def _of_bench(found: Row) -> Row | None:
    if not found["rows"]:
        return None
    return {"about": {name: found["about"].get(name) for name in ABOUT}, "rows": [_of_case(row) for row in found["rows"]]}


def _of_case(row: Row) -> Row:
    check = row.get("check", {})
    name = " ".join([row["case"], *map(str, row.get("params", {}).values())])
    times = {side: round(found["p50"] * 1e6, 2) for side, found in row.get("sides", {}).items()}
    found = {"case": name, "group": row.get("group"), "us": times, "check": check.get("status"), "error": check.get("error")}
    found |= {each: row.get(each) for each in ("roof", "doubt", "launches", "problem", "lost", "absent", "first_s")}
    return {**found, "why": check.get("why", "")}


def lines_of(found: Row) -> Iterator[str]:
    """The same in a few lines."""
    roads, tests = found["roads"], found["tests"]
    yield f"ROADS {len(roads['open'])} open; closed: {', '.join(roads['closed']) or 'none'}"
    counts = ", ".join(f"{count} {outcome}" for outcome, count in sorted(tests["outcomes"].items())) or "none"
    yield f"TESTS {counts}; {tests['not_reached']} not reached"
    for kind in tests["kinds"][:14]:
        yield f"  {kind['count']:5}  {kind['error'][:110]}   ({kind['example'][-70:]})"
    for row in found["again"]:
        if "sanitizer" in row:
            yield f"SANITIZER {'no summary' if row['sanitizer'] is None else row['sanitizer']} errors, status {row['status']}"
    for name in ("models", "bench"):
        if found[name]:
            yield f"{name.upper()} {found[name]['about']['gpu'] or 'CPU'}"
            yield from map(_case_line, found[name]["rows"])
    phases = [f"{row['phase']} {row['status']} ({row['s']:.0f} s)" for row in found["phases"]]
    yield f"PHASES {', '.join(phases)}"


def _case_line(row: Row) -> str:
    ours = row["us"].get("tritonflow")
    ratios = " ".join(f"{side} {us / ours:.2f}x" for side, us in row["us"].items() if ours and side != "tritonflow")
    roof = "" if row["roof"] is None else f"{row['roof']:.0%}"
    tail = row["problem"] or (f"WRONG {row['error']}" if row["check"] == "wrong" else "")
    return f"  {row['case'][:52]:52} {'' if ours is None else ours:>10} us {roof:>5} {ratios} {tail[:60]}".rstrip()
