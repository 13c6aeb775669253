"""libdevice's functions of integers and between integers and floats, against Python's integers."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
import triton
import triton.language as tl
from triton.language.extra.cuda import libdevice

from tests.triton_cpu.support import run

EDGES = [0, 1, -1, 2, 3, 255, 256, -256, 2**23, 2**24 - 1, -(2**24), 0x12345678, 2**31 - 1, -(2**31), -(2**31) + 1]


@triton.jit
def apply_kernel(x, y, z, o, F: tl.constexpr, N: tl.constexpr, UNSIGNED: tl.constexpr, B: tl.constexpr):
    i = tl.arange(0, B)
    a, b, c = tl.load(x + i), tl.load(y + i), tl.load(z + i)
    if UNSIGNED == "all":
        a, b = a.to(tl.uint32, bitcast=True), b.to(tl.uint32, bitcast=True)
    if UNSIGNED != "none":
        c = c.to(tl.uint32, bitcast=True)
    if N == 1:
        r = F(a)
    elif N == 2:
        r = F(a, b)
    else:
        r = F(a, b, c)
    tl.store(o + i, r)


def u(x: int) -> int:
    return x & 0xFFFFFFFF


def s24(x: int) -> int:
    return ((x & 0xFFFFFF) ^ 0x800000) - 0x800000


def permuted(x: int, y: int, s: int) -> int:
    both = u(x) | u(y) << 32
    return sum((both >> 8 * (s >> 4 * k & 7) & 0xFF) << 8 * k for k in range(4))


INTEGERS: dict[str, tuple[int, str, Callable[..., int]]] = {
    "ffs": (1, "none", lambda x: (u(x) & -u(x)).bit_length()),
    "popc": (1, "none", lambda x: u(x).bit_count()),
    "clz": (1, "none", lambda x: 32 - u(x).bit_length()),
    "brev": (1, "none", lambda x: int(f"{u(x):032b}"[::-1], 2)),
    "mulhi": (2, "none", lambda x, y: x * y >> 32),
    "mul24": (2, "none", lambda x, y: s24(x) * s24(y)),
    "hadd": (2, "none", lambda x, y: x + y >> 1),
    "rhadd": (2, "none", lambda x, y: x + y + 1 >> 1),
    "sad": (3, "last", lambda x, y, z: abs(x - y) + z),
    "byte_perm": (3, "none", permuted),
}
UNSIGNED: dict[str, tuple[int, str, Callable[..., int]]] = {
    "mulhi": (2, "all", lambda x, y: u(x) * u(y) >> 32),
    "mul24": (2, "all", lambda x, y: (x & 0xFFFFFF) * (y & 0xFFFFFF)),
    "hadd": (2, "all", lambda x, y: u(x) + u(y) >> 1),
    "rhadd": (2, "all", lambda x, y: u(x) + u(y) + 1 >> 1),
    "sad": (3, "all", lambda x, y, z: abs(u(x) - u(y)) + u(z)),
}


@pytest.mark.parametrize("cpu", [None, "baseline"])
@pytest.mark.parametrize(("name", "case"), [*INTEGERS.items(), *UNSIGNED.items()], ids=lambda v: v if isinstance(v, str) else "")
def test_integers(name: str, case: tuple[int, str, Callable[..., int]], cpu: str | None, rng: np.random.Generator) -> None:
    count, unsigned, reference = case
    columns = [np.concatenate([rng.permutation(EDGES), rng.integers(-(2**31), 2**31, 113)]) for _ in range(3)]
    tensors = [torch.from_numpy(c.astype(np.int32)) for c in columns]
    o = torch.zeros(128, dtype=torch.int32)
    run(apply_kernel, (1,), *tensors, o, F=getattr(libdevice, name), N=count, UNSIGNED=unsigned, B=128, cpu=cpu)
    want = [u(reference(*map(int, row))) for row in zip(*columns[:count], strict=True)]
    assert [u(v) for v in o.tolist()] == want


def to_integer(rounding: Callable[[float], int], low: int, high: int) -> Callable[[float], int]:
    def convert(x: float) -> int:
        if math.isnan(x):
            return 0
        return low if x <= low else high if x >= high else min(max(rounding(x), low), high)

    return convert


_ROUND = {"n": round, "z": math.trunc, "d": math.floor, "u": math.ceil}
_RANGE = {"int": (-(2**31), 2**31 - 1), "uint": (0, 2**32 - 1), "ll": (-(2**63), 2**63 - 1), "ull": (0, 2**64 - 1)}


@pytest.mark.sampled
@pytest.mark.parametrize("cpu", [None, "baseline"])
@pytest.mark.parametrize("mode", "nzdu")
@pytest.mark.parametrize("kind", _RANGE)
@pytest.mark.parametrize("source", ["float", "double"])
def test_float_to_integer(source: str, kind: str, mode: str, cpu: str | None, rng: np.random.Generator) -> None:
    special = [0.0, -0.0, 0.5, 1.5, 2.5, -0.5, -1.5, -2.5, math.inf, -math.inf, math.nan, 2.0**31, -(2.0**31), 2.0**63, 3e9, 1e30]
    x = np.concatenate([special, rng.normal(size=48) * 1e3, rng.normal(size=64) * 1e10])
    tensor = torch.from_numpy(x).to(torch.float32 if source == "float" else torch.float64)
    wide = kind.endswith("ll")
    o = torch.zeros(128, dtype=torch.int64 if wide else torch.int32)
    function = getattr(libdevice, f"{source}2{kind}_r{mode}")
    run(apply_kernel, (1,), tensor, tensor, tensor, o, F=function, N=1, UNSIGNED="none", B=128, cpu=cpu)
    convert, bits = to_integer(_ROUND[mode], *_RANGE[kind]), 2 ** (64 if wide else 32)
    assert [v % bits for v in o.tolist()] == [convert(v) % bits for v in tensor.tolist()]


@pytest.mark.parametrize("cpu", [None, "baseline"])
def test_ilogb_and_rounding_to_long(cpu: str | None) -> None:
    x = torch.tensor([1.0, 0.75, 1e-45, 3e38, -8.0, 0.0, math.inf, math.nan, 2.5, -2.5, 3.5, 0.49999997] * 2 + [1.0] * 8)

    def apply(name: str, dtype: torch.dtype) -> list[Any]:
        o = torch.zeros(32, dtype=dtype)
        run(apply_kernel, (1,), x, x, x, o, F=getattr(libdevice, name), N=1, UNSIGNED="none", B=32, cpu=cpu)
        return o.tolist()

    assert apply("ilogb", torch.int32)[:9] == [0, -1, -149, 127, 3, -(2**31), 2**31 - 1, -(2**31), 1]
    assert apply("llrint", torch.int64)[8:12] == [2, -2, 4, 0]
    assert apply("llround", torch.int64)[8:12] == [3, -3, 4, 0]


@triton.jit
def bits_kernel(x, i, o, p, B: tl.constexpr):
    k = tl.arange(0, B)
    v = tl.load(x + k)
    tl.store(o + k, libdevice.hiloint2double(libdevice.double2hiint(v), libdevice.double2loint(v)))
    tl.store(i + k, libdevice.double_as_longlong(v))
    tl.store(p + k, libdevice.int_as_float(libdevice.float_as_int(libdevice.double2float_rn(v))))


def test_bits_of_floats() -> None:
    x = torch.cat([torch.randn(30, dtype=torch.float64), torch.tensor([math.inf, -0.0], dtype=torch.float64)])
    i, o, p = torch.zeros(32, dtype=torch.int64), torch.zeros_like(x), torch.zeros(32)
    run(bits_kernel, (1,), x, i, o, p, B=32)
    assert torch.equal(o.view(torch.int64), x.view(torch.int64))
    assert torch.equal(i, x.view(torch.int64))
    assert torch.equal(p, x.float())


@triton.jit
def exponent_kernel(x, n, o, F: tl.constexpr, B: tl.constexpr):
    k = tl.arange(0, B)
    tl.store(o + k, F(tl.load(x + k), tl.load(n + k)))


@pytest.mark.parametrize("cpu", [None, "avx2", "baseline"])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("name", ["ldexp", "scalbn"])
def test_ldexp_rounds_once(name: str, dtype: torch.dtype, cpu: str | None, rng: np.random.Generator) -> None:
    scale = 300 if dtype == torch.float32 else 2300
    x = torch.from_numpy(rng.normal(size=256) * np.exp2(rng.integers(-100, 100, 256))).to(dtype)
    x[:4] = torch.tensor([math.inf, math.nan, -0.0, 1e-45])
    n = torch.from_numpy(rng.integers(-scale, scale, 256).astype(np.int32))
    n[4:8] = torch.tensor([2**31 - 1, -(2**31), 0, 1])
    o = torch.zeros(256, dtype=dtype)
    run(exponent_kernel, (1,), x, n, o, F=getattr(libdevice, name), B=256, cpu=cpu)
    with np.errstate(over="ignore"):
        want = torch.from_numpy(np.ldexp(x.numpy(), n.numpy()))
    torch.testing.assert_close(o, want, rtol=0, atol=0, equal_nan=True)


@pytest.mark.parametrize("cpu", [None, "baseline"])
def test_powi_knows_the_parity_of_large_exponents(cpu: str | None) -> None:
    x = torch.tensor([-1.0, -1.0, -1.0000001, 2.0, 0.0, -0.0, math.inf, 0.5] * 4)
    n = torch.tensor([2**31 - 1, 2**24 + 1, 2**24 + 1, -149, 0, -3, -1, 126] * 4, dtype=torch.int32)
    o = torch.zeros(32)
    run(exponent_kernel, (1,), x, n, o, F=libdevice.pow, B=32, cpu=cpu)
    want = torch.tensor([float(np.float64(a) ** b) if a else (1.0 if b == 0 else -math.inf) for a, b in zip(x.tolist(), n.tolist(), strict=True)])
    torch.testing.assert_close(o, want, rtol=2e-7, atol=0)
