"""Masks whose truth for a whole chunk is decided at the chunk's corners."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..ir import Value
from . import views

if TYPE_CHECKING:
    from .lowering import Lowering

_MAX_FACTOR = 1 << 16


@dataclass(frozen=True, slots=True)
class MaskUse:
    mask: Value
    symbolic: views.Symbolic


def find_masks(
    low: Lowering, values: Iterable[Value], masks: Iterable[Value], shape: tuple[int, ...]
) -> tuple[MaskUse, ...]:
    """The masks of the loads that `values` reach, and `masks`, as far as corners decide them."""
    identity: views.Symbolic = tuple(range(len(shape)))
    uses: dict[MaskUse, None] = {}
    unusable: set[Value] = set()

    def visit(value: Value, symbolic: views.Symbolic) -> None:
        if value.op is not None and value.op.name == "tt.load" and len(value.op.operands) > 1:
            note(value.op.operands[1], symbolic)

    def note(mask: Value, symbolic: views.Symbolic) -> None:
        if not mask.type.is_tensor:
            return
        if None in symbolic or not monotone(low, mask):
            unusable.add(mask)
        uses[MaskUse(mask, symbolic)] = None

    for value in values:
        views.reach(low, value, identity, visit)
    for mask in masks:
        note(mask, identity)
    return tuple(use for use in uses if use.mask not in unusable)


def monotone(low: Lowering, mask: Value) -> bool:
    """A conjunction of signed comparisons of affine values: true everywhere in a box if true at its corners."""
    if not mask.type.is_tensor:
        return True
    op = mask.op
    if op is None or mask in low.buffers or mask in low.pending or mask in low.chosen:
        return False
    if op.name == "arith.andi":
        return all(monotone(low, operand) for operand in op.operands)
    if op.name in ("tt.broadcast", "tt.expand_dims", "tt.splat"):
        return monotone(low, op.operands[0])
    if op.name == "arith.constant":
        return True
    ordered = op.name == "arith.cmpi" and op.attrs["predicate"].startswith("s")
    return ordered and all(_affine(low, operand) for operand in op.operands)


def _affine(low: Lowering, value: Value) -> bool:
    if not value.type.is_tensor:
        return True
    op = value.op
    if value in low.inductions:
        return _affine(low, low.inductions[value].initial)
    if op is None or value in low.buffers or value in low.chosen:
        return False
    if op.name in ("tt.splat", "tt.make_range", "arith.constant"):
        return True
    if op.name in ("tt.expand_dims", "tt.broadcast", "tt.trans", "arith.addi", "arith.subi", "arith.extsi"):
        return all(_affine(low, operand) for operand in op.operands)
    if op.name == "arith.muli":
        return all(_affine(low, operand) for operand in op.operands) and any(map(_small_constant, op.operands))
    return False


def _small_constant(value: Value) -> bool:
    """A larger factor could wrap around between the corners."""
    op = value.op
    while op is not None and op.name in ("tt.splat", "tt.broadcast", "tt.expand_dims"):
        op = op.operands[0].op
    if op is None or op.name != "arith.constant":
        return False
    return abs(int(op.attrs["value"])) <= _MAX_FACTOR
