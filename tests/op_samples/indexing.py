"""Samples of ops that read and write by indices or masks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch

from tests.op_samples.maker import Maker, Sample, kind
from tritonflow.registry.schema import Entry

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
    yield Sample((m(5), 0, m.integers(0, 1, 2, 0)), label="nothing is read")
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
    if not add:
        for reduce in ("add", "multiply"):
            yield Sample((m(4, 5), 0, _targets(m, (4, 5), 0, (3, 5), False), m(3, 5)), {"reduce": reduce}, label=reduce)
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


@kind("index_add")
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


@kind("index_copy")
def index_copy(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for shape, dim, _ in CASES:
        yield Sample((m(*shape), dim, torch.from_numpy(m.rng.permutation(shape[dim])), m(*shape)))
    for layout in m.layouts[1:4]:
        yield Sample((m(4, 5, layout=layout), 1, torch.tensor([3, 0]), m(4, 2, layout=layout)), label=layout)
    yield Sample((m(4), 0, torch.tensor(1), m(1)), label="index of no dimensions")
    yield Sample((m(4), 0, torch.tensor([1]), m()), label="zero-dim source")
    yield Sample((m(), 0, torch.tensor([0]), m()), label="zero-dim")
    yield Sample((m(4, 3), 0, torch.tensor([1, 2]), m(2, 4)), label="shapes differ")
    yield Sample((m(4, 3), 0, torch.tensor([1, 2]), m(3, 3)), label="too few indices")
    yield Sample((m(4, 3), 0, torch.tensor([4]), m(1, 3)), label="index out of range")
    yield Sample((m(4, 3), 0, torch.tensor([-1]), m(1, 3)), label="index out of range")


@kind("index_fill")
def index_fill(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for shape, dim, index in CASES:
        yield Sample((m(*shape), dim, m.integers(0, shape[dim], index[dim]), 1))
    for layout in m.layouts[1:4]:
        yield Sample((m(4, 5, layout=layout), 1, torch.tensor([3, -5]), m()), label=f"{layout}, a tensor")
    yield Sample((m(4, 3), 0, torch.tensor([1]), m(1)), label="value of one dimension")
    yield Sample((m(4, 3), 0, torch.tensor([[1]]), 1), label="index of two dimensions")
    yield Sample((m(4, 3), 0, torch.tensor([4]), 1), label="index out of range")
    yield Sample((m(), 0, torch.tensor([0]), 1), label="zero-dim")


@kind("take_along_dim")
def take_along_dim(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for shape, dim, index in CASES[:5]:
        yield Sample((m(*shape), m.integers(0, shape[dim], *index), dim))
    yield Sample((m(3, 1), m.integers(0, 3, 2, 4), 0), label="broadcast")
    yield Sample((m(3, 4), m.integers(0, 12, 2, 4)), label="flat")
    yield Sample((m(3, 4), m.integers(-9, 9, 2, 4), 0), label="around")
    for layout in m.layouts[1:]:
        yield Sample((m(4, 5, layout=layout), m.integers(0, 4, 3, 1), 0), label=layout)
    yield Sample((m(3, 4), m.integers(0, 3, 2), 0), label="ranks differ")


@kind("take")
def take(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for shape in ((7,), (3, 5), (2, 3, 4)):
        for index in ((4,), (2, 3), (), (0,)):
            yield Sample((m(*shape), m.integers(-5, 5, *index)))
    for layout in m.layouts[1:]:
        yield Sample((m(4, 5, layout=layout), m.integers(0, 20, 3)), label=layout)
    yield Sample((m(2, 3), torch.tensor([6])), label="index out of range")


@kind("put")
def put(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for shape, index in (((7,), (4,)), ((3, 5), (2, 3)), ((2, 3, 4), ()), ((3,), (0,)), ((), (1,))):
        count = int(torch.Size(shape).numel())
        order = torch.from_numpy(m.rng.permutation(count))[: max(int(torch.Size(index).numel()), 0)].reshape(index)
        yield Sample((m(*shape), order, m(*index)))
        if m.dtype != torch.bool:
            yield Sample((m(*shape), m.integers(-count, count, *index), m(*index), True), label="accumulate")
    for layout in m.layouts[1:4]:
        yield Sample((m(4, 5, layout=layout), torch.tensor([3, 19, -10]), m(3)), label=layout)
    yield Sample((m(3), torch.tensor([1]), m(2)), label="counts differ")
    yield Sample((m(3), torch.tensor([3]), m(1)), label="index out of range")


@kind("index_put")
def index_put(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    rows, columns = torch.tensor([2, 0]), torch.tensor([[1], [3]])
    for indices, values in (
        ((rows,), (2, 5)), ((rows, columns), (2, 2)), ((columns,), ()), ((m.mask(4, 5),), ()), ((m.mask(4),), (1, 5)),
        ((rows, m.mask(5)[:5]), (1,)),
    ):  # fmt: skip
        yield Sample((m(4, 5), indices, m(*values)))
    if m.dtype != torch.bool:
        yield Sample((m(4, 5), (torch.tensor([1, 1, 0]),), m(3, 5), True), label="accumulate")
        yield Sample((m(4, 5), (torch.tensor([1, 1, 0]), torch.tensor(2)), m(), True), label="accumulate")
    for layout in m.layouts[1:4]:
        yield Sample((m(4, 5, layout=layout), (rows, torch.tensor([1, 4])), m(2, layout=layout)), label=layout)
    yield Sample((m(4, 5), (torch.tensor([4]),), m()), label="index out of range")
    yield Sample((m(4, 5), (rows,), m(3, 5)), label="shapes differ")
    yield Sample((m(4, 5), (rows, rows, rows), m()), label="too many indices")


@kind("masked_scatter")
def masked_scatter(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for shape, mask, source in (((7,), (7,), (9,)), ((3, 5), (3, 5), (5, 3)), ((3, 5), (5,), (15,)), ((0,), (0,), (0,)), ((3, 1), (3, 1), (4,))):
        yield Sample((m(*shape), m.mask(*mask), m(*source)))
    yield Sample((m(4), torch.tensor([True, False, True, False]), m(2)), label="just enough")
    yield Sample((m(4), torch.zeros(4, dtype=torch.bool), m(0)), label="nothing")
    for layout in m.layouts[1:4]:
        yield Sample((m(4, 5, layout=layout), m.mask(4, 5), m(4, 5, layout=layout)), label=layout)
    yield Sample((m(4), torch.ones(4, dtype=torch.bool), m(3)), label="too few")
    yield Sample((m(4), m(4, dtype=torch.float32), m(4)), label="mask is not bool")


@kind("nonzero_static")
def nonzero_static(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for shape, size in (((7,), 4), ((3, 5), 20), ((), 2), ((2, 2), 0), ((0, 3), 2)):
        x = m(*shape)
        yield Sample((x,), {"size": size})
        yield Sample((torch.zeros_like(x),), {"size": size, "fill_value": 7}, label="zeros")
    yield Sample((m(3),), {"size": -1}, label="negative")


@kind("scatter_reduce", "index_reduce")
def scatter_reduce(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    vector = options["kind"] == "index_reduce"
    reductions = ("prod", "mean", "amax", "amin") if vector else ("sum", "prod", "mean", "amax", "amin")
    for k, (shape, dim, index) in enumerate(CASES):
        for reduce in reductions if k in (2, 4) else reductions[k % len(reductions) :][:1]:
            source = [index[dim] if d == dim % len(shape) else n for d, n in enumerate(shape)] if vector else index
            at = m.integers(0, shape[dim], index[dim]) if vector else m.integers(0, shape[dim], *index)
            yield Sample((m(*shape, low=-1, high=1), dim, at, m(*source, low=-1, high=1), reduce), {"include_self": k % 2 == 0}, label=reduce)
    at = torch.tensor([1, 0, 1])
    for reduce in reductions:
        for last in (0, 3):  # of two zeros in a product there is no second derivative
            label = "special values" if reduce == "prod" and not last else f"{reduce}, zeros"
            yield Sample((m(4), 0, at, torch.tensor([0, 2, last]).to(m.dtype), reduce), label=label)
    for layout in m.layouts[1:4]:
        yield Sample((m(3, layout=layout), 0, at, m(3, layout=layout), "amax"), label=layout)
    yield Sample((m(), 0, torch.tensor([0]) if vector else torch.tensor(0), m(), "prod"), label="zero-dim")
    yield Sample((m(4), 0, at, m(3), "median"), label="no such reduction")
    yield Sample((m(4), 0, torch.tensor([4, 0, 0]), m(3), "amax"), label="index out of range")


SEGMENTS = ("sum", "mean", "max", "min", "prod")


@kind("segment_reduce")
def segment_reduce(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for k, reduce in enumerate(SEGMENTS):
        initial = {"initial": 0.5} if k % 2 else {}
        yield Sample((m(7), reduce), {"lengths": torch.tensor([3, 1, 3]), **initial}, label=reduce)
        yield Sample((m(6, 2, low=0.5, high=1.5), reduce), {"offsets": torch.tensor([0, 2, 3, 6])}, label=f"{reduce}, offsets")
        yield Sample((m(2, 4, 3), reduce), {"lengths": torch.tensor([[1, 3], [4, 0]]), "axis": 1, "initial": 1}, label=f"{reduce}, rows")
    yield Sample((m(5), "sum"), {"lengths": torch.tensor([3, 0, 2])}, label="an empty segment")
    yield Sample((m(5), "sum"), {"lengths": torch.tensor([3, 1])}, label="lengths that do not fit")
    yield Sample((m(5), "sum"), {"lengths": torch.tensor([6, -1])}, label="a negative length")
    yield Sample((m(5), "sum"), label="no segments")
    yield Sample((m(5), "median"), {"lengths": torch.tensor([3, 2])}, label="no such reduction")


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


@kind("positions")
def positions(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for shape in ((2, 3), (5,), (2, 2, 4), (0, 3)):
        tokens = m.integers(0, 7, *shape)
        yield Sample((tokens, m(7, 5), m(6, 5)))
        yield Sample((tokens, m(7, 5), m(6, 5), m.integers(0, 6, *shape)), {"padding_idx": 2, "scale": 3.0}, label="positions")
        yield Sample((tokens, m(7, 5), m(6, 5), m.integers(0, 6, shape[-1])), {"padding_idx": -1}, label="shared positions")
    for layout in m.layouts[1:]:
        yield Sample((m.integers(0, 7, 3, 4), m(7, 6, layout=layout), m(9, 6, layout=layout)), label=layout)
    yield Sample((torch.tensor([7]), m(7, 5), m(6, 5)), label="index out of range")
    yield Sample((torch.tensor([0]), m(7, 5), m(6, 5), torch.tensor([6])), label="index out of range")


@kind("one_hot")
def one_hot(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for shape in ((4,), (2, 3), (), (7,)):
        for classes in (5, 6, 9):
            yield Sample((m.integers(0, 5, *shape), classes))
        yield Sample((m.integers(0, 5, *shape),), label="classes from the data")
    yield Sample((torch.tensor([5]), 5), label="index out of range")


@kind("repeat_interleave")
def repeat_interleave(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for shape, rest in (((4,), (2,)), ((2, 3), (2,)), ((2, 3), (2, 1)), ((2, 3), (1, -1)), ((2, 3), (0, 0)), ((), (3,)), ((0, 2), (2, 0))):
        yield Sample((m(*shape), *rest))
    for repeats, dim in (([1, 0, 2], 1), ([2], 0), ([2, 3], 0), ([0, 0], 0), ([1, 2, 0, 0, 1, 3], None)):
        yield Sample((m(2, 3), torch.tensor(repeats), dim), label="a tensor")
    yield Sample((m(2, 3), torch.tensor([1, 2]), 1), label="wrong size")
    yield Sample((m(2, 3), torch.tensor([1, -2]), 0), label="negative")
    yield Sample((m(2, 3), -1), label="negative")
    yield Sample((m(2, 3), torch.tensor([1.0, 2.0]), 0), label="floating repeats")
    yield Sample((torch.tensor([2, 0, 1]),), label="positions")
    yield Sample((torch.tensor([2, 0, 1], dtype=torch.int32),), {"output_size": 3}, label="positions")


@kind("bincount")
def bincount(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for size in (0, 1, 100):
        yield Sample((m.integers(0, 5, size),))
        yield Sample((m.integers(0, 5, size),), {"minlength": 9})
    yield Sample((m.integers(0, 5, 7), m(7)), label="weights")
    yield Sample((m.integers(0, 5, 7), m(6)), label="too few weights")
    yield Sample((m.integers(-5, 0, 7),), label="negative")
    yield Sample((m.integers(0, 5, 2, 3),), label="a matrix")


@kind("searchsorted")
def searchsorted(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for shape, values in (((7,), (4,)), ((7,), (2, 3)), ((7,), ()), ((2, 5), (2, 3)), ((0,), (3,)), ((1,), (3,)), ((2, 3, 4), (2, 3, 1))):
        for options in ({}, {"right": True}):
            yield Sample((m(*shape).sort(-1)[0], m(*values)), dict(options))
    yield Sample((m(4, layout="strided").sort()[0], m(3, 5).t()), {"side": "right", "out_int32": True}, label="transposed")
    yield Sample((m(2, 4), m(2, 3)), {"sorter": torch.tensor([[1, 0, 2, 3], [3, 2, 1, 0]])}, label="sorter")
    yield Sample((m(5).sort()[0], 1), label="a number")
    yield Sample((m(5).sort()[0], m(2)), {"right": True, "side": "left"}, label="opposites")
    yield Sample((m(5).sort()[0], m(2, dtype=torch.int16)), label="dtypes differ")
    yield Sample((m(2, 5), m(3, 2)), label="shapes differ")
    if m.floating:
        values = torch.tensor([float("nan"), float("inf"), -float("inf"), 0.0], dtype=m.dtype)
        yield Sample((values.sort()[0], values), label="special values")


@kind("bucketize")
def bucketize(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for shape in ((7,), (2, 3), (), (0,)):
        yield Sample((m(*shape), m(5).sort()[0]), {"right": shape == (7,)})
    for layout in m.layouts[1:]:
        yield Sample((m(2, 3, layout=layout), m(5, layout=layout).sort()[0]), label=layout)
    yield Sample((2, m(5).sort()[0]), {"out_int32": True}, label="a number")
    yield Sample((m(3), m(2, 5)), label="two dimensions")


@kind("isin")
def isin(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for shape, tests in (((7,), (4,)), ((2, 3), (2, 2)), ((), (3,)), ((3,), (0,)), ((0,), (3,)), ((9, 5), (40,))):
        yield Sample((m(*shape).round() if m.floating else m(*shape), m(*tests).round() if m.floating else m(*tests)))
    for layout in m.layouts[1:]:
        yield Sample((m.integers(0, 9, 2, 5).to(m.dtype)[:, ::2], m.integers(0, 9, 40).to(m.dtype)), label=layout)
    yield Sample((m.integers(0, 9, 7).to(m.dtype), 4), {"invert": True}, label="a number")
    yield Sample((1, m.integers(0, 9, 7).to(m.dtype)), label="a number")


@kind("unique", "unique_consecutive")
def unique(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    both = {"return_inverse": True, "return_counts": True}
    for shape in ((9,), (2, 3), (), (0,), (1,), (60,)):
        yield Sample((m.integers(0, 5, *shape).to(m.dtype),), both)
    yield Sample((m.integers(0, 3, 7).to(m.dtype),))
    yield Sample((m.integers(0, 3, 7).to(m.dtype),), {"return_counts": True})
    for shape, dim in (((6, 2), 0), ((2, 6), 1), ((4, 2, 3), -2), ((0, 2), 0), ((2, 0), 0)):
        yield Sample((m.integers(0, 2, *shape).to(m.dtype),), {"dim": dim, **both}, label="slices")
    yield Sample((m(3),), {"dim": 1}, label="dim out of range")
    if m.floating:
        yield Sample((torch.tensor([1, float("nan"), 1, float("nan"), -0.0, 0.0], dtype=m.dtype),), both, label="special values")
