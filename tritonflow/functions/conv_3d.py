"""Functors of 3-d and transposed convolutions: the depth is folded into the channels of 2-d ones.

The windows along the depth become channels: (n, c, d, h, w) is (n * windows, c * kd, h, w), and a weight (o, c, kd, kh, kw) is
(o, c * kd, kh, kw) as it lies. A transposed convolution makes the channels o * kd of each slice, which are summed over windows.
"""

from __future__ import annotations

from typing import Any

from tritonflow.binding.library import functor
from tritonflow.dtypes import float32
from tritonflow.errors import ArgumentValueError, InvalidArgumentError, ShapeError
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.arithmetic import add
from tritonflow.functions.cast import cast
from tritonflow.functions.conv import (
    check_convolution,
    check_output_padding,
    check_transposed,
    conv2d,
    conv_transpose2d,
    each_dim,
)  # fmt: skip
from tritonflow.functions.conv_columns import columns, columns_sum
from tritonflow.functions.join_pad import pad
from tritonflow.functions.matmul import HALVES
from tritonflow.functions.view import permute, reshape, squeeze, unshared, unsqueeze

Ints = tuple[int, ...]


@functor("Conv3d")
def conv3d(
    input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: Ints = (1,), padding: Ints = (0,), dilation: Ints = (1,),
    groups: int = 1,
) -> Any:  # fmt: skip
    if input.meta.ndim == 4:
        return unshared(squeeze(conv3d(unsqueeze(input, 0), weight, bias, stride, padding, dilation, groups), (0,)))
    steps, amounts = each_dim("conv3d", "stride", stride, 3), each_dim("conv3d", "padding", padding, 3)
    spread = each_dim("conv3d", "dilation", dilation, 3)
    bias_meta = None if bias is None else bias.meta
    check_convolution("conv3d", 3, input.meta, weight.meta, bias_meta, steps, amounts, spread, groups)
    n, c, depth, h, w = input.meta.shape
    o, _, kd, *kernel = weight.meta.shape
    flat = reshape(input, (n, c, depth, h * w))
    windows = columns(flat, (kd, 1), (steps[0], 1), (amounts[0], 0), (spread[0], 1))
    count = windows.meta.shape[4]
    slices = reshape(permute(windows, (0, 4, 1, 2, 3, 5)), (n * count, c * kd, h, w))
    folded = reshape(weight, (o, weight.meta.shape[1] * kd, *kernel))
    out = conv2d(slices, folded, bias, steps[1:], amounts[1:], spread[1:], groups)
    return unshared(permute(reshape(out, (n, count, *out.meta.shape[1:])), (0, 2, 1, 3, 4)))


