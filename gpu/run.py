"""A run: its options, clock, files and processes, as its phases see them."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from dataclasses import dataclass

from gpu.options import ROOT, Options
from gpu.processes import Ended, Processes
from gpu.records import RUN, Records, Row


@dataclass(frozen=True)
class Outcome:
    """How a phase went.

    Attributes:
        status: ended, out of time, failed, closed (nothing else is worth trying), nothing to do.
        text: for people; the whole of what went wrong.
    """

    status: str = "ended"
    text: str = ""


class Run:
    """What phases share."""

    def __init__(self, options: Options, records: Records, processes: Processes, until: float) -> None:
        self.options, self.records, self.processes = options, records, processes
        self.until = until
        self.environment = environment_of(options)

    def left(self) -> float:
        """Seconds of the run."""
        return self.until - time.monotonic()

    def say(self, text: str) -> None:
        """A line for people."""
        print(text, flush=True)

    def device(self) -> list[str]:
        """The benchmarks' device."""
        return ["--device", "cpu", "--tiny"] if self.options.stand_in else ["--device", "cuda"]

    def note(self, name: str, row: Row) -> None:
        """A row of one of the files."""
        self.records.append(name, row)

    def note_background(self, ended: Ended) -> None:
        """A row of a process that ran beside a phase."""
        row = {"background": ended.name, "status": ended.status, "s": round(ended.seconds, 1)}
        self.note(RUN, {**row, "text": ended.text[-600:]})


def environment_of(options: Options) -> Mapping[str, str]:
    """The variables of all processes of a run: what is compiled is found again by the next run."""
    state = options.state.resolve()
    paths = [str(ROOT), str(state / "site"), *filter(None, [os.environ.get("PYTHONPATH")])]
    found = {"PYTHONPATH": os.pathsep.join(paths), "PYTHONUNBUFFERED": "1", "TRITONFLOW_STATUS": "0"}
    if not options.stand_in:
        for name, folder in (("TRITON", "triton"), ("TRITONFLOW", "tritonflow"), ("TORCHINDUCTOR", "inductor")):
            variable = f"{name}_CACHE_DIR"
            found[variable] = os.environ.get(variable, str(state / folder))
    return found


# Of tests and roads: what they have on the CPU is to be compiled quickly, not to be fast.
QUICK = {"TRITONFLOW_CPU_CODEGEN": "0", "OMP_NUM_THREADS": "1"}
