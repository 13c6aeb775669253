"""Formulas of pointwise ops on the real and the imaginary parts of their operands.

A formula takes pairs (re, im), im None where the operand is real, and gives one. The parts are tensors, or Python numbers, of
one dtype. Gradients follow from the real formulas: that of a loss by x + iy is dL/dx + i dL/dy, which is torch's convention.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

from tritonflow.dtypes import DType
from tritonflow.execution.op_expr import OpExpr
from tritonflow.framework.tensor import Tensor
from tritonflow.functional.complex_forms.movement import as_numbers, joint_dtype
from tritonflow.functional.functors.cast import cast
from tritonflow.functional.functors.complex_views import imag, made_of, pairs_of_complex, real
from tritonflow.functional.functors.creation import zeros_like
from tritonflow.functional.functors.generated import abs as absolute
from tritonflow.functional.functors.generated import (
    asinh,
    atan2,
    cos,
    cosh,
    exp,
    expm1,
    hypot,
    is_finite,
    is_inf,
    is_nan,
    log,
    log1p,
    maximum,
    signbit,
    sin,
    sinh,
    sqrt,
    tan,
    tanh,
    where,
)
from tritonflow.functional.functors.grids import broadcast_tensors
from tritonflow.functional.functors.selection import where_scalar_x
from tritonflow.functional.functors.view import detach
from tritonflow.interpreter.complex_numbers import Form
from tritonflow.interpreter.dispatch import dispatch1


class Pair(NamedTuple):
    """The real and the imaginary part of an operand."""

    re: Any
    im: Any = None


Inputs = tuple[Any, ...]
Values = tuple[Any, ...]


# --------------------------------------------------------------------------------------------------- operands, results


def _pair(x: Tensor, dtype: DType) -> Pair:
    """The parts of a tensor, in the real dtype."""
    if not x.meta.dtype.is_complex:
        return Pair(cast(x, dtype))
    return Pair(cast(real(x), dtype), cast(imag(x), dtype))


def _pair_of_number(value: Any) -> Pair:
    return Pair(value.real, value.imag) if isinstance(value, complex) else Pair(float(value))


def _number(pair: Pair) -> Tensor:
    """The complex numbers of a result, whose parts are broadcast to each other."""
    re, im = pair
    if not isinstance(re, Tensor):
        re = zeros_like(im) + re
    if im is None:
        im = zeros_like(re)
    elif not isinstance(im, Tensor):
        im = zeros_like(re) + im
    if re.meta.shape != im.meta.shape:
        re, im = broadcast_tensors((re, im))
    return made_of(re, im)


def formula(function: Callable[..., Any], reverse: bool = False) -> Form:
    """The form of an op with a formula on its operands: tensors, then numbers; with `reverse`, numbers first."""

    def form(op: OpExpr, inputs: Inputs, attrs: Values, dynamic: Values) -> Any:
        dtype = joint_dtype(inputs, dynamic).to_real()
        tensors, numbers = [_pair(x, dtype) for x in inputs], [_pair_of_number(v) for v in dynamic]
        found = function(*numbers, *tensors) if reverse else function(*tensors, *numbers)
        return _number(found) if isinstance(found, Pair) else found

    return form


def _linear(function: Callable[..., Any]) -> Form:
    """The form of + and -, which run on pairs where both operands are complex tensors."""
    general = formula(function)

    def form(op: OpExpr, inputs: Inputs, attrs: Values, dynamic: Values) -> Any:
        if not dynamic and all(x.meta.dtype.is_complex and x.meta.ndim for x in inputs):
            a, b = inputs
            return as_numbers(function(Pair(pairs_of_complex(a)), Pair(pairs_of_complex(b))).re)
        return general(op, inputs, attrs, dynamic)

    return form


# ----------------------------------------------------------------------------------------------------- + - * / **


def _plus(a: Any, b: Any) -> Any:
    return b if a is None else a if b is None else a + b


def _minus(a: Any, b: Any) -> Any:
    return a if b is None else -b if a is None else a - b


def add(a: Pair, b: Pair) -> Pair:
    return Pair(a.re + b.re, _plus(a.im, b.im))


def sub(a: Pair, b: Pair) -> Pair:
    return Pair(a.re - b.re, _minus(a.im, b.im))


def mul(a: Pair, b: Pair) -> Pair:
    if b.im is None:
        return Pair(a.re * b.re, None if a.im is None else a.im * b.re)
    if a.im is None:
        return Pair(a.re * b.re, a.re * b.im)
    return Pair(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re)


def add_scaled(a: Pair, b: Pair, alpha: Pair) -> Pair:
    return add(a, mul(b, alpha))


def sub_scaled(a: Pair, b: Pair, alpha: Pair) -> Pair:
    return sub(a, mul(b, alpha))


def reciprocal(a: Pair) -> Pair:
    """1 / a, divided by the larger part first, so that squares do not overflow. The scale cancels and is a constant."""
    if a.im is None:
        return Pair(1 / a.re)
    if not isinstance(a.re, Tensor) and not isinstance(a.im, Tensor):
        inverse = 1 / complex(a.re, a.im) if a.re or a.im else complex(math.nan, math.nan)
        return Pair(inverse.real, inverse.imag)
    scale = detach(maximum(absolute(a.re), absolute(a.im)))
    re, im = a.re / scale, a.im / scale
    length = (re * re + im * im) * scale
    return Pair(re / length, -im / length)


def div(a: Pair, b: Pair) -> Pair:
    if b.im is None:
        return Pair(a.re / b.re, None if a.im is None else a.im / b.re)
    return mul(a, reciprocal(b))


def square(a: Pair) -> Pair:
    return Pair((a.re - a.im) * (a.re + a.im), 2 * a.re * a.im)


def power(a: Pair, b: Pair) -> Pair:
    """exp(b log a); 0 ** 0 is 1, and 0 ** b is 0."""
    if not isinstance(a.re, Tensor):
        base = complex(a.re, a.im or 0.0)
        if base == 0:
            zero = (b.re == 0) if b.im is None else (b.re == 0) & (b.im == 0)
            return Pair(cast(zero, b.re.meta.dtype), zeros_like(b.re))
        logarithm = Pair(math.log(abs(base)), math.atan2(base.imag, base.real))
        return exponential(mul(b, logarithm))
    special = _special_power(a, b)
    if special is not None:
        return special
    im = zeros_like(a.re) if a.im is None else a.im
    zero = (a.re == 0) & (im == 0)
    found = exponential(mul(b, logarithm_of(Pair(where_scalar_x(zero, 1.0, a.re), im))))
    none = _is_zero(b)
    if isinstance(none, Tensor):
        at_zero = cast(none, a.re.meta.dtype)
        return Pair(where(zero, at_zero, found.re), where_scalar_x(zero, 0.0, found.im))
    return Pair(where_scalar_x(zero, float(none), found.re), where_scalar_x(zero, 0.0, found.im))


def _is_zero(b: Pair) -> Any:
    if isinstance(b.re, Tensor) or isinstance(b.im, Tensor):
        return (b.re == 0) if b.im is None else (b.re == 0) & (b.im == 0)
    return b.re == 0 and not b.im


def _special_power(a: Pair, b: Pair) -> Pair | None:
    """Exponents for which products and square roots are more exact."""
    if isinstance(b.re, Tensor) or b.im or isinstance(b.im, Tensor) or a.im is None:
        return None
    if b.re == 0:
        return Pair(a.re * 0 + 1, a.im * 0)
    if b.re == 1:
        return Pair(a.re * 1, a.im * 1)
    if b.re in (2, 3):
        return square(a) if b.re == 2 else mul(square(a), a)
    if b.re in (-1, -2):
        return reciprocal(a) if b.re == -1 else reciprocal(square(a))
    if b.re in (0.5, -0.5):
        return square_root(a) if b.re == 0.5 else reciprocal(square_root(a))
    return None


# ---------------------------------------------------------------------------------------- exponentials and logarithms


def exponential(a: Pair) -> Pair:
    length = exp(a.re) if isinstance(a.re, Tensor) else math.exp(a.re)
    if a.im is None:
        return Pair(length)
    return Pair(length * cos(a.im), length * sin(a.im))


def _expm1(a: Pair) -> Pair:
    half = sin(a.im * 0.5)
    return Pair(expm1(a.re) * cos(a.im) - 2 * half * half, exp(a.re) * sin(a.im))


def logarithm_of(a: Pair) -> Pair:
    return Pair(log(modulus(a)), angle(a))


def _log1p(a: Pair) -> Pair:
    return Pair(0.5 * log1p(a.re * (2 + a.re) + a.im * a.im), atan2(a.im, 1 + a.re))


def _scaled(function: Callable[[Pair], Pair], before: float = 1.0, behind: float = 1.0) -> Callable[[Pair], Pair]:
    def scaled(a: Pair) -> Pair:
        if before != 1.0:
            a = Pair(a.re * before, a.im * before)
        found = function(a)
        return found if behind == 1.0 else Pair(found.re * behind, found.im * behind)

    return scaled


def modulus(a: Pair) -> Tensor:
    """The absolute value; its gradient at 0 is 0."""
    zero = (a.re == 0) & (a.im == 0)
    length = hypot(where_scalar_x(zero, 1.0, a.re), a.im)
    return where_scalar_x(zero, 0.0, length)  # type: ignore[no-any-return]


def angle(a: Pair) -> Tensor:
    return atan2(a.im, a.re)  # type: ignore[no-any-return]


def direction(a: Pair) -> Pair:
    """sgn: a / |a|, and 0 of 0."""
    zero = (a.re == 0) & (a.im == 0)
    length = where_scalar_x(zero, 1.0, modulus(a))
    return Pair(a.re / length, a.im / length)


def square_root(a: Pair) -> Pair:
    """The root with a real part that is not negative. The signs are constants, so that gradients hold on the axes, too."""
    right = 2 * cast(a.re >= 0, a.re.meta.dtype) - 1
    up = 1 - 2 * cast(signbit(a.im), a.im.meta.dtype)
    zero = (a.re == 0) & (a.im == 0)
    length = sqrt(where_scalar_x(zero, 1.0, (hypot(where_scalar_x(zero, 1.0, a.re), a.im) + a.re * right) * 0.5))
    length = where_scalar_x(zero, 0.0, length)
    other = a.im * up / (2 * where_scalar_x(zero, 1.0, length))
    return Pair(where(a.re >= 0, length, other), where(a.re >= 0, other, length) * up)


# ------------------------------------------------------------------------------------------------------- trigonometry


def turned(function: Callable[[Pair], Pair]) -> Callable[[Pair], Pair]:
    """-i f(i a): sin of sinh, tan of tanh, and their inverses; the other way round it is the same."""

    def rotated(a: Pair) -> Pair:
        found = function(Pair(-a.im, a.re))
        return Pair(found.im, -found.re)

    return rotated


def _sinc(a: Pair) -> Pair:
    """sin(pi a) / (pi a), and 1 of 0."""
    zero = (a.re == 0) & (a.im == 0)
    x = Pair(where_scalar_x(zero, 0.5, a.re) * math.pi, a.im * math.pi)
    found = div(_sine(x), x)
    return Pair(where_scalar_x(zero, 1.0, found.re), where_scalar_x(zero, 0.0, found.im))


def _sine(a: Pair) -> Pair:
    return Pair(sin(a.re) * cosh(a.im), cos(a.re) * sinh(a.im))


def _cosine(a: Pair) -> Pair:
    return Pair(cos(a.re) * cosh(a.im), -(sin(a.re) * sinh(a.im)))


def _sinh(a: Pair) -> Pair:
    return Pair(sinh(a.re) * cos(a.im), cosh(a.re) * sin(a.im))


def _cosh(a: Pair) -> Pair:
    return Pair(cosh(a.re) * cos(a.im), sinh(a.re) * sin(a.im))


def _tanh(a: Pair) -> Pair:
    """By tanh and tan of the parts: no cosh that overflows."""
    t, u = tanh(a.re), tan(a.im)
    narrow = 1 / cosh(a.re)
    length = 1 + t * t * u * u
    return Pair(t * (1 + u * u) / length, u * narrow * narrow / length)


def _sigmoid(a: Pair) -> Pair:
    e = exponential(Pair(-a.re, -a.im))
    return reciprocal(Pair(1 + e.re, e.im))


def _silu(a: Pair) -> Pair:
    return mul(a, _sigmoid(a))


# Kahan, Branch cuts for complex elementary functions (1987).


def _roots_around_one(a: Pair) -> tuple[Pair, Pair]:
    """sqrt(1 - a) and sqrt(1 + a)."""
    return square_root(Pair(1 - a.re, -a.im)), square_root(Pair(1 + a.re, a.im))


def _asin(a: Pair) -> Pair:
    below, above = _roots_around_one(a)
    return Pair(atan2(a.re, mul(below, above).re), asinh(below.re * above.im - below.im * above.re))


def _acos(a: Pair) -> Pair:
    below, above = _roots_around_one(a)
    return Pair(2 * atan2(below.re, above.re), asinh(above.re * below.im - above.im * below.re))


def _acosh(a: Pair) -> Pair:
    below, above = square_root(Pair(a.re - 1, a.im)), square_root(Pair(a.re + 1, a.im))
    return Pair(asinh(below.re * above.re + below.im * above.im), 2 * atan2(below.im, above.re))


def _atanh(a: Pair) -> Pair:
    x, y = a.re, a.im
    side = 2 * cast(x >= 0, x.meta.dtype) - 1  # a constant, so that gradients hold at 0
    size = x * side
    re = 0.25 * side * log1p(4 * size / ((1 - size) * (1 - size) + y * y))
    return Pair(re, 0.5 * atan2(2 * y, (1 - x) * (1 + x) - y * y))


# --------------------------------------------------------------------------------------------------------- comparisons


def _equal(a: Pair, b: Pair) -> Any:
    return (a.re == b.re) & _imaginary_parts(a, b, lambda x, y: x == y)


def _unequal(a: Pair, b: Pair) -> Any:
    return (a.re != b.re) | _imaginary_parts(a, b, lambda x, y: x != y)


def _imaginary_parts(a: Pair, b: Pair, compare: Callable[[Any, Any], Any]) -> Any:
    x, y = 0.0 if a.im is None else a.im, 0.0 if b.im is None else b.im
    return compare(x, y) if isinstance(x, Tensor) else compare(y, x)


def _filled(a: Pair) -> Pair:
    return a if a.im is not None else Pair(a.re, zeros_like(a.re))


def _close(a: Pair, b: Pair, rtol: Pair, atol: Pair) -> Any:
    a, b = _filled(a), _filled(b)
    distance, allowed = modulus(Pair(a.re - b.re, a.im - b.im)), modulus(b) * rtol.re + atol.re
    return _equal(a, b) | (is_finite(distance) & (distance <= allowed))


def _close_or_nan(a: Pair, b: Pair, rtol: Pair, atol: Pair) -> Any:
    return _close(a, b, rtol, atol) | (_either(is_nan)(_filled(a)) & _either(is_nan)(_filled(b)))


def _either(test: Callable[[Any], Any]) -> Callable[[Pair], Any]:
    return lambda a: test(a.re) | test(a.im)


def _both(test: Callable[[Any], Any]) -> Callable[[Pair], Any]:
    return lambda a: test(a.re) & test(a.im)


def _negative(op: OpExpr, inputs: Inputs, attrs: Values, dynamic: Values) -> Any:
    return as_numbers(dispatch1(op, pairs_of_complex(inputs[0])))


def _addcmul(a: Pair, b: Pair, c: Pair, value: Pair) -> Pair:
    return add(a, mul(mul(b, c), value))


def _addcdiv(a: Pair, b: Pair, c: Pair, value: Pair) -> Pair:
    return add(a, mul(div(b, c), value))


def _lerp(start: Pair, end: Pair, weight: Pair) -> Pair:
    return add(start, mul(sub(end, start), weight))


_UNARY: dict[str, Callable[[Pair], Any]] = {
    "exp": exponential,
    "exp2": _scaled(exponential, before=math.log(2)),
    "expm1": _expm1,
    "log": logarithm_of,
    "log2": _scaled(logarithm_of, behind=1 / math.log(2)),
    "log10": _scaled(logarithm_of, behind=1 / math.log(10)),
    "log1p": _log1p,
    "sqrt": square_root,
    "rsqrt": lambda a: reciprocal(square_root(a)),
    "reciprocal": reciprocal,
    "square": square,
    "sin": _sine,
    "cos": _cosine,
    "tan": turned(_tanh),
    "sinh": _sinh,
    "cosh": _cosh,
    "tanh": _tanh,
    "asin": _asin,
    "acos": _acos,
    "atan": turned(_atanh),
    "asinh": turned(_asin),
    "acosh": _acosh,
    "atanh": _atanh,
    "sigmoid": _sigmoid,
    "silu": _silu,
    "abs": modulus,
    "angle": angle,
    "sinc": _sinc,
    "sgn": direction,
    "isnan": _either(is_nan),
    "isinf": _either(is_inf),
    "isfinite": _both(is_finite),
}

FORMS: dict[str, Form] = {
    **{name: formula(function) for name, function in _UNARY.items()},
    "negative": _negative,
    "add": _linear(add),
    "sub": _linear(sub),
    "scalar_add": formula(add),
    "scalar_sub": formula(sub),
    "scalar_sub_reversed": formula(lambda x, other, alpha: sub(other, mul(x, alpha))),
    "scalar_add_reversed": formula(lambda x, other, alpha: add(other, mul(x, alpha))),
    "add_scaled": formula(add_scaled),
    "sub_scaled": formula(sub_scaled),
    "mul": formula(mul),
    "scalar_mul": formula(mul),
    "div": formula(div),
    "scalar_div": formula(div),
    "scalar_div_reversed": formula(div, reverse=True),
    "pow": formula(power),
    "scalar_pow": formula(power),
    "scalar_pow_reversed": formula(power, reverse=True),
    "addcmul": formula(_addcmul),
    "addcdiv": formula(_addcdiv),
    "lerp": formula(_lerp),
    "scalar_lerp": formula(_lerp),
    **{name: formula(_equal) for name in ("eq", "scalar_eq")},
    **{name: formula(_unequal) for name in ("ne", "scalar_ne")},
    "is_close": formula(_close),
    "is_close_or_nan": formula(_close_or_nan),
}
