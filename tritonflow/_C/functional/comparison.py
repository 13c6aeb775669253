"""Functions of the binding: comparison.

Generated from op_registry.yaml by `python tritonflow/registry/generate.py`; do not edit.
"""
# fmt: off
# ruff: noqa: I001
from tritonflow.framework.tensor import Tensor as _Tensor
from tritonflow.binding.arguments import Binding as _Binding, FOREIGN as _FOREIGN, with_foreign as _with_foreign
from tritonflow.functions.comparison import (isclose as _is_close, allclose as _allclose, equal as _equal)
from tritonflow.functions.generated import (eq as _eq, ge as _ge, gt as _gt, is_finite as _is_finite, is_inf as _is_inf,
        is_nan as _is_nan, le as _le, logical_and as _logical_and, logical_not as _logical_not, logical_or as _logical_or,
        logical_xor as _logical_xor, lt as _lt, ne as _ne, scalar_eq as _scalar_eq, scalar_ge as _scalar_ge,
        scalar_gt as _scalar_gt, scalar_le as _scalar_le, scalar_logical_and as _scalar_logical_and,
        scalar_logical_or as _scalar_logical_or, scalar_logical_xor as _scalar_logical_xor, scalar_lt as _scalar_lt,
        scalar_ne as _scalar_ne)
from tritonflow.binding.library import publish as _publish
from tritonflow.binding.prototype import MISSING as _missing
from tritonflow.binding.torch_calls import in_place as _in_place

_eq_slow = _Binding("eq", "Tensor (Tensor input, Tensor other)", _eq, "Tensor (Tensor input, Scalar other)", _scalar_eq,
        methods="eq")
def eq(input=_missing, other=_missing, *extra, **unknown):
    """Where input equals other.

    NaN equals nothing, not even itself.

    Args:
        input: the input.
        other: a tensor or a number.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` and `other` are broadcast together; the result has their common shape.

    Dtypes:
        The result is bool.

    Not differentiable. Methods: `Tensor.eq` and `Tensor.eq_`. Operator: `==`.

    Raises:
        RuntimeError: the shapes cannot be broadcast together.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.eq.

    Example:
        >>> import tritonflow as flow
        >>> flow.eq(flow.tensor([1, 2, 3]), flow.tensor([1, 0, 3]))
        tensor([ True, False,  True])
        >>> flow.tensor([1.0, 2.0]) == 2.0
        tensor([False,  True])
    """
    if input.__class__ is _Tensor and other.__class__ is _Tensor and not extra and not unknown:
        return _eq(input, other)
    if input.__class__ is _Tensor and (other.__class__ is float or other.__class__ is int) and not extra and not unknown:
        return _scalar_eq(input, other)
    return _eq_slow((input, other), extra, unknown)

_eq_over = _in_place(_eq)
_scalar_eq_over = _in_place(_scalar_eq)
_eq__slow = _Binding("eq_", "Tensor (Tensor input, Tensor other)", _eq_over, "Tensor (Tensor input, Scalar other)",
        _scalar_eq_over, methods="eq_", inplace=True)
