"""Masks that are decided for whole chunks: at a chunk's corners, or ahead of a loop by a bound on its index."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tritonflow.triton_cpu.ir import Op, Value

from . import views
from .builder import Builder
from .lane_kinds import constant_of
from .lanes import Lanes, affine, uniform

if TYPE_CHECKING:
    from .lowering import Lowering

_MAX_FACTOR = 1 << 16
_ZERO_TO_ZERO = frozenset("arith.extf arith.truncf arith.extsi arith.trunci arith.sitofp tt.fp_to_fp".split())


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
    return _ordered(low, op)


def _ordered(low: Lowering, op: Op) -> bool:
    """A signed comparison of affine values."""
    signed = op.name == "arith.cmpi" and op.attrs["predicate"].startswith("s")
    return signed and all(_affine(low, operand) for operand in op.operands)


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
    number = constant_of(value)
    return number is not None and abs(number) <= _MAX_FACTOR


# ---- bounds


@dataclass(frozen=True, slots=True)
class Bounds:
    """For an index that a loop runs through: all masks hold below `all_true`, none holds from `none_true` on."""

    all_true: str
    none_true: str


def bounds(
    low: Lowering, uses: Iterable[MaskUse], dim: int, index: list[Lanes], fixed: int, extent: int
) -> Bounds | None:
    """Bounds on dimension `dim` of a root's index, of which those before `fixed` are known, or None."""
    limits, certain = [], "1"
    for use in uses:
        found = _mask_bound(low, use, dim, index, fixed, extent)
        if found is None:
            return None
        limits.append(found[0])
        certain = low.b.both(certain, found[1])
    if not limits:
        return None
    least, most = limits[0], limits[0]
    for limit in limits[1:]:
        if limit != least or limit != most:
            least, most = extreme(low.b, "smin", least, limit), extreme(low.b, "smax", most, limit)
    return Bounds(low.b.choose(certain, "i32", least, "0"), low.b.choose(certain, "i32", most, str(extent)))


def extreme(b: Builder, name: str, x: str, y: str) -> str:
    b.declare(f"i32 @llvm.{name}.i32(i32, i32)")
    return b.inst(f"call i32 @llvm.{name}.i32(i32 {x}, i32 {y})")


def _mask_bound(
    low: Lowering, use: MaskUse, dim: int, index: list[Lanes], fixed: int, extent: int
) -> tuple[str, str] | None:
    """The index at which a mask turns from true to false for good, within [0, extent], and whether there is one."""
    result, certain = str(extent), "1"
    for op, symbolic in _conjuncts(use.mask, use.symbolic):
        if op is not None and op.name == "tt.splat":  # of a condition on the whole tile, which has one row
            result = low.b.inst(f"select i1 {low.scalars[op.operands[0]].value}, i32 {result}, i32 0")
            continue
        if op is None or any(s is None or (s >= fixed and s != dim) for s in symbolic):
            return None
        if any(s not in (-1, dim) and not index[s or 0].uniform for s in symbolic):
            return None  # lanes along another dimension: they need not agree
        found = _room(low, op, symbolic, dim, index)
        if found is None:
            return None
        result = _tighten(low, result, *found, extent)
        certain = low.b.both(certain, _keeps_order(low, op, symbolic, dim, index, extent))
    return result, certain


def _along(symbolic: views.Symbolic, dim: int, index: list[Lanes]) -> tuple[Lanes, ...]:
    """The first two places along `dim`."""
    first_two = affine("i32", "0", (0, 1))
    return tuple(uniform("i32", 0) if s == -1 else first_two if s == dim else index[s or 0] for s in symbolic)


def _room(low: Lowering, op: Op, symbolic: views.Symbolic, dim: int, index: list[Lanes]) -> tuple[str, int] | None:
    """(room, slope): a comparison holds for indices i along `dim` with slope * i < room. None for another set."""
    b = low.b
    low.memo, low.lb.in_order = {}, True
    left, right = (low.eval(operand, _along(symbolic, dim, index), 2) for operand in op.operands)
    low.memo, low.lb.in_order = {}, False
    if op.attrs["predicate"][1] == "g":
        left, right = right, left
    if left.vector or right.vector or _slope(left) < _slope(right):
        return None
    first, limit = (b.sext64(x.elem, low.lb.at(x, 0).value) for x in (left, right))
    room = b.sub("i64", limit, first)
    if op.attrs["predicate"].endswith("e"):
        room = b.add("i64", room, "1")
    return room, _slope(left) - _slope(right)


def _keeps_order(low: Lowering, op: Op, symbolic: views.Symbolic, dim: int, index: list[Lanes], extent: int) -> str:
    """Whether what a comparison compares does not wrap around on its way along `dim`."""
    b, result = low.b, "1"
    low.memo = {}
    for value, at in _narrow(low, op, symbolic):
        lane = low.eval(value, _along(at, dim, index), 2)
        if lane.offsets is not None:
            last = b.add("i64", b.sext64(lane.elem, low.lb.at(lane, 0).value), str(_slope(lane) * (extent - 1)))
            result = b.both(result, b.fits(last, lane.elem))
    low.memo = {}
    return result


