"""Samples of creation, casts, copies."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch

from tests.op_samples.maker import DTYPES, Maker, Sample, kind
from tritonflow.registry.schema import Entry

SHAPES = ((7,), (), (0,), (3, 0, 2), (3, 5), (2, 3, 4), (1025,))


@kind("creation")
def creation(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for shape in SHAPES:
        yield Sample((shape,), {"dtype": m.dtype})
    yield Sample((4,), {"dtype": m.dtype}, label="one size")
    yield Sample((2, 3), {"dtype": m.dtype}, label="sizes one by one")
    yield Sample(((2, 3),), label="default dtype")
    yield Sample(((-1, 3),), label="negative size")


@kind("creation_fill")
def creation_fill(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for shape in SHAPES:
        for value in (3, 0.5, True, -1):
            if value != -1 or m.dtype.is_signed:
                yield Sample((shape, value), {"dtype": m.dtype})
    for value in (3, 0.5, True):
        yield Sample(((2, 3), value), label="dtype of the value")


@kind("like")
def like(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for shape in SHAPES:
        yield Sample((m(*shape),))
        for dtype in DTYPES[:: 4 if not m.thorough else 1]:
            yield Sample((m(*shape),), {"dtype": dtype})
    for layout in m.layouts[1:4]:
        yield Sample((m(4, 5, layout=layout),), label=layout)


@kind("like_fill")
def like_fill(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for shape in SHAPES:
        for value in (3, 1, True, 0):
            yield Sample((m(*shape), value))


@kind("new")
def new(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for shape in SHAPES:
        yield Sample((m(2), shape))
        yield Sample((m(2), shape), {"dtype": m.dtype})


@kind("new_full")
def new_full(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for shape in SHAPES:
        yield Sample((m(2), shape, 3))
        yield Sample((m(2), shape, 1), {"dtype": m.dtype})


@kind("type_as")
def type_as(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for dtype in DTYPES:
        yield Sample((m(7, low=0.0, high=3.0), m(2, dtype=dtype)))


@kind("arange")
def arange(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for args in ((5,), (0,), (1, 6), (1, 10, 3), (5, 0, -2), (3, 3), (0, 1000)):
        yield Sample(args)
        if not any(a < 0 for a in args) or m.dtype.is_signed:
            yield Sample(args if max(args) < 100 else (0, 100), {"dtype": m.dtype})
    for args in ((0.5, 3.0), (0.0, 1.0, 0.25), (2.5,), (1, 2, 0.3)):
        yield Sample(args)
    yield Sample((0, 5, 0), label="step 0")
    yield Sample((5, 0, 1), label="bounds inconsistent with the step")


@kind("linspace")
def linspace(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for args in ((0, 1, 5), (0, 1, 1), (-2, 7, 10), (3, -3, 7), (0, 1, 0), (0.5, 2.5, 100), (2, 2, 3), (1, -1, 2), (0, 10, 11)):
        yield Sample(args, {"dtype": m.dtype} if m.floating else {})
    yield Sample((0, 1, -1), label="negative number of steps")


@kind("eye")
def eye(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for args in ((3,), (0,), (2, 5), (5, 2), (1, 1), (65,), (0, 3), (4, 4), (1, 7)):
        yield Sample(args, {"dtype": m.dtype})
    yield Sample((-1,), label="negative size")


@kind("cast")
def cast(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    """To every dtype; floating values stay in the range of every integer dtype."""
    low, high = (0.0, 9.0) if m.floating else (0.0, 3.0)
    for dtype in DTYPES:
        yield Sample((m(7, low=low, high=high), dtype))
        yield Sample((m(low=low, high=high), dtype), label="zero-dim")
        yield Sample((m(3, 0), dtype), label="zero-size")
        if m.thorough:
            yield Sample((m(4, 5, low=low, high=high, layout="transposed"), dtype), label="transposed")


@kind("copy")
def copy(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    """(destination, source)."""
    for shape in SHAPES:
        yield Sample((m(*shape), m(*shape)))
    yield Sample((m(3, 5), m(5)), label="broadcast")
    yield Sample((m(3, 5), m()), label="broadcast")
    yield Sample((m(3), m(2, 3)), label="source larger")
    yield Sample((m(3), m(4)), label="shapes that do not broadcast")
    for layout in m.layouts[1:4]:
        yield Sample((m(4, 5, layout=layout), m(4, 5)), label=layout)
        yield Sample((m(4, 5), m(4, 5, layout=layout)), label=layout)
    for dtype in DTYPES if m.thorough else DTYPES[::4]:
        yield Sample((m(4, 5), m(4, 5, low=0, high=3, dtype=dtype)), label="another dtype")


@kind("fill")
def fill(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for shape in SHAPES:
        for value in (3, 0, 0.5, True):
            yield Sample((m(*shape), value))
    for layout in m.layouts[1:4]:
        yield Sample((m(4, 5, layout=layout), 2), label=layout)


@kind("zero")
def zero(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for shape in SHAPES:
        yield Sample((m(*shape),))
    for layout in m.layouts[1:4]:
        for shape in ((6,), (4, 5), (2, 3, 4)):
            yield Sample((m(*shape, layout=layout),), label=layout)


@kind("fill_copy")
def fill_copy(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for shape in SHAPES:
        yield Sample((m(*shape), 1))
        yield Sample((m(*shape), 0.0))
    yield Sample((m(3, 4, layout="transposed"), m()), label="a tensor")
    yield Sample((m(0), True))


@kind("logspace")
def logspace(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for args in ((0, 2, 5), (-1.5, 1.5, 4), (0, 3, 4, 2.0), (1, 2, 1), (0, 1, 0), (2, -1, 7), (0, 0, 3), (0.5, 0.5, 2), (3, 1, 2)):
        yield Sample(args, {"dtype": m.dtype} if m.floating else {})
    yield Sample((0, 1, -1), label="negative number of steps")


@kind("range")
def range_(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for args in ((1, 4), (0, 1, 0.25), (3, 0, -1), (2, 2), (0.5, 2), (-1, 1), (0, 0.9, 0.3), (0, 7)):
        yield Sample(args)
    yield Sample((0, 5), {"dtype": m.dtype})
    yield Sample((0, 5, 0), label="step 0")
    yield Sample((5, 0, 1), label="bounds inconsistent with the step")


@kind("scalar_tensor")
def scalar_tensor(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for value in (3, 0.5, True, 0, 1, 2):
        yield Sample((value,))
        yield Sample((value,), {"dtype": m.dtype})


@kind("triangle_indices")
def triangle_indices(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for args in ((3, 3), (2, 4, 1), (4, 2, -1), (0, 3), (3, 3, 9), (3, 3, -9), (1, 1), (5, 2, 1), (2, 0)):
        yield Sample(args)
    yield Sample((3, 2), {"dtype": torch.int32})
    yield Sample((-1, 2), label="negative size")


@kind("vander")
def vander(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for count in (1, 2, 4, 5):
        yield Sample((m(count),))
        yield Sample((m(count), 5), {"increasing": True})
    yield Sample((m(3), 0))
    yield Sample((m(0),))
    yield Sample((m(2, 3),), label="a matrix")
