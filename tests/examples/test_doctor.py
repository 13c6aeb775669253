"""`python -m tritonflow --doctor` reports a healthy installation, and what is wrong with a sick one."""

from __future__ import annotations

import os
import subprocess
import sys


def doctor(**environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tritonflow", "--doctor"]
    return subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environment}, timeout=120)


def test_healthy():
    result = doctor()
    assert result.returncode == 0, result.stdout + result.stderr
    for word in ("torch", "triton", "TRITONFLOW_SYNC", "cpu", "compile and run", "healthy"):
        assert word in result.stdout


def test_unknown_and_bad_settings():
    result = doctor(TRITONFLOW_SYNK="1")
    assert "do you mean TRITONFLOW_SYNC?" in result.stdout
    result = doctor(TRITONFLOW_SYNC="perhaps")
    assert result.returncode == 1 and "TRITONFLOW_SYNC='perhaps': expected 0 or 1" in result.stdout + result.stderr
