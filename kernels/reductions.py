"""What each reduction is made of: `start`, `combine`, `reduce`, `finish`, on tuples of values called the state.

    state = start(values, index, keep)     of single elements; neutral where `keep` is false
    state = combine(*state, *state)        associative
    state = reduce(state, AXIS)            `combine` along an axis of a tile (Triton wants the function's name there)
    outs  = finish(state, count)           count: the number of elements that were reduced

`values` are the elements (or, in a second pass, the state read back: then the start is `again_*`), `index` their
positions along the reduction.
"""

import triton
import triton.language as tl

from .functions.arithmetic import sqrt
from .functions.comparison import isnan
from .functions.logarithm import logaddexp


@triton.jit
def lowest(x):
    """The neutral element of max in x's type, as a block like x."""
    if x.dtype.is_floating():
        return tl.full(x.shape, float("-inf"), x.dtype)
    elif x.dtype.is_int_signed():
        return tl.full(x.shape, -(2 ** (x.dtype.primitive_bitwidth - 1)), x.dtype)
    else:
        return tl.full(x.shape, 0, x.dtype)


@triton.jit
def _highest(x):
    """The neutral element of min in x's type."""
    if x.dtype.is_floating():
        return tl.full(x.shape, float("inf"), x.dtype)
    elif x.dtype.is_int_signed():
        return tl.full(x.shape, 2 ** (x.dtype.primitive_bitwidth - 1) - 1, x.dtype)
    else:
        return tl.full(x.shape, 2**x.dtype.primitive_bitwidth - 1, x.dtype)


# ---------------------------------------------------------------------------------------------------- one value


@triton.jit
def start_sum(values, index, keep):
    return (tl.where(keep, values[0], 0).to(values[0].dtype),)


@triton.jit
def start_nansum(values, index, keep):
    return (tl.where(keep & (values[0] == values[0]), values[0], 0).to(values[0].dtype),)


@triton.jit
def start_sum_of_squares(values, index, keep):
    return (tl.where(keep, values[0] * values[0], 0).to(values[0].dtype),)


@triton.jit
def start_sum_of_abs(values, index, keep):
    return (tl.where(keep, tl.abs(values[0]), 0).to(values[0].dtype),)


@triton.jit
def start_count_nonzero(values, index, keep):
    return (tl.where(keep & (values[0] != 0), 1, 0).to(values[0].dtype),)


@triton.jit
def start_prod(values, index, keep):
    return (tl.where(keep, values[0], 1).to(values[0].dtype),)


@triton.jit
def start_max(values, index, keep):
    return (tl.where(keep, values[0], lowest(values[0])),)


@triton.jit
def start_min(values, index, keep):
    return (tl.where(keep, values[0], _highest(values[0])),)


@triton.jit
def start_max_of_abs(values, index, keep):
    return (tl.where(keep, tl.abs(values[0]), 0).to(values[0].dtype),)


@triton.jit
def start_min_of_abs(values, index, keep):
    return (tl.where(keep, tl.abs(values[0]), _highest(values[0])),)


@triton.jit
def start_any(values, index, keep):
    return (tl.where(keep & (values[0] != 0), 1, 0).to(tl.int32),)


@triton.jit
def start_all(values, index, keep):
    return (tl.where(keep & (values[0] == 0), 0, 1).to(tl.int32),)


@triton.jit
def combine_add(a, b):
    return (a + b,)


@triton.jit
def reduce_add(state, AXIS: tl.constexpr):
    return tl.reduce(state, AXIS, combine_add)


@triton.jit
def combine_mul(a, b):
    return (a * b,)


@triton.jit
def reduce_mul(state, AXIS: tl.constexpr):
    return tl.reduce(state, AXIS, combine_mul)


@triton.jit
def combine_max(a, b):
    return (tl.where((a >= b) | isnan(a), a, b),)


@triton.jit
def reduce_max(state, AXIS: tl.constexpr):
    return tl.reduce(state, AXIS, combine_max)


@triton.jit
def combine_logaddexp(a, b):
    return (logaddexp(a, b),)


@triton.jit
def reduce_logaddexp(state, AXIS: tl.constexpr):
    return tl.reduce(state, AXIS, combine_logaddexp)


@triton.jit
def combine_min(a, b):
    return (tl.where((a <= b) | isnan(a), a, b),)


