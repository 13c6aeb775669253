"""Functors of factorisations of matrices by rows: Cholesky, LU, and L D L^H of matrices that need not be definite."""

from __future__ import annotations

from typing import Any

from tritonflow.binding.library import function, functor
from tritonflow.binding.target import beside
from tritonflow.dtypes import int32, int64
from tritonflow.errors import DTypeError, InvalidArgumentError, NotYetImplementedError, ShapeError
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.arithmetic import add
from tritonflow.functions.cast import cast
from tritonflow.functions.creation import arange_end, empty, eye, tril, triu
from tritonflow.functions.generated import eq
from tritonflow.functions.linalg_checks import (
    broadcast_batches,
    check_floating,
    check_matrix,
    check_same_dtype,
    check_square,
    checked,
    not_positive,
    zero_block,
    zero_pivot,
)
from tritonflow.functions.unary_complex import adjoint, conj_physical
from tritonflow.functions.view import expand, narrow, unshared, unsqueeze
from tritonflow.interpreter.dispatch import dispatch

_cholesky = op_expr("linalg_cholesky_ex")
_lu_factor = op_expr("linalg_lu_factor_ex")
_exchange = op_expr("exchange_rows")
_ldl_factor = op_expr("linalg_ldl_factor_ex")
_ldl_solve = op_expr("linalg_ldl_solve")


# ----------------------------------------------------------------------------------------------------------- Cholesky


def factored(function: str, A: Tensor, upper: bool) -> tuple[Tensor, Tensor]:
    check_floating(function, A)
    check_square(function, A)
    factor, info = dispatch(_cholesky, (adjoint(A) if upper else A,))
    return (unshared(adjoint(factor)) if upper else factor), info


@functor("CholeskyEx")
def cholesky_ex(A: Tensor, upper: bool = False, check_errors: bool = False) -> Any:
    factor, info = factored("linalg.cholesky_ex", A, upper)
    return (checked(factor, info, "linalg.cholesky_ex", not_positive) if check_errors else factor), info


@function(
    "Tensor (Tensor input, *, Bool upper=False)",
    export="linalg", reference="torch.linalg.cholesky", samples="definite", tolerance="matmul", autocast="float32",
)
def linalg_cholesky(A: Tensor, upper: bool = False) -> Any:
    """The lower triangular L with A = L L^T.

    L has a positive diagonal. Only the lower triangle of each matrix is read; that it is symmetric is
    not checked.

    Args:
        input: the input.
        upper: whether the upper triangular U with A = U^T U is given instead; the upper triangle is read
            then.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, n) -> (..., n, n).

    Under `flow.autocast` it computes in float32.

    Raises:
        LinAlgError: a matrix is not positive definite.
        RuntimeError: the matrices are not square, or neither float32 nor float64, nor complex of these.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.linalg.cholesky.

    Example:
        >>> import tritonflow as flow
        >>> A = flow.tensor([[4.0, 2.0], [2.0, 5.0]])
        >>> L = flow.linalg.cholesky(A)
        >>> L
        tensor([[2., 0.],
                [1., 2.]])
        >>> L @ L.T
        tensor([[4., 2.],
                [2., 5.]])
    """
    return checked(*factored("linalg.cholesky", A, upper), "linalg.cholesky", not_positive)


@function(
    "Tensor (Tensor input, Bool upper=False)",
    methods="cholesky", samples="definite", tolerance="matmul", autocast="float32",
)
def cholesky(input: Tensor, upper: bool = False) -> Any:
    """The lower triangular L with A = L L^T.

    L has a positive diagonal. Only the lower triangle of each matrix is read; that it is symmetric is
    not checked.

    Args:
        input: the input.
        upper: whether the upper triangular U with A = U^T U is given instead; the upper triangle is read
            then.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, n) -> (..., n, n).

    Under `flow.autocast` it computes in float32. Method: `Tensor.cholesky`.

    Raises:
        LinAlgError: a matrix is not positive definite.
        RuntimeError: the matrices are not square, or neither float32 nor float64, nor complex of these.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.cholesky.

    Example:
        >>> import tritonflow as flow
        >>> A = flow.tensor([[4.0, 2.0], [2.0, 5.0]])
        >>> L = flow.cholesky(A)
        >>> L
        tensor([[2., 0.],
                [1., 2.]])
        >>> L @ L.T
        tensor([[4., 2.],
                [2., 5.]])
    """
    return checked(*factored("cholesky", input, upper), "cholesky", not_positive)


