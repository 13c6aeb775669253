"""What is decided ahead of emission: which stores are one loop nest, which values get a buffer."""

from __future__ import annotations

from collections.abc import Iterator

from tritonflow.triton_cpu.ir import Block, Function, Op, Value

from .elementwise import EXPENSIVE
from .lane_kinds import VECTOR, LaneKinds

# Operations that evaluate their operands; every other operation only describes its result.
ROOTS = frozenset(
    "tt.store tt.reduce tt.scan tt.dot tt.dot_scaled tt.map_elementwise tt.atomic_rmw tt.atomic_cas tt.cat tt.histogram "
    "tt.gather tt.call tt.return tt.unsplat scf.yield scf.for scf.if scf.while scf.condition cf.br cf.cond_br tt.print "
    "tt.assert".split()
)
_WRITES = ("tt.store", "tt.atomic_rmw", "tt.atomic_cas", "tt.call")
_FREE = frozenset(
    "tt.splat tt.broadcast tt.expand_dims tt.trans tt.reshape tt.make_range arith.constant tt.addptr "
    "arith.extsi".split()
)
# A value of this many operations, or with one expensive one,
# gets a buffer if several roots want it.
_WORTH = 6
TABLE = 16  # numbers of 32 bits, which are a vector register


def walk(blocks: list[Block]) -> Iterator[Op]:
    """Operations in program order, without those of combine functions."""
    for block in blocks:
        for op in block.ops:
            yield op
            if op.name not in ("tt.reduce", "tt.scan", "tt.map_elementwise"):
                yield from walk(op.regions)


def is_root(op: Op) -> bool:
    """Whether an operation emits code where it stands, and evaluates its operands for it."""
    if op.name == "tt.gather":
        return table_of(op) is None
    return op.name in ROOTS or (op.name == "tt.reshape" and not trivial_reshape(op) and not cut_to_split(op))


def table_of(op: Op) -> Value | None:
    """The 16 numbers of 32 bits that a gather looks its results up in, whatever the other dimensions' index.

    None for another operation. A vector register holds them.
    """
    if op.name != "tt.gather":
        return None
    table, axis = op.operands[0], int(op.attrs["axis"])
    if table.op is not None and table.op.name == "tt.broadcast":
        table = table.op.operands[0]
    fits = table.type.dims[axis] == table.type.size == TABLE and table.type.elem in ("f32", "i32")
    return table if fits and op.operands[1].type.elem == "i32" else None


def trivial_reshape(op: Op) -> bool:
    """Whether only dimensions of one element come or go."""
    old, new = op.operands[0].type.dims, op.result.type.dims
    return [d for d in old if d > 1] == [d for d in new if d > 1]


def cut_to_split(op: Op) -> bool:
    """Whether a reshape cuts the last dimension, and only splits read its result."""
    (operand,), dims = op.operands, op.result.type.dims
    outer = operand.type.dims[:-1]
    split = all(user.name == "tt.split" for user in op.result.users)
    return split and operand.op is not None and dims[: len(outer)] == outer


def base_pointer(value: Value) -> Value | None:
    """The scalar pointer that addresses are computed from, or None if there is more than that."""
    while value.op is not None:
        if value.op.name not in ("tt.addptr", "tt.splat", "tt.broadcast", "tt.expand_dims", "tt.trans", "tt.bitcast"):
            return None
        value = value.op.operands[0]
    return value if not value.type.is_tensor else None


def written_arguments(function: Function) -> tuple[bool, ...]:
    """For each argument of a function, whether it may write the memory that the argument points to.

    An address may come from every operand that it was computed from, but not from memory. Arguments
    of calls count as written.
    """
    origins: dict[Value, frozenset[int]] = {arg: frozenset((k,)) for k, arg in enumerate(function.args)}
    ops = list(walk(function.blocks))
    flows = [flow for op in ops for flow in _flows(op, function)]
    changed = True
    while changed:  # loops carry addresses round
        changed = False
        for source, target in flows:
            known = origins.get(target, frozenset())
            if not origins.get(source, known) <= known:
                origins[target] = known | origins[source]
                changed = True
    stores = [op for op in ops if op.name in _WRITES or op.name.startswith("tt.descriptor")]
    addresses = [value for op in stores for value in (op.operands if op.name == "tt.call" else op.operands[:1])]
    written = frozenset().union(*(origins.get(address, frozenset()) for address in addresses))
    return tuple(k in written for k in range(len(function.args)))


