"""Functors of linear algebra that are made of others: powers, exponentials, conditions, products, tensor equations."""

from __future__ import annotations

from collections.abc import Sequence
from math import factorial, frexp, isfinite, prod
from typing import Any

from tritonflow.binding import data_exchange
from tritonflow.binding.library import functor
from tritonflow.binding.target import beside
from tritonflow.dtypes import bool_, float64, int32, result_type
from tritonflow.errors import DTypeError, InvalidArgumentError, ShapeError
from tritonflow.framework.tensor import Tensor, wrap_dim
from tritonflow.functions import reduction
from tritonflow.functions.arithmetic import add
from tritonflow.functions.cast import cast, clone
from tritonflow.functions.creation import eye, full, ones, zeros
from tritonflow.functions.elementwise_selection import where_scalar_x
from tritonflow.functions.generated import abs as abs_of
from tritonflow.functions.generated import div, mul, scalar_div, scalar_gt, scalar_mul, where
from tritonflow.functions.index_masks import masked_fill
from tritonflow.functions.join import cat
from tritonflow.functions.linalg import singular
from tritonflow.functions.linalg_checks import check_floating, check_matrix, check_square, checked
from tritonflow.functions.linalg_solve import linalg_inv, linalg_inv_ex, linalg_solve
from tritonflow.functions.matmul import matmul
from tritonflow.functions.matmul_contractions import chain_matmul, cross
from tritonflow.functions.reduction_norms import linalg_norm, linalg_norm_of_name
from tritonflow.functions.scan_sort import cumprod
from tritonflow.functions.unary_complex import conj_physical
from tritonflow.functions.view import diagonal, expand, movedim, narrow, reshape, squeeze, unshared, unsqueeze
from tritonflow.interpreter.choice import all_examples
from tritonflow.interpreter.grad_mode import no_grad

# ------------------------------------------------------------------------------------------------------------- powers


def _identity(a: Tensor) -> Any:
    return expand(eye(a.meta.shape[-1], dtype=a.meta.dtype, **beside(a)), a.meta.shape)


@functor("MatrixPower")
def matrix_power(input: Tensor, n: int) -> Any:
    """By squaring; of a negative power by the inverse."""
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


@functor("MatrixExp")
def matrix_exp(input: Tensor) -> Any:
    """exp(A) = exp(A / 2^s)^(2^s), by Taylor's polynomial of a matrix with a norm of at most 1/2. Source: Moler and Van Loan."""
    check_square("linalg.matrix_exp", input)
    check_floating("linalg.matrix_exp", input, low=True)
    if not input.meta.numel:
        return clone(input)
    if input.meta.dtype is not float64:  # each squaring doubles what rounding has changed
        return cast(matrix_exp(cast(input, float64)), input.meta.dtype)
    with no_grad():
        size = reduction.amax(reduction.sum(abs_of(input), (-2,)), (-1,))
    steps, input = _squarings(input, size)
    scale = full(size.meta.shape, 1.0, dtype=input.meta.dtype, **beside(input))
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


@functor("Cond")
def linalg_cond(A: Tensor, p: Any = None) -> Any:
    check_matrix("linalg.cond", A)
    check_floating("linalg.cond", A)
    if p is None or p in (2, -2):
        if not A.meta.numel:
            return zeros(A.meta.shape[:-2], dtype=A.meta.dtype, **beside(A))
        return _condition_by_values(A, p == -2)
    check_square("linalg.cond", A)
    if not A.meta.numel:
        return zeros(A.meta.shape[:-2], dtype=A.meta.dtype, **beside(A))
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


@functor("MultiDot")
def linalg_multi_dot(tensors: Sequence[Tensor]) -> Any:
    """The product of matrices in the order that multiplies least; the first and the last may be vectors."""
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


@functor("VecDot")
def linalg_vecdot(x: Tensor, y: Tensor, dim: int = -1) -> Any:
    """The inner products of vectors along a dimension, the first conjugated."""
    for t in (x, y):
        if not t.meta.dtype.is_complex:
            check_floating("linalg.vecdot", t, True)
    dtype = result_type([(t.meta.dtype, t.meta.ndim) for t in (x, y)])
    products = mul(conj_physical(cast(x, dtype)), cast(y, dtype))
    return reduction.sum(products, (dim,), False, dtype if dtype.is_floating_point else None)


@functor("LinalgCross")
def linalg_cross(input: Tensor, other: Tensor, dim: int = -1) -> Any:
    return cross(input, other, dim)


@functor("LinalgDiagonal")
def linalg_diagonal(A: Tensor, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Any:
    return diagonal(A, offset, dim1, dim2)


@functor("LinalgVander")
def linalg_vander(x: Tensor, N: int | None = None) -> Any:
    """Rows of rising powers: 1, x, x^2 ..."""
    if x.meta.dtype is bool_ or (x.meta.dtype.is_floating_point and x.meta.dtype.itemsize < 4):
        raise DTypeError(
            f"linalg.vander supports floating point, complex, and integer tensors, but got {x.meta.dtype.name}"
        )
    if not x.meta.ndim:
        x = unsqueeze(x, 0)
    count = x.meta.shape[-1] if N is None else N
    if count <= 1:
        raise InvalidArgumentError("N must be greater than 1.")
    ones = full((*x.meta.shape, 1), 1, dtype=x.meta.dtype, **beside(x))
    powers = cumprod(expand(unsqueeze(x, -1), (*x.meta.shape, count - 1)), -1)
    return cat([cast(ones, powers.meta.dtype), powers], -1)


# --------------------------------------------------------------------------------------------------- tensor equations


@functor("TensorInv")
def linalg_tensorinv(A: Tensor, ind: int = 2) -> Any:
    """The inverse of a tensor as a map from its last dimensions to its first `ind`."""
    if ind <= 0:
        raise InvalidArgumentError("Expected a strictly positive integer for 'ind'")
    first, last = A.meta.shape[:ind], A.meta.shape[ind:]
    rows, columns = prod(first), prod(last)
    if rows != columns:
        raise ShapeError(
            "Expected self to satisfy the requirement prod(self.shape[ind:]) == prod(self.shape[:ind]), but got"
            f" {columns} != {rows}"
        )
    return unshared(reshape(linalg_inv(reshape(A, (rows, columns))), (*last, *first)))


@functor("TensorSolve")
def linalg_tensorsolve(A: Tensor, B: Tensor, dims: tuple[int, ...] | None = None) -> Any:
    """The x with tensordot(A, x, x.ndim) = B."""
    if dims is not None:
        moved = [wrap_dim(d, A.meta.ndim) for d in dims]
        A = movedim(A, tuple(moved), tuple(range(A.meta.ndim - len(moved), A.meta.ndim)))
    shape = A.meta.shape[B.meta.ndim :]
    columns = prod(shape)
    if columns != B.meta.numel:
        raise ShapeError(
            "Expected self to satisfy the requirement prod(self.shape[other.ndim:]) == prod(self.shape[:other.ndim]), but got"
            f" {columns} != {B.meta.numel}"
        )
    flat = linalg_solve(reshape(A, (columns, columns)), reshape(B, (B.meta.numel,)))
    return unshared(reshape(flat, shape))


@functor("LinalgMatMul")
def linalg_matmul(input: Tensor, other: Tensor) -> Any:
    return matmul(input, other)
