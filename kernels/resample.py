"""One dimension of a tensor at another resolution: nearest, linear, cubic, and both with a filter against aliasing.

x is (outer, n, inner), y is (outer, m, inner), both contiguous. Output j reads a few neighbours of its source position, which is
scale * j where the ends are aligned or the nearest element is asked for, otherwise scale * (j + 0.5) - 0.5. A source outside the
dimension is moved to its end. The gradient gathers: an input visits the outputs around it, so nothing is added atomically.

All four kernels are given the same scalars: `scale`, how many inputs an output is apart from the next, and `inverse`, 1 / scale;
`narrowing` and `support`, 1 / width and half the width of the filter; `reach`, how far from its source an output reads; `shift`,
the source of output 0.

Source: upsampling of torch.nn.functional.interpolate; Keys, 1981, for the cubic kernel.
"""

import triton
import triton.language as tl

from .dtypes import compute_dtype
from .facts import DeviceFacts
from .windows import position_tiles, row_block, scalar_row_tile

TAPS = {"nearest": 1, "nearest-exact": 1, "linear": 2, "cubic": 4}
WIDTHS = {"smooth linear": 2, "smooth cubic": 4, "smooth lanczos": 6}  # of filters, in elements of the coarser side


@triton.constexpr_function
def position_dtype(dtype):
    """The type in which positions are computed: that of float64 elements, otherwise float32."""
    return tl.float64 if dtype == tl.float64 else tl.float32


@triton.jit
def source(j, scale, ALIGNED: tl.constexpr, MODE: tl.constexpr, DTYPE: tl.constexpr):
    """The position in x that output j shows."""
    if MODE == "nearest-exact":
        return (j.to(DTYPE) + 0.5) * scale
    elif ALIGNED or MODE == "nearest":
        return j.to(DTYPE) * scale
    else:
        return scale * (j.to(DTYPE) + 0.5) - 0.5


@triton.jit
def cubic_near(x, a):
    """Keys' kernel at a distance x up to 1."""
    return ((a + 2) * x - (a + 3)) * x * x + 1


@triton.jit
def cubic_far(x, a):
    """Keys' kernel at a distance x from 1 to 2."""
    return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a


@triton.jit
def tap(j, k, n, scale, ALIGNED: tl.constexpr, MODE: tl.constexpr, DTYPE: tl.constexpr):
    """(position, weight) of the k-th of the neighbours that output j reads."""
    at = source(j, scale, ALIGNED, MODE, DTYPE)
    if MODE == "linear" and not ALIGNED:
        at = tl.maximum(at, 0)
    first = tl.minimum(tl.floor(at).to(j.dtype), n - 1)
    if MODE == "linear":
        rest = tl.minimum(tl.maximum(at - first.to(at.dtype), 0), 1)
        return tl.minimum(first + k, n - 1), (rest if k == 1 else 1 - rest)
    elif MODE == "cubic":
        rest = tl.minimum(tl.maximum(at - first.to(at.dtype), 0), 1)
        position = tl.minimum(tl.maximum(first - 1 + k, 0), n - 1)
        if k == 0:
            weight = cubic_far(rest + 1, -0.75)
        elif k == 1:
            weight = cubic_near(rest, -0.75)
        elif k == 2:
            weight = cubic_near(1 - rest, -0.75)
        else:
            weight = cubic_far(2 - rest, -0.75)
        return position, weight
    else:
        return first, at * 0 + 1


@triton.jit
def smooth_range(j, n, scale, support, DTYPE: tl.constexpr):
    """(first, count, centre) of the elements that the filter of output j covers."""
    centre = scale * (j.to(DTYPE) + 0.5)
    first = tl.maximum((centre - support + 0.5).to(j.dtype), 0)
    end = tl.minimum((centre + support + 0.5).to(j.dtype), n)
    return first, end - first, centre


@triton.jit
def smooth_weight(position, centre, inverse, MODE: tl.constexpr):
    """The filter at an element; weights of an output are divided by their sum afterwards."""
    x = tl.abs((position.to(centre.dtype) - centre + 0.5) * inverse)
    if MODE == "smooth linear":
        return tl.maximum(1 - x, 0)
    elif MODE == "smooth lanczos":
        angle = x * 3.141592653589793
        lobes = tl.sin(angle) * tl.sin(angle / 3) * 3 / tl.maximum(angle * angle, 1e-20)
        return tl.where(x < 3, tl.where(x < 1e-10, 1, lobes), 0)
    else:
        return tl.where(x < 1, cubic_near(x, -0.5), tl.where(x < 2, cubic_far(x, -0.5), 0))


