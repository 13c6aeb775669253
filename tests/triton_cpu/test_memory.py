"""Loads and stores: masks, strides, ragged sizes, nothing read or written outside."""

from __future__ import annotations

import ctypes
import mmap
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import torch
import triton
import triton.language as tl
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.triton_cpu.support import run
from tritonflow.settings import settings as switches


@triton.jit
def copy_kernel(x, o, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(o + i, tl.load(x + i, mask=i < n, other=-1), mask=i < n)


@triton.jit
def copy_2d_kernel(x, o, rows, columns, sr, sc, tr, tc, other, BR: tl.constexpr, BC: tl.constexpr):
    r = tl.program_id(0) * BR + tl.arange(0, BR)[:, None]
    c = tl.program_id(1) * BC + tl.arange(0, BC)[None, :]
    inside = (r < rows) & (c < columns)
    v = tl.load(x + r * sr + c * sc, mask=inside & (c != 3), other=other)
    tl.store(o + r * tr + c * tc, v, mask=inside)


@contextmanager
def page_before_a_hole() -> Iterator[torch.Tensor]:
    """The bytes of a page behind which nothing may be read."""
    area = mmap.mmap(-1, 3 * mmap.PAGESIZE)
    base = torch.frombuffer(area, dtype=torch.uint8)
    libc = ctypes.CDLL(None, use_errno=True)
    hole = ctypes.c_void_p(base.data_ptr() + mmap.PAGESIZE)
    assert libc.mprotect(hole, mmap.PAGESIZE, 0) == 0
    try:
        yield base[: mmap.PAGESIZE]
    finally:
        libc.mprotect(hole, mmap.PAGESIZE, 3)


@pytest.mark.sampled
@pytest.mark.parametrize("n", [0, 1, 15, 16, 31, 32, 33, 127, 128, 129, 1000])
@pytest.mark.parametrize("block", [16, 128, 1024])
def test_ragged_copy_stays_inside(n: int, block: int) -> None:
    x, o = torch.arange(n + 64, dtype=torch.float32), torch.full((n + 64,), -7.0)
    run(copy_kernel, (triton.cdiv(n, block),), x, o, n, B=block)
    assert torch.equal(o[:n], x[:n])
    assert (o[n:] == -7).all()


@triton.jit
def turn_kernel(x, o, rows, columns, step, B: tl.constexpr):
    r = tl.program_id(0) * B + tl.arange(0, B)[:, None]
    c = tl.program_id(1) * B + tl.arange(0, B)[None, :]
    inside = (r < rows) & (c < columns)
    v = tl.load(x + r + c * step, mask=inside & (c != 3), other=5)
    tl.store(o + r * columns + c, v + v, mask=inside)


@pytest.mark.sampled
@pytest.mark.parametrize("dtype", [torch.float32, torch.int8, torch.bfloat16, torch.float64])
@pytest.mark.parametrize("shape", [(64, 64), (37, 70), (1, 33), (130, 5)])
@pytest.mark.parametrize("cpu", [None, "avx2", "baseline"])
def test_tiles_are_turned(dtype: torch.dtype, shape: tuple[int, int], cpu: str | None) -> None:
    rows, columns = shape
    x = torch.randint(-50, 50, (columns, rows + 3)).to(dtype)
    o = torch.full((rows * columns + 64,), -7, dtype=dtype)
    run(turn_kernel, (triton.cdiv(rows, 32), triton.cdiv(columns, 32)), x, o, rows, columns, rows + 3, B=32, cpu=cpu)
    want = x[:, :rows].T.clone()
    if columns > 3:
        want[:, 3] = 5
    assert torch.equal(o[: rows * columns].view(rows, columns), want + want)
    assert (o[rows * columns :] == -7).all()


@triton.jit
def streaming_kernel(x, o, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(o + i, tl.load(x + i, mask=i < n), mask=i < n, cache_modifier=".cs")


@pytest.mark.sampled
@pytest.mark.parametrize("dtype", [torch.float32, torch.int8, torch.bfloat16, torch.float64])
@pytest.mark.parametrize("start", [0, 3])
@pytest.mark.parametrize("cpu", [None, "avx2", "baseline"])
def test_stores_past_the_caches(dtype: torch.dtype, start: int, cpu: str | None) -> None:
    n = 5000
    x, area = torch.arange(n).to(dtype), torch.full((n + 100,), -7, dtype=dtype)
    first = -area.data_ptr() % 64 // area.element_size() + start
    o = area[first : first + n]
    kernel = run(streaming_kernel, (triton.cdiv(n, 1024),), x, o, n, B=1024, cpu=cpu)
    assert torch.equal(o, x)
    assert (area[:first] == -7).all() and (area[first + n :] == -7).all()
    if not switches.cpu_check:  # chunks of half a line are stored as ever
        assert ("nontemporal" in kernel.asm["llir"]) == (dtype != torch.int8)


@triton.jit
def every_second_kernel(x, o, n, first, STEP: tl.constexpr, B: tl.constexpr):
    i = tl.arange(0, B)
    wanted = (i < n) & (i % 5 != first)
    tl.store(o + i, tl.load(x + STEP * i, mask=wanted, other=-1.0))


@pytest.mark.sampled
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.float16, torch.int8])
@pytest.mark.parametrize("step", [2, 3, -2])
@pytest.mark.parametrize("n", [0, 1, 31, 64])
def test_masked_loads_of_every_second_element(dtype: torch.dtype, step: int, n: int) -> None:
    memory, o = torch.arange(200).remainder(100).to(dtype), torch.zeros(64, dtype=dtype)
    start = 0 if step > 0 else 130
    run(every_second_kernel, (1,), memory[start:], o, n, 2, STEP=step, B=64)
    i = torch.arange(64)
    wanted = (i < n) & (i % 5 != 2)
    want = torch.where(wanted, memory[start + step * i], torch.tensor(-1).to(dtype))
    assert torch.equal(o, want)


