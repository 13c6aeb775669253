"""Depthwise convolution of channels-last images on a CPU: a program has the channels of two registers in a row of the result.

Where all taps of a column are inside of the image, COLUMNS are computed at once, with weights in registers. Elsewhere a column is
computed by itself, from the taps that are inside. So no pixel has a mask of its own. Formulas and conventions: see conv.py; weights
are (taps, channels).
"""

import triton
import triton.language as tl

from .dtypes import compute_dtype
from .epilogue import epilogue
from .facts import DeviceFacts


@triton.jit
def taps_inside(first, size, taps, dilation):
    """The first tap that is inside of an image of so many pixels, and the end of those that are, from pixel `first` on."""
    return tl.maximum(tl.cdiv(-first, dilation), 0), tl.minimum(tl.cdiv(size - first, dilation), taps)


@triton.jit
def columns_inside(image, taps, out, stride, padding, dilation):
    """The first column all of whose taps are inside, and the end of such columns."""
    last = tl.maximum(image + padding - (taps - 1) * dilation, 0)
    return tl.cdiv(padding, stride), tl.minimum(tl.cdiv(last, stride), out)


@triton.jit
def plus_tap(x, w, acc, mask):
    """acc plus pixels times the weights of a tap; no mask where all channels exist."""
    if mask is None:
        return acc + tl.load(x).to(acc.dtype) * tl.load(w).to(acc.dtype)
    else:
        return acc + tl.load(x, mask=mask, other=0).to(acc.dtype) * tl.load(w, mask=mask, other=0).to(acc.dtype)


@triton.jit
def sums(
    x, w, c, at, first, rows, line, channels, multiplier, width, kernel, dilation, mask, INSIDE: tl.constexpr,
    COLUMNS: tl.constexpr, COLS: tl.constexpr,
):  # fmt: skip
    """The sums of columns whose first pixels are `at`; `first`: of the first one. INSIDE: which taps are known to be inside.

    x and w begin at the first of the `rows` rows of taps that are inside; rows of x are `line` pixels apart.
    """
    acc = tl.zeros((COLUMNS, COLS), compute_dtype(x.dtype.element_ty))
    pixel = channels // multiplier
    x += at * pixel + c // multiplier
    if INSIDE == "all":
        for r in tl.static_range(kernel[0]):
            for s in tl.static_range(kernel[1]):
                acc = plus_tap(x + (r * line + s * dilation) * pixel, w + ((r * kernel[1] + s) * channels + c), acc, mask)
    elif INSIDE == "columns":
        for _ in range(rows):
            for s in tl.static_range(kernel[1]):
                acc = plus_tap(x + s * dilation * pixel, w + (s * channels + c), acc, mask)
            x += line * pixel
            w += kernel[1] * channels
    else:
        begin, end = taps_inside(first, width, kernel[1], dilation)
        for _ in range(rows):
            for s in range(begin, end):
                acc = plus_tap(x + s * dilation * pixel, w + (s * channels + c), acc, mask)
            x += line * pixel
            w += kernel[1] * channels
    return acc


@triton.jit
def store_columns(
    x, w, operands, outs, n, a, b, done, c, rows, line, channels, multiplier, width, kernel, out, stride, padding, dilation,
    operand_sizes, operand_strides, mask, EPILOGUE: tl.constexpr, INSIDE: tl.constexpr, COLUMNS: tl.constexpr, COLS: tl.constexpr,
):  # fmt: skip
    """Columns from b on of row a of image n. Those before `done` are there already."""
    column = b + tl.arange(0, COLUMNS)[:, None]
    first = b * stride - padding
    acc = sums(
        x, w, c, column * stride - padding, first, rows, line, channels, multiplier, width, kernel, dilation, mask, INSIDE,
        COLUMNS, COLS,
    )
    p = a * out[1] + column
    offset = (n * (out[0] * out[1]) + p) * channels + c
    exists = (column >= done) & (c >= 0 if mask is None else mask)
    epilogue(acc, (n, p, c), offset, exists, operands, outs, operand_sizes, operand_strides, EPILOGUE)


