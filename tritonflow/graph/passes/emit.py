"""Emission: of each boxing become the ops and collectives that this rank does in it.

    %1 = box input0 P -> B for add         %2, %3 = start gather of input0, -
    %7 = exp(input1)                       %7 = exp(input1)
    %4 = add(%1, %7)                       %5, %6 = done %2, input0, %3
                                     ->    %1 = combine_shares(%5)
                                           %4 = add(%1, %7)

Behind it passes see ops that they know. A sum is fused with what reads it, and a copy that packs what is sent with what makes it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tritonflow.amp import autocast
from tritonflow.execution import lazy
from tritonflow.execution.context import OpContext
from tritonflow.execution.lazy import eager
from tritonflow.execution.op_expr import OpExpr
from tritonflow.framework.meta import TensorMeta
from tritonflow.framework.tensor import Tensor
from tritonflow.graph.capture.capture import Capture
from tritonflow.graph.ir import Boxing, CollectiveDone, CollectiveStart, Graph, Node, Value
from tritonflow.graph.passes.rewrite import Rewriting, views_where_read
from tritonflow.interpreter.grad_mode import no_grad


def emit(graph: Graph) -> Graph:
    """The graph without boxings."""
    if not any(isinstance(node, Boxing) for node in graph.nodes):
        return graph
    return _Emission(views_where_read(graph)).run()


@contextmanager
def recording(boxing: Boxing) -> Iterator[Capture]:
    """A block whose ops become nodes that stand for a boxing, whatever is captured around it."""
    with no_grad(), autocast(boxing.outputs[0].meta.device.type, enabled=False), eager(), Capture() as capture:
        capture.source_line = boxing.source_line
        yield capture


class _Emission:
    """Writes a graph anew.

    The collectives of a boxing start where it stands, in an order that is the same on all ranks. What follows the last start, its
    done first, stands before the first reader: kernels between the two run while messages are on their way.
    """

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.new = Rewriting(graph)
        self.token: Value | None = None
        self.waiting: dict[Value, list[Node]] = {}  # by values of the old graph, what is left to do for them

    def run(self) -> Graph:
        for node in self.graph.nodes:
            for value in node.operands():
                self.finish(value)
            if isinstance(node, Boxing):
                self.emit(node)
            else:
                self.new.add(node)
        for value in list(self.waiting):
            self.finish(value)
        return self.new.finish()

    def finish(self, value: Value) -> None:
        """Add what is left to do for a value that somebody reads."""
        self.new.nodes += self.waiting.pop(value, ())

    def emit(self, boxing: Boxing) -> None:
        """Add what starts a boxing, and note what ends it."""
        from tritonflow.boxing import steps  # programs on one rank need no boxing

        (shard,), (output,) = boxing.operands(), boxing.outputs
        with recording(boxing) as capture:
            road = _Recorded(capture, self.token, output.meta)
            value = capture.read(steps.moved(boxing.route, capture.tensor(self.new.now(shard)), boxing.what, road))
        if value.meta is not output.meta:
            raise RuntimeError(f"{boxing.route}: a shard of {output.meta} came out as {value.meta}")
        nodes, self.token = list(capture.recorded().nodes), road.token
        behind = max([k for k, node in enumerate(nodes) if isinstance(node, CollectiveStart)], default=len(nodes) - 1) + 1
        self.new.nodes += nodes[:behind]
        self.waiting[output] = nodes[behind:]
        self.new.same[output] = value


class _Recorded:
    """The road on which ops and verbs become nodes.

    Args:
        capture: gets them.
        token: of the collective before.
        meta: of a tensor on the device.

    Attributes:
        token: of the last collective.
    """

    def __init__(self, capture: Capture, token: Value | None, meta: TensorMeta) -> None:
        self._capture, self.token, self._device = capture, token, meta.device

    def apply(self, op: OpExpr, inputs: tuple[Tensor, ...], context: OpContext) -> Any:
        """Record an op."""
        return lazy.apply(op, inputs, context)

    def allocate(self, meta: TensorMeta) -> Tensor:
        """A tensor that nothing has been written to."""
        return self._capture.over_ranks.empty(meta)

    def move(self, verb: Any, sent: Tensor | None, received: TensorMeta | None, what: str) -> Tensor | None:
        """Record a collective."""
        capture = self._capture
        value = None if sent is None else capture.read(sent)
        start = CollectiveStart(verb, what, value, self.token, received, self._device, capture.source_line)
        done = CollectiveDone(start)
        capture.add(start)
        capture.add(done)
        self.token = start.token
        return None if received is None else capture.tensor(done.outputs[0])
