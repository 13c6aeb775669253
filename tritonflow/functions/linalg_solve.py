"""Functors of linear equations, inverses and determinants."""

from __future__ import annotations

from math import prod
from typing import Any

from tritonflow.binding import data_exchange
from tritonflow.binding.library import function, functor
from tritonflow.binding.target import beside
from tritonflow.dtypes import INTEGER, int32, int64
from tritonflow.errors import DTypeError, InvalidArgumentError, ShapeError
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.tensor import Tensor
from tritonflow.functions import reduction
from tritonflow.functions.arithmetic import add, scalar_add, sub
from tritonflow.functions.cast import cast, clone
from tritonflow.functions.creation import empty, eye, full_like, tril, zeros
from tritonflow.functions.elementwise import clamp
from tritonflow.functions.elementwise_selection import where_scalar_x, where_scalar_y
from tritonflow.functions.generated import abs as abs_of
from tritonflow.functions.generated import gt as greater
from tritonflow.functions.generated import maximum, mul, reciprocal, scalar_eq, scalar_gt, scalar_lt, scalar_mul
from tritonflow.functions.linalg import eigen, exchange_rows
from tritonflow.functions.linalg import singular as singular_parts
from tritonflow.functions.linalg_checks import (
    broadcast_batches,
    check_floating,
    check_matrix,
    check_same_dtype,
    check_square,
    check_system,
    checked,
    no_singular_values,
    not_invertible,
    singular,
    transposed,
)
from tritonflow.functions.matmul import matmul
from tritonflow.functions.unary import square
from tritonflow.functions.view import (
    contiguous,
    diagonal,
    expand,
    movedim,
    narrow,
    reshape,
    squeeze,
    unshared,
    unsqueeze,
)
from tritonflow.interpreter.choice import all_examples
from tritonflow.interpreter.dispatch import dispatch

_solve = op_expr("linalg_solve_ex")
_triangular = op_expr("triangular")
_pinv = op_expr("linalg_pseudoinverse")
_determinant = op_expr("linalg_determinant")
_log_determinant = op_expr("linalg_log_determinant")


# ---------------------------------------------------------------------------------------------------------- triangles


