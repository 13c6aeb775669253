"""What the machine is and has. Results of another machine, or of other versions, are set aside."""

from __future__ import annotations

import json
import sys
import time
from typing import Any

from gpu.processes import Task
from gpu.records import RUN, replace
from gpu.run import Outcome, Run

VERSIONS = ("torch", "triton", "numpy")


def look(run: Run, until: float) -> Outcome:
    """A row `machine`; what it says of results that are there already."""
    seconds = run.options.capped(until - time.monotonic())
    ended = run.processes.run(Task("machine", [sys.executable, "-m", "gpu.machine"], seconds, run.environment))
    found = [line for line in ended.text.splitlines() if line.startswith('{"machine"')]
    if not found:
        return Outcome("failed", f"{ended.why}: {ended.text[-2000:]}")
    about = json.loads(found[-1])
    _set_others_aside(run, about["machine"])
    run.note(RUN, about)
    return Outcome()


def _set_others_aside(run: Run, about: dict[str, Any]) -> None:
    path = run.records.state / "machine.json"
    now = {"gpu": about["gpu"].get("name"), "python": about["python"], **{name: about["packages"][name] for name in VERSIONS}}
    now["stand_in"] = run.options.stand_in
    try:
        before = json.loads(path.read_text())
    except (OSError, ValueError):
        before = now
    if before != now:
        name = time.strftime("before-%Y%m%d-%H%M%S")
        run.say(f"the results in {run.records.state} are of {before}: they are set aside as {name}")
        run.records.set_aside(name)
    replace(path, json.dumps(now).encode())
