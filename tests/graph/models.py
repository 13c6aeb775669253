"""Small models of every kind that people train, each with a batch and a loss: what the graph tests run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import tritonflow as flow
from tritonflow import nn

F = nn.functional


class Model(NamedTuple):
    """A model: how to make it, a batch of it, and its loss. `blocks` are the parts of a net that checkpointing marks."""

    make: Callable[[], Any]
    batch: Callable[[], tuple[Any, ...]]
    loss: Callable[..., Any]
    blocks: Callable[[Any], list[Any]]


def entropy(net: Any, x: Any, target: Any) -> Any:
    return F.cross_entropy(net(x), target)


# ---------------------------------------------------------------------------------------------------- nets without attention


def mlp() -> Any:
    """Layers that are deep and narrow."""
    layers = [nn.Sequential(nn.Linear(16, 16), nn.GELU(), nn.Dropout(0.1)) for _ in range(6)]
    return nn.Sequential(nn.Sequential(*layers), nn.Linear(16, 4))


def cnn() -> Any:
    return nn.Sequential(
        nn.Sequential(nn.Conv2d(1, 8, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2)),
        nn.Sequential(nn.Conv2d(8, 16, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2)),
        nn.Flatten(), nn.Dropout(0.2), nn.Linear(16 * 9, 4),
    )  # fmt: skip


class Basic(nn.Module):
    """ResNet's block of two convolutions."""

    def __init__(self, inside: int, outside: int, stride: int) -> None:
        super().__init__()
        self.conv1, self.norm1 = nn.Conv2d(inside, outside, 3, stride, 1, bias=False), nn.BatchNorm2d(outside)
        self.conv2, self.norm2 = nn.Conv2d(outside, outside, 3, 1, 1, bias=False), nn.BatchNorm2d(outside)
        short = [nn.Conv2d(inside, outside, 1, stride, bias=False), nn.BatchNorm2d(outside)]
        self.shortcut = nn.Identity() if stride == 1 else nn.Sequential(*short)

    def forward(self, x: Any) -> Any:
        y = F.relu(self.norm1(self.conv1(x)))
        return F.relu(self.norm2(self.conv2(y)) + self.shortcut(x))


class ResNet(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(1, 8, 3, padding=1, bias=False), nn.BatchNorm2d(8), nn.ReLU())
        self.blocks = nn.Sequential(Basic(8, 8, 1), Basic(8, 16, 2), Basic(16, 16, 1))
        self.head = nn.Linear(16, 4)

    def forward(self, x: Any) -> Any:
        return self.head(F.adaptive_avg_pool2d(self.blocks(self.stem(x)), 1).flatten(1))


class Cell(nn.Module):
    """An LSTM's cell of single ops."""

    def __init__(self, inside: int, size: int) -> None:
        super().__init__()
        self.x, self.h = nn.Linear(inside, 4 * size), nn.Linear(size, 4 * size, bias=False)

    def forward(self, x: Any, h: Any, c: Any) -> Any:
        i, f, g, o = (self.x(x) + self.h(h)).chunk(4, 1)
        c = flow.sigmoid(f) * c + flow.sigmoid(i) * flow.tanh(g)
        return flow.sigmoid(o) * flow.tanh(c), c


class LSTM(nn.Module):
    """Reads a text and says its class."""

    def __init__(self) -> None:
        super().__init__()
        self.words, self.cell, self.head = nn.Embedding(12, 8), Cell(8, 16), nn.Linear(16, 4)

    def forward(self, x: Any) -> Any:
        h = c = self.words.weight.new_zeros(x.shape[0], 16)
        for word in self.words(x).unbind(1):
            h, c = self.cell(word, h, c)
        return self.head(h)


