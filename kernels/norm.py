"""Layer normalisation of rows: y = (x - mean) rstd w + b over `cols` neighbours, with two-pass statistics.

With xhat = (x - mean) rstd and g = dy w:

    dx = rstd (g - mean(g) - xhat mean(g xhat))     dw = sum over rows of dy xhat     db = sum over rows of dy

x is (rows, cols), contiguous. A row that fits in a tile is read once (WHOLE), a longer one is walked. dw and db are sums
over rows in two steps: parts of the rows, then the parts in order. weight and bias are tuples of no or one pointer.
With a `residual`, also such a tuple, what is normalised is the sum x + residual, rounded to their dtype, which is a result as well;
the gradient of that result, `added`, is added to dx.
Without CENTER the mean is 0 throughout: root-mean-square normalisation.
"""

import triton
import triton.language as tl

from .block_sizes import next_power_of_2
from .dtypes import compute_dtype
from .elementwise import cache_modifier, write_all
from .epilogue import epilogue, with_operands
from .facts import DeviceFacts
from .functions.rows import add_pairs, row_deviations


@triton.jit
def scale_of(pointers, c, mask, default: tl.constexpr, dtype: tl.constexpr):
    """pointers[0][c], or the default where the tensor is absent."""
    if len(pointers) == 0:
        return default
    else:
        return tl.load(pointers[0] + c, mask=mask, other=0).to(dtype)


@triton.jit
def row_indices(rows, ROWS: tl.constexpr, COLS: tl.constexpr):
    r = tl.program_id(0).to(rows.dtype) * ROWS + tl.arange(0, ROWS)
    return r[:, None], tl.arange(0, COLS)[None, :]


@triton.jit
def row_mean(total, cols, dtype: tl.constexpr):
    return tl.sum(total, axis=1, keep_dims=True) / cols.to(dtype)


@triton.jit
def load_sum(x, residual, at, mask, dtype: tl.constexpr):
    """x + residual, or x where there is none, in x's own dtype."""
    value = tl.load(x + at, mask=mask, other=0)
    if len(residual) == 0:
        return value
    else:
        other = tl.load(residual[0] + at, mask=mask, other=0)
        return (value.to(dtype) + other.to(dtype)).to(x.dtype.element_ty)


@triton.jit
def forward(
    x,
    residual,
    weight,
    bias,
    y,
    total_out,
    mean_out,
    rstd_out,
    eps,
    rows,
    cols,
    CENTER: tl.constexpr,
    CACHE: tl.constexpr,
    WHOLE: tl.constexpr,
    ROWS: tl.constexpr,
    COLS: tl.constexpr,
):
    """Grid: (tiles of rows,)."""
    dtype: tl.constexpr = compute_dtype(x.dtype.element_ty)
    r, c = row_indices(rows, ROWS, COLS)
    row = x + r * cols
    mean = tl.zeros((ROWS, 1), dtype)
    if WHOLE:
        mask = (r < rows) & (c < cols)
        value = load_sum(x, residual, r * cols + c, mask, dtype)
        if len(residual) == 1:
            tl.store(total_out[0] + r * cols + c, value, mask=mask, cache_modifier=CACHE)
        v = value.to(dtype)
        if CENTER:
            v, mean, var = row_deviations(v, mask, cols)
        else:
            var = row_mean(v * v, cols, dtype)
        rstd = 1 / tl.sqrt(var + eps)
        result = v * rstd * scale_of(weight, c, c < cols, 1, dtype) + scale_of(bias, c, c < cols, 0, dtype)
        tl.store(y + r * cols + c, result.to(y.dtype.element_ty), mask=mask, cache_modifier=CACHE)
    else:
        if len(residual) == 1:
            for start in range(0, cols, COLS):
                mask = (r < rows) & (start + c < cols)
                value = load_sum(x, residual, r * cols + start + c, mask, dtype)
                tl.store(total_out[0] + r * cols + start + c, value, mask=mask, cache_modifier=CACHE)
            row = total_out[0] + r * cols
        count = cols.to(tl.float64)
        if CENTER:
            total = tl.zeros((ROWS, 1), tl.float64)
            for start in range(0, cols, COLS):
                v = tl.load(row + start + c, mask=(r < rows) & (start + c < cols), other=0).to(dtype)
                total += tl.sum(v, axis=1, keep_dims=True)
            mean = (total / count).to(dtype)
        error = tl.zeros((ROWS, 1), tl.float64)  # of the mean, as it is rounded
        total = tl.zeros((ROWS, 1), tl.float64)
        for start in range(0, cols, COLS):
            mask = (r < rows) & (start + c < cols)
            v = tl.where(mask, tl.load(row + start + c, mask=mask, other=0).to(dtype) - mean, 0)
            if CENTER:
                error += tl.sum(v, axis=1, keep_dims=True)
            total += tl.sum(v * v, axis=1, keep_dims=True)
        error = error / count
        rstd = 1 / tl.sqrt((total / count - error * error).to(dtype) + eps)
        for start in range(0, cols, COLS):
            mask = (r < rows) & (start + c < cols)
            v = (tl.load(row + start + c, mask=mask, other=0).to(dtype) - mean - error.to(dtype)) * rstd
            inside = start + c < cols
            result = v * scale_of(weight, start + c, inside, 1, dtype) + scale_of(bias, start + c, inside, 0, dtype)
            tl.store(y + r * cols + start + c, result.to(y.dtype.element_ty), mask=mask, cache_modifier=CACHE)
    tl.store(mean_out + r, mean, mask=r < rows)
    tl.store(rstd_out + r, rstd, mask=r < rows)


