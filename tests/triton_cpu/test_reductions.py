"""Reductions and scans over any axis, with any combine function."""

from __future__ import annotations

import numpy as np
import pytest
import torch
import triton
import triton.language as tl

from tests.triton_cpu.support import run


@triton.jit
def product(a, b):
    return a * b


@triton.jit
def first_nonzero(va, ia, vb, ib):
    keep = (va != 0) & ((ia < ib) | (vb == 0))
    return tl.where(keep, va, vb), tl.where(keep, ia, ib)


@triton.jit
def welford(ma, sa, na, mb, sb, nb):
    n = na + nb
    d = mb - ma
    w = tl.where(n == 0.0, 0.0, nb / n)
    return ma + d * w, sa + sb + d * d * na * w, n


@triton.jit
def reduce_kernel(x, o, OP: tl.constexpr, AXIS: tl.constexpr, A: tl.constexpr, B: tl.constexpr, C: tl.constexpr):
    a, b, c = tl.arange(0, A)[:, None, None], tl.arange(0, B)[None, :, None], tl.arange(0, C)[None, None, :]
    v = tl.load(x + (a * B + b) * C + c)
    if OP == "sum":
        r = tl.sum(v, AXIS)
    elif OP == "max":
        r = tl.max(v, AXIS)
    elif OP == "min":
        r = tl.min(v, AXIS)
    elif OP == "argmax":
        r = tl.argmax(v, AXIS)
    elif OP == "xor":
        r = tl.xor_sum(v, AXIS)
    else:
        r = tl.reduce(v, AXIS, product)
    p = tl.arange(0, r.shape[0])[:, None] * r.shape[1] + tl.arange(0, r.shape[1])[None, :]
    tl.store(o + p, r)


@pytest.mark.sampled
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.float16, torch.int32, torch.int64, torch.int8])
@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("op", ["sum", "max", "min", "argmax", "xor", "product"])
def test_reduce(op: str, axis: int, dtype: torch.dtype) -> None:
    if op == "xor" and dtype.is_floating_point:
        dtype = torch.uint8
    shapes = [(2, 4, 128), (4, 32, 8), (64, 2, 2)] if op != "argmax" else [(4, 8, 64)]
    for shape in shapes:
        x = torch.randint(-5, 6, shape).to(dtype) if op != "product" else torch.randint(1, 3, shape).to(dtype)
        if op == "product":
            x = torch.where(torch.rand(shape) < 0.9, torch.ones_like(x), x)
        if op == "sum":
            want = x.long().sum(axis)
        elif op == "xor":
            want = x.select(axis, 0).clone()
            for k in range(1, shape[axis]):
                want ^= x.select(axis, k)
        elif op == "product":
            want = x.long().prod(axis).to(dtype)
        else:
            want = {"max": torch.amax, "min": torch.amin, "argmax": torch.argmax}[op](x, axis)
        out = torch.int32 if op == "argmax" else torch.int64 if op == "sum" and not dtype.is_floating_point else dtype
        o = torch.zeros(want.shape, dtype=out)
        run(reduce_kernel, (1,), x, o, OP=op, AXIS=axis, A=shape[0], B=shape[1], C=shape[2])
        if op == "argmax":  # ties: the smallest index; torch promises none
            peak = x.amax(axis, keepdim=True)
            index = torch.arange(shape[axis]).view([-1 if d == axis else 1 for d in range(3)])
            want = torch.where(x == peak, index, 10**6).amin(axis)
        assert torch.equal(o.to(want.dtype), want), (op, shape)


@triton.jit
def extremum_kernel(x, value, index, MAX: tl.constexpr, LEFT: tl.constexpr, AXIS: tl.constexpr, A: tl.constexpr, B: tl.constexpr):
    v = tl.load(x + tl.arange(0, A)[:, None] * B + tl.arange(0, B)[None, :])
    if MAX:
        m, i = tl.max(v, AXIS, return_indices=True, return_indices_tie_break_left=LEFT)
    else:
        m, i = tl.min(v, AXIS, return_indices=True, return_indices_tie_break_left=LEFT)
    tl.store(value + tl.arange(0, m.shape[0]), m.to(tl.float32))
    tl.store(index + tl.arange(0, m.shape[0]), i)


