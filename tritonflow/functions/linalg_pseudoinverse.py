"""Functors that ask for the rank: pseudoinverses, least squares."""

from __future__ import annotations

from typing import Any

from tritonflow.binding import data_exchange
from tritonflow.binding.library import function, functor
from tritonflow.binding.target import beside
from tritonflow.dtypes import INTEGER, int64
from tritonflow.errors import DTypeError, InvalidArgumentError, ShapeError
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.tensor import Tensor
from tritonflow.functions import reduction
from tritonflow.functions.arithmetic import add, sub
from tritonflow.functions.cast import cast
from tritonflow.functions.creation import empty, tril, zeros
from tritonflow.functions.creation_like import full_like
from tritonflow.functions.elementwise import clamp
from tritonflow.functions.elementwise_selection import where_scalar_x, where_scalar_y
from tritonflow.functions.generated import abs as abs_of
from tritonflow.functions.generated import gt as greater
from tritonflow.functions.generated import maximum, mul, reciprocal, scalar_eq, scalar_gt, scalar_mul
from tritonflow.functions.linalg_checks import (
    broadcast_batches,
    check_floating,
    check_matrix,
    check_same_dtype,
    check_square,
    checked,
    epsilon,
    no_singular_values,
)
from tritonflow.functions.linalg_spectra import eigen
from tritonflow.functions.linalg_spectra import singular as singular_parts
from tritonflow.functions.matmul import matmul
from tritonflow.functions.unary import square
from tritonflow.functions.unary_complex import adjoint, conj_physical, real
from tritonflow.functions.view import contiguous, diagonal, squeeze, unshared, unsqueeze
from tritonflow.functions.view_diagonals import diag_embed
from tritonflow.interpreter.choice import all_examples
from tritonflow.interpreter.dispatch import dispatch

_pinv = op_expr("linalg_pseudoinverse")


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
        RuntimeError: another driver, sizes or dtypes that differ, or neither float32 nor float64, nor complex of these.
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
    share = epsilon(input) * max(m, n) if rcond is None or rcond < 0 else rcond
    solution = matmul(pseudoinverse(a, 0.0, share), right)
    used = driver or "gelsy"
    nothing = empty((0,), dtype=input.meta.dtype.to_real(), **beside(input))
    values = singular_parts("torch.linalg.lstsq", a.detach(), False, None)[1]
    rank = rank_of(values, 0.0, share)
    residuals = nothing
    if m > n and used != "gelsy" and (used == "gels" or _is_full(rank, n)):
        residuals = reduction.sum(square(abs_of(sub(right, matmul(a, solution)))), (-2,))
    return (
        unshared(squeeze(solution, (-1,))) if vector else solution,
        residuals,
        empty((0,), dtype=int64, **beside(input)) if used == "gels" else rank,
        values if used in ("gelsd", "gelss") else nothing,
    )


def _is_full(rank: Tensor, columns: int) -> bool:
    """Whether every matrix has full rank, on which the residuals' shape depends: no graph captures that."""
    return bool(data_exchange.item(reduction.all(scalar_eq(all_examples(rank), columns))))


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
    default = epsilon(A) * max(A.meta.shape[-2:])
    if rtol is None:
        if isinstance(atol, Tensor):
            rtol = where_scalar_x(scalar_gt(atol, 0), 0.0, full_like(atol, default, dtype=A.meta.dtype.to_real()))
        else:
            rtol = 0.0 if atol is not None and atol > 0 else default
    return 0.0 if atol is None else atol, rtol


def _mirrored(A: Tensor) -> Any:
    """The symmetric or Hermitian matrix with A's lower triangle."""
    below = tril(A, -1)
    return add(add(below, adjoint(below)), diag_embed(real(diagonal(A, 0, -2, -1))))


@function(
    "Tensor (Tensor input, *, Double atol=None, Double rtol=None, Bool hermitian=False)",
    "Tensor (Tensor input, *, Tensor atol=None, Tensor rtol=None, Bool hermitian=False)",
    "Tensor (Tensor input, Double rcond, Bool hermitian=False) => PinvRcond",
    "Tensor (Tensor input, Tensor rcond, Bool hermitian=False) => PinvRcond",
    export="linalg", reference="torch.linalg.pinv", samples="matrices", tolerance="matmul", autocast="float32",
)
def linalg_pinv(A: Tensor, atol: Any = None, rtol: Any = None, hermitian: bool = False) -> Any:
    """The pseudoinverse of Moore and Penrose.

    It is V diag(1/S) U^H of the singular value decomposition. Singular values up to max(atol, rtol *
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
        hermitian: whether the matrices are symmetric or Hermitian: eigenvalues are used then, and only the lower
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
    return matmul(mul(adjoint(vh), unsqueeze(inverse, -2)), conj_physical(u), False, True)


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
        RuntimeError: fewer than 2 dimensions, or neither float32 nor float64, nor complex of these.
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
        hermitian: whether the matrices are symmetric or Hermitian: eigenvalues are used then, and only the lower
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
