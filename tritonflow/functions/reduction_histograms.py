"""Functors of histograms: of numbers and of points, with weights, and indices into the dimensions of a shape.

Source: torch.histogram, torch.histogramdd (ATen/native/Histogram.cpp), torch.unravel_index.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from tritonflow.binding import data_exchange
from tritonflow.binding.library import function, functor
from tritonflow.binding.target import beside
from tritonflow.dtypes import bool_, float32, float64, int64, torch_name
from tritonflow.errors import DTypeError, DTypeNotImplementedError, InvalidArgumentError, ShapeError
from tritonflow.framework.tensor import Tensor
from tritonflow.functions import reduction
from tritonflow.functions.arithmetic import add, scalar_sub, sub
from tritonflow.functions.creation import linspace, ones, zeros
from tritonflow.functions.elementwise import clamp
from tritonflow.functions.elementwise_selection import where_scalar_y
from tritonflow.functions.generated import div, ge, le, logical_and, scalar_mul
from tritonflow.functions.index import index_add
from tritonflow.functions.index_search import searchsorted
from tritonflow.functions.view import narrow, reshape, select
from tritonflow.interpreter.grad_mode import no_grad


@function(
    "TensorTuple[hist, bin_edges] (Tensor input, Tensor bins, *, Tensor weight=None, Bool density=False)",
    "TensorTuple[hist, bin_edges] (Tensor input, Int32 bins=100, *, PyObject range=None, Tensor weight=None, Bool "
    "density=False) => HistogramOfCount",
    methods="histogram", samples={"none": "counts have no gradients: tests/ops/test_histogram.py"},
    derivative={"none": "counts"},
)
def histogram(input: Tensor, bins: Tensor, weight: Tensor | None = None, density: bool = False) -> Any:
    """How many elements, or how much weight, falls into each bin; bins by edges, or of equal width within a range.

    Bins contain their lower edge, the last one its upper edge as well. Returns counts, or weights, and
    the edges.

    Args:
        input: the input.
        bins: how many bins, or their edges in increasing order.
        weight: the weight of each element, of the input's shape; 1 unless given.
        density: whether counts are divided by their sum and by the widths of the bins.
        range: the lowest and the highest edge, two numbers; those of the input unless given.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape, bins -> hist (bins), bin_edges (bins + 1).

    Returns:
        A named tuple `(hist, bin_edges)`.

    Not differentiable: counts. Method: `Tensor.histogram`.

    Raises:
        RuntimeError: edges or weights of another dtype; `bins` is not positive.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.histogram.

    Example:
        >>> import tritonflow as flow
        >>> flow.histogram(flow.tensor([1.0, 2.0, 1.0]), bins=3, range=(0.0, 3.0))
        tritonflow.return_types.histogram(
        hist=tensor([0., 2., 1.]),
        bin_edges=tensor([0., 1., 2., 3.]))
    """
    # Bins hold their left edges, and the last one its right edge as well.
    _check_numbers("histogram", input, weight)
    if bins.meta.dtype is not input.meta.dtype:
        raise DTypeError("torch.histogram(): input tensor and bins tensors should have the same dtype")
    if bins.meta.ndim != 1 or not bins.meta.numel:
        raise ShapeError("torch.histogramdd(): bins tensor should have one dimension, and at least one edge")
    points = reshape(input.detach(), (input.meta.numel, 1))
    return _counted(points, [bins.detach()], weight, density), bins


@functor("HistogramOfCount")
def histogram_of_count(
    input: Tensor, bins: int = 100, range: Any = None, weight: Tensor | None = None, density: bool = False
) -> Any:
    _check_numbers("histogram", input, weight)
    points = reshape(input.detach(), (input.meta.numel, 1))
    edges = _edges(points, [bins], range)
    return _counted(points, edges, weight, density), edges[0]


@function(
    "Any (Tensor input, PyObject bins, PyObject range=None, Tensor weight=None, Bool density=False)",
    samples={"none": "counts have no gradients: tests/ops/test_histogram.py"}, derivative={"none": "counts"},
)
def histogramdd(input: Tensor, bins: Any, range: Any = None, weight: Tensor | None = None, density: bool = False) -> Any:
    """A histogram of points in several dimensions.

    A point is a row of `input`. Returns the counts, or weights, and the edges in each dimension.

    Args:
        input: points in D dimensions.
        bins: how many bins in each dimension, an int or D of them; or D tensors of edges.
        range: the lowest and the highest edge for each dimension, 2 D numbers; those of the points unless
            given.
        weight: the weight of each point; 1 unless given.
        density: whether counts are divided by their sum and by the volumes of the bins.

    Shape:
        (n, D) -> hist (bins_1, ..., bins_D), and D tensors of edges (bins_d + 1).

    Not differentiable: counts.

    Raises:
        RuntimeError: less than two dimensions; bins or weights that do not fit.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.histogramdd.

    Example:
        >>> import tritonflow as flow
        >>> points = flow.tensor([[0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
        >>> flow.histogramdd(points, bins=[2, 2])[0]
        tensor([[0., 1.],
                [1., 1.]])
    """
    # The last dimension of the input has the coordinates of a point. Returns the counts and the edges of each dimension.
    _check_numbers("histogramdd", input, weight)
    if input.meta.ndim < 2:
        raise ShapeError("torch.histogramdd: input tensor should have at least 2 dimensions")
    dims = input.meta.shape[-1]
    points = reshape(input.detach(), (math.prod(input.meta.shape[:-1]), dims))
    each = [bins] * dims if isinstance(bins, int) else list(bins)
    if len(each) != dims:
        raise ShapeError(
            f"torch.histogramdd: expected {dims} sequences of bin edges for a {dims}-dimensional histogram but got {len(each)}"
        )
    given = [b.detach() for b in each if isinstance(b, Tensor)]
    edges = given if len(given) == dims else _edges(points, each, range)
    return _counted(points, edges, weight, density), tuple(edges)


def _check_numbers(name: str, input: Tensor, weight: Tensor | None) -> None:
    if input.meta.dtype not in (float32, float64):
        raise DTypeNotImplementedError(f"\"{name}\" not implemented for '{torch_name(input.meta.dtype)}'")
    if weight is not None and weight.meta.dtype is not input.meta.dtype:
        raise DTypeError(f"torch.{name}(): if weight tensor is provided, input tensor and weight tensor should have the same dtype")


def _edges(points: Tensor, bins: Sequence[int], range: Any) -> list[Tensor]:
    """Edges of bins of equal width for each dimension, within a range or from the least to the largest coordinate."""
    found = []
    if range is not None and len(range) != 2 * len(bins):
        raise ShapeError(
            f"torch.histogramdd: for a {len(bins)}-dimensional histogram range should have {2 * len(bins)} elements, but got"
            f" {len(range)}"
        )
    for k, count in enumerate(bins):
        if count <= 0:
            raise InvalidArgumentError(f"torch.histogram(): bins must be > 0, but got {count} for dimension {k}")
        low, high = _ends(select(points, 1, k)) if range is None else range[2 * k : 2 * k + 2]
        if not (math.isfinite(low) and math.isfinite(high)):
            raise InvalidArgumentError(f"torch.histogramdd: dimension {k}'s range [{low}, {high}] is not finite")
        if low > high:
            raise InvalidArgumentError(
                f"torch.histogramdd: min should not exceed max, but got min {low} max {high} for dimension {k}"
            )
        if low == high:
            low, high = low - 0.5, high + 0.5
        found.append(linspace(low, high, count + 1, dtype=points.meta.dtype, **beside(points)))
    return found


def _ends(x: Tensor) -> tuple[float, float]:
    if not x.meta.numel:
        return 0.0, 1.0
    return data_exchange.item(reduction.amin(x)), data_exchange.item(reduction.amax(x))


def _counted(points: Tensor, edges: Sequence[Tensor], weight: Tensor | None, density: bool) -> Tensor:
    """The weight in each bin; divided by the whole weight and the bin's volume for a density."""
    with no_grad():
        shape = tuple([max(e.meta.numel - 1, 0) for e in edges])
        rows, dtype = points.meta.shape[0], points.meta.dtype
        at, inside = zeros((rows,), dtype=int64, **beside(points)), ones((rows,), dtype=bool_, **beside(points))
        for k, edge in enumerate(edges):
            x = reshape(select(points, 1, k), (rows,))
            last = select(edge, 0, edge.meta.numel - 1)
            inside = logical_and(inside, logical_and(ge(x, select(edge, 0, 0)), le(x, last)))  # false for NaN
            bin = clamp(scalar_sub(searchsorted(edge, x, right=True), 1), 0, max(shape[k] - 1, 0))
            at = add(scalar_mul(at, shape[k]), bin)
        mass = ones((rows,), dtype=dtype, **beside(points)) if weight is None else reshape(weight.detach(), (rows,))
        count = math.prod(shape)
        totals = zeros((count + 1,), dtype=dtype, **beside(points))  # the last one is of what is in no bin
        totals = index_add(totals, 0, where_scalar_y(inside, at, count), mass)
        hist = reshape(narrow(totals, 0, 0, count), shape)
        if not density:
            return hist
        hist = div(hist, reduction.sum(hist))
        for k, edge in enumerate(edges):
            width = sub(narrow(edge, 0, 1, shape[k]), narrow(edge, 0, 0, shape[k]))
            hist = div(hist, reshape(width, (-1, *(1,) * (len(shape) - k - 1))))
        return hist
