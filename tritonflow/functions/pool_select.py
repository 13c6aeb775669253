"""Functors of pools that select: adaptive maxima, fractional ones over gathered windows, and unpooling."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from tritonflow.binding.library import function, functor
from tritonflow.binding.target import beside
from tritonflow.dtypes import int64
from tritonflow.errors import ArgumentTypeError, ArgumentValueError, InvalidArgumentError, ShapeError
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.arithmetic import add
from tritonflow.functions.cast import cast
from tritonflow.functions.creation import arange_end
from tritonflow.functions.creation_like import new_zeros
from tritonflow.functions.generated import floor, scalar_mul
from tritonflow.functions.index_gather import gather, scatter
from tritonflow.functions.join import cat
from tritonflow.functions.pool import max_pool1d, max_pool2d
from tritonflow.functions.pool_3d import adaptive_sizes, max_pool3d
from tritonflow.functions.random import rand
from tritonflow.functions.reduction import max_dim
from tritonflow.functions.view import reshape, select, squeeze, unshared, unsqueeze
from tritonflow.interpreter.dispatch import dispatch, dispatch2
from tritonflow.ops.dtype_rules import require

_adaptive_max_pool2d = op_expr("adaptive_max_pool2d")
_adaptive_max_pool_grad = op_expr("adaptive_max_pool_grad")


def _adaptive_max(name: str, input: Tensor, output_size: Any, dims: int, return_indices: bool) -> Any:
    require(name, "floating", input.meta.dtype, "input")
    sizes = adaptive_sizes(name, input, output_size, dims)
    if input.meta.ndim not in (dims + 1, dims + 2):
        raise ShapeError(f"{name}(): Expected {dims + 1}D or {dims + 2}D tensor, but got: {list(input.meta.shape)}")
    shape = input.meta.shape
    outer, image = shape[:-dims], shape[-dims:]
    if not prod(sizes):
        empty = new_zeros(input, (*outer, *sizes))
        return (empty, cast(empty, int64)) if return_indices else empty
    if all(n % out == 0 for n, out in zip(image, sizes)):
        windows = tuple([n // out for n, out in zip(image, sizes)])
        pool = (max_pool1d, max_pool2d, max_pool3d)[dims - 1]
        return pool(input, windows, windows, (0,), (1,), False, return_indices)
    batch = outer if len(outer) == 2 else (1, *outer)
    if dims == 3:
        values, positions = _adaptive_max_volume(reshape(input, (*batch, *image)), sizes)
    else:
        height = (1,) * (2 - dims)
        images = reshape(input, (*batch, *height, *image))
        values, positions = dispatch(_adaptive_max_pool2d, (images,), ((*height, *sizes),))
    values = unshared(reshape(values, (*outer, *sizes)))
    return (values, unshared(reshape(positions, (*outer, *sizes)))) if return_indices else values


def _adaptive_max_volume(input: Tensor, sizes: tuple[int, ...]) -> tuple[Tensor, Tensor]:
    """(maxima, their positions): those of the slices, and then along the depth. The first maximum of a window stays the first."""
    n, c, depth, h, w = input.meta.shape
    area = sizes[1] * sizes[2]
    flat, where_flat = dispatch(_adaptive_max_pool2d, (reshape(input, (n, c * depth, h, w)),), (sizes[1:],))
    values, chosen = dispatch(_adaptive_max_pool2d, (reshape(flat, (n, c, depth, area)),), ((sizes[0], area),))
    at = reshape(chosen, (n, c, prod(sizes)))
    inside = gather(reshape(where_flat, (n, c, depth * area)), 2, at)
    return values, add(scalar_mul(at // area, h * w), inside)


@function(
    "Any (Tensor input, PyObject output_size, Bool return_indices=False)",
    export="nn.functional", reference="torch.nn.functional.adaptive_max_pool1d", samples="adaptive_pool1d",
)
def adaptive_max_pool1d(input: Tensor, output_size: Any, return_indices: bool = False) -> Any:
    """Maxima of windows that cover the input, as many as asked for.

    Window i has the elements from floor(i * L / L') up to ceil((i + 1) * L / L').

    Args:
        input: the input.
        output_size: L', how many windows.
        return_indices: whether the position of each maximum is returned as well.

    Shape:
        (N, C, L) -> (N, C, L'), also without N.

    Raises:
        RuntimeError: other dimensions, an empty signal, or a negative size.
        TypeError: a size that is no integer; an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.adaptive_max_pool1d.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> F.adaptive_max_pool1d(flow.tensor([[1.0, 5.0, 2.0, 3.0]]), 2, return_indices=True)
        (tensor([[5., 3.]]), tensor([[1, 3]]))
    """
    return _adaptive_max("adaptive_max_pool1d", input, output_size, 1, return_indices)


@functor("AdaptiveMaxPool2d")
def adaptive_max_pool2d(input: Tensor, output_size: Any, return_indices: bool = False) -> Any:
    return _adaptive_max("adaptive_max_pool2d", input, output_size, 2, return_indices)


@function(
    "Any (Tensor input, PyObject output_size, Bool return_indices=False)",
    export="nn.functional", reference="torch.nn.functional.adaptive_max_pool3d", samples="adaptive_pool3d",
)
def adaptive_max_pool3d(input: Tensor, output_size: Any, return_indices: bool = False) -> Any:
    """Maxima of windows that cover the input, as many as asked for.

    Window i of a dimension has the elements from floor(i * D / D') up to ceil((i + 1) * D / D').

    Args:
        input: the input.
        output_size: (D', H', W'), or one number for all; None keeps the size of the input.
        return_indices: whether the position of each maximum in its volume D x H x W is returned as well.

    Shape:
        (N, C, D, H, W) -> (N, C, D', H', W'), also without N.

    Raises:
        RuntimeError: other dimensions, an empty volume, or a negative size.
        TypeError: sizes that are no integers; an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.adaptive_max_pool3d.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> F.adaptive_max_pool3d(flow.arange(8.0).reshape(1, 2, 2, 2), (2, 1, 1)).flatten()
        tensor([3., 7.])
    """
    return _adaptive_max("adaptive_max_pool3d", input, output_size, 3, return_indices)


@functor("AdaptiveMaxPoolGrad")
def adaptive_max_pool_grad(grad: Tensor, indices: Tensor, shape: Sequence[int]) -> Any:
    return dispatch2(_adaptive_max_pool_grad, grad, indices, (tuple(shape),))


def _starts(samples: Tensor, size: int, out: int, kernel: int) -> Tensor:
    """(n, c, out): where the windows of fractional pooling start (Graham, 2014), from a random number for each plane."""
    if out == 1:
        return cast(scalar_mul(unsqueeze(samples, -1), 0), int64) + (size - kernel)
    alpha = (size - kernel) / (out - 1)
    shift = unsqueeze(samples, -1)
    index = cast(arange_end(out - 1, **beside(samples)), samples.meta.dtype)
    begun = cast(floor(scalar_mul(add(index, shift), alpha)), int64) - cast(floor(scalar_mul(shift, alpha)), int64)
    last = cast(scalar_mul(shift, 0), int64) + (size - kernel)
    return cat([begun, last], -1)


def _fractional(
    name: str, dims: int, input: Tensor, kernel_size: Any, output_size: Any, output_ratio: Any, return_indices: bool,
    samples: Tensor | None,
) -> Any:  # fmt: skip
    require(name, "floating", input.meta.dtype, "input")
    if output_size is None and output_ratio is None:
        raise ArgumentValueError(f"{name} requires specifying either an output_size or an output_ratio")
    if input.meta.ndim == dims + 1:
        rest = (kernel_size, output_size, output_ratio, return_indices, samples)
        found = _fractional(name, dims, unsqueeze(input, 0), *rest)
        return tuple(unshared(squeeze(t, (0,))) for t in found) if return_indices else unshared(squeeze(found, (0,)))
    if input.meta.ndim != dims + 2:
        raise ShapeError(f"{name}(): Expected {dims + 1}D or {dims + 2}D tensor, but got: {list(input.meta.shape)}")
    n, c, *image = input.meta.shape
    kernel = [kernel_size] * dims if isinstance(kernel_size, int) else list(kernel_size)
    if output_size is None:
        ratios = [output_ratio] * dims if isinstance(output_ratio, (int, float)) else list(output_ratio)
        if not all(0 < r < 1 for r in ratios):
            raise ArgumentValueError(f"output_ratio must be between 0 and 1 (got {output_ratio})")
        sizes = [int(size * r) for size, r in zip(image, ratios)]
    else:
        sizes = [output_size] * dims if isinstance(output_size, int) else list(output_size)
    for size, out, width in zip(image, sizes, kernel):
        if out + width - 1 > size:
            raise InvalidArgumentError(f"{name}(): pool size {width} too large relative to input size {size}")
    if samples is None:
        samples = rand((n, c, dims), dtype=input.meta.dtype, **beside(input))
    return _fractional_of(input, kernel, sizes, samples, return_indices)


def _fractional_of(input: Tensor, kernel: list[int], sizes: list[int], samples: Tensor, return_indices: bool) -> Any:
    n, c, *image = input.meta.shape
    dims = len(image)
    positions: Any = None
    for d in range(dims):  # the last sample is that of the first dimension, as in torch
        start = _starts(select(samples, 2, dims - 1 - d if dims == 2 else d), image[d], sizes[d], kernel[d])
        along = unsqueeze(start, -1) + arange_end(kernel[d], **beside(input))
        shape = [n, c, *[1] * (2 * dims)]
        shape[2 + d], shape[2 + dims + d] = sizes[d], kernel[d]
        along = reshape(along, tuple(shape))
        positions = along if positions is None else add(scalar_mul(positions, image[d]), along)
    count = prod(sizes)
    positions = reshape(positions, (n, c, count * prod(kernel)))
    flat = reshape(input, (n, c, prod(image)))
    seen = reshape(gather(flat, 2, positions), (n, c, count, prod(kernel)))
    values, best = max_dim(seen, -1)
    values = reshape(values, (n, c, *sizes))
    if not return_indices:
        return values
    where = gather(reshape(positions, seen.meta.shape), -1, unsqueeze(best, -1))
    return values, reshape(where, (n, c, *sizes))


@function(
    "Any (Tensor input, PyObject kernel_size, PyObject output_size=None, PyObject output_ratio=None, Bool "
    "return_indices=False, Tensor random_samples=None)",
    export=(), samples={"none": "random: tests/nn/test_layers_of_several_inputs.py gives both libraries the same numbers"},
)
def fractional_max_pool2d(
    input: Tensor, kernel_size: Any, output_size: Any = None, output_ratio: Any = None, return_indices: bool = False,
    random_samples: Tensor | None = None,
) -> Any:  # fmt: skip
    """Maxima of windows of random steps (Graham, 2014)."""
    rest = (kernel_size, output_size, output_ratio, return_indices, random_samples)
    return _fractional("fractional_max_pool2d", 2, input, *rest)


@function(
    "Any (Tensor input, PyObject kernel_size, PyObject output_size=None, PyObject output_ratio=None, Bool "
    "return_indices=False, Tensor random_samples=None)",
    export=(), samples={"none": "random: tests/nn/test_layers_of_several_inputs.py gives both libraries the same numbers"},
)
def fractional_max_pool3d(
    input: Tensor, kernel_size: Any, output_size: Any = None, output_ratio: Any = None, return_indices: bool = False,
    random_samples: Tensor | None = None,
) -> Any:  # fmt: skip
    """Maxima of windows of random steps (Graham, 2014)."""
    rest = (kernel_size, output_size, output_ratio, return_indices, random_samples)
    return _fractional("fractional_max_pool3d", 3, input, *rest)


def _unpool(
    name: str, dims: int, input: Tensor, indices: Tensor, kernel_size: Any, stride: Any, padding: Any, output_size: Any
) -> Any:
    """Zeros with the values at their positions in each plane."""
    require(name, "floating", input.meta.dtype, "input")
    if input.meta.shape != indices.meta.shape:
        raise ShapeError(
            f"Expected shape of indices to be same as that of the input tensor ({list(input.meta.shape)}) but got indices tensor"
            f" with shape: {list(indices.meta.shape)}"
        )
    if indices.meta.dtype is not int64:
        raise InvalidArgumentError(f"elements in indices should be type int64 but got: {indices.meta.dtype.name}")
    if input.meta.ndim not in (dims + 1, dims + 2):
        raise ShapeError(f"{name}(): Expected {dims + 1}D or {dims + 2}D tensor, but got: {list(input.meta.shape)}")
    sizes = unpooled_sizes(input.meta.shape, dims, kernel_size, stride, padding, output_size)
    if any(n < 0 for n in sizes):  # two negative ones have a positive product
        raise ShapeError(f"{name}(): expected sizes of at least 0, but those of the result would be {sizes}")
    outer = input.meta.shape[:-dims]
    zeros = new_zeros(input, (*outer, prod(sizes)))
    count = prod(input.meta.shape[-dims:])
    values, at = (reshape(x, (*outer, count)) for x in (input, indices))
    return unshared(reshape(scatter(zeros, len(outer), at, values), (*outer, *sizes)))


def _each(value: Any, dims: int) -> list[int]:
    return [value] * dims if isinstance(value, int) else list(value) * (dims if len(value) == 1 else 1)


def unpooled_sizes(
    shape: Sequence[int], dims: int, kernel_size: Any, stride: Any, padding: Any, output_size: Any
) -> list[int]:
    """The sizes before pooling: the smallest, or those asked for where they are near to it."""
    kernel = _each(kernel_size, dims)
    step = _each(stride, dims) if stride else kernel
    amount = _each(padding, dims)
    usual = [(n - 1) * s - 2 * p + k for n, s, p, k in zip(shape[-dims:], step, amount, kernel)]
    if output_size is None:
        return usual
    if not isinstance(output_size, Sequence):
        raise ArgumentTypeError(f"output_size must be a sequence of ints, not {type(output_size).__name__}")
    wanted = list(output_size)[-dims:]
    if len(output_size) not in (dims, dims + 2) and len(output_size) != len(shape):
        raise ArgumentValueError(
            f"output_size should be a sequence containing {dims} or {dims + 2} elements, but it has a length of"
            f" '{len(output_size)}'"
        )
    for n in wanted:
        if not isinstance(n, int):
            raise ArgumentTypeError(f"output_size must be a sequence of ints, not of {type(n).__name__}")
    for d, (n, near, s) in enumerate(zip(wanted, usual, step)):
        if not near - s < n < near + s:
            raise ArgumentValueError(
                f'invalid output_size "{wanted}" (dim {d} must be between {near - s} and {near + s})'
            )
    return wanted


@function(
    "Tensor (Tensor input, Tensor indices, Int64List[1] kernel_size, Int64List[1] stride=None, Int64List[1] padding=0, "
    "PyObject output_size=None)",
    export="nn.functional", reference="torch.nn.functional.max_unpool1d", samples="max_unpool",
)
def max_unpool1d(
    input: Tensor, indices: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, output_size: Any = None
) -> Any:
    """zeros, with the values where max_pool1d found them.

    It undoes max_pool1d but for the elements that were no maxima. L' is (L - 1) * stride - 2 * padding
    + kernel_size, unless an output_size says which of the lengths it was that pool to L.

    Args:
        input: the maxima.
        indices: the position of each, int64.
        kernel_size: the size of the window: an int for all dimensions, or one for each.
        stride: the step of the window; `kernel_size` unless given.
        padding: how far the input is continued at both ends.
        output_size: the sizes of the result, its last ones or all.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (N, C, L), the same -> (N, C, L'), also without N.

    Raises:
        RuntimeError: indices of another shape or dtype, or outside the result.
        ValueError: an output_size that does not pool to the input.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.max_unpool1d.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> values, indices = F.max_pool1d(flow.tensor([[1.0, 3.0, 2.0, 0.0]]), 2, return_indices=True)
        >>> F.max_unpool1d(values, indices, 2)
        tensor([[0., 3., 2., 0.]])
    """
    return _unpool("max_unpool1d", 1, input, indices, kernel_size, stride, padding, output_size)


@function(
    "Tensor (Tensor input, Tensor indices, Int64List[2] kernel_size, Int64List[2] stride=None, Int64List[2] padding=0, "
    "PyObject output_size=None)",
    export="nn.functional", reference="torch.nn.functional.max_unpool2d", samples="max_unpool",
)
def max_unpool2d(
    input: Tensor, indices: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, output_size: Any = None
) -> Any:
    """zeros, with the values where max_pool2d found them.

    It undoes max_pool2d but for the elements that were no maxima. H' is (H - 1) * stride - 2 * padding
    + kernel_size, and W' alike, unless an output_size says which of the sizes it was that pool to the
    input's.

    Args:
        input: the maxima.
        indices: the position of each in its plane, int64.
        kernel_size: the size of the window: an int for all dimensions, or one for each.
        stride: the step of the window; `kernel_size` unless given.
        padding: how far the input is continued at both ends.
        output_size: the sizes of the result, its last ones or all.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (N, C, H, W), the same -> (N, C, H', W'), also without N.

    Raises:
        RuntimeError: indices of another shape or dtype, or outside the result.
        ValueError: an output_size that does not pool to the input.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.max_unpool2d.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> values, indices = F.max_pool2d(flow.arange(4.0).reshape(1, 2, 2), 2, return_indices=True)
        >>> F.max_unpool2d(values, indices, 2)
        tensor([[[0., 0.],
                 [0., 3.]]])
    """
    return _unpool("max_unpool2d", 2, input, indices, kernel_size, stride, padding, output_size)


@function(
    "Tensor (Tensor input, Tensor indices, Int64List[3] kernel_size, Int64List[3] stride=None, Int64List[3] padding=0, "
    "PyObject output_size=None)",
    export="nn.functional", reference="torch.nn.functional.max_unpool3d", samples="max_unpool",
)
def max_unpool3d(
    input: Tensor, indices: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, output_size: Any = None
) -> Any:
    """zeros, with the values where max_pool3d found them.

    It undoes max_pool3d but for the elements that were no maxima. D' is (D - 1) * stride - 2 * padding
    + kernel_size, H' and W' alike, unless an output_size says which of the sizes it was that pool to
    the input's.

    Args:
        input: the maxima.
        indices: the position of each in its volume, int64.
        kernel_size: the size of the window: an int for all dimensions, or one for each.
        stride: the step of the window; `kernel_size` unless given.
        padding: how far the input is continued at both ends.
        output_size: the sizes of the result, its last ones or all.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (N, C, D, H, W), the same -> (N, C, D', H', W'), also without N.

    Raises:
        RuntimeError: indices of another shape or dtype, or outside the result.
        ValueError: an output_size that does not pool to the input.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.max_unpool3d.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> values, indices = F.max_pool3d(flow.arange(8.0).reshape(1, 2, 2, 2), 2, return_indices=True)
        >>> F.max_unpool3d(values, indices, 2).flatten()
        tensor([0., 0., 0., 0., 0., 0., 0., 7.])
    """
    return _unpool("max_unpool3d", 3, input, indices, kernel_size, stride, padding, output_size)
