"""Memory formats: the names, the strides of what ops make of channels-last tensors, beside torch's; numbers stay those of others."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import pytest
import torch

import tritonflow as flow
from tritonflow.testing import assert_close

LAST, PLAIN = "channels_last", "contiguous_format"
SHAPE = (2, 3, 4, 5)


def both(t: torch.Tensor) -> tuple[Any, torch.Tensor]:
    """A tensor of ours and one of torch's, with the same strides."""
    return flow.from_torch(t.clone()), t.clone()


def images(shape: tuple[int, ...] = SHAPE, format: str = LAST, seed: int = 0) -> torch.Tensor:
    """Random images in a format."""
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(shape, generator=generator).to(memory_format=getattr(torch, format))


def same(ours: Any, theirs: torch.Tensor, tolerance: float = 1e-5) -> None:
    """Compare numbers, shapes and strides."""
    assert tuple(ours.shape) == tuple(theirs.shape)
    assert ours.stride() == theirs.stride()
    assert_close(
        ours.detach().to("cpu"), flow.from_torch(theirs.detach().contiguous()).to("cpu"), rtol=tolerance, atol=tolerance
    )


def test_a_move_to_the_host_takes_a_format() -> None:
    x, theirs = both(images(format=PLAIN))
    same(x.cpu(memory_format=flow.channels_last), theirs.cpu(memory_format=torch.channels_last))
    assert x.cpu() is x or x.is_cuda


def test_names() -> None:
    for name in ("channels_last", "channels_last_3d", "contiguous_format", "preserve_format"):
        format = getattr(flow, name)
        assert repr(format) == f"tritonflow.{name}" and isinstance(format, flow.memory_format)
        assert copy.deepcopy(format) is format and pickle.loads(pickle.dumps(format)) is format


@pytest.mark.parametrize(
    "shape", [SHAPE, (4, 2, 1, 1), (2, 1, 4, 5), (1, 3, 4, 5), (0, 3, 4, 5), (2, 3, 1, 5)], ids=str
)
def test_to_and_contiguous(shape: tuple[int, ...]) -> None:
    """What is a copy, and its strides, where one channel or pixel fits several formats, too."""
    ours, theirs = both(images(shape, PLAIN))
    for name in (LAST, PLAIN, "preserve_format"):
        format, expected = getattr(flow, name), getattr(torch, name)
        same(ours.to(memory_format=format), theirs.to(memory_format=expected))
        same(ours.contiguous(memory_format=format), theirs.contiguous(memory_format=expected))
        same(ours.clone(memory_format=format), theirs.clone(memory_format=expected))
        same(
            ours.to(memory_format=flow.channels_last).to(memory_format=format),
            theirs.to(memory_format=torch.channels_last).to(memory_format=expected),
        )
        assert (ours.to(memory_format=format) is ours) == (theirs.to(memory_format=expected) is theirs)
        assert (ours.contiguous(memory_format=format) is ours) == (theirs.contiguous(memory_format=expected) is theirs)
    for name in (LAST, PLAIN):
        assert ours.is_contiguous(memory_format=getattr(flow, name)) == theirs.is_contiguous(
            memory_format=getattr(torch, name)
        )


def test_volumes() -> None:
    ours, theirs = both(images((2, 3, 2, 4, 5), PLAIN))
    ours, theirs = ours.to(memory_format=flow.channels_last_3d), theirs.to(memory_format=torch.channels_last_3d)
    same(ours, theirs)
    same(flow.exp(ours) + ours, torch.exp(theirs) + theirs)
    same(ours.double().clone(), theirs.double().clone())
    assert ours.is_contiguous(memory_format=flow.channels_last_3d) and not ours.is_contiguous(
        memory_format=flow.channels_last
    )


