"""Products with weights of few bits: y = x @ W transposed + bias, with W made of codes, scales and zero points as it is loaded.

    W[n, k] = value(code[n, k]) * scale[n, k // GROUP] + zero[n, k // GROUP]         GROUP 0: a scale for each row

int8 and float8: the codes are numbers, (N, K); float8_e4m3fn are read as bytes. int4 and nf4: words (N, 32 * chunks) of 32 bits, 32
words for 256 elements of a row. Bits 4 i .. 4 i + 3 of word j are element 32 i + j: so one mask gives 32 neighbours, which share a
scale. Codes of int4 are in two's complement; those of nf4 are positions in a table (Dettmers et al., 2023).

`rows`: few rows of x, bound by the memory of W. `product`: more, by matrix units. `dequantize`: W itself.
"""

import triton
import triton.language as tl

from .block_sizes import shape_class
from .dtypes import compute_dtype
from .facts import DeviceFacts
from .functions.float8 import e4m3fn_to_float, float_to_e4m3fn
from .functions.memory import cast

CHUNK = 256  # elements of a row in 32 words


@triton.jit
def nf4(code):
    """Quantiles of the normal distribution: number `code` of 16, from -1 to 1, chosen bit by bit."""
    low = code & 1 == 1
    second = code & 2 == 2
    a = tl.where(second, tl.where(low, -0.39491748809814453, -0.5250730514526367), tl.where(low, -0.6961928009986877, -1.0))
    b = tl.where(second, tl.where(low, 0.0, -0.09105003625154495), tl.where(low, -0.18477343022823334, -0.28444138169288635))
    c0, c1 = tl.where(low, 0.16093020141124725, 0.07958029955625534), tl.where(low, 0.33791524171829224, 0.24611230194568634)
    c = tl.where(second, c1, c0)
    d = tl.where(second, tl.where(low, 1.0, 0.7229568362236023), tl.where(low, 0.5626170039176941, 0.44070982933044434))
    return tl.where(code & 8 == 8, tl.where(code & 4 == 4, d, c), tl.where(code & 4 == 4, b, a))


@triton.jit
def unpacked(words, PIECE: tl.constexpr, FORM: tl.constexpr):
    """The numbers of 32 neighbours of each row, float32, from the words of a chunk."""
    if FORM == "nf4":
        return nf4((words >> (4 * PIECE)) & 15)
    else:
        return ((words << (28 - 4 * PIECE)) >> 28).to(tl.float32)


@triton.constexpr_function
def is_whole(FORM):
    """Whether a code is a byte, and no part of a word."""
    return FORM in ("int8", "float8")


@triton.jit
def number_of(byte, FORM: tl.constexpr):
    """The numbers of codes that are bytes, float32."""
    if FORM == "int8":
        return byte.to(tl.float32)
    else:
        return e4m3fn_to_float(byte)


@triton.jit
def numbers(codes, packed, table, j, left, PIECE: tl.constexpr, WIDTH: tl.constexpr, FORM: tl.constexpr, EVEN: tl.constexpr):
    """The numbers of a piece: of the words, or loaded from the addresses of bytes at the columns of a chunk that are `left`.

    Those of words are looked up in a table of the 16 codes' numbers, which is a register of a CPU, or computed if it is None.
    """
    if not is_whole(FORM):
        if table is None:
            return unpacked(packed, PIECE, FORM)
        else:
            return tl.gather(table, (packed >> (4 * PIECE)) & 15, 1)
    elif EVEN:
        return number_of(tl.load(codes + (WIDTH * PIECE + j)[None, :]), FORM)
    else:
        k = WIDTH * PIECE + j
        return number_of(tl.load(codes + k[None, :], mask=k[None, :] < left, other=0), FORM)


@triton.constexpr_function
def step_of(columns, FORM):
    """From the codes of a chunk to those of the next one: bytes, or words."""
    return columns if is_whole(FORM) else columns // 8


@triton.jit
def words_of(codes, j, FORM: tl.constexpr):
    """The words of a chunk; of bytes there are none, and 0 stands for them."""
    if is_whole(FORM):
        return 0
    else:
        return tl.load(codes + j[None, :])


@triton.jit
def of_group(scales, steps, row, groups, start, FIRST: tl.constexpr, GROUP: tl.constexpr, EVEN: tl.constexpr):
    """What rows have for the group of column `start` + FIRST; behind the last column, for the last group."""
    if GROUP == 0:
        group = 0
    elif GROUP <= FIRST:
        group = start // GROUP + FIRST // GROUP
    else:
        group = start // GROUP
    if not EVEN:
        group = tl.minimum(group, groups - 1)
    return tl.load(scales + row * steps[0] + group * steps[1]).to(tl.float32)


