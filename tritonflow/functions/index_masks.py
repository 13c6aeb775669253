"""Functors of writes where a mask holds."""

from __future__ import annotations

from typing import Any

from tritonflow.binding.library import functor
from tritonflow.dtypes import INTEGER, DType, bool_, float64, int64, promote_types
from tritonflow.errors import DTypeError, ShapeError
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.tensor import Tensor
from tritonflow.framework.tensor_impl import EagerLocalTensorImpl
from tritonflow.functions.cast import cast, copy_
from tritonflow.functions.generated import logical_and, scalar_ge, scalar_le, scalar_lt, where
from tritonflow.functions.run_checks import check_in_runs
from tritonflow.interpreter.choice import all_examples
from tritonflow.interpreter.dispatch import dispatch
from tritonflow.interpreter.grad_mode import no_grad
from tritonflow.ops.cast import bounds_of, overflow_error, scalar_of

Number = int | float | bool

_masked_fill = op_expr("masked_fill")


@functor("MaskedFill")
def masked_fill(input: Tensor, mask: Tensor, value: Number, inplace: bool = False) -> Any:
    _check_mask(mask)
    if input.meta.dtype.category == INTEGER:
        value = scalar_of(value, input.meta.dtype)  # without a fraction, so that integers are not computed as floats
    return dispatch(_masked_fill, (input, mask), (), (value,), out=input if inplace else None)


@functor("MaskedFillTensor")
def masked_fill_tensor(input: Tensor, mask: Tensor, value: Tensor, inplace: bool = False) -> Any:
    _check_mask(mask)
    if value.meta.ndim:
        raise ShapeError(
            f"masked_fill only supports a 0-dimensional value tensor, but got tensor with {value.meta.ndim} dimension(s)."
        )
    if input.meta.dtype.category == INTEGER and promote_types(value.meta.dtype, input.meta.dtype) is not input.meta.dtype:
        if value.impl.__class__ is EagerLocalTensorImpl:
            scalar_of(value.item(), input.meta.dtype)  # type: ignore[attr-defined]
        elif all_examples(value).is_lazy and not value.meta.dtype.is_complex:
            _check_fits(value, input.meta.dtype)
    result = where(mask, cast(value, input.meta.dtype), input)
    return copy_(input, result) if inplace else result


def _check_fits(value: Tensor, dtype: DType) -> None:
    """As `scalar_of` does, for a number that is not known yet."""
    is_floating = value.meta.dtype.is_floating_point
    low, high = bounds_of(dtype, not is_floating)
    with no_grad():
        number = value if is_floating else cast(value, int64)
        if is_floating and high >= (1 << 53 if value.meta.dtype is float64 else 1 << 24):  # which is no number of its dtype
            below = scalar_lt(number, float(high + 1))
        else:
            below = scalar_le(number, high)
        check_in_runs(logical_and(scalar_ge(number, low), below), overflow_error(dtype))


def _check_mask(mask: Tensor) -> None:
    if mask.meta.dtype is not bool_:
        raise DTypeError(f"masked_fill only supports boolean masks, but got mask with dtype {mask.meta.dtype.name}")
