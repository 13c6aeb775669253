"""Random sizes, strides, paddings and dilations of convolutions, pooling and padding, and their gradients, against torch.

Tensors hold whole numbers, so that sums are exact, and lie between NaNs, which a read behind their memory brings into a result.
`make test-checked` compares every address as well. One case: `pytest tests/ops/test_windows.py --seed N`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy
import pytest
import torch

import tritonflow as flow
from tests.ops.sides import attempt, convert
from tests.poison import poisoned
from tritonflow.device.torch_exchange import from_torch_dtype
from tritonflow.errors import ShapeError
from tritonflow.testing import assert_close, in_float64

MARGIN = 64
Case = tuple[str, list[torch.Tensor], tuple[Any, ...]]  # a function of nn.functional, its tensors, its other arguments


@pytest.fixture(autouse=True, scope="module")
def _poisoned() -> Iterator[None]:
    with poisoned():
        yield


def between_nans(values: torch.Tensor) -> torch.Tensor:
    """The values, contiguous, in the middle of memory that is full of NaN."""
    memory = torch.full((values.numel() + 2 * MARGIN,), float("nan"), dtype=values.dtype)
    memory[MARGIN : MARGIN + values.numel()] = values.reshape(-1)
    return memory[MARGIN : MARGIN + values.numel()].view(values.shape)


def whole(rng: numpy.random.Generator, *shape: int) -> torch.Tensor:
    return torch.from_numpy(rng.integers(-4, 5, shape)).float()


def convolution(rng: numpy.random.Generator) -> Case:
    dims = int(rng.integers(1, 3))
    groups, multiplier = int(rng.choice([1, 1, 2, 3])), int(rng.choice([1, 2, 17]))
    inner = int(rng.choice([1, 1, 2, 17]))
    kernel, image = rng.integers(1, 5, dims).tolist(), rng.integers(1, 10, dims).tolist()
    x, w = whole(rng, int(rng.integers(1, 3)), groups * inner, *image), whole(rng, groups * multiplier, inner, *kernel)
    stride, padding, dilation = (rng.integers(low, 4, dims).tolist() for low in (1, 0, 1))
    tensors = [x, w, whole(rng, groups * multiplier)][: int(rng.integers(2, 4))]
    return f"conv{dims}d", tensors, (*[None] * (3 - len(tensors)), stride, padding, dilation, groups)


def transposed_convolution(rng: numpy.random.Generator) -> Case:
    groups, outer, inner = (int(rng.choice(choice)) for choice in ([1, 1, 2, 3], [1, 2, 17], [1, 1, 2, 17]))
    kernel, image = rng.integers(1, 5, 2).tolist(), rng.integers(1, 7, 2).tolist()
    x, w = whole(rng, int(rng.integers(1, 3)), groups * inner, *image), whole(rng, groups * inner, outer, *kernel)
    stride, padding, dilation = (rng.integers(low, 4, 2).tolist() for low in (1, 0, 1))
    more = [int(rng.integers(0, max(s, d))) for s, d in zip(stride, dilation)]
    return "conv_transpose2d", [x, w], (None, stride, padding, more, groups, dilation)


def pooling(rng: numpy.random.Generator) -> Case:
    dims = int(rng.integers(1, 3))
    kernel, image = rng.integers(1, 5, dims).tolist(), rng.integers(1, 10, dims).tolist()
    x, stride = whole(rng, 2, 3, *image), rng.integers(1, 4, dims).tolist()
    padding, ceil_mode = [int(rng.integers(0, k // 2 + 1)) for k in kernel], bool(rng.integers(2))
    kind = rng.integers(3)
    if kind == 0:
        return f"max_pool{dims}d", [x], (kernel, stride, padding, rng.integers(1, 4, dims).tolist(), ceil_mode)
    if kind == 1:
        return f"avg_pool{dims}d", [x], (kernel, stride, padding, ceil_mode, bool(rng.integers(2)))
    return f"adaptive_avg_pool{dims}d", [x], (rng.integers(1, 9, dims).tolist(),)


def padding(rng: numpy.random.Generator) -> Case:
    shape = rng.integers(1, 6, int(rng.integers(1, 5))).tolist()
    amounts = [int(rng.integers(-(n // 2), 4)) for n in reversed(shape[int(rng.integers(0, len(shape))) :]) for _ in range(2)]
    return "pad", [whole(rng, *shape)], (amounts, "constant", float(rng.integers(0, 2)))


def results(functional: Any, tensors: list[Any], name: str, arguments: tuple[Any, ...], like: Callable[..., Any]) -> list[Any]:
    """What it returns, and the gradients of all tensors."""
    leaves = [t.requires_grad_() for t in tensors]
    y = getattr(functional, name)(*leaves, *arguments)
    pattern = torch.from_numpy(numpy.arange(y.numel()) % 7 - 3).float().reshape(tuple(y.shape))
    y.backward(like(pattern))
    return [y.detach(), *[leaf.grad for leaf in leaves]]


def check(case: Case) -> None:
    name, tensors, arguments = case
    context = f"{name} {[tuple(t.shape) for t in tensors]} {arguments}"
    given = [t.to(torch.float64, copy=True) for t in tensors]
    expected, refused = attempt(results, (torch.nn.functional, given, name, arguments, torch.Tensor.double), {})
    ours = convert([between_nans(t) for t in tensors], flow.from_torch, from_torch_dtype)
    actual, error = attempt(results, (flow.nn.functional, ours, name, arguments, flow.from_torch), {})
    if isinstance(error, ShapeError) and "Output size is too small" in str(error) and expected is not None:
        assert 0 in expected[0].shape, f"{context}: {error}"  # torch gives some empty results
        return
    assert (error is None) == (refused is None), f"{context}: {error!r}, torch {refused!r}"
    if expected is not None and expected[0].isinf().any():  # a maximum of padding alone: torch gives a gradient to some pixel
        del expected[1:]
    for mine, theirs in zip(actual or (), expected or ()):
        assert tuple(mine.shape) == tuple(theirs.shape), context
        try:
            assert_close(mine, in_float64(theirs), op_class="reduction")
        except AssertionError as difference:
            raise AssertionError(f"{context}: {difference}") from None


DRAWS = [convolution, transposed_convolution, pooling, padding]


@pytest.mark.parametrize("draw", DRAWS)
@pytest.mark.sampled(most=1)
def test_random_cases(draw: Callable[..., Case], rng: numpy.random.Generator) -> None:
    for _ in range(6):
        check(draw(rng))


def test_a_maximum_of_padding_alone() -> None:
    """It is the lowest value, and gives no pixel a gradient."""
    for dtype in (torch.float32, torch.int8):
        x = torch.ones(1, 1, 1, 3, dtype=dtype)
        expected = torch.nn.functional.max_pool2d(x, 2, 2, 1, 2, True)
        found = flow.nn.functional.max_pool2d(flow.from_torch(x), 2, 2, 1, 2, True)
        assert found.tolist() == expected.tolist()
    y = flow.ones(1, 1, 1, 3, requires_grad=True)
    (gradient,) = flow.autograd.grad(flow.nn.functional.max_pool2d(y, 2, 2, 1, 2, True).sum(), y, create_graph=True)
    assert gradient.tolist() == [[[[0.0, 0.0, 0.0]]]]


@pytest.mark.long
@pytest.mark.parametrize("draw", DRAWS)
def test_many_random_cases(draw: Callable[..., Case], rng: numpy.random.Generator) -> None:
    for _ in range(150):
        check(draw(rng))


@pytest.mark.parametrize(
    ("stride", "padding", "output_padding", "dilation"),
    [(2, 0, 2, 3), (1, 2, 1, 2), ((2, 1), (3, 0), (3, 1), (4, 3)), (1, 0, (0, 2), (1, 3))],
)
@pytest.mark.sampled(most=1)
def test_an_output_padding_of_a_stride_or_more(stride: Any, padding: Any, output_padding: Any, dilation: Any) -> None:
    """The convolution of an image of that size has more outputs than the input has pixels."""
    rng = numpy.random.default_rng(0)
    for groups, shape in ((1, (2, 4, 4, 5)), (2, (2, 1, 1, 1)), (2, (2, 2, 3, 3))):
        arguments = (None, stride, padding, output_padding, groups, dilation)
        check(("conv_transpose2d", [whole(rng, 2, 2, 4, 4), whole(rng, *shape)], arguments))


@pytest.mark.parametrize("arguments", [(2,), (3, 2, 1), ((2, 3, 2), 2, 1, True), (2, 1, 1, False, False), (2, 2, 0, False, True, 3)])
def test_means_of_integers_are_cut_off_once(arguments: tuple[Any, ...]) -> None:
    x = torch.arange(-60, 60).reshape(1, 1, 4, 5, 6) * 7
    expected = torch.nn.functional.avg_pool3d(x, *arguments)
    found = flow.nn.functional.avg_pool3d(flow.tensor(x.numpy()), *arguments)
    assert found.dtype is flow.int64 and found.tolist() == expected.tolist()