@functor("Triangular")
def triangular(
    t: Tensor, b: Tensor, upper: bool, transposed: bool = False, left: bool = True, unit: bool = False
) -> Any:
    """x with t x = b, or x t = b; t's triangle is `upper` before it is transposed. The batches broadcast."""
    if t.meta.ndim == 2 and b.meta.ndim > 2:  # all sides of one matrix are columns of one equation, or rows
        shape = b.meta.shape
        if left:
            sides = reshape(movedim(b, (-2,), (0,)), (shape[-2], prod(shape) // max(shape[-2], 1)))
            solved = reshape(triangular(t, sides, upper, transposed, True, unit), (shape[-2], *shape[:-2], shape[-1]))
            return unshared(movedim(solved, (0,), (-2,)))
        sides = reshape(b, (prod(shape[:-1]), shape[-1]))
        return unshared(reshape(triangular(t, sides, upper, transposed, False, unit), shape))
    t, b = broadcast_batches(t, b)
    return dispatch(_triangular, (t, b), (upper, transposed, left, unit))


@function(
    "Tensor (Tensor input, Tensor B, *, Bool upper, Bool left=True, Bool unitriangular=False)",
    export="linalg", reference="torch.linalg.solve_triangular", samples="triangle_and_sides", tolerance="matmul",
    autocast="float32",
)
def linalg_solve_triangular(A: Tensor, B: Tensor, upper: bool, left: bool = True, unitriangular: bool = False) -> Any:
    """x with A x = B, or x A = B, for a triangle of A.

    The other triangle of A is not read. A zero on the diagonal is no error: the result has infinities
    or NaN.

    Args:
        input: the input.
        B: the right sides.
        upper: whether the upper triangle is used, otherwise the lower one.
        left: whether A stands left of x, as in A x = B.
        unitriangular: whether the diagonal counts as ones and is not read.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, n), (..., n, k) -> (..., n, k); with left=False (..., n, n), (..., k, n) -> (..., k, n).

    Under `flow.autocast` it computes in float32.

    Raises:
        RuntimeError: A is not square, or sizes or dtypes differ.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.linalg.solve_triangular.

    Example:
        >>> import tritonflow as flow
        >>> A = flow.tensor([[2.0, 0.0], [1.0, 4.0]])
        >>> b = flow.tensor([[2.0], [9.0]])
        >>> flow.linalg.solve_triangular(A, b, upper=False).tolist()
        [[1.0], [2.0]]
    """
    check_floating("linalg.solve_triangular", A)
    check_system("linalg.solve_triangular", A, B, left)
    return triangular(A, B, upper, False, left, unitriangular)


@function(
    "TensorTuple[solution, cloned_coefficient] (Tensor input, Tensor A, Bool upper=True, Bool transpose=False, Bool "
    "unitriangular=False)",
    methods="triangular_solve", samples="sides_and_triangle", tolerance="matmul", autocast="float32",
)
def triangular_solve(
    input: Tensor, A: Tensor, upper: bool = True, transpose: bool = False, unitriangular: bool = False
) -> Any:
    """x with A x = b for a triangle of A, and a copy of A.

    The older name of `flow.linalg.solve_triangular`; the right sides come first.

    Args:
        input: b, the right sides.
        A: square matrices, of which one triangle is read.
        upper: whether the upper triangle is used, otherwise the lower one.
        transpose: whether A^T x = b is solved.
        unitriangular: whether the diagonal counts as ones and is not read.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, k), (..., n, n) -> solution (..., n, k), cloned_coefficient (..., n, n).

    Returns:
        A named tuple `(solution, cloned_coefficient)`.

    Under `flow.autocast` it computes in float32. Method: `Tensor.triangular_solve`.

    Raises:
        RuntimeError: A is not square, sizes or dtypes differ, or a tensor has fewer than 2 dimensions.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.triangular_solve.

    Example:
        >>> import tritonflow as flow
        >>> A = flow.tensor([[2.0, 1.0], [0.0, 4.0]])
        >>> b = flow.tensor([[4.0], [8.0]])
        >>> flow.triangular_solve(b, A).solution.tolist()
        [[1.0], [2.0]]
    """
    for name, x in (("b", input), ("A", A)):
        if x.meta.ndim < 2:
            raise ShapeError(
                f"torch.triangular_solve: Expected {name} to have at least 2 dimensions, but it has {x.meta.ndim} dimensions"
                " instead"
            )
    check_system("triangular_solve", A, input, True, ("A", "b"))
    check_floating("triangular_solve", A)
    return triangular(A, input, upper, transpose, True, unitriangular), clone(broadcast_batches(A, input)[0])


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
    """x with P L U x = b, or of the transposed matrix."""
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
        adjoint: whether A^T stands for A.
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
    return unshared(transposed(lu_solved(factors, pivots, transposed(b), not adjoint)))


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
    # x with L L^T x = b, or U^T U x = b.
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
        RuntimeError: the factor is not square, or neither float32 nor float64.
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
        RuntimeError: the matrices are not square, or neither float32 nor float64.
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
        RuntimeError: the matrices are not square, or neither float32 nor float64.
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
        RuntimeError: the matrices are not square, or neither float32 nor float64.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.inverse.

    Example:
        >>> import tritonflow as flow
        >>> flow.inverse(flow.tensor([[2.0, 0.0], [0.0, 4.0]]))
        tensor([[0.5000, 0.0000],
                [0.0000, 0.2500]])
    """
    return linalg_inv(input)


@function(
    "Tensor (Tensor A)",
    export="linalg", reference="torch.linalg.det", samples="square", tolerance="matmul", autocast="float32",
)
def linalg_det(A: Tensor) -> Any:
    """The determinant.

    It is the product of the pivots of A = P L U, with the sign of P. A singular matrix has 0.

    Args:
        A: square matrices.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, n) -> (...).

    Under `flow.autocast` it computes in float32.

    Raises:
        RuntimeError: the matrices are not square, or neither float32 nor float64.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.linalg.det.

    Example:
        >>> import tritonflow as flow
        >>> flow.linalg.det(flow.tensor([[2.0, 0.0], [0.0, 4.0]]))
        tensor(8.)
    """
    check_floating("linalg.det", A)
    check_square("linalg.det", A)
    return dispatch(_determinant, (A,))[2]


@function("Tensor (Tensor input)", methods="det", samples="square", tolerance="matmul", autocast="float32")
def det(input: Tensor) -> Any:
    """The determinant.

    It is the product of the pivots of A = P L U, with the sign of P. A singular matrix has 0.

    Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, n) -> (...).

    Under `flow.autocast` it computes in float32. Method: `Tensor.det`.

    Raises:
        RuntimeError: the matrices are not square, or neither float32 nor float64.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.det.

    Example:
        >>> import tritonflow as flow
        >>> flow.det(flow.tensor([[2.0, 0.0], [0.0, 4.0]]))
        tensor(8.)
    """
    return linalg_det(input)


@function(
    "TensorTuple[sign, logabsdet] (Tensor A)",
    export="linalg", reference="torch.linalg.slogdet", samples="square", tolerance="matmul", autocast="float32",
)
def linalg_slogdet(A: Tensor) -> Any:
    """The sign of the determinant, and the logarithm of its magnitude.

    The determinant is sign * exp(logabsdet). A singular matrix has the sign 0 and the logarithm -inf.
    It does not overflow where the determinant itself would.

    Args:
        A: square matrices.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, n) -> sign (...), logabsdet (...).

    Returns:
        A named tuple `(sign, logabsdet)`.

    Under `flow.autocast` it computes in float32.

    Raises:
        RuntimeError: the matrices are not square, or neither float32 nor float64.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.linalg.slogdet.

    Example:
        >>> import tritonflow as flow
        >>> sign, logabsdet = flow.linalg.slogdet(1e30 * flow.eye(2))
        >>> sign.item(), round(logabsdet.item(), 3)
        (1.0, 138.155)
    """
    check_floating("linalg.slogdet", A)
    check_square("linalg.slogdet", A)
    return dispatch(_log_determinant, (A,))[:2]


@function(
    "TensorTuple[sign, logabsdet] (Tensor input)",
    methods="slogdet", samples="square", tolerance="matmul", autocast="float32",
)
def slogdet(input: Tensor) -> Any:
    """The sign of the determinant, and the logarithm of its magnitude.

    The determinant is sign * exp(logabsdet). A singular matrix has the sign 0 and the logarithm -inf.
    It does not overflow where the determinant itself would.

    Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, n) -> sign (...), logabsdet (...).

    Returns:
        A named tuple `(sign, logabsdet)`.

    Under `flow.autocast` it computes in float32. Method: `Tensor.slogdet`.

    Raises:
        RuntimeError: the matrices are not square, or neither float32 nor float64.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.slogdet.

    Example:
        >>> import tritonflow as flow
        >>> sign, logabsdet = flow.slogdet(1e30 * flow.eye(2))
        >>> sign.item(), round(logabsdet.item(), 3)
        (1.0, 138.155)
    """
    return linalg_slogdet(input)


@function("Tensor (Tensor input)", methods="logdet", samples="square", tolerance="matmul", autocast="float32")
def logdet(input: Tensor) -> Any:
    """The logarithm of the determinant.

    It is NaN where the determinant is negative, and -inf where it is 0.

    Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, n) -> (...).

    Under `flow.autocast` it computes in float32. Method: `Tensor.logdet`.

    Raises:
        RuntimeError: the matrices are not square, or neither float32 nor float64.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.logdet.

    Example:
        >>> import tritonflow as flow
        >>> flow.logdet(flow.eye(3))
        tensor(0.)
        >>> flow.logdet(-flow.eye(3))
        tensor(nan)
    """
    # NaN of a negative determinant.
    check_square("logdet", input)
    check_floating("logdet", input)
    sign, magnitude = dispatch(_log_determinant, (input,))[:2]
    return where_scalar_x(scalar_lt(sign, 0), float("nan"), magnitude)


# -------------------------------------------------------------------------------------------------------- least squares


@function(
    "TensorTuple[solution, residuals, rank, singular_values] (Tensor input, Tensor b, Double rcond=None, *, String "
    "driver=None)",
    export="linalg", reference="op_references.lstsq", samples="least_squares", tolerance="matmul", autocast="float32",
)
def linalg_lstsq(input: Tensor, b: Tensor, rcond: float | None = None, driver: str | None = None) -> Any:
    """The x with the least norm of A x - B, residuals, ranks and singular values.

    Where several x have the least norm of A x - B, it is the one with the least norm of its own. All
    drivers give the solution by singular values; they differ in what else is returned.

    Args:
        input: A.
        b: B, matrices or a vector for each matrix.
        rcond: singular values up to rcond * the largest count as 0; default eps * max(m, n).
        driver: "gelsy" (default), "gels", "gelsd" or "gelss": residuals are for m > n and not gelsy, ranks
            not for gels, singular values for gelsd and gelss; what is not given is empty.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., m, n), (..., m, k) or (..., m) -> solution (..., n, k) or (..., n), residuals (..., k), rank
        (...), singular_values.

    Returns:
        A named tuple `(solution, residuals, rank, singular_values)`.

    Under `flow.autocast` it computes in float32.

    Raises:
        RuntimeError: another driver, sizes or dtypes that differ, or neither float32 nor float64.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.linalg.lstsq.

    Example:
        >>> import tritonflow as flow
        >>> A = flow.tensor([[1.0, 0.0], [1.0, 1.0], [1.0, 2.0]])
        >>> line = flow.linalg.lstsq(A, flow.tensor([1.0, 3.0, 5.0])).solution  # through (0, 1), (1, 3), (2, 5)
        >>> flow.allclose(line, flow.tensor([1.0, 2.0]), atol=1e-5)
        True
    """
    # (solution, residuals, rank, singular values), by singular values.
    check_floating("torch.linalg.lstsq", input)
    check_matrix("torch.linalg.lstsq", input, "input")
    if not b.meta.ndim:
        raise ShapeError("torch.linalg.lstsq: other must have at least 1 dimension.")
    check_same_dtype("torch.linalg.lstsq", input, b, ("input", "other"))
    if driver not in (None, "gels", "gelsy", "gelsd", "gelss"):
        raise InvalidArgumentError(
            f"torch.linalg.lstsq: parameter `driver` should be one of (gels, gelsy, gelsd, gelss) but got {driver}"
        )
    m, n = input.meta.shape[-2:]
    vector = input.meta.ndim - 1 == b.meta.ndim and b.meta.shape == input.meta.shape[:-1]
    right = unsqueeze(b, -1) if vector else b
    if right.meta.ndim < 2 or right.meta.shape[-2] != m:
        raise ShapeError("torch.linalg.lstsq: input.size(-2) should match other.size(-2)")
    a, right = broadcast_batches(input, right)
    epsilon = 2.0**-52 if input.meta.dtype.itemsize == 8 else 2.0**-23
    share = epsilon * max(m, n) if rcond is None or rcond < 0 else rcond
    solution = matmul(pseudoinverse(a, 0.0, share), right)
    used = driver or "gelsy"
    nothing = empty((0,), dtype=input.meta.dtype, **beside(input))
    values = singular_parts("torch.linalg.lstsq", a.detach(), False, None)[1]
    rank = rank_of(values, 0.0, share)
    residuals = nothing
    if m > n and used != "gelsy" and (used == "gels" or _is_full(rank, n)):
        residuals = reduction.sum(square(sub(right, matmul(a, solution))), (-2,))
    return (
        unshared(squeeze(solution, (-1,))) if vector else solution,
        residuals,
        empty((0,), dtype=int64, **beside(input)) if used == "gels" else rank,
        values if used in ("gelsd", "gelss") else nothing,
    )


def _is_full(rank: Tensor, columns: int) -> bool:
    """Whether every matrix has full rank, on which the residuals' shape depends: no graph captures that."""
    return bool(data_exchange.item(reduction.all(scalar_eq(all_examples(rank), columns))))


