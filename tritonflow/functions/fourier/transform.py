"""Fourier transforms of rows.

Complex rows are pairs, (rows, n, 2). A short transform is one product with a matrix. A long one of n = n1 n2 numbers is n2
transforms of length n1, roots of unity, and n1 transforms of length n2. What has no small factor is a convolution (Bluestein).
Every step is an op, so gradients, of any order, and captured programs follow.

Sources: Cooley and Tukey, An algorithm for the machine calculation of complex Fourier series (1965); Bluestein, A linear filtering
approach to the computation of the discrete Fourier transform (1970).
"""

from __future__ import annotations

from functools import cache
from math import ceil, log, log2

from tritonflow.framework.tensor import Tensor
from tritonflow.functions.arithmetic import add, sub
from tritonflow.functions.fourier import roots
from tritonflow.functions.generated import mul
from tritonflow.functions.join import cat
from tritonflow.functions.join_constant_pad import constant_pad_nd
from tritonflow.functions.matmul import matmul
from tritonflow.functions.unary import negative
from tritonflow.functions.view import narrow, reshape, select, unsqueeze
from tritonflow.functions.view_flips import flip
from tritonflow.functions.view_orders import permute

SHORT = 64  # the longest step
DIRECT = 160  # up to this length a transform without small factors is one product


@cache
def first_factor(n: int) -> int:
    """The length of the first step: n itself for one product, 1 for a convolution, else a factor of at most SHORT.

    Steps are as few as possible, and about equally long.
    """
    if n <= SHORT:
        return n
    wanted = log(n) / ceil(log(n) / log(SHORT))
    factors = [d for d in range(2, SHORT + 1) if n % d == 0]
    if factors:
        return min(factors, key=lambda d: abs(log(d) - wanted))
    return n if n <= DIRECT else 1


def of_complex(x: Tensor, sign: int, scale: float) -> Tensor:
    """The transforms of rows of pairs, (rows, n, 2)."""
    rows, n, _ = x.meta.shape
    step = first_factor(n)
    if step == n:
        found = matmul(reshape(x, (rows, 2 * n)), roots.constant(roots.matrix, n, sign, scale, like=x))
        return reshape(found, (rows, n, 2))
    if step == 1:
        return _by_convolution(x, sign, scale)
    columns = permute(reshape(x, (rows, step, n // step, 2)), (0, 2, 1, 3))
    flat = reshape(columns, (rows * (n // step), 2 * step))
    first = matmul(flat, roots.constant(roots.matrix, step, sign, scale, like=x))
    return _later_steps(reshape(first, (rows, n // step, step, 2)), sign)


def _later_steps(first: Tensor, sign: int) -> Tensor:
    """The steps behind the first one, whose results are (rows, n2, n1, 2)."""
    rows, n2, n1, _ = first.meta.shape
    turned = times(first, roots.constant(roots.twiddles, n1, n2, sign, like=first))
    inner = of_complex(reshape(permute(turned, (0, 2, 1, 3)), (rows * n1, n2, 2)), sign, 1.0)
    return reshape(permute(reshape(inner, (rows, n1, n2, 2)), (0, 2, 1, 3)), (rows, n1 * n2, 2))


def of_real(x: Tensor, sign: int, scale: float, half: bool) -> Tensor:
    """The transforms of real rows, (rows, n): all n numbers of each, or with `half` the first n // 2 + 1, as pairs."""
    rows, n = x.meta.shape
    m = n // 2 + 1 if half else n
    step = first_factor(n)
    if step == n:
        found = matmul(x, roots.constant(roots.matrix_of_real, n, sign, scale, half, like=x))
        return reshape(found, (rows, m, 2))
    if step == 1:
        pairs = constant_pad_nd(unsqueeze(x, -1), (0, 1))
        whole = _by_convolution(pairs, sign, scale)
    else:
        columns = reshape(permute(reshape(x, (rows, step, n // step)), (0, 2, 1)), (rows * (n // step), step))
        first = matmul(columns, roots.constant(roots.matrix_of_real, step, sign, scale, False, like=x))
        whole = _later_steps(reshape(first, (rows, n // step, step, 2)), sign)
    return narrow(whole, 1, 0, m)


def to_real(x: Tensor, n: int, sign: int, scale: float) -> Tensor:
    """The real numbers, (rows, n), whose transforms begin with rows of n // 2 + 1 pairs.

    The imaginary part of the first number, and with an even n of the last one, does not count.
    """
    rows, m, _ = x.meta.shape
    if first_factor(n) == n:
        return matmul(reshape(x, (rows, 2 * m)), roots.constant(roots.matrix_to_real, n, sign, scale, like=x))  # type: ignore[no-any-return]
    rest = flip(narrow(x, 1, 1, n - m), (1,))
    mirrored = [select(rest, -1, 0), negative(select(rest, -1, 1))]
    whole = cat([x, cat([unsqueeze(part, -1) for part in mirrored], -1)], 1)
    return select(of_complex(whole, sign, scale), -1, 0)


def times(x: Tensor, constant: Tensor) -> Tensor:
    """Products of pairs and constant pairs."""
    re, im = select(x, -1, 0), select(x, -1, 1)
    cos, sin = select(constant, -1, 0), select(constant, -1, 1)
    parts = sub(mul(re, cos), mul(im, sin)), add(mul(re, sin), mul(im, cos))
    return cat([unsqueeze(part, -1) for part in parts], -1)


def _by_convolution(x: Tensor, sign: int, scale: float) -> Tensor:
    """Bluestein: j k = (j^2 + k^2 - (k - j)^2) / 2 makes the transform a convolution, whose length is a power of two."""
    _, n, _ = x.meta.shape
    m = 1 << ceil(log2(2 * n - 1))
    chirp = roots.constant(roots.chirp, n, sign, like=x)
    padded = constant_pad_nd(times(x, chirp), (0, 0, 0, m - n))
    spectrum = times(of_complex(padded, -1, 1.0), roots.constant(roots.chirp_spectrum, n, m, sign, scale, like=x))
    return times(narrow(of_complex(spectrum, 1, 1.0), 1, 0, n), chirp)
