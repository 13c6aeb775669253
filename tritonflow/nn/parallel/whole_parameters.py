"""WholeParameters: the node of autograd from a unit's whole parameters to their shards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tritonflow.errors import AutogradError
from tritonflow.framework.meta import TensorMeta
from tritonflow.framework.tensor import Tensor
from tritonflow.interpreter.grad_mode import is_grad_enabled
from tritonflow.interpreter.grad_node import GradNode

Reduce = Callable[[Sequence[Tensor | None]], Sequence[Tensor | None]]


class WholeParameters(GradNode):
    """The history of a unit's whole parameters: one for all forwards, so that a backward pass reduces once.

    Args:
        metas: of the whole parameters.
        sources: by parameter the node of its shard, None for one that requires no grad.
        reduce: the gradients of the shards from those of the whole parameters.

    Attributes:
        sources, reduce: these.
    """

    __slots__ = ("sources", "reduce", "output_count", "_metas")

    def __init__(self, metas: Sequence[TensorMeta], sources: tuple[Any, ...], reduce: Reduce) -> None:
        super().__init__(tuple([None if node is None else (node, 0) for node in sources]))
        self.sources, self.reduce, self.output_count, self._metas = sources, reduce, len(sources), metas

    def output_meta(self, output_nr: int) -> TensorMeta:
        return self._metas[output_nr]

    def apply(self, grads: list[Any]) -> Any:
        if is_grad_enabled():
            raise AutogradError("fully_shard: backward(create_graph=True) is not supported")
        return tuple(self.reduce(grads))
