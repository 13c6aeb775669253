"""The arithmetic of weight and spectral normalisation, which parametrizations and hooks share."""

from __future__ import annotations

from typing import Any

from tritonflow import _C
from tritonflow.autograd import no_grad
from tritonflow.nn.modules import conv


def norm_except_dim(v: Any, pow: int = 2, dim: int = 0) -> Any:
    """The norms of the slices of a tensor along a dimension, which the result keeps; of the whole one for dim -1."""
    if dim == -1:
        return _C.norm(v, pow)
    dims = tuple([d for d in range(v.ndim) if d != dim % v.ndim])
    return _C.norm(v, pow, dims, True) if dims else _C.abs(v)


def weight_of(v: Any, g: Any, dim: int) -> Any:
    """g v / |v|."""
    return v * (g / norm_except_dim(v, 2, dim))


def unit(x: Any, eps: float) -> Any:
    """A vector of length 1; x / eps where x is shorter than eps."""
    return x / _C.norm(x).clamp(min=eps)


def as_matrix(weight: Any, dim: int) -> Any:
    """A weight with `dim` in front, and all other dimensions as one."""
    if dim != 0:
        weight = weight.permute(dim, *[d for d in range(weight.ndim) if d != dim])
    return weight.flatten(1)


def default_dim(module: Any) -> int:
    """The dimension of the outputs in a module's weight."""
    transposed = tuple([
        getattr(conv, name) for name in ("ConvTranspose1d", "ConvTranspose2d", "ConvTranspose3d") if hasattr(conv, name)
    ])  # fmt: skip
    return 1 if isinstance(module, transposed) else 0


def random_unit(like: Any, size: int, eps: float) -> Any:
    """A random vector of length 1."""
    with no_grad():
        return unit(like.new_empty((size,)).normal_(0, 1), eps)
