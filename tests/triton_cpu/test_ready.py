"""Kernels that come ready with the package: found by what they are, with the bits of those compiled at the spot, and never stale."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
import triton
import triton.language as tl

from tests.triton_cpu.support import compiled
from tritonflow import triton_compat
from tritonflow.settings import settings
from tritonflow.triton_cpu import cache, ready
from tritonflow.triton_cpu.target import reaches, resolve

LEVEL = next((level for level in ready.LEVELS if reaches(level)), "")
pytestmark = [pytest.mark.cpu_only, pytest.mark.skipif(not LEVEL, reason="this CPU has no level")]


@triton.jit
def mixed_kernel(x, o, n, B: tl.constexpr):
    i = tl.arange(0, B)
    v = tl.load(x + i, mask=i < n)
    tl.store(o + i, tl.exp(v) * v + tl.sum(tl.sin(v)) / 3, mask=i < n)


@triton.jit
def product_kernel(x, o, B: tl.constexpr):
    i = tl.arange(0, B)
    v = tl.load(x + i[:, None] * B + i[None, :])
    tl.store(o + i[:, None] * B + i[None, :], tl.dot(v, v))


def module() -> Any:
    return sys.modules["tritonflow.triton_cpu.compile"]


@pytest.fixture(autouse=True)
def archives(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An own folder of archives and an own cache; kernels as users have them."""
    monkeypatch.setattr(ready, "FOLDER", tmp_path / "ready")
    monkeypatch.setattr(module(), "_kernels", {})
    monkeypatch.setenv("TRITONFLOW_CACHE_DIR", str(tmp_path / "cache"))
    ready._archive.cache_clear()
    with settings.override(cpu_codegen=1, cpu_check=False, cpu_dump=None, cpu_target="host"):
        yield tmp_path / "ready"
    ready._archive.cache_clear()


def mixed(n: int = 50, cpu: str | None = None) -> tuple[Any, torch.Tensor]:
    x, o = torch.linspace(-3, 3, 64), torch.zeros(64)
    kernel = compiled(mixed_kernel, [x, o, n], {}, cpu, {"B": 64})
    kernel.launch(1, 1, 1, x.data_ptr(), o.data_ptr(), n)
    return kernel, o


def pack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> torch.Tensor:
    """Compile the kernel for the level, write the archive, and forget both; returns the level's result."""
    kernel, result = mixed(cpu=LEVEL)
    assert ready.is_shared(kernel, LEVEL)
    ready.write(LEVEL, [kernel.reference])
    forget(tmp_path, monkeypatch, "user")
    return result


def forget(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cache_name: str) -> None:
    module()._kernels.clear()
    ready._archive.cache_clear()
    monkeypatch.setenv("TRITONFLOW_CACHE_DIR", str(tmp_path / cache_name))