@functor("Conv3dNamedPadding")
def conv3d_named_padding(
    input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: Ints = (1,), padding: str = "valid", dilation: Ints = (1,),
    groups: int = 1,
) -> Any:  # fmt: skip
    """padding "valid" is none, "same" what keeps the volume's size; an odd total puts one more at the end."""
    if padding == "valid":
        return conv3d(input, weight, bias, stride, (0,), dilation, groups)
    if padding != "same":
        raise ArgumentValueError(f"Invalid padding string: '{padding}'")
    if any(s != 1 for s in stride):
        raise InvalidArgumentError("padding='same' is not supported for strided convolutions")
    spread = each_dim("conv3d", "dilation", dilation, 3)
    totals = [d * (k - 1) for d, k in zip(spread, weight.meta.shape[2:])]
    if any(t % 2 for t in totals):
        input = pad(input, tuple([amount for t in reversed(totals) for amount in (0, t % 2)]))
    return conv3d(input, weight, bias, stride, tuple([t // 2 for t in totals]), dilation, groups)


@functor("ConvTranspose1d")
def conv_transpose1d(
    input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: Ints = (1,), padding: Ints = (0,),
    output_padding: Ints = (0,), groups: int = 1, dilation: Ints = (1,),
) -> Any:  # fmt: skip
    name = "conv_transpose1d"
    if input.meta.ndim == 2:
        rest = (weight, bias, stride, padding, output_padding, groups, dilation)
        return unshared(squeeze(conv_transpose1d(unsqueeze(input, 0), *rest), (0,)))
    step, amount = each_dim(name, "stride", stride, 1), each_dim(name, "padding", padding, 1)
    extra, spread = each_dim(name, "output_padding", output_padding, 1), each_dim(name, "dilation", dilation, 1)
    check_transposed(
        name, 1, input.meta, weight.meta, None if bias is None else bias.meta, step, amount, spread, groups
    )
    image, filters = unsqueeze(input, 2), unsqueeze(weight, 2)
    out = conv_transpose2d(image, filters, bias, (1, *step), (0, *amount), (0, *extra), groups, (1, *spread))
    return unshared(squeeze(out, (2,)))


@functor("ConvTranspose3d")
def conv_transpose3d(
    input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: Ints = (1,), padding: Ints = (0,),
    output_padding: Ints = (0,), groups: int = 1, dilation: Ints = (1,),
) -> Any:  # fmt: skip
    name = "conv_transpose3d"
    if input.meta.ndim == 4:
        rest = (weight, bias, stride, padding, output_padding, groups, dilation)
        return unshared(squeeze(conv_transpose3d(unsqueeze(input, 0), *rest), (0,)))
    steps, amounts = each_dim(name, "stride", stride, 3), each_dim(name, "padding", padding, 3)
    extra, spread = each_dim(name, "output_padding", output_padding, 3), each_dim(name, "dilation", dilation, 3)
    check_transposed(
        name, 3, input.meta, weight.meta, None if bias is None else bias.meta, steps, amounts, spread, groups
    )
    check_output_padding(extra, steps, spread)
    n, c, depth, h, w = input.meta.shape
    per_group, kd, *kernel = weight.meta.shape[1:]
    size = (depth - 1) * steps[0] - 2 * amounts[0] + spread[0] * (kd - 1) + extra[0] + 1
    if size < 1:
        raise ShapeError(
            f"Given input size per channel: ({depth} x {h} x {w}). Calculated output depth: {size}. Output size is too small"
        )
    slices = reshape(permute(input, (0, 2, 1, 3, 4)), (n * depth, c, h, w))
    folded = reshape(weight, (c, per_group * kd, *kernel))
    out = conv_transpose2d(slices, folded, None, steps[1:], amounts[1:], extra[1:], groups, spread[1:])
    image = out.meta.shape[2:]
    channels = per_group * groups
    if input.meta.dtype in HALVES:
        out = cast(out, float32)  # slices are added up, and the bias, before they are rounded
    parts = permute(reshape(out, (n, depth, channels, kd, image[0] * image[1])), (0, 2, 3, 1, 4))
    parts = reshape(parts, (n, channels, kd, 1, depth, image[0] * image[1]))
    whole = columns_sum(parts, (size, image[0] * image[1]), (kd, 1), (steps[0], 1), (amounts[0], 0), (spread[0], 1))
    volume = reshape(whole, (n, channels, size, *image))
    volume = unshared(volume) if bias is None else add(volume, reshape(bias, (1, -1, 1, 1, 1)))
    return cast(volume, input.meta.dtype)


@functor("ConvTbc")
def conv_tbc(input: Tensor, weight: Tensor, bias: Tensor, pad: int = 0) -> Any:
    """Of sequences (time, batch, channels), with a weight (width, in, out)."""
    if input.meta.ndim != 3 or weight.meta.ndim != 3:
        raise ShapeError(
            "Input must have 3 dims: time, batch, in_channel; weight must have 3 dims: kernel_width, in, out"
        )
    out = conv2d(
        unsqueeze(permute(input, (1, 2, 0)), 2), unsqueeze(permute(weight, (2, 1, 0)), 2), bias, (1,), (0, pad)
    )
    return unshared(permute(squeeze(out, (2,)), (2, 0, 1)))
