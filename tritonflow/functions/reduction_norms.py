"""Functors of norms of vectors and matrices beyond `norm`, and of renorm."""

from __future__ import annotations

from typing import Any

from tritonflow.binding.library import function, functor
from tritonflow.dtypes import DType, float32, promote_types, torch_name
from tritonflow.errors import ArgumentValueError, DTypeError, InvalidArgumentError, ShapeError
from tritonflow.framework.tensor import Tensor, wrap_dim
from tritonflow.functions import reduction
from tritonflow.functions.arithmetic import scalar_add
from tritonflow.functions.cast import cast, copy_, kept
from tritonflow.functions.elementwise_selection import where_scalar_y
from tritonflow.functions.generated import abs as abs_of
from tritonflow.functions.generated import mul, reciprocal, scalar_gt, scalar_mul
from tritonflow.functions.linalg_spectra import linalg_svdvals
from tritonflow.functions.view import reshape, squeeze, unshared, unsqueeze
from tritonflow.functions.view_orders import movedim
from tritonflow.interpreter.recording import wants_gradient
from tritonflow.thread_state import thread_state

Number = int | float | bool
Dims = tuple[int, ...] | None
INFINITY = float("inf")


@function(
    "Tensor (Tensor input, Scalar p, Int32 dim, Scalar maxnorm, *, Bool inplace=False)",
    methods=("renorm", "renorm_"), samples="renorm", tolerance="reduction", autocast="float32",
)
def renorm(input: Tensor, p: Number, dim: int, maxnorm: Number, inplace: bool = False) -> Any:
    """The tensor with the slices of a dimension whose p-norm is larger than maxnorm scaled to it.

    Slices whose norm is at most maxnorm stay as they are.

    Args:
        input: the input.
        p: the order of the norm, positive.
        dim: the dimension along which slices are taken; each slice has all others.
        maxnorm: the largest norm, not negative.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        `input` has two dimensions or more; the result has the same shape.

    Under `flow.autocast` it computes in float32. Methods: `Tensor.renorm` and `Tensor.renorm_`.

    Raises:
        RuntimeError: less than two dimensions; `p` or `maxnorm` out of range.
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.renorm.

    Example:
        >>> import tritonflow as flow
        >>> flow.renorm(flow.tensor([[3.0, 4.0], [0.3, 0.4]]), 2, 0, 1.0)
        tensor([[0.6000, 0.8000],
                [0.3000, 0.4000]])
    """
    if p <= 0:
        raise InvalidArgumentError("non-positive-norm not supported")
    if input.meta.ndim < 2:
        raise ShapeError(f"input needs at least 2 dimensions, got {input.meta.ndim} dimensions")
    if maxnorm < 0:
        raise InvalidArgumentError(f"expected maxnorm to be >= 0 but got {maxnorm}")
    dim = wrap_dim(dim, input.meta.ndim)
    others = tuple([d for d in range(input.meta.ndim) if d != dim])
    dtype = input.meta.dtype
    old = kept(input, inplace)
    wide = float32 if dtype.itemsize == 2 and dtype.is_floating_point else None
    norms = reduction.norm(old.detach(), float(p), others, True, wide)
    scaled = scalar_gt(norms, maxnorm)
    if thread_state.grad_enabled and wants_gradient(old):  # of slices that stay as they are, not even a NaN is seen
        norms = reduction.norm(where_scalar_y(scaled, old, 0.0), float(p), others, True, wide)
    scale = where_scalar_y(scaled, scalar_mul(reciprocal(scalar_add(norms, 1e-7)), maxnorm), 1.0)
    result = mul(old, cast(scale, dtype) if scale.meta.dtype is not dtype else scale)
    return copy_(input, result) if inplace else result


@function(
    "Tensor (Tensor x, Scalar ord=2, Int32List[1] dim=None, Bool keepdim=False, *, DataType dtype=None)",
    name="linalg_vector_norm", export="linalg", reference="torch.linalg.vector_norm", samples="vector_norm",
    tolerance="reduction", autocast="float32",
)
def vector_norm(x: Tensor, ord: Number = 2, dim: Dims = None, keepdim: bool = False, dtype: DType | None = None) -> Any:
    """The p-norm of the elements over some dimensions, or over all.

    `out = sum(abs(x) ** ord) ** (1 / ord)`.

    Args:
        x: the input.
        ord: the order; an infinity takes the largest absolute value, -inf the smallest, 0 counts what is
            not 0.
        dim: the dimension, or several; negative ones count from the end. All elements unless given.
        keepdim: whether reduced dimensions stay, with size 1.
        dtype: of the norm; the input is cast to it first.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...) -> (..., ...), with `keepdim` (..., 1, ...).

    Under `flow.autocast` it computes in float32.

    Raises:
        RuntimeError: integers or bool.
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.linalg.vector_norm.

    Example:
        >>> import tritonflow as flow
        >>> flow.linalg.vector_norm(flow.tensor([3.0, 4.0]))
        tensor(5.)
        >>> flow.linalg.vector_norm(flow.tensor([3.0, -4.0]), ord=1)
        tensor(7.)
    """
    _check_dtype("linalg.vector_norm", x, dtype)
    return reduction.norm(x, float(ord), dim, keepdim, dtype)


