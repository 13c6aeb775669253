"""Functions of the binding: arithmetic.

Generated from op_registry.yaml by `python tritonflow/registry/generate.py`; do not edit.
"""
# fmt: off
# ruff: noqa: I001
from tritonflow.framework.tensor import Tensor as _Tensor
from tritonflow.binding.arguments import Binding as _Binding, FOREIGN as _FOREIGN, all_tensors as _all_tensors, with_foreign as _with_foreign
from tritonflow.functions.arithmetic import (add as _add, add_n as _add_n, scalar_add as _scalar_add,
        scalar_add_reversed as _scalar_add_reversed, scalar_div_reversed as _scalar_div_reversed,
        scalar_mul_reversed as _scalar_mul_reversed, scalar_pow_reversed as _scalar_pow_reversed, scalar_rsub as _scalar_r_sub,
        scalar_sub as _scalar_sub, scalar_sub_reversed as _scalar_sub_reversed, sub as _sub, rsub as _rsub)
from tritonflow.functions.arithmetic_division import (div_rounded as _div_rounded, scalar_div_rounded as _scalar_div_rounded,
        scalar_div_rounded_reversed as _scalar_div_rounded_reversed)
from tritonflow.functions.arithmetic_powers import (scalar_pow as _scalar_pow)
from tritonflow.functions.generated import (div as _div, mul as _mul, pow as _pow, quotient_im as _quotient_im,
        quotient_re as _quotient_re, reciprocal_im as _reciprocal_im, reciprocal_re as _reciprocal_re, scalar_div as _scalar_div,
        scalar_mul as _scalar_mul, zero_power_im as _zero_power_im, zero_power_re as _zero_power_re)
from tritonflow.binding.library import publish as _publish
from tritonflow.binding.prototype import MISSING as _missing
from tritonflow.binding.torch_calls import in_place as _in_place

_add_slow = _Binding("add", "Tensor (Tensor input, Tensor other, *, Scalar alpha=1, Bool inplace=False)", _add,
        "Tensor (Tensor input, Scalar other, *, Scalar alpha=1, Bool inplace=False)", _scalar_add,
        "Tensor (Scalar input, Tensor other, *, Scalar alpha=1)", _scalar_add_reversed, "Tensor (TensorTuple input)", _add_n,
        methods="add")
def add(input=_missing, other=_missing, *extra, alpha=1, inplace=False, **unknown):
    """input + alpha * other.

    With `alpha` the second operand is scaled: `out = input + alpha * other`. Of bool tensors it is
    their logical or. More than two tensors, which have the same shape and dtype, are added from the
    first to the last.

    Overloads:
        - `add(input: Tensor, other: Tensor, *, alpha: Scalar = 1) -> Tensor`
        - `add(input: Tensor, other: Scalar, *, alpha: Scalar = 1) -> Tensor`
        - `add(input: Scalar, other: Tensor, *, alpha: Scalar = 1) -> Tensor`
        - `add(input: Sequence[Tensor]) -> Tensor`
        - `add(*input: Tensor) -> Tensor`

    Args:
        input: a tensor or a number; or several tensors.
        other: a tensor or a number.
        alpha: the factor of `other`; a whole number where the operands are integers.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` and `other` are broadcast together; the result has their common shape.

    Dtypes:
        The result has the dtype that they promote to.

    Differentiable in `input` and `other`. Methods: `Tensor.add` and `Tensor.add_`. Operator: `+`.

    Raises:
        RuntimeError: `alpha` is floating and the operands are integers; more than two tensors differ in
            their shapes or dtypes; the shapes cannot be broadcast together.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.add.

    Example:
        >>> import tritonflow as flow
        >>> flow.add(flow.tensor([1.0, 2.0]), flow.tensor([10.0, 20.0]), alpha=2)
        tensor([21., 42.])
        >>> flow.tensor([1, 2]) + 1.5
        tensor([2.5000, 3.5000])
    """
    if (input.__class__ is _Tensor and other.__class__ is _Tensor and (alpha.__class__ is int or alpha.__class__ is float) and
            (inplace is False or inplace is True) and not extra and not unknown):
        return _add(input, other, alpha, inplace)
    if (input.__class__ is _Tensor and (other.__class__ is float or other.__class__ is int) and
            (alpha.__class__ is int or alpha.__class__ is float) and (inplace is False or inplace is True) and not extra and
            not unknown):
        return _scalar_add(input, other, alpha, inplace)
    if ((input.__class__ is float or input.__class__ is int) and other.__class__ is _Tensor and
            (alpha.__class__ is int or alpha.__class__ is float) and inplace is False and not extra and not unknown):
        return _scalar_add_reversed(input, other, alpha)
    if (input.__class__ is tuple and other is _missing and alpha.__class__ is int and alpha == 1 and inplace is False and
            not extra and not unknown and _all_tensors(input)):
        return _add_n(input)
    if (input.__class__ is _Tensor and other is _missing and alpha.__class__ is int and alpha == 1 and inplace is False and
            not unknown and _all_tensors(extra)):
        return _add_n((input, *extra))
    return _add_slow((input, other, alpha, inplace), extra, unknown)

