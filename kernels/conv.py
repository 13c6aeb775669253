"""2-d convolution and its two gradients, as matrix products whose operands are gathered on the fly (implicit GEMM).

With g groups of I input and O output channels, kernel (R, S), stride s, padding p, dilation d:

    forward          y[n, o, a, b] = sum over (i, r, c) of w[o, i, r, c] x[n, i, a s - p + r d, b s - p + c d]
    input_gradient  dx[n, i, h, v] = sum over (o, r, c) of w[o, i, r, c] dy[n, o, (h + p - r d) / s, (v + p - c d) / s]
    weight_gradient dw[o, i, r, c] = sum over (n, a, b) of dy[n, o, a, b] x[n, i, a s - p + r d, b s - p + c d]

Channels are the rows of a tile and positions (n, a, b) its columns: neighbours in memory are neighbours in the tile. Index
arithmetic is done for rows and columns, not for elements. x may have any strides. What has y's shape, and dx, is contiguous, or
channels-last where a constexpr says so: a GPU then loads and stores 16 bytes at a time.

Few input channels are reduced together with the kernel's taps (FLAT), many channels tap by tap. On a CPU, FLAT also saves a copy of
the weight where there are few positions. For a GPU's matrix units few channels come as windows: the pixels under a row of taps, of
which a copy has channels as neighbours, are the channels of an image with a column for each one of y. Where no tap leaves an image
(not PADDED), loads have no mask of pixels.

The input gradient treats every residue of a position modulo the stride by itself, so that only taps that meet an output are
visited. The weight gradient splits the batch, and `matmul.reduce_splits` adds the splits' sums in order, so that nothing is added
atomically.
"""

import triton
import triton.language as tl

from .dtypes import compute_dtype
from .epilogue import epilogue
from .matmul import dot
from .prologue import prologue
from .windows import inside, position_tile, tap_offset


@triton.jit
def program_tile(rows, BLOCK_M: tl.constexpr):
    """Row indices of this program's tile, the number of its tile of columns, its group; neighbours share columns."""
    tiles_m = tl.cdiv(rows, BLOCK_M)
    pid = tl.program_id(0).to(rows.dtype)
    return (pid % tiles_m) * BLOCK_M + tl.arange(0, BLOCK_M), pid // tiles_m, tl.program_id(1).to(rows.dtype)


@triton.jit
def steps_of(channels, area, LAST: tl.constexpr):
    """By how much the next channel and the next pixel are apart in images that are contiguous, or channels-last."""
    if LAST:
        return 1, channels
    else:
        return area, 1


@triton.jit
def offset_in_images(n, channel, pixel, channels, area, LAST: tl.constexpr):
    """Offsets of a tile of channels (a column) x positions."""
    if LAST:
        return ((n * area + pixel) * channels)[None, :] + channel
    else:
        return (n * (channels * area) + pixel)[None, :] + channel * area


@triton.jit
def index_in_images(n, channel, pixel, LAST: tl.constexpr):
    """The parts of a tile's index, in the order of memory."""
    if LAST:
        return n, pixel, channel
    else:
        return n, channel, pixel


@triton.jit
def reduce_flat(
    acc, x_column, w_row, row_exists, column_exists, h0, v0, in_channels, image, kernel, dilation, x_strides,
    PROLOGUE_A: tl.constexpr, PROLOGUE_B: tl.constexpr, DOT: tl.constexpr, PRECISION: tl.constexpr, BLOCK_K: tl.constexpr,
):  # fmt: skip
    """acc + w x over input channels and taps as one axis; (h0, v0) is the pixel of a column under the first tap."""
    taps = kernel[0] * kernel[1]
    depth = in_channels * taps
    for start in range(0, depth, BLOCK_K):
        k = start + tl.arange(0, BLOCK_K)
        r, c = tap_offset(k % taps, kernel, dilation)
        mask = column_exists[None, :] & inside(h0[None, :] + r[:, None], v0[None, :] + c[:, None], image)
        mask = mask & (k < depth)[:, None]
        x_row = k // taps * x_strides[1] + r * x_strides[2] + c * x_strides[3]
        x_tile = tl.load(x_column[None, :] + x_row[:, None], mask=mask, other=0)
        w_mask = row_exists[:, None] & (k < depth)[None, :]
        w_tile = tl.load(w_row[:, None] + k[None, :], mask=w_mask, other=0)
        acc = dot(prologue(w_tile, PROLOGUE_B), prologue(x_tile, PROLOGUE_A), acc, DOT, PRECISION)
    return acc


