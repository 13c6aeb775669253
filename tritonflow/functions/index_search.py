"""Functors of searches: searchsorted, bucketize, isin, unique, bincount."""

from __future__ import annotations

from typing import Any

from tritonflow.binding import data_exchange
from tritonflow.binding.library import function, functor
from tritonflow.binding.target import beside
from tritonflow.dtypes import BOOL, INTEGER, bool_, float32, float64, int32, int64, result_type, torch_name
from tritonflow.errors import DimensionError, DTypeError, DTypeNotImplementedError, InvalidArgumentError, ShapeError
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.tensor import Tensor, wrap_dim
from tritonflow.functions import reduction
from tritonflow.functions.arithmetic import scalar_add, scalar_sub, sub
from tritonflow.functions.cast import cast, clone
from tritonflow.functions.creation import arange_end, full, ones, zeros
from tritonflow.functions.generated import eq, logical_not, ne, scalar_ne
from tritonflow.functions.index import index_add, index_get, nonzero
from tritonflow.functions.index_gather import gather
from tritonflow.functions.join import cat
from tritonflow.functions.scan_sort import cumsum, sort
from tritonflow.functions.view import contiguous, narrow, reshape, select, slice_dim, unshared, unsqueeze
from tritonflow.functions.view_orders import movedim
from tritonflow.interpreter.dispatch import dispatch
from tritonflow.interpreter.grad_mode import no_grad

_searchsorted = op_expr("searchsorted")


@functor("SearchSorted")
def searchsorted(
    sorted_sequence: Tensor,
    input: Tensor,
    out_int32: bool = False,
    right: bool = False,
    side: str | None = None,
    sorter: Tensor | None = None,
) -> Any:
    """How many elements of a sorted row come before each value; with `right`, equal ones count, too."""
    right = _right(right, side)
    own, values = sorted_sequence.meta, input.meta
    if own.ndim == 0:
        raise ShapeError("torch.searchsorted(): boundaries tensor should have positive dimension, but got 0 dimension")
    if own.ndim > 1 and own.shape[:-1] != values.shape[:-1]:
        raise ShapeError(
            "torch.searchsorted(): boundaries tensor should be 1 dimension or the first N-1 dimensions of boundaries tensor"
            f" and input value tensor must match, but got boundaries tensor {list(own.shape)} and input value tensor"
            f" {list(values.shape)}"
        )
    if sorter is not None:
        _check_sorter(sorted_sequence, sorter)
        sorted_sequence = gather(sorted_sequence, -1, sorter)
    dtype = result_type([(own.dtype, own.ndim), (values.dtype, values.ndim)])
    sorted_sequence, input = cast(sorted_sequence, dtype), cast(input, dtype)
    return dispatch(_searchsorted, (sorted_sequence, input), (right, int32 if out_int32 else int64))


def _right(right: bool, side: str | None) -> bool:
    if side is None:
        return right
    if side not in ("left", "right"):
        raise InvalidArgumentError(f"torch.searchsorted(): side can only be 'left' or 'right' but got {side}")
    if right and side == "left":
        raise InvalidArgumentError(
            "torch.searchsorted(): side and right can't be set to opposites, got side of left while right was True"
        )
    return side == "right"


def _check_sorter(sequence: Tensor, sorter: Tensor) -> None:
    if sorter.meta.shape != sequence.meta.shape:
        raise ShapeError(
            f"torch.searchsorted(): boundary and sorter must have the same size, but got boundary tensor"
            f" {list(sequence.meta.shape)} and got sorter tensor {list(sorter.meta.shape)}"
        )
    if sorter.meta.dtype is not int64:
        raise DTypeError(
            f"torch.searchsorted(): sorter must be a tensor of long dtype but got dtype {sorter.meta.dtype.name}"
        )


