"""TRITONFLOW_CPU_DUMP: the texts of kernels as files, whether they were compiled or read from the cache."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch
import triton
import triton.language as tl

from tests.triton_cpu.support import run
from tests.triton_cpu.test_cache import forget, own_kernels  # noqa: F401  (a fixture)
from tritonflow.settings import settings


@triton.jit
def twice_kernel(x, o, n, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(o + i, tl.load(x + i, mask=i < n) * 2, mask=i < n)


def launch(block: int = 64) -> None:
    run(twice_kernel, (1,), torch.ones(50), torch.zeros(50), 50, B=block)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("cached", [False, True])
def test_texts_of_a_kernel(tmp_path: Path, cached: bool) -> None:
    with settings.override(cache_dir=tmp_path / "cache"):
        forget()
        if cached:
            launch()
            forget()
        with settings.override(cpu_dump=tmp_path / "dump"):
            launch()
            launch(128)
        forget()
    found = names(tmp_path / "dump")
    assert len(found) == 6 and {name.split(".")[0] for name in found} == {"twice_kernel"}
    texts = {path.suffix: path.read_text() for path in (tmp_path / "dump").iterdir()}
    assert "tt.load" in texts[".ttir"] and 'test_dump.py":' in texts[".ttir"]
    assert "define void @kernel" in texts[".ll"] and "kernel:" in texts[".s"]
    assert len({name.split(".")[1] for name in found}) == 2, "one short key a kernel"


INSTALLED = """
import torch
from tritonflow.triton_cpu import backend
from tests.triton_cpu.test_dump import twice_kernel
backend.install()
twice_kernel[(1,)](torch.ones(50), torch.zeros(50), 50, B=64)
"""


@pytest.mark.long
def test_users_kernels(tmp_path: Path) -> None:
    """Triton's cache has the code and not the texts: another folder means another entry."""
    path = os.pathsep.join(p for p in sys.path if p)
    environment = {**os.environ, "PYTHONPATH": path, "TRITON_CACHE_DIR": str(tmp_path / "cache")}
    for folder in (None, tmp_path / "dump"):
        if folder is not None:
            environment["TRITONFLOW_CPU_DUMP"] = str(folder)
        subprocess.run([sys.executable, "-c", INSTALLED], env=environment, check=True)
    assert [name.partition(".")[0] + "." + name.rpartition(".")[2] for name in names(tmp_path / "dump")] == [
        "twice_kernel.ll", "twice_kernel.s", "twice_kernel.ttir",
    ]  # fmt: skip
