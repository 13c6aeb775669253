"""Products by units for bf16 and int8: AMX tiles, `vdpbf16ps`, `vpdpbusd`. Emulated everywhere, and real where the CPU has them."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest
import torch
import triton
import triton.language as tl

from tests.triton_cpu.emulated import Tiles, run_emulated, unit_target
from tests.triton_cpu.support import run
from tests.triton_cpu.test_dot import matmul_kernel
from tritonflow.settings import settings
from tritonflow.triton_cpu.target import resolve

UNITS = ["amx", "vectors"]
TARGETS = {"amx": {"amx": True}, "vectors": {"bf16_dot": True, "int8_dot": True}}
needs_tiles = pytest.mark.skipif(not resolve("host").amx, reason="this CPU has no AMX")
pytestmark = pytest.mark.skipif(not resolve("host").triple.startswith("x86_64"), reason="instructions of x86-64")


def operands(
    m: int, n: int, k: int, dtype: torch.dtype, turned: tuple[bool, bool] = (False, False)
) -> tuple[torch.Tensor, torch.Tensor]:
    if dtype == torch.int8:
        a, b = (torch.randint(-128, 128, s, dtype=dtype) for s in ((m, k), (k, n)))
        a[0], b[:, 0], b[:, -1] = -128, -128, 127
    else:
        a, b = torch.randn(m, k).to(dtype), torch.randn(k, n).to(dtype)
    a, b = (x.t().contiguous().t() if t else x for x, t in zip((a, b), turned, strict=True))
    return a, b


def launch(a: torch.Tensor, b: torch.Tensor, unit: str | None, blocks: tuple[int, int, int]) -> tuple[torch.Tensor, Tiles | None]:
    """The product, on an emulated unit or on the CPU's own."""
    (m, k), n = a.shape, b.shape[1]
    c = torch.full((m, n), 7, dtype=torch.int32 if a.dtype == torch.int8 else torch.float32)
    grid = (triton.cdiv(m, blocks[0]), triton.cdiv(n, blocks[1]))
    strides = dict(zip(("sam", "sak", "sbk", "sbn"), (*a.stride(), *b.stride())))
    args = (a, b, c, m, n, k, *(stride for stride in strides.values() if stride != 1), n)
    constants = {name: 1 for name, stride in strides.items() if stride == 1}  # so that the packing knows the way of memory
    constants |= dict(zip(("BM", "BN", "BK"), blocks)) | {"ACC": tl.int32 if a.dtype == torch.int8 else tl.float32}
    if unit is None:
        run(matmul_kernel, grid, *args, **constants)
        return c, None
    return c, run_emulated(matmul_kernel, grid, *args, target=unit_target(**TARGETS[unit]), **constants)


def check(c: torch.Tensor, a: torch.Tensor, b: torch.Tensor) -> None:
    """bf16: each of the k sums rounds once, relative to the sum of absolute products."""
    if a.dtype == torch.int8:
        assert torch.equal(c.long(), a.long() @ b.long())
        return
    size = a.double().abs() @ b.double().abs()
    assert ((c.double() - a.double() @ b.double()).abs() <= (a.shape[1] + 2) * 2.0**-24 * size).all()


@pytest.mark.sampled(most=12)
@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.int8])
@pytest.mark.parametrize("turned", [(False, False), (True, False), (False, True), (True, True)])
@pytest.mark.parametrize("shape", [(64, 64, 64), (37, 51, 70), (65, 33, 129)])
def test_emulated(unit: str, dtype: torch.dtype, turned: tuple[bool, bool], shape: tuple[int, int, int]) -> None:
    a, b = operands(*shape, dtype, turned)
    c, tiles = launch(a, b, unit, (64, 32, 64))
    check(c, a, b)
    runs = tiles.runs if tiles else {}
    assert (unit == "amx") == bool(runs.get("tdpbssd" if dtype == torch.int8 else "tdpbf16ps"))
    if unit == "amx":
        assert runs["ldtilecfg"] == runs["tilerelease"] and tiles and tiles.rows == [0] * 8, "no tile is in use behind it"


@needs_tiles
@pytest.mark.sampled(most=12)
@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.int8])
@pytest.mark.parametrize("turned", [(False, False), (True, False), (False, True), (True, True)])
@pytest.mark.parametrize("blocks", [(16, 16, 64), (128, 64, 128)])
@pytest.mark.parametrize("shape", [(64, 64, 64), (37, 51, 70), (130, 200, 333)])
def test_real_tiles(
    dtype: torch.dtype, turned: tuple[bool, bool], blocks: tuple[int, int, int], shape: tuple[int, int, int]
) -> None:
    a, b = operands(*shape, dtype, turned)
    check(launch(a, b, None, blocks)[0], a, b)


