"""TRITONFLOW_CPU_CHECK: addresses outside of the launch's memory are errors, and nothing there is touched."""

from __future__ import annotations

import inspect
import os
import re
import subprocess
import sys
from collections.abc import Iterator

import pytest
import torch
import triton
import triton.language as tl

from tests.triton_cpu.support import compiled, run
from tritonflow import triton_cpu
from tritonflow.settings import settings
from tritonflow.triton_cpu import OutOfBoundsError


@pytest.fixture(autouse=True)
def _checked() -> Iterator[None]:
    with settings.override(cpu_check=True):
        yield


@triton.jit
def copy_kernel(x, o, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(o + i, tl.load(x + i, mask=i < n, other=-1), mask=i < n)


@triton.jit
def strided_kernel(x, o, n, step, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(o + i * step, tl.load(x + i * step, mask=i < n) * 2, mask=i < n)


@triton.jit
def scalar_kernel(x, o, k):
    tl.store(o, tl.load(x + k))


@triton.jit
def atomic_kernel(x, o, n, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.atomic_add(o + i % 4, tl.load(x + i, mask=i < n), mask=i < n)


@triton.jit
def column_sums_kernel(x, o, rows, A: tl.constexpr, B: tl.constexpr):
    r, c = tl.arange(0, A)[:, None], tl.arange(0, B)[None, :]
    tl.store(o + tl.arange(0, B), tl.sum(tl.load(x + r * B + c, mask=r < rows, other=0.0), 0))


@triton.jit
def product_kernel(a, b, o, K: tl.constexpr):
    i, j = tl.arange(0, 16)[:, None], tl.arange(0, 16)[None, :]
    k = tl.arange(0, K)
    tl.store(o + i * 16 + j, tl.dot(tl.load(a + i * K + k[None, :]), tl.load(b + k[:, None] * 16 + j)))


@triton.jit
def table_kernel(table, o, B: tl.constexpr):
    x = tl.load(table).to(tl.pointer_type(tl.float32))
    i = tl.arange(0, B)
    tl.store(o + i, tl.load(x + i))


def line_of(fn: triton.JITFunction, text: str) -> str:
    """'test_check.py:12': where a line of a kernel stands."""
    lines, first = inspect.getsourcelines(fn.fn)
    number = first + next(k for k, line in enumerate(lines) if text in line)
    return f"test_check.py:{number}"


def test_right_kernels_run() -> None:
    for n in (0, 1, 31, 100, 128):
        x, o = torch.arange(float(n)), torch.zeros(n)
        run(copy_kernel, (1,), x, o, n, B=128)
        assert torch.equal(x, o)
        run(copy_kernel, (triton.cdiv(n, 16),), x, o.zero_(), n, B=16)
        assert torch.equal(x, o)
    x, o = torch.randn(200), torch.zeros(200)
    run(strided_kernel, (1,), x, o, 100, 2, B=128)
    assert torch.equal(o[::2], x[::2] * 2)
    x, o = torch.ones(30), torch.zeros(4)
    run(atomic_kernel, (1,), x, o, 30, B=32)
    assert o.tolist() == [8.0, 8.0, 7.0, 7.0]
    x, o = torch.randn(24, 32), torch.zeros(32)
    run(column_sums_kernel, (1,), x, o, 24, A=32, B=32)
    torch.testing.assert_close(o, x.double().sum(0).float())
    a, b, o = torch.randn(16, 32), torch.randn(32, 16), torch.zeros(16, 16)
    run(product_kernel, (1,), a, b, o, K=32)
    torch.testing.assert_close(o, (a.double() @ b.double()).float())


@pytest.mark.parametrize("block", [8, 64])
def test_the_error_names_operation_line_program_and_address(block: int) -> None:
    x, o = torch.arange(100.0), torch.zeros(100)
    wrong = torch.arange(98.0)
    with pytest.raises(OutOfBoundsError) as caught:
        run(copy_kernel, (triton.cdiv(100, block),), wrong, o, 100, B=block)
    address = wrong.data_ptr() + 98 * 4
    where = re.escape(line_of(copy_kernel, "tl.store"))
    assert re.match(
        rf"copy_kernel: tt\.load at {where}: program \({98 // block}, 0, 0\) reaches 4 bytes at {address:#x}, "
        rf"0 bytes behind the end of a tensor's memory of 392 bytes$",
        str(caught.value),
    )
    with pytest.raises(OutOfBoundsError, match="tt.store at"):
        run(copy_kernel, (triton.cdiv(100, block),), x, wrong, 100, B=block)
    assert torch.equal(wrong, x[:98]), "what was inside is written"


def test_accesses_of_every_kind() -> None:
    x, o = torch.randn(64), torch.zeros(64)
    with pytest.raises(OutOfBoundsError, match="tt.load at .* 4 bytes before a tensor's memory"):
        run(scalar_kernel, (1,), x, o, -1)
    with pytest.raises(OutOfBoundsError, match="tt.load at .*, 0 bytes behind the end"):
        run(strided_kernel, (1,), x, o, 6, 16, B=8)
    with pytest.raises(OutOfBoundsError, match="tt.atomic_rmw at"):
        run(atomic_kernel, (1,), x, torch.zeros(3), 64, B=64)
    with pytest.raises(OutOfBoundsError, match="tt.load"):
        run(column_sums_kernel, (1,), torch.randn(20, 32), torch.zeros(32), 24, A=32, B=32)
    with pytest.raises(OutOfBoundsError, match="tt.load"):
        run(product_kernel, (1,), torch.randn(16, 31), torch.randn(32, 16), torch.zeros(16, 16), K=32)
    with pytest.raises(OutOfBoundsError, match="tt.load"):
        run(scalar_kernel, (1,), x, o, 2**31 - 1)


def test_a_view_may_reach_its_whole_storage() -> None:
    storage, o = torch.arange(100.0), torch.zeros(50)
    run(copy_kernel, (1,), storage[50:], o, 50, B=64)
    assert torch.equal(o, storage[50:])
    run(scalar_kernel, (1,), storage[50:], o, -50)
    assert o[0] == 0


def test_a_table_of_pointers_reaches_known_memory() -> None:
    x, o = torch.arange(16.0), torch.zeros(16)
    table = torch.tensor([x.data_ptr()])
    with pytest.raises(OutOfBoundsError):
        run(table_kernel, (1,), table, o, B=16)
    triton_cpu.allocations.add(x, x.data_ptr(), x.nbytes)
    run(table_kernel, (1,), table, o, B=16)
    assert torch.equal(x, o)
    with pytest.raises(OutOfBoundsError):
        run(table_kernel, (1,), table, torch.zeros(32), B=32)


def test_allocations_die_with_their_owner() -> None:
    x = torch.arange(16.0)
    before = triton_cpu.allocations.ranges()
    triton_cpu.allocations.add(x, x.data_ptr(), x.nbytes)
    assert triton_cpu.allocations.ranges() == [*before, (x.data_ptr(), x.data_ptr() + 64)]
    del x
    assert triton_cpu.allocations.ranges() == before


def test_bound_launches_and_addresses() -> None:
    x, o = torch.arange(100.0), torch.zeros(100)
    kernel = compiled(copy_kernel, [x, o, 100], {}, None, {"B": 128})
    launch = kernel.bind(1, 1, 1, (100,))
    with pytest.raises(OutOfBoundsError, match="copy_kernel: tt.load at .*: program \\(0, 0, 0\\) reaches 4 bytes"):
        launch(x.data_ptr(), o.data_ptr())
    for tensor in (x, o):
        triton_cpu.allocations.add(tensor, tensor.data_ptr(), tensor.nbytes)
    launch(x.data_ptr(), o.data_ptr())
    assert torch.equal(x, o)
    with pytest.raises(OutOfBoundsError):
        kernel.bind(1, 1, 1, (101,))(x.data_ptr(), o.data_ptr())
    launch(x.data_ptr(), o.data_ptr())


OPERATIONS = """
import tritonflow as flow
from tritonflow.triton_cpu import allocations
x = flow.randn(100, 37, requires_grad=True)
y = (x.softmax(1) @ flow.randn(37, 5)).relu().sum()
y.backward()
parameters = [flow.nn.Parameter(flow.ones(n)) for n in (3, 50)]
optimizer = flow.optim.Adam(parameters)
sum(p.sum() for p in parameters).backward()
optimizer.step()
assert float(parameters[0][0]) < 1
shared = flow.from_numpy(x.grad.numpy())
assert shared[3:].sum().isfinite()
kept = flow.ones(11, dtype=flow.int8)
import gc
for _ in range(3):
    cycle = [flow.ones(13)]
    cycle.append(cycle)
    del cycle
    gc.collect()
    assert float(flow.ones(13).sum()) == 13, "memory that came back from a cycle of garbage"
assert 11 in [end - begin for begin, end in allocations.ranges()], "no byte more than the tensor has"
"""


def test_operations_run_checked() -> None:
    environment = {**os.environ, "TRITONFLOW_CPU_CHECK": "1"}
    done = subprocess.run([sys.executable, "-c", OPERATIONS], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


INSTALLED = """
import torch, triton
from tritonflow.triton_cpu import OutOfBoundsError, backend
from tests.triton_cpu.test_check import copy_kernel
backend.install()
x, o = torch.arange(100.0), torch.zeros(100)
copy_kernel[(2,)](x, o, 100, B=64)
assert torch.equal(x, o)
try:
    copy_kernel[(2,)](x[:50].clone(), o, 100, B=64)
except OutOfBoundsError as error:
    assert "tt.load at test_check.py" in str(error)
else:
    raise AssertionError("nothing was found")

import tritonflow as flow

@flow.library.triton_op("checked::copy", mutates_args=())
def copy(x: flow.Tensor) -> flow.Tensor:
    out = flow.empty(70)
    copy_kernel[(2,)](x, out, x.numel(), B=64)
    return out

for run in (copy, flow.compile(copy, fullgraph=True)):
    assert torch.equal(flow.to_torch(run(flow.arange(70.0))), torch.arange(70.0))
    try:
        run(flow.arange(100.0))
    except OutOfBoundsError as error:
        assert "copy_kernel: tt.store at test_check.py" in str(error), error
    else:
        raise AssertionError("nothing was found")
"""


def test_users_kernels(tmp_path) -> None:  # type: ignore[no-untyped-def]
    path = os.pathsep.join(p for p in sys.path if p)
    environment = {**os.environ, "PYTHONPATH": path, "TRITONFLOW_CPU_CHECK": "1", "TRITON_CACHE_DIR": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", INSTALLED], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
