"""Functors of reductions: dimensions are checked and sorted, dtypes decided. Some gradients are made of several ops here."""

from __future__ import annotations

import math
from typing import Any

from tritonflow.binding.library import function, functor
from tritonflow.dtypes import DType, bool_, float32, get_default_dtype, int64, torch_name, uint8
from tritonflow.errors import AutogradError, DimensionError, DTypeError, InvalidArgumentError, ShapeError
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.symbolic_int import known_equal
from tritonflow.framework.tensor import Tensor, wrap_dim
from tritonflow.functions.arithmetic import add, sub
from tritonflow.functions.arithmetic_powers import scalar_pow
from tritonflow.functions.cast import cast, clone
from tritonflow.functions.creation_like import zeros_like
from tritonflow.functions.elementwise_selection import where_scalar_x, where_scalar_y
from tritonflow.functions.generated import abs as abs_of
from tritonflow.functions.generated import (
    div,
    eq,
    exp,
    is_finite,
    is_inf,
    is_nan,
    log_of_sum,
    logical_and,
    logical_or,
    maximum,
    minimum,
    mul,
    scalar_div,
    scalar_eq,
    scalar_mul,
    sign,
    where,
)
from tritonflow.functions.matmul_gradients import is_differentiated_again, product_of_others
from tritonflow.functions.unary_complex import real
from tritonflow.functions.view import expand_reduced, reshape, unshared
from tritonflow.interpreter.autocast import with_casts
from tritonflow.interpreter.dispatch import dispatch, dispatch1
from tritonflow.interpreter.recording import wants_gradient
from tritonflow.thread_state import thread_state

Dims = tuple[int, ...] | None

# logsumexp follows autocast op by op: each is cast by its own rule.
_exp = with_casts(exp, "float32")
_log_of_sum = with_casts(log_of_sum, "float32")

_sum = op_expr("sum")
_nansum = op_expr("nansum")
_mean = op_expr("mean")
_prod = op_expr("prod")
_amax = op_expr("amax")
_max_all = op_expr("max_all")
_min_all = op_expr("min_all")
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
    if ndim > 64:
        raise ShapeError("only tensors with up to 64 dims are supported")
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
    if not dtype.has_gradient and thread_state.grad_enabled and wants_gradient(input):
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
    if not result.has_gradient:
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
    return _extremum(_max_all, "max", input, None, False)


@functor("ReduceMin")
def min(input: Tensor) -> Any:
    return _extremum(_min_all, "min", input, None, False)


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
    return maximum(input, other)


@functor("MinOther")
def min_other(input: Tensor, other: Tensor) -> Any:
    return minimum(input, other)


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
    if dim == ():  # reduces nothing, where a sum reduces everything
        result = clone(input) if input.meta.dtype is bool_ else cast(input, bool_)
    else:
        result = dispatch1(op, input, (canonical_dims(input, dim), keepdim))
    return result if input.meta.dtype is not uint8 else cast(result, uint8)


def _moments(op: Any, name: str, input: Tensor, dim: Dims, correction: float | None, keepdim: bool) -> Any:
    """The op's moments with n - correction; of a fraction by another factor, as the kernels count in whole numbers."""
    if not input.meta.dtype.has_gradient:
        raise DTypeError("std and var only support floating point and complex dtypes")
    freedom = 1 if correction is None else correction
    dims = canonical_dims(input, dim)
    if freedom == int(freedom):
        return dispatch(op, (input,), (dims, int(freedom), keepdim))
    found = dispatch(op, (input,), (dims, 0, keepdim))
    count = math.prod([input.meta.shape[d] for d in dims])
    factor = count / (count - freedom) if count > freedom else math.inf
    factor = math.sqrt(factor) if op is _std else factor
    return (scalar_mul(found[0], factor), *found[1:]) if isinstance(found, tuple) else scalar_mul(found, factor)


@functor("Var")
def var(input: Tensor, dim: Dims = None, unbiased: bool = True, keepdim: bool = False) -> Any:
    return _moments(_var, "var", input, dim, int(unbiased), keepdim)


