"""What failed, looked at: whole tracebacks, launches waited for, addresses checked; what cost its process, once more."""

from __future__ import annotations

import re
import shutil
import sys
import time
from collections.abc import Mapping

from gpu.cases import CHECKED
from gpu.order import LOST, outcomes
from gpu.phases import benchmarks
from gpu.phases.roads import WAITED_FOR, waiting
from gpu.phases.tests import run_tests
from gpu.processes import Ended, Task
from gpu.records import AGAIN, BENCH, TESTS, results_of, rows_of
from gpu.roads.runs import command_of
from gpu.run import QUICK, Outcome, Run
from gpu.summary import of_tests

KINDS, CASES, JOBS = 12, 6, 8
GROUPS = ("overhead", "kernels")  # whose cases are found by their names
SECONDS = 40.0
TEXT = 12_000
HOWS: Mapping[str, Mapping[str, str]] = {"as it was": {}, "no graphs, launches waited for": WAITED_FOR}


def failures(run: Run, until: float) -> Outcome:
    """Of each kind of failure one test, alone; roads; cases. Each as it was, then without graphs and with launches waited for."""
    wanted = [*_tests(run), *_roads(run), *_cases(run)]
    if not wanted:
        return Outcome("nothing to do")
    rows = {task.name: row for task, row in wanted}

    def note(ended: Ended) -> None:
        run.note(AGAIN, {**rows[ended.name], "status": ended.status, "s": round(ended.seconds, 1), "text": _whole(ended)})

    run.processes.side_by_side([task for task, _ in wanted], min(JOBS, max(run.options.jobs, 1)), until, note)
    return Outcome("out of time" if time.monotonic() >= until else "ended")


def _whole(ended: Ended) -> str:
    return f"{ended.why}\n{ended.text[-TEXT:]}"


def _task(run: Run, name: str, command: list[str], how: str) -> Task:
    seconds = run.options.capped(SECONDS)
    return Task(re.sub(r"\W+", "_", name), command, seconds + 5, {**run.environment, **QUICK, **HOWS[how]})


def _tests(run: Run) -> list[tuple[Task, dict[str, str]]]:
    found = of_tests(rows_of(run.records.state / TESTS))["kinds"][:KINDS]
    last = outcomes(rows_of(run.records.state / TESTS))
    examples = sorted((kind["example"] for kind in found), key=lambda name: last[name] in LOST)
    limit = ["-o", f"timeout={run.options.capped(SECONDS):g}"]
    command = [sys.executable, "-m", "pytest", "-q", "-x", "--tb=long", "-p", "no:cacheprovider", *limit, "--device", "cuda"]
    return [
        (_task(run, f"again_{number}_{how}", [*command, name], how), {"test": name, "how": how})
        for how in HOWS
        for number, name in enumerate(examples)
    ]


def _roads(run: Run) -> list[tuple[Task, dict[str, str]]]:
    how = list(HOWS)[1]  # as it was, it was run before
    limit = run.options.capped(SECONDS)
    return [
        (_task(run, f"again_{road.name}", command_of(road, limit, run.options.stand_in), how), {"road": road.name, "how": how})
        for road in waiting(run)
    ]


def _cases(run: Run) -> list[tuple[Task, dict[str, str]]]:
    how = list(HOWS)[1]
    rows = [row for row in results_of(run.records.state / BENCH)["rows"] if "problem" in row and row["group"] in GROUPS][:CASES]
    found = []
    for number, row in enumerate(rows):
        name = f"{row['group']}:{row['case']}"
        command = benchmarks.bench_command(run, f"again_{number}.json", [name], "torch", SECONDS)
        found.append((_task(run, f"again_case_{number}", command, how), {"case": row["case"], "how": how}))
    return found


def sanitizer(run: Run, until: float) -> Outcome:
    """A row with what compute-sanitizer found."""
    tool = shutil.which("compute-sanitizer")
    if tool is None:
        return Outcome("nothing to do", "there is no compute-sanitizer")
    log = run.records.state / "sanitizer.txt"
    log.unlink(missing_ok=True)
    seconds = until - time.monotonic()
    cases = run.options.checked or CHECKED
    checked = [sys.executable, "-m", "tritonflow.bench", *cases, *run.device(), "--tiny", "--no-check"]
    checked += ["--seconds", f"{max(seconds - 8, 1):.0f}", "--json", str(run.records.state / "sanitized.json")]
    command = [tool, "--tool", "memcheck", "--error-exitcode", "9", "--log-file", str(log), *checked]
    ended = run.processes.run(Task("sanitizer", command, seconds, run.environment))
    said = log.read_text(errors="replace") if log.exists() else ""
    errors = re.findall(r"ERROR SUMMARY: (\d+) error", said)
    row = {"sanitizer": int(errors[-1]) if errors else None, "status": ended.status, "s": round(ended.seconds, 1)}
    run.note(AGAIN, {**row, "text": f"{said[:TEXT]}\n{_whole(ended)[-3000:]}"})
    return Outcome("out of time" if ended.status is None else "ended")


def once_more(run: Run, until: float) -> Outcome:
    """Tests and cases that cost their process, behind all others."""
    found = []
    if any(outcome in LOST for outcome in outcomes(rows_of(run.records.state / TESTS)).values()):
        found.append(run_tests(run, (time.monotonic() + until) / 2, lost=True))
    found.append(benchmarks.retried(run, until))
    return next((each for each in found if each.status != "nothing to do"), Outcome("nothing to do"))
