"""A step of Adam whose running means are codes of 8 bits: decoded, updated and encoded again in one launch.

A block of SIZE elements has a scale, the largest magnitude in it. A code stands for a part of that between 0 and 1, by the dynamic
map of Dettmers et al. (2022), of seven decades that are each cut in half as often as they are near 1. With u the code's distance
from 0 and 2^e the power of two below it:

    signed:    code = 127 +- u,     number = +- (18 u + 9 - 16 * 2^e) * 5^e * 5e-8      the first mean
    unsigned:  code = u - 1,        number =    (18 u + 9 - 16 * 2^e) * 5^e * 5e-9      the second mean

The least u stands for 0, the greatest for 1. The integers are exact in float32, so a number has two roundings. These are the codes
of bitsandbytes and torchao, too.
"""

import triton
import triton.language as tl

from .dtypes import compute_dtype
from .multi_tensor import address, chunk_of, store
from .optimizer import power, unless_skipped


@triton.jit
def power_of_two(x):
    """The power of two below a positive float32."""
    return (x.to(tl.int32, bitcast=True) & 0x7F800000).to(tl.float32, bitcast=True)


@triton.jit
def factor_of(e, SIGNED: tl.constexpr):
    """The size of a step between numbers at u = 2^e, for e in 0 .. 7."""
    fives = tl.where(e & 1 != 0, 5.0, 1.0) * tl.where(e & 2 != 0, 25.0, 1.0) * tl.where(e & 4 != 0, 625.0, 1.0)
    return fives * (5e-8 if SIGNED else 5e-9)


@triton.jit
def table_of(ROWS: tl.constexpr, SIGNED: tl.constexpr):
    """`factor_of` each e + 127 modulo 16, in a register of a CPU, which looks 16 of them up at once."""
    return tl.broadcast_to(factor_of(tl.arange(0, 16) + 1, SIGNED)[None, :], (ROWS, 16))


@triton.jit
def decoded(code, table, SIGNED: tl.constexpr):
    """The numbers of codes (int32), float32, by a table or, where that is None, by arithmetic."""
    u = (tl.abs(code - 127) if SIGNED else code + 1).to(tl.float32)
    exponent = u.to(tl.int32, bitcast=True) >> 23
    if table is None:
        factor = factor_of(exponent - 127, SIGNED)
    else:
        factor = tl.gather(table, exponent & 15, 1)
    number = (18 * u + 9 - 16 * power_of_two(u)) * factor
    number = tl.where(u < (128 if SIGNED else 256), number, 1.0)
    number = tl.where(u > (0 if SIGNED else 1), number, 0.0)
    if SIGNED:
        return tl.where(code < 127, -number, number)
    else:
        return number


@triton.jit
def smaller(a, b):
    """The smaller one, b where one is NaN: one instruction of a CPU."""
    return tl.where(a < b, a, b)


@triton.jit
def encoded(number, SIGNED: tl.constexpr):
    """The codes (int32) of the nearest numbers; `number` is at most 1, and at least -1 or 0, but for rounding.

    Within a decade u is the floor of a linear function; the seven lines meet where decades do, and the lowest one counts. Between
    two decades the nearest number changes 0.2 above 2^e, and between the last two numbers 0.25 below the greatest u.
    """
    x = smaller(tl.abs(number) if SIGNED else number, 1.0)
    unit: tl.constexpr = 1 if SIGNED else 2
    line = x * (unit * 1e6 / 0.9) + unit * 8 / 9
    for e in tl.static_range(1, 7):
        line = smaller(x * (unit * 2**e * 10 ** (6 - e) / 0.9) + unit * 2**e * 8 / 9, line)
    below = power_of_two(line)
    u = tl.where(line < below + 0.2, below - 1, tl.floor(line))
    u = tl.where(line >= 128 * unit - 0.25, 128.0 * unit, u)
    u = tl.where(x < (2.75e-7 if SIGNED else 1.625e-7), unit - 1.0, tl.where(u > unit, u, 1.0 * unit))
    if SIGNED:
        return 127 + tl.where(number < 0, -smaller(u, 127.0), u).to(tl.int32)
    else:
        return u.to(tl.int32) - 1


@triton.jit
def scale_of(value, mask):
    """The largest magnitude of each row; NaN where a number is not finite, whose bits are above those of finite ones."""
    bits = tl.max(tl.where(mask, value.to(tl.int32, bitcast=True) & 0x7FFFFFFF, 0), 1)
    return tl.where(bits < 0x7F800000, bits.to(tl.float32, bitcast=True), float("nan"))


