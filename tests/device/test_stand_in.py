"""Tests with `--device cuda`, on a machine without a GPU: the numbers of a GPU's plans, computed on the host."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch

ROOT = Path(__file__).resolve().parents[2]
GRAPHS = ("test_graph", "test_function", "test_guards", "test_compiled_training", "test_schedule_cache")
OPS = "float32 and (softmax or layer_norm or matmul or cumsum or sort or index_add or conv2d)"
SAMPLE = [
    ["tests/nn", "tests/autograd", "tests/optim", "tests/amp"],
    [f"tests/graph/{name}.py" for name in GRAPHS],
    ["tests/ops/test_reference.py", "-k", OPS],
]
FOLDERS = ("kernels", "nn", "autograd", "optim", "amp", "graph", "vm", "ops", "device")


@pytest.mark.skipif(torch.cuda.is_available(), reason="the tests themselves run on the GPU")
@pytest.mark.timeout(7200)
@pytest.mark.parametrize(
    "what",
    [
        *[pytest.param(what, marks=pytest.mark.long) for what in SAMPLE],
        *[pytest.param([f"tests/{name}"], marks=pytest.mark.hours) for name in FOLDERS],
    ],
    ids=lambda what: what[0],
)
def test_plans_of_a_gpu(what: list[str]) -> None:
    """Numbers do not depend on how code is made for the host: it is made quickly."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--device", "cuda", "-m", "not long and not hours"]
    done = subprocess.run(
        [*command, *what], cwd=ROOT, env={**environment, "TRITONFLOW_CPU_CODEGEN": "0"}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
