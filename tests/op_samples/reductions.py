"""Samples of reductions, scans, sorting: a tensor and the dimensions to walk along."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch

from tests.op_samples.maker import Maker, Sample, kind, with_options
from tritonflow.registry.schema import Entry

SHAPES = ((7,), (3, 5), (2, 3, 4), (33, 17), (1, 6))
EMPTY = ((0,), (3, 0), (0, 3))


def _takes_keepdim(entry: Entry) -> bool:
    return any(s.parameter("keepdim") for s in entry.signatures)


@kind("reduction", "accumulation")
def reduction(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    """All, one or several dimensions. An accumulation gets no extreme numbers: whether those overflow depends on the order."""
    extreme = options.get("kind") != "accumulation"
    yield from with_options(_reduction(m, entry, several=True, extreme=extreme), options)


@kind("reduction_single", "accumulation_single")
def reduction_single(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    """All or one dimension."""
    extreme = options.get("kind") != "accumulation_single"
    yield from with_options(_reduction(m, entry, several=False, extreme=extreme), options)


def _reduction(m: Maker, entry: Entry, several: bool, extreme: bool) -> Iterator[Sample]:
    keep = ({"keepdim": True},) if _takes_keepdim(entry) else ({},)
    for shape in (*SHAPES, ()):
        yield Sample((m(*shape),), label="all")
        for dim in range(-1, min(len(shape), 2)):
            yield Sample((m(*shape), dim), label="one dim")
            yield Sample((m(*shape), dim), dict(keep[0]), label="keepdim")
    for shape in EMPTY:
        yield Sample((m(*shape),), label="nothing to reduce")
        yield Sample((m(*shape), 0), label="zero-size")
        yield Sample((m(*shape), len(shape) - 1), label="zero-size")
    if several:
        for dims in ((0, 1), (0, 2), (2, 1), (-1, 0), (0, 1, 2), ()):
            yield Sample((m(2, 3, 4), dims), dict(keep[0]) if len(dims) == 2 else {}, label="several dims")
        yield Sample((m(2, 3), (0, 0)), label="a dim twice")
    for layout in m.layouts[1:]:
        yield Sample((m(6, 5, layout=layout),), label=layout)
        yield Sample((m(6, 5, layout=layout), 0), label=layout)
        yield Sample((m(6, 5, layout=layout), 1), label=layout)
    yield Sample((m(2, 3), 2), label="dim out of range")
    yield Sample((m(2, 3), -3), label="dim out of range")
    if m.floating:
        yield Sample((m.special(5, 8, extreme=extreme), 1), label="special values")
        yield Sample((m.special(16, extreme=extreme),), label="special values")
    if m.thorough:
        yield Sample((m(1030),), label="longer than a block")
        yield Sample((m(3, 1030), 1), label="longer than a block")
        yield Sample((m(1030, 3), 0), label="longer than a block")


@kind("extremum")
def extremum(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    """max and min: of all elements, along a dimension (values and indices), of two tensors."""
    for shape in SHAPES:
        yield Sample((m.distinct(*shape),), label="all")
        yield Sample((m.distinct(*shape), 0), label="along a dim")
        yield Sample((m.distinct(*shape), -1), {"keepdim": True}, label="keepdim")
    for layout in m.layouts[1:]:
        yield Sample((m(6, 5, layout=layout), 1), label=layout)
    yield Sample((m(),), label="zero-dim")
    yield Sample((m(), 0), label="zero-dim")
    yield Sample((m(0),), label="nothing to reduce")
    yield Sample((m(3, 0), 1), label="nothing to reduce")
    yield Sample((m(0, 3), 1), label="zero-size")
    yield Sample((m(2, 3), 2), label="dim out of range")
    if m.floating:
        yield Sample((m.special(5, 8),), label="special values")
    if any([p.type.name for p in s.positional[:2]] == ["Tensor", "Tensor"] for s in entry.signatures):
        yield Sample((m(4, 5), m(5)), label="two tensors")


@kind("reduction_dim", "along_dim", "accumulation_along_dim")
def along_dim(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    """A required dimension. An accumulation gets no extreme numbers: whether those overflow depends on the order."""
    name = options.get("kind")
    yield from with_options(_along_dim(m, entry, name == "reduction_dim", name != "accumulation_along_dim"), options)


@kind("two_along_dim")
def two_along_dim(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    """Two tensors that broadcast, and a dimension of the result."""
    for shape in SHAPES:
        for dim in range(-1, min(len(shape), 3)):
            yield Sample((m(*shape), m(*shape), dim))
    yield Sample((m(4, 1, 5), m(3, 5), 0), label="broadcast")
    yield Sample((m(4, 1, 5), m(3, 5)), label="broadcast")
    yield Sample((m(0, 3), m(0, 3), 0), label="zero-size")
    yield Sample((m(), m(), 0), label="zero-dim")
    yield Sample((m(3, 4) * 0, m(3, 4)), label="length 0")
    yield Sample((m(3, 4), m(3, 4), 1, 100.0), label="shorter than eps")
    for layout in m.layouts[1:]:
        yield Sample((m(6, 5, layout=layout), m(6, 5), 0), label=layout)
        yield Sample((m(6, 5), m(6, 5, layout=layout), 1), label=layout)
    yield Sample((m(2, 3), m(2, 3), 2), label="dim out of range")
    yield Sample((m(2, 3), m(3, 2), 1), label="shapes that do not broadcast")
    if m.thorough:
        yield Sample((m(3, 2050), m(3, 2050), 1), label="longer than a block")


def _along_dim(m: Maker, entry: Entry, keep: bool, extreme: bool) -> Iterator[Sample]:
    for shape in SHAPES:
        for dim in range(-1, min(len(shape), 3)):
            yield Sample((m(*shape), dim))
            if keep:
                yield Sample((m(*shape), dim), {"keepdim": True})
    for shape in EMPTY:
        yield Sample((m(*shape), 0), label="zero-size")
        yield Sample((m(*shape), -1), label="zero-size")
    yield Sample((m(), 0), label="zero-dim")
    for layout in m.layouts[1:]:
        yield Sample((m(6, 5, layout=layout), 0), label=layout)
        yield Sample((m(6, 5, layout=layout), 1), label=layout)
    yield Sample((m(2, 3), 2), label="dim out of range")
    if m.floating:
        yield Sample((m.special(5, 8, extreme=extreme), 1), label="special values")
    if m.thorough:
        yield Sample((m(3, 1030, low=-1.2, high=1.2), 1), label="longer than a block")
        yield Sample((m(1030, 3, low=-1.2, high=1.2), 0), label="longer than a block")


@kind("var")
def var(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    names = {p.name for s in entry.signatures for p in s.parameters}
    third = [{"unbiased": False}] * ("unbiased" in names) + [{"correction": c} for c in (0, 2)] * ("correction" in names)
    for number, shape in enumerate(((7,), (3, 5), (2, 3, 4), (9, 17), (4, 2))):
        yield Sample((m(*shape),), label="all")
        for dim in ((0,), (len(shape) - 1,), (0, len(shape) - 1) if len(shape) > 1 else (0,)):
            yield Sample((m(*shape), dim), label="dims")
            yield Sample((m(*shape), dim), {"keepdim": True, **(third[number % len(third)] if third else {})}, label="keepdim")
    for layout in m.layouts[1:]:
        yield Sample((m(6, 5, layout=layout), 1), label=layout)
    yield Sample((m(0),), label="nothing to reduce")
    yield Sample((m(1),), label="one element")
    yield Sample((m(),), label="zero-dim")
    yield Sample((m(2, 3), 2), label="dim out of range")


@kind("norm_p")
def norm_p(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for p in (2, 1, 3.0, float("inf"), -float("inf"), 0):
        yield Sample((m(3, 5), p))
        yield Sample((m(3, 5), p, 1))
        yield Sample((m(2, 3, 4), p, (0, 2), True))
    yield Sample((m(3, 5), None, 1), label="no order")


@kind("sort")
def sort(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    ties = m.dtype == torch.bool  # whose order torch's sort of 17 elements and more leaves open
    for shape in ((7,), (3, 5), (5, 3), (2, 3, 4), (1,), (0,), (3, 0), *[(70,)] * (not ties)):
        yield Sample((m.distinct(*shape),))
        yield Sample((m.distinct(*shape), -1, True))
        yield Sample((m.distinct(*shape), 0))
    yield Sample((m(),), label="zero-dim")
    for layout in m.layouts[1:2]:
        x = m.distinct(6, 5)
        yield Sample((x.t().contiguous().t(), 0), label=layout)
    yield Sample((m(2, 3), 2), label="dim out of range")


@kind("topk")
def topk(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for shape in ((7,), (3, 5), (2, 3, 9), (40,), (4, 1)):
        for k in (1, min(3, shape[-1]), shape[-1], 0):
            yield Sample((m.distinct(*shape), k))
        yield Sample((m.distinct(*shape), 1, 0))
        yield Sample((m.distinct(*shape), 1, -1, False), label="smallest")
    yield Sample((m.distinct(4), 5), label="k out of range")
    yield Sample((m.distinct(4), -1), label="k out of range")
    yield Sample((m.distinct(4), 1, 1), label="dim out of range")


@kind("kthvalue")
def kthvalue(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for shape in ((7,), (3, 5), (2, 3, 9)):
        for k in (1, 2, shape[-1]):
            yield Sample((m.distinct(*shape), k))
            yield Sample((m.distinct(*shape), 1, 0))


@kind("cdist")
def cdist(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    shapes = (((3, 4), (5, 4)), ((2, 3, 4), (2, 2, 4)), ((2, 1, 3, 2), (3, 2, 2)), ((0, 4), (3, 4)), ((2, 0), (3, 0)), ((1, 1), (1, 1)))
    for k, (a, b) in enumerate(shapes):
        for p in (2.0, 1.0, 0.0, float("inf"), 3.0) if k == 0 else (2.0, 0.5):
            yield Sample((m(*a), m(*b), p), label=f"p={p}")
    for layout in m.layouts[1:]:
        yield Sample((m(40, 5, layout=layout), m(33, 5, layout=layout)), label=layout)
    yield Sample((m(3, 4), m(3, 5)), label="columns differ")
    yield Sample((m(4), m(3, 4)), label="a vector")
    yield Sample((m(3, 4), m(3, 4), -1.0), label="negative p")