_add__slow = _Binding("add_", "Tensor (Tensor input, Tensor other, *, Scalar alpha=1)", _add,
        "Tensor (Tensor input, Scalar other, *, Scalar alpha=1)", _scalar_add, methods="add_", inplace=True)
def add_(input=_missing, other=_missing, *extra, alpha=1, **unknown):
    if (input.__class__ is _Tensor and other.__class__ is _Tensor and (alpha.__class__ is int or alpha.__class__ is float) and
            not extra and not unknown):
        return _add(input, other, alpha, inplace=True)
    if (input.__class__ is _Tensor and (other.__class__ is float or other.__class__ is int) and
            (alpha.__class__ is int or alpha.__class__ is float) and not extra and not unknown):
        return _scalar_add(input, other, alpha, inplace=True)
    return _add__slow((input, other, alpha), extra, unknown)

def __add__(self, other):
    """The operator of `add`, which says more."""
    if other.__class__ is _Tensor:
        return _add(self, other)
    if other.__class__ is float or other.__class__ is int:
        return _scalar_add(self, other)
    if isinstance(other, _FOREIGN):
        return _with_foreign("__add__", add, self, other)
    return add(self, other)

def __radd__(self, other):
    """The operator of `add`, which says more."""
    if other.__class__ is float or other.__class__ is int:
        return _scalar_add_reversed(other, self)
    if isinstance(other, _FOREIGN):
        return _with_foreign("__radd__", add, self, other)
    return add(other, self)

def __iadd__(self, other):
    """The operator of `add`, which says more."""
    if other.__class__ is _Tensor:
        return _add(self, other, inplace=True)
    if other.__class__ is float or other.__class__ is int:
        return _scalar_add(self, other, inplace=True)
    if isinstance(other, _FOREIGN):
        return _with_foreign("__iadd__", add_, self, other)
    return add_(self, other)

_sub_slow = _Binding("sub", "Tensor (Tensor input, Tensor other, *, Scalar alpha=1, Bool inplace=False)", _sub,
        "Tensor (Tensor input, Scalar other, *, Scalar alpha=1, Bool inplace=False)", _scalar_sub,
        "Tensor (Scalar input, Tensor other, *, Scalar alpha=1)", _scalar_sub_reversed, methods="sub subtract")
