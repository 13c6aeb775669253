"""The 8-bit floats: conversions both ways, arithmetic, dots."""

from __future__ import annotations

import pytest
import torch
import triton
import triton.language as tl

from tests.triton_cpu.support import run
from tritonflow.triton_cpu.types import FP8, float_literal

# Triton's name, torch's type, MLIR's name.
FORMATS = [
    ("fp8e4nv", torch.float8_e4m3fn, "f8E4M3FN"),
    ("fp8e5", torch.float8_e5m2, "f8E5M2"),
    ("fp8e4b8", torch.float8_e4m3fnuz, "f8E4M3FNUZ"),
    ("fp8e5b16", torch.float8_e5m2fnuz, "f8E5M2FNUZ"),
]
TARGETS = ["baseline", "avx2", None]


@triton.jit
def cast_kernel(x, o, n, ROUNDING: tl.constexpr, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(x + i, mask=i < n)
    tl.store(o + i, v.to(o.dtype.element_ty, fp_downcast_rounding=ROUNDING), mask=i < n)


def cast(
    x: torch.Tensor, o: torch.Tensor, types: dict[str, str], rounding: str | None = None, cpu: str | None = None
) -> torch.Tensor:
    run(cast_kernel, (triton.cdiv(len(x), 1024),), x, o, len(x), types=types, cpu=cpu, ROUNDING=rounding, B=1024)
    return o


def samples() -> torch.Tensor:
    """Floats of every size, all the codes of both formats' neighbourhoods, ties, and what is special."""
    patterns = torch.randint(-(2**31), 2**31 - 1, (20000,), dtype=torch.int64).to(torch.int32).view(torch.float32)
    codes = torch.arange(256, dtype=torch.uint8)
    exact = torch.cat([codes.view(dtype).float() for _, dtype, _ in FORMATS])
    exact = exact[torch.isfinite(exact)]
    middle = (exact[:-1] + exact[1:]) / 2
    special = torch.tensor([float("inf"), -float("inf"), float("nan"), 0.0, -0.0, 448.0, 464.0, 1e9, 1e-45, 2.0**-17])
    near = torch.cat([torch.randn(5000) * scale for scale in (1e-6, 1e-3, 1.0, 100.0, 1e5)])
    return torch.cat([patterns, exact, middle, torch.nextafter(middle, torch.tensor(0.0)), near, special])


@pytest.mark.sampled
@pytest.mark.parametrize("cpu", TARGETS)
@pytest.mark.parametrize("out", [torch.float32, torch.float16, torch.bfloat16, torch.float64])
@pytest.mark.parametrize(("name", "dtype", "mlir"), FORMATS)
def test_widening_is_exact(name: str, dtype: torch.dtype, mlir: str, out: torch.dtype, cpu: str | None) -> None:
    codes = torch.arange(256, dtype=torch.uint8)
    got = cast(codes, torch.zeros(256, dtype=out), {"x": f"*{name}"}, cpu=cpu)
    torch.testing.assert_close(got, codes.view(dtype).float().to(out), rtol=0, atol=0, equal_nan=True)


def saturated(x: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    """As Triton's kernels convert on GPUs: what is too large, infinity too, becomes the largest number."""
    largest = torch.finfo(dtype).max
    return torch.where(torch.isnan(x), x, x.clamp(-largest, largest)).to(dtype)


@pytest.mark.sampled
@pytest.mark.parametrize("cpu", TARGETS)
@pytest.mark.parametrize("source", [torch.float32, torch.float16, torch.bfloat16])
@pytest.mark.parametrize(("name", "dtype", "mlir"), FORMATS)
def test_narrowing_rounds_to_even(
    name: str, dtype: torch.dtype, mlir: str, source: torch.dtype, cpu: str | None
) -> None:
    x = samples().to(source)
    got = cast(x, torch.zeros(len(x), dtype=torch.uint8), {"o": f"*{name}"}, cpu=cpu).view(dtype)
    want = saturated(x.float(), dtype)
    nan = torch.isnan(x)
    assert torch.isnan(got.float()[nan]).all()
    assert torch.equal(got[~nan].view(torch.uint8), want[~nan].view(torch.uint8))


@pytest.mark.parametrize("cpu", TARGETS)
@pytest.mark.parametrize(("name", "dtype", "mlir"), FORMATS)
def test_narrowing_of_doubles_rounds_once(name: str, dtype: torch.dtype, mlir: str, cpu: str | None) -> None:
    exact = torch.arange(127, dtype=torch.uint8).view(dtype).double()
    exact = exact[torch.isfinite(exact)]
    for sign in (1, -1):
        x = sign * ((exact[:-1] + exact[1:]) / 2 * (1 + 1e-12))  # above a tie, by less than f32 can tell
        got = cast(x, torch.zeros(len(x), dtype=torch.uint8), {"o": f"*{name}"}, cpu=cpu).view(dtype)
        assert torch.equal(got.double(), sign * exact[1:])


@pytest.mark.sampled
@pytest.mark.parametrize("cpu", TARGETS)
@pytest.mark.parametrize("name", ["fp8e4nv", "fp8e5", "fp8e4b8", "fp8e5b16", "fp16", "bf16"])
def test_rounding_toward_zero(name: str, cpu: str | None) -> None:
    dtype = {"fp16": torch.float16, "bf16": torch.bfloat16, **{n: d for n, d, _ in FORMATS}}[name]
    x = samples()
    x = torch.cat([x[torch.isfinite(x)], torch.tensor([65519.9, 65520.0, 1e38, -1e38, 3e38])])
    o = torch.zeros(len(x), dtype=torch.uint8 if dtype.itemsize == 1 else torch.int16)
    got = cast(x, o, {"o": f"*{name}"}, "rtz", cpu).view(dtype).double()
    assert (got.abs() <= x.double().abs()).all()
    bits = torch.uint8 if dtype.itemsize == 1 else torch.int16
    following = (got.abs().to(dtype).view(bits) + 1).view(dtype).double()  # the next larger number
    largest = torch.finfo(dtype).max
    beyond = following.isnan() | following.isinf() | (got.abs() == largest)
    assert ((following > x.double().abs()) | beyond).all()
    assert (got[x.abs() > largest].abs() == largest).all()


@pytest.mark.parametrize(("name", "dtype", "mlir"), FORMATS)
def test_constants(name: str, dtype: torch.dtype, mlir: str) -> None:
    values = [0.0, -0.0, 1.0, -1.5, 0.3, 2.0**-9, 2.0**-17, 448.0, 1e9, float("inf"), float("nan")]
    codes = torch.tensor([int(float_literal(mlir, v)) for v in values], dtype=torch.uint8)
    want = saturated(torch.tensor(values), dtype)
    assert torch.isnan(codes.view(dtype).float()[-1])
    assert torch.equal(codes[:-1], want[:-1].view(torch.uint8))
    assert FP8[mlir].largest == saturated(torch.tensor([1e9]), dtype).view(torch.uint8).item()


@triton.jit
def e4b15_kernel(x, code, back, B: tl.constexpr):
    i = tl.arange(0, B)
    narrow = tl.load(x + i).to(tl.float8e4b15)
    tl.store(code + i, narrow.to(tl.uint8, bitcast=True))
    tl.store(back + i, narrow.to(tl.float32))


def test_e4b15() -> None:
    """The exponent's bias is 15: numbers up to 1.75, in steps of eighths of a power of two."""
    x = torch.linspace(-2, 2, 1024)
    x[:4] = torch.tensor([0.0, 1e-9, 2.0**-17, 1.75])
    code, back = torch.zeros(1024, dtype=torch.uint8), torch.zeros(1024)
    run(e4b15_kernel, (1,), x, code, back, B=1024)
    assert (back.abs() <= 1.75).all() and torch.equal(back[:4], torch.tensor([0.0, 0.0, 2.0**-17, 1.75]))
    inside = x.abs() <= 1.75
    step = torch.exp2(torch.floor(torch.log2(x.abs().clamp(min=2.0**-14)))) / 8
    assert ((back - x).abs() <= step / 2 + 2**-11)[inside].all()
    assert torch.equal(code >= 128, x < 0)


@triton.jit
def arithmetic_kernel(x, y, o, n, B: tl.constexpr):
    i = tl.arange(0, B)
    a, b = tl.load(x + i, mask=i < n, other=1.0), tl.load(y + i, mask=i < n)
    tl.store(o + i, tl.where(a > b, tl.abs(a), -b), mask=i < n)


@pytest.mark.parametrize(("name", "dtype", "mlir"), FORMATS)
def test_comparison_sign_and_choice(name: str, dtype: torch.dtype, mlir: str) -> None:
    x, y = ((torch.randn(1000) * 3).to(dtype) for _ in range(2))
    o = torch.zeros(1000, dtype=torch.uint8)
    types = dict.fromkeys("xyo", f"*{name}")
    run(arithmetic_kernel, (1,), x.view(torch.uint8), y.view(torch.uint8), o, 1000, types=types, B=1024)
    want = torch.where(x.float() > y.float(), x.float().abs(), -y.float()).to(dtype)
    assert torch.equal(o, want.view(torch.uint8))


@triton.jit
def dot_kernel(x, y, o, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, IMPRECISE: tl.constexpr):
    m, n, k = tl.arange(0, M), tl.arange(0, N), tl.arange(0, K)
    a = tl.load(x + m[:, None] * K + k[None, :])
    b = tl.load(y + k[:, None] * N + n[None, :])
    tl.store(o + m[:, None] * N + n[None, :], tl.dot(a, b, max_num_imprecise_acc=IMPRECISE))


@pytest.mark.parametrize(("left", "right"), [(0, 0), (1, 1), (2, 2), (3, 3), (0, 1)])
def test_dot(left: int, right: int) -> None:
    (a_name, a_type, _), (b_name, b_type, _) = FORMATS[left], FORMATS[right]
    x, y, o = torch.randn(32, 64).to(a_type), torch.randn(64, 16).to(b_type), torch.zeros(32, 16)
    types = {"x": f"*{a_name}", "y": f"*{b_name}"}
    run(dot_kernel, (1,), x.view(torch.uint8), y.view(torch.uint8), o, types=types, M=32, N=16, K=64, IMPRECISE=32)
    torch.testing.assert_close(o.double(), x.double() @ y.double(), rtol=1e-5, atol=1e-5)
