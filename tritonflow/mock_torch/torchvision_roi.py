"""RoIAlign with as many samples in a bin as a box is large, of which torchvision's own form in Python takes one for each pixel.

A sample is a bilinear mean of four pixels: a product of weights of rows and of columns. So is the mean over a bin's samples:

    y[k, c, i, j] = sum over rows h and columns w of R[k, i, h] x[batch of k, c, h, w] C[k, j, w]

Two matrix products of small weights and the picture are all, and gradients follow from them.
"""

from __future__ import annotations

from typing import Any

from tritonflow import _C, dtypes
from tritonflow.framework.tensor import Tensor


def adaptive_roi_align(x: Tensor, rois: Tensor, scale: float, rows: int, columns: int, aligned: bool) -> Tensor:
    """The mean over ceil(height / rows) * ceil(width / columns) samples in each bin of each box.

    Args:
        x: pictures `(n, c, height, width)`.
        rois: `(boxes, 5)`: the number of a picture, and corners x1, y1, x2, y2.
        scale: of the boxes' numbers to pixels.
        rows, columns: of bins.
        aligned: whether a pixel's center is at 0.5.

    Returns:
        `(boxes, c, rows, columns)`.

    Source: torchvision.ops.roi_align, He et al., https://arxiv.org/abs/1703.06870
    """
    if not rois.shape[0]:
        return x.new_zeros((0, x.shape[1], rows, columns)) + x.sum() * 0  # which has a gradient, of zeros
    corners = rois[:, 1:].to(x.dtype) * scale - (0.5 if aligned else 0.0)
    left, top, right, bottom = corners.unbind(1)
    pictures = x[rois[:, 0].to(dtypes.int64)]
    of_rows = _weights(top, bottom - top, rows, x.shape[2], aligned)
    of_columns = _weights(left, right - left, columns, x.shape[3], aligned)
    product: Tensor = _C.matmul(_C.matmul(of_rows[:, None], pictures), of_columns[:, None].transpose(-1, -2))
    return product


def _weights(start: Any, size: Any, bins: int, pixels: int, aligned: bool) -> Any:
    """How much each pixel counts in the mean over the samples of a bin, along one side: `(boxes, bins, pixels)`."""
    size = size if aligned else size.clamp(min=1.0)
    count = _C.ceil(size / bins)
    whole = count.clamp(min=1.0)
    most: Any = whole.max().to(dtypes.int64)
    number = _C.arange(most, device=start.device)
    bin_size = (size / bins)[:, None, None]
    first = start[:, None, None] + _C.arange(bins, device=start.device)[:, None] * bin_size
    at = first + (number + 0.5) * bin_size / whole[:, None, None]
    counts = (number < count[:, None])[:, None] & (at >= -1.0) & (at <= pixels)  # what is farther outside is nothing
    distance = _C.abs(at.clamp(0, pixels - 1)[..., None] - _C.arange(pixels, device=start.device))
    near = (1.0 - distance).clamp(min=0.0) * counts[..., None]
    return near.sum(2) / whole[:, None, None]