def sub(input=_missing, other=_missing, *extra, alpha=1, inplace=False, **unknown):
    """input - alpha * other.

    With `alpha` the second operand is scaled: `out = input - alpha * other`.

    Args:
        input: a tensor or a number.
        other: a tensor or a number.
        alpha: the factor of `other`; a whole number where the operands are integers.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` and `other` are broadcast together; the result has their common shape.

    Dtypes:
        The result has the dtype that they promote to.

    Differentiable in `input` and `other`. Methods: `Tensor.sub`, `Tensor.sub_`, `Tensor.subtract` and
    `Tensor.subtract_`. Operator: `-`.

    Raises:
        RuntimeError: bool operands; `alpha` is floating and the operands are integers; the shapes cannot be
            broadcast together.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.sub.

    Example:
        >>> import tritonflow as flow
        >>> flow.sub(flow.tensor([5.0, 7.0]), flow.tensor([1.0, 2.0]), alpha=2)
        tensor([3., 3.])
    """
    if (input.__class__ is _Tensor and other.__class__ is _Tensor and (alpha.__class__ is int or alpha.__class__ is float) and
            (inplace is False or inplace is True) and not extra and not unknown):
        return _sub(input, other, alpha, inplace)
    if (input.__class__ is _Tensor and (other.__class__ is float or other.__class__ is int) and
            (alpha.__class__ is int or alpha.__class__ is float) and (inplace is False or inplace is True) and not extra and
            not unknown):
        return _scalar_sub(input, other, alpha, inplace)
    if ((input.__class__ is float or input.__class__ is int) and other.__class__ is _Tensor and
            (alpha.__class__ is int or alpha.__class__ is float) and inplace is False and not extra and not unknown):
        return _scalar_sub_reversed(input, other, alpha)
    return _sub_slow((input, other, alpha, inplace), extra, unknown)

_sub__slow = _Binding("sub_", "Tensor (Tensor input, Tensor other, *, Scalar alpha=1)", _sub,
        "Tensor (Tensor input, Scalar other, *, Scalar alpha=1)", _scalar_sub, methods="sub_ subtract_", inplace=True)
def sub_(input=_missing, other=_missing, *extra, alpha=1, **unknown):
    if (input.__class__ is _Tensor and other.__class__ is _Tensor and (alpha.__class__ is int or alpha.__class__ is float) and
            not extra and not unknown):
        return _sub(input, other, alpha, inplace=True)
    if (input.__class__ is _Tensor and (other.__class__ is float or other.__class__ is int) and
            (alpha.__class__ is int or alpha.__class__ is float) and not extra and not unknown):
        return _scalar_sub(input, other, alpha, inplace=True)
    return _sub__slow((input, other, alpha), extra, unknown)

def __sub__(self, other):
    """The operator of `sub`, which says more."""
    if other.__class__ is _Tensor:
        return _sub(self, other)
    if other.__class__ is float or other.__class__ is int:
        return _scalar_sub(self, other)
    if isinstance(other, _FOREIGN):
        return _with_foreign("__sub__", sub, self, other)
    return sub(self, other)

def __rsub__(self, other):
    """The operator of `sub`, which says more."""
    if other.__class__ is float or other.__class__ is int:
        return _scalar_sub_reversed(other, self)
    if isinstance(other, _FOREIGN):
        return _with_foreign("__rsub__", sub, self, other)
    return sub(other, self)

def __isub__(self, other):
    """The operator of `sub`, which says more."""
    if other.__class__ is _Tensor:
        return _sub(self, other, inplace=True)
    if other.__class__ is float or other.__class__ is int:
        return _scalar_sub(self, other, inplace=True)
    if isinstance(other, _FOREIGN):
        return _with_foreign("__isub__", sub_, self, other)
    return sub_(self, other)

_subtract_slow = _Binding("subtract", "Tensor (Tensor input, Tensor other, *, Scalar alpha=1, Bool inplace=False)", _sub,
        "Tensor (Tensor input, Scalar other, *, Scalar alpha=1, Bool inplace=False)", _scalar_sub,
        "Tensor (Scalar input, Tensor other, *, Scalar alpha=1)", _scalar_sub_reversed, like="sub")
def subtract(input=_missing, other=_missing, *extra, alpha=1, inplace=False, **unknown):
    if (input.__class__ is _Tensor and other.__class__ is _Tensor and (alpha.__class__ is int or alpha.__class__ is float) and
            (inplace is False or inplace is True) and not extra and not unknown):
        return _sub(input, other, alpha, inplace)
    if (input.__class__ is _Tensor and (other.__class__ is float or other.__class__ is int) and
            (alpha.__class__ is int or alpha.__class__ is float) and (inplace is False or inplace is True) and not extra and
            not unknown):
        return _scalar_sub(input, other, alpha, inplace)
    if ((input.__class__ is float or input.__class__ is int) and other.__class__ is _Tensor and
            (alpha.__class__ is int or alpha.__class__ is float) and inplace is False and not extra and not unknown):
        return _scalar_sub_reversed(input, other, alpha)
    return _subtract_slow((input, other, alpha, inplace), extra, unknown)

