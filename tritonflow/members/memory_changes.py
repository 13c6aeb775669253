"""Other memory for a tensor, or another shape of its own: `resize_` and `set_`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tritonflow.binding.torch_calls import resize
from tritonflow.errors import (
    ArgumentTypeError,
    AutogradError,
    CaptureError,
    InvalidArgumentError,
    NotYetImplementedError,
    ShapeError,
    type_name,
)
from tritonflow.framework.memory_format import MemoryFormat, contiguous_format
from tritonflow.framework.meta import TensorMeta, contiguous_stride
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.creation import checked_shape
from tritonflow.functions.view import base_of
from tritonflow.members.storage import UntypedStorage
from tritonflow.thread_state import thread_state


def resize_(self: Tensor, *size: int | Sequence[int], memory_format: MemoryFormat | None = None) -> Tensor:
    """Give the tensor another shape, contiguous; elements in memory stay, further ones are not initialised.

    Views that were made before the tensor was given more memory keep the old memory; torch's see the new one.

    Args:
        size: the sizes, as integers or a sequence.
        memory_format: only row-major order is implemented.

    Raises:
        RuntimeError: the tensor requires grad, or a size is negative.
        NotImplementedError: another memory format.

    Source: torch.Tensor.resize_.

    Example:
        >>> import tritonflow as flow
        >>> flow.arange(6).resize_(2, 2)
        tensor([[0, 1],
                [2, 3]])
    """
    shape: tuple[Any, ...] = tuple(size[0]) if len(size) == 1 and isinstance(size[0], (tuple, list)) else size
    if self.requires_grad and thread_state.grad_enabled:
        raise AutogradError("cannot resize variables that require grad")
    if not all(isinstance(n, int) for n in shape):
        raise ArgumentTypeError(f"resize_(): argument 'size' must be ints, not {', '.join(map(type_name, shape))}")
    if memory_format not in (None, contiguous_format):
        raise NotYetImplementedError(f"resize_(): to {memory_format}: help: resize_ first, then to(memory_format=...)")
    resize(self, checked_shape(shape))
    return self


def resize_as_(self: Tensor, the_template: Tensor, memory_format: MemoryFormat | None = None) -> Tensor:
    """Give the tensor the shape of another one, as `resize_`.

    Args:
        the_template: the other one.
        memory_format: only row-major order is implemented.

    Raises:
        RuntimeError: the tensor requires grad.
        NotImplementedError: another memory format.

    Source: torch.Tensor.resize_as_.

    Example:
        >>> import tritonflow as flow
        >>> flow.arange(6).resize_as_(flow.zeros(2, 2))
        tensor([[0, 1],
                [2, 3]])
    """
    return resize_(self, the_template.shape, memory_format=memory_format)


def set_(
    self: Tensor,
    source: Any = None,
    storage_offset: int = 0,
    size: Any = None,
    stride: Any = None,
) -> Tensor:
    """Let the tensor have the memory, shape and strides of another tensor, or those given over a storage.

    Args:
        source: a tensor or a storage; an empty one unless given.
        storage_offset: where the first element is, in elements.
        size: the shape; one dimension with all elements unless given.
        stride: the distance of neighbours in each dimension, in elements; contiguous unless given.

    Raises:
        RuntimeError: the dtypes or devices differ, or the storage is too small.

    Source: torch.Tensor.set_.

    Example:
        >>> import tritonflow as flow
        >>> x = flow.arange(4)
        >>> flow.empty(0, dtype=flow.int64).set_(x.storage(), 1, (2,)).tolist()
        [1, 2]
    """
    if source is None:
        source = self.new_empty((0,))
    if isinstance(source, Tensor) and size is None:
        _require_same("set_", self, source)
        _refuse_captured(self, source)
        source.impl.base = base_of(source)
        self.meta, self.impl, self.ptr, self._view = source.meta, source.impl, source.ptr, None
        return self
    of = source._tensor if isinstance(source, UntypedStorage) else source
    if not isinstance(of, Tensor):
        raise ArgumentTypeError(f"set_(): argument 'source' must be Tensor or storage, not {type_name(source)}")
    if self.device is not of.device:
        raise InvalidArgumentError(f"set_(): the storage is on {of.device}, the tensor on {self.device}")
    itemsize, nbytes = self.element_size(), UntypedStorage(of).nbytes()
    shape = (nbytes // itemsize - storage_offset,) if size is None else (size,) if isinstance(size, int) else tuple(size)
    steps = contiguous_stride(shape) if stride is None else (stride,) if isinstance(stride, int) else tuple(stride)
    first = of.ptr - of.storage_offset() * of.element_size() + storage_offset * itemsize
    meta = TensorMeta.get(shape, steps, self.dtype, self.meta.device, first % 16 == 0)
    if (storage_offset + meta.span()) * itemsize > nbytes or storage_offset < 0 or min((*shape, *steps, 0)) < 0:
        raise ShapeError(
            f"setStorage: sizes {list(shape)}, strides {list(steps)}, storage offset {storage_offset}, and itemsize {itemsize}"
            f" requiring a storage size of {(storage_offset + meta.span()) * itemsize} are out of bounds for storage of size"
            f" {nbytes}"
        )
    _refuse_captured(self, of)
    of.impl.base = base_of(of)
    self.meta, self.impl, self.ptr, self._view = meta, of.impl, first, None
    return self


def _refuse_captured(x: Tensor, source: Tensor) -> None:
    """Refuse to give a tensor of a captured program other memory, or another tensor that of the program.

    Raises:
        CaptureError: no run would do it.
    """
    if x.is_lazy or source.is_lazy:
        raise CaptureError("a captured function calls set_() on a tensor that it computes, or with one: use the other tensor")
    thread_state.observer.change_memory(x, source)


def _require_same(name: str, x: Tensor, source: Tensor) -> None:
    if x.dtype is not source.dtype:
        raise InvalidArgumentError(f"{name}(): expected a source of dtype {x.dtype}, but got {source.dtype}")


METHODS: dict[str, Any] = {"resize_": resize_, "resize_as_": resize_as_, "set_": set_}
