"""Loops, conditionals, early returns, calls, and the values they carry."""

from __future__ import annotations

import pytest
import torch
import triton
import triton.language as tl

from tests.triton_cpu.support import run


@triton.jit
def carried_kernel(x, o, n, steps, B: tl.constexpr):
    i = tl.arange(0, B)
    p = x + i
    a = tl.load(x + i, mask=i < n, other=0.0)
    b = a * 2
    kept = a + 100
    count = 0
    for k in range(steps):
        a, b = b + k, a  # a swap: both are read before either is written
        count += tl.where(k % 2 == 0, 1, 10)
        p += 1
    tl.store(o + i, a, mask=i < n)
    tl.store(o + n + i, b, mask=i < n)
    tl.store(o + 2 * n + i, kept + count, mask=i < n)
    tl.store(o + 3 * n + i, tl.load(p, mask=i < n - steps, other=-1.0), mask=i < n)


@pytest.mark.parametrize("steps", [0, 1, 5])
def test_carried_values(steps: int) -> None:
    n = 50
    x, o = torch.randn(n), torch.zeros(4, n)
    run(carried_kernel, (1,), x, o, n, steps, B=64)
    a, b, count = x, x * 2, 0
    for k in range(steps):
        a, b = b + k, a
        count += 1 if k % 2 == 0 else 10
    torch.testing.assert_close(o[0], a)
    torch.testing.assert_close(o[1], b)
    torch.testing.assert_close(o[2], x + 100 + count)
    assert torch.equal(o[3], torch.cat([x[steps:], torch.full((steps,), -1.0)]))


@triton.jit
def rearranging_loop_kernel(x, o, steps, A: tl.constexpr):
    r, c = tl.arange(0, A)[:, None], tl.arange(0, A)[None, :]
    v = tl.load(x + r * A + c)
    same = v
    for _ in range(steps):
        v = tl.trans(v) + tl.sum(v, 1)[None, :]
    tl.store(o + r * A + c, v)
    tl.store(o + A * A + r * A + c, same)


def test_a_carried_tensor_may_be_rearranged() -> None:
    x, o = torch.randint(-3, 4, (16, 16)).float(), torch.zeros(2, 16, 16)
    run(rearranging_loop_kernel, (1,), x, o, 3, A=16)
    want = x
    for _ in range(3):
        want = want.t() + want.sum(1)[None, :]
    assert torch.equal(o[0], want)
    assert torch.equal(o[1], x)


@triton.jit
def nested_kernel(x, o, rows, columns, B: tl.constexpr):
    i = tl.arange(0, B)
    total = tl.zeros((B,), tl.float32)
    for r in range(rows):
        part = tl.zeros((B,), tl.float32)
        for c in range(0, columns, B):
            part += tl.load(x + r * columns + c + i, mask=c + i < columns, other=0.0)
        if r % 2 == 0:
            total += part
        else:
            total -= part * 2
    tl.store(o, tl.sum(total, 0))


def test_nested_loops_and_branches() -> None:
    x, o = torch.randn(5, 100, dtype=torch.float32), torch.zeros(1)
    run(nested_kernel, (1,), x, o, 5, 100, B=32)
    s = x.double().sum(1)
    torch.testing.assert_close(o[0].double(), s[0] - 2 * s[1] + s[2] - 2 * s[3] + s[4], rtol=1e-4, atol=1e-4)


@triton.jit
def while_kernel(x, o, limit, B: tl.constexpr):
    i = tl.arange(0, B)
    v = tl.load(x + i)
    steps = 0
    while (tl.sum(v, 0) < limit) & (steps < 50):
        v = v * 2
        steps += 1
    tl.store(o + i, v)
    tl.store(o + B, steps.to(tl.float32))


def test_while() -> None:
    x, o = torch.ones(32), torch.zeros(33)
    run(while_kernel, (1,), x, o, 1000.0, B=32)
    assert o[32] == 5
    assert (o[:32] == 32).all()


@triton.jit
def _unless(x, flag):
    if not flag > 0:
        for i in range(4):
            tl.store(x + i, 7)


@pytest.mark.parametrize("flag", [0, 1])
def test_an_arm_with_nothing_in_it(flag: int) -> None:
    """Triton turns a condition round, and leaves the first arm empty."""
    x = torch.zeros(4, dtype=torch.int32)
    run(_unless, (1,), x, flag)
    assert x.tolist() == [0 if flag else 7] * 4


@triton.jit
def early_return_kernel(x, o, n, B: tl.constexpr):
    start = tl.program_id(0) * B
    if start >= n:
        return
    if n > 1000:
        if start > 64:
            return
    i = start + tl.arange(0, B)
    v = tl.load(x + i, mask=i < n)
    if tl.sum(v, 0) < 0:
        v = -v
    tl.store(o + i, v, mask=i < n)


def test_early_return() -> None:
    x, o = torch.ones(100), torch.full((200,), -5.0)
    x[32:64] = -1
    run(early_return_kernel, (8,), x, o, 100, B=32)
    assert (o[:100] == 1).all() and (o[100:] == -5).all()


@triton.jit(noinline=True)
def affine_of(v, a, b):
    r = v * a + b
    while r > 100:
        r -= 100
    return r


@triton.jit
def calls_kernel(x, o, k, B: tl.constexpr):
    i = tl.arange(0, B)
    v = tl.load(x + i)
    w = affine_of(k, 2, 5)
    tl.store(o + i, v * affine_of(w, 3, k))
    tl.store(o + B, w.to(tl.float32))