POINTWISE: dict[str, Callable[[Any, Any, Any, Any], Any]] = {
    "relu": lambda lib, x, y, b: lib.relu(x),
    "number": lambda lib, x, y, b: x * 2 + 1,
    "plain second": lambda lib, x, y, b: x + y,
    "plain first": lambda lib, x, y, b: y + x,
    "broadcast": lambda lib, x, y, b: x * b,
    "broadcast first": lambda lib, x, y, b: b - x,
    "comparison": lambda lib, x, y, b: x > b,
    "where": lambda lib, x, y, b: lib.where(x > 0, x, b),
    "cast": lambda lib, x, y, b: x.to(lib.float64),
    "clone": lambda lib, x, y, b: x.clone(),
    "zeros_like": lambda lib, x, y, b: lib.zeros_like(x),
    "ones_like plain": lambda lib, x, y, b: lib.ones_like(x, memory_format=lib.contiguous_format),
    "full_like last": lambda lib, x, y, b: lib.full_like(y, 3.0, memory_format=lib.channels_last),
    "cat": lambda lib, x, y, b: lib.cat([x, x * 2], 1),
    "cat mixed": lambda lib, x, y, b: lib.cat([x, y], 1),
    "permuted": lambda lib, x, y, b: y.permute(0, 3, 1, 2) * 2,
    "slice": lambda lib, x, y, b: lib.exp(x[:, :2]),
    "expanded": lambda lib, x, y, b: b.expand(2, 3, 4, 5) + b,
}


@pytest.mark.parametrize("name", POINTWISE)
def test_pointwise(name: str) -> None:
    x, y, b = (both(t) for t in (images(), images(format=PLAIN, seed=1), images((1, 3, 1, 1), PLAIN, 2)))
    found, expected = (POINTWISE[name](lib, x[k], y[k], b[k]) for k, lib in enumerate((flow, torch)))
    if expected.dtype is torch.bool:
        found, expected = found.float(), expected.float()
    same(found, expected)


def test_writing_in_place() -> None:
    ours, theirs = both(images())
    ours += flow.from_torch(images(format=PLAIN, seed=1))
    theirs += images(format=PLAIN, seed=1)
    ours[0, 1] = 3.0
    theirs[0, 1] = 3.0
    same(ours, theirs)


def test_wrong_calls() -> None:
    x = flow.ones(2, 3)
    for call in (
        lambda: x.to(memory_format=flow.channels_last),
        lambda: x.contiguous(memory_format=flow.channels_last),
    ):
        with pytest.raises(RuntimeError, match="required rank 4 tensor to use channels_last format"):
            call()
    with pytest.raises(RuntimeError, match="required rank 5 tensor"):
        flow.empty(2, 3, 4, 5, memory_format=flow.channels_last_3d)
    with pytest.raises(RuntimeError, match="unsupported memory format Preserve"):
        flow.empty(2, 3, memory_format=flow.preserve_format)
    with pytest.raises(TypeError):
        x.clone(memory_format=3)


LAYERS: dict[str, Callable[[Any], Any]] = {
    "conv": lambda nn: nn.Conv2d(3, 4, 3, padding=1),
    "conv 1x1": lambda nn: nn.Conv2d(3, 20, 1, bias=False),
    "conv groups": lambda nn: nn.Conv2d(4, 6, 3, stride=2, groups=2),
    "depthwise": lambda nn: nn.Conv2d(3, 6, 3, padding=1, groups=3),
    "batch norm": lambda nn: nn.BatchNorm2d(3),
    "batch norm eval": lambda nn: nn.BatchNorm2d(3).eval(),
    "max pool": lambda nn: nn.MaxPool2d(3, 2, 1),
    "avg pool": lambda nn: nn.AvgPool2d(2, 2, 1),
    "avg pool ceil": lambda nn: nn.AvgPool2d((2, 3), (2, 1), ceil_mode=True, count_include_pad=False),
}


@pytest.mark.parametrize("mixed", [False, True], ids=["last", "weights"])
@pytest.mark.parametrize("name", LAYERS)
@pytest.mark.sampled(most=9)
def test_layers(name: str, mixed: bool) -> None:
    """Results and gradients of channels-last images; or of contiguous ones with channels-last weights."""
    theirs = LAYERS[name](torch.nn)
    ours = LAYERS[name](flow.nn)
    ours.load_state_dict({key: flow.from_torch(value.clone()) for key, value in theirs.state_dict().items()})
    ours, theirs = ours.to(memory_format=flow.channels_last), theirs.to(memory_format=torch.channels_last)
    for mine, other in zip(ours.parameters(), theirs.parameters()):
        assert mine.stride() == other.stride()
    channels = 4 if "groups" in name else 3
    x, leaf = both(images((2, channels, 6, 5), PLAIN if mixed else LAST))
    x.requires_grad_(), leaf.requires_grad_()
    y, expected = ours(x), theirs(leaf)
    same(y, expected)
    dy, gradient = both(images(tuple(expected.shape), LAST, 1))
    y.backward(dy)
    expected.backward(gradient)
    same(x.grad, leaf.grad, 1e-4)
    for mine, other in zip(ours.parameters(), theirs.parameters()):
        one = mine.ndim == 4 and (mine.shape[1] == 1 or mine.shape[2:] == (1, 1))  # which lies in both formats
        gradient = mine.grad.to(memory_format=flow.channels_last) if one else mine.grad
        same(gradient, other.grad, 1e-4)


