"""Functions of the binding: elementwise.

Generated from op_registry.yaml by `python tritonflow/registry/generate.py`; do not edit.
"""
# fmt: off
# ruff: noqa: I001
from tritonflow.framework.tensor import Tensor as _Tensor
from tritonflow.binding.arguments import Binding as _Binding, FOREIGN as _FOREIGN, with_foreign as _with_foreign
from tritonflow.functions.elementwise import (addcmul as _add_c_mul, clamp as _clamp, clamp_max_tensor as _clamp_max_tensor,
        clamp_min_tensor as _clamp_min_tensor, clamp_tensor as _clamp_tensor, lerp as _lerp,
        scalar_floor_divide as _scalar_floor_divide, scalar_fmod as _scalar_fmod, scalar_remainder as _scalar_remainder,
        scalar_trunc_divide as _scalar_trunc_divide, clamp_max as _clamp_max, clamp_min as _clamp_min)
from tritonflow.functions.elementwise_fake_quantize import (fake_quantize_per_channel_affine as _fake_quantize_per_channel_affine,
        fake_quantize_per_tensor_affine as _fake_quantize_per_tensor_affine)
from tritonflow.functions.elementwise_powers import (heaviside as _heaviside, nextafter as _next_after,
        scalar_float_power as _scalar_float_power, scalar_float_power_reversed as _scalar_float_power_reversed, dist as _dist,
        float_power as _float_power, ldexp as _ldexp)
from tritonflow.functions.elementwise_selection import (where_method_scalar as _where_method_scalar,
        where_scalar_x as _where_scalar_x, where_scalar_y as _where_scalar_y, where_scalars as _where_scalars,
        where_method as _where_method)
from tritonflow.functions.elementwise_where import (where_nonzero as _where_non_zero)
from tritonflow.functions.generated import (add_c_div as _add_c_div, atan2 as _atan2, bitwise_and as _bitwise_and,
        bitwise_left_shift as _bitwise_left_shift, bitwise_or as _bitwise_or, bitwise_right_shift as _bitwise_right_shift,
        bitwise_xor as _bitwise_xor, copy_sign as _copy_sign, fake_quantize as _fake_quantize, floor_divide as _floor_divide,
        fmax as _fmax, fmin as _fmin, fmod as _fmod, gcd as _gcd, hypot as _hypot, lcm as _lcm, logaddexp as _logaddexp,
        logaddexp2 as _logaddexp2, maximum as _maximum, minimum as _minimum, remainder as _remainder,
        scalar_bitwise_and as _scalar_bitwise_and, scalar_bitwise_and_reversed as _scalar_bitwise_and_reversed,
        scalar_bitwise_left_shift as _scalar_bitwise_left_shift,
        scalar_bitwise_left_shift_reversed as _scalar_bitwise_left_shift_reversed, scalar_bitwise_or as _scalar_bitwise_or,
        scalar_bitwise_or_reversed as _scalar_bitwise_or_reversed, scalar_bitwise_right_shift as _scalar_bitwise_right_shift,
        scalar_bitwise_right_shift_reversed as _scalar_bitwise_right_shift_reversed, scalar_bitwise_xor as _scalar_bitwise_xor,
        scalar_bitwise_xor_reversed as _scalar_bitwise_xor_reversed, scalar_copy_sign as _scalar_copy_sign,
        scalar_floor_divide_reversed as _scalar_floor_divide_reversed, scalar_lerp as _scalar_lerp,
        scalar_remainder_reversed as _scalar_remainder_reversed, scalar_x_log_y as _scalar_x_log_y,
        scalar_x_log_y_reversed as _scalar_x_log_y_reversed, trunc_divide as _trunc_divide, where as _where, x_log_y as _x_log_y)
from tritonflow.binding.library import publish as _publish
from tritonflow.binding.prototype import MISSING as _missing
from tritonflow.binding.torch_calls import in_place as _in_place

_where_slow = _Binding("where", "Tensor (Tensor condition, Tensor x, Tensor y)", _where,
        "Tensor (Tensor condition, Scalar x, Tensor y)", _where_scalar_x, "Tensor (Tensor condition, Tensor x, Scalar y)",
        _where_scalar_y, "Tensor (Tensor condition, Scalar x, Scalar y)", _where_scalars, "TensorTuple (Tensor condition)",
        _where_non_zero)
def where(condition=_missing, x=_missing, y=_missing, *extra, **unknown):
    """x where the condition holds, otherwise y.

    `out = x if condition else y`, element by element. With the condition alone it returns where that is
    true: `flow.nonzero(condition, as_tuple=True)`.

    Overloads:
        - `where(condition: Tensor, x: Tensor, y: Tensor) -> Tensor`
        - `where(condition: Tensor, x: Scalar, y: Tensor) -> Tensor`
        - `where(condition: Tensor, x: Tensor, y: Scalar) -> Tensor`
        - `where(condition: Tensor, x: Scalar, y: Scalar) -> Tensor`
        - `where(condition: Tensor) -> tuple[Tensor, ...]`

    Args:
        condition: truth values; a number counts as true where it is not 0.
        x: what is taken where the condition holds, a tensor or a number.
        y: what is taken elsewhere, a tensor or a number.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `condition`, `x` and `y` are broadcast together; the result has their common shape.

    Dtypes:
        The result has the dtype that they promote to.

    Differentiable in `x` and `y`.

    Raises:
        RuntimeError: the shapes cannot be broadcast together.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.where.

    Example:
        >>> import tritonflow as flow
        >>> x = flow.tensor([-1.0, 2.0, -3.0])
        >>> flow.where(x > 0, x, 0.0)
        tensor([0., 2., 0.])
    """
    if condition.__class__ is _Tensor and x.__class__ is _Tensor and y.__class__ is _Tensor and not extra and not unknown:
        return _where(condition, x, y)
    if (condition.__class__ is _Tensor and (x.__class__ is float or x.__class__ is int) and y.__class__ is _Tensor and not extra
            and not unknown):
        return _where_scalar_x(condition, x, y)
    if (condition.__class__ is _Tensor and x.__class__ is _Tensor and (y.__class__ is float or y.__class__ is int) and not extra
            and not unknown):
        return _where_scalar_y(condition, x, y)
    if (condition.__class__ is _Tensor and (x.__class__ is float or x.__class__ is int) and
            (y.__class__ is float or y.__class__ is int) and not extra and not unknown):
        return _where_scalars(condition, x, y)
    if condition.__class__ is _Tensor and x is _missing and y is _missing and not extra and not unknown:
        return _where_non_zero(condition)
    return _where_slow((condition, x, y), extra, unknown)

_maximum_slow = _Binding("maximum", "Tensor (Tensor input, Tensor other)", _maximum, methods="maximum")
def maximum(input=_missing, other=_missing, *extra, **unknown):
    """The larger of two.

    Element by element; NaN where one of them is. At equal elements each operand gets half of the
    gradient.

    Args:
        input: the input.
        other: a tensor.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` and `other` are broadcast together; the result has their common shape.

    Dtypes:
        Complex numbers are refused. The result has the dtype that they promote to.

    Differentiable in `input` and `other`. Method: `Tensor.maximum`.

    Raises:
        NotImplementedError: complex operands.
        RuntimeError: the shapes cannot be broadcast together.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.maximum.

    Example:
        >>> import tritonflow as flow
        >>> flow.maximum(flow.tensor([1.0, 5.0]), flow.tensor([3.0, 2.0]))
        tensor([3., 5.])
    """
    if input.__class__ is _Tensor and other.__class__ is _Tensor and not extra and not unknown:
        return _maximum(input, other)
    return _maximum_slow((input, other), extra, unknown)

_minimum_slow = _Binding("minimum", "Tensor (Tensor input, Tensor other)", _minimum, methods="minimum")
def minimum(input=_missing, other=_missing, *extra, **unknown):
    """The smaller of two.

    Element by element; NaN where one of them is. At equal elements each operand gets half of the
    gradient.

    Args:
        input: the input.
        other: a tensor.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` and `other` are broadcast together; the result has their common shape.

    Dtypes:
        Complex numbers are refused. The result has the dtype that they promote to.

    Differentiable in `input` and `other`. Method: `Tensor.minimum`.

    Raises:
        NotImplementedError: complex operands.
        RuntimeError: the shapes cannot be broadcast together.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.minimum.

    Example:
        >>> import tritonflow as flow
        >>> flow.minimum(flow.tensor([1.0, 5.0]), flow.tensor([3.0, 2.0]))
        tensor([1., 2.])
    """
    if input.__class__ is _Tensor and other.__class__ is _Tensor and not extra and not unknown:
        return _minimum(input, other)
    return _minimum_slow((input, other), extra, unknown)

_fmax_slow = _Binding("fmax", "Tensor (Tensor input, Tensor other)", _fmax, methods="fmax")
def fmax(input=_missing, other=_missing, *extra, **unknown):
    """The larger of two, the other one for NaN.

    Element by element; NaN only where both are.

    Args:
        input: the input.
        other: a tensor.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` and `other` are broadcast together; the result has their common shape.

    Dtypes:
        Complex numbers are refused. The result has the dtype that they promote to.

    Differentiable in `input` and `other`. Method: `Tensor.fmax`.

    Raises:
        NotImplementedError: complex operands.
        RuntimeError: the shapes cannot be broadcast together.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.fmax.

    Example:
        >>> import tritonflow as flow
        >>> flow.fmax(flow.tensor([1.0, float("nan")]), flow.tensor([3.0, 2.0]))
        tensor([3., 2.])
    """
    if input.__class__ is _Tensor and other.__class__ is _Tensor and not extra and not unknown:
        return _fmax(input, other)
    return _fmax_slow((input, other), extra, unknown)

