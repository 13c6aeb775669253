"""Signals, images and volumes continued: by a constant, reflected, with their last element, or from their other end."""

from __future__ import annotations

from tritonflow.framework.tensor import Tensor
from tritonflow.nn import functional as F
from tritonflow.nn.common_types import _size_2_t, _size_4_t, _size_6_t, expand_sizes
from tritonflow.nn.modules.module import Module


class _ConstantPadNd(Module):
    """What pads of any rank share: amounts as (before, after) of the last dimension, then of the one before it, and so on."""

    rank = 1

    def __init__(self, padding: int | tuple[int, ...], value: float) -> None:
        super().__init__()
        self.padding = expand_sizes(padding, 2 * self.rank, "padding")
        self.value = value

    def forward(self, input: Tensor) -> Tensor:
        """The input with `value` around its last dimensions."""
        return F.pad(input, self.padding, "constant", self.value)

    def extra_repr(self) -> str:
        return f"padding={self.padding}, value={self.value}"


class ConstantPad1d(_ConstantPadNd):
    """`value` before and after the last dimension.

    Args:
        padding: one int, or (left, right); negative amounts take elements away.
        value: what stands there.

    Shape:
        x: `(N, C, L)` or `(C, L)`; y: the same with `L + left + right`.

    Source: torch.nn.ConstantPad1d.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.ConstantPad1d((1, 2), 5.0)(flow.zeros(1, 2)).tolist()
        [[5.0, 0.0, 0.0, 5.0, 5.0]]
    """

    def __init__(self, padding: _size_2_t, value: float) -> None:
        super().__init__(padding, value)


class ConstantPad2d(_ConstantPadNd):
    """`value` around images.

    Args:
        padding: one int, or (left, right, top, bottom); negative amounts take elements away.
        value: what stands there.

    Shape:
        x: `(N, C, H, W)` or `(C, H, W)`; y: the same with `H + top + bottom`, `W + left + right`.

    Source: torch.nn.ConstantPad2d.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.ConstantPad2d(1, 0.5)(flow.ones(1, 1, 1)).tolist()
        [[[0.5, 0.5, 0.5], [0.5, 1.0, 0.5], [0.5, 0.5, 0.5]]]
    """

    rank = 2

    def __init__(self, padding: _size_4_t, value: float) -> None:
        super().__init__(padding, value)


class ConstantPad3d(_ConstantPadNd):
    """`value` around volumes; see `ConstantPad2d`.

    Args:
        padding: one int, or (left, right, top, bottom, front, back).
        value: what stands there.

    Source: torch.nn.ConstantPad3d.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.ConstantPad3d(1, 2.0)(flow.ones(1, 1, 1, 1)).shape
        tritonflow.Size([1, 3, 3, 3])
    """

    rank = 3

    def __init__(self, padding: _size_6_t, value: float) -> None:
        super().__init__(padding, value)


class _ZeroPadNd(_ConstantPadNd):
    def __init__(self, padding: int | tuple[int, ...]) -> None:
        super().__init__(padding, 0.0)

    def extra_repr(self) -> str:
        return str(self.padding)


class ZeroPad1d(_ZeroPadNd):
    """Zeros before and after the last dimension: `ConstantPad1d` with 0.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.ZeroPad1d(1)(flow.ones(1, 2)).tolist()
        [[0.0, 1.0, 1.0, 0.0]]
    """


class ZeroPad2d(_ZeroPadNd):
    """Zeros around images: `ConstantPad2d` with 0.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.ZeroPad2d((1, 0, 0, 0))(flow.ones(1, 2, 1)).tolist()
        [[[0.0, 1.0], [0.0, 1.0]]]
    """

    rank = 2


class ZeroPad3d(_ZeroPadNd):
    """Zeros around volumes: `ConstantPad3d` with 0.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.ZeroPad3d(1)(flow.ones(1, 1, 1, 1)).sum().item()
        1.0
    """

    rank = 3


class _ContinuedPadNd(Module):
    """What pads by the input's own elements share."""

    rank = 1
    mode = "reflect"

    def __init__(self, padding: int | tuple[int, ...]) -> None:
        super().__init__()
        self.padding = expand_sizes(padding, 2 * self.rank, "padding")

    def forward(self, input: Tensor) -> Tensor:
        """The input continued beyond the ends of its last dimensions."""
        return F.pad(input, self.padding, self.mode)

    def extra_repr(self) -> str:
        return str(self.padding)


