"""Functors of linear equations, inverses and determinants."""

from __future__ import annotations

from math import prod
from typing import Any

from tritonflow.binding.library import function, functor
from tritonflow.binding.target import beside
from tritonflow.dtypes import int32
from tritonflow.errors import DTypeError, InvalidArgumentError, ShapeError
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.tensor import Tensor
from tritonflow.functions import reduction
from tritonflow.functions.arithmetic import scalar_add
from tritonflow.functions.cast import cast
from tritonflow.functions.creation import eye
from tritonflow.functions.elementwise_selection import where_scalar_y
from tritonflow.functions.generated import scalar_eq
from tritonflow.functions.linalg import exchange_rows
from tritonflow.functions.linalg_checks import (
    broadcast_batches,
    check_floating,
    check_same_dtype,
    check_square,
    check_system,
    checked,
    not_invertible,
    singular,
    transposed,
)
from tritonflow.functions.linalg_triangular import triangular
from tritonflow.functions.unary_complex import adjoint as adjoint_of
from tritonflow.functions.view import diagonal, expand, narrow, reshape, squeeze, unshared, unsqueeze
from tritonflow.functions.view_orders import movedim
from tritonflow.interpreter.dispatch import dispatch

_solve = op_expr("linalg_solve_ex")


# ---------------------------------------------------------------------------------------------------------- equations


def _is_vector(a: Tensor, b: Tensor) -> bool:
    """Whether b has a vector for each matrix, and no matrix: as torch decides."""
    return b.meta.ndim == 1 or (a.meta.ndim - 1 == b.meta.ndim and b.meta.shape == a.meta.shape[:-1])


def _solved(function: str, A: Tensor, B: Tensor, left: bool) -> tuple[Tensor, Tensor]:
    """(x, info)"""
    check_floating(function, A)
    check_square(function, A)
    check_same_dtype(function, A, B)
    vector = _is_vector(A, B)
    if vector and not left:
        raise InvalidArgumentError(
            f"{function}: Vector broadcasting of the left hand side is not supported for left=False. In this case"
            " linalg.solve is equivalent to B / A.squeeze(-1)"
        )
    b = unsqueeze(B, -1) if vector else B
    check_system(function, A, b, left)
    if not left:
        A, b = transposed(A), transposed(b)
    x, info = _of_left_sides(A, b)
    if not left:
        x = unshared(transposed(x))
    return (unshared(squeeze(x, (-1,))) if vector else x), info


def _of_left_sides(a: Tensor, b: Tensor) -> tuple[Any, Tensor]:
    """x with a x = b, and an info for each matrix. All sides of one matrix are columns of one equation."""
    if a.meta.ndim == 2 and b.meta.ndim > 2:
        *batch, n, k = b.meta.shape
        columns = reshape(movedim(b, (-2,), (0,)), (n, prod(batch) * k))
        x, _, _, info = dispatch(_solve, (a, columns))
        return unshared(movedim(reshape(x, (n, *batch, k)), (0,), (-2,))), info
    own = a.meta.shape[:-2]
    a, b = broadcast_batches(a, b)
    x, _, _, info = dispatch(_solve, (a, b))
    extra = info.meta.ndim - len(own)
    for dim, size in enumerate((*(1,) * extra, *own)):  # equal where a was expanded
        if size != info.meta.shape[dim]:
            info = narrow(info, dim, 0, 1)
    return x, unshared(reshape(info, own)) if info.meta.shape != own else info


@functor("SolveEx")
def linalg_solve_ex(A: Tensor, B: Tensor, left: bool = True, check_errors: bool = False) -> Any:
    x, info = _solved("linalg.solve", A, B, left)
    return (checked(x, info, "torch.linalg.solve_ex", singular) if check_errors else x), info