# ------------------------------------------------------------------------------------------------------------------ LU


def lu_of(function: str, A: Tensor, pivot: bool) -> tuple[Tensor, Tensor, Tensor]:
    """LU, pivots, info."""
    check_floating(function, A)
    check_matrix(function, A)
    if not pivot:
        raise InvalidArgumentError(f"{function}: LU without pivoting is not implemented on the CPU")
    return dispatch(_lu_factor, (A,))  # type: ignore[no-any-return]


@functor("LuFactorEx")
def lu_factor_ex(A: Tensor, pivot: bool = True, check_errors: bool = False) -> Any:
    factors, pivots, info = lu_of("linalg.lu_factor_ex", A, pivot)
    return (checked(factors, info, "linalg.lu_factor_ex", zero_pivot) if check_errors else factors), pivots, info


@function(
    "TensorTuple[LU, pivots] (Tensor A, *, Bool pivot=True)",
    name="linalg_lu_factor", export="linalg", reference="torch.linalg.lu_factor", samples="matrices", tolerance="matmul",
    autocast="float32",
)
def lu_factor(A: Tensor, pivot: bool = True) -> Any:
    """A = P L U with L and U in one matrix, and P as exchanges of rows.

    L has ones on its diagonal, which are not stored. Row i was exchanged with row pivots[i] - 1, in the
    order of i. `flow.linalg.lu_solve` solves equations with the two results.

    Args:
        A: matrices of any size.
        pivot: whether rows are exchanged; only True is implemented.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., m, n) -> LU (..., m, n), pivots (..., min(m, n)).

    Returns:
        A named tuple `(LU, pivots)`.

    Under `flow.autocast` it computes in float32.

    Raises:
        LinAlgError: the diagonal of U has a zero.
        RuntimeError: pivot=False, fewer than 2 dimensions, or neither float32 nor float64, nor complex of these.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.linalg.lu_factor.

    Example:
        >>> import tritonflow as flow
        >>> LU, pivots = flow.linalg.lu_factor(flow.tensor([[1.0, 2.0], [4.0, 4.0]]))
        >>> LU
        tensor([[4.0000, 4.0000],
                [0.2500, 1.0000]])
        >>> pivots.tolist()
        [2, 2]
    """
    factors, pivots, info = lu_of("linalg.lu_factor", A, pivot)
    return checked(factors, info, "torch.linalg.lu_factor", zero_pivot), pivots


@function(
    "Any (Tensor A, Bool pivot=True, Bool get_infos=False)",
    name="lu", methods="lu", samples="matrices", tolerance="matmul", autocast="float32",
)
def old_lu(A: Tensor, pivot: bool = True, get_infos: bool = False) -> Any:
    """lu_factor, with get_infos lu_factor_ex.

    The older name of `flow.linalg.lu_factor`: A = P L U, with L and U in one matrix.

    Args:
        A: matrices of any size.
        pivot: whether rows are exchanged; only True is implemented.
        get_infos: whether the third result says where the diagonal of U has its first zero.

    Shape:
        (..., m, n) -> (..., m, n), (..., min(m, n)), and (...) with get_infos.

    Under `flow.autocast` it computes in float32. Method: `Tensor.lu`.

    Raises:
        LinAlgError: the diagonal of U has a zero, without get_infos.
        RuntimeError: pivot=False, fewer than 2 dimensions, or neither float32 nor float64, nor complex of these.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.lu.

    Example:
        >>> import tritonflow as flow
        >>> LU, pivots, info = flow.lu(flow.tensor([[1.0, 2.0], [4.0, 4.0]]), get_infos=True)
        >>> pivots.tolist(), info.item()
        ([2, 2], 0)
    """
    factors, pivots, info = lu_of("linalg.lu_factor_ex", A, pivot)
    return (factors, pivots, info) if get_infos else (checked(factors, info, "torch.linalg.lu_factor_ex", zero_pivot), pivots)


