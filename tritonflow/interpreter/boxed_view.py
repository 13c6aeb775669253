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
from tritonflow.framework.sbp import NdSbp
from tritonflow.framework.tensor import Tensor
from tritonflow.framework.tensor_impl import TensorImpl
from tritonflow.interpreter.layout import box, copy_over, local_shard, unshared


class BoxedImpl(TensorImpl):
    """The memory of a boxed copy, shared by all views of it.

    Whatever reads or writes memory asks for `block` first: that is where the copy is brought up to date.

    Attributes:
        source: the tensor that the views are views of.
        copy: it, boxed.
        shard: this rank's shard of the copy.
        version: counts writes to the copy, as of any impl.
        source_version: that of the source which the copy has.
    """

    __slots__ = ("source", "copy", "shard", "version", "source_version", "base", "__weakref__")

    def __init__(self, source: Tensor, sbp: NdSbp) -> None:
        meta: Any = source.meta
        self.source = Tensor(meta, source.impl, source.ptr)
        self.copy = unshared(box(self.source, meta.placement, sbp), self.source)
        self.shard = local_shard(self.copy)
        self.version = 0
        self.source_version = source.impl.version

    @property
    def block(self) -> Block:
        """The copy's memory, with the numbers that the source has."""
        source = self.source.impl
        if source.__class__ is BoxedImpl:
            source.block  # noqa: B018 (brings the source up to date)
        if source.version != self.source_version:
            self.source_version = source.version
            copy_over(self.copy, self.source)
            self.version += 1
        found: Block = self.shard.impl.block
        return found

    def write_back(self) -> None:
        """After a write to the copy: write it over the source."""
        source = self.source.impl
        copy_over(self.source, self.copy)
        source.version += 1
        self.source_version = source.version
        if source.__class__ is BoxedImpl:
            source.write_back()