@functor("VarCorrection")
def var_corrected(input: Tensor, dim: Dims = None, correction: float | None = None, keepdim: bool = False) -> Any:
    return _moments(_var, "var", input, dim, correction, keepdim)


@functor("VarAll")
def var_all(input: Tensor, unbiased: bool) -> Any:
    return _moments(_var, "var", input, None, int(unbiased), False)


@functor("Std")
def std(input: Tensor, dim: Dims = None, unbiased: bool = True, keepdim: bool = False) -> Any:
    return _moments(_std, "std", input, dim, int(unbiased), keepdim)


@functor("StdCorrection")
def std_corrected(input: Tensor, dim: Dims = None, correction: float | None = None, keepdim: bool = False) -> Any:
    return _moments(_std, "std", input, dim, correction, keepdim)


@functor("StdAll")
def std_all(input: Tensor, unbiased: bool) -> Any:
    return _moments(_std, "std", input, None, int(unbiased), False)


def _variance_and_mean(input: Tensor, dim: Dims, correction: float | None, keepdim: bool) -> Any:
    found = _moments(_var_mean, "var_mean", input, dim, correction, keepdim)
    return found if input.meta.numel else (found[0], mean(input, dim, keepdim))  # the mean of nothing is NaN


@functor("VarMean")
def var_mean(input: Tensor, dim: Dims = None, unbiased: bool = True, keepdim: bool = False) -> Any:
    return _variance_and_mean(input, dim, int(unbiased), keepdim)


@functor("VarMeanCorrection")
def var_mean_corrected(input: Tensor, dim: Dims = None, correction: float | None = None, keepdim: bool = False) -> Any:
    return _variance_and_mean(input, dim, correction, keepdim)


@functor("VarMeanAll")
def var_mean_all(input: Tensor, unbiased: bool) -> Any:
    return _variance_and_mean(input, None, int(unbiased), False)


@functor("Norm")
def norm(
    input: Tensor, p: float | None = None, dim: Dims = None, keepdim: bool = False, dtype: DType | None = None
) -> Any:  # fmt: skip
    p = 2.0 if p is None else p
    if dtype is not None:
        input = cast(input, dtype)
    if not input.meta.dtype.has_gradient:
        raise DTypeError(
            f"linalg.vector_norm: Expected a floating point or complex tensor as input. Got {torch_name(input.meta.dtype)}"
        )
    dims = canonical_dims(input, dim)
    if (p < 0 or p == float("inf")) and 0 in [input.meta.shape[d] for d in dims]:
        raise ShapeError(
            f"linalg.vector_norm cannot compute the {p:g} norm on an empty tensor because the operation does not have an identity"
        )
    if p in (0.0, 1.0, 2.0, float("inf"), float("-inf")):
        return dispatch1(_norm, input, (float(p), dims, keepdim))
    half = input.meta.dtype if input.meta.dtype.itemsize == 2 else None
    result = _norm_of_order(cast(input, float32) if half else input, p, dims, keepdim)
    return cast(result, half) if half else result


def _norm_of_order(x: Tensor, p: float, dims: tuple[int, ...], keepdim: bool) -> Any:
    """The p-th root of the sum of powers. Its gradient is 0 where the norm is 0, and for p < 1 at every element that is 0."""
    sizes, least = abs_of(x), 0.0 if p > 0 else float("inf")  # the power of 0
    if p < 1:
        absent = scalar_eq(x, 0)
        powers = where_scalar_x(absent, least, scalar_pow(where_scalar_x(absent, 1.0, sizes), p))
    else:
        powers = scalar_pow(sizes, p)
    total = sum(powers, dims, keepdim)
    nothing = scalar_eq(total, least)
    return where_scalar_x(nothing, 0.0, scalar_pow(where_scalar_x(nothing, 1.0, total), 1.0 / p))