def eq_(input=_missing, other=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and other.__class__ is _Tensor and not extra and not unknown:
        return _eq_over(input, other, inplace=True)
    if input.__class__ is _Tensor and (other.__class__ is float or other.__class__ is int) and not extra and not unknown:
        return _scalar_eq_over(input, other, inplace=True)
    return _eq__slow((input, other), extra, unknown)

def __eq__(self, other):
    """The operator of `eq`, which says more."""
    if other.__class__ is _Tensor:
        return _eq(self, other)
    if other.__class__ is float or other.__class__ is int:
        return _scalar_eq(self, other)
    if isinstance(other, _FOREIGN):
        return _with_foreign("__eq__", eq, self, other)
    try:
        return eq(self, other)
    except TypeError:
        if hasattr(other, "__array__"):
            raise
        return NotImplemented

_ne_slow = _Binding("ne", "Tensor (Tensor input, Tensor other)", _ne, "Tensor (Tensor input, Scalar other)", _scalar_ne,
        methods="ne not_equal")
def ne(input=_missing, other=_missing, *extra, **unknown):
    """Where input differs from other.

    NaN differs from everything, even from itself.

    Args:
        input: the input.
        other: a tensor or a number.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` and `other` are broadcast together; the result has their common shape.

    Dtypes:
        The result is bool.

    Not differentiable. Methods: `Tensor.ne`, `Tensor.ne_`, `Tensor.not_equal` and `Tensor.not_equal_`.
    Operator: `!=`.

    Raises:
        RuntimeError: the shapes cannot be broadcast together.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.ne.

    Example:
        >>> import tritonflow as flow
        >>> flow.ne(flow.tensor([1, 2, 3]), 2)
        tensor([ True, False,  True])
    """
    if input.__class__ is _Tensor and other.__class__ is _Tensor and not extra and not unknown:
        return _ne(input, other)
    if input.__class__ is _Tensor and (other.__class__ is float or other.__class__ is int) and not extra and not unknown:
        return _scalar_ne(input, other)
    return _ne_slow((input, other), extra, unknown)

_ne_over = _in_place(_ne)
_scalar_ne_over = _in_place(_scalar_ne)
_ne__slow = _Binding("ne_", "Tensor (Tensor input, Tensor other)", _ne_over, "Tensor (Tensor input, Scalar other)",
        _scalar_ne_over, methods="ne_ not_equal_", inplace=True)
def ne_(input=_missing, other=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and other.__class__ is _Tensor and not extra and not unknown:
        return _ne_over(input, other, inplace=True)
    if input.__class__ is _Tensor and (other.__class__ is float or other.__class__ is int) and not extra and not unknown:
        return _scalar_ne_over(input, other, inplace=True)
    return _ne__slow((input, other), extra, unknown)

def __ne__(self, other):
    """The operator of `ne`, which says more."""
    if other.__class__ is _Tensor:
        return _ne(self, other)
    if other.__class__ is float or other.__class__ is int:
        return _scalar_ne(self, other)
    if isinstance(other, _FOREIGN):
        return _with_foreign("__ne__", ne, self, other)
    try:
        return ne(self, other)
    except TypeError:
        if hasattr(other, "__array__"):
            raise
        return NotImplemented

_not_equal_slow = _Binding("not_equal", "Tensor (Tensor input, Tensor other)", _ne, "Tensor (Tensor input, Scalar other)",
        _scalar_ne, like="ne")
def not_equal(input=_missing, other=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and other.__class__ is _Tensor and not extra and not unknown:
        return _ne(input, other)
    if input.__class__ is _Tensor and (other.__class__ is float or other.__class__ is int) and not extra and not unknown:
        return _scalar_ne(input, other)
    return _not_equal_slow((input, other), extra, unknown)

_lt_slow = _Binding("lt", "Tensor (Tensor input, Tensor other)", _lt, "Tensor (Tensor input, Scalar other)", _scalar_lt,
        methods="lt less")
def lt(input=_missing, other=_missing, *extra, **unknown):
    """Where input is less than other.

    A comparison with NaN is false. Complex numbers have no order.

    Args:
        input: the input.
        other: a tensor or a number.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` and `other` are broadcast together; the result has their common shape.

    Dtypes:
        Complex numbers are refused. The result is bool.

    Not differentiable. Methods: `Tensor.lt`, `Tensor.lt_`, `Tensor.less` and `Tensor.less_`. Operator:
    `<`.

    Raises:
        NotImplementedError: complex operands.
        RuntimeError: the shapes cannot be broadcast together.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.lt.

    Example:
        >>> import tritonflow as flow
        >>> flow.lt(flow.tensor([1, 2, 3]), 2)
        tensor([ True, False, False])
    """
    if input.__class__ is _Tensor and other.__class__ is _Tensor and not extra and not unknown:
        return _lt(input, other)
    if input.__class__ is _Tensor and (other.__class__ is float or other.__class__ is int) and not extra and not unknown:
        return _scalar_lt(input, other)
    return _lt_slow((input, other), extra, unknown)

_lt_over = _in_place(_lt)
_scalar_lt_over = _in_place(_scalar_lt)
_lt__slow = _Binding("lt_", "Tensor (Tensor input, Tensor other)", _lt_over, "Tensor (Tensor input, Scalar other)",
        _scalar_lt_over, methods="lt_ less_", inplace=True)
def lt_(input=_missing, other=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and other.__class__ is _Tensor and not extra and not unknown:
        return _lt_over(input, other, inplace=True)
    if input.__class__ is _Tensor and (other.__class__ is float or other.__class__ is int) and not extra and not unknown:
        return _scalar_lt_over(input, other, inplace=True)
    return _lt__slow((input, other), extra, unknown)

def __lt__(self, other):
    """The operator of `lt`, which says more."""
    if other.__class__ is _Tensor:
        return _lt(self, other)
    if other.__class__ is float or other.__class__ is int:
        return _scalar_lt(self, other)
    if isinstance(other, _FOREIGN):
        return _with_foreign("__lt__", lt, self, other)
    return lt(self, other)

_less_slow = _Binding("less", "Tensor (Tensor input, Tensor other)", _lt, "Tensor (Tensor input, Scalar other)", _scalar_lt,
        like="lt")
def less(input=_missing, other=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and other.__class__ is _Tensor and not extra and not unknown:
        return _lt(input, other)
    if input.__class__ is _Tensor and (other.__class__ is float or other.__class__ is int) and not extra and not unknown:
        return _scalar_lt(input, other)
    return _less_slow((input, other), extra, unknown)

_le_slow = _Binding("le", "Tensor (Tensor input, Tensor other)", _le, "Tensor (Tensor input, Scalar other)", _scalar_le,
        methods="le less_equal")
def le(input=_missing, other=_missing, *extra, **unknown):
    """Where input is at most other.

    A comparison with NaN is false. Complex numbers have no order.

    Args:
        input: the input.
        other: a tensor or a number.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` and `other` are broadcast together; the result has their common shape.

    Dtypes:
        Complex numbers are refused. The result is bool.

    Not differentiable. Methods: `Tensor.le`, `Tensor.le_`, `Tensor.less_equal` and
    `Tensor.less_equal_`. Operator: `<=`.

    Raises:
        NotImplementedError: complex operands.
        RuntimeError: the shapes cannot be broadcast together.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.le.

    Example:
        >>> import tritonflow as flow
        >>> flow.le(flow.tensor([1, 2, 3]), 2)
        tensor([ True,  True, False])
    """
    if input.__class__ is _Tensor and other.__class__ is _Tensor and not extra and not unknown:
        return _le(input, other)
    if input.__class__ is _Tensor and (other.__class__ is float or other.__class__ is int) and not extra and not unknown:
        return _scalar_le(input, other)
    return _le_slow((input, other), extra, unknown)

_le_over = _in_place(_le)
_scalar_le_over = _in_place(_scalar_le)
_le__slow = _Binding("le_", "Tensor (Tensor input, Tensor other)", _le_over, "Tensor (Tensor input, Scalar other)",
        _scalar_le_over, methods="le_ less_equal_", inplace=True)
def le_(input=_missing, other=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and other.__class__ is _Tensor and not extra and not unknown:
        return _le_over(input, other, inplace=True)
    if input.__class__ is _Tensor and (other.__class__ is float or other.__class__ is int) and not extra and not unknown:
        return _scalar_le_over(input, other, inplace=True)
    return _le__slow((input, other), extra, unknown)

def __le__(self, other):
    """The operator of `le`, which says more."""
    if other.__class__ is _Tensor:
        return _le(self, other)
    if other.__class__ is float or other.__class__ is int:
        return _scalar_le(self, other)
    if isinstance(other, _FOREIGN):
        return _with_foreign("__le__", le, self, other)
    return le(self, other)

_less_equal_slow = _Binding("less_equal", "Tensor (Tensor input, Tensor other)", _le, "Tensor (Tensor input, Scalar other)",
        _scalar_le, like="le")
def less_equal(input=_missing, other=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and other.__class__ is _Tensor and not extra and not unknown:
        return _le(input, other)
    if input.__class__ is _Tensor and (other.__class__ is float or other.__class__ is int) and not extra and not unknown:
        return _scalar_le(input, other)
    return _less_equal_slow((input, other), extra, unknown)

_gt_slow = _Binding("gt", "Tensor (Tensor input, Tensor other)", _gt, "Tensor (Tensor input, Scalar other)", _scalar_gt,
        methods="gt greater")
def gt(input=_missing, other=_missing, *extra, **unknown):
    """Where input is greater than other.

    A comparison with NaN is false. Complex numbers have no order.

    Args:
        input: the input.
        other: a tensor or a number.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` and `other` are broadcast together; the result has their common shape.

    Dtypes:
        Complex numbers are refused. The result is bool.

    Not differentiable. Methods: `Tensor.gt`, `Tensor.gt_`, `Tensor.greater` and `Tensor.greater_`.
    Operator: `>`.

    Raises:
        NotImplementedError: complex operands.
        RuntimeError: the shapes cannot be broadcast together.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.gt.

    Example:
        >>> import tritonflow as flow
        >>> flow.gt(flow.tensor([1, 2, 3]), 2)
        tensor([False, False,  True])
    """
    if input.__class__ is _Tensor and other.__class__ is _Tensor and not extra and not unknown:
        return _gt(input, other)
    if input.__class__ is _Tensor and (other.__class__ is float or other.__class__ is int) and not extra and not unknown:
        return _scalar_gt(input, other)
    return _gt_slow((input, other), extra, unknown)

_gt_over = _in_place(_gt)
_scalar_gt_over = _in_place(_scalar_gt)
_gt__slow = _Binding("gt_", "Tensor (Tensor input, Tensor other)", _gt_over, "Tensor (Tensor input, Scalar other)",
        _scalar_gt_over, methods="gt_ greater_", inplace=True)
def gt_(input=_missing, other=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and other.__class__ is _Tensor and not extra and not unknown:
        return _gt_over(input, other, inplace=True)
    if input.__class__ is _Tensor and (other.__class__ is float or other.__class__ is int) and not extra and not unknown:
        return _scalar_gt_over(input, other, inplace=True)
    return _gt__slow((input, other), extra, unknown)

def __gt__(self, other):
    """The operator of `gt`, which says more."""
    if other.__class__ is _Tensor:
        return _gt(self, other)
    if other.__class__ is float or other.__class__ is int:
        return _scalar_gt(self, other)
    if isinstance(other, _FOREIGN):
        return _with_foreign("__gt__", gt, self, other)
    return gt(self, other)

_greater_slow = _Binding("greater", "Tensor (Tensor input, Tensor other)", _gt, "Tensor (Tensor input, Scalar other)", _scalar_gt,
        like="gt")
def greater(input=_missing, other=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and other.__class__ is _Tensor and not extra and not unknown:
        return _gt(input, other)
    if input.__class__ is _Tensor and (other.__class__ is float or other.__class__ is int) and not extra and not unknown:
        return _scalar_gt(input, other)
    return _greater_slow((input, other), extra, unknown)

_ge_slow = _Binding("ge", "Tensor (Tensor input, Tensor other)", _ge, "Tensor (Tensor input, Scalar other)", _scalar_ge,
        methods="ge greater_equal")
def ge(input=_missing, other=_missing, *extra, **unknown):
    """Where input is at least other.

    A comparison with NaN is false. Complex numbers have no order.

    Args:
        input: the input.
        other: a tensor or a number.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` and `other` are broadcast together; the result has their common shape.

    Dtypes:
        Complex numbers are refused. The result is bool.

    Not differentiable. Methods: `Tensor.ge`, `Tensor.ge_`, `Tensor.greater_equal` and
    `Tensor.greater_equal_`. Operator: `>=`.

    Raises:
        NotImplementedError: complex operands.
        RuntimeError: the shapes cannot be broadcast together.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.ge.

    Example:
        >>> import tritonflow as flow
        >>> flow.ge(flow.tensor([1, 2, 3]), 2)
        tensor([False,  True,  True])
    """
    if input.__class__ is _Tensor and other.__class__ is _Tensor and not extra and not unknown:
        return _ge(input, other)
    if input.__class__ is _Tensor and (other.__class__ is float or other.__class__ is int) and not extra and not unknown:
        return _scalar_ge(input, other)
    return _ge_slow((input, other), extra, unknown)

_ge_over = _in_place(_ge)
_scalar_ge_over = _in_place(_scalar_ge)
_ge__slow = _Binding("ge_", "Tensor (Tensor input, Tensor other)", _ge_over, "Tensor (Tensor input, Scalar other)",
        _scalar_ge_over, methods="ge_ greater_equal_", inplace=True)
def ge_(input=_missing, other=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and other.__class__ is _Tensor and not extra and not unknown:
        return _ge_over(input, other, inplace=True)
    if input.__class__ is _Tensor and (other.__class__ is float or other.__class__ is int) and not extra and not unknown:
        return _scalar_ge_over(input, other, inplace=True)
    return _ge__slow((input, other), extra, unknown)

def __ge__(self, other):
    """The operator of `ge`, which says more."""
    if other.__class__ is _Tensor:
        return _ge(self, other)
    if other.__class__ is float or other.__class__ is int:
        return _scalar_ge(self, other)
    if isinstance(other, _FOREIGN):
        return _with_foreign("__ge__", ge, self, other)
    return ge(self, other)

_greater_equal_slow = _Binding("greater_equal", "Tensor (Tensor input, Tensor other)", _ge, "Tensor (Tensor input, Scalar other)",
        _scalar_ge, like="ge")
def greater_equal(input=_missing, other=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and other.__class__ is _Tensor and not extra and not unknown:
        return _ge(input, other)
    if input.__class__ is _Tensor and (other.__class__ is float or other.__class__ is int) and not extra and not unknown:
        return _scalar_ge(input, other)
    return _greater_equal_slow((input, other), extra, unknown)

_logical_and_slow = _Binding("logical_and", "Tensor (Tensor input, Tensor other)", _logical_and,
        "Tensor (Tensor input, Scalar other)", _scalar_logical_and, methods="logical_and")
def logical_and(input=_missing, other=_missing, *extra, **unknown):
    """Where both are true.

    A number counts as true where it is not 0; NaN is true.

    Args:
        input: the input.
        other: a tensor or a number.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` and `other` are broadcast together; the result has their common shape.

    Dtypes:
        The result is bool.

    Not differentiable. Methods: `Tensor.logical_and` and `Tensor.logical_and_`.

    Raises:
        RuntimeError: the shapes cannot be broadcast together.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.logical_and.

    Example:
        >>> import tritonflow as flow
        >>> flow.logical_and(flow.tensor([True, True, False]), flow.tensor([1, 0, 1]))
        tensor([ True, False, False])
    """
    if input.__class__ is _Tensor and other.__class__ is _Tensor and not extra and not unknown:
        return _logical_and(input, other)
    if input.__class__ is _Tensor and (other.__class__ is float or other.__class__ is int) and not extra and not unknown:
        return _scalar_logical_and(input, other)
    return _logical_and_slow((input, other), extra, unknown)

_logical_and_over = _in_place(_logical_and)
_scalar_logical_and_over = _in_place(_scalar_logical_and)
_logical_and__slow = _Binding("logical_and_", "Tensor (Tensor input, Tensor other)", _logical_and_over,
        "Tensor (Tensor input, Scalar other)", _scalar_logical_and_over, methods="logical_and_", inplace=True)
def logical_and_(input=_missing, other=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and other.__class__ is _Tensor and not extra and not unknown:
        return _logical_and_over(input, other, inplace=True)
    if input.__class__ is _Tensor and (other.__class__ is float or other.__class__ is int) and not extra and not unknown:
        return _scalar_logical_and_over(input, other, inplace=True)
    return _logical_and__slow((input, other), extra, unknown)

_logical_or_slow = _Binding("logical_or", "Tensor (Tensor input, Tensor other)", _logical_or,
        "Tensor (Tensor input, Scalar other)", _scalar_logical_or, methods="logical_or")
def logical_or(input=_missing, other=_missing, *extra, **unknown):
    """Where at least one is true.

    A number counts as true where it is not 0; NaN is true.

    Args:
        input: the input.
        other: a tensor or a number.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` and `other` are broadcast together; the result has their common shape.

    Dtypes:
        The result is bool.

    Not differentiable. Methods: `Tensor.logical_or` and `Tensor.logical_or_`.

    Raises:
        RuntimeError: the shapes cannot be broadcast together.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.logical_or.

    Example:
        >>> import tritonflow as flow
        >>> flow.logical_or(flow.tensor([True, False]), flow.tensor([0, 0]))
        tensor([ True, False])
    """
    if input.__class__ is _Tensor and other.__class__ is _Tensor and not extra and not unknown:
        return _logical_or(input, other)
    if input.__class__ is _Tensor and (other.__class__ is float or other.__class__ is int) and not extra and not unknown:
        return _scalar_logical_or(input, other)
    return _logical_or_slow((input, other), extra, unknown)

_logical_or_over = _in_place(_logical_or)
_scalar_logical_or_over = _in_place(_scalar_logical_or)
_logical_or__slow = _Binding("logical_or_", "Tensor (Tensor input, Tensor other)", _logical_or_over,
        "Tensor (Tensor input, Scalar other)", _scalar_logical_or_over, methods="logical_or_", inplace=True)
def logical_or_(input=_missing, other=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and other.__class__ is _Tensor and not extra and not unknown:
        return _logical_or_over(input, other, inplace=True)
    if input.__class__ is _Tensor and (other.__class__ is float or other.__class__ is int) and not extra and not unknown:
        return _scalar_logical_or_over(input, other, inplace=True)
    return _logical_or__slow((input, other), extra, unknown)

_logical_xor_slow = _Binding("logical_xor", "Tensor (Tensor input, Tensor other)", _logical_xor,
        "Tensor (Tensor input, Scalar other)", _scalar_logical_xor, methods="logical_xor")
def logical_xor(input=_missing, other=_missing, *extra, **unknown):
    """Where exactly one is true.

    A number counts as true where it is not 0; NaN is true.

    Args:
        input: the input.
        other: a tensor or a number.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` and `other` are broadcast together; the result has their common shape.

    Dtypes:
        The result is bool.

    Not differentiable. Methods: `Tensor.logical_xor` and `Tensor.logical_xor_`.

    Raises:
        RuntimeError: the shapes cannot be broadcast together.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.logical_xor.

    Example:
        >>> import tritonflow as flow
        >>> flow.logical_xor(flow.tensor([True, True, False]), flow.tensor([1, 0, 1]))
        tensor([False,  True,  True])
    """
    if input.__class__ is _Tensor and other.__class__ is _Tensor and not extra and not unknown:
        return _logical_xor(input, other)
    if input.__class__ is _Tensor and (other.__class__ is float or other.__class__ is int) and not extra and not unknown:
        return _scalar_logical_xor(input, other)
    return _logical_xor_slow((input, other), extra, unknown)

_logical_xor_over = _in_place(_logical_xor)
_scalar_logical_xor_over = _in_place(_scalar_logical_xor)
_logical_xor__slow = _Binding("logical_xor_", "Tensor (Tensor input, Tensor other)", _logical_xor_over,
        "Tensor (Tensor input, Scalar other)", _scalar_logical_xor_over, methods="logical_xor_", inplace=True)
def logical_xor_(input=_missing, other=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and other.__class__ is _Tensor and not extra and not unknown:
        return _logical_xor_over(input, other, inplace=True)
    if input.__class__ is _Tensor and (other.__class__ is float or other.__class__ is int) and not extra and not unknown:
        return _scalar_logical_xor_over(input, other, inplace=True)
    return _logical_xor__slow((input, other), extra, unknown)

_logical_not_slow = _Binding("logical_not", "Tensor (Tensor input)", _logical_not, methods="logical_not")
def logical_not(input=_missing, *extra, **unknown):
    """Where the input is not true.

    A number counts as true where it is not 0; NaN is true.

    Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` has any shape; the result has the same.

    Dtypes:
        The result is bool.

    Not differentiable. Methods: `Tensor.logical_not` and `Tensor.logical_not_`.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.logical_not.

    Example:
        >>> import tritonflow as flow
        >>> flow.logical_not(flow.tensor([0.0, 0.5]))
        tensor([ True, False])
    """
    if input.__class__ is _Tensor and not extra and not unknown:
        return _logical_not(input)
    return _logical_not_slow((input,), extra, unknown)

_logical_not_over = _in_place(_logical_not)
_logical_not__slow = _Binding("logical_not_", "Tensor (Tensor input)", _logical_not_over, methods="logical_not_", inplace=True)
def logical_not_(input=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and not extra and not unknown:
        return _logical_not_over(input, inplace=True)
    return _logical_not__slow((input,), extra, unknown)

_isnan_slow = _Binding("isnan", "Tensor (Tensor input)", _is_nan, methods="isnan")
def isnan(input=_missing, *extra, **unknown):
    """Where the input is NaN.

    Integers and bool are never NaN; a complex number is where one of its parts is.

    Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` has any shape; the result has the same.

    Dtypes:
        The result is bool.

    Not differentiable. Method: `Tensor.isnan`.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.isnan.

    Example:
        >>> import tritonflow as flow
        >>> flow.isnan(flow.tensor([1.0, float("nan")]))
        tensor([False,  True])
    """
    if input.__class__ is _Tensor and not extra and not unknown:
        return _is_nan(input)
    return _isnan_slow((input,), extra, unknown)

_isinf_slow = _Binding("isinf", "Tensor (Tensor input)", _is_inf, methods="isinf")
def isinf(input=_missing, *extra, **unknown):
    """Where the input is infinite.

    Integers and bool are never infinite; a complex number is where one of its parts is.

    Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` has any shape; the result has the same.

    Dtypes:
        The result is bool.

    Not differentiable. Method: `Tensor.isinf`.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.isinf.

    Example:
        >>> import tritonflow as flow
        >>> flow.isinf(flow.tensor([1.0, float("-inf")]))
        tensor([False,  True])
    """
    if input.__class__ is _Tensor and not extra and not unknown:
        return _is_inf(input)
    return _isinf_slow((input,), extra, unknown)

_isfinite_slow = _Binding("isfinite", "Tensor (Tensor input)", _is_finite, methods="isfinite")
def isfinite(input=_missing, *extra, **unknown):
    """Where the input is neither infinite nor NaN.

    Integers and bool are always finite; a complex number is where both of its parts are.

    Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` has any shape; the result has the same.

    Dtypes:
        The result is bool.

    Not differentiable. Method: `Tensor.isfinite`.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.isfinite.

    Example:
        >>> import tritonflow as flow
        >>> flow.isfinite(flow.tensor([1.0, float("inf"), float("nan")]))
        tensor([ True, False, False])
    """
    if input.__class__ is _Tensor and not extra and not unknown:
        return _is_finite(input)
    return _isfinite_slow((input,), extra, unknown)

_isclose_slow = _Binding("isclose",
        "Tensor (Tensor input, Tensor other, Float rtol=1e-05, Float atol=1e-08, Bool equal_nan=False)", _is_close,
        methods="isclose")
def isclose(input=_missing, other=_missing, rtol=1e-05, atol=1e-08, equal_nan=False, *extra, **unknown):
    """Where abs(input - other) <= atol + rtol * abs(other).

    Equal infinities are close, other infinities are not.

    Args:
        input: the input.
        other: a tensor.
        rtol: the tolerance relative to `other`.
        atol: the absolute tolerance.
        equal_nan: whether NaN equals NaN.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` and `other` are broadcast together; the result has their common shape.

    Dtypes:
        The result is bool.

    Not differentiable. Method: `Tensor.isclose`.

    Raises:
        RuntimeError: tensors of different dtypes; a negative tolerance; the shapes cannot be broadcast
            together.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.isclose.

    Example:
        >>> import tritonflow as flow
        >>> flow.isclose(flow.tensor([1.0, 2.0]), flow.tensor([1.0, 2.1]))
        tensor([ True, False])
        >>> flow.isclose(flow.tensor([1.0, 2.0]), flow.tensor([1.0, 2.1]), rtol=0.1)
        tensor([True, True])
    """
    if (input.__class__ is _Tensor and other.__class__ is _Tensor and rtol.__class__ is float and atol.__class__ is float and
            (equal_nan is False or equal_nan is True) and not extra and not unknown):
        return _is_close(input, other, rtol, atol, equal_nan)
    return _isclose_slow((input, other, rtol, atol, equal_nan), extra, unknown)

_allclose_slow = _Binding("allclose",
        "Bool (Tensor input, Tensor other, Float rtol=1e-05, Float atol=1e-08, Bool equal_nan=False)", _allclose,
        methods="allclose")
def allclose(input=_missing, other=_missing, rtol=1e-05, atol=1e-08, equal_nan=False, *extra, **unknown):
    if (input.__class__ is _Tensor and other.__class__ is _Tensor and rtol.__class__ is float and atol.__class__ is float and
            (equal_nan is False or equal_nan is True) and not extra and not unknown):
        return _allclose(input, other, rtol, atol, equal_nan)
    return _allclose_slow((input, other, rtol, atol, equal_nan), extra, unknown)

_equal_slow = _Binding("equal", "Bool (Tensor input, Tensor other)", _equal, methods="equal")
def equal(input=_missing, other=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and other.__class__ is _Tensor and not extra and not unknown:
        return _equal(input, other)
    return _equal_slow((input, other), extra, unknown)

_methods = _publish(globals())
