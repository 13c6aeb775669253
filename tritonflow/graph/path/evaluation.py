"""What a program has computed so far, while it is captured: its nodes run one by one, as eager mode runs ops."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tritonflow.binding.data_exchange import tolist
from tritonflow.execution.lazy import eager
from tritonflow.framework.capture_errors import value_unknown
from tritonflow.framework.tensor import Tensor
from tritonflow.graph.capture.capture import Capture
from tritonflow.graph.ir import Graph, State, Value
from tritonflow.graph.ir.concrete import concrete
from tritonflow.graph.ir.numbers import Numbers
from tritonflow.graph.path.parts import is_repeated, needed
from tritonflow.graph.plan.executable import Executable
from tritonflow.graph.watch.rewrite import untold


class Evaluation:
    """The values of a capture whose tensors are known.

    Args:
        capture: the program so far.
        tensors: gives those of the call that the program's inputs stand for.
        device: where it runs.
    """

    def __init__(self, capture: Capture, tensors: Callable[[], Sequence[Tensor]], device: Any) -> None:
        self._capture, self._tensors, self._device = capture, tensors, device
        self._known: dict[Value, Tensor] = {}

    def elements(self, value: Value) -> list[Any]:
        """The elements of a value, in order."""
        assert self._capture.reads is not None
        with eager(), untold():
            numbers = tolist(self._tensor(value, self._capture.reads.numbers).reshape(-1))
        return list(numbers)

    def _tensor(self, value: Value, numbers: Sequence[Any]) -> Tensor:
        """The tensor that a value is."""
        graph, known = self._capture.recorded(), self._known
        for given, tensor in zip(graph.inputs, self._tensors()):
            known.setdefault(given, tensor)
        nodes = needed(graph.nodes, [value], known)
        made = dict.fromkeys([v for node in nodes if not is_repeated(node) for v in node.outputs])
        outputs = list(dict.fromkeys([value, *made]))
        used = dict.fromkeys([*[v for node in nodes for v in node.operands()], value])
        states = [State(state.impl, state.value, state.value) for state in graph.states if state.value in used]
        own = {*[state.value for state in states], *[v for node in nodes for v in node.outputs]}
        inputs = [v for v in used if v not in own]
        if not all(v in known for v in inputs):
            raise value_unknown()
        graph = Graph(inputs, states, nodes, outputs)
        executable = Executable(concrete(graph, Numbers(numbers)) if self._capture.sizes else graph, self._device)
        results = executable.run([known[v] for v in inputs], numbers)
        known.update((v, result) for v, result in zip(outputs, results) if v in made)
        return results[0]