@pytest.mark.sampled
@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16, torch.float64, torch.int32], ids=str)
@pytest.mark.parametrize("shape", [(4, 64), (64, 4), (2, 8)])
@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("greatest", [True, False])
@pytest.mark.parametrize("left", [True, False])
def test_extrema_of_nan_and_equals(left: bool, greatest: bool, axis: int, shape: tuple[int, int], dtype: torch.dtype) -> None:
    """As in Triton's interpreter: the first NaN, or the first of equals; without tie_break_left one element after the other."""
    x = torch.randint(-3, 4, shape).double()
    if dtype.is_floating_point:
        x[torch.rand(shape) < 0.1] = float("nan")
    rows = x.movedim(axis, 1)
    at = (np.argmax if greatest else np.argmin)(rows.numpy(), 1)
    if not left:
        at[:] = 0
        for row, i in enumerate(at):
            for j in range(1, rows.shape[1]):
                ahead = rows[row, i] > rows[row, j] if greatest else rows[row, i] < rows[row, j]
                i = i if ahead else j
            at[row] = i
    value, index = torch.zeros(len(rows)), torch.zeros(len(rows), dtype=torch.int32)
    run(extremum_kernel, (1,), x.to(dtype), value, index, MAX=greatest, LEFT=left, AXIS=axis, A=shape[0], B=shape[1])
    assert index.tolist() == at.tolist()
    torch.testing.assert_close(value.double(), rows[torch.arange(len(rows)), torch.from_numpy(at)], rtol=0, atol=0, equal_nan=True)


@triton.jit
def many_kernel(x, mean, m2, value, index, n, B: tl.constexpr):
    i = tl.arange(0, B)
    v = tl.load(x + tl.program_id(0) * n + i, mask=i < n, other=0.0)
    m, s, _ = tl.reduce((v, tl.zeros_like(v), (i < n).to(tl.float32)), 0, welford)
    tl.store(mean + tl.program_id(0), m)
    tl.store(m2 + tl.program_id(0), s)
    f, k = tl.reduce((tl.where(i > 17, v, 0.0), i), 0, first_nonzero)
    tl.store(value + tl.program_id(0), f)
    tl.store(index + tl.program_id(0), k)


def test_several_operands() -> None:
    x = torch.randn(6, 100) + 5
    mean, m2, value = (torch.zeros(6) for _ in range(3))
    index = torch.zeros(6, dtype=torch.int32)
    run(many_kernel, (6,), x, mean, m2, value, index, 100, B=128)
    torch.testing.assert_close(mean, x.double().mean(1).float())
    torch.testing.assert_close(m2.double(), x.double().var(1, correction=0) * 100, rtol=1e-4, atol=1e-4)
    assert torch.equal(value, x[:, 18])
    assert (index == 18).all()


@triton.jit
def masked_rows_kernel(x, o, rows, columns, BR: tl.constexpr, BC: tl.constexpr, OP: tl.constexpr):
    r, c = tl.arange(0, BR)[:, None], tl.arange(0, BC)[None, :]
    v = tl.load(x + r * columns + c, mask=(r < rows) & (c < columns), other=-1e30 if OP == "max" else 0.0)
    if OP == "max":
        s = tl.max(v, 1)
    else:
        s = tl.sum(tl.exp(v), 1)  # exp(0) = 1 beyond the mask: counted
    tl.store(o + tl.arange(0, BR), s, mask=tl.arange(0, BR) < rows)


