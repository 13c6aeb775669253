"""Tensors of about so many elements: numbers, matrices, images and what else ops take."""

from __future__ import annotations

from dataclasses import dataclass
from math import isqrt

import torch


@dataclass(frozen=True)
class Elements:
    """How many elements the largest tensor of a call has, about.

    Attributes:
        name: what tables show.
        n: how many.
        rows: of a matrix; 0: about as many as it has columns.
    """

    name: str
    n: int
    rows: int = 0

    @property
    def side(self) -> int:
        """Of a square."""
        return isqrt(self.n)

    @property
    def height(self) -> int:
        """The rows of a matrix."""
        return self.rows or self.side

    @property
    def width(self) -> int:
        """The columns of a matrix."""
        return self.n // self.height

    def real(self, *shape: int, low: float = -3.0, high: float = 3.0) -> torch.Tensor:
        return torch.empty(shape or (self.n,)).uniform_(low, high)

    def integers(self, high: int, *shape: int) -> torch.Tensor:
        return torch.randint(0, max(high, 1), shape or (self.n,))

    def mask(self, *shape: int) -> torch.Tensor:
        return torch.rand(shape or (self.n,)) < 0.5

    def matrix(self, low: float = -3.0, high: float = 3.0) -> torch.Tensor:
        return self.real(self.height, self.width, low=low, high=high)

    def square(self) -> torch.Tensor:
        return self.real(self.side, self.side)

    def batch(self) -> torch.Tensor:
        """Four square matrices."""
        return self.real(4, isqrt(self.n // 4), isqrt(self.n // 4))

    def matrices(self) -> torch.Tensor:
        """Well-conditioned matrices of 16 x 16, as one factorises in batches."""
        return self.real(max(self.n // 256, 1), 16, 16, low=-1, high=1) + 4 * torch.eye(16)

    def positive(self) -> torch.Tensor:
        """Symmetric positive definite matrices of 16 x 16."""
        x = self.matrices()
        return x @ x.mT + torch.eye(16)

    def images(self, channels: int = 8) -> torch.Tensor:
        edge = isqrt(self.n // (2 * channels)) // 2 * 2
        return self.real(2, channels, edge, edge)

    def signals(self) -> torch.Tensor:
        return self.real(2, 8, self.n // 16)

    def volumes(self) -> torch.Tensor:
        edge = max(round((self.n / 8) ** (1 / 3)) // 2 * 2, 4)
        return self.real(2, 4, edge, edge, edge)

    def classes(self) -> tuple[torch.Tensor, torch.Tensor]:
        """Logits of 100 classes, and a label for each row."""
        rows = max(self.n // 100, 2)
        return self.real(rows, 100), self.integers(100, rows)

    def points(self, count: int = 0) -> torch.Tensor:
        """Points of 16 numbers, whose distances are n."""
        return self.real(count or self.side, 16)
