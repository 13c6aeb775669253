"""Functions of the binding: elementwise.

Generated from op_registry.yaml by `python tritonflow/functional/generate.py`; do not edit.
"""
# fmt: off
# ruff: noqa: I001
from tritonflow.framework.tensor import Tensor as _Tensor
from tritonflow.functional.arguments import Binding as _Binding
from tritonflow.functional.functors.generated import (add_c_div as _add_c_div, bitwise_and as _bitwise_and,
        bitwise_or as _bitwise_or, bitwise_xor as _bitwise_xor, floor_divide as _floor_divide, fmax as _fmax, fmin as _fmin,
        fmod as _fmod, lerp as _lerp, maximum as _maximum, minimum as _minimum, remainder as _remainder,
        scalar_bitwise_and as _scalar_bitwise_and, scalar_bitwise_and_reversed as _scalar_bitwise_and_reversed,
        scalar_bitwise_or as _scalar_bitwise_or, scalar_bitwise_or_reversed as _scalar_bitwise_or_reversed,
        scalar_bitwise_xor as _scalar_bitwise_xor, scalar_bitwise_xor_reversed as _scalar_bitwise_xor_reversed,
        scalar_floor_divide_reversed as _scalar_floor_divide_reversed, scalar_lerp as _scalar_lerp,
        scalar_remainder_reversed as _scalar_remainder_reversed, trunc_divide as _trunc_divide, where as _where)
from tritonflow.functional.functors.index import (where_nonzero as _where_non_zero)
from tritonflow.functional.functors.pointwise import (addcmul as _add_c_mul, clamp as _clamp, clamp_max as _clamp_max,
        clamp_min as _clamp_min, clamp_tensor as _clamp_tensor, scalar_floor_divide as _scalar_floor_divide,
        scalar_fmod as _scalar_fmod, scalar_remainder as _scalar_remainder, scalar_trunc_divide as _scalar_trunc_divide)
from tritonflow.functional.functors.selection import (where_scalar_x as _where_scalar_x, where_scalar_y as _where_scalar_y,
        where_scalars as _where_scalars)
from tritonflow.functional.library import publish as _publish
from tritonflow.functional.prototype import MISSING as _missing

_where_slow = _Binding("where", "Tensor (Tensor condition, Tensor x, Tensor y)", _where,
        "Tensor (Tensor condition, Scalar x, Tensor y)", _where_scalar_x, "Tensor (Tensor condition, Tensor x, Scalar y)",
        _where_scalar_y, "Tensor (Tensor condition, Scalar x, Scalar y)", _where_scalars, "TensorTuple (Tensor condition)",
        _where_non_zero)
def where(condition=_missing, x=_missing, y=_missing, *extra, **unknown):
    """x where the condition holds, otherwise y"""
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
    """the larger of two"""
    if input.__class__ is _Tensor and other.__class__ is _Tensor and not extra and not unknown:
        return _maximum(input, other)
    return _maximum_slow((input, other), extra, unknown)

_minimum_slow = _Binding("minimum", "Tensor (Tensor input, Tensor other)", _minimum, methods="minimum")
def minimum(input=_missing, other=_missing, *extra, **unknown):
    """the smaller of two"""
    if input.__class__ is _Tensor and other.__class__ is _Tensor and not extra and not unknown:
        return _minimum(input, other)
    return _minimum_slow((input, other), extra, unknown)

_fmax_slow = _Binding("fmax", "Tensor (Tensor input, Tensor other)", _fmax, methods="fmax")
def fmax(input=_missing, other=_missing, *extra, **unknown):
    """the larger of two, the other one for NaN"""
    if input.__class__ is _Tensor and other.__class__ is _Tensor and not extra and not unknown:
        return _fmax(input, other)
    return _fmax_slow((input, other), extra, unknown)

_fmin_slow = _Binding("fmin", "Tensor (Tensor input, Tensor other)", _fmin, methods="fmin")
def fmin(input=_missing, other=_missing, *extra, **unknown):
    """the smaller of two, the other one for NaN"""
    if input.__class__ is _Tensor and other.__class__ is _Tensor and not extra and not unknown:
        return _fmin(input, other)
    return _fmin_slow((input, other), extra, unknown)