@function(
    "TensorTuple[P, L, U] (Tensor A, *, Bool pivot=True)",
    export="linalg", reference="torch.linalg.lu", samples="matrices", tolerance="matmul", autocast="float32",
)
def linalg_lu(A: Tensor, pivot: bool = True) -> Any:
    """A = P L U.

    P is a permutation matrix, L is lower triangular with ones on its diagonal, U is upper triangular.

    Args:
        A: matrices of any size.
        pivot: whether rows are exchanged; only True is implemented.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., m, n) -> P (..., m, m), L (..., m, k), U (..., k, n) with k = min(m, n).

    Returns:
        A named tuple `(P, L, U)`.

    Under `flow.autocast` it computes in float32.

    Raises:
        RuntimeError: pivot=False, fewer than 2 dimensions, or neither float32 nor float64, nor complex of these.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.linalg.lu.

    Example:
        >>> import tritonflow as flow
        >>> A = flow.tensor([[1.0, 2.0], [4.0, 4.0]])
        >>> P, L, U = flow.linalg.lu(A)
        >>> P
        tensor([[0., 1.],
                [1., 0.]])
        >>> flow.equal(P @ L @ U, A)
        True
    """
    factors, pivots, _ = lu_of("linalg.lu", A, pivot)
    return lu_unpack(factors, pivots)


@function(
    "TensorTuple[P, L, U] (Tensor LU_data, Tensor LU_pivots, Bool unpack_data=True, Bool unpack_pivots=True)",
    samples="factored", tolerance="matmul", autocast="float32",
)
def lu_unpack(LU_data: Tensor, LU_pivots: Tensor, unpack_data: bool = True, unpack_pivots: bool = True) -> Any:
    """P, L and U of lu_factor.

    Args:
        LU_data: L and U in one matrix, as `flow.linalg.lu_factor` gives them.
        LU_pivots: the exchanges of rows, int32.
        unpack_data: whether L and U are made; without it they are empty.
        unpack_pivots: whether P is made; without it it is empty.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., m, n), (..., min(m, n)) -> P (..., m, m), L (..., m, k), U (..., k, n) with k = min(m, n).

    Returns:
        A named tuple `(P, L, U)`.

    Under `flow.autocast` it computes in float32.

    Raises:
        RuntimeError: the pivots are not int32.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.lu_unpack.

    Example:
        >>> import tritonflow as flow
        >>> A = flow.tensor([[1.0, 2.0], [4.0, 4.0]])
        >>> P, L, U = flow.lu_unpack(*flow.linalg.lu_factor(A))
        >>> flow.equal(P @ L @ U, A)
        True
    """
    # (P, L, U) with A = P L U; what is not wanted is empty.
    if LU_data.meta.ndim < 2:
        raise ShapeError("torch.lu_unpack: LU_data must have at least 2 dimensions.")
    nothing = empty((0,), dtype=LU_data.meta.dtype, **beside(LU_data))
    *batch, m, n = LU_data.meta.shape
    permutation = lower = upper = nothing
    if unpack_pivots:
        check_pivots(LU_pivots)
        if LU_pivots.meta.shape != (*batch, min(m, n)):
            raise ShapeError(
                f"torch.lu_unpack: Expected LU_pivots of shape {[*batch, min(m, n)]} for LU_data of shape {[*batch, m, n]}, but"
                f" got pivots of shape {list(LU_pivots.meta.shape)}"
            )
        one = expand(eye(m, dtype=LU_data.meta.dtype, **beside(LU_data)), (*batch, m, m))
        permutation = exchange_rows(one, LU_pivots, True)
    if unpack_data:
        least = min(m, n)
        lower = with_unit_diagonal(tril(narrow(LU_data, -1, 0, least), -1))
        upper = triu(narrow(LU_data, -2, 0, least))
    return permutation, lower, upper


def check_pivots(pivots: Tensor) -> None:
    if pivots.meta.dtype is not int32:
        raise InvalidArgumentError(
            "torch.lu_unpack: LU_pivots is expected to be a contiguous tensor of torch.int32 dtype.\n"
            "Note: this function is intended to be used with the output produced by torch.linalg.lu_factor"
        )


def with_unit_diagonal(lower: Tensor) -> Any:
    """A strict lower triangle with ones on the diagonal."""
    rows, columns = lower.meta.shape[-2:]
    i, j = (arange_end(k, dtype=int64, **beside(lower)) for k in (rows, columns))
    return add(lower, cast(eq(unsqueeze(i, 1), j), lower.meta.dtype))


@functor("ExchangeRows")
def exchange_rows(b: Tensor, pivots: Tensor, undo: bool) -> Any:
    """The rows of b exchanged with those that pivots name, one after the other, or back."""
    return dispatch(_exchange, (b, pivots), (undo,))


# ------------------------------------------------------------------------------------------------ indefinite matrices


