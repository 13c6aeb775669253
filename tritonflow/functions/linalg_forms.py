"""Functors of linear algebra that are made of others: powers, exponentials, conditions, products, tensor equations."""

from __future__ import annotations

from collections.abc import Sequence
from math import factorial, frexp, isfinite, prod
from typing import Any

from tritonflow.binding import data_exchange
from tritonflow.binding.library import also, function
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


@function(
    "Tensor (Tensor x, Tensor y, *, Int32 dim=-1)",
    export="linalg", reference="torch.linalg.vecdot", samples="vecdot", tolerance="matmul", autocast="lower",
)
def linalg_vecdot(x: Tensor, y: Tensor, dim: int = -1) -> Any:
    """The inner products of vectors along a dimension.

    It is sum(conj(x) * y); both broadcast first.

    Args:
        x: vectors; complex ones are conjugated.
        y: vectors.
        dim: the dimension; a negative one counts from the end.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...), (..., n, ...) -> (..., ...).

    Under `flow.autocast` it computes in its dtype.

    Raises:
        RuntimeError: real tensors that are not floating.
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.linalg.vecdot.

    Example:
        >>> import tritonflow as flow
        >>> x = flow.tensor([[1.0, 2.0], [3.0, 4.0]])
        >>> flow.linalg.vecdot(x, x)
        tensor([ 5., 25.])
    """
    # The inner products of vectors along a dimension, the first conjugated.
    for t in (x, y):
        if not t.meta.dtype.is_complex:
            check_floating("linalg.vecdot", t, True)
    dtype = result_type([(t.meta.dtype, t.meta.ndim) for t in (x, y)])
    products = mul(conj_physical(cast(x, dtype)), cast(y, dtype))
    return reduction.sum(products, (dim,), False, dtype if dtype.is_floating_point else None)


@function(
    "Tensor (Tensor input, Tensor other, *, Int32 dim=-1)",
    export="linalg", reference="torch.linalg.cross", samples="linalg_cross", tolerance="reduction",
)
def linalg_cross(input: Tensor, other: Tensor, dim: int = -1) -> Any:
    """The vector product along a dimension of size 3.

    Element i is x_j y_k - x_k y_j with j = i + 1 and k = i + 2 modulo 3. Both broadcast first.
    `flow.cross` without dim takes the first dimension of size 3 instead.

    Args:
        input: the input.
        other: a tensor.
        dim: the dimension; a negative one counts from the end.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., 3, ...), (..., 3, ...) -> (..., 3, ...).

    Raises:
        RuntimeError: the dimension has another size, or the numbers of dimensions differ.
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.linalg.cross.

    Example:
        >>> import tritonflow as flow
        >>> x, y = flow.tensor([1.0, 0.0, 0.0]), flow.tensor([0.0, 1.0, 0.0])
        >>> flow.linalg.cross(x, y)
        tensor([0., 0., 1.])
    """
    return cross(input, other, dim)


