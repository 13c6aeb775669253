"""Functors of linear algebra that are made of others: powers, exponentials, conditions, products, tensor equations."""

from __future__ import annotations

from collections.abc import Sequence
from math import factorial, frexp, isfinite
from typing import Any

from tritonflow.binding import data_exchange
from tritonflow.binding.library import also, function
from tritonflow.binding.target import beside
from tritonflow.dtypes import bool_, complex128, float64, int32
from tritonflow.errors import DTypeError, InvalidArgumentError, ShapeError
from tritonflow.framework.tensor import Tensor
from tritonflow.functions import reduction
from tritonflow.functions.arithmetic import add
from tritonflow.functions.cast import cast, clone
from tritonflow.functions.creation import eye, full, ones, zeros
from tritonflow.functions.elementwise_selection import where_scalar_x
from tritonflow.functions.generated import abs as abs_of
from tritonflow.functions.generated import div, mul, scalar_div, scalar_gt, scalar_mul, where
from tritonflow.functions.index_masks import masked_fill
from tritonflow.functions.linalg_checks import check_floating, check_matrix, check_square, checked
from tritonflow.functions.linalg_solve import linalg_inv, linalg_inv_ex
from tritonflow.functions.linalg_spectra import singular
from tritonflow.functions.matmul import matmul
from tritonflow.functions.matmul_contractions import chain_matmul
from tritonflow.functions.reduction_norms import linalg_norm, linalg_norm_of_name
from tritonflow.functions.view import expand, narrow, reshape, squeeze, unshared, unsqueeze
from tritonflow.interpreter.choice import all_examples
from tritonflow.interpreter.grad_mode import no_grad

# ------------------------------------------------------------------------------------------------------------- powers


def _identity(a: Tensor) -> Any:
    return expand(eye(a.meta.shape[-1], dtype=a.meta.dtype, **beside(a)), a.meta.shape)


@function("Tensor (Tensor input, Int64 n)", methods="matrix_power", samples="powers", tolerance="matmul", autocast="lower")
@also("linalg_matrix_power", reference="torch.linalg.matrix_power")
def matrix_power(input: Tensor, n: int) -> Any:
    """The n-th power of matrices.

    It multiplies by repeated squaring. The power 0 is the identity, a negative one is that of the
    inverse.

    Args:
        input: the input.
        n: the power, a whole number.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., m, m) -> (..., m, m).

    Under `flow.autocast` it computes in its dtype. Method: `Tensor.matrix_power`.

    Raises:
        RuntimeError: the matrices are not square.
        LinAlgError: n is negative, and a matrix is singular.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.matrix_power.

    Example:
        >>> import tritonflow as flow
        >>> flow.matrix_power(flow.tensor([[1.0, 1.0], [0.0, 1.0]]), 3)
        tensor([[1., 3.],
                [0., 1.]])
    """
    # By squaring; of a negative power by the inverse.
    check_square("linalg.matrix_power", input)
    if n < 0:
        input, n = linalg_inv(input), -n
    if n == 0:  # its gradient is 0, not none
        return add(masked_fill(input, ones((), dtype=bool_, **beside(input)), 0), _identity(input))
    if n == 1:
        return clone(input)
    result, power = None, input
    while n:
        if n % 2:
            result = power if result is None else matmul(result, power)
        n //= 2
        if n:
            power = matmul(power, power)
    return result


_DEGREE, _SMALL, _MOST = 16, 0.5, 12  # of Taylor's polynomial, for norms up to; squarings in a graph, for norms up to 2048


