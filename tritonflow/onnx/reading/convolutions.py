"""Convolutions, forward and transposed."""

from __future__ import annotations

from typing import Any

from tritonflow.nn import functional as F
from tritonflow.onnx.reading.table import op
from tritonflow.onnx.reading.windows import padded, windows_of

_CONV = {1: F.conv1d, 2: F.conv2d, 3: F.conv3d}
_CONV_TRANSPOSE = {1: F.conv_transpose1d, 2: F.conv_transpose2d, 3: F.conv_transpose3d}


def convolution(node: Any, x: Any, weight: Any, bias: Any = None) -> Any:
    """A convolution of 1 to 3 spatial dimensions."""
    rank = _spatial(x, weight)
    windows = windows_of(node, weight.shape[2:], x.shape[2:])
    padding: Any = windows.begins
    if not windows.symmetric or any(type(pad) is int and pad < 0 for pad in windows.begins):
        x, padding = padded(x, windows.begins, windows.ends), 0
    return _CONV[rank](x, weight, bias, windows.strides, padding, windows.dilations, node.get("group", 1))


def _spatial(x: Any, weight: Any) -> int:
    rank: int = x.ndim - 2
    if rank not in _CONV or weight.ndim != x.ndim:
        raise ValueError(f"convolutions are of 3 to 5 dimensions, but got an input of {x.ndim} and a weight of {weight.ndim}")
    return rank


@op("Conv")
def _conv(node: Any, x: Any, weight: Any, bias: Any = None) -> Any:
    return convolution(node, x, weight, bias)


@op("ConvTranspose")
def _conv_transpose(node: Any, x: Any, weight: Any, bias: Any = None) -> Any:
    """All of what the windows cover, of which the pads are cut off."""
    rank = _spatial(x, weight)
    kernel = weight.shape[2:]
    strides = tuple(node.get("strides") or [1] * rank)
    dilations = tuple(node.get("dilations") or [1] * rank)
    extra = tuple(node.get("output_padding") or [0] * rank)
    whole = [(x.shape[k + 2] - 1) * strides[k] + (kernel[k] - 1) * dilations[k] + 1 for k in range(rank)]
    begins, ends = _cut(node, x.shape[2:], strides, [size + more for size, more in zip(whole, extra)])
    group, convolve = node.get("group", 1), _CONV_TRANSPOSE[rank]
    if all(begin == end and begin >= 0 for begin, end in zip(begins, ends)):
        if all(more == 0 or more < max(stride, dilation) for more, stride, dilation in zip(extra, strides, dilations)):
            return convolve(x, weight, bias, strides, tuple(begins), extra, group, dilations)
    result = convolve(x, weight, None, strides, 0, 0, group, dilations)
    result = padded(result, [-begin for begin in begins], [more - end for more, end in zip(extra, ends)])
    return result if bias is None else result + bias.reshape(-1, *[1] * rank)


def _cut(node: Any, sizes: Any, strides: Any, whole: list[Any]) -> tuple[list[Any], list[Any]]:
    """What is cut off before and behind."""
    rank, form = len(whole), node.get("auto_pad", "NOTSET")
    wanted = node.get("output_shape")
    if wanted is not None:
        wanted = wanted[-rank:]
    elif form in ("SAME_UPPER", "SAME_LOWER"):
        wanted = [size * stride for size, stride in zip(sizes, strides)]
    elif form == "VALID":
        return [0] * rank, [0] * rank
    else:
        pads = node.get("pads") or [0] * (2 * rank)
        return list(pads[:rank]), list(pads[rank:])
    totals = [size - want for size, want in zip(whole, wanted)]
    small = [total // 2 for total in totals]
    large = [total - half for total, half in zip(totals, small)]
    return (small, large) if form == "SAME_UPPER" else (large, small)
