"""Which masks can be decided for whole chunks, and which are.

A mask is decided at the corners of a chunk, or ahead of a loop by bounds on its index
(`bounds.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from tritonflow.triton_cpu.ir import Op, Value

from . import views
from .lane_kinds import constant_of
from .lanes import Index
from .state import KnownValues

_MAX_FACTOR = 1 << 16


@dataclass(frozen=True, slots=True)
class MaskUse:
    """A mask that a root evaluates, and the index at which it does so."""

    mask: Value
    symbolic: views.Symbolic


@dataclass(frozen=True, slots=True)
class DecidedMasks:
    """What is known of masks on the chunk under emission.

    Attributes:
        true: masks that are true for the whole chunk.
        false: masks that are false for the whole chunk.
        index: of each of these masks, the index at which that is so.
    """

    true: frozenset[Value] = frozenset()
    false: frozenset[Value] = frozenset()
    index: Mapping[Value, Index] = field(default_factory=dict)

    def with_decided(self, uses: Iterable[MaskUse], truth: bool, index: Index) -> DecidedMasks:
        """These and the masks of `uses`, which have this truth
        on the chunk at the root's `index`.
        """
        at = {use.mask: views.concrete(use.symbolic, index) for use in uses}
        true, false = (self.true.union(at), self.false) if truth else (self.true, self.false.union(at))
        return DecidedMasks(true, false, {**self.index, **at})


def find_masks(
    known: KnownValues, values: Iterable[Value], masks: Iterable[Value], shape: tuple[int, ...]
) -> tuple[MaskUse, ...]:
    """The masks of the loads that `values` reach, and `masks`, as far as they are monotone."""
    identity: views.Symbolic = tuple(range(len(shape)))
    uses: dict[MaskUse, None] = {}
    unusable: set[Value] = set()

    def visit(value: Value, symbolic: views.Symbolic) -> None:
        if value.op is not None and value.op.name == "tt.load" and len(value.op.operands) > 1:
            note(value.op.operands[1], symbolic)

    def note(mask: Value, symbolic: views.Symbolic) -> None:
        if not mask.type.is_tensor:
            return
        if None in symbolic or not monotone(known, mask):
            unusable.add(mask)
        uses[MaskUse(mask, symbolic)] = None

    for value in values:
        views.reach(known, value, identity, visit)
    for mask in masks:
        note(mask, identity)
    return tuple(use for use in uses if use.mask not in unusable)


def monotone(known: KnownValues, mask: Value) -> bool:
    """Whether a mask is true on a box of indices if it is true at the corners.

    It is if it is a conjunction of signed comparisons of affine values.
    """
    if not mask.type.is_tensor:
        return True
    op = mask.op
    if op is None or mask in known.buffers or mask in known.pending or mask in known.chosen:
        return False
    if op.name == "arith.andi":
        return all(monotone(known, operand) for operand in op.operands)
    if op.name in ("tt.broadcast", "tt.expand_dims", "tt.splat"):
        return monotone(known, op.operands[0])
    if op.name == "arith.constant":
        return True
    return is_ordered(known, op)


def is_ordered(known: KnownValues, op: Op) -> bool:
    """Whether an operation is a signed comparison of affine values."""
    signed = op.name == "arith.cmpi" and op.attrs["predicate"].startswith("s")
    return signed and all(_affine(known, operand) for operand in op.operands)


def _affine(known: KnownValues, value: Value) -> bool:
    if not value.type.is_tensor:
        return True
    op = value.op
    if value in known.inductions:
        return _affine(known, known.inductions[value].initial)
    if op is None or value in known.buffers or value in known.chosen:
        return False
    if op.name in ("tt.splat", "tt.make_range", "arith.constant"):
        return True
    if op.name in ("tt.expand_dims", "tt.broadcast", "tt.trans", "arith.addi", "arith.subi", "arith.extsi"):
        return all(_affine(known, operand) for operand in op.operands)
    if op.name == "arith.muli":
        return all(_affine(known, operand) for operand in op.operands) and any(map(_small_constant, op.operands))
    return False


def _small_constant(value: Value) -> bool:
    """A larger factor could wrap around between the corners."""
    number = constant_of(value)
    return number is not None and abs(number) <= _MAX_FACTOR
