"""Operations that rearrange: reshape, trans, join, split, cat, gather, histogram, sort, top-k, flip."""

from __future__ import annotations

import pytest
import torch
import triton
import triton.language as tl

from tests.triton_cpu.support import run
from tritonflow.triton_cpu.target import resolve

DTYPES = [torch.float32, torch.int64, torch.bfloat16, torch.int8, torch.float64]


@triton.jit
def rearrange_kernel(x, o, OP: tl.constexpr, A: tl.constexpr, B: tl.constexpr):
    v = tl.load(x + tl.arange(0, A)[:, None] * B + tl.arange(0, B)[None, :])
    if OP == "trans":
        r = tl.reshape(tl.trans(v), (A * B,))
    elif OP == "permute":
        r = tl.reshape(tl.permute(tl.reshape(v, (A, 2, B // 2)), (2, 0, 1)), (A * B,))
    elif OP == "split":
        a, b = tl.split(tl.reshape(v, (A, B // 2, 2)))
        r = tl.reshape(tl.join(b, a), (A * B,))
    elif OP == "interleave":
        a, b = tl.split(tl.reshape(v, (A, B // 2, 2)))
        r = tl.reshape(tl.interleave(b + 1, a), (A * B,))
    elif OP == "flip":
        r = tl.reshape(tl.flip(v, 1), (A * B,))
    elif OP == "ravel":
        r = tl.ravel(v) * 2
    elif OP == "sum_of_transposed":
        r = tl.reshape(tl.trans(v) + tl.sum(v, 1)[None, :] - tl.max(v, 0)[:, None], (A * B,))
    tl.store(o + tl.arange(0, A * B), r)


@pytest.mark.sampled
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("op", ["trans", "permute", "split", "interleave", "flip", "ravel", "sum_of_transposed"])
@pytest.mark.parametrize("shape", [(4, 8), (2, 64), (32, 2), (16, 32)])
def test_rearrange(op: str, dtype: torch.dtype, shape: tuple[int, int]) -> None:
    a, b = shape
    x = torch.randint(-3, 4, shape).to(dtype)
    o = torch.zeros(a * b, dtype=dtype)
    run(rearrange_kernel, (1,), x, o, OP=op, A=a, B=b)
    pairs = x.view(a, b // 2, 2)
    want = {
        "trans": lambda: x.t(),
        "permute": lambda: x.view(a, 2, b // 2).permute(2, 0, 1),
        "split": lambda: pairs.flip(2),
        "interleave": lambda: torch.stack([pairs[..., 1] + 1, pairs[..., 0]], -1),
        "flip": lambda: x.flip(1),
        "ravel": lambda: x * 2,
        "sum_of_transposed": lambda: x.t() + x.sum(1)[None, :] - x.amax(0)[:, None],
    }[op]()
    assert torch.equal(o.double(), want.reshape(-1).to(dtype).double())


@triton.jit
def every_fourth_kernel(x, o, n, A: tl.constexpr, B: tl.constexpr):
    i = tl.arange(0, A)[:, None] * B + tl.arange(0, B)[None, :]
    v = tl.load(x + i, mask=i < n, other=7)
    tl.store(x + i, v * 0, mask=i < n)  # what was read is needed behind it
    even, odd = tl.split(tl.reshape(v + i, (A, B // 4, 2, 2)))
    p = tl.arange(0, A)[:, None] * (B // 4) + tl.arange(0, B // 4)[None, :]
    for k in tl.static_range(4):
        a, b = tl.split(even if k % 2 == 0 else odd)
        tl.store(o + k * (A * B // 4) + p, a if k < 2 else b)


@pytest.mark.parametrize("shape", [(1, 4), (4, 8), (2, 128)])
def test_every_fourth(shape: tuple[int, int]) -> None:
    """Tiles of which splits take every fourth column are not stored for it."""
    rows, cols = shape
    x, o = torch.randn(rows * cols), torch.zeros(rows * cols)
    n = rows * cols - 3
    want = torch.cat([x[:n], torch.full((3,), 7.0)]) + torch.arange(rows * cols)
    run(every_fourth_kernel, (1,), x, o, n, A=rows, B=cols)
    assert torch.equal(o.view(4, -1), want.view(-1, 4).t())
    assert not x[:n].any() and x[n:].all()


@triton.jit
def cat_kernel(x, y, o, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(o + tl.arange(0, 2 * B), tl.cat(tl.load(x + i), tl.load(y + i) * 2, can_reorder=True))


def test_cat() -> None:
    x, y, o = torch.randn(64), torch.randn(64), torch.zeros(128)
    run(cat_kernel, (1,), x, y, o, B=64)
    assert torch.equal(o, torch.cat([x, y * 2]))


@triton.jit
def gather_kernel(x, index, o, AXIS: tl.constexpr, A: tl.constexpr, B: tl.constexpr, C: tl.constexpr, D: tl.constexpr):
    v = tl.load(x + tl.arange(0, A)[:, None] * B + tl.arange(0, B)[None, :])
    p = tl.arange(0, C)[:, None] * D + tl.arange(0, D)[None, :]
    tl.store(o + p, tl.gather(v, tl.load(index + p), AXIS))


@pytest.mark.parametrize(("shape", "out", "axis"), [((16, 8), (4, 8), 0), ((4, 64), (4, 32), 1), ((8, 4), (64, 4), 0)])
@pytest.mark.parametrize("index_dtype", [torch.int32, torch.int64, torch.int8])
def test_gather(shape: tuple[int, int], out: tuple[int, int], axis: int, index_dtype: torch.dtype) -> None:
    x = torch.randn(shape)
    index = torch.randint(0, shape[axis], out)
    o = torch.zeros(out)
    run(gather_kernel, (1,), x, index.to(index_dtype), o, AXIS=axis, A=shape[0], B=shape[1], C=out[0], D=out[1])
    assert torch.equal(o, torch.gather(x, axis, index))


@triton.jit
def table_kernel(x, index, o, steps, LOADED: tl.constexpr, ROWS: tl.constexpr, WIDTH: tl.constexpr):
    """Sums over steps of numbers from a table of 16, which is loaded or computed, by the lowest four bits of words."""
    at = tl.arange(0, 16)
    table = tl.load(x + at) if LOADED else tl.where(at % 3 == 0, at * 2 - 5, at * at).to(x.dtype.element_ty)
    table = tl.broadcast_to(table[None, :], (ROWS, 16))
    p = tl.arange(0, ROWS)[:, None] * WIDTH + tl.arange(0, WIDTH)[None, :]
    total = tl.zeros((ROWS, WIDTH), dtype=x.dtype.element_ty)
    for step in range(steps):
        words = tl.load(index + step * ROWS * WIDTH + p)
        total += tl.gather(table, words & 15, 1) * tl.gather(table, (words >> 4) & 15, 1)
    tl.store(o + p, total)


@pytest.mark.parametrize("dtype", [torch.float32, torch.int32, torch.int64], ids=str)
@pytest.mark.parametrize("loaded", [False, True])
@pytest.mark.parametrize(("rows", "width"), [(1, 32), (4, 64), (2, 8)])
def test_numbers_of_a_table(rows: int, width: int, loaded: bool, dtype: torch.dtype) -> None:
    """A table of 16 numbers of 32 bits is a vector register; other gathers take other ways to the same numbers."""
    at = torch.arange(16)
    x = torch.randint(-9, 9, (16,)).to(dtype) if loaded else torch.where(at % 3 == 0, at * 2 - 5, at * at).to(dtype)
    index = torch.randint(-(2**31), 2**31 - 1, (3, rows, width), dtype=torch.int32)
    o = torch.zeros((rows, width), dtype=dtype)
    compiled = run(table_kernel, (1,), x, index, o, 3, LOADED=loaded, ROWS=rows, WIDTH=width)
    assert torch.equal(o, (x[(index & 15).long()] * x[((index >> 4) & 15).long()]).sum(0, dtype=dtype))
    if resolve().vector_bits == 512 and width >= 16:
        assert ("vperm" in compiled.asm["s"]) == (dtype.itemsize == 4)


@triton.jit
def histogram_kernel(x, o, n, B: tl.constexpr, BINS: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(o + tl.arange(0, BINS), tl.histogram(tl.load(x + i, mask=i < n, other=0), BINS, mask=i < n))


def test_histogram() -> None:
    x, o = torch.randint(0, 16, (200,), dtype=torch.int32), torch.zeros(16, dtype=torch.int32)
    run(histogram_kernel, (1,), x, o, 200, B=256, BINS=16)
    assert torch.equal(o.long(), torch.bincount(x, minlength=16))


@triton.jit
def sort_kernel(x, o, DESCENDING: tl.constexpr, TOP: tl.constexpr, A: tl.constexpr, B: tl.constexpr):
    r = tl.arange(0, A)[:, None]
    v = tl.load(x + r * B + tl.arange(0, B)[None, :])
    if TOP:
        tl.store(o + r * TOP + tl.arange(0, TOP)[None, :], tl.topk(v, TOP, 1))
    else:
        tl.store(o + r * B + tl.arange(0, B)[None, :], tl.sort(v, 1, descending=DESCENDING))


@pytest.mark.parametrize("dtype", [torch.float32, torch.int32, torch.float16, torch.int64])
@pytest.mark.parametrize(
    ("shape", "descending", "top"), [((1, 64), False, 0), ((8, 16), True, 0), ((4, 32), True, 8), ((2, 512), True, 0)]
)
@pytest.mark.sampled(most=5)
def test_sort(shape: tuple[int, int], descending: bool, top: int, dtype: torch.dtype) -> None:
    x = torch.randint(-100, 100, shape).to(dtype)
    o = torch.zeros(shape[0], top or shape[1], dtype=dtype)
    run(sort_kernel, (1,), x, o, DESCENDING=descending, TOP=top, A=shape[0], B=shape[1])
    want = x.sort(1, descending=descending).values
    assert torch.equal(o, want[:, :top] if top else want)
