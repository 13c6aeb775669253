"""Every function with its precision: which are vectorised, and how far a result may be off.

The bounds are in units in the last place (ulp) from the exact value, over all floats. Infinities,
NaN, signed zeros and denormals are as in IEEE 754 and C. tests/triton_cpu/test_precision.py
measures all that. A function without a bound for f64 calls the C library there, once for each lane.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tritonflow.triton_cpu.errors import UnsupportedError
from tritonflow.triton_cpu.lower import libm
from tritonflow.triton_cpu.lower.lanes import LaneBuilder, Lanes

from . import error, exponential, logarithm, power, trigonometric
from .floats import floats


@dataclass(frozen=True, slots=True)
class MathFunction:
    """A function and its bounds.

    Attributes:
        lower: emits it.
        f32: the bound of f32 results.
        f64: that of f64 results; None if the C library computes them.
    """

    lower: Callable[..., Lanes]
    f32: float
    f64: float | None = None


FUNCTIONS = {
    "exp": MathFunction(exponential.exp, 1.25, 2.0),
    "exp2": MathFunction(exponential.exp2, 1.25, 2.0),
    "exp10": MathFunction(exponential.exp10, 1.5),
    "expm1": MathFunction(exponential.expm1, 1.75),
    "log": MathFunction(logarithm.log, 1.75, 2.0),
    "log2": MathFunction(logarithm.log2, 1.75, 2.0),
    "log10": MathFunction(logarithm.log10, 1.75),
    "log1p": MathFunction(logarithm.log1p, 1.75),
    "sin": MathFunction(trigonometric.sin, 1.75),
    "cos": MathFunction(trigonometric.cos, 1.75),
    "sinpi": MathFunction(trigonometric.sinpi, 1.75),
    "cospi": MathFunction(trigonometric.cospi, 1.75),
    "tan": MathFunction(trigonometric.tan, 1.5),
    "asin": MathFunction(trigonometric.asin, 1.75),
    "acos": MathFunction(trigonometric.acos, 1.25),
    "atan": MathFunction(trigonometric.atan, 1.75),
    "atan2": MathFunction(trigonometric.atan2, 2.0),
    "sinh": MathFunction(exponential.sinh, 1.5),
    "cosh": MathFunction(exponential.cosh, 2.0),
    "tanh": MathFunction(exponential.tanh, 1.5),
    "asinh": MathFunction(logarithm.asinh, 0.75),
    "acosh": MathFunction(logarithm.acosh, 0.75),
    "atanh": MathFunction(logarithm.atanh, 2.0),
    "erf": MathFunction(error.erf, 1.25),
    "erfc": MathFunction(error.erfc, 0.75),
    "erfcx": MathFunction(error.erfcx, 0.75),
    "erfinv": MathFunction(error.erfinv, 0.75),
    "erfcinv": MathFunction(error.erfcinv, 0.75),
    "normcdf": MathFunction(error.normcdf, 0.75),
    "normcdfinv": MathFunction(error.normcdfinv, 0.75),
    "pow": MathFunction(power.pow, 0.75),
    "hypot": MathFunction(power.norm, 0.75),
    "norm3d": MathFunction(power.norm, 0.75),
    "norm4d": MathFunction(power.norm, 0.75),
    "rhypot": MathFunction(power.rnorm, 0.75),
    "rnorm3d": MathFunction(power.rnorm, 0.75),
    "rnorm4d": MathFunction(power.rnorm, 0.75),
    "cbrt": MathFunction(power.cbrt, 0.75),
    "rcbrt": MathFunction(power.rcbrt, 1.5, 4.0),  # f64: the C library's cbrt
    "rsqrt": MathFunction(power.rsqrt, 1.5, 2.0),
}


def call(lb: LaneBuilder, name: str, args: list[Lanes], width: int) -> Lanes:
    """`name` of f32 or f64 lanes."""
    function = FUNCTIONS.get(name)
    elem = args[0].elem
    if function is not None and (elem == "f32" or function.f64 is not None):
        return function.lower(floats(lb, args, width), *args)
    if name not in libm.FUNCTIONS:
        raise UnsupportedError(f"{name} of {elem}")
    return libm.call(lb, name, args, elem, width)
