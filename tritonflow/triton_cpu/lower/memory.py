"""Loads and stores of lanes, in user memory and in the buffers of materialised tensors."""

from __future__ import annotations

from dataclasses import dataclass

from tritonflow.triton_cpu.types import llvm_type, pointer_to, size_of, zero

from .lanes import Index, LaneBuilder, Lanes, made, mangled, uniform, vector_type

# Lanes within this many chunks of memory are read whole and shuffled. Nothing outside of the pages
# that they touch is read.
_PATTERN_CHUNKS = 2
_LINE = 64  # bytes of a cache line


@dataclass(frozen=True, slots=True)
class StackBuffer:
    """A tensor in memory, row-major; predicates take one byte each."""

    pointer: str
    shape: tuple[int, ...]
    elem: str


def stored(elem: str) -> str:
    """The type of an element in memory: predicates are bytes there."""
    return "i8" if elem == "i1" else elem


def contiguous(pointer: Lanes, size: int, width: int) -> bool:
    """Whether lanes are neighbours in memory."""
    if pointer.offsets is None:
        return False
    first = pointer.offsets[0]
    return all(offset == first + k * size for k, offset in enumerate(pointer.offsets))


def load(lb: LaneBuilder, pointer: Lanes, mask: Lanes | None, other: Lanes | None, elem: str, width: int) -> Lanes:
    """Load lanes: `other`, or else 0, where the mask is false."""
    if mask is not None and mask.literal:
        if mask.value == "0":
            return other or uniform(elem, zero(elem))
        mask = None
    if pointer.uniform:
        return _load_one(lb, pointer, mask, other, elem, width)
    size = size_of(elem)
    if contiguous(pointer, size, width):
        base = lb.at(pointer, 0).value
        if mask is None:
            return made(elem, lb.b.inst(f"load {vector_type(elem, width)}, ptr {base}, align {size}"), width)
        return _masked_load(lb, base, mask, other, elem, width)
    if pointer.offsets is not None:
        found = _load_pattern(lb, pointer, mask, elem, width)
        if found is not None:
            return found if mask is None or other is None else lb.select(mask, found, other, elem, width)
    return _gather(lb, pointer, mask, other, elem, width)


def _other(lb: LaneBuilder, other: Lanes | None, width: int) -> str:
    return lb.vec(other, width) if other is not None else "zeroinitializer"


def _load_one(lb: LaneBuilder, pointer: Lanes, mask: Lanes | None, other: Lanes | None, elem: str, width: int) -> Lanes:
    """One address for all lanes. It is not read if every lane is masked off."""
    type_, size = llvm_type(elem), size_of(elem)
    if mask is None:
        return uniform(elem, lb.b.inst(f"load {type_}, ptr {pointer.value}, align {size}"))
    wanted = _any_lane(lb, mask, width)
    nowhere = lb.b.alloca("i64")
    somewhere = lb.b.inst(f"select i1 {wanted}, ptr {pointer.value}, ptr {nowhere}")
    value = uniform(elem, lb.b.inst(f"load {type_}, ptr {somewhere}, align {size}"))
    return lb.select(mask, value, other or uniform(elem, zero(elem)), elem, width)


def _any_lane(lb: LaneBuilder, mask: Lanes, width: int) -> str:
    """Whether the mask is true for some lane."""
    if not mask.vector:
        return mask.value
    bits = lb.b.inst(f"bitcast <{width} x i1> {mask.value} to i{width}")
    return lb.b.inst(f"icmp ne i{width} {bits}, 0")


def _masked_load(lb: LaneBuilder, base: str, mask: Lanes, other: Lanes | None, elem: str, width: int) -> Lanes:
    type_ = vector_type(elem, width)
    function = f"@llvm.masked.load.{mangled(elem, width)}.p0"
    lb.b.declare(f"{type_} {function}(ptr, i32, <{width} x i1>, {type_})")
    call = (
        f"call {type_} {function}(ptr {base}, i32 {size_of(elem)}, <{width} x i1> {lb.vec(mask, width)}, "
        f"{type_} {_other(lb, other, width)})"
    )
    return made(elem, lb.b.inst(call), width)


def _gather(lb: LaneBuilder, pointer: Lanes, mask: Lanes | None, other: Lanes | None, elem: str, width: int) -> Lanes:
    type_ = vector_type(elem, width)
    function = f"@llvm.masked.gather.{mangled(elem, width)}.v{width}p0"
    lb.b.declare(f"{type_} {function}(<{width} x ptr>, i32, <{width} x i1>, {type_})")
    which = lb.vec(mask, width) if mask is not None else "splat (i1 true)"
    lb.b.cost += width * lb.b.weight
    call = (
        f"call {type_} {function}(<{width} x ptr> {lb.vec(pointer, width)}, i32 {size_of(elem)}, "
        f"<{width} x i1> {which}, {type_} {_other(lb, other, width)})"
    )
    return made(elem, lb.b.inst(call), width)