@function(
    "Tensor (Tensor A, Tensor B, *, Bool left=True)",
    export="linalg", reference="torch.linalg.solve", samples="square_and_sides", tolerance="matmul", autocast="float32",
)
def linalg_solve(A: Tensor, B: Tensor, left: bool = True) -> Any:
    """x with A x = B, or x A = B.

    It factors A by LU with exchanges of rows. B has a matrix of right sides, or one vector, for each
    matrix A; batch dimensions broadcast.

    Args:
        A: the input.
        B: the right sides: matrices, or a vector for each matrix.
        left: whether A stands left of x, as in A x = B; otherwise x A = B.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, n), (..., n, k) or (..., n) -> as B.

    Under `flow.autocast` it computes in float32.

    Raises:
        LinAlgError: a matrix is singular.
        RuntimeError: A is not square, sizes or dtypes differ, or vectors with left=False.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.linalg.solve.

    Example:
        >>> import tritonflow as flow
        >>> A = flow.tensor([[3.0, 1.0], [1.0, 2.0]])
        >>> b = flow.tensor([9.0, 8.0])
        >>> x = flow.linalg.solve(A, b)
        >>> flow.allclose(x, flow.tensor([2.0, 3.0]))
        True
    """
    return checked(*_solved("linalg.solve", A, B, left), "torch.linalg.solve", singular)


def lu_solved(factors: Tensor, pivots: Tensor, b: Tensor, adjoint: bool) -> Any:
    """x with P L U x = b, or of the adjoint matrix."""
    if adjoint:
        x = triangular(factors, triangular(factors, b, True, True), False, True, True, True)
        return exchange_rows(x, pivots, True)
    x = triangular(factors, exchange_rows(b, pivots, False), False, False, True, True)
    return triangular(factors, x, True)


@function(
    "Tensor (Tensor LU, Tensor pivots, Tensor B, *, Bool left=True, Bool adjoint=False)",
    export="linalg", reference="torch.linalg.lu_solve", samples="factored_and_sides", tolerance="matmul", autocast="float32",
)
def linalg_lu_solve(LU: Tensor, pivots: Tensor, B: Tensor, left: bool = True, adjoint: bool = False) -> Any:
    """x with A x = B, from the factors of A.

    The factors come from `flow.linalg.lu_factor`; several systems of one matrix share them.

    Args:
        LU: L and U in one matrix.
        pivots: the exchanges of rows, int32.
        B: the right sides.
        left: whether A stands left of x, as in A x = B; otherwise x A = B.
        adjoint: whether the adjoint A^H stands for A; that of a real one is A^T.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, n), (..., n), (..., n, k) -> (..., n, k).

    Under `flow.autocast` it computes in float32.

    Raises:
        RuntimeError: the factors are not square, sizes or dtypes differ, or the pivots are not int32.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.linalg.lu_solve.

    Example:
        >>> import tritonflow as flow
        >>> factors = flow.linalg.lu_factor(flow.tensor([[2.0, 0.0], [0.0, 4.0]]))
        >>> flow.linalg.lu_solve(*factors, flow.tensor([[2.0], [8.0]])).tolist()
        [[1.0], [2.0]]
    """
    check_floating("torch.linalg.lu_solve", LU)
    if pivots.meta.dtype.name != "int32":
        raise DTypeError("linalg.lu_solve: pivots should be a Tensor of scalar type torch.int32")
    check_square("torch.linalg.lu_solve", LU, "LU")
    check_system("linalg.lu_solve", LU, B, left, ("LU", "B"))
    if pivots.meta.shape != LU.meta.shape[:-1]:
        raise ShapeError(
            "linalg.lu_solve: Number of pivots per batch should be same as the dimension of the matrix"
            if pivots.meta.shape[-1:] != LU.meta.shape[-1:]
            else "linalg.lu_solve: Expected LU.shape[:-1] and pivots.shape to be the same, but got pivots with shape"
            f" {list(pivots.meta.shape)} instead"
        )
    factors, b = broadcast_batches(LU, B)
    pivots = expand(pivots, factors.meta.shape[:-1])
    if left:
        return lu_solved(factors, pivots, b, adjoint)
    return unshared(adjoint_of(lu_solved(factors, pivots, adjoint_of(b), not adjoint)))