def _flows(op: Op, function: Function) -> Iterator[tuple[Value, Value]]:
    """The pairs (operand, value) along which an operation may pass an address on."""
    if op.name == "tt.load":
        return
    if op.name == "scf.for":
        (body,) = op.regions
        for k, (arg, result) in enumerate(zip(body.args[1:], op.results, strict=True)):
            initial, yielded = op.operands[3 + k], body.terminator.operands[k]
            yield from ((initial, arg), (yielded, arg), (initial, result), (yielded, result))
    elif op.name == "scf.if":
        for region in op.regions if op.results else ():  # a branch without results may be empty
            yield from zip(region.terminator.operands, op.results)
    elif op.name == "scf.while":
        before, after = op.regions
        yield from zip(op.operands, before.args)
        yield from zip(after.terminator.operands, before.args)
        for targets in (after.args, op.results):
            yield from zip(before.terminator.operands[1:], targets)
    else:
        for successor in op.successors:
            block = next(block for block in function.blocks if block.label == successor.label)
            yield from zip(successor.operands, block.args)
        yield from ((operand, result) for operand in op.operands for result in op.results)


def stores_together(blocks: list[Block]) -> dict[Op, tuple[Op, ...]]:
    """For each store of tensors, the stores that are done where it stands.

    Stores that follow each other, under one mask and to different arrays, are one root where the
    last of them stands. What they share is evaluated once and stays in registers.
    """
    found: dict[Op, tuple[Op, ...]] = {}
    for block in {op.block: None for op in walk(blocks)}:
        group: list[Op] = []
        for op in block.ops:
            if op.name == "tt.store":
                group = [*group, op] if all(_go_together(op, other) for other in group) else [op]
                found |= dict.fromkeys(group, ())
                found[op] = tuple(group)
            elif is_root(op) or op.name == "tt.load":
                group = []
    return found


def _go_together(a: Op, b: Op) -> bool:
    bases = [base_pointer(op.operands[0]) for op in (a, b)]
    same = a.operands[2:] == b.operands[2:] and a.operands[0].type.dims == b.operands[0].type.dims
    return same and a.operands[0].type.is_tensor and None not in bases and bases[0] is not bases[1]


def values_to_materialise(blocks: list[Block], together: dict[Op, tuple[Op, ...]]) -> set[Value]:
    """The chosen values: lazy values that are worth a buffer,
    or must be read before a later write.
    """
    order = list(walk(blocks))
    position = {op: k for k, op in enumerate(order)}
    at = {store: last for last, stores in together.items() for store in stores}  # where a store is done
    writes = [position[at.get(op, op)] for op in order if op.name in _WRITES]
    chosen: set[Value] = set()
    roots: dict[Value, set[Op]] = {}
    work = _work(order)
    for op in reversed(order):
        if is_root(op):
            continue
        table = table_of(op)
        if table is not None:
            chosen.add(table)
        for value in op.results:
            if value.type.is_tensor:
                roots[value] = {at.get(root, root) for root in _roots_of(value, roots, chosen)}
                if _wants_buffer(value, roots[value], work, position, writes):
                    chosen.add(value)
    return chosen


def _roots_of(value: Value, roots: dict[Value, set[Op]], chosen: set[Value]) -> set[Op]:
    found: set[Op] = set()
    for user in value.users:
        if is_root(user) or any(result in chosen for result in user.results):
            found.add(user)
        else:
            for result in user.results:
                found |= roots.get(result, set())
    return found


def _wants_buffer(
    value: Value,
    roots: set[Op],
    work: dict[Value, int],
    position: dict[Op, int],
    writes: list[int],
) -> bool:
    op = value.op
    assert op is not None
    nested = any(root.block is not value.block for root in roots)
    if op.name == "tt.load":
        last = max((position[root] for root in roots), default=0)
        return nested or any(position[op] < at < last for at in writes)
    if op.name in _FREE:
        return False
    # Each lane of a join evaluates an operand at the same index:
    # rand of 1M elements, 3.4 -> 1.1 ms.
    repeated = op.name != "tt.join" and any(user.name == "tt.join" for user in value.users)
    return (nested or repeated or len(roots) > 1) and work[value] >= _WORTH


def _work(order: list[Op]) -> dict[Value, int]:
    """For each value, the operations that evaluating it takes."""
    work: dict[Value, int] = {}
    kinds = LaneKinds()
    for op in order:
        if is_root(op):
            continue
        cost = sum(work.get(operand, 0) for operand in op.operands)
        cost += 10 if op.name in EXPENSIVE else (0 if op.name in _FREE else 1)
        if op.name == "tt.load":
            cost = 2
        if op.name in ("arith.cmpi", "arith.andi") and cost < _WORTH:
            cost = min(cost, 2)  # masks are mostly decided for whole chunks
        if any(kinds.of(result) < VECTOR for result in op.results):
            cost = min(cost, 1)  # a few scalar instructions for a chunk
        for result in op.results:
            work[result] = cost if result.type.is_tensor else 0  # scalars are evaluated where they stand, once
    return work
