"""Launchers: arguments, errors, binding, threads of Python and of the kernel, forked children."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator

import pytest
import torch
import triton
import triton.language as tl

from tests.triton_cpu.support import compiled, run
from tritonflow import triton_cpu
from tritonflow.settings import settings
from tritonflow.triton_cpu import runtime_ir


@triton.jit
def scale_kernel(x, o, factor, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(o + i, tl.load(x + i, mask=i < n) * factor, mask=i < n)


@triton.jit
def busy_kernel(x, o, n, rounds, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(x + i, mask=i < n, other=0.0)
    for _ in range(rounds):
        v = tl.sin(v) + tl.cumsum(v, 0) * 0.001
    tl.store(o + i, v, mask=i < n)


@triton.jit
def count_kernel(o):
    at = o + tl.program_id(1) * tl.num_programs(0) + tl.program_id(0)
    tl.store(at, tl.load(at) + 1)


@triton.jit
def arguments_kernel(o, a, b, c, d, e, f, g, h):
    tl.store(o, a.to(tl.float64))
    tl.store(o + 1, b.to(tl.float64))
    tl.store(o + 2, c.to(tl.float64))
    tl.store(o + 3, d.to(tl.float64))
    tl.store(o + 4, e.to(tl.float64))
    tl.store(o + 5, f.to(tl.float64))
    tl.store(o + 6, g.to(tl.float64))
    tl.store(o + 7, h.to(tl.float64))


def known(tensor: torch.Tensor) -> torch.Tensor:
    """A tensor that checked kernels find by its address."""
    triton_cpu.allocations.add(tensor, tensor.data_ptr(), tensor.nbytes)
    return tensor


@pytest.fixture
def any_threads() -> Iterator[None]:
    before = triton_cpu.get_num_threads()
    yield
    triton_cpu.set_num_threads(before)


def test_scalar_arguments() -> None:
    o = known(torch.zeros(8, dtype=torch.float64))
    names = "abcdefgh"
    for types, values in [
        (
            ("i1", "i8", "i16", "i32", "i64", "fp32", "fp64", "fp16"),
            (True, -128, -(2**15), -(2**31), -(2**53), 0.5, 0.1, 1.5),
        ),
        (
            ("u1", "u8", "u16", "u32", "u64", "bf16", "fp64", "fp32"),
            (False, 255, 2**16 - 1, 2**32 - 1, 2**53, -2.5, 1e300, 1e-40),
        ),
    ]:
        k = compiled(arguments_kernel, [o, *values], dict(zip(names, types)), None, {})
        k.launch(1, 1, 1, o.data_ptr(), *values)
        want = [float(v) for v in values]
        want = [float(torch.tensor(v, dtype=torch.float32)) if t == "fp32" else v for v, t in zip(want, types)]
        assert o.tolist() == want
        k.bind(1, 1, 1, values[3:])(o.zero_().data_ptr(), *values[:3])
        assert o.tolist() == want


def scale(block: int = 64):  # type: ignore[no-untyped-def]
    x, o = known(torch.randn(100)), known(torch.zeros(100))
    return x, o, compiled(scale_kernel, [x, o, 2.0, 100], {}, None, {"B": block})


def test_wrong_arguments_raise() -> None:
    x, o, k = scale()
    a, b = x.data_ptr(), o.data_ptr()
    with pytest.raises(TypeError, match="launched with 6 arguments, it takes 7"):
        k.launch(1, 1, 1, a, b, 2.0)
    with pytest.raises(TypeError):
        k.launch(1, 1, 1, "x", b, 2.0, 100)
    with pytest.raises(TypeError):
        k.launch(1, 1, 1, a, b, "2", 100)
    with pytest.raises(OverflowError):
        k.launch(1, 1, 1, a, b, 2.0, 2**31)
    with pytest.raises(OverflowError):
        k.launch(1, 1, 1, -1, b, 2.0, 100)
    with pytest.raises(OverflowError, match="grid"):
        k.launch(-2, 1, 1, a, b, 2.0, 100)
    with pytest.raises(TypeError, match="launched with 3 arguments, it takes 2"):
        k.bind(1, 1, 1, (2.0, 100))(a, b, 2.0)
    with pytest.raises(TypeError):
        k.bind(1, 1, 1, (1, 2, 3, 4, 5))
    assert (o == 0).all()
    assert k.launch(2, 1, 1, a, b, -1.0, 100) is None
    assert torch.equal(o, -x)


def test_wrong_addresses_raise() -> None:
    """Leading pointers are read by a launcher of their own."""
    _, _, k = scale()
    run_ = k.bind(1, 1, 1, (2.0, 100))
    with pytest.raises(TypeError):
        run_("here", 0)
    with pytest.raises(OverflowError):
        run_(-1, 0)
    with pytest.raises(OverflowError):
        run_(0, 1 << 64)
    with pytest.raises(TypeError, match="with 3 arguments, it takes 2"):
        run_(0, 0, 0)


def test_an_empty_grid_launches_nothing() -> None:
    x, o, k = scale()
    for grid in ((0, 1, 1), (1, 0, 1), (1, 1, 0)):
        k.launch(*grid, 0, 0, 2.0, 100)
        k.bind(*grid, (2.0, 100))(0, 0)
    assert (o == 0).all()


def test_references_are_not_lost() -> None:
    x, o, k = scale()
    value, before = 12345.678, sys.getrefcount(None)
    for _ in range(1000):
        k.launch(2, 1, 1, x.data_ptr(), o.data_ptr(), value, 100)
    assert abs(sys.getrefcount(None) - before) < 100
    run_ = k.bind(2, 1, 1, (2.0, 100))
    del k
    run_(x.data_ptr(), o.data_ptr())
    assert torch.equal(o, x * 2)


def test_metadata() -> None:
    x, o, k = scale()
    assert k.name == "scale_kernel" and k.addr
    assert "tt.func" in k.asm["ttir"] and "define" in k.asm["llir"] and "kernel:" in k.asm["s"]
    assert k.runs_inline(1, 1, 1) and not k.runs_inline(10**6, 1, 1)
    empty = triton_cpu.empty_launcher(3)
    assert empty(1, 2, 3) is None
    with pytest.raises(TypeError):
        empty(1, 2)
    with pytest.raises(TypeError):
        empty(1, 2, "3")


@pytest.mark.parametrize("how", [{"inline": True}, {"inline": False}, {"inline": False, "brief": True}])
def test_bound_launchers_run_in_every_way(how: dict[str, bool]) -> None:
    x, o, k = scale()
    k.bind(2, 1, 1, (2.0, 100), **how)(x.data_ptr(), o.data_ptr())
    assert torch.equal(o, x * 2)


@pytest.mark.usefixtures("any_threads")
@pytest.mark.parametrize("threads", [1, 2, 3, 5])
def test_results_do_not_depend_on_threads(threads: int) -> None:
    x = torch.randn(64 * 256)
    results = []
    for count in (1, threads):
        triton_cpu.set_num_threads(count)
        assert triton_cpu.get_num_threads() == count
        o = torch.zeros_like(x)
        run(busy_kernel, (64,), x, o, len(x), 3, B=256)
        results.append(o)
    assert torch.equal(*results)
    with pytest.raises(ValueError, match="at least 1"):
        triton_cpu.set_num_threads(0)


@pytest.mark.usefixtures("any_threads")
@pytest.mark.parametrize("threads", [2, 3, 7, runtime_ir.PARTS + 6])
def test_every_program_runs_once(threads: int) -> None:
    """However a grid divides into the threads' parts, and where threads are more than programs, or than parts."""
    triton_cpu.set_num_threads(threads)
    o = known(torch.zeros(1000, dtype=torch.int32))
    k = compiled(count_kernel, [o], {}, None, {})
    for programs in (1, 2, 3, 5, runtime_ir.PARTS - 1, runtime_ir.PARTS, runtime_ir.PARTS + 1, 333, 999):
        k.bind(programs, 1, 1, (), inline=False)(o.zero_().data_ptr())
        assert (o[:programs] == 1).all() and not o[programs:].any()
    k.bind(31, 32, 1, (), inline=False)(o.zero_().data_ptr())
    assert (o[: 31 * 32] == 1).all() and not o[31 * 32 :].any()


