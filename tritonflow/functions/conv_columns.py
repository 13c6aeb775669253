"""Functors of windows: unfold and fold, and the shuffles between pixels and channels."""

from __future__ import annotations

from math import prod
from typing import Any

from tritonflow.binding.library import also, function, functor
from tritonflow.errors import InvalidArgumentError, ShapeError
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.cast import clone
from tritonflow.functions.conv import each_dim
from tritonflow.functions.view import reshape, squeeze, unshared, unsqueeze
from tritonflow.functions.view_orders import permute
from tritonflow.interpreter.dispatch import dispatch1
from tritonflow.ops.dtype_rules import require

_columns = op_expr("columns")
_columns_sum = op_expr("columns_sum")

Ints = tuple[int, ...]


@functor("Columns")
def columns(input: Tensor, kernel_size: Ints, stride: Ints, padding: Ints, dilation: Ints) -> Any:
    """(n, c, kh, kw, rows, columns): what every window of (n, c, h, w) sees, 0 outside."""
    return dispatch1(_columns, input, (tuple(kernel_size), tuple(stride), tuple(padding), tuple(dilation)))


@functor("ColumnsSum")
def columns_sum(input: Tensor, image: Ints, kernel_size: Ints, stride: Ints, padding: Ints, dilation: Ints) -> Any:
    """(n, c, h, w): the sum of what the windows say of a pixel."""
    geometry = (tuple(kernel_size), tuple(stride), tuple(padding), tuple(dilation))
    return dispatch1(_columns_sum, input, (tuple(image), *geometry))


def _geometry(
    name: str, kernel_size: Ints, dilation: Ints, padding: Ints, stride: Ints
) -> tuple[Ints, Ints, Ints, Ints]:
    found = []
    for argument, values in (
        ("kernel_size", kernel_size),
        ("stride", stride),
        ("padding", padding),
        ("dilation", dilation),
    ):
        if len(values) not in (1, 2):
            raise InvalidArgumentError(f"It is expected {argument} equals to 2, but got size {len(values)}")
        pair = each_dim(name, argument, values)
        if argument == "padding" and min(pair) < 0:
            raise InvalidArgumentError(
                f"padding should be non-negative, but got padding_height: {pair[0]} padding_width: {pair[1]}"
            )
        if argument != "padding" and min(pair) < 1:
            raise InvalidArgumentError(
                f"{argument.replace('_', ' ')} should be greater than zero, but got {pair[0]} and {pair[1]}"
            )
        found.append(pair)
    return found[0], found[1], found[2], found[3]