_fmod_slow = _Binding("fmod", "Tensor (Tensor input, Tensor other, *, Bool inplace=False)", _fmod,
        "Tensor (Tensor input, Scalar other, *, Bool inplace=False)", _scalar_fmod, methods="fmod")
def fmod(input=_missing, other=_missing, *extra, inplace=False, **unknown):
    """the remainder with the sign of input; a zero among integer divisors raises ZeroDivisionError"""
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
    """In place: the remainder with the sign of input; a zero among integer divisors raises ZeroDivisionError"""
    if input.__class__ is _Tensor and other.__class__ is _Tensor and not extra and not unknown:
        return _fmod(input, other, inplace=True)
    if input.__class__ is _Tensor and (other.__class__ is float or other.__class__ is int) and not extra and not unknown:
        return _scalar_fmod(input, other, inplace=True)
    return _fmod__slow((input, other), extra, unknown)

_remainder_slow = _Binding("remainder", "Tensor (Tensor input, Tensor other, *, Bool inplace=False)", _remainder,
        "Tensor (Tensor input, Scalar other, *, Bool inplace=False)", _scalar_remainder, "Tensor (Scalar input, Tensor other)",
        _scalar_remainder_reversed, methods="remainder")
def remainder(input=_missing, other=_missing, *extra, inplace=False, **unknown):
    """the remainder with the sign of other; a zero among integer divisors raises ZeroDivisionError"""
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
    """In place: the remainder with the sign of other; a zero among integer divisors raises ZeroDivisionError"""
    if input.__class__ is _Tensor and other.__class__ is _Tensor and not extra and not unknown:
        return _remainder(input, other, inplace=True)
    if input.__class__ is _Tensor and (other.__class__ is float or other.__class__ is int) and not extra and not unknown:
        return _scalar_remainder(input, other, inplace=True)
    return _remainder__slow((input, other), extra, unknown)

def __mod__(self, other):
    if other.__class__ is _Tensor:
        return _remainder(self, other)
    if other.__class__ is float or other.__class__ is int:
        return _scalar_remainder(self, other)
    return remainder(self, other)

def __rmod__(self, other):
    if other.__class__ is float or other.__class__ is int:
        return _scalar_remainder_reversed(other, self)
    return remainder(other, self)

_floor_divide_slow = _Binding("floor_divide", "Tensor (Tensor input, Tensor other, *, Bool inplace=False)", _floor_divide,
        "Tensor (Tensor input, Scalar other, *, Bool inplace=False)", _scalar_floor_divide, "Tensor (Scalar input, Tensor other)",
        _scalar_floor_divide_reversed, methods="floor_divide")
def floor_divide(input=_missing, other=_missing, *extra, inplace=False, **unknown):
    """the quotient rounded down; a zero among integer divisors raises ZeroDivisionError"""
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
    """In place: the quotient rounded down; a zero among integer divisors raises ZeroDivisionError"""
    if input.__class__ is _Tensor and other.__class__ is _Tensor and not extra and not unknown:
        return _floor_divide(input, other, inplace=True)
    if input.__class__ is _Tensor and (other.__class__ is float or other.__class__ is int) and not extra and not unknown:
        return _scalar_floor_divide(input, other, inplace=True)
    return _floor_divide__slow((input, other), extra, unknown)

def __floordiv__(self, other):
    if other.__class__ is _Tensor:
        return _floor_divide(self, other)
    if other.__class__ is float or other.__class__ is int:
        return _scalar_floor_divide(self, other)
    return floor_divide(self, other)

def __rfloordiv__(self, other):
    if other.__class__ is float or other.__class__ is int:
        return _scalar_floor_divide_reversed(other, self)
    return floor_divide(other, self)

_trunc_divide_slow = _Binding("trunc_divide", "Tensor (Tensor input, Tensor other)", _trunc_divide,
        "Tensor (Tensor input, Scalar other)", _scalar_trunc_divide)
def trunc_divide(input=_missing, other=_missing, *extra, **unknown):
    """the quotient rounded towards zero; a zero among integer divisors raises ZeroDivisionError"""
    if input.__class__ is _Tensor and other.__class__ is _Tensor and not extra and not unknown:
        return _trunc_divide(input, other)
    if input.__class__ is _Tensor and (other.__class__ is float or other.__class__ is int) and not extra and not unknown:
        return _scalar_trunc_divide(input, other)
    return _trunc_divide_slow((input, other), extra, unknown)

