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
FEW_ROWS = 4  # of x: each repeats the unpacking, whose words are in the first-level cache by then


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
def table_of(FORM: tl.constexpr, BLOCK_N: tl.constexpr):
    """The numbers of the 16 codes of 4 bits, for each row: a register of a CPU, which looks 16 of them up at once."""
    if is_whole(FORM):
        return 0
    else:
        return tl.broadcast_to(unpacked(tl.arange(0, 16), 0, FORM)[None, :], (BLOCK_N, 16))


@triton.jit
def numbers(codes, packed, table, j, left, PIECE: tl.constexpr, WIDTH: tl.constexpr, FORM: tl.constexpr, EVEN: tl.constexpr):
    """The numbers of a piece: of the words, or loaded from the addresses of bytes at the columns of a chunk that are `left`.

    Those of words are looked up in a table, or computed if it is None.
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
def elements(x, step, j, left, FIRST: tl.constexpr, EVEN: tl.constexpr):
    """Elements of a row of x from column FIRST of a chunk on, 0 where no column is `left`."""
    if EVEN:
        return tl.load(x + (FIRST + j) * step).to(compute_dtype(x.dtype.element_ty))
    else:
        return tl.load(x + (FIRST + j) * step, mask=FIRST + j < left, other=0.0).to(compute_dtype(x.dtype.element_ty))


@triton.jit
def rows(
    x, weight, scales, zeros, bias, y, N, K, groups, words, s_strides, z_strides, x_strides, y_strides,
    FORM: tl.constexpr, GROUP: tl.constexpr, PIECES: tl.constexpr, EVEN: tl.constexpr, BLOCK_N: tl.constexpr, WIDTH: tl.constexpr,
):  # fmt: skip
    """A row of x times BLOCK_N rows of W. Grid: (rows of x, blocks of N): programs of one block follow each other."""
    n = tl.program_id(1).to(N.dtype) * BLOCK_N + tl.arange(0, BLOCK_N)
    row = tl.minimum(n, N - 1)
    j = tl.arange(0, WIDTH)
    x += tl.program_id(0).to(N.dtype) * x_strides[0]
    codes = weight + row[:, None] * words
    acc = tl.zeros((BLOCK_N, WIDTH), dtype=tl.float32)
    table = table_of(FORM, BLOCK_N)
    for start in range(0, K, WIDTH * PIECES):
        packed = words_of(codes, j, FORM)
        chunk = tl.zeros((BLOCK_N, WIDTH), dtype=tl.float32)  # a sum of its own: chunks do not wait for each other
        for i in tl.static_range(PIECES):
            xs = elements(x, x_strides[1], j, K - start, WIDTH * i, EVEN)
            q = numbers(codes, packed, table, j, K - start, i, WIDTH, FORM, EVEN)
            if GROUP == 0:
                chunk += q * xs[None, :]
            else:
                if i == 0 or (WIDTH * i) % GROUP == 0:
                    part = tl.zeros((BLOCK_N, WIDTH), dtype=tl.float32)
                    total = tl.zeros_like(xs)
                total += xs
                part += q * xs[None, :]
                if i + 1 == PIECES or (WIDTH * (i + 1)) % GROUP == 0:
                    chunk += part * of_group(scales, s_strides, row, groups, start, WIDTH * i, GROUP, EVEN)[:, None]
                    if zeros is not None:
                        chunk += total[None, :] * of_group(zeros, z_strides, row, groups, start, WIDTH * i, GROUP, EVEN)[:, None]
        acc += chunk
        x += WIDTH * PIECES * x_strides[1]
        codes += step_of(WIDTH * PIECES, FORM)
    out = tl.sum(acc, 1)
    if GROUP == 0:
        out *= of_group(scales, s_strides, row, groups, 0, 0, 0, True)
    if bias is not None:
        out += tl.load(bias + row).to(tl.float32)
    y += tl.program_id(0).to(N.dtype) * y_strides[0]
    tl.store(y + n * y_strides[1], cast(out, y.dtype.element_ty), mask=n < N)


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


def config(facts: DeviceFacts, form: str, group: int, m: int, n: int, k: int) -> dict:
    """Constexprs and launch options: `rows` of them is whether the kernel is `rows`, for few rows on a CPU."""
    words, narrow = form in ("int4", "nf4"), form in ("int4", "nf4") or 0 < group < 128
    few = facts.kind == "cpu" and m <= FEW_ROWS
    if few:  # a row of W is one stream of memory: 25 GB/s of a thread with 1 row, 15 with 8, which several rows of x read again
        blocks = {"BLOCK_N": 1 if m == 1 else 8, "WIDTH": 32, "PIECES": 8 if words else 4}
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
