"""Compiled code in memory and on disk."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch
import triton
import triton.language as tl

from tests.triton_cpu.support import compiled, run
from tritonflow import triton_compat, triton_cpu
from tritonflow.settings import settings
from tritonflow.triton_cpu import cache
from tritonflow.triton_cpu import compile as compile_module  # noqa: F401


@triton.jit
def doubled(v):
    return v * 2


@triton.jit
def tripled(v):
    return v * 3


@triton.jit
def apply_kernel(x, o, n, F: tl.constexpr, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(o + i, F(tl.load(x + i, mask=i < n)), mask=i < n)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TRITONFLOW_CACHE_DIR", str(tmp_path))
    return tmp_path


@pytest.fixture(autouse=True)
def own_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the process has compiled before stays as it is: plans hold these kernels."""
    monkeypatch.setattr(sys.modules["tritonflow.triton_cpu.compile"], "_kernels", {})


def forget() -> None:
    sys.modules["tritonflow.triton_cpu.compile"]._kernels.clear()


def files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def check(factor: int, function: object, n: int = 50) -> None:
    x, o = torch.randn(n), torch.zeros(n)
    run(apply_kernel, (1,), x, o, n, F=function, B=64)
    assert torch.equal(o, x * factor)


def test_equal_requests_share_a_kernel(folder: Path) -> None:
    x, o = torch.randn(50), torch.zeros(50)
    forget()
    before = triton_cpu.compile_count()
    first = compiled(apply_kernel, [x, o, 50], {}, None, {"F": doubled, "B": 64})
    assert compiled(apply_kernel, [x, o, 50], {}, None, {"F": doubled, "B": 64}) is first
    assert triton_cpu.compile_count() == before + 1
    assert compiled(apply_kernel, [x, o, 50], {}, None, {"F": tripled, "B": 64}) is not first
    assert compiled(apply_kernel, [x, o, 50], {}, None, {"F": doubled, "B": 32}) is not first
    assert compiled(apply_kernel, [x, o, 50], {"n": "i64"}, None, {"F": doubled, "B": 64}) is not first
    other = "baseline" if settings.cpu_target == "avx2" else "avx2"
    assert compiled(apply_kernel, [x, o, 50], {}, other, {"F": doubled, "B": 64}) is not first


def test_a_warm_start_needs_no_front_end(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    forget()
    check(2, doubled)
    assert files(folder)
    forget()
    monkeypatch.setattr(triton_compat, "lower_to_ttir", lambda *_: pytest.fail("the front end ran"))
    check(2, doubled)


def test_a_kernel_by_its_reference(folder: Path) -> None:
    """Its texts are there as soon as somebody compiles it."""
    x, o = torch.arange(50.0), torch.zeros(50)
    request = (apply_kernel, [x, o, 50], {}, None, {"F": doubled, "B": 64})
    forget()
    kernel = compiled(*request)
    assert triton_cpu.load(kernel.reference) is kernel
    forget()
    loaded = triton_cpu.load(kernel.reference)
    assert loaded is not None and loaded is not kernel and triton_cpu.load(kernel.reference) is loaded
    assert (loaded.name, loaded.types, loaded.cost, loaded.scratch) == (kernel.name, kernel.types, kernel.cost, kernel.scratch)
    loaded.launch(1, 1, 1, x.data_ptr(), o.data_ptr(), 50)
    assert torch.equal(o, x * 2)
    with pytest.raises(KeyError, match="ttir: the kernel was loaded by its reference"):
        loaded.asm["ttir"]
    assert compiled(*request) is loaded and "tt.func" in loaded.asm["ttir"]
    forget()
    for path in files(folder):
        path.unlink()
    assert triton_cpu.load(kernel.reference) is None and triton_cpu.load("0" * 64) is None
    assert compiled(*request).reference == kernel.reference


@pytest.mark.parametrize("damage", ["empty", "cut", "flipped", "other"])
def test_damaged_files_are_made_again(folder: Path, damage: str) -> None:
    forget()
    check(2, doubled)
    for path in files(folder):
        data = bytearray(path.read_bytes())
        if damage == "flipped":
            data[-20] ^= 0xFF
        path.write_bytes(
            {"empty": b"", "cut": bytes(data[: len(data) // 2]), "other": b"x" * 4000}.get(damage, bytes(data))
        )
    forget()
    check(2, doubled)
    forget()
    check(2, doubled)


def test_a_disk_that_refuses_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("TRITONFLOW_CACHE_DIR", str(tmp_path / "file"))
    forget()
    check(3, tripled)


def test_constants_are_told_apart() -> None:
    key = sys.modules["tritonflow.triton_cpu.compile"]._constants_key
    values = [1, 1.0, True, "1", (1,), [1], None, tl.float32, tl.int32, doubled, tripled, tl.exp, {"a": 1}, {"a": 1.0}]
    assert len({key(value) for value in values}) == len(values)
    assert key({"f": doubled}) == key({"f": doubled})


PROCESS = """
import torch
from tests.triton_cpu.test_cache import check, doubled, tripled
check(2, doubled); check(3, tripled)
"""


@pytest.mark.long
def test_processes_at_once(folder: Path) -> None:
    path = os.pathsep.join(p for p in sys.path if p)
    environment = {**os.environ, "PYTHONPATH": path}
    running = [subprocess.Popen([sys.executable, "-c", PROCESS], env=environment) for _ in range(2)]
    assert [process.wait(timeout=120) for process in running] == [0, 0]
    assert cache.read("0" * 64) is None
    assert not [path for path in files(folder) if path.name.startswith("tmp")]
