"""The CPU as a backend of Triton itself, for kernels of users, in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

HEAD = """
import tritonflow.triton_cpu

import torch, triton, triton.language as tl
"""


def in_a_new_process(tmp_path, *programs: str, head: str = HEAD) -> None:  # type: ignore[no-untyped-def]
    """Run programs one after the other, in one process: to import torch and Triton takes seconds."""
    files = []
    for number, program in enumerate(programs):
        files.append(tmp_path / str(number) / "program.py")
        files[-1].parent.mkdir()
        files[-1].write_text(head + program)
    script = tmp_path / "all.py"
    script.write_text("import runpy, sys\nfor file in sys.argv[1:]: runpy.run_path(file, run_name='program')\n")
    path = os.pathsep.join(p for p in sys.path if p)
    environment = {**os.environ, "PYTHONPATH": path, "TRITON_CACHE_DIR": str(tmp_path / "cache")}
    done = subprocess.run([sys.executable, str(script), *map(str, files)], env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr


LAUNCHES = """
@triton.jit
def kernel(x, o, n, pair, scale: tl.bfloat16, F: tl.constexpr, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(x + i, mask=i < n, cache_modifier=".cg", eviction_policy="evict_first", volatile=True)
    tl.store(o + i, F(v) * scale + pair[0] + tl.load(pair[1]), mask=i < n, cache_modifier=".wb")

@triton.jit
def square(v):
    return v * v

x, o, y = torch.randn(1000), torch.zeros(1000), torch.full((1,), 2.0)
grid = lambda meta: (triton.cdiv(1000, meta["B"]),)
compiled = kernel[grid](x, o, 1000, (3, y), 0.5, square, B=128, num_warps=8, num_stages=2, num_ctas=2, maxnreg=64)
torch.testing.assert_close(o, x * x * 0.5 + 5)
assert "tt.func" in compiled.asm["ttir"] and "define" in compiled.asm["llir"] and compiled.asm["obj"]
kernel[(8, 1)](x, o.zero_(), 1000, pair=(2**40, y), scale=0.5, F=square, B=128)
torch.testing.assert_close(o, x * x * 0.5 + 2**40 + 2)
"""


@pytest.mark.long
def test_triton_may_be_imported_first(tmp_path) -> None:  # type: ignore[no-untyped-def]
    in_a_new_process(tmp_path, LAUNCHES, head="import torch, triton, triton.language as tl, tritonflow")


# Kernels wait for their operands, and what follows waits for them.
MANAGED = """
import threading, time
import tritonflow as flow
from tritonflow.device.stream import WorkerStream, use_stream
from tritonflow.vm.machine import machine

@triton.jit
def add_rows(x, y, o, n, B: tl.constexpr):
    i = tl.arange(0, B)
    for _ in range(n):
        tl.store(o + i, tl.load(x + i) + tl.load(y + i))
        x, o = x + B, o + B

x, y, o = flow.zeros(2, 4), flow.ones(4, requires_grad=True), flow.zeros(2, 4)
squared = o * o.requires_grad_()
with use_stream(WorkerStream(x.device, "queue")):
    machine.issue(WorkerStream(x.device, "slow"), lambda: time.sleep(0.3), [], [x.impl.block])
    x.add_(1)  # is queued behind that
    add_rows[1,](x[:], y, o.data, 2, B=4)
assert o.tolist() == [[2.0] * 4] * 2, o
assert (x._version, y._version, o._version) == (1, 0, 1), "only what the kernel stores to is written"
try:
    squared.sum().backward()
except RuntimeError as error:
    assert "modified by an inplace operation" in str(error), error
else:
    raise AssertionError("backward has read what a kernel wrote over")
theirs = torch.zeros(2, 4)
add_rows[1,](o.data, torch.ones(4), theirs, 2, B=4)
assert theirs.tolist() == [[3.0] * 4] * 2

failing = flow.zeros(4)
with use_stream(WorkerStream(x.device, "queue")):
    machine.issue(WorkerStream(x.device, "slow"), lambda: time.sleep(0.1) or 1 / 0, [], [failing.impl.block])
    try:
        add_rows[1,](failing, y, o.data, 1, B=4)
    except ZeroDivisionError:
        pass
    else:
        raise AssertionError("a kernel has read what nobody computed")
"""


DAMAGED = """
import os, pathlib
@triton.jit
def kernel(x, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(x + i, tl.load(x + i) * 3)

folder = pathlib.Path(os.environ["TRITON_CACHE_DIR"])

def launch():
    kernel.device_caches.clear()
    x = torch.arange(64)
    kernel[(1,)](x, B=64)
    assert torch.equal(x, torch.arange(64) * 3)
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}

whole = launch()
assert launch() == whole
(object_,) = (path for path in whole if path.suffix == ".obj")
damages = [lambda data: os.urandom(500), lambda data: data[:-100], lambda data: b"", None]
for number, path in enumerate(whole):
    damage = damages[0 if path == object_ else number % len(damages)]
    path.unlink() if damage is None else path.write_bytes(damage(whole[path]))
    again = launch()
    assert again.keys() == whole.keys() and again[object_] == whole[object_]
"""


@pytest.mark.long
def test_damaged_code_in_tritons_cache_is_made_again(tmp_path) -> None:  # type: ignore[no-untyped-def]
    in_a_new_process(tmp_path, DAMAGED)


REFUSED = """
import os, pathlib

@triton.jit
def kernel(x, K: tl.constexpr, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(x + i, tl.load(x + i) * K)

def launch(factor):
    x = torch.arange(64)
    kernel[(1,)](x, K=factor, B=64)
    assert torch.equal(x, torch.arange(64) * factor)

cache = pathlib.Path(os.environ["TRITON_CACHE_DIR"])
launch(2)
folders = sorted(cache.iterdir())
cache.chmod(0o777)
triton.knobs.cache.dir = str(cache)
kernel.device_caches.clear()
launch(2)
assert triton.knobs.cache.dir != str(cache) and sorted(cache.iterdir()) == folders
own = triton.knobs.cache.dir
cache.chmod(0o700)
for where in (cache, cache / "file" / "below", pathlib.Path("~/.triton/cache")):  # the last is what Triton makes of no home
    (cache / "file").write_text("")
    triton.knobs.cache.dir = str(where)
    real = os.replace
    if where == cache:
        def full(source, target):
            if str(target).startswith(str(cache)):
                raise OSError(28, "No space left on device")
            real(source, target)
        os.replace = full
    kernel.device_caches.clear()
    launch(3 + len(str(where)))
    os.replace = real
    assert triton.knobs.cache.dir == own
assert not pathlib.Path("~").exists()
"""


@pytest.mark.long
def test_a_cache_of_tritons_that_cannot_be_used(tmp_path, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.chdir(tmp_path)
    in_a_new_process(tmp_path, REFUSED)


AUTOTUNED = """
@triton.autotune([triton.Config({"B": b}, num_warps=w) for b, w in ((32, 1), (256, 4))], key=["n"])
@triton.heuristics({"EVEN": lambda a: a["n"] % a["B"] == 0})
@triton.jit
def kernel(x, o, n, B: tl.constexpr, EVEN: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(o + i, tl.load(x + i, mask=i < n) + EVEN, mask=i < n)

x, o = torch.randn(1000), torch.zeros(1000)
kernel[lambda meta: (triton.cdiv(1000, meta["B"]),)](x, o, 1000)
assert torch.equal(o, x), (o - x)
assert set(kernel.configs_timings) == set(kernel.configs) and kernel.best_config in kernel.configs
assert all(t > 0 for times in kernel.configs_timings.values() for t in times)
assert triton.testing.do_bench(lambda: kernel.fn.fn[(1,)](x, o, 1, B=32, EVEN=False), warmup=1, rep=2) > 0
"""


ERRORS = """
import pytest
@triton.jit
def unknown(x):
    v = tl.load(x)
    tl.store(x, tl.inline_asm_elementwise("nop", "=r,r", [v], tl.int32, is_pure=True, pack=1))

@triton.jit
def checked(x):
    tl.device_assert(tl.load(x) > 0, "not positive")

x = torch.zeros(1, dtype=torch.int32)
with pytest.raises(tritonflow.triton_cpu.UnsupportedError, match=r"tt.elementwise_inline_asm \\(program.py:10; TTIR"):
    unknown[(1,)](x)
with pytest.raises(AssertionError, match="checked, program.py:14: device assertion failed: not positive"):
    checked[(1,)](x, debug=True)
checked[(1,)](x)
"""


DESCRIPTORS = """
from triton.tools.tensor_descriptor import TensorDescriptor

@triton.jit
def kernel(source, target, A: tl.constexpr, B: tl.constexpr):
    r, c = tl.program_id(0) * A, tl.program_id(1) * B
    target.store([r, c], source.load([r, c]) * 2)

@triton.jit
def made_on_device(x, o, n, m, A: tl.constexpr, B: tl.constexpr):
    source = tl.make_tensor_descriptor(x, [n, m], [m, 1], [A, B])
    tl.store(o + tl.arange(0, A)[:, None] * B + tl.arange(0, B)[None, :], source.load([n - A // 2, m - B // 2]))

x, o = torch.randn(50, 36), torch.zeros(50, 36)
kernel[(4, 3)](TensorDescriptor.from_tensor(x, [16, 16]), TensorDescriptor.from_tensor(o, [16, 16]), 16, 16)
assert torch.equal(o, x * 2)
o = torch.ones(16, 16)
made_on_device[(1,)](x, o, 50, 36, 16, 16)
assert torch.equal(o[:8, :8], x[-8:, -8:]) and (o[8:] == 0).all() and (o[:, 8:] == 0).all()
"""


def test_programs(tmp_path) -> None:  # type: ignore[no-untyped-def]
    in_a_new_process(tmp_path, LAUNCHES, MANAGED, AUTOTUNED, ERRORS, DESCRIPTORS)


@pytest.mark.parametrize("dtype", [pytest.param("bfloat16", marks=pytest.mark.long), "float8_e4m3fn"])
def test_tensors_of_small_floats(tmp_path, dtype: str) -> None:  # type: ignore[no-untyped-def]
    program = f"""
@triton.jit
def kernel(x, o, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(o + i, tl.load(x + i).to(tl.float32) * 2)

x, o = torch.randn(64).to(torch.{dtype}), torch.zeros(64, dtype=torch.{dtype})
kernel[(1,)](x, o, B=64)
assert torch.equal(o.float(), (x.float() * 2).to(torch.{dtype}).float())
"""
    in_a_new_process(tmp_path, program)
