"""The project's tests on the device, breadth first. In the background torch.compile's code for the models is made."""

from __future__ import annotations

import os
import shutil
import sys
import time

from gpu.phases.benchmarks import WATCHED, bench_command
from gpu.processes import Child, Task
from gpu.records import TESTS
from gpu.run import QUICK, Outcome, Run

SELECTED = "not long and not hours and not ranks"
TEST_SECONDS = 60.0
RESTARTS = "300"  # of processes that a test has cost


def command_of_tests(run: Run, jobs: int, lost: bool = False) -> list[str]:
    """The command without the tests' names. It leaves out what has passed by now."""
    state = run.records.state
    before = state / "before.jsonl"  # which does not change meanwhile: all processes choose the same tests
    if (state / TESTS).exists():
        shutil.copyfile(state / TESTS, before)
    return [
        sys.executable, "-m", "pytest", "-q", "--tb=short", "-p", "gpu.pytest_plugin", "-p", "no:cacheprovider", "-o", "timeout=0",
        "--device", "cuda", "-n", str(jobs), "--dist", "worksteal", "--max-worker-restart", RESTARTS,
        "--gpu-results", str(state / TESTS), "--gpu-before", str(before), "--gpu-workers", str(jobs),
        "--gpu-limit", f"{run.options.capped(TEST_SECONDS):g}", *(["--gpu-lost"] if lost else []),
    ]  # fmt: skip


def run(run: Run, until: float) -> Outcome:
    """A row for each test that ends."""
    warm = _begin_warming(run, until)
    outcome = run_tests(run, until, lost=False)
    run.note_background(run.processes.finish(warm, time.monotonic()))  # the GPU is wanted for figures
    return outcome


def run_tests(run: Run, until: float, lost: bool) -> Outcome:
    """Run tests until a time: those that cost their process before, or all others."""
    run.records.sync()
    jobs = run.options.jobs
    command = [*command_of_tests(run, jobs, lost), "-m", SELECTED, *run.options.tests]
    ended = run.processes.run(Task("tests", command, until - time.monotonic(), {**run.environment, **QUICK}))
    run.say("\n".join(ended.text.splitlines()[-3:]))
    if ended.status in (0, 1, 5):  # 5: no test is left
        return Outcome()
    return Outcome("out of time") if ended.status is None else Outcome("failed", f"{ended.why}: {ended.text[-4000:]}")


def _begin_warming(run: Run, until: float) -> Child:
    """torch.compile's code for the models, and ours, goes into caches on disk, with what the tests leave of the cores."""
    command = bench_command(run, "warm.json", [run.options.models], "torch.compile", WATCHED["models"])
    environment = {**run.environment, "TORCHINDUCTOR_COMPILE_THREADS": str(min(3, os.cpu_count() or 1))}
    return run.processes.start(Task("warm", [*command, "--no-check"], until - time.monotonic(), environment, nice=10))