@functor("SearchSortedScalar")
def searchsorted_scalar(
    sorted_sequence: Tensor,
    input: Any,
    out_int32: bool = False,
    right: bool = False,
    side: str | None = None,
    sorter: Tensor | None = None,
) -> Any:
    if sorted_sequence.meta.ndim != 1:
        raise ShapeError(
            "torch.searchsorted(): input value can be a scalar only when boundaries tensor dimension is 1, but we got"
            f" boundaries tensor dim({sorted_sequence.meta.ndim})"
        )
    value = _beside(input, sorted_sequence)
    return searchsorted(sorted_sequence, value, out_int32, right, side, sorter)


@function(
    "Tensor (Tensor input, Tensor boundaries, *, Bool out_int32=False, Bool right=False)",
    "Tensor (Scalar input, Tensor boundaries, *, Bool out_int32=False, Bool right=False) => BucketizeScalar",
    samples="bucketize", derivative={"none": "gives no floating values"},
)
def bucketize(input: Tensor, boundaries: Tensor, out_int32: bool = False, right: bool = False) -> Any:
    """The number of the bucket of each value.

    Bucket i is boundaries[i - 1] < value <= boundaries[i]; with right it is boundaries[i - 1] <= value
    < boundaries[i].

    Args:
        input: a tensor or a number.
        boundaries: a vector that rises.
        out_int32: whether the result is int32, and not int64.
        right: whether a value that is a boundary belongs to the bucket behind it.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape, (n) -> the first.

    Not differentiable: gives no floating values.

    Raises:
        RuntimeError: boundaries of other than 1 dimension.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.bucketize.

    Example:
        >>> import tritonflow as flow
        >>> flow.bucketize(flow.tensor([0.5, 1.0, 7.0]), flow.tensor([1.0, 2.0]))
        tensor([0, 0, 2])
    """
    _check_boundaries(boundaries)
    return searchsorted(boundaries, input, out_int32, right)


@functor("BucketizeScalar")
def bucketize_scalar(input: Any, boundaries: Tensor, out_int32: bool = False, right: bool = False) -> Any:
    _check_boundaries(boundaries)
    return searchsorted_scalar(boundaries, input, out_int32, right)


def _check_boundaries(boundaries: Tensor) -> None:
    if boundaries.meta.ndim != 1:
        raise ShapeError(f"boundaries tensor must be 1 dimension, but got dim({boundaries.meta.ndim})")


# ------------------------------------------------------------------------------------------------------------ unique


@function(
    "Any (Tensor input, Bool sorted=True, Bool return_inverse=False, Bool return_counts=False, Int32 dim=None)",
    methods="unique", samples="unique",
)
def unique(
    input: Tensor,
    sorted: bool = True,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: int | None = None,
) -> Any:
    """The different elements, in order; or the different slices along a dimension.

    In rising order, whether sorted or not. The number of results depends on the numbers, so a graph
    cannot capture it.

    Args:
        input: the input.
        sorted: torch's; the result is sorted anyway.
        return_inverse: whether it is also given which result each element is.
        return_counts: whether it is also given how often each result occurs.
        dim: slices of which dimension; default elements.

    Shape:
        any shape -> (number of different elements); with dim (..., number of different slices, ...).

    Method: `Tensor.unique`.

    Raises:
        RuntimeError: slices without elements.
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.unique.

    Example:
        >>> import tritonflow as flow
        >>> flow.unique(flow.tensor([3, 1, 3]), return_inverse=True, return_counts=True)
        (tensor([1, 3]), tensor([1, 0, 1]), tensor([1, 2]))
    """
    # The different elements, in order; or the different slices along a dimension, in the order of their elements.
    if dim is not None:
        return _unique_slices(input, wrap_dim(dim, input.meta.ndim), True, return_inverse, return_counts)
    flat = reshape(input, (input.meta.numel,))
    with no_grad():
        limits = _close_limits(flat)
        if limits is not None:
            return _asked(*_counted(flat, *limits), input.meta.shape, return_inverse, return_counts)
        ordered, order = sort(flat)
    return _asked(*_runs(ordered, flat, order), input.meta.shape, return_inverse, return_counts)


_MANY = 1024  # elements from which on counting is worth two readings of their limits