@triton.jit
def scaled(
    numbers, scales, zeros, row, start, groups, s_strides, z_strides,
    FIRST: tl.constexpr, GROUP: tl.constexpr, EVEN: tl.constexpr,
):  # fmt: skip
    """The elements of a row of W that numbers of the group of column `start` + FIRST stand for; the numbers if GROUP is 0."""
    if GROUP != 0:
        numbers = numbers * of_group(scales, s_strides, row, groups, start, FIRST, GROUP, EVEN)
        if zeros is not None:
            numbers += of_group(zeros, z_strides, row, groups, start, FIRST, GROUP, EVEN)
    return numbers


@triton.jit
def elements(x, step, j, left, FIRST: tl.constexpr, EVEN: tl.constexpr):
    """Elements of a row of x from column FIRST of a chunk on, 0 where no column is `left`."""
    if EVEN:
        return tl.load(x + (FIRST + j) * step).to(compute_dtype(x.dtype.element_ty))
    else:
        return tl.load(x + (FIRST + j) * step, mask=FIRST + j < left, other=0.0).to(compute_dtype(x.dtype.element_ty))


@triton.jit
def of_row(
    xs, sums, codes, scales, zeros, row, start, left, groups, s_strides, z_strides,
    FORM: tl.constexpr, GROUP: tl.constexpr, PIECES: tl.constexpr, EVEN: tl.constexpr, ROWS: tl.constexpr, WIDTH: tl.constexpr,
):  # fmt: skip
    """The sums of ROWS rows of x, with a chunk of a row of W added."""
    j = tl.arange(0, WIDTH)
    packed = words_of(codes, j, FORM)
    for i in tl.static_range(PIECES):
        if is_whole(FORM):
            w = numbers(codes, packed, None, j, left, i, WIDTH, FORM, EVEN)
            w = scaled(w, scales, zeros, row, start, groups, s_strides, z_strides, WIDTH * i, GROUP, EVEN)
        else:
            if i == 0 or (GROUP != 0 and (WIDTH * i) % GROUP == 0):
                table = unpacked(tl.arange(0, 16), 0, FORM)[None, :]
                table = scaled(table, scales, zeros, row, start, groups, s_strides, z_strides, WIDTH * i, GROUP, EVEN)
            w = numbers(codes, packed, table, j, left, i, WIDTH, FORM, EVEN)
        added = ()
        for r in tl.static_range(ROWS):
            added = added + (sums[r] + xs[r * PIECES + i] * w,)
        sums = added
    return sums


@triton.jit
def rows(
    x, weight, scales, zeros, bias, y, M, N, K, groups, words, s_strides, z_strides, x_strides, y_strides,
    FORM: tl.constexpr, GROUP: tl.constexpr, PIECES: tl.constexpr, EVEN: tl.constexpr, ROWS: tl.constexpr, COLUMNS: tl.constexpr,
    WIDTH: tl.constexpr,
):  # fmt: skip
    """ROWS rows of x times COLUMNS rows of W, which are far apart: each is a stream of its own, which goes on in the next program.

    A row of W is unpacked once for the rows of x. Programs of the same rows of W follow each other.
    Grid: (blocks of M, N / COLUMNS).
    """
    first, column, apart = tl.program_id(0).to(N.dtype) * ROWS, tl.program_id(1).to(N.dtype), tl.cdiv(N, COLUMNS)
    j = tl.arange(0, WIDTH)
    sums = ()
    for _ in tl.static_range(ROWS * COLUMNS):
        sums = sums + (tl.zeros((1, WIDTH), dtype=tl.float32),)
    for start in range(0, K, WIDTH * PIECES):
        xs = ()
        for r in tl.static_range(ROWS):
            of_x = x + tl.minimum(first + r, M - 1) * x_strides[0]
            for i in tl.static_range(PIECES):
                xs = xs + (elements(of_x, x_strides[1], j, K - start, WIDTH * i, EVEN)[None, :],)
        added = ()
        for c in tl.static_range(COLUMNS):
            row = tl.minimum(column + c * apart, N - 1)
            codes = weight + row * words
            added = added + of_row(
                xs, sums[c * ROWS : (c + 1) * ROWS], codes, scales, zeros, row, start, K - start, groups, s_strides, z_strides,
                FORM, GROUP, PIECES, EVEN, ROWS, WIDTH,
            )  # fmt: skip
        sums = added
        x += WIDTH * PIECES * x_strides[1]
        weight += step_of(WIDTH * PIECES, FORM)
    for c in tl.static_range(COLUMNS):
        n = column + c * apart
        row = tl.minimum(n, N - 1)
        for r in tl.static_range(ROWS):
            out = tl.sum(tl.sum(sums[c * ROWS + r], 1), 0)
            if GROUP == 0:
                out *= of_group(scales, s_strides, row, groups, 0, 0, 0, True)
            if bias is not None:
                out += tl.load(bias + row).to(tl.float32)
            to = y + (first + r) * y_strides[0] + n * y_strides[1]
            tl.store(to, cast(out, y.dtype.element_ty), mask=(first + r < M) & (n < N))