@function(
    "Tensor (Tensor A, *, Int64 offset=0, Int32 dim1=-2, Int32 dim2=-1)",
    export="linalg", reference="torch.linalg.diagonal", samples="linalg_diagonal",
)
def linalg_diagonal(A: Tensor, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Any:
    """The diagonals of matrices.

    A view: it shares the memory of A. `flow.diagonal` has the first two dimensions as default.

    Args:
        A: matrices, or any two dimensions of a tensor.
        offset: which diagonal: above the main one if positive, below it if negative.
        dim1: the dimension of rows.
        dim2: the dimension of columns.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., m, n) -> (..., length of the diagonal).

    Raises:
        IndexError: there is no such dimension.
        RuntimeError: dim1 and dim2 are the same.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.linalg.diagonal.

    Example:
        >>> import tritonflow as flow
        >>> flow.linalg.diagonal(flow.tensor([[1, 2], [3, 4]]))
        tensor([1, 4])
    """
    return diagonal(A, offset, dim1, dim2)


@function(
    "Tensor (Tensor x, *, Int64 N=None)",
    export="linalg", reference="torch.linalg.vander", samples="linalg_vander", tolerance="reduction",
)
def linalg_vander(x: Tensor, N: int | None = None) -> Any:
    """Rows of rising powers.

    Row i is 1, x_i, x_i^2, ..., x_i^(N - 1); the matrix of Vandermonde. `flow.vander` has falling
    powers.

    Args:
        x: numbers; one without dimensions counts as a vector of one.
        N: how many powers; default as many as x has numbers.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n) -> (..., n, N).

    Raises:
        RuntimeError: N is 1 or less, or a bool or half dtype.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.linalg.vander.

    Example:
        >>> import tritonflow as flow
        >>> flow.linalg.vander(flow.tensor([2, 3]), N=4)
        tensor([[ 1,  2,  4,  8],
                [ 1,  3,  9, 27]])
    """
    # Rows of rising powers: 1, x, x^2 ...
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


@function(
    "Tensor (Tensor input, Int64 ind=2)",
    export="linalg", reference="torch.linalg.tensorinv", samples="tensorinv", tolerance="matmul", autocast="float32",
)
def linalg_tensorinv(A: Tensor, ind: int = 2) -> Any:
    """The inverse of a tensor as a map from its last dimensions to its first.

    With it, tensordot(tensorinv(A, ind), B, ind) is tensorsolve(A, B).

    Args:
        input: the input.
        ind: how many of the first dimensions are one side of the matrix.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (first ..., last ...) with equal products of both -> (last ..., first ...).

    Under `flow.autocast` it computes in float32.

    Raises:
        RuntimeError: ind is not positive, or the products differ.
        LinAlgError: the matrix is singular.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.linalg.tensorinv.

    Example:
        >>> import tritonflow as flow
        >>> A = flow.eye(6).reshape(2, 3, 6)
        >>> flow.linalg.tensorinv(A).shape
        tritonflow.Size([6, 2, 3])
    """
    # The inverse of a tensor as a map from its last dimensions to its first `ind`.
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


@function(
    "Tensor (Tensor input, Tensor other, Int32List[1] dims=None)",
    export="linalg", reference="torch.linalg.tensorsolve", samples="tensorsolve", tolerance="matmul", autocast="float32",
)
def linalg_tensorsolve(A: Tensor, B: Tensor, dims: tuple[int, ...] | None = None) -> Any:
    """x with tensordot(A, x, x.ndim) = B.

    Args:
        input: A.
        other: B.
        dims: dimensions of A that are moved to its end first.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (B's shape ..., x's shape ...), B's shape -> x's shape.

    Under `flow.autocast` it computes in float32.

    Raises:
        RuntimeError: the products of both shapes differ.
        LinAlgError: the matrix is singular.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.linalg.tensorsolve.

    Example:
        >>> import tritonflow as flow
        >>> A = 2 * flow.eye(6).reshape(2, 3, 6)
        >>> flow.linalg.tensorsolve(A, flow.ones(2, 3))
        tensor([0.5000, 0.5000, 0.5000, 0.5000, 0.5000, 0.5000])
    """
    # The x with tensordot(A, x, x.ndim) = B.
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


@function(
    "Tensor (Tensor input, Tensor other)",
    export="linalg", reference="torch.linalg.matmul", samples="linalg_matmul", tolerance="matmul", autocast="lower",
)
def linalg_matmul(input: Tensor, other: Tensor) -> Any:
    """The matrix product of the last two dimensions, broadcast over the others.

    The same as `flow.matmul`.

    Args:
        input: the input.
        other: a tensor.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., m, k), (..., k, n) -> (..., m, n); a vector counts as a row on the left and a column on the
        right.

    Under `flow.autocast` it computes in its dtype.

    Raises:
        RuntimeError: sizes or dtypes do not fit.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.linalg.matmul.

    Example:
        >>> import tritonflow as flow
        >>> flow.linalg.matmul(flow.ones(2, 3), flow.ones(3, 2))
        tensor([[3., 3.],
                [3., 3.]])
    """
    return matmul(input, other)
