"""Types of sizes that layers take: one number for every spatial dimension, or one each."""

from __future__ import annotations

from typing import TypeVar

from tritonflow.framework.tensor import Tensor

T = TypeVar("T")

_scalar_or_tuple_any_t = T | tuple[T, ...]
_scalar_or_tuple_1_t = T | tuple[T]
_scalar_or_tuple_2_t = T | tuple[T, T]
_scalar_or_tuple_3_t = T | tuple[T, T, T]
_scalar_or_tuple_4_t = T | tuple[T, T, T, T]
_scalar_or_tuple_5_t = T | tuple[T, T, T, T, T]
_scalar_or_tuple_6_t = T | tuple[T, T, T, T, T, T]

_size_any_t = _scalar_or_tuple_any_t[int]
_size_1_t = _scalar_or_tuple_1_t[int]
_size_2_t = _scalar_or_tuple_2_t[int]
_size_3_t = _scalar_or_tuple_3_t[int]
_size_4_t = _scalar_or_tuple_4_t[int]
_size_5_t = _scalar_or_tuple_5_t[int]
_size_6_t = _scalar_or_tuple_6_t[int]

_ratio_2_t = _scalar_or_tuple_2_t[float]
_ratio_3_t = _scalar_or_tuple_3_t[float]
_ratio_any_t = _scalar_or_tuple_any_t[float]

_tensor_list_t = _scalar_or_tuple_any_t[Tensor]
_maybe_indices_t = _scalar_or_tuple_2_t[Tensor]


def expand_sizes(value: int | tuple[int, ...] | list[int], n: int, name: str) -> tuple[int, ...]:
    """`value` for each of `n` spatial dimensions.

    Raises:
        ValueError: a sequence of another length.

    Example:
        >>> expand_sizes(3, 2, "kernel_size")
        (3, 3)
    """
    if isinstance(value, (tuple, list)):
        if len(value) == 1:
            return (int(value[0]),) * n
        if len(value) != n:
            raise ValueError(f"{name} must be an int or {n} ints, got {tuple(value)}")
        return tuple(int(v) for v in value)
    return (int(value),) * n
