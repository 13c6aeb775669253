"""The memory that a tensor has, as torch's programs see it: storages, and whether it is pinned or shared."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from typing import Any

from tritonflow.binding import data_exchange
from tritonflow.binding.annotations import DeviceLike
from tritonflow.device.device import Device
from tritonflow.dtypes import DType, uint8
from tritonflow.errors import InvalidArgumentError
from tritonflow.execution.lazy import note_alias
from tritonflow.execution.transfer import CPU
from tritonflow.framework.meta import TensorMeta
from tritonflow.framework.tensor import Tensor
from tritonflow.framework.tensor_impl import EagerLocalTensorImpl
from tritonflow.functions.view import base_of, storage_nbytes


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
        """Whether other processes see the memory: that on a GPU, as torch says, and what `share_memory_` has moved.

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


def is_shared(self: Tensor) -> bool:
    """Whether other processes see the memory: that on a GPU, as torch says, and what `share_memory_` has moved.

    Source: torch.Tensor.is_shared.

    Example:
        >>> import tritonflow as flow
        >>> flow.ones(2, device="cpu").is_shared()
        False
    """
    if self.is_cuda:
        return True
    if self.impl.__class__ is not EagerLocalTensorImpl or self.device is not CPU:
        return False
    memory: Any = self.impl.block.storage  # torch's
    return bool(memory.is_shared())


def share_memory_(self: Tensor) -> Tensor:
    """Move the memory to where processes that are forked from now on see it, and what others write there.

    A tensor that is sent through a pipe or a queue is a copy all the same. Memory on a GPU, and of no elements, stays as it is.

    Raises:
        RuntimeError: others have the memory, too, and would stay behind: views, what a backward is to read, compiled functions.
            Or the tensor has no memory of this process alone, as in a captured function or `vmap`, and over ranks.

    Source: torch.Tensor.share_memory_.

    Example:
        >>> import tritonflow as flow
        >>> flow.ones(2, device="cpu").share_memory_().is_shared()
        True
    """
    if self.is_cuda or not self.numel() or is_shared(self):
        return self
    if self.impl.__class__ is not EagerLocalTensorImpl or not self.meta.is_local:
        raise InvalidArgumentError("share_memory_(): only a local tensor with memory of its own can be shared, outside of captures")
    if self._view is not None or any(each is not self for each in gc.get_referrers(self.impl)):
        raise InvalidArgumentError(
            "share_memory_(): others have this memory, too, and would stay behind: views, a backward or a compiled function."
            " help: share it before"
        )
    self.data = data_exchange.from_torch(data_exchange.to_torch(self.detach()).clone().share_memory_())
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


METHODS: dict[str, Any] = {
    "untyped_storage": untyped_storage,
    "storage": storage,
    "is_shared": is_shared,
    "share_memory_": share_memory_,
    "is_pinned": is_pinned,
    "pin_memory": pin_memory,
    "record_stream": record_stream,
}
