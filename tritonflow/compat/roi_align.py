"""RoIAlign: the means of a picture over the bins of boxes, of samples between its pixels.

A sample is a bilinear mean of four pixels: a product of weights of rows and of columns. So is the mean over a bin's samples:

    y[k, c, i, j] = sum over rows h and columns w of R[k, i, h] x[batch of k, c, h, w] C[k, j, w]

Two matrix products of small weights and the picture are all, and gradients follow from them.
"""

from __future__ import annotations

from typing import Any

from tritonflow import _C, dtypes
from tritonflow.compat.checks import require
from tritonflow.framework.tensor import Tensor


def roi_align(
    x: Tensor, rois: Tensor, spatial_scale: float, pooled_h: int, pooled_w: int, sampling_ratio: int = -1, aligned: bool = False
) -> Tensor:
    """The mean over the samples in each bin of each box.

    Args:
        x: pictures `(n, c, height, width)`.
        rois: `(boxes, 5)`: the number of a picture, and corners x1, y1, x2, y2.
        spatial_scale: of the boxes' numbers to pixels.
        pooled_h, pooled_w: how many bins a box has, from top to bottom and from left to right.
        sampling_ratio: the samples along a side of a bin; ceil(height / pooled_h) and ceil(width / pooled_w) unless positive.
        aligned: whether a pixel's center is at 0.5.

    Returns:
        `(boxes, c, pooled_h, pooled_w)`.

    Raises:
        RuntimeError: x has not 4 dimensions, or rois are not `(boxes, 5)`.

    Source: oneflow.roi_align, torchvision.ops.roi_align; He et al., https://arxiv.org/abs/1703.06870

    Example:
        >>> import tritonflow as flow
        >>> x = flow.arange(16.0).reshape(1, 1, 4, 4)
        >>> flow.roi_align(x, flow.tensor([[0.0, 0.0, 0.0, 4.0, 4.0]]), 1.0, 2, 2, 2, True).tolist()
        [[[[2.5, 4.5], [10.5, 12.5]]]]
    """
    require(x.ndim == 4, f"The dimension of x tensor must be equal to 4, but got {x.ndim}")
    require(rois.ndim == 2, f"The dimension of rois tensor must be equal to 2, but got {rois.ndim}")
    require(rois.shape[1] == 5, f"The size of rois tensor must be equal to 5 at dimension 1, but got {rois.shape[1]}")
    if not rois.shape[0]:
        return x.new_zeros((0, x.shape[1], pooled_h, pooled_w)) + x.sum() * 0  # which has a gradient, of zeros
    corners = rois[:, 1:].to(x.dtype) * spatial_scale - (0.5 if aligned else 0.0)
    left, top, right, bottom = corners.unbind(1)
    pictures = x[rois[:, 0].to(dtypes.int64)]
    of_rows = _weights(top, bottom - top, pooled_h, x.shape[2], sampling_ratio, aligned)
    of_columns = _weights(left, right - left, pooled_w, x.shape[3], sampling_ratio, aligned)
    product: Tensor = _C.matmul(_C.matmul(of_rows[:, None], pictures), of_columns[:, None].transpose(-1, -2))
    return product


def _weights(start: Any, size: Any, bins: int, pixels: int, samples: int, aligned: bool) -> Any:
    """How much each pixel counts in the mean over the samples of a bin, along one side: `(boxes, bins, pixels)`."""
    size = size if aligned else size.clamp(min=1.0)
    count = _C.full_like(size, samples) if samples > 0 else _C.ceil(size / bins)
    whole = count.clamp(min=1.0)
    most: Any = samples if samples > 0 else whole.max().to(dtypes.int64)
    number = _C.arange(most, device=start.device)
    bin_size = (size / bins)[:, None, None]
    first = start[:, None, None] + _C.arange(bins, device=start.device)[:, None] * bin_size
    at = first + (number + 0.5) * bin_size / whole[:, None, None]
    counts = (number < count[:, None])[:, None] & (at >= -1.0) & (at <= pixels)  # what is farther outside is nothing
    distance = _C.abs(at.clamp(0, pixels - 1)[..., None] - _C.arange(pixels, device=start.device))
    near = (1.0 - distance).clamp(min=0.0) * counts[..., None]
    return near.sum(2) / whole[:, None, None]
