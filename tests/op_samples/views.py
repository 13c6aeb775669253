"""Samples of views and joins: shapes in, other shapes out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import torch

from tests.op_samples.maker import Maker, Sample, kind
from tritonflow.registry.schema import Entry

Calls = Sequence[tuple[tuple[int, ...], tuple[Any, ...]]]


def _table(name: str, calls: Calls) -> None:
    """A kind whose samples are (shape of the tensor, other arguments), each in every layout."""

    @kind(name)
    def samples(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
        for shape, rest in calls:
            yield Sample((m(*shape), *rest))
        for layout in m.layouts[1:]:
            for shape, rest in calls[: 6 if m.thorough else 2]:
                yield Sample((m(*shape, layout=layout), *rest), label=layout)


_table("reshape", (
    ((2, 6), ((3, 4),)), ((2, 6), ((12,),)), ((2, 3, 4), ((6, -1),)), ((2, 3, 4), ((2, 12),)), ((4,), ((4, 1, 1),)),
    ((1, 4), ((4,),)), ((), ((1, 1),)), ((1,), ((),)), ((0, 3), ((3, 0),)), ((0,), ((2, 0, 5),)), ((2, 3), ((5,),)),
    ((2, 3), ((-1, -1),)), ((0,), ((-1, 0),)), ((6,), ((-1, 4),)), ((6,), ((-2, 3),)),
))  # fmt: skip
_table("flatten", (
    ((2, 3, 4), ()), ((2, 3, 4), (1,)), ((2, 3, 4), (0, 1)), ((2, 3, 4), (-2, -1)), ((2, 3), (1, 1)), ((), ()), ((5,), ()),
    ((0, 3), ()), ((2, 3), (1, 0)), ((2, 3), (2,)), ((2, 3), (0, -3)),
))  # fmt: skip
_table("permute", (
    ((2, 3), ((1, 0),)), ((2, 3, 4), ((2, 0, 1),)), ((2, 3, 4), ((0, 2, 1),)), ((2, 3, 4), ((-1, 0, -2),)), ((), ((),)),
    ((0, 3), ((1, 0),)), ((5,), ((0,),)), ((2, 3), ((0, 0),)), ((2, 3), ((0, 2),)), ((2, 3), ((0,),)),
))  # fmt: skip
_table("transpose", (
    ((2, 3), (0, 1)), ((2, 3, 4), (0, 2)), ((2, 3, 4), (-1, 0)), ((2, 3, 4), (1, 1)), ((0, 3), (0, 1)), ((), (0, -1)),
    ((5,), (0, 0)), ((2, 3), (0, 2)), ((2, 3), (-3, 0)),
))  # fmt: skip
_table("matrix", (((2, 3), ()), ((3,), ()), ((), ()), ((0, 2), ()), ((1, 4), ()), ((2, 3, 4), ())))
_table("movedim", (
    ((2, 3, 4), (0, 2)), ((2, 3, 4), (-1, 0)), ((2, 3, 4), ((0, 1), (1, 2))), ((2, 3, 4), ((2, 0), (0, 1))),
    ((2, 3), ((0, 0), (0, 1))), ((2, 3), ((0,), (0, 1))), ((2, 3), (2, 0)),
))  # fmt: skip
_table("expand", (
    ((1, 3), ((4, 3),)), ((3,), ((2, 3),)), ((2, 1), ((2, 5),)), ((2, 1), ((-1, 5),)), ((), ((2, 3),)), ((1,), ((0,),)),
    ((2, 1, 3), ((4, 2, 5, 3),)), ((2, 3), ((2, 3),)), ((1, 3), ((0, 3),)), ((2, 3), ((2, 4),)), ((2, 3), ((3,),)),
    ((3,), ((-1, 3),)),
))  # fmt: skip
_table("pad", (
    ((2, 3), ((1, 2),)), ((2, 3), ((1, 2, 0, 1),)), ((2, 3), ((-1, 2),)), ((2, 3), ((1, -1, -1, 0),)), ((4,), ((2, 2),)),
    ((2, 3), ((1, 1), "constant", 2.5)), ((2, 3), ((0, 0),)), ((2, 3), ((-2, -1),)), ((0, 3), ((1, 1),)), ((0,), ((1, 1),)),
    ((2, 3), ((1,),)), ((2, 3), ((-2, -2),)), ((3,), ((1, 1, 1, 1),)),
    ((2, 3, 4), ((2, 1), "reflect")), ((2, 3, 4, 3), ((1, 2, 2, 0), "reflect")), ((2, 3, 4), ((4, 1), "replicate")),
    ((2, 3, 4, 3), ((-1, 2, 1, 0), "replicate")), ((2, 3, 4), ((4, 1), "circular")), ((2, 2, 3, 2, 2), ((1, 0, 1, 2, 2, 1), "circular")),
    ((2, 3, 4), ((4, 1), "reflect")), ((2, 3, 4), ((5, 1), "circular")), ((2, 3), ((1, 1, 1, 1), "reflect")),
))  # fmt: skip
_table("squeeze", (
    ((1, 3, 1), ()), ((1, 3, 1), (0,)), ((1, 3, 1), (-1,)), ((1, 3, 1), (1,)), ((1, 3, 1), ((0, 2),)), ((), ()), ((), (0,)),
    ((1,), ()), ((0, 1), (1,)), ((2, 3), (2,)),
))  # fmt: skip
_table("unsqueeze", (
    ((2, 3), (0,)), ((2, 3), (1,)), ((2, 3), (2,)), ((2, 3), (-1,)), ((2, 3), (-3,)), ((), (0,)), ((0,), (1,)), ((2, 3), (3,)),
    ((2, 3), (-4,)),
))  # fmt: skip
_table("select", (
    ((3, 4), (0, 1)), ((3, 4), (1, -1)), ((3, 4), (-1, 0)), ((2, 3, 4), (1, 2)), ((5,), (0, 3)), ((0, 3), (1, 1)),
    ((3, 4), (0, 3)), ((3, 4), (0, -4)), ((3, 4), (2, 0)), ((), (0, 0)),
))  # fmt: skip
_table("narrow", (
    ((5, 4), (0, 1, 3)), ((5, 4), (1, 0, 2)), ((5, 4), (-1, 1, 3)), ((5, 4), (0, -2, 2)), ((5,), (0, 5, 0)), ((5,), (0, 0, 5)),
    ((0, 3), (0, 0, 0)), ((5,), (0, 4, 2)), ((5,), (0, 0, -1)), ((5,), (0, 6, 0)), ((5,), (1, 0, 1)), ((), (0, 0, 1)),
))  # fmt: skip
_table("split", (
    ((6, 4), (2,)), ((6, 4), (4,)), ((6, 4), (3, 1)), ((6, 4), ((1, 2, 3),)), ((6, 4), ((4, 0), 1)), ((5,), (7,)), ((0, 3), (2,)),
    ((6, 4), ((1, 2),)), ((6,), (-1,)), ((6,), (2, 1)), ((), (1,)),
))  # fmt: skip
_table("chunk", (
    ((6, 4), (2,)), ((6, 4), (4,)), ((7,), (3,)), ((6, 4), (3, 1)), ((6, 4), (2, -1)), ((2,), (5,)), ((0, 3), (2,)), ((6,), (0,)),
    ((), (1,)),
))  # fmt: skip
_table("unbind", (((3, 4), ()), ((3, 4), (1,)), ((3, 4), (-1,)), ((0, 3), ()), ((2, 0), ()), ((), ()), ((3,), (1,)), ((3,), ())))
_table("diagonal", (
    ((3, 4), ()), ((3, 4), (1,)), ((3, 4), (-1,)), ((4, 3), (2,)), ((3, 4), (5,)), ((2, 3, 4), (0, 1, 2)), ((2, 3, 4), (1, 0, 2)),
    ((2, 3, 4), (0, -1, 0)), ((0, 3), ()), ((3, 3), (0, 0, 0)), ((3,), ()),
))  # fmt: skip
_table("unfold", (
    ((7,), (0, 3, 2)), ((4, 6), (1, 2, 2)), ((4, 6), (0, 4, 1)), ((4, 6), (-1, 3, 1)), ((5,), (0, 5, 1)), ((5,), (0, 0, 1)),
    ((5,), (0, 6, 1)), ((5,), (0, 2, 0)), ((5,), (0, -1, 1)), ((), (0, 1, 1)),
))  # fmt: skip
_table("repeat", (
    ((2, 3), ((2, 2),)), ((3,), ((2, 2),)), ((2, 3), ((1, 1),)), ((), ((3,),)), ((2,), ((0,),)), ((0, 2), ((2, 2),)),
    ((2, 3), ((2, 1, 3),)), ((2, 3), ((2,),)), ((2,), ((-1,),)),
))  # fmt: skip
_table("tile", (((2, 3), ((2, 2),)), ((2, 3), ((2,),)), ((3,), ((2, 2),)), ((), ((3,),)), ((2,), ((0,),)), ((2, 3), ((2, 1, 3),))))
_table("flip", (
    ((4,), ((0,),)), ((2, 3), ((0,),)), ((2, 3), ((0, 1),)), ((2, 3, 4), ((-1, 0),)), ((0, 2), ((0,),)), ((), ((),)),
    ((2, 3), ((0, 0),)), ((2, 3), ((2,),)),
))  # fmt: skip
_table("roll", (
    ((5,), (2,)), ((5,), (-1, 0)), ((2, 3), (1,)), ((2, 3), (1, 1)), ((2, 3), ((1, 2), (0, 1))), ((0, 2), (1, 0)), ((2, 3), (7, -1)),
    ((2, 3), ((1, 2), (0,))), ((2, 3), (1, 2)),
))  # fmt: skip
_table("tril", (
    ((3, 4), ()), ((3, 4), (1,)), ((4, 3), (-1,)), ((2, 3, 3), ()), ((2, 3, 3), (1,)), ((3, 3), (9,)), ((3, 3), (-9,)), ((0, 3), ()),
    ((1, 1), ()), ((3,), ()),
))  # fmt: skip
_table("diag", (((3,), ()), ((3,), (1,)), ((3, 4), ()), ((3, 4), (-1,)), ((0,), ()), ((2, 3, 4), ())))
_table("constant_pad_nd", (
    ((2, 3), ((1, 2),)), ((2, 3), ((1, 2, 0, 1),)), ((2, 3), ((1, -1, -1, 0), 1)), ((4,), ((2, 2), 0.5)), ((0, 3), ((1, 1),)),
    ((2, 3), ((1,),)), ((2, 3), ((-2, -2),)),
))  # fmt: skip
_table("rot90", (
    ((2, 3), ()), ((2, 3), (2,)), ((2, 3), (-1,)), ((2, 3, 4), (5, (2, 0))), ((0, 3), ()), ((2, 3), (1, (0, 0))), ((3,), ()),
))  # fmt: skip
_table("unflatten", (
    ((2, 6), (1, (2, 3))), ((2, 6), (-1, (-1, 2))), ((6, 2), (0, (3, 2))), ((0, 2), (0, (0, 3))), ((2, 6), (1, (4, 2))),
    ((2, 6), (2, (2, 3))), ((2, 6), (1, ())),
))  # fmt: skip
_table("split_with_sizes", (((6, 4), ((1, 2, 3),)), ((6, 4), ((4, 0), 1)), ((0, 3), ((0,),)), ((6, 4), ((1, 2),))))
_table("split_copy", (((6, 4), (4,)), ((6, 4), (2, 1)), ((0, 3), (2,))))
_table("slice_copy", (((6, 4), ()), ((6, 4), (1, 1, None, 2)), ((6, 4), (0, -4, -1)), ((0, 3), (0, 0, 5))))
_table("unsafe_split", (((6, 4), (2,)), ((6, 4), (4,)), ((6, 4), (3, 1)), ((0, 3), (2,)), ((6,), (-1,))))
_table("tensor_split", (
    ((7, 4), (3,)), ((7, 4), ((1, 3),)), ((7, 4), (3, -1)), ((3,), (5,)), ((7,), ((-3, 20),)), ((0, 3), (2,)), ((7,), (0,)),
    ((), (1,)),
))  # fmt: skip
_table("hsplit", (((6, 4), (2,)), ((6,), ((1, 4),)), ((6, 4), (3,)), ((), (1,))))
_table("vsplit", (((6, 4), (2,)), ((6, 4), ((1, 4),)), ((6,), (3,)), ((6, 4), (0,))))
_table("dsplit", (((2, 3, 4), (2,)), ((2, 3, 4), ((1, 3),)), ((1, 1, 6), (3,)), ((2, 3, 4), (3,)), ((6, 4), (2,)), ((2, 0, 4), (4,))))
_table("diag_embed", (
    ((3,), ()), ((2, 3), (1,)), ((2, 3), (-1,)), ((2, 3), (0, 0, 2)), ((2, 3), (1, 2, 0)), ((0,), (1,)), ((3,), (0, 0, 0)),
))  # fmt: skip
_table("diagflat", (((3,), ()), ((2, 2), (1,)), ((), ()), ((0,), (-1,))))
_table("combinations", (((4,), ()), ((4,), (3,)), ((3,), (2, True)), ((2,), (3,)), ((0,), ()), ((2, 3), ()), ((3,), (-1,))))
_table("copy_of", tuple((s, ()) for s in ((7,), (), (0,), (2, 3), (2, 3, 4), (1,), (65, 3))))


@kind("as_strided")
def as_strided(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for rest in (((2, 3), (3, 1)), ((3, 2), (1, 3)), ((2, 2), (4, 2), 1), ((6,), (2,)), ((), ()), ((0, 2), (1, 1)), ((3,), (1,), 9)):
        yield Sample((m(12), *rest))
        yield Sample((m(12, layout="offset"), *rest), label="in terms of the storage")
    yield Sample((m(12), (2, 3), (1,)), label="lengths differ")
    yield Sample((m(12), (20,), (1,)), label="outside of the storage")
    yield Sample((m(12), (2,), (-1,)), label="negative stride")


@kind("cat", "concat")
def cat(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for shapes, dim in (
        (((2, 3), (4, 3)), 0), (((2, 3), (2, 1)), 1), (((2, 3), (2, 4), (2, 0)), -1), (((3,), (2,), (5,)), 0), (((0,), (3,)), 0),
        (((2, 3, 4), (2, 1, 4)), 1), (((0,), (2, 3)), 0), (((3,),), 0), (((2, 3), (2, 4)), 0), (((2, 3), (3,)), 0),
        (((2, 3), (2, 3)), 2), (((), ()), 0), ((), 0),
    ):  # fmt: skip
        yield Sample(([m(*s) for s in shapes], dim))
    for layout in m.layouts[1:]:
        yield Sample(([m(4, 3, layout=layout), m(2, 3)], 0), label=layout)
        yield Sample(([m(4, 3), m(4, 2, layout=layout)], 1), label=layout)


@kind("stack", "hstack", "vstack", "dstack")
def stack(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    has_dim = any(s.parameter("dim") for s in entry.signatures)
    for shapes in (((2, 3),) * 2, ((3,),) * 3, ((),) * 2, ((0, 2),) * 2, ((2, 3, 4),) * 2, ((5,),), ((2, 3), (2, 4)), ()):
        yield Sample(([m(*s) for s in shapes],))
        if has_dim:
            yield Sample(([m(*s) for s in shapes], 1))
            yield Sample(([m(*s) for s in shapes], -1))
    for layout in m.layouts[1:]:
        yield Sample(([m(4, 3, layout=layout), m(4, 3)],), label=layout)


@kind("pair_of_shapes")
def pair_of_shapes(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    pairs = (((1, 3), (2, 3)), ((3,), (2, 3)), ((), (4,)), ((2, 3), (5,))) if "expand" in entry.name else (
        ((2, 6), (3, 4)), ((12,), (2, 3, 2)), ((0, 2), (2, 0)), ((), (1,)), ((2, 3), (5,)),
    )  # fmt: skip
    for first, second in pairs:
        yield Sample((m(*first), m(*second)))
        for layout in m.layouts[1:]:
            yield Sample((m(*first, layout=layout), m(*second)), label=layout)


@kind("broadcast_tensors", "meshgrid")
def several(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for shapes in (((1,), (4,)), ((3,), (2,)), ((3,), (3,)), ((0,), (1,)), ((5,),), ((2,), (), (3,))):
        yield Sample(tuple(m(*s) for s in shapes))
    for layout in m.layouts[1:]:
        yield Sample((m(1, layout=layout), m(4, layout=layout)), label=layout)
    if options["kind"] == "broadcast_tensors":
        yield Sample((m(2, 1), m(1, 3)))
    elif entry.name == "meshgrid":
        for indexing in ("ij", "xy", "yx"):
            yield Sample((m(2), m(3), m(1)), {"indexing": indexing})


@kind("atleast")
def atleast(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for shape in ((), (3,), (2, 3), (2, 1, 3), (0,)):
        yield Sample((m(*shape),))
    for layout in m.layouts[1:]:
        yield Sample((m(2, 3, layout=layout),), label=layout)
    yield Sample(((m(), m(3)),))


@kind("column_stack", "block_diag")
def matrices(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    rows = 3 if options["kind"] == "column_stack" else 2
    for shapes in (((3,), (rows, 2)), ((3, 1), (3,), (3, 0)), ((), (1, 2)), ((2,), (2,)), ((2, 1, 3), (2, 2, 3)), ((3, 2),)):
        tensors = [m(*s) for s in shapes]
        yield Sample((tensors,) if options["kind"] == "column_stack" else tuple(tensors))
    for layout in m.layouts[1:]:
        tensors = [m(3, 2, layout=layout), m(3, 4, layout=layout)]
        yield Sample((tensors,) if options["kind"] == "column_stack" else tuple(tensors), label=layout)


def _parts(name: str, calls: Calls, part: Any) -> None:
    """A kind whose samples have what replaces a view behind the tensor; the last one is of a wrong shape."""

    @kind(name)
    def samples(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
        for shape, rest in calls:
            yield Sample((m(*shape), m(*part(torch.empty(shape), *rest).shape), *rest))
        for layout in m.layouts[1:]:
            for shape, rest in calls[:2]:
                values = m(*part(torch.empty(shape), *rest).shape, layout=layout)
                where = "in terms of the storage" if name == "as_strided_scatter" else layout
                yield Sample((m(*shape, layout=layout), values, *rest), label=where)
        yield Sample((m(*calls[0][0]), m(9), *calls[0][1]), label="another shape")


_parts("diagonal_scatter", (((3, 4), ()), ((3, 4), (1,)), ((2, 3, 3), (-1, 0, 2)), ((3, 4), (5,))), torch.diagonal)
_parts("select_scatter", (((3, 4), (0, 1)), ((3, 4), (-1, -2)), ((3,), (0, 2)), ((2, 0), (0, 1))), torch.select)
_parts("slice_scatter", (
    ((5, 4), (0, 1, 4)), ((5, 4), (1, None, None, 2)), ((5,), (0, -2)), ((5,), (0, 4, 2)), ((5, 4), ()),
), lambda x, dim=0, start=None, end=None, step=1: x.movedim(dim, 0)[start:end:step].movedim(0, dim))  # fmt: skip
_parts("as_strided_scatter", (((3, 4), ((2, 2), (4, 1), 1)), ((6,), ((3,), (2,))), ((6,), ((), (), 4)), ((2, 3), ((2, 2), (3, 1)))), torch.as_strided)
