"""Samples of ops that read and write by indices or masks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch

from tests.op_samples.maker import Maker, Sample, kind
from tritonflow.functional.schema import Entry

# (shape of the tensor, dim, shape of the index)
CASES = (
    ((7,), 0, (4,)), ((3, 5), 0, (2, 5)), ((3, 5), 1, (3, 4)), ((3, 5), -1, (2, 2)), ((2, 3, 4), 1, (2, 5, 4)),
    ((2, 3, 4), 2, (1, 3, 6)), ((5,), 0, (0,)), ((3, 5), 1, (3, 0)), ((6, 4), 0, (6, 4)), ((1,), 0, (3,)), ((40, 3), 0, (33, 3)),
)  # fmt: skip


@kind("gather")
def gather(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for shape, dim, index in CASES:
        yield Sample((m(*shape), dim, m.integers(0, shape[dim], *index)))
    for layout in m.layouts[1:]:
        yield Sample((m(4, 5, layout=layout), 0, m.integers(0, 4, 3, 5)), label=layout)
        yield Sample((m(4, 5, layout=layout), 1, m.integers(0, 5, 5, 4).t()), label=f"{layout}, index transposed")
    yield Sample((m(), 0, m.integers(0, 1)), label="zero-dim")
    yield Sample((m(4), 0, torch.tensor([4])), label="index out of range")
    yield Sample((m(4), 0, torch.tensor([-1])), label="index out of range")
    yield Sample((m(4), 1, torch.tensor([0])), label="dim out of range")
    yield Sample((m(4), 0, torch.tensor([[0]])), label="ranks differ")
    yield Sample((m(4), 0, torch.tensor([0.0])), label="index of a floating dtype")


@kind("scatter", "scatter_add")
def scatter(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    add = options.get("kind") == "scatter_add"
    for shape, dim, index in CASES:
        yield Sample((m(*shape), dim, _targets(m, shape, dim, index, add), m(*index)))
        if add:
            continue
        scalar = any(p.type.name == "Scalar" for s in entry.signatures for p in s.positional[3:4])
        if scalar:
            yield Sample((m(*shape), dim, m.integers(0, shape[dim], *index), 2), label="scalar")
    for layout in m.layouts[1:4]:
        yield Sample((m(4, 5, layout=layout), 0, _targets(m, (4, 5), 0, (3, 5), add), m(3, 5, layout=layout)), label=layout)
    yield Sample((m(4), 0, torch.tensor([4]), m(1)), label="index out of range")
    yield Sample((m(4), 0, torch.tensor([-1]), m(1)), label="index out of range")
    yield Sample((m(4), 1, torch.tensor([0]), m(1)), label="dim out of range")
    yield Sample((m(4), 0, torch.tensor([0, 1]), m(1)), label="index larger than src")
    yield Sample((m(4), 0, torch.tensor(1), m()), label="zero-dim index and src")
    yield Sample((m(4), 0, torch.tensor([1]), m()), label="zero-dim src")
    yield Sample((m(), 0, torch.tensor([0]), m(1)), label="zero-dim")
    yield Sample((m(4, 3), 0, torch.tensor([[0, 1]]), m(2)), label="ranks differ")
    yield Sample((m(4, 3), 0, torch.tensor([[0, 1, 2, 0]]), m(1, 4)), label="index larger than the tensor")


def _targets(m: Maker, shape: tuple[int, ...], dim: int, index: tuple[int, ...], repeated: bool) -> torch.Tensor:
    """Indices; without repetition along the dim where the last writer would win by chance."""
    if repeated or not all(index):
        return m.integers(0, shape[dim], *index)
    length = index[dim]
    order = torch.stack([torch.from_numpy(m.rng.permutation(max(shape[dim], length))) for _ in range(max(1, 1))])[0]
    order = order[order < shape[dim]][:length]
    view = [1] * len(shape)
    view[dim] = len(order)
    size = list(index)
    size[dim] = len(order)
    return order.view(view).expand(size).contiguous()


@kind("index_select")
def index_select(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for shape, dim, index in CASES:
        yield Sample((m(*shape), dim, m.integers(0, shape[dim], index[dim])))
    for layout in m.layouts[1:]:
        yield Sample((m(4, 5, layout=layout), 0, m.integers(0, 4, 3)), label=layout)
        yield Sample((m(4, 5, layout=layout), 1, m.integers(0, 5, 6, dtype=torch.int32)), label=f"{layout}, int32")
    yield Sample((m(4), 0, torch.tensor([4])), label="index out of range")
    yield Sample((m(4), 1, torch.tensor([0])), label="dim out of range")
    yield Sample((m(), 0, torch.tensor([0, 0])), label="two indices of a zero-dim tensor")
    yield Sample((m(4, 4), 0, torch.tensor([[0]])), label="index of two dimensions")
    yield Sample((m(4), 0, torch.tensor([0.0])), label="index of a floating dtype")


@kind("index_add", "index_copy")
def index_add(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for shape, dim, _ in CASES:
        count = shape[dim]
        source = list(shape)
        order = torch.from_numpy(m.rng.permutation(count))
        yield Sample((m(*shape), dim, order, m(*source)))
    if m.dtype != torch.bool:
        yield Sample((m(4, 3), 1, torch.tensor([2, 0, 2]), m(4, 3)), {"alpha": 3}, label="alpha")
    yield Sample((m(4, 3), 0, torch.tensor(1), m(1, 3)), label="index of no dimensions")
    yield Sample((m(), 0, torch.tensor([0]), m()), label="zero-dim")
    yield Sample((m(), -1, torch.tensor(0), m()), label="zero-dim")
    yield Sample((m(), 0, torch.tensor([1]), m()), label="zero-dim, index out of range")
    yield Sample((m(4, 3), 0, torch.tensor([-1, 2]), m(2, 3)), label="negative index")
    yield Sample((m(4, 3), 0, torch.tensor([[1, 2]]), m(2, 3)), label="index of two dimensions")
    for given in ((3, 3), (2, 4), (2, 1), (2,), (2, 3, 1), ()):
        yield Sample((m(4, 3), 0, torch.tensor([1, 2]), m(*given)), label="shapes differ")
    yield Sample((m(4, 3), 1, torch.tensor([1, 2]), m(4)), label="source has no such dimension")
    yield Sample((m(4), 0, torch.tensor(1), m()), label="zero-dim source")
    yield Sample((m(), 0, torch.tensor([0]), m(1)), label="source of one dimension")
    other = torch.int64 if m.floating else torch.float32
    if m.dtype != other:
        yield Sample((m(4, 3), 0, torch.tensor([1, 2]), m(2, 3, dtype=other)), label="dtypes differ")
    yield Sample((m(4), 0, torch.tensor([4]), m(1)), label="index out of range")
    yield Sample((m(4), 1, torch.tensor([0]), m(1)), label="dim out of range")


@kind("index_fill")
def index_fill(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for shape, dim, index in CASES:
        yield Sample((m(*shape), dim, m.integers(0, shape[dim], index[dim]), 1))


@kind("take_along_dim")
def take_along_dim(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for shape, dim, index in CASES[:5]:
        yield Sample((m(*shape), m.integers(0, shape[dim], *index), dim))


@kind("take")
def take(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for shape in ((7,), (3, 5), (2, 3, 4)):
        for index in ((4,), (2, 3), (), (0,)):
            yield Sample((m(*shape), m.integers(0, 5, *index)))


@kind("masked_fill")
def masked_fill(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    value = 0.5 if m.floating else 1
    for shape in ((7,), (), (0,), (3, 5), (2, 3, 4), (1025,)):
        yield Sample((m(*shape), m.mask(*shape), value))
        yield Sample((m(*shape), m.mask(*shape), -float("inf") if m.floating else 0))
    for layout in m.layouts[1:4]:
        yield Sample((m(4, 5, layout=layout), m.mask(4, 5), value), label=layout)
        yield Sample((m(4, 5, layout=layout), m.mask(5), value), label=f"{layout}, broadcast")
    yield Sample((m(3, 1), m.mask(1, 5), value), label="broadcast")
    yield Sample((m(4, 5), m.mask(4), value), label="shapes that do not broadcast")
    if any(p.type.name == "Tensor" for s in entry.signatures for p in s.positional[2:3]):
        yield Sample((m(4, 5), m.mask(4, 5), m()), label="value is a tensor")
    yield Sample((m(4), m(4, dtype=torch.float32), value), label="mask is not bool")


@kind("masked_select")
def masked_select(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for shape in ((7,), (), (0,), (3, 5), (2, 3, 4), (1025,)):
        yield Sample((m(*shape), m.mask(*shape)))
        yield Sample((m(*shape), torch.zeros(shape, dtype=torch.bool)), label="nothing")
        yield Sample((m(*shape), torch.ones(shape, dtype=torch.bool)), label="all")
    for layout in m.layouts[1:]:
        yield Sample((m(4, 5, layout=layout), m.mask(4, 5)), label=layout)
        yield Sample((m(4, 5, layout=layout), m.mask(5)), label=f"{layout}, broadcast")
    yield Sample((m(4), m.mask(3)), label="shapes that do not broadcast")
    yield Sample((m(4), m(4, dtype=torch.float32)), label="mask is not bool")


@kind("any_real")
def any_real(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    """Values among which zeros are frequent."""
    for shape in ((7,), (), (0,), (3, 0), (3, 5), (2, 3, 4), (1,), (1025,), (33, 40)):
        x = m(*shape)
        yield Sample((x * m.mask(*shape).to(x.dtype) if x.dtype != torch.bool else x,))
        yield Sample((torch.zeros_like(x),), label="zeros")
        yield Sample((torch.ones_like(x),), label="ones")
    for layout in m.layouts[1:]:
        yield Sample((m(4, 6, layout=layout),), label=layout)


@kind("embedding")
def embedding(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    """In torch.nn.functional's order: (input, weight)."""
    for rows, width in ((5, 3), (10, 1), (3, 40)):
        for shape in ((4,), (2, 3), (), (0,), (2, 1, 2)):
            yield Sample((m.integers(0, rows, *shape), m(rows, width)))
            yield Sample((m.integers(0, rows, *shape, dtype=torch.int32), m(rows, width)), label="int32")
    for layout in m.layouts[1:]:
        yield Sample((m.integers(0, 5, 4), m(5, 6, layout=layout)), label=layout)
    yield Sample((torch.tensor([1, 1, 1]), m(3, 2)), label="one row often")
    yield Sample((m.integers(0, 5, 4), m(5, 3), 1), label="padding_idx")
    yield Sample((torch.tensor([5]), m(5, 3)), label="index out of range")
    yield Sample((torch.tensor([-1]), m(5, 3)), label="index out of range")
    yield Sample((torch.tensor([0.0]), m(5, 3)), label="index of a floating dtype")


@kind("one_hot")
def one_hot(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for shape in ((4,), (2, 3), (), (7,)):
        for classes in (5, 6, 9):
            yield Sample((m.integers(0, 5, *shape), classes))
        yield Sample((m.integers(0, 5, *shape),), label="classes from the data")
    yield Sample((torch.tensor([5]), 5), label="index out of range")


@kind("repeat_interleave")
def repeat_interleave(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for shape in ((4,), (2, 3), (), (7,)):
        for n in (1, 2, 0):
            yield Sample((m(*shape), n))
            yield Sample((m(*shape), n, 0))


@kind("bincount")
def bincount(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for size in (0, 1, 7, 100):
        yield Sample((m.integers(0, 5, size),))
        yield Sample((m.integers(0, 5, size),), {"minlength": 9})