def _check_dtype(name: str, x: Tensor, dtype: DType | None) -> None:
    own = x.meta.dtype
    if not own.has_gradient:
        raise DTypeError(f"{name}: Expected a floating point or complex tensor as input. Got {torch_name(own)}")
    if dtype is None:
        return
    if not dtype.has_gradient:
        raise DTypeError(f"{name}: dtype should be floating point or complex. Got {torch_name(dtype)}")
    if promote_types(own, dtype) is not dtype:
        raise DTypeError(
            f"{name}: the dtype of the input ({torch_name(own)}) should be convertible without narrowing to the specified dtype"
            f" ({torch_name(dtype)})"
        )


@function(
    "Tensor (Tensor A, String ord='fro', Int32List[2] dim=(-2, -1), Bool keepdim=False, *, DataType dtype=None)",
    "Tensor (Tensor A, Scalar ord, Int32List[2] dim=(-2, -1), Bool keepdim=False, *, DataType dtype=None) => MatrixNormOrder",
    name="linalg_matrix_norm", export="linalg", reference="torch.linalg.matrix_norm", samples="matrix_norm",
    tolerance="reduction", autocast="float32",
)
def matrix_norm(
    A: Tensor, ord: str = "fro", dim: tuple[int, ...] = (-2, -1), keepdim: bool = False, dtype: DType | None = None
) -> Any:
    """The norm of matrices, fro, nuc, 2, -2, 1, -1, inf or -inf.

    `"fro"` is the root of the sum of squares, `"nuc"` the sum of the singular values, 2 the largest and
    -2 the smallest of them, 1 and -1 the largest and the smallest sum of absolute values of a column,
    inf and -inf of a row.

    Args:
        A: matrices.
        ord: the norm.
        dim: the two dimensions of the matrices.
        keepdim: whether reduced dimensions stay, with size 1.
        dtype: of the norm; the input is cast to it first.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., m, n) -> (...), with `keepdim` (..., 1, 1).

    Under `flow.autocast` it computes in float32.

    Raises:
        RuntimeError: less than two dimensions; integers or bool; an unknown norm.
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.linalg.matrix_norm.

    Example:
        >>> import tritonflow as flow
        >>> A = flow.tensor([[3.0, 0.0], [0.0, -4.0]])
        >>> flow.linalg.matrix_norm(A)
        tensor(5.)
        >>> flow.linalg.matrix_norm(A, 2)
        tensor(4.)
    """
    rows, columns = _matrix_dims(A, dim)
    if ord == "fro":
        return vector_norm(A, 2, (rows, columns), keepdim, dtype)
    if ord == "nuc":
        return _of_singular_values(A, (rows, columns), reduction.sum, keepdim, dtype)
    raise InvalidArgumentError(f"linalg.matrix_norm: Order {ord} not supported.")


@functor("MatrixNormOrder")
def matrix_norm_order(
    A: Tensor, ord: Number, dim: tuple[int, ...] = (-2, -1), keepdim: bool = False, dtype: DType | None = None
) -> Any:
    """The largest (or of a negative order smallest) sum of magnitudes of a column (order 1) or of a row (infinity)."""
    rows, columns = _matrix_dims(A, dim)
    if ord > 0 and not A.meta.numel and abs(ord) in (1, 2, INFINITY):
        _check_dtype("linalg.matrix_norm", A, dtype)
        return reduction.sum(abs_of(A if dtype is None else cast(A, dtype)), (rows, columns), keepdim)
    if abs(ord) == 2:
        return _of_singular_values(A, (rows, columns), reduction.amax if ord > 0 else reduction.amin, keepdim, dtype)
    if abs(ord) not in (1, INFINITY):
        raise InvalidArgumentError(f"linalg.matrix_norm: Order {ord} not supported.")
    _check_dtype("linalg.matrix_norm", A, dtype)
    summed, compared = (rows, columns) if abs(ord) == 1 else (columns, rows)
    x = A if dtype is None else cast(A, dtype)
    sums = reduction.sum(abs_of(x), (summed,), True)
    extreme = reduction.amax if ord > 0 else reduction.amin
    result = extreme(sums, (compared,), True)
    return result if keepdim else unshared(squeeze(result, (rows, columns)))


