"""Small models in torch, and what its exporters make of them."""

from __future__ import annotations

import io
import warnings
from typing import Any

import torch
from torch import nn
from torch.nn import functional as F


class Inverted(nn.Module):
    """A block of MobileNet v2 with squeeze and excitation."""

    def __init__(self) -> None:
        super().__init__()
        self.expand = nn.Sequential(nn.Conv2d(4, 8, 1, bias=False), nn.BatchNorm2d(8), nn.ReLU6())
        self.depth = nn.Sequential(nn.Conv2d(8, 8, 3, padding=1, groups=8, bias=False), nn.BatchNorm2d(8), nn.Hardswish())
        self.squeeze = nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Conv2d(8, 2, 1), nn.ReLU(), nn.Conv2d(2, 8, 1), nn.Hardsigmoid())
        self.project = nn.Conv2d(8, 4, 1)

    def forward(self, x: Any) -> Any:
        y = self.depth(self.expand(x))
        return x + self.project(y * self.squeeze(y))


class Net(nn.Module):
    """A small CNN over that block."""

    def __init__(self) -> None:
        super().__init__()
        self.stem, self.block, self.head = nn.Conv2d(3, 4, 3, 2, 1), Inverted(), nn.Linear(4, 5)

    def forward(self, x: Any) -> Any:
        x = F.max_pool2d(self.block(F.relu(self.stem(x))), 3, 2, 1)
        return self.head(torch.flatten(F.adaptive_avg_pool2d(x, 1), 1))


class Unet(nn.Module):
    """A level of a U-Net, which resizes to the size of another tensor."""

    def __init__(self) -> None:
        super().__init__()
        self.inner, self.norm, self.down = nn.Conv2d(3, 8, 3, padding=1), nn.GroupNorm(2, 8), nn.Conv2d(8, 8, 3, 2, 1)
        self.up, self.out = nn.ConvTranspose2d(8, 8, 2, 2), nn.Conv2d(16, 2, 1)

    def forward(self, x: Any) -> Any:
        a = F.silu(self.norm(self.inner(x)))
        up = F.interpolate(self.up(F.relu(self.down(a))), size=a.shape[2:], mode="bilinear")
        return self.out(torch.cat([a, up], 1))


class Tagger(nn.Module):
    """An LSTM over embedded words."""

    def __init__(self) -> None:
        super().__init__()
        self.words, self.lstm, self.head = nn.Embedding(11, 6), nn.LSTM(6, 5, bidirectional=True, batch_first=True), nn.Linear(10, 3)

    def forward(self, words: Any) -> Any:
        return self.head(self.lstm(self.words(words))[0])


class Encoder(nn.Module):
    """A transformer's encoder, written out, with a mask of its causal part."""

    def __init__(self) -> None:
        super().__init__()
        self.norm, self.qkv, self.out = nn.LayerNorm(8), nn.Linear(8, 24), nn.Linear(8, 8)
        self.mlp = nn.Sequential(nn.LayerNorm(8), nn.Linear(8, 16), nn.GELU(), nn.Linear(16, 8))

    def forward(self, x: Any) -> Any:
        batch, length, width = x.shape
        q, k, v = self.qkv(self.norm(x)).reshape(batch, length, 3, 2, width // 2).permute(2, 0, 3, 1, 4)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(y.transpose(1, 2).reshape(batch, length, width))
        return x + self.mlp(x)


def inputs_of(name: str, batch: int) -> Any:
    """An input for a model, of that many rows."""
    generator = torch.Generator().manual_seed(batch)
    if name == "tagger":
        return torch.randint(0, 11, (batch, 4), generator=generator)
    shape = {"net": (3, 16, 16), "unet": (3, 8, 8), "encoder": (5, 8)}[name]
    return torch.randn(batch, *shape, generator=generator)


def model_of(name: str) -> nn.Module:
    """A model with random parameters and statistics."""
    torch.manual_seed(3)
    model = {"net": Net, "unet": Unet, "tagger": Tagger, "encoder": Encoder}[name]()
    for parameter in model.parameters():
        if parameter.ndim == 1:
            parameter.data.add_(torch.randn_like(parameter) / 4)  # exporters share what is equal
    for module in model.modules():
        if isinstance(module, nn.BatchNorm2d):
            module.running_mean.normal_()
            module.running_var.uniform_(0.5, 2)
    return model.eval()


def exported(model: nn.Module, x: Any, dynamo: bool = False) -> bytes:
    """The model as ONNX has it, for any number of rows."""
    buffer = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if dynamo:
            program = torch.onnx.export(model, (x,), dynamo=True, dynamic_shapes=({0: torch.export.Dim("n")},), verbose=False)
            program.save(buffer)
        else:
            torch.onnx.export(
                model, (x,), buffer, dynamo=False, input_names=["x"], output_names=["y"],
                dynamic_axes={"x": {0: "n"}, "y": {0: "n"}}, opset_version=17, keep_initializers_as_inputs=False,
                do_constant_folding=False, training=torch.onnx.TrainingMode.PRESERVE,
            )  # fmt: skip
    return buffer.getvalue()