_bitwise_and_slow = _Binding("bitwise_and", "Tensor (Tensor input, Tensor other)", _bitwise_and,
        "Tensor (Tensor input, Scalar other)", _scalar_bitwise_and, "Tensor (Scalar input, Tensor other)",
        _scalar_bitwise_and_reversed, methods="bitwise_and")
def bitwise_and(input=_missing, other=_missing, *extra, **unknown):
    """input & other, bit by bit"""
    if input.__class__ is _Tensor and other.__class__ is _Tensor and not extra and not unknown:
        return _bitwise_and(input, other)
    if input.__class__ is _Tensor and (other.__class__ is float or other.__class__ is int) and not extra and not unknown:
        return _scalar_bitwise_and(input, other)
    if (input.__class__ is float or input.__class__ is int) and other.__class__ is _Tensor and not extra and not unknown:
        return _scalar_bitwise_and_reversed(input, other)
    return _bitwise_and_slow((input, other), extra, unknown)

def __and__(self, other):
    if other.__class__ is _Tensor:
        return _bitwise_and(self, other)
    if other.__class__ is float or other.__class__ is int:
        return _scalar_bitwise_and(self, other)
    return bitwise_and(self, other)

def __rand__(self, other):
    if other.__class__ is float or other.__class__ is int:
        return _scalar_bitwise_and_reversed(other, self)
    return bitwise_and(other, self)

_bitwise_or_slow = _Binding("bitwise_or", "Tensor (Tensor input, Tensor other)", _bitwise_or,
        "Tensor (Tensor input, Scalar other)", _scalar_bitwise_or, "Tensor (Scalar input, Tensor other)",
        _scalar_bitwise_or_reversed, methods="bitwise_or")
def bitwise_or(input=_missing, other=_missing, *extra, **unknown):
    """input | other, bit by bit"""
    if input.__class__ is _Tensor and other.__class__ is _Tensor and not extra and not unknown:
        return _bitwise_or(input, other)
    if input.__class__ is _Tensor and (other.__class__ is float or other.__class__ is int) and not extra and not unknown:
        return _scalar_bitwise_or(input, other)
    if (input.__class__ is float or input.__class__ is int) and other.__class__ is _Tensor and not extra and not unknown:
        return _scalar_bitwise_or_reversed(input, other)
    return _bitwise_or_slow((input, other), extra, unknown)

def __or__(self, other):
    if other.__class__ is _Tensor:
        return _bitwise_or(self, other)
    if other.__class__ is float or other.__class__ is int:
        return _scalar_bitwise_or(self, other)
    return bitwise_or(self, other)

def __ror__(self, other):
    if other.__class__ is float or other.__class__ is int:
        return _scalar_bitwise_or_reversed(other, self)
    return bitwise_or(other, self)

_bitwise_xor_slow = _Binding("bitwise_xor", "Tensor (Tensor input, Tensor other)", _bitwise_xor,
        "Tensor (Tensor input, Scalar other)", _scalar_bitwise_xor, "Tensor (Scalar input, Tensor other)",
        _scalar_bitwise_xor_reversed, methods="bitwise_xor")
def bitwise_xor(input=_missing, other=_missing, *extra, **unknown):
    """input ^ other, bit by bit"""
    if input.__class__ is _Tensor and other.__class__ is _Tensor and not extra and not unknown:
        return _bitwise_xor(input, other)
    if input.__class__ is _Tensor and (other.__class__ is float or other.__class__ is int) and not extra and not unknown:
        return _scalar_bitwise_xor(input, other)
    if (input.__class__ is float or input.__class__ is int) and other.__class__ is _Tensor and not extra and not unknown:
        return _scalar_bitwise_xor_reversed(input, other)
    return _bitwise_xor_slow((input, other), extra, unknown)

def __xor__(self, other):
    if other.__class__ is _Tensor:
        return _bitwise_xor(self, other)
    if other.__class__ is float or other.__class__ is int:
        return _scalar_bitwise_xor(self, other)
    return bitwise_xor(self, other)

def __rxor__(self, other):
    if other.__class__ is float or other.__class__ is int:
        return _scalar_bitwise_xor_reversed(other, self)
    return bitwise_xor(other, self)

