"""Convolutions on a GPU, a stand-in: layouts of images, and numbers beside those in float64."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import torch

import tritonflow as flow
from tests.device.fake_cuda import FakeCuda, on_stand_in
from tritonflow.device.cuda import CudaProvider
from tritonflow.graph.capture.capture import Capture
from tritonflow.graph.passes import optimize
from tritonflow.testing import assert_close

LAYOUTS = (torch.contiguous_format, torch.channels_last)
LIMITS = {torch.float32: 1e-5, torch.bfloat16: 3e-2, torch.float16: 4e-3}  # of the largest number


@pytest.fixture
def launched(cuda: FakeCuda, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[tuple[str, dict[str, Any]]]]:
    """The names and constexprs of the kernels that the GPU compiles."""
    found: list[tuple[str, dict[str, Any]]] = []
    original = CudaProvider.kernel

    def kernel(self: Any, fn: Any, signature: Any, constexprs: Any, *rest: Any, **options: Any) -> Any:
        found.append((fn.__name__, constexprs))
        return original(self, fn, signature, constexprs, *rest, **options)

    monkeypatch.setattr(CudaProvider, "kernel", kernel)
    yield found


def there(x: torch.Tensor) -> Any:
    return on_stand_in(flow.from_torch(x.clone(memory_format=torch.preserve_format)))


def check(
    x_shape: tuple[int, ...],
    w_shape: tuple[int, ...],
    layout: Any,
    dtype: Any = torch.bfloat16,
    bias: bool = False,
    **geometry: Any,
) -> tuple[Any, ...]:
    """Compare a convolution and its gradients, of images in a layout, with those in float64; return ours."""
    x = torch.randn(x_shape, dtype=dtype).to(memory_format=layout)
    w, b = torch.randn(w_shape, dtype=dtype), torch.randn(w_shape[0], dtype=dtype) if bias else None
    leaves = [t.double().requires_grad_() for t in (x, w, b) if t is not None]
    expected = torch.nn.functional.conv2d(*leaves, **geometry)
    dy = torch.randn(expected.shape, dtype=dtype).to(memory_format=layout)
    gradients = torch.autograd.grad(expected, leaves, dy.double())
    ours = [there(t).requires_grad_() for t in (x, w, b) if t is not None]
    y = flow.nn.functional.conv2d(*ours, **geometry)
    found = (y.detach(), *flow.autograd.grad(y, ours, there(dy)))
    for actual, right in zip(found, (expected.detach(), *gradients)):
        assert actual.shape == right.shape and actual.dtype == ours[0].dtype
        error = (flow.to_torch(actual.to("cpu")).double() - right).abs()
        assert error.numel() == 0 or error.max() <= LIMITS[dtype] * (right.abs().max() + 1)
    return found


@pytest.mark.sampled(strength=1)
@pytest.mark.parametrize("layout", LAYOUTS, ids=str)
@pytest.mark.parametrize(
    ("x", "w", "geometry"),
    [
        ((3, 32, 9, 7), (16, 32, 3, 3), {"padding": 1}),
        ((2, 48, 10, 9), (70, 48, 3, 2), {"stride": (2, 1), "padding": (0, 1), "dilation": (1, 2)}),
        ((2, 64, 7, 7), (32, 32, 3, 3), {"padding": 1, "groups": 2}),
        ((2, 32, 5, 7), (64, 32, 1, 1), {}),
        ((2, 32, 8, 8), (256, 32, 1, 1), {"stride": 2}),
        ((2, 20, 6, 6), (18, 20, 3, 3), {"padding": 1}),
        ((2, 3, 16, 15), (32, 3, 7, 7), {"stride": 2, "padding": 3}),
        ((0, 16, 6, 6), (16, 16, 3, 3), {}),
    ],
    ids=["3x3", "odd", "groups", "1x1", "1x1/2", "20", "stem", "empty"],
)
@pytest.mark.sampled(most=2)
def test_layouts(cuda: FakeCuda, layout: Any, x: Any, w: Any, geometry: dict[str, Any]) -> None:
    """Results and gradients are channels-last where images are."""
    y, dx, dw = check(x, w, layout, **geometry)
    last = layout is torch.channels_last and 0 not in x
    assert y.meta.is_channels_last == dx.meta.is_channels_last == last
    assert dw.is_contiguous()


@pytest.mark.parametrize("layout", LAYOUTS, ids=str)
@pytest.mark.parametrize("kernel", (1, 3))
def test_results_of_one_pixel(cuda: FakeCuda, layout: Any, kernel: int) -> None:
    """They lie in row-major order and channels-last at once: the weight's gradient walks from image to image."""
    check((5, 32, kernel, kernel), (144, 32, kernel, kernel), layout)


