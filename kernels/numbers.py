"""Numbers of factorisations, real or complex: a tuple of PARTS tensors, (re,) or (re, im). Addresses are those of parts.

A kernel says its arithmetic once. Of real numbers it is that of their only part.
"""

import triton
import triton.language as tl


@triton.jit
def load(p, i, mask, PARTS: tl.constexpr):
    """Numbers i of an array, 0 where the mask is not set."""
    if PARTS == 1:
        return (tl.load(p + i, mask=mask, other=0),)
    else:
        return tl.load(p + i * 2, mask=mask, other=0), tl.load(p + (i * 2 + 1), mask=mask, other=0)


@triton.jit
def at(p, i, PARTS: tl.constexpr):
    """Number i of an array."""
    if PARTS == 1:
        return (tl.load(p + i),)
    else:
        return tl.load(p + i * 2), tl.load(p + (i * 2 + 1))


@triton.jit
def store(p, i, x, mask):
    if len(x) == 1:
        tl.store(p + i, x[0], mask=mask)
    else:
        tl.store(p + i * 2, x[0], mask=mask)
        tl.store(p + (i * 2 + 1), x[1], mask=mask)


@triton.jit
def put(p, i, x):
    """Write number i of an array."""
    if len(x) == 1:
        tl.store(p + i, x[0])
    else:
        tl.store(p + i * 2, x[0])
        tl.store(p + (i * 2 + 1), x[1])


@triton.jit
def from_real(x, PARTS: tl.constexpr):
    """Real numbers as such with an imaginary part 0."""
    if PARTS == 1:
        return (x,)
    else:
        return x, tl.zeros_like(x)


@triton.jit
def zeros(shape: tl.constexpr, dtype: tl.constexpr, PARTS: tl.constexpr):
    return from_real(tl.zeros(shape, dtype), PARTS)


@triton.jit
def cast(x, dtype: tl.constexpr):
    if len(x) == 1:
        return (x[0].to(dtype),)
    else:
        return x[0].to(dtype), x[1].to(dtype)


@triton.jit
def across(x):
    """A vector as a row: [None, :]."""
    if len(x) == 1:
        return (x[0][None, :],)
    else:
        return x[0][None, :], x[1][None, :]


@triton.jit
def down(x):
    """A vector as a column: [:, None]."""
    if len(x) == 1:
        return (x[0][:, None],)
    else:
        return x[0][:, None], x[1][:, None]


@triton.jit
def where(condition, x, y):
    if len(x) == 1:
        return (tl.where(condition, x[0], y[0]),)
    else:
        return tl.where(condition, x[0], y[0]), tl.where(condition, x[1], y[1])


@triton.jit
def sub(x, y):
    if len(x) == 1:
        return (x[0] - y[0],)
    else:
        return x[0] - y[0], x[1] - y[1]


@triton.jit
def add(x, y):
    if len(x) == 1:
        return (x[0] + y[0],)
    else:
        return x[0] + y[0], x[1] + y[1]


@triton.jit
def mul(x, y):
    if len(x) == 1:
        return (x[0] * y[0],)
    else:
        return x[0] * y[0] - x[1] * y[1], x[0] * y[1] + x[1] * y[0]


@triton.jit
def mul_conj(x, y):
    """x times the conjugate of y."""
    if len(x) == 1:
        return (x[0] * y[0],)
    else:
        return x[0] * y[0] + x[1] * y[1], x[1] * y[0] - x[0] * y[1]


@triton.jit
def conj(x):
    if len(x) == 1:
        return x
    else:
        return x[0], -x[1]


@triton.jit
def conj_if(x, CONJUGATE: tl.constexpr):
    if CONJUGATE:
        return conj(x)
    else:
        return x


@triton.jit
def scale(x, factor):
    """x times a real factor."""
    if len(x) == 1:
        return (x[0] * factor,)
    else:
        return x[0] * factor, x[1] * factor


@triton.jit
def over(x, divisor):
    """x divided by a real number."""
    if len(x) == 1:
        return (x[0] / divisor,)
    else:
        return x[0] / divisor, x[1] / divisor


@triton.jit
def div(x, y):
    """x / y, without overflow between."""
    if len(x) == 1:
        return (x[0] / y[0],)
    else:
        size = tl.maximum(tl.abs(y[0]), tl.abs(y[1]))
        re, im = y[0] / size, y[1] / size
        length = (re * re + im * im) * size
        return (x[0] * re + x[1] * im) / length, (x[1] * re - x[0] * im) / length


@triton.jit
def total(x, axis: tl.constexpr):
    if len(x) == 1:
        return (tl.sum(x[0], axis=axis),)
    else:
        return tl.sum(x[0], axis=axis), tl.sum(x[1], axis=axis)


@triton.jit
def product(x):
    """The product of a vector's numbers."""
    if len(x) == 1:
        return (tl.reduce(x[0], 0, _times),)
    else:
        return tl.reduce((x[0], x[1]), 0, _times_complex)


@triton.jit
def _times(x, y):
    return x * y


@triton.jit
def _times_complex(x, x_im, y, y_im):
    return x * y - x_im * y_im, x * y_im + x_im * y


@triton.jit
def square(x):
    """The square of the magnitude, a real number."""
    if len(x) == 1:
        return x[0] * x[0]
    else:
        return x[0] * x[0] + x[1] * x[1]


@triton.jit
def size(x):
    """The sum of the parts' magnitudes, by which LAPACK chooses a pivot."""
    if len(x) == 1:
        return tl.abs(x[0])
    else:
        return tl.abs(x[0]) + tl.abs(x[1])


@triton.jit
def largest_part(x):
    """The larger one of the parts' magnitudes."""
    if len(x) == 1:
        return tl.abs(x[0])
    else:
        return tl.maximum(tl.abs(x[0]), tl.abs(x[1]))


@triton.jit
def magnitude(x):
    if len(x) == 1:
        return tl.abs(x[0])
    else:
        return hypotenuse(x[0], x[1])


@triton.jit
def sign(x):
    """x / |x|, and 0 of 0."""
    if len(x) == 1:
        return (tl.where(x[0] > 0, 1, tl.where(x[0] < 0, -1, x[0])).to(x[0].dtype),)
    else:
        length = magnitude(x)
        return over(x, tl.where(length == 0, 1, length))


@triton.jit
def as_real(x):
    """A real number with the magnitude of x, and the factor that x is of it; a real x as it is."""
    if len(x) == 1:
        return x[0], (tl.full((), 1, x[0].dtype),)
    else:
        length = magnitude(x)
        return length, over(x, tl.where(length == 0, 1, length))


@triton.jit
def is_zero(x):
    if len(x) == 1:
        return x[0] == 0
    else:
        return (x[0] == 0) & (x[1] == 0)


@triton.jit
def is_real(x):
    if len(x) == 1:
        return x[0] == x[0]
    else:
        return x[1] == 0


@triton.jit
def is_number(x):
    """Whether no part is NaN."""
    if len(x) == 1:
        return x[0] == x[0]
    else:
        return (x[0] == x[0]) & (x[1] == x[1])


@triton.jit
def hypotenuse(a, b):
    """sqrt(a * a + b * b) without overflow."""
    a, b = tl.abs(a), tl.abs(b)
    large, small = tl.maximum(a, b), tl.minimum(a, b)
    ratio = tl.where(large > 0, small / tl.where(large > 0, large, 1), 0)
    return large * tl.sqrt(1 + ratio * ratio)
