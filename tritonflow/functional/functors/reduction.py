"""Functors of reductions: dimensions are checked and sorted, dtypes decided; and the gradients made of several ops."""

from __future__ import annotations

from typing import Any

from tritonflow.dtypes import DType, bool_, float32, get_default_dtype, int64, torch_name, uint8
from tritonflow.errors import AutogradError, DimensionError, DTypeError, InvalidArgumentError, ShapeError
from tritonflow.framework.tensor import Tensor, wrap_dim
from tritonflow.functional.functors.view import expand_reduced, unshared
from tritonflow.functional.library import functor
from tritonflow.interpreter.dispatch import dispatch, dispatch1
from tritonflow.interpreter.op_expr import op_expr
from tritonflow.thread_state import thread_state

Dims = tuple[int, ...] | None

_sum = op_expr("sum")
_nansum = op_expr("nansum")
_mean = op_expr("mean")
_prod = op_expr("prod")
_amax = op_expr("amax")
_amin = op_expr("amin")
_max = op_expr("max_dim")
_min = op_expr("min_dim")
_argmax = op_expr("argmax")
_argmin = op_expr("argmin")
_any = op_expr("any")
_all = op_expr("all")
_var = op_expr("var")
_std = op_expr("std")
_var_mean = op_expr("var_mean")
_norm = op_expr("norm")


def canonical_dims(x: Tensor, dim: Dims | int) -> tuple[int, ...]:
    """Sorted dimensions without negative ones; all of them for None and ()."""
    ndim = x.meta.ndim
    if dim is None or dim == ():
        return tuple(range(ndim))
    if isinstance(dim, int):
        dim = (dim,)
    dims = sorted([wrap_dim(d, ndim) for d in dim])
    for a, b in zip(dims, dims[1:]):
        if a == b:
            raise InvalidArgumentError(f"dim {a} appears multiple times in the list of dims")
    return tuple(dims) if ndim else ()


def refuse_integral(input: Tensor, dtype: DType) -> None:
    """Refuse a result of whole numbers where a gradient is wanted: they have none, and that should be said.

    Raises:
        RuntimeError: the input requires grad, and `dtype` is no floating dtype.
    """
    if not dtype.is_floating_point and thread_state.grad_enabled and input.requires_grad:
        raise AutogradError(
            f"Autograd not support dtype: {torch_name(dtype)}. Cast a detached tensor, or sum first and cast then"
        )


@functor("ReduceSum")
def sum(input: Tensor, dim: Dims = None, keepdim: bool = False, dtype: DType | None = None) -> Any:
    if dtype is not None:
        refuse_integral(input, dtype)
    return dispatch1(_sum, input, (canonical_dims(input, dim), keepdim, dtype))


@functor("ReduceNanSum")
def nansum(input: Tensor, dim: Dims = None, keepdim: bool = False, dtype: DType | None = None) -> Any:
    if dtype is not None:
        refuse_integral(input, dtype)
    return dispatch1(_nansum, input, (canonical_dims(input, dim), keepdim, dtype))


@functor("ReduceMean")
def mean(input: Tensor, dim: Dims = None, keepdim: bool = False, dtype: DType | None = None) -> Any:
    result = dtype or input.meta.dtype
    if not result.is_floating_point:
        raise DTypeError(
            "mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype."
            f" Got: {torch_name(input.meta.dtype)}"
        )
    return dispatch1(_mean, input, (canonical_dims(input, dim), keepdim, dtype))


@functor("ReduceProd")
def prod(input: Tensor, dim: Dims = None, keepdim: bool = False, dtype: DType | None = None) -> Any:
    if dtype is not None:
        refuse_integral(input, dtype)
    return dispatch1(_prod, input, (canonical_dims(input, dim), keepdim, dtype))


def _check_not_empty(name: str, x: Tensor, dims: tuple[int, ...], full: bool) -> None:
    """An extremum of no elements does not exist; torch's words."""
    if x.meta.numel or not x.meta.ndim:
        return
    for d in dims:
        if x.meta.shape[d] == 0:
            if full:
                text = f"{name}(): Expected reduction dim to be specified for input.numel() == 0."
                raise (
                    DimensionError(text)
                    if name.startswith("arg")
                    else ShapeError(f"{text} Specify the reduction dim with the 'dim' argument.")
                )
            raise DimensionError(f"{name}(): Expected reduction dim {d} to have non-zero size.")


