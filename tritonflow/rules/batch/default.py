"""The rule of ops that name none: what the registry says of them is enough, or one example runs after the other."""

from __future__ import annotations

from typing import Any

from tritonflow.interpreter.batched import BatchedCall
from tritonflow.ops.op_def import OpDef
from tritonflow.rules.batch import elementwise
from tritonflow.rules.batch.examples import looped


def by_definition(call: BatchedCall) -> Any:
    """A pointwise op, an op along dimensions, an op with any dimensions in front, or a loop."""
    definition = call.op.definition
    if definition.kind == "pointwise":
        return elementwise.pointwise(call)
    if call.out is None and _is_along(definition):
        return elementwise.along(call)
    if call.out is None and _has_free_dims_in_front(definition):
        return elementwise.leading(call)
    return looped(call)


def _is_along(definition: OpDef) -> bool:
    """Whether an op reduces, scans or sorts along dimensions that an attribute names: others are independent."""
    return definition.sbp.partition(".")[0] in ("reduce", "along") and bool({"dim", "dims"} & set(definition.attrs))


def _has_free_dims_in_front(definition: OpDef) -> bool:
    """Whether all inputs and outputs of an op may have any dimensions in front, which its sbp rule writes as "..."."""
    factors = definition.sbp.partition("|")[0]
    sides = factors.split("->")
    return len(sides) == 2 and all(term.strip().startswith("...") for side in sides for term in side.split(","))
