"""Atomic operations, across threads, with masks, and what they return."""

from __future__ import annotations

import pytest
import torch
import triton
import triton.language as tl

from tests.triton_cpu.support import run
from tritonflow import triton_cpu


@triton.jit
def atomic_kernel(x, o, n, OP: tl.constexpr, BINS: tl.constexpr, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(x + i, mask=i < n, other=0)
    p = o + i % BINS
    if OP == "add":
        tl.atomic_add(p, v, mask=i < n)
    elif OP == "max":
        tl.atomic_max(p, v, mask=i < n)
    elif OP == "min":
        tl.atomic_min(p, v, mask=i < n)
    elif OP == "and":
        tl.atomic_and(p, v, mask=i < n)
    elif OP == "or":
        tl.atomic_or(p, v, mask=i < n)
    else:
        tl.atomic_xor(p, v, mask=i < n)


@pytest.mark.sampled
@pytest.mark.parametrize("op", ["add", "max", "min", "and", "or", "xor"])
@pytest.mark.parametrize(
    "dtype", [torch.int32, torch.int64, torch.float32, torch.float64, torch.float16, torch.bfloat16]
)
def test_read_modify_write(op: str, dtype: torch.dtype) -> None:
    if dtype.is_floating_point and (op not in ("add", "max", "min") or dtype.itemsize == 2 and op != "add"):
        return
    n, bins = 20000 if dtype.itemsize > 2 else 100, 8
    x = torch.randint(-100, 100, (n,)).to(dtype) if dtype.itemsize > 2 else torch.randint(-3, 4, (n,)).to(dtype)
    o = torch.zeros(bins, dtype=dtype) if op not in ("and",) else torch.full((bins,), -1, dtype=dtype)
    before = o.clone()
    run(atomic_kernel, (triton.cdiv(n, 128),), x, o, n, OP=op, BINS=bins, B=128)
    columns = [torch.cat([before[k : k + 1], x[k::bins]]) for k in range(bins)]
    for k, column in enumerate(columns):
        if op == "add":
            want = column.double().sum()
        elif op in ("max", "min"):
            want = getattr(column, op)()
        else:
            want = column[0]
            for value in column[1:]:
                want = want & value if op == "and" else want | value if op == "or" else want ^ value
        assert o[k].double() == want.double(), (op, k)


@triton.jit
def ticket_kernel(counter, o):
    tl.store(o + tl.atomic_add(counter, 1), tl.program_id(0))


def test_every_ticket_is_drawn_once() -> None:
    n = 50000
    counter, o = torch.zeros(1, dtype=torch.int32), torch.full((n,), -1, dtype=torch.int32)
    run(ticket_kernel, (n,), counter, o)
    assert counter[0] == n
    assert torch.equal(o.sort().values, torch.arange(n, dtype=torch.int32))


@triton.jit
def returned_kernel(x, old, o, n, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(old + i, tl.atomic_add(x + i, o, mask=i < n), mask=i < n)
    tl.store(old + n + i, tl.atomic_xchg(x + i, 7, mask=i < n), mask=i < n)
    tl.store(old + 2 * n + i, tl.atomic_cas(x + i, tl.full((B,), 7, tl.int32), i), mask=i < n)
    tl.store(old + 3 * n, tl.atomic_cas(x, 0, 99))


def test_old_values_are_returned() -> None:
    x, old = torch.arange(64, dtype=torch.int32), torch.zeros(193, dtype=torch.int32)
    run(returned_kernel, (1,), x, old, 5, 64, B=64)
    assert torch.equal(old[:64], torch.arange(64, dtype=torch.int32))
    assert torch.equal(old[64:128], torch.arange(64, dtype=torch.int32) + 5)
    assert (old[128:192] == 7).all()
    assert old[192] == 0 and x[0] == 99
    assert torch.equal(x[1:], torch.arange(1, 64, dtype=torch.int32))


@triton.jit
def locked_kernel(lock, total, n):
    for _ in range(n):
        while tl.atomic_cas(lock, 0, 1) == 1:
            pass
        tl.store(total, tl.load(total) + 1)
        tl.debug_barrier()
        tl.atomic_xchg(lock, 0)


def test_a_lock_made_of_compare_and_swap() -> None:
    threads = triton_cpu.get_num_threads()
    triton_cpu.set_num_threads(2)
    try:
        lock, total = torch.zeros(1, dtype=torch.int32), torch.zeros(1, dtype=torch.int32)
        run(locked_kernel, (64,), lock, total, 100)
        assert total[0] == 6400
    finally:
        triton_cpu.set_num_threads(threads)