def _close_limits(x: Tensor) -> tuple[int, int] | None:
    """The smallest and the largest of many integers that lie so close that counting them is faster than sorting."""
    if x.meta.dtype.category != INTEGER or x.meta.numel < _MANY or x.is_lazy or not x.meta.is_local:
        return None
    lowest, highest = (int(data_exchange.item(extremum(x))) for extremum in (reduction.amin, reduction.amax))
    return (lowest, highest) if highest - lowest < 4 * x.meta.numel else None


def _counted(x: Tensor, lowest: int, highest: int) -> tuple[Any, Any, Any]:
    """What `_runs` returns, of integers between two limits: each is an index."""
    index = scalar_sub(cast(x, int64), lowest)
    size = highest - lowest + 1
    ones_of_all = ones(x.meta.shape, dtype=int64, **beside(x))
    often = index_add(zeros((size,), dtype=int64, **beside(x)), 0, index, ones_of_all)
    exists = scalar_ne(often, 0)
    (at,) = nonzero(exists, True)

    def inverse() -> Tensor:
        number = scalar_add(cumsum(exists, 0), -1)
        return index_get(number, [index], 0, False)  # type: ignore[no-any-return]

    return cast(scalar_add(at, lowest), x.meta.dtype), inverse, lambda: index_get(often, [at], 0, False)


@function(
    "Any (Tensor input, Bool return_inverse=False, Bool return_counts=False, Int32 dim=None)",
    methods="unique_consecutive", samples="unique_consecutive",
)
def unique_consecutive(
    input: Tensor, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None
) -> Any:
    """The first of each run of equal elements or slices.

    Args:
        input: the input.
        return_inverse: whether it is also given to which run each element belongs.
        return_counts: whether it is also given how long each run is.
        dim: slices of which dimension; default elements.

    Shape:
        any shape -> (number of runs); with dim (..., number of runs, ...).

    Method: `Tensor.unique_consecutive`.

    Raises:
        NotImplementedError: complex numbers.
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.unique_consecutive.

    Example:
        >>> import tritonflow as flow
        >>> flow.unique_consecutive(flow.tensor([1, 1, 3, 1]), return_counts=True)
        (tensor([1, 3, 1]), tensor([2, 1, 1]))
    """
    # The first of each run of equal elements, or of equal slices along a dimension.
    if input.meta.dtype.is_complex:
        raise DTypeNotImplementedError(f"\"unique\" not implemented for '{torch_name(input.meta.dtype)}'")
    if dim is not None:
        return _unique_slices(input, wrap_dim(dim, input.meta.ndim), False, return_inverse, return_counts)
    flat = reshape(input, (input.meta.numel,))
    return _asked(*_runs(flat, flat, None), input.meta.shape, return_inverse, return_counts)


def _asked(
    values: Any, inverse: Any, counts: Any, shape: tuple[int, ...], with_inverse: bool, with_counts: bool
) -> Any:
    """What the caller asked for: the values, alone or with the inverse and the counts."""
    found = [values]
    if with_inverse:
        found.append(reshape(inverse(), shape))
    if with_counts:
        found.append(counts())
    return found[0] if len(found) == 1 else tuple(found)


def _runs(ordered: Tensor, values: Tensor, order: Tensor | None) -> tuple[Any, Any, Any]:
    """The first of each run of equal entries of `ordered`, a vector or the rows of a matrix.

    Returns:
        Those of `values`, which is `ordered` before `order` was applied; and two functions: the number of each entry's run, in
        the order of `values`, and how long the runs are.
    """
    count = ordered.meta.shape[0]
    if not count:
        nothing = zeros((0,), dtype=int64, **beside(values))
        return clone(values), lambda: nothing, lambda: clone(nothing)
    differs = ne(narrow(ordered, 0, 1, count - 1), narrow(ordered, 0, 0, count - 1))
    if ordered.meta.ndim > 1:
        differs = reduction.any(differs, (1,))
    first = cat([ones((1,), dtype=differs.dtype, **beside(values)), differs], 0)
    (starts,) = nonzero(first, True)

    def inverse() -> Tensor:
        number = scalar_add(cumsum(first, 0), -1)
        if order is None:
            return number  # type: ignore[no-any-return]
        back = sort(order)[1]
        return index_get(number, [back], 0, False)  # type: ignore[no-any-return]

    def counts() -> Tensor:
        last = full((1,), count, dtype=int64, **beside(values))
        ends = cat([slice_dim(starts, 0, slice(1, None)), last], 0)
        return sub(ends, starts)  # type: ignore[no-any-return]

    at = starts if order is None else index_get(order, [starts], 0, False)
    return index_get(values, [at], 0, False), inverse, counts


