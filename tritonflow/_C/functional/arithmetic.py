"""Functions of the binding: arithmetic.

Generated from op_registry.yaml by `python tritonflow/functional/generate.py`; do not edit.
"""
# fmt: off
# ruff: noqa: I001
from tritonflow.framework.tensor import Tensor as _Tensor
from tritonflow.functional.arguments import Binding as _Binding
from tritonflow.functional.functors.arithmetic import (add as _add, rsub as _r_sub, scalar_add as _scalar_add,
        scalar_add_reversed as _scalar_add_reversed, scalar_div_reversed as _scalar_div_reversed,
        scalar_mul_reversed as _scalar_mul_reversed, scalar_pow_reversed as _scalar_pow_reversed, scalar_rsub as _scalar_r_sub,
        scalar_sub as _scalar_sub, scalar_sub_reversed as _scalar_sub_reversed, sub as _sub)
from tritonflow.functional.functors.generated import (div as _div, mul as _mul, pow as _pow, scalar_div as _scalar_div,
        scalar_mul as _scalar_mul)
from tritonflow.functional.functors.pointwise import (div_rounded as _div_rounded, scalar_div_rounded as _scalar_div_rounded,
        scalar_pow as _scalar_pow)
from tritonflow.functional.library import publish as _publish
from tritonflow.functional.prototype import MISSING as _missing
from tritonflow.functional.torch_calls import in_place as _in_place

_add_slow = _Binding("add", "Tensor (Tensor input, Tensor other, *, Scalar alpha=1, Bool inplace=False)", _add,
        "Tensor (Tensor input, Scalar other, *, Scalar alpha=1, Bool inplace=False)", _scalar_add,
        "Tensor (Scalar input, Tensor other, *, Scalar alpha=1)", _scalar_add_reversed, methods="add")