@pytest.mark.usefixtures("any_threads")
def test_the_number_of_threads_changes_between_launches_of_others() -> None:
    """Two threads of Python launch while a third sets how many threads share a grid."""
    stop, wrong = threading.Event(), []

    def work() -> None:
        o = known(torch.zeros(1000, dtype=torch.int32))
        run_ = compiled(count_kernel, [o], {}, None, {}).bind(1000, 1, 1, (), inline=False)
        rounds = 0
        while not stop.is_set():
            run_(o.data_ptr())
            rounds += 1
        if not (o == rounds).all():
            wrong.append(o)

    workers = [threading.Thread(target=work) for _ in range(2)]
    for worker in workers:
        worker.start()
    for count in (1, 2, 3, 8, 1, 5) * 20:
        triton_cpu.set_num_threads(count)
        time.sleep(0.002)
    stop.set()
    for worker in workers:
        worker.join()
    assert not wrong


def test_python_threads_launch_at_once() -> None:
    """Every thread has arguments and scratch memory of its own; only a few enter parallel regions."""
    errors: list[BaseException] = []

    def work(seed: int) -> None:
        try:
            x = torch.randn(64 * 256, generator=torch.Generator().manual_seed(seed))
            first = None
            for _ in range(10):
                o = torch.zeros_like(x)
                run(busy_kernel, (64,), x, o, len(x), 2, B=256)
                first = o if first is None else first
                assert torch.equal(o, first)
                small = torch.zeros(100)
                run(scale_kernel, (1,), x, small, float(seed), 100, B=128)
                assert torch.equal(small, x[:100] * float(seed))
        except BaseException as error:
            errors.append(error)

    workers = [threading.Thread(target=work, args=(k,)) for k in range(6)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not errors, errors[0]
    assert len(os.listdir("/proc/self/task")) < 100


FORK = """
import os, sys, torch
from tests.triton_cpu.support import run
from tests.triton_cpu.test_launch import busy_kernel
x, o = torch.randn(64 * 256), torch.zeros(64 * 256)
run(busy_kernel, (64,), x, o, len(x), 2, B=256)
child = os.fork()
if child == 0:
    p = torch.zeros(64 * 256)
    run(busy_kernel, (64,), x, p, len(x), 2, B=256)
    os._exit(0 if bool((p == o).all()) else 7)
_, status = os.waitpid(child, 0)
p = torch.zeros(64 * 256)
run(busy_kernel, (64,), x, p, len(x), 2, B=256)
assert bool((p == o).all())
sys.exit(os.waitstatus_to_exitcode(status))
"""


def test_a_forked_child_runs_grids() -> None:
    path = os.pathsep.join(p for p in sys.path if p)
    done = subprocess.run([sys.executable, "-c", FORK], env={**os.environ, "PYTHONPATH": path}, timeout=120)
    assert done.returncode == 0


def test_a_kernels_object_has_the_kernel_alone() -> None:
    """Launchers are compiled once, with the runtime: those of each kernel took two fifths of its compilation."""
    text = scale()[2].asm["llir"]
    assert text.count("define ") == 1 and "Py" not in text


def test_levels_of_code_generation_agree() -> None:
    x, kernels_ = known(torch.randn(100)), []
    for level in (0, 1):
        with settings.override(cpu_codegen=level):
            kernels_.append(compiled(busy_kernel, [x, x, 100, 3], {}, None, {"B": 128}))
    results = [known(torch.empty(100)) for _ in kernels_]
    for kernel, result in zip(kernels_, results):
        kernel.launch(1, 1, 1, x.data_ptr(), result.data_ptr(), 100, 3)
    assert kernels_[0].reference != kernels_[1].reference
    assert torch.equal(*results)
