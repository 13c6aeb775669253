"""The ops of torchvision's C++ library that detection models train and predict with, made of tritonflow's.

`nms` and `roi_pool` are ours, `roi_align` and `deform_conv2d` those of `compat`. The library's other ops have names alone.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

from tritonflow import _C, dtypes, library
from tritonflow.amp.autocast_mode import autocast, is_autocast_enabled
from tritonflow.compat import deform_conv
from tritonflow.compat.roi_align import roi_align
from tritonflow.errors import ShapeError
from tritonflow.framework.tensor import Tensor

_ROUNDS = 8  # of suppression, behind which it is asked whether that was the end
_OTHERS = ("qnms", "qroi_align", "ps_roi_align", "ps_roi_pool", "box_iou_rotated")
_OF_IMAGES = ("decode_jpegs_cuda", "encode_jpegs_cuda", "_jpeg_version", "_is_compiled_against_turbo")
_BACKWARDS = ("roi_align", "roi_pool", "ps_roi_align", "ps_roi_pool", "deform_conv2d")


def is_library(path: str) -> bool:
    """Whether a path is that of one of torchvision's libraries of ops."""
    file = Path(path)
    return file.parent.name == "torchvision" and file.name.partition(".")[0] in ("_C", "image")


def define_ops(path: str) -> None:
    """Name the ops of a library, once."""
    if Path(path).name.startswith("image"):
        from tritonflow.mock_torch.torchvision_images import FUNCTIONS

        _define("image", FUNCTIONS, _OF_IMAGES)
    else:
        functions: dict[str, Callable[..., Any]] = {
            "nms": nms, "roi_align": _in_float32(roi_align), "roi_pool": _in_float32(roi_pool),
            "deform_conv2d": _in_float32(deform_conv2d), "_cuda_version": _cuda_version,
        }  # fmt: skip
        _define("torchvision", functions, (*_OTHERS, *(f"_{name}_backward" for name in _BACKWARDS)))


def _define(namespace: str, functions: dict[str, Callable[..., Any]], others: tuple[str, ...]) -> None:
    for name, function in functions.items():
        if library.find_op(f"{namespace}::{name}") is None:
            library.put(_Composite(f"{namespace}::{name}", function))
    for name in others:
        library.define(f"{namespace}::{name}")


class _Composite(library.CustomOp):
    """An op that is made of differentiable ones: torchvision's formula for its gradient is not needed."""

    def __init__(self, name: str, function: Callable[..., Any]) -> None:
        super().__init__(name)
        self.kernels["default"] = function

    def register_autograd(self, backward: Callable[..., Any], /, *, setup_context: Any = None, **options: Any) -> None:
        """The gradient follows from the function."""


