"""TensorImpl: what holds a tensor's data.

A `Tensor` faces Python, its impl faces the data. The eager local impl holds one memory block (and with it the VM's dependence) and
the version counter; OneFlow calls it a blob object. All views of a tensor share it. When the last one dies, its destructor gives
the block back. A lazy tensor has an impl of its own kind.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from tritonflow.device.memory import Block
from tritonflow.errors import BatchedValueError, NoDataError
from tritonflow.framework.capture_errors import value_unknown


class TensorImpl:
    """Base of all impls; says whether a tensor is lazy. Whether it is local or consistent, its meta says."""

    __slots__ = ()
    is_lazy: ClassVar[bool] = False


class EagerLocalTensorImpl(TensorImpl):
    """A memory block with its version counter (OneFlow's EagerBlobObject), shared by all views.

    `version` counts in-place writes. `base` is set when a view is detached: the address and meta of the tensor that the memory was
    allocated for, to which the alias does not lead. A block that only one stream uses goes back to its free list at once: its
    next user is ordered behind the last one. Otherwise the VM releases it (`release`, set by the interpreter's room).
    """

    __slots__ = ("block", "version", "base", "__weakref__")
    release: ClassVar[Callable[[Block], None]]

    def __init__(self, block: Block) -> None:
        self.block = block
        self.version = 0

    def __del__(self) -> None:
        block = self.block
        if block.dependence is None:
            block.free.append(block)
        else:
            EagerLocalTensorImpl.release(block)


class MetaTensorImpl(TensorImpl):
    """The impl of a tensor on the meta device: no memory. A tensor's `ptr` is its offset in bytes."""

    __slots__ = ("version", "base", "__weakref__")

    def __init__(self) -> None:
        self.version = 0

    @property
    def block(self) -> Block:
        """There is none: whatever asks for it wants the elements.

        Raises:
            NotImplementedError: always.
        """
        raise NoDataError("Cannot copy out of meta tensor; no data!")


class LazyTensorImpl(TensorImpl):
    """A storage of a graph that is being captured: no memory, but the graph's value for it at this point of the program.

    Views share it, as they share memory in eager mode; an in-place write puts another value here. A tensor's `ptr` is its
    offset in bytes.
    """

    __slots__ = ("value", "version", "base", "__weakref__")
    is_lazy = True

    def __init__(self, value: Any) -> None:
        self.value = value
        self.version = 0

    @property
    def block(self) -> Block:
        """There is none: whatever asks for it wants the numbers.

        Raises:
            RuntimeError: always.
        """
        raise value_unknown()


class _NoBlock:
    """What a batched tensor has in place of a block: it lies on no stream, so that no short road takes it; all else is an error."""

    __slots__ = ()
    stream = None

    def __getattr__(self, name: str) -> Any:
        raise BatchedValueError(
            "vmap: It looks like you're calling .item() on a Tensor. We don't support vmap over calling .item() on a Tensor,"
            " please try to rewrite what you're doing with other operations. The values of a batched tensor differ from example"
            " to example."
        )


class BatchedTensorImpl(TensorImpl):
    """The impl of a tensor inside of `vmap`: a tensor that has all examples, along its first dimension.

    Views share it, as they share memory; a tensor's `ptr` is its offset in bytes from that tensor's first element.

    Attributes:
        whole: the tensor of all examples.
        level: the call of `vmap` that it belongs to; the state of a generator has one, too, and is no batch.
        is_state: whether it stands for the state of a random generator, which all examples share.
    """

    __slots__ = ("whole", "level", "is_state", "version", "base", "__weakref__")
    block: ClassVar[Any] = _NoBlock()

    def __init__(self, whole: Any, level: Any, is_state: bool = False) -> None:
        self.whole = whole
        self.level = level
        self.is_state = is_state
        self.version = 0

    @property
    def is_lazy(self) -> bool:  # type: ignore[override]
        """Whether the examples stand for values of a graph that is being captured."""
        return bool(self.whole.impl.is_lazy)
