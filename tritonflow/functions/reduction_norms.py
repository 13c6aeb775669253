"""Functors of norms of vectors and matrices beyond `norm`, and of renorm."""

from __future__ import annotations

from typing import Any

from tritonflow.binding.library import functor
from tritonflow.dtypes import DType, float32, promote_types, torch_name
from tritonflow.errors import ArgumentValueError, DTypeError, InvalidArgumentError, ShapeError
from tritonflow.framework.tensor import Tensor, wrap_dim
from tritonflow.functions import reduction
from tritonflow.functions.arithmetic import scalar_add
from tritonflow.functions.cast import cast, copy_, kept
from tritonflow.functions.elementwise_selection import where_scalar_y
from tritonflow.functions.generated import abs as abs_of
from tritonflow.functions.generated import mul, reciprocal, scalar_gt, scalar_mul
from tritonflow.functions.linalg import linalg_svdvals
from tritonflow.functions.view import movedim, reshape, squeeze, unshared, unsqueeze
from tritonflow.interpreter.recording import wants_gradient
from tritonflow.thread_state import thread_state

Number = int | float | bool
Dims = tuple[int, ...] | None
INFINITY = float("inf")


@functor("ReNorm")
def renorm(input: Tensor, p: Number, dim: int, maxnorm: Number, inplace: bool = False) -> Any:
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


@functor("VectorNorm")
def vector_norm(x: Tensor, ord: Number = 2, dim: Dims = None, keepdim: bool = False, dtype: DType | None = None) -> Any:
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


@functor("MatrixNorm")
def matrix_norm(
    A: Tensor, ord: str = "fro", dim: tuple[int, ...] = (-2, -1), keepdim: bool = False, dtype: DType | None = None
) -> Any:
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


@functor("LinalgNorm")
def linalg_norm(
    A: Tensor, ord: Number | None = None, dim: Dims = None, keepdim: bool = False, dtype: DType | None = None
) -> Any:
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
