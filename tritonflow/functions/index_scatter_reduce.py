"""Functors of scatter_reduce and index_reduce: values folded into a tensor by a sum, a product, a mean, a maximum or a minimum."""

from __future__ import annotations

from typing import Any

from tritonflow.binding import data_exchange
from tritonflow.binding.library import function, functor
from tritonflow.binding.target import beside
from tritonflow.dtypes import BOOL, FLOATING, DType, iinfo, int32, int64, torch_name
from tritonflow.errors import AutogradError, DTypeError, IndexOutOfRangeError, InvalidArgumentError, ShapeError
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.tensor import Tensor, wrap_dim
from tritonflow.functions import index_gather, reduction
from tritonflow.functions.cast import cast, copy_, kept, widened
from tritonflow.functions.creation import zeros
from tritonflow.functions.creation_like import ones_like
from tritonflow.functions.generated import div, eq, floor_divide, logical_and, mul, scalar_eq, scalar_gt, where
from tritonflow.functions.index import refuse_elements_of_empty
from tritonflow.functions.index_gather import gather, scatter_add, scatter_scalar
from tritonflow.functions.index_masks import masked_fill
from tritonflow.functions.matmul_gradients import is_differentiated_again
from tritonflow.functions.view import expand, reshape, unshared
from tritonflow.interpreter.dispatch import dispatch
from tritonflow.interpreter.grad_mode import no_grad

_scatter_fold = op_expr("scatter_fold")
_FOLDS = {"prod": "mul", "amax": "maximum", "amin": "minimum"}


@functor("ScatterFold")
def scatter_fold(
    input: Tensor, dim: int, index: Tensor, src: Tensor, fold: str, include_self: bool = True, inplace: bool = False
) -> Any:
    refuse_elements_of_empty(input, dim, index)
    out = input if inplace else None
    return dispatch(_scatter_fold, (input, src, index), (dim, fold, include_self, inplace), (), out)


@function(
    "Tensor (Tensor input, Int32 dim, Tensor index, Tensor src, String reduce, *, Bool include_self=True, Bool "
    "inplace=False)",
    methods=("scatter_reduce", "scatter_reduce_"), samples="scatter_reduce", tolerance="reduction",
)
def scatter_reduce(
    input: Tensor, dim: int, index: Tensor, src: Tensor, reduce: str, include_self: bool = True, inplace: bool = False
) -> Any:
    """input with src folded in where the index says, by sum, prod, mean, amax or amin.

    A copy. For dim 0 and "sum" input[index[i][j]][j] += src[i][j]. A place that no index names keeps
    its number. Equal maxima or minima share the gradient.

    Args:
        input: the input.
        dim: the dimension; a negative one counts from the end.
        index: positions along dim, int32 or int64.
        src: what is folded in, at least as large as index.
        reduce: "sum", "prod", "mean", "amax" or "amin".
        include_self: whether the input's numbers are folded in as well.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...), (..., k, ...), (..., k, ...) -> the shape of input.

    Methods: `Tensor.scatter_reduce` and `Tensor.scatter_reduce_`.

    Raises:
        IndexError: an index outside of the dimension; `dim` is out of range.
        RuntimeError: dtypes or shapes that do not fit, or another reduce.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.scatter_reduce.

    Example:
        >>> import tritonflow as flow
        >>> index, src = flow.tensor([0, 2, 0]), flow.tensor([1.0, 2.0, 3.0])
        >>> flow.scatter_reduce(flow.ones(3), 0, index, src, "sum")
        tensor([5., 1., 3.])
        >>> flow.scatter_reduce(flow.ones(3), 0, index, src, "mean", include_self=False)
        tensor([2., 1., 2.])
    """
    # The input with values folded in where the index says; without itself where `include_self` is false.
    if reduce not in ("sum", "prod", "mean", "amax", "amin"):
        raise InvalidArgumentError(f"reduce argument must be either sum, prod, mean, amax or amin, got {reduce}")
    dim = index_gather.checked_scatter("scatter_reduce", input, dim, index, src)
    whole, index, src = [x if x.meta.ndim else reshape(x, (1,)) for x in (kept(input, inplace), index, src)]
    reduced = _reduced(whole, dim, index, src, reduce, include_self)
    if inplace:
        return copy_(input, reduced if input.meta.ndim else reshape(reduced, ()))
    return reduced if input.meta.ndim else unshared(reshape(reduced, ()))


