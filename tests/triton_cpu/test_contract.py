"""Where a product and a sum are rounded once, and where not: the same in every kernel, and on every CPU that has such an instruction."""

from __future__ import annotations

import pytest
import torch
import triton
import triton.language as tl

from tests.triton_cpu.support import run
from tritonflow.triton_cpu import target

N = 64


@triton.jit
def expression(form: tl.constexpr, a, b, c):
    if form == "a * b + c":
        return a * b + c
    elif form == "c + a * b":
        return c + a * b
    elif form == "a * b - c":
        return a * b - c
    elif form == "c - a * b":
        return c - a * b
    elif form == "a * b + a * c":
        return a * b + a * c
    else:
        return a * b - b * a


@triton.jit
def alone(x, y, z, o, n, FORM: tl.constexpr, B: tl.constexpr):
    i = tl.arange(0, B)
    mask = i < n
    tl.store(o + i, expression(FORM, tl.load(x + i, mask), tl.load(y + i, mask), tl.load(z + i, mask)), mask)


@triton.jit
def within(x, y, z, o, n, FORM: tl.constexpr, B: tl.constexpr):
    """The expression in a loop, with one operand that is the same for a whole row, and more behind it."""
    for row in range(1):
        i = tl.arange(0, B)[None, :] + row
        b = tl.load(y + i)
        r = expression(FORM, tl.load(x + i + tl.arange(0, 2)[:, None] * 0), b, tl.load(z + i))
        tl.store(o + i + tl.zeros([2, 1], tl.int32), tl.where(r > 1e30, r * 2, r), mask=i < n)


@triton.jit
def read_twice(x, y, z, o, p, B: tl.constexpr):
    i = tl.arange(0, B)
    product = tl.load(x + i) * tl.load(y + i)
    tl.store(p + i, product)
    tl.store(o + i, product + tl.load(z + i))


@triton.jit
def dot(x, y, o, B: tl.constexpr):
    i = tl.arange(0, 2)[:, None] * 0 + tl.arange(0, B)[None, :]
    tl.store(o + tl.arange(0, 2), tl.sum(tl.load(x + i) * tl.load(y + i), 1))


def operands() -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    generator = torch.Generator().manual_seed(0)
    a, b, c = torch.randn(3, N, generator=generator)
    c[: N // 2] = -(a * b)[: N // 2]  # what is left is the product's rounding, or nothing
    return a, b, c


EXPECTED = {
    "a * b + c": lambda a, b, c: a * b + c, "c + a * b": lambda a, b, c: a * b + c,
    "a * b - c": lambda a, b, c: a * b - c, "c - a * b": lambda a, b, c: c - a * b,
}  # fmt: skip


@pytest.mark.sampled
@pytest.mark.parametrize("cpu", ["", "avx2", "baseline"])
@pytest.mark.parametrize("kernel", [alone, within], ids=["alone", "within"])
@pytest.mark.parametrize("form", EXPECTED)
def test_one_product_is_rounded_with_the_sum(form: str, kernel: object, cpu: str) -> None:
    a, b, c = operands()
    result = torch.full((N,), -1.0)
    run(kernel, (1,), a, b, c, result, N, FORM=form, B=N, cpu=cpu or None)
    once = EXPECTED[form](a.double(), b.double(), c.double()).float()
    twice = EXPECTED[form](a, b, c)
    assert not torch.equal(once, twice)
    assert torch.equal(result, once if target.resolve(cpu or None).fma else twice)


@pytest.mark.parametrize("form", ["a * b + a * c", "a * b - b * a"])
def test_two_products_are_rounded_alike(form: str) -> None:
    a, b, c = operands()
    result = torch.full((N,), -1.0)
    run(alone, (1,), a, b, c, result, N, FORM=form, B=N)
    assert torch.equal(result, a * b + a * c if "c" in form else torch.zeros(N))


def test_a_product_that_is_read_twice_is_one_number() -> None:
    a, b, c = operands()
    total, product = torch.empty(2, N)
    run(read_twice, (1,), a, b, c, total, product, B=N)
    assert torch.equal(product, a * b) and torch.equal(total, a * b + c)


@pytest.mark.parametrize("cpu", ["", "avx2", "baseline"])
def test_products_that_are_summed(cpu: str) -> None:
    """Rows behind the first chunk of lanes: each lane adds a second product to its first."""
    a, b = torch.randn(2, 128, generator=torch.Generator().manual_seed(1))
    a[:64], b[:64] = -a[64:], b[64:]
    result = torch.full((2,), -1.0)
    run(dot, (1,), a, b, result, B=128, cpu=cpu or None)
    assert (float(result[0]) != 0) == target.resolve(cpu or None).fma