def _network(nn: Any) -> Any:
    return nn.Sequential(
        nn.Conv2d(3, 16, 3, padding=1, bias=False), nn.BatchNorm2d(16), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(16, 8, 3, stride=2, bias=False),
        nn.AvgPool2d(2), nn.Flatten(), nn.Linear(8, 4),
    )  # fmt: skip


@pytest.mark.parametrize("compiled", [False, True], ids=["eager", "compiled"])
def test_training(compiled: bool) -> None:
    """Steps of a network whose parameters and images are channels-last: torch's numbers, and parameters stay so."""
    theirs, ours = _network(torch.nn), _network(flow.nn)
    ours.load_state_dict({key: flow.from_torch(value.clone()) for key, value in theirs.state_dict().items()})
    ours, theirs = ours.to(memory_format=flow.channels_last), theirs.to(memory_format=torch.channels_last)
    optimizers = flow.optim.Adam(ours.parameters(), lr=0.01), torch.optim.Adam(theirs.parameters(), lr=0.01)
    x = images((2, 3, 12, 12))

    def step(image: Any) -> Any:
        optimizers[0].zero_grad()
        loss = ours(image).square().mean()
        loss.backward()
        optimizers[0].step()
        return loss

    run = flow.compile(step) if compiled else step
    for _ in range(3):
        loss = run(flow.from_torch(x))
        optimizers[1].zero_grad()
        expected = theirs(x).square().mean()
        expected.backward()
        optimizers[1].step()
        assert_close(loss.detach().to("cpu"), flow.from_torch(expected.detach()).to("cpu"), rtol=2e-4, atol=2e-5)
    for mine, other in zip(ours.parameters(), theirs.parameters()):
        same(mine, other, 2e-3)


def test_second_derivatives() -> None:
    x = flow.from_torch(images((1, 2, 3, 3)).double()).requires_grad_()

    def function(x: Any) -> Any:
        return (x.to(memory_format=flow.contiguous_format).exp() * x.contiguous(memory_format=flow.channels_last)).sum()

    assert flow.autograd.gradcheck(function, (x,)) and flow.autograd.gradgradcheck(function, (x,))


GEOMETRIES = [
    ((2, 20, 7, 6), 1, {"stride": 2, "padding": 1}),
    ((1, 4, 9, 8), 3, {"stride": (1, 2), "padding": (0, 2), "dilation": 2}),
    ((3, 33, 1, 1), 1, {"padding": 1}),
    ((0, 4, 5, 5), 1, {}),
]


@pytest.mark.parametrize(("shape", "multiplier", "geometry"), GEOMETRIES, ids=str)
def test_depthwise_of_many_geometries(shape: tuple[int, ...], multiplier: int, geometry: dict[str, Any]) -> None:
    """Numbers beside torch's in float64, and those of contiguous images."""
    channels = shape[1]
    w = torch.randn(channels * multiplier, 1, 3, 3, dtype=torch.float64)
    x, b = images(shape).double().requires_grad_(), torch.randn(channels * multiplier, dtype=torch.float64)
    leaf = w.clone().requires_grad_()
    expected = torch.nn.functional.conv2d(x, leaf, b, groups=channels, **geometry)
    dy = images(tuple(expected.shape), LAST, 1).double()
    gradients = torch.autograd.grad(expected, [x, leaf], dy)
    for dtype, tolerance in ((flow.float64, 1e-12), (flow.float32, 1e-4)):
        ours = [flow.from_torch(t.detach().clone()).to(dtype).requires_grad_() for t in (x, w)]
        y = flow.nn.functional.conv2d(*ours, flow.from_torch(b).to(dtype), groups=channels, **geometry)
        found = (y.detach(), *flow.autograd.grad(y, ours, flow.from_torch(dy).to(dtype)))
        for actual, right in zip(found, (expected.detach(), *gradients)):
            assert_close(actual.double().contiguous(), flow.from_torch(right.contiguous()), rtol=tolerance, atol=tolerance)


