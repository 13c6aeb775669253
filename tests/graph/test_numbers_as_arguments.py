"""A tensor where an op wants a number, a size or a list of these: eager mode takes its number, and a captured program reads it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import tritonflow as flow
from tritonflow.nn import functional as F

# by name: what is called with a tensor and a number in a tensor, and such numbers
CALLS = {
    "view": (lambda x, n: x.view(n * 2, -1), (1, 2, 4)),
    "view of a list": (lambda x, n: x.view([n * 2, -1]), (1, 2, 4)),
    "pad": (lambda x, n: F.pad(x, (0, n + 1)), (0, 2, 5)),
    "clamp": (lambda x, n: x.clamp(0, n * 2), (1, 3, 0)),
    "zeros": (lambda x, n: x.sum() + flow.zeros(n * 1, 2), (1, 3, 0)),
    "arange": (lambda x, n: x.sum() + flow.arange(n * 1), (1, 3, 4)),
    "narrow": (lambda x, n: x.narrow(0, n + 1, 2), (0, 2, 5)),
    "sum": (lambda x, n: x.view(2, 4).sum(n * 1), (0, 1, 0)),
    "roll": (lambda x, n: x.roll(n + 1, 0), (0, 1, 5)),
    "repeat": (lambda x, n: x.repeat(n + 1), (0, 1, 3)),
    "topk": (lambda x, n: x.topk(n + 1)[0], (0, 1, 3)),
    "split": (lambda x, n: x.split(n + 1)[0], (0, 1, 3)),
    "alpha": (lambda x, n: flow.add(x, x, alpha=n * 2), (0, 1, 3)),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_number_in_a_tensor_is_read(name: str) -> None:
    f, numbers = CALLS[name]
    compiled, x = flow.compile(f), flow.arange(8.0)
    for number in (*numbers, *numbers):
        n = flow.tensor(number)
        expected, found = f(x, n), compiled(x, n)
        assert found.shape == expected.shape and found.tolist() == expected.tolist()
    assert compiled.captures()


@pytest.mark.parametrize("name", ["pad", "narrow", "arange", "topk"])
def test_one_program_serves_other_numbers(name: str) -> None:
    compiled, x = flow.compile(CALLS[name][0]), flow.arange(8.0)
    for number in (2, 3, 4, 5):
        n = flow.tensor(number)
        assert compiled(x, n).tolist() == CALLS[name][0](x, n).tolist()
    assert len(compiled.captures()) == 1


@pytest.mark.filterwarnings("ignore:.*is not compiled")
def test_a_gradient_is_not_lost_silently() -> None:
    x, most = flow.arange(4.0, requires_grad=True), flow.tensor(2.0, requires_grad=True)
    for f in (lambda x, n: x.clamp(0, n * 1), flow.compile(lambda x, n: x.clamp(0, n * 1))):
        with pytest.raises(TypeError, match="clamp"):
            f(x, most)


def test_a_graph_names_the_op_that_wants_a_number() -> None:
    class Padded(flow.nn.Graph):
        def build(self, x: flow.Tensor, n: flow.Tensor) -> flow.Tensor:
            return F.pad(x, (0, n + 1))

    with pytest.raises(RuntimeError, match=r"pad\(\) needs the value of a tensor"):
        Padded()(flow.ones(2), flow.tensor(1))


def split(x: flow.Tensor, sizes: flow.Tensor) -> flow.Tensor:
    """Parts of a list of sizes."""
    return flow.cat([part * k for k, part in enumerate(x.split(sizes.tolist()))])


def sliced(x: flow.Tensor, sizes: flow.Tensor) -> flow.Tensor:
    """The same between bounds that are tensors."""
    parts, start = [], 0
    for k, size in enumerate(sizes):
        stop = start + size
        parts.append(x[start:stop] * k)
        start = stop
    return flow.cat(parts)


@pytest.mark.parametrize("cut", [split, sliced])
def test_parts_of_sizes_that_are_read_are_one_program(cut: Callable[..., flow.Tensor]) -> None:
    compiled = flow.compile(cut)
    for sizes in ([2, 3, 3], [4, 2, 2], [2, 2, 4], [5, 1, 2], [0, 0, 8], [3, 5, 0]):
        x, y = flow.randn(8, 3, requires_grad=True), flow.tensor(sizes)
        expected, found = cut(x, y), compiled(x, y)
        assert found.tolist() == expected.tolist()
        weights = flow.arange(24.0).view(8, 3)
        first, second = (flow.autograd.grad((r * weights).sum(), x)[0] for r in (expected, found))
        assert first.tolist() == second.tolist()
        assert len(compiled.captures()) == 1 or 0 in sizes  # without rows it may be a program of its own


@pytest.mark.filterwarnings("ignore:.*is not compiled")
def test_sizes_that_do_not_fit_are_eager_modes_error() -> None:
    compiled = flow.compile(split)
    compiled(flow.ones(8), flow.tensor([2, 6]))
    for wrong in ([3, 6], [-1, 9]):
        with pytest.raises(RuntimeError, match="split_sizes"):
            compiled(flow.ones(8), flow.tensor(wrong))


def test_a_bound_that_is_no_whole_number_is_eager_modes_error() -> None:
    compiled = flow.compile(lambda x, n: x[: n * 1])
    with pytest.raises(TypeError, match="only integer tensors"), pytest.warns(UserWarning, match="not compiled"):
        compiled(flow.ones(8), flow.tensor(2.0))
    assert compiled(flow.ones(8), flow.tensor(True)).shape == flow.ones(8)[: flow.tensor(True)].shape