@triton.jit
def reduce_by_tap(
    acc, x_column, w_row, row_exists, column_exists, h0, v0, in_channels, image, kernel, dilation, x_strides, w_strides,
    PADDED: tl.constexpr, PROLOGUE_A: tl.constexpr, PROLOGUE_B: tl.constexpr, DOT: tl.constexpr, PRECISION: tl.constexpr,
    BLOCK_K: tl.constexpr,
):  # fmt: skip
    """The same sum tap by tap, each over the input channels."""
    blocks = tl.cdiv(in_channels, BLOCK_K)
    for step in range(kernel[0] * kernel[1] * blocks):
        tap = step // blocks
        k = step % blocks * BLOCK_K + tl.arange(0, BLOCK_K)
        r, c = tap_offset(tap, kernel, dilation)
        seen = column_exists & inside(h0 + r, v0 + c, image) if PADDED else column_exists
        mask = seen[None, :] & (k < in_channels)[:, None]
        x_tap = x_column + (r * x_strides[2] + c * x_strides[3])
        x_tile = tl.load(x_tap[None, :] + (k * x_strides[1])[:, None], mask=mask, other=0)
        w_mask = row_exists[:, None] & (k < in_channels)[None, :]
        w_tile = tl.load(w_row[:, None] + (tap * w_strides[0] + k * w_strides[3])[None, :], mask=w_mask, other=0)
        acc = dot(prologue(w_tile, PROLOGUE_B), prologue(x_tile, PROLOGUE_A), acc, DOT, PRECISION)
    return acc


@triton.jit
def forward(
    x,
    w,
    operands,
    outs,
    batch,
    groups,
    in_channels,
    out_channels,
    image,
    kernel,
    out,
    stride,
    padding,
    dilation,
    x_strides,
    w_strides,
    operand_sizes,
    operand_strides,
    PROLOGUE_A: tl.constexpr,
    PROLOGUE_B: tl.constexpr,
    EPILOGUE: tl.constexpr,
    FLAT: tl.constexpr,
    PADDED: tl.constexpr,
    Y_LAST: tl.constexpr,
    DOT: tl.constexpr,
    PRECISION: tl.constexpr,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_K: tl.constexpr,
    BLOCK_W: tl.constexpr,
):
    """Channel counts are per group. Grid: (tiles of out_channels x tiles of positions, groups)."""
    o, tile, group = program_tile(out_channels, BLOCK_M)
    q, b = position_tile(tile, out, BLOCK_N, BLOCK_W)
    n, a = q // out[0], q % out[0]
    row_exists = o < out_channels
    column_exists = (q < batch * out[0]) & (b < out[1])
    h0 = a * stride[0] - padding[0]
    v0 = b * stride[1] - padding[1]
    x_column = x + group * in_channels * x_strides[1] + n * x_strides[0] + h0 * x_strides[2] + v0 * x_strides[3]
    w_row = w + group * w_strides[1] + o * w_strides[2]
    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=compute_dtype(x.dtype.element_ty))
    if FLAT:
        acc = reduce_flat(
            acc, x_column, w_row, row_exists, column_exists, h0, v0, in_channels, image, kernel, dilation, x_strides,
            PROLOGUE_A, PROLOGUE_B, DOT, PRECISION, BLOCK_K,
        )  # fmt: skip
    else:
        acc = reduce_by_tap(
            acc, x_column, w_row, row_exists, column_exists, h0, v0, in_channels, image, kernel, dilation, x_strides,
            w_strides, PADDED, PROLOGUE_A, PROLOGUE_B, DOT, PRECISION, BLOCK_K,
        )  # fmt: skip
    area = out[0] * out[1]
    if BLOCK_W == 0:  # one division for a column, where threads have many
        p = tile * BLOCK_N + tl.arange(0, BLOCK_N)
        n, spatial = p // area, p % area
    else:
        spatial = a * out[1] + b
    channel = (group * out_channels + o)[:, None]
    mask = row_exists[:, None] & column_exists[None, :]
    if Y_LAST and BLOCK_W == 0:  # no division at all
        offset = (p * (groups * out_channels))[None, :] + channel
    else:
        offset = offset_in_images(n, channel, spatial, groups * out_channels, area, Y_LAST)
    index = index_in_images(n[None, :], channel, spatial[None, :], Y_LAST)
    epilogue(acc, index, offset, mask, operands, outs, operand_sizes, operand_strides, EPILOGUE)