class Autoencoder(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.down = nn.Sequential(nn.Conv2d(1, 6, 3, 2, 1), nn.SiLU(), nn.Flatten(), nn.Linear(6 * 36, 8))
        self.up = nn.Sequential(nn.Linear(8, 6 * 36), nn.SiLU(), nn.Unflatten(1, (6, 6, 6)), nn.ConvTranspose2d(6, 1, 2, 2))

    def forward(self, x: Any) -> Any:
        return flow.sigmoid(self.up(self.down(x)))


# ---------------------------------------------------------------------------------------------------------- transformers


class Attention(nn.Module):
    def __init__(self, d: int, heads: int, causal: bool) -> None:
        super().__init__()
        self.heads, self.causal = heads, causal
        self.qkv, self.out = nn.Linear(d, 3 * d), nn.Linear(d, d)

    def forward(self, x: Any, mask: Any = None) -> Any:
        b, t, d = x.shape
        q, k, v = self.qkv(x).view(b, t, 3, self.heads, d // self.heads).permute(2, 0, 3, 1, 4).unbind(0)
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, is_causal=self.causal)
        return self.out(y.transpose(1, 2).reshape(b, t, d))


class Block(nn.Module):
    """Normalised in front."""

    def __init__(self, d: int = 32, heads: int = 4, causal: bool = False, p: float = 0.1) -> None:
        super().__init__()
        self.norm1, self.norm2, self.attention = nn.LayerNorm(d), nn.LayerNorm(d), Attention(d, heads, causal)
        self.up, self.down, self.drop = nn.Linear(d, 4 * d), nn.Linear(4 * d, d), nn.Dropout(p)

    def forward(self, x: Any) -> Any:
        x = x + self.drop(self.attention(self.norm1(x)))
        return x + self.drop(self.down(F.gelu(self.up(self.norm2(x)))))


class GPT(nn.Module):
    """A character model."""

    def __init__(self, layers: int = 3, tied: bool = False) -> None:
        super().__init__()
        self.tokens, self.places = nn.Embedding(20, 32), nn.Embedding(16, 32)
        self.blocks = nn.Sequential(*[Block(causal=True) for _ in range(layers)])
        self.norm, self.head = nn.LayerNorm(32), nn.Linear(32, 20, bias=False)
        if tied:
            self.head.weight = self.tokens.weight

    def forward(self, x: Any) -> Any:
        return self.head(self.norm(self.blocks(self.tokens(x) + self.places.weight))).reshape(-1, 20)


class BertBlock(nn.Module):
    """Normalised behind, with attention spelled out, a mask and dropout on the weights."""

    def __init__(self, d: int = 32, heads: int = 4) -> None:
        super().__init__()
        self.heads = heads
        self.query, self.key, self.value, self.out = (nn.Linear(d, d) for _ in range(4))
        self.norm1, self.norm2, self.drop = nn.LayerNorm(d), nn.LayerNorm(d), nn.Dropout(0.1)
        self.up, self.down = nn.Linear(d, 2 * d), nn.Linear(2 * d, d)

    def split(self, x: Any) -> Any:
        b, t, d = x.shape
        return x.view(b, t, self.heads, d // self.heads).transpose(1, 2)

    def forward(self, x: Any, mask: Any) -> Any:
        q, k, v = self.split(self.query(x)), self.split(self.key(x)), self.split(self.value(x))
        scores = flow.matmul(q, k.transpose(-2, -1)) / 8.0**0.5
        scores = scores.masked_fill(mask[:, None, None, :] == 0, -1e9)
        y = flow.matmul(self.drop(flow.softmax(scores, -1)), v).transpose(1, 2).reshape(x.shape)
        x = self.norm1(x + self.drop(self.out(y)))
        return self.norm2(x + self.drop(self.down(F.gelu(self.up(x)))))


class Bert(nn.Module):
    """Two blocks, and a head over the first position."""

    def __init__(self) -> None:
        super().__init__()
        self.words, self.kinds, self.norm = nn.Embedding(20, 32), nn.Embedding(2, 32), nn.LayerNorm(32)
        self.blocks, self.head = nn.ModuleList([BertBlock(), BertBlock()]), nn.Linear(32, 4)

    def forward(self, x: Any, kinds: Any, mask: Any) -> Any:
        y = self.norm(self.words(x) + self.kinds(kinds))
        for block in self.blocks:
            y = block(y, mask)
        return self.head(flow.tanh(y[:, 0]))


class ViT(nn.Module):
    """Patches of 4 x 4, a class token."""

    def __init__(self) -> None:
        super().__init__()
        self.patches = nn.Conv2d(1, 32, 4, 4)
        self.token, self.places = nn.Parameter(flow.zeros(1, 1, 32)), nn.Parameter(flow.randn(1, 10, 32) * 0.02)
        self.blocks, self.head = nn.Sequential(Block(), Block()), nn.Linear(32, 4)

    def forward(self, x: Any) -> Any:
        y = self.patches(x).flatten(2).transpose(1, 2)
        y = flow.cat([self.token.expand(x.shape[0], -1, -1), y], 1) + self.places
        return self.head(self.blocks(y)[:, 0])


# ---------------------------------------------------------------------------------------------------------------- batches


def _vectors() -> Any:
    return flow.randn(8, 16), flow.randint(0, 4, (8,))


def _images() -> Any:
    return flow.randn(8, 1, 12, 12), flow.randint(0, 4, (8,))


def _text() -> Any:
    return flow.randint(0, 12, (8, 6)), flow.randint(0, 4, (8,))


def _lines() -> Any:
    return flow.randint(0, 20, (4, 16)), flow.randint(0, 20, (4, 16))


def _sentences() -> Any:
    lengths = flow.randint(3, 11, (4, 1))
    mask = (flow.arange(10)[None] < lengths).long()
    return flow.randint(0, 20, (4, 10)), flow.randint(0, 2, (4, 10)), mask, flow.randint(0, 4, (4,))


def _next(net: Any, x: Any, target: Any) -> Any:
    return F.cross_entropy(net(x), target.reshape(-1))


def _listed(net: Any) -> list[Any]:
    return list(net.blocks)


MODELS: dict[str, Model] = {
    "mlp": Model(mlp, _vectors, entropy, lambda net: list(net[0])),
    "cnn": Model(cnn, _images, entropy, lambda net: list(net)[:2]),
    "resnet": Model(ResNet, _images, entropy, _listed),
    "lstm": Model(LSTM, _text, entropy, lambda net: [net.cell]),
    "gpt": Model(GPT, _lines, _next, _listed),
    "tied": Model(lambda: GPT(2, tied=True), _lines, _next, _listed),
    "bert": Model(Bert, _sentences, lambda net, *b: F.cross_entropy(net(*b[:-1]), b[-1]), _listed),
    "vit": Model(ViT, _images, entropy, _listed),
    "autoencoder": Model(
        Autoencoder, lambda: (flow.rand(4, 1, 12, 12),), lambda net, x: ((net(x) - x) ** 2).mean(), lambda net: [net.down, net.up]
    ),
}
