"""Functors of products made of matrix products: bilinear forms and products of groups."""

from __future__ import annotations

from typing import Any

from tritonflow.errors import DTypeError, InvalidArgumentError, ShapeError
from tritonflow.framework.tensor import Tensor
from tritonflow.functional.functors.cast import cast
from tritonflow.functional.functors.join import cat, stack
from tritonflow.functional.functors.matmul import HALVES, matmul, unrounded_product
from tritonflow.functional.functors.view import reshape, unshared
from tritonflow.functional.library import functor


@functor("Bilinear")
def bilinear(input1: Tensor, input2: Tensor, weight: Tensor, bias: Tensor | None = None) -> Any:
    """y[..., o] = sum_ij input1[..., i] weight[o, i, j] input2[..., j] + bias[o]."""
    x1, x2, w = input1.meta.shape, input2.meta.shape, weight.meta.shape
    if not x1 or not x2:
        raise ShapeError("bilinear(): inputs must have a dimension, got one without")
    if x1[:-1] != x2[:-1]:
        raise ShapeError(f"bilinear(): input batch dimensions do not match: got {list(x1)} and {list(x2)}")
    if len(w) != 3 or x1[-1] != w[1] or x2[-1] != w[2]:
        raise ShapeError(f"bilinear(): sizes of inputs {list(x1)} and {list(x2)} do not match weight size: got {list(w)}")
    if bias is not None and bias.meta.shape != w[:1]:
        raise ShapeError(f"bilinear(): bias size does not match weight size: got {list(bias.meta.shape)} but expected {[w[0]]}")
    dtype = input1.meta.dtype
    halves = dtype in HALVES and input2.meta.dtype is dtype
    left = (unrounded_product if halves else matmul)(
        reshape(input1, (-1, w[1])), reshape(weight.permute(1, 0, 2), (w[1], w[0] * w[2]))
    )
    products = reshape(left, (-1, w[0], w[2])) * reshape(input2, (-1, 1, w[2]))
    result = unshared(reshape(products.sum(2, dtype=products.dtype), (*x1[:-1], w[0])))
    result = result if bias is None else result + bias
    return cast(result, dtype) if halves and (bias is None or bias.meta.dtype is dtype) else result


@functor("GroupedMm")
def grouped_mm(
    mat_a: Tensor, mat_b: Tensor, offs: Tensor | None = None, bias: Tensor | None = None, out_dtype: Any = None
) -> Any:
    """Products of groups: rows of mat_a up to offs[g] with mat_b[g]; or columns of both; or a batch."""
    a, b = mat_a.meta.shape, mat_b.meta.shape
    if len(a) not in (2, 3) or len(b) not in (2, 3):
        raise ShapeError(f"grouped_mm(): mat_a and mat_b must have 2 or 3 dimensions, got {len(a)} and {len(b)}")
    if a[-1] != b[-2]:
        raise ShapeError(f"grouped_mm(): contraction dimension of mat_a and mat_b must match, got {a[-1]} and {b[-2]}")
    if out_dtype not in (None, mat_a.meta.dtype):
        raise DTypeError(f"grouped_mm(): out_dtype must be that of mat_a, {mat_a.meta.dtype}, but got {out_dtype}")
    if len(a) == 3 and len(b) == 3:
        if offs is not None:
            raise InvalidArgumentError("grouped_mm(): Have to provide offsets only for 2d matrices")
        return matmul(mat_a, mat_b)
    if offs is None:
        raise InvalidArgumentError("grouped_mm(): Have to provide offsets if there is a 2d matrix")
    if bias is not None:
        raise InvalidArgumentError("grouped_mm(): Bias not supported yet")
    ends = [int(end) for end in offs.tolist()]
    spans = list(zip([0, *ends[:-1]], ends))
    if len(a) == 2 and len(b) == 3:
        parts = [matmul(mat_a[i:j], mat_b[g]) for g, (i, j) in enumerate(spans)]
        tail = [mat_a.new_zeros((a[0] - ends[-1], b[2]))] if ends[-1] < a[0] else []
        return cat([*parts, *tail], 0)
    if len(a) == 3:
        parts = [matmul(mat_a[g], mat_b[:, i:j]) for g, (i, j) in enumerate(spans)]
        tail = [mat_a.new_zeros((a[1], b[1] - ends[-1]))] if ends[-1] < b[1] else []
        return cat([*parts, *tail], 1)
    return stack([matmul(mat_a[:, i:j], mat_b[i:j]) for i, j in spans], 0)
