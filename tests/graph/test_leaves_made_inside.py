"""Results that are leaves made in the program: in memory from outside, of arguments, and of the program."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import pytest

import tritonflow as flow

WEIGHT = flow.nn.Parameter(flow.tensor([1.0, 2.0, 3.0]))
BUFFER = flow.tensor([4.0, 5.0, 6.0])

LEAVES: list[Callable[[Any], Any]] = [
    lambda x: BUFFER.detach().requires_grad_(),
    lambda x: BUFFER[:2].detach().requires_grad_(),
    lambda x: flow.nn.Parameter(BUFFER),
    lambda x: flow.nn.Parameter(WEIGHT.data),
    lambda x: WEIGHT[1:].detach().requires_grad_(),
    lambda x: x.detach()[1:].requires_grad_(),
    lambda x: flow.nn.Parameter(x.detach() * 2),
    lambda x: (x * 2).detach()[:2].requires_grad_(),
]


def seen(leaf: Any, x: Any) -> tuple[Any, ...]:
    gradients = [None if each.grad is None else each.grad.tolist() for each in (leaf, x)]
    return leaf.tolist(), type(leaf), leaf.is_leaf, leaf.requires_grad, *gradients


@pytest.mark.parametrize("position", range(len(LEAVES)))
@pytest.mark.parametrize("way", ["alone", "behind another result", "with a loss", "differentiated inside"])
def test_a_leaf_is_eager_modes(position: int, way: str) -> None:
    make = LEAVES[position]

    def program(x: Any) -> tuple[Any, Any]:
        leaf = make(x)
        if way == "alone":
            return leaf, None
        if way == "behind another result":
            return leaf, x.sum() * 2
        loss = (leaf * x[: leaf.shape[0]]).sum()
        if way == "differentiated inside":
            loss.backward()
            return leaf, None
        return leaf, loss

    compiled = flow.compile(program)
    for _ in range(3):
        found = []
        for function in (program, compiled):
            x = flow.tensor([0.5, -1.0, 2.0]).requires_grad_()
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # some run in eager mode
                leaf, loss = function(x)
            (leaf.sum() * 3).backward()
            if loss is not None:
                loss.backward()
            found.append(seen(leaf, x))
        assert found[0] == found[1]


def test_a_leaf_beside_its_tensor() -> None:
    """It required no grad, where the tensor that it is detached from was a result, too."""

    def program(x: Any) -> tuple[Any, Any]:
        y = x.abs()
        return y, y.detach().requires_grad_()

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        y, leaf = flow.compile(program)(flow.tensor([1.0, -2.0]).requires_grad_())
    assert y.impl is leaf.impl
    assert leaf.is_leaf
    assert leaf.requires_grad


def test_a_view_of_a_leaf_beside_it() -> None:
    """It was a view of the leaf of the capture, which got its gradient."""

    def program() -> tuple[Any, Any]:
        leaf = WEIGHT.detach().requires_grad_()
        return leaf, leaf[1:]

    compiled = flow.compile(program)
    for _ in range(3):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            leaf, view = compiled()
        (view * 2).sum().backward()
        assert leaf.grad.tolist() == [0.0, 2.0, 2.0]


@pytest.mark.parametrize("dynamic", [None, True])
def test_sizes_that_were_read_of_memory_from_outside(dynamic: bool | None) -> None:
    """The size of such a result was that of the capture, which is none behind it."""

    def program(x: Any) -> list[Any]:
        count = int(x.sum().item())
        part = WEIGHT.narrow(0, 0, count)
        return [part, part.detach(), part.detach()[:1], part.data.view(-1, 1), BUFFER[:count].detach()]

    compiled = flow.compile(program, dynamic=dynamic)
    for total in (1.0, 2.0, 3.0, 2.0, 1.0):
        x = flow.tensor([total])
        for actual, expected in zip(compiled(x), program(x)):
            assert actual.tolist() == expected.tolist()
            assert actual.ptr == expected.ptr
            assert all(type(size) is int for size in actual.shape)
    assert compiled.captures()
