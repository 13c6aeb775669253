"""Same program, same seed: same bits, whoever runs the instructions and however many threads run a kernel."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

PROGRAM = """
import hashlib
import tritonflow as flow
from tritonflow import nn

flow.manual_seed(7)
model = nn.Sequential(
    nn.Conv2d(1, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Dropout(0.2), nn.Linear(128, 10)
)
optimizer = flow.optim.Adam(model.parameters(), lr=1e-2)
x, target = flow.randn(96, 1, 8, 8), flow.randint(0, 10, (96,))
for _ in range(4):
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(model(x), target)
    loss.backward()
    optimizer.step()
    _ = flow.randn(300, 300) @ flow.randn(300, 300)
digest = hashlib.sha256()
for value in [loss, *model.state_dict().values()]:
    digest.update(value.detach().numpy().tobytes())
print(digest.hexdigest())
"""


def digest(**settings: str) -> str:
    environment = {**os.environ, **{f"TRITONFLOW_{name.upper()}": value for name, value in settings.items()}}
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize(
    "mode",
    [
        {"vm_mode": "threaded", "num_threads": "2"},
        *(pytest.param(m, marks=pytest.mark.long) for m in ({"sync": "1"}, {"num_threads": "2"})),
    ],
)
def test_same_bits_in_every_mode(mode: dict[str, str]) -> None:
    assert digest(**{"num_threads": "1", **mode}) == digest(num_threads="1")