# -------------------------------------------------------------------------------------------- pseudoinverses and ranks


def pseudoinverse(a: Tensor, atol: float, rtol: float, symmetric: bool = False) -> Any:
    inverse, info = dispatch(_pinv, (contiguous(a) if symmetric else a,), (symmetric,), (atol, rtol))
    return checked(inverse, info, "linalg.svd", no_singular_values)


def rank_of(values: Tensor, atol: Any, rtol: Any) -> Any:
    """How many singular values, or magnitudes of eigenvalues, are larger than max(atol, rtol * the largest)."""
    if not values.meta.shape[-1]:
        return zeros(values.meta.shape[:-1], dtype=int64, **beside(values))
    largest = reduction.amax(values, (-1,), True)
    cut = _larger(_times(largest, rtol), atol)
    return reduction.sum(cast(greater(values, cut), int64), (-1,))


def _times(largest: Tensor, rtol: Any) -> Any:
    return mul(largest, unsqueeze(rtol, -1)) if isinstance(rtol, Tensor) else scalar_mul(largest, rtol)


def _larger(cut: Tensor, atol: Any) -> Any:
    return maximum(cut, cast(unsqueeze(atol, -1), cut.meta.dtype)) if isinstance(atol, Tensor) else clamp(cut, atol, None)


