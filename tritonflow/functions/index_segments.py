"""The functor of segment_reduce: entries that follow each other, folded segment by segment."""

from __future__ import annotations

from math import inf
from typing import Any

from tritonflow.binding import data_exchange
from tritonflow.binding.library import function
from tritonflow.binding.target import beside
from tritonflow.dtypes import int32, int64
from tritonflow.errors import DTypeError, InvalidArgumentError, ShapeError
from tritonflow.framework.tensor import Tensor, wrap_dim
from tritonflow.functions import reduction
from tritonflow.functions.arithmetic import sub
from tritonflow.functions.cast import cast, widened
from tritonflow.functions.creation import arange_end, full
from tritonflow.functions.elementwise import clamp_min
from tritonflow.functions.generated import div, logical_or, lt, scalar_gt, scalar_lt, scalar_ne
from tritonflow.functions.index_gather import scatter_add
from tritonflow.functions.index_masks import masked_fill
from tritonflow.functions.index_scatter_reduce import scatter_fold
from tritonflow.functions.index_search import searchsorted
from tritonflow.functions.linalg_checks import checked
from tritonflow.functions.scan_sort import cumsum
from tritonflow.functions.view import expand, narrow, reshape, unshared
from tritonflow.interpreter.choice import all_examples
from tritonflow.interpreter.grad_mode import no_grad
from tritonflow.ops.dtype_rules import require

_SHORT = {"sum": "sum", "mean": "mean", "prod": "prod", "max": "max", "amax": "max", "min": "min", "amin": "min"}
_FOLDS = {"prod": "mul", "max": "maximum", "min": "minimum"}
_NEUTRAL = {"sum": 0.0, "mean": 0.0, "prod": 1.0, "max": -inf, "min": inf}


@function(
    "Tensor (Tensor data, String reduce, *, Tensor lengths=None, Tensor indices=None, Tensor offsets=None, Int32 axis=0, "
    "Bool unsafe=False, Double initial=None)",
    samples="segment_reduce", tolerance="reduction",
)
def segment_reduce(
    data: Tensor,
    reduce: str,
    lengths: Tensor | None = None,
    indices: Tensor | None = None,
    offsets: Tensor | None = None,
    axis: int = 0,
    unsafe: bool = False,
    initial: float | None = None,
) -> Any:
    """Neighbouring entries folded segment by segment, by sum, mean, max, min or prod; segments by their lengths, or by offsets.

    An empty segment has the initial number, or else 0 for "sum", 1 for "prod", NaN for "mean" and an
    infinity for "max" and "min".

    Args:
        data: entries along axis.
        reduce: "sum", "mean", "max", "min" or "prod".
        lengths: how many entries each segment has, which sum to the size along axis.
        indices: not taken.
        offsets: where each segment begins, and where the last one ends.
        axis: along which dimension; the last one of lengths or offsets.
        unsafe: whether lengths and offsets are not checked.
        initial: with what each segment begins.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...), (..., segments) -> (..., segments, ...).

    Raises:
        RuntimeError: neither lengths nor offsets, ones that do not fit, or another reduce.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.segment_reduce.

    Example:
        >>> import tritonflow as flow
        >>> flow.segment_reduce(flow.tensor([1.0, 2.0, 3.0]), "sum", lengths=flow.tensor([2, 1]))
        tensor([3., 3.])
    """
    # Entries outside of all segments are folded into a segment more, which is left away.
    if reduce not in _SHORT:
        raise InvalidArgumentError(f"segment_reduce(): reduce must be sum, mean, max, min or prod, got {reduce}")
    axis = _checked_axis(data, lengths, indices, offsets, axis)
    with no_grad():
        starts, ends = _bounds(lengths, offsets)
        if not unsafe:
            ends = _checked_bounds(starts, ends, data.meta.shape[axis], lengths is not None)
        segments, sizes = _segments_of_entries(data, axis, starts, ends), sub(ends, starts)
    return _folded(data, axis, segments, sizes, _SHORT[reduce], initial)


