"""Kernels of the package flag-gems, unchanged, on the CPU. docs/own_kernels.md lists them."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.long
def test_pointwise_ops_and_reductions() -> None:
    """In a process of its own: the package is told of a GPU."""
    program = Path(__file__).with_name("flag_gems_program.py")
    path = os.pathsep.join(p for p in sys.path if p)
    done = subprocess.run([sys.executable, program], env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, timeout=280)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    page = (Path(__file__).parents[2] / "docs" / "own_kernels.md").read_text()
    listed = re.findall(r"^\| (?:pointwise|reductions|products) \| (.*) \|$", page, re.MULTILINE)
    assert found == {"tried": sorted(", ".join(listed).split(", ")), "wrong": {}}
