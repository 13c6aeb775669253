"""What a score becomes before the softmax: EDIT(s, b, h, m, n, M, N, inside, whole, reads, steps), and its derivative, SLOPE.

s: scale q k of batch b, head h, row m and column n, of M and N; where `inside` is false nothing may be read; no mask cuts
a block that is `whole`. `reads` are pointers
and numbers, `steps` the strides of what these point to.
"""

import triton
import triton.language as tl

from .functions.exponential import tanh


@triton.jit
def cap_and_slope(s, b, h, m, n, M, N, inside, whole, reads, steps):
    """cap tanh(s / cap) - slope |m + N - M - n|. reads: (() or (cap,), () or (slopes,)); steps: over batches, heads."""
    for i in tl.static_range(len(reads[0])):
        s = reads[0][i] * tanh(s / reads[0][i])
    for i in tl.static_range(len(reads[1])):
        slope = tl.load(reads[1][i] + b * steps[0] + h * steps[1]).to(s.dtype)
        s -= slope * tl.abs(m + (N - M) - n).to(s.dtype)
    return s


@triton.jit
def slope_of_cap(s, b, h, m, n, M, N, inside, whole, reads, steps):
    """1 - tanh(s / cap) squared."""
    if len(reads[0]):
        ratio = tanh(s / reads[0][0])
        return 1 - ratio * ratio
    else:
        return tl.full(s.shape, 1.0, s.dtype)