_mul_slow = _Binding("mul", "Tensor (Tensor input, Tensor other, *, Bool inplace=False)", _mul,
        "Tensor (Tensor input, Scalar other, *, Bool inplace=False)", _scalar_mul, "Tensor (Scalar input, Tensor other)",
        _scalar_mul_reversed, methods="mul multiply")
def mul(input=_missing, other=_missing, *extra, inplace=False, **unknown):
    """input * other.

    Of bool tensors it is their logical and.

    Args:
        input: a tensor or a number.
        other: a tensor or a number.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` and `other` are broadcast together; the result has their common shape.

    Dtypes:
        The result has the dtype that they promote to.

    Differentiable in `input` and `other`. Methods: `Tensor.mul`, `Tensor.mul_`, `Tensor.multiply` and
    `Tensor.multiply_`. Operator: `*`.

    Raises:
        RuntimeError: the shapes cannot be broadcast together.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.mul.

    Example:
        >>> import tritonflow as flow
        >>> flow.mul(flow.tensor([1.0, 2.0]), flow.tensor([[3.0], [4.0]]))
        tensor([[3., 6.],
                [4., 8.]])
        >>> flow.tensor([1, 2]) * 3
        tensor([3, 6])
    """
    if (input.__class__ is _Tensor and other.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and
            not unknown):
        return _mul(input, other, inplace)
    if (input.__class__ is _Tensor and (other.__class__ is float or other.__class__ is int) and
            (inplace is False or inplace is True) and not extra and not unknown):
        return _scalar_mul(input, other, inplace)
    if ((input.__class__ is float or input.__class__ is int) and other.__class__ is _Tensor and inplace is False and not extra and
            not unknown):
        return _scalar_mul_reversed(input, other)
    return _mul_slow((input, other, inplace), extra, unknown)

_mul__slow = _Binding("mul_", "Tensor (Tensor input, Tensor other)", _mul, "Tensor (Tensor input, Scalar other)", _scalar_mul,
        methods="mul_ multiply_", inplace=True)
