"""Images in programs without gradients are channels-last on a CPU: the same results in the same layouts, whatever reads them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy
import pytest
import torch

import tritonflow as flow
from tritonflow.ops import conv_last, panels

nn, F = flow.nn, flow.nn.functional


class Net(nn.Module):
    """Layers, and a function of the module and images."""

    def __init__(self, run: Callable[[Any, Any], Any], **layers: Any) -> None:
        super().__init__()
        self.run = run
        for name, layer in layers.items():
            setattr(self, name, layer)

    def forward(self, x: Any) -> Any:
        return self.run(self, x)


def block(inputs: int, outputs: int, *size: int, act: Any = None, **options: Any) -> Any:
    return nn.Sequential(nn.Conv2d(inputs, outputs, *size, **options), nn.BatchNorm2d(outputs), act or nn.ReLU(inplace=True))


def squeezed(m: Any, x: Any) -> Any:
    y = m.a(x)
    return y * m.gate(F.adaptive_avg_pool2d(y, 1))


def unet(m: Any, x: Any) -> Any:
    first = m.a(x)
    up = m.up(m.b(F.max_pool2d(first, 2)))
    return m.c(flow.cat([first, up], 1))


NETS: dict[str, tuple[Callable[[], Any], int]] = {  # a net, and the channels of its images
    "stem": (lambda: block(3, 20, 7, stride=2, padding=3), 3),
    "stem then dense": (lambda: nn.Sequential(block(3, 16, 3, padding=1), block(16, 40, 3), nn.AvgPool2d(2)), 3),
    "gray": (lambda: nn.Sequential(block(1, 16, 3, padding=(2, 0)), block(16, 8, 1)), 1),
    "dense": (lambda: nn.Sequential(block(17, 33, 3, padding=1, stride=2), block(33, 24, 1, act=nn.ReLU6(inplace=True))), 17),
    "groups": (lambda: nn.Sequential(block(32, 64, 3, padding=1, groups=2), block(64, 64, 3, groups=64, padding=1)), 32),
    "few in groups": (lambda: nn.Sequential(block(16, 32, 1), block(32, 32, 3, groups=8), block(32, 16, 1)), 16),
    "depthwise": (
        lambda: nn.Sequential(block(16, 72, 1, act=nn.Hardswish()), block(72, 72, 5, groups=72, padding=2, stride=2)), 16,
    ),
    "squeezed": (
        lambda: Net(squeezed, a=block(16, 48, 3), gate=nn.Sequential(nn.Conv2d(48, 48, 1), nn.Hardsigmoid())), 16,
    ),
    "residual": (lambda: Net(lambda m, x: F.relu(m.b(m.a(x)) + x), a=block(16, 32, 3, padding=1), b=nn.Conv2d(32, 16, 1)), 16),
    "unet": (
        lambda: Net(unet, a=block(16, 16, 3, padding=1), b=block(16, 32, 3, padding=1), up=nn.ConvTranspose2d(32, 16, 2, 2),
                    c=nn.Conv2d(32, 3, 1)), 16,
    ),
    "flattened": (lambda: nn.Sequential(block(16, 32, 3), nn.Flatten(), nn.LazyLinear(7)), 16),
    "both": (lambda: Net(lambda m, x: (m.a(x), m.a(x).transpose(2, 3), m.a(x).mean((2, 3))), a=block(16, 24, 3)), 16),
    "last as it comes": (
        lambda: nn.Sequential(block(16, 24, 3), nn.MaxPool2d(2)).to(memory_format=flow.channels_last), 16,
    ),
    "double": (lambda: block(16, 24, 3).double(), 16),
}  # fmt: skip


class Step(nn.Graph):
    """A training step, which writes the weights that it reads."""

    def __init__(self, net: Any) -> None:
        super().__init__()
        self.net = net
        self.add_optimizer(flow.optim.SGD(net.parameters(), lr=0.1))

    def build(self, x: Any) -> Any:
        loss = self.net(x).square().mean()
        loss.backward()
        return loss


def tensors(given: Any) -> list[Any]:
    return list(given) if isinstance(given, tuple) else [given]


@pytest.mark.parametrize("count", [1, 3])
@pytest.mark.parametrize("name", NETS)
def test_as_in_eager_mode(name: str, count: int) -> None:
    """Within 1e-5 of eager mode, and laid out as there; again after a weight was written, and trained by a gradient."""
    flow.manual_seed(0)
    make, channels = NETS[name]
    net = make().eval()
    x = flow.randn(count, channels, 12, 14).to(flow.float64 if name == "double" else flow.float32)
    with flow.no_grad():
        net(x)  # lazy layers
        for each in net.modules():
            if isinstance(each, nn.BatchNorm2d):
                each.running_mean.copy_(flow.randn_like(each.running_mean))
                each.running_var.copy_(flow.rand_like(each.running_var) + 0.5)
        compiled = flow.compile(net)
        for step in range(3):
            for found, wanted in zip(tensors(compiled(x)), tensors(net(x)), strict=True):
                assert found.stride() == wanted.stride()
                numpy.testing.assert_allclose(found.numpy(), wanted.numpy(), rtol=1e-5, atol=1e-5)
            for parameter in net.parameters():
                parameter.mul_(1.0 + 0.25 * step)
    loss = sum(each.square().sum() for each in tensors(compiled(x)))
    loss.backward()
    assert all(parameter.grad is not None for parameter in net.parameters())


def test_weights_are_laid_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each convolution reads and makes channels-last images; where weights change from run to run none does."""
    planned: list[bool] = []
    real = conv_last.forward

    def noted(inputs: Any, g: Any, is_last: bool, *rest: Any) -> Any:
        planned.append(is_last)
        return real(inputs, g, is_last, *rest)

    monkeypatch.setattr(conv_last, "forward", noted)
    net = nn.Sequential(block(3, 16, 3), block(16, 32, 3), nn.AdaptiveAvgPool2d(1), nn.Conv2d(32, 64, 1)).eval()
    compiled, x = flow.compile(net), flow.randn(1, 3, 9, 9)
    with flow.no_grad():
        compiled(x)
    assert planned == [True, True, False]  # the last one is of one pixel, which lies in any way
    planned.clear()
    flow.compile(net)(x).sum().backward()
    step = Step(net)
    step(x)
    assert not planned


