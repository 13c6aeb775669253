"""TensorMeta: everything about a tensor but its data.

Metas are interned: equal ones are the same object. So a plan is found by identity (45 ns) instead of by comparing shapes. A meta
has no offset; it only says whether the first element is aligned to 16 bytes.
"""

from __future__ import annotations

import threading
import weakref
from typing import Any, ClassVar

from tritonflow.device.device import Device
from tritonflow.dtypes import DType
from tritonflow.errors import ShapeError
from tritonflow.framework.runtime_scalar import for_user
from tritonflow.framework.size import Size
from tritonflow.framework.symbolic_int import hint, is_symbolic, known_equal

Shape = tuple[int, ...]
_Key = tuple[Shape, Shape, DType, Device, bool]


class TensorMeta:
    """Shape, stride (in elements), dtype, device, alignment. Make one with `TensorMeta.get` or `contiguous_meta`.

    While a program for many sizes is captured, shapes and strides have symbolic integers among them. `sizes` is the shape as users
    see it.

    `is_local` says whether a tensor belongs to this process alone; the meta of a consistent tensor is another class. So a plan
    that is found by metas was made for tensors of that kind. A local tensor has no `sbp`.
    """

    __slots__ = (
        "shape", "stride", "dtype", "device", "aligned", "ndim", "numel", "nbytes", "is_contiguous", "sizes", "__weakref__",
    )  # fmt: skip
    is_local: ClassVar[bool] = True
    sbp: Any = None  # how a consistent tensor lies

    def __init__(self, shape: Shape, stride: Shape, dtype: DType, device: Device, aligned: bool) -> None:
        self.shape = shape
        self.stride = stride
        self.dtype = dtype
        self.device = device
        self.aligned = aligned
        self.ndim = len(shape)
        self.numel = numel_of(shape)
        self.nbytes = self.numel * dtype.itemsize
        self.is_contiguous = _is_contiguous(shape, stride) or known_equal(self.numel, 0)
        self.sizes = Size(map(for_user, shape))

    @staticmethod
    def get(shape: Shape, stride: Shape, dtype: DType, device: Device, aligned: bool = True) -> TensorMeta:
        """The one meta with these properties."""
        key: _Key = (shape, stride, dtype, device, aligned)
        meta = _interned.get(key)
        if meta is None:
            with _lock:
                meta = _interned.get(key)
                if meta is None:
                    meta = _interned[key] = TensorMeta(*key)
        return meta

    @property
    def local(self) -> TensorMeta:
        """What this process has: the meta itself, or that of a consistent tensor's shard."""
        return self

    @property
    def on_one_rank(self) -> TensorMeta:
        """What one process would have: the meta itself, or that of a consistent tensor in the memory of one rank."""
        return self

    def span(self) -> int:
        """How many elements lie between the first and the last in memory, both included; 0 if there are none."""
        if self.is_contiguous or self.numel == 0:
            return self.numel
        return 1 + sum((n - 1) * s for n, s in zip(self.shape, self.stride))

    def may_share_elements(self) -> bool:
        """Whether elements share memory with each other, as in an expanded tensor or in windows; True in hard cases."""
        reach = 0
        if self.is_contiguous:
            return False
        for stride, size in sorted([(s, n) for s, n in zip(self.stride, self.shape) if n != 1]):
            if stride <= reach:
                return True
            reach += stride * (size - 1)
        return False

    def lies_contiguous(self) -> bool:
        """Whether it is contiguous in the call that is captured; a program depends on it where that is so for some sizes only.

        Such are dimensions of size 1. Who may copy a contiguous tensor without a difference asks `is_contiguous`.
        """
        return self.is_contiguous or (is_symbolic((self.shape, self.stride)) and _lies_contiguous(self.shape, self.stride))

    @property
    def is_channels_last(self) -> bool:
        """Whether images (n, c, h, w) lie as contiguous (n, h, w, c), and are not contiguous as they are."""
        return self.ndim == 4 and not self.is_contiguous and self._has_channels_last()

    @property
    def is_channels_last_3d(self) -> bool:
        """Whether volumes (n, c, d, h, w) lie as contiguous (n, d, h, w, c), and are not contiguous as they are."""
        return self.ndim == 5 and not self.is_contiguous and self._has_channels_last()

    def _has_channels_last(self) -> bool:
        (n, c, *size), (first, channel, *steps) = self.shape, self.stride
        return _is_contiguous((n, *size, c), (first, *steps, channel))

    def with_dtype(self, dtype: DType) -> TensorMeta:
        """A contiguous meta of this shape with another dtype."""
        return contiguous_meta(self.shape, dtype, self.device)

    def aligned_at(self, offset: int) -> bool:
        """Whether what lies so many bytes behind the first element is aligned in all runs; no guard is asked for."""
        return self.aligned and known_equal(offset % 16, 0)

    def as_pairs(self) -> TensorMeta:
        """The meta of the real and imaginary parts of complex numbers, along a new last dimension over the same memory."""
        stride = (*[2 * s for s in self.stride], 1)
        return TensorMeta.get((*self.shape, 2), stride, self.dtype.to_real(), self.device, self.aligned)

    def contiguous(self) -> TensorMeta:
        """The contiguous meta of this shape and dtype."""
        return contiguous_meta(self.shape, self.dtype, self.device)

    def as_vector(self) -> TensorMeta:
        """The meta of the memory from the first element to the last, gaps included."""
        return TensorMeta.get((self.span(),), (1,), self.dtype, self.device, self.aligned)

    def allocated(self) -> TensorMeta:
        """The meta of new memory for such a tensor: with its strides if these leave no gaps and do not overlap, else contiguous."""
        step = 1
        for stride, size in () if self.is_contiguous else self._steps():
            if stride != step:
                return self.contiguous()
            step *= size
        return TensorMeta.get(self.shape, self.stride, self.dtype, self.device)

    def _steps(self) -> list[tuple[int, int]]:
        """(stride, size) of the dimensions, the smallest stride first; those of size 1 are none."""
        return sorted((s, n) for s, n in zip(self.stride, self.shape) if n != 1)

    def new(self, shape: Shape, dtype: DType | None = None) -> TensorMeta:
        """The meta of a new tensor beside this one: on its device; or over its placement, broadcast."""
        return contiguous_meta(shape, dtype or self.dtype, self.device)

    def __repr__(self) -> str:
        return f"TensorMeta(shape={self.shape}, stride={self.stride}, dtype={self.dtype}, device='{self.device}')"

    def __reduce__(self) -> tuple[Any, ...]:
        return (TensorMeta.get, (self.shape, self.stride, self.dtype, self.device, self.aligned))


