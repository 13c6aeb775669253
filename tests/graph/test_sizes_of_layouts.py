"""Programs for many sizes of inputs that are not contiguous: permuted ones, and parts of larger tensors."""

from __future__ import annotations

from typing import Any

import pytest

import tritonflow as flow
from tests.graph.test_sizes import check, counted, same, without_passes  # noqa: F401 (fixtures)
from tritonflow import nn
from tritonflow.testing import assert_close

SIZES = ((3, 5), (5, 7), (7, 6), (16, 9), (4, 4), (2, 33), (1, 6), (6, 1), (3, 5))


def laid_out(name: str, n: int, m: int) -> Any:
    """An n x m tensor in memory of some layout."""
    return {
        "transposed": lambda: flow.randn(m, n).t(),
        "columns of a wider one": lambda: flow.randn(n, 40)[:, :m],
        "columns of one that is wider by two": lambda: flow.randn(n, m + 2)[:, 1 : m + 1],
        "rows of a taller one": lambda: flow.randn(n + 3, m)[2 : n + 2],
        "every second column": lambda: flow.randn(n, 2 * m)[:, ::2],
        "columns of a transposed one": lambda: flow.randn(m + 3, n).t()[:, 3:],
        "one row, expanded": lambda: flow.randn(m).expand(n, m),
        "one column, expanded": lambda: flow.randn(n, 1).expand(n, m),
        "a diagonal block": lambda: flow.randn(n + m, n + m)[:n, n:],
        "a slice of a larger one": lambda: flow.randn(4, n, m)[2],
        "a channel": lambda: flow.randn(n, m, 3)[..., 1],
        "windows": lambda: flow.randn(n + m - 1).unfold(0, m, 1),
    }[name]()


LAYOUTS = ("transposed", "columns of a wider one", "columns of one that is wider by two", "rows of a taller one", "every second column",
    "columns of a transposed one", "one row, expanded", "one column, expanded", "a diagonal block", "a slice of a larger one", "a channel",
    "windows")  # fmt: skip
FUNCTIONS = {
    "pointwise": lambda x: x * 2 + 1,
    "rows": lambda x: (x.sum(0), x.softmax(1), x.mean()),
    "product": lambda x: x @ x.t(),
    "views": lambda x: (x[1:], x.t(), x[:, 0], x.unsqueeze(1), x.stride(), x.is_contiguous()),
    "copies": lambda x: (x.contiguous(), x.reshape(-1), x.clone(), flow.cat([x, x]), x.flip(0)),
    "sizes": lambda x: flow.zeros(x.shape) + x * x.shape[1] + x.stride(0),
}


@pytest.mark.usefixtures("without_passes")
@pytest.mark.parametrize("dynamic", [None, True])
@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_values_and_layouts(layout: str, function: str, dynamic: bool | None) -> None:
    f = flow.compile(FUNCTIONS[function], fullgraph=True, dynamic=dynamic)
    for n, m in SIZES:
        x = laid_out(layout, n, m)
        actual, expected = f(x), FUNCTIONS[function](x)
        same(actual, expected)
        same(strides(actual), strides(expected))


def strides(value: Any) -> Any:
    return [strides(item) for item in value] if type(value) is tuple else value.stride() if isinstance(value, flow.Tensor) else 0


@pytest.mark.parametrize("layout", LAYOUTS)
def test_few_programs(layout: str, counted: list[str]) -> None:  # noqa: F811
    """Two for inputs that begin at a multiple of 16 bytes, and two for others."""
    f = flow.compile(lambda x: (x * 2).sum(1), fullgraph=True)
    inputs = [laid_out(layout, n, m) for n, m in ((3, 5), (5, 7), (7, 6), (16, 9), (9, 3), (2, 33), (8, 5), (10, 6))]
    for x in inputs:
        f(x)
    assert len(counted) <= 2 * len({x.meta.aligned for x in inputs})


def test_a_size_of_one_may_change_what_is_a_view() -> None:
    """A transposed row is contiguous: nothing is copied, and a write is seen in the argument."""

    def written(x: Any) -> Any:
        y = x.t().contiguous()
        y.add_(1)
        return y, x.t().is_contiguous(), y.stride()

    check(written, [(flow.randn(n, m),) for n, m in ((3, 4), (5, 6), (1, 6), (6, 1), (1, 1), (4, 2))])
    check(written, [(flow.randn(n, m),) for n, m in ((3, 4), (5, 6), (1, 6), (6, 1), (1, 1), (4, 2))], dynamic=True)
    check(lambda x: x.stride(), [(flow.randn(5, 40)[:n, :m],) for n, m in ((3, 4), (1, 40), (1, 6), (2, 7), (1, 9))])


@pytest.mark.usefixtures("without_passes")
@pytest.mark.parametrize("layout", [name for name in LAYOUTS if "expanded" not in name and name != "windows"])
def test_writes_and_gradients(layout: str) -> None:
    def write(x: Any) -> Any:
        x[1:].mul_(2)
        x.add_(x.shape[0])
        return x.t() * 1

    def gradients(x: Any) -> Any:
        leaf = x.detach().requires_grad_()
        (leaf * leaf.shape[1]).tanh().sum().backward()
        return leaf.grad

    compiled = flow.compile(write, fullgraph=True)
    slopes = flow.compile(lambda x: (x * x.shape[1]).tanh())
    for n, m in SIZES:
        x = laid_out(layout, n, m)
        y = laid_out(layout, n, m).copy_(x)
        same(compiled(x), write(y))
        same(x, y)
        leaf = x.detach().requires_grad_()
        slopes(leaf).sum().backward()
        same(leaf.grad, gradients(x))
        assert leaf.grad.stride() == gradients(x).stride()


def test_images_with_channels_last(counted: list[str]) -> None:  # noqa: F811
    net = nn.Sequential(nn.Conv2d(3, 4, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2)).to(memory_format=flow.channels_last).eval()
    f = flow.compile(net, fullgraph=True)
    with flow.no_grad():
        for n, h, w in ((2, 8, 8), (3, 8, 8), (3, 10, 12), (4, 12, 10), (5, 16, 8)):
            x = flow.randn(n, 3, h, w).to(memory_format=flow.channels_last)
            y, expected = f(x), net(x)
            assert_close(y, expected)
            assert y.stride() == expected.stride()
    assert len(counted) <= 4  # one more by which side is longer


def test_a_buffer_that_is_filled(counted: list[str]) -> None:  # noqa: F811
    """Parts of one buffer have its strides, whatever their sizes."""
    buffer = flow.zeros(4, 64, 8)
    f = flow.compile(lambda keys, q: (q @ keys.transpose(1, 2)).softmax(-1) @ keys, fullgraph=True)
    for n in range(1, 20):
        buffer[:, n - 1] = flow.randn(4, 8)
        q = flow.randn(4, 1, 8)
        assert_close(f(buffer[:, :n], q), (q @ buffer[:, :n].transpose(1, 2)).softmax(-1) @ buffer[:, :n])
    assert len(counted) <= 3


def test_a_marked_size_of_a_transposed_input(counted: list[str]) -> None:  # noqa: F811
    f = flow.compile(lambda x: x + x.shape[0])
    for n in (5, 7, 9):
        x = flow.randn(4, n).t()
        flow.mark_dynamic(x, 0)
        same(f(x), x + n)
    assert len(counted) == 1


def test_layouts_do_not_mix() -> None:
    check(lambda x: (x + 1, x.is_contiguous()), [(laid_out(LAYOUTS[k % len(LAYOUTS)], 3 + k % 4, 4 + k % 3),) for k in range(60)])
