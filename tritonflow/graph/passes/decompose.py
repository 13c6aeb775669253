"""Decomposition: a composite op becomes simpler ops, where one of these is faster as one kernel with a neighbour.

    %2, %3, %4 = batch_norm(%1, w, b)          %3, %4 = batch_norm_statistics(%1)
    %5 = relu(%2)                              %6 = mul(%4, w)
    return %5                           ->     %7 = sub(%1, %3)
                                               %8 = mul(%7, %6)
                                               %2 = add(%8, b)
                                               %5 = relu(%2)
                                               return %5

The registry has the formulas of a composite op (`decomposition`). Alone, these simpler ops take as long as the composite one. They
pay where some of them are fused: with a reader, or with the node that makes the op's input, such as a product. The estimate that
decides about fusion (`fusion/price.py`) decides here, too. Other composite ops stay as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from tritonflow.amp import autocast
from tritonflow.execution.lazy import eager
from tritonflow.graph.capture.capture import Capture
from tritonflow.graph.fusion.decisions import Decision
from tritonflow.graph.fusion.group import fit, fusable
from tritonflow.graph.fusion.price import Prices, compare, device_model_of, work_of
from tritonflow.graph.fusion.product import space_behind, takes_epilogue
from tritonflow.graph.ir import Compute, Graph, Node, Value, root
from tritonflow.graph.passes.fuse_pointwise import template_of, too_large
from tritonflow.graph.passes.rewrite import Rewriting, replaced
from tritonflow.interpreter.grad_mode import no_grad


def decompose(graph: Graph, decisions: list[Decision] | None = None) -> Graph:
    """The graph with the parts of ops in place of these; what is decided is noted in `decisions`."""
    return _Decomposition(graph, decisions).run()


class _Decomposition:
    def __init__(self, graph: Graph, decisions: list[Decision] | None) -> None:
        self.graph = graph
        self.decisions = decisions
        self.readers = graph.readers()
        self.producers = graph.producers()

    def run(self) -> Graph:
        nodes: list[Node] = []
        same: dict[Value, Value] = {}
        for node in self.graph.nodes:
            parts, seen = parts_of(node) if isinstance(node, Compute) and node.op.definition.composite else ([], {})
            if isinstance(node, Compute) and parts and self.pays(node, parts):
                nodes += parts
                same.update(seen)
                self.producers.update((value, part) for part in parts for value in part.outputs)
            else:
                nodes.append(node)
        return replaced(replace(self.graph, nodes=nodes), same)

    def pays(self, node: Compute, parts: Sequence[Node]) -> bool:
        """Whether some part is faster in one kernel with what reads the op, or makes what it reads."""
        for value in node.outputs:
            body = [part for part in parts if fusable(part) and part.outputs[0].meta.numel == value.meta.numel]
            if not any(value in part.outputs for part in body):
                continue
            behind = [reader for reader in self.readers.through_views(value) if fusable(reader)]
            if any(self.joins(node, body, reader) for reader in behind) or self.joins_before(node, parts, body):
                return True
        return False

    def joins_before(self, node: Compute, parts: Sequence[Node], body: Sequence[Any]) -> bool:
        """Whether the parts of a body are faster behind a product, or other ops, that nothing else of the op has to wait for."""
        outside = [part for part in parts if isinstance(part, Compute) and part not in body]
        read = {root(value) for part in outside for value in part.operands()}
        for value in dict.fromkeys(root(value) for value in node.operands()):
            before = self.producers.get(value)
            if not isinstance(before, Compute) or value in read:
                continue
            if takes_epilogue(before):
                if self.joins_product(node, body, before):
                    return True
            elif fusable(before) and self.joins(node, body, before, before=True):
                return True
        return False

    def joins(self, node: Compute, body: Sequence[Any], other: Any, before: bool = False) -> bool:
        """Whether parts and another op are faster as one kernel."""
        groups = [[other], list(body)] if before else [list(body), [other]]
        together = [each for group in groups for each in group]
        if too_large(together) or fit(together) is None:
            return False
        model = device_model_of(node.outputs[0])
        works = [work_of(group, template_of(group), self.stored(group), model) for group in (*groups, together)]
        return self.decide(node, other, compare(works[:2], works[2], model))

    def joins_product(self, node: Compute, body: Sequence[Any], product: Compute) -> bool:
        """Whether parts are faster in the tiles of a product than by themselves."""
        if space_behind(product, body) is None:
            return False
        result, model = product.outputs[0], device_model_of(node.outputs[0])
        stored = self.stored(body)
        needed = self.stored([product, *body]) & {result}
        alone = work_of([], "product", {result}, model, [result]), work_of(body, "elements", stored, model)
        return self.decide(
            node, product, compare(alone, work_of(body, "product", stored | needed, model, [result]), model)
        )

    def stored(self, body: Sequence[Any]) -> set[Value]:
        """The values of some nodes that others need in memory; what parts make for each other is not known to the graph."""
        inside = set(body)
        made = [value for node in body for value in node.outputs]
        return {v for v in made if self.readers.is_result(v) or not inside.issuperset(self.readers.through_views(v))}

    def decide(self, node: Compute, other: Compute, prices: Prices) -> bool:
        """Whether it pays, noted for those who ask."""
        if self.decisions is not None:
            self.decisions.append(Decision([node], [other], "in parts with", prices=prices))
        return prices.pays


def parts_of(node: Compute) -> tuple[list[Node], dict[Value, Value]]:
    """What makes an op's outputs in its place, and what stands for outputs that are views or constants.

    There is nothing where the registry has no formulas that fit.
    """
    if not all(value.meta.numel for value in node.outputs):
        return [], {}
    device = node.outputs[0].meta.device.type
    with no_grad(), autocast(device, enabled=False), eager(), Capture() as capture:
        capture.source_line = node.source_line
        tensors = [None if value is None else capture.tensor(value) for value in node.inputs]
        made = node.op.rule("decomposition")(tensors, node.attrs, node.dynamic)
        if made is None:
            return [], {}
        results = [capture.read(tensor) for tensor in (*made, *[tensors[k] for k in node.written])]
    graph, pairs = capture.recorded(), list(zip(results, node.outputs))
    producers = graph.producers()
    if len(set(results)) < len(results) or any(new.meta is not old.meta or new not in producers for new, old in pairs):
        return [], {}
    rewriting = Rewriting(graph, {new: old for new, old in pairs if new.definition is None})
    for each in graph.nodes:
        part = rewriting.add(each)
        if any(value in rewriting.same for value in part.outputs):
            rewriting.nodes[-1] = part.replace(outputs=tuple(map(rewriting.now, part.outputs)))
    return rewriting.nodes, {old: rewriting.now(new) for new, old in pairs if new.definition is not None}