def _of_singular_values(A: Tensor, dims: tuple[int, int], reduce: Any, keepdim: bool, dtype: DType | None) -> Any:
    """What a reduction makes of the singular values of the matrices in two dimensions."""
    _check_dtype("linalg.matrix_norm", A, dtype)
    x = movedim(A if dtype is None else cast(A, dtype), dims, (-2, -1))
    result = reduce(linalg_svdvals(x), (-1,))
    return unsqueeze(unsqueeze(result, min(dims)), max(dims)) if keepdim else result


def _matrix_dims(A: Tensor, dim: tuple[int, ...]) -> tuple[int, int]:
    if A.meta.ndim < 2:
        raise ShapeError("linalg.matrix_norm: The input tensor A must have at least 2 dimensions.")
    if len(dim) != 2:
        raise InvalidArgumentError(f"linalg.matrix_norm: dim must be a 2-tuple. Got {list(dim)}")
    rows, columns = [wrap_dim(d, A.meta.ndim) for d in dim]
    if rows == columns:
        raise ArgumentValueError(f"linalg.matrix_norm: dims must be different. Got ({dim[0]}, {dim[1]})")
    return rows, columns


@functor("NormOfName")
def norm_of_name(input: Tensor, p: str, dim: Dims = None, keepdim: bool = False, dtype: DType | None = None) -> Any:
    """fro: of all elements, or over some dimensions; nuc: of a matrix, or of those in two dimensions."""
    if p == "fro":
        return reduction.norm(input, 2.0, dim, keepdim, dtype)
    if p != "nuc":
        raise InvalidArgumentError(f"norm(): only valid string values are 'fro' and 'nuc', found {p}")
    if dim is None and input.meta.ndim != 2:
        raise ShapeError(f"norm(): Expected a tensor with 2 dimensions, but got {input.meta.ndim} of them")
    return matrix_norm(input, "nuc", (0, 1) if dim is None else dim, keepdim, dtype)


@function(
    "Tensor (Tensor A, Scalar ord=None, Int32List[1] dim=None, Bool keepdim=False, *, DataType dtype=None)",
    "Tensor (Tensor A, String ord, Int32List[1] dim=None, Bool keepdim=False, *, DataType dtype=None) => LinalgNormOfName",
    export="linalg", reference="torch.linalg.norm", samples="matrix_norm", tolerance="reduction", autocast="float32",
)
def linalg_norm(
    A: Tensor, ord: Number | None = None, dim: Dims = None, keepdim: bool = False, dtype: DType | None = None
) -> Any:
    """vector_norm, or matrix_norm where an order is given and two dimensions are reduced.

    Without an order it is the root of the sum of squares over the dimensions.

    Args:
        A: vectors or matrices.
        ord: the order of `flow.linalg.vector_norm` or `flow.linalg.matrix_norm`.
        dim: the dimension, or several; negative ones count from the end. All elements unless given.
        keepdim: whether reduced dimensions stay, with size 1.
        dtype: of the norm; the input is cast to it first.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...) -> (..., ...), with `keepdim` (..., 1, ...).

    Under `flow.autocast` it computes in float32.

    Raises:
        RuntimeError: integers or bool; an order that does not fit the dimensions.
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.linalg.norm.

    Example:
        >>> import tritonflow as flow
        >>> flow.linalg.norm(flow.tensor([[3.0, 0.0], [0.0, -4.0]]))
        tensor(5.)
        >>> flow.linalg.norm(flow.tensor([[3.0, 0.0], [0.0, -4.0]]), "nuc")
        tensor(7.)
    """
    if ord is None:
        if dim is None:
            result = vector_norm(reshape(A, (-1,)), 2, None, False, dtype)
            return reshape(result, (1,) * A.meta.ndim) if keepdim else result
        return vector_norm(A, 2, dim, keepdim, dtype)
    dims = _norm_dims(A, dim)
    if len(dims) == 1:
        return vector_norm(A, ord, dims, keepdim, dtype)
    return matrix_norm_order(A, ord, dims, keepdim, dtype)


@functor("LinalgNormOfName")
def linalg_norm_of_name(
    A: Tensor, ord: str, dim: Dims = None, keepdim: bool = False, dtype: DType | None = None
) -> Any:
    dims = _norm_dims(A, dim)
    if len(dims) == 1:
        dims = (0, 1) if dim is None else dims
    return matrix_norm(A, ord, dims, keepdim, dtype)


def _norm_dims(A: Tensor, dim: Dims) -> tuple[int, ...]:
    """The dimensions that an order reduces: one of vectors, two of matrices."""
    if dim is None:
        if A.meta.ndim not in (1, 2):
            raise ShapeError(
                f"linalg.norm: If dim is not specified but ord is, the input must be 1D or 2D. Got {A.meta.ndim}D."
            )
        return tuple(range(A.meta.ndim))
    if len(dim) not in (1, 2):
        raise ShapeError(f"linalg.norm: If dim is specified, it must be of length 1 or 2. Got {list(dim)}")
    return dim