def add(input=_missing, other=_missing, *extra, alpha=1, inplace=False, **unknown):
    """input + alpha * other

    Args:
        input: a tensor or a number.
        other: a tensor or a number.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` and `other` are broadcast together; the result has their common shape.

    Dtypes:
        The result has the dtype that they promote to.

    Differentiable in `input` and `other`. Methods: `Tensor.add` and `Tensor.add_`. Operator: `+`.

    Raises:
        RuntimeError: the shapes cannot be broadcast together.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.add.
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
    return _add_slow((input, other, alpha, inplace), extra, unknown)

_add__slow = _Binding("add_", "Tensor (Tensor input, Tensor other, *, Scalar alpha=1)", _add,
        "Tensor (Tensor input, Scalar other, *, Scalar alpha=1)", _scalar_add, methods="add_ __iadd__", inplace=True)
def add_(input=_missing, other=_missing, *extra, alpha=1, **unknown):
    """In place: input + alpha * other

    The result is written over `input`, which keeps its shape and dtype, and is returned. See
    `flow.add`.

    Args:
        input: the input.
        other: a tensor or a number.

    Raises:
        RuntimeError: the shapes cannot be broadcast together.
        RuntimeError: the result does not fit the shape or the kind of dtype of `input`, or `input` is a
            leaf that requires grad.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.add.
    """
    if (input.__class__ is _Tensor and other.__class__ is _Tensor and (alpha.__class__ is int or alpha.__class__ is float) and
            not extra and not unknown):
        return _add(input, other, alpha, inplace=True)
    if (input.__class__ is _Tensor and (other.__class__ is float or other.__class__ is int) and
            (alpha.__class__ is int or alpha.__class__ is float) and not extra and not unknown):
        return _scalar_add(input, other, alpha, inplace=True)
    return _add__slow((input, other, alpha), extra, unknown)

def __add__(self, other):
    if other.__class__ is _Tensor:
        return _add(self, other)
    if other.__class__ is float or other.__class__ is int:
        return _scalar_add(self, other)
    return add(self, other)

def __radd__(self, other):
    if other.__class__ is float or other.__class__ is int:
        return _scalar_add_reversed(other, self)
    return add(other, self)

_sub_slow = _Binding("sub", "Tensor (Tensor input, Tensor other, *, Scalar alpha=1, Bool inplace=False)", _sub,
        "Tensor (Tensor input, Scalar other, *, Scalar alpha=1, Bool inplace=False)", _scalar_sub,
        "Tensor (Scalar input, Tensor other, *, Scalar alpha=1)", _scalar_sub_reversed, methods="sub subtract")
def sub(input=_missing, other=_missing, *extra, alpha=1, inplace=False, **unknown):
    """input - alpha * other

    Args:
        input: a tensor or a number.
        other: a tensor or a number.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` and `other` are broadcast together; the result has their common shape.

    Dtypes:
        The result has the dtype that they promote to.

    Differentiable in `input` and `other`. Methods: `Tensor.sub`, `Tensor.sub_`, `Tensor.subtract` and
    `Tensor.subtract_`. Operator: `-`.

    Raises:
        RuntimeError: the shapes cannot be broadcast together.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.sub.
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
        "Tensor (Tensor input, Scalar other, *, Scalar alpha=1)", _scalar_sub, methods="sub_ __isub__ subtract_", inplace=True)
def sub_(input=_missing, other=_missing, *extra, alpha=1, **unknown):
    """In place: input - alpha * other

    The result is written over `input`, which keeps its shape and dtype, and is returned. See
    `flow.sub`.

    Args:
        input: the input.
        other: a tensor or a number.

    Raises:
        RuntimeError: the shapes cannot be broadcast together.
        RuntimeError: the result does not fit the shape or the kind of dtype of `input`, or `input` is a
            leaf that requires grad.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.sub.
    """
    if (input.__class__ is _Tensor and other.__class__ is _Tensor and (alpha.__class__ is int or alpha.__class__ is float) and
            not extra and not unknown):
        return _sub(input, other, alpha, inplace=True)
    if (input.__class__ is _Tensor and (other.__class__ is float or other.__class__ is int) and
            (alpha.__class__ is int or alpha.__class__ is float) and not extra and not unknown):
        return _scalar_sub(input, other, alpha, inplace=True)
    return _sub__slow((input, other, alpha), extra, unknown)

def __sub__(self, other):
    if other.__class__ is _Tensor:
        return _sub(self, other)
    if other.__class__ is float or other.__class__ is int:
        return _scalar_sub(self, other)
    return sub(self, other)

def __rsub__(self, other):
    if other.__class__ is float or other.__class__ is int:
        return _scalar_sub_reversed(other, self)
    return sub(other, self)

_mul_slow = _Binding("mul", "Tensor (Tensor input, Tensor other, *, Bool inplace=False)", _mul,
        "Tensor (Tensor input, Scalar other, *, Bool inplace=False)", _scalar_mul, "Tensor (Scalar input, Tensor other)",
        _scalar_mul_reversed, methods="mul multiply")
def mul(input=_missing, other=_missing, *extra, inplace=False, **unknown):
    """input * other

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
        methods="mul_ __imul__ multiply_", inplace=True)
def mul_(input=_missing, other=_missing, *extra, **unknown):
    """In place: input * other

    The result is written over `input`, which keeps its shape and dtype, and is returned. See
    `flow.mul`.

    Args:
        input: the input.
        other: a tensor or a number.

    Raises:
        RuntimeError: the shapes cannot be broadcast together.
        RuntimeError: the result does not fit the shape or the kind of dtype of `input`, or `input` is a
            leaf that requires grad.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.mul.
    """
    if input.__class__ is _Tensor and other.__class__ is _Tensor and not extra and not unknown:
        return _mul(input, other, inplace=True)
    if input.__class__ is _Tensor and (other.__class__ is float or other.__class__ is int) and not extra and not unknown:
        return _scalar_mul(input, other, inplace=True)
    return _mul__slow((input, other), extra, unknown)

def __mul__(self, other):
    if other.__class__ is _Tensor:
        return _mul(self, other)
    if other.__class__ is float or other.__class__ is int:
        return _scalar_mul(self, other)
    return mul(self, other)

def __rmul__(self, other):
    if other.__class__ is float or other.__class__ is int:
        return _scalar_mul_reversed(other, self)
    return mul(other, self)

_div_slow = _Binding("div", "Tensor (Tensor input, Tensor other, *, Bool inplace=False)", _div,
        "Tensor (Tensor input, Scalar other, *, Bool inplace=False)", _scalar_div, "Tensor (Scalar input, Tensor other)",
        _scalar_div_reversed, "Tensor (Tensor input, Tensor other, *, String rounding_mode=None)", _div_rounded,
        "Tensor (Tensor input, Scalar other, *, String rounding_mode=None)", _scalar_div_rounded,
        methods="div divide true_divide")
def div(input=_missing, other=_missing, *extra, inplace=False, rounding_mode=None, **unknown):
    """input / other, true division unless rounded

    Args:
        input: a tensor or a number.
        other: a tensor or a number.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` and `other` are broadcast together; the result has their common shape.

    Dtypes:
        The result is floating: of integers and bool it has the default dtype.

    Differentiable in `input` and `other`. Methods: `Tensor.div`, `Tensor.div_`, `Tensor.divide`,
    `Tensor.divide_`, `Tensor.true_divide` and `Tensor.true_divide_`. Operator: `/`.

    Raises:
        RuntimeError: the shapes cannot be broadcast together.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.div.
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
        methods="div_ __itruediv__ divide_ true_divide_", inplace=True)
