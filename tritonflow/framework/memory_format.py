"""Memory formats: in which order the elements of a tensor follow each other in memory, as torch names them.

A tensor of images (n, c, h, w) is channels-last if its elements lie as those of a contiguous (n, h, w, c). Volumes (n, c, d, h, w)
are channels-last if they lie as (n, d, h, w, c). Where several orders fit
what an op is given, torch's rule says how the result lies.
"""

from __future__ import annotations

from collections.abc import Sequence

from tritonflow.errors import ShapeError
from tritonflow.framework.meta import Shape, TensorMeta, contiguous_stride


class MemoryFormat:
    """One of `flow.contiguous_format`, `flow.channels_last`, `flow.channels_last_3d` and `flow.preserve_format`.

    Example:
        >>> import tritonflow as flow
        >>> flow.channels_last
        tritonflow.channels_last
        >>> x = flow.ones(2, 3, 4, 5).to(memory_format=flow.channels_last)
        >>> x.stride()
        (60, 1, 15, 3)
        >>> x.is_contiguous(), x.is_contiguous(memory_format=flow.channels_last)
        (False, True)
        >>> flow.relu(x).stride()
        (60, 1, 15, 3)
    """

    __slots__ = ("name", "ndim")

    def __init__(self, name: str, ndim: int = 0) -> None:
        self.name = name
        self.ndim = ndim  # of the tensors that it is for; 0: of any

    def __repr__(self) -> str:
        return f"tritonflow.{self.name}"

    def __reduce__(self) -> str:
        return self.name


contiguous_format = MemoryFormat("contiguous_format")
preserve_format = MemoryFormat("preserve_format")
channels_last = MemoryFormat("channels_last", 4)
channels_last_3d = MemoryFormat("channels_last_3d", 5)


def last_order(ndim: int) -> Shape:
    """The dimensions of a channels-last tensor from the slowest to the fastest.

    >>> last_order(4)
    (0, 2, 3, 1)
    """
    return (0, *range(2, ndim), 1)


def first_order(ndim: int) -> Shape:
    """The dimensions of a (n, ..., c) in the order (n, c, ...).

    >>> first_order(4)
    (0, 3, 1, 2)
    """
    return (0, ndim - 1, *range(1, ndim - 1))


def strides_in_order(shape: Shape, order: Sequence[int]) -> Shape:
    """The strides of a tensor without gaps whose dimensions follow each other in memory in this order, the fastest last."""
    steps = contiguous_stride(tuple([shape[d] for d in order]))
    found = [0] * len(shape)
    for d, step in zip(order, steps):
        found[d] = step
    return tuple(found)


def check_rank(format: MemoryFormat, ndim: int) -> None:
    """Refuse channels-last formats for tensors that are no images, or no volumes.

    Raises:
        RuntimeError: the number of dimensions is another one.
    """
    if format.ndim not in (0, ndim):
        raise ShapeError(f"required rank {format.ndim} tensor to use {format.name} format")


def lies_in(meta: TensorMeta, format: MemoryFormat) -> bool:
    """Whether a tensor has no gaps and lies in this format. One that has a single channel may lie in several."""
    if format is contiguous_format:
        return meta.lies_contiguous()
    if format.ndim != meta.ndim:
        return False
    expected = 1
    for d in reversed(last_order(meta.ndim)):
        if meta.shape[d] != 1:
            if meta.stride[d] != expected:
                return False
            expected *= meta.shape[d]
    return True


def suggested_format(meta: TensorMeta) -> MemoryFormat:
    """The format that a tensor's strides speak for: of several that fit, what the strides of dimensions of size 1 say."""
    if meta.ndim not in (4, 5) or 0 in meta.shape:
        return contiguous_format
    smallest = 0
    for d in reversed(last_order(meta.ndim)):
        step = meta.stride[d]
        if step < smallest or step == 0 and d == 1 or d == 0 and smallest == meta.stride[1]:
            return contiguous_format
        smallest = step * max(meta.shape[d], 1)
    return channels_last if meta.ndim == 4 else channels_last_3d


def result_stride(shape: Shape, strides: Sequence[Shape]) -> Shape:
    """The strides of a pointwise result: channels-last where its operands are, else row-major.

    Torch's rule: two dimensions stand in the order in which the first operand has them that tells them apart.

    Args:
        strides: of the operands, over `shape`, 0 where they are broadcast.
    """
    fastest_first = list(reversed(range(len(shape))))
    for start in range(1, len(fastest_first)):
        right = start
        for left in range(start - 1, -1, -1):
            a, b = fastest_first[left], fastest_first[right]
            wrong = _compared(a, b, shape, strides)
            if wrong > 0:
                fastest_first[left], fastest_first[right] = b, a
                right = left
            elif wrong < 0:
                break
    return strides_in_order(shape, fastest_first[::-1])


def _compared(a: int, b: int, shape: Shape, strides: Sequence[Shape]) -> int:
    """Negative where dimension a is faster than b, positive where it is slower, 0 where no operand says so."""
    for steps in strides:
        if steps[a] == 0 or steps[b] == 0:
            continue
        if steps[a] != steps[b]:
            return steps[a] - steps[b]
        if shape[a] > shape[b]:
            return 1
    return 0