_fmin_slow = _Binding("fmin", "Tensor (Tensor input, Tensor other)", _fmin, methods="fmin")
def fmin(input=_missing, other=_missing, *extra, **unknown):
    """The smaller of two, the other one for NaN.

    Element by element; NaN only where both are.

    Args:
        input: the input.
        other: a tensor.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` and `other` are broadcast together; the result has their common shape.

    Dtypes:
        Complex numbers are refused. The result has the dtype that they promote to.

    Differentiable in `input` and `other`. Method: `Tensor.fmin`.

    Raises:
        NotImplementedError: complex operands.
        RuntimeError: the shapes cannot be broadcast together.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.fmin.

    Example:
        >>> import tritonflow as flow
        >>> flow.fmin(flow.tensor([1.0, float("nan")]), flow.tensor([3.0, 2.0]))
        tensor([1., 2.])
    """
    if input.__class__ is _Tensor and other.__class__ is _Tensor and not extra and not unknown:
        return _fmin(input, other)
    return _fmin_slow((input, other), extra, unknown)

_fmod_slow = _Binding("fmod", "Tensor (Tensor input, Tensor other, *, Bool inplace=False)", _fmod,
        "Tensor (Tensor input, Scalar other, *, Bool inplace=False)", _scalar_fmod, methods="fmod")
def fmod(input=_missing, other=_missing, *extra, inplace=False, **unknown):
    """The remainder with the sign of input; a zero among integer divisors raises ZeroDivisionError.

    `out = input - trunc(input / other) * other`, as C's fmod. Floating numbers divided by 0 give NaN.

    Args:
        input: the input.
        other: a tensor or a number.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` and `other` are broadcast together; the result has their common shape.

    Dtypes:
        The operands are real, and not bool. The result has the dtype that they promote to.

    Differentiable in `input` and `other`. Methods: `Tensor.fmod` and `Tensor.fmod_`.

    Raises:
        ZeroDivisionError: a zero among integer divisors.
        RuntimeError: the shapes cannot be broadcast together.
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.fmod.

    Example:
        >>> import tritonflow as flow
        >>> flow.fmod(flow.tensor([-3.0, 3.0]), 2.0)
        tensor([-1.,  1.])
    """
    if (input.__class__ is _Tensor and other.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and
            not unknown):
        return _fmod(input, other, inplace)
    if (input.__class__ is _Tensor and (other.__class__ is float or other.__class__ is int) and
            (inplace is False or inplace is True) and not extra and not unknown):
        return _scalar_fmod(input, other, inplace)
    return _fmod_slow((input, other, inplace), extra, unknown)

_fmod__slow = _Binding("fmod_", "Tensor (Tensor input, Tensor other)", _fmod, "Tensor (Tensor input, Scalar other)", _scalar_fmod,
        methods="fmod_", inplace=True)