@triton.jit
def store_row(
    x, w, operands, outs, n, a, c, channels, multiplier, image, kernel, out, stride, padding, dilation, operand_sizes,
    operand_strides, mask, EPILOGUE: tl.constexpr, SMALL: tl.constexpr, COLUMNS: tl.constexpr, COLS: tl.constexpr,
):  # fmt: skip
    """Row a of image n."""
    top = a * stride[0] - padding[0]
    r, r_end = taps_inside(top, image[0], kernel[0], dilation[0])
    x += ((n * image[0] + top + r * dilation[0]) * image[1]) * (channels // multiplier)
    w += r * kernel[1] * channels
    rows, line = r_end - r, dilation[0] * image[1]
    begin, end = columns_inside(image[1], kernel[1], out[1], stride[1], padding[1], dilation[1])
    b = begin * 0
    while b < out[1]:
        if (b >= begin) & (b < end) & (begin + COLUMNS <= end):
            first = tl.minimum(b, end - COLUMNS)
            if SMALL and rows == kernel[0]:
                store_columns(
                    x, w, operands, outs, n, a, first, b, c, rows, line, channels, multiplier, image[1], kernel, out, stride[1],
                    padding[1], dilation[1], operand_sizes, operand_strides, mask, EPILOGUE, "all", COLUMNS, COLS,
                )  # fmt: skip
            else:
                store_columns(
                    x, w, operands, outs, n, a, first, b, c, rows, line, channels, multiplier, image[1], kernel, out, stride[1],
                    padding[1], dilation[1], operand_sizes, operand_strides, mask, EPILOGUE, "columns", COLUMNS, COLS,
                )  # fmt: skip
            b = tl.minimum(b + COLUMNS, end)
        else:
            store_columns(
                x, w, operands, outs, n, a, b, b, c, rows, line, channels, multiplier, image[1], kernel, out, stride[1], padding[1],
                dilation[1], operand_sizes, operand_strides, mask, EPILOGUE, "", 1, COLS,
            )  # fmt: skip
            b += 1


@triton.jit
def forward_rows(
    x, w, operands, outs, channels, multiplier, image, kernel, out, stride, padding, dilation, operand_sizes, operand_strides,
    EPILOGUE: tl.constexpr, SMALL: tl.constexpr, COLUMNS: tl.constexpr, COLS: tl.constexpr,
):  # fmt: skip
    """`channels` are those of the result. SMALL: no loop where all taps are inside. Grid: (rows x blocks of channels,)."""
    blocks = tl.cdiv(channels, COLS)
    pid = tl.program_id(0).to(channels.dtype)
    row, block = pid // blocks, pid % blocks
    c = (block * COLS + tl.arange(0, COLS))[None, :]
    if (block + 1) * COLS <= channels:
        store_row(
            x, w, operands, outs, row // out[0], row % out[0], c, channels, multiplier, image, kernel, out, stride, padding,
            dilation, operand_sizes, operand_strides, None, EPILOGUE, SMALL, COLUMNS, COLS,
        )  # fmt: skip
    else:
        store_row(
            x, w, operands, outs, row // out[0], row % out[0], c, channels, multiplier, image, kernel, out, stride, padding,
            dilation, operand_sizes, operand_strides, c < channels, EPILOGUE, SMALL, COLUMNS, COLS,
        )  # fmt: skip


def config(facts: DeviceFacts, rows: int, channels: int) -> tuple[dict, int]:
    """The configuration for so many rows of results, and the number of programs.

    One register of channels is slower, as its tile takes lanes of several columns. So are 2 or 8 columns.
    """
    columns = 2 * facts.lanes
    found = {"constexprs": {"COLUMNS": 4, "COLS": columns}, "num_warps": 1, "num_stages": 1}
    return found, rows * -(-channels // columns)
