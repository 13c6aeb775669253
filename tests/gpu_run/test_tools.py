"""Tools of the machine that fail, hang or die: `nvidia-smi` and `compute-sanitizer`. They cost a row."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from gpu.options import Options
from gpu.phases import again, machine
from gpu.processes import Processes
from gpu.records import AGAIN, RUN, Records
from gpu.run import Run

pytestmark = pytest.mark.cpu_only
LOST = "CUDA error: an illegal memory access was encountered"
FAULTS = {
    "raises": "echo 'a planted error' >&2; exit 1",
    "loses": f"echo '{LOST}' >&2; exit 9",
    "hangs": "trap '' TERM INT; sleep 1000 & wait; sleep 1000",  # its child has the pipe, too
    "dies": "kill -9 $$",
}


@pytest.fixture
def run(tmp_path: Path) -> Any:
    options = Options(60, tmp_path / "out", tmp_path / "state", stand_in=True, limit=5)
    records = Records(options.state, options.out)
    with Processes(options.state / "output", records.sync) as processes:
        yield Run(options, records, processes, time.monotonic() + 60)


def plant(folder: Path, name: str, script: str, monkeypatch: pytest.MonkeyPatch) -> None:
    tool = folder / "bin" / name
    tool.parent.mkdir(exist_ok=True)
    tool.write_text(f"#!/bin/sh\n{script}\n")
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tool.parent}:/usr/bin:/bin")


@pytest.mark.parametrize("fault", FAULTS)
def test_nvidia_smi(fault: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that hangs is ended with the phase, which has a row; without the others the machine is known all the same."""
    plant(tmp_path, "nvidia-smi", FAULTS[fault], monkeypatch)
    outcome = machine.look(run, time.monotonic() + 30)
    if fault == "hangs":
        assert outcome.status == "failed" and "no end after 5 s" in outcome.text
    else:
        assert outcome.status == "ended"
        (row,) = run.records.rows(RUN)
        assert row["machine"]["gpu"] == {} and row["machine"]["packages"]["pytest"] and len(row["machine"]["sources"]) == 16


@pytest.mark.parametrize("fault", FAULTS)
def test_compute_sanitizer(fault: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it has written before it ends is in the row."""
    log = 'while [ "$1" != --log-file ]; do shift; done; echo "========= ERROR SUMMARY: 3 errors" > "$2"; '
    plant(tmp_path, "compute-sanitizer", log + FAULTS[fault], monkeypatch)
    outcome = again.sanitizer(run, time.monotonic() + 5)
    (row,) = run.records.rows(AGAIN)
    assert row["sanitizer"] == 3 and outcome.status == ("out of time" if fault == "hangs" else "ended")
    said = {"raises": "a planted error", "loses": LOST, "hangs": "no end after 5 s", "dies": "ended by SIGKILL"}
    assert said[fault] in row["text"]
    assert json.loads((run.records.out / AGAIN).read_text()) == row