@triton.jit
def gradient_parts(dy, x, weight, mean, rstd, r, c, rows, cols, dtype: tl.constexpr):
    """(dy w, xhat) of a tile; both 0 outside of it."""
    mask = (r < rows) & (c < cols)
    g = tl.load(dy + r * cols + c, mask=mask, other=0).to(dtype) * scale_of(weight, c, c < cols, 1, dtype)
    v = tl.load(x + r * cols + c, mask=mask, other=0).to(dtype)
    return g, tl.where(mask, (v - mean) * rstd, 0)


@triton.jit
def backward(
    dy,
    x,
    weight,
    mean_in,
    rstd_in,
    added,
    dx,
    rows,
    cols,
    CENTER: tl.constexpr,
    CACHE: tl.constexpr,
    WHOLE: tl.constexpr,
    ROWS: tl.constexpr,
    COLS: tl.constexpr,
):
    """dx, plus what is `added`. Grid: (tiles of rows,)."""
    dtype: tl.constexpr = compute_dtype(x.dtype.element_ty)
    r, c = row_indices(rows, ROWS, COLS)
    mean = tl.load(mean_in + r, mask=r < rows, other=0)
    rstd = tl.load(rstd_in + r, mask=r < rows, other=0)
    mean_g = tl.zeros((ROWS, 1), dtype)
    if WHOLE:
        g, xhat = gradient_parts(dy, x, weight, mean, rstd, r, c, rows, cols, dtype)
        if CENTER:
            mean_g = row_mean(g, cols, dtype)
        result = rstd * (g - mean_g - xhat * row_mean(g * xhat, cols, dtype))
        result += scale_of(added, r * cols + c, (r < rows) & (c < cols), 0, dtype)
        tl.store(dx + r * cols + c, result.to(dx.dtype.element_ty), mask=(r < rows) & (c < cols), cache_modifier=CACHE)
    else:
        total = tl.zeros((ROWS, COLS), dtype)
        product = tl.zeros((ROWS, COLS), dtype)
        for start in range(0, cols, COLS):
            g, xhat = gradient_parts(dy, x, weight, mean, rstd, r, start + c, rows, cols, dtype)
            total += g
            product += g * xhat
        if CENTER:
            mean_g = row_mean(total, cols, dtype)
        mean_product = row_mean(product, cols, dtype)
        for start in range(0, cols, COLS):
            g, xhat = gradient_parts(dy, x, weight, mean, rstd, r, start + c, rows, cols, dtype)
            result = rstd * (g - mean_g - xhat * mean_product)
            mask = (r < rows) & (start + c < cols)
            result += scale_of(added, r * cols + start + c, mask, 0, dtype)
            tl.store(dx + r * cols + start + c, result.to(dx.dtype.element_ty), mask=mask, cache_modifier=CACHE)


