"""Every function with its precision: the one place that says which are vectorised, and how far a result may be off.

The bounds are in units in the last place of the result from the exact value, over all floats, with infinities, NaN, signed
zeros and denormals where IEEE 754 and C say; tests/triton_cpu/test_precision.py measures them. Without a bound for f64 a
function goes through the C library there, one call a lane.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tritonflow.triton_cpu.errors import UnsupportedError
from tritonflow.triton_cpu.lower import libm
from tritonflow.triton_cpu.lower.lanes import Lane, LaneBuilder

from . import error, exponential, logarithm, power, trigonometric
from .floats import floats


@dataclass(frozen=True, slots=True)
class Function:
    lower: Callable[..., Lane]
    f32: float
    f64: float | None = None


FUNCTIONS = {
    "exp": Function(exponential.exp, 1.25, 2.0),
    "exp2": Function(exponential.exp2, 1.25, 2.0),
    "exp10": Function(exponential.exp10, 1.5),
    "expm1": Function(exponential.expm1, 1.75),
    "log": Function(logarithm.log, 1.75, 2.0),
    "log2": Function(logarithm.log2, 1.75, 2.0),
    "log10": Function(logarithm.log10, 1.75),
    "log1p": Function(logarithm.log1p, 1.75),
    "sin": Function(trigonometric.sin, 1.75),
    "cos": Function(trigonometric.cos, 1.75),
    "sinpi": Function(trigonometric.sinpi, 1.75),
    "cospi": Function(trigonometric.cospi, 1.75),
    "tan": Function(trigonometric.tan, 1.5),
    "asin": Function(trigonometric.asin, 1.75),
    "acos": Function(trigonometric.acos, 1.25),
    "atan": Function(trigonometric.atan, 1.75),
    "atan2": Function(trigonometric.atan2, 2.0),
    "sinh": Function(exponential.sinh, 1.5),
    "cosh": Function(exponential.cosh, 2.0),
    "tanh": Function(exponential.tanh, 1.5),
    "asinh": Function(logarithm.asinh, 0.75),
    "acosh": Function(logarithm.acosh, 0.75),
    "atanh": Function(logarithm.atanh, 2.0),
    "erf": Function(error.erf, 1.25),
    "erfc": Function(error.erfc, 0.75),
    "erfcx": Function(error.erfcx, 0.75),
    "erfinv": Function(error.erfinv, 0.75),
    "erfcinv": Function(error.erfcinv, 0.75),
    "normcdf": Function(error.normcdf, 0.75),
    "normcdfinv": Function(error.normcdfinv, 0.75),
    "pow": Function(power.pow, 0.75),
    "hypot": Function(power.norm, 0.75),
    "norm3d": Function(power.norm, 0.75),
    "norm4d": Function(power.norm, 0.75),
    "rhypot": Function(power.rnorm, 0.75),
    "rnorm3d": Function(power.rnorm, 0.75),
    "rnorm4d": Function(power.rnorm, 0.75),
    "cbrt": Function(power.cbrt, 0.75),
    "rcbrt": Function(power.rcbrt, 1.5, 4.0),  # f64: the C library's cbrt
    "rsqrt": Function(power.rsqrt, 1.5, 2.0),
}


def call(lb: LaneBuilder, name: str, args: list[Lane], width: int) -> Lane:
    """`name` of f32 or f64 lanes."""
    function = FUNCTIONS.get(name)
    elem = args[0].elem
    if function is not None and (elem == "f32" or function.f64 is not None):
        return function.lower(floats(lb, args, width), *args)
    if name not in libm.FUNCTIONS:
        raise UnsupportedError(f"{name} of {elem}")
    return libm.call(lb, name, args, elem, width)
