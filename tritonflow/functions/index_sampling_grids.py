"""Functors of images seen through a grid of positions: affine_grid and grid_sample, whose gradients are of the same kind."""

from __future__ import annotations

import warnings
from math import prod
from typing import Any

from tritonflow.binding.library import function, functor
from tritonflow.binding.target import beside
from tritonflow.errors import ArgumentValueError, InvalidArgumentError, NotYetImplementedError, ShapeError
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.arithmetic import add
from tritonflow.functions.creation import linspace
from tritonflow.functions.creation_like import ones_like
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


@function(
    "Tensor (Tensor theta, Shape size, Bool align_corners=None)",
    export="nn.functional", reference="torch.nn.functional.affine_grid", samples="affine_grid", tolerance="matmul",
)
def affine_grid(theta: Tensor, size: tuple[int, ...], align_corners: bool | None = None) -> Any:
    """Positions of an affine map of an image.

    For every pixel of the result theta times its position (x, y, 1), in coordinates that are -1 and 1
    at the edges of the image, or at the centres of the outermost pixels with align_corners.
    `grid_sample` sees an image at these positions.

    Args:
        theta: matrices of the map.
        size: the shape of the result of grid_sample, (N, C, H, W) or (N, C, D, H, W).
        align_corners: whether -1 and 1 are the centres of the outermost pixels, and not the edges; default
            False, with a warning.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (N, 2, 3) -> (N, H, W, 2); (N, 3, 4) -> (N, D, H, W, 3).

    Raises:
        ValueError: matrices of another shape, or sizes that are not positive.
        NotImplementedError: other than 4 or 5 sizes.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.affine_grid.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> identity = flow.tensor([[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]])
        >>> F.affine_grid(identity, (1, 1, 1, 2), align_corners=False)
        tensor([[[[-0.5000,  0.0000],
                  [ 0.5000,  0.0000]]]])
    """
    # (n, *image, dims): positions in [-1, 1] of a matrix (n, dims, dims + 1) applied to every pixel.
    require("affine_grid", "floating", theta.meta.dtype, "theta")
    if align_corners is None:
        _warn_of_corners("affine_grid")
    dims = len(size) - 2
    if dims not in (2, 3):
        raise NotYetImplementedError(
            "affine_grid only supports 4D and 5D sizes, for 2D and 3D affine transforms, respectively. Got size " + str(list(size))
        )
    if any(n <= 0 for n in size):
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


@function(
    "Tensor (Tensor input, Tensor grid, String mode='bilinear', String padding_mode='zeros', Bool align_corners=None)",
    export="nn.functional", reference="torch.nn.functional.grid_sample", samples="grid_sample", tolerance="norm",
    autocast="float32",
)
def grid_sample(
    input: Tensor, grid: Tensor, mode: str = "bilinear", padding_mode: str = "zeros", align_corners: bool | None = None
) -> Any:
    """An image seen at the positions of a grid.

        out[n, c, i, j] = input[n, c] at x = grid[n, i, j, 0], y = grid[n, i, j, 1]

    Positions are -1 and 1 at the edges of the image, or at the centres of the outermost pixels with
    align_corners. After Jaderberg et al., Spatial transformer networks, 2015.

    Args:
        input: images or volumes.
        grid: positions (x, y) or (x, y, z).
        mode: "bilinear", "nearest", or "bicubic" of images: what is seen between pixels.
        padding_mode: "zeros", "border" (the nearest pixel) or "reflection": what is seen outside.
        align_corners: whether -1 and 1 are the centres of the outermost pixels, and not the edges; default
            False, with a warning.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (N, C, H, W), (N, H', W', 2) -> (N, C, H', W'); (N, C, D, H, W), (N, D', H', W', 3) -> (N, C, D',
        H', W').

    Under `flow.autocast` it computes in float32.

    Raises:
        ValueError: another mode or padding_mode.
        RuntimeError: shapes or dtypes that do not fit, or bicubic volumes.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.grid_sample.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> image, middle = flow.tensor([[[[1.0, 2.0], [3.0, 4.0]]]]), flow.zeros(1, 1, 1, 2)
        >>> F.grid_sample(image, middle, align_corners=False)
        tensor([[[[2.5000]]]])
    """
    _check(input, grid, mode, padding_mode)
    if align_corners is None:
        _warn_of_corners("grid_sample")
    n, c, *image = input.meta.shape
    dims, out = len(image), grid.meta.shape[1:-1]
    pixels, points = reshape(input, (n, c, prod(image))), reshape(grid, (n, prod(out), dims))
    seen = grid_sample_points(pixels, points, tuple(image), mode, padding_mode, bool(align_corners), (0,) * dims)
    return unshared(reshape(seen, (n, c, *out)))


