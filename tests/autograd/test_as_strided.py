"""as_strided of any tensor, view or not: reads and writes anywhere in its storage have torch's gradients."""

from __future__ import annotations

import random
from typing import Any

import pytest
import torch

import tritonflow as flow

# Views of a non-leaf `w` of shape (4, 4).
VIEWS = ("w", "w.t()", "w[1:]", "w[:, 1:3]", "w.diagonal()", "w[2].expand(3, 4)", "w.t()[1:, ::2]", "w.view(2, 8)[1]")


def geometry(seed: int) -> tuple[tuple[int, ...], tuple[int, ...], int]:
    """A size, strides and an offset within 16 elements; elements may occur several times."""
    draw = random.Random(seed)
    while True:
        size = tuple(draw.randint(1, 4) for _ in range(draw.randint(0, 3)))
        stride = tuple(draw.randint(0, 5) for _ in size)
        offset = draw.randrange(16)
        if offset + sum((n - 1) * s for n, s in zip(size, stride)) < 16:
            return size, stride, offset


def occurs_once(size: tuple[int, ...], stride: tuple[int, ...]) -> bool:
    positions = torch.arange(16).as_strided(size, stride).flatten().tolist()
    return len({*positions}) == len(positions)


def read(lib: Any, view: str, size: Any, stride: Any, offset: int) -> list[Any]:
    """First and second derivatives, of the tensor and of the view in between."""
    x = lib.arange(16.0).reshape(4, 4).requires_grad_()
    w = x * 1
    between = eval(view, {"w": w})
    z = between.as_strided(size, stride, offset)
    first = lib.autograd.grad((z * z).sum(), [between, x], create_graph=True)
    (first[1] * x).sum().backward()
    return [first[0].tolist(), first[1].tolist(), x.grad.tolist()]


def write(lib: Any, view: str, size: Any, stride: Any, offset: int) -> list[Any]:
    """A write through the view, read again through all three."""
    x, v = lib.arange(16.0).reshape(4, 4).requires_grad_(), lib.full((), 3.0).requires_grad_()
    w = x * 1
    between = eval(view, {"w": w})
    z = between.as_strided(size, stride, offset)
    z.mul_(v)
    ((w * w).sum() + (between * 2).sum() + z.sum()).backward()
    return [w.tolist(), between.tolist(), x.grad.tolist(), v.grad.tolist()]


@pytest.mark.parametrize("view", VIEWS)
def test_reads(view: str) -> None:
    for seed in range(12):
        assert read(flow, view, *geometry(seed)) == read(torch, view, *geometry(seed)), geometry(seed)


@pytest.mark.parametrize("view", [v for v in VIEWS if "expand" not in v])  # whose memory is not to be written
def test_writes(view: str) -> None:
    for seed in range(24):
        if occurs_once(*geometry(seed)[:2]):
            assert write(flow, view, *geometry(seed)) == write(torch, view, *geometry(seed)), geometry(seed)


def test_a_view_of_a_leaf_is_not_written() -> None:
    leaf = flow.arange(16.0).detach()[4:].requires_grad_()
    with pytest.raises(RuntimeError, match="a view of a leaf"):
        leaf.as_strided((2,), (1,), 5).mul_(2)


def test_captured() -> None:
    """The same as a graph, whose memory is its own."""

    def step(x: Any) -> list[Any]:
        w = x * 1
        z = w.t().as_strided((3, 2), (2, 3), 1)
        z.mul_(2)
        u = w[1:].as_strided((3, 3), (1, 1), 0)
        return [w, flow.autograd.grad((w * w).sum() + (u * u).sum(), x)[0]]

    x = flow.arange(16.0).reshape(4, 4).requires_grad_()
    for actual, expected in zip(flow.compile(step)(x), step(x)):
        assert actual.tolist() == expected.tolist()
