"""Functors of orthogonal factors, and of reflections that make one."""

from __future__ import annotations

from typing import Any

from tritonflow.binding.library import function, functor
from tritonflow.binding.target import beside
from tritonflow.dtypes import bool_
from tritonflow.errors import InvalidArgumentError, ShapeError
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.arithmetic import add, sub
from tritonflow.functions.creation import empty, eye, ones, tril
from tritonflow.functions.generated import mul
from tritonflow.functions.index_masks import masked_fill
from tritonflow.functions.linalg import with_unit_diagonal
from tritonflow.functions.linalg_checks import check_floating, check_matrix
from tritonflow.functions.matmul import matmul
from tritonflow.functions.unary_complex import adjoint, conj_physical
from tritonflow.functions.view import expand, narrow, unshared, unsqueeze
from tritonflow.interpreter.dispatch import dispatch
from tritonflow.interpreter.recording import wants_gradient

_qr = op_expr("linalg_qr")
_geqrf = op_expr("geqrf")
_householder = op_expr("linalg_householder_product")


@functor("Qr")
def linalg_qr(A: Tensor, mode: str = "reduced") -> Any:
    check_floating("linalg.qr", A)
    check_matrix("linalg.qr", A)
    if mode not in ("reduced", "complete", "r"):
        raise InvalidArgumentError(
            f"qr received unrecognized mode '{mode}' but expected one of 'reduced' (default), 'r', or 'complete'"
        )
    q, r = dispatch(_qr, (A,), (mode == "complete", mode))
    return (empty((0,), dtype=A.meta.dtype, **beside(A)) if mode == "r" else q), r


@function(
    "TensorTuple[Q, R] (Tensor input, Bool some=True)",
    name="qr", methods="qr", samples="matrices", tolerance="matmul", autocast="float32",
)
def old_qr(input: Tensor, some: bool = True) -> Any:
    """A = Q R with orthonormal columns of Q and an upper triangular R.

    The older name of `flow.linalg.qr`.

    Args:
        input: the input.
        some: whether Q has min(m, n) columns, otherwise all m.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., m, n) -> Q (..., m, k), R (..., k, n) with k = min(m, n), or m without some.

    Returns:
        A named tuple `(Q, R)`.

    Under `flow.autocast` it computes in float32. Method: `Tensor.qr`.

    Raises:
        RuntimeError: fewer than 2 dimensions, or neither float32 nor float64, nor complex of these.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.qr.

    Example:
        >>> import tritonflow as flow
        >>> Q, R = flow.qr(flow.tensor([[3.0], [4.0]]), some=False)
        >>> Q.shape, R.shape, abs(R[0, 0]).item()
        (tritonflow.Size([2, 2]), tritonflow.Size([2, 1]), 5.0)
    """
    return linalg_qr(input, "reduced" if some else "complete")


@functor("GeQrf")
def geqrf(input: Tensor) -> Any:
    check_matrix("torch.geqrf", input, "input")
    check_floating("geqrf", input)
    return dispatch(_geqrf, (input,))


def _check_reflections(function: str, v: Tensor, tau: Tensor) -> None:
    if v.meta.ndim < 2:
        raise ShapeError(f"{function}: input must have at least 2 dimensions.")
    m, n = v.meta.shape[-2:]
    if m < n:
        raise ShapeError(f"{function}: input.shape[-2] must be greater than or equal to input.shape[-1]")
    if tau.meta.ndim and n < tau.meta.shape[-1]:
        raise ShapeError(f"{function}: input.shape[-1] must be greater than or equal to tau.shape[-1]")
    if v.meta.ndim - tau.meta.ndim != 1:
        raise ShapeError(
            f"{function}: Expected tau to have one dimension less than input, but got tau.ndim equal to {tau.meta.ndim} and"
            f" input.ndim is equal to {v.meta.ndim}"
        )
    if v.meta.shape[:-2] != tau.meta.shape[:-1]:
        raise ShapeError(
            f"{function}: Expected batch dimensions of tau to be equal to input.shape[:-2], but got {list(tau.meta.shape[:-1])}"
        )
    if tau.meta.dtype is not v.meta.dtype:
        raise InvalidArgumentError(
            f"{function}: tau dtype {tau.meta.dtype} does not match input dtype {v.meta.dtype}"
        )