@pytest.mark.parametrize(("k", "n"), [(33, 70), (300, 40), (2, 5), (3000, 3000)])
def test_products(k: int, n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A layer's weight lies in panels, too, unless it is large; anew where it was written."""
    monkeypatch.setattr(panels, "LARGEST", 4 << 20)
    laid: list[bool] = []
    real = panels.in_panels
    monkeypatch.setattr(panels, "in_panels", lambda *args: (laid.append(True), real(*args))[1])
    layer, x = nn.Linear(k, n), flow.randn(2, 9, k)
    compiled = flow.compile(lambda x: F.gelu(layer(x)) @ layer.weight)
    with flow.no_grad():
        for _ in range(3):
            numpy.testing.assert_allclose(compiled(x).numpy(), (F.gelu(layer(x)) @ layer.weight).numpy(), rtol=1e-4, atol=1e-4)
            layer.weight.mul_(-1.5)
    assert bool(laid) == (n < 3000)


@pytest.mark.parametrize("seed", range(3))
def test_any_convolution(seed: int, rng: numpy.random.Generator) -> None:
    """Channels-last images in eager mode, as torch has them in float64."""
    rng = numpy.random.default_rng(seed)
    for _ in range(12):
        c, o, groups = int(rng.choice([1, 3, 8, 16, 17, 64])), int(rng.choice([1, 8, 24, 33, 64])), 1
        if c == o == 64 and rng.random() < 0.5:
            groups = int(rng.choice([2, 4, 64]))
        kernel, steps = tuple(rng.choice([1, 2, 3, 5], 2).tolist()), tuple(rng.choice([1, 2, 3], 2).tolist())
        padding, dilation = tuple(rng.choice([0, 1, 2], 2).tolist()), tuple(rng.choice([1, 2], 2).tolist())
        size = [int(rng.integers(d * (k - 1) + 1, 18)) for k, d in zip(kernel, dilation)]
        x = torch.from_numpy(rng.standard_normal((int(rng.integers(1, 4)), c, *size), dtype=numpy.float32))
        w = torch.from_numpy(rng.standard_normal((o, c // groups, *kernel), dtype=numpy.float32))
        x = x.to(memory_format=torch.channels_last)
        options = (None, steps, padding, dilation, groups)
        found = flow.to_torch(F.conv2d(flow.from_torch(x), flow.from_torch(w), *options))
        wanted, largest = (
            torch.nn.functional.conv2d(a, b, *options)
            for a, b in ((x.double(), w.double()), (x.double().abs(), w.double().abs()))
        )
        assert ((found.double() - wanted).abs() <= (w[0].numel() + 2) * 2.0**-24 * largest).all(), (x.shape, w.shape, options)
        assert found.is_contiguous(memory_format=torch.channels_last)
