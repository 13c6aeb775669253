"""Reductions with the pointwise ops in front of them in their kernel."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeGuard

from tritonflow.graph.fusion.group import Body, FusedNode, fit, is_draw
from tritonflow.graph.fusion.space import Space
from tritonflow.graph.ir import Compute, Node, Value
from tritonflow.ops.epilogue import dims_of_parts
from tritonflow.ops.operands import Input
from tritonflow.ops.plan import Plan
from tritonflow.ops.reduce import Source


class FusedReduction(FusedNode):
    """A reduction and the ops that compute what it reduces, which is stored nowhere.

    Args:
        body: the pointwise ops, in order.
        elements: what they make and the op reduces.
        reduction: the op.
    """

    __slots__ = ("elements", "reduction")
    elements: Value
    reduction: Compute

    def __init__(self, body: Sequence[Compute], elements: Value, reduction: Compute) -> None:
        self._fill(elements=elements, reduction=reduction, source_line=reduction.source_line, outputs=reduction.outputs)
        space = space_before(body, reduction)
        assert space is not None
        super().__init__(body, space)

    def ops(self) -> Sequence[Compute]:
        return (*self.body, self.reduction)

    def plan(self) -> Plan:
        """The reduction's plan, whose elements the body computes."""
        reduction, sizes = self.reduction, self.space.sizes
        (x,) = reduction.operands()
        body = Body(self.body, self.space, self.reads)
        parts = dims_of_parts(sizes, x.meta.shape)
        assert parts is not None
        source = Source(
            body.function(f"fused_{reduction.op.name}_of", body.parameters, [self.elements]),
            (*Input.several(len(self.reads)), *body.scalars),
            sizes,
            parts,
            (*[strides for _, strides in self.reads], *[(0,) * len(sizes) for _ in body.scalars]),
            tuple([value.meta for value, _ in self.reads]),
        )
        plan: Plan = reduction.op.plan((x.meta,), reduction.attrs, source=source)
        return plan


def space_before(body: Sequence[Compute], reduction: Compute) -> Space | None:
    """The space of ops in front of a reduction, cut where its dimensions are; None if there is none."""
    (x,) = reduction.operands()
    if not x.meta.shape or any(map(is_draw, body)):
        return None
    space = fit(body, parts=x.meta.shape)
    return space if space is not None and not space.cols else None


def template_of(reduction: Compute) -> str:
    """The template of the cost model: tiles run along the rows where the last dimension is reduced, along the results otherwise."""
    (x,), attrs = reduction.operands(), dict(zip(reduction.op.definition.attrs, reduction.attrs))
    dims = attrs["dim"] if isinstance(attrs["dim"], (tuple, list)) else (attrs["dim"],)
    return "reduction" if not dims or x.meta.ndim - 1 in dims else "columns"


def takes_source(node: Node) -> TypeGuard[Compute]:
    """Whether a node is a reduction whose kernel can compute its elements."""
    if not isinstance(node, Compute) or not node.op.definition.target.startswith("reduce."):
        return False
    return node.op.definition.fusion.startswith("rows.") and all(
        v.meta.dtype.is_floating_point for v in node.operands()
    )
