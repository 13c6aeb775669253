"""2-d adaptive pooling of contiguous (n, c, h, w) tensors, and its gradients; pool.py has pooling by strides.

Output (a, b) sees rows floor(a H / A) to ceil((a + 1) H / A) of an image of H rows, if the result has A, and columns likewise.
Where windows
are wide, a program has one window, whose columns are loaded as vectors. Backward it writes the inputs that no later window has:
only the first row and column of these are shared, with the windows before. Else lanes are outputs of a row, or inputs, which
gather from the windows that contain them, in order. Nothing is added atomically.

If a window has several maxima, the first one counts. NaN is larger than
every number, and the last one of a window counts, as in the reference.
"""

from math import gcd

import triton
import triton.language as tl

from .block_sizes import next_power_of_2
from .dtypes import compute_dtype, own_dtype
from .facts import DeviceFacts
from .pool import first_largest
from .reductions import lowest
from .windows import decode_position, scalar_row_tile

NARROW, WIDE = 4, 128  # windows of fewer columns are narrow; the most columns that a program has at once


@triton.jit
def adaptive_window(a, size, out, LONG: tl.constexpr):
    """(first, end) of the inputs that output a of `out` sees: floor(a size / out), ceil((a + 1) size / out).

    LONG: the products may need 64 bits.
    """
    wide = a.to(tl.int64) if LONG else a
    return (wide * size // out).to(a.dtype), (((wide + 1) * size + out - 1) // out).to(a.dtype)


@triton.jit
def window_of_program(total, image, out, LONG: tl.constexpr):
    """(plane, row, column of an output, first and end of its rows, of its columns): a program for each of the `total` outputs."""
    plane, a, b = decode_position(tl.program_id(0).to(total.dtype), out)
    top, bottom = adaptive_window(a, image[0], out[0], LONG)
    left, right = adaptive_window(b, image[1], out[1], LONG)
    return plane, a, b, top, bottom, left, right


@triton.jit
def part_of_window(h, bottom, v, right, ROWS: tl.constexpr, COLS: tl.constexpr):
    """(rows, columns, which exist) of the ROWS x COLS inputs at (h, v), in a window that ends at (bottom, right)."""
    columns = v + tl.arange(0, COLS)[None, :]
    if ROWS == 1:
        return h, columns, columns < right
    else:
        rows = h + tl.arange(0, ROWS)[:, None]
        return rows, columns, (rows < bottom) & (columns < right)


@triton.jit
def adaptive_avg_pool_wide(x, y, total, image, out, ROWS: tl.constexpr, COLS: tl.constexpr, LONG: tl.constexpr):
    """y = the mean of each window. Grid: (outputs,)."""
    plane, _, _, top, bottom, left, right = window_of_program(total, image, out, LONG)
    x_plane = x + plane * (image[0] * image[1])
    acc = tl.zeros((ROWS, COLS), compute_dtype(x.dtype.element_ty))
    for h in range(top, bottom, ROWS):
        for v in range(left, right, COLS):
            rows, columns, mask = part_of_window(h, bottom, v, right, ROWS, COLS)
            acc += tl.load(x_plane + rows * image[1] + columns, mask=mask, other=0).to(acc.dtype)
    count = (bottom - top) * (right - left)
    tl.store(y + tl.program_id(0).to(total.dtype), (tl.sum(acc) / count.to(acc.dtype)).to(y.dtype.element_ty))


@triton.jit
def first_largest_of_all(best, where):
    """`first_largest` of a tile's lanes, in the order of positions: (value, position)."""
    nan = (where >= 0) & (best != best)
    last_nan = tl.max(tl.where(nan, where, -1))
    numbers = (where >= 0) & (best == best)
    most = tl.max(tl.where(numbers, best, lowest(best)))
    never = 2147483647  # planes have fewer pixels
    first = tl.min(tl.where(numbers & (best == most), where, never))
    return tl.where(last_nan >= 0, float("nan"), most), tl.where(last_nan >= 0, last_nan, first)


@triton.jit
def adaptive_max_pool_wide(x, y, indices, total, image, out, ROWS: tl.constexpr, COLS: tl.constexpr, LONG: tl.constexpr):
    """y = max of each window, indices = its position in the plane, row-major. Grid: (outputs,)."""
    plane, _, _, top, bottom, left, right = window_of_program(total, image, out, LONG)
    x_plane = x + plane * (image[0] * image[1])
    best = lowest(tl.zeros((ROWS, COLS), own_dtype(x.dtype.element_ty))).to(compute_dtype(x.dtype.element_ty))
    where = tl.full((ROWS, COLS), -1, total.dtype)
    for h in range(top, bottom, ROWS):
        for v in range(left, right, COLS):
            rows, columns, mask = part_of_window(h, bottom, v, right, ROWS, COLS)
            position = rows * image[1] + columns
            value = tl.load(x_plane + position, mask=mask, other=0).to(best.dtype)
            best, where = first_largest(best, where, value, position, mask)
    most, at = first_largest_of_all(best, where)
    i = tl.program_id(0).to(total.dtype)
    tl.store(y + i, most.to(y.dtype.element_ty))
    tl.store(indices + i, at.to(indices.dtype.element_ty))


@triton.jit
def own_inputs(a, size, out, LONG: tl.constexpr):
    """(first, end, extent, shared, extent before): the inputs that window a has and later ones have not, and its extent.

    The inputs before `end` are those of windows up to a; only the first of them may be shared, with window a - 1.
    """
    first, window_end = adaptive_window(a, size, out, LONG)
    end, _ = adaptive_window(a + 1, size, out, LONG)
    before, before_end = adaptive_window(tl.maximum(a - 1, 0), size, out, LONG)
    return first, end, window_end - first, (a > 0) & (before_end > first), before_end - before


@triton.jit
def adaptive_avg_pool_backward_wide(dy, dx, total, image, out, ROWS: tl.constexpr, COLS: tl.constexpr, LONG: tl.constexpr):
    """dx = sum of dy / window size over the windows that contain the input, of images larger than the result.

    A program computes the inputs that are its window's own. Grid: (outputs,).
    """
    plane, a, b = decode_position(tl.program_id(0).to(total.dtype), out)
    top, bottom, height, shares_row, height_before = own_inputs(a, image[0], out[0], LONG)
    left, right, width, shares_column, width_before = own_inputs(b, image[1], out[1], LONG)
    o = dy + tl.program_id(0).to(total.dtype)
    dtype: tl.constexpr = compute_dtype(dy.dtype.element_ty)
    own = tl.load(o).to(dtype) / (height * width).to(dtype)
    beside = tl.load(o - 1, mask=shares_column, other=0).to(dtype) / (height * width_before).to(dtype)
    above = tl.load(o - out[1], mask=shares_row, other=0).to(dtype) / (height_before * width).to(dtype)
    corner = tl.load(o - out[1] - 1, mask=shares_row & shares_column, other=0).to(dtype)
    corner = corner / (height_before * width_before).to(dtype)
    dx_plane = dx + plane * (image[0] * image[1])
    for h in range(top, bottom, ROWS):
        for v in range(left, right, COLS):
            rows, columns, mask = part_of_window(h, bottom, v, right, ROWS, COLS)
            first = columns == left
            value = own + tl.where(first, beside, 0) + tl.where(rows == top, above + tl.where(first, corner, 0), 0)
            tl.store(dx_plane + rows * image[1] + columns, value.to(dx.dtype.element_ty), mask=mask)


@triton.jit
def adaptive_max_pool_backward_wide(
    dy, indices, dx, total, image, out, ROWS: tl.constexpr, COLS: tl.constexpr, LONG: tl.constexpr
):
    """dx = sum of dy over the windows whose maximum the input is; the rest as in `adaptive_avg_pool_backward_wide`."""
    plane, a, b = decode_position(tl.program_id(0).to(total.dtype), out)
    top, bottom, _, shares_row, _ = own_inputs(a, image[0], out[0], LONG)
    left, right, _, shares_column, _ = own_inputs(b, image[1], out[1], LONG)
    i = tl.program_id(0).to(total.dtype)
    dtype: tl.constexpr = compute_dtype(dy.dtype.element_ty)
    both = shares_row & shares_column
    own, own_at = tl.load(dy + i).to(dtype), tl.load(indices + i).to(total.dtype)
    beside, beside_at = gradient_and_position(dy, indices, i - 1, shares_column, dtype)
    above, above_at = gradient_and_position(dy, indices, i - out[1], shares_row, dtype)
    corner, corner_at = gradient_and_position(dy, indices, i - out[1] - 1, both, dtype)
    dx_plane = dx + plane * (image[0] * image[1])
    for h in range(top, bottom, ROWS):
        for v in range(left, right, COLS):
            rows, columns, mask = part_of_window(h, bottom, v, right, ROWS, COLS)
            p = rows * image[1] + columns
            value = tl.where(p == corner_at, corner, 0) + tl.where(p == above_at, above, 0)
            value += tl.where(p == beside_at, beside, 0) + tl.where(p == own_at, own, 0)
            tl.store(dx_plane + p, value.to(dx.dtype.element_ty), mask=mask)


@triton.jit
def gradient_and_position(dy, indices, i, exists, dtype: tl.constexpr):
    """(dy, position) of output i, or (0, -1)."""
    return tl.load(dy + i, mask=exists, other=0).to(dtype), tl.load(indices + i, mask=exists, other=-1).to(i.dtype)


@triton.jit
def adaptive_avg_pool(x, y, rows, image, out, largest, BLOCK: tl.constexpr, BLOCK_W: tl.constexpr, LONG: tl.constexpr):
    """y = the mean of each window; `largest` is the size of the largest one. Grid: (tiles of the `rows` of all outputs,)."""
    q, b = scalar_row_tile(tl.program_id(0).to(rows.dtype), out, BLOCK, BLOCK_W)
    exists = (q < rows) & (b < out[1])
    top, bottom = adaptive_window(q % out[0], image[0], out[0], LONG)
    left, right = adaptive_window(b, image[1], out[1], LONG)
    x_plane = x + q // out[0] * (image[0] * image[1])
    acc = tl.zeros((BLOCK,), compute_dtype(x.dtype.element_ty))
    for r in range(largest[0]):
        for c in range(largest[1]):
            mask = (exists & (top + r < bottom)) & (left + c < right)
            acc += tl.load(x_plane + (top + r) * image[1] + left + c, mask=mask, other=0).to(acc.dtype)
    count = (bottom - top) * (right - left)
    tl.store(y + q * out[1] + b, (acc / count.to(acc.dtype)).to(y.dtype.element_ty), mask=exists)


@triton.jit
def adaptive_max_pool(
    x, y, indices, rows, image, out, largest, BLOCK: tl.constexpr, BLOCK_W: tl.constexpr, LONG: tl.constexpr
):
    """y = max of each window, indices = its position in the plane, row-major. Grid: (tiles of the `rows` of all outputs,)."""
    q, b = scalar_row_tile(tl.program_id(0).to(rows.dtype), out, BLOCK, BLOCK_W)
    exists = (q < rows) & (b < out[1])
    top, bottom = adaptive_window(q % out[0], image[0], out[0], LONG)
    left, right = adaptive_window(b, image[1], out[1], LONG)
    x_plane = x + q // out[0] * (image[0] * image[1])
    best = lowest(tl.zeros((BLOCK,), own_dtype(x.dtype.element_ty))).to(compute_dtype(x.dtype.element_ty))
    where = tl.full((BLOCK,), -1, rows.dtype)
    for r in range(largest[0]):
        for c in range(largest[1]):
            mask = (exists & (top + r < bottom)) & (left + c < right)
            position = (top + r) * image[1] + left + c
            value = tl.load(x_plane + position, mask=mask, other=0).to(best.dtype)
            best, where = first_largest(best, where, value, position, mask)
    tl.store(y + q * out[1] + b, best.to(y.dtype.element_ty), mask=exists)
    tl.store(indices + q * out[1] + b, where.to(indices.dtype.element_ty), mask=exists)


@triton.jit
def windows_with(h, size, out, LONG: tl.constexpr):
    """(first, end) of the windows that contain input h: floor(h out / size), ceil((h + 1) out / size)."""
    return adaptive_window(h, out, size, LONG)


@triton.jit
def adaptive_avg_pool_backward(
    dy, dx, rows, image, out, windows, BLOCK: tl.constexpr, BLOCK_W: tl.constexpr, LONG: tl.constexpr
):
    """dx = sum of dy / window size over the windows that contain the input, which are `windows` at most.

    Grid: (tiles of the `rows` of all inputs,).
    """
    q, v = scalar_row_tile(tl.program_id(0).to(rows.dtype), image, BLOCK, BLOCK_W)
    exists = (q < rows) & (v < image[1])
    first_a, end_a = windows_with(q % image[0], image[0], out[0], LONG)
    first_b, end_b = windows_with(v, image[1], out[1], LONG)
    dy_plane = dy + q // image[0] * (out[0] * out[1])
    acc = tl.zeros((BLOCK,), compute_dtype(dy.dtype.element_ty))
    for k in range(windows[0]):
        top, bottom = adaptive_window(first_a + k, image[0], out[0], LONG)
        for j in range(windows[1]):
            left, right = adaptive_window(first_b + j, image[1], out[1], LONG)
            mask = (exists & (first_a + k < end_a)) & (first_b + j < end_b)
            g = tl.load(dy_plane + (first_a + k) * out[1] + first_b + j, mask=mask, other=0).to(acc.dtype)
            acc += tl.where(mask, g / ((bottom - top) * (right - left)).to(acc.dtype), 0)
    tl.store(dx + q * image[1] + v, acc.to(dx.dtype.element_ty), mask=exists)


@triton.jit
def adaptive_max_pool_backward(
    dy, indices, dx, rows, image, out, windows, BLOCK: tl.constexpr, BLOCK_W: tl.constexpr, LONG: tl.constexpr
):
    """dx = sum of dy over the windows whose maximum the input is; the rest as in `adaptive_avg_pool_backward`."""
    q, v = scalar_row_tile(tl.program_id(0).to(rows.dtype), image, BLOCK, BLOCK_W)
    exists = (q < rows) & (v < image[1])
    position = q % image[0] * image[1] + v
    first_a, end_a = windows_with(q % image[0], image[0], out[0], LONG)
    first_b, end_b = windows_with(v, image[1], out[1], LONG)
    plane = q // image[0] * (out[0] * out[1])
    acc = tl.zeros((BLOCK,), compute_dtype(dy.dtype.element_ty))
    for k in range(windows[0]):
        for j in range(windows[1]):
            mask = (exists & (first_a + k < end_a)) & (first_b + j < end_b)
            o = plane + (first_a + k) * out[1] + first_b + j
            mine = mask & (tl.load(indices + o, mask=mask).to(v.dtype) == position)
            acc += tl.where(mine, tl.load(dy + o, mask=mask).to(acc.dtype), 0)
    tl.store(dx + q * image[1] + v, acc.to(dx.dtype.element_ty), mask=exists)


def most_inputs(size: int, out: int) -> int:
    """The inputs of the largest window, and with the arguments exchanged the most windows that contain one input.

    Window a has the inputs from floor(a size / out) to ceil((a + 1) size / out). With size / out in lowest terms the fraction of
    a size / out takes every value k / out, and the window is largest where this fraction is largest.
    """
    return (size + 2 * (out - gcd(size, out))) // out if size and out else 0


def is_long(image: tuple[int, ...], out: tuple[int, ...]) -> bool:
    """Whether a position times a size needs 64 bits."""
    return any((size + 1) * (o + 1) >= 2**31 for size, o in zip(image, out))


def is_wide(image: tuple[int, ...], out: tuple[int, ...]) -> bool:
    """Whether each window has a program of its own: it has many columns, and windows share their first inputs at most."""
    return image[0] >= out[0] > 0 and image[1] >= NARROW * out[1] > 0


def config(facts: DeviceFacts, image: tuple[int, ...], out: tuple[int, ...]) -> dict:
    """The configuration of a kernel of wide windows."""
    columns = min(next_power_of_2(most_inputs(image[1], out[1])), WIDE)
    rows = 1 if facts.kind == "cpu" else max(min(next_power_of_2(most_inputs(image[0], out[0])), 256 // columns), 1)
    return {"constexprs": {"ROWS": rows, "COLS": columns}, "num_warps": facts.warps(max(rows * columns // 64, 1))}
