"""The wheel works alone: installed away from the checkout, it trains."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TRAIN = """
import sys, pathlib
import tritonflow as flow
assert pathlib.Path(flow.__file__).is_relative_to(sys.argv[1]), flow.__file__
x, target = flow.randn(64, 4), flow.randint(0, 3, (64,))
model = flow.nn.Sequential(flow.nn.Linear(4, 32), flow.nn.ReLU(), flow.nn.Linear(32, 3))
optimizer = flow.optim.Adam(model.parameters(), lr=0.02)
losses = []
for _ in range(60):
    loss = flow.nn.functional.cross_entropy(model(x), target)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    losses.append(loss.item())
assert losses[-1] < 0.7 * losses[0], losses
"""


@pytest.mark.long
def test_the_wheel_trains(tmp_path):
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    wheels, target = tmp_path / "wheels", tmp_path / "installed"
    options = ["--quiet", "--no-deps"]
    subprocess.run(
        [*pip, "wheel", *options, "--no-build-isolation", "--wheel-dir", str(wheels), str(ROOT)],
        check=True,
        timeout=200,
    )
    (wheel,) = wheels.glob("*.whl")
    subprocess.run([*pip, "install", *options, "--target", str(target), str(wheel)], check=True, timeout=200)
    assert not any(path.is_symlink() for path in target.rglob("*"))
    environment = {**os.environ, "PYTHONPATH": str(target), "TRITONFLOW_CACHE_DIR": str(tmp_path / "cache")}
    command = [sys.executable, "-c", TRAIN, str(target)]
    subprocess.run(command, check=True, cwd=tmp_path, env=environment, timeout=200)
