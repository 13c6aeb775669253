"""Mathematical functions: every dtype and spelling, against NumPy and SciPy in float64.

How precise float32 results are is test_precision.py's matter."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import scipy.special
import torch
import triton
import triton.language as tl
from triton.language.extra.cuda import libdevice

from tests.triton_cpu.support import run, ulps

REFERENCE: dict[str, Callable[..., np.ndarray]] = {
    "exp": np.exp, "exp2": np.exp2, "log": np.log, "log2": np.log2, "sin": np.sin, "cos": np.cos, "tanh": np.tanh,
    "erf": scipy.special.erf, "sqrt": np.sqrt, "rsqrt": lambda v: 1 / np.sqrt(v), "floor": np.floor, "ceil": np.ceil,
    "abs": np.abs, "log1p": np.log1p, "expm1": np.expm1, "tan": np.tan, "atan": np.arctan, "asin": np.arcsin,
    "acos": np.arccos, "sinh": np.sinh, "cosh": np.cosh, "asinh": np.arcsinh, "acosh": np.arccosh, "atanh": np.arctanh,
    "erfc": scipy.special.erfc, "cbrt": np.cbrt, "rint": np.rint, "trunc": np.trunc, "log10": np.log10,
}  # fmt: skip
IN_TL = ("exp", "exp2", "log", "log2", "sin", "cos", "erf", "sqrt", "rsqrt", "floor", "ceil", "abs")


@triton.jit
def unary_kernel(x, o, n, F: tl.constexpr, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(o + i, F(tl.load(x + i, mask=i < n)), mask=i < n)


@triton.jit
def binary_kernel(x, y, o, n, F: tl.constexpr, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(o + i, F(tl.load(x + i, mask=i < n), tl.load(y + i, mask=i < n)), mask=i < n)


def samples(dtype: torch.dtype) -> torch.Tensor:
    rng = np.random.default_rng(0)
    wide = np.exp(rng.uniform(-100, 88, 4000))
    special = [
        0.0,
        -0.0,
        np.inf,
        -np.inf,
        np.nan,
        1e-45,
        -1e-45,
        1e-40,
        3e38,
        -104,
        -103.9,
        88.7,
        88.73,
        128,
        127.99,
        -149,
    ]
    parts = [rng.normal(size=4000) * 3, rng.normal(size=4000) * 50, rng.uniform(-1, 1, 4000), wide, -wide, special]
    return torch.from_numpy(np.concatenate(parts)).to(dtype)


@pytest.mark.sampled
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("name", REFERENCE)
def test_unary(name: str, dtype: torch.dtype) -> None:
    function = getattr(tl if name in IN_TL else libdevice, name)
    x = samples(dtype)
    o = torch.zeros_like(x)
    run(unary_kernel, (triton.cdiv(len(x), 256),), x, o, len(x), F=function, B=256)
    with np.errstate(all="ignore"):
        want = torch.from_numpy(REFERENCE[name](x.double().numpy()))
    if dtype == torch.float64:
        torch.testing.assert_close(o, want, rtol=1e-13, atol=1e-300, equal_nan=True)
    else:
        assert ulps(o, want) <= 3


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("name", ["pow", "atan2", "fmod", "hypot", "copysign"])
def test_binary(name: str, dtype: torch.dtype) -> None:
    reference = {"pow": np.power, "atan2": np.arctan2, "fmod": np.fmod, "hypot": np.hypot, "copysign": np.copysign}[
        name
    ]
    x, y = torch.randn(2000).to(dtype) * 4, torch.randn(2000).to(dtype) * 4
    x[:6] = torch.tensor([0.0, -0.0, float("inf"), float("nan"), 1.0, -2.0])
    y[3:9] = torch.tensor([0.0, float("inf"), 3.0, -3.0, 2.0, 0.5])
    o = torch.zeros_like(x)
    run(binary_kernel, (16,), x, y, o, len(x), F=getattr(libdevice, name), B=128)
    with np.errstate(all="ignore"):
        want = torch.from_numpy(reference(x.double().numpy(), y.double().numpy()))
    assert ulps(o, want) <= 3


FAST = ("expf", "exp10f", "logf", "log2f", "log10f", "sinf", "cosf", "tanf")


@pytest.mark.parametrize("name", FAST)
def test_fast_variants_are_the_precise_functions(name: str) -> None:
    x = samples(torch.float32)
    fast, precise = torch.zeros_like(x), torch.zeros_like(x)
    for o, function in ((fast, f"fast_{name}"), (precise, name.removesuffix("f"))):
        run(unary_kernel, (triton.cdiv(len(x), 256),), x, o, len(x), F=getattr(libdevice, function), B=256)
    torch.testing.assert_close(fast, precise, rtol=0, atol=0, equal_nan=True)


@pytest.mark.parametrize("name", ["isnan", "isinf", "signbit"])
def test_classification(name: str) -> None:
    x = samples(torch.float32)
    o = torch.zeros(len(x), dtype=torch.int32)
    run(unary_kernel, (triton.cdiv(len(x), 256),), x, o, len(x), F=getattr(libdevice, name), B=256)
    assert torch.equal(o != 0, getattr(torch, name)(x))


@triton.jit
def exact_kernel(x, y, o, n, B: tl.constexpr):
    i = tl.arange(0, B)
    a, b = tl.load(x + i, mask=i < n, other=1.0), tl.load(y + i, mask=i < n, other=1.0)
    tl.store(o + i, tl.div_rn(a, b), mask=i < n)
    tl.store(o + n + i, tl.sqrt_rn(a * a), mask=i < n)
    tl.store(o + 2 * n + i, tl.fma(a, b, a), mask=i < n)


def test_division_and_root_are_exact() -> None:
    x, y = torch.randn(1000), torch.randn(1000)
    o = torch.zeros(3000)
    run(exact_kernel, (1,), x, y, o, 1000, B=1024)
    assert torch.equal(o[:1000], x / y)
    assert torch.equal(o[1000:2000], (x * x).sqrt())
    assert torch.equal(o[2000:], (x.double() * y.double() + x.double()).float())


@triton.jit
def rand_kernel(o, p, seed, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(o + i, tl.rand(seed, i), mask=i < n)
    tl.store(p + i, tl.randint(seed, i), mask=i < n)


@pytest.mark.parametrize("cpu", [None, "avx2", "baseline"])
def test_philox_is_bit_for_bit(cpu: str | None) -> None:
    """Against a plain implementation of Philox 4x32-10."""
    seed, n = 1234, 1000
    o, p = torch.zeros(n), torch.zeros(n, dtype=torch.int32)
    run(rand_kernel, (8,), o, p, seed, n, B=128, cpu=cpu)
    words = torch.from_numpy(_philox(seed, np.arange(n, dtype=np.uint64)))
    assert torch.equal(p, words.to(torch.int32))
    signed = words.to(torch.int32).to(torch.int64)
    folded = torch.where(signed < 0, -signed - 1, signed).float() * 4.6566127342e-10
    assert torch.equal(o, folded)


def _philox(seed: int, counter: np.ndarray) -> np.ndarray:
    mask = np.uint64(0xFFFFFFFF)
    c = [counter & mask, np.zeros_like(counter), np.zeros_like(counter), np.zeros_like(counter)]
    k0, k1 = seed & 0xFFFFFFFF, seed >> 32
    for _ in range(10):
        a, b = np.uint64(0xD2511F53) * c[0], np.uint64(0xCD9E8D57) * c[2]
        c = [
            (b >> np.uint64(32)) ^ c[1] ^ np.uint64(k0), b & mask,
            (a >> np.uint64(32)) ^ c[3] ^ np.uint64(k1), a & mask,
        ]  # fmt: skip
        k0, k1 = (k0 + 0x9E3779B9) & 0xFFFFFFFF, (k1 + 0xBB67AE85) & 0xFFFFFFFF
    return c[0].astype(np.int64)
