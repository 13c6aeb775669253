"""Windows over spatial dimensions: pads of every form, and sizes of results."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import tritonflow as flow
from tritonflow.nn import functional as F


@dataclass(frozen=True)
class SlidingWindows:
    """Attributes of a convolution or pool: one number for each spatial dimension.

    Attributes:
        kernel, strides, dilations: of the windows.
        begins, ends: the pads before and behind.
    """

    kernel: tuple[int, ...]
    strides: tuple[int, ...]
    dilations: tuple[int, ...]
    begins: tuple[Any, ...]
    ends: tuple[Any, ...]

    @property
    def symmetric(self) -> bool:
        """Whether the pads before are those behind."""
        return all(begin == end for begin, end in zip(self.begins, self.ends))

    def reach(self, axis: int) -> int:
        """How many elements a window spans."""
        return (self.kernel[axis] - 1) * self.dilations[axis] + 1


def windows_of(node: Any, kernel: Any, sizes: Any) -> SlidingWindows:
    """The windows of a node over an input of these spatial sizes."""
    rank = len(kernel)
    strides = tuple(node.get("strides") or [1] * rank)
    dilations = tuple(node.get("dilations") or [1] * rank)
    pads = node.get("pads") or [0] * (2 * rank)
    for what, given, wanted in (("strides", strides, rank), ("dilations", dilations, rank), ("pads", pads, 2 * rank)):
        if len(given) != wanted:
            raise ValueError(f"{what} of {rank} spatial dimensions must be {wanted} numbers, but got {list(given)}")
    windows = SlidingWindows(tuple(kernel), strides, dilations, tuple(pads[:rank]), tuple(pads[rank:]))
    form = node.get("auto_pad", "NOTSET")
    if form == "NOTSET":
        return windows
    if form == "VALID":
        return SlidingWindows(windows.kernel, strides, dilations, (0,) * rank, (0,) * rank)
    begins, ends = [], []
    for axis in range(rank):
        outputs = (sizes[axis] + strides[axis] - 1) // strides[axis]
        total = (outputs - 1) * strides[axis] + windows.reach(axis) - sizes[axis]
        total = total if total > 0 else 0
        small = total // 2
        begins.append(small if form == "SAME_UPPER" else total - small)
        ends.append(total - small if form == "SAME_UPPER" else small)
    return SlidingWindows(windows.kernel, strides, dilations, tuple(begins), tuple(ends))


def padded(x: Any, begins: Any, ends: Any, value: float = 0) -> Any:
    """The input with pads around its spatial dimensions."""
    if all(pad == 0 for pad in (*begins, *ends)):
        return x
    pads = [pad for pair in reversed(list(zip(begins, ends))) for pad in pair]
    return F.pad(x, pads, value=value)


def window_sum(x: Any, windows: SlidingWindows, counts: Any) -> Any:
    """The sums over windows of an input that is padded already; `counts` are the sizes of the result."""
    for axis, count in enumerate(counts):
        dim, stride = axis + 2, windows.strides[axis]
        parts = []
        for offset in range(windows.kernel[axis]):
            start = offset * windows.dilations[axis]
            parts.append(flow.narrow(x, dim, start, (count - 1) * stride + 1))
        total = parts[0]
        for part in parts[1:]:
            total = total + part
        x = total if stride == 1 else total[(slice(None),) * dim + (slice(None, None, stride),)]
    return x
