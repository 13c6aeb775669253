"""Functors of dropout of whole channels, and of dropout that keeps mean and variance (alpha)."""

from __future__ import annotations

import math
import warnings
from typing import Any

from tritonflow.binding.library import functor
from tritonflow.errors import ArgumentValueError, InvalidArgumentError
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.creation import new_empty
from tritonflow.functions.generated import mul
from tritonflow.functions.random import bernoulli_prob, factor_of
from tritonflow.interpreter.grad_mode import no_grad

ALPHA = 1.7580993408473766  # selu's scale times its alpha


def _check(p: float) -> None:
    if not 0 <= p <= 1:
        raise ArgumentValueError(f"dropout probability has to be between 0 and 1, but got {p}")


def _kept(input: Tensor, shape: tuple[int, ...], p: float) -> Tensor:
    """1 with probability 1 - p, otherwise 0."""
    with no_grad():
        return bernoulli_prob(new_empty(input, shape), 1 - p)


def _by_channel(input: Tensor) -> tuple[int, ...]:
    """A size for each sample and channel, 1 for the rest."""
    return (*input.meta.shape[:2], *[1] * (input.meta.ndim - 2))


def _features(input: Tensor, p: float, training: bool, inplace: bool) -> Any:
    _check(p)
    if not training or p == 0 or not input.meta.numel:
        return input
    if input.meta.ndim < 2:
        raise InvalidArgumentError("Feature dropout requires at least 2 dimensions in the input")
    return mul(input, _kept(input, _by_channel(input), p) * factor_of(p), inplace)


def _of_rank(name: str, rank: int, input: Tensor, p: float, training: bool, inplace: bool) -> Any:
    """Channels of samples with `rank` spatial dimensions, with a batch or without."""
    _check(p)
    ndim = input.meta.ndim
    if ndim not in (rank + 1, rank + 2):
        message = f"{name}: Received a {ndim}-D input, which is deprecated and will result in an error in a future release."
        if rank == 1:
            raise InvalidArgumentError(f"{name}: Expected 2D or 3D input, but received a {ndim}D input.")
        warnings.warn(message, stacklevel=4)
    if ndim == rank + 1 and rank != 2:
        return _features(input.unsqueeze(0), p, training, False).squeeze(0) if not inplace else _in_place(input, p, training)
    return _features(input, p, training, inplace)


def _in_place(input: Tensor, p: float, training: bool) -> Any:
    _features(input.unsqueeze(0), p, training, True)
    return input


@functor("Dropout1d")
def dropout1d(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Any:
    return _of_rank("dropout1d", 1, input, p, training, inplace)


@functor("Dropout2d")
def dropout2d(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Any:
    """Of three dimensions the first is the batch, as in torch."""
    return _of_rank("dropout2d", 2, input, p, training, inplace)


@functor("Dropout3d")
def dropout3d(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Any:
    return _of_rank("dropout3d", 3, input, p, training, inplace)


def _alpha(input: Tensor, shape: tuple[int, ...], p: float, training: bool, inplace: bool) -> Any:
    """a * (x where kept, otherwise -ALPHA) + b, which has mean 0 and variance 1 if x has (Klambauer et al., 2017)."""
    _check(p)
    if not training or p == 0 or not input.meta.numel:
        return input
    if p == 1:
        return mul(input, _kept(input, (), 1.0), inplace)
    scale = 1.0 / math.sqrt((ALPHA * ALPHA * p + 1) * (1 - p))
    kept = _kept(input, shape, p)
    offset = (kept - 1) * (ALPHA * scale) + ALPHA * scale * p
    if not inplace:
        return input * (kept * scale) + offset
    return input.mul_(kept * scale).add_(offset)


@functor("AlphaDropout")
def alpha_dropout(input: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False) -> Any:
    return _alpha(input, input.meta.shape, p, training, inplace)


@functor("FeatureAlphaDropout")
def feature_alpha_dropout(input: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False) -> Any:
    if training and p and input.meta.ndim < 2:
        raise InvalidArgumentError("Feature dropout requires at least 2 dimensions in the input")
    return _alpha(input, _by_channel(input), p, training, inplace)


@functor("FeatureDropout")
def feature_dropout(input: Tensor, p: float, train: bool, inplace: bool = False) -> Any:
    _check(p)
    if train and p and input.meta.ndim < 2:
        raise InvalidArgumentError("Feature dropout requires at least 2 dimensions in the input")
    return _features(input, p, train, inplace)