@needs_tiles
@pytest.mark.parametrize("kind", ["normal", "denormal", "large", "infinite"])
def test_the_emulation_has_the_bits_of_the_unit(kind: str) -> None:
    a, b = operands(40, 33, 100, torch.bfloat16)
    if kind == "denormal":
        a[:, ::3] *= 2.0**-126
        b[::2] *= 2.0**-20
        a[1], b[:, 1] = 2.0**-130, 1
    elif kind == "large":
        a, b = a * 2.0**70, b * 2.0**57
    elif kind == "infinite":
        a[3, 5], a[4, 7], b[9, 2], b[50, 3] = torch.inf, -torch.inf, torch.nan, torch.inf
    emulated, real = (launch(a, b, unit, (64, 32, 64))[0] for unit in ("amx", None))
    assert torch.equal(emulated.isnan(), real.isnan())
    assert torch.equal(emulated.nan_to_num(7.0), real.nan_to_num(7.0))


@pytest.mark.parametrize("unit", ["amx", pytest.param(None, marks=needs_tiles)])
def test_numbers_that_are_not_finite(unit: str | None) -> None:
    """They meet no zero that masks left, and no row or column that is not theirs."""
    a, b = operands(37, 51, 70, torch.bfloat16)
    a[3, 5], a[4, 69], b[9, 2], b[69, 50] = torch.inf, -torch.inf, torch.nan, torch.inf
    c, _ = launch(a, b, unit, (64, 32, 64))
    want = a.double() @ b.double()
    assert torch.equal(c.isnan(), want.isnan()) and torch.equal(c.isinf(), want.isinf())
    finite = want.isfinite()
    torch.testing.assert_close(c.double()[finite], want[finite], rtol=1e-5, atol=1e-4)


@needs_tiles
def test_denormal_numbers_are_zeros() -> None:
    """As in `vdpbf16ps`: the units read and write none."""
    a, b = torch.full((16, 64), 2.0**-130).bfloat16(), torch.ones(64, 16).bfloat16()
    assert (launch(a, b, None, (16, 16, 64))[0] == 0).all()
    assert (launch(a * 2.0**30, b, None, (16, 16, 64))[0] == 64 * 2.0**-100).all()


@needs_tiles
def test_threads_and_forked_processes_have_tiles() -> None:
    a, b = operands(64, 64, 64, torch.bfloat16)
    want = launch(a, b, None, (64, 64, 64))[0]
    found: list[torch.Tensor] = []
    threads = [threading.Thread(target=lambda: found.append(launch(a, b, None, (64, 64, 64))[0])) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 3 and all(torch.equal(x, want) for x in found)
    import os

    child = os.fork()
    if not child:
        os._exit(0 if torch.equal(launch(a, b, None, (64, 64, 64))[0], want) else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


@needs_tiles
def test_a_process_that_may_not_use_tiles_has_none() -> None:
    """Linux refuses them where a signal stack is too small for them. Other instructions then multiply, and code is found apart."""
    program = """
import ctypes
class Stack(ctypes.Structure):
    _fields_ = [("sp", ctypes.c_void_p), ("flags", ctypes.c_int), ("size", ctypes.c_size_t)]
memory = ctypes.create_string_buffer(4096)
stack = Stack(ctypes.addressof(memory), 0, 4096)
assert ctypes.CDLL(None).sigaltstack(ctypes.byref(stack), None) == 0
import tritonflow as flow
from tritonflow.triton_cpu.target import resolve
assert not resolve("host").amx and "amx" not in resolve("host").key.rpartition("|")[2]
x = flow.ones(64, 64, dtype=flow.bfloat16)
assert (x @ x == 64).all()
"""
    subprocess.run([sys.executable, "-c", program], check=True)


def test_the_key_tells_tiles() -> None:
    assert unit_target(amx=True).key != unit_target().key


@needs_tiles
def test_the_instructions_are_used(tmp_path: Path) -> None:
    """On a CPU that has them, and not for one that has not."""
    x, c = torch.ones(64, 64, dtype=torch.bfloat16), torch.zeros(64, 64)
    for cpu, used in (("host", True), ("avx2", False)):
        with settings.override(cpu_dump=tmp_path / cpu):
            blocks = {"BM": 64, "BN": 64, "BK": 64, "ACC": tl.float32}
            run(matmul_kernel, (1, 1), x, x, c.zero_(), 64, 64, 64, 64, 1, 64, 1, 64, cpu=cpu, **blocks)
        texts = [path.read_text() for path in (tmp_path / cpu).glob("*.s")]
        assert texts and any("tdpbf16ps" in text for text in texts) is used and c.unique().tolist() == [64]