def box_keeps_order(low: Lowering, use: MaskUse, box: Iterable[Lanes], corners: list[tuple[int, ...]]) -> str:
    """Whether nothing that a mask compares wraps around within a box of indices."""
    b, result = low.b, "1"
    places = zip(box, zip(*corners, strict=True), strict=True)
    index = tuple(affine("i32", i.value, offsets, i.multiple) for i, offsets in places)  # a lane for each corner
    for op, symbolic in _conjuncts(use.mask, use.symbolic):
        for value, at in _narrow(low, op, symbolic) if op is not None and op.name == "arith.cmpi" else ():
            lane = low.eval(value, views.concrete(at, index), len(corners))
            if lane.offsets is None or low.lb.keeps_order(lane):
                continue
            ends = (b.add(lane.elem, lane.value, str(end(lane.offsets))) for end in (min, max))
            result = b.both(result, b.inst(f"icmp sle {lane.elem} {', '.join(ends)}"))
    return result


def _narrow(low: Lowering, op: Op, symbolic: views.Symbolic) -> Iterator[tuple[Value, views.Symbolic]]:
    """The tensors of less than 64 bits that a comparison reads or that are extended for it, and at which index."""
    for operand in op.operands:
        value, at = operand, views.operand_index(op, op.result, operand, symbolic)
        if value.type.is_tensor and value.type.elem != "i64":
            yield value, at
        elif value.type.is_tensor:
            inner = (low.inductions[value].initial if value in low.inductions else value).op
            if inner is not None:
                yield from _narrow(low, inner, at)


def nothing_from(low: Lowering, value: Value, dim: int) -> str | None:
    """An index along `dim` from which on a loaded tensor is 0 whatever its other indices, or None if none is known."""
    load = value.op
    while load is not None and load.name in _ZERO_TO_ZERO:
        load = load.operands[0].op
    if load is None or load.name != "tt.load" or len(load.operands) < 2 or not _gives_zeros(load):
        return None
    return false_from(low, load.operands[1], dim, value.type.dims)


def false_from(low: Lowering, mask: Value, dim: int, shape: tuple[int, ...]) -> str | None:
    """An index along `dim` from which on a mask is false whatever its other indices, or None if none is known."""
    extent = shape[dim]
    result = str(extent)
    for op, symbolic in _conjuncts(mask, tuple(range(len(shape)))):
        if op is None or not _ordered(low, op) or any(s not in (-1, dim) for s in symbolic) or not _known(low, op):
            continue
        found = _room(low, op, symbolic, dim, [])
        if found is not None:
            certain = _keeps_order(low, op, symbolic, dim, [], extent)
            result = low.b.choose(certain, "i32", _tighten(low, result, *found, extent), result)
    return None if result == str(extent) else result


def _known(low: Lowering, op: Op) -> bool:
    """Whether all numbers that a comparison comes from have been computed: a mask behind a loop may need some that have not."""
    found = True

    def visit(value: Value, symbolic: views.Symbolic) -> None:
        nonlocal found
        assert value.op is not None
        found = found and all(v.type.is_tensor or v in low.scalars for v in value.op.operands)

    views.reach(low, op.result, tuple(range(len(op.result.type.dims))), visit)
    return found


def _gives_zeros(load: Op) -> bool:
    """Whether elements that the mask leaves out are 0."""
    if len(load.operands) < 3:
        return True
    other = load.operands[2].op
    return other is not None and other.name == "arith.constant" and other.attrs["value"] in ("0", "0.000000e+00")


def _tighten(low: Lowering, result: str, room: str, slope: int, extent: int) -> str:
    """`result` limited to indices i with slope * i < room."""
    b = low.b
    if slope == 0:
        holds = b.inst(f"icmp sgt i64 {room}, 0")
        return b.inst(f"select i1 {holds}, i32 {result}, i32 0")
    if slope > 1:
        room = b.inst(f"sdiv i64 {b.add('i64', room, str(slope - 1))}, {slope}")
    for name, limit in (("smax", 0), ("smin", extent)):
        b.declare(f"i64 @llvm.{name}.i64(i64, i64)")
        room = b.inst(f"call i64 @llvm.{name}.i64(i64 {room}, i64 {limit})")
    count = b.inst(f"trunc i64 {room} to i32")
    return count if result == str(extent) else extreme(b, "smin", result, count)


def _slope(x: Lanes) -> int:
    return x.offsets[1] - x.offsets[0] if x.offsets is not None else 0


def _conjuncts(mask: Value, symbolic: views.Symbolic) -> list[tuple[Op | None, views.Symbolic]]:
    """The comparisons and splats of a mask, with the index each is evaluated at; None for anything else."""
    op = mask.op
    if op is None or not mask.type.is_tensor:
        return [(None, symbolic)]
    if op.name in ("arith.cmpi", "tt.splat"):
        return [(op, symbolic)]
    if op.name == "arith.constant" and op.attrs["value"] == "true":
        return []
    if op.name in ("arith.andi", "tt.broadcast", "tt.expand_dims"):
        operands = [(operand, views.operand_index(op, mask, operand, symbolic)) for operand in op.operands]
        return [conjunct for operand, at in operands for conjunct in _conjuncts(operand, at)]
    return [(None, symbolic)]
