"""Functors of symmetric and Hermitian matrices that need not be definite: A = L D L^H, and equations with such factors."""

from __future__ import annotations

from typing import Any

from tritonflow.binding.library import function, functor
from tritonflow.dtypes import int32
from tritonflow.errors import DTypeError, NotYetImplementedError, ShapeError
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.cast import cast
from tritonflow.functions.linalg_checks import (
    broadcast_batches,
    check_floating,
    check_matrix,
    check_same_dtype,
    check_square,
    checked,
    zero_block,
)
from tritonflow.functions.unary_complex import conj_physical
from tritonflow.functions.view import expand
from tritonflow.interpreter.dispatch import dispatch

_factor = op_expr("linalg_ldl_factor_ex")
_solve = op_expr("linalg_ldl_solve")


def _factored(A: Tensor, hermitian: bool) -> tuple[Tensor, Tensor, Tensor]:
    """LD, pivots, info."""
    check_floating("torch.linalg.ldl_factor_ex", A)
    check_square("torch.linalg.ldl_factor_ex", A)
    return dispatch(_factor, (A,), (_counts(A, hermitian),))  # type: ignore[no-any-return]


def _counts(A: Tensor, hermitian: bool) -> bool:
    """Whether it matters that A is Hermitian."""
    return hermitian and A.meta.dtype.is_complex


@functor("LdlFactorEx")
def ldl_factor_ex(A: Tensor, hermitian: bool = False, check_errors: bool = False) -> Any:
    factors, pivots, info = _factored(A, hermitian)
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
    factors, pivots, info = _factored(A, hermitian)
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
    return dispatch(_solve, (factors, expand(cast(pivots, int32), factors.meta.shape[:-1]), b), (_counts(LD, hermitian),))


@function("Tensor (Tensor dx, Tensor LD, Tensor pivots, Bool hermitian)", bind_python=False)
def ldl_solve_grad(dx: Tensor, LD: Tensor, pivots: Tensor, hermitian: bool) -> Any:
    """A^-H dx; of a symmetric A the adjoint is the conjugate."""
    return dispatch(_solve, (LD if hermitian else conj_physical(LD), pivots, dx), (hermitian,))


@function("Tensor ()", bind_python=False)
def ldl_factors_grad() -> Any:
    raise NotYetImplementedError("derivative for linalg_ldl_solve with respect to LD is not implemented")
