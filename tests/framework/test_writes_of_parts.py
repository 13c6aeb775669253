"""Writes of parts that torch has methods for: diagonals, masks without dimensions, values that are replaced in copies."""

from __future__ import annotations

from typing import Any

import pytest
import torch

import tritonflow as flow


@pytest.mark.parametrize("wrap", [False, True])
@pytest.mark.parametrize("shape", [(3, 3), (2, 5), (7, 3), (8, 3), (9, 2), (3, 3, 3), (0, 2), (4, 0), (2, 1)])
def test_a_number_on_the_diagonal(shape: tuple[int, ...], wrap: bool) -> None:
    expected = torch.zeros(shape).fill_diagonal_(2.5, wrap) if 0 not in shape else torch.zeros(shape)
    x = flow.zeros(shape)
    assert x.fill_diagonal_(2.5, wrap) is x
    assert torch.equal(flow.to_torch(x), expected)


def test_a_diagonal_of_a_view_has_its_gradient() -> None:
    x = flow.ones(3, 4, requires_grad=True)
    y = x * 2
    y.t().fill_diagonal_(0.0)
    y.sum().backward()
    expected = torch.full((3, 4), 2.0)
    expected[range(3), range(3)] = 0
    assert torch.equal(flow.to_torch(x.grad), expected)


@pytest.mark.parametrize("shape", [(3,), (2, 3, 2)])
def test_tensors_without_such_a_diagonal(shape: tuple[int, ...]) -> None:
    for x in (torch.ones(shape), flow.ones(shape)):
        with pytest.raises(RuntimeError, match="dimensions"):
            x.fill_diagonal_(1)


@pytest.mark.parametrize("index", [
    lambda m: m.tensor(True), lambda m: m.tensor(False), lambda m: (m.tensor(True), 0), lambda m: (0, m.tensor(False)),
    lambda m: (..., ...), lambda m: (0, ..., 1, ...), lambda m: (m.tensor(True), m.tensor([0, 1])),
])  # fmt: skip
def test_masks_without_dimensions_and_several_ellipses(index: Any) -> None:
    x = torch.arange(24.0).reshape(2, 3, 4)
    y = flow.from_torch(x.clone())
    assert torch.equal(flow.to_torch(y[index(flow)]), x[index(torch)])
    x[index(torch)] = 7
    y[index(flow)] = 7
    assert torch.equal(flow.to_torch(y), x)


def test_copies_share_nothing_with_their_source() -> None:
    x = flow.zeros(2, 3)
    for y in (flow.expand_copy(x, (2, 3)), flow.view_copy(x, (6,)), *flow.unbind_copy(x), flow.permute_copy(x, (1, 0))):
        y.fill_(1)
    assert not flow.to_torch(x).any()
