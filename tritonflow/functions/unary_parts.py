"""Functors of functions that look at what numbers are made of, and of those that real tensors share with complex ones."""

from __future__ import annotations

from typing import Any

from tritonflow.binding.library import function, functor
from tritonflow.dtypes import bool_, finfo, int32
from tritonflow.errors import DTypeError
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.cast import cast, clone, copy_
from tritonflow.functions.creation_like import ones_like
from tritonflow.functions.generated import scalar_eq, sign
from tritonflow.functions.unary_complex import imag
from tritonflow.interpreter import complex_numbers
from tritonflow.interpreter.dispatch import dispatch, dispatch1

_nan_to_num = op_expr("nan_to_num")
_logit = op_expr("logit")
_logit_clamped = op_expr("logit_clamped")
_frexp_mantissa = op_expr("frexp_mantissa")
_frexp_exponent = op_expr("frexp_exponent")


@functor("NanToNum")
def nan_to_num(
    input: Tensor,
    nan: float | None = None,
    posinf: float | None = None,
    neginf: float | None = None,
    inplace: bool = False,
) -> Any:
    """Integers have no such numbers and stay as they are."""
    dtype = input.meta.dtype
    if not dtype.is_floating_point:
        return copy_(input, clone(input)) if inplace else clone(input)
    largest = finfo(dtype).max
    values = (
        0.0 if nan is None else nan,
        largest if posinf is None else posinf,
        -largest if neginf is None else neginf,
    )
    return dispatch(_nan_to_num, (input,), (), values, out=input if inplace else None)


@functor("Logit")
def logit(input: Tensor, eps: float | None = None, inplace: bool = False) -> Any:
    out = input if inplace else None
    if eps is None or eps < 0:
        return dispatch(_logit, (input,), out=out)
    return dispatch(_logit_clamped, (input,), (), (eps,), out=out)


@functor("Frexp")
def frexp(input: Tensor) -> Any:
    if not input.meta.dtype.is_floating_point:
        raise DTypeError("torch.frexp() only supports floating-point dtypes")
    return dispatch1(_frexp_mantissa, input), cast(dispatch1(_frexp_exponent, input), int32)


@function("Tensor (Tensor input)", export=(), samples={"none": "frexp has them"})
def frexp_exponent(input: Tensor) -> Any:
    """The exponents of frexp in the dtype of the input."""
    return dispatch1(_frexp_exponent, input)


@function("Tensor (Tensor input)", methods=("positive", "__pos__"), samples="real")
def positive(input: Tensor) -> Any:
    """The input itself.

    The counterpart of `flow.negative`; it copies nothing.

    Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` has any shape; the result is the input.

    Method: `Tensor.positive`.

    Raises:
        RuntimeError: bool tensors.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.positive.

    Example:
        >>> import tritonflow as flow
        >>> flow.positive(flow.tensor([1.0, -2.0]))
        tensor([ 1., -2.])
    """
    if input.meta.dtype is bool_:
        raise DTypeError("The `+` operator, on a bool tensor is not supported.")
    return input


@function("Tensor (Tensor input, *, Bool inplace=False)", methods=("sgn", "sgn_"), samples="real")
def sgn(input: Tensor, inplace: bool = False) -> Any:
    """Sign of real numbers; complex ones divided by their absolute value.

    `out = input / abs(input)`, 0 of 0.

    Args:
        input: the input.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` has any shape; the result has the same.

    Methods: `Tensor.sgn` and `Tensor.sgn_`.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.sgn.

    Example:
        >>> import tritonflow as flow
        >>> flow.sgn(flow.tensor([-3.0, 0.0, 2.0]))
        tensor([-1.,  0.,  1.])
        >>> flow.sgn(flow.tensor([3 + 4j]))
        tensor([0.6000+0.8000j])
    """
    if not input.meta.dtype.is_complex:
        return sign(input, inplace)
    found = complex_numbers.apply_named("pointwise.sgn", input)
    return copy_(input, found) if inplace else found


@function("Tensor (Tensor input)", methods="isreal", samples="real", derivative={"none": "gives truth values"})
def isreal(input: Tensor) -> Any:
    """Where the imaginary part is 0.

    True of all real tensors.

    Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` has any shape; the result has the same and is bool.

    Not differentiable: gives truth values. Method: `Tensor.isreal`.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.isreal.

    Example:
        >>> import tritonflow as flow
        >>> flow.isreal(flow.tensor([1 + 2j, 3.0]))
        tensor([False,  True])
    """
    if input.meta.dtype.is_complex:
        return scalar_eq(imag(input), 0)
    return ones_like(input, dtype=bool_)
