"""Windows of images as columns, and images as sums of columns: what unfold and fold compute.

Columns are contiguous (plane, row in the window, column in the window, row of windows, column of windows). Window (a, b) has the
pixels (a s - p + r d, b s - p + c d). The sum gathers: a pixel visits its places in windows in order, so nothing is added
atomically.
"""

import triton
import triton.language as tl

from .dtypes import compute_dtype
from .facts import DeviceFacts
from .windows import decode_position, inside


@triton.jit
def unfold(x, y, total, image, kernel, out, stride, padding, dilation, BLOCK: tl.constexpr):
    """y = the pixel of each place of each window, 0 outside the image. Grid: (tiles of y,)."""
    i = tl.program_id(0).to(total.dtype) * BLOCK + tl.arange(0, BLOCK)
    place, a, b = decode_position(i, out)
    plane, r, c = decode_position(place, kernel)
    h = a * stride[0] - padding[0] + r * dilation[0]
    v = b * stride[1] - padding[1] + c * dilation[1]
    mask = (i < total) & inside(h, v, image)
    value = tl.load(x + (plane * image[0] + h) * image[1] + v, mask=mask, other=0)
    tl.store(y + i, value, mask=i < total)


@triton.jit
def fold(columns, y, total, image, kernel, out, stride, padding, dilation, BLOCK: tl.constexpr):
    """y = the sum over a pixel's places in windows. Grid: (tiles of y,)."""
    i = tl.program_id(0).to(total.dtype) * BLOCK + tl.arange(0, BLOCK)
    plane, h, v = decode_position(i, image)
    acc = tl.zeros((BLOCK,), compute_dtype(y.dtype.element_ty))
    for place in range(kernel[0] * kernel[1]):
        down = h + padding[0] - place // kernel[1] * dilation[0]
        right = v + padding[1] - place % kernel[1] * dilation[1]
        a, b = down // stride[0], right // stride[1]
        mask = (i < total) & (down >= 0) & (right >= 0) & (down % stride[0] == 0) & (right % stride[1] == 0)
        mask = mask & (a < out[0]) & (b < out[1])
        at = ((plane * kernel[0] * kernel[1] + place) * out[0] + a) * out[1] + b
        acc += tl.load(columns + at, mask=mask, other=0).to(acc.dtype)
    tl.store(y + i, acc.to(y.dtype.element_ty), mask=i < total)


def config(facts: DeviceFacts) -> dict:
    block = 512 if facts.kind == "cpu" else 256
    return {"constexprs": {"BLOCK": block}, "num_warps": facts.warps(4)}
