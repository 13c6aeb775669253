"""Indices of 32 bits that pass the greatest integer within a tile: masks, sums, products and numbers are those of int32."""

from __future__ import annotations

import pytest
import torch
import triton
import triton.language as tl
from hypothesis import given
from hypothesis import strategies as st

from tests.triton_cpu.support import run

END = 2**31
STARTS = st.one_of(st.integers(END - 300, END - 1), st.integers(-END, -END + 10), st.integers(-70, 70))
LIMITS = st.one_of(STARTS, st.integers(-END, END - 1))


def int32(x: torch.Tensor) -> torch.Tensor:
    return (x + END) % (2 * END) - END


def places(start: int, count: int) -> torch.Tensor:
    return int32(start + torch.arange(count))


@triton.jit
def masked_kernel(x, y, z, start, n, WIDE: tl.constexpr, ABOVE: tl.constexpr, B: tl.constexpr):
    i = tl.arange(0, B)
    at = (start + i).to(tl.int64) if WIDE else start + i
    mask = at > n if ABOVE else at < n
    v = tl.load(x + i, mask=mask, other=-1)
    tl.store(y + i, v)
    tl.store(y + B + i, v, mask=mask)
    tl.store(z, tl.sum(tl.load(x + i, mask=mask, other=0), 0))


@pytest.mark.parametrize("block", [8, 64, 256])
@pytest.mark.parametrize("wide", [False, True])
@pytest.mark.parametrize("above", [False, True])
@given(start=STARTS, n=LIMITS)
def test_masks(block: int, wide: bool, above: bool, start: int, n: int) -> None:
    x = torch.arange(1, block + 1)
    y, z = torch.zeros(2 * block, dtype=torch.int64), torch.zeros(1, dtype=torch.int64)
    run(masked_kernel, (1,), x, y, z, start, n, WIDE=wide, ABOVE=above, B=block)
    holds = places(start, block) > n if above else places(start, block) < n
    assert torch.equal(y[:block], torch.where(holds, x, -1))
    assert torch.equal(y[block:], torch.where(holds, x, 0))
    assert z.item() == x[holds].sum()


@triton.jit
def tile_kernel(x, y, start, n, step, m, R: tl.constexpr, C: tl.constexpr):
    r, c = tl.arange(0, R)[:, None], tl.arange(0, C)[None, :]
    mask = (start + r + c < n) & (r * step + c <= m)
    tl.store(y + r * C + c, tl.load(x + r * C + c, mask=mask, other=0))


@pytest.mark.parametrize("shape", [(16, 4), (8, 64)])
@given(start=STARTS, n=LIMITS, step=st.integers(0, END - 1), m=LIMITS)
def test_masks_of_tiles(shape: tuple[int, int], start: int, n: int, step: int, m: int) -> None:
    x, y = torch.randn(shape), torch.zeros(shape)
    run(tile_kernel, (1,), x, y, start, n, step, m, R=shape[0], C=shape[1])
    r, c = torch.arange(shape[0])[:, None], torch.arange(shape[1])
    holds = (int32(start + r + c) < n) & (int32(r * step + c) <= m)
    assert torch.equal(y, x * holds)


@triton.jit
def product_kernel(x, y, start, n, B: tl.constexpr):
    i = tl.arange(0, B)
    at = i[:, None] * B + i[None, :]
    left = tl.load(x + at, mask=start + i[None, :] < n, other=0.0)
    right = tl.load(x + at, mask=start + i[:, None] < n, other=0.0)
    tl.store(y + at, tl.dot(left, right))


@given(start=STARTS, n=LIMITS)
def test_masks_of_products(start: int, n: int) -> None:
    x, y = torch.randint(-3, 4, (32, 32)).float(), torch.zeros(32, 32)
    run(product_kernel, (1,), x, y, start, n, B=32)
    holds = places(start, 32) < n
    assert torch.equal(y, (x * holds) @ (x * holds[:, None]))


@triton.jit
def walk_kernel(x, y, start, n, step, TURNS: tl.constexpr, B: tl.constexpr):
    i = tl.arange(0, B)
    at, total = start + i, tl.zeros([B], tl.int32)
    for _ in range(TURNS):
        total += tl.load(x + i, mask=at < n, other=0)
        at += step
    tl.store(y + i, total)


@given(start=STARTS, n=LIMITS, step=st.integers(-END, END - 1))
def test_masks_of_carried_indices(start: int, n: int, step: int) -> None:
    x, y = torch.arange(1, 65, dtype=torch.int32), torch.zeros(64, dtype=torch.int32)
    run(walk_kernel, (1,), x, y, start, n, step, TURNS=5, B=64)
    counts = sum(
        ((int32(places(start, 64) + k * step) < n).int() for k in range(5)), torch.zeros(64, dtype=torch.int32)
    )
    assert torch.equal(y, x * counts)


@triton.jit
def reduce_kernel(x, y, z, start, n, A: tl.constexpr, B: tl.constexpr, C: tl.constexpr):
    a, b, c = tl.arange(0, A)[:, None, None], tl.arange(0, B)[None, :, None], tl.arange(0, C)[None, None, :]
    at = a + A * b + A * B * c
    v = tl.load(x + at, mask=start + at < n, other=-1)
    tl.store(y + tl.arange(0, B)[:, None] * C + tl.arange(0, C)[None, :], tl.max(v, 0))
    tl.store(z + tl.arange(0, A)[:, None] * B + tl.arange(0, B)[None, :], tl.max(v, 2))


@pytest.mark.parametrize("shape", [(4, 2, 32), (32, 4, 2), (2, 16, 8)])
@given(start=STARTS, n=LIMITS)
def test_masks_of_reductions(shape: tuple[int, int, int], start: int, n: int) -> None:
    a, b, c = shape
    x = torch.randint(0, 1000, (a * b * c,))
    y, z = torch.zeros(b, c, dtype=torch.int64), torch.zeros(a, b, dtype=torch.int64)
    run(reduce_kernel, (1,), x, y, z, start, n, A=a, B=b, C=c)
    v = torch.where(places(start, len(x)) < n, x, -1).reshape(c, b, a).permute(2, 1, 0)
    assert torch.equal(y, v.amax(0)) and torch.equal(z, v.amax(2))


@triton.jit
def number_kernel(y, start, B: tl.constexpr):
    i = tl.arange(0, B)
    at = start + i
    tl.store(y + i, at.to(tl.int64))
    tl.store(y + B + i, at.to(tl.int64) * 3 - 1)
    tl.store(y + 2 * B + i, (at // 4).to(tl.int64))


@pytest.mark.parametrize("block", [8, 64, 256])
@given(start=STARTS)
def test_numbers(block: int, start: int) -> None:
    y = torch.zeros(3, block, dtype=torch.int64)
    run(number_kernel, (1,), y, start, B=block)
    at = places(start, block)
    assert torch.equal(y, torch.stack([at, at * 3 - 1, torch.div(at, 4, rounding_mode="trunc")]))