_addcmul_slow = _Binding("addcmul",
        "Tensor (Tensor input, Tensor tensor1, Tensor tensor2, *, Scalar value=1, Bool inplace=False)", _add_c_mul,
        methods="addcmul")
def addcmul(input=_missing, tensor1=_missing, tensor2=_missing, *extra, value=1, inplace=False, **unknown):
    """input + value * tensor1 * tensor2"""
    if (input.__class__ is _Tensor and tensor1.__class__ is _Tensor and tensor2.__class__ is _Tensor and
            (value.__class__ is int or value.__class__ is float) and (inplace is False or inplace is True) and not extra and
            not unknown):
        return _add_c_mul(input, tensor1, tensor2, value, inplace)
    return _addcmul_slow((input, tensor1, tensor2, value, inplace), extra, unknown)

_addcmul__slow = _Binding("addcmul_", "Tensor (Tensor input, Tensor tensor1, Tensor tensor2, *, Scalar value=1)", _add_c_mul,
        methods="addcmul_", inplace=True)
def addcmul_(input=_missing, tensor1=_missing, tensor2=_missing, *extra, value=1, **unknown):
    """In place: input + value * tensor1 * tensor2"""
    if (input.__class__ is _Tensor and tensor1.__class__ is _Tensor and tensor2.__class__ is _Tensor and
            (value.__class__ is int or value.__class__ is float) and not extra and not unknown):
        return _add_c_mul(input, tensor1, tensor2, value, inplace=True)
    return _addcmul__slow((input, tensor1, tensor2, value), extra, unknown)

_addcdiv_slow = _Binding("addcdiv",
        "Tensor (Tensor input, Tensor tensor1, Tensor tensor2, *, Scalar value=1, Bool inplace=False)", _add_c_div,
        methods="addcdiv")
def addcdiv(input=_missing, tensor1=_missing, tensor2=_missing, *extra, value=1, inplace=False, **unknown):
    """input + value * tensor1 / tensor2"""
    if (input.__class__ is _Tensor and tensor1.__class__ is _Tensor and tensor2.__class__ is _Tensor and
            (value.__class__ is int or value.__class__ is float) and (inplace is False or inplace is True) and not extra and
            not unknown):
        return _add_c_div(input, tensor1, tensor2, value, inplace)
    return _addcdiv_slow((input, tensor1, tensor2, value, inplace), extra, unknown)

_addcdiv__slow = _Binding("addcdiv_", "Tensor (Tensor input, Tensor tensor1, Tensor tensor2, *, Scalar value=1)", _add_c_div,
        methods="addcdiv_", inplace=True)
def addcdiv_(input=_missing, tensor1=_missing, tensor2=_missing, *extra, value=1, **unknown):
    """In place: input + value * tensor1 / tensor2"""
    if (input.__class__ is _Tensor and tensor1.__class__ is _Tensor and tensor2.__class__ is _Tensor and
            (value.__class__ is int or value.__class__ is float) and not extra and not unknown):
        return _add_c_div(input, tensor1, tensor2, value, inplace=True)
    return _addcdiv__slow((input, tensor1, tensor2, value), extra, unknown)

_lerp_slow = _Binding("lerp", "Tensor (Tensor start, Tensor end, Tensor weight, *, Bool inplace=False)", _lerp,
        "Tensor (Tensor start, Tensor end, Scalar weight, *, Bool inplace=False)", _scalar_lerp, methods="lerp")
def lerp(start=_missing, end=_missing, weight=_missing, *extra, inplace=False, **unknown):
    """start + weight * (end - start)"""
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
    """In place: start + weight * (end - start)"""
    if start.__class__ is _Tensor and end.__class__ is _Tensor and weight.__class__ is _Tensor and not extra and not unknown:
        return _lerp(start, end, weight, inplace=True)
    if (start.__class__ is _Tensor and end.__class__ is _Tensor and (weight.__class__ is float or weight.__class__ is int) and
            not extra and not unknown):
        return _scalar_lerp(start, end, weight, inplace=True)
    return _lerp__slow((start, end, weight), extra, unknown)