@triton.jit
def first_tap(phase, size, stride, dilation, step):
    """The first tap r with (phase - r dilation) divisible by the stride, and how many there are: r, r + step, ..."""
    first = size * 0 - 1
    for k in range(step):
        r = step - 1 - k
        first = tl.where((phase - r * dilation) % stride == 0, r, first)
    return first, tl.where(first < 0, 0, tl.maximum(size - first + step - 1, 0) // step)


@triton.jit
def taps_of_phase(phase, kernel, stride, padding, dilation, tap_step):
    """The first tap (r, c) that meets outputs from pixels of this phase, and how many do in either direction."""
    r, rows = first_tap(phase[0] + padding[0], kernel[0], stride[0], dilation[0], tap_step[0])
    c, columns = first_tap(phase[1] + padding[1], kernel[1], stride[1], dilation[1], tap_step[1])
    return (r, c), (rows, columns)


@triton.jit
def tap_of_phase(number, phase, first, count, stride, padding, dilation, tap_step):
    """The tap of that number, and by how much the output that it meets is off the pixel's index in its phase."""
    r = first[0] + number // count[1] * tap_step[0]
    c = first[1] + number % count[1] * tap_step[1]
    up = (phase[0] + padding[0] - r * dilation[0]) // stride[0]
    left = (phase[1] + padding[1] - c * dilation[1]) // stride[1]
    return r, c, up, left


@triton.jit
def input_gradient(
    dy,
    w,
    operands,
    outs,
    batch,
    groups,
    in_channels,
    out_channels,
    image,
    kernel,
    out,
    stride,
    padding,
    dilation,
    tap_step,
    w_strides,
    operand_sizes,
    operand_strides,
    PROLOGUE_A: tl.constexpr,
    PROLOGUE_B: tl.constexpr,
    EPILOGUE: tl.constexpr,
    DY_LAST: tl.constexpr,
    DX_LAST: tl.constexpr,
    DOT: tl.constexpr,
    PRECISION: tl.constexpr,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_K: tl.constexpr,
    BLOCK_W: tl.constexpr,
):
    """tap_step: stride / gcd(stride, dilation). Grid: (tiles of in_channels x of a phase, groups, phases)."""
    i, tile, group = program_tile(in_channels, BLOCK_M)
    pid = tl.program_id(2).to(batch.dtype)
    phase = (pid // stride[1], pid % stride[1])
    rows = tl.cdiv(image[0], stride[0])
    q, b = position_tile(tile, (rows, tl.cdiv(image[1], stride[1])), BLOCK_N, BLOCK_W)
    n, a = q // rows, q % rows
    h = a * stride[0] + phase[0]
    v = b * stride[1] + phase[1]
    exists = (n < batch) & (h < image[0]) & (v < image[1])
    first, count = taps_of_phase(phase, kernel, stride, padding, dilation, tap_step)

    area = out[0] * out[1]
    channel_step, pixel_step = steps_of(groups * out_channels, area, DY_LAST)
    dy_column = (
        dy + n * (groups * out_channels * area) + group * out_channels * channel_step + (a * out[1] + b) * pixel_step
    )
    w_row = w + group * w_strides[1] + i * w_strides[2]
    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=compute_dtype(dy.dtype.element_ty))
    blocks = tl.cdiv(out_channels, BLOCK_K)
    for step in range(count[0] * count[1] * blocks):
        o = step % blocks * BLOCK_K + tl.arange(0, BLOCK_K)
        r, c, up, left = tap_of_phase(step // blocks, phase, first, count, stride, padding, dilation, tap_step)
        mask = (exists & inside(a + up, b + left, out))[None, :] & (o < out_channels)[:, None]
        dy_tap = dy_column + (up * out[1] + left) * pixel_step
        dy_tile = tl.load(dy_tap[None, :] + (o * channel_step)[:, None], mask=mask, other=0)
        w_mask = (i < in_channels)[:, None] & (o < out_channels)[None, :]
        w_column = (r * kernel[1] + c) * w_strides[0] + o * w_strides[3]
        w_tile = tl.load(w_row[:, None] + w_column[None, :], mask=w_mask, other=0)
        acc = dot(prologue(w_tile, PROLOGUE_B), prologue(dy_tile, PROLOGUE_A), acc, DOT, PRECISION)
    channel = (group * in_channels + i)[:, None]
    pixel = h * image[1] + v
    offset = offset_in_images(n, channel, pixel, groups * in_channels, image[0] * image[1], DX_LAST)
    mask = (i < in_channels)[:, None] & exists[None, :]
    index = index_in_images(n[None, :], channel, pixel[None, :], DX_LAST)
    epilogue(acc, index, offset, mask, operands, outs, operand_sizes, operand_strides, EPILOGUE)


@triton.jit
def reduced_steps(images, out, BLOCK_K: tl.constexpr, BLOCK_W: tl.constexpr):
    """How many blocks of positions the weight gradient sums up."""
    if BLOCK_W == 0:
        return tl.cdiv(images * out[0] * out[1], BLOCK_K)
    else:
        return images * (tl.cdiv(out[0], BLOCK_K // BLOCK_W) * tl.cdiv(out[1], BLOCK_W))


@triton.jit
def moved(n, a, b, by, out):
    """Positions (image, row, column) moved on by so many. A carry costs less than the division of a position's number."""
    b = b + by % out[1]
    a = a + by // out[1] % out[0] + (b >= out[1]).to(a.dtype)
    b = tl.where(b >= out[1], b - out[1], b)
    n = n + by // out[1] // out[0] + (a >= out[0]).to(n.dtype)
    return n, tl.where(a >= out[0], a - out[0], a), b


@triton.jit
def columns_of_weight(tile, in_channels, taps, window, FLAT: tl.constexpr, LAST: tl.constexpr, BLOCK_N: tl.constexpr):
    """(input channels, tap) of a tile of the weight's columns, and which of them there are.

    The channels of a `window` end before `in_channels`, so that a run of loads begins with each tap.
    """
    if FLAT:
        column = tile * BLOCK_N + tl.arange(0, BLOCK_N)
        if LAST:
            i, tap = column % in_channels, column // in_channels
            exists = tap < taps
            if len(window) != 0:
                exists = exists & (i < window[0] * window[2])
        else:
            i, tap = column // taps, column % taps
            exists = i < in_channels
    else:
        tiles = tl.cdiv(in_channels, BLOCK_N)
        i, tap = tile % tiles * BLOCK_N + tl.arange(0, BLOCK_N), tile // tiles
        exists = i < in_channels
    return i, tap, exists


@triton.jit
def column_of_weight(i, tap, exists, in_channels, taps, window):
    """How many columns a row of the weight has, the one that (i, tap) is, and where it exists.

    `window` is () or, where windows are taken for channels, (channels of a pixel in memory, channels, pixels).
    """
    if len(window) == 0:
        return in_channels * taps, i * taps + tap, exists
    else:
        channel, pixel = i % window[0], i // window[0]
        column = (channel * taps + tap) * window[2] + pixel
        return window[1] * taps * window[2], column, exists & (channel < window[1])


@triton.jit
def reduce_positions(
    acc, dy_row, row_exists, x_column, column_exists, h0, v0, first, images, channels, image, out, stride, x_strides,
    PROLOGUE_A: tl.constexpr, PROLOGUE_B: tl.constexpr, FLAT: tl.constexpr, PADDED: tl.constexpr, LAST: tl.constexpr,
    DOT: tl.constexpr, PRECISION: tl.constexpr, BLOCK_K: tl.constexpr, BLOCK_W: tl.constexpr,
):  # fmt: skip
    """acc + dy x over the positions of `images` images from `first` on; (h0, v0) is the pixel under a column's tap at (0, 0).

    `channels` are those of dy in all groups.
    """
    area = out[0] * out[1]
    _, pixel_step = steps_of(channels, area, LAST)
    if BLOCK_W == 0:
        q, b = position_tile(first * 0, out, BLOCK_K, BLOCK_W)
        n, a = first + q // out[0], q % out[0]
    else:
        blocks = tl.cdiv(out[0], BLOCK_K // BLOCK_W) * tl.cdiv(out[1], BLOCK_W)
    for step in range(reduced_steps(images, out, BLOCK_K, BLOCK_W)):
        if BLOCK_W == 0:
            exists = n < first + images
            p = first * area + step * BLOCK_K + tl.arange(0, BLOCK_K)
            dy_column = p * pixel_step
        else:
            n = first + step // blocks
            a, b = position_tile(step % blocks, out, BLOCK_K, BLOCK_W)
            exists = (a < out[0]) & (b < out[1])
            dy_column = n * (channels * area) + (a * out[1] + b) * pixel_step
        h, v = a * stride[0], b * stride[1]
        if not PADDED:
            mask = exists[:, None]
        elif FLAT:
            mask = inside(h[:, None] + h0[None, :], v[:, None] + v0[None, :], image) & exists[:, None]
        else:  # one tap for all columns: one mask for all
            mask = (inside(h + h0, v + v0, image) & exists)[:, None]
        mask = mask & column_exists[None, :]
        x_row = n * x_strides[0] + h * x_strides[2] + v * x_strides[3]
        x_tile = tl.load(x_column[None, :] + x_row[:, None], mask=mask, other=0)
        if BLOCK_W == 0:
            exists = p < (first + images) * area
        dy_tile = tl.load(dy_row[:, None] + dy_column[None, :], mask=row_exists[:, None] & exists[None, :], other=0)
        acc = dot(prologue(dy_tile, PROLOGUE_A), prologue(x_tile, PROLOGUE_B), acc, DOT, PRECISION)
        if BLOCK_W == 0:
            n, a, b = moved(n, a, b, BLOCK_K, out)
    return acc


@triton.jit
def weight_gradient(
    dy,
    x,
    operands,
    outs,
    batch,
    images_per_split,
    groups,
    in_channels,
    out_channels,
    image,
    kernel,
    out,
    stride,
    padding,
    dilation,
    x_strides,
    window,
    operand_sizes,
    operand_strides,
    PROLOGUE_A: tl.constexpr,
    PROLOGUE_B: tl.constexpr,
    EPILOGUE: tl.constexpr,
    FLAT: tl.constexpr,
    PADDED: tl.constexpr,
    LAST: tl.constexpr,
    DOT: tl.constexpr,
    PRECISION: tl.constexpr,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_K: tl.constexpr,
    BLOCK_W: tl.constexpr,
):
    """Part `split` of dw, rows by columns. Grid: (tiles of out_channels x of columns, groups, splits of the batch).

    Columns are channels and taps (i, r, c) as one axis if FLAT, otherwise the channels of one tap after the other. LAST: dy is
    channels-last, and so are the columns of FLAT: (r, c, i). `window` as in `column_of_weight`.
    """
    taps = kernel[0] * kernel[1]
    o, tile, group = program_tile(out_channels, BLOCK_M)
    split = tl.program_id(2).to(batch.dtype)
    i, tap, column_exists = columns_of_weight(tile, in_channels, taps, window, FLAT, LAST, BLOCK_N)
    r, c = tap_offset(tap, kernel, dilation)
    h0, v0 = r - padding[0], c - padding[1]
    x_column = x + (group * in_channels + i) * x_strides[1] + (h0 * x_strides[2] + v0 * x_strides[3])
    channel_step, _ = steps_of(groups * out_channels, out[0] * out[1], LAST)
    dy_row = dy + (group * out_channels + o) * channel_step
    first = split * images_per_split
    images = tl.minimum(batch - first, images_per_split)
    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=compute_dtype(x.dtype.element_ty))
    acc = reduce_positions(
        acc, dy_row, o < out_channels, x_column, column_exists, h0, v0, first, images, groups * out_channels, image, out,
        stride, x_strides, PROLOGUE_A, PROLOGUE_B, FLAT, PADDED, LAST, DOT, PRECISION, BLOCK_K, BLOCK_W,
    )  # fmt: skip
    row = ((split * groups + group) * out_channels + o)[:, None]
    columns, column, column_exists = column_of_weight(i, tap, column_exists, in_channels, taps, window)
    offset = row * columns + column[None, :]
    mask = (o < out_channels)[:, None] & column_exists[None, :]
    epilogue(acc, (row, column[None, :]), offset, mask, operands, outs, operand_sizes, operand_strides, EPILOGUE)