@functor("AMax")
def amax(input: Tensor, dim: Dims = None, keepdim: bool = False) -> Any:
    return _extremum(_amax, "amax", input, dim, keepdim)


@functor("AMin")
def amin(input: Tensor, dim: Dims = None, keepdim: bool = False) -> Any:
    return _extremum(_amin, "amin", input, dim, keepdim)


def _extremum(op: Any, name: str, input: Tensor, dim: Dims, keepdim: bool) -> Any:
    dims = canonical_dims(input, dim)
    _check_not_empty(name, input, dims, dim is None or dim == ())
    return dispatch1(op, input, (dims, keepdim))


@functor("ReduceMax")
def max(input: Tensor) -> Any:
    return _extremum(_amax, "max", input, None, False)


@functor("ReduceMin")
def min(input: Tensor) -> Any:
    return _extremum(_amin, "min", input, None, False)


def _with_index(op: Any, name: str, input: Tensor, dim: int, keepdim: bool) -> Any:
    dims = canonical_dims(input, dim)
    _check_not_empty(name, input, dims, False)
    return dispatch(op, (input,), (dims, keepdim))


@functor("MaxDim")
def max_dim(input: Tensor, dim: int, keepdim: bool = False) -> Any:
    return _with_index(_max, "max", input, dim, keepdim)


@functor("MinDim")
def min_dim(input: Tensor, dim: int, keepdim: bool = False) -> Any:
    return _with_index(_min, "min", input, dim, keepdim)


@functor("MaxOther")
def max_other(input: Tensor, other: Tensor) -> Any:
    from tritonflow import _C

    return _C.maximum(input, other)


@functor("MinOther")
def min_other(input: Tensor, other: Tensor) -> Any:
    from tritonflow import _C

    return _C.minimum(input, other)


def _arg(op: Any, name: str, input: Tensor, dim: int | None, keepdim: bool) -> Any:
    dims = canonical_dims(input, dim)
    _check_not_empty(name, input, dims, dim is None)
    return dispatch1(op, input, (dims, keepdim))


