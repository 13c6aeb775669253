"""More threads than cores: the same bits, no thread ended between launches, and limits of the process that are respected."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tritonflow import settings as settings_file
from tritonflow.kernels.matmul import cpu_tile

STEP = """
import hashlib, os, sys
import tritonflow as flow
from tritonflow import nn

flow.set_num_threads(int(sys.argv[1]))
flow.manual_seed(0)
model = nn.Sequential(nn.Linear(700, 1100), nn.GELU(), nn.LayerNorm(1100), nn.Linear(1100, 300))
optimizer, x = flow.optim.AdamW(model.parameters(), lr=0.01), flow.randn(530, 700)

@flow.compile
def step():
    optimizer.zero_grad()
    loss = model(x).square().mean()
    loss.backward()
    optimizer.step()
    return loss

digest = hashlib.sha256()
for _ in range(2):
    digest.update(step().detach().numpy().tobytes())
for p in model.parameters():
    digest.update(p.detach().numpy().tobytes())
for dtype in (flow.float32, flow.bfloat16):
    a, b = flow.randn(1030, 600).to(dtype), flow.randn(600, 1100).to(dtype)
    digest.update((a @ b).float().numpy().tobytes())
    digest.update((a.sum(0) + a.softmax(1).sum(0)).float().numpy().tobytes())
threads = set()
for _ in range(10):  # launches of many programs and of few
    (x * 2).sum(), (x[:96] @ x[:96].T).sum()
    threads.update(os.listdir("/proc/self/task"))
print(digest.hexdigest(), len(threads))
"""


def run(source: str, *arguments: str, **environment: str) -> list[str]:
    done = subprocess.run([sys.executable, "-c", source, *arguments], env={**os.environ, **environment}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout.split()


def test_the_same_bits_for_any_number_of_threads() -> None:
    found = {threads: run(STEP, str(threads)) for threads in (1, 16, 64)}
    assert len({digest for digest, _ in found.values()}) == 1, found
    own = int(found[1][1])  # of the interpreter and its libraries
    for threads, (_, count) in found.items():
        assert int(count) <= own + threads - 1, found  # none is ended and made again


def test_tiles_are_enough_for_the_threads() -> None:
    assert cpu_tile(2048, 768) == cpu_tile(2048, 768, threads=2) == (256, 256)
    for threads in (4, 16, 32, 64):
        block_m, block_n = cpu_tile(2048, 2048, threads=threads)
        assert (2048 // block_m) * (2048 // block_n) >= 2 * threads
    assert cpu_tile(100, 90, threads=64) == cpu_tile(100, 90)  # the tile of a small product, which decides about splits of K


def test_an_affinity_mask() -> None:
    source = "import tritonflow as flow; print(flow.get_num_threads())"
    one = f"import os; os.sched_setaffinity(0, [min(os.sched_getaffinity(0))]); {source}"
    environment = {"OMP_NUM_THREADS": "", "TRITONFLOW_NUM_THREADS": ""}
    left = {name: value for name, value in os.environ.items() if name not in environment}
    done = subprocess.run([sys.executable, "-c", one], env=left, capture_output=True, text=True)
    assert done.stdout.split() == ["1"], done.stderr


@pytest.mark.parametrize(
    ("quotas", "wanted"),
    [
        ({"a/b": "150000 100000"}, [2]),
        ({"a/b": "max 100000", "a": "300000 100000"}, [3]),
        ({"a/b": "50000 100000", "a": "300000 100000", ".": "400000 100000"}, [1, 3, 4]),
        ({"a/b": "nonsense"}, []),
        ({}, []),
    ],
)
def test_a_quota_of_a_control_group(tmp_path: Path, quotas: dict[str, str], wanted: list[int]) -> None:
    for name, quota in quotas.items():
        (tmp_path / name).mkdir(parents=True, exist_ok=True)
        (tmp_path / name / "cpu.max").write_text(quota + "\n")
    own = tmp_path / "cgroup"
    own.write_text("4:memory:/x\n0::/a/b\n")
    assert settings_file._quotas(tmp_path, own) == wanted


def test_no_control_group(tmp_path: Path) -> None:
    assert settings_file._quotas(tmp_path, tmp_path / "cgroup") == []
    assert 1 <= settings_file.available_cores() <= len(os.sched_getaffinity(0))


def test_openmp_binds_threads() -> None:
    source = """
import os
import tritonflow as flow
flow.set_num_threads(2)
(flow.randn(1 << 20) * 2).sum()
masks = [os.sched_getaffinity(int(task)) for task in os.listdir("/proc/self/task")]
print(any(len(mask) == 1 for mask in masks))
"""
    if len(os.sched_getaffinity(0)) < 2:
        pytest.skip("one core")
    assert run(source, OMP_PROC_BIND="true", OMP_PLACES="threads", OMP_NUM_THREADS="2") == ["True"]
    assert run(source, OMP_PROC_BIND="false", OMP_NUM_THREADS="2") == ["False"]


def test_the_allocator_touches_no_page() -> None:
    source = """
import os
import tritonflow as flow

def resident():
    return int(open("/proc/self/statm").read().split()[1]) * os.sysconf("SC_PAGESIZE")

flow.zeros(4).add_(1)
before = resident()
x = flow.empty(64 << 20, dtype=flow.uint8)
allocated = resident()
x.fill_(1)
print(allocated - before < 8 << 20, resident() - before >= 60 << 20)
"""
    assert run(source) == ["True", "True"]