@functor("HouseholderProduct")
def householder_product(input: Tensor, tau: Tensor) -> Any:
    """The first columns of H_0 H_1 ...; with gradients one reflection after the other."""
    _check_reflections("torch.linalg.householder_product", input, tau)
    check_floating("linalg.householder_product", input)
    if not (wants_gradient(input) or wants_gradient(tau)):
        return dispatch(_householder, (input, tau))
    m, n = input.meta.shape[-2:]
    one = eye(m, n, dtype=input.meta.dtype, **beside(input))
    if not tau.meta.shape[-1]:  # the gradient is 0, not none
        return add(masked_fill(input, ones((), dtype=bool_, **beside(input)), 0), one)
    return _reflected(input, tau, expand(one, (*input.meta.shape[:-2], m, n)), range(tau.meta.shape[-1] - 1, -1, -1))


def _reflected(v: Tensor, tau: Tensor, b: Any, order: Any) -> Any:
    """b with the reflections of v applied in an order."""
    vectors = with_unit_diagonal(tril(v, -1))
    for k in order:
        vector = narrow(vectors, -1, k, 1)
        share = matmul(adjoint(vector), b)
        b = sub(b, mul(matmul(vector, share), unsqueeze(narrow(tau, -1, k, 1), -1)))
    return b


@function(
    "Tensor (Tensor input, Tensor tau, Tensor other, Bool left=True, Bool transpose=False)",
    methods="ormqr", samples="reflections_and_sides", tolerance="matmul", autocast="float32",
)
def ormqr(input: Tensor, tau: Tensor, other: Tensor, left: bool = True, transpose: bool = False) -> Any:
    """A product with the whole product of Householder's reflections.

    It gives Q C, Q^H C, C Q or C Q^H, where Q = H_0 H_1 ... is the m x m matrix of the reflections; Q
    itself is never made.

    Args:
        input: the vectors of the reflections below the diagonal, as `flow.geqrf` gives them.
        tau: the factor of each reflection.
        other: the matrix C.
        left: whether Q stands left of C.
        transpose: whether the adjoint Q^H stands for Q; that of a real one is Q^T.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., m, n), (..., k), (..., m, p) -> (..., m, p); with left=False C is (..., p, m).

    Under `flow.autocast` it computes in float32. Method: `Tensor.ormqr`.

    Raises:
        RuntimeError: fewer than 2 dimensions, or a size of C that is not m.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.ormqr.

    Example:
        >>> import tritonflow as flow
        >>> A = flow.tensor([[3.0, 1.0], [4.0, 2.0]])
        >>> a, tau = flow.geqrf(A)
        >>> flow.allclose(flow.ormqr(a, tau, A, transpose=True), flow.triu(a), atol=1e-5)  # Q^T A is R
        True
    """
    # Q b, Q^H b, b Q or b Q^H with the whole Q of reflections.
    check_floating("ormqr", input)
    if input.meta.ndim < 2:
        raise ShapeError("torch.ormqr: input must have at least 2 dimensions.")
    if other.meta.ndim < 2:
        raise ShapeError("torch.ormqr: other must have at least 2 dimensions.")
    if not tau.meta.ndim:
        raise ShapeError("torch.ormqr: Expected tau to have one dimension less than input, but got tau.ndim equal to 0")
    side = -2 if left else -1
    if other.meta.shape[side] < tau.meta.shape[-1]:
        raise ShapeError(f"torch.ormqr: other.shape[{side}] must be greater than or equal to tau.shape[-1]")
    if other.meta.shape[side] != input.meta.shape[-2]:
        raise ShapeError(f"torch.ormqr: other.shape[{side}] must be equal to input.shape[-2]")
    b = other if left else adjoint(other)
    count = tau.meta.shape[-1]
    forwards = transpose == left  # Q^H b takes the adjoint of the first reflection first
    factors = conj_physical(tau) if forwards else tau
    result = _reflected(input, factors, b, range(count) if forwards else range(count - 1, -1, -1))
    return result if left else unshared(adjoint(result))
