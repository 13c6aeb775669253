"""Emission: of each boxing become the ops and collectives that this rank does in it.

    %1 = box input0 P -> B for add         %2, %3 = start gather of input0, -
    %4 = add(%1, input1)                   %5, %6 = done %2, input0, %3
                                     ->    %1 = combine_shares(%5)
                                           %4 = add(%1, input1)

Behind it passes see ops that they know. A sum is fused with what reads it, and a copy that packs what is sent with what makes it.
"""

from __future__ import annotations

from typing import Any

from tritonflow.amp import autocast
from tritonflow.execution import lazy
from tritonflow.execution.context import OpContext
from tritonflow.execution.lazy import eager
from tritonflow.execution.op_expr import OpExpr
from tritonflow.framework.meta import TensorMeta
from tritonflow.framework.tensor import Tensor
from tritonflow.graph.capture.capture import Capture
from tritonflow.graph.ir import Boxing, CollectiveDone, CollectiveStart, Graph, Value
from tritonflow.graph.passes.rewrite import Rewriting
from tritonflow.interpreter.grad_mode import no_grad


def emit(graph: Graph) -> Graph:
    """The graph without boxings."""
    if not any(isinstance(node, Boxing) for node in graph.nodes):
        return graph
    rewriting, token = Rewriting(graph), None
    for node in graph.nodes:
        if isinstance(node, Boxing):
            token = _emit(node, rewriting, token)
        else:
            rewriting.add(node)
    return rewriting.finish()


def _emit(boxing: Boxing, rewriting: Rewriting, token: Value | None) -> Value | None:
    """Write what makes a boxing's value; gives the token of the last collective."""
    from tritonflow.boxing.steps import moved  # programs on one rank need no boxing

    (shard,), meta = boxing.operands(), boxing.outputs[0].meta
    with no_grad(), autocast(meta.device.type, enabled=False), eager(), Capture() as capture:
        capture.source_line = boxing.source_line
        road = _Recorded(capture, token, meta)
        result = moved(boxing.route, capture.tensor(rewriting.now(shard)), boxing.what, road)
        value = capture.read(result)
    if value.meta is not meta:
        raise RuntimeError(f"{boxing.route}: a shard of {meta} came out as {value.meta}")
    rewriting.nodes += capture.recorded().nodes
    rewriting.same[boxing.outputs[0]] = value
    return road.token


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