def div_(input=_missing, other=_missing, *extra, rounding_mode=None, **unknown):
    """In place: input / other, true division unless rounded

    The result is written over `input`, which keeps its shape and dtype, and is returned. See
    `flow.div`.

    Args:
        input: the input.
        other: a tensor or a number.

    Raises:
        RuntimeError: the shapes cannot be broadcast together.
        RuntimeError: the result does not fit the shape or the kind of dtype of `input`, or `input` is a
            leaf that requires grad.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.div.
    """
    if input.__class__ is _Tensor and other.__class__ is _Tensor and rounding_mode is None and not extra and not unknown:
        return _div(input, other, inplace=True)
    if (input.__class__ is _Tensor and (other.__class__ is float or other.__class__ is int) and rounding_mode is None and
            not extra and not unknown):
        return _scalar_div(input, other, inplace=True)
    return _div__slow((input, other, rounding_mode), extra, unknown)

def __truediv__(self, other):
    if other.__class__ is _Tensor:
        return _div(self, other)
    if other.__class__ is float or other.__class__ is int:
        return _scalar_div(self, other)
    if other.__class__ is _Tensor:
        return _div_rounded(self, other)
    if other.__class__ is float or other.__class__ is int:
        return _scalar_div_rounded(self, other)
    return div(self, other)

def __rtruediv__(self, other):
    if other.__class__ is float or other.__class__ is int:
        return _scalar_div_reversed(other, self)
    return div(other, self)

def __rdiv__(self, other):
    if other.__class__ is float or other.__class__ is int:
        return _scalar_div_reversed(other, self)
    return div(other, self)

_pow_slow = _Binding("pow", "Tensor (Tensor input, Tensor exponent)", _pow, "Tensor (Tensor input, Scalar exponent)", _scalar_pow,
        "Tensor (Scalar input, Tensor exponent)", _scalar_pow_reversed, methods="pow", autocast="float32")
def pow(input=_missing, exponent=_missing, *extra, **unknown):
    """input ** exponent; integers to negative numbers are refused

    Args:
        input: a tensor or a number.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` and `exponent` are broadcast together; the result has their common shape.

    Dtypes:
        The operands are of any dtype but bool. The result has the dtype that they promote to.

    Differentiable in `input` and `exponent`. Under `flow.autocast` it computes in float32. Methods:
    `Tensor.pow` and `Tensor.pow_`. Operator: `**`.

    Raises:
        RuntimeError: the shapes cannot be broadcast together.
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.pow.
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
        _scalar_pow_over, methods="pow_ __ipow__", inplace=True)
def pow_(input=_missing, exponent=_missing, *extra, **unknown):
    """In place: input ** exponent; integers to negative numbers are refused

    The result is written over `input`, which keeps its shape and dtype, and is returned. See
    `flow.pow`.

    Args:
        input: the input.

    Raises:
        RuntimeError: the shapes cannot be broadcast together.
        RuntimeError: the result does not fit the shape or the kind of dtype of `input`, or `input` is a
            leaf that requires grad.
        NotImplementedError: a dtype that is not taken.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.pow.
    """
    if input.__class__ is _Tensor and exponent.__class__ is _Tensor and not extra and not unknown:
        return _pow_over(input, exponent, inplace=True)
    if input.__class__ is _Tensor and (exponent.__class__ is float or exponent.__class__ is int) and not extra and not unknown:
        return _scalar_pow_over(input, exponent, inplace=True)
    return _pow__slow((input, exponent), extra, unknown)

def __pow__(self, other):
    if other.__class__ is _Tensor:
        return _pow(self, other)
    if other.__class__ is float or other.__class__ is int:
        return _scalar_pow(self, other)
    return pow(self, other)

def __rpow__(self, other):
    if other.__class__ is float or other.__class__ is int:
        return _scalar_pow_reversed(other, self)
    return pow(other, self)

_subtract_slow = _Binding("subtract", "Tensor (Tensor input, Tensor other, *, Scalar alpha=1, Bool inplace=False)", _sub,
        "Tensor (Tensor input, Scalar other, *, Scalar alpha=1, Bool inplace=False)", _scalar_sub,
        "Tensor (Scalar input, Tensor other, *, Scalar alpha=1)", _scalar_sub_reversed)
def subtract(input=_missing, other=_missing, *extra, alpha=1, inplace=False, **unknown):
    """input - alpha * other

    Args:
        input: a tensor or a number.
        other: a tensor or a number.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.subtract.
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
    return _subtract_slow((input, other, alpha, inplace), extra, unknown)

