"""The combine function of a reduction or a scan, applied to lanes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..errors import UnsupportedError
from ..ir import Block, Op, Value
from ..types import literal
from . import elementwise
from .lanes import Lane, uniform

if TYPE_CHECKING:
    from .lowering import Lowering


def combine(low: Lowering, region: Block, left: list[Lane], right: list[Lane], width: int) -> list[Lane]:
    """`region(left..., right...)` for each lane. Scalars from outside, constants mostly, are visible in it."""
    known: dict[Value, Lane] = dict(zip(region.args, left + right, strict=True))
    for op in region.ops:
        if op.name in ("tt.reduce.return", "tt.scan.return"):
            return [_operand(low, known, value, op) for value in op.operands]
        if op.name == "arith.constant":
            known[op.result] = uniform(op.result.type.elem, literal(op.result.type.elem, op.attrs["value"]))
        elif op.regions or not op.results:
            raise UnsupportedError(f"{op.name} in a combine function", op.line, op.text)
        else:
            args = [_operand(low, known, value, op) for value in op.operands]
            known[op.result] = elementwise.evaluate(low.lb, op, args, op.result.type.elem, width)
    raise UnsupportedError("a combine function without a result")


def _operand(low: Lowering, known: dict[Value, Lane], value: Value, op: Op) -> Lane:
    if value in known:
        return known[value]
    if value in low.scalars:
        return low.scalars[value]
    raise UnsupportedError("a combine function that uses a tensor from outside", op.line, op.text)