@triton.jit
def weights(
    codes, scales, zeros, packed, row, j, start, left, groups, s_strides, z_strides,
    PIECE: tl.constexpr, WIDTH: tl.constexpr, FORM: tl.constexpr, GROUP: tl.constexpr, EVEN: tl.constexpr,
):  # fmt: skip
    """A piece of W, float32; its numbers alone where each row has one scale."""
    w = numbers(codes, packed, None, j, left, PIECE, WIDTH, FORM, EVEN)
    if GROUP != 0:
        w = w * of_group(scales, s_strides, row, groups, start, WIDTH * PIECE, GROUP, EVEN)[:, None]
        if zeros is not None:
            w += of_group(zeros, z_strides, row, groups, start, WIDTH * PIECE, GROUP, EVEN)[:, None]
    return w


@triton.jit
def product(
    x, weight, scales, zeros, bias, y, M, N, K, groups, words, s_strides, z_strides, x_strides, y_strides,
    FORM: tl.constexpr, GROUP: tl.constexpr, PIECES: tl.constexpr, EVEN: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr,
    WIDTH: tl.constexpr,
):  # fmt: skip
    """A tile of y. W is rounded to the dtype of x: codes of 8 bits are exact in it. Grid: (tiles of M, tiles of N)."""
    m = tl.program_id(0).to(N.dtype) * BLOCK_M + tl.arange(0, BLOCK_M)
    n = tl.program_id(1).to(N.dtype) * BLOCK_N + tl.arange(0, BLOCK_N)
    row = tl.minimum(n, N - 1)
    j = tl.arange(0, WIDTH)
    codes = weight + row[:, None] * words
    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for start in range(0, K, WIDTH * PIECES):
        packed = words_of(codes, j, FORM)
        left = K - start
        for i in tl.static_range(PIECES):
            k = WIDTH * i + j
            inside = (m[:, None] < M) if EVEN else (m[:, None] < M) & (k[None, :] < left)
            a = tl.load(x + (m[:, None] * x_strides[0] + k[None, :] * x_strides[1]), mask=inside, other=0.0)
            w = weights(
                codes, scales, zeros, packed, row, j, start, left, groups, s_strides, z_strides, i, WIDTH, FORM, GROUP, EVEN
            )
            acc = tl.dot(a, tl.trans(cast(w, a.dtype)), acc, input_precision="ieee")
        x += WIDTH * PIECES * x_strides[1]
        codes += step_of(WIDTH * PIECES, FORM)
    if GROUP == 0:
        acc *= of_group(scales, s_strides, row, groups, 0, 0, 0, True)[None, :]
    if bias is not None:
        acc += tl.load(bias + row).to(tl.float32)[None, :]
    to = y + (m[:, None] * y_strides[0] + n[None, :] * y_strides[1])
    tl.store(to, cast(acc, y.dtype.element_ty), mask=(m[:, None] < M) & (n[None, :] < N))


@triton.jit
def dequantize(
    weight, scales, zeros, out, N, K, groups, words, s_strides, z_strides,
    FORM: tl.constexpr, GROUP: tl.constexpr, PIECES: tl.constexpr, EVEN: tl.constexpr, BLOCK_N: tl.constexpr, WIDTH: tl.constexpr,
):  # fmt: skip
    """Grid: (chunks of K, blocks of N)."""
    n = tl.program_id(1).to(N.dtype) * BLOCK_N + tl.arange(0, BLOCK_N)
    row = tl.minimum(n, N - 1)
    j = tl.arange(0, WIDTH)
    start = tl.program_id(0).to(N.dtype) * (WIDTH * PIECES)
    codes = weight + (row[:, None] * words + tl.program_id(0) * step_of(WIDTH * PIECES, FORM))
    packed = words_of(codes, j, FORM)
    for i in tl.static_range(PIECES):
        k = start + WIDTH * i + j
        w = weights(
            codes, scales, zeros, packed, row, j, start, K - start, groups, s_strides, z_strides, i, WIDTH, FORM, GROUP, EVEN
        )
        if GROUP == 0:
            w *= of_group(scales, s_strides, row, groups, 0, 0, 0, True)[:, None]
        tl.store(out + (n[:, None] * K + k[None, :]), cast(w, out.dtype.element_ty), mask=(n[:, None] < N) & (k[None, :] < K))


@triton.jit
def nearest(x):
    """The nearest whole number, the even one of two, of a float32 below 2^22: a sum with 1.5 * 2^23 holds no fraction."""
    return (x + 12582912.0) - 12582912.0