@triton.jit
def row_tile(rows, size, inner, LAST: tl.constexpr, BLOCK: tl.constexpr, BLOCK_W: tl.constexpr):
    """(outer, position, inner index, whether it exists) of a tile's elements of an (outer, size, inner) tensor.

    Elements lie in rows, so that neighbours are loaded as vectors: of `size` with LAST, where inner is 1, otherwise of `inner`.
    """
    tile = tl.program_id(0).to(rows.dtype)
    if LAST:
        row, position = scalar_row_tile(tile, (size, size), BLOCK, BLOCK_W)
        return row, position, position * 0, (row < rows) & (position < size)
    else:
        row, rest = scalar_row_tile(tile, (size, inner), BLOCK, BLOCK_W)
        return row // size, row % size, rest, (row < rows) & (rest < inner)


@triton.jit
def resample(
    x, y, scale, narrowing, support, inverse, reach, shift, rows, n, m, inner, TAPS: tl.constexpr,
    ALIGNED: tl.constexpr, MODE: tl.constexpr, LAST: tl.constexpr, BLOCK: tl.constexpr, BLOCK_W: tl.constexpr,
):  # fmt: skip
    """y = the weighted sum of TAPS neighbours. Grid: (tiles of the rows of y,)."""
    DTYPE: tl.constexpr = position_dtype(x.dtype.element_ty)
    outer, j, rest, exists = row_tile(rows, m, inner, LAST, BLOCK, BLOCK_W)
    column = x + outer * n * inner + rest
    to = y + (outer * m + j) * inner + rest
    if TAPS == 1:
        position, weight = tap(j, 0, n, scale, ALIGNED, MODE, DTYPE)
        tl.store(to, tl.load(column + position * inner, mask=exists).to(y.dtype.element_ty), mask=exists)
    else:
        acc = tl.zeros((BLOCK,), compute_dtype(x.dtype.element_ty))
        for k in tl.static_range(TAPS):
            position, weight = tap(j, k, n, scale, ALIGNED, MODE, DTYPE)
            acc += weight * tl.load(column + position * inner, mask=exists, other=0).to(acc.dtype)
        tl.store(to, acc.to(y.dtype.element_ty), mask=exists)


@triton.jit
def resample_smooth(
    x, y, scale, narrowing, support, inverse, reach, shift, rows, n, m, inner, taps, MODE: tl.constexpr,
    LAST: tl.constexpr, BLOCK: tl.constexpr, BLOCK_W: tl.constexpr,
):  # fmt: skip
    """y = the mean under the filter, over up to `taps` elements. Grid: (tiles of the rows of y,)."""
    DTYPE: tl.constexpr = position_dtype(x.dtype.element_ty)
    outer, j, rest, exists = row_tile(rows, m, inner, LAST, BLOCK, BLOCK_W)
    column = x + outer * n * inner + rest
    first, count, centre = smooth_range(j, n, scale, support, DTYPE)
    acc = tl.zeros((BLOCK,), compute_dtype(x.dtype.element_ty))
    sum_of_weights = tl.zeros((BLOCK,), acc.dtype)
    for k in range(taps):
        weight = tl.where(k < count, smooth_weight(first + k, centre, narrowing, MODE), 0)
        mask = exists & (k < count)
        acc += weight * tl.load(column + (first + k) * inner, mask=mask, other=0).to(acc.dtype)
        sum_of_weights += weight
    tl.store(y + (outer * m + j) * inner + rest, (acc / sum_of_weights).to(y.dtype.element_ty), mask=exists)


@triton.jit
def first_output(h, reach, inverse, shift, DTYPE: tl.constexpr):
    """The first output whose source may be within `reach` of input h; one more for rounding."""
    return tl.maximum(tl.floor((h.to(DTYPE) - reach - shift) * inverse).to(h.dtype) - 1, 0)