WINDOWS: dict[str, tuple[tuple[int, ...], tuple[int, ...], dict[str, Any]]] = {
    "stem": ((2, 3, 16, 15), (32, 3, 7, 7), {"stride": 2, "padding": 3}),
    "one channel": ((2, 1, 12, 20), (64, 1, 5, 5), {"padding": 2}),
    "five channels": ((3, 5, 9, 11), (40, 5, 3, 4), {"padding": (1, 2), "dilation": (2, 1)}),
    "a row": ((1, 12, 6, 7), (128, 12, 1, 3), {"stride": (1, 3)}),
    "wide": ((2, 4, 23, 23), (24, 4, 11, 11), {"stride": 4, "padding": 2}),
}


@pytest.mark.sampled(strength=1)
@pytest.mark.parametrize("layout", LAYOUTS, ids=str)
@pytest.mark.parametrize("name", WINDOWS)
@pytest.mark.parametrize("dtype", (torch.bfloat16, torch.float32), ids=str)
def test_few_channels_are_reduced_in_windows(launched: Any, name: str, layout: Any, dtype: Any) -> None:
    """The pixels under a row of taps are one run of a copy with zeros around it."""
    x, w, geometry = WINDOWS[name]
    check(x, w, layout, dtype, **geometry)
    kernels = dict(launched)
    assert "padded_last" in kernels and not kernels["forward"]["FLAT"] and not kernels["forward"]["PADDED"]
    if w[0] % 16 == 0:  # gradients of others are not copied to lie channels-last
        assert kernels["weight_gradient"]["LAST"] and not kernels["weight_gradient"]["PADDED"]


def test_few_products_are_not_worth_a_copy(launched: Any) -> None:
    check((2, 3, 8, 8), (8, 3, 3, 3), torch.channels_last)
    assert "padded_last" not in dict(launched)


def test_a_window_sees_no_pixel_beside_it(cuda: FakeCuda) -> None:
    """What is loaded with it is infinite, and meets no weight: only outputs whose taps see it are."""
    x = torch.ones(1, 3, 16, 24, dtype=torch.bfloat16)
    x[0, :, 5, 10] = torch.inf
    w = torch.ones(32, 3, 3, 7, dtype=torch.bfloat16)
    expected = torch.nn.functional.conv2d(x.float(), w.float())
    ours = [there(t).requires_grad_() for t in (x, w)]
    y = flow.nn.functional.conv2d(*ours)
    assert torch.equal(flow.to_torch(y.detach().to("cpu")).float(), expected)
    leaf = w.float().requires_grad_()
    (right,) = torch.autograd.grad(torch.nn.functional.conv2d(x.float(), leaf), [leaf], torch.ones_like(expected))
    (found,) = flow.autograd.grad(y, [ours[1]], there(torch.ones(y.shape, dtype=torch.bfloat16)))
    assert torch.equal(flow.to_torch(found.to("cpu")).isinf(), right.isinf())


@pytest.mark.sampled(strength=1)
@pytest.mark.parametrize("layout", LAYOUTS, ids=str)
@pytest.mark.parametrize("dtype", (torch.float16, torch.float32), ids=str)
def test_dtypes(cuda: FakeCuda, layout: Any, dtype: Any) -> None:
    check((2, 32, 6, 9), (24, 32, 3, 3), layout, dtype, bias=True, padding=1)


