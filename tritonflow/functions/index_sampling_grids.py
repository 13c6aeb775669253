"""Functors of images seen through a grid of positions: affine_grid and grid_sample, whose gradients are of the same kind."""

from __future__ import annotations

import warnings
from math import prod
from typing import Any

from tritonflow.binding.library import functor
from tritonflow.binding.target import beside
from tritonflow.errors import ArgumentValueError, InvalidArgumentError, NotYetImplementedError, ShapeError
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.arithmetic import add
from tritonflow.functions.creation import linspace, ones_like
from tritonflow.functions.generated import mul
from tritonflow.functions.join import stack
from tritonflow.functions.matmul import matmul
from tritonflow.functions.view import expand, reshape, select, unshared, unsqueeze
from tritonflow.interpreter.dispatch import dispatch, dispatch2
from tritonflow.ops.dtype_rules import require

_points = op_expr("grid_sample_points")
_spread = op_expr("grid_sample_spread")
_slopes = op_expr("grid_sample_slopes")

MODES, PADDINGS = ("bilinear", "nearest", "bicubic"), ("zeros", "border", "reflection")

Ints = tuple[int, ...]


@functor("AffineGrid")
def affine_grid(theta: Tensor, size: tuple[int, ...], align_corners: bool | None = None) -> Any:
    """(n, *image, dims): positions in [-1, 1] of a matrix (n, dims, dims + 1) applied to every pixel."""
    require("affine_grid", "floating", theta.meta.dtype, "theta")
    if align_corners is None:
        _warn_of_corners("affine_grid")
    dims = len(size) - 2
    if dims not in (2, 3):
        raise NotYetImplementedError(
            "affine_grid only supports 4D and 5D sizes, for 2D and 3D affine transforms, respectively. Got size " + str(list(size))
        )
    if min(size) <= 0:
        raise ArgumentValueError(f"Expected non-zero, positive output size. Got {list(size)}")
    if theta.meta.ndim != 3 or theta.meta.shape[1:] != (dims, dims + 1) or theta.meta.shape[0] != size[0]:
        raise ArgumentValueError(
            f"Expected a batch of {dims}D affine matrices of shape Nx{dims}x{dims + 1} for size {list(size)}. Got"
            f" {list(theta.meta.shape)}."
        )
    image = tuple(size[2:])
    axes = [_axis(theta, n, bool(align_corners)) for n in image]
    columns = []
    for d in reversed(range(dims)):
        shape = tuple([-1 if k == d else 1 for k in range(dims)])
        columns.append(expand(reshape(axes[d], shape), image))
    base = stack([*columns, ones_like(columns[0].contiguous())], dims)
    flat = expand(reshape(base, (1, -1, dims + 1)), (size[0], base.meta.numel // (dims + 1), dims + 1))
    return unshared(reshape(matmul(flat, theta.transpose(1, 2)), (size[0], *image, dims)))


def _axis(like: Tensor, n: int, aligned: bool) -> Tensor:
    """Positions of n pixels in [-1, 1]: of their centres, or of the corners' outermost ones."""
    if n <= 1:
        return linspace(0, 0, n, dtype=like.meta.dtype, **beside(like))
    line = linspace(-1, 1, n, dtype=like.meta.dtype, **beside(like))
    return line if aligned else line * ((n - 1) / n)


def _warn_of_corners(name: str) -> None:
    warnings.warn(
        f"Default {name} behavior has changed to align_corners=False since 1.3.0. Please specify align_corners=True if the old"
        " behavior is desired. See the documentation of grid_sample for details.",
        stacklevel=4,
    )


@functor("GridSample")
def grid_sample(
    input: Tensor, grid: Tensor, mode: str = "bilinear", padding_mode: str = "zeros", align_corners: bool | None = None
) -> Any:
    _check(input, grid, mode, padding_mode)
    if align_corners is None:
        _warn_of_corners("grid_sample")
    n, c, *image = input.meta.shape
    dims, out = len(image), grid.meta.shape[1:-1]
    pixels, points = reshape(input, (n, c, prod(image))), reshape(grid, (n, prod(out), dims))
    seen = grid_sample_points(pixels, points, tuple(image), mode, padding_mode, bool(align_corners), (0,) * dims)
    return unshared(reshape(seen, (n, c, *out)))


@functor("GridSampler")
def grid_sampler(input: Tensor, grid: Tensor, interpolation_mode: int, padding_mode: int, align_corners: bool) -> Any:
    """The modes are positions in `MODES` and `PADDINGS`."""
    for name, number in (("interpolation_mode", interpolation_mode), ("padding_mode", padding_mode)):
        if number not in (0, 1, 2):
            raise ArgumentValueError(f"grid_sampler(): expected {name} to be 0, 1 or 2, but got {number}")
    return grid_sample(input, grid, MODES[interpolation_mode], PADDINGS[padding_mode], align_corners)


def _of_rank(ndim: int, input: Tensor, grid: Tensor) -> None:
    if input.meta.ndim != ndim or grid.meta.ndim != ndim:
        raise ShapeError(
            f"grid_sampler(): expected {ndim}D input and grid with same number of dimensions, but got input with sizes"
            f" {list(input.meta.shape)} and grid with sizes {list(grid.meta.shape)}"
        )


@functor("GridSampler2d")
def grid_sampler_2d(input: Tensor, grid: Tensor, interpolation_mode: int, padding_mode: int, align_corners: bool) -> Any:
    _of_rank(4, input, grid)
    return grid_sampler(input, grid, interpolation_mode, padding_mode, align_corners)


@functor("GridSampler3d")
def grid_sampler_3d(input: Tensor, grid: Tensor, interpolation_mode: int, padding_mode: int, align_corners: bool) -> Any:
    _of_rank(5, input, grid)
    return grid_sampler(input, grid, interpolation_mode, padding_mode, align_corners)


@functor("GridSamplePoints")
def grid_sample_points(x: Tensor, grid: Tensor, image: Ints, mode: str, padding: str, aligned: bool, orders: Ints) -> Any:
    return dispatch2(_points, x, grid, (tuple(image), mode, padding, aligned, tuple(orders)))


@functor("GridSampleSpread")
def grid_sample_spread(grad: Tensor, grid: Tensor, image: Ints, mode: str, padding: str, aligned: bool, orders: Ints) -> Any:
    return dispatch2(_spread, grad, grid, (tuple(image), mode, padding, aligned, tuple(orders)))


@functor("GridSampleSlopes")
def grid_sample_slopes(
    grad: Tensor, x: Tensor, grid: Tensor, image: Ints, mode: str, padding: str, aligned: bool, orders: Ints
) -> Any:
    return dispatch(_slopes, (grad, x, grid), (tuple(image), mode, padding, aligned, tuple(orders)))


@functor("GridSampleSlopesGrad")
def grid_sample_slopes_grad(
    outer: Tensor, grad: Tensor, x: Tensor, grid: Tensor, image: Ints, mode: str, padding: str, aligned: bool,
    orders: Ints, needs_grad: bool, needs_x: bool, needs_grid: bool,
) -> Any:  # fmt: skip
    """The gradients of grid_sample_slopes: along each dimension, weights are differentiated once more."""
    sums: list[Any] = [None, None, None]
    for d in range(len(image)):
        more = (tuple(image), mode, padding, aligned, tuple([o + (k == d) for k, o in enumerate(orders)]))
        along = unsqueeze(select(outer, 2, len(image) - 1 - d), 1)
        scaled = mul(grad, along)
        if needs_grad:
            sums[0] = _plus(sums[0], mul(grid_sample_points(x, grid, *more), along))
        if needs_x:
            sums[1] = _plus(sums[1], grid_sample_spread(scaled, grid, *more))
        if needs_grid:
            sums[2] = _plus(sums[2], grid_sample_slopes(scaled, x, grid, *more))
    return tuple(sums)


def _plus(x: Tensor | None, y: Tensor) -> Any:
    return y if x is None else add(x, y)


def _check(input: Tensor, grid: Tensor, mode: str, padding_mode: str) -> None:
    if mode not in MODES:
        raise ArgumentValueError(
            f"nn.functional.grid_sample(): expected mode to be 'bilinear', 'nearest' or 'bicubic', but got: '{mode}'"
        )
    if padding_mode not in PADDINGS:
        raise ArgumentValueError(
            "nn.functional.grid_sample(): expected padding_mode to be 'zeros', 'border', or 'reflection', but got:"
            f" '{padding_mode}'"
        )
    x, g = input.meta, grid.meta
    if x.dtype is not g.dtype:
        raise InvalidArgumentError(
            f"grid_sample(): expected input and grid to have the same dtype, but got {x.dtype.name} and {g.dtype.name}"
        )
    require("grid_sample", "floating", x.dtype, "input")
    if x.ndim not in (4, 5) or g.ndim != x.ndim:
        raise ShapeError(
            "grid_sample(): expected 4D or 5D input and grid with same number of dimensions, but got input with sizes"
            f" {list(x.shape)} and grid with sizes {list(g.shape)}"
        )
    if x.shape[0] != g.shape[0]:
        raise ShapeError(
            f"grid_sample(): expected grid and input to have same batch size, but got input with sizes {list(x.shape)} and grid"
            f" with sizes {list(g.shape)}"
        )
    if g.shape[-1] != x.ndim - 2:
        raise ShapeError(
            f"grid_sample(): expected grid to have size {x.ndim - 2} in last dimension, but got grid with sizes {list(g.shape)}"
        )
    if 0 in x.shape[2:]:
        raise ShapeError(
            f"grid_sample(): expected input to have non-empty spatial dimensions, but input has sizes {list(x.shape)}"
        )
    if mode == "bicubic" and x.ndim == 5:
        raise InvalidArgumentError("grid_sample(): bicubic interpolation only supports 4D input")
