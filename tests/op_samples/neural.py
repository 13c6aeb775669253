"""Samples of matrix products, convolutions, pools, normalisations, losses, attention."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Any

import torch

from tests.op_samples.maker import Maker, Sample, kind, with_options
from tritonflow.registry.schema import Entry

MATMULS = (
    ((5,), (5,)), ((3, 5), (5,)), ((5,), (5, 4)), ((3, 5), (5, 4)), ((2, 3, 5), (5, 4)), ((2, 3, 5), (2, 5, 4)), ((1, 3, 5), (6, 5, 4)),
    ((2, 1, 3, 5), (3, 5, 4)), ((2, 3, 5), (5,)), ((5,), (2, 5, 4)), ((33, 70), (70, 17)), ((1, 1), (1, 1)), ((65, 3), (3, 65)),
    ((0, 5), (5, 4)), ((3, 0), (0, 4)), ((3, 5), (5, 0)), ((0, 3, 5), (5, 4)), ((2, 3, 0), (2, 0, 4)),
)  # fmt: skip
BAD_MATMULS = (((3, 5), (4, 5)), ((5,), (4,)), ((2, 3, 5), (3, 5, 4)), ((), (3, 3)), ((3,), ()))


@kind("matmul", "mm", "bmm", "mv", "dot", "outer")
def matmul(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    """Pairs of operands of the ranks that the op takes."""
    ranks = {"mm": (2, 2), "bmm": (3, 3), "mv": (2, 1), "dot": (1, 1), "outer": (1, 1)}.get(options.get("kind", "matmul"))
    if ranks is not None:
        yield from _fixed_ranks(m, ranks)
        return
    for left, right in MATMULS:
        yield Sample((m(*left, low=-1, high=1), m(*right, low=-1, high=1)))
    for layout in m.layouts[1:]:
        yield Sample((m(6, 5, low=-1, high=1, layout=layout), m(5, 4, low=-1, high=1, layout=layout)), label=layout)
        yield Sample((m(2, 6, 5, low=-1, high=1, layout=layout), m(5, 4, low=-1, high=1)), label=layout)
    for left, right in BAD_MATMULS:
        yield Sample((m(*left), m(*right)), label="shapes that do not fit")


def _fixed_ranks(m: Maker, ranks: tuple[int, int]) -> Iterator[Sample]:
    for rows, inner, cols in ((3, 5, 4), (1, 1, 1), (33, 20, 17), (7, 64, 2), (0, 5, 4), (3, 0, 4), (2, 9, 0), (16, 16, 16)):
        left = {1: (inner,), 2: (rows, inner), 3: (2, rows, inner)}[ranks[0]]
        right = {1: (inner,), 2: (inner, cols), 3: (2, inner, cols)}[ranks[1]]
        yield Sample((m(*left, low=-1, high=1), m(*right, low=-1, high=1)))
        yield Sample((m(*left, low=-1, high=1), m(*right, low=-1, high=1, layout="transposed")), label="transposed")
        for layout in m.layouts[2:]:
            yield Sample((m(*left, low=-1, high=1, layout=layout), m(*right, low=-1, high=1)), label=layout)
    left = {1: (5,), 2: (3, 5), 3: (2, 3, 5)}[ranks[0]]
    right = {1: (4,), 2: (4, 2), 3: (2, 4, 2)}[ranks[1]]
    yield Sample((m(*left), m(*right)), label="shapes that do not fit")
    yield Sample((m(2, 2, 2, 2), m(*right)), label="ranks that do not fit")


@kind("linear")
def linear(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for shape, n in (((3, 5), 4), ((5,), 4), ((2, 3, 5), 4), ((0, 5), 4), ((33, 20), 17), ((1, 1), 1), ((2, 2, 2, 5), 3)):
        weight = m(n, shape[-1], low=-1, high=1)
        yield Sample((m(*shape, low=-1, high=1), weight))
        yield Sample((m(*shape, low=-1, high=1), weight, m(n)), label="bias")
    for layout in m.layouts[1:]:
        yield Sample((m(6, 5, low=-1, high=1, layout=layout), m(4, 5, low=-1, high=1, layout=layout), m(4)), label=layout)
    yield Sample((m(3, 5), m(4, 6)), label="shapes that do not fit")
    yield Sample((m(3, 5), m(4, 5), m(3)), label="bias of the wrong size")


@kind("addmm", "baddbmm", "addbmm", "addmv")
def addmm(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    batch = (2,) if options.get("kind") in ("baddbmm", "addbmm") else ()
    vector = options.get("kind") == "addmv"
    of_result = batch if options.get("kind") == "baddbmm" else ()
    for rows, inner, cols in ((3, 5, 4), (33, 20, 17), (1, 1, 1), (3, 0, 4)):
        right = (inner,) if vector else (*batch, inner, cols)
        result = (rows,) if vector else (*of_result, rows, cols)
        for keywords in ({}, {"beta": 2, "alpha": 3}, {"beta": 0, "alpha": 1} if not m.floating else {"beta": 0.5, "alpha": 0.25}):
            yield Sample((m(*result), m(*batch, rows, inner, low=-1, high=1), m(*right, low=-1, high=1)), dict(keywords))
        if options.get("kind") != "addbmm" and not (vector and not inner):  # the one's in-place form changes the input's shape; of the
            # other torch returns the input as it is
            yield Sample((m(1), m(*batch, rows, inner, low=-1, high=1), m(*right, low=-1, high=1)), label="broadcast")
    if m.floating:
        nothing = m.special(rows) if vector else m.special(*of_result, rows, cols)
        yield Sample((nothing, m(*batch, rows, inner), m(*right)), {"beta": 0, "alpha": 2}, label="beta is 0")
    yield Sample((m(5, 3, 4), m(*batch, 3, 5), m(*(5,) if vector else (*batch, 5, 4))), label="too many dimensions")
    yield Sample((m(3, 4), m(3, 5), m(6, 4)), label="shapes that do not fit")


@kind("addr")
def addr(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for result, keywords in (((3, 4), {}), ((3, 4), {"beta": 2, "alpha": 3}), ((3, 4), {"beta": 0}), ((4,), {}), ((), {"beta": 2})):
        if m.dtype != torch.bool or not keywords:
            yield Sample((m(*result), m(3), m(4)), dict(keywords))
    yield Sample((m(0, 4), m(0), m(4)))
    for layout in m.layouts[1:]:
        yield Sample((m(3, 4, layout=layout), m(3, layout=layout), m(4, layout=layout)), label=layout)
    for shapes in (((3, 4), (3, 1), (4,)), ((3, 4), (4,), (4,))):
        yield Sample(tuple(m(*s) for s in shapes), label="shapes that do not fit")


@kind("inner", "kron", "cross")
def inner(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    """Pairs of operands."""
    name = options["kind"]
    pairs = {
        "inner": (((5,), (5,)), ((2, 5), (3, 5)), ((2, 1, 5), (5,)), ((), (3,)), ((2, 0), (3, 0)), ((2, 4), (5,))),
        "kron": (((2,), (3,)), ((2, 3), (2, 2)), ((2, 3), (2,)), ((), (3,)), ((2, 0), (3, 2)), ((1, 2, 1), (2, 3))),
        "cross": (((3,), (3,)), ((4, 3), (4, 3)), ((3, 3), (1, 3)), ((2, 3, 4), (2, 3, 4)), ((0, 3), (0, 3)), ((4,), (4,))),
    }[name]
    for a, b in pairs:
        yield Sample((m(*a), m(*b)))
    if name == "cross":
        yield Sample((m(3, 3), m(3, 3), -1))
        yield Sample((m(2, 3), m(2, 3), 0), label="dim of another size")
    for layout in m.layouts[1:]:
        a, b = pairs[1]
        yield Sample((m(*a, layout=layout), m(*b, layout=layout)), label=layout)


@kind("tensordot")
def tensordot(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for a, b, dims in (
        ((2, 3, 4), (3, 4, 5), 2), ((2, 3), (3,), 1), ((2,), (3,), 0), ((2, 3, 4), (4, 2, 5), ([0, 2], [1, 0])), ((2, 3), (2, 4), ([0], [0])),
        ((2, 1, 4), (3, 4), ([1, 2], [0, 1])), ((2, 0), (0, 3), 1), ((2, 3), (2, 3), 3), ((2, 3), (4, 3), 1),
        ((2, 3), (3, 2), ([0, 1], [1])),
    ):  # fmt: skip
        yield Sample((m(*a, low=-1, high=1), m(*b, low=-1, high=1), dims))
    for layout in m.layouts[1:]:
        yield Sample((m(4, 3, layout=layout), m(3, 4, layout=layout), ([0], [1])), label=layout)


@kind("chain_matmul")
def chain_matmul(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for sizes in ((2, 3, 4, 5), (5, 1, 4), (2, 3), (9, 2, 8, 1, 3), (2, 0, 3)):
        yield Sample(tuple([m(a, b, low=-1, high=1) for a, b in zip(sizes, sizes[1:])]))
    for layout in m.layouts[1:]:
        yield Sample((m(4, 3, low=-1, high=1, layout=layout), m(3, 2, low=-1, high=1, layout=layout), m(2, 5)), label=layout)
    yield Sample((m(2, 3), m(4, 2)), label="shapes that do not fit")


EINSUMS: tuple[tuple[str, tuple[tuple[int, ...], ...]], ...] = (
    ("ij,jk->ik", ((2, 3), (3, 4))), ("bhqd,bhkd->bhqk", ((2, 2, 3, 4), (2, 2, 5, 4))), ("bij,bjk", ((2, 3, 4), (2, 4, 2))),
    ("ii->i", ((3, 3),)), ("i...->...", ((2, 3, 4),)), ("...ij,...jk->...ik", ((2, 1, 2, 3), (4, 3, 2))), ("ab,bc,cd->ad", ((2, 3), (3, 4), (4, 2))),
    ("i,j->ij", ((3,), (2,))), ("ij->", ((2, 3),)), ("ij,ij->i", ((2, 3), (2, 3))), ("ij,kj->ki", ((2, 3), (4, 3))), (" b a -> a b", ((2, 3),)),
    ("i j, j i", ((2, 1), (5, 2))), ("ijj,jk->ik", ((2, 3, 3), (3, 2))), ("a,a,a->a", ((3,), (3,), (3,))), ("ij,jk->ik", ((2, 0), (0, 3))),
    (",i->i", ((), (3,))), ("ijk,il,jl,kl->ijk", ((2, 3, 2), (2, 4), (3, 4), (2, 4))),
)  # fmt: skip
BAD_EINSUMS = (
    ("ij", ((3,),)), ("ij,jk->ii", ((2, 3), (3, 2))), ("ij->k", ((2, 3),)), ("ij,jk", ((2, 3),)), ("i.j", ((2, 3),)), ("i1", ((2, 3),)),
    ("ij,jk", ((2, 3), (4, 2))), ("ii", ((2, 3),)),
)  # fmt: skip


@kind("einsum")
def einsum(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for equation, shapes in EINSUMS:
        yield Sample((equation, *[m(*s, low=-1, high=1) for s in shapes]), label=equation)
    yield Sample((m(2, 3, low=-1, high=1), [0, 1], m(3, 4, low=-1, high=1), [1, 2], [2, 0]), label="lists")
    yield Sample((m(2, 3, low=-1, high=1), [..., 1]), label="lists")
    for layout in m.layouts[1:]:
        tensors = m(4, 3, low=-1, high=1, layout=layout), m(5, 3, low=-1, high=1, layout=layout)
        yield Sample(("ij,kj->ik", *tensors), label=layout)
    for equation, shapes in BAD_EINSUMS:
        yield Sample((equation, *[m(*s) for s in shapes]), label="a wrong equation")


def _conv(dims: int) -> Any:
    def samples(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
        size = (7, 6, 5)[:dims]
        kernel = (3, 2, 2)[:dims]

        def one(channels: int, out: int, *rest: Any, groups: int = 1, batch: tuple[int, ...] = (2,), bias: bool = True) -> Sample:
            x = m(*batch, channels, *size, low=-1, high=1)
            weight = m(out, channels // groups, *kernel, low=-1, high=1)
            return Sample((x, weight, m(out) if bias else None, *rest))

        yield one(3, 4, bias=False)
        yield one(3, 4)
        for stride in (2, (2, 1, 1)[:dims]):
            for padding in (0, 1, (1, 0, 1)[:dims]):
                yield one(2, 3, stride, padding)
        for dilation in (2, (1, 2, 1)[:dims]):
            yield one(2, 3, 1, 2, dilation)
        yield one(4, 6, 1, 1, 1, 2, groups=2)
        yield one(4, 4, 1, 1, 1, 4, groups=4)
        yield one(4, 8, 2, 1, 1, 4, groups=4)
        yield one(3, 4, 1, 1, batch=())
        yield one(3, 4, batch=(0,))
        yield one(1, 1, batch=(1,))
        if dims == 3:
            yield Sample((m(1, 1, 2, 2, 3), m(1, 1, 2, 1, 2), m(1)), label="small")
        yield one(17, 19, 1, 1)
        for layout in m.layouts[1:]:
            yield Sample((m(2, 3, *size, low=-1, high=1, layout=layout), m(4, 3, *kernel, low=-1, high=1, layout=layout)), label=layout)
        yield Sample((m(2, 3, *size), m(4, 2, *kernel)), label="channels that do not fit")
        yield Sample((m(2, 3, *size), m(4, 3, *(9,) * dims)), label="kernel larger than the input")
        yield Sample((m(2, 3, *size), m(4, 3, *kernel), m(3)), label="bias of the wrong size")
        yield Sample((m(2, 3, *size), m(4, 3, *kernel), None, 0), label="stride 0")
        yield Sample((m(2, 3, *size), m(4, 3, *kernel), None, 1, -1), label="negative padding")

    return samples


for _dims in (1, 2, 3):
    kind(f"conv{_dims}d")(_conv(_dims))


@kind("pool2d", "avg_pool2d", "max_pool2d")
def pool2d(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    average = "avg" in entry.name
    for shape in ((2, 3, 8, 7), (1, 1, 4, 4), (3, 9, 6), (0, 2, 5, 5)):
        for rest in ((2,), (3, 2), ((2, 3), (1, 2)), (3, 1, 1), (3, 2, (1, 0))):
            yield Sample((m.distinct(*shape), *rest))
    yield Sample((m.distinct(2, 3, 8, 7), 3, 2, 1, *((True,) if average else (1, True))), label="ceil_mode")
    if average:
        yield Sample((m.distinct(2, 3, 8, 7), 3, 2, 1, False, False), label="without the padding")
        yield Sample((m.distinct(2, 3, 8, 7), 3, 2, 1, False, True, 5), label="divisor")
    else:
        yield Sample((m.distinct(2, 3, 8, 7), 2, 1, 0, 2), label="dilation")
        yield Sample((m.distinct(2, 3, 8, 7), 3, 2, 1, 2, True), label="dilation, ceil_mode")
    for layout in m.layouts[1:4]:
        yield Sample((m(2, 3, 6, 6, layout=layout), 2), label=layout)
    yield Sample((m(2, 3, 4, 4), 5), label="window larger than the input")
    yield Sample((m(2, 3, 4, 4), 2, 2, 2), label="padding larger than half the window")
    yield Sample((m(4, 4), 2), label="ranks that do not fit")


@kind("adaptive_pool2d")
def adaptive_pool2d(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for shape in ((2, 3, 8, 7), (1, 1, 4, 4), (3, 9, 6), (2, 4, 5, 5)):
        for size in (1, 2, (3, 2), (5, 4), (None, 1), (1, None)):
            yield Sample((m.distinct(*shape), size))
    for layout in m.layouts[1:4]:
        yield Sample((m(2, 3, 6, 6, layout=layout), 3), label=layout)
    yield Sample((m(4, 4), 2), label="ranks that do not fit")


@kind("pool1d")
def pool1d(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for shape in ((2, 3, 8), (1, 1, 4), (3, 9)):
        for rest in ((2,), (3, 2), (3, 1, 1), (2, 3)):
            yield Sample((m.distinct(*shape), *rest))
    for layout in m.layouts[1:4]:
        yield Sample((m(2, 3, 6, layout=layout), 2), label=layout)
    yield Sample((m(2, 3, 4), 5), label="window larger than the input")
    yield Sample((m(4), 2), label="ranks that do not fit")


@kind("adaptive_pool1d")
def adaptive_pool1d(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for shape in ((2, 3, 8), (1, 1, 4), (3, 9), (2, 4, 5)):
        for size in (1, 2, 3, 5):
            yield Sample((m.distinct(*shape), size))


@kind("conv_transpose2d")
def conv_transpose2d(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    """(input, weight, bias, stride, padding, output_padding, groups, dilation); weight (in, out / groups, kernel)."""
    for rest in ((), (2,), (2, 1), (2, 1, 1), ((2, 1), (0, 1)), (1, 1, 0, 1, 2), (3, 0, (1, 2))):
        for bias in (True, False):
            x, weight = m(2, 3, 5, 4, low=-1, high=1), m(3, 4, 3, 2, low=-1, high=1)
            yield Sample((x, weight, m(4) if bias else None, *rest))
    yield Sample((m(1, 2, 3, 3), m(2, 2, 2, 2), m(2)), label="small")
    yield Sample((m(1, 2, 3, 3), m(2, 1, 2, 2), None, 2, 1, 1, 2), label="small, groups")
    yield Sample((m(2, 4, 5, 4), m(4, 3, 3, 3), m(6), 2, 1, 0, 2), label="groups")
    yield Sample((m(2, 3, 5, 4), m(2, 4, 3, 3)), label="channels that do not fit")


@kind("batch_norm")
def batch_norm(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for shape in ((4, 3), (2, 3, 5), (2, 3, 4, 5), (5, 1, 2, 2), (3, 2, 2, 3, 2)):
        c = shape[1]
        mean, variance, weight, bias = m(c), m(c, low=0.5, high=2), m(c), m(c)
        yield Sample((m(*shape), mean, variance, weight, bias, False))
        yield Sample((m(*shape), mean, variance, weight, bias, True))
        yield Sample((m(*shape), mean, variance, None, None, True, 0.3, 1e-3))
        yield Sample((m(*shape), mean, variance, None, None, False))
        yield Sample((m(*shape), None, None, weight, bias, True))
    for layout in m.layouts[1:]:
        yield Sample((m(4, 3, 6, layout=layout), m(3), m(3, low=0.5, high=2), m(3), m(3), True), label=layout)
    yield Sample((m(2, 3, 4), m(2), m(2), None, None, False), label="statistics of the wrong size")
    yield Sample((m(1, 3), m(3), m(3), None, None, True), label="one value per channel")


@kind("layer_norm", "rms_norm")
def layer_norm(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    rms = options.get("kind") == "rms_norm"
    for shape, last in (((4, 5), 1), ((2, 3, 4), 1), ((2, 3, 4), 2), ((7,), 1), ((2, 1030), 1), ((0, 5), 1), ((33, 17), 1)):
        size = shape[-last:]
        yield Sample((m(*shape), size))
        yield Sample((m(*shape), size, m(*size)), label="weight")
        if not rms:
            yield Sample((m(*shape), size, m(*size), m(*size)), label="weight and bias")
            yield Sample((m(*shape), size, None, m(*size), 1e-2), label="bias")
        else:
            yield Sample((m(*shape), size, None, 1e-2), label="eps")
    for layout in m.layouts[1:]:
        yield Sample((m(6, 5, layout=layout), (5,), m(5)), label=layout)
    yield Sample((m(2, 3), (2,)), label="shapes that do not fit")
    yield Sample((m(2, 3), (3,), m(2)), label="weight of the wrong size")
    yield Sample((m(2, 3), ()), label="no dimensions")


@kind("add_layer_norm", "add_rms_norm")
def add_norm(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    rms = options.get("kind") == "add_rms_norm"
    for shape, last in (((4, 5), 1), ((2, 3, 4), 2), ((7,), 1), ((2, 1030), 1), ((0, 5), 1), ((33, 17), 1)):
        size = shape[-last:]
        yield Sample((m(*shape), m(*shape), size))
        yield Sample((m(*shape), m(*shape), size, m(*size)), label="weight")
        if not rms:
            yield Sample((m(*shape), m(*shape), size, m(*size), m(*size), 1e-2), label="weight and bias")
    for layout in m.layouts[1:]:
        yield Sample((m(6, 5, layout=layout), m(6, 5), (5,), m(5)), label=layout)


@kind("rotary")
def rotary(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for size, turned in ((8, 8), (7, 4), (6, 0)):
        tables = m(6, turned // 2), m(6, turned // 2)
        yield Sample((m(2, 3, 1, size), *tables))
        yield Sample((m(2, 3, 2, size), *tables, True), label="neighbours")
        yield Sample((m(2, 2, 3, size), *tables), {"tensor_format": "bhsd"}, label="heads before positions")
        yield Sample((m(2, 3, 2, size), *tables, False, False, 3), label="from a position on")
    for layout in m.layouts[1:]:
        yield Sample((m(2, 3, 2, 8, layout=layout), m(3, 4), m(3, 4)), label=layout)


@kind("group_norm")
def group_norm(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    # Three elements a group and more: of fewer the gradient all but cancels, and tests/ops/test_larger_gradients.py looks at it in float64.
    for shape, most in (((2, 12), 4), ((2, 4, 5), 4), ((3, 6, 4, 5), 6), ((1, 4, 1, 3), 4)):
        for groups in (1, 2, most):
            yield Sample((m(*shape), groups))
            yield Sample((m(*shape), groups, m(shape[1]), m(shape[1])))
            yield Sample((m(*shape), groups, m(shape[1]), None, 1e-3))
    yield Sample((m(2, 4, 3), 3), label="channels not divisible")


@kind("native_layer_norm")
def native_layer_norm(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for shape, last in (((4, 5), 1), ((2, 3, 4), 2), ((7,), 1)):
        size = shape[-last:]
        yield Sample((m(*shape), size, m(*size), m(*size), 1e-2), label="weight and bias")
        yield Sample((m(*shape), size, None, None, 1e-5))
    yield Sample((m(2, 3), (2,), None, None, 1e-5), label="shapes that do not fit")


@kind("native_group_norm")
def native_group_norm(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for shape, groups in (((2, 12), 4), ((2, 4, 5), 2), ((3, 6, 2, 3), 1)):
        n, c, *image = shape
        yield Sample((m(*shape), m(c), m(c), n, c, prod(image), groups, 1e-2), label="weight and bias")
        yield Sample((m(*shape), None, None, n, c, prod(image), groups, 1e-5))
    yield Sample((m(2, 4, 5), None, None, 2, 4, 5, 3, 1e-5), label="channels not divisible")


@kind("native_batch_norm")
def native_batch_norm(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for shape in ((4, 3), (2, 3, 5), (3, 2, 2, 3)):
        c = shape[1]
        yield Sample((m(*shape), m(c), m(c), m(c), m(c, low=0.5, high=2), False, 0.1, 1e-5), label="running statistics")
        yield Sample((m(*shape), m(c), m(c), m(c), m(c, low=0.5, high=2), True, 0.3, 1e-2), label="training")
        yield Sample((m(*shape), None, None, None, None, True, 0.1, 1e-5), label="no parameters")


REDUCTIONS = ("mean", "sum", "none")


@kind("loss", "binary_cross_entropy", "binary_cross_entropy_with_logits", "kl_div")
def loss(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    name = options.get("kind", "loss")
    low, high = (0.05, 0.95) if name in ("binary_cross_entropy", "kl_div") else (-3.0, 3.0)
    target_low, target_high = (0.05, 0.95) if name != "loss" else (low, high)
    extra = {k: v for k, v in options.items() if k != "kind"}
    yield from with_options(_loss(m, (low, high), (target_low, target_high)), extra)


def _loss(m: Maker, x: tuple[float, float], t: tuple[float, float]) -> Iterator[Sample]:
    for shape in ((7,), (), (3, 5), (2, 3, 4), (1025,)):
        for reduction in REDUCTIONS:
            yield Sample((m(*shape, low=x[0], high=x[1]), m(*shape, low=t[0], high=t[1])), {"reduction": reduction})
    for layout in m.layouts[1:]:
        yield Sample((m(4, 5, low=x[0], high=x[1], layout=layout), m(4, 5, low=t[0], high=t[1])), label=layout)
    yield Sample((m(0, low=x[0], high=x[1]), m(0, low=t[0], high=t[1])), label="nothing to reduce")
    yield Sample((m(3), m(3)), {"reduction": "median"}, label="unknown reduction")


@kind("nll_loss", "cross_entropy")
def class_loss(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    entropy = options.get("kind") == "cross_entropy"
    for shape in ((4, 5), (3, 1), (2, 3, 4), (2, 3, 2, 2), (33, 70)):
        c = shape[1]
        target = m.integers(0, c, shape[0], *shape[2:])
        weight = m(c, low=0.2, high=2)
        for number, reduction in enumerate(REDUCTIONS):
            extra = {"label_smoothing": 0.1} if entropy and number == 1 else {}
            yield Sample((m(*shape), target), {"reduction": reduction})
            yield Sample((m(*shape), target, weight), {"reduction": reduction, **extra}, label="weight")
        ignored = target.clone()
        ignored.view(-1)[0] = -100
        yield Sample((m(*shape), ignored), label="ignored target")
        yield Sample((m(*shape), target), {"ignore_index": 0}, label="ignore_index")
    yield Sample((m(5), m.integers(0, 5)), label="no batch")
    if entropy:
        yield Sample((m(4, 5), m(4, 5, low=0, high=1).softmax(1)) if m.floating else (m(4, 5), m(4, 5)), label="probabilities")
    yield Sample((m(2, 3), torch.tensor([0, 3])), label="target out of range")
    yield Sample((m(2, 3), torch.tensor([0, -1])), label="target out of range")
    yield Sample((m(2, 3), torch.tensor([0, 1, 2])), label="batches that do not fit")
    yield Sample((m(2, 3), torch.tensor([0, 1]), m(2)), label="weight of the wrong size")


@kind("attention")
def attention(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    """(query, key, value, attn_mask, dropout_p, is_causal)."""
    for batch, queries, keys, width, value_width in (
        ((2, 3), 5, 5, 8, 8), ((1,), 7, 7, 16, 16), ((2,), 4, 9, 8, 8), ((), 3, 3, 4, 4), ((1, 2), 1, 1, 8, 8), ((1, 1), 70, 66, 32, 32),
        ((2, 2), 33, 33, 20, 20), ((4, 4), 6, 7, 8, 4),
    ):  # fmt: skip
        def qkv(
            batch: Any = batch, queries: int = queries, keys: int = keys, width: int = width, value_width: int = value_width
        ) -> tuple[torch.Tensor, ...]:
            return m(*batch, queries, width), m(*batch, keys, width), m(*batch, keys, value_width)

        yield Sample(qkv())
        yield Sample((*qkv(), None, 0.0, True), label="causal")
        mask = m.mask(queries, keys)
        mask[:, 0] = True
        yield Sample((*qkv(), mask), label="mask")
        yield Sample((*qkv(), m(queries, keys)), label="bias")
        yield Sample(qkv(), {"scale": 0.3}, label="scale")
    for layout in m.layouts[1:4]:
        yield Sample((m(2, 4, 6, 8, layout=layout), m(2, 4, 6, 8, layout=layout), m(2, 4, 6, 8)), label=layout)
    yield Sample((m(2, 5, 8), m(2, 5, 4), m(2, 5, 8)), label="widths that do not fit")
