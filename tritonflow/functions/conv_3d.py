"""Functors of 3-d and transposed convolutions: the depth is folded into the channels of 2-d ones.

The windows along the depth become channels: (n, c, d, h, w) is (n * windows, c * kd, h, w), and a weight (o, c, kd, kh, kw) is
(o, c * kd, kh, kw) as it lies. A transposed convolution makes the channels o * kd of each slice, which are summed over windows.
"""

from __future__ import annotations

from typing import Any

from tritonflow.binding.library import function, functor
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
from tritonflow.functions.view import reshape, squeeze, unshared, unsqueeze
from tritonflow.functions.view_orders import permute

Ints = tuple[int, ...]


@function(
    "Tensor (Tensor input, Tensor weight, Tensor bias=None, Int32List[3] stride=1, Int32List[3] padding=0, Int32List[3] "
    "dilation=1, Int32 groups=1)",
    "Tensor (Tensor input, Tensor weight, Tensor bias=None, Int32List[3] stride=1, String padding='valid', Int32List[3] "
    "dilation=1, Int32 groups=1) => Conv3dNamedPadding",
    export=("flow", "nn.functional"), reference="torch.nn.functional.conv3d", samples="conv3d", tolerance="matmul",
    autocast="lower",
)
def conv3d(
    input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: Ints = (1,), padding: Ints = (0,), dilation: Ints = (1,),
    groups: int = 1,
) -> Any:  # fmt: skip
    """3-d convolution (cross-correlation) of volumes with filters.

    As `flow.conv2d` with a third dimension, the depth, in front:

        D' = floor((D + 2 * pD - dD * (kD - 1) - 1) / sD) + 1, H' and W' alike

    One integer for stride, padding or dilation stands for all three dimensions.

    Args:
        input: volumes, with a batch dimension or without.
        weight: the filters.
        bias: a number for each output channel.
        stride: the distance (sD, sH, sW) of windows.
        padding: zeros (pD, pH, pW) on both sides; "valid" is none, "same" keeps the volume's size and wants
            a stride of 1.
        dilation: the distance (dD, dH, dW) of a window's elements.
        groups: how many groups of channels are convolved by themselves.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (N, C_in, D, H, W), (C_out, C_in / groups, kD, kH, kW) -> (N, C_out, D', H', W'), also without N.

    Under `flow.autocast` it computes in its dtype.

    Raises:
        RuntimeError: sizes, groups or dtypes that do not fit, a window greater than the padded volume, or
            "same" with a stride.
        ValueError: another name of a padding.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.conv3d.

    Example:
        >>> import tritonflow as flow
        >>> volume = flow.ones(1, 1, 3, 3, 3)
        >>> flow.conv3d(volume, flow.ones(1, 1, 3, 3, 3)).item()
        27.0
        >>> flow.conv3d(volume, flow.ones(4, 1, 2, 2, 2), padding=1).shape
        tritonflow.Size([1, 4, 4, 4, 4])
    """
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


@function(
    "Tensor (Tensor input, Tensor weight, Tensor bias=None, Int32List[1] stride=1, Int32List[1] padding=0, Int32List[1] "
    "output_padding=0, Int32 groups=1, Int32List[1] dilation=1)",
    export=("flow", "nn.functional"), reference="torch.nn.functional.conv_transpose1d", samples="conv_transpose1d",
    tolerance="matmul", autocast="lower",
)
def conv_transpose1d(
    input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: Ints = (1,), padding: Ints = (0,),
    output_padding: Ints = (0,), groups: int = 1, dilation: Ints = (1,),
) -> Any:  # fmt: skip
    """The gradient of conv1d as an op, also called deconvolution.

    Each input element adds input * weight to a window of the output:

        L' = (L - 1) * s - 2 * p + d * (k - 1) + output_padding + 1

    Args:
        input: signals, with a batch dimension or without.
        weight: the filters, with the input's channels first.
        bias: a number for each output channel.
        stride: the distance s of windows in the output.
        padding: how much p is cut off on both sides of the output.
        output_padding: how much longer the output is at its end; less than the stride or the dilation.
        groups: how many groups of channels are convolved by themselves.
        dilation: the distance d of a window's elements.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (N, C_in, L), (C_in, C_out / groups, k) -> (N, C_out, L'), also without N.

    Under `flow.autocast` it computes in its dtype.

    Raises:
        RuntimeError: sizes, groups or dtypes that do not fit, or an output_padding that is too large.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.conv_transpose1d.

    Example:
        >>> import tritonflow as flow
        >>> flow.conv_transpose1d(flow.tensor([[1.0, 2.0]]), flow.ones(1, 1, 3), stride=2)
        tensor([[1., 1., 3., 2., 2.]])
    """
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


