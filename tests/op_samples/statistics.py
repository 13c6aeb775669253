"""Samples of statistics, differences, integrals, norms of matrices, and of special functions with parameters."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch

from tests.op_samples.maker import Maker, Sample, kind
from tritonflow.registry.schema import Entry

MATRICES = ((3, 5), (5, 3), (1, 4), (4, 1))


@kind("quantile")
def quantile(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    modes = ("linear", "lower", "higher", "midpoint", "nearest")
    for number, shape in enumerate(((7,), (3, 5), (2, 3, 4), (), (1, 6))):
        yield Sample((m(*shape), 0.3))
        yield Sample((m(*shape), number % 2), label="an end")
        yield Sample((m(*shape), 0.5), {"interpolation": modes[number]})
        for dim in range(-1, min(len(shape), 2)):
            yield Sample((m(*shape), 0.71, dim), {"interpolation": modes[number]}, label="one dim")
            yield Sample((m(*shape), 0.25, dim, True), label="keepdim")
            if m.floating:
                shares = torch.tensor([0.1, 0.3, 0.85], dtype=m.dtype)  # no rank is whole: at those a gradient has a step
                yield Sample((m(*shape), shares, dim), label="several")
                yield Sample((m(*shape), shares, dim, True), label="several, keepdim")
    yield Sample((m(4), 1.5), label="q out of range")
    yield Sample((m(4), 0.5, 1), label="dim out of range")
    yield Sample((m(0), 0.5), label="nothing to reduce")
    yield Sample((m(4), 0.5), {"interpolation": "cubic"}, label="no such interpolation")
    if m.floating:
        yield Sample((m.special(6, 5, extreme=False), 0.4, 1), label="special values")
        yield Sample((m.special(6, extreme=False), 0.4), label="special values")


@kind("variables")
def variables(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for shape in ((3, 5), (2, 7), (4, 4), (1, 6), (6,), (5, 2)):
        yield Sample((m(*shape),))
        if entry.name == "cov":
            yield Sample((m(*shape),), {"correction": 0}, label="correction")
            counts, shares = (
                m.integers(1, 4, shape[-1]),
                torch.rand(shape[-1], dtype=torch.float64).to(m.dtype if m.floating else torch.float32),
            )
            yield Sample((m(*shape),), {"fweights": counts}, label="counts")
            yield Sample((m(*shape),), {"aweights": shares + 0.5}, label="weights")
            yield Sample((m(*shape),), {"fweights": counts, "aweights": shares + 0.5, "correction": 2}, label="both")
        else:
            yield Sample((m(*shape, layout="transposed"),), label="transposed")
            yield Sample((m(*shape, low=-9, high=2),))
    yield Sample((m(2, 2, 2),), label="three dimensions")


@kind("renorm")
def renorm(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for number, shape in enumerate(((3, 5), (2, 3, 4), (4, 2), (0, 3), (6, 1))):
        for dim in (0, -1, 1):
            yield Sample((m(*shape), (2, 1, 3.5)[number % 3], dim, 1.5))
            yield Sample((m(*shape), 2, dim, 100.0), label="shorter")
    yield Sample((m(4), 2, 0, 1.0), label="a vector")
    yield Sample((m(4, 2), 2, 2, 1.0), label="dim out of range")
    yield Sample((m(4, 2), 0, 1, 1.0), label="order 0")


@kind("differences")
def differences(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for shape in ((7,), (3, 5), (2, 3, 4), (1, 6), (0, 3)):
        for n in (1, 2, 0, 9):
            yield Sample((m(*shape), n))
            yield Sample((m(*shape), n, 0))
        yield Sample((m(*shape), 1, -1, m(*shape), m(*shape)), label="prepend, append")
    yield Sample((m(),), label="zero-dim")
    yield Sample((m(3), -1), label="negative order")
    for layout in m.layouts[1:]:
        yield Sample((m(5, 7, layout=layout), 1, 0), label=layout)


@kind("integrals")
def integrals(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for shape in ((7,), (3, 5), (2, 3, 4), (1, 6), (4, 1)):
        yield Sample((m(*shape),))
        yield Sample((m(*shape),), {"dx": 0.25, "dim": 0}, label="dx")
        yield Sample((m(*shape), m(shape[-1])), label="points")
        yield Sample((m(*shape), m(shape[0])), {"dim": 0}, label="points")
        yield Sample((m(*shape), m(*shape)), label="points of each row")
    yield Sample((m(0),), label="nothing to add")
    yield Sample((m(),), label="zero-dim")
    yield Sample((m(3, 4), m(3)), label="as many points as another dimension")


@kind("histc")
def histc(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for shape in ((7,), (40,), (3, 5), (), (0,), (600,)):
        yield Sample((m(*shape),))
        yield Sample((m(*shape), 4))
        yield Sample((m(*shape), 5, -1, 2), label="range")
        yield Sample((m(*shape), 3, 2, 2), label="range of one number")
        yield Sample((m(*shape)[:256] * 0, 3) if shape else (m() * 0, 3), label="equal numbers")  # bfloat16 counts no further
    yield Sample((m(4), 0), label="no bins")
    yield Sample((m(4), 3, 2, 1), label="range the wrong way round")
    for layout in m.layouts[1:]:
        yield Sample((m(5, 7, layout=layout), 6), label=layout)
    if m.floating:
        yield Sample((m.special(40), 3, -1, 1), label="special values")


@kind("vector_norm")
def vector_norm(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    orders = (2, 1, float("inf"), 3.5, 0, -float("inf"))
    for shape in ((7,), (3, 5), (2, 3, 4), ()):
        yield Sample((m(*shape),))
        for number, order in enumerate(orders):
            yield Sample((m(*shape), order), label="order")
            yield Sample((m(*shape), order, (-1, 0)[number % 2], number % 3 == 0), label="one dim")
    yield Sample((m(2, 3, 4), 2, (0, 2)), label="dims")
    yield Sample((m(0), float("inf")), label="nothing to reduce")
    yield Sample((m(0, 3), 2, 0), label="zero-size")
    yield Sample((m(2, 3), 2, 2), label="dim out of range")
    for layout in m.layouts[1:]:
        yield Sample((m(6, 5, layout=layout), 2, 0), label=layout)


@kind("matrix_norm")
def matrix_norm(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    orders = (1, -1, float("inf"), -float("inf"), "fro")
    for shape in MATRICES:
        yield Sample((m(*shape),))
        for order in orders:
            yield Sample((m(*shape), order), label="order")
    for number, order in enumerate(orders):
        yield Sample((m(2, 3, 4), order, (0, 2) if number % 2 else (-1, 0)), label="dims")
        yield Sample((m(2, 3, 4), order, (1, 2), True), label="keepdim")
    yield Sample((m(2, 3), 7), label="no such order")
    yield Sample((m(3), "fro", (0, 0)), label="a dim twice")
    if entry.name == "linalg_norm":
        for shape in ((7,), (3, 5), (2, 3, 4)):
            yield Sample((m(*shape), 3.5, 0), label="vectors")
            yield Sample((m(*shape), None, -1, True), label="no order")
        yield Sample((m(2, 3, 4), 1), label="an order of three dimensions")


@kind("gradient")
def gradient(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for shape in ((7,), (3, 5), (4, 3, 6)):
        for order in (1, 2):
            yield Sample((m(*shape),), {"edge_order": order})
            yield Sample((m(*shape),), {"edge_order": order, "spacing": 2.0}, label="spacing")
            yield Sample((m(*shape),), {"edge_order": order, "dim": 0, "spacing": 0.5}, label="one dim")
            points = torch.arange(shape[0], dtype=m.dtype if m.floating else torch.float32) ** 2
            yield Sample((m(*shape),), {"edge_order": order, "dim": 0, "spacing": (points,)}, label="points")
            yield Sample(
                (m(*shape),), {"edge_order": order, "spacing": [0.5, 2.0, 3.0][: len(shape)]}, label="spacings"
            )
    yield Sample((m(1, 4),), label="too short")
    yield Sample((m(5),), {"edge_order": 3}, label="no such order")


@kind("polygamma")
def polygamma(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for n in (0, 1, 2, 5):
        for shape in ((7,), (3, 5), (), (0,)):
            yield Sample((n, m(*shape, low=0.1, high=6)))
        yield Sample((n, m(9, low=-2.9, high=-0.1)), label="left of 0")
    yield Sample((-1, m(3)), label="negative order")


@kind("zeta")
def zeta(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for left, right in (((7,), (7,)), ((3, 5), (5,)), ((), (4,)), ((0,), (1,)), ((33,), (33,))):
        yield Sample((m(*left, low=1.2, high=6), m(*right, low=0.1, high=12)))
        yield Sample((m(*left, low=0, high=3), m(*right, low=-3, high=3)), label="outside of the domain")
    yield Sample((m(6, low=1.2, high=4), 2.0), label="scalar")
    yield Sample((2.0, m(6, low=0.5, high=4)), label="scalar first")
    yield Sample((m(3), m(4)), label="shapes that do not broadcast")


@kind("degrees")
def degrees(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    dtype = m.dtype if m.floating else torch.int64
    for left, right in (((7,), (7,)), ((3, 5), (5,)), ((), (4,)), ((0,), (1,)), ((40,), (40,))):
        yield Sample((m(*left, low=-1, high=1), m.integers(0, 9, *right, dtype=dtype)))
        yield Sample((m(*left, low=-2, high=2), m.integers(-1, 4, *right, dtype=dtype)))
    yield Sample((m(6, low=-1, high=1), 4), label="scalar")
    yield Sample((m(6, low=-1, high=1), 12), label="scalar")
    yield Sample((0.5, m.integers(0, 6, 5, dtype=dtype)), label="scalar first")
