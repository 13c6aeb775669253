"""The nodes of recorded ops, and what stands beside them where a gradient does not vary with an op's inputs."""

from __future__ import annotations

from typing import Any

from tritonflow.errors import NotYetImplementedError
from tritonflow.framework.meta import TensorMeta
from tritonflow.framework.tensor import Tensor
from tritonflow.interpreter.grad_node import Edge, GradNode, anomaly, has_repeats, raise_released
from tritonflow.interpreter.gradient_ops import gradient_ops
from tritonflow.interpreter.saved_tensors import unpack
from tritonflow.thread_state import thread_state

_RELEASED: Any = ("released",)


class OpNode(GradNode):
    """The backward of one op: `<op>_backward`. What its derivative reads is on it."""

    __slots__ = ("op", "attrs", "dynamic", "metas", "out_metas", "_saved")

    def __init__(
        self,
        op: Any,
        edges: tuple[Edge, ...],
        metas: tuple[TensorMeta | None, ...],
        out_metas: tuple[TensorMeta, ...],
        attrs: tuple[Any, ...],
        dynamic: tuple[Any, ...],
        saved: Any,
    ) -> None:
        self.edges = edges
        self.extras = None
        self.op = op
        self.metas = metas
        self.out_metas = out_metas
        self.attrs = attrs
        self.dynamic = dynamic
        self._saved = saved
        if anomaly.remembers:
            self.remember_forward()

    @property
    def derivative(self) -> Any:
        """The function from the gradients of the outputs to those of the inputs; None if the op has none."""
        return self.op.rule("derivative")

    @property
    def output_count(self) -> int:  # type: ignore[override]
        """How many outputs the op has."""
        return len(self.out_metas)

    def name(self) -> str:
        """The op's name with _backward."""
        return f"{self.op.name}_backward"

    @property
    def needs(self) -> tuple[bool, ...]:
        """Which inputs want a gradient: of those with a history, in `autograd.grad`, the ones that lead to what was asked for."""
        backward = thread_state.backward
        if backward is None or backward.needed is None:
            return tuple([edge is not None for edge in self.edges])
        return tuple([edge is not None and edge[0] in backward.needed for edge in self.edges])

    def output_meta(self, output_nr: int) -> TensorMeta:
        return self.out_metas[output_nr]

    def saved(self, k: int) -> Any:
        """The k-th saved tensor.

        Raises:
            RuntimeError: the node was released, or the tensor was written in place since.
        """
        if self._saved is _RELEASED:
            raise_released(self)
        return unpack(self._saved[k], self)

    def saved_list(self, k: int) -> list[Any]:
        """The k-th saved name, a variadic input, as a list."""
        if self._saved is _RELEASED:
            raise_released(self)
        return [unpack(saved, self) for saved in self._saved[k]]

    def zeros(self, k: int) -> Tensor:
        """A gradient of zeros for output k, where none arrived."""
        return gradient_ops.zeros(self.out_metas[k])

    def apply(self, grads: list[Any]) -> Any:
        if self._saved is _RELEASED:
            raise_released(self)
        derivative = self.derivative
        if derivative is None:
            raise NotYetImplementedError(f"derivative for {self.op.name} is not implemented")
        return derivative(self, *grads)

    def twin(self) -> OpNode:
        return type(self)(self.op, self.edges, self.metas, self.out_metas, self.attrs, self.dynamic, self._saved)

    def release(self) -> None:
        for saved in self._saved:  # what has saved nothing can be used again, as the cast of a parameter that two losses share
            if saved is not None:
                self._saved = _RELEASED
                return

    @property
    def is_released(self) -> bool:
        return self._saved is _RELEASED


class InplaceOpNode(OpNode):
    """The backward of an in-place op whose derivative differs from the ordinary form's."""

    __slots__ = ()

    @property
    def derivative(self) -> Any:
        return self.op.rule("inplace_derivative")


class ViewAgain(OpNode):
    """The backward of a view whose history was looked up again, behind a write: as torch's `as_strided`, it gives a gradient that
    has memory for each element.
    """

    __slots__ = ()

    def apply(self, grads: list[Any]) -> Any:
        (grad,) = super().apply(grads)
        return (gradient_ops.clone(grad) if grad is not None and has_repeats(grad.meta) else grad,)


class ZeroEdges(GradNode):
    """What a gradient has that does not vary with an op's inputs: it goes on as it is, and zeros go to these inputs.

    torch's second derivatives of relu, of maxima of windows and the like are such zeros. An optimizer skips a parameter without a
    gradient, but not one whose gradient is zero.
    """

    __slots__ = ("meta",)

    def __init__(self, grad: Tensor, edges: tuple[Edge, ...]) -> None:
        own: Edge = None if grad._node is None else (grad._node, grad._output_nr)
        super().__init__((own, *edges))
        self.meta = grad.meta

    def output_meta(self, output_nr: int) -> TensorMeta:
        return self.meta

    def apply(self, grads: list[Any]) -> Any:
        followed = [edge and gradient_ops.zeros(edge[0].output_meta(edge[1])) for edge in self.edges[1:]]
        return (grads[0], *followed)


def add_zero_edges(results: tuple[Tensor | None, ...], node: OpNode) -> None:
    """Make the gradients that a node has given depend on its inputs, or on its output if that is what it reads: their own
    gradients there are zeros."""
    edges: tuple[Edge, ...] = ((node, 0),) if _reads_output(node) else node.edges
    for grad in results:
        if grad is not None and grad._view is None:
            grad._node, grad._output_nr = ZeroEdges(grad, edges), 0


def _reads_output(node: OpNode) -> bool:
    """Whether the derivative reads the op's first output."""
    definition = node.op.definition
    saved = definition.inplace_saved if isinstance(node, InplaceOpNode) else definition.saved
    return definition.outputs[0] in saved