def _ldl_factored(A: Tensor, hermitian: bool) -> tuple[Tensor, Tensor, Tensor]:
    """LD, pivots, info."""
    check_floating("torch.linalg.ldl_factor_ex", A)
    check_square("torch.linalg.ldl_factor_ex", A)
    return dispatch(_ldl_factor, (A,), (_counts(A, hermitian),))  # type: ignore[no-any-return]


def _counts(A: Tensor, hermitian: bool) -> bool:
    """Whether it matters that A is Hermitian."""
    return hermitian and A.meta.dtype.is_complex


@functor("LdlFactorEx")
def ldl_factor_ex(A: Tensor, hermitian: bool = False, check_errors: bool = False) -> Any:
    factors, pivots, info = _ldl_factored(A, hermitian)
    return (checked(factors, info, "torch.linalg.ldl_factor_ex", zero_block) if check_errors else factors), pivots, info


@function(
    "TensorTuple[LD, pivots] (Tensor A, *, Bool hermitian=False)",
    name="linalg_ldl_factor", export="linalg", reference="torch.linalg.ldl_factor", samples="square", tolerance="matmul",
    autocast="float32", derivative={"none": "torch has none"},
)
def ldl_factor(A: Tensor, hermitian: bool = False) -> Any:
    """A = L D L^T with L and D in one matrix, and exchanges of rows and columns.

    A is symmetric or Hermitian, and need not be definite. Only its lower triangle is read.
    `flow.linalg.ldl_factor_ex` tells how L, D and the exchanges are stored. `flow.linalg.ldl_solve` solves
    equations with the two results.

    Args:
        A: the matrices.
        hermitian: whether A is Hermitian, otherwise symmetric; of real matrices it is the same.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, n) -> LD (..., n, n), pivots (..., n).

    Returns:
        A named tuple `(LD, pivots)`.

    Under `flow.autocast` it computes in float32.

    Raises:
        LinAlgError: the diagonal of D has a zero.
        RuntimeError: the matrices are not square, or neither float32 nor float64, nor complex of these.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.linalg.ldl_factor.

    Example:
        >>> import tritonflow as flow
        >>> LD, pivots = flow.linalg.ldl_factor(flow.tensor([[4.0, 2.0], [2.0, 0.0]]))
        >>> LD
        tensor([[ 4.0000,  0.0000],
                [ 0.5000, -1.0000]])
        >>> pivots.tolist()
        [1, 2]
    """
    factors, pivots, info = _ldl_factored(A, hermitian)
    return checked(factors, info, "torch.linalg.ldl_factor", zero_block), pivots


@functor("LdlSolve")
def ldl_solve(LD: Tensor, pivots: Tensor, B: Tensor, hermitian: bool = False) -> Any:
    function = "torch.linalg.ldl_solve"
    check_floating(function, LD)
    check_square(function, LD, "LD")
    check_matrix(function, B, "B")
    rows, sides = LD.meta.shape[-1], B.meta.shape[-2]
    if rows != sides:
        raise ShapeError(
            f"Incompatible matrix sizes for {function}: each A matrix is {rows} by {rows} but each b matrix is {sides} by"
            f" {B.meta.shape[-1]}"
        )
    if pivots.meta.shape != LD.meta.shape[:-1]:
        raise ShapeError(
            f"{function}: Expected LD.shape[:-1] and pivots.shape to be the same, but got pivots with shape"
            f" {list(pivots.meta.shape)} instead"
        )
    if pivots.meta.dtype.is_floating_point or pivots.meta.dtype.is_complex or pivots.meta.dtype.name == "bool":
        raise DTypeError(f"{function}: Expected pivots to be integers. Got {pivots.meta.dtype.name}")
    check_same_dtype(function, LD, B, ("LD", "B"))
    factors, b = broadcast_batches(LD, B)
    return dispatch(_ldl_solve, (factors, expand(cast(pivots, int32), factors.meta.shape[:-1]), b), (_counts(LD, hermitian),))


@function("Tensor (Tensor dx, Tensor LD, Tensor pivots, Bool hermitian)", bind_python=False)
def ldl_solve_grad(dx: Tensor, LD: Tensor, pivots: Tensor, hermitian: bool) -> Any:
    """A^-H dx; of a symmetric A the adjoint is the conjugate."""
    return dispatch(_ldl_solve, (LD if hermitian else conj_physical(LD), pivots, dx), (hermitian,))


@function("Tensor (Tensor LD)", bind_python=False)
def ldl_factors_grad(LD: Tensor) -> Any:
    raise NotYetImplementedError("derivative for linalg_ldl_solve with respect to LD is not implemented")