@functor("ArgMax")
def argmax(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Any:
    return _arg(_argmax, "argmax", input, dim, keepdim)


@functor("ArgMin")
def argmin(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Any:
    return _arg(_argmin, "argmin", input, dim, keepdim)


@functor("ReduceAny")
def any(input: Tensor, dim: Dims = None, keepdim: bool = False) -> Any:
    return _truth(_any, input, dim, keepdim)


@functor("ReduceAll")
def all(input: Tensor, dim: Dims = None, keepdim: bool = False) -> Any:
    return _truth(_all, input, dim, keepdim)


def _truth(op: Any, input: Tensor, dim: Dims, keepdim: bool) -> Any:
    """bool; of uint8, which was the dtype of truth values once, uint8, as torch."""
    from tritonflow import _C

    if dim == ():  # reduces nothing, where a sum reduces everything
        result = _C.clone(input) if input.meta.dtype is bool_ else _C.cast(input, bool_)
    else:
        result = dispatch1(op, input, (canonical_dims(input, dim), keepdim))
    return result if input.meta.dtype is not uint8 else _C.cast(result, uint8)


def _moments(op: Any, name: str, input: Tensor, dim: Dims, correction: int, keepdim: bool) -> Any:
    if not input.meta.dtype.is_floating_point:
        raise DTypeError("std and var only support floating point and complex dtypes")
    return dispatch(op, (input,), (canonical_dims(input, dim), correction, keepdim))


@functor("Var")
def var(input: Tensor, dim: Dims = None, unbiased: bool = True, keepdim: bool = False) -> Any:
    return _moments(_var, "var", input, dim, int(unbiased), keepdim)


@functor("VarCorrection")
def var_corrected(input: Tensor, dim: Dims = None, correction: int = 1, keepdim: bool = False) -> Any:
    return _moments(_var, "var", input, dim, correction, keepdim)


@functor("VarAll")
def var_all(input: Tensor, unbiased: bool) -> Any:
    return _moments(_var, "var", input, None, int(unbiased), False)


@functor("Std")
def std(input: Tensor, dim: Dims = None, unbiased: bool = True, keepdim: bool = False) -> Any:
    return _moments(_std, "std", input, dim, int(unbiased), keepdim)


@functor("StdCorrection")
def std_corrected(input: Tensor, dim: Dims = None, correction: int = 1, keepdim: bool = False) -> Any:
    return _moments(_std, "std", input, dim, correction, keepdim)


@functor("StdAll")
def std_all(input: Tensor, unbiased: bool) -> Any:
    return _moments(_std, "std", input, None, int(unbiased), False)


def _variance_and_mean(input: Tensor, dim: Dims, correction: int, keepdim: bool) -> Any:
    from tritonflow import _C

    found = _moments(_var_mean, "var_mean", input, dim, correction, keepdim)
    return found if input.meta.numel else (found[0], _C.mean(input, dim, keepdim))  # the mean of nothing is NaN


@functor("VarMean")
def var_mean(input: Tensor, dim: Dims = None, unbiased: bool = True, keepdim: bool = False) -> Any:
    return _variance_and_mean(input, dim, int(unbiased), keepdim)


@functor("VarMeanCorrection")
def var_mean_corrected(input: Tensor, dim: Dims = None, correction: int = 1, keepdim: bool = False) -> Any:
    return _variance_and_mean(input, dim, correction, keepdim)


@functor("VarMeanAll")
def var_mean_all(input: Tensor, unbiased: bool) -> Any:
    return _variance_and_mean(input, None, int(unbiased), False)


@functor("Norm")
def norm(input: Tensor, p: float = 2.0, dim: Dims = None, keepdim: bool = False, dtype: DType | None = None) -> Any:
    from tritonflow import _C

    if dtype is not None:
        input = _C.cast(input, dtype)
    if not input.meta.dtype.is_floating_point:
        raise DTypeError(
            f"linalg.vector_norm: Expected a floating point or complex tensor as input. Got {torch_name(input.meta.dtype)}"
        )
    dims = canonical_dims(input, dim)
    if p in (0.0, 1.0, 2.0, float("inf"), float("-inf")):
        return dispatch1(_norm, input, (float(p), dims, keepdim))
    half = input.meta.dtype if input.meta.dtype.itemsize == 2 else None
    powers = _C.pow(_C.abs(_C.cast(input, float32) if half else input), p)
    result = _C.pow(sum(powers, dims, keepdim), 1.0 / p)
    return _C.cast(result, half) if half else result


@functor("NormOfName")
def norm_of_name(input: Tensor, p: str, dim: Dims = None, keepdim: bool = False, dtype: DType | None = None) -> Any:
    if p != "fro":
        raise InvalidArgumentError(f"norm: order '{p}' is not supported, expected a number or 'fro'")
    return norm(input, 2.0, dim, keepdim, dtype)


@functor("LogSumExp")
def logsumexp(input: Tensor, dim: Dims, keepdim: bool = False) -> Any:
    """max + log(sum(exp(x - max))), with a max that is finite, so that infinities do not make NaN."""
    from tritonflow import _C

    if not input.meta.dtype.is_floating_point:
        input = _C.cast(input, get_default_dtype())
    dims = canonical_dims(input, dim)
    largest = amax(input.detach(), dims, True) if input.meta.numel else _C.zeros_like(sum(input, dims, True))
    largest = _C.where(_C.isfinite(largest), largest, 0.0)
    total = _C.log(sum(_C.exp(_C.sub(input, largest)), dims, True))
    result = _C.add(total, largest)
    return result if keepdim else unshared(_C.reshape(result, sum_shape(input, dims)))


def sum_shape(x: Tensor, dims: tuple[int, ...]) -> tuple[int, ...]:
    """The shape of a reduction without keepdim."""
    return tuple([n for d, n in enumerate(x.meta.shape) if d not in dims])


# ------------------------------------------------------------------------------------------------------- gradients


@functor("MeanGrad")
def mean_grad(dy: Tensor, shape: tuple[int, ...], dim: Dims = None, keepdim: bool = False) -> Any:
    """dy / (number of elements in each mean), broadcast."""
    from tritonflow import _C

    spread = expand_reduced(dy, shape, dim, keepdim)
    count = spread.meta.numel / dy.meta.numel if dy.meta.numel else 1
    return _C.div(spread, count) if count else spread


@functor("ExtremumGrad")
def extremum_grad(dy: Tensor, x: Tensor, y: Tensor, dim: Dims = None, keepdim: bool = False) -> Any:
    """dy, shared equally by the elements that are the extremum."""
    from tritonflow import _C

    shape = x.meta.shape
    hit = _C.cast(_C.eq(x, expand_reduced(y, shape, dim, keepdim)), dy.meta.dtype)
    count = sum(hit, dim, keepdim)
    return _C.mul(expand_reduced(_C.div(dy, count), shape, dim, keepdim), hit)


@functor("IndexedExtremumGrad")
def indexed_extremum_grad(
    dy: Tensor, index: Tensor, shape: tuple[int, ...], dim: tuple[int, ...], keepdim: bool
) -> Any:
    """dy at the places where the extrema were, else 0."""
    from tritonflow import _C

    if not shape:
        return dy
    d = dim[0]
    if not keepdim:
        dy, index = _C.unsqueeze(dy, d), _C.unsqueeze(index, d)
    return _C.scatter(_C.zeros(shape, dtype=dy.meta.dtype, device=dy.meta.device), d, index, dy)


@functor("ProdGrad")
def prod_grad(dy: Tensor, x: Tensor, y: Tensor, dim: Dims = None, keepdim: bool = False) -> Any:
    """dy times the product of the others: y / x, or where x is the only zero, the product of the rest."""
    from tritonflow import _C

    shape = x.meta.shape
    if dy.meta.dtype is not x.meta.dtype:
        x = _C.cast(x, dy.meta.dtype)
    zero = _C.eq(x, 0)
    zeros = expand_reduced(sum(zero, dim, keepdim, int64), shape, dim, keepdim)
    filled = _C.where(zero, 1.0, x)
    rest = expand_reduced(prod(filled, dim, keepdim), shape, dim, keepdim)
    only = _C.logical_and(zero, _C.eq(zeros, 1))
    others = _C.where(_C.eq(zeros, 0), _C.div(rest, filled), _C.where(only, rest, 0.0))
    return _C.mul(expand_reduced(dy, shape, dim, keepdim), others)


@functor("VarGrad")
def var_grad(dy: Tensor, x: Tensor, dim: tuple[int, ...], correction: int, keepdim: bool) -> Any:
    """2 dy (x - mean) / (n - correction)"""
    from tritonflow import _C

    shape = x.meta.shape
    count = 1
    for d in dim:
        count *= shape[d]
    centred = _C.sub(x, mean(x, dim, True))
    freedom = count - correction
    factor = 2.0 / freedom if freedom > 0 else float("inf") if freedom == 0 else 0.0
    return _C.mul(_C.mul(expand_reduced(dy, shape, dim, keepdim), factor), centred)


@functor("NormGrad")
def norm_grad(dy: Tensor, x: Tensor, y: Tensor, order: float, dim: tuple[int, ...], keepdim: bool) -> Any:
    """dy x / y for the 2-norm (0 where y is), dy sign(x) for the 1-norm, dy sign(x) shared among the extrema for +-inf."""
    from tritonflow import _C

    shape = x.meta.shape
    spread = expand_reduced(dy, shape, dim, keepdim)
    if order == 0:
        return _C.zeros_like(spread)
    if order == 1:
        return _C.mul(spread, _C.sign(x))
    if order == 2:
        norms = expand_reduced(y, shape, dim, keepdim)
        return _C.where(_C.eq(norms, 0), 0.0, _C.div(_C.mul(spread, x), norms))
    return _C.mul(extremum_grad(dy, _C.abs(x), y, dim, keepdim), _C.sign(x))
