"""The ops of a program as nodes of a graph: what the lazy interpreter writes to (`execution.lazy.Sink`).

Every storage has a current value: a lazy one in its impl, an eager one (a parameter, a buffer, any other tensor) in the state
store. Reading a tensor gives the storage's value, or a view of it; writing one gives the storage a new value.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tritonflow.device.device import Device
from tritonflow.errors import CaptureError
from tritonflow.execution.op_expr import OpExpr, op_expr
from tritonflow.framework.meta import TensorMeta
from tritonflow.framework.tensor import Tensor
from tritonflow.framework.tensor_impl import LazyTensorImpl
from tritonflow.graph.capture.leaf_gradients import GradientPolicy
from tritonflow.graph.capture.state_store import StateStore
from tritonflow.graph.ir import Compute, Graph, Node, Segment, Update, Value, View
from tritonflow.interpreter.grad_node import AccumulateGrad
from tritonflow.vm.failure import SourceLine, caller


class Recording:
    """The nodes of a program, and what each storage holds at this point of it.

    Args:
        infer: says the metas of an op's results, as `execution.lazy.infer`.
        device: where the program runs; None where it has no inputs to say so.
        states: the eager tensors that it has met, and their states.
        gradients: what becomes of the gradients of leaves.
    """

    source_line: SourceLine | None = None

    def __init__(self, infer: Callable[..., Any], device: Device | None, states: StateStore, gradients: GradientPolicy) -> None:
        self.infer = infer
        self.device = device
        self.states = states
        self.gradients = gradients
        self._given: list[Value] = []
        self._inputs: list[Tensor] = []
        self._nodes: list[Node] = []
        self._segments: list[Segment] = []
        self._phases: list[int] = []  # where a backward begins or ends
        self._views: dict[tuple[Value, TensorMeta, int], Value] = {}
        self._mine: set[Value] = set()  # the values of this graph
        self._written: list[Any] = []  # the impls of eager tensors that were written, each time

    def tensor(self, value: Value) -> Tensor:
        """A tensor whose storage holds a value."""
        return Tensor(value.meta, LazyTensorImpl(self._own(value)), 0)

    def recorded(self, outputs: Sequence[Value] = ()) -> Graph:
        """The graph of what is recorded so far, with these outputs."""
        return Graph(self._given, self.states.all(), self._nodes, outputs, self._segments, self._phases)

    def memory(self) -> tuple[list[Value], list[Value]]:
        """The values of all inputs and states at this point of the program."""
        return [tensor.impl.value for tensor in self._inputs], [state.result for state in self.states.all()]

    def elsewhere(self, results: Sequence[TensorMeta | None]) -> Device | None:
        """Another device than the program's that has a result with one of these metas; None if there is none."""
        if self.device is None:
            return None
        return next((meta.device for meta in results if meta is not None and meta.device is not self.device), None)

    def compute(
        self,
        op: OpExpr,
        inputs: tuple[Tensor | None, ...],
        attrs: tuple[Any, ...],
        dynamic: tuple[Any, ...],
        results: Any,
        out: Tensor | None,
    ) -> list[Tensor]:
        """Record an op; returns tensors for its outputs, or `out`, which it is written over."""
        for tensor in inputs:
            if tensor is not None and isinstance(tensor._node, AccumulateGrad):
                self.gradients.use(tensor)
        for position in op.written(inputs, attrs):
            self._make_writable(inputs[position])
        values = tuple([None if t is None else self.read(t) for t in inputs])
        over = None if out is None else out.meta
        node = self._node(op, values, attrs, dynamic, results, over)
        for position, after in zip(node.written, node.outputs[node.results :]):
            tensor = inputs[position]
            assert tensor is not None
            self.write(tensor, after)
        if out is None:
            return [self.tensor(value) for value in node.outputs[: node.results]]
        self.write(out, node.outputs[0])
        if not out.impl.is_lazy:
            self.states.note_overwritten(out.impl)
        return [out]

    def read(self, tensor: Tensor) -> Value:
        """The value of a tensor at this point of the program."""
        base, offset = self._storage(tensor)
        if base.meta is tensor.meta and offset == 0:
            return base
        key = (base, tensor.meta, offset)
        found = self._views.get(key)
        if found is None:
            view = View(base, tensor.meta, offset)
            self._nodes.append(view)
            found = self._views[key] = self._own(view.outputs[0])
        return found

    def content(self, tensor: Tensor) -> Value:
        """What the storage of a tensor holds at this point of the program: another value behind each write."""
        return self._storage(tensor)[0]

    def write(self, tensor: Tensor, value: Value) -> None:
        """Make `value` the tensor's from here on."""
        base, offset = self._storage(tensor)
        if offset or base.meta is not tensor.meta:
            self._make_writable(tensor)
            base, _ = self._storage(tensor)
            update = Update(base, value, tensor.meta, offset, caller(4))
            self._nodes.append(update)
            value = self._own(update.outputs[0])
        if tensor.impl.is_lazy:
            tensor.impl.value = value
        else:
            self._written.append(tensor.impl)
            self.states.write(tensor, value)

    def _storage(self, tensor: Tensor) -> tuple[Value, int]:
        """The current value of a tensor's storage, and the tensor's offset in it."""
        impl = tensor.impl
        if impl.is_lazy:
            if impl.value not in self._mine:
                raise CaptureError("a tensor made while another graph was captured has no value here: return it from there")
            return impl.value, tensor.ptr
        state = self.states.of(tensor)
        self._mine.add(state.value)
        return state.result, tensor.ptr - impl.block.ptr

    def _make_writable(self, tensor: Any) -> None:
        """Give the storage of an input a copy, before it is written: the caller's memory is not."""
        base, _ = self._storage(tensor)
        if base in self._given:
            copy = self._node(op_expr("contiguous_copy"), (base,), (), (), [base.meta])
            tensor.impl.value = copy.outputs[0]

    def add(self, node: Node) -> Node:
        """Record a node."""
        self._nodes.append(node)
        self._mine.update(node.outputs)
        return node

    def _own(self, value: Value) -> Value:
        self._mine.add(value)
        return value

    def _node(
        self, op: OpExpr, values: Any, attrs: Any, dynamic: Any, metas: Any, over: TensorMeta | None = None
    ) -> Compute:
        node = Compute(op, values, attrs, dynamic, metas, over, self.source_line or caller(4))
        self._nodes.append(node)
        for value in node.outputs:
            self._own(value)
        return node
