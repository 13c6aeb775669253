"""Elementwise operations on every dtype, against torch."""

from __future__ import annotations

import mmap
import platform

import numpy as np
import pytest
import torch
import triton
import triton.language as tl

from tests.triton_cpu.support import run

INTS = [torch.int8, torch.int16, torch.int32, torch.int64, torch.uint8]
FLOATS = [torch.float16, torch.bfloat16, torch.float32, torch.float64]
N = 1000  # ragged: not a multiple of the block


@triton.jit
def binary_kernel(x, y, o, n, OP: tl.constexpr, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    a = tl.load(x + i, mask=i < n)
    b = tl.load(y + i, mask=i < n, other=1)
    if OP == "add":
        r = a + b
    elif OP == "sub":
        r = a - b
    elif OP == "mul":
        r = a * b
    elif OP == "truediv":
        r = a / b
    elif OP == "floordiv":
        r = a // b
    elif OP == "mod":
        r = a % b
    elif OP == "and":
        r = a & b
    elif OP == "or":
        r = a | b
    elif OP == "xor":
        r = a ^ b
    elif OP == "shl":
        r = a << (b & 7)
    elif OP == "shr":
        r = a >> (b & 7)
    elif OP == "max":
        r = tl.maximum(a, b)
    elif OP == "min":
        r = tl.minimum(a, b)
    elif OP == "lt":
        r = a < b
    elif OP == "le":
        r = a <= b
    elif OP == "eq":
        r = a == b
    else:
        r = a != b
    tl.store(o + i, r, mask=i < n)


@triton.jit
def cast_kernel(x, o, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(o + i, tl.load(x + i, mask=i < n).to(o.dtype.element_ty), mask=i < n)


@triton.jit
def scalar_divide_kernel(x, o, d, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(x + i, mask=i < n)
    tl.store(o + 2 * i, v // d, mask=i < n)
    tl.store(o + 2 * i + 1, v % d, mask=i < n)


@triton.jit
def select_kernel(c, x, y, o, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    m = i < n
    tl.store(o + i, tl.where(tl.load(c + i, mask=m), tl.load(x + i, mask=m), tl.load(y + i, mask=m)), mask=m)


def integers(dtype: torch.dtype, count: int = N) -> torch.Tensor:
    info = torch.iinfo(dtype)
    values = torch.randint(max(info.min, -(2**62)), min(info.max, 2**62), (count,), dtype=torch.int64).to(dtype)
    small = torch.randint(0, 20, (count,), dtype=torch.int64) - (0 if info.min == 0 else 10)
    return torch.where(torch.rand(count) < 0.5, values, small.to(dtype))


def binary(op: str, x: torch.Tensor, y: torch.Tensor, out: torch.dtype | None = None) -> torch.Tensor:
    o = torch.zeros(len(x), dtype=out or x.dtype)
    run(binary_kernel, (triton.cdiv(len(x), 128),), x, y, o, len(x), OP=op, B=128)
    return o


@pytest.mark.sampled
@pytest.mark.parametrize("dtype", INTS)
@pytest.mark.parametrize(
    "op", ["add", "sub", "mul", "and", "or", "xor", "shl", "shr", "max", "min", "lt", "le", "eq", "ne"]
)
def test_integers(op: str, dtype: torch.dtype) -> None:
    x, y = integers(dtype), integers(dtype)
    if op in ("lt", "le", "eq", "ne"):
        got = binary(op, x, y, torch.bool)
        assert torch.equal(got, getattr(torch, op)(x, y))
        return
    shift = y & 7
    want = {
        "add": lambda: x + y, "sub": lambda: x - y, "mul": lambda: x * y, "and": lambda: x & y, "or": lambda: x | y,
        "xor": lambda: x ^ y, "shl": lambda: x << shift, "shr": lambda: x >> shift, "max": lambda: torch.maximum(x, y),
        "min": lambda: torch.minimum(x, y),
    }[op]()  # fmt: skip
    assert torch.equal(binary(op, x, y), want)


@pytest.mark.parametrize("dtype", INTS)
def test_integer_division_truncates(dtype: torch.dtype) -> None:
    x, y = integers(dtype), integers(dtype)
    y = torch.where(y == 0, torch.ones_like(y), y)
    y = torch.where(y == -1, torch.full_like(y, 3), y) if dtype.is_signed else y
    quotient = torch.div(x, y, rounding_mode="trunc")
    assert torch.equal(binary("floordiv", x, y), quotient)
    assert torch.equal(binary("mod", x, y), x - quotient * y)


@pytest.mark.parametrize("dtype", [torch.int32, torch.int64])
def test_division_by_zero_and_overflow_do_not_trap(dtype: torch.dtype) -> None:
    low = torch.iinfo(dtype).min
    x = torch.tensor([1, low, low, 0, -7] * 20, dtype=dtype)
    y = torch.tensor([0, -1, 0, 0, 2] * 20, dtype=dtype)
    got = binary("floordiv", x, y)
    assert got[4] == -3
    run(scalar_divide_kernel, (1,), x, torch.zeros(200, dtype=dtype), 0, 100, B=128)
    run(scalar_divide_kernel, (1,), x, torch.zeros(200, dtype=dtype), -1, 100, B=128)


@pytest.mark.parametrize("divisor", [1, 3, 7, 64, -5, 2**31 - 1])
def test_division_by_a_run_time_scalar(divisor: int) -> None:
    x, o = integers(torch.int32), torch.zeros(2 * N, dtype=torch.int32)
    run(scalar_divide_kernel, (8,), x, o, divisor, N, B=128)
    quotient = torch.div(x, divisor, rounding_mode="trunc")
    assert torch.equal(o[::2], quotient)
    assert torch.equal(o[1::2], x - quotient * divisor)


def test_division_by_a_run_time_scalar_is_exact_beside_multiples() -> None:
    """The quotients that a reciprocal would get wrong first: large ones, one below and one above a multiple."""
    edges = torch.tensor([2**31 - 1, -(2**31), -(2**31) + 1, 0, 1, -1])
    for divisor in (1, 2, 3, 5, 7, 641, 46337, 65537, 2**30 + 1, 2**31 - 2, 2**31 - 1, -3, -(2**31)):
        multiples = torch.randint(-(2**31) // abs(divisor), 2**31 // abs(divisor) + 1, (N,)) * divisor
        x = (multiples + torch.randint(-1, 2, (N,))).clamp(-(2**31), 2**31 - 1)
        x[: len(edges)] = edges
        o = torch.zeros(2 * N, dtype=torch.int32)
        run(scalar_divide_kernel, (8,), x.int(), o, divisor, N, B=128)
        quotient = torch.div(x, divisor, rounding_mode="trunc")
        assert torch.equal(o[::2].long(), quotient)
        assert torch.equal(o[1::2].long(), x - quotient * divisor)


@pytest.mark.sampled
@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("op", ["add", "sub", "mul", "truediv", "max", "min", "lt", "le", "eq", "ne"])
def test_floats(op: str, dtype: torch.dtype) -> None:
    x, y = torch.randn(N).to(dtype), torch.randn(N).to(dtype)
    y[::7] = x[::7]
    if op in ("lt", "le", "eq", "ne"):
        assert torch.equal(binary(op, x, y, torch.bool), getattr(torch, op)(x, y))
        return
    names = {"truediv": "div", "max": "maximum", "min": "minimum"}
    want = getattr(torch, names.get(op, op))(x, y)
    got = binary(op, x, y, dtype)
    if op == "truediv" and dtype in (torch.float16, torch.bfloat16):  # divided in f32, rounded at the store
        torch.testing.assert_close(got, want)
    else:
        assert torch.equal(got, want)


@triton.jit
def float_remainder_kernel(x, y, o, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(o + i, tl.load(x + i, mask=i < n) % tl.load(y + i, mask=i < n), mask=i < n)


def _divisions(dtype: torch.dtype) -> list[tuple[np.ndarray, np.ndarray]]:
    """Dividends and divisors: of near and far sizes, denormal ones, special ones, and around exact multiples."""
    kind, rng = np.dtype(str(dtype).removeprefix("torch.")).type, np.random.default_rng(0)
    special = [0, -0.0, np.inf, -np.inf, np.nan, 1, -3, 5e-45, 1e-40, 3e38]
    divisors = rng.uniform(1, 2, N).astype(kind)
    multiples = divisors * rng.integers(1, 1 << 23, N).astype(kind)
    return [
        (rng.normal(size=N).astype(kind) * 100, rng.normal(size=N).astype(kind)),
        (np.exp2(rng.uniform(-140, 120, N)).astype(kind), np.exp2(rng.uniform(-140, 120, N)).astype(kind)),
        (-np.exp2(rng.uniform(-130, -120, N)).astype(kind), np.exp2(rng.uniform(-149, -125, N)).astype(kind)),
        (rng.choice(special, N).astype(kind), rng.choice(special, N).astype(kind)),
        (multiples, divisors),
        (-np.nextafter(multiples, kind(0)), divisors),
    ]


@pytest.mark.parametrize("cpu", [None, "avx2", "baseline"])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_remainders_of_floats_are_exact(dtype: torch.dtype, cpu: str | None) -> None:
    for x, y in _divisions(dtype):
        with np.errstate(invalid="ignore"):
            want = np.fmod(x, y)
        o = torch.zeros(N, dtype=dtype)
        run(float_remainder_kernel, (8,), torch.from_numpy(x), torch.from_numpy(y), o, N, B=128, cpu=cpu)
        found = o.numpy()
        np.testing.assert_array_equal(found, want)
        assert (np.signbit(found) == np.signbit(want))[~np.isnan(want)].all()


@pytest.mark.sampled
@pytest.mark.parametrize("out", [*INTS, *FLOATS, torch.bool])
@pytest.mark.parametrize("dtype", [*INTS, *FLOATS])
def test_casts(dtype: torch.dtype, out: torch.dtype) -> None:
    if dtype.is_floating_point:
        x = (torch.rand(N) * 100).to(dtype)
        x[::3] = torch.round(x[::3])
        if out not in (torch.uint8,):
            x[::2] *= -1
        x[5] = 0
    else:
        x = integers(dtype)
    o = torch.zeros(N, dtype=out)
    run(cast_kernel, (8,), x, o, N, B=128)
    assert torch.equal(o, x.to(out)), (o[o != x.to(out)][:5], x.to(out)[o != x.to(out)][:5], x[o != x.to(out)][:5])


@pytest.mark.skipif(platform.machine() != "x86_64", reason="other CPUs saturate")
@pytest.mark.parametrize("cpu", ["avx2", "baseline", None])
@pytest.mark.parametrize("out", [torch.int32, torch.int64])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_casts_out_of_range_give_the_least_integer(dtype: torch.dtype, out: torch.dtype, cpu: str | None) -> None:
    x = torch.tensor([float("nan"), float("inf"), -float("inf"), 1e20, -1e20, 1.5, -1.5, 2.0**63, 2.0**31 - 128], dtype=dtype)
    o = torch.zeros(len(x), dtype=out)
    run(cast_kernel, (1,), x, o, len(x), B=32, cpu=cpu)
    least = torch.iinfo(out).min
    assert o.tolist() == [least] * 5 + [1, -1, least, 2**31 - 128]


@pytest.mark.parametrize("cpu", ["avx2", "baseline", None])
@pytest.mark.parametrize("out", [torch.float16, torch.bfloat16])
def test_halves_round_correctly(out: torch.dtype, cpu: str | None) -> None:
    patterns = torch.randint(-(2**31), 2**31 - 1, (20000,), dtype=torch.int64).to(torch.int32)
    x = torch.cat(
        [patterns.view(torch.float32), torch.randn(5000) * 1e-5, torch.randn(5000) * 6e4, torch.randn(4) * 1e-40]
    )
    x = torch.cat([x, torch.tensor([float("inf"), -float("inf"), float("nan"), 0.0, -0.0, 65519.9, 65520.0, 1e-45])])
    for source in (x, x.double() * (1 + 1e-9)):
        o = torch.zeros(len(x), dtype=out)
        run(cast_kernel, (triton.cdiv(len(x), 1024),), source, o, len(x), B=1024, cpu=cpu)
        if source.dtype == torch.float32:
            want = source.to(out)
        else:  # torch goes through f32: round it to odd first
            near = source.float()
            bits = near.view(torch.int32)
            inexact = (near.double() != source) & torch.isfinite(source)
            away = near.double().abs() > source.abs()
            odd = torch.where(inexact & (bits & 1 == 0), bits + torch.where(away, -1, 1).to(torch.int32), bits)
            want = odd.view(torch.float32).to(out)
        nan = torch.isnan(want)
        assert torch.equal(torch.isnan(o), nan)
        assert torch.equal(o[~nan].view(torch.int16), want[~nan].view(torch.int16))


@pytest.mark.parametrize("cpu", ["avx2", "baseline", None])
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_halves_widen_exactly(dtype: torch.dtype, cpu: str | None) -> None:
    x = torch.arange(-(2**15), 2**15, dtype=torch.int32).to(torch.int16).view(dtype)
    o = torch.zeros(len(x), dtype=torch.float32)
    run(cast_kernel, (64,), x, o, len(x), B=1024, cpu=cpu)
    want = x.float()
    assert torch.equal(torch.isnan(o), torch.isnan(want))
    assert torch.equal(o[~torch.isnan(want)], want[~torch.isnan(want)])


@pytest.mark.parametrize("dtype", [torch.bool, torch.int8, torch.int64, torch.bfloat16, torch.float64])
def test_select(dtype: torch.dtype) -> None:
    c = torch.rand(N) < 0.5
    x, y = ((torch.randn(N) * 10).to(dtype) for _ in range(2))
    o = torch.zeros(N, dtype=dtype)
    run(select_kernel, (8,), c, x, y, o, N, B=128)
    assert torch.equal(o, torch.where(c, x, y))


@triton.jit
def nan_kernel(x, y, o, n, PROPAGATE: tl.constexpr, B: tl.constexpr):
    i = tl.arange(0, B)
    m = i < n
    a, b = tl.load(x + i, mask=m), tl.load(y + i, mask=m)
    tl.store(o + i, tl.maximum(a, b, propagate_nan=PROPAGATE), mask=m)
    tl.store(o + n + i, tl.clamp(a, -1.0, 1.0, propagate_nan=PROPAGATE), mask=m)


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("propagate", [True, False])
def test_nan_in_max_and_clamp(propagate: bool, dtype: torch.dtype) -> None:
    nan = float("nan")
    x = torch.tensor([nan, 1, nan, -3, 0.5] * 10, dtype=dtype)
    y = torch.tensor([1, nan, nan, 2, 0.25] * 10, dtype=dtype)
    o = torch.zeros(100, dtype=dtype)
    kind = tl.PropagateNan.ALL if propagate else tl.PropagateNan.NONE
    run(nan_kernel, (1,), x, y, o, 50, PROPAGATE=kind, B=64)
    want = torch.maximum(x, y) if propagate else torch.fmax(x, y)
    torch.testing.assert_close(o[:50], want, rtol=0, atol=0, equal_nan=True)
    clamped = torch.clamp(x, -1, 1) if propagate else torch.where(torch.isnan(x), -1, torch.clamp(x, -1, 1)).to(dtype)
    torch.testing.assert_close(o[50:], clamped, rtol=0, atol=0, equal_nan=True)


@triton.jit
def wrapping_kernel(o, start, FACTOR: tl.constexpr, AGAIN: tl.constexpr, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(o + i, ((start + i) * FACTOR * AGAIN).to(tl.int64))


@pytest.mark.parametrize(
    ("start", "factor", "again"), [(53000, 40503, 1), (0, 65536, 4096), (-(2**31), 7919, 1), (0, 2**31 - 1, 1)]
)
def test_products_wrap_around(start: int, factor: int, again: int) -> None:
    o = torch.zeros(1024, dtype=torch.int64)
    run(wrapping_kernel, (8,), o, start, FACTOR=factor, AGAIN=again, B=128)
    exact = [(start + k) * factor * again for k in range(1024)]
    assert o.tolist() == [(v + 2**31) % 2**32 - 2**31 for v in exact]


@triton.jit
def far_apart_kernel(x, o, rows, stride, B: tl.constexpr):
    i = tl.arange(0, B)
    r = i.to(tl.int64) * stride
    tl.store(o + i, tl.load(x + r, mask=i < rows, other=0))


def test_addresses_of_64_bits() -> None:
    """Elements more than 2 GiB apart, of memory of which only the touched pages exist."""
    stride = 2**31 + 4096
    x = torch.frombuffer(mmap.mmap(-1, stride + 4096), dtype=torch.uint8)
    x[0], x[stride] = 1, 2
    o = torch.zeros(8, dtype=torch.uint8)
    run(far_apart_kernel, (1,), x, o, 2, stride, types={"stride": "i64"}, B=8)
    assert o.tolist() == [1, 2, 0, 0, 0, 0, 0, 0]