@function("Tensor (Tensor input)", methods="matrix_exp", samples="square", tolerance="matmul", autocast="float32")
@also("linalg_matrix_exp", reference="torch.linalg.matrix_exp")
def matrix_exp(input: Tensor) -> Any:
    """The exponential of matrices.

    exp(A) = 1 + A + A^2 / 2! + A^3 / 3! + ..., by Taylor's polynomial of degree 16 of A / 2^s, squared
    s times. After Moler and Van Loan, Nineteen dubious ways to compute the exponential of a matrix,
    2003. A graph takes norms up to 2048.

    Args:
        input: the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, n) -> (..., n, n).

    Under `flow.autocast` it computes in float32. Method: `Tensor.matrix_exp`.

    Raises:
        RuntimeError: the matrices are not square, or not of a floating dtype.
        LinAlgError: the norm of a matrix is greater than 2048 in a graph.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.matrix_exp.

    Example:
        >>> import tritonflow as flow
        >>> flow.matrix_exp(flow.tensor([[0.0, 1.0], [0.0, 0.0]]))
        tensor([[1., 1.],
                [0., 1.]])
    """
    # exp(A) = exp(A / 2^s)^(2^s), by Taylor's polynomial of a matrix with a norm of at most 1/2. Source: Moler and Van
    # Loan.
    check_square("linalg.matrix_exp", input)
    check_floating("linalg.matrix_exp", input, low=True)
    if not input.meta.numel:
        return clone(input)
    wide = complex128 if input.meta.dtype.is_complex else float64
    if input.meta.dtype is not wide:  # each squaring doubles what rounding has changed
        return cast(matrix_exp(cast(input, wide)), input.meta.dtype)
    with no_grad():
        size = reduction.amax(reduction.sum(abs_of(input), (-2,)), (-1,))
    steps, input = _squarings(input, size)
    scale = full(size.meta.shape, 1.0, dtype=size.meta.dtype, **beside(input))
    bounds = [_SMALL * 2.0**k for k in range(steps)]
    for bound in bounds:
        scale = where(scalar_gt(size, bound), scalar_mul(scale, 0.5), scale)
    result = _taylor(mul(input, unsqueeze(unsqueeze(scale, -1), -1)))
    for bound in bounds:
        again = unsqueeze(unsqueeze(scalar_gt(size, bound), -1), -1)
        result = where(again, matmul(result, result), result)
    return result


def _squarings(a: Tensor, size: Tensor) -> tuple[int, Tensor]:
    """How often at most a matrix is squared. A graph cannot know, and has an error for norms that need more than it takes.

    Raises:
        LinAlgError: a graph's matrix has too large a norm.
    """
    if a.is_lazy:
        failed = cast(scalar_gt(size, _SMALL * 2.0**_MOST), int32)
        return _MOST, checked(a, failed, "linalg.matrix_exp", lambda _: "in a graph the norm of a matrix is at most 2048.")
    largest = float(data_exchange.item(reduction.amax(reshape(all_examples(size), (-1,)), (0,))))
    if not isfinite(largest) or largest <= _SMALL:
        return 0, a
    return max(frexp(largest / _SMALL)[1], 0), a


def _taylor(a: Tensor) -> Any:
    """The polynomial of degree 16 in four of degree 4, by Horner's rule in the fourth power. Source: Paterson and Stockmeyer."""
    one = _identity(a)
    square = matmul(a, a)
    powers = [one, a, square, matmul(square, a)]
    fourth = matmul(square, square)
    result = scalar_div(one, float(factorial(_DEGREE)))
    for first in range(_DEGREE - 4, -1, -4):
        part = scalar_div(one, float(factorial(first)))
        for k in (1, 2, 3):
            part = add(part, scalar_div(powers[k], float(factorial(first + k))))
        result = add(matmul(result, fourth), part)
    return result


# -------------------------------------------------------------------------------------------------- condition numbers


def _condition_by_values(A: Tensor, inverse: bool) -> Any:
    values = singular("linalg.svd", A, False, None)[1]
    first, last = (narrow(values, -1, at, 1) for at in (0, values.meta.shape[-1] - 1))
    ratio = div(last, first) if inverse else div(first, last)
    return unshared(squeeze(ratio, (-1,)))