def without_lowering(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(triton_compat, "lower_to_ttir", lambda *_: pytest.fail("the front end ran"))


def test_a_ready_kernel_is_not_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It has the bits of one compiled at the spot, and is stored as that would be."""
    of_level = pack(tmp_path, monkeypatch)
    with monkeypatch.context() as patched:
        without_lowering(patched)
        kernel, found = mixed()
        module()._kernels.clear()
        (tmp_path / "ready" / f"{LEVEL}.zip").unlink()
        ready._archive.cache_clear()
        again, stored = mixed()
    assert again.reference == kernel.reference and kernel.name == "mixed_kernel"
    forget(tmp_path, monkeypatch, "empty")
    _, own = mixed()
    assert torch.equal(of_level, own) and torch.equal(found, own) and torch.equal(stored, own)


def test_what_is_not_in_the_archive_is_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pack(tmp_path, monkeypatch)
    x = torch.ones(64)
    kernel = compiled(mixed_kernel, [x, x, 50], {"n": "i64"}, None, {"B": 64})
    assert "tt.func" in kernel.asm["ttir"] and ready.find(resolve(), "another") is None


def test_archives_of_other_sources_or_settings_are_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pack(tmp_path, monkeypatch)
    lowered: list[object] = []
    front_end = triton_compat.lower_to_ttir
    monkeypatch.setattr(triton_compat, "lower_to_ttir", lambda *given: lowered.append(given) or front_end(*given))
    mixed()
    assert not lowered
    monkeypatch.setattr(cache, "source_key", lambda: "another compiler")
    forget(tmp_path, monkeypatch, "another")
    mixed()
    assert len(lowered) == 1


@pytest.mark.parametrize("setting", [{"cpu_codegen": 0}, {"cpu_check": True}, {"cpu_target": "baseline"}])
def test_other_settings_compile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, setting: dict[str, Any]) -> None:
    pack(tmp_path, monkeypatch)
    without_lowering(monkeypatch)
    with settings.override(**setting), pytest.raises(pytest.fail.Exception, match="the front end ran"):
        compiled(mixed_kernel, [torch.ones(64), torch.ones(64), 50], {}, None, {"B": 64})


@pytest.mark.parametrize("damage", ["empty", "cut", "other", "flipped", "renamed"])
def test_a_damaged_archive_counts_as_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: str) -> None:
    expected = pack(tmp_path, monkeypatch)
    path = tmp_path / "ready" / f"{LEVEL}.zip"
    data = path.read_bytes()
    if damage == "renamed":  # another kernel's code under the key: only the digest tells
        with zipfile.ZipFile(path) as archive:
            (key,) = archive.namelist()
            body = archive.read(key)
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr(key, body[:-1] + b"\1")
    else:
        flipped = data[:300] + bytes(byte ^ 0xFF for byte in data[300:340]) + data[340:]
        path.write_bytes({"empty": b"", "cut": data[: len(data) // 2], "other": b"x" * 4000, "flipped": flipped}[damage])
    kernel, found = mixed()
    assert torch.equal(found, expected) and "tt.func" in kernel.asm["ttir"]


def test_products_that_some_cpus_do_by_instructions_are_not_shared() -> None:
    """On a CPU of the level with more, one kernel is lowered to other code: its bits and its speed would be the least CPU's."""
    for dtype, shared in ((torch.float32, True), (torch.bfloat16, False)):
        x, o = torch.ones(32, 32).to(dtype), torch.ones(32, 32)
        kernel = compiled(product_kernel, [x, o], {}, LEVEL, {"B": 32})
        assert ready.is_shared(kernel, LEVEL) is shared, dtype


def test_the_level_of_a_cpu() -> None:
    host = resolve("host")
    assert ready.level_of(host) == LEVEL
    assert ready.level_of(replace(host, fma=False)) is None and ready.level_of(replace(host, codegen=0)) is None
    assert ready.level_of(replace(host, triple="aarch64-unknown-linux-gnu")) is None
    if reaches("avx2"):
        assert ready.level_of(resolve("avx2")) == "avx2"


_FIRST = """
import json, sys
import tritonflow as flow
from tritonflow import compilations
seen = []
compilations.listeners.append(lambda found: seen.append((found.kind, found.origin)))
numbers = (flow.ones(3) + 1).tolist()
print(json.dumps([numbers, seen, "tritonflow.triton_cpu.lower" in sys.modules]))
"""
_WRITE = """
import sys
from pathlib import Path
import tritonflow as flow
from tritonflow.triton_cpu import cache, ready, runtime_ir, threads
from tritonflow.triton_cpu.compile import compiled_kernels
from tritonflow.triton_cpu.target import resolve
level = sys.argv[1]
flow.ones(3) + 1
runtime = cache.digest("runtime", runtime_ir.TEXT, resolve(level).key)
cache.write(runtime, {"kind": "runtime"}, threads.compile_runtime(resolve(level)))
ready.FOLDER = Path(sys.argv[2])
ready.write(level, [*[kernel.reference for kernel in compiled_kernels()], runtime])
"""


def test_a_first_op_compiles_nothing(tmp_path: Path) -> None:
    """With the runtime in the archive, a process with an empty cache imports nothing of the lowering."""
    environment = {**os.environ, "TRITONFLOW_CPU_CODEGEN": "1", "TRITONFLOW_CPU_CHECK": "0"}
    folder = str(tmp_path / "archives")

    def run(text: str, *arguments: str, cache: str, target: str) -> str:
        given = {**environment, "TRITONFLOW_CACHE_DIR": str(tmp_path / cache), "TRITONFLOW_CPU_TARGET": target}
        done = subprocess.run([sys.executable, "-c", text, *arguments], env=given, capture_output=True, text=True, timeout=200)
        assert done.returncode == 0, done.stderr
        return done.stdout

    run(_WRITE, LEVEL, folder, cache="of_level", target=LEVEL)
    head = f"import pathlib\nfrom tritonflow.triton_cpu import ready\nready.FOLDER = pathlib.Path({folder!r})\n"
    numbers, seen, lowered = json.loads(run(head + _FIRST, cache="user", target="host"))
    assert numbers == [2.0] * 3 and not lowered
    assert seen and {tuple(each) for each in seen} == {("load", "ready in the package")}
    _, seen, _ = json.loads(run(_FIRST, cache="user", target="host"))
    assert {tuple(each) for each in seen} == {("load", "from the disk cache")}