@function(
    "Tensor (Tensor input, Tensor weight, Tensor bias=None, Int32List[3] stride=1, Int32List[3] padding=0, Int32List[3] "
    "output_padding=0, Int32 groups=1, Int32List[3] dilation=1)",
    export=("flow", "nn.functional"), reference="torch.nn.functional.conv_transpose3d", samples="conv_transpose3d",
    tolerance="matmul", autocast="lower",
)
def conv_transpose3d(
    input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: Ints = (1,), padding: Ints = (0,),
    output_padding: Ints = (0,), groups: int = 1, dilation: Ints = (1,),
) -> Any:  # fmt: skip
    """The gradient of conv3d as an op, also called deconvolution.

    Each input element adds input * weight to a window of the output:

        D' = (D - 1) * sD - 2 * pD + dD * (kD - 1) + output_padding_D + 1, H' and W' alike

    Args:
        input: volumes, with a batch dimension or without.
        weight: the filters, with the input's channels first.
        bias: a number for each output channel.
        stride: the distance (sD, sH, sW) of windows in the output.
        padding: how much (pD, pH, pW) is cut off on both sides of the output.
        output_padding: how much larger the output is at its end; less than the stride or the dilation.
        groups: how many groups of channels are convolved by themselves.
        dilation: the distance (dD, dH, dW) of a window's elements.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (N, C_in, D, H, W), (C_in, C_out / groups, kD, kH, kW) -> (N, C_out, D', H', W'), also without N.

    Under `flow.autocast` it computes in its dtype.

    Raises:
        RuntimeError: sizes, groups or dtypes that do not fit, or an output_padding that is too large.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.conv_transpose3d.

    Example:
        >>> import tritonflow as flow
        >>> flow.conv_transpose3d(flow.ones(1, 2, 3, 3, 3), flow.ones(2, 4, 2, 2, 2), stride=2).shape
        tritonflow.Size([1, 4, 6, 6, 6])
    """
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


@function(
    "Tensor (Tensor input, Tensor weight, Tensor bias, Int32 pad=0)",
    export=("flow", "nn.functional"), reference="torch.nn.functional.conv_tbc", samples="conv_tbc", tolerance="matmul",
    autocast="lower",
)
def conv_tbc(input: Tensor, weight: Tensor, bias: Tensor, pad: int = 0) -> Any:
    """1-d convolution of sequences (time, batch, channels).

    As `flow.conv1d`, with other places of the dimensions: T' = T + 2 * pad - k + 1.

    Args:
        input: sequences.
        weight: the filters, (width, input channels, output channels).
        bias: a number for each output channel.
        pad: zeros before and after each sequence.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (T, N, C_in), (k, C_in, C_out), (C_out) -> (T', N, C_out).

    Under `flow.autocast` it computes in its dtype.

    Raises:
        RuntimeError: other than 3 dimensions, or sizes or dtypes that do not fit.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.conv_tbc.

    Example:
        >>> import tritonflow as flow
        >>> sequences = flow.arange(3.0).reshape(3, 1, 1)
        >>> flow.conv_tbc(sequences, flow.ones(2, 1, 1), flow.zeros(1)).flatten()
        tensor([1., 3.])
    """
    # Of sequences (time, batch, channels), with a weight (width, in, out).
    if input.meta.ndim != 3 or weight.meta.ndim != 3:
        raise ShapeError(
            "Input must have 3 dims: time, batch, in_channel; weight must have 3 dims: kernel_width, in, out"
        )
    out = conv2d(
        unsqueeze(permute(input, (1, 2, 0)), 2), unsqueeze(permute(weight, (2, 1, 0)), 2), bias, (1,), (0, pad)
    )
    return unshared(permute(squeeze(out, (2,)), (2, 0, 1)))