@triton.jit
def parameter_sums(
    dy,
    x,
    mean_in,
    rstd_in,
    sums,
    rows,
    rows_per_split,
    cols,
    ROWS: tl.constexpr,
    COLS: tl.constexpr,
):
    """sums: (2, splits, cols), parts of sum(dy xhat) and of sum(dy). Grid: (tiles of columns, splits of the rows)."""
    dtype: tl.constexpr = compute_dtype(x.dtype.element_ty)
    split = tl.program_id(1).to(rows.dtype)
    first = split * rows_per_split
    end = tl.minimum(first + rows_per_split, rows)
    c = tl.program_id(0).to(rows.dtype) * COLS + tl.arange(0, COLS)
    product = tl.zeros((ROWS, COLS), dtype)
    total = tl.zeros((ROWS, COLS), dtype)
    for start in range(first, end, ROWS):
        r = start + tl.arange(0, ROWS)
        mean = tl.load(mean_in + r, mask=r < end, other=0)[:, None]
        rstd = tl.load(rstd_in + r, mask=r < end, other=0)[:, None]
        g, xhat = gradient_parts(dy, x, (), mean, rstd, r[:, None], c[None, :], end, cols, dtype)
        product += g * xhat
        total += g
    tl.store(sums + split * cols + c, tl.sum(product, 0), mask=c < cols)
    tl.store(sums + (tl.num_programs(1) + split) * cols + c, tl.sum(total, 0), mask=c < cols)


@triton.jit
def finish_parameter_sums(sums, dweight, dbias, cols, splits, BLOCK: tl.constexpr):
    """dw and db, each a tuple of no or one pointer, from the sums of the splits. Grid: (tiles of columns,)."""
    c = tl.program_id(0).to(cols.dtype) * BLOCK + tl.arange(0, BLOCK)
    mask = c < cols
    product = tl.zeros((BLOCK,), sums.dtype.element_ty)
    total = tl.zeros((BLOCK,), sums.dtype.element_ty)
    for k in range(splits):
        product += tl.load(sums + k * cols + c, mask=mask, other=0)
        total += tl.load(sums + (splits + k) * cols + c, mask=mask, other=0)
    for i in tl.static_range(len(dweight)):
        tl.store(dweight[i] + c, product.to(dweight[i].dtype.element_ty), mask=mask)
    for i in tl.static_range(len(dbias)):
        tl.store(dbias[i] + c, total.to(dbias[i].dtype.element_ty), mask=mask)


@triton.jit
def _loaded(dy, x, r, c, rows, cols):
    mask = (r < rows) & (c < cols)
    return tl.load(dy + r * cols + c, mask=mask, other=0), tl.load(x + r * cols + c, mask=mask, other=0)


