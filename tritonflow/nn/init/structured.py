"""Weights with a structure: identities, orthogonal matrices, and columns that are partly zero."""

from __future__ import annotations

import math

from tritonflow import _C
from tritonflow.binding.target import beside
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.random_generator import Generator
from tritonflow.nn.init.fills import normal_
from tritonflow.nn.init.without_grad import without_grad


@without_grad
def eye_(tensor: Tensor) -> Tensor:
    """Fill a matrix with the identity, as far as it goes.

    Args:
        tensor: a matrix.

    Raises:
        ValueError: other than 2 dimensions.

    Source: torch.nn.init.eye_.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.init.eye_(flow.empty(2, 3))
        tensor([[1., 0., 0.],
                [0., 1., 0.]])
    """
    if tensor.ndim != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    tensor.zero_()
    for i in range(min(tensor.shape)):
        tensor[i, i].fill_(1)
    return tensor


@without_grad
def dirac_(tensor: Tensor, groups: int = 1) -> Tensor:
    """Fill a convolution's weight so that it passes on as many channels as it can.

    Args:
        tensor: a weight (out, in, *kernel).
        groups: as of the convolution.

    Raises:
        ValueError: not 3 to 5 dimensions, or `groups` does not divide the output channels.

    Source: torch.nn.init.dirac_.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.init.dirac_(flow.empty(1, 1, 3))
        tensor([[[0., 1., 0.]]])
    """
    if tensor.ndim not in (3, 4, 5):
        raise ValueError("Only tensors with 3, 4, or 5 dimensions are supported")
    if tensor.shape[0] % groups != 0:
        raise ValueError("dim 0 must be divisible by groups")
    per_group = tensor.shape[0] // groups
    centre = tuple(n // 2 for n in tensor.shape[2:])
    tensor.zero_()
    for group in range(groups):
        for channel in range(min(per_group, tensor.shape[1])):
            index = (group * per_group + channel, channel, *centre)
            tensor[index].fill_(1)
    return tensor


@without_grad
def orthogonal_(tensor: Tensor, gain: float = 1, generator: Generator | None = None) -> Tensor:
    """Fill with a (semi-)orthogonal matrix times `gain`, drawn uniformly (Saxe et al., 2013).

    Dimensions after the first are taken as one. A normal matrix is orthonormalised by Gram and Schmidt, each
    vector twice.

    Args:
        tensor: a weight of at least two dimensions.
        gain: the factor.
        generator: draws the numbers; the device's default generator unless given.

    Raises:
        ValueError: fewer than two dimensions.

    Source: torch.nn.init.orthogonal_.

    Example:
        >>> import tritonflow as flow
        >>> w = flow.nn.init.orthogonal_(flow.empty(3, 5))
        >>> flow.allclose(w @ w.t(), flow.eye(3), atol=1e-5)
        True
    """
    if tensor.ndim < 2:
        raise ValueError("Only tensors with 2 or more dimensions are supported")
    if tensor.numel() == 0:
        return tensor
    rows, cols = tensor.shape[0], tensor.numel() // tensor.shape[0]
    count, length = min(rows, cols), max(rows, cols)
    basis = normal_(_C.new_empty(tensor, (count, length)), generator=generator)
    for i in range(count):
        v = basis[i]
        for _ in range(2 if i else 0):
            known = basis[:i]
            v = v - (known @ v.reshape(length, 1) * known).sum(0)
        basis[i] = v / (v * v).sum().sqrt()
    matrix = basis if rows <= cols else basis.transpose(0, 1)
    tensor.copy_((matrix * gain).reshape(tuple(tensor.shape)))
    return tensor


@without_grad
def sparse_(tensor: Tensor, sparsity: float, std: float = 0.01, generator: Generator | None = None) -> Tensor:
    """Normal with standard deviation `std`, a fraction `sparsity` of each column zero (Martens, 2010).

    Args:
        tensor: a matrix.
        sparsity: the fraction, rounded up to whole rows.
        std: the standard deviation.
        generator: draws the numbers; the device's default generator unless given.

    Raises:
        ValueError: other than 2 dimensions.

    Source: torch.nn.init.sparse_.

    Example:
        >>> import tritonflow as flow
        >>> (flow.nn.init.sparse_(flow.empty(4, 3), 0.5) == 0).sum(0)
        tensor([2, 2, 2])
    """
    if tensor.ndim != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    rows, cols = tensor.shape
    zeros = math.ceil(sparsity * rows)
    normal_(tensor, 0, std, generator)
    for col in range(cols):
        tensor[_C.randperm(rows, **beside(tensor))[:zeros], col] = 0
    return tensor
