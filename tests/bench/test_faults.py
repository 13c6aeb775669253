"""A case that fails costs itself: lost contexts, cases that never end, and crashes. Resumption has those last."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tritonflow.device.lost_context import is_lost

FAULTY = str(Path(__file__).with_name("faulty_cases.py"))
pytestmark = pytest.mark.cpu_only


def bench(folder: Path, *arguments: str) -> tuple[int, str]:
    """Run the command in a process of its own, which a lost context may end."""
    command = [sys.executable, "-m", "tritonflow.bench", FAULTY, "--tiny", "--json", str(folder / "r.json"), *arguments]
    environment = {**os.environ, "FAULTY_CASES_LOG": str(folder)}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=250)
    return done.returncode, done.stdout + done.stderr


def rows(folder: Path) -> dict[str, dict[str, Any]]:
    found = json.loads((folder / "r.json").read_text())["rows"]
    return {" ".join([row["case"], *map(str, row["params"].values())]): row for row in found}


def begun(folder: Path) -> list[str]:
    names = (folder / "begun.txt").read_text().splitlines()
    (folder / "begun.txt").unlink()
    return names


@pytest.mark.parametrize(
    "text",
    [
        "CUDA error: an illegal memory access was encountered",
        "Triton Error [CUDA]: misaligned address",
        "CUDA error: unspecified launch failure",
        "CUDA error: device-side assert triggered",
        "CUDA error 719: launch failed",
    ],
)
def test_texts_of_a_lost_context(text: str) -> None:
    assert is_lost(f"RuntimeError: {text}")


@pytest.mark.parametrize("text", ["CUDA out of memory", "index 7 is out of range", "CUDA error: invalid argument"])
def test_other_texts(text: str) -> None:
    assert not is_lost(f"RuntimeError: {text}")


def test_nothing_is_measured_behind_a_lost_context(tmp_path: Path) -> None:
    """The status says so; what comes first in the next run is new, and what was lost comes last."""
    status, text = bench(tmp_path)
    assert status == 4 and "the device's context is lost" in text
    assert begun(tmp_path) == ["raises", "loses"] == list(rows(tmp_path))
    assert rows(tmp_path)["loses"]["lost"] and "illegal memory access" in rows(tmp_path)["loses"]["problem"]


@pytest.mark.long
@pytest.mark.timeout(600)
def test_a_watched_process_goes_on(tmp_path: Path) -> None:
    """Every case has a row with its text; the next run has the failed ones last, or leaves them out."""
    status, text = bench(tmp_path, "--watch", "12")
    found = rows(tmp_path)
    assert status == 1 and list(found) == ["raises", "loses", "hangs", "dies", "works 16", "works 32"], text
    assert "a planted error" in found["raises"]["problem"] and "faulty_cases.py" in found["raises"]["trace"]
    assert "illegal memory access" in found["loses"]["problem"] and found["loses"]["lost"]
    assert found["hangs"]["problem"].startswith("no result for 12 s") and "in hangs" in found["hangs"]["trace"]
    assert "SIGKILL" in found["dies"]["problem"]
    assert all("sides" in found[f"works {n}"] for n in (16, 32))
    begun(tmp_path)

    assert bench(tmp_path, "--watch", "12", "--resume", "--new-only")[0] == 1
    assert not (tmp_path / "begun.txt").exists()
    assert bench(tmp_path, "--watch", "12", "--resume")[0] == 1
    assert list(dict.fromkeys(begun(tmp_path))) == ["raises", "loses", "hangs", "dies"]
    assert len(rows(tmp_path)) == 6