@triton.jit
def code_of(x, LARGEST: tl.constexpr):
    """The nearest code of a number that is at most LARGEST, but for rounding: int8, or the byte of float8_e4m3fn if that is 448."""
    if LARGEST == 448:
        return float_to_e4m3fn(x)
    else:
        code = tl.minimum(tl.maximum(nearest(x), -127.0), 127.0)
        return tl.where(code == code, code, 0.0).to(tl.int32).to(tl.int8)


@triton.jit
def quantize_rows(x, codes, scales, N, x_strides, LARGEST: tl.constexpr, BLOCK: tl.constexpr):
    """Codes of a row and its scale, max |x| / LARGEST: 0 of zeros, NaN where a number is not finite. Grid: (rows,)."""
    row = tl.program_id(0).to(N.dtype)
    j = tl.arange(0, BLOCK)
    x += row * x_strides[0]
    greatest = tl.zeros((BLOCK,), dtype=tl.float32)
    wrong = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(0, N, BLOCK):
        value = tl.load(x + (start + j) * x_strides[1], mask=start + j < N, other=0.0).to(tl.float32)
        greatest = tl.maximum(greatest, tl.abs(value))
        wrong += value * 0.0  # NaN of those that are not finite
    scale = tl.max(greatest, 0) / (1.0 * LARGEST) + tl.sum(wrong, 0)
    tl.store(scales + row, scale)
    factor = tl.where(scale > 0, scale, 1.0)
    for start in range(0, N, BLOCK):
        inside = start + j < N
        value = tl.load(x + (start + j) * x_strides[1], mask=inside, other=0.0).to(tl.float32)
        tl.store(codes + row * N + start + j, code_of(tl.div_rn(value, factor), LARGEST), mask=inside)


def row_config(facts: DeviceFacts, columns: int) -> dict:
    """Constexprs and launch options of `quantize_rows`."""
    block = 128 if facts.kind == "cpu" else shape_class(columns, (256, 1024, 4096))
    return {"constexprs": {"BLOCK": block}, "num_warps": facts.warps(8 if block == 4096 else 4)}


def dequantize_config(form: str, group: int, k: int) -> dict:
    """Constexprs of `dequantize`."""
    blocks = {"BLOCK_N": 16, "WIDTH": 32, "PIECES": 8}
    return {"constexprs": {**blocks, "EVEN": k % CHUNK == 0}}


def row_blocks(m: int, words: bool) -> dict:
    """Constexprs of `rows`, whose sums are in registers.

    (8192, 4096), one thread of a Xeon with AVX-512, ms with tiles and so: int8 2 rows 12.9 and 2.8, 4 rows 16.5 and 3.7, 16 rows
    17.5 and 12.2; int4 2 rows 12.6 and 2.2, 4 rows 13.2 and 3.4, 8 rows 12.8 and 6.7, 16 rows 18.6 and 18.9.
    One row of int8 with 1, 4 and 8 columns: 4.5, 2.4 and 2.1; of int4 2.8, 1.6 and 1.6.
    """
    rows = shape_class(m, (1, 2, 4))
    if words:
        return {"ROWS": rows, "COLUMNS": 4 if rows < 4 else 2, "WIDTH": 32, "PIECES": 8}
    return {"ROWS": rows, "COLUMNS": 8 if rows == 1 else 4, "WIDTH": 32 if rows < 4 else 16, "PIECES": 1}


def config(facts: DeviceFacts, form: str, group: int, m: int, n: int, k: int) -> dict:
    """Constexprs and launch options: `rows` of them is whether the kernel is `rows`, for few rows on a CPU."""
    words, narrow = form in ("int4", "nf4"), form in ("int4", "nf4") or 0 < group < 128
    few = facts.kind == "cpu" and m <= (8 if words else 16)
    if few:
        blocks = row_blocks(m, words)
    elif facts.kind == "cpu":
        blocks = {"BLOCK_M": shape_class(m, (16, 32, 64, 128)), "BLOCK_N": 128, "WIDTH": 32 if narrow else 128}
        blocks["PIECES"] = 8 if words else 1
    else:
        block_m = shape_class(m, (16, 32, 64, 128))
        blocks = {"BLOCK_M": block_m, "BLOCK_N": 32 if block_m == 16 else 64, "WIDTH": 32 if narrow else 128}
        blocks["PIECES"] = 8 if words else 1
    even = k % (blocks["WIDTH"] * blocks["PIECES"]) == 0
    # Few rows wait for W: six stages of 4 kB in two programs are what a multiprocessor of sm_90 has to have on its way.
    return {"rows": few, "constexprs": {**blocks, "EVEN": even}, "num_warps": 4, "num_stages": 6 if m <= 16 else 3}
