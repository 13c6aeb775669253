"""Figures, with the GPU to ourselves: the host's share of an op, whole training steps, kernels at real sizes."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence

from gpu.processes import Ended, Task
from gpu.records import BENCH, MODELS, results_of
from gpu.run import Outcome, Run

RIVALS, WITHOUT_COMPILE = "eager,torch,torch.compile", "eager,torch"
WATCHED = {"overhead": 20.0, "models": 100.0, "kernels": 45.0}  # seconds of a case without a result


def bench_command(run: Run, file: str, patterns: Sequence[str], rivals: str, watch: float) -> list[str]:
    """The benchmarks' command, which writes a file of the state."""
    path, limit = str(run.records.state / file), f"{run.options.capped(watch):g}"
    how = ["--vs", rivals, "--cache", "cold", "--quick", "--json", path, "--watch", limit]
    return [sys.executable, "-m", "tritonflow.bench", *patterns, *run.device(), *how]


def measure(run: Run, what: str, patterns: Sequence[str], until: float, retry: bool = False, rivals: str = "") -> Outcome:
    """Cases that have no row yet, or all that have no result."""
    file, usual = (MODELS, RIVALS) if what == "models" else (BENCH, "torch")
    left = until - time.monotonic()
    watch = min(WATCHED[what], max(left * 0.6, 10))  # so that one case leaves time for another
    command = bench_command(run, file, patterns, rivals or usual, watch)
    command += ["--resume", *([] if retry else ["--new-only"]), "--seconds", f"{max(left - 3, 1):.0f}"]
    ended = run.processes.run(Task(what, command, left, run.environment))
    return _outcome(ended)


def _outcome(ended: Ended) -> Outcome:
    if ended.status is None or (ended.status in (0, 1) and "out of time" in ended.text):
        return Outcome("out of time")
    return Outcome() if ended.status in (0, 1) else Outcome("failed", f"{ended.why}: {ended.text[-4000:]}")


def overhead(run: Run, until: float) -> Outcome:
    """What a call of small operands costs the host."""
    return measure(run, "overhead", run.options.overhead, until)


def models(run: Run, until: float) -> Outcome:
    """Training steps beside torch and torch.compile. What that takes too long for is measured without torch.compile."""
    begin = time.monotonic()
    outcome = measure(run, "models", [run.options.models], begin + 0.75 * (until - begin))
    if outcome.status == "ended":
        return outcome
    return measure(run, "models", [run.options.models], until, rivals=WITHOUT_COMPILE)


def kernels(run: Run, until: float) -> Outcome:
    """Kernels at real sizes beside torch."""
    return measure(run, "kernels", run.options.kernels, until)


def rest(run: Run, until: float) -> Outcome:
    """What was not reached: overhead, models for at most half of the time, kernels."""
    found = [overhead(run, until)]
    found.append(models(run, (time.monotonic() + until) / 2))
    found.append(kernels(run, until))
    worst = [each for each in found if each.status == "failed"] or [each for each in found if each.status != "ended"]
    return worst[0] if worst else Outcome()


def retried(run: Run, until: float) -> Outcome:
    """Cases that failed, once more; models without torch.compile, which may be what failed."""
    found = []
    if _failed(run, MODELS):
        found.append(measure(run, "models", [run.options.models], until, True, WITHOUT_COMPILE))
    if _failed(run, BENCH):
        found.append(measure(run, "kernels", [*run.options.overhead, *run.options.kernels], until, True))
    return found[-1] if found else Outcome("nothing to do")


def _failed(run: Run, file: str) -> bool:
    return any("problem" in row for row in results_of(run.records.state / file)["rows"])
