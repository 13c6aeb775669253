"""Whole Jacobians of convolutions and group norms whose samples are too large for the registry's gradient checks.

Strides, paddings, dilations, groups and lone samples of both convolutions; groups of one and of two elements, where the
variance is 0 or the gradient all but cancels.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy
import pytest

import tritonflow as flow

F = flow.nn.functional

# (function, shapes of its tensors, the rest of its arguments)
CASES: dict[str, tuple[Callable[..., Any], tuple[tuple[int, ...], ...], tuple[Any, ...]]] = {
    "conv2d": (F.conv2d, ((2, 3, 4, 4), (2, 3, 2, 3), (2,)), ()),
    "conv2d, strided, grouped": (F.conv2d, ((2, 2, 5, 4), (4, 1, 3, 2), (4,)), (2, 1, 1, 2)),
    "conv2d, dilated": (F.conv2d, ((1, 4, 6, 5), (2, 2, 2, 2), (2,)), ((1, 2), (0, 1), 2, 2)),
    "conv2d, by channel": (F.conv2d, ((2, 4, 5, 5), (4, 1, 3, 3), (4,)), (1, 1, 1, 4)),
    "conv2d, several by channel": (F.conv2d, ((2, 2, 5, 5), (6, 1, 3, 3), (6,)), (2, 1, 1, 2)),
    "conv2d, 1 x 1": (F.conv2d, ((2, 5, 3, 3), (4, 5, 1, 1), (4,)), ()),
    "conv_transpose2d": (F.conv_transpose2d, ((2, 3, 4, 3), (3, 2, 2, 3), (2,)), ()),
    "conv_transpose2d, strided": (F.conv_transpose2d, ((2, 3, 3, 3), (3, 2, 3, 2), (2,)), (2, 1, 1)),
    "conv_transpose2d, everything": (F.conv_transpose2d, ((1, 4, 3, 4), (4, 3, 2, 3), (6,)), ((2, 1), (0, 1), (1, 0), 2, (1, 2))),
    "conv_transpose2d, lone sample": (F.conv_transpose2d, ((2, 3, 3), (2, 2, 2, 2), (2,)), (3,)),
    "group_norm, one element": (lambda x, w, b: F.group_norm(x, 4, w, b), ((3, 4), (4,), (4,)), ()),
    "group_norm, one element of an image": (lambda x, w, b: F.group_norm(x, 4, w, b), ((2, 4, 1, 1), (4,), (4,)), ()),
    "group_norm, two elements": (lambda x, w, b: F.group_norm(x, 2, w, b), ((3, 4), (4,), (4,)), ()),
    "group_norm, a channel each": (lambda x, w, b: F.group_norm(x, 3, w, b), ((2, 3, 5), (3,), (3,)), ()),
    "group_norm, one group": (lambda x, w, b: F.group_norm(x, 1, w, b), ((2, 4, 3), (4,), (4,)), ()),
    "group_norm, bare": (lambda x: F.group_norm(x, 3), ((2, 6, 2, 2),), ()),
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.sampled(most=8)
def test_jacobian_and_second_derivative(name: str, rng: numpy.random.Generator) -> None:
    function, shapes, rest = CASES[name]
    leaves = [flow.tensor(rng.standard_normal(shape), requires_grad=True) for shape in shapes]
    assert all(x.dtype is flow.float64 for x in leaves)
    assert flow.autograd.gradcheck(lambda *xs: function(*xs, *rest), leaves)
    assert flow.autograd.gradgradcheck(lambda *xs: function(*xs, *rest), leaves, fast_mode=True)