@function(
    "Tensor (Tensor input, Tensor grid, Int32 interpolation_mode, Int32 padding_mode, Bool align_corners)",
    samples="grid_sampler", tolerance="norm", autocast="float32",
)
def grid_sampler(input: Tensor, grid: Tensor, interpolation_mode: int, padding_mode: int, align_corners: bool) -> Any:
    """grid_sample with numbers for its modes.

    Args:
        input: the input.
        grid: positions (x, y) or (x, y, z).
        interpolation_mode: 0 is "bilinear", 1 "nearest", 2 "bicubic".
        padding_mode: 0 is "zeros", 1 "border", 2 "reflection".
        align_corners: whether -1 and 1 are the centres of the outermost pixels, and not the edges.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (N, C, H, W), (N, H', W', 2) -> (N, C, H', W'); (N, C, D, H, W), (N, D', H', W', 3) -> (N, C, D',
        H', W').

    Under `flow.autocast` it computes in float32.

    Raises:
        ValueError: another mode or padding_mode.
        RuntimeError: shapes or dtypes that do not fit, or bicubic volumes.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.grid_sampler.

    Example:
        >>> import tritonflow as flow
        >>> image, middle = flow.tensor([[[[1.0, 2.0], [3.0, 4.0]]]]), flow.zeros(1, 1, 1, 2)
        >>> flow.grid_sampler(image, middle, 0, 0, False)
        tensor([[[[2.5000]]]])
    """
    # The modes are positions in `MODES` and `PADDINGS`.
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


@function(
    "Tensor (Tensor input, Tensor grid, Int32 interpolation_mode, Int32 padding_mode, Bool align_corners)",
    samples={"kind": "grid_sampler", "dims": [2]}, tolerance="norm", autocast="float32",
)
def grid_sampler_2d(input: Tensor, grid: Tensor, interpolation_mode: int, padding_mode: int, align_corners: bool) -> Any:
    """grid_sampler of images.

    Args:
        input: the input.
        grid: positions (x, y).
        interpolation_mode: 0 is "bilinear", 1 "nearest", 2 "bicubic".
        padding_mode: 0 is "zeros", 1 "border", 2 "reflection".
        align_corners: whether -1 and 1 are the centres of the outermost pixels, and not the edges.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (N, C, H, W), (N, H', W', 2) -> (N, C, H', W').

    Under `flow.autocast` it computes in float32.

    Raises:
        ValueError: another mode or padding_mode.
        RuntimeError: shapes or dtypes that do not fit.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.grid_sampler_2d.

    Example:
        >>> import tritonflow as flow
        >>> image, middle = flow.tensor([[[[1.0, 2.0], [3.0, 4.0]]]]), flow.zeros(1, 1, 1, 2)
        >>> flow.grid_sampler_2d(image, middle, 0, 0, False)
        tensor([[[[2.5000]]]])
    """
    _of_rank(4, input, grid)
    return grid_sampler(input, grid, interpolation_mode, padding_mode, align_corners)


@function(
    "Tensor (Tensor input, Tensor grid, Int32 interpolation_mode, Int32 padding_mode, Bool align_corners)",
    samples={"kind": "grid_sampler", "dims": [3]}, tolerance="norm", autocast="float32",
)
def grid_sampler_3d(input: Tensor, grid: Tensor, interpolation_mode: int, padding_mode: int, align_corners: bool) -> Any:
    """grid_sampler of volumes.

    Args:
        input: the input.
        grid: positions (x, y, z).
        interpolation_mode: 0 is "bilinear", 1 "nearest".
        padding_mode: 0 is "zeros", 1 "border", 2 "reflection".
        align_corners: whether -1 and 1 are the centres of the outermost pixels, and not the edges.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (N, C, D, H, W), (N, D', H', W', 3) -> (N, C, D', H', W').

    Under `flow.autocast` it computes in float32.

    Raises:
        ValueError: another mode or padding_mode.
        RuntimeError: shapes or dtypes that do not fit.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.grid_sampler_3d.

    Example:
        >>> import tritonflow as flow
        >>> volume, middle = flow.ones(1, 1, 2, 2, 2), flow.zeros(1, 1, 1, 1, 3)
        >>> flow.grid_sampler_3d(volume, middle, 0, 0, False).item()
        1.0
    """
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


@function(
    "TensorTuple (Tensor outer, Tensor grad, Tensor x, Tensor grid, Shape image, String mode, String padding, Bool aligned,"
    " Shape orders, Bool needs_grad, Bool needs_x, Bool needs_grid)",
    bind_python=False,
)
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
