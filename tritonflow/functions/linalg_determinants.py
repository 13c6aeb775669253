"""Functors of determinants and their logarithms."""

from __future__ import annotations

from typing import Any

from tritonflow.binding.library import function
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.arithmetic import add
from tritonflow.functions.elementwise_selection import where_scalar_x
from tritonflow.functions.generated import log, scalar_lt
from tritonflow.functions.linalg_checks import check_floating, check_square
from tritonflow.interpreter.dispatch import dispatch

_determinant = op_expr("linalg_determinant")
_log_determinant = op_expr("linalg_log_determinant")


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
        RuntimeError: the matrices are not square, or neither float32 nor float64, nor complex of these.
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
        RuntimeError: the matrices are not square, or neither float32 nor float64, nor complex of these.
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

    The determinant is sign * exp(logabsdet); the sign of a complex one has the magnitude 1.
    A singular matrix has the sign 0 and the logarithm -inf. It does not overflow where the determinant itself would.

    Args:
        A: square matrices.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, n) -> sign (...), logabsdet (...).

    Returns:
        A named tuple `(sign, logabsdet)`.

    Under `flow.autocast` it computes in float32.

    Raises:
        RuntimeError: the matrices are not square, or neither float32 nor float64, nor complex of these.
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

    The determinant is sign * exp(logabsdet); the sign of a complex one has the magnitude 1.
    A singular matrix has the sign 0 and the logarithm -inf. It does not overflow where the determinant itself would.

    Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, n) -> sign (...), logabsdet (...).

    Returns:
        A named tuple `(sign, logabsdet)`.

    Under `flow.autocast` it computes in float32. Method: `Tensor.slogdet`.

    Raises:
        RuntimeError: the matrices are not square, or neither float32 nor float64, nor complex of these.
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

    It is NaN where the determinant is negative, and -inf where it is 0. That of complex matrices has the
    angle of the determinant as its imaginary part.

    Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, n) -> (...).

    Under `flow.autocast` it computes in float32. Method: `Tensor.logdet`.

    Raises:
        RuntimeError: the matrices are not square, or neither float32 nor float64, nor complex of these.
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
    if input.meta.dtype.is_complex:
        return add(log(sign), magnitude)
    return where_scalar_x(scalar_lt(sign, 0), float("nan"), magnitude)
