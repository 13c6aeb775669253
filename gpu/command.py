"""`python -m gpu`: its arguments, and the course of a run."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import time
import traceback
from collections.abc import Sequence
from pathlib import Path
from types import FrameType
from typing import Any, TextIO

from gpu import carried, summary
from gpu.options import ROOT, TESTS, Options
from gpu.processes import Processes
from gpu.records import LOG, RUN, Records
from gpu.run import Outcome, Run
from gpu.schedule import FIRST, LEAST, SECOND, Phase, phases_of, share

RESERVE = 5.0  # seconds at the end: processes are ended, the summary is written
CLOSED = 3
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Stopped(Exception):
    """The run is ended from outside."""

    def __init__(self, number: int) -> None:
        super().__init__(signal.Signals(number).name)
        self.status = 128 + number


def parser() -> argparse.ArgumentParser:
    """The arguments."""
    found = argparse.ArgumentParser(prog="python -m gpu", description="A quarter of an hour on a GPU: docs/gpu.md.")
    add = found.add_argument
    add("--seconds", type=float, default=480, help="of the whole command (480)")
    add("--out", type=Path, default=Path("build/gpu/out"), help="for eight files (build/gpu/out)")
    add("--state", type=Path, default=Path("build/gpu"), help="what the next run goes on with (build/gpu)")
    add("--jobs", type=int, default=max(1, len(os.sched_getaffinity(0)) - 3), help="processes of the tests; 3 fewer than cores")
    add("--list", action="store_true", help="print the phases, and run none")
    what = found.add_argument_group("to try it out").add_argument
    what("--stand-in", action="store_true", help="on the stand-in for a GPU; benchmarks at small sizes on the CPU")
    what("--limit", type=float, default=1000.0, metavar="SECONDS", help="of a road, a test or a case at most")
    what("--roads", nargs="+", default=[], metavar="NAME")
    what("--road-files", nargs="+", type=Path, default=[], metavar="FILE", help="instead of the project's roads")
    what("--gpu-tests", default="tests/device/test_gpu.py", metavar="FILE", help="run beside the roads")
    what("--tests", nargs="+", default=TESTS, metavar="FILE", help="files and folders")
    what("--overhead", nargs="+", default=["overhead"], metavar="CASE")
    what("--models", default="bench/gpu_models.py", metavar="FILE")
    what("--kernels", nargs="+", default=Options.kernels, metavar="CASE")
    what("--checked", nargs="+", default=[], metavar="CASE", help="by compute-sanitizer")
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command.

    The status is 0; 1 where something failed; 3 where a first road is closed and nothing else was tried; 128 and the number of a
    signal that ended it.
    """
    given: dict[str, Any] = vars(parser().parse_args(arguments))
    if given.pop("list"):
        for number, phases in enumerate((FIRST, SECOND)):
            print(f"run {number + 1}:", *(f"  {phase.weight:4.0f} s  {phase.name:12} {phase.what}" for phase in phases), sep="\n")
        return 0
    begin = time.monotonic()
    given = {name: tuple(value) if isinstance(value, list) else value for name, value in given.items()}
    options = Options(**given)
    os.chdir(ROOT)
    for number in SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:  # as nohup has it
            signal.signal(number, _stop)
    records = Records(options.state, options.out)
    with open(options.state / LOG, "a", buffering=1) as log:
        sys.stdout = _Both(sys.stdout, log)
        try:
            return _run(options, records, begin + options.seconds - min(RESERVE, options.seconds / 20))
        finally:
            sys.stdout = sys.__stdout__


def _stop(number: int, frame: FrameType | None) -> None:
    for each in SIGNALS:
        signal.signal(each, signal.SIG_IGN)  # what is left to do is done
    raise Stopped(number)


def _run(options: Options, records: Records, until: float) -> int:
    status = 0
    with Processes(options.state / "output", records.sync) as processes:
        try:
            carried.mend_link()
            carried.unpack(options.state)
            status = _run_phases(Run(options, records, processes, until))
        except Stopped as error:
            print(f"ended by {error}")
            records.append(RUN, {"stopped": str(error)})
            status = error.status
        finally:
            processes.end_all()
            found = summary.write(records.state)
            records.sync()
    print("", *summary.lines_of(found), sep="\n")
    records.sync()
    return status or int(_has_failures(found))


def _run_phases(run: Run) -> int:
    """All phases that there is time for; 3 if nothing else is worth trying behind one of them."""
    ended = [row["phase"] for row in run.records.rows(RUN) if row.get("ended")]
    phases = phases_of(ended)
    for position, phase in enumerate(phases):
        begin = time.monotonic()
        if run.left() < LEAST:
            _note(run, phase, Outcome("no time left"), begin)
            continue
        outcome = _of_phase(run, phase, max(share(run.left(), phases[position:]), LEAST))
        _note(run, phase, outcome, begin)
        if outcome.status == "closed":
            return CLOSED
    return 0


def _of_phase(run: Run, phase: Phase, seconds: float) -> Outcome:
    """What goes wrong in a phase costs this phase."""
    run.say(f"== {phase.name}, {seconds:.0f} s at most of {run.left():.0f}: {phase.what}")
    try:
        return phase.work(run, time.monotonic() + seconds)
    except Stopped:
        raise
    except Exception:
        return Outcome("failed", traceback.format_exc()[-4000:])
    finally:
        run.processes.end_all()


def _note(run: Run, phase: Phase, outcome: Outcome, begin: float) -> None:
    row = {"phase": phase.name, "status": outcome.status, "s": round(time.monotonic() - begin, 1), "text": outcome.text}
    if outcome.status not in ("closed", "no time left"):
        row["ended"] = True
    run.note(RUN, row)
    if outcome.status in ("failed", "closed"):
        run.say(f"   {phase.name} {outcome.status}: {outcome.text[-1500:]}")
    summary.write(run.records.state)
    run.records.sync()


def _has_failures(found: dict[str, object]) -> bool:
    roads, tests = found["roads"], found["tests"]
    assert isinstance(roads, dict) and isinstance(tests, dict)
    rows = [row for name in ("bench", "models") if isinstance(part := found[name], dict) for row in part["rows"]]
    return bool(roads["closed"] or tests["kinds"] or any(row["problem"] or row["check"] == "wrong" for row in rows))


class _Both:
    """What is printed, on the screen and in the log. A screen that is gone does not matter."""

    def __init__(self, screen: TextIO, log: TextIO) -> None:
        self._screen, self._log = screen, log

    def write(self, text: str) -> int:
        self._log.write(text)
        try:
            return self._screen.write(text)
        except OSError:
            return len(text)

    def flush(self) -> None:
        self._log.flush()
        try:
            self._screen.flush()
        except OSError:
            return