def fmod_(input=_missing, other=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and other.__class__ is _Tensor and not extra and not unknown:
        return _fmod(input, other, inplace=True)
    if input.__class__ is _Tensor and (other.__class__ is float or other.__class__ is int) and not extra and not unknown:
        return _scalar_fmod(input, other, inplace=True)
    return _fmod__slow((input, other), extra, unknown)

_remainder_slow = _Binding("remainder", "Tensor (Tensor input, Tensor other, *, Bool inplace=False)", _remainder,
        "Tensor (Tensor input, Scalar other, *, Bool inplace=False)", _scalar_remainder, "Tensor (Scalar input, Tensor other)",
        _scalar_remainder_reversed, methods="remainder")
def remainder(input=_missing, other=_missing, *extra, inplace=False, **unknown):
    """The remainder with the sign of other; a zero among integer divisors raises ZeroDivisionError.

    `out = input - floor(input / other) * other`, as Python's `%`. Floating numbers divided by 0 give
    NaN.

    Args:
        input: a tensor or a number.
        other: a tensor or a number.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` and `other` are broadcast together; the result has their common shape.

    Dtypes:
        The operands are real, and not bool. The result has the dtype that they promote to.

    Differentiable in `input` and `other`. Methods: `Tensor.remainder` and `Tensor.remainder_`.
    Operator: `%`.

    Raises:
        ZeroDivisionError: a zero among integer divisors.
        RuntimeError: the shapes cannot be broadcast together.
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.remainder.

    Example:
        >>> import tritonflow as flow
        >>> flow.remainder(flow.tensor([-3.0, 3.0]), 2.0)
        tensor([1., 1.])
        >>> flow.tensor([5, -5]) % 3
        tensor([2, 1])
    """
    if (input.__class__ is _Tensor and other.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and
            not unknown):
        return _remainder(input, other, inplace)
    if (input.__class__ is _Tensor and (other.__class__ is float or other.__class__ is int) and
            (inplace is False or inplace is True) and not extra and not unknown):
        return _scalar_remainder(input, other, inplace)
    if ((input.__class__ is float or input.__class__ is int) and other.__class__ is _Tensor and inplace is False and not extra and
            not unknown):
        return _scalar_remainder_reversed(input, other)
    return _remainder_slow((input, other, inplace), extra, unknown)

_remainder__slow = _Binding("remainder_", "Tensor (Tensor input, Tensor other)", _remainder,
        "Tensor (Tensor input, Scalar other)", _scalar_remainder, methods="remainder_", inplace=True)
def remainder_(input=_missing, other=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and other.__class__ is _Tensor and not extra and not unknown:
        return _remainder(input, other, inplace=True)
    if input.__class__ is _Tensor and (other.__class__ is float or other.__class__ is int) and not extra and not unknown:
        return _scalar_remainder(input, other, inplace=True)
    return _remainder__slow((input, other), extra, unknown)

def __mod__(self, other):
    """The operator of `remainder`, which says more."""
    if other.__class__ is _Tensor:
        return _remainder(self, other)
    if other.__class__ is float or other.__class__ is int:
        return _scalar_remainder(self, other)
    if isinstance(other, _FOREIGN):
        return _with_foreign("__mod__", remainder, self, other)
    return remainder(self, other)

def __rmod__(self, other):
    """The operator of `remainder`, which says more."""
    if other.__class__ is float or other.__class__ is int:
        return _scalar_remainder_reversed(other, self)
    if isinstance(other, _FOREIGN):
        return _with_foreign("__rmod__", remainder, self, other)
    return remainder(other, self)

def __imod__(self, other):
    """The operator of `remainder`, which says more."""
    if other.__class__ is _Tensor:
        return _remainder(self, other, inplace=True)
    if other.__class__ is float or other.__class__ is int:
        return _scalar_remainder(self, other, inplace=True)
    if isinstance(other, _FOREIGN):
        return _with_foreign("__imod__", remainder_, self, other)
    return remainder_(self, other)

_floor_divide_slow = _Binding("floor_divide", "Tensor (Tensor input, Tensor other, *, Bool inplace=False)", _floor_divide,
        "Tensor (Tensor input, Scalar other, *, Bool inplace=False)", _scalar_floor_divide, "Tensor (Scalar input, Tensor other)",
        _scalar_floor_divide_reversed, methods="floor_divide")
def floor_divide(input=_missing, other=_missing, *extra, inplace=False, **unknown):
    """The quotient rounded down; a zero among integer divisors raises ZeroDivisionError.

    `out = floor(input / other)`, as Python's `//`. Floating numbers divided by 0 give an infinity or
    NaN.

    Args:
        input: a tensor or a number.
        other: a tensor or a number.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` and `other` are broadcast together; the result has their common shape.

    Dtypes:
        The operands are real, and not bool. The result has the dtype that they promote to.

    Differentiable in `input` and `other`. Methods: `Tensor.floor_divide` and `Tensor.floor_divide_`.
    Operator: `//`.

    Raises:
        ZeroDivisionError: a zero among integer divisors.
        RuntimeError: the shapes cannot be broadcast together.
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.floor_divide.

    Example:
        >>> import tritonflow as flow
        >>> flow.floor_divide(flow.tensor([7, -7]), 2)
        tensor([ 3, -4])
        >>> flow.tensor([7.0, -7.0]) // 2
        tensor([ 3., -4.])
    """
    if (input.__class__ is _Tensor and other.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and
            not unknown):
        return _floor_divide(input, other, inplace)
    if (input.__class__ is _Tensor and (other.__class__ is float or other.__class__ is int) and
            (inplace is False or inplace is True) and not extra and not unknown):
        return _scalar_floor_divide(input, other, inplace)
    if ((input.__class__ is float or input.__class__ is int) and other.__class__ is _Tensor and inplace is False and not extra and
            not unknown):
        return _scalar_floor_divide_reversed(input, other)
    return _floor_divide_slow((input, other, inplace), extra, unknown)

_floor_divide__slow = _Binding("floor_divide_", "Tensor (Tensor input, Tensor other)", _floor_divide,
        "Tensor (Tensor input, Scalar other)", _scalar_floor_divide, methods="floor_divide_", inplace=True)
def floor_divide_(input=_missing, other=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and other.__class__ is _Tensor and not extra and not unknown:
        return _floor_divide(input, other, inplace=True)
    if input.__class__ is _Tensor and (other.__class__ is float or other.__class__ is int) and not extra and not unknown:
        return _scalar_floor_divide(input, other, inplace=True)
    return _floor_divide__slow((input, other), extra, unknown)

def __floordiv__(self, other):
    """The operator of `floor_divide`, which says more."""
    if other.__class__ is _Tensor:
        return _floor_divide(self, other)
    if other.__class__ is float or other.__class__ is int:
        return _scalar_floor_divide(self, other)
    if isinstance(other, _FOREIGN):
        return _with_foreign("__floordiv__", floor_divide, self, other)
    return floor_divide(self, other)

def __rfloordiv__(self, other):
    """The operator of `floor_divide`, which says more."""
    if other.__class__ is float or other.__class__ is int:
        return _scalar_floor_divide_reversed(other, self)
    if isinstance(other, _FOREIGN):
        return _with_foreign("__rfloordiv__", floor_divide, self, other)
    return floor_divide(other, self)

def __ifloordiv__(self, other):
    """The operator of `floor_divide`, which says more."""
    if other.__class__ is _Tensor:
        return _floor_divide(self, other, inplace=True)
    if other.__class__ is float or other.__class__ is int:
        return _scalar_floor_divide(self, other, inplace=True)
    if isinstance(other, _FOREIGN):
        return _with_foreign("__ifloordiv__", floor_divide_, self, other)
    return floor_divide_(self, other)

_trunc_divide_slow = _Binding("trunc_divide", "Tensor (Tensor input, Tensor other)", _trunc_divide,
        "Tensor (Tensor input, Scalar other)", _scalar_trunc_divide)
def trunc_divide(input=_missing, other=_missing, *extra, **unknown):
    """The quotient rounded towards zero; a zero among integer divisors raises ZeroDivisionError.

    `out = trunc(input / other)`: -7 by 2 is -3. Floating numbers divided by 0 give an infinity or NaN.

    Args:
        input: the input.
        other: a tensor or a number.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` and `other` are broadcast together; the result has their common shape.

    Dtypes:
        The operands are real, and not bool. The result has the dtype that they promote to.

    Differentiable in `input` and `other`.

    Raises:
        ZeroDivisionError: a zero among integer divisors.
        RuntimeError: the shapes cannot be broadcast together.
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: oneflow.trunc_divide.

    Example:
        >>> import tritonflow as flow
        >>> flow.trunc_divide(flow.tensor([7, -7]), 2)
        tensor([ 3, -3])
    """
    if input.__class__ is _Tensor and other.__class__ is _Tensor and not extra and not unknown:
        return _trunc_divide(input, other)
    if input.__class__ is _Tensor and (other.__class__ is float or other.__class__ is int) and not extra and not unknown:
        return _scalar_trunc_divide(input, other)
    return _trunc_divide_slow((input, other), extra, unknown)

_bitwise_and_slow = _Binding("bitwise_and", "Tensor (Tensor input, Tensor other)", _bitwise_and,
        "Tensor (Tensor input, Scalar other)", _scalar_bitwise_and, "Tensor (Scalar input, Tensor other)",
        _scalar_bitwise_and_reversed, methods="bitwise_and")
def bitwise_and(input=_missing, other=_missing, *extra, **unknown):
    """input & other, bit by bit.

    Of bool tensors it is their logical and.

    Args:
        input: a tensor or a number.
        other: a tensor or a number.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` and `other` are broadcast together; the result has their common shape.

    Dtypes:
        The operands are integers or bool, barebones. The result has the dtype that they promote to.

    Not differentiable. Methods: `Tensor.bitwise_and` and `Tensor.bitwise_and_`. Operator: `&`.

    Raises:
        RuntimeError: the shapes cannot be broadcast together.
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.bitwise_and.

    Example:
        >>> import tritonflow as flow
        >>> flow.bitwise_and(flow.tensor([5, 6]), 3)
        tensor([1, 2])
        >>> flow.tensor([True, True]) & flow.tensor([True, False])
        tensor([ True, False])
    """
    if input.__class__ is _Tensor and other.__class__ is _Tensor and not extra and not unknown:
        return _bitwise_and(input, other)
    if input.__class__ is _Tensor and (other.__class__ is float or other.__class__ is int) and not extra and not unknown:
        return _scalar_bitwise_and(input, other)
    if (input.__class__ is float or input.__class__ is int) and other.__class__ is _Tensor and not extra and not unknown:
        return _scalar_bitwise_and_reversed(input, other)
    return _bitwise_and_slow((input, other), extra, unknown)

_bitwise_and_over = _in_place(_bitwise_and)
_scalar_bitwise_and_over = _in_place(_scalar_bitwise_and)
_bitwise_and__slow = _Binding("bitwise_and_", "Tensor (Tensor input, Tensor other)", _bitwise_and_over,
        "Tensor (Tensor input, Scalar other)", _scalar_bitwise_and_over, methods="bitwise_and_", inplace=True)
def bitwise_and_(input=_missing, other=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and other.__class__ is _Tensor and not extra and not unknown:
        return _bitwise_and_over(input, other, inplace=True)
    if input.__class__ is _Tensor and (other.__class__ is float or other.__class__ is int) and not extra and not unknown:
        return _scalar_bitwise_and_over(input, other, inplace=True)
    return _bitwise_and__slow((input, other), extra, unknown)

def __and__(self, other):
    """The operator of `bitwise_and`, which says more."""
    if other.__class__ is _Tensor:
        return _bitwise_and(self, other)
    if other.__class__ is float or other.__class__ is int:
        return _scalar_bitwise_and(self, other)
    if isinstance(other, _FOREIGN):
        return _with_foreign("__and__", bitwise_and, self, other)
    return bitwise_and(self, other)

def __rand__(self, other):
    """The operator of `bitwise_and`, which says more."""
    if other.__class__ is float or other.__class__ is int:
        return _scalar_bitwise_and_reversed(other, self)
    if isinstance(other, _FOREIGN):
        return _with_foreign("__rand__", bitwise_and, self, other)
    return bitwise_and(other, self)

def __iand__(self, other):
    """The operator of `bitwise_and`, which says more."""
    if isinstance(other, _FOREIGN):
        return _with_foreign("__iand__", bitwise_and_, self, other)
    return bitwise_and_(self, other)

_bitwise_or_slow = _Binding("bitwise_or", "Tensor (Tensor input, Tensor other)", _bitwise_or,
        "Tensor (Tensor input, Scalar other)", _scalar_bitwise_or, "Tensor (Scalar input, Tensor other)",
        _scalar_bitwise_or_reversed, methods="bitwise_or")
def bitwise_or(input=_missing, other=_missing, *extra, **unknown):
    """input | other, bit by bit.

    Of bool tensors it is their logical or.

    Args:
        input: a tensor or a number.
        other: a tensor or a number.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` and `other` are broadcast together; the result has their common shape.

    Dtypes:
        The operands are integers or bool, barebones. The result has the dtype that they promote to.

    Not differentiable. Methods: `Tensor.bitwise_or` and `Tensor.bitwise_or_`. Operator: `|`.

    Raises:
        RuntimeError: the shapes cannot be broadcast together.
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.bitwise_or.

    Example:
        >>> import tritonflow as flow
        >>> flow.bitwise_or(flow.tensor([5, 6]), 3)
        tensor([7, 7])
    """
    if input.__class__ is _Tensor and other.__class__ is _Tensor and not extra and not unknown:
        return _bitwise_or(input, other)
    if input.__class__ is _Tensor and (other.__class__ is float or other.__class__ is int) and not extra and not unknown:
        return _scalar_bitwise_or(input, other)
    if (input.__class__ is float or input.__class__ is int) and other.__class__ is _Tensor and not extra and not unknown:
        return _scalar_bitwise_or_reversed(input, other)
    return _bitwise_or_slow((input, other), extra, unknown)

_bitwise_or_over = _in_place(_bitwise_or)
_scalar_bitwise_or_over = _in_place(_scalar_bitwise_or)
_bitwise_or__slow = _Binding("bitwise_or_", "Tensor (Tensor input, Tensor other)", _bitwise_or_over,
        "Tensor (Tensor input, Scalar other)", _scalar_bitwise_or_over, methods="bitwise_or_", inplace=True)
def bitwise_or_(input=_missing, other=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and other.__class__ is _Tensor and not extra and not unknown:
        return _bitwise_or_over(input, other, inplace=True)
    if input.__class__ is _Tensor and (other.__class__ is float or other.__class__ is int) and not extra and not unknown:
        return _scalar_bitwise_or_over(input, other, inplace=True)
    return _bitwise_or__slow((input, other), extra, unknown)

def __or__(self, other):
    """The operator of `bitwise_or`, which says more."""
    if other.__class__ is _Tensor:
        return _bitwise_or(self, other)
    if other.__class__ is float or other.__class__ is int:
        return _scalar_bitwise_or(self, other)
    if isinstance(other, _FOREIGN):
        return _with_foreign("__or__", bitwise_or, self, other)
    return bitwise_or(self, other)

def __ror__(self, other):
    """The operator of `bitwise_or`, which says more."""
    if other.__class__ is float or other.__class__ is int:
        return _scalar_bitwise_or_reversed(other, self)
    if isinstance(other, _FOREIGN):
        return _with_foreign("__ror__", bitwise_or, self, other)
    return bitwise_or(other, self)

def __ior__(self, other):
    """The operator of `bitwise_or`, which says more."""
    if isinstance(other, _FOREIGN):
        return _with_foreign("__ior__", bitwise_or_, self, other)
    return bitwise_or_(self, other)

_bitwise_xor_slow = _Binding("bitwise_xor", "Tensor (Tensor input, Tensor other)", _bitwise_xor,
        "Tensor (Tensor input, Scalar other)", _scalar_bitwise_xor, "Tensor (Scalar input, Tensor other)",
        _scalar_bitwise_xor_reversed, methods="bitwise_xor")
def bitwise_xor(input=_missing, other=_missing, *extra, **unknown):
    """input ^ other, bit by bit.

    Of bool tensors it is whether they differ.

    Args:
        input: a tensor or a number.
        other: a tensor or a number.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` and `other` are broadcast together; the result has their common shape.

    Dtypes:
        The operands are integers or bool, barebones. The result has the dtype that they promote to.

    Not differentiable. Methods: `Tensor.bitwise_xor` and `Tensor.bitwise_xor_`. Operator: `^`.

    Raises:
        RuntimeError: the shapes cannot be broadcast together.
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.bitwise_xor.

    Example:
        >>> import tritonflow as flow
        >>> flow.bitwise_xor(flow.tensor([5, 6]), 3)
        tensor([6, 5])
    """
    if input.__class__ is _Tensor and other.__class__ is _Tensor and not extra and not unknown:
        return _bitwise_xor(input, other)
    if input.__class__ is _Tensor and (other.__class__ is float or other.__class__ is int) and not extra and not unknown:
        return _scalar_bitwise_xor(input, other)
    if (input.__class__ is float or input.__class__ is int) and other.__class__ is _Tensor and not extra and not unknown:
        return _scalar_bitwise_xor_reversed(input, other)
    return _bitwise_xor_slow((input, other), extra, unknown)

_bitwise_xor_over = _in_place(_bitwise_xor)
_scalar_bitwise_xor_over = _in_place(_scalar_bitwise_xor)
_bitwise_xor__slow = _Binding("bitwise_xor_", "Tensor (Tensor input, Tensor other)", _bitwise_xor_over,
        "Tensor (Tensor input, Scalar other)", _scalar_bitwise_xor_over, methods="bitwise_xor_", inplace=True)
def bitwise_xor_(input=_missing, other=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and other.__class__ is _Tensor and not extra and not unknown:
        return _bitwise_xor_over(input, other, inplace=True)
    if input.__class__ is _Tensor and (other.__class__ is float or other.__class__ is int) and not extra and not unknown:
        return _scalar_bitwise_xor_over(input, other, inplace=True)
    return _bitwise_xor__slow((input, other), extra, unknown)

def __xor__(self, other):
    """The operator of `bitwise_xor`, which says more."""
    if other.__class__ is _Tensor:
        return _bitwise_xor(self, other)
    if other.__class__ is float or other.__class__ is int:
        return _scalar_bitwise_xor(self, other)
    if isinstance(other, _FOREIGN):
        return _with_foreign("__xor__", bitwise_xor, self, other)
    return bitwise_xor(self, other)

def __rxor__(self, other):
    """The operator of `bitwise_xor`, which says more."""
    if other.__class__ is float or other.__class__ is int:
        return _scalar_bitwise_xor_reversed(other, self)
    if isinstance(other, _FOREIGN):
        return _with_foreign("__rxor__", bitwise_xor, self, other)
    return bitwise_xor(other, self)

def __ixor__(self, other):
    """The operator of `bitwise_xor`, which says more."""
    if isinstance(other, _FOREIGN):
        return _with_foreign("__ixor__", bitwise_xor_, self, other)
    return bitwise_xor_(self, other)

_addcmul_slow = _Binding("addcmul",
        "Tensor (Tensor input, Tensor tensor1, Tensor tensor2, *, Scalar value=1, Bool inplace=False)", _add_c_mul,
        methods="addcmul")
def addcmul(input=_missing, tensor1=_missing, tensor2=_missing, *extra, value=1, inplace=False, **unknown):
    """input + value * tensor1 * tensor2.

    `out = input + value * tensor1 * tensor2`, in one kernel.

    Args:
        input: the input.
        tensor1: the first factor.
        tensor2: the second factor.
        value: the factor of the product.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input`, `tensor1` and `tensor2` are broadcast together; the result has their common shape.

    Dtypes:
        The result has the dtype that they promote to.

    Differentiable in `input`, `tensor1` and `tensor2`. Methods: `Tensor.addcmul` and `Tensor.addcmul_`.

    Raises:
        NotImplementedError: bool operands.
        RuntimeError: the shapes cannot be broadcast together.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.addcmul.

    Example:
        >>> import tritonflow as flow
        >>> flow.addcmul(flow.tensor([1.0, 1.0]), flow.tensor([2.0, 3.0]), flow.tensor([4.0, 5.0]), value=0.5)
        tensor([5.0000, 8.5000])
    """
    if (input.__class__ is _Tensor and tensor1.__class__ is _Tensor and tensor2.__class__ is _Tensor and
            (value.__class__ is int or value.__class__ is float) and (inplace is False or inplace is True) and not extra and
            not unknown):
        return _add_c_mul(input, tensor1, tensor2, value, inplace)
    return _addcmul_slow((input, tensor1, tensor2, value, inplace), extra, unknown)

_addcmul__slow = _Binding("addcmul_", "Tensor (Tensor input, Tensor tensor1, Tensor tensor2, *, Scalar value=1)", _add_c_mul,
        methods="addcmul_", inplace=True)
def addcmul_(input=_missing, tensor1=_missing, tensor2=_missing, *extra, value=1, **unknown):
    if (input.__class__ is _Tensor and tensor1.__class__ is _Tensor and tensor2.__class__ is _Tensor and
            (value.__class__ is int or value.__class__ is float) and not extra and not unknown):
        return _add_c_mul(input, tensor1, tensor2, value, inplace=True)
    return _addcmul__slow((input, tensor1, tensor2, value), extra, unknown)

_addcdiv_slow = _Binding("addcdiv",
        "Tensor (Tensor input, Tensor tensor1, Tensor tensor2, *, Scalar value=1, Bool inplace=False)", _add_c_div,
        methods="addcdiv")
def addcdiv(input=_missing, tensor1=_missing, tensor2=_missing, *extra, value=1, inplace=False, **unknown):
    """input + value * tensor1 / tensor2.

    `out = input + value * tensor1 / tensor2`, in one kernel.

    Args:
        input: the input.
        tensor1: the numerator.
        tensor2: the denominator.
        value: the factor of the quotient.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input`, `tensor1` and `tensor2` are broadcast together; the result has their common shape.

    Dtypes:
        The result has the dtype that they promote to; integers and bool give the default dtype.

    Differentiable in `input`, `tensor1` and `tensor2`. Methods: `Tensor.addcdiv` and `Tensor.addcdiv_`.

    Raises:
        RuntimeError: the shapes cannot be broadcast together.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.addcdiv.

    Example:
        >>> import tritonflow as flow
        >>> flow.addcdiv(flow.tensor([1.0, 1.0]), flow.tensor([2.0, 3.0]), flow.tensor([4.0, 6.0]))
        tensor([1.5000, 1.5000])
    """
    if (input.__class__ is _Tensor and tensor1.__class__ is _Tensor and tensor2.__class__ is _Tensor and
            (value.__class__ is int or value.__class__ is float) and (inplace is False or inplace is True) and not extra and
            not unknown):
        return _add_c_div(input, tensor1, tensor2, value, inplace)
    return _addcdiv_slow((input, tensor1, tensor2, value, inplace), extra, unknown)

_addcdiv__slow = _Binding("addcdiv_", "Tensor (Tensor input, Tensor tensor1, Tensor tensor2, *, Scalar value=1)", _add_c_div,
        methods="addcdiv_", inplace=True)
def addcdiv_(input=_missing, tensor1=_missing, tensor2=_missing, *extra, value=1, **unknown):
    if (input.__class__ is _Tensor and tensor1.__class__ is _Tensor and tensor2.__class__ is _Tensor and
            (value.__class__ is int or value.__class__ is float) and not extra and not unknown):
        return _add_c_div(input, tensor1, tensor2, value, inplace=True)
    return _addcdiv__slow((input, tensor1, tensor2, value), extra, unknown)

_lerp_slow = _Binding("lerp", "Tensor (Tensor start, Tensor end, Tensor weight, *, Bool inplace=False)", _lerp,
        "Tensor (Tensor start, Tensor end, Scalar weight, *, Bool inplace=False)", _scalar_lerp, methods="lerp")
def lerp(start=_missing, end=_missing, weight=_missing, *extra, inplace=False, **unknown):
    """start + weight * (end - start).

    Linear interpolation: `out = start + weight * (end - start)`.

    Args:
        start: the values at weight 0.
        end: the values at weight 1.
        weight: a tensor or a number, usually in [0, 1].
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `start`, `end` and `weight` are broadcast together; the result has their common shape.

    Dtypes:
        The operands are floating or complex. The result has the dtype that they promote to.

    Differentiable in `start`, `end` and `weight`. Methods: `Tensor.lerp` and `Tensor.lerp_`.

    Raises:
        RuntimeError: the shapes cannot be broadcast together.
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.lerp.

    Example:
        >>> import tritonflow as flow
        >>> flow.lerp(flow.tensor([0.0, 10.0]), flow.tensor([4.0, 20.0]), 0.25)
        tensor([ 1.0000, 12.5000])
    """
    if (start.__class__ is _Tensor and end.__class__ is _Tensor and weight.__class__ is _Tensor and
            (inplace is False or inplace is True) and not extra and not unknown):
        return _lerp(start, end, weight, inplace)
    if (start.__class__ is _Tensor and end.__class__ is _Tensor and (weight.__class__ is float or weight.__class__ is int) and
            (inplace is False or inplace is True) and not extra and not unknown):
        return _scalar_lerp(start, end, weight, inplace)
    return _lerp_slow((start, end, weight, inplace), extra, unknown)

_lerp__slow = _Binding("lerp_", "Tensor (Tensor start, Tensor end, Tensor weight)", _lerp,
        "Tensor (Tensor start, Tensor end, Scalar weight)", _scalar_lerp, methods="lerp_", inplace=True)
def lerp_(start=_missing, end=_missing, weight=_missing, *extra, **unknown):
    if start.__class__ is _Tensor and end.__class__ is _Tensor and weight.__class__ is _Tensor and not extra and not unknown:
        return _lerp(start, end, weight, inplace=True)
    if (start.__class__ is _Tensor and end.__class__ is _Tensor and (weight.__class__ is float or weight.__class__ is int) and
            not extra and not unknown):
        return _scalar_lerp(start, end, weight, inplace=True)
    return _lerp__slow((start, end, weight), extra, unknown)

_clamp_slow = _Binding("clamp", "Tensor (Tensor input, Scalar min=None, Scalar max=None, *, Bool inplace=False)", _clamp,
        "Tensor (Tensor input, Tensor min=None, Tensor max=None, *, Bool inplace=False)", _clamp_tensor, methods="clamp clip")
def clamp(input=_missing, min=None, max=None, *extra, inplace=False, **unknown):
    """The input within [min, max]; NaN stays NaN.

    `out = min(max(input, min), max)`; where `min` is above `max` it is `max`. One of the limits may be
    left out. Gradients flow where the input is within the limits.

    Args:
        input: the input.
        min: the lower limit, a tensor or a number.
        max: the upper limit, of the same kind.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` and limits that are tensors are broadcast together; the result has their common shape.

    Dtypes:
        The operands are real, and not bool. The result has the dtype that they promote to.

    Differentiable. Methods: `Tensor.clamp`, `Tensor.clamp_`, `Tensor.clip` and `Tensor.clip_`.

    Raises:
        RuntimeError: neither limit is given; shapes that cannot be broadcast together.
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.clamp.

    Example:
        >>> import tritonflow as flow
        >>> flow.clamp(flow.tensor([-2.0, 0.5, 2.0]), -1.0, 1.0)
        tensor([-1.0000,  0.5000,  1.0000])
        >>> flow.clamp(flow.tensor([-2, 0, 2]), min=0)
        tensor([0, 0, 2])
    """
    if (input.__class__ is _Tensor and (min is None or min.__class__ is float or min.__class__ is int) and
            (max is None or max.__class__ is float or max.__class__ is int) and (inplace is False or inplace is True) and
            not extra and not unknown):
        return _clamp(input, min, max, inplace)
    return _clamp_slow((input, min, max, inplace), extra, unknown)

_clamp__slow = _Binding("clamp_", "Tensor (Tensor input, Scalar min=None, Scalar max=None)", _clamp,
        "Tensor (Tensor input, Tensor min=None, Tensor max=None)", _clamp_tensor, methods="clamp_ clip_", inplace=True)
def clamp_(input=_missing, min=None, max=None, *extra, **unknown):
    if (input.__class__ is _Tensor and (min is None or min.__class__ is float or min.__class__ is int) and
            (max is None or max.__class__ is float or max.__class__ is int) and not extra and not unknown):
        return _clamp(input, min, max, inplace=True)
    return _clamp__slow((input, min, max), extra, unknown)

_clip_slow = _Binding("clip", "Tensor (Tensor input, Scalar min=None, Scalar max=None, *, Bool inplace=False)", _clamp,
        "Tensor (Tensor input, Tensor min=None, Tensor max=None, *, Bool inplace=False)", _clamp_tensor, like="clamp")
def clip(input=_missing, min=None, max=None, *extra, inplace=False, **unknown):
    if (input.__class__ is _Tensor and (min is None or min.__class__ is float or min.__class__ is int) and
            (max is None or max.__class__ is float or max.__class__ is int) and (inplace is False or inplace is True) and
            not extra and not unknown):
        return _clamp(input, min, max, inplace)
    return _clip_slow((input, min, max, inplace), extra, unknown)

_atan2_slow = _Binding("atan2", "Tensor (Tensor input, Tensor other, *, Bool inplace=False)", _atan2, methods="atan2",
        autocast="widest")
def atan2(input=_missing, other=_missing, *extra, inplace=False, **unknown):
    """The angle of the point (other, input), in [-pi, pi].

    The arc tangent of `input / other` in the right quadrant, in radians.

    Args:
        input: the y coordinate.
        other: the x coordinate.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` and `other` are broadcast together; the result has their common shape.

    Dtypes:
        Complex numbers are refused. The result has the dtype that they promote to; integers and bool give
        the default dtype.

    Differentiable in `input` and `other`. Under `flow.autocast` it computes in the widest dtype of its
    operands. Methods: `Tensor.atan2` and `Tensor.atan2_`.

    Raises:
        RuntimeError: the shapes cannot be broadcast together.
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.atan2.

    Example:
        >>> import tritonflow as flow
        >>> flow.atan2(flow.tensor([1.0, 0.0]), flow.tensor([1.0, -1.0]))
        tensor([0.7854, 3.1416])
    """
    if (input.__class__ is _Tensor and other.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and
            not unknown):
        return _atan2(input, other, inplace)
    return _atan2_slow((input, other, inplace), extra, unknown)

_atan2__slow = _Binding("atan2_", "Tensor (Tensor input, Tensor other)", _atan2, methods="atan2_", autocast="widest",
        inplace=True)
def atan2_(input=_missing, other=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and other.__class__ is _Tensor and not extra and not unknown:
        return _atan2(input, other, inplace=True)
    return _atan2__slow((input, other), extra, unknown)

_arctan2_slow = _Binding("arctan2", "Tensor (Tensor input, Tensor other, *, Bool inplace=False)", _atan2, methods="arctan2",
        autocast="widest", like="atan2")
def arctan2(input=_missing, other=_missing, *extra, inplace=False, **unknown):
    if (input.__class__ is _Tensor and other.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and
            not unknown):
        return _atan2(input, other, inplace)
    return _arctan2_slow((input, other, inplace), extra, unknown)

_arctan2__slow = _Binding("arctan2_", "Tensor (Tensor input, Tensor other)", _atan2, methods="arctan2_", autocast="widest",
        inplace=True)
def arctan2_(input=_missing, other=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and other.__class__ is _Tensor and not extra and not unknown:
        return _atan2(input, other, inplace=True)
    return _arctan2__slow((input, other), extra, unknown)

_logaddexp_slow = _Binding("logaddexp", "Tensor (Tensor input, Tensor other)", _logaddexp, methods="logaddexp")
def logaddexp(input=_missing, other=_missing, *extra, **unknown):
    """log(exp(input) + exp(other)).

    Adds numbers that are given by their logarithms, without overflow.

    Args:
        input: the input.
        other: a tensor.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` and `other` are broadcast together; the result has their common shape.

    Dtypes:
        The operands are floating or complex. The result has the dtype that they promote to.

    Differentiable in `input` and `other`. Method: `Tensor.logaddexp`.

    Raises:
        RuntimeError: the shapes cannot be broadcast together.
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.logaddexp.

    Example:
        >>> import tritonflow as flow
        >>> flow.logaddexp(flow.tensor([0.0, 100.0]), flow.tensor([0.0, 100.0]))
        tensor([  0.6931, 100.6931])
    """
    if input.__class__ is _Tensor and other.__class__ is _Tensor and not extra and not unknown:
        return _logaddexp(input, other)
    return _logaddexp_slow((input, other), extra, unknown)

_logaddexp2_slow = _Binding("logaddexp2", "Tensor (Tensor input, Tensor other)", _logaddexp2, methods="logaddexp2")
def logaddexp2(input=_missing, other=_missing, *extra, **unknown):
    """log2(2 ** input + 2 ** other).

    Adds numbers that are given by their logarithms to base 2, without overflow.

    Args:
        input: the input.
        other: a tensor.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` and `other` are broadcast together; the result has their common shape.

    Dtypes:
        The operands are floating. The result has the dtype that they promote to.

    Differentiable in `input` and `other`. Method: `Tensor.logaddexp2`.

    Raises:
        RuntimeError: the shapes cannot be broadcast together.
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.logaddexp2.

    Example:
        >>> import tritonflow as flow
        >>> flow.logaddexp2(flow.tensor([0.0, 100.0]), flow.tensor([0.0, 100.0]))
        tensor([  1., 101.])
    """
    if input.__class__ is _Tensor and other.__class__ is _Tensor and not extra and not unknown:
        return _logaddexp2(input, other)
    return _logaddexp2_slow((input, other), extra, unknown)

_hypot_slow = _Binding("hypot", "Tensor (Tensor input, Tensor other, *, Bool inplace=False)", _hypot, methods="hypot")
def hypot(input=_missing, other=_missing, *extra, inplace=False, **unknown):
    """sqrt(input ** 2 + other ** 2) without overflow.

    The longest side of a right triangle, whose others are `input` and `other`.

    Args:
        input: the input.
        other: a tensor.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` and `other` are broadcast together; the result has their common shape.

    Dtypes:
        The operands are floating. The result has the dtype that they promote to.

    Differentiable in `input` and `other`. Methods: `Tensor.hypot` and `Tensor.hypot_`.

    Raises:
        RuntimeError: the shapes cannot be broadcast together.
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.hypot.

    Example:
        >>> import tritonflow as flow
        >>> flow.hypot(flow.tensor([3.0, 5.0]), flow.tensor([4.0, 12.0]))
        tensor([ 5., 13.])
    """
    if (input.__class__ is _Tensor and other.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and
            not unknown):
        return _hypot(input, other, inplace)
    return _hypot_slow((input, other, inplace), extra, unknown)

_hypot__slow = _Binding("hypot_", "Tensor (Tensor input, Tensor other)", _hypot, methods="hypot_", inplace=True)
def hypot_(input=_missing, other=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and other.__class__ is _Tensor and not extra and not unknown:
        return _hypot(input, other, inplace=True)
    return _hypot__slow((input, other), extra, unknown)

_gcd_slow = _Binding("gcd", "Tensor (Tensor input, Tensor other, *, Bool inplace=False)", _gcd, methods="gcd")
def gcd(input=_missing, other=_missing, *extra, inplace=False, **unknown):
    """The greatest common divisor.

    Not negative; gcd(0, 0) is 0.

    Args:
        input: the input.
        other: a tensor.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` and `other` are broadcast together; the result has their common shape.

    Dtypes:
        The operands are uint8, int8, int16, int32, int64. The result has the dtype that they promote to.

    Not differentiable. Methods: `Tensor.gcd` and `Tensor.gcd_`.

    Raises:
        RuntimeError: the shapes cannot be broadcast together.
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.gcd.

    Example:
        >>> import tritonflow as flow
        >>> flow.gcd(flow.tensor([12, 0]), flow.tensor([18, 5]))
        tensor([6, 5])
    """
    if (input.__class__ is _Tensor and other.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and
            not unknown):
        return _gcd(input, other, inplace)
    return _gcd_slow((input, other, inplace), extra, unknown)

_gcd__slow = _Binding("gcd_", "Tensor (Tensor input, Tensor other)", _gcd, methods="gcd_", inplace=True)
def gcd_(input=_missing, other=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and other.__class__ is _Tensor and not extra and not unknown:
        return _gcd(input, other, inplace=True)
    return _gcd__slow((input, other), extra, unknown)

_lcm_slow = _Binding("lcm", "Tensor (Tensor input, Tensor other, *, Bool inplace=False)", _lcm, methods="lcm")
def lcm(input=_missing, other=_missing, *extra, inplace=False, **unknown):
    """The least common multiple.

    Not negative; 0 where one of them is.

    Args:
        input: the input.
        other: a tensor.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` and `other` are broadcast together; the result has their common shape.

    Dtypes:
        The operands are uint8, int8, int16, int32, int64. The result has the dtype that they promote to.

    Not differentiable. Methods: `Tensor.lcm` and `Tensor.lcm_`.

    Raises:
        RuntimeError: the shapes cannot be broadcast together.
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.lcm.

    Example:
        >>> import tritonflow as flow
        >>> flow.lcm(flow.tensor([4, 3]), flow.tensor([6, 0]))
        tensor([12,  0])
    """
    if (input.__class__ is _Tensor and other.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and
            not unknown):
        return _lcm(input, other, inplace)
    return _lcm_slow((input, other, inplace), extra, unknown)

_lcm__slow = _Binding("lcm_", "Tensor (Tensor input, Tensor other)", _lcm, methods="lcm_", inplace=True)
def lcm_(input=_missing, other=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and other.__class__ is _Tensor and not extra and not unknown:
        return _lcm(input, other, inplace=True)
    return _lcm__slow((input, other), extra, unknown)

_copysign_slow = _Binding("copysign", "Tensor (Tensor input, Tensor other, *, Bool inplace=False)", _copy_sign,
        "Tensor (Tensor input, Scalar other, *, Bool inplace=False)", _scalar_copy_sign, methods="copysign")
def copysign(input=_missing, other=_missing, *extra, inplace=False, **unknown):
    """The magnitude of input with the sign of other.

    The sign of -0.0 counts as well. The gradient at 0 is 0.

    Args:
        input: the input.
        other: a tensor or a number whose sign is taken.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` and `other` are broadcast together; the result has their common shape.

    Dtypes:
        Complex numbers are refused. The result has the dtype that they promote to; integers and bool give
        the default dtype.

    Differentiable in `input` and `other`. Methods: `Tensor.copysign` and `Tensor.copysign_`.

    Raises:
        RuntimeError: the shapes cannot be broadcast together.
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.copysign.

    Example:
        >>> import tritonflow as flow
        >>> flow.copysign(flow.tensor([1.0, 2.0]), flow.tensor([-1.0, 1.0]))
        tensor([-1.,  2.])
    """
    if (input.__class__ is _Tensor and other.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and
            not unknown):
        return _copy_sign(input, other, inplace)
    if (input.__class__ is _Tensor and (other.__class__ is float or other.__class__ is int) and
            (inplace is False or inplace is True) and not extra and not unknown):
        return _scalar_copy_sign(input, other, inplace)
    return _copysign_slow((input, other, inplace), extra, unknown)

_copysign__slow = _Binding("copysign_", "Tensor (Tensor input, Tensor other)", _copy_sign, "Tensor (Tensor input, Scalar other)",
        _scalar_copy_sign, methods="copysign_", inplace=True)
def copysign_(input=_missing, other=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and other.__class__ is _Tensor and not extra and not unknown:
        return _copy_sign(input, other, inplace=True)
    if input.__class__ is _Tensor and (other.__class__ is float or other.__class__ is int) and not extra and not unknown:
        return _scalar_copy_sign(input, other, inplace=True)
    return _copysign__slow((input, other), extra, unknown)

_heaviside_slow = _Binding("heaviside", "Tensor (Tensor input, Tensor values, *, Bool inplace=False)", _heaviside,
        methods="heaviside")
def heaviside(input=_missing, values=_missing, *extra, inplace=False, **unknown):
    """0 of negative numbers, 1 of positive ones, values at 0.

    The step function: `out = 0 if input < 0 else values if input == 0 else 1`.

    Args:
        input: the input.
        values: what it is where the input is 0, of the input's dtype.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` and `values` are broadcast together; the result has their common shape.

    Dtypes:
        Complex numbers are refused. The result has the dtype that they promote to.

    Not differentiable: a step, which torch does not differentiate either. Methods: `Tensor.heaviside`
    and `Tensor.heaviside_`.

    Raises:
        RuntimeError: operands of different dtypes; the shapes cannot be broadcast together.
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.heaviside.

    Example:
        >>> import tritonflow as flow
        >>> flow.heaviside(flow.tensor([-1.5, 0.0, 2.0]), flow.tensor(0.5))
        tensor([0.0000, 0.5000, 1.0000])
    """
    if (input.__class__ is _Tensor and values.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and
            not unknown):
        return _heaviside(input, values, inplace)
    return _heaviside_slow((input, values, inplace), extra, unknown)

_heaviside__slow = _Binding("heaviside_", "Tensor (Tensor input, Tensor values)", _heaviside, methods="heaviside_", inplace=True)
def heaviside_(input=_missing, values=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and values.__class__ is _Tensor and not extra and not unknown:
        return _heaviside(input, values, inplace=True)
    return _heaviside__slow((input, values), extra, unknown)

_nextafter_slow = _Binding("nextafter", "Tensor (Tensor input, Tensor other, *, Bool inplace=False)", _next_after,
        methods="nextafter")
def nextafter(input=_missing, other=_missing, *extra, inplace=False, **unknown):
    """The next floating number after input towards other.

    Where both are equal it is `other`; NaN where one of them is.

    Args:
        input: the input.
        other: the direction.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` and `other` are broadcast together; the result has their common shape.

    Dtypes:
        The operands are floating. The result has the dtype that they promote to.

    Differentiable in `input` and `other`. Methods: `Tensor.nextafter` and `Tensor.nextafter_`.

    Raises:
        RuntimeError: the shapes cannot be broadcast together.
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nextafter.

    Example:
        >>> import tritonflow as flow
        >>> flow.nextafter(flow.tensor([1.0]), flow.tensor([2.0])) == 1.0 + 2.0**-23
        tensor([True])
    """
    if (input.__class__ is _Tensor and other.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and
            not unknown):
        return _next_after(input, other, inplace)
    return _nextafter_slow((input, other, inplace), extra, unknown)

_nextafter__slow = _Binding("nextafter_", "Tensor (Tensor input, Tensor other)", _next_after, methods="nextafter_", inplace=True)
def nextafter_(input=_missing, other=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and other.__class__ is _Tensor and not extra and not unknown:
        return _next_after(input, other, inplace=True)
    return _nextafter__slow((input, other), extra, unknown)

_xlogy_slow = _Binding("xlogy", "Tensor (Tensor input, Tensor other, *, Bool inplace=False)", _x_log_y,
        "Tensor (Tensor input, Scalar other, *, Bool inplace=False)", _scalar_x_log_y, "Tensor (Scalar input, Tensor other)",
        _scalar_x_log_y_reversed, methods="xlogy")
def xlogy(input=_missing, other=_missing, *extra, inplace=False, **unknown):
    """input * log(other), and 0 where input is.

    `out = input * log(other)`, NaN where `other` is. It serves for entropies, where `0 * log(0)` is 0.

    Args:
        input: a tensor or a number.
        other: a tensor or a number.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` and `other` are broadcast together; the result has their common shape.

    Dtypes:
        Complex numbers are refused. The result has the dtype that they promote to; integers and bool give
        the default dtype.

    Differentiable in `input` and `other`. Methods: `Tensor.xlogy` and `Tensor.xlogy_`.

    Raises:
        RuntimeError: the shapes cannot be broadcast together.
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.xlogy.

    Example:
        >>> import tritonflow as flow
        >>> flow.xlogy(flow.tensor([0.0, 2.0]), flow.tensor([0.0, 1.0]))
        tensor([0., 0.])
    """
    if (input.__class__ is _Tensor and other.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and
            not unknown):
        return _x_log_y(input, other, inplace)
    if (input.__class__ is _Tensor and (other.__class__ is float or other.__class__ is int) and
            (inplace is False or inplace is True) and not extra and not unknown):
        return _scalar_x_log_y(input, other, inplace)
    if ((input.__class__ is float or input.__class__ is int) and other.__class__ is _Tensor and inplace is False and not extra and
            not unknown):
        return _scalar_x_log_y_reversed(input, other)
    return _xlogy_slow((input, other, inplace), extra, unknown)

_xlogy__slow = _Binding("xlogy_", "Tensor (Tensor input, Tensor other)", _x_log_y, "Tensor (Tensor input, Scalar other)",
        _scalar_x_log_y, methods="xlogy_", inplace=True)
def xlogy_(input=_missing, other=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and other.__class__ is _Tensor and not extra and not unknown:
        return _x_log_y(input, other, inplace=True)
    if input.__class__ is _Tensor and (other.__class__ is float or other.__class__ is int) and not extra and not unknown:
        return _scalar_x_log_y(input, other, inplace=True)
    return _xlogy__slow((input, other), extra, unknown)

_bitwise_left_shift_slow = _Binding("bitwise_left_shift", "Tensor (Tensor input, Tensor other, *, Bool inplace=False)",
        _bitwise_left_shift, "Tensor (Tensor input, Scalar other, *, Bool inplace=False)", _scalar_bitwise_left_shift,
        "Tensor (Scalar input, Tensor other)", _scalar_bitwise_left_shift_reversed, methods="bitwise_left_shift")
def bitwise_left_shift(input=_missing, other=_missing, *extra, inplace=False, **unknown):
    """input * 2 ** other, bit by bit.

    Bits that leave the dtype are lost. A shift by a negative number, or by as many bits as the dtype
    has, gives 0.

    Args:
        input: a tensor or a number.
        other: by how many bits, a tensor or a number.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` and `other` are broadcast together; the result has their common shape.

    Dtypes:
        The operands are uint8, int8, int16, int32, int64. The result has the dtype that they promote to.

    Not differentiable. Methods: `Tensor.bitwise_left_shift` and `Tensor.bitwise_left_shift_`. Operator:
    `<<`.

    Raises:
        RuntimeError: the shapes cannot be broadcast together.
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.bitwise_left_shift.

    Example:
        >>> import tritonflow as flow
        >>> flow.bitwise_left_shift(flow.tensor([1, 3]), 2)
        tensor([ 4, 12])
    """
    if (input.__class__ is _Tensor and other.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and
            not unknown):
        return _bitwise_left_shift(input, other, inplace)
    if (input.__class__ is _Tensor and (other.__class__ is float or other.__class__ is int) and
            (inplace is False or inplace is True) and not extra and not unknown):
        return _scalar_bitwise_left_shift(input, other, inplace)
    if ((input.__class__ is float or input.__class__ is int) and other.__class__ is _Tensor and inplace is False and not extra and
            not unknown):
        return _scalar_bitwise_left_shift_reversed(input, other)
    return _bitwise_left_shift_slow((input, other, inplace), extra, unknown)

_bitwise_left_shift__slow = _Binding("bitwise_left_shift_", "Tensor (Tensor input, Tensor other)", _bitwise_left_shift,
        "Tensor (Tensor input, Scalar other)", _scalar_bitwise_left_shift, methods="bitwise_left_shift_", inplace=True)
def bitwise_left_shift_(input=_missing, other=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and other.__class__ is _Tensor and not extra and not unknown:
        return _bitwise_left_shift(input, other, inplace=True)
    if input.__class__ is _Tensor and (other.__class__ is float or other.__class__ is int) and not extra and not unknown:
        return _scalar_bitwise_left_shift(input, other, inplace=True)
    return _bitwise_left_shift__slow((input, other), extra, unknown)

def __lshift__(self, other):
    """The operator of `bitwise_left_shift`, which says more."""
    if other.__class__ is _Tensor:
        return _bitwise_left_shift(self, other)
    if other.__class__ is float or other.__class__ is int:
        return _scalar_bitwise_left_shift(self, other)
    if isinstance(other, _FOREIGN):
        return _with_foreign("__lshift__", bitwise_left_shift, self, other)
    return bitwise_left_shift(self, other)

def __rlshift__(self, other):
    """The operator of `bitwise_left_shift`, which says more."""
    if other.__class__ is float or other.__class__ is int:
        return _scalar_bitwise_left_shift_reversed(other, self)
    if isinstance(other, _FOREIGN):
        return _with_foreign("__rlshift__", bitwise_left_shift, self, other)
    return bitwise_left_shift(other, self)

def __ilshift__(self, other):
    """The operator of `bitwise_left_shift`, which says more."""
    if other.__class__ is _Tensor:
        return _bitwise_left_shift(self, other, inplace=True)
    if other.__class__ is float or other.__class__ is int:
        return _scalar_bitwise_left_shift(self, other, inplace=True)
    if isinstance(other, _FOREIGN):
        return _with_foreign("__ilshift__", bitwise_left_shift_, self, other)
    return bitwise_left_shift_(self, other)

_bitwise_right_shift_slow = _Binding("bitwise_right_shift", "Tensor (Tensor input, Tensor other, *, Bool inplace=False)",
        _bitwise_right_shift, "Tensor (Tensor input, Scalar other, *, Bool inplace=False)", _scalar_bitwise_right_shift,
        "Tensor (Scalar input, Tensor other)", _scalar_bitwise_right_shift_reversed, methods="bitwise_right_shift")
def bitwise_right_shift(input=_missing, other=_missing, *extra, inplace=False, **unknown):
    """floor(input / 2 ** other), bit by bit.

    The sign stays: -8 by 1 is -4. A shift by a negative number, or by as many bits as the dtype has,
    gives 0 or -1.

    Args:
        input: a tensor or a number.
        other: by how many bits, a tensor or a number.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` and `other` are broadcast together; the result has their common shape.

    Dtypes:
        The operands are uint8, int8, int16, int32, int64. The result has the dtype that they promote to.

    Not differentiable. Methods: `Tensor.bitwise_right_shift` and `Tensor.bitwise_right_shift_`.

    Raises:
        RuntimeError: the shapes cannot be broadcast together.
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.bitwise_right_shift.

    Example:
        >>> import tritonflow as flow
        >>> flow.bitwise_right_shift(flow.tensor([8, -8]), 1)
        tensor([ 4, -4])
    """
    if (input.__class__ is _Tensor and other.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and
            not unknown):
        return _bitwise_right_shift(input, other, inplace)
    if (input.__class__ is _Tensor and (other.__class__ is float or other.__class__ is int) and
            (inplace is False or inplace is True) and not extra and not unknown):
        return _scalar_bitwise_right_shift(input, other, inplace)
    if ((input.__class__ is float or input.__class__ is int) and other.__class__ is _Tensor and inplace is False and not extra and
            not unknown):
        return _scalar_bitwise_right_shift_reversed(input, other)
    return _bitwise_right_shift_slow((input, other, inplace), extra, unknown)

_bitwise_right_shift__slow = _Binding("bitwise_right_shift_", "Tensor (Tensor input, Tensor other)", _bitwise_right_shift,
        "Tensor (Tensor input, Scalar other)", _scalar_bitwise_right_shift, methods="bitwise_right_shift_", inplace=True)
def bitwise_right_shift_(input=_missing, other=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and other.__class__ is _Tensor and not extra and not unknown:
        return _bitwise_right_shift(input, other, inplace=True)
    if input.__class__ is _Tensor and (other.__class__ is float or other.__class__ is int) and not extra and not unknown:
        return _scalar_bitwise_right_shift(input, other, inplace=True)
    return _bitwise_right_shift__slow((input, other), extra, unknown)

def __rshift__(self, other):
    """The operator of `bitwise_right_shift`, which says more."""
    if other.__class__ is _Tensor:
        return _bitwise_right_shift(self, other)
    if other.__class__ is float or other.__class__ is int:
        return _scalar_bitwise_right_shift(self, other)
    if isinstance(other, _FOREIGN):
        return _with_foreign("__rshift__", bitwise_right_shift, self, other)
    return bitwise_right_shift(self, other)

def __rrshift__(self, other):
    """The operator of `bitwise_right_shift`, which says more."""
    if other.__class__ is float or other.__class__ is int:
        return _scalar_bitwise_right_shift_reversed(other, self)
    if isinstance(other, _FOREIGN):
        return _with_foreign("__rrshift__", bitwise_right_shift, self, other)
    return bitwise_right_shift(other, self)

def __irshift__(self, other):
    """The operator of `bitwise_right_shift`, which says more."""
    if other.__class__ is _Tensor:
        return _bitwise_right_shift(self, other, inplace=True)
    if other.__class__ is float or other.__class__ is int:
        return _scalar_bitwise_right_shift(self, other, inplace=True)
    if isinstance(other, _FOREIGN):
        return _with_foreign("__irshift__", bitwise_right_shift_, self, other)
    return bitwise_right_shift_(self, other)

_fake_quantize_slow = _Binding("fake_quantize",
        "Tensor (Tensor input, Tensor scale, Tensor zero_point, Scalar quant_min, Scalar quant_max)", _fake_quantize)
def fake_quantize(input=_missing, scale=_missing, zero_point=_missing, quant_min=_missing, quant_max=_missing, *extra, **unknown):
    """(clamp(round(input / scale) + zero_point, quant_min, quant_max) - zero_point) * scale, with the gradient of what is in the range"""
    if (input.__class__ is _Tensor and scale.__class__ is _Tensor and zero_point.__class__ is _Tensor and
            (quant_min.__class__ is float or quant_min.__class__ is int) and
            (quant_max.__class__ is float or quant_max.__class__ is int) and not extra and not unknown):
        return _fake_quantize(input, scale, zero_point, quant_min, quant_max)
    return _fake_quantize_slow((input, scale, zero_point, quant_min, quant_max), extra, unknown)

_clamp_min_slow = _Binding("clamp_min", "Tensor (Tensor input, Tensor min, *, Bool inplace=False)", _clamp_min_tensor,
        "Tensor (Tensor input, Scalar min, *, Bool inplace=False)", _clamp_min, methods="clamp_min")
def clamp_min(input=_missing, min=_missing, *extra, inplace=False, **unknown):
    if (input.__class__ is _Tensor and min.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and
            not unknown):
        return _clamp_min_tensor(input, min, inplace)
    if (input.__class__ is _Tensor and (min.__class__ is float or min.__class__ is int) and (inplace is False or inplace is True)
            and not extra and not unknown):
        return _clamp_min(input, min, inplace)
    return _clamp_min_slow((input, min, inplace), extra, unknown)

_clamp_min__slow = _Binding("clamp_min_", "Tensor (Tensor input, Tensor min)", _clamp_min_tensor,
        "Tensor (Tensor input, Scalar min)", _clamp_min, methods="clamp_min_", inplace=True)
def clamp_min_(input=_missing, min=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and min.__class__ is _Tensor and not extra and not unknown:
        return _clamp_min_tensor(input, min, inplace=True)
    if input.__class__ is _Tensor and (min.__class__ is float or min.__class__ is int) and not extra and not unknown:
        return _clamp_min(input, min, inplace=True)
    return _clamp_min__slow((input, min), extra, unknown)

_clamp_max_slow = _Binding("clamp_max", "Tensor (Tensor input, Tensor max, *, Bool inplace=False)", _clamp_max_tensor,
        "Tensor (Tensor input, Scalar max, *, Bool inplace=False)", _clamp_max, methods="clamp_max")
def clamp_max(input=_missing, max=_missing, *extra, inplace=False, **unknown):
    if (input.__class__ is _Tensor and max.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and
            not unknown):
        return _clamp_max_tensor(input, max, inplace)
    if (input.__class__ is _Tensor and (max.__class__ is float or max.__class__ is int) and (inplace is False or inplace is True)
            and not extra and not unknown):
        return _clamp_max(input, max, inplace)
    return _clamp_max_slow((input, max, inplace), extra, unknown)

_clamp_max__slow = _Binding("clamp_max_", "Tensor (Tensor input, Tensor max)", _clamp_max_tensor,
        "Tensor (Tensor input, Scalar max)", _clamp_max, methods="clamp_max_", inplace=True)
def clamp_max_(input=_missing, max=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and max.__class__ is _Tensor and not extra and not unknown:
        return _clamp_max_tensor(input, max, inplace=True)
    if input.__class__ is _Tensor and (max.__class__ is float or max.__class__ is int) and not extra and not unknown:
        return _clamp_max(input, max, inplace=True)
    return _clamp_max__slow((input, max), extra, unknown)

_fake_quantize_per_tensor_affine_slow = _Binding("fake_quantize_per_tensor_affine",
        "Tensor (Tensor input, Tensor scale, Tensor zero_point, Int32 quant_min, Int32 quant_max)",
        _fake_quantize_per_tensor_affine,
        "Tensor (Tensor input, Double scale, Int32 zero_point, Int32 quant_min, Int32 quant_max)",
        _fake_quantize_per_tensor_affine)
def fake_quantize_per_tensor_affine(input=_missing, scale=_missing, zero_point=_missing, quant_min=_missing, quant_max=_missing,
        *extra, **unknown):
    if (input.__class__ is _Tensor and scale.__class__ is _Tensor and zero_point.__class__ is _Tensor and
            quant_min.__class__ is int and quant_max.__class__ is int and not extra and not unknown):
        return _fake_quantize_per_tensor_affine(input, scale, zero_point, quant_min, quant_max)
    if (input.__class__ is _Tensor and scale.__class__ is float and zero_point.__class__ is int and quant_min.__class__ is int and
            quant_max.__class__ is int and not extra and not unknown):
        return _fake_quantize_per_tensor_affine(input, scale, zero_point, quant_min, quant_max)
    return _fake_quantize_per_tensor_affine_slow((input, scale, zero_point, quant_min, quant_max), extra, unknown)

_fake_quantize_per_channel_affine_slow = _Binding("fake_quantize_per_channel_affine",
        "Tensor (Tensor input, Tensor scale, Tensor zero_point, Int32 axis, Int32 quant_min, Int32 quant_max)",
        _fake_quantize_per_channel_affine)
def fake_quantize_per_channel_affine(input=_missing, scale=_missing, zero_point=_missing, axis=_missing, quant_min=_missing,
        quant_max=_missing, *extra, **unknown):
    if (input.__class__ is _Tensor and scale.__class__ is _Tensor and zero_point.__class__ is _Tensor and axis.__class__ is int
            and quant_min.__class__ is int and quant_max.__class__ is int and not extra and not unknown):
        return _fake_quantize_per_channel_affine(input, scale, zero_point, axis, quant_min, quant_max)
    return _fake_quantize_per_channel_affine_slow((input, scale, zero_point, axis, quant_min, quant_max), extra, unknown)

_ldexp_slow = _Binding("ldexp", "Tensor (Tensor input, Tensor other, *, Bool inplace=False)", _ldexp, methods="ldexp")
def ldexp(input=_missing, other=_missing, *extra, inplace=False, **unknown):
    if (input.__class__ is _Tensor and other.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and
            not unknown):
        return _ldexp(input, other, inplace)
    return _ldexp_slow((input, other, inplace), extra, unknown)

_ldexp__slow = _Binding("ldexp_", "Tensor (Tensor input, Tensor other)", _ldexp, methods="ldexp_", inplace=True)
def ldexp_(input=_missing, other=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and other.__class__ is _Tensor and not extra and not unknown:
        return _ldexp(input, other, inplace=True)
    return _ldexp__slow((input, other), extra, unknown)

_float_power_slow = _Binding("float_power", "Tensor (Tensor input, Tensor exponent, *, Bool inplace=False)", _float_power,
        "Tensor (Tensor input, Scalar exponent, *, Bool inplace=False)", _scalar_float_power,
        "Tensor (Scalar input, Tensor exponent)", _scalar_float_power_reversed, methods="float_power")
def float_power(input=_missing, exponent=_missing, *extra, inplace=False, **unknown):
    if (input.__class__ is _Tensor and exponent.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and
            not unknown):
        return _float_power(input, exponent, inplace)
    if (input.__class__ is _Tensor and (exponent.__class__ is float or exponent.__class__ is int) and
            (inplace is False or inplace is True) and not extra and not unknown):
        return _scalar_float_power(input, exponent, inplace)
    if ((input.__class__ is float or input.__class__ is int) and exponent.__class__ is _Tensor and inplace is False and not extra
            and not unknown):
        return _scalar_float_power_reversed(input, exponent)
    return _float_power_slow((input, exponent, inplace), extra, unknown)

_float_power__slow = _Binding("float_power_", "Tensor (Tensor input, Tensor exponent)", _float_power,
        "Tensor (Tensor input, Scalar exponent)", _scalar_float_power, methods="float_power_", inplace=True)
def float_power_(input=_missing, exponent=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and exponent.__class__ is _Tensor and not extra and not unknown:
        return _float_power(input, exponent, inplace=True)
    if input.__class__ is _Tensor and (exponent.__class__ is float or exponent.__class__ is int) and not extra and not unknown:
        return _scalar_float_power(input, exponent, inplace=True)
    return _float_power__slow((input, exponent), extra, unknown)

_dist_slow = _Binding("dist", "Tensor (Tensor input, Tensor other, Float p=2.0)", _dist, methods="dist", autocast="float32")
def dist(input=_missing, other=_missing, p=2.0, *extra, **unknown):
    if input.__class__ is _Tensor and other.__class__ is _Tensor and p.__class__ is float and not extra and not unknown:
        return _dist(input, other, p)
    return _dist_slow((input, other, p), extra, unknown)

_where_method_slow = _Binding("where_method", "Tensor (Tensor input, Tensor condition, Tensor other)", _where_method,
        "Tensor (Tensor input, Tensor condition, Scalar other)", _where_method_scalar, methods="where")
def where_method(input=_missing, condition=_missing, other=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and condition.__class__ is _Tensor and other.__class__ is _Tensor and not extra and not unknown:
        return _where_method(input, condition, other)
    if (input.__class__ is _Tensor and condition.__class__ is _Tensor and (other.__class__ is float or other.__class__ is int) and
            not extra and not unknown):
        return _where_method_scalar(input, condition, other)
    return _where_method_slow((input, condition, other), extra, unknown)

_methods = _publish(globals())