def _load_pattern(lb: LaneBuilder, pointer: Lanes, mask: Lanes | None, elem: str, width: int) -> Lanes | None:
    """Lanes close together: one or two vector loads and a shuffle. 0 where the mask is false."""
    offsets, size = pointer.offsets or (), size_of(elem)
    low = min(offsets)
    slots = [(offset - low) // size for offset in offsets]
    extent = max(slots) + 1
    if extent > _PATTERN_CHUNKS * width or any((offset - low) % size for offset in offsets):
        return None
    if elem in ("f64", "i64") and extent > width:
        return None
    length = min(extent, width)
    first = lb.b.offset(pointer.value, str(low))
    a, b, chosen = _load_part(lb, first, mask, slots, elem, length), "poison", slots
    if extent > width:
        skipped = extent - width
        second = lb.b.offset(first, str(skipped * size))
        b = _load_part(lb, second, mask, [s - skipped for s in slots], elem, length)
        chosen = [s if s < width else width + s - skipped for s in slots]
    indices, part = ", ".join(f"i32 {s}" for s in chosen), vector_type(elem, length)
    return made(elem, lb.b.inst(f"shufflevector {part} {a}, {part} {b}, <{width} x i32> <{indices}>"), width)


def _load_part(lb: LaneBuilder, first: str, mask: Lanes | None, slots: list[int], elem: str, length: int) -> str:
    """`length` neighbours from `first` on, of which lane k takes number slots[k] if there is one.

    With a mask, an element is read if the mask of a lane that takes it is true.
    """
    if mask is None:
        return lb.b.inst(f"load {vector_type(elem, length)}, ptr {first}, align {size_of(elem)}")
    width = len(slots)
    lanes_of: list[list[int]] = [[] for _ in range(length)]
    for lane, slot in enumerate(slots):
        if 0 <= slot < length:
            lanes_of[slot].append(lane)
    spread = ""
    # Shuffled as bytes: LLVM takes 4 instructions for each lane of a shuffle of bits (max_pool2d's
    # gradient: 2.4 -> 0.8 ms).
    bytes_ = f"<{width} x i8>"
    wanted = lb.b.inst(f"sext <{width} x i1> {lb.vec(mask, width)} to {bytes_}")
    for k in range(max(map(len, lanes_of))):
        taken = ", ".join(f"i32 {lanes[k] if k < len(lanes) else width}" for lanes in lanes_of)
        part = lb.b.inst(f"shufflevector {bytes_} {wanted}, {bytes_} zeroinitializer, <{length} x i32> <{taken}>")
        spread = lb.b.inst(f"or <{length} x i8> {spread}, {part}") if spread else part
    spread = lb.b.inst(f"icmp ne <{length} x i8> {spread}, zeroinitializer")
    return _masked_load(lb, first, made("i1", spread, length), None, elem, length).value


def store(
    lb: LaneBuilder, pointer: Lanes, value: Lanes, mask: Lanes | None, elem: str, width: int, streamed: bool = False
) -> None:
    """Store lanes. If `streamed`, whole cache lines are written past the caches."""
    if mask is not None and mask.literal:
        if mask.value == "0":
            return
        mask = None
    size = size_of(elem)
    if pointer.uniform and width == 1:
        _store_one(lb, pointer, value, mask, elem)
        return
    if pointer.uniform and value.uniform:  # as where bad indices are reported: one test for all lanes
        _store_one(lb, pointer, value, mask and uniform("i1", _any_lane(lb, mask, width)), elem)
        return
    data = f"{vector_type(elem, width)} {lb.vec(value, width)}"
    if contiguous(pointer, size, width):
        base = lb.at(pointer, 0).value
        if mask is None:
            _store_chunk(lb, data, base, elem, width, streamed)
            return
        function = f"@llvm.masked.store.{mangled(elem, width)}.p0"
        lb.b.declare(f"void {function}({vector_type(elem, width)}, ptr, i32, <{width} x i1>)")
        lb.b.line(f"call void {function}({data}, ptr {base}, i32 {size}, <{width} x i1> {lb.vec(mask, width)})")
        return
    function = f"@llvm.masked.scatter.{mangled(elem, width)}.v{width}p0"
    lb.b.declare(f"void {function}({vector_type(elem, width)}, <{width} x ptr>, i32, <{width} x i1>)")
    which = lb.vec(mask, width) if mask is not None else "splat (i1 true)"
    lb.b.cost += width * lb.b.weight
    lb.b.line(
        f"call void {function}({data}, <{width} x ptr> {lb.vec(pointer, width)}, i32 {size}, <{width} x i1> {which})"
    )


def prefetch(lb: LaneBuilder, pointer: Lanes, size: int, width: int, write: bool = False) -> None:
    """Prefetch the cache lines of neighbouring lanes. The address may be outside of all memory."""
    if not contiguous(pointer, size, width):
        return
    base = lb.at(pointer, 0).value
    lb.b.declare("void @llvm.prefetch.p0(ptr, i32, i32, i32)")
    for line in range(0, width * size, _LINE):
        lb.b.line(f"call void @llvm.prefetch.p0(ptr {lb.b.offset(base, str(line))}, i32 {int(write)}, i32 3, i32 1)")


def _store_chunk(lb: LaneBuilder, data: str, base: str, elem: str, width: int, streamed: bool) -> None:
    size = size_of(elem)
    if not streamed or width * size % _LINE:
        _store_upwards(lb, data, base, elem, width, f"align {size}")
        return
    lb.b.streams = True
    within = lb.b.inst(f"and i64 {lb.b.inst(f'ptrtoint ptr {base} to i64')}, {_LINE - 1}")
    past_caches, through_them = f"align {_LINE}, !nontemporal !0", f"align {size}"
    lb.b.if_else(
        lb.b.inst(f"icmp eq i64 {within}, 0"),
        lambda: _store_upwards(lb, data, base, elem, width, past_caches),
        lambda: _store_upwards(lb, data, base, elem, width, through_them),
    )


def _store_upwards(lb: LaneBuilder, data: str, base: str, elem: str, width: int, how: str) -> None:
    """A cache line at a time, the lowest first: LLVM stores parts of wider vectors in any order."""
    size, full = size_of(elem), vector_type(elem, width)
    lanes = _LINE // size
    if width <= lanes:
        lb.b.line(f"store {data}, ptr {base}, {how}")
        return
    for first in range(0, width, lanes):
        steps = ", ".join(f"i32 {first + k}" for k in range(lanes))
        part = lb.b.inst(f"shufflevector {data}, {full} poison, <{lanes} x i32> <{steps}>")
        lb.b.line(f"store {vector_type(elem, lanes)} {part}, ptr {lb.b.offset(base, str(first * size))}, {how}")


def _store_one(lb: LaneBuilder, pointer: Lanes, value: Lanes, mask: Lanes | None, elem: str) -> None:
    def write() -> None:
        lb.b.line(f"store {llvm_type(elem)} {value.value}, ptr {pointer.value}, align {size_of(elem)}")

    if mask is None:
        write()
    else:
        lb.b.if_else(mask.value, write)


# ---- buffers


def linear(lb: LaneBuilder, index: Index, shape: tuple[int, ...], width: int) -> Lanes:
    """The row-major position of an index."""
    position = uniform("i32", 0)
    stride = 1
    for extent, i in reversed(list(zip(shape, index, strict=True))):
        if extent > 1:
            position = lb.add(lb.mul(i, uniform("i32", stride), "i32", width), position, "i32", width)
        stride *= extent
    return position


def buffer_pointer(lb: LaneBuilder, buffer: StackBuffer, index: Index, width: int) -> Lanes:
    """The addresses of an index in a buffer."""
    elem = pointer_to(stored(buffer.elem))
    return lb.addptr(uniform(elem, buffer.pointer), linear(lb, index, buffer.shape, width), elem, width)


def read_buffer(lb: LaneBuilder, buffer: StackBuffer, index: Index, width: int) -> Lanes:
    """The lanes of a buffer at an index."""
    pointer = buffer_pointer(lb, buffer, index, width)
    value = load(lb, pointer, None, None, stored(buffer.elem), width)
    if buffer.elem != "i1":
        return value
    return lb.cast("trunc", value, "i1", width)


def write_buffer(lb: LaneBuilder, buffer: StackBuffer, index: Index, value: Lanes, width: int) -> None:
    """Write lanes to a buffer at an index."""
    pointer = buffer_pointer(lb, buffer, index, width)
    if buffer.elem == "i1":
        value = lb.cast("zext", value, "i8", width)
    store(lb, pointer, value, None, stored(buffer.elem), width)