def _unique_slices(x: Tensor, dim: int, in_order: bool, with_inverse: bool, with_counts: bool) -> Any:
    if not x.meta.ndim:
        raise DimensionError("Dimension specified as 0 but tensor has no dimensions")
    count = x.meta.shape[dim]
    if not x.meta.numel:
        if count:
            raise ShapeError("There are 0 sized dimensions, and they aren't selected, so unique cannot be applied")
        nothing = zeros((0,), dtype=int64, **beside(x))
        return _asked(clone(x), lambda: nothing, lambda: clone(nothing), (0,), with_inverse, with_counts)
    rows = contiguous(reshape(movedim(x, (dim,), (0,)), (count, -1)))
    with no_grad():
        order = _row_order(rows) if in_order else None
        ordered = rows if order is None else index_get(rows, [order], 0, False)
    values, inverse, counts = _runs(ordered, rows, order)
    others = [n for d, n in enumerate(x.meta.shape) if d != dim]
    values = unshared(contiguous(movedim(reshape(values, (-1, *others)), (0,), (dim,))))
    return _asked(values, inverse, counts, (count,), with_inverse, with_counts)


def _row_order(rows: Tensor) -> Tensor:
    """The order that sorts rows by their first elements, then by the second ones ...: stable sorts from the last column on."""
    order = arange_end(rows.meta.shape[0], dtype=int64, **beside(rows))
    for column in range(rows.meta.shape[1] - 1, -1, -1):
        keys = index_get(select(rows, 1, column), [order], 0, False)
        order = index_get(order, [sort(keys)[1]], 0, False)
    return order  # type: ignore[no-any-return]


# --------------------------------------------------------------------------------------------------- counts, membership


@function(
    "Tensor (Tensor input, Tensor weights=None, Int64 minlength=0)",
    methods="bincount", samples="bincount", tolerance="reduction",
)
def bincount(input: Tensor, weights: Tensor | None = None, minlength: int = 0) -> Any:
    """How often each number occurs.

    With weights it is their sum for each number, as float32 or float64.

    Args:
        input: a vector of integers that are not negative.
        weights: a weight for each of them.
        minlength: the least length of the result.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (n) -> (max(largest number + 1, minlength)).

    Method: `Tensor.bincount`.

    Raises:
        RuntimeError: other than 1 dimension, negative or floating numbers, or weights of another shape.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.bincount.

    Example:
        >>> import tritonflow as flow
        >>> flow.bincount(flow.tensor([0, 2, 2]), minlength=4)
        tensor([1, 0, 2, 0])
    """
    # How often each number occurs, or the sum of its weights.
    meta = input.meta
    if meta.dtype.is_floating_point or meta.dtype.category == BOOL:
        raise DTypeError(f"\"bincount_cpu\" not implemented for '{meta.dtype.name}'")
    if minlength < 0:
        raise InvalidArgumentError("minlength should be >= 0")
    if meta.ndim == 1 and meta.shape[0] == 0:
        return zeros((minlength,), dtype=int64, **beside(input))
    if meta.ndim != 1 or (meta.dtype.is_signed and int(data_exchange.item(reduction.amin(input))) < 0):
        raise ShapeError("bincount only supports 1-d non-negative integral inputs.")
    if weights is not None and weights.meta.shape != meta.shape:
        raise ShapeError("weights should be 1-d and have the same length as input")
    size = max(int(data_exchange.item(reduction.amax(input))) + 1, minlength)
    dtype = int64 if weights is None else float32 if weights.meta.dtype is float32 else float64
    added = ones(meta.shape, dtype=int64, **beside(input)) if weights is None else cast(weights, dtype)
    return index_add(zeros((size,), dtype=dtype, **beside(input)), 0, cast(input, int64), added)


