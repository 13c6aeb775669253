"""Views that cut a tensor into parts, as `split` and `unbind` do: they share one node.

Its backward writes the gradients of the parts side by side, once over the tensor's size, however many parts there are; a node
a part would pad each to the whole. The views themselves are ordinary ones: written in place, each looks its history up again.
"""

from __future__ import annotations

from typing import Any

from tritonflow.framework.meta import TensorMeta, contiguous_stride
from tritonflow.framework.tensor import Tensor
from tritonflow.interpreter.grad_node import Edge, GradNode, functional_hooks, zeros_like_meta
from tritonflow.interpreter.history import edges_of


class PartsNode(GradNode):
    """The backward of a cut along `dim` into parts of the given sizes there; an index of its own each if `unbound`."""

    __slots__ = ("meta", "part_metas", "dim", "sizes", "unbound")

    def __init__(
        self, edge: Edge, meta: TensorMeta, part_metas: tuple[TensorMeta, ...], dim: int, sizes: tuple[int, ...], unbound: bool
    ) -> None:
        super().__init__((edge,))
        self.meta = meta
        self.part_metas = part_metas
        self.dim = dim
        self.sizes = sizes
        self.unbound = unbound

    @property
    def output_count(self) -> int:  # type: ignore[override]
        """How many parts there are."""
        return len(self.part_metas)

    def name(self) -> str:
        """What torch calls it."""
        return "unbind_backward" if self.unbound else "split_backward"

    def output_meta(self, output_nr: int) -> TensorMeta:
        return self.part_metas[output_nr]

    def apply(self, grads: list[Any]) -> Any:
        """The parts' gradients joined, with zeros for the parts that none arrived for."""
        pieces: list[Tensor] = []
        missing = 0
        for grad, size in zip(grads, self.sizes):
            if grad is None:
                missing += size
                continue
            if missing:
                pieces.append(self._zeros(missing))
                missing = 0
            pieces.append(functional_hooks["unsqueeze"](grad, self.dim) if self.unbound else grad)
        if missing:
            pieces.append(self._zeros(missing))
        return (functional_hooks["cat"](pieces, self.dim),)

    def _zeros(self, size: int) -> Tensor:
        shape = (*self.meta.shape[: self.dim], size, *self.meta.shape[self.dim + 1 :])
        return zeros_like_meta(TensorMeta.get(shape, contiguous_stride(shape), self.meta.dtype, self.meta.device))


def record_parts(x: Tensor, parts: tuple[Tensor, ...], dim: int, sizes: tuple[int, ...], unbound: bool) -> None:
    """Add the node of a cut, if the tensor requires grad."""
    (edge,) = edges_of((x,))
    if edge is None or not parts or not x.meta.dtype.is_floating_point:
        return
    node = PartsNode(edge, x.meta, tuple([part.meta for part in parts]), dim, sizes, unbound)
    for number, part in enumerate(parts):
        part._node = node
        if number:
            part._output_nr = number
