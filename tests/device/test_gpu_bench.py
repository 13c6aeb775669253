"""The benchmark for GPUs runs on small shapes of the CPU, is gone on with, and refuses figures of another machine."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def bench(folder: Path, *names: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "bench/gpu.py"), *names, "--device", "cpu", "--tiny", "--out", str(folder)]
    return subprocess.run(command, capture_output=True, text=True)


@pytest.mark.long
@pytest.mark.timeout(900)
def test_every_case_and_model(tmp_path: Path) -> None:
    done = bench(tmp_path)
    assert done.returncode == 0 and "FAILED" not in done.stdout and "WRONG" not in done.stdout, (
        done.stdout + done.stderr
    )


@pytest.mark.long
def test_a_run_goes_on(tmp_path: Path) -> None:
    done = bench(tmp_path, "cumsum float32")
    assert done.returncode == 0, done.stderr
    found = json.loads((tmp_path / "gpu.json").read_text())
    assert set(found["rows"]) == {"cumsum float32 64M"}
    assert all(row["ours"] > 0 and row["torch"] > 0 for row in found["rows"].values()), found
    assert found["rows"]["cumsum float32 64M"]["error"] < 1e-6
    assert (tmp_path / "gpu.png").exists()

    done = bench(tmp_path, "cumsum float32", "host: add")
    assert "cumsum" not in done.stdout.split("furthest")[0] and "host: add" in done.stdout, done.stdout
    assert len(json.loads((tmp_path / "gpu.json").read_text())["rows"]) == 3

    (tmp_path / "gpu.json").write_text(json.dumps({**found, "where": {"device": "another"}}))
    done = bench(tmp_path, "host: add")
    assert done.returncode != 0 and "move it away first" in done.stderr