_rsub_slow = _Binding("rsub", "Tensor (Tensor input, Tensor other, *, Scalar alpha=1)", _r_sub,
        "Tensor (Tensor input, Scalar other, *, Scalar alpha=1)", _scalar_r_sub)
def rsub(input=_missing, other=_missing, *extra, alpha=1, **unknown):
    """other - alpha * input

    Args:
        input: the input.
        other: a tensor or a number.
        out: a tensor that the result is written into; not while gradients are recorded.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.rsub.
    """
    if (input.__class__ is _Tensor and other.__class__ is _Tensor and (alpha.__class__ is int or alpha.__class__ is float) and
            not extra and not unknown):
        return _r_sub(input, other, alpha)
    if (input.__class__ is _Tensor and (other.__class__ is float or other.__class__ is int) and
            (alpha.__class__ is int or alpha.__class__ is float) and not extra and not unknown):
        return _scalar_r_sub(input, other, alpha)
    return _rsub_slow((input, other, alpha), extra, unknown)

_multiply_slow = _Binding("multiply", "Tensor (Tensor input, Tensor other, *, Bool inplace=False)", _mul,
        "Tensor (Tensor input, Scalar other, *, Bool inplace=False)", _scalar_mul, "Tensor (Scalar input, Tensor other)",
        _scalar_mul_reversed)
def multiply(input=_missing, other=_missing, *extra, inplace=False, **unknown):
    """input * other

    Args:
        input: a tensor or a number.
        other: a tensor or a number.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.multiply.
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
    return _multiply_slow((input, other, inplace), extra, unknown)

_divide_slow = _Binding("divide", "Tensor (Tensor input, Tensor other, *, Bool inplace=False)", _div,
        "Tensor (Tensor input, Scalar other, *, Bool inplace=False)", _scalar_div, "Tensor (Scalar input, Tensor other)",
        _scalar_div_reversed, "Tensor (Tensor input, Tensor other, *, String rounding_mode=None)", _div_rounded,
        "Tensor (Tensor input, Scalar other, *, String rounding_mode=None)", _scalar_div_rounded)
def divide(input=_missing, other=_missing, *extra, inplace=False, rounding_mode=None, **unknown):
    """input / other, true division unless rounded

    Args:
        input: a tensor or a number.
        other: a tensor or a number.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.divide.
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
    return _divide_slow((input, other, inplace, rounding_mode), extra, unknown)

_true_divide_slow = _Binding("true_divide", "Tensor (Tensor input, Tensor other, *, Bool inplace=False)", _div,
        "Tensor (Tensor input, Scalar other, *, Bool inplace=False)", _scalar_div, "Tensor (Scalar input, Tensor other)",
        _scalar_div_reversed)
def true_divide(input=_missing, other=_missing, *extra, inplace=False, **unknown):
    """input / other

    Args:
        input: a tensor or a number.
        other: a tensor or a number.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.true_divide.
    """
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

_methods = _publish(globals())
