"""Samples of pointwise ops: one, two or three operands, broadcasting, scalars, special values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch

from tests.op_samples.maker import Maker, Sample, kind, with_options
from tritonflow.registry.schema import Entry

SHAPES = ((7,), (), (0,), (3, 0, 2), (1,), (64,), (1025,), (3, 5), (2, 3, 4), (5, 1, 3))
DOMAINS = {
    "real": (-3.0, 3.0),
    "positive": (0.05, 4.0),
    "unit": (-0.95, 0.95),
    "probability": (0.05, 0.95),
    "above_one": (1.05, 4.0),
    "small": (-1.2, 1.2),
}


def _unary(low: float, high: float) -> Any:
    def samples(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
        yield from with_options(_one(m, low, high, _required(entry, m)), options)

    return samples


def _required(entry: Entry, m: Maker) -> tuple[Any, ...]:
    """Values for the required parameters behind the first tensor."""
    values = []
    for parameter in entry.signatures[0].parameters[1:]:
        if parameter.required:
            values.append(0.5 if parameter.type.name in ("Float", "Double", "Scalar") and m.floating else 1)
    return tuple(values)


def _one(m: Maker, low: float, high: float, rest: tuple[Any, ...]) -> Iterator[Sample]:
    for shape in SHAPES:
        yield Sample((m(*shape, low=low, high=high), *rest), label="contiguous")
    for layout in m.layouts[1:]:
        yield Sample((m(5, 7, low=low, high=high, layout=layout), *rest), label=layout)
        yield Sample((m(3, 4, 5, low=low, high=high, layout=layout), *rest), label=layout)
    yield Sample((m(40, low=-8, high=8), *rest), label="outside of the domain")
    if m.floating:
        yield Sample((m.special(64), *rest), label="special values")


for _name, (_low, _high) in DOMAINS.items():
    kind(_name)(_unary(_low, _high))
kind("integral", "boolean")(_unary(-3.0, 3.0))


BROADCASTS = (
    ((7,), (7,)), ((), ()), ((3,), ()), ((), (2, 3)), ((0,), (1,)), ((2, 0), (2, 1)), ((1,), (65,)), ((33, 31), (33, 31)),
    ((3, 1), (1, 5)), ((4, 5), (5,)), ((2, 1, 4), (3, 1)), ((2, 3, 4), (1, 1, 4)),
)  # fmt: skip
BAD_PAIRS = (((3,), (4,)), ((2, 3), (2,)), ((0,), (3,)))


@kind("pairs", "power", "shifts", "pairs_nonzero", "pairs_positive")
def pairs(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    yield from with_options(_pairs(m, entry, options), options)


def _pairs(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    name = options.get("kind", "pairs")
    low, high = (0.2, 2.4) if name in ("power", "pairs_positive") else (-3.0, 3.0)

    def second(*shape: int, **how: Any) -> torch.Tensor:
        if name in ("shifts", "power") and not m.floating:
            return m(*shape, low=0, high=1, **how)
        values = m(*shape, low=low, high=high, **how)
        if name != "pairs_nonzero" or m.dtype == torch.bool:
            return values
        if m.floating:  # far enough from 0 for finite differences
            return values + torch.where(values < 0, -0.5, 0.5).to(m.dtype)
        return values + (values == 0).to(m.dtype)

    for left, right in BROADCASTS if m.thorough else BROADCASTS[:9]:
        yield Sample((m(*left, low=low, high=high), second(*right)), label="broadcast" if left != right else "")
    for layout in m.layouts[1:]:
        yield Sample((m(5, 7, low=low, high=high, layout=layout), second(5, 7)), label=layout)
        yield Sample((m(5, 7, low=low, high=high, layout=layout), second(7, layout=layout)), label=layout)
    for left, right in BAD_PAIRS:
        yield Sample((m(*left), second(*right)), label="shapes that do not broadcast")
    if m.floating:
        yield Sample((m.special(64), m.special(64)), label="special values")
    elif m.thorough or m.dtype == torch.int64:
        yield Sample((m(5), second(5, dtype=torch.float32)), label="mixed dtypes")
    yield from _with_scalars(m, entry, low, high, name)


def _with_scalars(m: Maker, entry: Entry, low: float, high: float, name: str) -> Iterator[Sample]:
    types = {tuple(p.type.name for p in s.positional[:2]) for s in entry.signatures}
    whole = name in ("shifts",)
    scalars = (2, True) if whole else (2, 1.5, True) if m.floating or m.thorough else (2, 1.5)
    for number in scalars:
        if ("Tensor", "Scalar") in types:
            yield Sample((m(6, low=low, high=high), number), label="scalar")
            yield Sample((m(low=low, high=high), number), label="scalar, zero-dim")
        if ("Scalar", "Tensor") in types and name != "pairs_nonzero":
            yield Sample((number, m(6, low=low, high=high)), label="scalar first")
    if any(s.parameter("alpha") for s in entry.signatures) and m.dtype != torch.bool:
        yield Sample((m(6), m(6)), {"alpha": 2}, label="alpha")
        yield Sample((m(6), 3), {"alpha": 2}, label="alpha")
        yield Sample((m(6), m(6)), {"alpha": 0.5}, label="alpha")


@kind("where", "ternary")
def where(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for shape in SHAPES:
        yield Sample((m.mask(*shape), m(*shape), m(*shape)))
    for layout in m.layouts[1:]:
        yield Sample((m.mask(5, 7), m(5, 7, layout=layout), m(5, 7)), label=layout)
    yield Sample((m.mask(3, 1), m(1, 5), m(5)), label="broadcast")
    yield Sample((m.mask(4), m(2, 4), m()), label="broadcast, zero-dim")
    yield Sample((m.mask(4), m(3), m(4)), label="shapes that do not broadcast")
    types = {tuple(p.type.name for p in s.positional) for s in entry.signatures}
    for scalar in (2, 0.5):
        if ("Tensor", "Tensor", "Scalar") in types:
            yield Sample((m.mask(6), m(6), scalar), label="scalar")
        if ("Tensor", "Scalar", "Tensor") in types:
            yield Sample((m.mask(6), scalar, m(6)), label="scalar")
    if m.floating:
        yield Sample((m.mask(32), m.special(32), m.special(32)), label="special values")


@kind("three")
def three(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    yield from with_options(_three(m, entry), options)


def _three(m: Maker, entry: Entry) -> Iterator[Sample]:
    for shape in SHAPES:
        yield Sample((m(*shape), m(*shape), m(*shape, low=0.5)))
    for layout in m.layouts[1:]:
        yield Sample((m(5, 7, layout=layout), m(5, 7), m(7, low=0.5, layout=layout)), label=layout)
    yield Sample((m(3, 1), m(1, 5), m(5, low=0.5)), label="broadcast")
    yield Sample((m(4), m(3), m(4)), label="shapes that do not broadcast")
    if any([p.type.name for p in s.positional[:3]] == ["Tensor", "Tensor", "Scalar"] for s in entry.signatures):
        yield Sample((m(6), m(6), 0.3), label="scalar")
        yield Sample((m(2, 3), m(3), 0.75), label="scalar")


@kind("clamp")
def clamp(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    bounds = ((-1, 1), (0, None), (None, 1), (2, -2)) + (((-0.5, 0.5), (0.25, None)) if m.floating else ())
    for number, shape in enumerate(SHAPES):
        low, high = bounds[number % len(bounds)]
        yield Sample((m(*shape), low, high))
    for layout in m.layouts[1:]:
        yield Sample((m(5, 7, layout=layout), -1, 1), label=layout)
    yield Sample((m(5), None, None), label="no bound")
    if m.floating:
        yield Sample((m.special(32), -1, 1), label="special values")


@kind("comparison")
def comparison(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    yield from _pairs(m, entry, {})
    x = m(4, 6)
    yield Sample((x, x.clone()), label="equal")


@kind("isclose")
def isclose(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for shape in SHAPES:
        x = m(*shape)
        yield Sample((x, x + (m.mask(*shape)).to(m.dtype)))
        yield Sample((x, x.clone(), 1e-3, 1e-2))


@kind("equal")
def equal(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for shape in SHAPES:
        x = m(*shape)
        yield Sample((x, x.clone()), label="equal")
        yield Sample((x, m(*shape)))
    yield Sample((m(3), m(4)), label="shapes differ")