def test_a_masked_load_of_every_second_element_stays_inside() -> None:
    with page_before_a_hole() as page:
        x = page.view(torch.float32)[-63:]
        x.copy_(torch.arange(63))
        o = torch.zeros(64)
        run(every_second_kernel, (1,), x, o, 32, 7, STEP=2, B=64)
        assert torch.equal(o[:32], 2 * torch.arange(32).float())


@pytest.mark.parametrize("n", [1, 5, 16, 100])
def test_a_mask_keeps_from_touching_unmapped_memory(n: int) -> None:
    with page_before_a_hole() as page:
        x = page.view(torch.float32)[-n:]
        x.copy_(torch.arange(n))
        o = torch.zeros(n)
        run(copy_kernel, (1,), x, o, n, B=1024)
        assert torch.equal(o, torch.arange(n).float())
        run(copy_kernel, (1,), o, x, n, B=128)


@settings(max_examples=40, deadline=None)
@given(
    rows=st.integers(1, 40), columns=st.integers(1, 70), order=st.sampled_from(["cc", "cr", "rc", "rr"]), gap=st.integers(0, 3),
    br=st.sampled_from([1, 4, 16]), bc=st.sampled_from([8, 32, 64]), dtype=st.sampled_from([torch.float32, torch.int64, torch.bfloat16, torch.int8]),
)  # fmt: skip
def test_any_strides(rows: int, columns: int, order: str, gap: int, br: int, bc: int, dtype: torch.dtype) -> None:
    def matrix(kind: str) -> torch.Tensor:
        if kind == "r":
            return torch.zeros(rows, columns + gap, dtype=dtype)[:, :columns]
        return torch.zeros(columns, rows + gap, dtype=dtype).t()[:rows]

    x, o = matrix(order[0]), matrix(order[1])
    x.copy_(torch.randint(-50, 50, (rows, columns)))
    grid = (triton.cdiv(rows, br), triton.cdiv(columns, bc))
    run(copy_2d_kernel, grid, x, o, rows, columns, *x.stride(), *o.stride(), 9, BR=br, BC=bc)
    want = x.clone()
    want[:, 3:4] = 9
    assert torch.equal(o, want)