def _tolerances(function: str, A: Tensor, atol: Any, rtol: Any) -> tuple[Any, Any]:
    """torch's: rtol is eps times the larger size, and 0 where a positive atol is given."""
    for name, value in (("atol", atol), ("rtol", rtol)):
        if isinstance(value, Tensor) and not value.meta.dtype.is_floating_point and value.meta.dtype.category != INTEGER:
            raise DTypeError(f"{function}: {name} tensor of type {value.meta.dtype.name} is not supported")
    default = (2.0**-52 if A.meta.dtype.itemsize == 8 else 2.0**-23) * max(A.meta.shape[-2:])
    if rtol is None:
        if isinstance(atol, Tensor):
            rtol = where_scalar_x(scalar_gt(atol, 0), 0.0, full_like(atol, default, dtype=A.meta.dtype))
        else:
            rtol = 0.0 if atol is not None and atol > 0 else default
    return 0.0 if atol is None else atol, rtol


def _mirrored(A: Tensor) -> Any:
    """The symmetric matrix with A's lower triangle."""
    return add(tril(A), transposed(tril(A, -1)))


@function(
    "Tensor (Tensor input, *, Double atol=None, Double rtol=None, Bool hermitian=False)",
    "Tensor (Tensor input, *, Tensor atol=None, Tensor rtol=None, Bool hermitian=False)",
    "Tensor (Tensor input, Double rcond, Bool hermitian=False) => PinvRcond",
    "Tensor (Tensor input, Tensor rcond, Bool hermitian=False) => PinvRcond",
    export="linalg", reference="torch.linalg.pinv", samples="matrices", tolerance="matmul", autocast="float32",
)
def linalg_pinv(A: Tensor, atol: Any = None, rtol: Any = None, hermitian: bool = False) -> Any:
    """The pseudoinverse of Moore and Penrose.

    It is V diag(1/S) U^T of the singular value decomposition. Singular values up to max(atol, rtol *
    the largest) count as 0. The default of rtol is eps * max(m, n), or 0 where a positive atol is
    given.

    Overloads:
        - `pinv(input: Tensor, *, atol: float | None = None, rtol: float | None = None, hermitian: bool = False) -> Tensor`
        - `pinv(input: Tensor, *, atol: Tensor | None = None, rtol: Tensor | None = None, hermitian: bool = False) -> Tensor`
        - `pinv(input: Tensor, rcond: float, hermitian: bool = False) -> Tensor`
        - `pinv(input: Tensor, rcond: Tensor, hermitian: bool = False) -> Tensor`

    Args:
        input: the input.
        atol: the absolute tolerance, a number or one for each matrix.
        rtol: the relative tolerance, a number or one for each matrix.
        hermitian: whether the matrices are symmetric: eigenvalues are used then, and only the lower
            triangle is read.
        rcond: the older name of rtol.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., m, n) -> (..., n, m).

    Under `flow.autocast` it computes in float32.

    Raises:
        LinAlgError: a number is not finite.
        RuntimeError: fewer than 2 dimensions, hermitian matrices that are not square, or neither float32
            nor float64.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.linalg.pinv.

    Example:
        >>> import tritonflow as flow
        >>> flow.linalg.pinv(flow.tensor([[2.0, 0.0], [0.0, 4.0], [0.0, 0.0]]))
        tensor([[0.5000, 0.0000, 0.0000],
                [0.0000, 0.2500, 0.0000]])
    """
    check_floating("linalg.pinv", A)
    check_matrix("linalg.pinv", A)
    if hermitian:
        check_square("linalg.pinv", A)
    atol, rtol = _tolerances("torch.linalg.pinv", A, atol, rtol)
    if not isinstance(atol, Tensor) and not isinstance(rtol, Tensor):
        return pseudoinverse(A, float(atol), float(rtol), hermitian)
    if hermitian:
        A = _mirrored(A)
    u, s, vh = singular_parts("linalg.svd", A, False, None)
    cut = _larger(_times(reduction.amax(s, (-1,), True), rtol), atol)
    used = greater(s, cut)
    inverse = where_scalar_y(used, reciprocal(where_scalar_y(used, s, 1.0)), 0.0)
    return matmul(mul(transposed(vh), unsqueeze(inverse, -2)), u, False, True)


