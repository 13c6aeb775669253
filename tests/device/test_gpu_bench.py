"""The benchmark for GPUs runs on small shapes of the CPU, is gone on with, and refuses figures of another machine."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def bench(folder: Path, *names: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "bench/gpu.py"), *names, "--device", "cpu", "--tiny", "--out", str(folder)]
    return subprocess.run(command, capture_output=True, text=True)


def test_cases_and_models(tmp_path: Path) -> None:
    done = bench(tmp_path, "max rows float32", "GPT-2")
    assert done.returncode == 0, done.stderr
    found = json.loads((tmp_path / "gpu.json").read_text())
    assert set(found["rows"]) == {"max rows float32 16384x4096", "GPT-2 124M, 16 x 1024 tokens"}
    assert all(row["ours"] > 0 and row["torch"] > 0 for row in found["rows"].values()), found
    assert found["rows"]["max rows float32 16384x4096"]["error"] == 0
    assert (tmp_path / "gpu.png").exists()

    done = bench(tmp_path, "max rows float32", "host: add")
    assert "max rows" not in done.stdout.split("furthest")[0] and "host: add" in done.stdout, done.stdout
    assert len(json.loads((tmp_path / "gpu.json").read_text())["rows"]) == 4

    (tmp_path / "gpu.json").write_text(json.dumps({**found, "where": {"device": "another"}}))
    done = bench(tmp_path, "host: add")
    assert done.returncode != 0 and "move it away first" in done.stderr
