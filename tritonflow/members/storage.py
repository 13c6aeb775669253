"""What torch's programs ask of a tensor's memory: storages, `resize_`, `set_`, pinned and shared memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from tritonflow.binding import new_tensors
from tritonflow.binding.annotations import DeviceLike
from tritonflow.binding.torch_calls import resize
from tritonflow.device.device import Device
from tritonflow.dtypes import DType, uint8
from tritonflow.errors import (
    ArgumentTypeError,
    AutogradError,
    CaptureError,
    InvalidArgumentError,
    NotYetImplementedError,
    ShapeError,
    type_name,
)
from tritonflow.execution.lazy import note_alias
from tritonflow.framework.memory_format import MemoryFormat, contiguous_format
from tritonflow.framework.meta import TensorMeta, contiguous_stride
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.creation import checked_shape
from tritonflow.functions.view import base_of, storage_nbytes
from tritonflow.thread_state import thread_state


class UntypedStorage:
    """The memory behind a tensor, in bytes; shared by all views of it.

    Source: torch.UntypedStorage.

    Example:
        >>> import tritonflow as flow
        >>> x = flow.ones(4)
        >>> s = x.untyped_storage()
        >>> s.nbytes(), s.data_ptr() == x[1:].untyped_storage().data_ptr()
        (16, True)
    """

    def __init__(self, tensor: Tensor) -> None:
        self._tensor = tensor

    def data_ptr(self) -> int:
        """The address of the first byte; 0 where there is none."""
        x = self._tensor
        return x.data_ptr() - x.storage_offset() * x.element_size() if x.numel() else 0

    def nbytes(self) -> int:
        """The number of bytes."""
        x = self._tensor
        if x.is_meta:
            base = base_of(x)[1]
            return base.span() * base.dtype.itemsize
        return storage_nbytes(x)

    def size(self) -> int:
        """The number of bytes."""
        return self.nbytes()

    __len__ = size

    def element_size(self) -> int:
        """1, a byte."""
        return 1

    @property
    def device(self) -> Device:
        """Where the memory is."""
        return self._tensor.device

    @property
    def is_cuda(self) -> bool:
        """Whether the memory is on an NVIDIA GPU."""
        return self._tensor.is_cuda

    def is_shared(self) -> bool:
        """Whether other processes see the memory: that on a GPU, as torch says.

        Source: torch.Tensor.is_shared.

        Example:
            >>> import tritonflow as flow
            >>> flow.ones(2, device="cpu").is_shared()
            False
        """
        return is_shared(self._tensor)

    def is_pinned(self) -> bool:
        """Whether the memory is page-locked: never, since copies to and from a GPU pass through page-locked memory of their own.

        Args:
            device: torch's; nothing here.

        Source: torch.Tensor.is_pinned.

        Example:
            >>> import tritonflow as flow
            >>> flow.ones(2).is_pinned()
            False
        """
        return False

    def _bytes(self) -> Tensor:
        x = self._tensor
        note_alias(x)
        meta = TensorMeta.get((self.nbytes(),), (1,), uint8, x.meta.device, True)
        return Tensor(meta, x.impl, x.ptr - x.storage_offset() * x.element_size())

    def tolist(self) -> list[int]:
        """The bytes as numbers."""
        return self._bytes().tolist()  # type: ignore[no-any-return]

    def __getitem__(self, index: Any) -> Any:
        return self.tolist()[index]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.tolist())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, UntypedStorage) and self._tensor.impl is other._tensor.impl

    def __hash__(self) -> int:
        return id(self._tensor.impl)

    def __repr__(self) -> str:
        return self._text("")

    def _text(self, described: str) -> str:
        """The elements, one a line, and what they are, as torch writes it."""
        numbers = "..." if self.device.type == "meta" else " " + "\n ".join(str(number) for number in self.tolist())
        return f"{numbers}\n[tritonflow.storage.{type(self).__name__}({described}device={self.device}) of size {len(self)}]"


class TypedStorage(UntypedStorage):
    """The memory behind a tensor, in elements of its dtype.

    Source: torch.TypedStorage.

    Example:
        >>> import tritonflow as flow
        >>> flow.ones(4).storage().size()
        4
    """

    @property
    def dtype(self) -> DType:
        """Of the elements."""
        return self._tensor.dtype

    def size(self) -> int:
        """The number of elements."""
        return self.nbytes() // self.element_size()

    __len__ = size

    def element_size(self) -> int:
        """The bytes of an element."""
        return self._tensor.element_size()

    def untyped(self) -> UntypedStorage:
        """The same memory in bytes."""
        return UntypedStorage(self._tensor)

    def _elements(self) -> Tensor:
        x = self._tensor
        note_alias(x)
        meta = TensorMeta.get((self.size(),), (1,), x.dtype, x.meta.device, True)
        return Tensor(meta, x.impl, x.ptr - x.storage_offset() * x.element_size())

    def tolist(self) -> list[Any]:
        """The elements as numbers."""
        return self._elements().tolist()  # type: ignore[no-any-return]

    def __repr__(self) -> str:
        return self._text(f"dtype={self.dtype}, ")


def untyped_storage(self: Tensor) -> UntypedStorage:
    """The memory behind the tensor, in bytes.

    Source: torch.Tensor.untyped_storage.

    Example:
        >>> import tritonflow as flow
        >>> flow.ones(4)[1:].untyped_storage().nbytes()
        16
    """
    return UntypedStorage(self)


def storage(self: Tensor) -> TypedStorage:
    """The memory behind the tensor, in elements.

    Source: torch.Tensor.storage.

    Example:
        >>> import tritonflow as flow
        >>> flow.arange(4)[1:].storage().tolist()
        [0, 1, 2, 3]
    """
    return TypedStorage(self)


def is_storage(obj: Any) -> bool:
    """Whether an object is a storage.

    Args:
        obj: any object.

    Source: torch.is_storage.

    Example:
        >>> import tritonflow as flow
        >>> flow.is_storage(flow.ones(1).storage())
        True
    """
    return isinstance(obj, UntypedStorage)


# ------------------------------------------------------------------------------------------------------ other memory


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
    if thread_state.lazy is None:
        return
    if x.is_lazy or source.is_lazy:
        raise CaptureError("a captured function calls set_() on a tensor that it computes, or with one: use the other tensor")
    thread_state.lazy.change_memory(x, source)


def _require_same(name: str, x: Tensor, source: Tensor) -> None:
    if x.dtype is not source.dtype:
        raise InvalidArgumentError(f"{name}(): expected a source of dtype {x.dtype}, but got {source.dtype}")


def is_shared(self: Tensor) -> bool:
    """Whether other processes see the memory: that on a GPU, as torch says.

    Source: torch.Tensor.is_shared.

    Example:
        >>> import tritonflow as flow
        >>> flow.ones(2, device="cpu").is_shared()
        False
    """
    return self.is_cuda


def share_memory_(self: Tensor) -> Tensor:
    """Move the memory to where other processes see it.

    Raises:
        RuntimeError: the tensor is in host memory, which is not shared between processes here; a tensor without elements is.

    Source: torch.Tensor.share_memory_.

    Example:
        >>> import tritonflow as flow
        >>> flow.empty(0).share_memory_().shape
        tritonflow.Size([0])
    """
    if not self.is_cuda and self.numel():
        raise InvalidArgumentError(
            "share_memory_(): memory shared between processes is not supported; send the tensor through a pipe or queue, which"
            " copies it"
        )
    return self


def is_pinned(self: Tensor, device: DeviceLike | None = None) -> bool:
    """Whether the memory is page-locked: never, since copies to and from a GPU pass through page-locked memory of their own.

    Args:
        device: torch's; nothing here.

    Source: torch.Tensor.is_pinned.

    Example:
        >>> import tritonflow as flow
        >>> flow.ones(2).is_pinned()
        False
    """
    return False


def pin_memory(self: Tensor, device: DeviceLike | None = None) -> Tensor:
    """The tensor itself: copies to and from a GPU pass through page-locked memory of their own.

    Args:
        device: torch's; nothing here.

    Source: torch.Tensor.pin_memory.

    Example:
        >>> import tritonflow as flow
        >>> x = flow.ones(2)
        >>> x.pin_memory() is x
        True
    """
    return self


def record_stream(self: Tensor, stream: Any) -> None:
    """Nothing: memory that a stream uses is not given to others before that use is over.

    Args:
        stream: torch's; nothing here.

    Source: torch.Tensor.record_stream.

    Example:
        >>> import tritonflow as flow
        >>> flow.ones(2).record_stream(None)
    """


def map_(self: Tensor, tensor: Tensor, callable: Callable[[Any, Any], Any]) -> Tensor:
    """Write callable(own element, element of `tensor`) over each element, in Python; slow, of CPU tensors.

    Args:
        tensor: is expanded to this tensor's shape.
        callable: is given two numbers and returns one.

    Raises:
        RuntimeError: the tensor is on another device, or requires grad.

    Source: torch.Tensor.map_.

    Example:
        >>> import tritonflow as flow
        >>> flow.tensor([1, 2], device="cpu").map_(flow.tensor([3, 4], device="cpu"), lambda a, b: a * b)
        tensor([3, 8])
    """
    if self.device.type != "cpu":
        raise InvalidArgumentError(f"map_ is only implemented on CPU tensors, not on {self.device}")
    pairs = zip(_flat(self), _flat(tensor.expand(self.shape)))
    return _write_flat(self, [callable(a, b) for a, b in pairs])


def apply_(self: Tensor, callable: Callable[[Any], Any]) -> Tensor:
    """Write callable(element) over each element, in Python; slow, of CPU tensors.

    Args:
        callable: is given a number and returns one.

    Raises:
        RuntimeError: the tensor is on another device, or requires grad.

    Source: torch.Tensor.apply_.

    Example:
        >>> import tritonflow as flow
        >>> flow.arange(3).apply_(lambda n: n * n)
        tensor([0, 1, 4])
    """
    if self.device.type != "cpu":
        raise InvalidArgumentError(f"apply_ is only implemented on CPU tensors, not on {self.device}")
    return _write_flat(self, [callable(a) for a in _flat(self)])


def _flat(x: Tensor) -> list[Any]:
    return x.detach().reshape((-1,)).tolist()  # type: ignore[no-any-return]


def _write_flat(x: Tensor, numbers: list[Any]) -> Tensor:
    if x.requires_grad and thread_state.grad_enabled:
        raise AutogradError("can't call a Python function on the elements of a Tensor that requires grad")
    return x.copy_(new_tensors.tensor(numbers, dtype=x.dtype).reshape(x.shape))


METHODS: dict[str, Any] = {
    "untyped_storage": untyped_storage,
    "storage": storage,
    "resize_": resize_,
    "resize_as_": resize_as_,
    "set_": set_,
    "is_shared": is_shared,
    "share_memory_": share_memory_,
    "is_pinned": is_pinned,
    "pin_memory": pin_memory,
    "record_stream": record_stream,
    "map_": map_,
    "apply_": apply_,
}