@triton.jit
def shift_in_place_kernel(x, n, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(x + i + 1, tl.load(x + i, mask=i < n), mask=i < n)


def test_a_block_is_read_before_it_is_written() -> None:
    x = torch.arange(201, dtype=torch.float32)
    run(shift_in_place_kernel, (1,), x, 200, B=256)
    assert torch.equal(x[1:], torch.arange(200).float())


@triton.jit
def store_then_use_kernel(x, y, n, B: tl.constexpr):
    i = tl.arange(0, B)
    before = tl.load(x + i, mask=i < n)
    tl.store(x + i, before + 1, mask=i < n)
    after = tl.load(x + i, mask=i < n)
    tl.store(y + i, before * 10 + after, mask=i < n)


def test_loads_keep_their_place_among_stores() -> None:
    x, y = torch.arange(100, dtype=torch.float32), torch.zeros(100)
    run(store_then_use_kernel, (1,), x, y, 100, B=128)
    assert torch.equal(y, torch.arange(100) * 11.0 + 1)


@triton.jit
def exchange_kernel(x, y, n, B: tl.constexpr):
    i = tl.arange(0, B)
    a = tl.load(x + i + 1, mask=i < n, other=0)
    b = tl.load(y + i, mask=i < n, other=0)
    tl.store(x + i, a + b, mask=i < n)
    tl.store(y + i, a * b, mask=i < n)


@pytest.mark.parametrize("n", [5, 64, 100, 128])
def test_stores_together_read_before_they_write(n: int) -> None:
    x, y = torch.randn(129), torch.randn(129)
    a, b = x[1 : n + 1].clone(), y[:n].clone()
    rest = x[n:].clone(), y[n:].clone()
    run(exchange_kernel, (1,), x, y, n, B=128)
    assert torch.equal(x[:n], a + b) and torch.equal(y[:n], a * b)
    assert torch.equal(x[n:], rest[0]) and torch.equal(y[n:], rest[1])


@triton.jit
def twice_kernel(x, o, n, EACH: tl.constexpr, B: tl.constexpr):
    i = tl.arange(0, B)
    mask = (i < n) & (i % 3 != 1)
    tl.store(o + i, tl.load(x + i // EACH, mask=mask, other=-1))


@pytest.mark.parametrize("dtype", [torch.float32, torch.int64, torch.int8])
@pytest.mark.parametrize(("each", "n"), [(2, 0), (2, 1), (2, 29), (2, 64), (4, 50)])
def test_lanes_that_share_an_element(dtype: torch.dtype, each: int, n: int) -> None:
    count = -(-n // each)
    with page_before_a_hole() as page:
        x = page.view(dtype)[page.view(dtype).numel() - max(count, 1) :]
        x.copy_(torch.arange(x.numel()))
        o = torch.empty(64, dtype=dtype)
        run(twice_kernel, (1,), x, o, n, EACH=each, B=64)
        i = torch.arange(64)
        expected = torch.where((i < n) & (i % 3 != 1), i // each, -1)
        assert torch.equal(o, expected.to(dtype))
        del x


@triton.jit
def report_kernel(x, o, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(o + tl.zeros_like(i), 7, mask=(i < n) & (tl.load(x + i, mask=i < n, other=1) > 0))


@pytest.mark.parametrize("bad", [None, 0, 33, 99, 100])
def test_one_value_for_one_address_from_any_lane(bad: int | None) -> None:
    """As errors are reported: the last element, which is not inside, does not count."""
    x, o = torch.zeros(101, dtype=torch.int32), torch.zeros(2, dtype=torch.int32)
    if bad is not None:
        x[bad] = 1
    run(report_kernel, (2,), x, o, 100, B=64)
    assert o.tolist() == [0 if bad in (None, 100) else 7, 0]


@triton.jit
def scalar_kernel(x, o, flag):
    v = tl.load(x + 2)
    w = tl.load(x + 1000000, mask=flag, other=5.0)
    tl.store(o, v + w)
    tl.store(o + 1000000, v, mask=flag)
    tl.store(o + 1, v, mask=flag != True)  # noqa: E712


def test_scalars_and_scalar_masks() -> None:
    x, o = torch.tensor([1.0, 2.0, 3.0]), torch.zeros(2)
    run(scalar_kernel, (1,), x, o, False)
    assert o.tolist() == [8.0, 3.0]


@triton.jit
def wide_index_kernel(x, o, start, n, B: tl.constexpr):
    i = start + tl.arange(0, B).to(tl.int64)
    tl.store(o + tl.arange(0, B), tl.load(x + (i - start) * 3, mask=(i - start) < n), mask=tl.arange(0, B) < n)
    tl.store(o + n, start.to(tl.float32))


def test_64_bit_indices() -> None:
    x, o = torch.arange(300, dtype=torch.float32), torch.zeros(101)
    run(wide_index_kernel, (1,), x, o, 2**40, 100, B=128)
    assert torch.equal(o[:100], x[::3])
    assert o[100] == 2.0**40


@triton.jit
def indirect_kernel(x, index, o, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    k = tl.load(index + i, mask=i < n, other=0)
    tl.store(o + k, tl.load(x + k, mask=i < n) * 2, mask=i < n)


@pytest.mark.parametrize("dtype", [torch.int32, torch.int64])
def test_gather_and_scatter(dtype: torch.dtype) -> None:
    index = torch.randperm(500).to(dtype)
    x, o = torch.randn(500), torch.zeros(500)
    run(indirect_kernel, (4,), x, index, o, 500, B=128)
    assert torch.equal(o, x * 2)


@triton.jit
def bool_kernel(x, y, o, n, B: tl.constexpr):
    i = tl.arange(0, B)
    m = i < n
    a, b = tl.load(x + i, mask=m), tl.load(y + i, mask=m)
    tl.store(o + i, a & (b == 0) | (tl.sum((a ^ b).to(tl.int32), 0) < 0), mask=m)


def test_booleans() -> None:
    x, y = torch.rand(200) < 0.5, torch.rand(200) < 0.5
    o = torch.zeros(200, dtype=torch.bool)
    run(bool_kernel, (1,), x, y, o, 200, B=256)
    assert torch.equal(o, x & ~y)


@triton.jit
def tuple_kernel(xs, sizes, o, FN: tl.constexpr, B: tl.constexpr):
    i = tl.arange(0, B)
    m = i < sizes[0]
    values = ()
    for k in tl.static_range(len(xs)):
        values = values + (tl.load(xs[k][0] + i * xs[k][1], mask=m).to(tl.float32),)
    tl.store(o + i, FN(*values), mask=m)


@triton.jit
def weighted(a, b):
    return a * 2 + b


def test_nested_tuples_and_functions_as_arguments() -> None:
    x, y, o = torch.randn(100), torch.randn(200).half(), torch.zeros(100)
    run(tuple_kernel, (1,), ((x, 1), (y, 2)), (100,), o, FN=weighted, B=128)
    assert torch.equal(o, x * 2 + y[::2].float())


@triton.jit
def mask_as_value_kernel(x, y, o, n, B: tl.constexpr):
    i = tl.arange(0, B)
    m = i < n
    rows = tl.load(x + i, mask=m, other=0.0)
    table = tl.load(y + i[:, None] * B + i[None, :])
    tl.store(o + i[:, None] * B + i[None, :], rows[:, None] + tl.where(m[None, :], table, -1.0))


@pytest.mark.parametrize("n", [0, 1, 37, 64])
def test_a_mask_used_as_a_value_along_another_dimension(n: int) -> None:
    x, y, o = torch.randn(64), torch.randn(64, 64), torch.zeros(64, 64)
    run(mask_as_value_kernel, (1,), x, y, o, n, B=64)
    inside = torch.arange(64) < n
    assert torch.equal(o, torch.where(inside, x, 0.0)[:, None] + torch.where(inside[None, :], y, -1.0))