@pytest.mark.sampled(strength=1)
@pytest.mark.parametrize("padding", (0, 1))
@pytest.mark.parametrize("mixed", (False, True))
def test_pooling(cuda: FakeCuda, padding: int, mixed: bool) -> None:
    """The bits, and positions, of contiguous images; NaN is a maximum. Gradients may lie otherwise."""
    x = torch.randint(-3, 3, (2, 20, 9, 8)).float().to(memory_format=torch.channels_last)
    x[1, 3, 4, 5] = torch.nan
    leaf = x.clone().requires_grad_()
    y, indices = torch.nn.functional.max_pool2d(leaf, 3, 2, padding, return_indices=True)
    dy = torch.randn(y.shape).to(memory_format=torch.contiguous_format if mixed else torch.channels_last)
    y.backward(dy)
    ours = there(x).requires_grad_()
    found, where = flow.nn.functional.max_pool2d(ours, 3, 2, padding, return_indices=True)
    (dx,) = flow.autograd.grad(found, [ours], there(dy))
    assert found.meta.is_channels_last and where.meta.is_channels_last and dx.meta.is_channels_last
    for actual, expected in zip((found.detach(), where, dx), (y.detach(), indices, leaf.grad)):
        assert_close(actual.to("cpu"), flow.from_torch(expected.contiguous()), rtol=1e-6, atol=1e-6, equal_nan=True)


class Block(flow.nn.Module):
    """Two convolutions with batch norms and a shortcut, as in a residual network."""

    def __init__(self, channels: int, bias: bool = False) -> None:
        super().__init__()
        self.first = flow.nn.Conv2d(channels, channels, 3, padding=1, bias=bias)
        self.norm = flow.nn.BatchNorm2d(channels)
        self.second = flow.nn.Conv2d(channels, 2 * channels, 3, stride=2, padding=1, bias=bias)
        self.last = flow.nn.BatchNorm2d(2 * channels)
        self.shortcut = flow.nn.Conv2d(channels, 2 * channels, 1, stride=2, bias=bias)

    def forward(self, x: Any) -> Any:
        y = flow.relu(self.norm(self.first(x)))
        y = y + flow.nn.functional.max_pool2d(y, 3, 1, 1)
        return flow.relu(self.last(self.second(y)) + self.shortcut(x))


def ops_of(program: Any, *inputs: Any) -> list[str]:
    """The names of the ops of an optimized graph."""
    with Capture() as capture:
        graph = optimize(capture.finish(list(program(*[capture.input(x.meta) for x in inputs]))))
    graph.verify()
    return [op.op.name for node in graph.nodes for op in node.ops()]


@pytest.mark.parametrize("bias", (pytest.param(False, marks=pytest.mark.long), True))
def test_images_stay_channels_last_in_a_graph(cuda: FakeCuda, bias: bool) -> None:
    """They are copied where they come in and go out: x, the result, its gradient and that of x. Numbers are those of eager ops."""
    net = Block(32, bias)
    state, data = {name: t.clone() for name, t in net.state_dict().items()}, flow.randn(3, 32, 10, 8)

    def step(x: Any) -> Any:
        net.zero_grad()
        y = net(x)
        (y * y.detach().cos()).sum().backward()
        return [y, *[p.grad for p in net.parameters()]]

    expected = step(data)
    net.load_state_dict(state)
    net.to("cuda")
    found = flow.compile(step)(data.to("cuda"))
    for actual, right in zip(found, expected):
        assert_close(actual.to("cpu"), right, rtol=1e-4, atol=1e-4 * float(right.abs().max().item() + 1))
    names = ops_of(step, data.to("cuda"))
    assert names.count("conv2d") == 3 and names.count("contiguous_copy") <= 3


def test_an_epilogue_of_channels_last_images(cuda: FakeCuda) -> None:
    x, w, b, scale = (flow.randn(*shape) for shape in ((2, 32, 6, 5), (48, 32, 3, 3), (48,), (2, 48, 6, 5)))

    def program(x: Any, w: Any, b: Any, scale: Any) -> Any:
        y = flow.nn.functional.conv2d(x, w, b, padding=1)
        z = flow.nn.functional.conv2d(flow.relu(y) * scale, w.transpose(0, 1).contiguous(), padding=1)
        return [z.sum((0, 2, 3)), z]

    expected = program(x, w, b, scale)
    there = [t.to("cuda") for t in (x, w, b, scale)]
    for actual, right in zip(flow.compile(program)(*there), expected):
        assert_close(actual.to("cpu"), right, rtol=1e-4, atol=1e-3)


