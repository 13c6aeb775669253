"""A function in pieces, each a polynomial. AVX-512 looks a coefficient up in a register of 16.

An evaluation is a look-up and a multiplication for each degree, without a branch or an exponential.
It is for functions that begin as f(x) = x does, and are larger than WIDTH beyond it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise

from tritonflow.triton_cpu.lower.lanes import Lanes

from .floats import Floats

PIECES, WIDTH, DEGREE = 16, 0.25, 6
LIMIT = PIECES * WIDTH - 0.01  # the largest argument


def evaluate(p: Floats, x: Lanes, pieces: list[list[float]]) -> Lanes:
    """The function whose `coefficients` these are, for f32 lanes between 0 and LIMIT."""
    # A number of which 1/4 is the last bit: adding it leaves the piece in
    # the low bits, of which the look-up takes four.
    magic = p.format.rounding * WIDTH
    shifted = p.add(p.sub(x, WIDTH / 2), magic)
    within = p.sub(x, p.sub(shifted, magic))
    slope, *rest, start = (p.look_up(list(column), shifted) for column in zip(*pieces, strict=True))
    for coefficient in rest:
        slope = p.mad(slope, within, coefficient)
    # The first piece starts at 0; x apart from it keeps the slope's rounding out of the result.
    return p.mad(slope, within, p.pick(p.test("ogt", within, start), within, start))


def coefficients(function: Callable[[float], float]) -> list[list[float]]:
    """For each piece, the highest power's first. The first piece is what is added to x."""
    first = _of_piece(lambda x: function(x) - x, 0.0)
    return [first, *(_of_piece(function, k * WIDTH) for k in range(1, PIECES))]


def _of_piece(function: Callable[[float], float], start: float) -> list[float]:
    value = function(start)
    nodes = [WIDTH / 2 * (1 - math.cos(math.pi * (j + 0.5) / DEGREE)) for j in range(DEGREE)]
    return [*_through(nodes, [(function(start + node) - value) / node for node in nodes]), value]


def _through(nodes: list[float], values: list[float]) -> list[float]:
    """The polynomial with these values, by Newton's divided differences."""
    differences, column = [values[0]], values
    for order in range(1, len(nodes)):
        column = [(b - a) / (nodes[j + order] - nodes[j]) for j, (a, b) in enumerate(pairwise(column))]
        differences.append(column[0])
    result = [0.0]
    for node, difference in zip(reversed(nodes), reversed(differences), strict=True):
        result = [high - node * low for high, low in zip([*result, 0.0], [0.0, *result], strict=True)]
        result[-1] += difference
    return result[1:]
