"""Bounds on the indices for which masks are true: loops are cut there, or end there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tritonflow.triton_cpu.ir import Op, Value

from . import views
from .builder import Builder
from .evaluate import LazyEvaluator
from .lanes import Lanes, affine, uniform
from .masks import MaskUse, is_ordered

_ZERO_TO_ZERO = frozenset("arith.extf arith.truncf arith.extsi arith.trunci arith.sitofp tt.fp_to_fp".split())


@dataclass(frozen=True, slots=True)
class Bounds:
    """Of a loop's index: all masks are true below `all_true`, none is from `none_true` on."""

    all_true: str
    none_true: str


def bounds(
    lazy: LazyEvaluator, uses: Iterable[MaskUse], dim: int, index: list[Lanes], fixed: int, extent: int
) -> Bounds | None:
    """Bounds on dimension `dim` of a root's index, or None. Dimensions before `fixed` are known."""
    limits, certain = [], "1"
    for use in uses:
        found = _mask_bound(lazy, use, dim, index, fixed, extent)
        if found is None:
            return None
        limits.append(found[0])
        certain = lazy.b.both(certain, found[1])
    if not limits:
        return None
    least, most = limits[0], limits[0]
    for limit in limits[1:]:
        if limit != least or limit != most:
            least, most = extreme(lazy.b, "smin", least, limit), extreme(lazy.b, "smax", most, limit)
    return Bounds(lazy.b.choose(certain, "i32", least, "0"), lazy.b.choose(certain, "i32", most, str(extent)))


def extreme(b: Builder, name: str, x: str, y: str) -> str:
    """The smaller (`smin`) or the larger (`smax`) of two i32."""
    b.declare(f"i32 @llvm.{name}.i32(i32, i32)")
    return b.inst(f"call i32 @llvm.{name}.i32(i32 {x}, i32 {y})")


def _mask_bound(
    lazy: LazyEvaluator, use: MaskUse, dim: int, index: list[Lanes], fixed: int, extent: int
) -> tuple[str, str] | None:
    """The index in [0, extent] from which on a mask is false, and
    the condition under which it is right.
    """
    result, certain = str(extent), "1"
    for op, symbolic in _conjuncts(use.mask, use.symbolic):
        if op is not None and op.name == "tt.splat":  # one condition for the whole tile
            result = lazy.b.inst(f"select i1 {lazy.values.scalars[op.operands[0]].value}, i32 {result}, i32 0")
            continue
        if op is None or any(s is None or (s >= fixed and s != dim) for s in symbolic):
            return None
        if any(s not in (-1, dim) and not index[s or 0].uniform for s in symbolic):
            return None  # lanes along another dimension: they need not agree
        found = _room(lazy, op, symbolic, dim, index)
        if found is None:
            return None
        result = _tighten(lazy, result, *found, extent)
        certain = lazy.b.both(certain, _keeps_order(lazy, op, symbolic, dim, index, extent))
    return result, certain


def _along(symbolic: views.Symbolic, dim: int, index: list[Lanes]) -> tuple[Lanes, ...]:
    """The first two positions along `dim`."""
    first_two = affine("i32", "0", (0, 1))
    return tuple(uniform("i32", 0) if s == -1 else first_two if s == dim else index[s or 0] for s in symbolic)


def _room(
    lazy: LazyEvaluator, op: Op, symbolic: views.Symbolic, dim: int, index: list[Lanes]
) -> tuple[str, int] | None:
    """(room, slope): a comparison is true where slope * i < room, for i along `dim`.

    None for another set.
    """
    b = lazy.b
    with lazy.memo_scope(), lazy.lb.ordered():
        left, right = (lazy.eval(operand, _along(symbolic, dim, index), 2) for operand in op.operands)
    if op.attrs["predicate"][1] == "g":
        left, right = right, left
    if left.vector or right.vector or _slope(left) < _slope(right):
        return None
    first, limit = (b.sext64(x.elem, lazy.lb.at(x, 0).value) for x in (left, right))
    room = b.sub("i64", limit, first)
    if op.attrs["predicate"].endswith("e"):
        room = b.add("i64", room, "1")
    return room, _slope(left) - _slope(right)


