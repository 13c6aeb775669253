"""The types of sizes that layers take: one number for all spatial dimensions, or one for each."""

from __future__ import annotations

from typing import TypeAlias, Union

from tritonflow.framework.tensor import Tensor

_size_any_t: TypeAlias = Union[int, tuple[int, ...]]  # noqa: UP007 - looked at by programs written for OneFlow
_size_1_t: TypeAlias = Union[int, tuple[int]]  # noqa: UP007
_size_2_t: TypeAlias = Union[int, tuple[int, int]]  # noqa: UP007
_size_3_t: TypeAlias = Union[int, tuple[int, int, int]]  # noqa: UP007
_size_4_t: TypeAlias = Union[int, tuple[int, int, int, int]]  # noqa: UP007
_size_5_t: TypeAlias = Union[int, tuple[int, int, int, int, int]]  # noqa: UP007
_size_6_t: TypeAlias = Union[int, tuple[int, int, int, int, int, int]]  # noqa: UP007

_ratio_2_t: TypeAlias = Union[float, tuple[float, float]]  # noqa: UP007
_ratio_3_t: TypeAlias = Union[float, tuple[float, float, float]]  # noqa: UP007
_ratio_any_t: TypeAlias = Union[float, tuple[float, ...]]  # noqa: UP007

_tensor_list_t: TypeAlias = Union[Tensor, tuple[Tensor, ...]]  # noqa: UP007
_maybe_indices_t: TypeAlias = Union[Tensor, tuple[Tensor, Tensor]]  # noqa: UP007


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
