"""Samples of losses of elements, vectors and labels, and of distances."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import torch

from tests.op_samples.maker import Maker, Sample, kind, with_other_numbers
from tests.op_samples.neural import REDUCTIONS
from tritonflow.registry.schema import Entry


def _signs(m: Maker, *shape: int) -> torch.Tensor:
    return (m.integers(0, 2, *shape) * 2 - 1).to(m.dtype)


@kind("poisson_nll_loss")
def poisson(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for rows in (3, 1, 8):
        for number, full in enumerate((False, True)):
            x, target = m(rows, 5, low=0.2, high=2), m(rows, 5, low=0.2, high=4)
            yield Sample((x, target), {"full": full, "reduction": REDUCTIONS[number]})
            yield Sample((x, target), {"full": full, "log_input": False, "reduction": "none"})
    yield Sample((m(3), m(3)), {"reduction": "median"}, label="unknown reduction")


@kind("gaussian_nll_loss")
def gaussian(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for rows in (3, 2, 8):
        x, target = m(rows, 5), m(rows, 5)
        yield Sample((x, target, m(rows, 5, low=0.5, high=2)), {"full": True})
        yield Sample((x, target, m(rows, 1, low=0.5, high=2)), {"reduction": "none"})
        yield Sample((x, target, m(rows, low=0.5, high=2)), {"reduction": "sum"})
        yield Sample((x, target, 0.7))
    yield Sample((x, target, m(8, 5, low=0.5, high=2) * -1), label="negative variance")
    yield Sample((x, target, m(2, 5, low=0.5, high=2)), label="variances that do not fit")


@kind("signed_loss")
@with_other_numbers(2)
def signed(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for shape in ((7,), (3, 5), (2, 3, 4)):
        for reduction in REDUCTIONS:
            yield Sample((m(*shape), _signs(m, *shape)), {"reduction": reduction})


@kind("vector_loss")
def vectors(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    ranking, triplet = entry.name == "margin_ranking_loss", entry.name == "triplet_margin_loss"
    for rows, reduction in product((4, 1, 7), REDUCTIONS):
        a, b = m(rows, 5), m(rows, 5)
        last = m(rows, 5) if triplet else _signs(m, rows, 5) if ranking else _signs(m, rows)
        yield Sample((a, b, last), {"reduction": reduction})
    if triplet:
        yield Sample((m(4, 5), m(4, 5), m(4, 5)), {"swap": True, "p": 1.0, "margin": 0.5})
        yield Sample((m(4, 5), m(4, 5), m(4, 5), 0.0), label="margin of 0")
    else:
        yield Sample((m(7, 5), m(7, 5), last), {"margin": 0.3})
    yield Sample((m(4, 5), m(5), m(4, 5)), label="ranks that do not fit")


@kind("label_loss")
def labels(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    """Scores of classes with a class, several classes, or a truth value for each."""
    for rows, reduction in product((4, 1, 3), REDUCTIONS):
        if entry.name == "multi_margin_loss":
            yield Sample((m(rows, 5), m.integers(0, 5, rows)), {"reduction": reduction})
            yield Sample((m(rows, 5), m.integers(0, 5, rows), 2, 0.5, m(5, low=0.5, high=2)), {"reduction": reduction})
        elif entry.name == "multilabel_margin_loss":
            target = torch.tensor([[3, 0, -1, 1, 2], [1, -1, 0, 0, 0], [-1, 2, 3, 1, 0], [4, 3, 2, 1, 0]])
            yield Sample((m(rows, 5), target[:rows]), {"reduction": reduction})
        else:
            yield Sample((m(rows, 5), m.integers(0, 2, rows, 5).to(m.dtype)), {"reduction": reduction})
            yield Sample((m(rows, 5), m.integers(0, 2, rows, 5).to(m.dtype), m(5, low=0.5, high=2)), {"reduction": reduction})
    if entry.name != "multilabel_soft_margin_loss":
        yield Sample((m(4, 5), m.integers(0, 5, 3)), label="shapes that do not fit")


def log_probs(m: Maker, *shape: int) -> torch.Tensor:
    return m(*shape).double().log_softmax(-1).to(m.dtype)


@kind("ctc_loss")
def ctc(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    targets = torch.tensor([[1, 2, 2], [3, 1, 4], [2, 4, 1]])
    lengths = ((7, 6, 5), (3, 2, 0))
    for steps, reduction in product((7, 6), REDUCTIONS):
        yield Sample((log_probs(m, steps, 3, 5), targets, (steps, 6, 5), (3, 2, 0)), {"reduction": reduction})
        yield Sample((log_probs(m, steps, 3, 5), targets % 4, (5, steps, 6), (1, 3, 2)), {"reduction": reduction, "blank": 4})
    packed = torch.tensor([1, 2, 2, 3, 1])
    yield Sample((log_probs(m, 7, 3, 5), packed, *(torch.tensor(n) for n in lengths)), label="one vector of targets")
    short = ((7, 2, 5), (3, 3, 2))
    yield Sample((log_probs(m, 7, 3, 5), targets, *short), {"zero_infinity": True}, label="impossible")
    yield Sample((log_probs(m, 7, 5), targets[0], (7,), (3,)), {"blank": 4}, label="no batch")
    yield Sample((log_probs(m, 7, 3, 5), targets, (8, 6, 5), (3, 2, 0)), label="longer than the input")


@kind("linear_cross_entropy")
def linear_cross_entropy(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for rows in (6, 1, 3, 9):
        x, weight = m(rows, 4, low=-1, high=1), m(5, 4, low=-1, high=1)
        target = m.integers(0, 5, rows)
        yield Sample((x, weight, target))
        yield Sample((x, weight, target), {"linear_bias": m(5), "label_smoothing": 0.1, "reduction": "sum"})
        yield Sample((x, m(5, 3, 4, low=-1, high=1), m.integers(0, 4, rows, 3)), {"ignore_index": 2})


@kind("pairwise_distance")
@with_other_numbers(2)
def pairwise(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for shapes in (((4, 5), (4, 5)), ((2, 3, 4), (4,)), ((5,), (5,))):
        for p in (2.0, 1.0, float("inf")):
            yield Sample(tuple(m(*shape) for shape in shapes), {"p": p, "keepdim": p == 1})


@kind("pdist")
def pdist(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for rows, p in product((5, 2, 7), (2.0, 1.0, float("inf"))):
        yield Sample((m(rows, 3),), {"p": p})
    yield Sample((m(3),), label="ranks that do not fit")
