"""The combine function of a reduction or a scan, applied to lanes."""

from __future__ import annotations

from tritonflow.triton_cpu.errors import UnsupportedError
from tritonflow.triton_cpu.ir import Block, Op, Value
from tritonflow.triton_cpu.types import is_small, literal

from . import convert, elementwise
from .evaluate import LazyEvaluator
from .lanes import Lanes, uniform

# Float arithmetic that is the same in a wider type but for the rounding.
_WIDENS = frozenset(
    "arith.constant arith.addf arith.subf arith.mulf arith.divf arith.negf arith.cmpf arith.select arith.maxnumf "
    "arith.minnumf arith.maximumf arith.minimumf math.fma tt.reduce.return tt.scan.return".split()
)


def in_f32(region: Block) -> bool:
    """Whether a function of halves or fp8 may be computed in f32, and rounded once at the end."""
    return all(is_small(arg.type.elem) for arg in region.args) and all(op.name in _WIDENS for op in region.ops)


def combine(
    lazy: LazyEvaluator, region: Block, left: list[Lanes], right: list[Lanes], width: int, wide: bool = False
) -> list[Lanes]:
    """`region(left..., right...)` for each lane. It may read scalars from outside.

    `wide` is for regions that are `in_f32`: halves and fp8 are then f32 in operands and results.
    """
    known: dict[Value, Lanes] = dict(zip(region.args, left + right, strict=True))

    def kind(value: Value) -> str:
        return "f32" if wide and is_small(value.type.elem) else value.type.elem

    for op in region.ops:
        if op.name in ("tt.reduce.return", "tt.scan.return"):
            return [_operand(lazy, known, value, op, wide) for value in op.operands]
        if op.name == "arith.constant":
            known[op.result] = _constant(lazy, op, kind(op.result))
        elif op.regions or not op.results:
            raise UnsupportedError(f"{op.name} in a combine function", op.line, op.text)
        else:
            args = [_operand(lazy, known, value, op, wide) for value in op.operands]
            known[op.result] = elementwise.evaluate(lazy.lb, op, args, kind(op.result), width)
    raise UnsupportedError("a combine function without a result")


def _constant(lazy: LazyEvaluator, op: Op, elem: str) -> Lanes:
    own = op.result.type.elem
    value = uniform(own, literal(own, op.attrs["value"]))
    return value if elem == own else convert.as_compute(lazy.lb, value, 1)


def _operand(lazy: LazyEvaluator, known: dict[Value, Lanes], value: Value, op: Op, wide: bool) -> Lanes:
    if value in known:
        return known[value]
    if value in lazy.values.scalars:
        outside = lazy.values.scalars[value]
        return convert.as_compute(lazy.lb, outside, 1) if wide else outside
    raise UnsupportedError("a combine function that uses a tensor from outside", op.line, op.text)
