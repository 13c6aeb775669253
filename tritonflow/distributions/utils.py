"""What distributions share: broadcasting of parameters, properties that are computed once, and probabilities as logits."""

from __future__ import annotations

from collections.abc import Callable
from numbers import Number
from typing import Any

from tritonflow import _C
from tritonflow.binding.new_tensors import tensor
from tritonflow.binding.target import beside
from tritonflow.dtypes import finfo, get_default_dtype
from tritonflow.framework.size import Size
from tritonflow.framework.tensor import Tensor
from tritonflow.interpreter.grad_mode import enable_grad

euler_constant = 0.57721566490153286060

__all__ = [
    "broadcast_all", "clamp_probs", "lazy_property", "logits_to_probs", "probs_to_logits", "tril_matrix_to_vec",
    "vec_to_tril_matrix",
]  # fmt: skip


def broadcast_all(*values: Any) -> tuple[Tensor, ...]:
    """The values as tensors of one shape. Numbers take the dtype and the device of the first tensor among them, or
    its placement.

    Raises:
        ValueError: a value is neither a tensor nor a number.

    Example:
        >>> import tritonflow as flow
        >>> from tritonflow.distributions.utils import broadcast_all
        >>> [x.shape for x in broadcast_all(flow.zeros(2, 1), 3.0)]
        [tritonflow.Size([2, 1]), tritonflow.Size([2, 1])]
    """
    if not all(isinstance(value, (Tensor, Number)) for value in values):
        raise ValueError(
            "Input arguments must all be instances of Number, torch.Tensor or objects implementing __torch_function__."
        )
    tensors = [value for value in values if isinstance(value, Tensor)]
    dtype, where = (tensors[0].dtype, beside(tensors[0])) if tensors else (get_default_dtype(), {})
    made = [value if isinstance(value, Tensor) else tensor(value, dtype=dtype, **where) for value in values]
    return tuple(_C.broadcast_tensors(*made))


def shape_of(value: Any) -> Size:
    """The shape of a parameter: of a number the empty one."""
    return value.shape if isinstance(value, Tensor) else Size()


def standard_normal(shape: Any, like: Tensor) -> Tensor:
    """Normal numbers of the dtype and on the device of `like`, or over its placement."""
    return _C.randn(tuple(shape), dtype=like.dtype, **beside(like))


def uniform_inside(shape: Any, like: Tensor) -> Tensor:
    """Uniform numbers in (0, 1), never one of the ends, of the dtype and on the device of `like`, or over its placement."""
    info = finfo(like.dtype)
    return _C.rand(tuple(shape), dtype=like.dtype, **beside(like)).clamp(info.tiny, 1 - info.eps)


def sum_rightmost(value: Any, dims: int) -> Any:
    """The sum over the last `dims` dimensions."""
    if dims == 0:
        return value
    return value.flatten(value.ndim - dims).sum(-1)


def logits_to_probs(logits: Tensor, is_binary: bool = False) -> Tensor:
    """sigmoid(logits) of binary variables, softmax(logits) along the last dimension of others."""
    return _C.sigmoid(logits) if is_binary else _C.softmax(logits, dim=-1)


def clamp_probs(probs: Tensor) -> Tensor:
    """Probabilities in [eps, 1 - eps], with the eps of the dtype."""
    eps = finfo(probs.dtype).eps
    return probs.clamp(eps, 1 - eps)


def probs_to_logits(probs: Tensor, is_binary: bool = False) -> Tensor:
    """log(p / (1 - p)) of binary variables, log(p) of others; probabilities are clamped first."""
    clamped = clamp_probs(probs)
    return _C.log(clamped) - _C.log1p(-clamped) if is_binary else _C.log(clamped)


class lazy_property:
    """A property that is computed at its first use, with gradients, and is an attribute of the instance from then on."""

    def __init__(self, wrapped: Callable[[Any], Any]) -> None:
        self.wrapped = wrapped
        self.__doc__ = wrapped.__doc__

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        if instance is None:
            return self
        with enable_grad():
            value = self.wrapped(instance)
        setattr(instance, self.wrapped.__name__, value)
        return value


def vec_to_tril_matrix(vec: Tensor, diag: int = 0) -> Tensor:
    """Vectors (..., D) as lower triangular matrices, whose rows they fill one after another up to a diagonal."""
    count = vec.shape[-1]
    n = round((-(1 + 2 * diag) + ((1 + 2 * diag) ** 2 + 8 * count + 4 * abs(diag) * (diag + 1)) ** 0.5) / 2)
    if not count or len(_lower_positions(n, diag)) != count:
        raise ValueError(f"The size of last dimension is {count} which cannot be expressed as the lower triangular part")
    rank = [[-1] * n for _ in range(n)]
    for number, (i, j) in enumerate(_lower_positions(n, diag)):
        rank[i][j] = number
    position = tensor(rank, **beside(vec)).reshape(-1)
    taken = vec.index_select(-1, position.clamp(0))
    return _C.where(position >= 0, taken, _C.zeros_like(taken)).reshape((*vec.shape[:-1], n, n))


def tril_matrix_to_vec(mat: Tensor, diag: int = 0) -> Tensor:
    """The rows of lower triangular matrices (..., n, n) up to a diagonal, one after another."""
    n = mat.shape[-1]
    if diag < -n or diag >= n:
        raise ValueError(f"diag ({diag}) provided is outside [{-n}, {n - 1}].")
    position = tensor([i * n + j for i, j in _lower_positions(n, diag)], **beside(mat))
    return mat.reshape((*mat.shape[:-2], n * n)).index_select(-1, position)


def _lower_positions(n: int, diag: int) -> list[tuple[int, int]]:
    return [(i, j) for i in range(n) for j in range(n) if j <= i + diag]