def _keeps_order(
    lazy: LazyEvaluator, op: Op, symbolic: views.Symbolic, dim: int, index: list[Lanes], extent: int
) -> str:
    """The condition that nothing a comparison compares wraps around along `dim`."""
    b, result = lazy.b, "1"
    with lazy.memo_scope():
        for value, at in _narrow(lazy, op, symbolic):
            lane = lazy.eval(value, _along(at, dim, index), 2)
            if lane.offsets is not None:
                last = b.add("i64", b.sext64(lane.elem, lazy.lb.at(lane, 0).value), str(_slope(lane) * (extent - 1)))
                result = b.both(result, b.fits(last, lane.elem))
    return result


def box_keeps_order(lazy: LazyEvaluator, use: MaskUse, box: Iterable[Lanes], corners: list[tuple[int, ...]]) -> str:
    """The condition that nothing a mask compares wraps around within a box of indices."""
    b, result = lazy.b, "1"
    positions = zip(box, zip(*corners, strict=True), strict=True)
    index = tuple(affine("i32", i.value, offsets, i.multiple) for i, offsets in positions)  # a lane for each corner
    for op, symbolic in _conjuncts(use.mask, use.symbolic):
        for value, at in _narrow(lazy, op, symbolic) if op is not None and op.name == "arith.cmpi" else ():
            lane = lazy.eval(value, views.concrete(at, index), len(corners))
            if lane.offsets is None or lazy.lb.keeps_order(lane):
                continue
            ends = (b.add(lane.elem, lane.value, str(end(lane.offsets))) for end in (min, max))
            result = b.both(result, b.inst(f"icmp sle {lane.elem} {', '.join(ends)}"))
    return result


def _narrow(lazy: LazyEvaluator, op: Op, symbolic: views.Symbolic) -> Iterator[tuple[Value, views.Symbolic]]:
    """The tensors of less than 64 bits that a comparison is computed from, and their indices."""
    for operand in op.operands:
        value, at = operand, views.operand_index(op, op.result, operand, symbolic)
        if value.type.is_tensor and value.type.elem != "i64":
            yield value, at
        elif value.type.is_tensor:
            inner = (lazy.values.inductions[value].initial if value in lazy.values.inductions else value).op
            if inner is not None:
                yield from _narrow(lazy, inner, at)


def nothing_from(lazy: LazyEvaluator, value: Value, dim: int) -> str | None:
    """An index along `dim` from which on all of a loaded tensor is 0, or None if none is known."""
    load = value.op
    while load is not None and load.name in _ZERO_TO_ZERO:
        load = load.operands[0].op
    if load is None or load.name != "tt.load" or len(load.operands) < 2 or not gives_zeros(load):
        return None
    return false_from(lazy, load.operands[1], dim, value.type.dims)


def false_from(lazy: LazyEvaluator, mask: Value, dim: int, shape: tuple[int, ...]) -> str | None:
    """An index along `dim` from which on all of a mask is false, or None if none is known."""
    extent = shape[dim]
    result = str(extent)
    for op, symbolic in _conjuncts(mask, tuple(range(len(shape)))):
        if (
            op is None
            or not is_ordered(lazy.values, op)
            or any(s not in (-1, dim) for s in symbolic)
            or not _known(lazy, op)
        ):
            continue
        found = _room(lazy, op, symbolic, dim, [])
        if found is not None:
            certain = _keeps_order(lazy, op, symbolic, dim, [], extent)
            result = lazy.b.choose(certain, "i32", _tighten(lazy, result, *found, extent), result)
    return None if result == str(extent) else result


def _known(lazy: LazyEvaluator, op: Op) -> bool:
    """Whether all scalars that a comparison needs are computed:
    those of a mask behind a loop may not be.
    """
    found = True

    def visit(value: Value, symbolic: views.Symbolic) -> None:
        nonlocal found
        assert value.op is not None
        found = found and all(v.type.is_tensor or v in lazy.values.scalars for v in value.op.operands)

    views.reach(lazy.values, op.result, tuple(range(len(op.result.type.dims))), visit)
    return found


def gives_zeros(load: Op) -> bool:
    """Whether masked-off elements are 0."""
    if len(load.operands) < 3:
        return True
    other = load.operands[2].op
    return other is not None and other.name == "arith.constant" and other.attrs["value"] in ("0", "0.000000e+00")


def _tighten(lazy: LazyEvaluator, result: str, room: str, slope: int, extent: int) -> str:
    """`result` limited to indices i with slope * i < room."""
    b = lazy.b
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
    """The comparisons and splats of a mask, and the index of each.

    None stands for anything else.
    """
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