@triton.jit
def resample_backward(
    dy, dx, scale, narrowing, support, inverse, reach, shift, rows, n, m, inner, windows, TAPS: tl.constexpr,
    ALIGNED: tl.constexpr, MODE: tl.constexpr, LAST: tl.constexpr, BLOCK: tl.constexpr, BLOCK_W: tl.constexpr,
):  # fmt: skip
    """dx = the sum of dy times its weights of this input, over `windows` outputs. Grid: (tiles of the rows of dx,)."""
    DTYPE: tl.constexpr = position_dtype(dy.dtype.element_ty)
    outer, h, rest, exists = row_tile(rows, n, inner, LAST, BLOCK, BLOCK_W)
    column = dy + outer * m * inner + rest
    start = first_output(h, reach, inverse, shift, DTYPE)
    acc = tl.zeros((BLOCK,), compute_dtype(dy.dtype.element_ty))
    for window in range(windows):
        j = start + window
        mine = tl.zeros((BLOCK,), acc.dtype)
        for k in tl.static_range(TAPS):
            position, weight = tap(j, k, n, scale, ALIGNED, MODE, DTYPE)
            mine += tl.where(position == h, weight, 0)
        mask = exists & (j < m) & (mine != 0)
        acc += mine * tl.load(column + j * inner, mask=mask, other=0).to(acc.dtype)
    tl.store(dx + (outer * n + h) * inner + rest, acc.to(dx.dtype.element_ty), mask=exists)


@triton.jit
def repeat_backward(
    dy, dx, scale, narrowing, support, inverse, reach, shift, rows, n, inner, repeats, LAST: tl.constexpr,
    BLOCK: tl.constexpr, BLOCK_W: tl.constexpr,
):  # fmt: skip
    """dx = the sum of dy over the `repeats` outputs that show an input, and show nothing else. Grid: (tiles of the rows of dx,)."""
    outer, h, rest, exists = row_tile(rows, n, inner, LAST, BLOCK, BLOCK_W)
    first = dy + (outer * n + h) * repeats * inner + rest
    acc = tl.zeros((BLOCK,), compute_dtype(dy.dtype.element_ty))
    for k in range(repeats):
        acc += tl.load(first + k * inner, mask=exists, other=0).to(acc.dtype)
    tl.store(dx + (outer * n + h) * inner + rest, acc.to(dx.dtype.element_ty), mask=exists)


@triton.jit
def resample_smooth_backward(
    dy, dx, scale, narrowing, support, inverse, reach, shift, rows, n, m, inner, taps, windows, MODE: tl.constexpr,
    LAST: tl.constexpr, BLOCK: tl.constexpr, BLOCK_W: tl.constexpr,
):  # fmt: skip
    """The same under a filter, whose weights are divided by their sum. Grid: (tiles of the rows of dx,)."""
    DTYPE: tl.constexpr = position_dtype(dy.dtype.element_ty)
    outer, h, rest, exists = row_tile(rows, n, inner, LAST, BLOCK, BLOCK_W)
    column = dy + outer * m * inner + rest
    start = first_output(h, reach, inverse, shift, DTYPE)
    acc = tl.zeros((BLOCK,), compute_dtype(dy.dtype.element_ty))
    for window in range(windows):
        j = start + window
        first, count, centre = smooth_range(j, n, scale, support, DTYPE)
        sum_of_weights = tl.zeros((BLOCK,), acc.dtype)
        for k in range(taps):
            sum_of_weights += tl.where(k < count, smooth_weight(first + k, centre, narrowing, MODE), 0)
        mask = exists & (j < m) & (h >= first) & (h < first + count)
        weight = smooth_weight(h, centre, narrowing, MODE) / sum_of_weights
        acc += tl.where(mask, weight * tl.load(column + j * inner, mask=mask, other=0).to(acc.dtype), 0)
    tl.store(dx + (outer * n + h) * inner + rest, acc.to(dx.dtype.element_ty), mask=exists)


def config(facts: DeviceFacts, outer: int, size: int, inner: int) -> tuple[dict, int]:
    """Constexprs and warps for a result (outer, size, inner), and the number of tiles."""
    rows, width = (outer, size) if inner == 1 else (outer * size, inner)
    cpu = facts.kind == "cpu"
    block, block_w = row_block(rows, width, 512 if cpu else 256, cpu)
    constexprs = {"LAST": inner == 1, "BLOCK": block, "BLOCK_W": block_w}
    return {"constexprs": constexprs, "num_warps": facts.warps(4)}, position_tiles(rows, width, block, block_w)