def _reduced(x: Tensor, dim: int, index: Tensor, src: Tensor, reduce: str, include_self: bool) -> Any:
    own = x.meta.dtype
    if reduce == "mean":
        x, src = widened(x), widened(src)
    start = x if include_self else scatter_scalar(x, dim, index, _neutral(reduce, x.meta.dtype))
    if reduce in _FOLDS:
        return scatter_fold(start, dim, index, src, _FOLDS[reduce], include_self)
    total = scatter_add(start, dim, index, src)
    return total if reduce == "sum" else cast(_divided(total, dim, index, include_self), own)


def _divided(total: Tensor, dim: int, index: Tensor, include_self: bool) -> Any:
    """Sums divided by how many values each has."""
    with no_grad():
        ones = ones_like(total)
        count = ones if include_self else zeros(total.meta.shape, dtype=total.dtype, **beside(total))
        count = scatter_add(count, dim, index, expand(ones_like(index, dtype=total.dtype), index.meta.shape))
        count = masked_fill(count, scalar_eq(count, 0), 1)
    return div(total, count) if total.meta.dtype.is_floating_point else floor_divide(total, count)


def _neutral(reduce: str, dtype: DType) -> float | bool:
    """What a value is folded into as if it were alone."""
    if reduce in ("sum", "mean", "prod"):
        return int(reduce == "prod")
    largest = reduce == "amin"
    if dtype.category == FLOATING:
        return float("inf") if largest else -float("inf")
    if dtype.category == BOOL:
        return largest
    return iinfo(dtype).max if largest else iinfo(dtype).min


@function(
    "TensorTuple (Tensor dy, Tensor x, Tensor src, Tensor index, Tensor y, Int32 dim, String fold, Bool include_self=True)",
    bind_python=False,
)
def scatter_fold_grad(
    dy: Tensor, x: Tensor, src: Tensor, index: Tensor, y: Tensor, dim: int, fold: str, include_self: bool = True
) -> tuple[Any, Any]:
    """The gradients of the tensor folded into and of the values. Equal maxima have equal parts."""
    read = index_gather.front(src, index.meta.shape)  # a source may be larger than the index
    if fold == "mul":
        dx, dsrc = _product_grad(dy, x, read, index, y, dim)
    else:
        dx, dsrc = _extremum_grad(dy, x, read, index, y, dim, include_self)
    return dx, index_gather.padded(dsrc, src.meta.shape)


def _extremum_grad(
    dy: Tensor, x: Tensor, src: Tensor, index: Tensor, y: Tensor, dim: int, include_self: bool
) -> tuple[Any, Any]:
    """dy, shared equally by the elements that are the extremum; NaN where that is NaN, which equals none, as in torch."""
    wide, narrow = widened(dy), dy.meta.dtype
    with no_grad():
        own = cast(eq(x, y), wide.meta.dtype)
        if not include_self:
            own = scatter_scalar(own, dim, index, 0)
        chosen = cast(eq(src, gather(y, dim, index)), wide.meta.dtype)
        count = scatter_add(own, dim, index, chosen)
    share = div(wide, count)
    return cast(mul(own, share), narrow), cast(mul(chosen, gather(share, dim, index)), narrow)


def _refuse_two_zeros(zeros_of_target: Tensor) -> None:
    """Of two zeros in one product the first derivative is 0, and the second one is not.

    Raises:
        RuntimeError: some element has got two zeros, or a program is captured, which does not read numbers.
    """
    if zeros_of_target.is_lazy or data_exchange.item(reduction.any(scalar_gt(zeros_of_target, 1))):
        raise AutogradError(
            "scatter_reduce(): Double backward is unsupported for src when >1 zeros in src are scattered to the same position in"
            " self"
        )