@pytest.mark.parametrize("columns", [1, 7, 31, 64, 65, 200, 255])
@pytest.mark.parametrize("op", ["max", "sum"])
def test_masked_rows(op: str, columns: int) -> None:
    x, o = torch.randn(5, columns), torch.zeros(5)
    run(masked_rows_kernel, (1,), x, o, 5, columns, BR=8, BC=256, OP=op)
    want = x.amax(1) if op == "max" else (x.double().exp().sum(1) + (256 - columns)).float()
    torch.testing.assert_close(o, want)


@triton.jit
def linear_step(ga, xa, gb, xb):
    return ga * gb, xa * gb + xb


@triton.jit
def scan_kernel(x, o, OP: tl.constexpr, AXIS: tl.constexpr, REVERSE: tl.constexpr, A: tl.constexpr, B: tl.constexpr):
    p = tl.arange(0, A)[:, None] * B + tl.arange(0, B)[None, :]
    v = tl.load(x + p)
    if OP == "cumsum":
        r = tl.cumsum(v, AXIS, reverse=REVERSE)
    elif OP == "cumprod":
        r = tl.cumprod(v, AXIS, reverse=REVERSE)
    else:
        _, r = tl.associative_scan((v * 0.5, v), AXIS, linear_step, reverse=REVERSE)
    tl.store(o + p, r)


@pytest.mark.sampled
@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("op", ["cumsum", "cumprod", "linear"])
@pytest.mark.parametrize("shape", [(1, 128), (4, 512), (16, 64), (64, 4), (32, 1)])
def test_scan(shape: tuple[int, int], op: str, axis: int, reverse: bool) -> None:
    x = torch.randn(shape, dtype=torch.float64)
    o = torch.zeros_like(x)
    run(scan_kernel, (1,), x, o, OP=op, AXIS=axis, REVERSE=reverse, A=shape[0], B=shape[1])
    y = x.flip(axis) if reverse else x
    if op == "linear":
        steps, state = [], None
        for row in y.unbind(axis):
            state = row if state is None else state * (row * 0.5) + row
            steps.append(state)
        want = torch.stack(steps, axis)
    else:
        want = getattr(torch, op)(y, axis)
    want = want.flip(axis) if reverse else want
    torch.testing.assert_close(o, want)


@triton.jit
def left(va, ia, vb, ib):
    """Not commutative: shows which of two comes first."""
    return tl.where(va != 0, va, vb), tl.where(va != 0, ia, ib)


@triton.jit
def first_kernel(x, o, REVERSE: tl.constexpr, B: tl.constexpr):
    i = tl.arange(0, B)
    _, first = tl.associative_scan((tl.load(x + i), i), 0, left, reverse=REVERSE)
    tl.store(o + i, first)


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("block", [2, 16, 32, 256])
def test_scans_keep_the_order(block: int, reverse: bool) -> None:
    x = (torch.rand(block) < 0.2).to(torch.int8)
    o = torch.zeros(block, dtype=torch.int32)
    run(first_kernel, (1,), x, o, REVERSE=reverse, B=block)
    seen, want = None, [0] * block
    for k in reversed(range(block)) if reverse else range(block):
        seen = k if x[k] and seen is None else seen
        want[k] = k if seen is None else seen
    assert o.tolist() == want


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.int8, torch.bool])
def test_scans_of_small_types(dtype: torch.dtype) -> None:
    x = torch.randint(0, 2, (1, 128)).to(dtype)
    o = torch.zeros(1, 128, dtype=torch.int32 if dtype == torch.bool else dtype)
    run(scan_kernel, (1,), x, o, OP="cumsum", AXIS=1, REVERSE=False, A=1, B=128)
    assert torch.equal(o.double(), x.double().cumsum(1))


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_scans_of_halves_round_once(dtype: torch.dtype, axis: int) -> None:
    x = torch.randn(64, 64).to(dtype)
    o = torch.zeros_like(x)
    run(scan_kernel, (1,), x, o, OP="cumsum", AXIS=axis, REVERSE=False, A=64, B=64)
    exact = x.double().cumsum(axis)
    step = torch.finfo(dtype).eps * exact.abs()
    assert ((o.double() - exact).abs() <= step / 2 + 1e-5).all()