@triton.jit
def gradients(
    dy,
    x,
    weight,
    mean_in,
    rstd_in,
    sums,
    added,
    operands,
    outs,
    rows,
    cols,
    operand_sizes,
    operand_strides,
    CENTER: tl.constexpr,
    EPILOGUE: tl.constexpr,
    ROWS: tl.constexpr,
    COLS: tl.constexpr,
):
    """outs = EPILOGUE(dx, operands), and parts of sum(dy xhat) and of sum(dy), for rows that fit in a tile: dy and x are read once.

    What is `added` belongs to dx.

    A program takes every num_programs-th tile of rows, and loads the next one before it reduces this one.
    sums: (2, programs, cols). Grid: as many programs as a GPU runs at once.
    """
    dtype: tl.constexpr = compute_dtype(x.dtype.element_ty)
    r, c = row_indices(rows, ROWS, COLS)
    w = scale_of(weight, c, c < cols, 1, dtype)
    product = tl.zeros((ROWS, COLS), dtype)
    total = tl.zeros((ROWS, COLS), dtype)
    every = tl.num_programs(0).to(rows.dtype) * ROWS
    g_here, x_here = _loaded(dy, x, r, c, rows, cols)
    for _ in range(tl.program_id(0).to(rows.dtype) * ROWS, rows, every):
        g_next, x_next = _loaded(dy, x, r + every, c, rows, cols)
        mean = tl.load(mean_in + r, mask=r < rows, other=0)
        rstd = tl.load(rstd_in + r, mask=r < rows, other=0)
        mask = (r < rows) & (c < cols)
        g = g_here.to(dtype)
        xhat = tl.where(mask, (x_here.to(dtype) - mean) * rstd, 0)
        total += g
        product += g * xhat
        g *= w
        sum_g, sum_product = tl.reduce((g, g * xhat), 1, add_pairs, keep_dims=True)
        result = g - xhat * (sum_product / cols.to(dtype))
        if CENTER:
            result -= sum_g / cols.to(dtype)
        result = rstd * result
        if len(added) == 1:
            result += scale_of(added, r * cols + c, mask, 0, dtype)
        epilogue(result, (r, c), r * cols + c, mask, operands, outs, operand_sizes, operand_strides, EPILOGUE)
        r += every
        g_here, x_here = g_next, x_next
    part = sums + tl.program_id(0).to(rows.dtype) * cols + tl.arange(0, COLS)
    inside = tl.arange(0, COLS) < cols
    tl.store(part, tl.sum(product, 0), mask=inside)
    tl.store(part + tl.num_programs(0).to(rows.dtype) * cols, tl.sum(total, 0), mask=inside)


@triton.jit
def strip_gradients(
    dy,
    x,
    weight,
    mean_in,
    rstd_in,
    sums,
    added,
    operands,
    outs,
    rows,
    rows_per_strip,
    cols,
    operand_sizes,
    operand_strides,
    CENTER: tl.constexpr,
    EPILOGUE: tl.constexpr,
    CACHE: tl.constexpr,
    ROWS: tl.constexpr,
    COLS: tl.constexpr,
):
    """`gradients` for a CPU, whose caches hold the sums: a program walks over a strip of neighbouring rows. Grid: (strips,)."""
    dtype: tl.constexpr = compute_dtype(x.dtype.element_ty)
    strip, c = tl.program_id(0).to(rows.dtype), tl.arange(0, COLS)[None, :]
    w = scale_of(weight, c, c < cols, 1, dtype)
    product = tl.zeros((1, COLS), dtype)
    total = tl.zeros((1, COLS), dtype)
    end = tl.minimum((strip + 1) * rows_per_strip, rows)
    for first in range(strip * rows_per_strip, end, ROWS):
        r = first + tl.arange(0, ROWS)[:, None]
        mask = (r < end) & (c < cols)
        mean = tl.load(mean_in + r, mask=r < end, other=0)
        rstd = tl.load(rstd_in + r, mask=r < end, other=0)
        g = tl.load(dy + r * cols + c, mask=mask, other=0).to(dtype)
        xhat = tl.where(mask, (tl.load(x + r * cols + c, mask=mask, other=0).to(dtype) - mean) * rstd, 0)
        of_rows, product_of_rows = tl.reduce((g, g * xhat), 0, add_pairs, keep_dims=True)
        total += of_rows
        product += product_of_rows
        g *= w
        sum_g, sum_product = tl.reduce((g, g * xhat), 1, add_pairs, keep_dims=True)
        result = g - xhat * (sum_product / cols.to(dtype))
        if CENTER:
            result -= sum_g / cols.to(dtype)
        result = rstd * result + scale_of(added, r * cols + c, mask, 0, dtype)
        result = with_operands(result, (r, c), mask, operands, operand_sizes, operand_strides, EPILOGUE)
        write_all(outs, r * cols + c, result, mask, CACHE)
    part = sums + strip * cols + c
    tl.store(part, product, mask=c < cols)
    tl.store(part + tl.num_programs(0).to(rows.dtype) * cols, total, mask=c < cols)