def _in_float32(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function under autocast as torchvision registers it: of float32 tensors, and in the dtype of the first one."""

    @wraps(function)
    def run(first: Tensor, *others: Any) -> Any:
        device = first.device.type
        if not is_autocast_enabled(device):
            return function(first, *others)
        with autocast(device, enabled=False):
            found = function(*(each.float() if _is_half(each) else each for each in (first, *others)))
        return found.to(first.dtype) if isinstance(found, Tensor) else (found[0].to(first.dtype), *found[1:])

    return run


def _is_half(value: Any) -> bool:
    return isinstance(value, Tensor) and value.is_floating_point() and value.dtype.itemsize < 4


def deform_conv2d(
    input: Tensor, weight: Tensor, offset: Tensor, mask: Tensor, bias: Tensor, stride_h: int, stride_w: int, pad_h: int,
    pad_w: int, dilation_h: int, dilation_w: int, groups: int, offset_groups: int, use_mask: bool,
) -> Any:  # fmt: skip
    """A convolution whose taps read between pixels, at offsets of their own (`compat.deform_conv`).

    Source: torchvision.ops.deform_conv2d.
    """
    strides, paddings, dilations = (stride_h, stride_w), (pad_h, pad_w), (dilation_h, dilation_w)
    return deform_conv.deform_conv2d(
        input, offset, weight, bias, strides, paddings, dilations, mask if use_mask else None
    )


def roi_pool(input: Tensor, rois: Tensor, spatial_scale: float, pooled_height: int, pooled_width: int) -> tuple[Any, Any]:
    """The largest element in each bin of each box, whose corners are rounded to pixels.

    Args:
        input: pictures `(n, c, height, width)`.
        rois: `(boxes, 5)`: the number of a picture, and corners x1, y1, x2, y2.
        spatial_scale: of the boxes' numbers to pixels.
        pooled_height, pooled_width: how many bins a box has, from top to bottom and from left to right.

    Returns:
        (`(boxes, c, pooled_height, pooled_width)`, int32 of the same shape: row * width + column of the element, the first of
        equal ones). A bin without pixels has 0, and -1.

    Raises:
        ShapeError: rois are not `(boxes, 5)`, or input has not 4 dimensions.

    Source: torchvision.ops.roi_pool; Girshick, Fast R-CNN, 2015.
    """
    if len(input.shape) != 4 or len(rois.shape) != 2 or rois.shape[1] != 5:
        shapes = f"{tuple(input.shape)} and {tuple(rois.shape)}"
        raise ShapeError(f"roi_pool(): expected pictures of 4 dimensions and rois (boxes, 5), got {shapes}")
    (_, c, height, width), bins = input.shape, (pooled_height, pooled_width)
    if not rois.shape[0]:
        empty = input.new_zeros((0, c, *bins)) + input.sum() * 0  # which has a gradient, of zeros
        return empty, empty.detach().to(dtypes.int32)
    left, top, right, bottom = _rounded(rois[:, 1:].detach() * spatial_scale).unbind(1)
    columns, of_columns = _bins(left, right, pooled_width, width, input.dtype)
    rows, of_rows = _bins(top, bottom, pooled_height, height, input.dtype)
    pictures = input[rois[:, 0].to(dtypes.int64)]
    in_rows, column = _largest(pictures, columns, of_columns)  # (boxes, c, height, pooled_width): first of columns, then of rows
    found, row = _largest(in_rows.transpose(2, 3), rows, of_rows)
    found, row = found.transpose(2, 3), row.transpose(2, 3)
    at = row * width + _C.gather(column, 2, row)
    filled = of_rows.any(2)[:, None, :, None] & of_columns.any(2)[:, None, None, :]
    return _C.where(filled, found, 0.0), _C.where(filled, at, -1).to(dtypes.int32)


def _rounded(x: Tensor) -> Tensor:
    """The nearest integer; halves go away from 0, as in C."""
    whole = x.trunc()
    return whole + ((x - whole).abs() >= 0.5) * x.sign()


def _bins(start: Tensor, end: Tensor, bins: int, pixels: int, dtype: Any) -> tuple[Tensor, Tensor]:
    """(the pixels of each bin along one side, which of them count): `(boxes, bins, most pixels of a bin)`."""
    size = ((end - start + 1).clamp(min=1).to(dtype) / bins)[:, None]
    number = _C.arange(bins, device=start.device, dtype=dtype)
    first = ((number * size).floor() + start[:, None]).clamp(0, pixels)
    last = (((number + 1) * size).ceil() + start[:, None]).clamp(0, pixels)
    most = max(int((last - first).max().item()), 1)
    at = (first[..., None] + _C.arange(most, device=start.device, dtype=dtype)).to(dtypes.int64)
    return at.clamp(max=pixels - 1), at < last[..., None]


def _largest(x: Tensor, at: Tensor, counts: Tensor) -> tuple[Tensor, Tensor]:
    """(the largest element of each bin along the last dimension, where it is): `(boxes, c, rows, bins)`."""
    boxes, bins, most = at.shape
    shape = (*x.shape[:3], bins, most)
    index = at.reshape(boxes, 1, 1, bins * most).expand(*x.shape[:3], bins * most)
    taken = _C.gather(x, 3, index).reshape(shape)
    found, which = _C.max(_C.where(counts[:, None, None], taken, -float("inf")), -1)
    return found, _C.gather(index.reshape(shape), 4, which[..., None])[..., 0]


def nms(boxes: Tensor, scores: Tensor, iou_threshold: float) -> Tensor:
    """Non-maximum suppression: the boxes that no better one, which is itself among them, overlaps by more than the threshold.

    In the order of scores, box j is suppressed by a box i < j that is not suppressed, where

        area(i and j) / area(i or j) > iou_threshold

    We begin with no box suppressed and apply this to all at once, until nothing changes. The n-th time round is right for all
    boxes behind chains of n others at most, so it ends with what the loop over boxes gives. Whether something has changed is asked
    behind eight rounds each, which is more than most chains need: so a compiled model goes one way for most images.

    Args:
        boxes: corners x1, y1, x2, y2: `(boxes, 4)`.
        scores: `(boxes,)`.
        iou_threshold: between 0 and 1.

    Returns:
        The numbers of the boxes that are left, the best first: int64.

    Raises:
        ShapeError: boxes are not `(boxes, 4)`, or there is another number of scores.

    Source: torchvision.ops.nms.
    """
    if len(boxes.shape) != 2 or boxes.shape[1] != 4:
        raise ShapeError(f"nms(): boxes should be a 2d tensor of 4 columns, got {tuple(boxes.shape)}")
    if tuple(scores.shape) != (boxes.shape[0],):
        raise ShapeError(f"nms(): expected {boxes.shape[0]} scores, got {tuple(scores.shape)}")
    if not boxes.shape[0]:
        return _C.zeros((0,), dtype=_C.argsort(scores).dtype, device=boxes.device)
    order = _C.argsort(scores.detach(), dim=0, descending=True, stable=True)
    overlaps = _C.triu(_overlap(boxes.detach()[order]) > iou_threshold, 1)
    left = _C.any(overlaps, 0).logical_not()
    while True:
        for _ in range(_ROUNDS):
            before, left = left, _C.any(overlaps & left[:, None], 0).logical_not()
        if _C.equal(before, left):
            return order[left]


def _overlap(boxes: Tensor) -> Tensor:
    """The area of the intersection of two boxes in parts of that of their union: `(boxes, boxes)`."""
    low = _C.maximum(boxes[:, None, :2], boxes[None, :, :2])
    high = _C.minimum(boxes[:, None, 2:], boxes[None, :, 2:])
    sides = (high - low).clamp(min=0)
    both = sides[..., 0] * sides[..., 1]
    areas = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
    return both / (areas[:, None] + areas - both)


def _cuda_version() -> int:
    """That of a library without CUDA."""
    return -1
