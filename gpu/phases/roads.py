"""Roads that are not open yet, and beside them the project's tests of what only a GPU shows."""

from __future__ import annotations

import time
from pathlib import Path

from gpu.order import DONE, outcomes
from gpu.phases.tests import command_of_tests
from gpu.processes import Child, Task
from gpu.records import ROADS, TESTS, rows_of
from gpu.roads.registry import Road, roads
from gpu.roads.runs import FirstClosed, command_of, run_roads
from gpu.run import QUICK, Outcome, Run

ROAD_SECONDS, OWN_SECONDS = 55.0, 80.0
WAITED_FOR = {"CUDA_LAUNCH_BLOCKING": "1", "TRITONFLOW_CUDA_GRAPHS": "0"}


def run(run: Run, until: float) -> Outcome:
    """A row for each road; those that were tried before come last, and of these those that cost their process."""
    chosen = waiting(run)
    if not chosen:
        return Outcome("nothing to do")
    own = _begin_own_tests(run)
    closed = _run_chosen(run, chosen, until)
    if own is not None:
        run.note_background(run.processes.finish(own, min(until, time.monotonic() + OWN_SECONDS)))
    if closed:
        return Outcome("closed", f"{closed}\n{_looked_at(run, chosen)}")
    return Outcome("out of time" if waiting(run, seen=True) else "ended")


def _run_chosen(run: Run, chosen: list[Road], until: float) -> str:
    """Run roads; why nothing else is worth trying, or ""."""
    options = run.options
    jobs, limit = min(8, max(options.jobs, 1)), options.capped(ROAD_SECONDS)
    environment = {**run.environment, **QUICK}
    try:
        run_roads(chosen, run.processes, jobs, limit, until, options.stand_in, lambda row: run.note(ROADS, row), environment)
    except FirstClosed as error:
        return str(error)
    return ""


def waiting(run: Run, seen: bool = False) -> list[Road]:
    """The roads that are not open; of these, only those that were not tried if `seen`."""
    known = roads(run.options.stand_in, run.options.road_files)
    chosen = [known[name] for name in run.options.roads if name in known] or list(known.values())
    last = {row["road"]: row for row in rows_of(run.records.state / ROADS)}
    cost = {name: 2 if row.get("lost") else 1 for name, row in last.items()}
    found = [road for road in chosen if not last.get(road.name, {}).get("ok")]
    if seen:
        return [road for road in found if road.name not in last]
    return sorted(found, key=lambda road: cost.get(road.name, 0))


def _looked_at(run: Run, chosen: list[Road]) -> str:
    """What the first road that is closed says with each launch waited for."""
    last = {row["road"]: row for row in rows_of(run.records.state / ROADS)}
    road = next(each for each in chosen if each.first and not last[each.name]["ok"])
    limit = run.options.capped(min(40.0, run.left() - 10))
    environment = {**run.environment, **QUICK, **WAITED_FOR}
    command = command_of(road, limit, run.options.stand_in)
    ended = run.processes.run(Task("closed", command, max(limit, 1), environment))
    return f"{road.name} with each launch waited for: {ended.why}\n{ended.text[-4000:]}"


def _begin_own_tests(run: Run) -> Child | None:
    before = outcomes(rows_of(run.records.state / TESTS))
    if any(name.startswith(run.options.gpu_tests) for name in before if before[name] in DONE) or not run.options.gpu_tests:
        return None
    command = [*command_of_tests(run, 1), "-m", "cuda", str(Path(run.options.gpu_tests))]
    return run.processes.start(Task("gpu_tests", command, OWN_SECONDS, {**run.environment, **QUICK}))