@triton.jit
def finish_gradients(sums, dweight, dbias, cols, programs, ROWS: tl.constexpr, COLS: tl.constexpr):
    """dw and db from the sums of the programs of `gradients`. Grid: (tiles of columns,)."""
    c = tl.program_id(0).to(cols.dtype) * COLS + tl.arange(0, COLS)
    product = tl.zeros((ROWS, COLS), sums.dtype.element_ty)
    total = tl.zeros((ROWS, COLS), sums.dtype.element_ty)
    for start in range(0, programs, ROWS):
        r = start + tl.arange(0, ROWS)[:, None]
        mask = (r < programs) & (c < cols)[None, :]
        part = sums + r * cols + c[None, :]
        product += tl.load(part, mask=mask, other=0)
        total += tl.load(part + programs * cols, mask=mask, other=0)
    tl.store(dweight + c, tl.sum(product, 0).to(dweight.dtype.element_ty), mask=c < cols)
    tl.store(dbias + c, tl.sum(total, 0).to(dbias.dtype.element_ty), mask=c < cols)


def read_once(facts: DeviceFacts, cols: int, itemsize: int) -> bool:
    """Whether rows of so many elements of `itemsize` bytes fit in the registers of a GPU's program of `gradients`, or a cache."""
    if facts.kind == "cpu":
        return 0 < cols <= 8192
    longest = 8192 if itemsize == 2 and cols % 16 == 0 else 4096
    return itemsize <= 4 and 0 < cols <= longest


def gradients_config(facts: DeviceFacts, rows: int, cols: int, itemsize: int) -> dict:
    """The blocks of `gradients` or `strip_gradients`, the number of its programs, and its warps."""
    width = next_power_of_2(cols)
    if facts.kind == "cpu":
        cache = cache_modifier(facts, 3 * rows * cols * itemsize)
        strips = 1 if rows < 64 else 16 if rows < 2048 else 64  # for any number of threads; few numbers, for graphs over sizes
        return {"blocks": {"CACHE": cache, "ROWS": 2, "COLS": width}, "programs": strips, "num_warps": 1}
    height = min(next_power_of_2(max(rows, 1)), max(4096 // width, 1))
    elements = 512 if cols % 16 == 0 else 256  # of a warp; those of rows at odd addresses need more registers
    warps = min(max(width * height // elements, 1), 16)
    at_once = max(32 // (warps * itemsize), 1)  # programs that the registers of a multiprocessor hold
    programs = min(-(-rows // height), facts.processors * at_once)
    return {"blocks": {"ROWS": height, "COLS": width}, "programs": max(programs, 1), "num_warps": warps}


def config(facts: DeviceFacts, rows: int, cols: int, itemsize: int = 4, moved: int = 1) -> dict:
    """Constexprs of the row kernels (`row`), of `parameter_sums` (`sums`) and of `finish_parameter_sums` (`finish`).

    moved: how many tensors of this size the row kernel reads and writes.

    Numbers of 8 bytes take two registers of a GPU: twice the threads hold a tile of them, and no row of 8192.
    """
    double = facts.kind == "gpu" and itemsize > 4
    whole, tile = (8192, 1024) if facts.kind == "cpu" else (4096 if double else 8192, 4096)
    width = min(next_power_of_2(max(cols, 1)), whole)
    height = min(next_power_of_2(max(rows, 1)), max(tile // width, 1))
    columns = min(next_power_of_2(max(cols, 1)), 1024 if facts.kind == "cpu" else 128)  # long runs of memory, on a CPU
    return {
        "row": {"ROWS": height, "COLS": width, "WHOLE": cols <= width},
        "sums": {"ROWS": min(max(1024 // columns, 1), 8) if facts.kind == "cpu" else 32, "COLS": columns},
        "finish": {"BLOCK": 128},
        "cache": cache_modifier(facts, moved * rows * cols * itemsize),
        "num_warps": facts.warps(8 if width > 4096 or double else 4),
        "num_stages": 1,
    }


def splits_of_rows(facts: DeviceFacts, rows: int, cols: int, columns: int) -> int:
    """The number of splits of the rows for the sums over rows: there are then enough programs."""
    wanted = 4 * facts.processors if facts.kind == "gpu" else 2
    return max(1, min(wanted // -(-cols // columns), rows // 32, 64))