_interned: weakref.WeakValueDictionary[_Key, TensorMeta] = weakref.WeakValueDictionary()
_lock = threading.Lock()


def numel_of(shape: Shape) -> int:
    """The number of elements of a shape."""
    count = 1
    for n in shape:
        count *= n
    return count


def contiguous_stride(shape: Shape) -> Shape:
    """Row-major strides; a dimension of size 0 counts as 1, as in torch. Of a symbolic one it is not asked whether it is 0."""
    stride = []
    step = 1
    for n in reversed(shape[1:]):
        stride.append(step)
        step *= (n or 1) if type(n) is int else n
    return (step, *reversed(stride)) if shape else ()  # the first size, which may be 0, is no question


def channels_last_stride(shape: Shape) -> Shape:
    """The strides of images (n, c, h, w), or volumes, whose channels are neighbours in memory."""
    n, c, *size = shape
    first, *steps, channel = contiguous_stride((n, *size, c))
    return (first, channel, *steps)


def contiguous_meta(shape: Shape, dtype: DType, device: Device) -> TensorMeta:
    """The meta of a freshly allocated tensor."""
    return TensorMeta.get(shape, contiguous_stride(shape), dtype, device)


def sized_meta(shape: Shape, dtype: DType, device: Device) -> TensorMeta:
    """The meta of a freshly allocated tensor of a shape that a user gave.

    Raises:
        RuntimeError: it has 2^63 elements or more.
    """
    if hint(numel_of(shape)) >= 2**63:
        raise ShapeError(f"Storage size calculation overflowed with sizes={list(shape)}")
    return contiguous_meta(shape, dtype, device)


def _is_contiguous(shape: Shape, stride: Shape) -> bool:
    step = 1
    for n, s in zip(reversed(shape), reversed(stride)):
        if not known_equal(n, 1):
            if not known_equal(s, step):
                return False
            step *= n
    return True


def _lies_contiguous(shape: Shape, stride: Shape) -> bool:
    step = 1
    for n, s in zip(reversed(shape), reversed(stride)):
        if n != 1:
            if s != step:
                return False
            step *= n
    return True
