"""Training steps for a GPU: GPT-2 of 124 million parameters and ResNet-50, written once for both libraries.

    python -m tritonflow.bench bench/gpu_models.py --device cuda --vs eager,torch,torch.compile

Ours is compiled; `eager` is ours without. The libraries begin with weights of their own, so that losses are not compared.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import torch

import tritonflow as flow
from gpt import Sizes, gpt


@dataclass(frozen=True)
class Model:
    """A model and its data.

    Attributes:
        build: (lib, tiny) -> the module.
        data: (lib, device, tiny) -> inputs and targets.
        optimizer: (lib, parameters) -> the optimizer.
    """

    build: Callable[[Any, bool], Any]
    data: Callable[[Any, str, bool], tuple[Any, Any]]
    optimizer: Callable[[Any, Any], Any]

    def step(self, lib: Any, device: str, tiny: bool, compiled: bool) -> partial[Any]:
        """A training step in bfloat16, which gives its loss. We compile it whole, torch all but the optimizer."""
        lib.manual_seed(0)
        model = self.build(lib, tiny).to(device)
        x, target = self.data(lib, device, tiny)
        optimizer = self.optimizer(lib, model.parameters())

        def loss_of(x: Any, target: Any) -> Any:
            with lib.autocast(device, dtype=lib.bfloat16):
                return lib.nn.functional.cross_entropy(model(x).flatten(0, -2), target.flatten())

        differentiated = lib.compile(loss_of) if compiled and lib.__name__ == "torch" else loss_of

        def step(x: Any, target: Any) -> Any:
            optimizer.zero_grad()
            loss = differentiated(x, target)
            loss.backward()
            optimizer.step()
            return loss.detach()

        whole = lib.compile(step) if compiled and lib.__name__ != "torch" else step
        return partial(whole, x, target)


# -------------------------------------------------------------------------------------------------------------------- GPT


GPT2 = Sizes(layers=12, heads=12, width=768, length=1024, words=50257)
TINY = Sizes(layers=1, heads=2, width=32, length=16, words=50)


def gpt_data(lib: Any, device: str, tiny: bool) -> tuple[Any, Any]:
    """16 sequences."""
    batch, sizes = (2, TINY) if tiny else (16, GPT2)
    ids = lib.randint(0, sizes.words, (batch, sizes.length + 1), device=device)
    return ids[:, :-1].contiguous(), ids[:, 1:].contiguous()


# ----------------------------------------------------------------------------------------------------------------- ResNet


def resnet(lib: Any, tiny: bool) -> Any:
    """ResNet-50: 3, 4, 6 and 3 bottleneck blocks."""
    nn = lib.nn

    def conv(i: int, o: int, k: int, stride: int = 1) -> Any:
        return nn.Sequential(nn.Conv2d(i, o, k, stride, k // 2, bias=False), nn.BatchNorm2d(o))

    class Bottleneck(nn.Module):  # type: ignore[misc, name-defined]
        def __init__(self, i: int, width: int, stride: int) -> None:
            super().__init__()
            self.body = nn.Sequential(
                conv(i, width, 1), nn.ReLU(), conv(width, width, 3, stride), nn.ReLU(), conv(width, 4 * width, 1)
            )
            self.short = conv(i, 4 * width, 1, stride) if stride > 1 or i != 4 * width else nn.Identity()
            self.relu = nn.ReLU()

        def forward(self, x: Any) -> Any:
            return self.relu(self.body(x) + self.short(x))

    sizes, blocks, channels = ((8,), (1,), 8) if tiny else ((64, 128, 256, 512), (3, 4, 6, 3), 64)
    layers: list[Any] = [conv(3, channels, 7, 2), nn.ReLU(), nn.MaxPool2d(3, 2, 1)]
    for number, (width, count) in enumerate(zip(sizes, blocks)):
        for k in range(count):
            layers.append(Bottleneck(channels, width, 2 if number and not k else 1))
            channels = 4 * width
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(channels, 10 if tiny else 1000))


def resnet_data(lib: Any, device: str, tiny: bool) -> tuple[Any, Any]:
    """128 images."""
    batch, side, classes = (2, 32, 10) if tiny else (128, 224, 1000)
    return lib.randn(batch, 3, side, side, device=device), lib.randint(0, classes, (batch,), device=device)


MODELS = {
    "GPT-2 124M, 16 x 1024 tokens": Model(
        lambda lib, tiny: gpt(lib, TINY if tiny else GPT2), gpt_data, lambda lib, p: lib.optim.AdamW(p, lr=1e-4)
    ),
    "ResNet-50, 128 images": Model(resnet, resnet_data, lambda lib, p: lib.optim.SGD(p, lr=0.1, momentum=0.9)),
}


@flow.bench.case(model=list(MODELS))
def step(model: str, device: str, tiny: bool) -> flow.bench.Timed:
    """A training step."""
    found = MODELS[model]
    rivals = {
        "eager": found.step(flow, device, tiny, False),
        "torch": found.step(torch, device, tiny, False),
        "torch.compile": found.step(torch, device, tiny, True),
    }
    return flow.bench.Timed(found.step(flow, device, tiny, True), vs=rivals, checked=False)