def test_a_stem_of_few_channels_makes_channels_last_images(launched: Any) -> None:
    """None of its results is copied for the convolution behind it, nor a gradient."""

    class Stem(flow.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.stem = flow.nn.Conv2d(3, 32, 7, 2, 3, bias=False)
            self.norm = flow.nn.BatchNorm2d(32)
            self.second = flow.nn.Conv2d(32, 32, 3, padding=1)

        def forward(self, x: Any) -> Any:
            return self.second(flow.nn.functional.max_pool2d(flow.relu(self.norm(self.stem(x))), 3, 2, 1))

    net, data = Stem(), flow.randn(2, 3, 24, 20)

    def step(x: Any) -> Any:
        y = net(x)
        return [y, *flow.autograd.grad(y.square().sum(), list(net.parameters()))]

    state = {name: t.clone() for name, t in net.state_dict().items()}
    expected = step(data)
    net.load_state_dict(state)
    net.to("cuda")
    found = flow.compile(step)(data.to("cuda"))
    for actual, right in zip(found, expected):
        assert_close(actual.to("cpu"), right, rtol=1e-4, atol=1e-4 * float(right.abs().max().item() + 1))
    forwards = [constexprs for fn, constexprs in launched if fn == "forward"]
    assert len(forwards) == 2 and all(constexprs["Y_LAST"] for constexprs in forwards)
    assert ops_of(step, data.to("cuda")).count("contiguous_copy") <= 2  # the weight, whose layout says so, and the result


@pytest.mark.parametrize("behind", ["nothing", "norm", "pool"])
def test_channels_last_images_of_a_graph_stay_so(cuda: FakeCuda, behind: str) -> None:
    """Images that come in channels-last, and the results, which lie as eager ones."""
    x = torch.randn(2, 16, 7, 6).to(memory_format=torch.channels_last)
    w, v = torch.randn(32, 16, 3, 3), torch.randn(16, 32, 3, 3)
    ops: dict[str, Any] = {
        "nothing": lambda lib, y: y,
        "norm": lambda lib, y: lib.nn.functional.batch_norm(y, None, None, training=True),
        "pool": lambda lib, y: lib.nn.functional.max_pool2d(y, 2),
    }

    def program(lib: Any, x: Any, w: Any, v: Any) -> Any:
        y = lib.relu(ops[behind](lib, lib.nn.functional.conv2d(x, w, padding=1)))
        z = lib.nn.functional.conv2d(y, v)
        return y, z, *lib.autograd.grad([z.square().sum()], [x, w, v])

    leaves = [t.requires_grad_() for t in (x, w, v)]
    expected = program(torch, *leaves)
    ours = [there(t.detach()).requires_grad_() for t in leaves]
    eager = program(flow, *ours)
    found = flow.compile(lambda *given: program(flow, *given), fullgraph=True)(*ours)
    for actual, right, like in zip(found, expected, eager):
        limit = 1e-4 * right.abs().max().item()
        assert_close(actual.detach().to("cpu"), flow.from_torch(right.detach().contiguous()), rtol=1e-4, atol=limit)
        assert actual.stride() == like.stride()


@pytest.mark.long
def test_halves_in_a_graph(cuda: FakeCuda) -> None:
    """Under autocast, casts join the copies of images and weights."""
    net = Block(32)
    data = flow.randn(2, 32, 6, 6)

    def step(x: Any) -> Any:
        with flow.autocast(x.device.type, flow.bfloat16):
            y = net(x)
        return [y.float(), *flow.autograd.grad(y.float().square().sum(), list(net.parameters()))]

    state = {name: t.clone() for name, t in net.state_dict().items()}
    expected = step(data)
    net.load_state_dict(state)
    net.to("cuda")
    for actual, right in zip(flow.compile(step)(data.to("cuda")), expected):
        assert_close(actual.to("cpu"), right, rtol=5e-2, atol=5e-2 * float(right.abs().max().item()))