def _product_grad(dy: Tensor, x: Tensor, src: Tensor, index: Tensor, y: Tensor, dim: int) -> tuple[Any, Any]:
    """The product of the others: without zeros by a division, else by a product that leaves the only zero out."""
    rest = scatter_fold(ones_like(x), dim, index, src, "mul")
    zero = scalar_eq(src, 0)
    with no_grad():
        zeros_of_target = scatter_add(
            zeros(x.meta.shape, dtype=dy.dtype, **beside(x)), dim, index, cast(zero, dy.dtype)
        )
        alone = logical_and(zero, scalar_eq(gather(zeros_of_target, dim, index), 1))
    if is_differentiated_again(src):
        _refuse_two_zeros(zeros_of_target)
    without = scatter_fold(x, dim, index, where(alone, ones_like(src), src), "mul")
    by_zero = gather(mul(dy, without), dim, index)
    others = div(gather(mul(dy, y), dim, index), masked_fill(src, zero, 1))
    return mul(dy, rest), where(alone, by_zero, others)


@function(
    "Tensor (Tensor input, Int32 dim, Tensor index, Tensor source, String reduce, *, Bool include_self=True, Bool "
    "inplace=False)",
    methods=("index_reduce", "index_reduce_"), samples="index_reduce", tolerance="reduction",
)
def index_reduce(
    input: Tensor,
    dim: int,
    index: Tensor,
    source: Tensor,
    reduce: str,
    include_self: bool = True,
    inplace: bool = False,
) -> Any:
    """input with the entries of source folded in at the indices of a vector, by prod, mean, amax or amin.

    A copy. `flow.index_add` is for sums.

    Args:
        input: the input.
        dim: the dimension; a negative one counts from the end.
        index: a vector, int32 or int64.
        source: an entry for each index.
        reduce: "prod", "mean", "amax" or "amin".
        include_self: whether the input's numbers are folded in as well.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...), (k), (..., k, ...) -> (..., n, ...).

    Methods: `Tensor.index_reduce` and `Tensor.index_reduce_`.

    Raises:
        IndexError: an index outside of the dimension; `dim` is out of range.
        RuntimeError: dtypes or shapes that do not fit, or another reduce.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.index_reduce.

    Example:
        >>> import tritonflow as flow
        >>> flow.index_reduce(flow.zeros(2), 0, flow.tensor([0, 0]), flow.tensor([4.0, 6.0]), "amax")
        tensor([6., 0.])
    """
    # scatter_reduce with the entries of a vector along a dimension.
    if reduce not in ("prod", "mean", "amax", "amin"):
        raise InvalidArgumentError(
            f"index_reduce(): Expected reduce to be one of prod, mean, amax or amin but got {reduce}."
        )
    dim = wrap_dim(dim, input.meta.ndim)
    _check_reduced(input, dim, index, source)
    whole, src = [x if x.meta.ndim else reshape(x, (1,)) for x in (kept(input, inplace), source)]
    shape = src.meta.shape
    along = tuple([n if d == dim else 1 for d, n in enumerate(shape)])
    return_to = expand(reshape(index, along), shape)
    reduced = scatter_reduce(whole, dim, return_to, src, reduce, include_self)
    if inplace:
        return copy_(input, reduced if input.meta.ndim else reshape(reduced, ()))
    return reduced if input.meta.ndim else unshared(reshape(reduced, ()))


def _check_reduced(x: Tensor, dim: int, index: Tensor, source: Tensor) -> None:
    if index.meta.dtype not in (int32, int64):
        raise DTypeError(f"index_reduce(): Expected dtype int32 or int64 for index, but got {index.meta.dtype.name}")
    own, given = x.meta.shape, source.meta.shape
    if index.meta.ndim > 1:
        raise IndexOutOfRangeError("index_reduce(): Index is supposed to be a vector")
    if x.meta.dtype is not source.meta.dtype:
        names = [torch_name(t.meta.dtype) for t in (x, source)]
        raise DTypeError(f"index_reduce(): self ({names[0]}) and source ({names[1]}) must have the same scalar type")
    if given and dim >= len(given):
        raise ShapeError(f"index_reduce(): expected the source to have {len(own)} dimensions, but got shape {list(given)}")
    if index.meta.numel != (given[dim] if given else 1):
        raise ShapeError(
            f"index_reduce(): Number of indices ({index.meta.numel}) should be equal to source.size(dim)"
            f" ({given[dim] if given else 1}), for dim: {dim}"
        )
    if len(own) != len(given) or any(d != dim and n != m for d, (n, m) in enumerate(zip(own, given))):
        raise ShapeError(
            "source tensor shape must match self tensor shape, excluding the specified dimension."
            f" Got self.shape = {list(own)} source.shape = {list(given)}"
        )