@triton.jit
def reduce_min(state, AXIS: tl.constexpr):
    return tl.reduce(state, AXIS, combine_min)


@triton.jit
def finish_state(state, count):
    """The state itself: what a first pass stores, and the result of sum, max and the like."""
    return state


@triton.jit
def finish_mean(state, count):
    return (state[0] / count.to(state[0].dtype),)


@triton.jit
def finish_sqrt(state, count):
    return (sqrt(state[0]),)


# ----------------------------------------------------------------------------------- a value and where it was


@triton.jit
def start_argmax(values, index, keep):
    return (tl.where(keep, values[0], lowest(values[0])), tl.where(keep, index, _highest(index)))


@triton.jit
def start_argmin(values, index, keep):
    return (tl.where(keep, values[0], _highest(values[0])), tl.where(keep, index, _highest(index)))


@triton.jit
def again_argmax(values, index, keep):
    return start_argmax((values[0],), values[1], keep)


@triton.jit
def again_argmin(values, index, keep):
    return start_argmin((values[0],), values[1], keep)


@triton.jit
def combine_argmax(a, i, b, j):
    """The larger value, NaN above all; the first of equals."""
    same = (a == b) | (isnan(a) & isnan(b))
    first = tl.where(same, i < j, (a > b) | (isnan(a) & ~isnan(b)))
    return tl.where(first, a, b), tl.where(first, i, j)


@triton.jit
def reduce_argmax(state, AXIS: tl.constexpr):
    return tl.reduce(state, AXIS, combine_argmax)


@triton.jit
def combine_argmin(a, i, b, j):
    same = (a == b) | (isnan(a) & isnan(b))
    first = tl.where(same, i < j, (a < b) | (isnan(a) & ~isnan(b)))
    return tl.where(first, a, b), tl.where(first, i, j)


@triton.jit
def reduce_argmin(state, AXIS: tl.constexpr):
    return tl.reduce(state, AXIS, combine_argmin)


# On a GPU the largest value is found first, then the first index of it. Elements join a lane in the order of their positions, so
# equals stay. A masked element has the lowest value and a later index than one of its tile that exists.


@triton.jit
def start_max_at(values, index, keep):
    return tl.where(keep, values[0], lowest(values[0])), index


@triton.jit
def start_min_at(values, index, keep):
    return tl.where(keep, values[0], _highest(values[0])), index


@triton.jit
def combine_later_max(a, i, b, j):
    """The larger value, NaN above all, where every i comes before j."""
    stays = (b <= a) | isnan(a)
    return tl.where(stays, a, b), tl.where(stays, i, j)


@triton.jit
def combine_later_min(a, i, b, j):
    stays = (b >= a) | isnan(a)
    return tl.where(stays, a, b), tl.where(stays, i, j)


@triton.jit
def _first_of(best, x, index, AXIS: tl.constexpr):
    """(best, its first index): `best` is NaN if some x is."""
    equal = (x == tl.expand_dims(best, AXIS)) | isnan(x)
    return best, tl.min(tl.where(equal, index, _highest(index)), AXIS)


@triton.jit
def _max_or_nan(a, b):
    if a.dtype.is_fp64():  # which has no such instruction
        return combine_max(a, b)[0]
    else:
        return tl.maximum(a, b, propagate_nan=tl.PropagateNan.ALL)


@triton.jit
def reduce_max_at(state, AXIS: tl.constexpr):
    """The largest value, then where it is: fewer instructions than pairs take. The sign of a zero may be another zero's."""
    return _first_of(tl.reduce(state[0], AXIS, _max_or_nan), state[0], state[1], AXIS)


@triton.jit
def _min_or_nan(a, b):
    if a.dtype.is_fp64():  # which has no such instruction
        return combine_min(a, b)[0]
    else:
        return tl.minimum(a, b, propagate_nan=tl.PropagateNan.ALL)


@triton.jit
def reduce_min_at(state, AXIS: tl.constexpr):
    return _first_of(tl.reduce(state[0], AXIS, _min_or_nan), state[0], state[1], AXIS)


@triton.jit
def finish_index(state, count):
    return (state[1],)


# ---------------------------------------------------------------------- mean and sum of squared deviations (Chan)