def _checked_axis(data: Tensor, lengths: Tensor | None, indices: Tensor | None, offsets: Tensor | None, axis: int) -> int:
    require("segment_reduce", "floating", data.meta.dtype, "data")
    axis = wrap_dim(axis, data.meta.ndim)
    if indices is not None:
        raise InvalidArgumentError("segment_reduce(): indices based reduction is not supported yet.")
    bounds, name = (lengths, "lengths") if lengths is not None else (offsets, "offsets")
    if bounds is None:
        raise InvalidArgumentError("segment_reduce(): Either lengths or offsets must be defined.")
    if bounds.meta.dtype not in (int32, int64):
        raise DTypeError(f"segment_reduce(): expected {name} of int32 or int64, but got {bounds.meta.dtype.name}")
    if bounds.meta.ndim > data.meta.ndim:
        raise ShapeError(f"segment_reduce(): expected data of at least {bounds.meta.ndim} dimensions, as {name} has")
    if axis != bounds.meta.ndim - 1:
        raise ShapeError(f"segment_reduce(): Expected axis to be the last dimension of {name} but got {axis}.")
    if bounds.meta.shape[:-1] != data.meta.shape[:axis]:
        raise ShapeError(
            f"segment_reduce(): expected {name} and data to have the same first dimensions, but got shapes"
            f" {list(bounds.meta.shape)} and {list(data.meta.shape)}"
        )
    if lengths is None and not bounds.meta.shape[-1]:
        raise ShapeError("segment_reduce(): expected offsets to have at least one element a row")
    return axis


def _bounds(lengths: Tensor | None, offsets: Tensor | None) -> tuple[Any, Any]:
    """Where segments start and end."""
    if lengths is not None:
        ends = cumsum(cast(lengths, int64), -1)
        return sub(ends, lengths), ends
    assert offsets is not None
    count = offsets.meta.shape[-1] - 1
    return narrow(offsets, -1, 0, count), narrow(offsets, -1, 1, count)


def _checked_bounds(starts: Tensor, ends: Tensor, size: int, whole: bool) -> Any:
    """The ends, if no segment has a negative length and the segments of a row lie inside it, or fill it where `whole`.

    Raises:
        RuntimeError: they do not; in a graph when it runs.
    """
    count = ends.meta.shape[-1]
    if not ends.meta.numel:
        if whole and size and not count:
            raise InvalidArgumentError(_LENGTHS)
        return ends
    last, first = narrow(ends, -1, count - 1, 1), narrow(starts, -1, 0, 1)
    bad_rows = scalar_ne(last, size) if whole else logical_or(scalar_lt(first, 0), scalar_gt(last, size))
    bad = logical_or(reduction.any(lt(ends, starts)), reduction.any(bad_rows))
    message = _LENGTHS if whole else _OFFSETS
    if ends.is_lazy:
        return checked(ends, cast(bad, int32), "segment_reduce()", lambda _: message)
    if data_exchange.item(reduction.any(all_examples(bad))):
        raise InvalidArgumentError(f"segment_reduce(): {message}")
    return ends


_LENGTHS = "expected lengths that are not negative, and sum to the size of data along axis, unless unsafe"
_OFFSETS = "expected offsets that do not decrease, and lie inside data along axis, unless unsafe"


def _segments_of_entries(data: Tensor, axis: int, starts: Tensor, ends: Tensor) -> Any:
    """The segment of each entry, as an index of data's shape."""
    *batch, count = ends.meta.shape
    size = data.meta.shape[axis]
    positions = expand(arange_end(size, dtype=ends.meta.dtype, **beside(data)), (*batch, size))
    found = searchsorted(unshared(ends), unshared(positions), right=True)
    if count:
        found = masked_fill(found, lt(positions, narrow(starts, -1, 0, 1)), count)
    return expand(reshape(found, (*batch, size, *[1] * (data.meta.ndim - axis - 1))), data.meta.shape)


def _folded(data: Tensor, axis: int, segments: Tensor, sizes: Tensor, reduce: str, initial: float | None) -> Any:
    shape, count, own = data.meta.shape, sizes.meta.shape[-1], data.meta.dtype
    if reduce == "mean":
        data = widened(data)
    extremum = reduce in ("max", "min")
    first = _NEUTRAL[reduce] if initial is None or extremum else float(initial)
    start = full((*shape[:axis], count + 1, *shape[axis + 1 :]), first, dtype=data.meta.dtype, **beside(data))
    fold = _FOLDS.get(reduce)
    folded = scatter_fold(start, axis, segments, data, fold, False) if fold else scatter_add(start, axis, segments, data)
    result = unshared(narrow(folded, axis, 0, count))
    if reduce == "mean":
        by_segment = reshape(sizes, (*sizes.meta.shape, *[1] * (len(shape) - axis - 1)))
        counts = by_segment if initial is None else clamp_min(by_segment, 1)
        result = cast(div(result, cast(counts, result.meta.dtype)), own)
    if extremum and initial is not None:
        result = masked_fill(result, (scalar_lt if reduce == "max" else scalar_gt)(result, initial), initial)
    return result
