"""TensorImpl: what holds a tensor's data.

A `Tensor` faces Python, its impl faces the data. The eager local impl is the blob object of one allocation: the memory block
(and with it the VM's dependence object) and the version counter. All views of a tensor share it, and when the last one dies
its destructor gives the block back. Consistent and lazy tensors have impls of their own kind.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from tritonflow.device.memory import Block
from tritonflow.framework.capture_errors import value_unknown


class TensorImpl:
    """Base of all impls; says which interpreter a tensor belongs to."""

    __slots__ = ()
    is_local: ClassVar[bool] = False
    is_consistent: ClassVar[bool] = False
    is_lazy: ClassVar[bool] = False


class EagerLocalTensorImpl(TensorImpl):
    """A memory block with its version counter (OneFlow's EagerBlobObject), shared by all views.

    `version` counts in-place writes. `base` is set when a view is detached: the address and meta of the tensor that the memory was
    allocated for, to which the alias does not lead. A block that only one stream uses goes back to its free list at once: its
    next user is ordered behind the last one. Otherwise the VM releases it (`release`, set by the interpreter's room).
    """

    __slots__ = ("block", "version", "base", "__weakref__")
    is_local = True
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