_FEW = 32  # test elements that are compared with all others at once


@function(
    "Tensor (Tensor elements, Tensor test_elements, *, Bool assume_unique=False, Bool invert=False)",
    "Tensor (Tensor elements, Scalar test_element, *, Bool assume_unique=False, Bool invert=False) => IsInScalarTests",
    "Tensor (Scalar element, Tensor test_elements, *, Bool assume_unique=False, Bool invert=False) => IsInScalarElement",
    samples="isin", derivative={"none": "gives no floating values"},
)
def isin(elements: Tensor, test_elements: Tensor, assume_unique: bool = False, invert: bool = False) -> Any:
    """Whether each element is one of the test elements.

    Overloads:
        - `isin(elements: Tensor, test_elements: Tensor, *, assume_unique: bool = False, invert: bool = False) -> Tensor`
        - `isin(elements: Tensor, test_element: Scalar, *, assume_unique: bool = False, invert: bool = False) -> Tensor`
        - `isin(element: Scalar, test_elements: Tensor, *, assume_unique: bool = False, invert: bool = False) -> Tensor`

    Args:
        elements: what is looked for.
        test_elements: among which.
        assume_unique: torch's; nothing here.
        invert: whether the answer is negated.
        test_element: the only number among which.
        element: a number that is looked for.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape, any shape -> the first, bool.

    Not differentiable: gives no floating values.

    Raises:
        RuntimeError: bool or complex numbers.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.isin.

    Example:
        >>> import tritonflow as flow
        >>> flow.isin(flow.tensor([1, 2, 3]), flow.tensor([3, 1]))
        tensor([ True, False,  True])
    """
    # Whether each element is one of the test elements.
    dtype = result_type([(t.meta.dtype, t.meta.ndim) for t in (elements, test_elements)])
    if BOOL in (elements.meta.dtype.category, test_elements.meta.dtype.category):
        raise DTypeError("Unsupported input type encountered for isin(): Bool")
    if dtype.is_complex:
        raise DTypeError(f"Unsupported input type encountered for isin(): {torch_name(dtype)}")
    with no_grad():
        x, tests = cast(elements, dtype), reshape(cast(test_elements, dtype), (test_elements.meta.numel,))
        count = tests.meta.shape[0]
        if not count:
            found = zeros(x.meta.shape, dtype=bool_, **beside(x))
        elif count <= _FEW:
            found = reduction.any(eq(unsqueeze(x, -1), tests), (-1,))
        else:
            ordered = sort(tests)[0]
            at = searchsorted(ordered, x)
            near = index_get(cat([ordered, narrow(ordered, 0, count - 1, 1)], 0), [reshape(at, (-1,))], 0, False)
            found = eq(reshape(near, x.meta.shape), x)
        return logical_not(found) if invert else found


@functor("IsInScalarTests")
def isin_scalar_tests(elements: Tensor, test_element: Any, assume_unique: bool = False, invert: bool = False) -> Any:
    return isin(elements, _beside(test_element, elements), assume_unique, invert)


@functor("IsInScalarElement")
def isin_scalar_element(element: Any, test_elements: Tensor, assume_unique: bool = False, invert: bool = False) -> Any:
    return isin(_beside(element, test_elements), test_elements, assume_unique, invert)


def _beside(number: Any, x: Tensor) -> Tensor:
    """A number as a tensor that promotes as the number does."""
    dtype = result_type([(x.meta.dtype, x.meta.ndim)], (number.__class__,))
    return full((), number, dtype=dtype, **beside(x))  # type: ignore[no-any-return]
