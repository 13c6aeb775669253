"""The eager tensors that a capture meets, and the states that stand for their memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tritonflow.dtypes import uint8
from tritonflow.framework.meta import TensorMeta, contiguous_meta
from tritonflow.framework.tensor import Tensor
from tritonflow.graph.ir import State, Value
from tritonflow.interpreter.engine import history_of
from tritonflow.interpreter.grad_node import AccumulateGrad, Edge, GradNode
from tritonflow.thread_state import thread_state


class StateStore:
    """States by the impls of eager tensors: parameters, buffers, and any other that the program uses.

    Args:
        meet: called with each of them once.
    """

    def __init__(self, meet: Callable[[Tensor], None]) -> None:
        self._met_first = meet
        self._by_impl: dict[Any, State] = {}
        self._met: dict[int, Tensor] = {}
        self._edges: dict[int, Edge] = {}  # of these, when they were met
        self._aliased: dict[int, Tensor] = {}  # those whose memory other tensors were given
        self._recorded: set[int] = set()  # of these, what was met while histories were recorded
        self._overwritten: set[Any] = set()  # impls that in-place ops were called on

    def forget_listener(self) -> None:
        """Tell nobody of tensors that are met from now on."""
        self._met_first = lambda tensor: None

    def of(self, tensor: Tensor) -> State:
        """The state of an eager tensor's memory."""
        self._meet(tensor)
        impl = tensor.impl
        state = self._by_impl.get(impl)
        if state is None:
            meta = contiguous_meta((impl.block.nbytes,), uint8, tensor.meta.device)
            value = Value(meta, name=f"state{len(self._by_impl)}")
            state = self._by_impl[impl] = State(impl, value, value)
        return state

    def write(self, tensor: Tensor, value: Value) -> None:
        """Make a value the content of an eager tensor's memory from here on."""
        state = self.of(tensor)
        self._by_impl[state.impl] = State(state.impl, state.value, value)

    def all(self) -> list[State]:
        """The states by now, in the order in which they were met."""
        return list(self._by_impl.values())

    def _meet(self, tensor: Tensor) -> None:
        """Remember an eager tensor, or what it is a view of. A leaf has a gradient of its own, also over the memory of another."""
        while tensor._view is not None and not isinstance(tensor._node, AccumulateGrad):
            tensor = tensor._view[0]
        if id(tensor) not in self._met:
            self._met[id(tensor)] = tensor
            self._met_first(tensor)
            self._edges[id(tensor)] = _edge(tensor)
        if thread_state.grad_enabled:
            self._recorded.add(id(tensor))

    def note_alias(self, tensor: Tensor) -> None:
        """Remember an eager tensor whose memory another one has been given."""
        self._aliased.setdefault(id(tensor), tensor)

    def is_written(self, impl: Any) -> bool:
        """Whether the program has written a block."""
        state = self._by_impl.get(impl)
        return state is not None and state.result is not state.value

    def note_overwritten(self, impl: Any) -> None:
        """Note that an in-place op was called on a tensor of this impl."""
        self._overwritten.add(impl)

    def restrict_writes(self, allowed: set[Any]) -> None:
        """Let in-place ops write back to these impls only; on others they have changed the graph's copy."""
        self.forget_writes(self._overwritten - allowed)

    def forget_writes(self, impls: set[Any]) -> None:
        """Leave these as they are: the graph writes a copy of its own."""
        for impl in impls & self._by_impl.keys():
            self._by_impl[impl] = State(impl, self._by_impl[impl].value, self._by_impl[impl].value)

    def met(self) -> list[tuple[Tensor, Any, TensorMeta]]:
        """The eager tensors that the graph reads or writes, or others for them, each with its impl and its meta as they are."""
        return [(tensor, tensor.impl, tensor.meta) for tensor in {**self._met, **self._aliased}.values()]

    def constants(self) -> list[Tensor]:
        """The eager tensors that do not require grad, and were read where it would have made a difference."""
        return [tensor for key, tensor in self._met.items() if key in self._recorded and tensor._node is None]

    def histories(self) -> list[tuple[Tensor, Edge]]:
        """The eager tensors that the graph reads or writes and that require grad, and the edges that lead to them."""
        now = {**{key: _edge(tensor) for key, tensor in self._met.items()}, **{id(t): edge for t, edge in self.rewritten()}}
        return [(tensor, now[key]) for key, tensor in self._met.items() if now[key] is not None]

    def nodes_outside(self) -> set[GradNode]:
        """The histories that the eager tensors had when they were met, without leaves."""
        roots = [edge[0] for edge in self._edges.values() if edge is not None]
        return {node for node in history_of(roots) if not isinstance(node, AccumulateGrad)}

    def rewritten(self) -> list[tuple[Tensor, Edge]]:
        """The eager tensors whose history the graph makes, by writing what requires grad, and the edges that led to them before."""
        return [
            (tensor, self._edges[key])
            for key, tensor in self._met.items()
            if _edge(tensor) != self._edges[key] and not isinstance(tensor._node, AccumulateGrad)
        ]


def _edge(tensor: Tensor) -> Edge:
    """Where the gradient goes of a tensor that is a leaf, or no view."""
    return None if tensor._node is None else (tensor._node, tensor._output_nr)