@triton.jit
def start_moments(values, index, keep):
    """(mean, sum of squared deviations, count) of one element"""
    x = tl.where(keep, values[0], 0).to(values[0].dtype)
    return x, tl.zeros(x.shape, x.dtype), tl.where(keep, 1, 0).to(x.dtype)


@triton.jit
def again_moments(values, index, keep):
    return tl.where(keep, values[0], 0), tl.where(keep, values[1], 0), tl.where(keep, values[2], 0)


@triton.jit
def combine_moments(mean_a, m2_a, n_a, mean_b, m2_b, n_b):
    """Chan, Golub, LeVeque (1979): n = n_a + n_b, M2 = M2_a + M2_b + delta^2 n_a n_b / n."""
    n = n_a + n_b
    delta = mean_b - mean_a
    share = tl.where(n == 0, 0, n_b / tl.where(n == 0, 1, n)).to(n.dtype)
    return mean_a + delta * share, m2_a + m2_b + delta * delta * n_a * share, n


@triton.jit
def inverse_power(x):
    """A power of 2 that is about 1 / x, for a float32 x that is not negative."""
    exponent = x.to(tl.int32, bitcast=True) & 0x7F800000
    return (0x7F000000 - tl.minimum(exponent, 0x7E800000)).to(tl.float32, bitcast=True)


@triton.jit
def combine_both(a, b, c, d):
    return a + c, b + d


@triton.jit
def reduce_moments(state, AXIS: tl.constexpr):
    """Elements along an axis, in two passes; the result is float64: float32 has no digits for both mean and deviations.

    Deviations are from the mean as rounded to the elements' type:

        sum (x - mean)^2 = sum (x - rounded)^2 - n (mean - rounded)^2

    float32 squares are of deviations times a power of 2: those of 1e20 and of 1e-25 are no numbers of float32.
    """
    x, _, there = state
    n, total = tl.reduce((there, x.to(tl.float64)), AXIS, combine_both)
    n = n.to(tl.float64)
    mean = total / tl.maximum(n, 1)
    rounded = mean.to(x.dtype)
    deviations = there * (x - tl.expand_dims(rounded, AXIS))
    if x.dtype == tl.float32:
        scale = inverse_power(tl.max(tl.abs(x), AXIS))
        deviations *= tl.expand_dims(scale, AXIS)
        wide = scale.to(tl.float64)
        m2 = tl.sum(deviations * deviations, AXIS) / (wide * wide)
    else:
        m2 = tl.sum(deviations * deviations, AXIS)
    error = mean - rounded
    return mean, m2 - n * error * error, n


@triton.jit
def merge_moments(state, AXIS: tl.constexpr):
    """The states of several splits."""
    return tl.reduce(state, AXIS, combine_moments)


# A GPU adds up deviations from a number near the mean, and their squares: one pass, and no thread waits in the loop.


@triton.jit
def start_deviation(values, index, keep):
    """(deviation from values[1], its square) of one element; float32 has no squares of 1e20 and of 1e-25"""
    deviation = tl.where(keep, values[0] - values[1], 0).to(values[0].dtype)
    wide = deviation.to(tl.float64)
    return deviation, wide * wide


@triton.jit
def reduce_both(state, AXIS: tl.constexpr):
    return tl.reduce(state, AXIS, combine_both)


@triton.jit
def moments_around(state, shift, count):
    """(mean, sum of squared deviations, count) from the sums of `count` deviations from `shift`, and of their squares.

    The shift is the mean of a tile. With T tiles, at most (T - 1) / T of the squares are taken off: few digits are lost.
    """
    total, squares = state
    n = tl.zeros(squares.shape, squares.dtype) + count
    error = total / n
    return shift + error, squares - total * error, n


@triton.jit
def finish_moments(state, count):
    """(mean, sum of squared deviations); a division by the degrees of freedom is the caller's epilogue"""
    return state[0], state[1]


@triton.jit
def finish_var(state, count):
    """Squared deviations over the degrees of freedom, which `count` is here; NaN if there are none."""
    return (state[1] / tl.maximum(count, 0).to(state[1].dtype),)


@triton.jit
def finish_std(state, count):
    return (sqrt(state[1] / tl.maximum(count, 0).to(state[1].dtype)),)


@triton.jit
def finish_var_mean(state, count):
    return state[1] / tl.maximum(count, 0).to(state[1].dtype), state[0]
