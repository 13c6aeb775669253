"""Functors of products of vectors and matrices, and of tensors as matrices."""

from __future__ import annotations

from math import prod
from typing import Any

from tritonflow.binding.library import function
from tritonflow.binding.target import beside
from tritonflow.dtypes import bool_, result_type
from tritonflow.errors import DTypeError, InvalidArgumentError, ShapeError
from tritonflow.framework.tensor import Tensor, wrap_dim
from tritonflow.functions import reduction
from tritonflow.functions.cast import cast
from tritonflow.functions.creation import full
from tritonflow.functions.generated import mul
from tritonflow.functions.join import cat
from tritonflow.functions.linalg_checks import check_floating
from tritonflow.functions.linalg_solve import linalg_inv, linalg_solve
from tritonflow.functions.matmul import matmul
from tritonflow.functions.matmul_contractions import cross
from tritonflow.functions.scan_sort import cumprod
from tritonflow.functions.unary_complex import conj_physical
from tritonflow.functions.view import diagonal, expand, reshape, unshared, unsqueeze
from tritonflow.functions.view_orders import movedim


@function(
    "Tensor (Tensor x, Tensor y, *, Int32 dim=-1)",
    export="linalg", reference="torch.linalg.vecdot", samples="vecdot", tolerance="matmul", autocast="lower",
)
def linalg_vecdot(x: Tensor, y: Tensor, dim: int = -1) -> Any:
    """The inner products of vectors along a dimension.

    It is sum(conj(x) * y); both broadcast first.

    Args:
        x: vectors; complex ones are conjugated.
        y: vectors.
        dim: the dimension; a negative one counts from the end.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...), (..., n, ...) -> (..., ...).

    Under `flow.autocast` it computes in its dtype.

    Raises:
        RuntimeError: real tensors that are not floating.
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.linalg.vecdot.

    Example:
        >>> import tritonflow as flow
        >>> x = flow.tensor([[1.0, 2.0], [3.0, 4.0]])
        >>> flow.linalg.vecdot(x, x)
        tensor([ 5., 25.])
    """
    # The inner products of vectors along a dimension, the first conjugated.
    for t in (x, y):
        if not t.meta.dtype.is_complex:
            check_floating("linalg.vecdot", t, True)
    dtype = result_type([(t.meta.dtype, t.meta.ndim) for t in (x, y)])
    products = mul(conj_physical(cast(x, dtype)), cast(y, dtype))
    return reduction.sum(products, (dim,), False, dtype if dtype.is_floating_point else None)


@function(
    "Tensor (Tensor input, Tensor other, *, Int32 dim=-1)",
    export="linalg", reference="torch.linalg.cross", samples="linalg_cross", tolerance="reduction",
)
def linalg_cross(input: Tensor, other: Tensor, dim: int = -1) -> Any:
    """The vector product along a dimension of size 3.

    Element i is x_j y_k - x_k y_j with j = i + 1 and k = i + 2 modulo 3. Both broadcast first.
    `flow.cross` without dim takes the first dimension of size 3 instead.

    Args:
        input: the input.
        other: a tensor.
        dim: the dimension; a negative one counts from the end.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., 3, ...), (..., 3, ...) -> (..., 3, ...).

    Raises:
        RuntimeError: the dimension has another size, or the numbers of dimensions differ.
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.linalg.cross.

    Example:
        >>> import tritonflow as flow
        >>> x, y = flow.tensor([1.0, 0.0, 0.0]), flow.tensor([0.0, 1.0, 0.0])
        >>> flow.linalg.cross(x, y)
        tensor([0., 0., 1.])
    """
    return cross(input, other, dim)


