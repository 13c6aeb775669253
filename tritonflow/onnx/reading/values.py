"""Values between nodes: tensors, and numbers that the host knows.

Sizes and indices are `Known`: plain ints, which are symbolic within a program for many sizes. So what a model computes of its
shapes is arithmetic of sizes and no kernel, and does not pin them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import tritonflow as flow
from tritonflow.dtypes import DType
from tritonflow.framework.tensor import Tensor
from tritonflow.nn import Module

MOST_KNOWN = 256
"""Integer constants of at most so many elements are known."""


@dataclass(frozen=True, slots=True)
class Known:
    """Numbers of rank 0 or 1 on the host.

    Attributes:
        numbers: the elements.
        rank: 0 or 1.
        dtype: of the tensor that they are.
        holder: the module and the name of the buffer that holds the same numbers, of a constant.
    """

    numbers: tuple[Any, ...]
    rank: int
    dtype: DType
    holder: tuple[Module, str] | None = None

    @property
    def shape(self) -> tuple[int, ...]:
        return (len(self.numbers),) if self.rank else ()

    def tensor(self, device: Any) -> Tensor:
        """The same numbers as a tensor."""
        if self.holder is not None:
            buffer = self.holder[0]._buffers[self.holder[1]]
            assert buffer is not None
            return buffer
        data = list(self.numbers) if self.rank else self.numbers[0]
        return flow.tensor(data, dtype=self.dtype, device=device)


def known(value: Any, dtype: DType = flow.int64) -> Known:
    """Known numbers of a number or a list of them."""
    if isinstance(value, (list, tuple)):
        return Known(tuple(value), 1, dtype)
    return Known((value,), 0, dtype)


def as_list(value: Any) -> list[Any]:
    """The elements of a value of rank 0 or 1, in Python. A tensor's are read."""
    if isinstance(value, Known):
        return list(value.numbers)
    if isinstance(value, Tensor):
        return list(value.reshape(-1).tolist())
    return list(value)


def as_number(value: Any, default: Any = None) -> Any:
    """The only element of a value in Python, or the default where there is no value."""
    if value is None:
        return default
    numbers = as_list(value)
    if len(numbers) != 1:
        raise ValueError(f"expected one number, but got {len(numbers)}")
    return numbers[0]


def axes_of(node: Any, given: Any) -> list[int] | None:
    """The axes of a node: an input in newer versions, an attribute in older ones; None if there are none."""
    if given is not None:
        return [int(axis) for axis in as_list(given)]
    axes = node.get("axes")
    return None if axes is None else list(axes)


def positive(axis: int, rank: int) -> int:
    """An axis from the front."""
    if not -rank <= axis < rank:
        raise IndexError(f"axis {axis} is out of range for {rank} dimensions")
    return axis + rank if axis < 0 else axis


def product_of(sizes: Any) -> Any:
    """The product of sizes, which may be symbolic."""
    result: Any = 1
    for size in sizes:
        result = result * size
    return result
