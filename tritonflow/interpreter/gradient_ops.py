"""The ops that a backward itself calls, as to add two gradients of one tensor."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any

from tritonflow.device.device import Device
from tritonflow.dtypes import DType
from tritonflow.framework.meta import Shape, TensorMeta
from tritonflow.framework.tensor import Tensor


class GradientOps:
    """Functors, which are built on this room: `rules/support.py` sets them when the package is imported.

    Attributes:
        zeros: zeros that look like a meta.
        add, add_: the sum of two gradients; the same, written over the first.
        sum_to: a gradient summed over the dimensions that were broadcast, so that it has a shape.
        cast, to_device: a copy in another dtype, or on another device.
        lay_out: a gradient of a consistent tensor, laid out as that tensor's meta says, with broadcast for partial.
        beside: a block in which such a gradient is laid out and added, while what does not need it is computed.
        clone: a copy, in a memory format if one is given.
        copy, fill: write a tensor, or a number, over the first argument.
        cat: tensors joined along a dimension.
        unsqueeze: a view with a further dimension of size 1.
        has_nan: whether an element is NaN.
    """

    __slots__ = (
        "zeros", "add", "add_", "sum_to", "cast", "to_device", "lay_out", "beside", "clone", "copy", "fill", "cat", "unsqueeze",
        "has_nan",
    )  # fmt: skip

    zeros: Callable[[TensorMeta], Tensor]
    add: Callable[[Tensor, Tensor], Tensor]
    add_: Callable[[Tensor, Tensor], Tensor]
    sum_to: Callable[[Tensor, Shape], Tensor]
    cast: Callable[[Tensor, DType], Tensor]
    to_device: Callable[[Tensor, Device], Tensor]
    lay_out: Callable[[Tensor, TensorMeta], Tensor]
    beside: Callable[[Tensor, TensorMeta], AbstractContextManager[Any]]
    clone: Callable[..., Tensor]
    copy: Callable[[Tensor, Tensor], Tensor]
    fill: Callable[[Tensor, float], Tensor]
    cat: Callable[[Sequence[Tensor], int], Tensor]
    unsqueeze: Callable[[Tensor, int], Tensor]
    has_nan: Callable[[Tensor], bool]


gradient_ops = GradientOps()
