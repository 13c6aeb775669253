"""Samples of gates, of normalisations made of other ops, of tables of rows and of grids."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch

from tests.op_samples.maker import Maker, Sample, kind, with_other_numbers
from tritonflow.registry.schema import Entry


@kind("glu")
def glu(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for shape, dim in (((3, 4), -1), ((4, 3), 0), ((2, 6, 3), 1), ((8,), 0), ((2, 3, 2), 2), ((0, 4), 1), ((5, 6), 1)):
        yield Sample((m(*shape), dim))
    yield Sample((m(4, 6, layout="transposed"), 1))
    yield Sample((m(3, 5), 1), label="an odd size")
    yield Sample((m(),), label="no dimensions")


@kind("gated")
def gated(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for shape, other in (((3, 4), (3, 4)), ((2, 3, 4), (4,)), ((0, 4), (0, 4)), ((), ()), ((1, 4), (3, 1))):
        yield Sample((m(*shape), m(*other)))
    for keywords in [{}] + ([{"approximate": "tanh"}] if entry.name == "geglu" else []):
        yield Sample((m(3, 5), m(3, 5)), keywords, label=f"two {keywords}")
        yield Sample((m(3, 6),), keywords, label=f"halves {keywords}")
    for layout in m.layouts[1:]:
        yield Sample((m(4, 6, layout=layout),), label=layout)
    yield Sample((m(3, 5),), label="an odd size")


@kind("normalize")
def normalize(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for shape in ((4, 5), (2, 3, 4), (7, 1)):
        for p, dim in ((2.0, 1), (1.0, 0), (float("inf"), -1)):
            yield Sample((m(*shape), p, dim))
    yield Sample((m(4, 5) * 0,), {"eps": 0.5}, label="special values")  # zeros: the second derivative is NaN, in torch, too


@kind("local_response_norm")
def local_response_norm(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for shape in ((2, 5, 4), (2, 5, 4, 3), (1, 3, 2, 2, 2)):
        for size in (1, 2, 3):
            yield Sample((m(*shape), size), {"alpha": 0.5, "k": 2.0} if size == 3 else {})
    yield Sample((m(3, 4), 2), label="ranks that do not fit")


@kind("instance_norm")
def instance_norm(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for shape in ((2, 3, 5), (2, 3, 4, 3), (1, 2, 3, 2, 2)):
        c = shape[1]
        mean, variance, weight, bias = m(c), m(c, low=0.5, high=2), m(c), m(c)
        yield Sample((m(*shape),))
        yield Sample((m(*shape), None, None, weight, bias), {"eps": 1e-3})
        yield Sample((m(*shape), mean, variance, weight, bias, False))
    yield Sample((m(2, 3, 1),), label="one value per plane")


@kind("bilinear")
def bilinear(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for batch in ((4,), (2, 3), (), (1,), (0,)):
        x, y, weight = m(*batch, 3, low=-1, high=1), m(*batch, 5, low=-1, high=1), m(2, 3, 5, low=-1, high=1)
        yield Sample((x, y, weight))
        yield Sample((x, y, weight, m(2)))
    yield Sample((m(4, 3), m(3, 5), m(2, 3, 5)), label="batches that do not fit")


@kind("embedding_bag")
def embedding_bag(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for rows, width in ((7, 3), (5, 4)):
        table = m(rows, width)
        for mode in ("sum", "mean", "max"):
            yield Sample((m.integers(0, rows, 4, 6), table), {"mode": mode})
            yield Sample((m.integers(0, rows, 9), table, torch.tensor([0, 3, 3, 7])), {"mode": mode, "padding_idx": 1})
        weights = m(4, 6)
        yield Sample((m.integers(0, rows, 4, 6), table), {"mode": "sum", "per_sample_weights": weights})
    yield Sample((m.integers(0, 5, 9), m(5, 4), torch.tensor([0, 4, 9])), {"include_last_offset": True})
    yield Sample((m.integers(0, 5, 9), m(5, 4)), label="no offsets")


@kind("affine_grid")
@with_other_numbers(2)
def affine_grid(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for size in ((2, 1, 3, 4), (1, 2, 1, 5), (2, 1, 2, 3, 4), (3, 1, 2, 2)):
        for aligned in (False, True):
            yield Sample((m(size[0], len(size) - 2, len(size) - 1), list(size), aligned))
    yield Sample((m(2, 2, 2), [2, 1, 3, 4], True), label="shapes that do not fit")


@kind("grid_sample")
def grid_sample(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    image, grid = m(2, 3, 4, 5), m(2, 3, 4, 2, low=-1.4, high=1.4)
    for mode in ("bilinear", "nearest", "bicubic"):
        for padding in ("zeros", "border", "reflection"):
            yield Sample((image, grid, mode, padding, padding == "border"), label=f"{mode} {padding}")
    yield Sample((m(1, 2, 3, 3), m(1, 2, 2, 2, low=-0.9, high=0.9), "bilinear", "zeros", False), label="small")
    yield Sample((m(1, 1, 3, 3), m(1, 2, 2, 2, low=-0.9, high=0.9), "bicubic", "border", True), label="small")
    volume, points = m(2, 2, 3, 4, 2), m(2, 2, 3, 2, 3, low=-1.4, high=1.4)
    yield Sample((volume, points, "bilinear", "reflection", True), label="volume")
    yield Sample((volume, points, "nearest", "zeros", False), label="volume")
    yield Sample((image, grid[:1], "bilinear", "zeros", False), label="batches that do not fit")


@kind("grid_sampler")
def grid_sampler(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    images = (m(1, 2, 3, 3), m(1, 2, 2, 2, low=-0.9, high=0.9)), (m(1, 1, 2, 3, 2), m(1, 1, 2, 2, 3, low=-0.9, high=0.9))
    for image, grid in images:
        if image.dim() - 2 not in options.get("dims", (2, 3)):
            continue
        yield Sample((image, grid, 0, 0, False))
        yield Sample((image, grid, 0, 2, True))
        yield Sample((image, grid, 1, 1, True))
    yield Sample((images[0][0], images[1][1], 0, 0, False), label="ranks that do not fit")
