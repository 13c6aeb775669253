"""Folding: what is computed of states alone becomes no part of a kernel that reads inputs.

    %1 = rsqrt(state0)                     %1 = rsqrt(state0)
    %2 = mul(input0, %1)           ->      %2 = late %1
    return %2                              %3 = mul(input0, %2)
                                           return %3

Fused with its reader, `rsqrt` would be computed in each run. By itself it is folded: memory planning gives it memory that nothing
else gets, and later runs find it there (`plan/folding.py`). Nothing is fused across a `Late`. What is larger than all that it is
made of stays with its readers: to read it would take longer than to compute it.
"""

from __future__ import annotations

from tritonflow.graph.ir import Graph, KernelNode, Late, Value, View, constant, root
from tritonflow.graph.passes.rewrite import Rewriting
from tritonflow.graph.plan.folding import fixed_values


def fold_states(graph: Graph) -> Graph:
    """The graph with such values apart from what reads inputs; itself unless it folds."""
    return _Folding(graph).run() if graph.folds else graph


class _Folding:
    def __init__(self, graph: Graph) -> None:
        self.graph, self.fixed = graph, fixed_values(graph)
        self.rewriting = Rewriting(graph)
        self.of_states = {state.value for state in graph.states}
        self.apart: set[Value] = set()
        self.late: dict[Value, Value] = {}

    def run(self) -> Graph:
        rewriting = self.rewriting
        for node in self.graph.nodes:
            if any(value in self.of_states for value in node.operands()):
                self.of_states.update(node.outputs)
            is_fixed = any(value in self.fixed for value in node.outputs)
            if is_fixed and isinstance(node, KernelNode):
                self.apart.update(value for value in node.outputs if self.is_worth(node, value))
            if is_fixed or isinstance(node, View):
                rewriting.add(node)
            else:
                rewriting.add(node, self.seen)
        return rewriting.finish()

    def is_worth(self, node: KernelNode, value: Value) -> bool:
        """Whether a fixed value is computed of states, and no larger than what it is made of."""
        largest = max((operand.meta.numel for operand in node.operands()), default=0)
        return value in self.of_states and constant(value) is None and value.meta.numel <= largest

    def seen(self, value: Value) -> Value:
        """A value as a node reads it that is not fixed."""
        now = self.rewriting.now(value)
        if value not in self.fixed or root(value) not in self.apart:
            return now
        if value not in self.late:
            late = Late(now, now)
            self.rewriting.nodes.append(late)
            self.late[value] = late.outputs[0]
        return self.late[value]
