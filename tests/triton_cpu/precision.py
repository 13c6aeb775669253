"""The error of a function over all floats, in units in the last place, against float64."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import scipy.special
import torch
import triton
import triton.language as tl
from triton.language.extra.cuda import libdevice

from tests.triton_cpu.support import compiled, flat

REFERENCE: dict[str, Callable[..., np.ndarray]] = {
    "exp": np.exp, "exp2": np.exp2, "exp10": lambda v: np.power(10.0, v), "expm1": np.expm1,
    "log": np.log, "log2": np.log2, "log10": np.log10, "log1p": np.log1p,
    "sin": np.sin, "cos": np.cos, "tan": np.tan, "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan,
    "sinh": np.sinh, "cosh": np.cosh, "tanh": np.tanh, "asinh": np.arcsinh, "acosh": np.arccosh, "atanh": np.arctanh,
    "erf": scipy.special.erf, "erfc": scipy.special.erfc, "cbrt": np.cbrt, "rcbrt": lambda v: 1 / np.cbrt(v),
    "rsqrt": lambda v: 1 / np.sqrt(v), "sqrt_rn": np.sqrt, "rsqrt_rn": lambda v: 1 / np.sqrt(v),
    "sinpi": lambda v: sinpi(v), "cospi": lambda v: cospi(v),
    "erfcx": scipy.special.erfcx, "erfinv": lambda v: np.copysign(scipy.special.erfinv(v), v),
    "erfcinv": lambda v: scipy.special.erfcinv(v) + 0.0, "normcdf": scipy.special.ndtr, "normcdfinv": scipy.special.ndtri,
    "pow": np.power, "atan2": np.arctan2, "hypot": np.hypot, "rhypot": lambda *v: 1 / norm(*v),
    "norm3d": lambda *v: norm(*v), "rnorm3d": lambda *v: 1 / norm(*v),
    "norm4d": lambda *v: norm(*v), "rnorm4d": lambda *v: 1 / norm(*v),
}  # fmt: skip
ARITY = {"pow": 2, "atan2": 2, "hypot": 2, "rhypot": 2, "norm3d": 3, "rnorm3d": 3, "norm4d": 4, "rnorm4d": 4}
_IN_TL = ("exp", "exp2", "log", "log2", "sin", "cos", "erf", "sqrt_rn", "rsqrt")
_BLOCK = 4096


@triton.jit
def unary_kernel(x, o, F: tl.constexpr, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(o + i, F(tl.load(x + i)))


@triton.jit
def binary_kernel(x, y, o, F: tl.constexpr, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(o + i, F(tl.load(x + i), tl.load(y + i)))


@triton.jit
def ternary_kernel(x, y, z, o, F: tl.constexpr, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(o + i, F(tl.load(x + i), tl.load(y + i), tl.load(z + i)))


@triton.jit
def quaternary_kernel(x, y, z, t, o, F: tl.constexpr, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(o + i, F(tl.load(x + i), tl.load(y + i), tl.load(z + i), tl.load(t + i)))


_KERNELS = (unary_kernel, binary_kernel, ternary_kernel, quaternary_kernel)


def norm(*args: np.ndarray) -> np.ndarray:
    total = args[0]
    for a in args[1:]:
        total = np.hypot(total, a)
    return total


def sinpi(v: np.ndarray) -> np.ndarray:
    rest = v - 2 * np.rint(v / 2)
    return np.where(rest == np.rint(rest), np.copysign(0.0, v), np.sin(np.pi * rest))


def cospi(v: np.ndarray) -> np.ndarray:
    rest = np.abs(v - 2 * np.rint(v / 2))
    return np.where(rest == 0.5, 0.0, np.cos(np.pi * rest))


def function(name: str) -> Any:
    return getattr(tl if name in _IN_TL else libdevice, name)


def evaluate(name: str, args: list[np.ndarray], cpu: str | None = None) -> np.ndarray:
    """`name` of arrays whose length is a multiple of 4096."""
    tensors = [torch.from_numpy(a) for a in args]
    out = torch.empty_like(tensors[0])
    code = compiled(_KERNELS[len(args) - 1], [*tensors, out], {}, cpu, {"F": function(name), "B": _BLOCK})
    code.launch(len(out) // _BLOCK, 1, 1, *flat((*tensors, out)))
    return out.numpy()


def every(step: int) -> Iterator[np.ndarray]:
    """Every `step`-th float in pieces, and those around the places where functions change their ways."""
    yield special()
    piece = 2**20
    for start in range(0, 2**32, step * piece):
        bits = np.arange(start, min(start + step * piece, 2**32), step, dtype=np.uint64).astype(np.uint32)
        yield np.resize(bits, -(-len(bits) // _BLOCK) * _BLOCK).view(np.float32)


def special() -> np.ndarray:
    """500 floats to both sides of each of these, of either sign."""
    centres = [
        0.0, 2.0**-126, 2.0**-24, 2.0**-12, 0.25, 0.5, 0.625, 0.70710678, 0.75, 0.927734375, 1.0, 1.5, 2.0, 4.0,
        np.pi / 4, np.pi / 2, np.pi, 100 * np.pi, 10.05, 37.9, 38.5, 44.8, 87.33, 88.72, 89.41, 103.97, 126.0, 128.0, 149.0,
        30000.0, 1e5, 2.0**23, 2.0**24, 3.4028234e38,
    ]  # fmt: skip
    bits = np.array(centres, np.float32).view(np.int32)[:, None] + np.arange(-500, 501)
    bits = np.concatenate([bits.ravel(), [0x7F800000, 0x7FC00000]])
    bits = np.concatenate([bits, bits ^ -0x80000000]).astype(np.int32)
    return np.resize(bits, -(-len(bits) // _BLOCK) * _BLOCK).view(np.float32)


def errors(got: np.ndarray, exact: np.ndarray) -> np.ndarray:
    """Of each result, in units in the last place of the exact one's float32 neighbourhood. NaN for NaN is 0, for other
    things infinite, as is a zero of the wrong sign. The infinite result of a finite number counts as 2**128."""
    with np.errstate(all="ignore"):
        rounded = np.abs(exact).astype(np.float32)
        below = np.minimum(rounded, np.float32(3.4028234e38))
        step = np.spacing(below).astype(np.float64)
        value = got.astype(np.float64)
        value = np.where(np.isinf(value), np.copysign(2.0**128, value), value)
        want = np.where(np.isinf(exact), np.copysign(2.0**128, exact), exact)
        error = np.abs(value - want) / step
        error = np.where(np.abs(want) > 2.0**128, np.where(np.isinf(got), 0.0, error), error)
    error[np.isinf(exact) & (got != exact)] = np.inf
    error[(got == 0) & (np.signbit(got) != np.signbit(exact))] = np.inf
    error[(exact == 0) & (np.signbit(got) != np.signbit(exact))] = np.inf
    error[np.isnan(exact) != np.isnan(got)] = np.inf
    error[np.isnan(exact) & np.isnan(got)] = 0
    return error


def worst(name: str, pieces: Iterator[list[np.ndarray]], cpu: str | None = None) -> tuple[float, list[float]]:
    """The greatest error of `name` over pieces of arguments, and where it is."""
    greatest, where = -1.0, [0.0]
    for args in pieces:
        with np.errstate(all="ignore"):
            exact = REFERENCE[name](*(a.astype(np.float64) for a in args))
        error = errors(evaluate(name, args, cpu), exact)
        at = int(error.argmax())
        if error[at] > greatest:
            greatest, where = float(error[at]), [float(a[at]) for a in args]
    return greatest, where


def tuples(count: int, arity: int) -> Iterator[list[np.ndarray]]:
    """Tuples of floats: of all bit patterns, and of moderate size; and of pairs more."""
    rng = np.random.default_rng(0)
    size = -(-count // _BLOCK) * _BLOCK
    yield [rng.integers(0, 2**32, size, np.uint64).astype(np.uint32).view(np.float32) for _ in range(arity)]
    yield [np.resize(np.float32(v), _BLOCK) for v in np.resize([0.0, np.inf, np.nan, -np.inf], arity)]
    signs = [rng.choice(np.float32([-1, 1]), size) for _ in range(arity)]
    yield [s * np.exp2(rng.uniform(-8, 8, size)).astype(np.float32) for s in signs]
    if arity == 2:
        yield from pairs(rng, size)


def pairs(rng: np.random.Generator, size: int) -> Iterator[list[np.ndarray]]:
    """Close to 1, whole numbers, and all special values with each other."""
    signs = [rng.choice(np.float32([-1, 1]), size) for _ in range(2)]
    yield [np.exp2(rng.uniform(-1, 1, size)).astype(np.float32), rng.uniform(-150, 150, size).astype(np.float32)]
    yield [
        (1 + rng.normal(size=size) * 2.0 ** rng.integers(-23, -3, size)).astype(np.float32),
        (rng.normal(size=size) * 2.0 ** rng.integers(0, 24, size)).astype(np.float32),
    ]
    yield [s * rng.integers(0, 40, size).astype(np.float32) for s in signs]
    base = [
        0.0, 1.0, 2.0, 3.0, 0.5, 1.5, 2.5, np.inf, np.nan, 1e-45, 1.1754944e-38, 3.4028235e38, 1e20, 1e-20, 0.99999994,
        1.0000001, 2.0**22 + 0.5, 2.0**23 + 1, 2.0**24 + 1, 2.0**24 - 1, 2.0**32, 2.0**63, 127.0, 128.0, 149.0, 150.0,
    ]  # fmt: skip
    values = np.array([*base, *(-v for v in base)], np.float32)
    x, y = (g.ravel() for g in np.meshgrid(values, values))
    yield [np.resize(v, -(-len(v) // _BLOCK) * _BLOCK) for v in (x, y)]
