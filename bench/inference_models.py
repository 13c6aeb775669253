"""Models for bench/inference.py: of torchvision, and written here for either library. `lib` is torch or tritonflow.

Weights are random, as speed does not depend on them. The transformers have the sizes of known ones, but for fewer layers where
sixteen inputs would take seconds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy

from gpt import block
from model_cases import package

Arrays = tuple[numpy.ndarray, ...]


@dataclass(frozen=True)
class Model:
    """A model and its inputs.

    Attributes:
        build: lib -> the module.
        inputs: batch -> the arrays that a call takes.
    """

    build: Callable[[Any], Any]
    inputs: Callable[[int], Arrays]


def images(side: int, channels: int = 3) -> Callable[[int], Arrays]:
    """Pictures."""
    return lambda batch: (numpy.random.default_rng(0).standard_normal((batch, channels, side, side), dtype=numpy.float32),)


def tokens(length: int) -> Callable[[int], Arrays]:
    """Sequences of tokens, below 1000."""
    return lambda batch: (numpy.random.default_rng(0).integers(0, 1000, (batch, length)),)


def frames(bins: int, length: int) -> Callable[[int], Arrays]:
    """Spectrograms."""
    return lambda batch: (numpy.random.default_rng(0).standard_normal((batch, bins, length), dtype=numpy.float32),)


def torchvision_model(name: str) -> Callable[[Any], Any]:
    """A classifier of torchvision."""
    return lambda lib: getattr(package(lib, "torchvision").models, name)(weights=None)


# ---------------------------------------------------------------------------------------------------------- transformers


def transformer(
    width: int, heads: int, layers: int, words: int = 0, length: int = 0, causal: bool = False, patch: int = 0, bins: int = 0
) -> Callable[[Any], Any]:
    """Blocks of attention and a gelu of 4 times the width, norms in front, behind what makes vectors of the input.

    Args:
        words: tokens that are embedded; or `patch`: the side of squares of a picture; or `bins`: of spectrograms, which two
            convolutions read.
        length: of the sequences.
        causal: whether a position sees no later ones; the last position's logits are the result then.
    """

    def build(lib: Any) -> Any:
        nn, functional = lib.nn, lib.nn.functional

        class Transformer(nn.Module):  # type: ignore[misc, name-defined]
            def __init__(self) -> None:
                super().__init__()
                if words:
                    self.embedding = nn.Embedding(words, width)
                elif patch:
                    self.embedding = nn.Conv2d(3, width, patch, patch)
                else:
                    self.embedding = nn.Conv1d(bins, width, 3, padding=1)
                    self.halved = nn.Conv1d(width, width, 3, stride=2, padding=1)
                self.positions = nn.Parameter(lib.randn(length, width) * 0.02)
                self.blocks = nn.ModuleList([block(lib, width, heads, causal) for _ in range(layers)])
                self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, 1000)

            def forward(self, x: Any) -> Any:
                x = self.embedding(x)
                if patch:
                    x = x.flatten(2).transpose(1, 2)
                elif bins:
                    x = functional.gelu(self.halved(functional.gelu(x))).transpose(1, 2)
                x = x + self.positions
                for each in self.blocks:
                    x = each(x)
                x = self.norm(x)
                return x if bins else self.head(x[:, -1] if causal else x[:, 0])

        return Transformer()

    return build


# ----------------------------------------------------------------------------------------------------------------- U-Net


def unet(lib: Any) -> Any:
    """A denoising U-Net: 64, 128 and 256 channels at 64, 32 and 16 pixels, two residual blocks each way."""
    nn, functional = lib.nn, lib.nn.functional

    class Residual(nn.Module):  # type: ignore[misc, name-defined]
        def __init__(self, inner: int, outer: int) -> None:
            super().__init__()
            self.norm1, self.conv1 = nn.GroupNorm(8, inner), nn.Conv2d(inner, outer, 3, padding=1)
            self.norm2, self.conv2 = nn.GroupNorm(8, outer), nn.Conv2d(outer, outer, 3, padding=1)
            self.short = nn.Conv2d(inner, outer, 1) if inner != outer else nn.Identity()

        def forward(self, x: Any) -> Any:
            y = self.conv1(functional.silu(self.norm1(x)))
            return self.short(x) + self.conv2(functional.silu(self.norm2(y)))

    class UNet(nn.Module):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.first, self.last = nn.Conv2d(3, 64, 3, padding=1), nn.Conv2d(64, 3, 3, padding=1)
            self.down1, self.down2, self.middle = Residual(64, 64), Residual(64, 128), Residual(128, 256)
            self.pool1, self.pool2 = (nn.Conv2d(c, c, 3, stride=2, padding=1) for c in (64, 128))
            self.up2, self.up1 = Residual(256 + 128, 128), Residual(128 + 64, 64)

        def forward(self, x: Any) -> Any:
            a = self.down1(self.first(x))
            b = self.down2(self.pool1(a))
            c = functional.interpolate(self.middle(self.pool2(b)), scale_factor=2.0, mode="nearest")
            c = functional.interpolate(self.up2(lib.cat((c, b), 1)), scale_factor=2.0, mode="nearest")
            return self.last(self.up1(lib.cat((c, a), 1)))

    return UNet()


MODELS = {
    "resnet18": Model(torchvision_model("resnet18"), images(224)),
    "resnet50": Model(torchvision_model("resnet50"), images(224)),
    "mobilenet_v2": Model(torchvision_model("mobilenet_v2"), images(224)),
    "mobilenet_v3": Model(torchvision_model("mobilenet_v3_large"), images(224)),
    "efficientnet_b0": Model(torchvision_model("efficientnet_b0"), images(224)),
    "vit_tiny": Model(transformer(192, 3, 12, patch=16, length=196), images(224)),
    "bert_small": Model(transformer(512, 8, 4, words=1000, length=128), tokens(128)),
    "whisper_tiny": Model(transformer(384, 6, 4, bins=80, length=1500), frames(80, 3000)),
    "unet": Model(unet, images(64)),
    "gpt_prefill": Model(transformer(768, 12, 4, words=1000, length=256, causal=True), tokens(256)),
}
