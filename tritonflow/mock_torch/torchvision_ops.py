"""The ops of torchvision's C++ library that detection models train and predict with, made of tritonflow's.

`nms` is ours, and `roi_align` is that of `compat`. The library's other ops have names alone.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from tritonflow import _C, library
from tritonflow.compat.roi_align import roi_align
from tritonflow.errors import ShapeError
from tritonflow.framework.tensor import Tensor

_ROUNDS = 8  # of suppression, behind which it is asked whether that was the end
_OTHERS = ("qnms", "qroi_align", "roi_pool", "ps_roi_align", "ps_roi_pool", "deform_conv2d")
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
        functions = {"nms": nms, "roi_align": roi_align, "_cuda_version": _cuda_version}
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