def test_calls_that_are_not_inlined() -> None:
    x, o = torch.randn(64), torch.zeros(65)
    kernel = run(calls_kernel, (1,), x, o, 10, B=64)
    assert "tt.call" in kernel.asm["ttir"]
    torch.testing.assert_close(o[:64], x * 85)
    assert o[64] == 25


@triton.jit
def ids_kernel(o, B: tl.constexpr):
    x, y, z = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    gx, gy, gz = tl.num_programs(0), tl.num_programs(1), tl.num_programs(2)
    at = (z * gy + y) * gx + x
    tl.store(o + at, x + 10 * y + 100 * z + 1000 * gz)


def test_program_ids() -> None:
    o = torch.zeros(4, 3, 5, dtype=torch.int32)
    run(ids_kernel, (5, 3, 4), o, B=1)
    z, y, x = torch.meshgrid(torch.arange(4), torch.arange(3), torch.arange(5), indexing="ij")
    assert torch.equal(o.long(), x + 10 * y + 100 * z + 4000)


@triton.jit
def select_tensor_kernel(x, o, flag, n, B: tl.constexpr):
    i = tl.arange(0, B)
    v = tl.load(x + i, mask=i < n, other=0.0)
    if flag > 0:
        w = tl.exp(v)
        s = tl.sum(w, 0)
    elif flag < 0:
        w = tl.flip(v, 0)
        s = 1.0
    else:
        w = v
        s = 2.0
    tl.store(o + i, w * s, mask=i < n)


@pytest.mark.parametrize("flag", [-1, 0, 1])
def test_if_gives_tensors(flag: int) -> None:
    x, o = torch.randn(64), torch.zeros(64)
    run(select_tensor_kernel, (1,), x, o, flag, 64, B=64)
    e = x.double().exp()
    want = (e * e.sum()).float() if flag > 0 else x.flip(0) if flag < 0 else x * 2
    torch.testing.assert_close(o, want)


@triton.jit
def collatz_kernel(o, longest, n):
    best = 0
    i = 1
    while i < n:
        value, steps = i, 0
        while value != 1:
            if value % 2 == 0:
                while value % 2 == 0:
                    value = value // 2
                    steps += 1
            else:
                value = value * 3 + 1
                steps += 1
        tl.store(o + i, steps)
        best = tl.maximum(best, steps)
        i += 1
    tl.store(longest, best)


def test_while_in_while_in_while() -> None:
    o, longest = torch.zeros(50, dtype=torch.int32), torch.zeros(1, dtype=torch.int32)
    run(collatz_kernel, (1,), o, longest, 50)

    def steps(value: int) -> int:
        return 0 if value == 1 else 1 + steps(value // 2 if value % 2 == 0 else 3 * value + 1)

    want = [0] + [steps(value) for value in range(1, 50)]
    assert o.tolist() == want and longest[0] == max(want)


@triton.jit(noinline=True)
def divided(a, b, scale):
    if b == 0:
        return 0, a, scale
    return a // b, a % b, scale * 2


@triton.jit
def results_kernel(o, scales, a, n):
    scale = 1.5
    for b in range(n):
        quotient, rest, scale = divided(a, b, scale)
        tl.store(o + 2 * b, quotient)
        tl.store(o + 2 * b + 1, rest)
        tl.store(scales + b, scale)


def test_calls_with_several_results() -> None:
    o, scales = torch.zeros(10, dtype=torch.int32), torch.zeros(5)
    kernel = run(results_kernel, (1,), o, scales, 23, 5)
    assert "tt.call" in kernel.asm["ttir"]
    assert o.tolist() == [0, 23, 23, 0, 11, 1, 7, 2, 5, 3]
    assert scales.tolist() == [1.5, 3.0, 6.0, 12.0, 24.0]


@triton.jit
def return_in_branch(v, flag):
    if flag > 1:
        if flag > 2:
            return v * 10
        return v
    return -v


@triton.jit
def early_values_kernel(x, o, flag, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(o + i, return_in_branch(tl.load(x + i), flag))


@pytest.mark.parametrize("flag", [1, 2, 3])
def test_early_returns_of_values(flag: int) -> None:
    x, o = torch.randn(16), torch.zeros(16)
    run(early_values_kernel, (1,), x, o, flag, B=16)
    assert torch.equal(o, x * {1: -1, 2: 1, 3: 10}[flag])


@triton.jit
def stored_in_one_arm_kernel(x, o, B: tl.constexpr):
    i = tl.arange(0, B)
    v = tl.load(x + i)
    w = v * 2
    if tl.program_id(0) == 1:
        w += tl.cumsum(v, 0)  # puts v into memory, in this arm only
    for _ in range(tl.program_id(0)):
        w += tl.cumsum(w * 0 + v + 1, 0)
    tl.store(o + tl.program_id(0) * B + i, tl.cumsum(v, 0) + w)


def test_what_one_arm_stores_is_not_stored_behind_it() -> None:
    x, o = torch.randint(0, 9, (32,)), torch.zeros(2, 32, dtype=torch.int64)
    run(stored_in_one_arm_kernel, (2,), x, o, B=32)
    first = x.cumsum(0) + 2 * x
    assert torch.equal(o[0], first)
    assert torch.equal(o[1], first + x.cumsum(0) + (x + 1).cumsum(0))
