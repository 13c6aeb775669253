"""The LKJ distribution of triangular factors of correlation matrices."""

from __future__ import annotations

import math
from typing import Any

from tritonflow import _C
from tritonflow.binding.target import beside
from tritonflow.distributions import constraints
from tritonflow.distributions.beta import Beta
from tritonflow.distributions.distribution import Distribution
from tritonflow.distributions.utils import broadcast_all, standard_normal
from tritonflow.dtypes import finfo
from tritonflow.framework.size import Size
from tritonflow.framework.tensor import Tensor
from tritonflow.interpreter.grad_mode import no_grad

__all__ = ["LKJCholesky"]


class LKJCholesky(Distribution):
    """Triangular factors L of correlation matrices with a density proportional to det(L L^T)^(concentration - 1).

    Args:
        dim: the size of the matrices, 2 at least.
        concentration: positive; with 1 all correlation matrices are equally likely.

    Raises:
        ValueError: `dim` is less than 2.

    Source: Lewandowski, Kurowicka and Joe, Generating random correlation matrices based on vines and extended onion method.

    Example:
        >>> import tritonflow as flow
        >>> flow.distributions.LKJCholesky(3, 0.5).sample().shape
        tritonflow.Size([3, 3])
    """

    arg_constraints = {"concentration": constraints.positive}
    support = constraints.corr_cholesky

    def __init__(self, dim: int, concentration: Any = 1.0, validate_args: bool | None = None) -> None:
        if dim < 2:
            raise ValueError(f"Expected dim to be an integer greater than or equal to 2. Found dim={dim}.")
        self.dim = dim
        (self.concentration,) = broadcast_all(concentration)
        like: Any = {"dtype": self.concentration.dtype, **beside(self.concentration)}
        offset = _C.cat([_C.zeros(1, **like), _C.arange(dim - 1, **like)])
        marginal = (self.concentration + 0.5 * (dim - 2)).unsqueeze(-1)
        self._beta = Beta(0.5 * (offset + 1), marginal - 0.5 * offset)  # of the squared length of a row's offset + 1 numbers
        super().__init__(self.concentration.shape, (dim, dim), validate_args)

    def _expand_parameters(self, new: Any, shape: Size) -> None:
        new.dim = self.dim
        new.concentration = self.concentration.expand(shape)
        new._beta = self._beta.expand((*shape, self.dim))

    def sample(self, sample_shape: Any = ()) -> Tensor:
        """The onion method: each row is a random direction, with a random length that the diagonal makes 1."""
        with no_grad():
            y = self._beta.sample(sample_shape).unsqueeze(-1)
            direction = standard_normal(self._extended_shape(sample_shape), y).tril(-1)
            length = direction.square().sum(-1, True).sqrt()
            w = y.sqrt() * direction / _C.where(length == 0, 1.0, length)
            rest = (1 - w.square().sum(-1)).clamp(min=finfo(w.dtype).tiny).sqrt()
            return w + _C.diag_embed(rest)

    def log_prob(self, value: Any) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        diagonal = value.diagonal(0, -1, -2)[..., 1:]
        order = _C.arange(2, self.dim + 1, **beside(self.concentration))
        order = 2 * (self.concentration - 1).unsqueeze(-1) + self.dim - order
        rows = self.dim - 1
        alpha = self.concentration + 0.5 * rows
        norm = 0.5 * rows * math.log(math.pi) + _C.mvlgamma(alpha - 0.5, rows) - _C.lgamma(alpha) * rows
        return (order * _C.log(diagonal)).sum(-1) - norm