@function(
    "Tensor (Tensor input, Int32List[1] dim, Bool keepdim=False)",
    methods="logsumexp", samples="along_dim", tolerance="norm",
)
def logsumexp(input: Tensor, dim: Dims, keepdim: bool = False) -> Any:
    """The logarithm of the sum of exponentials.

    `out = log(sum(exp(input)))`, without overflow. Integers count as the default dtype. Where all are
    -inf, so is the result, and the gradient is 0.

    Args:
        input: the input.
        dim: the dimension, or several; negative ones count from the end.
        keepdim: whether reduced dimensions stay, with size 1.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...) -> (..., ...), with `keepdim` (..., 1, ...).

    Method: `Tensor.logsumexp`.

    Raises:
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.logsumexp.

    Example:
        >>> import tritonflow as flow
        >>> flow.logsumexp(flow.tensor([[0.0, 0.0], [100.0, 100.0]]), 1)
        tensor([  0.6931, 100.6931])
    """
    # max + log(sum(exp(x - max))), with a max that is finite, so that infinities do not make NaN.
    if not input.meta.dtype.has_gradient:
        input = cast(input, get_default_dtype())
    dims = canonical_dims(input, dim)
    largest = amax(real(input.detach()), dims, True) if input.meta.numel else zeros_like(sum(real(input), dims, True))
    largest = where_scalar_y(is_finite(largest), largest, 0.0)
    total = _log_of_sum(sum(_exp(sub(input, largest)), dims, True))
    result = add(total, largest)
    return result if keepdim else unshared(reshape(result, sum_shape(input, dims)))


def sum_shape(x: Tensor, dims: tuple[int, ...]) -> tuple[int, ...]:
    """The shape of a reduction without keepdim."""
    return tuple([n for d, n in enumerate(x.meta.shape) if d not in dims])


# ------------------------------------------------------------------------------------------------------- gradients


@function("Tensor (Tensor input, Shape shape)", bind_python=False)
def sum_to(input: Tensor, shape: tuple[int, ...]) -> Tensor:
    """Sum over what broadcasting repeated: the adjoint of `expand`."""
    own = input.meta.shape
    new = len(own) - len(shape)
    if not new and own == tuple(shape):
        return input
    dims = [d for d in range(len(own)) if d < new or _is_repeated(shape[d - new], own[d])]
    if new and dims == list(range(new)):  # the sum itself, and no view of it: it becomes the gradient of a bias as it is
        return sum(input, tuple(dims))  # type: ignore[no-any-return]
    result = sum(input, tuple(dims), True) if dims else input
    if dims and not new and False not in map(known_equal, result.meta.shape, shape):
        return result  # type: ignore[no-any-return]
    return reshape(result, tuple(shape))


def _is_repeated(small: int, large: int) -> bool:
    """Whether broadcasting has repeated a dimension. Whether two sizes are one is asked before whether they are 1."""
    if known_equal(small, large):
        return False
    return known_equal(small, 1) or (small != large and small == 1)


@function("Tensor (Tensor dy, Shape shape, Int32List dim=None, Bool keepdim=False)", bind_python=False)
def mean_grad(dy: Tensor, shape: tuple[int, ...], dim: Dims = None, keepdim: bool = False) -> Any:
    """dy / (number of elements in each mean), broadcast."""
    spread = expand_reduced(dy, shape, dim, keepdim)
    return scalar_div(spread, math.prod([shape[d] for d in canonical_dims(spread, dim)]))


@function("Tensor (Tensor dy, Tensor x, Tensor y, Int32List dim=None, Bool keepdim=False)", bind_python=False)
def extremum_grad(dy: Tensor, x: Tensor, y: Tensor, dim: Dims = None, keepdim: bool = False) -> Any:
    """dy, shared equally by the elements that are the extremum; NaN for a row with NaN, as in torch."""
    return _shared(dy, eq(x, expand_reduced(y, x.meta.shape, dim, keepdim)), dim, keepdim)


@function("Tensor (Tensor dy, Tensor x, Tensor y, Int32List dim=None, Bool keepdim=False)", bind_python=False)
def equals_grad(dy: Tensor, x: Tensor, y: Tensor, dim: Dims = None, keepdim: bool = False) -> Any:
    """dy, shared equally by the elements that are the extremum, or NaN."""
    extremum = expand_reduced(y, x.meta.shape, dim, keepdim)
    return _shared(dy, logical_or(eq(x, extremum), logical_and(is_nan(x), is_nan(extremum))), dim, keepdim)


