"""Deformable convolution: each tap of the kernel reads the image at its own offset, between the pixels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tritonflow import _C
from tritonflow.binding.target import beside
from tritonflow.compat.checks import numbers, require
from tritonflow.dtypes import float32, int64
from tritonflow.framework.tensor import Tensor

Pair = int | Sequence[int]


def deform_conv2d(
    input: Tensor,
    offset: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Pair = (1, 1),
    padding: Pair = (0, 0),
    dilation: Pair = (1, 1),
    mask: Tensor | None = None,
) -> Any:
    """A convolution whose taps read at `position + offset`, bilinearly between pixels and zero outside, times `mask`.

    Args:
        input: of shape (batch, channels, height, width).
        offset: (batch, 2 * offset_groups * taps, out_height, out_width), for each tap the rows and then the columns to go.
        weight: (out_channels, channels / groups, kernel_height, kernel_width), which has kernel_height * kernel_width taps.
        bias: (out_channels,).
        stride, padding, dilation: one number, or one for the height and one for the width.
        mask: (batch, offset_groups * taps, out_height, out_width); ones if None.

    Returns:
        A tensor of shape (batch, out_channels, out_height, out_width).

    Raises:
        RuntimeError: the shapes do not fit, or a stride, padding or dilation is too small.

    Source: oneflow.nn.functional.deform_conv2d; https://arxiv.org/abs/1811.11168

    Example:
        >>> import tritonflow as flow
        >>> x = flow.tensor([[[[1.0, 2.0, 4.0]]]])
        >>> offset = flow.tensor([0.0, 0.5]).reshape(1, 2, 1, 1).expand(1, 2, 1, 3)
        >>> flow.nn.functional.deform_conv2d(x, offset, flow.ones(1, 1, 1, 1)).tolist()
        [[[[1.5, 3.0, 2.0]]]]
    """
    strides, paddings, dilations = (_pair(value) for value in (stride, padding, dilation))
    for name, tensor in (("mask", mask), ("input", input), ("weight", weight), ("offset", offset)):
        require(tensor is None or tensor.ndim == 4, f"The dimension of {name} tensor weight must be 4")
    require(min(strides) > 0, f"The stride must be greater than 0, but got {strides}")
    require(min(paddings) >= 0, f"The pad must be greater than or equal to 0, but got {paddings}")
    require(min(dilations) > 0, f"The dilation must be greater than 0, but got {dilations}")
    batch, channels, height, width = input.shape
    out_channels, group_channels, *kernel = weight.shape
    taps = kernel[0] * kernel[1]
    offset_groups = offset.shape[1] // (2 * taps) if taps else 0
    require(
        offset_groups > 0 and offset.shape[1] == 2 * offset_groups * taps and channels % offset_groups == 0,
        "The shape of the offset tensor at dimension 1 is not valid. It should be a multiple of 2 * weight.size[2] *"
        f" weight.size[3].\nGot offset.shape[1]={offset.shape[1]}, while 2 * weight.size[2] * weight.size[3]={2 * taps}",
    )
    groups = channels // group_channels if group_channels else 0
    require(
        groups > 0 and channels == groups * group_channels and out_channels % groups == 0,
        f"deform_conv2d: weight of shape {tuple(weight.shape)} does not fit {channels} channels of input",
    )
    sizes = [
        (size + 2 * pad - step * (taps_of - 1) - 1) // by + 1
        for size, pad, step, taps_of, by in zip((height, width), paddings, dilations, kernel, strides)
    ]
    require(all(n > 0 for n in sizes), f"Calculated output size too small - out_h: {sizes[0]} out_w: {sizes[1]}")
    require(offset.shape[0] == batch, f"invalid batch size of offset: expected {batch}, but got {offset.shape[0]}")
    require(
        list(offset.shape[2:]) == sizes, f"invalid offset output dims: expected {sizes}, but got {list(offset.shape[2:])}"
    )
    require(
        mask is None or mask.shape[1] == offset_groups * taps,
        f"mask.shape[1] is not valid: expected {offset_groups * taps}, but got {0 if mask is None else mask.shape[1]}",
    )
    require(
        mask is None or tuple(mask.shape) == (batch, offset_groups * taps, *sizes),
        f"deform_conv2d: mask of shape {None if mask is None else tuple(mask.shape)} does not fit offset of shape"
        f" {tuple(offset.shape)}",
    )

    moves = offset.reshape(batch, offset_groups, taps, 2, *sizes)
    if moves.dtype.itemsize < 4:
        moves = moves.to(float32)
    rows, columns = (
        _C.arange(kernel[k], dtype=moves.dtype, **beside(input)) * dilations[k] for k in range(2)
    )
    down, right = (
        _C.arange(sizes[k], dtype=moves.dtype, **beside(input)) * strides[k] - paddings[k] for k in range(2)
    )
    y = moves[:, :, :, 0] + rows.repeat_interleave(kernel[1]).reshape(taps, 1, 1) + down.reshape(-1, 1)
    x = moves[:, :, :, 1] + columns.repeat(kernel[0]).reshape(taps, 1, 1) + right
    pixels = _sampled(input.reshape(batch, offset_groups, channels // offset_groups, height * width), y, x, height, width)
    if mask is not None:
        pixels = pixels * mask.reshape(batch, offset_groups, 1, taps, *sizes).to(pixels.dtype)
    pixels = pixels.reshape(batch, groups, group_channels * taps, sizes[0] * sizes[1])
    kernels = weight.reshape(groups, out_channels // groups, group_channels * taps)
    result = (kernels @ pixels.to(input.dtype)).reshape(batch, out_channels, *sizes)
    return result if bias is None else result + bias.reshape(-1, 1, 1)


def _pair(value: Pair) -> tuple[int, int]:
    given = numbers(value)
    require(len(given) in (1, 2), f"deform_conv2d: expected one or two numbers, but got {value}")
    return given[0], given[-1]


def _sampled(image: Tensor, y: Tensor, x: Tensor, height: int, width: int) -> Any:
    """Images (batch, groups, channels, height * width) at rows y and columns x (batch, groups, taps, *out), zero outside."""
    y, x = y.clamp(-1, height), x.clamp(-1, width)  # beyond these all four corners are outside
    top, left = y.detach().floor(), x.detach().floor()
    result: Any = 0.0
    for row, row_weight in ((top, top + 1 - y), (top + 1, y - top)):
        for column, column_weight in ((left, left + 1 - x), (left + 1, x - left)):
            inside = (row >= 0) & (row < height) & (column >= 0) & (column < width)
            index = row.clamp(0, height - 1).to(int64) * width + column.clamp(0, width - 1).to(int64)
            share = row_weight * column_weight * inside
            wanted = index.flatten(2).unsqueeze(2).expand(-1, -1, image.shape[2], -1)
            corner = _C.gather(image, 3, wanted).reshape(*image.shape[:3], *y.shape[2:])
            result = result + corner * share.unsqueeze(2)
    return result
