"""Functors of products made of matrix products: bilinear forms and products of groups."""

from __future__ import annotations

from typing import Any

from tritonflow.binding.library import function, functor
from tritonflow.dtypes import int32, int64
from tritonflow.errors import DTypeError, InvalidArgumentError, ShapeError
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.cast import cast
from tritonflow.functions.matmul import HALVES, check_same_dtype, matmul, unrounded_product
from tritonflow.functions.view import reshape, unshared
from tritonflow.interpreter.dispatch import dispatch3

_grouped_product = op_expr("grouped_product")


@function(
    "Tensor (Tensor input1, Tensor input2, Tensor weight, Tensor bias=None)",
    export=("flow", "nn.functional"), reference="torch.nn.functional.bilinear", samples="bilinear", tolerance="matmul",
    autocast="widest",
)
def bilinear(input1: Tensor, input2: Tensor, weight: Tensor, bias: Tensor | None = None) -> Any:
    """input1 weight[o] input2 + bias[o] for every output o.

        out[..., o] = sum over i, j of input1[..., i] * weight[o, i, j] * input2[..., j] + bias[o]

    Args:
        input1: vectors.
        input2: vectors.
        weight: a matrix for each output.
        bias: a number for each output.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., D1), (..., D2), (O, D1, D2) -> (..., O).

    Under `flow.autocast` it computes in the widest dtype of its operands.

    Raises:
        RuntimeError: sizes that do not fit.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.bilinear.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> F.bilinear(flow.tensor([[1.0, 2.0]]), flow.tensor([[3.0, 4.0]]), flow.ones(1, 2, 2))
        tensor([[21.]])
    """
    # y[..., o] = sum_ij input1[..., i] weight[o, i, j] input2[..., j] + bias[o].
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


@function(
    "Tensor (Tensor mat_a, Tensor mat_b, *, Tensor offs=None, Tensor bias=None, PyObject out_dtype=None)",
    export="nn.functional",
    samples={"none": "torch takes bfloat16 only: tests/nn/test_layers_of_several_inputs.py compares groups one by one"},
)
def grouped_mm(
    mat_a: Tensor, mat_b: Tensor, offs: Tensor | None = None, bias: Tensor | None = None, out_dtype: Any = None
) -> Any:
    """Matrix products of groups of rows or of columns.

    Groups end at offs[g]. With a 3-d mat_b the rows of group g of mat_a are multiplied by mat_b[g];
    with a 3-d mat_a the columns of group g of mat_b by mat_a[g]; of two 2-d matrices the columns and
    rows of group g give product g. Two 3-d tensors are a batch.

    Args:
        mat_a: left matrices.
        mat_b: right matrices.
        offs: where each group ends, integers that rise; what lies behind the last end gives zeros, or adds
            nothing.
        bias: not taken.
        out_dtype: the dtype of mat_a, which the result has.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (M, K), (G, K, N) -> (M, N); (G, M, K), (K, N) -> (M, N); (M, K), (K, N) -> (G, M, N); (G, M, K),
        (G, K, N) -> (G, M, N).

    Raises:
        RuntimeError: other dimensions, sizes that do not fit, another out_dtype, a bias, no offs with a 2-d
            matrix, or offs without one.
        IndexError: offs that do not rise, or that lie outside.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.grouped_mm.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> rows, weights = flow.ones(3, 2), flow.stack([flow.eye(2), 10 * flow.eye(2)])
        >>> F.grouped_mm(rows, weights, offs=flow.tensor([1, 3]))  # one row, then two
        tensor([[ 1.,  1.],
                [10., 10.],
                [10., 10.]])
    """
    # Products of groups: rows of mat_a up to offs[g] with mat_b[g]; or columns of both; or a batch.
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
    check_same_dtype(mat_a, mat_b)
    if offs.meta.ndim != 1:
        raise ShapeError("grouped_mm(): offs has to be 1D")
    if offs.meta.dtype not in (int32, int64):
        raise DTypeError(f"grouped_mm(): Offsets have to be int32 or int64, but got {offs.meta.dtype}")
    groups = a[0] if len(a) == 3 else b[0] if len(b) == 3 else offs.meta.shape[0]
    if groups != offs.meta.shape[0]:
        raise ShapeError("grouped_mm(): matrix batch sizes have to match")
    return grouped_product(mat_a, mat_b, offs)


@functor("GroupedProduct")
def grouped_product(mat_a: Tensor, mat_b: Tensor, offs: Tensor) -> Any:
    """The products of groups that end at offs[g], by the ranks of the factors."""
    return dispatch3(_grouped_product, mat_a, mat_b, offs)
