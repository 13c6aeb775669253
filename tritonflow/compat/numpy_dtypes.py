"""OneFlow's names for dtypes of NumPy."""

from __future__ import annotations

from typing import Any

import numpy

from tritonflow.dtypes import DType


def convert_oneflow_dtype_to_numpy_dtype(oneflow_dtype: DType) -> numpy.dtype[Any]:
    """NumPy's dtype with the same numbers.

    Args:
        oneflow_dtype: a dtype.

    Raises:
        TypeError: NumPy has none (bfloat16, float8).

    Source: oneflow.convert_oneflow_dtype_to_numpy_dtype

    Example:
        >>> import tritonflow as flow
        >>> flow.convert_oneflow_dtype_to_numpy_dtype(flow.int8)
        dtype('int8')
    """
    return oneflow_dtype.numpy
