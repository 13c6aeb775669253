"""Functors of eigenvalues of symmetric matrices, and of singular values."""

from __future__ import annotations

from typing import Any

from tritonflow.binding.library import function, functor
from tritonflow.binding.target import beside
from tritonflow.dtypes import int32
from tritonflow.errors import ArgumentValueError, InvalidArgumentError
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.tensor import Tensor
from tritonflow.functions import reduction
from tritonflow.functions.cast import cast
from tritonflow.functions.creation import zeros
from tritonflow.functions.generated import abs, scalar_gt
from tritonflow.functions.linalg_checks import (
    check_floating,
    check_matrix,
    check_square,
    checked,
    no_eigenvalues,
    no_singular_values,
)
from tritonflow.functions.unary_complex import adjoint, imag
from tritonflow.functions.view import unshared
from tritonflow.interpreter.dispatch import dispatch

_eigh = op_expr("linalg_eigh")
_svd = op_expr("linalg_svd")


def without_phase(gradient: Tensor, shares: Tensor, function: str, vectors: str) -> Any:
    """The gradient of a loss of complex vectors, which are free up to phases; `shares` has the loss's derivatives by these.

    Raises:
        LinAlgError: the loss depends on them.
    """
    if not shares.meta.dtype.is_complex:
        return gradient
    depends = cast(reduction.any(scalar_gt(abs(imag(shares)), 0.01)), int32)

    def reason(_: int) -> str:
        return (
            f"The {vectors} are specified up to multiplication by e^{{i phi}}. The specified loss function depends on this"
            " quantity, so it is ill-defined."
        )

    return checked(gradient, depends, function, reason)


def eigen(function: str, A: Tensor, UPLO: str) -> tuple[Any, Any]:
    check_floating(function, A)
    check_square(function, A)
    if UPLO.upper() not in ("L", "U"):
        raise ArgumentValueError(f"Expected UPLO argument to be 'L' or 'U', but got {UPLO}")
    values, vectors, info = dispatch(_eigh, (A,), (UPLO.upper() == "L",))
    return checked(values, info, function, no_eigenvalues), vectors


@functor("Eigh")
def linalg_eigh(A: Tensor, UPLO: str = "L") -> Any:
    return eigen("linalg.eigh", A, UPLO)


@function(
    "Tensor (Tensor input, String UPLO='L')",
    export="linalg", reference="torch.linalg.eigvalsh", samples="symmetric", tolerance="matmul", autocast="float32",
)
def linalg_eigvalsh(A: Tensor, UPLO: str = "L") -> Any:
    """The eigenvalues of symmetric matrices, or of complex Hermitian ones.

    They are real, and rise. One triangle is read, and taken for the other one too.

    Args:
        input: the input.
        UPLO: which triangle is read: "L" or "U".
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, n) -> (..., n).

    Under `flow.autocast` it computes in float32.

    Raises:
        LinAlgError: the iteration did not converge.
        ValueError: another UPLO.
        RuntimeError: the matrices are not square, or neither float32 nor float64, nor complex of these.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.linalg.eigvalsh.

    Example:
        >>> import tritonflow as flow
        >>> w = flow.linalg.eigvalsh(flow.tensor([[2.0, 1.0], [1.0, 2.0]]))
        >>> flow.allclose(w, flow.tensor([1.0, 3.0]))
        True
    """
    return eigen("linalg.eigvalsh", A, UPLO)[0]


def singular(function: str, A: Tensor, full: bool, driver: str | None) -> tuple[Any, Any, Any]:
    check_floating(function, A)
    check_matrix(function, A)
    if driver is not None:
        raise InvalidArgumentError(
            f"{function}: keyword argument `driver=` is only supported on CUDA inputs with cuSOLVER backend."
        )
    u, values, vh, info = dispatch(_svd, (A,), (full,))
    return u, checked(values, info, function, no_singular_values), vh


@functor("LinalgSvd")
def linalg_svd(A: Tensor, full_matrices: bool = True, driver: str | None = None) -> Any:
    return singular("linalg.svd", A, full_matrices, driver)


@function(
    "Tensor (Tensor A, *, String driver=None)",
    export="linalg", reference="torch.linalg.svdvals", samples="matrices", tolerance="matmul", autocast="float32",
)
def linalg_svdvals(A: Tensor, driver: str | None = None) -> Any:
    """The singular values.

    They fall, and are at least 0: the square roots of the eigenvalues of A^H A.

    Args:
        A: matrices of any size.
        driver: None; another one is refused, because it names algorithms of CUDA.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., m, n) -> (..., min(m, n)).

    Under `flow.autocast` it computes in float32.

    Raises:
        LinAlgError: a number is not finite.
        RuntimeError: a driver, fewer than 2 dimensions, or neither float32 nor float64, nor complex of these.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.linalg.svdvals.

    Example:
        >>> import tritonflow as flow
        >>> flow.linalg.svdvals(flow.tensor([[3.0, 0.0], [0.0, 4.0]]))
        tensor([4., 3.])
    """
    return singular("linalg.svdvals", A, False, driver)[1]


@function(
    "TensorTuple[U, S, V] (Tensor input, Bool some=True, Bool compute_uv=True)",
    methods="svd", samples={"none": "signs of vectors are free: tests/ops/test_linalg.py"}, tolerance="matmul",
    autocast="float32",
)
def svd(input: Tensor, some: bool = True, compute_uv: bool = True) -> Any:
    """U, S and V with A = U diag(S) V^H; the adjoint of a real V is V^T.

    The older name of `flow.linalg.svd`, which gives V^H instead.

    Args:
        input: the input.
        some: whether U and V have min(m, n) columns, otherwise all.
        compute_uv: whether U and V are made; otherwise they are zeros.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., m, n) -> U (..., m, k or m), S (..., k), V (..., n, k or n) with k = min(m, n).

    Returns:
        A named tuple `(U, S, V)`.

    Under `flow.autocast` it computes in float32. Method: `Tensor.svd`.

    Raises:
        LinAlgError: a number is not finite.
        RuntimeError: fewer than 2 dimensions, or neither float32 nor float64, nor complex of these.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.svd.

    Example:
        >>> import tritonflow as flow
        >>> A = flow.tensor([[3.0, 0.0], [0.0, 4.0], [0.0, 0.0]])
        >>> U, S, V = flow.svd(A)
        >>> flow.allclose(U @ flow.diag(S) @ V.T, A, atol=1e-5)
        True
    """
    u, values, vh = singular("linalg.svd", input, not some and compute_uv, None)
    if compute_uv:
        return u, values, unshared(adjoint(vh))
    *batch, m, n = input.meta.shape
    like: dict[str, Any] = {"dtype": input.meta.dtype, **beside(input)}
    return zeros((*batch, m, m), **like), values, zeros((*batch, n, n), **like)
