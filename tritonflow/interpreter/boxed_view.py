"""Views of consistent tensors whose elements had to move between ranks: views of a boxed copy, which is held up to date.

```
x  S1 over two ranks        x.view(6) needs S0:   copy = x boxed to S0        v = copy.view(6), a view on every rank
x.add_(1)                                         the next op that reads v finds x's version changed, and boxes x again
v.add_(1)                                         the copy is boxed back and written over x
```
"""

from __future__ import annotations

from typing import Any

from tritonflow.device.memory import Block
from tritonflow.errors import InplaceError
from tritonflow.framework.sbp import NdSbp
from tritonflow.framework.shards import Cut
from tritonflow.framework.tensor import Tensor
from tritonflow.framework.tensor_impl import TensorImpl
from tritonflow.interpreter.layout import box, box_cut, copy_over, unshared, write_cut
from tritonflow.interpreter.shard import local_shard, without_history


class BoxedImpl(TensorImpl):
    """The memory of a boxed copy, shared by all views of it.

    Whatever reads or writes memory asks for `block` first: that is where the copy is brought up to date. A capture renews it where
    it reads the shard, and records what that takes.

    Attributes:
        source: the tensor that the views are views of.
        copy: it, boxed, or a slice of it.
        cut: which slice, or None.
        shard: this rank's shard of the copy.
        source_version: that of the source which the copy has.
    """

    __slots__ = ("source", "copy", "cut", "shard", "_own_writes", "source_version", "base", "__weakref__")

    def __init__(self, source: Tensor, sbp: NdSbp, cut: Cut | None = None, length: int = 0) -> None:
        meta: Any = source.meta
        self.source = without_history(source)
        self.cut = cut
        boxed = box(self.source, meta.placement, sbp) if cut is None else box_cut(self.source, cut, length, sbp)
        self.copy = unshared(boxed, self.source)
        self.shard = local_shard(self.copy)
        self._own_writes = 0
        self.source_version = source.impl.version

    @property
    def version(self) -> int:
        """Counts writes to the copy and to what it is a copy of, whether or not the copy has them yet."""
        return self._own_writes + self.source.impl.version

    @version.setter
    def version(self, value: int) -> None:
        self._own_writes = value - self.source.impl.version

    @property
    def is_lazy(self) -> bool:  # type: ignore[override]
        """Whether it is one of a program that is being captured."""
        return self.shard.impl.is_lazy

    @property
    def block(self) -> Block:
        """The copy's memory, with the numbers that the source has."""
        self.renew()
        found: Block = self.shard.impl.block
        return found

    @property
    def value(self) -> Any:
        """What a program that is being captured has there at this point."""
        self.renew()
        return self.shard.impl.value

    def renew(self) -> None:
        """Let the copy have the numbers that the source has."""
        source = self.source.impl
        if source.__class__ is BoxedImpl:
            source.renew()
        if source.version != self.source_version:
            self.source_version = source.version
            copy_over(self.copy, self._newest())

    def _newest(self) -> Tensor:
        """What the copy should be."""
        if self.cut is None:
            return self.source
        meta: Any = self.copy.meta
        return box_cut(self.source, self.cut, meta.shape[self.cut.dim], meta.sbp)

    def refuse_write(self) -> None:
        """Refuse a write that would not come back: of elements that share memory in the source, and none in the copy.

        Raises:
            RuntimeError: the source is expanded, or windows that overlap.
        """
        if self.source.meta.on_one_rank.may_share_elements():  # whatever this rank has of it
            raise InplaceError(
                "unsupported operation: the written-to tensor is a part of an expanded global (consistent) tensor, whose elements"
                " had to move between ranks. Please clone() the tensor before performing the operation."
            )
        if self.source.impl.__class__ is BoxedImpl:
            self.source.impl.refuse_write()

    def write_back(self) -> None:
        """After a write to the copy: write it over the source."""
        source = self.source.impl
        if self.cut is None:
            copy_over(self.source, self.copy)
        else:
            write_cut(self.source, self.cut, self.copy)
        source.version += 1
        self.source_version = source.version
        if source.__class__ is BoxedImpl:
            source.write_back()