@function(
    "Tensor (Tensor input, Tensor LU_data, Tensor LU_pivots)",
    methods="lu_solve", samples="sides_and_factored", tolerance="matmul", autocast="float32",
)
def lu_solve(input: Tensor, LU_data: Tensor, LU_pivots: Tensor) -> Any:
    """x with A x = b, from the factors of A.

    The older name of `flow.linalg.lu_solve`; the right sides come first.

    Args:
        input: b, the right sides.
        LU_data: L and U in one matrix, as `flow.linalg.lu_factor` gives them.
        LU_pivots: the exchanges of rows, int32.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, k), (..., n, n), (..., n) -> (..., n, k).

    Under `flow.autocast` it computes in float32. Method: `Tensor.lu_solve`.

    Raises:
        RuntimeError: the factors are not square, sizes or dtypes differ, or the pivots are not int32.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.lu_solve.

    Example:
        >>> import tritonflow as flow
        >>> factors = flow.linalg.lu_factor(flow.tensor([[2.0, 0.0], [0.0, 4.0]]))
        >>> flow.lu_solve(flow.tensor([[2.0], [8.0]]), *factors).tolist()
        [[1.0], [2.0]]
    """
    return linalg_lu_solve(LU_data, LU_pivots, input)


@function(
    "Tensor (Tensor input, Tensor input2, Bool upper=False)",
    methods="cholesky_solve", reference="op_references.cholesky_solve", samples="factor_and_sides", tolerance="matmul",
    autocast="float32",
)
def cholesky_solve(input: Tensor, input2: Tensor, upper: bool = False) -> Any:
    """x with A x = b, from the triangular factor of A.

    A is L L^T, and `input2` is L as `flow.linalg.cholesky` gives it. The batch dimensions of both
    broadcast.

    Args:
        input: b, the right sides.
        input2: the factor L, or U.
        upper: whether the factor is U with A = U^T U.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, k), (..., n, n) -> (..., n, k).

    Under `flow.autocast` it computes in float32. Method: `Tensor.cholesky_solve`.

    Raises:
        RuntimeError: the factor is not square, the sizes or dtypes differ, or b has fewer than 2
            dimensions.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.cholesky_solve.

    Example:
        >>> import tritonflow as flow
        >>> A = flow.tensor([[4.0, 2.0], [2.0, 5.0]])
        >>> b = flow.tensor([[2.0], [5.0]])
        >>> flow.cholesky_solve(b, flow.linalg.cholesky(A)).tolist()
        [[0.0], [1.0]]
    """
    # x with L L^H x = b, or U^H U x = b.
    for name, x in (("b", input), ("u", input2)):
        if x.meta.ndim < 2:
            raise ShapeError(f"{name} should have at least 2 dimensions, but has {x.meta.ndim} dimensions instead")
    check_square("cholesky_solve", input2)
    if input2.meta.shape[-1] != input.meta.shape[-2]:
        raise ShapeError(
            "Incompatible matrix sizes for cholesky_solve: each A matrix is"
            f" {input2.meta.shape[-1]} by {input2.meta.shape[-1]} but each b matrix is {input.meta.shape[-2]} by"
            f" {input.meta.shape[-1]}"
        )
    check_same_dtype("cholesky_solve", input, input2, ("b", "A"))
    check_floating("cholesky_solve", input)
    return triangular(input2, triangular(input2, input, upper, upper), upper, not upper)


@function(
    "Tensor (Tensor input, Bool upper=False)",
    methods="cholesky_inverse", reference="op_references.cholesky_inverse", samples="triangle", tolerance="matmul",
    autocast="float32",
)
def cholesky_inverse(input: Tensor, upper: bool = False) -> Any:
    """The inverse of A, from its triangular factor.

    A is L L^T; L comes from `flow.linalg.cholesky`.

    Args:
        input: the factor L, or U.
        upper: whether the factor is U with A = U^T U.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, n) -> (..., n, n).

    Under `flow.autocast` it computes in float32. Method: `Tensor.cholesky_inverse`.

    Raises:
        RuntimeError: the factor is not square, or neither float32 nor float64, nor complex of these.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.cholesky_inverse.

    Example:
        >>> import tritonflow as flow
        >>> L = flow.tensor([[2.0, 0.0], [0.0, 4.0]])
        >>> flow.cholesky_inverse(L)
        tensor([[0.2500, 0.0000],
                [0.0000, 0.0625]])
    """
    check_square("cholesky_inverse", input)
    check_floating("cholesky_inverse", input)
    zero = scalar_eq(diagonal(input, 0, -2, -1), 0)
    first = cast(scalar_add(reduction.argmax(cast(zero, int32), -1), 1), int32) if input.meta.shape[-1] else None
    found = cholesky_solve(_identity(input), input, upper)
    if first is None:
        return found
    return checked(found, where_scalar_y(reduction.any(zero, (-1,)), first, 0), "cholesky_inverse", not_invertible)