def _shared(dy: Tensor, hit: Tensor, dim: Dims, keepdim: bool) -> Any:
    """dy for the elements that are hit, divided by how many they are."""
    count = sum(cast(hit, dy.meta.dtype.compute), dim, keepdim)
    return mul(expand_reduced(cast(div(dy, count), dy.meta.dtype), hit.meta.shape, dim, keepdim), hit)


@function("Tensor (Tensor dy, Tensor x, Tensor y, Int32List dim=None, Bool keepdim=False)", bind_python=False)
def prod_grad(dy: Tensor, x: Tensor, y: Tensor, dim: Dims = None, keepdim: bool = False) -> Any:
    """dy times the product of the others: y / x, or where x is the only zero or infinity, the product of the rest."""
    shape = x.meta.shape
    if dy.meta.dtype is not x.meta.dtype:
        x = cast(x, dy.meta.dtype)
    if is_differentiated_again(x):
        return mul(expand_reduced(dy, shape, dim, keepdim), product_of_others(x, dim))
    zero = scalar_eq(x, 0)
    zeros = expand_reduced(sum(zero, dim, keepdim, int64), shape, dim, keepdim)
    filled = where_scalar_x(zero, 1.0, x)
    rest = expand_reduced(prod(filled, dim, keepdim), shape, dim, keepdim)
    only = logical_and(zero, scalar_eq(zeros, 1))
    quotient = where(is_inf(x), _beside_infinities(x, filled, rest, dim, keepdim), div(rest, filled))
    others = where(scalar_eq(zeros, 0), quotient, where_scalar_y(only, rest, 0.0))
    return mul(expand_reduced(dy, shape, dim, keepdim), others)


def _beside_infinities(x: Tensor, filled: Tensor, rest: Tensor, dim: Dims, keepdim: bool) -> Any:
    """For an infinite element the product of the others: of what is finite, or another infinity with its sign."""
    shape, infinite = x.meta.shape, is_inf(x)
    count = expand_reduced(sum(infinite, dim, keepdim, int64), shape, dim, keepdim)
    finite = expand_reduced(prod(where_scalar_x(infinite, 1.0, filled), dim, keepdim), shape, dim, keepdim)
    return where(scalar_eq(count, 1), finite, mul(rest, sign(x)))


@function("Tensor (Tensor dy, Tensor x, Int32List dim, Int32 correction, Bool keepdim)", bind_python=False)
def var_grad(dy: Tensor, x: Tensor, dim: tuple[int, ...], correction: int, keepdim: bool) -> Any:
    """2 dy (x - mean) / (n - correction)"""
    shape = x.meta.shape
    count = 1
    for d in dim:
        count *= shape[d]
    centred = sub(x, mean(x, dim, True))
    freedom = count - correction
    factor = 2.0 / freedom if freedom > 0 else float("inf") if freedom == 0 else 0.0
    return mul(scalar_mul(expand_reduced(dy, shape, dim, keepdim), factor), centred)


@function("Tensor (Tensor dy, Tensor x, Tensor y, Float order, Int32List dim, Bool keepdim)", bind_python=False)
def norm_grad(dy: Tensor, x: Tensor, y: Tensor, order: float, dim: tuple[int, ...], keepdim: bool) -> Any:
    """dy x / y for the 2-norm (0 where y is), dy sign(x) for the 1-norm, dy sign(x) shared among the extrema for +-inf.

    The number of elements that are not 0 has none, as in torch.
    """
    if order == 0:
        return None
    shape = x.meta.shape
    spread = expand_reduced(dy, shape, dim, keepdim)
    if order == 1:
        return mul(spread, sign(x))
    if order == 2:
        norms = expand_reduced(y, shape, dim, keepdim)
        return mul(spread, where_scalar_x(scalar_eq(norms, 0), 0.0, div(x, norms)))
    return mul(equals_grad(dy, abs_of(x), y, dim, keepdim), sign(x))