_clamp_slow = _Binding("clamp", "Tensor (Tensor input, Scalar min=None, Scalar max=None, *, Bool inplace=False)", _clamp,
        "Tensor (Tensor input, Tensor min=None, Tensor max=None, *, Bool inplace=False)", _clamp_tensor, methods="clamp clip")
def clamp(input=_missing, min=None, max=None, *extra, inplace=False, **unknown):
    """the input within [min, max]; NaN stays NaN"""
    if (input.__class__ is _Tensor and (min is None or min.__class__ is float or min.__class__ is int) and
            (max is None or max.__class__ is float or max.__class__ is int) and (inplace is False or inplace is True) and
            not extra and not unknown):
        return _clamp(input, min, max, inplace)
    return _clamp_slow((input, min, max, inplace), extra, unknown)

_clamp__slow = _Binding("clamp_", "Tensor (Tensor input, Scalar min=None, Scalar max=None)", _clamp,
        "Tensor (Tensor input, Tensor min=None, Tensor max=None)", _clamp_tensor, methods="clamp_ clip_", inplace=True)
def clamp_(input=_missing, min=None, max=None, *extra, **unknown):
    """In place: the input within [min, max]; NaN stays NaN"""
    if (input.__class__ is _Tensor and (min is None or min.__class__ is float or min.__class__ is int) and
            (max is None or max.__class__ is float or max.__class__ is int) and not extra and not unknown):
        return _clamp(input, min, max, inplace=True)
    return _clamp__slow((input, min, max), extra, unknown)

_clip_slow = _Binding("clip", "Tensor (Tensor input, Scalar min=None, Scalar max=None, *, Bool inplace=False)", _clamp,
        "Tensor (Tensor input, Tensor min=None, Tensor max=None, *, Bool inplace=False)", _clamp_tensor)
def clip(input=_missing, min=None, max=None, *extra, inplace=False, **unknown):
    """clamp"""
    if (input.__class__ is _Tensor and (min is None or min.__class__ is float or min.__class__ is int) and
            (max is None or max.__class__ is float or max.__class__ is int) and (inplace is False or inplace is True) and
            not extra and not unknown):
        return _clamp(input, min, max, inplace)
    return _clip_slow((input, min, max, inplace), extra, unknown)

_clamp_min_slow = _Binding("clamp_min", "Tensor (Tensor input, Scalar min, *, Bool inplace=False)", _clamp_min,
        methods="clamp_min")
def clamp_min(input=_missing, min=_missing, *extra, inplace=False, **unknown):
    """the input, at least min"""
    if (input.__class__ is _Tensor and (min.__class__ is float or min.__class__ is int) and (inplace is False or inplace is True)
            and not extra and not unknown):
        return _clamp_min(input, min, inplace)
    return _clamp_min_slow((input, min, inplace), extra, unknown)

_clamp_min__slow = _Binding("clamp_min_", "Tensor (Tensor input, Scalar min)", _clamp_min, methods="clamp_min_", inplace=True)
def clamp_min_(input=_missing, min=_missing, *extra, **unknown):
    """In place: the input, at least min"""
    if input.__class__ is _Tensor and (min.__class__ is float or min.__class__ is int) and not extra and not unknown:
        return _clamp_min(input, min, inplace=True)
    return _clamp_min__slow((input, min), extra, unknown)

_clamp_max_slow = _Binding("clamp_max", "Tensor (Tensor input, Scalar max, *, Bool inplace=False)", _clamp_max,
        methods="clamp_max")
def clamp_max(input=_missing, max=_missing, *extra, inplace=False, **unknown):
    """the input, at most max"""
    if (input.__class__ is _Tensor and (max.__class__ is float or max.__class__ is int) and (inplace is False or inplace is True)
            and not extra and not unknown):
        return _clamp_max(input, max, inplace)
    return _clamp_max_slow((input, max, inplace), extra, unknown)

_clamp_max__slow = _Binding("clamp_max_", "Tensor (Tensor input, Scalar max)", _clamp_max, methods="clamp_max_", inplace=True)
def clamp_max_(input=_missing, max=_missing, *extra, **unknown):
    """In place: the input, at most max"""
    if input.__class__ is _Tensor and (max.__class__ is float or max.__class__ is int) and not extra and not unknown:
        return _clamp_max(input, max, inplace=True)
    return _clamp_max__slow((input, max), extra, unknown)

_methods = _publish(globals())
