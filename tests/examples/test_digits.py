"""The demo: trains, draws, saves, and is read back by a fresh process."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def run(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "examples" / "digits.py"), "--out", str(folder), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=280)


@pytest.mark.long
@pytest.mark.parametrize("mode", ([], ["--graph"]), ids=("eager", "graph"))
def test_a_short_run_draws_and_saves(tmp_path, mode):
    result = run("--epochs", "3", "--device", "cpu", *mode, folder=tmp_path)
    assert (tmp_path / "digits.png").read_bytes()[:4] == b"\x89PNG", result.stderr
    found = re.search(r"accuracy ([\d.]+)%; loaded in a fresh process: ([\d.]+)%", result.stdout)
    assert found and found[1] == found[2] and float(found[1]) > 90, result.stdout


@pytest.mark.long
def test_the_demo_reaches_its_goal_and_is_deterministic(tmp_path):
    first, second = (run("--device", "cpu", folder=tmp_path / name) for name in "ab")
    assert first.returncode == 0, first.stdout + first.stderr
    assert (tmp_path / "a" / "digits.safetensors").read_bytes() == (tmp_path / "b" / "digits.safetensors").read_bytes()
    seconds = float(re.search(r"trained in ([\d.]+) s", second.stdout)[1])
    assert seconds <= 30, f"training took {seconds} s"
