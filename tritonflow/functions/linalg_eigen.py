"""Functors of eigenvalues and eigenvectors of matrices that need not be symmetric, and their gradient.

Source of the gradient: Boeddeker, Hanebrink, Drude, Heymann and Haeb-Umbach, On the computation of complex-valued gradients.
"""

from __future__ import annotations

from typing import Any

from tritonflow.binding.library import function
from tritonflow.binding.target import beside
from tritonflow.dtypes import DType
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.arithmetic import add, scalar_sub_reversed, sub
from tritonflow.functions.cast import cast
from tritonflow.functions.creation import eye
from tritonflow.functions.generated import div, logical_and, mul, scalar_eq
from tritonflow.functions.linalg_checks import check_floating, check_square, checked
from tritonflow.functions.linalg_solve import linalg_solve
from tritonflow.functions.linalg_spectra import without_phase
from tritonflow.functions.matmul import matmul
from tritonflow.functions.unary_complex import adjoint, conj_physical, real
from tritonflow.functions.view import diagonal, unsqueeze
from tritonflow.functions.view_complex import view_as_complex
from tritonflow.functions.view_diagonals import diag_embed
from tritonflow.interpreter.dispatch import dispatch

_eigen = op_expr("linalg_eigen")


def _not_found(code: int) -> str:
    if code > 0:
        return f"The algorithm failed to converge; {code} eigenvalues were not found."
    others = "" if code else ", and the algorithm did not converge"
    return f"input tensor should not contain infs or NaNs{others}."


def _eigen_of(function: str, A: Tensor) -> tuple[Tensor, Tensor]:
    check_floating(function, A)
    check_square(function, A)
    values, vectors, info = dispatch(_eigen, (A,))
    return view_as_complex(checked(values, info, f"torch.{function}", _not_found)), view_as_complex(vectors)


@function(
    "TensorTuple[eigenvalues, eigenvectors] (Tensor input)",
    export="linalg", reference="torch.linalg.eig",
    samples={"none": "the order of values and the phases of vectors are free: tests/ops/test_linalg_eigen.py"},
    tolerance="matmul", autocast="float32",
)
def linalg_eig(A: Tensor) -> Any:
    """The eigenvalues of square matrices, and eigenvectors, which are complex.

    A v = w v for each eigenvalue w and its column v, which has the norm 1. The order of the eigenvalues
    and the phases of the vectors are free. The gradient is that of a loss that does not depend on the
    phases.

    Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, n) -> eigenvalues (..., n), eigenvectors (..., n, n), complex.

    Returns:
        A named tuple `(eigenvalues, eigenvectors)`.

    Under `flow.autocast` it computes in float32.

    Raises:
        LinAlgError: a number is not finite, or the iteration did not converge.
        RuntimeError: the matrices are not square, or neither float32 nor float64, nor complex of these.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.linalg.eig.

    Example:
        >>> import tritonflow as flow
        >>> w, V = flow.linalg.eig(flow.tensor([[0.0, -1.0], [1.0, 0.0]]))  # a rotation
        >>> flow.allclose(w.imag.sort().values, flow.tensor([-1.0, 1.0]))
        True
    """
    return _eigen_of("linalg.eig", A)


@function(
    "Tensor (Tensor input)",
    export="linalg", reference="torch.linalg.eigvals",
    samples={"none": "the order of values is free: tests/ops/test_linalg_eigen.py"}, tolerance="matmul", autocast="float32",
)
def linalg_eigvals(A: Tensor) -> Any:
    """The eigenvalues of square matrices, which are complex.

    Their order is free.

    Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, n) -> (..., n), complex.

    Under `flow.autocast` it computes in float32.

    Raises:
        LinAlgError: a number is not finite, or the iteration did not converge.
        RuntimeError: the matrices are not square, or neither float32 nor float64, nor complex of these.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.linalg.eigvals.

    Example:
        >>> import tritonflow as flow
        >>> w = flow.linalg.eigvals(flow.tensor([[0.0, -1.0], [1.0, 0.0]]))
        >>> w.dtype, flow.allclose(abs(w), flow.ones(2))
        (tritonflow.complex64, True)
    """
    return _eigen_of("linalg.eigvals", A)[0]


@function("Tensor (Tensor dvalues, Tensor dvectors, Tensor values, Tensor vectors, DataType dtype)", bind_python=False)
def eig_grad(dvalues: Tensor, dvectors: Tensor, values: Tensor, vectors: Tensor, dtype: DType) -> Any:
    """V^-H (diag(dvalues) + (V^H dV - V^H V Re(diag(V^H dV))) / E) V^H with E_ij = conj(value_j - value_i); its real part if the
    matrices' `dtype` is real."""
    dvalues, dvectors, values, vectors = (view_as_complex(x) for x in (dvalues, dvectors, values, vectors))
    hermitian = adjoint(vectors)
    inner = matmul(hermitian, dvectors)
    own = diagonal(inner, 0, -2, -1)
    inner = sub(inner, matmul(hermitian, mul(vectors, unsqueeze(real(own), -2))))
    gaps = conj_physical(sub(unsqueeze(values, -2), unsqueeze(values, -1)))
    one = eye(gaps.meta.shape[-1], dtype=own.meta.dtype.to_real(), **beside(gaps))
    inner = _over(mul(inner, scalar_sub_reversed(1, one)), add(gaps, one))
    inner = matmul(add(inner, diag_embed(dvalues)), hermitian)
    found = linalg_solve(hermitian, inner)
    return without_phase(found if dtype.is_complex else real(found), own, "linalg_eig_backward", "eigenvectors")


def _over(x: Tensor, gaps: Tensor) -> Any:
    """x / gaps, and 0 where both are 0: a loss of the eigenvalues alone has a gradient where some are equal."""
    free = logical_and(scalar_eq(x, 0), scalar_eq(gaps, 0))
    return div(x, add(gaps, cast(free, gaps.meta.dtype)))