def _counts(image: Ints, kernel: Ints, step: Ints, amount: Ints, gap: Ints) -> Ints:
    """How many windows there are, down and to the right."""
    return tuple([(n + 2 * p - d * (k - 1) - 1) // s + 1 for n, k, s, p, d in zip(image, kernel, step, amount, gap)])


@function(
    "Tensor (Tensor input, Int32List[2] kernel_size, Int32List[2] dilation=1, Int32List[2] padding=0, Int32List[2] stride=1)",
    export="nn.functional", reference="torch.nn.functional.unfold", samples="unfold_image",
)
def unfold(input: Tensor, kernel_size: Ints, dilation: Ints = (1,), padding: Ints = (0,), stride: Ints = (1,)) -> Any:
    """Windows of images as columns.

    Column l has what window l sees, channel by channel; zeros stand outside the image. The number of
    windows is the product over both dimensions of floor((size + 2 * padding - dilation * (kernel - 1) -
    1) / stride) + 1. `fold` sums columns up again.

    Args:
        input: the input.
        kernel_size: the sizes of a window, an integer or a pair.
        dilation: the distance of a window's elements, an integer or a pair.
        padding: zeros around the image, an integer or a pair.
        stride: the distance of windows, an integer or a pair.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (N, C, H, W) -> (N, C * kH * kW, L), also without N.

    Raises:
        RuntimeError: other dimensions, a window greater than the padded image, or sizes that are not
            positive.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.unfold.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> F.unfold(flow.arange(9.0).reshape(1, 3, 3), 2)
        tensor([[0., 1., 3., 4.],
                [1., 2., 4., 5.],
                [3., 4., 6., 7.],
                [4., 5., 7., 8.]])
    """
    # (n, c * kh * kw, windows) of (n, c, h, w).
    if not input.meta.dtype.is_complex:
        require("unfold", "floating|bool", input.meta.dtype, "input")
    kernel, step, amount, gap = _geometry("unfold", kernel_size, dilation, padding, stride)
    shape = input.meta.shape
    if len(shape) not in (3, 4) or 0 in shape[-3:]:
        raise ShapeError(
            "Expected 3D or 4D (batch mode) tensor with possibly 0 batch size and other non-zero dimensions for input, but got:"
            f" {list(shape)}"
        )
    counts = _counts(shape[-2:], kernel, step, amount, gap)
    if min(counts) < 1:
        raise ShapeError(
            f"Given input with spatial size ({shape[-2]}, {shape[-1]}), kernel_size={kernel}, dilation={gap}, padding={amount},"
            f" calculated shape of the array of sliding blocks as {counts}, but its components must be at least one."
        )
    if len(shape) == 3:
        return unshared(squeeze(unfold(unsqueeze(input, 0), kernel, gap, amount, step), (0,)))
    found = columns(input, kernel, step, amount, gap)
    return unshared(reshape(found, (shape[0], shape[1] * kernel[0] * kernel[1], counts[0] * counts[1])))


@function(
    "Tensor (Tensor input, Int32List[2] output_size, Int32List[2] kernel_size, Int32List[2] dilation=1, Int32List[2] "
    "padding=0, Int32List[2] stride=1)",
    export="nn.functional", reference="torch.nn.functional.fold", samples="fold_image", tolerance="reduction",
)
def fold(
    input: Tensor,
    output_size: Ints,
    kernel_size: Ints,
    dilation: Ints = (1,),
    padding: Ints = (0,),
    stride: Ints = (1,),
) -> Any:
    """Images as sums of columns, where windows overlap.

    The gradient of `unfold` as an op: fold(unfold(x)) is x times how many windows see each pixel.

    Args:
        input: the input.
        output_size: the sizes of the image.
        kernel_size: the sizes of a window, an integer or a pair.
        dilation: the distance of a window's elements, an integer or a pair.
        padding: zeros around the image, an integer or a pair.
        stride: the distance of windows, an integer or a pair.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (N, C * kH * kW, L) -> (N, C, H, W), also without N.

    Raises:
        RuntimeError: a number of rows or of windows that does not fit, or sizes that are not positive.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.fold.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> F.fold(flow.ones(4, 4), (3, 3), 2)
        tensor([[[1., 2., 1.],
                 [2., 4., 2.],
                 [1., 2., 1.]]])
    """
    # (n, c, h, w) of (n, c * kh * kw, windows): overlapping windows add up.
    if not input.meta.dtype.is_complex:
        require("fold", "floating|bool", input.meta.dtype, "input")
    kernel, step, amount, gap = _geometry("fold", kernel_size, dilation, padding, stride)
    image = each_dim("fold", "output_size", output_size)
    shape = input.meta.shape
    if len(shape) not in (2, 3) or 0 in shape[-2:]:
        raise ShapeError(
            "Expected 2D or 3D (batch mode) tensor for input with possibly 0 batch size and non-zero dimensions for input, but got:"
            f" {list(shape)}"
        )
    places = kernel[0] * kernel[1]
    if shape[-2] % places:
        raise ShapeError(
            "Expected size of input's dimension 1 to be divisible by the product of kernel_size, but got input.size(1)="
            f"{shape[-2]} and kernel_size={kernel}."
        )
    counts = _counts(image, kernel, step, amount, gap)
    if min(counts) < 1 or shape[-1] != counts[0] * counts[1]:
        raise ShapeError(
            f"Given output_size={image}, kernel_size={kernel}, dilation={gap}, padding={amount}, stride={step}, expected size of"
            f" input's dimension 2 to match the calculated number of sliding blocks {counts[0]} * {counts[1]} ="
            f" {counts[0] * counts[1]}, but got input.size(2)={shape[-1]}."
        )
    if len(shape) == 2:
        return unshared(squeeze(fold(unsqueeze(input, 0), image, kernel, gap, amount, step), (0,)))
    parts = reshape(input, (shape[0], shape[1] // places, *kernel, *counts))
    return columns_sum(parts, image, kernel, step, amount, gap)


def pixel_shuffle_by(input: Tensor, high: int, wide: int) -> Any:
    """(*, c, h * high, w * wide) of (*, c * high * wide, h, w)."""
    *batch, c, h, w = input.meta.shape
    c //= high * wide
    parts = _copied(permute(reshape(input, (prod(batch), c, high, wide, h, w)), (0, 1, 4, 2, 5, 3)))
    return unshared(reshape(parts, (*batch, c, h * high, w * wide)))


@function(
    "Tensor (Tensor input, Int32 upscale_factor)",
    "Tensor (Tensor input, Int32 h_upscale_factor, Int32 w_upscale_factor) => PixelShuffleOfBoth",
    export=("flow", "nn.functional"), samples="pixel_shuffle",
)
def pixel_shuffle(input: Tensor, upscale_factor: int) -> Any:
    """Channels become pixels (Shi et al., 2016).

        out[..., c, h * r + i, w * r + j] = input[..., c * r * r + i * r + j, h, w]

    Overloads:
        - `pixel_shuffle(input: Tensor, upscale_factor: int) -> Tensor`
        - `pixel_shuffle(input: Tensor, h_upscale_factor: int, w_upscale_factor: int) -> Tensor`

    Args:
        input: the input.
        upscale_factor: r, how many times more rows and columns.
        h_upscale_factor: how many times more rows.
        w_upscale_factor: how many times more columns.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., C * r * r, H, W) -> (..., C, H * r, W * r).

    Raises:
        RuntimeError: fewer than 3 dimensions, a factor that is not positive, or channels that r * r does
            not divide.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.pixel_shuffle.

    Example:
        >>> import tritonflow as flow
        >>> flow.pixel_shuffle(flow.arange(4.0).reshape(4, 1, 1), 2)[0]
        tensor([[0., 1.],
                [2., 3.]])
    """
    # (*, c, h * r, w * r) of (*, c * r * r, h, w).
    shape, r = input.meta.shape, upscale_factor
    if len(shape) < 3:
        raise ShapeError(
            f"pixel_shuffle expects input to have at least 3 dimensions, but got input with {len(shape)} dimension(s)"
        )
    if r <= 0:
        raise InvalidArgumentError(f"pixel_shuffle expects a positive upscale_factor, but got {r}")
    c = shape[-3]
    if c % (r * r):
        raise ShapeError(
            "pixel_shuffle expects its input's 'channel' dimension to be divisible by the square of upscale_factor, but"
            f" input.size(-3)={c} is not divisible by {r * r}"
        )
    return pixel_shuffle_by(input, r, r)


def _copied(x: Tensor) -> Any:
    """A copy where a reshape would share the memory of x."""
    return clone(x) if x.is_contiguous() else x


@function("Tensor (Tensor input, Int32 downscale_factor)", export=("flow", "nn.functional"), samples="pixel_unshuffle")
def pixel_unshuffle(input: Tensor, downscale_factor: int) -> Any:
    """Pixels become channels.

    The inverse of `flow.pixel_shuffle`: out[..., c * r * r + i * r + j, h, w] = input[..., c, h * r +
    i, w * r + j].

    Args:
        input: the input.
        downscale_factor: r, how many times fewer rows and columns.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., C, H * r, W * r) -> (..., C * r * r, H, W).

    Raises:
        RuntimeError: fewer than 3 dimensions, a factor that is not positive, or a height or width that r
            does not divide.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.pixel_unshuffle.

    Example:
        >>> import tritonflow as flow
        >>> flow.pixel_unshuffle(flow.arange(4.0).reshape(1, 2, 2), 2).flatten()
        tensor([0., 1., 2., 3.])
    """
    # (*, c * r * r, h / r, w / r) of (*, c, h, w).
    shape, r = input.meta.shape, downscale_factor
    if len(shape) < 3:
        raise ShapeError(
            f"pixel_unshuffle expects input to have at least 3 dimensions, but got input with {len(shape)} dimension(s)"
        )
    if r <= 0:
        raise InvalidArgumentError(f"pixel_unshuffle expects a positive downscale_factor, but got {r}")
    *batch, c, h, w = shape
    for name, size, at in (("height", h, -2), ("width", w, -1)):
        if size % r:
            raise ShapeError(
                f"pixel_unshuffle expects {name} to be divisible by downscale_factor, but input.size({at})={size} is not divisible"
                f" by {r}"
            )
    parts = _copied(permute(reshape(input, (prod(batch), c, h // r, r, w // r, r)), (0, 1, 3, 5, 2, 4)))
    return unshared(reshape(parts, (*batch, c * r * r, h // r, w // r)))


@function("Tensor (Tensor input, Int32 groups)", export=("flow", "nn.functional"), samples="channel_shuffle")
@also("native_channel_shuffle", reference="torch.channel_shuffle")
def channel_shuffle(input: Tensor, groups: int) -> Any:
    """Channels dealt out to groups (Zhang et al., 2017).

    Channel g * C / groups + i becomes channel i * groups + g, so that the next grouped convolution sees
    every group.

    Args:
        input: the input.
        groups: how many groups the channels have.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (N, C, ...) -> the same.

    Raises:
        RuntimeError: fewer than 3 dimensions, or channels that groups does not divide.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.channel_shuffle.

    Example:
        >>> import tritonflow as flow
        >>> flow.channel_shuffle(flow.arange(6.0).reshape(1, 6, 1), 2).flatten()
        tensor([0., 3., 1., 4., 2., 5.])
    """
    # Channels of (n, c, *) dealt out to groups: channel g * c / groups + i comes to i * groups + g.
    shape = input.meta.shape
    if len(shape) < 3:
        raise ShapeError(f"channel_shuffle expects input with > 2 dims, but got input with sizes {list(shape)}")
    if groups <= 0:
        raise InvalidArgumentError(f"Number of groups to divide channels in must be positive. Value of groups:{groups}")
    n, c, *rest = shape
    if c % groups:
        raise ShapeError(f"Number of channels must be divisible by groups. Got {c} channels and {groups} groups.")
    parts = reshape(input, (n, groups, c // groups, *rest))
    return unshared(reshape(_copied(permute(parts, (0, 2, 1, *range(3, len(shape) + 1)))), shape))


@functor("PixelShuffleOfBoth")
def pixel_shuffle_of_both(input: Tensor, h_upscale_factor: int, w_upscale_factor: int) -> Any:
    """A factor for the height, and one for the width."""
    if input.meta.ndim != 4:
        raise ShapeError("Only Accept 4D Tensor")
    if min(h_upscale_factor, w_upscale_factor) <= 0:
        raise InvalidArgumentError(
            f"pixel_shuffle expects positive upscale factors, but got {h_upscale_factor} and {w_upscale_factor}"
        )
    if input.meta.shape[1] % (h_upscale_factor * w_upscale_factor):
        raise ShapeError(
            "The channels of input tensor must be divisible by (upscale_factor * upscale_factor) or"
            " (h_upscale_factor * w_upscale_factor)"
        )
    return pixel_shuffle_by(input, h_upscale_factor, w_upscale_factor)