@triton.jit
def load_state(codes, scales, table, i, block, mask, blocks, SIGNED: tl.constexpr):
    """A running mean, float32."""
    code = tl.load(codes + i, mask=mask, other=127 if SIGNED else 0).to(tl.int32)
    return decoded(code, table, SIGNED) * tl.load(scales + block, mask=blocks, other=0.0)[:, None]


@triton.jit
def store_state(codes, scales, i, block, value, mask, blocks, SIGNED: tl.constexpr):
    """Codes and scales of a running mean. Where a scale is NaN, so is the whole block from then on."""
    scale = scale_of(value, mask)
    tl.store(scales + block, scale, mask=blocks)
    factor = tl.where(scale > 1e-37, 1.0 / scale, 0.0)  # the inverse of a smaller one is not finite
    tl.store(codes + i, encoded(value * factor[:, None], SIGNED).to(tl.uint8), mask=mask)


@triton.jit
def adam_of_codes(
    found_inf, tensors, chunks, lr, weight_decay, beta1, beta2, eps,
    PARAMETER: tl.constexpr, GRADIENT: tl.constexpr, DECAY: tl.constexpr, DECOUPLED: tl.constexpr, AMSGRAD: tl.constexpr,
    MAXIMIZE: tl.constexpr, ALIGNED: tl.constexpr, LOOKUP: tl.constexpr, CHUNK: tl.constexpr, ROWS: tl.constexpr,
    SIZE: tl.constexpr,
):  # fmt: skip
    """Adam's step as `optimizer.adam` has it, in float32, with states in codes. A step is computed by the states before encoding.

    Columns: size, parameter, gradient, codes and scales of m, codes and scales of v, count, codes and scales of the largest v.
    Grid: (chunks,), with blocks that are whole in a chunk.
    """
    row, size, start = chunk_of(tensors, chunks, 10, ALIGNED)
    size = unless_skipped(size, found_inf)
    parameter, gradient = address(row, 1, PARAMETER, ALIGNED), address(row, 2, GRADIENT, ALIGNED)
    first, first_scales = address(row, 3, tl.uint8, ALIGNED), address(row, 4, tl.float32)
    second, second_scales = address(row, 5, tl.uint8, ALIGNED), address(row, 6, tl.float32)
    dtype: tl.constexpr = compute_dtype(PARAMETER)
    t = tl.load(address(row, 7, tl.float32)).to(tl.float64) + 1
    step_size = tl.cast(lr / (1 - power(beta1, t)), dtype)
    correction = tl.cast(1 / tl.sqrt(1 - power(beta2, t)), tl.float32)
    kept = tl.cast(1 - lr * weight_decay, dtype)
    beta1_rest, beta2_rest = tl.cast(1 - beta1, tl.float32), tl.cast(1 - beta2, tl.float32)
    weight_decay, beta2, eps = tl.cast(weight_decay, dtype), tl.cast(beta2, tl.float32), tl.cast(eps, tl.float32)
    signed, unsigned = (table_of(ROWS, True), table_of(ROWS, False)) if LOOKUP else (None, None)
    for offset in range(0, CHUNK, ROWS * SIZE):
        begin = start + offset + tl.arange(0, ROWS) * SIZE
        i = begin[:, None] + tl.arange(0, SIZE)[None, :]
        mask, blocks, block = i < size, begin < size, begin // SIZE
        p = tl.load(parameter + i, mask=mask, other=0).to(dtype)
        g = tl.load(gradient + i, mask=mask, other=0).to(dtype)
        if MAXIMIZE:
            g = -g
        if DECAY:
            if DECOUPLED:
                p *= kept
            else:
                g += weight_decay * p
        g = g.to(tl.float32)
        m = load_state(first, first_scales, signed, i, block, mask, blocks, True)
        v = load_state(second, second_scales, unsigned, i, block, mask, blocks, False)
        m += beta1_rest * (g - m)
        v = beta2 * v + beta2_rest * g * g
        store_state(first, first_scales, i, block, m, mask, blocks, True)
        store_state(second, second_scales, i, block, v, mask, blocks, False)
        if AMSGRAD:
            largest, largest_scales = address(row, 8, tl.uint8, ALIGNED), address(row, 9, tl.float32)
            old = load_state(largest, largest_scales, unsigned, i, block, mask, blocks, False)
            v = tl.where((old > v) | (old != old), old, v)
            store_state(largest, largest_scales, i, block, v, mask, blocks, False)
        store(parameter, i, p - step_size * (m / (tl.sqrt(v) * correction + eps)).to(dtype), mask)
