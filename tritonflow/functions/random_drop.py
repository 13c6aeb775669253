"""Functors of dropout of whole channels, and of dropout that keeps mean and variance (alpha)."""

from __future__ import annotations

import math
import warnings
from typing import Any

from tritonflow.binding.library import function
from tritonflow.errors import ArgumentValueError, InvalidArgumentError
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.creation_like import new_empty
from tritonflow.functions.generated import mul
from tritonflow.functions.random import factor_of
from tritonflow.functions.random_bernoulli import bernoulli_prob
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


@function(
    "Tensor (Tensor input, Float p=0.5, Bool training=True, Bool inplace=False)",
    export="nn.functional", samples={"none": "random: tests/nn/test_layers_of_several_inputs.py looks at distributions"},
)
def dropout1d(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Any:
    """Dropout of whole channels.

    A channel is zeroed with probability p as a whole, the others are divided by 1 - p.

    Args:
        input: the input.
        p: the probability of zeros.
        training: whether channels are dropped; otherwise the input is returned.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (N, C, L) or (C, L) -> the same.

    Raises:
        ValueError: a probability outside 0 to 1.
        RuntimeError: other than 2 or 3 dimensions.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.dropout1d.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> x = F.dropout1d(flow.ones(1, 100, 2))
        >>> bool((x[..., 0] == x[..., 1]).all())  # both or none
        True
    """
    return _of_rank("dropout1d", 1, input, p, training, inplace)


@function(
    "Tensor (Tensor input, Float p=0.5, Bool training=True, Bool inplace=False)",
    export="nn.functional", samples={"none": "random: tests/nn/test_layers_of_several_inputs.py looks at distributions"},
)
def dropout2d(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Any:
    """Dropout of whole channels.

    A channel is zeroed with probability p as a whole, the others are divided by 1 - p. Of three
    dimensions the first is the batch, as in torch.

    Args:
        input: the input.
        p: the probability of zeros.
        training: whether channels are dropped; otherwise the input is returned.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (N, C, H, W) or (N, C, L) -> the same.

    Raises:
        ValueError: a probability outside 0 to 1.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.dropout2d.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> x = F.dropout2d(flow.ones(1, 100, 1, 2))
        >>> bool((x[..., 0] == x[..., 1]).all())  # both or none
        True
    """
    # Of three dimensions the first is the batch, as in torch.
    return _of_rank("dropout2d", 2, input, p, training, inplace)


@function(
    "Tensor (Tensor input, Float p=0.5, Bool training=True, Bool inplace=False)",
    export="nn.functional", samples={"none": "random: tests/nn/test_layers_of_several_inputs.py looks at distributions"},
)
def dropout3d(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Any:
    """Dropout of whole channels.

    A channel is zeroed with probability p as a whole, the others are divided by 1 - p.

    Args:
        input: the input.
        p: the probability of zeros.
        training: whether channels are dropped; otherwise the input is returned.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (N, C, D, H, W) or (C, D, H, W) -> the same.

    Raises:
        ValueError: a probability outside 0 to 1.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.dropout3d.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> x = F.dropout3d(flow.ones(1, 100, 1, 1, 2))
        >>> bool((x[..., 0] == x[..., 1]).all())  # both or none
        True
    """
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


@function(
    "Tensor (Tensor input, Float p=0.5, Bool training=False, Bool inplace=False)",
    export=("flow", "nn.functional"),
    samples={"none": "random: tests/nn/test_layers_of_several_inputs.py looks at distributions"},
)
def alpha_dropout(input: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False) -> Any:
    """Dropout that keeps mean and variance.

    For networks of selu: a dropped element becomes the least number that selu gives, and then all are
    scaled and shifted, so that mean 0 and variance 1 stay. After Klambauer et al., Self-normalizing
    neural networks, 2017.

    Args:
        input: the input.
        p: the probability that an element is dropped.
        training: whether elements are dropped; otherwise the input is returned.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape -> the same.

    Raises:
        ValueError: a probability outside 0 to 1.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.alpha_dropout.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> len(set(F.alpha_dropout(flow.zeros(100), training=True).tolist()))  # dropped or not
        2
    """
    return _alpha(input, input.meta.shape, p, training, inplace)


@function(
    "Tensor (Tensor input, Float p=0.5, Bool training=False, Bool inplace=False)",
    export=("flow", "nn.functional"),
    samples={"none": "random: tests/nn/test_layers_of_several_inputs.py looks at distributions"},
)
def feature_alpha_dropout(input: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False) -> Any:
    """Dropout of whole channels that keeps mean and variance.

    `alpha_dropout` of channels.

    Args:
        input: the input.
        p: the probability that a channel is dropped.
        training: whether channels are dropped; otherwise the input is returned.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (N, C, ...) -> the same.

    Raises:
        ValueError: a probability outside 0 to 1.
        RuntimeError: fewer than 2 dimensions.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.feature_alpha_dropout.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> x = F.feature_alpha_dropout(flow.zeros(1, 100, 2), training=True)
        >>> bool((x[..., 0] == x[..., 1]).all())  # both or none
        True
    """
    if training and p and input.meta.ndim < 2:
        raise InvalidArgumentError("Feature dropout requires at least 2 dimensions in the input")
    return _alpha(input, _by_channel(input), p, training, inplace)


@function(
    "Tensor (Tensor input, Float p, Bool train, *, Bool inplace=False)",
    samples={"none": "random: tests/nn/test_layers_of_several_inputs.py looks at distributions"},
)
def feature_dropout(input: Tensor, p: float, train: bool, inplace: bool = False) -> Any:
    """Dropout of whole channels.

    A channel is zeroed with probability p as a whole, the others are divided by 1 - p.

    Args:
        input: the input.
        p: the probability of zeros.
        train: whether channels are dropped; otherwise the input is returned.
        inplace: whether the result is written over the input.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (N, C, ...) -> the same.

    Raises:
        ValueError: a probability outside 0 to 1.
        RuntimeError: fewer than 2 dimensions.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.feature_dropout.

    Example:
        >>> import tritonflow as flow
        >>> x = flow.feature_dropout(flow.ones(1, 100, 2), 0.5, True)
        >>> bool((x[..., 0] == x[..., 1]).all())  # both or none
        True
    """
    _check(p)
    if train and p and input.meta.ndim < 2:
        raise InvalidArgumentError("Feature dropout requires at least 2 dimensions in the input")
    return _features(input, p, train, inplace)
