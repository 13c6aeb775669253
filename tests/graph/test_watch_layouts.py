"""Captured programs of arguments that are not contiguous."""

from __future__ import annotations

from typing import Any

import numpy
import pytest

import tritonflow as flow
from tests.graph.programs.program import plain
from tritonflow import nn


def lying_otherwise() -> list[Any]:
    """Tensors that are transposed, channels-last, with gaps, expanded, empty, in the middle of their memory."""
    x = flow.arange(48.0).view(2, 2, 3, 4)
    return [
        x, x.permute(0, 2, 3, 1), x.to(memory_format=flow.channels_last), x.transpose(2, 3), x[..., 1:], x[:, :1, :, ::2],
        x[:1, :, :1].expand(3, 2, 2, 4), x[:, :, :0], x[1:],
    ]  # fmt: skip


COPIES_OR_VIEWS = (
    lambda x: x.contiguous(), lambda x: x.reshape(-1), lambda x: x.reshape(len(x), -1), lambda x: x.flatten(1), lambda x: x.ravel(),
    lambda x: x.contiguous(memory_format=flow.channels_last), lambda x: x.to(memory_format=flow.contiguous_format),
    lambda x: x.to(memory_format=flow.channels_last), lambda x: x.permute(0, 2, 3, 1).flatten(1), lambda x: x.clone(),
    lambda x: (x * 2).reshape(-1), lambda x: x.softmax(1).contiguous(), nn.Flatten(2),
)  # fmt: skip


@pytest.mark.parametrize("number", range(len(COPIES_OR_VIEWS)))
@pytest.mark.parametrize("kind", range(9))
def test_views_and_copies_of_arguments_that_are_not_contiguous(kind: int, number: int) -> None:
    """Whether a result is a copy or shares the argument's memory, and how it lies, is as in eager mode."""
    made = COPIES_OR_VIEWS[number]

    def written(x: Any) -> Any:
        y = made(x)
        if x.numel() and 0 not in y.stride():
            y[0].mul_(3)
        return x.sum(), y

    def after(x: Any) -> Any:
        y = made(x)
        if 0 not in x.stride():
            x.add_(1)
        return y

    for function in (made, written, after, lambda x: (made(x), made(x * 2).sin(), sum(x.stride()), x.is_contiguous())):
        found = []
        for wrap in (lambda f: f, flow.compile(fullgraph=True)):
            run = wrap(function)
            for _ in range(2):
                x = lying_otherwise()[kind]
                results = run(x)
                results = results if isinstance(results, tuple) else (results,)
                before = [(plain(y), y.stride()) if isinstance(y, flow.Tensor) else y for y in results]
                if 0 not in results[-1 if function is written else 0].stride():
                    results[-1 if function is written else 0].add_(1)
                found.append((before, plain(x), plain(list(results))))
        assert found[:2] == found[2:]


def test_gradients_of_arguments_that_are_not_contiguous() -> None:
    conv = nn.Conv2d(2, 3, 2)

    def f(x: Any) -> Any:
        y = conv(x.contiguous()).relu().flatten(1)
        return (y * y).sum() + x.reshape(-1).sin().sum() + x.transpose(2, 3).reshape(len(x), -1).exp().mean()

    for make in (lambda x: x, lambda x: x.to(memory_format=flow.channels_last), lambda x: x.transpose(2, 3), lambda x: x[..., 1:]):
        found = []
        for run in (f, flow.compile(f, fullgraph=True)):
            leaf = flow.linspace(0, 1, 48).view(2, 2, 3, 4).requires_grad_()
            conv.zero_grad()
            run(make(leaf)).backward()
            found.append((leaf.grad.numpy(), conv.weight.grad.numpy()))
        for a, b in zip(*found):
            numpy.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6)
