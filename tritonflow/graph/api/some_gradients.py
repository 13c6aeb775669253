"""The backward of a call of which some results get no gradient: what leads to these alone does not run, as in eager mode.

No gradient is not a gradient of zeros. Where a derivative is not finite, as that of a root at 0, zeros times it are NaN.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from itertools import islice

from tritonflow.graph.ir import Graph, Late, Node, Value, View
from tritonflow.graph.passes.fold_constants import full
from tritonflow.graph.path.part_program import PartMaker

_MOST = 16  # sets of results


class SomeGradients:
    """The programs of a backward for the sets of results that get a gradient.

    Args:
        graph: the backward for all results, whose last inputs are their gradients.
        results: how many there are.
        programs: makes what makes the programs of a graph.
    """

    def __init__(self, graph: Graph, results: int, programs: Callable[[Graph], PartMaker]) -> None:
        self._graph, self._first = graph, len(graph.inputs) - results
        self._programs = programs
        self._made: dict[frozenset[int], tuple[PartMaker, list[int]]] = {}

    def of(self, given: frozenset[int]) -> tuple[PartMaker, list[int]]:
        """What makes the programs where these results have a gradient, and the positions of the inputs that they take."""
        found = self._made.get(given)
        if found is None:
            tangents = self._graph.inputs[self._first :]
            graph, inputs = without(self._graph, tangents, [t for number, t in enumerate(tangents) if number not in given])
            found = self._programs(graph), inputs
            if len(self._made) < _MOST:
                self._made[given] = found
        return found


def without(graph: Graph, tangents: Sequence[Value], missing: Collection[Value]) -> tuple[Graph, list[int]]:
    """A backward where some gradients are missing, and the positions of the inputs that it takes.

    A node all of whose gradients are missing does not run, and what it makes is missing. Elsewhere zeros are in its stead.

    Args:
        graph: it is linear in the gradients.
        tangents: its inputs that are gradients.
        missing: some of these.
    """
    gradients, absent = set(tangents), set(missing)
    nodes: list[Node] = []

    def present(value: Value) -> Value:
        if value not in absent:
            return value
        zeros = full(value.meta.contiguous(), 0.0)
        nodes.append(zeros)
        if value.meta.is_contiguous:
            return zeros.outputs[0]
        nodes.append(View(zeros.outputs[0], value.meta, 0))
        return nodes[-1].outputs[0]

    renamed: dict[Value, Value] = {}
    for node in graph.nodes:
        if isinstance(node, Late) and node.inputs[1] in absent:  # it waits for what runs before instead
            node = node.replace(inputs=(node.inputs[0], nodes[-1].outputs[0] if nodes else node.inputs[0]))
        given = [value for value in decides(node) if value in gradients]
        if given:
            gradients.update(node.outputs)
        if given and absent.issuperset(given) and not node.moves:  # other ranks wait for what moves
            for position, output in node.aliases() if node.written else ():
                renamed[output] = renamed.get(node.inputs[position], node.inputs[position])  # type: ignore[arg-type, assignment]
            absent.update(value for value in node.outputs if renamed.get(value) is None or renamed[value] in absent)
            continue
        own = node.reading(lambda value: present(renamed.get(value, value)))
        nodes.append(own)
        renamed.update(zip(node.outputs, own.outputs))
    outputs = [present(renamed.get(value, value)) for value in graph.outputs]
    states = [replace(state, result=renamed.get(state.result, state.result)) for state in graph.states]
    used = {value for node in nodes for value in node.operands()}.union(outputs)
    inputs = [position for position, value in enumerate(graph.inputs) if value in used]
    return replace(graph, inputs=[graph.inputs[k] for k in inputs], states=states, nodes=nodes, outputs=outputs), inputs


def decides(node: Node) -> Iterable[Value]:
    """The values by whose numbers those of a node are decided: what a `Late` waits for is none of them."""
    return node.operands() if not isinstance(node, Late) else islice(node.operands(), 1)
