"""The one grad node that the chunks of a `split` or `unbind` share.

Its backward joins the gradients of all chunks, which writes the tensor's size once. With a node for each chunk, each would pad its
gradient to the whole size. The chunks are ordinary views: after a write in place, each looks its history up again.
"""

from __future__ import annotations

from typing import Any

from tritonflow.framework.meta import TensorMeta
from tritonflow.framework.tensor import Tensor
from tritonflow.interpreter.grad_node import Edge, GradNode
from tritonflow.interpreter.gradient_ops import gradient_ops
from tritonflow.interpreter.recording import edges_of


class SplitNode(GradNode):
    """The backward of a split along `dim` into chunks of the given sizes; if `unbound`, each chunk is one index of `dim`."""

    __slots__ = ("meta", "chunk_metas", "dim", "sizes", "unbound")

    def __init__(
        self,
        edge: Edge,
        meta: TensorMeta,
        chunk_metas: tuple[TensorMeta, ...],
        dim: int,
        sizes: tuple[int, ...],
        unbound: bool,
    ) -> None:
        super().__init__((edge,))
        self.meta = meta
        self.chunk_metas = chunk_metas
        self.dim = dim
        self.sizes = sizes
        self.unbound = unbound

    @property
    def output_count(self) -> int:  # type: ignore[override]
        """How many chunks there are."""
        return len(self.chunk_metas)

    def name(self) -> str:
        """What torch calls it."""
        return "unbind_backward" if self.unbound else "split_backward"

    def output_meta(self, output_nr: int) -> TensorMeta:
        return self.chunk_metas[output_nr]

    def apply(self, grads: list[Any]) -> Any:
        """The chunks' gradients joined, with zeros for chunks that none arrived for."""
        pieces: list[Tensor] = []
        missing = 0
        for grad, size in zip(grads, self.sizes):
            if grad is None:
                missing += size
                continue
            if missing:
                pieces.append(self._zeros(missing))
                missing = 0
            pieces.append(gradient_ops.unsqueeze(grad, self.dim) if self.unbound else grad)
        if missing:
            pieces.append(self._zeros(missing))
        return (gradient_ops.cat(pieces, self.dim),)

    def _zeros(self, size: int) -> Tensor:
        shape = (*self.meta.shape[: self.dim], size, *self.meta.shape[self.dim + 1 :])
        return gradient_ops.zeros(self.meta.new(shape))


def record_split(x: Tensor, chunks: tuple[Tensor, ...], dim: int, sizes: tuple[int, ...], unbound: bool) -> None:
    """Add the node of a split, if the tensor requires grad."""
    (edge,) = edges_of((x,))
    if edge is None or not chunks or not x.meta.dtype.has_gradient:
        return
    node = SplitNode(edge, x.meta, tuple([chunk.meta for chunk in chunks]), dim, sizes, unbound)
    for number, chunk in enumerate(chunks):
        chunk._node = node
        if number:
            chunk._output_nr = number