class ReflectionPad1d(_ContinuedPadNd):
    """Signals mirrored at the ends, which do not repeat.

    Args:
        padding: one int, or (before, after) of the last dimension, then of the one before it; less than the size.

    Source: torch.nn.ReflectionPad1d.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.ReflectionPad1d((2, 1))(flow.tensor([[[1.0, 2.0, 3.0]]])).tolist()
        [[[3.0, 2.0, 1.0, 2.0, 3.0, 2.0]]]
    """

    rank = 1
    mode = "reflect"


class ReflectionPad2d(_ContinuedPadNd):
    """Images mirrored at the ends, which do not repeat.

    Args:
        padding: one int, or (before, after) of the last dimension, then of the one before it; less than the size.

    Source: torch.nn.ReflectionPad2d.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.ReflectionPad2d(1)(flow.ones(1, 2, 3, 3)).shape
        tritonflow.Size([1, 2, 5, 5])
    """

    rank = 2
    mode = "reflect"


class ReflectionPad3d(_ContinuedPadNd):
    """Volumes mirrored at the ends, which do not repeat.

    Args:
        padding: one int, or (before, after) of the last dimension, then of the one before it; less than the size.

    Source: torch.nn.ReflectionPad3d.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.ReflectionPad3d(1)(flow.ones(1, 2, 3, 3, 3)).shape
        tritonflow.Size([1, 2, 5, 5, 5])
    """

    rank = 3
    mode = "reflect"


class ReplicationPad1d(_ContinuedPadNd):
    """Signals continued with their last elements.

    Args:
        padding: one int, or (before, after) of the last dimension, then of the one before it; any size.

    Source: torch.nn.ReplicationPad1d.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.ReplicationPad1d((2, 1))(flow.tensor([[[1.0, 2.0, 3.0]]])).tolist()
        [[[1.0, 1.0, 1.0, 2.0, 3.0, 3.0]]]
    """

    rank = 1
    mode = "replicate"


class ReplicationPad2d(_ContinuedPadNd):
    """Images continued with their last elements.

    Args:
        padding: one int, or (before, after) of the last dimension, then of the one before it; any size.

    Source: torch.nn.ReplicationPad2d.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.ReplicationPad2d(1)(flow.ones(1, 2, 3, 3)).shape
        tritonflow.Size([1, 2, 5, 5])
    """

    rank = 2
    mode = "replicate"


class ReplicationPad3d(_ContinuedPadNd):
    """Volumes continued with their last elements.

    Args:
        padding: one int, or (before, after) of the last dimension, then of the one before it; any size.

    Source: torch.nn.ReplicationPad3d.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.ReplicationPad3d(1)(flow.ones(1, 2, 3, 3, 3)).shape
        tritonflow.Size([1, 2, 5, 5, 5])
    """

    rank = 3
    mode = "replicate"


class CircularPad1d(_ContinuedPadNd):
    """Signals continued from their other ends.

    Args:
        padding: one int, or (before, after) of the last dimension, then of the one before it; at most the size.

    Source: torch.nn.CircularPad1d.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.CircularPad1d((2, 1))(flow.tensor([[[1.0, 2.0, 3.0]]])).tolist()
        [[[2.0, 3.0, 1.0, 2.0, 3.0, 1.0]]]
    """

    rank = 1
    mode = "circular"


class CircularPad2d(_ContinuedPadNd):
    """Images continued from their other ends.

    Args:
        padding: one int, or (before, after) of the last dimension, then of the one before it; at most the size.

    Source: torch.nn.CircularPad2d.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.CircularPad2d(1)(flow.ones(1, 2, 3, 3)).shape
        tritonflow.Size([1, 2, 5, 5])
    """

    rank = 2
    mode = "circular"


class CircularPad3d(_ContinuedPadNd):
    """Volumes continued from their other ends.

    Args:
        padding: one int, or (before, after) of the last dimension, then of the one before it; at most the size.

    Source: torch.nn.CircularPad3d.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.CircularPad3d(1)(flow.ones(1, 2, 3, 3, 3)).shape
        tritonflow.Size([1, 2, 5, 5, 5])
    """

    rank = 3
    mode = "circular"
