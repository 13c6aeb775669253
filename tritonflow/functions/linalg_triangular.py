"""Functors of equations with triangular matrices."""

from __future__ import annotations

from math import prod
from typing import Any

from tritonflow.binding.library import function, functor
from tritonflow.errors import ShapeError
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.cast import clone
from tritonflow.functions.linalg_checks import broadcast_batches, check_floating, check_system
from tritonflow.functions.unary_complex import conj_physical
from tritonflow.functions.view import reshape, unshared
from tritonflow.functions.view_orders import movedim
from tritonflow.interpreter.dispatch import dispatch

_triangular = op_expr("triangular")


@functor("Triangular")
def triangular(
    t: Tensor, b: Tensor, upper: bool, adjoint: bool = False, left: bool = True, unit: bool = False
) -> Any:
    """x with t x = b, or x t = b; t's triangle is `upper` before the adjoint is taken. The batches broadcast."""
    if t.meta.ndim == 2 and b.meta.ndim > 2:  # all sides of one matrix are columns of one equation, or rows
        shape = b.meta.shape
        if left:
            sides = reshape(movedim(b, (-2,), (0,)), (shape[-2], prod(shape) // max(shape[-2], 1)))
            solved = reshape(triangular(t, sides, upper, adjoint, True, unit), (shape[-2], *shape[:-2], shape[-1]))
            return unshared(movedim(solved, (0,), (-2,)))
        sides = reshape(b, (prod(shape[:-1]), shape[-1]))
        return unshared(reshape(triangular(t, sides, upper, adjoint, False, unit), shape))
    t, b = broadcast_batches(t, b)
    return dispatch(_triangular, (t, b), (upper, adjoint, left, unit))


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
    coefficient = conj_physical(A) if transpose else A  # whose adjoint is the transpose
    return triangular(coefficient, input, upper, transpose, True, unitriangular), clone(broadcast_batches(A, input)[0])