@function(
    "Tensor (Tensor input, Scalar p=None)",
    "Tensor (Tensor input, String p)",
    export="linalg", reference="torch.linalg.cond", samples="condition", tolerance="matmul", autocast="float32",
)
def linalg_cond(A: Tensor, p: Any = None) -> Any:
    """The condition number.

    It is norm(A, p) * norm(inverse of A, p); for p of None and 2 it is the largest singular value over
    the least, for -2 the other way round. A singular matrix has infinity.

    Args:
        input: the input.
        p: None, 2, -2, 1, -1, inf, -inf, "fro" or "nuc"; all but None, 2 and -2 want square matrices.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., m, n) -> (...).

    Under `flow.autocast` it computes in float32.

    Raises:
        RuntimeError: another p, matrices that are not square where p wants it, or neither float32 nor
            float64.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.linalg.cond.

    Example:
        >>> import tritonflow as flow
        >>> flow.linalg.cond(flow.tensor([[2.0, 0.0], [0.0, 8.0]]))
        tensor(4.)
    """
    check_matrix("linalg.cond", A)
    check_floating("linalg.cond", A)
    if p is None or p in (2, -2):
        if not A.meta.numel:
            return zeros(A.meta.shape[:-2], dtype=A.meta.dtype.to_real(), **beside(A))
        return _condition_by_values(A, p == -2)
    check_square("linalg.cond", A)
    if not A.meta.numel:
        return zeros(A.meta.shape[:-2], dtype=A.meta.dtype.to_real(), **beside(A))
    norm = linalg_norm_of_name if isinstance(p, str) else linalg_norm
    if isinstance(p, str) and p not in ("fro", "nuc"):
        raise InvalidArgumentError(f"linalg.cond got an invalid norm type: {p}")
    if not isinstance(p, str) and abs(p) not in (1, float("inf")):
        raise InvalidArgumentError(f"linalg.cond got an invalid norm type: {p}")
    dims = (-2, -1)
    inverse, info = linalg_inv_ex(A)
    failed = unsqueeze(unsqueeze(scalar_gt(info, 0), -1), -1)
    inverse = where_scalar_x(failed, 0.0, inverse)
    singular_ = squeeze(squeeze(failed, (-1,)), (-1,))
    return where_scalar_x(singular_, float("inf"), mul(norm(A, p, dims), norm(inverse, p, dims)))


# ------------------------------------------------------------------------------------------- products and other names


@function(
    "Tensor (TensorTuple tensors)",
    export="linalg", reference="torch.linalg.multi_dot", samples="multi_dot", tolerance="matmul", autocast="lower",
)
def linalg_multi_dot(tensors: Sequence[Tensor]) -> Any:
    """The product of matrices, in the order that multiplies least; the first and last may be vectors.

    Args:
        tensors: two or more matrices; the first may be a vector and counts as a row, the last as a column.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (a, b), (b, c), ..., (y, z) -> (a, z); without a or z where the first or the last is a vector.

    Under `flow.autocast` it computes in its dtype.

    Raises:
        RuntimeError: fewer than two tensors, other dimensions, or sizes or dtypes that differ.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.linalg.multi_dot.

    Example:
        >>> import tritonflow as flow
        >>> a, b, c = flow.ones(2, 100), flow.ones(100, 3), flow.ones(3)
        >>> flow.linalg.multi_dot([a, b, c])
        tensor([300., 300.])
    """
    # The product of matrices in the order that multiplies least; the first and the last may be vectors.
    count = len(tensors)
    if count < 2:
        raise InvalidArgumentError(f"multi_dot(): expected at least 2 tensors but got {count}")
    first, last = tensors[0].meta.ndim, tensors[-1].meta.ndim
    for position, tensor in enumerate(tensors):
        ndim = tensor.meta.ndim
        if ndim == 2 or (ndim == 1 and position in (0, count - 1)):
            continue
        outer = position in (0, count - 1)
        wanted = "1D or 2D" if outer else "2D"
        raise ShapeError(f"multi_dot(): tensor {position} must be {wanted} but got {ndim}D")
    dtype = tensors[0].meta.dtype
    for position, tensor in enumerate(tensors):
        if tensor.meta.dtype is not dtype:
            raise DTypeError(
                f"multi_dot(): all tensors must have be the same dtype but tensor 0 is {dtype} and tensor {position}"
                f" {tensor.meta.dtype}"
            )
    factors = list(tensors)
    if first == 1:
        factors[0] = unsqueeze(factors[0], 0)
    if last == 1:
        factors[-1] = unsqueeze(factors[-1], -1)
    for position in range(count - 1):
        left, right = factors[position].meta.shape, factors[position + 1].meta.shape
        if left[1] != right[0]:
            raise ShapeError(
                f"multi_dot(): tensors {position} and {position + 1} with shapes {list(left)} and {list(right)} cannot"
                " be multiplied"
            )
    result = chain_matmul(factors)
    dims = tuple([d for d, n in ((0, first), (1, last)) if n == 1])
    return unshared(squeeze(result, dims)) if dims else result