# ------------------------------------------------------------------------------------------- inverses and determinants


def _identity(a: Tensor) -> Any:
    return expand(eye(a.meta.shape[-1], dtype=a.meta.dtype, **beside(a)), a.meta.shape)


def _inverse(function: str, A: Tensor) -> tuple[Tensor, Tensor]:
    check_floating(function, A)
    check_square(function, A)
    x, _, _, info = dispatch(_solve, (A, _identity(A)))
    return x, info


@function(
    "TensorTuple[inverse, info] (Tensor A, *, Bool check_errors=False)",
    export="linalg", reference="torch.linalg.inv_ex", samples="square", tolerance="matmul", autocast="float32",
)
def linalg_inv_ex(A: Tensor, check_errors: bool = False) -> Any:
    """The inverse, and whether there is one.

    A singular matrix is no error: its `info` is the number of the first zero pivot, from 1, and 0 where
    there is none.

    Args:
        A: square matrices.
        check_errors: whether a singular matrix is an error.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, n) -> inverse (..., n, n), info (...).

    Returns:
        A named tuple `(inverse, info)`.

    Under `flow.autocast` it computes in float32.

    Raises:
        LinAlgError: check_errors is True, and a matrix is singular.
        RuntimeError: the matrices are not square, or neither float32 nor float64, nor complex of these.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.linalg.inv_ex.

    Example:
        >>> import tritonflow as flow
        >>> flow.linalg.inv_ex(flow.tensor([[2.0, 0.0], [0.0, 4.0]])).inverse
        tensor([[0.5000, 0.0000],
                [0.0000, 0.2500]])
        >>> flow.linalg.inv_ex(flow.zeros(2, 2)).info.item()
        1
    """
    x, info = _inverse("linalg.inv", A)
    return (checked(x, info, "linalg.inv_ex", not_invertible) if check_errors else x), info


@function(
    "Tensor (Tensor A)",
    export="linalg", reference="torch.linalg.inv", samples="square", tolerance="matmul", autocast="float32",
)
def linalg_inv(A: Tensor) -> Any:
    """The inverse.

    It solves A X = I; `flow.linalg.solve(A, B)` is faster and more accurate than a product with an
    inverse.

    Args:
        A: square matrices.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, n) -> (..., n, n).

    Under `flow.autocast` it computes in float32.

    Raises:
        LinAlgError: a matrix is singular.
        RuntimeError: the matrices are not square, or neither float32 nor float64, nor complex of these.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.linalg.inv.

    Example:
        >>> import tritonflow as flow
        >>> flow.linalg.inv(flow.tensor([[2.0, 0.0], [0.0, 4.0]]))
        tensor([[0.5000, 0.0000],
                [0.0000, 0.2500]])
    """
    return checked(*_inverse("linalg.inv", A), "linalg.inv", not_invertible)


@function("Tensor (Tensor input)", methods="inverse", samples="square", tolerance="matmul", autocast="float32")
def inverse(input: Tensor) -> Any:
    """The inverse.

    It solves A X = I; `flow.linalg.solve(A, B)` is faster and more accurate than a product with an
    inverse.

    Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, n) -> (..., n, n).

    Under `flow.autocast` it computes in float32. Method: `Tensor.inverse`.

    Raises:
        LinAlgError: a matrix is singular.
        RuntimeError: the matrices are not square, or neither float32 nor float64, nor complex of these.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.inverse.

    Example:
        >>> import tritonflow as flow
        >>> flow.inverse(flow.tensor([[2.0, 0.0], [0.0, 4.0]]))
        tensor([[0.5000, 0.0000],
                [0.0000, 0.2500]])
    """
    return linalg_inv(input)