def test_images_over_two_ranks() -> None:
    """Numbers of channels-last global tensors, split and broadcast, are those of one process."""
    F = flow.nn.functional
    w, taps = torch.randn(4, 3, 3, 3), torch.randn(4, 1, 3, 3)

    def program(x: Any, w: Any, taps: Any) -> Any:
        x = x.to(memory_format=flow.channels_last).requires_grad_()
        y = F.avg_pool2d(flow.relu(F.conv2d(x, w, padding=1)) + 1, 2)
        y = F.max_pool2d(F.conv2d(y, taps, padding=1, groups=4), 2)
        y = y.contiguous().view(y.shape[0], -1)
        (dx,) = flow.autograd.grad([y.square().sum()], [x])
        return y, dx

    tensors = [flow.from_torch(t) for t in (images((4, 3, 8, 8), PLAIN), w, taps)]
    expected = program(*tensors)

    @flow.testing.simulate(2)
    def on_ranks(sbp: Any) -> list[Any]:
        place = flow.placement.all("cpu")
        layouts = (sbp, flow.sbp.broadcast, flow.sbp.broadcast)
        given = [t.to_global(flow.placement.all("cpu"), flow.sbp.broadcast).to_global(place, s) for t, s in zip(tensors, layouts)]
        return [t.to_global(place, flow.sbp.broadcast).to_local().numpy().copy() for t in program(*given)]

    for sbp in (flow.sbp.split(0), flow.sbp.broadcast):
        for rank in on_ranks(sbp):
            for found, right in zip(rank, expected):
                assert_close(flow.from_numpy(found), right.detach().contiguous(), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("shape, strides", [((1, 2, 1, 4), (1, 1, 8, 2)), ((2, 2, 4, 1), (8, 1, 2, 8)), ((1, 2, 3, 4), (2, 1, 8, 2))])
def test_pools_of_images_whose_single_rows_have_any_stride(shape: tuple[int, ...], strides: tuple[int, ...]) -> None:
    """Such as a transposed sequence has: its elements lie channels-last, and torch's rule takes it for contiguous."""
    x = torch.randn(24, generator=torch.Generator().manual_seed(0)).as_strided(shape, strides)
    window = tuple(min(n, 2) for n in shape[2:])
    for name in ("max_pool2d", "avg_pool2d"):
        ours = flow.from_torch(x).requires_grad_()
        theirs = x.contiguous().requires_grad_()
        result, expected = (getattr(p.nn.functional, name)(t, window, stride=1) for p, t in ((flow, ours), (torch, theirs)))
        assert_close(result.detach(), flow.from_torch(expected.detach()))
        result.mul(result).sum().backward()
        expected.mul(expected).sum().backward()
        assert_close(ours.grad, flow.from_torch(theirs.grad))


def test_gradient_of_one_pixel_through_a_pool() -> None:
    grad = torch.arange(6.0).as_strided((2, 3, 1, 1), (3, 1, 3, 3))
    x = flow.zeros(2, 3, 2, 2, requires_grad=True)
    flow.nn.functional.avg_pool2d(x, 2).backward(flow.from_torch(grad))
    assert_close(x.grad, flow.from_torch((grad / 4).expand(2, 3, 2, 2).contiguous()))


@pytest.mark.parametrize("mode", ["nearest", "bilinear", "bicubic", "nearest-exact"])
@pytest.mark.parametrize("size", [(8, 8), (3, 5), (4, 4)])
def test_interpolation_keeps_channels_last(mode: str, size: tuple[int, int]) -> None:
    x = flow.rand(2, 3, 4, 4)
    last = x.to(memory_format=flow.channels_last).requires_grad_()
    y = flow.nn.functional.interpolate(last, size=size, mode=mode)
    plain = x.clone().requires_grad_()
    expected = flow.nn.functional.interpolate(plain, size=size, mode=mode)
    assert y.is_contiguous(memory_format=flow.channels_last) and expected.is_contiguous()
    assert flow.equal(y, expected)
    weights = flow.rand(expected.shape)
    (y * weights).sum().backward()
    (expected * weights).sum().backward()
    assert flow.allclose(last.grad, plain.grad)
