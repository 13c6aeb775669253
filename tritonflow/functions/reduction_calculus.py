"""Functors of differences, gradients and integrals of sampled functions; they are made of slices and sums."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tritonflow.binding.library import also, function, functor
from tritonflow.binding.target import beside
from tritonflow.dtypes import bool_, float32, result_type, uint8
from tritonflow.errors import DimensionError, DTypeError, InvalidArgumentError, ShapeError
from tritonflow.framework.tensor import Tensor, wrap_dim, wrap_own_dim
from tritonflow.functions import reduction
from tritonflow.functions.arithmetic import add, sub
from tritonflow.functions.cast import cast, clone
from tritonflow.functions.creation import zeros
from tritonflow.functions.generated import div, logical_xor, mul, scalar_div, scalar_mul
from tritonflow.functions.join import cat
from tritonflow.functions.reduction import canonical_dims
from tritonflow.functions.scan_sort import cumsum
from tritonflow.functions.view import narrow, reshape, select

Number = int | float | bool


@function(
    "Tensor (Tensor input, Int32 n=1, Int32 dim=-1, Tensor prepend=None, Tensor append=None)",
    methods="diff", samples="differences",
)
def diff(input: Tensor, n: int = 1, dim: int = -1, prepend: Tensor | None = None, append: Tensor | None = None) -> Any:
    """The differences of neighbours along a dimension, n times.

    `out[i] = input[i + 1] - input[i]`. Of bool it is whether neighbours differ.

    Args:
        input: the input.
        n: how many times.
        dim: the dimension of neighbours.
        prepend: put before the input, with its shape but along `dim`.
        append: put behind the input, with its shape but along `dim`.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., k, ...) -> (..., k - n, ...).

    Method: `Tensor.diff`.

    Raises:
        RuntimeError: a tensor without dimensions; `n` is negative; other shapes of `prepend` and `append`.
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.diff.

    Example:
        >>> import tritonflow as flow
        >>> flow.diff(flow.tensor([1, 4, 9, 16]))
        tensor([3, 5, 7])
        >>> flow.diff(flow.tensor([1, 4, 9, 16]), n=2)
        tensor([2, 2])
    """
    if not input.meta.ndim:
        raise InvalidArgumentError("diff expects input to be at least one-dimensional")
    if n < 0:
        raise InvalidArgumentError(f"order must be non-negative but got {n}")
    dim = wrap_dim(dim, input.meta.ndim)
    parts = [t for t in (prepend, input, append) if t is not None]
    if any(t.meta.ndim != input.meta.ndim for t in parts):
        raise ShapeError("diff expects prepend or append to be the same dimension as input")
    x = cat(parts, dim) if len(parts) > 1 and n else input
    for _ in range(min(n, x.meta.shape[dim])):
        x = difference(x, dim)
    return x if n else clone(x)  # torch, too, returns an empty input itself


def difference(x: Tensor, dim: int) -> Any:
    """x[1:] - x[:-1]; of truth values whether they differ."""
    left, right = _neighbours(x, dim)
    return logical_xor(right, left) if x.meta.dtype is bool_ else sub(right, left)


def _neighbours(x: Tensor, dim: int) -> tuple[Tensor, Tensor]:
    rest = max(x.meta.shape[dim] - 1, 0)
    return narrow(x, dim, 0, rest), narrow(x, dim, min(1, x.meta.shape[dim]), rest)


# --------------------------------------------------------------------------------------------------------------- integrals


@function(
    "Tensor (Tensor y, *, Scalar dx=1, Int32 dim=-1)",
    "Tensor (Tensor y, Tensor x, *, Int32 dim=-1) => TrapezoidPoints",
    samples="integrals", tolerance="reduction",
)
@also("trapz")
def trapezoid(y: Tensor, dx: Number = 1, dim: int = -1) -> Any:
    """The integral along a dimension by the trapezoidal rule, over points x or points dx apart.

    The sum of `(x[i + 1] - x[i]) * (y[i] + y[i + 1]) / 2`.

    Overloads:
        - `trapezoid(y: Tensor, *, dx: Scalar = 1, dim: int = -1) -> Tensor`
        - `trapezoid(y: Tensor, x: Tensor, *, dim: int = -1) -> Tensor`

    Args:
        y: the values of the function.
        dx: the distance of the points where they are not given.
        dim: the dimension; a negative one counts from the end.
        x: the points, with the shape of `y` or the size of its dimension; evenly spaced unless given.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...) -> (..., ...).

    Raises:
        RuntimeError: `x` does not fit `y`; bool tensors.
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.trapezoid.

    Example:
        >>> import tritonflow as flow
        >>> flow.trapezoid(flow.tensor([1.0, 2.0, 3.0]))
        tensor(4.)
        >>> flow.trapezoid(flow.tensor([1.0, 2.0, 3.0]), flow.tensor([0.0, 2.0, 3.0]))
        tensor(5.5000)
    """
    dim = _integrated("trapezoid", dim, y)
    if not y.meta.shape[dim]:
        return _nothing(y, dim)
    ends = add(select(y, dim, 0), select(y, dim, -1))
    return scalar_mul(sub(reduction.sum(y, (dim,)), scalar_mul(ends, 0.5)), dx)


@functor("TrapezoidPoints")
def trapezoid_points(y: Tensor, x: Tensor, dim: int = -1) -> Any:
    dim = _integrated("trapezoid", dim, y, x)
    if not y.meta.shape[dim]:
        return _nothing(y, dim)
    dtype = result_type([(t.meta.dtype, t.meta.ndim) for t in (y, x)])
    if dtype.itemsize == 2 and dtype.is_floating_point:  # each of three steps would round
        return cast(trapezoid_points(cast(y, float32), cast(x, float32), dim), dtype)
    left, right = _neighbours(y, dim)
    return scalar_div(reduction.sum(mul(add(left, right), _widths("trapezoid", y, x, dim)), (dim,)), 2.0)


@function(
    "Tensor (Tensor y, *, Scalar dx=1, Int32 dim=-1)",
    "Tensor (Tensor y, Tensor x, *, Int32 dim=-1) => CumulativeTrapezoidPoints",
    samples="integrals", tolerance="reduction",
)
def cumulative_trapezoid(y: Tensor, dx: Number = 1, dim: int = -1) -> Any:
    """The integrals up to each point along a dimension by the trapezoidal rule.

    The running sums of `(x[i + 1] - x[i]) * (y[i] + y[i + 1]) / 2`.

    Overloads:
        - `cumulative_trapezoid(y: Tensor, *, dx: Scalar = 1, dim: int = -1) -> Tensor`
        - `cumulative_trapezoid(y: Tensor, x: Tensor, *, dim: int = -1) -> Tensor`

    Args:
        y: the values of the function.
        dx: the distance of the points where they are not given.
        dim: the dimension; a negative one counts from the end.
        x: the points, with the shape of `y` or the size of its dimension; evenly spaced unless given.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...) -> (..., n - 1, ...).

    Raises:
        RuntimeError: `x` does not fit `y`; bool tensors.
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.cumulative_trapezoid.

    Example:
        >>> import tritonflow as flow
        >>> flow.cumulative_trapezoid(flow.tensor([1.0, 2.0, 3.0]))
        tensor([1.5000, 4.0000])
    """
    dim = _integrated("cumulative_trapezoid", dim, y)
    left, right = _neighbours(y, dim)
    return scalar_mul(cumsum(add(left, right), dim), dx / 2.0)


@functor("CumulativeTrapezoidPoints")
def cumulative_trapezoid_points(y: Tensor, x: Tensor, dim: int = -1) -> Any:
    dim = _integrated("cumulative_trapezoid", dim, y, x)
    left, right = _neighbours(y, dim)
    return scalar_div(cumsum(mul(add(left, right), _widths("cumulative_trapezoid", y, x, dim)), dim), 2.0)


def _integrated(name: str, dim: int, y: Tensor, *x: Tensor) -> int:
    if (y.meta.numel or name != "trapezoid") and any(t.meta.dtype is bool_ for t in (y, *x)):
        raise DTypeError(f"{name}: received a bool input for {'`x` or `y`' if x else '`y`'}, but bool is not supported")
    return wrap_own_dim(dim, y.meta.ndim)


def _nothing(y: Tensor, dim: int) -> Any:
    shape = tuple([n for d, n in enumerate(y.meta.shape) if d != dim])
    return zeros(shape, dtype=y.meta.dtype, **beside(y))


def _widths(name: str, y: Tensor, x: Tensor, dim: int) -> Any:
    """The distances of the points x, to broadcast with y."""
    if x.meta.ndim == 1:
        if x.meta.shape[0] != y.meta.shape[dim]:
            raise ShapeError(f"{name}: There must be one `x` value for each sample point")
        x = reshape(x, (-1, *[1] * (y.meta.ndim - dim - 1)))
        return difference(x, 0)
    if x.meta.ndim < y.meta.ndim:
        x = reshape(x, (*[1] * (y.meta.ndim - x.meta.ndim), *x.meta.shape))
    return difference(x, dim)


# --------------------------------------------------------------------------------------------------------------- gradients


@function(
    "TensorTuple (Tensor input, *, Scalar spacing=None, Int32List[1] dim=None, Int32 edge_order=1)",
    "TensorTuple (Tensor input, *, ScalarList spacing, Int32List[1] dim=None, Int32 edge_order=1) => GradientSpacings",
    "TensorTuple (Tensor input, *, TensorTuple spacing, Int32List[1] dim=None, Int32 edge_order=1) => GradientPoints",
    samples="gradient", tolerance="reduction",
)
def gradient(input: Tensor, spacing: Number | None = None, dim: Any = None, edge_order: int = 1) -> Any:
    """The gradients of a sampled function along dimensions, by central differences.

    `(input[i + 1] - input[i - 1]) / (x[i + 1] - x[i - 1])` inside for even spacing, one-sided
    differences at the ends.

    Args:
        input: the input.
        spacing: the distance of the points, or one for each dimension, or their coordinates in each
            dimension; 1 unless given.
        dim: the dimensions; all unless given.
        edge_order: 1 or 2, the order of the differences at the ends.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape -> a tensor of the same shape for each dimension.

    Raises:
        RuntimeError: spacings that do not fit the dimensions; too few points.
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.gradient.

    Example:
        >>> import tritonflow as flow
        >>> flow.gradient(flow.tensor([1.0, 4.0, 9.0, 16.0]))
        (tensor([3., 4., 6., 7.]),)
    """
    dims = _gradient_dims(input, dim, edge_order)
    return tuple([_gradient_along(input, d, 1 if spacing is None else spacing, edge_order) for d in dims])


@functor("GradientSpacings")
def gradient_spacings(input: Tensor, spacing: Sequence[Number], dim: Any = None, edge_order: int = 1) -> Any:
    dims = _gradient_dims(input, dim, edge_order)
    _check_spacings(len(spacing), len(dims))
    return tuple([_gradient_along(input, d, step, edge_order) for d, step in zip(dims, spacing)])


@functor("GradientPoints")
def gradient_points(input: Tensor, spacing: Sequence[Tensor], dim: Any = None, edge_order: int = 1) -> Any:
    dims = _gradient_dims(input, dim, edge_order)
    _check_spacings(len(spacing), len(dims))
    for d, points in zip(dims, spacing):
        if points.meta.ndim != 1 or points.meta.shape[0] != input.meta.shape[d]:
            raise ShapeError(
                "torch.gradient expected each element of `spacing` to be 1-dimensional, and its size to be that of the dimension"
            )
    return tuple([_gradient_at(input, d, points, edge_order) for d, points in zip(dims, spacing)])


def _check_spacings(given: int, wanted: int) -> None:
    if given != wanted:
        raise InvalidArgumentError(
            f"torch.gradient expected spacing to be unspecified, a scalar, or a list of length equal to 'self.dim() = {wanted}',"
            f" but got a list of length {given}"
        )


def _gradient_dims(x: Tensor, dim: Any, edge_order: int) -> tuple[int, ...]:
    if x.meta.dtype is bool_:
        raise DTypeError(
            "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or `logical_xor()` operator"
            " instead."
        )
    if x.meta.dtype is uint8:
        raise DTypeError("torch.gradient does not support uint8 input.")
    if edge_order not in (1, 2):
        raise InvalidArgumentError("torch.gradient only supports edge_order=1 and edge_order=2.")
    dims = canonical_dims(x, None) if dim is None else tuple([wrap_dim(d, x.meta.ndim) for d in dim])
    if len(set(dims)) != len(dims):
        raise InvalidArgumentError("dim appears multiple times in the list of dims")
    if dims and not x.meta.ndim:
        raise DimensionError(f"Dimension specified as {dims[0]} but tensor has no dimensions")
    if any(x.meta.shape[d] < edge_order + 1 for d in dims):
        raise ShapeError("torch.gradient expected each dimension size to be at least edge_order+1")
    return dims


def _gradient_along(x: Tensor, dim: int, step: Number, edge_order: int) -> Any:
    """Differences over equal steps: of both neighbours inside, one-sided at the edges."""
    n = x.meta.shape[dim]
    inside = scalar_div(sub(narrow(x, dim, 2, n - 2), narrow(x, dim, 0, n - 2)), 2 * step)
    a, b, c, d = [narrow(x, dim, at, 1) for at in (0, 1, n - 2, n - 1)]
    if edge_order == 1:
        left, right = scalar_div(sub(b, a), step), scalar_div(sub(d, c), step)
    else:
        third, before = narrow(x, dim, 2, 1), narrow(x, dim, n - 3, 1)
        left = scalar_div(_weighted((-1.5, a), (2.0, b), (-0.5, third)), step)
        right = scalar_div(_weighted((0.5, before), (-2.0, c), (1.5, d)), step)
    return cat([left, inside, right], dim)


def _weighted(*terms: tuple[Any, Tensor]) -> Any:
    """The sum of tensors, each times its weight, a number or a tensor."""
    total = None
    for weight, x in terms:
        term = mul(x, weight) if isinstance(weight, Tensor) else scalar_mul(x, weight)
        total = term if total is None else add(total, term)
    return total


def _gradient_at(x: Tensor, dim: int, points: Tensor, edge_order: int) -> Any:
    """Differences over the distances of points: inside those of both sides, weighted so that parabolas are exact."""
    n = x.meta.shape[dim]
    widths = reshape(difference(points, 0), (-1, *[1] * (x.meta.ndim - dim - 1)))
    slopes = div(difference(x, dim), widths)
    before, after = _neighbours(slopes, dim)
    first, second = _neighbours(widths, 0)
    both = add(first, second)
    inside = div(add(mul(before, second), mul(after, first)), both)
    left, right = narrow(slopes, dim, 0, 1), narrow(slopes, dim, n - 2, 1)
    if edge_order == 2:
        h, k = [narrow(widths, 0, at, 1) for at in (0, 1)]
        left = sub(left, mul(sub(narrow(slopes, dim, 1, 1), left), div(h, add(h, k))))
        h, k = [narrow(widths, 0, at, 1) for at in (n - 2, n - 3)]
        right = add(right, mul(sub(right, narrow(slopes, dim, n - 3, 1)), div(h, add(h, k))))
    return cat([left, inside, right], dim)
