"""`torch._prims_common`: the rules by which elementwise ops promote their arguments, for packages of kernels."""

from __future__ import annotations

from enum import Enum
from typing import Any

from tritonflow import dtypes
from tritonflow.dtypes import DType
from tritonflow.framework.tensor import Tensor


class ELEMENTWISE_TYPE_PROMOTION_KIND(Enum):
    """What an op makes of the dtype that its arguments promote to."""

    DEFAULT = (0,)
    NO_OPMATH = (1,)
    INT_TO_FLOAT = (2,)
    ALWAYS_BOOL = (3,)
    COMPLEX_TO_FLOAT = (4,)
    BOOL_TO_LONG = (5,)


_REAL = {dtypes.complex64: dtypes.float32, dtypes.complex128: dtypes.float64}


def elementwise_dtypes(*args: Any, type_promotion_kind: ELEMENTWISE_TYPE_PROMOTION_KIND) -> tuple[DType, DType]:
    """The dtype in which an op of these arguments computes, and that of its result."""
    kind = ELEMENTWISE_TYPE_PROMOTION_KIND
    tensors = [(x.meta.dtype, x.meta.ndim) for x in args if isinstance(x, Tensor)]
    numbers = tuple([x.__class__ for x in args if isinstance(x, (bool, int, float, complex))])
    result = dtypes.result_type(tensors, numbers)
    if type_promotion_kind is kind.INT_TO_FLOAT and not (result.is_floating_point or result.is_complex):
        result = dtypes.get_default_dtype()
    if type_promotion_kind is kind.BOOL_TO_LONG and result is dtypes.bool_:
        result = dtypes.int64
    computed = result if type_promotion_kind is kind.NO_OPMATH or result is dtypes.bool_ else result.compute
    if type_promotion_kind is kind.COMPLEX_TO_FLOAT:
        result = _REAL.get(result, result)
    return computed, dtypes.bool_ if type_promotion_kind is kind.ALWAYS_BOOL else result


def is_boolean_dtype(dtype: DType) -> bool:
    """Whether it is bool."""
    return dtype is dtypes.bool_


def is_integer_dtype(dtype: DType) -> bool:
    """Whether it is bool or of integers."""
    return not (dtype.is_floating_point or dtype.is_complex)


def is_float_dtype(dtype: DType) -> bool:
    """Whether it is of floats."""
    return dtype.is_floating_point


def is_complex_dtype(dtype: DType) -> bool:
    """Whether it is complex."""
    return dtype.is_complex
