"""A GPT for benchmarks and tests, written once for tritonflow and torch: `lib` is one of the two."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Sizes:
    """The sizes of a GPT.

    Attributes:
        layers, heads, width: how many blocks, heads in one, and features of a token.
        length: the most tokens of a sequence.
        words: of the vocabulary.
        tied: whether the head's weight is the table of the words.
    """

    layers: int
    heads: int
    width: int
    length: int
    words: int
    tied: bool = True


def block(lib: Any, width: int, heads: int, causal: bool = True, dropout: float = 0.0) -> Any:
    """Attention and a perceptron, each behind a layer norm and beside a shortcut: (b, t, width) to the same."""
    nn, F = lib.nn, lib.nn.functional

    class Block(nn.Module):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
            self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
            self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

        def forward(self, x: Any) -> Any:
            b, t, _ = x.shape
            qkv = self.qkv(self.norm1(x)).view(b, t, 3, heads, width // heads)
            q, k, v = qkv.permute(2, 0, 3, 1, 4).unbind(0)
            attended = F.scaled_dot_product_attention(q, k, v, is_causal=causal)
            x = x + self.out(attended.transpose(1, 2).reshape(b, t, width))
            y = self.down(F.gelu(self.up(self.norm2(x))))
            return x + (F.dropout(y, dropout) if dropout else y)

    return Block()


def gpt(lib: Any, sizes: Sizes) -> Any:
    """The model: tokens (b, t) to logits (b, t, words)."""
    nn = lib.nn

    class GPT(nn.Module):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.tokens, self.positions = nn.Embedding(sizes.words, sizes.width), nn.Embedding(sizes.length, sizes.width)
            self.blocks = nn.Sequential(*[block(lib, sizes.width, sizes.heads) for _ in range(sizes.layers)])
            self.norm, self.head = nn.LayerNorm(sizes.width), nn.Linear(sizes.width, sizes.words, bias=False)
            if sizes.tied:
                self.head.weight = self.tokens.weight

        def forward(self, x: Any) -> Any:
            positions = lib.arange(x.shape[1], device=x.device)
            return self.head(self.norm(self.blocks(self.tokens(x) + self.positions(positions))))

    return GPT()