@functor("PinvRcond")
def linalg_pinv_rcond(A: Tensor, rcond: Any, hermitian: bool = False) -> Any:
    return linalg_pinv(A, 0.0, rcond, hermitian)


@function(
    "Tensor (Tensor input, Double rcond=1e-15)",
    methods="pinverse", samples="matrices", tolerance="matmul", autocast="float32",
)
def pinverse(input: Tensor, rcond: float = 1e-15) -> Any:
    """The pseudoinverse of Moore and Penrose.

    The older name of `flow.linalg.pinv`.

    Args:
        input: the input.
        rcond: singular values up to rcond * the largest count as 0.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., m, n) -> (..., n, m).

    Under `flow.autocast` it computes in float32. Method: `Tensor.pinverse`.

    Raises:
        LinAlgError: a number is not finite.
        RuntimeError: fewer than 2 dimensions, or neither float32 nor float64.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.pinverse.

    Example:
        >>> import tritonflow as flow
        >>> flow.pinverse(flow.tensor([[2.0], [0.0]]))
        tensor([[0.5000, 0.0000]])
    """
    return linalg_pinv(input, 0.0, rcond)


@function(
    "Tensor (Tensor input, *, Double atol=None, Double rtol=None, Bool hermitian=False)",
    "Tensor (Tensor input, *, Tensor atol=None, Tensor rtol=None, Bool hermitian=False)",
    "Tensor (Tensor input, Double tol, Bool hermitian=False) => MatrixRankTol",
    "Tensor (Tensor input, Tensor tol, Bool hermitian=False) => MatrixRankTol",
    export="linalg", reference="torch.linalg.matrix_rank", samples="matrices", autocast="float32",
    derivative={"none": "counts"},
)
def linalg_matrix_rank(A: Tensor, atol: Any = None, rtol: Any = None, hermitian: bool = False) -> Any:
    """How many singular values are larger than a tolerance.

    The tolerance is max(atol, rtol * the largest singular value). The default of rtol is eps * max(m,
    n), or 0 where a positive atol is given.

    Overloads:
        - `matrix_rank(input: Tensor, *, atol: float | None = None, rtol: float | None = None, hermitian: bool = False) -> Tensor`
        - `matrix_rank(input: Tensor, *, atol: Tensor | None = None, rtol: Tensor | None = None, hermitian: bool = False) -> Tensor`
        - `matrix_rank(input: Tensor, tol: float, hermitian: bool = False) -> Tensor`
        - `matrix_rank(input: Tensor, tol: Tensor, hermitian: bool = False) -> Tensor`

    Args:
        input: the input.
        atol: the absolute tolerance, a number or one for each matrix.
        rtol: the relative tolerance, a number or one for each matrix.
        hermitian: whether the matrices are symmetric: eigenvalues are used then, and only the lower
            triangle is read.
        tol: the older name of atol; rtol is 0 then.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., m, n) -> (...), int64.

    Not differentiable: counts. Under `flow.autocast` it computes in float32.

    Raises:
        RuntimeError: fewer than 2 dimensions, hermitian matrices that are not square, or neither float32
            nor float64.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.linalg.matrix_rank.

    Example:
        >>> import tritonflow as flow
        >>> flow.linalg.matrix_rank(flow.tensor([[1.0, 2.0], [2.0, 4.0]]))
        tensor(1)
    """
    check_matrix("linalg.matrix_rank", A, "input")
    check_floating("linalg.matrix_rank", A)
    atol, rtol = _tolerances("torch.linalg.matrix_rank", A, atol, rtol)
    if hermitian:
        check_square("linalg.matrix_rank", A)
        values = abs_of(eigen("linalg.eigvalsh", A.detach(), "L")[0])
    else:
        values = singular_parts("linalg.svdvals", A.detach(), False, None)[1]
    return rank_of(values, atol, rtol)


@functor("MatrixRankTol")
def linalg_matrix_rank_tol(A: Tensor, tol: Any, hermitian: bool = False) -> Any:
    return linalg_matrix_rank(A, tol, 0.0, hermitian)