def mul_(input=_missing, other=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and other.__class__ is _Tensor and not extra and not unknown:
        return _mul(input, other, inplace=True)
    if input.__class__ is _Tensor and (other.__class__ is float or other.__class__ is int) and not extra and not unknown:
        return _scalar_mul(input, other, inplace=True)
    return _mul__slow((input, other), extra, unknown)

def __mul__(self, other):
    """The operator of `mul`, which says more."""
    if other.__class__ is _Tensor:
        return _mul(self, other)
    if other.__class__ is float or other.__class__ is int:
        return _scalar_mul(self, other)
    if isinstance(other, _FOREIGN):
        return _with_foreign("__mul__", mul, self, other)
    return mul(self, other)

def __rmul__(self, other):
    """The operator of `mul`, which says more."""
    if other.__class__ is float or other.__class__ is int:
        return _scalar_mul_reversed(other, self)
    if isinstance(other, _FOREIGN):
        return _with_foreign("__rmul__", mul, self, other)
    return mul(other, self)

def __imul__(self, other):
    """The operator of `mul`, which says more."""
    if other.__class__ is _Tensor:
        return _mul(self, other, inplace=True)
    if other.__class__ is float or other.__class__ is int:
        return _scalar_mul(self, other, inplace=True)
    if isinstance(other, _FOREIGN):
        return _with_foreign("__imul__", mul_, self, other)
    return mul_(self, other)

_multiply_slow = _Binding("multiply", "Tensor (Tensor input, Tensor other, *, Bool inplace=False)", _mul,
        "Tensor (Tensor input, Scalar other, *, Bool inplace=False)", _scalar_mul, "Tensor (Scalar input, Tensor other)",
        _scalar_mul_reversed, like="mul")
def multiply(input=_missing, other=_missing, *extra, inplace=False, **unknown):
    if (input.__class__ is _Tensor and other.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and
            not unknown):
        return _mul(input, other, inplace)
    if (input.__class__ is _Tensor and (other.__class__ is float or other.__class__ is int) and
            (inplace is False or inplace is True) and not extra and not unknown):
        return _scalar_mul(input, other, inplace)
    if ((input.__class__ is float or input.__class__ is int) and other.__class__ is _Tensor and inplace is False and not extra and
            not unknown):
        return _scalar_mul_reversed(input, other)
    return _multiply_slow((input, other, inplace), extra, unknown)

_div_slow = _Binding("div", "Tensor (Tensor input, Tensor other, *, Bool inplace=False)", _div,
        "Tensor (Tensor input, Scalar other, *, Bool inplace=False)", _scalar_div, "Tensor (Scalar input, Tensor other)",
        _scalar_div_reversed, "Tensor (Tensor input, Tensor other, *, String rounding_mode=None)", _div_rounded,
        "Tensor (Tensor input, Scalar other, *, String rounding_mode=None)", _scalar_div_rounded,
        "Tensor (Scalar input, Tensor other, *, String rounding_mode=None)", _scalar_div_rounded_reversed,
        methods="div divide true_divide")
def div(input=_missing, other=_missing, *extra, inplace=False, rounding_mode=None, **unknown):
    """input / other, true division unless rounded.

    `out = input / other`. With a rounding mode the result has the dtype that the operands promote to.

    Args:
        input: a tensor or a number.
        other: a tensor or a number.
        inplace: whether the result is written over the input.
        rounding_mode: `"trunc"` rounds towards zero, `"floor"` down; None does not round.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` and `other` are broadcast together; the result has their common shape.

    Dtypes:
        The result has the dtype that they promote to; integers and bool give the default dtype.

    Differentiable in `input` and `other`. Methods: `Tensor.div`, `Tensor.div_`, `Tensor.divide`,
    `Tensor.divide_`, `Tensor.true_divide` and `Tensor.true_divide_`. Operator: `/`.

    Raises:
        RuntimeError: an unknown rounding mode; the shapes cannot be broadcast together.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.div.

    Example:
        >>> import tritonflow as flow
        >>> flow.div(flow.tensor([7.0, -7.0]), 2)
        tensor([ 3.5000, -3.5000])
        >>> flow.div(flow.tensor([7, -7]), 2, rounding_mode="floor")
        tensor([ 3, -4])
    """
    if (input.__class__ is _Tensor and other.__class__ is _Tensor and (inplace is False or inplace is True) and
            rounding_mode is None and not extra and not unknown):
        return _div(input, other, inplace)
    if (input.__class__ is _Tensor and (other.__class__ is float or other.__class__ is int) and
            (inplace is False or inplace is True) and rounding_mode is None and not extra and not unknown):
        return _scalar_div(input, other, inplace)
    if ((input.__class__ is float or input.__class__ is int) and other.__class__ is _Tensor and inplace is False and
            rounding_mode is None and not extra and not unknown):
        return _scalar_div_reversed(input, other)
    return _div_slow((input, other, inplace, rounding_mode), extra, unknown)

_div_rounded_over = _in_place(_div_rounded)
_scalar_div_rounded_over = _in_place(_scalar_div_rounded)
_div__slow = _Binding("div_", "Tensor (Tensor input, Tensor other)", _div, "Tensor (Tensor input, Scalar other)", _scalar_div,
        "Tensor (Tensor input, Tensor other, *, String rounding_mode=None)", _div_rounded_over,
        "Tensor (Tensor input, Scalar other, *, String rounding_mode=None)", _scalar_div_rounded_over,
        methods="div_ divide_ true_divide_", inplace=True)
def div_(input=_missing, other=_missing, *extra, rounding_mode=None, **unknown):
    if input.__class__ is _Tensor and other.__class__ is _Tensor and rounding_mode is None and not extra and not unknown:
        return _div(input, other, inplace=True)
    if (input.__class__ is _Tensor and (other.__class__ is float or other.__class__ is int) and rounding_mode is None and
            not extra and not unknown):
        return _scalar_div(input, other, inplace=True)
    return _div__slow((input, other, rounding_mode), extra, unknown)

def __truediv__(self, other):
    """The operator of `div`, which says more."""
    if other.__class__ is _Tensor:
        return _div(self, other)
    if other.__class__ is float or other.__class__ is int:
        return _scalar_div(self, other)
    if other.__class__ is _Tensor:
        return _div_rounded(self, other)
    if other.__class__ is float or other.__class__ is int:
        return _scalar_div_rounded(self, other)
    if isinstance(other, _FOREIGN):
        return _with_foreign("__truediv__", div, self, other)
    return div(self, other)

def __rtruediv__(self, other):
    """The operator of `div`, which says more."""
    if other.__class__ is float or other.__class__ is int:
        return _scalar_div_reversed(other, self)
    if other.__class__ is float or other.__class__ is int:
        return _scalar_div_rounded_reversed(other, self)
    if isinstance(other, _FOREIGN):
        return _with_foreign("__rtruediv__", div, self, other)
    return div(other, self)

def __rdiv__(self, other):
    """The operator of `div`, which says more."""
    if other.__class__ is float or other.__class__ is int:
        return _scalar_div_reversed(other, self)
    if other.__class__ is float or other.__class__ is int:
        return _scalar_div_rounded_reversed(other, self)
    if isinstance(other, _FOREIGN):
        return _with_foreign("__rdiv__", div, self, other)
    return div(other, self)

def __itruediv__(self, other):
    """The operator of `div`, which says more."""
    if other.__class__ is _Tensor:
        return _div(self, other, inplace=True)
    if other.__class__ is float or other.__class__ is int:
        return _scalar_div(self, other, inplace=True)
    if isinstance(other, _FOREIGN):
        return _with_foreign("__itruediv__", div_, self, other)
    return div_(self, other)

_divide_slow = _Binding("divide", "Tensor (Tensor input, Tensor other, *, Bool inplace=False)", _div,
        "Tensor (Tensor input, Scalar other, *, Bool inplace=False)", _scalar_div, "Tensor (Scalar input, Tensor other)",
        _scalar_div_reversed, "Tensor (Tensor input, Tensor other, *, String rounding_mode=None)", _div_rounded,
        "Tensor (Tensor input, Scalar other, *, String rounding_mode=None)", _scalar_div_rounded,
        "Tensor (Scalar input, Tensor other, *, String rounding_mode=None)", _scalar_div_rounded_reversed, like="div")
def divide(input=_missing, other=_missing, *extra, inplace=False, rounding_mode=None, **unknown):
    if (input.__class__ is _Tensor and other.__class__ is _Tensor and (inplace is False or inplace is True) and
            rounding_mode is None and not extra and not unknown):
        return _div(input, other, inplace)
    if (input.__class__ is _Tensor and (other.__class__ is float or other.__class__ is int) and
            (inplace is False or inplace is True) and rounding_mode is None and not extra and not unknown):
        return _scalar_div(input, other, inplace)
    if ((input.__class__ is float or input.__class__ is int) and other.__class__ is _Tensor and inplace is False and
            rounding_mode is None and not extra and not unknown):
        return _scalar_div_reversed(input, other)
    return _divide_slow((input, other, inplace, rounding_mode), extra, unknown)

_true_divide_slow = _Binding("true_divide", "Tensor (Tensor input, Tensor other, *, Bool inplace=False)", _div,
        "Tensor (Tensor input, Scalar other, *, Bool inplace=False)", _scalar_div, "Tensor (Scalar input, Tensor other)",
        _scalar_div_reversed, like="div")
def true_divide(input=_missing, other=_missing, *extra, inplace=False, **unknown):
    if (input.__class__ is _Tensor and other.__class__ is _Tensor and (inplace is False or inplace is True) and not extra and
            not unknown):
        return _div(input, other, inplace)
    if (input.__class__ is _Tensor and (other.__class__ is float or other.__class__ is int) and
            (inplace is False or inplace is True) and not extra and not unknown):
        return _scalar_div(input, other, inplace)
    if ((input.__class__ is float or input.__class__ is int) and other.__class__ is _Tensor and inplace is False and not extra and
            not unknown):
        return _scalar_div_reversed(input, other)
    return _true_divide_slow((input, other, inplace), extra, unknown)

_pow_slow = _Binding("pow", "Tensor (Tensor input, Tensor exponent)", _pow, "Tensor (Tensor input, Scalar exponent)", _scalar_pow,
        "Tensor (Scalar input, Tensor exponent)", _scalar_pow_reversed, methods="pow", autocast="float32")
def pow(input=_missing, exponent=_missing, *extra, **unknown):
    """input ** exponent; integers to negative numbers are refused.

    `out = input ** exponent`.

    Args:
        input: the base, a tensor or a number.
        exponent: a tensor or a number.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` and `exponent` are broadcast together; the result has their common shape.

    Dtypes:
        The operands are of any dtype but bool. The result has the dtype that they promote to.

    Differentiable in `input` and `exponent`. Under `flow.autocast` it computes in float32. Methods:
    `Tensor.pow` and `Tensor.pow_`. Operator: `**`.

    Raises:
        RuntimeError: integers to a negative whole number; the shapes cannot be broadcast together.
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.pow.

    Example:
        >>> import tritonflow as flow
        >>> flow.pow(flow.tensor([1.0, 2.0, 3.0]), 2)
        tensor([1., 4., 9.])
        >>> flow.pow(2, flow.tensor([1, 2, 3]))
        tensor([2, 4, 8])
    """
    if input.__class__ is _Tensor and exponent.__class__ is _Tensor and not extra and not unknown:
        return _pow(input, exponent)
    if input.__class__ is _Tensor and (exponent.__class__ is float or exponent.__class__ is int) and not extra and not unknown:
        return _scalar_pow(input, exponent)
    if (input.__class__ is float or input.__class__ is int) and exponent.__class__ is _Tensor and not extra and not unknown:
        return _scalar_pow_reversed(input, exponent)
    return _pow_slow((input, exponent), extra, unknown)

_pow_over = _in_place(_pow)
_scalar_pow_over = _in_place(_scalar_pow)
_pow__slow = _Binding("pow_", "Tensor (Tensor input, Tensor exponent)", _pow_over, "Tensor (Tensor input, Scalar exponent)",
        _scalar_pow_over, methods="pow_", inplace=True)
def pow_(input=_missing, exponent=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and exponent.__class__ is _Tensor and not extra and not unknown:
        return _pow_over(input, exponent, inplace=True)
    if input.__class__ is _Tensor and (exponent.__class__ is float or exponent.__class__ is int) and not extra and not unknown:
        return _scalar_pow_over(input, exponent, inplace=True)
    return _pow__slow((input, exponent), extra, unknown)

def __pow__(self, other):
    """The operator of `pow`, which says more."""
    if other.__class__ is _Tensor:
        return _pow(self, other)
    if other.__class__ is float or other.__class__ is int:
        return _scalar_pow(self, other)
    if isinstance(other, _FOREIGN):
        return _with_foreign("__pow__", pow, self, other)
    return pow(self, other)

def __rpow__(self, other):
    """The operator of `pow`, which says more."""
    if other.__class__ is float or other.__class__ is int:
        return _scalar_pow_reversed(other, self)
    if isinstance(other, _FOREIGN):
        return _with_foreign("__rpow__", pow, self, other)
    return pow(other, self)

def __ipow__(self, other):
    """The operator of `pow`, which says more."""
    if isinstance(other, _FOREIGN):
        return _with_foreign("__ipow__", pow_, self, other)
    return pow_(self, other)

_reciprocal_re_slow = _Binding("reciprocal_re", "Tensor (Tensor u, Tensor v)", _reciprocal_re)
def reciprocal_re(u=_missing, v=_missing, *extra, **unknown):
    """the real part of 1 / (u + iv), in the formulas of complex numbers"""
    if u.__class__ is _Tensor and v.__class__ is _Tensor and not extra and not unknown:
        return _reciprocal_re(u, v)
    return _reciprocal_re_slow((u, v), extra, unknown)

_reciprocal_im_slow = _Binding("reciprocal_im", "Tensor (Tensor u, Tensor v)", _reciprocal_im)
def reciprocal_im(u=_missing, v=_missing, *extra, **unknown):
    """the imaginary part of 1 / (u + iv), in the formulas of complex numbers"""
    if u.__class__ is _Tensor and v.__class__ is _Tensor and not extra and not unknown:
        return _reciprocal_im(u, v)
    return _reciprocal_im_slow((u, v), extra, unknown)

_quotient_re_slow = _Binding("quotient_re", "Tensor (Tensor x, Tensor y, Tensor u, Tensor v)", _quotient_re)
def quotient_re(x=_missing, y=_missing, u=_missing, v=_missing, *extra, **unknown):
    """the real part of (x + iy) / (u + iv), in the formulas of complex numbers"""
    if (x.__class__ is _Tensor and y.__class__ is _Tensor and u.__class__ is _Tensor and v.__class__ is _Tensor and not extra and
            not unknown):
        return _quotient_re(x, y, u, v)
    return _quotient_re_slow((x, y, u, v), extra, unknown)

_quotient_im_slow = _Binding("quotient_im", "Tensor (Tensor x, Tensor y, Tensor u, Tensor v)", _quotient_im)
def quotient_im(x=_missing, y=_missing, u=_missing, v=_missing, *extra, **unknown):
    """the imaginary part of (x + iy) / (u + iv), in the formulas of complex numbers"""
    if (x.__class__ is _Tensor and y.__class__ is _Tensor and u.__class__ is _Tensor and v.__class__ is _Tensor and not extra and
            not unknown):
        return _quotient_im(x, y, u, v)
    return _quotient_im_slow((x, y, u, v), extra, unknown)

_zero_power_re_slow = _Binding("zero_power_re", "Tensor (Tensor u, Tensor v, Tensor p, Tensor q)", _zero_power_re)
def zero_power_re(u=_missing, v=_missing, p=_missing, q=_missing, *extra, **unknown):
    """the real part of (u + iv) ** (p + iq) where u and v are 0, otherwise 0, in the formulas of complex numbers"""
    if (u.__class__ is _Tensor and v.__class__ is _Tensor and p.__class__ is _Tensor and q.__class__ is _Tensor and not extra and
            not unknown):
        return _zero_power_re(u, v, p, q)
    return _zero_power_re_slow((u, v, p, q), extra, unknown)

_zero_power_im_slow = _Binding("zero_power_im", "Tensor (Tensor u, Tensor v, Tensor p, Tensor q)", _zero_power_im)
def zero_power_im(u=_missing, v=_missing, p=_missing, q=_missing, *extra, **unknown):
    """the imaginary part of (u + iv) ** (p + iq) where u and v are 0, otherwise 0, in the formulas of complex numbers"""
    if (u.__class__ is _Tensor and v.__class__ is _Tensor and p.__class__ is _Tensor and q.__class__ is _Tensor and not extra and
            not unknown):
        return _zero_power_im(u, v, p, q)
    return _zero_power_im_slow((u, v, p, q), extra, unknown)

_rsub_slow = _Binding("rsub", "Tensor (Tensor input, Tensor other, *, Scalar alpha=1)", _rsub,
        "Tensor (Tensor input, Scalar other, *, Scalar alpha=1)", _scalar_r_sub)
def rsub(input=_missing, other=_missing, *extra, alpha=1, **unknown):
    if (input.__class__ is _Tensor and other.__class__ is _Tensor and (alpha.__class__ is int or alpha.__class__ is float) and
            not extra and not unknown):
        return _rsub(input, other, alpha)
    if (input.__class__ is _Tensor and (other.__class__ is float or other.__class__ is int) and
            (alpha.__class__ is int or alpha.__class__ is float) and not extra and not unknown):
        return _scalar_r_sub(input, other, alpha)
    return _rsub_slow((input, other, alpha), extra, unknown)

_methods = _publish(globals())
