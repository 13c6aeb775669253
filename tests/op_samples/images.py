"""Samples of windows, pads, shuffles, volumes and interpolation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch

from tests.op_samples.maker import Maker, Sample, kind, with_other_numbers
from tritonflow.registry.schema import Entry


@kind("conv_transpose1d", "conv_transpose3d")
@with_other_numbers(2)
def conv_transpose(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    dims = int(entry.name[-2])
    size, kernel = (4, 3, 5)[:dims], (2, 3, 2)[:dims]
    for rest in ((), (2, 1), (2, 1, 1), (1, 1, 0, 2, 2)):
        groups = rest[3] if len(rest) > 3 else 1
        x, weight = m(2, 4, *size, low=-1, high=1), m(4, 3, *kernel, low=-1, high=1)
        yield Sample((x, weight, m(3 * groups), *rest))
    yield Sample((m(1, 1, *(2, 1, 2)[:dims]), m(1, 1, *(2, 1, 2)[:dims]), m(1)), label="small")
    yield Sample((m(2, 4, *size), m(3, 3, *kernel)), label="channels that do not fit")


@kind("conv_tbc")
@with_other_numbers(10)
def conv_tbc(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    yield Sample((m(6, 2, 3, low=-1, high=1), m(3, 3, 4, low=-1, high=1), m(4), 1))
    yield Sample((m(3, 1, 2), m(2, 2, 2), m(2)), label="small")


@kind("unfold_image")
@with_other_numbers(2)
def unfold(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for shape, rest in (((2, 3, 5, 6), (2,)), ((2, 3, 5, 6), ((2, 3), 1, (1, 0), (2, 1))), ((3, 6, 6), (2, 2, 1, 2))):
        yield Sample((m(*shape), *rest))
    yield Sample((m(2, 3, 5, 6, layout="transposed"), 3))
    yield Sample((m(1, 2, 3, 3), 2, 1, (0, 1)), label="small")
    yield Sample((m(2, 3, 2, 2), 3), label="window larger than the input")


@kind("fold_image")
@with_other_numbers(4)
def fold(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    yield Sample((m(2, 12, 20), (5, 6), 2))
    yield Sample((m(12, 4), (4, 4), 2, 1, 0, 2), label="no batch")
    yield Sample((m(2, 12, 19), (5, 6), 2), label="windows that do not fit")


@kind("pixel_shuffle", "pixel_unshuffle", "channel_shuffle")
@with_other_numbers(2)
def shuffle(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for shape in ((2, 8, 4, 6), (4, 2, 2), (2, 3, 4, 2, 2)):
        yield Sample((m(*shape), 1 if entry.name.endswith("channel_shuffle") and shape[1] % 2 else 2))
    yield Sample((m(2, 3, 3, 3), 2), label="sizes that do not fit")
    yield Sample((m(4, 4), 2), label="ranks that do not fit")


@kind("pool3d")
@with_other_numbers(2)
def pool3d(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for shape, rest in (
        ((2, 2, 4, 5, 6), (2,)),
        ((2, 2, 5, 4, 6), ((3, 2, 2), (2, 1, 2), (1, 0, 1))),
        ((2, 4, 4, 4), (3, 2, 1)),
    ):
        yield Sample((m.distinct(*shape), *rest))
    yield Sample((m.distinct(1, 1, 2, 3, 4), (2, 2, 2), 1), label="small")
    if entry.name == "max_pool3d":
        yield Sample((m.distinct(2, 2, 5, 6, 7), 2, 2, 1, 2, True, True), label="dilation, ceil_mode, indices")
    else:
        yield Sample((m.distinct(2, 2, 5, 6, 7), 3, 2, 1, True, False), label="ceil_mode, without the padding")
        yield Sample((m.distinct(2, 2, 5, 6, 7), 3, 2, 1, False, True, 5), label="divisor")
    yield Sample((m(2, 2, 4, 4, 4), 5), label="window larger than the input")


@kind("adaptive_pool3d")
@with_other_numbers(3)
def adaptive_pool3d(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for size in (1, (2, 3, 2), (None, 2, 3)):
        yield Sample((m.distinct(2, 2, 4, 5, 6), size))
    yield Sample((m.distinct(2, 4, 4, 4), 2))
    yield Sample((m.distinct(1, 1, 3, 2, 4), 2), label="small")


@kind("lp_pool")
@with_other_numbers(4)
def lp_pool(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    dims = int(entry.name[-2])
    for p, rest in ((2.0, (2,)), (1.0, (2, 1)), (3.0, (3, 2, True))):
        yield Sample((m(2, 2, *(6, 5, 7)[:dims], low=0.2, high=2), p, *rest))
    yield Sample((m(1, 1, *(2, 3, 4)[:dims], low=0.2, high=2), 2.0, 2, 1), label="small")


@kind("max_unpool")
@with_other_numbers(4)
def max_unpool(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    dims = int(entry.name[-2])
    shape, wide = (2, 3, *(3, 2, 2)[:dims]), (6, 4, 4)[:dims]
    count, places = int(torch.tensor(shape[2:]).prod()), int(torch.tensor(wide).prod())
    order = torch.stack([torch.randperm(places, generator=torch.Generator().manual_seed(k))[:count] for k in range(6)])
    yield Sample((m(*shape), order.reshape(shape), 2))
    yield Sample((m(*shape), order.reshape(shape), 2, 2, 0, [n + 1 for n in wide]), label="output_size")
    one = (1, *[1] * dims)
    yield Sample((m(*one), torch.ones(one, dtype=torch.int64), 2), label="small")
    yield Sample((m(*shape), order.reshape(shape)[:1], 2), label="shapes that do not fit")


@kind("interpolate")
def interpolate(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    """Every mode makes images larger and smaller."""
    image = m(2, 3, 5, 7)
    for mode in ("nearest", "nearest-exact", "area"):
        yield Sample((image,), {"size": (8, 3), "mode": mode}, label=mode)
        yield Sample((image,), {"scale_factor": 1.7, "mode": mode}, label=mode)
    for mode in ("bilinear", "bicubic"):
        for aligned in (False, True):
            yield Sample((image, (8, 3)), {"mode": mode, "align_corners": aligned}, label=mode)
        yield Sample((image,), {"scale_factor": (1.7, 0.6), "mode": mode}, label=mode)
        yield Sample((image, (8, 3)), {"mode": mode, "antialias": True}, label=f"antialias {mode}")
    yield Sample((m(2, 3, 5), 8), {"mode": "linear", "align_corners": True}, label="linear")
    yield Sample(
        (m(2, 2, 3, 4, 5),), {"scale_factor": 2, "mode": "trilinear", "recompute_scale_factor": True}, label="trilinear"
    )
    yield Sample((m(2, 3, 1), 4), {"mode": "linear", "align_corners": True}, label="one element")
    yield Sample((m(2, 3, 5), 8), {"mode": "bilinear"}, label="ranks that do not fit")
    yield Sample((image, 8), {"mode": "nearest", "align_corners": True}, label="no corners to align")
    yield Sample((image, 8, 2.0), label="size and scale_factor")