@function(
    "Tensor (Tensor A, *, Int64 offset=0, Int32 dim1=-2, Int32 dim2=-1)",
    export="linalg", reference="torch.linalg.diagonal", samples="linalg_diagonal",
)
def linalg_diagonal(A: Tensor, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Any:
    """The diagonals of matrices.

    A view: it shares the memory of A. `flow.diagonal` has the first two dimensions as default.

    Args:
        A: matrices, or any two dimensions of a tensor.
        offset: which diagonal: above the main one if positive, below it if negative.
        dim1: the dimension of rows.
        dim2: the dimension of columns.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., m, n) -> (..., length of the diagonal).

    Raises:
        IndexError: there is no such dimension.
        RuntimeError: dim1 and dim2 are the same.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.linalg.diagonal.

    Example:
        >>> import tritonflow as flow
        >>> flow.linalg.diagonal(flow.tensor([[1, 2], [3, 4]]))
        tensor([1, 4])
    """
    return diagonal(A, offset, dim1, dim2)


@function(
    "Tensor (Tensor x, *, Int64 N=None)",
    export="linalg", reference="torch.linalg.vander", samples="linalg_vander", tolerance="reduction",
)
def linalg_vander(x: Tensor, N: int | None = None) -> Any:
    """Rows of rising powers.

    Row i is 1, x_i, x_i^2, ..., x_i^(N - 1); the matrix of Vandermonde. `flow.vander` has falling
    powers.

    Args:
        x: numbers; one without dimensions counts as a vector of one.
        N: how many powers; default as many as x has numbers.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n) -> (..., n, N).

    Raises:
        RuntimeError: N is 1 or less, or a bool or half dtype.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.linalg.vander.

    Example:
        >>> import tritonflow as flow
        >>> flow.linalg.vander(flow.tensor([2, 3]), N=4)
        tensor([[ 1,  2,  4,  8],
                [ 1,  3,  9, 27]])
    """
    # Rows of rising powers: 1, x, x^2 ...
    if x.meta.dtype is bool_ or (x.meta.dtype.is_floating_point and x.meta.dtype.itemsize < 4):
        raise DTypeError(
            f"linalg.vander supports floating point, complex, and integer tensors, but got {x.meta.dtype.name}"
        )
    if not x.meta.ndim:
        x = unsqueeze(x, 0)
    count = x.meta.shape[-1] if N is None else N
    if count <= 1:
        raise InvalidArgumentError("N must be greater than 1.")
    ones = full((*x.meta.shape, 1), 1, dtype=x.meta.dtype, **beside(x))
    powers = cumprod(expand(unsqueeze(x, -1), (*x.meta.shape, count - 1)), -1)
    return cat([cast(ones, powers.meta.dtype), powers], -1)


@function(
    "Tensor (Tensor input, Int64 ind=2)",
    export="linalg", reference="torch.linalg.tensorinv", samples="tensorinv", tolerance="matmul", autocast="float32",
)
def linalg_tensorinv(A: Tensor, ind: int = 2) -> Any:
    """The inverse of a tensor as a map from its last dimensions to its first.

    With it, tensordot(tensorinv(A, ind), B, ind) is tensorsolve(A, B).

    Args:
        input: the input.
        ind: how many of the first dimensions are one side of the matrix.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (first ..., last ...) with equal products of both -> (last ..., first ...).

    Under `flow.autocast` it computes in float32.

    Raises:
        RuntimeError: ind is not positive, or the products differ.
        LinAlgError: the matrix is singular.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.linalg.tensorinv.

    Example:
        >>> import tritonflow as flow
        >>> A = flow.eye(6).reshape(2, 3, 6)
        >>> flow.linalg.tensorinv(A).shape
        tritonflow.Size([6, 2, 3])
    """
    # The inverse of a tensor as a map from its last dimensions to its first `ind`.
    if ind <= 0:
        raise InvalidArgumentError("Expected a strictly positive integer for 'ind'")
    first, last = A.meta.shape[:ind], A.meta.shape[ind:]
    rows, columns = prod(first), prod(last)
    if rows != columns:
        raise ShapeError(
            "Expected self to satisfy the requirement prod(self.shape[ind:]) == prod(self.shape[:ind]), but got"
            f" {columns} != {rows}"
        )
    return unshared(reshape(linalg_inv(reshape(A, (rows, columns))), (*last, *first)))


@function(
    "Tensor (Tensor input, Tensor other, Int32List[1] dims=None)",
    export="linalg", reference="torch.linalg.tensorsolve", samples="tensorsolve", tolerance="matmul", autocast="float32",
)
def linalg_tensorsolve(A: Tensor, B: Tensor, dims: tuple[int, ...] | None = None) -> Any:
    """x with tensordot(A, x, x.ndim) = B.

    Args:
        input: A.
        other: B.
        dims: dimensions of A that are moved to its end first.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (B's shape ..., x's shape ...), B's shape -> x's shape.

    Under `flow.autocast` it computes in float32.

    Raises:
        RuntimeError: the products of both shapes differ.
        LinAlgError: the matrix is singular.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.linalg.tensorsolve.

    Example:
        >>> import tritonflow as flow
        >>> A = 2 * flow.eye(6).reshape(2, 3, 6)
        >>> flow.linalg.tensorsolve(A, flow.ones(2, 3))
        tensor([0.5000, 0.5000, 0.5000, 0.5000, 0.5000, 0.5000])
    """
    # The x with tensordot(A, x, x.ndim) = B.
    if dims is not None:
        moved = [wrap_dim(d, A.meta.ndim) for d in dims]
        A = movedim(A, tuple(moved), tuple(range(A.meta.ndim - len(moved), A.meta.ndim)))
    shape = A.meta.shape[B.meta.ndim :]
    columns = prod(shape)
    if columns != B.meta.numel:
        raise ShapeError(
            "Expected self to satisfy the requirement prod(self.shape[other.ndim:]) == prod(self.shape[:other.ndim]), but got"
            f" {columns} != {B.meta.numel}"
        )
    flat = linalg_solve(reshape(A, (columns, columns)), reshape(B, (B.meta.numel,)))
    return unshared(reshape(flat, shape))


@function(
    "Tensor (Tensor input, Tensor other)",
    export="linalg", reference="torch.linalg.matmul", samples="linalg_matmul", tolerance="matmul", autocast="lower",
)
def linalg_matmul(input: Tensor, other: Tensor) -> Any:
    """The matrix product of the last two dimensions, broadcast over the others.

    The same as `flow.matmul`.

    Args:
        input: the input.
        other: a tensor.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., m, k), (..., k, n) -> (..., m, n); a vector counts as a row on the left and a column on the
        right.

    Under `flow.autocast` it computes in its dtype.

    Raises:
        RuntimeError: sizes or dtypes do not fit.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.linalg.matmul.

    Example:
        >>> import tritonflow as flow
        >>> flow.linalg.matmul(flow.ones(2, 3), flow.ones(3, 2))
        tensor([[3., 3.],
                [3., 3.]])
    """
    return matmul(input, other)
