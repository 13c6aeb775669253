"""Where every value of a graph lies: in a state's memory, an input's, an output's, or at an offset of the graph's own arena.

A view lies in its base. An updated value takes the memory of the value before it, if nobody reads that any more, and a copy of it
otherwise. Buffers of the arena whose lives do not overlap share memory. The largest get their offsets first, each the lowest one
that is free for its whole life. A fused kernel writes over an input that it is the last to read, if it reads it element by element.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from tritonflow.execution.lazy import classes
from tritonflow.framework.meta import TensorMeta
from tritonflow.framework.size_context import SizeContext
from tritonflow.framework.size_questions import taking_many
from tritonflow.graph.fusion.group import Fused
from tritonflow.graph.fusion.structure import Structures
from tritonflow.graph.ir import (
    Boxing,
    CollectiveDone,
    CollectiveStart,
    Compute,
    Graph,
    Join,
    KernelNode,
    Late,
    Node,
    NodeVisitor,
    Update,
    Value,
    View,
    Words,
)
from tritonflow.graph.ir.numbers import Outcomes
from tritonflow.graph.plan.arena import Arena
from tritonflow.graph.plan.folding import fixed_values, laid_out_once, reads_folded_weight
from tritonflow.graph.plan.memory_kind import MemoryKind
from tritonflow.graph.plan.step_plans import StepPlans
from tritonflow.ops.copy import copy
from tritonflow.ops.operands import Input, Output
from tritonflow.ops.plan import Plan
from tritonflow.ops.tuning import ask, folded_weight

FOREVER = 1 << 60
_FOLDED_ALIGNMENT = 64  # bytes, a line of the cache


@dataclass(eq=False)
class Buffer:
    """A piece of memory.

    Attributes:
        kind: which memory it is a piece of: all of an input, output or state, or a part of the arena.
        number: of the input, output or state.
        first, last: the numbers of the steps that write it first and read it last.
        offset: in the arena, in bytes.
    """

    kind: MemoryKind
    nbytes: int
    number: int = 0
    first: int = 0
    last: int = 0
    offset: int = 0


@dataclass(frozen=True)
class Location:
    """A number of bytes into a buffer."""

    buffer: Buffer
    offset: int = 0

    def plus(self, offset: int) -> Location:
        """The location so many bytes further."""
        return Location(self.buffer, self.offset + offset) if offset else self


@dataclass
class Step:
    """A plan to run, and where its inputs (None: absent), outputs and workspaces lie; the node that it is for, or None: a copy.

    Of the start and the done of a collective the plan is empty; what is sent and what is received lie there.

    Of a program for many sizes it has `plans`, too, and where their workspaces lie is not known yet.

    One that is `folded` reads what no run writes, and writes what later runs find there.
    """

    plan: Plan
    locations: tuple[Location | None, ...]
    dynamic: tuple[Any, ...] = ()
    node: Node | None = None
    plans: StepPlans | None = None
    folded: bool = False


@dataclass
class MemoryLayout:
    """The steps of a graph, and the memory that they need.

    Attributes:
        arena: the bytes of what is neither input, output nor state; 0 for many sizes.
        buffers: pieces of it; for many sizes in the stead of a step's workspaces the number of the step.
        folded: the bytes of folded values.
    """

    steps: list[Step] = field(default_factory=list)
    arena: int = 0
    buffers: list[Buffer | int] = field(default_factory=list)
    folded: int = 0
    written: set[int] = field(default_factory=set)  # numbers of the states that are written
    written_from: dict[int, int] = field(default_factory=dict)  # by these, the step that writes each first, or one before

    def note_written(self, number: int) -> None:
        """The next step may write a state."""
        self.written.add(number)
        self.written_from.setdefault(number, len(self.steps))


def plan_memory(graph: Graph, sizes: SizeContext | None = None) -> MemoryLayout:
    """Decide where everything lies.

    Args:
        sizes: the symbols of a program for many sizes: each of these gets its offsets later.
    """
    return _Planner(graph, sizes).run()


class _Planner(NodeVisitor[None]):
    def __init__(self, graph: Graph, sizes: SizeContext | None) -> None:
        self.graph, self.sizes = graph, sizes
        self.layout = MemoryLayout()
        self.locations: dict[Value, Location] = {}
        self.held: defaultdict[Buffer, list[Value]] = defaultdict(list)
        self.producers = graph.producers()
        self.fixed = fixed_values(graph) if graph.folds and sizes is None else frozenset[Value]()
        self.reads = _reads(graph)
        self.outputs = {self.made(value): number for number, value in reversed(list(enumerate(graph.outputs)))}
        self.taken: set[int] = set()  # the outputs in whose memory values are made
        self.structures = Structures()
        self.position = 0  # of the node that is visited
        self.step_plans: dict[Any, StepPlans] = {}
        self.plans = {node: self.plan(node) for node in graph.nodes if isinstance(node, KernelNode)}
        self.joins = {value: node for node in graph.nodes if isinstance(node, Join) for value in node.operands()}
        self.joined: dict[Join, Location] = {}

    def run(self) -> MemoryLayout:
        graph, layout = self.graph, self.layout
        for number, value in enumerate(graph.inputs):
            self.put(value, Location(Buffer(MemoryKind.INPUT, value.meta.nbytes, number)))
        for number, state in enumerate(graph.states):
            self.put(state.value, Location(Buffer(MemoryKind.STATE, state.value.meta.nbytes, number)))
        for self.position, node in enumerate(graph.nodes):
            self.visit(node)
        for number, value in enumerate(graph.outputs):
            self.deliver(number, value)  # before the states change, as some lie in their memory
        for state in graph.states:
            self.write_back(state.value, state.result)
        if self.sizes is None:
            layout.arena = assign_offsets(layout.buffers)  # type: ignore[arg-type]
        return layout

    def plan(self, node: KernelNode) -> tuple[Plan, StepPlans | None]:
        """The plan of a node; groups of one structure that store the same have one."""
        if not isinstance(node, Fused):
            if not reads_folded_weight(node, self.fixed):
                return self.sized(_kind_of(node), lambda: tuned_plan(self.graph, node))
            with folded_weight():
                return tuned_plan(self.graph, node), None
        stored = tuple([value in node.outputs for op in node.body for value in op.outputs])
        return self.structures.once(node.body, (node.space, stored), lambda: self.sized(node, node.plan))

    def sized(self, kind: Any, make: Callable[[], Plan]) -> tuple[Plan, StepPlans | None]:
        """A plan; of a program for many sizes with the others that steps of this kind may have."""
        if self.sizes is None:
            return make(), None
        plans = self.step_plans.get(kind)
        if plans is None:
            plans = self.step_plans[kind] = StepPlans(self.sizes, make)
        return plans.at(self.sizes.hints, Outcomes(self.sizes.hints)).plan, plans

    def put(self, value: Value, location: Location) -> None:
        self.locations[value] = location
        self.held[location.buffer].append(value)

    def view(self, node: View) -> None:
        self.put(node.outputs[0], self.locations[node.base].plus(node.offset))

    def late(self, node: Late) -> None:
        self.put(node.outputs[0], self.locations[next(node.operands())])

    def words(self, node: Words) -> None:
        """They are drawn where they are read, and lie nowhere."""

    def boxing(self, node: Boxing) -> None:
        raise TypeError("a boxing is no node of a graph that runs: `emit` makes others of it")

    def start(self, node: CollectiveStart) -> None:
        sent, received = node.inputs[0], node.received
        if sent is not None and not sent.meta.is_contiguous:
            raise RuntimeError(f"{node.verb.name}, {node.what}: what is sent has gaps, {sent.meta}")
        if received is not None:
            self.put(received, self.own(received))
        self.put(node.token, self.new(0))
        self.wire(node, sent, received)

    def done(self, node: CollectiveDone) -> None:
        received, sent, token = node.inputs
        for before, after in zip([token] if received is None else [received, token], node.outputs):
            self.put(after, self.locations[before])  # type: ignore[index]
        self.wire(node, sent, received)

    def wire(self, node: Node, sent: Value | None, received: Value | None) -> None:
        """A step of the wire, for which both are there."""
        plan, plans = self.sized("wire", lambda: Plan((), (), []))
        locations = tuple([None if value is None else self.locations[value] for value in (sent, received)])
        self.step(Step(plan, locations, node=node, plans=plans))

    def compute(self, node: Compute) -> None:
        self.launch(node, node.outputs[: node.results])

    def fused(self, node: KernelNode) -> None:
        self.launch(node, node.outputs)

    def launch(self, node: KernelNode, results: Sequence[Value]) -> None:
        """Put the results of a node's kernels, and what they write over inputs."""
        (plan, plans), position = self.plans[node], self.position
        inputs = [None if value is None else self.locations[value] for value in node.inputs]
        rewritten = {k: (value, after) for k, after in node.aliases() if (value := node.inputs[k]) is not None}
        stores = self.stores([(after, before.meta, self.locations[before]) for before, after in rewritten.values()])
        shared = self.shared(node.inputs, rewritten)
        for k, (before, after) in rewritten.items():
            location = self.copied(before, after) if k in shared else self.writable(position, before, after, stores)
            self.put(after, location)
            inputs[k] = location
        folded = bool(results) and results[0] in self.fixed
        for value in results:
            if value not in self.locations:
                nbytes = value.meta.span() * value.meta.dtype.itemsize
                self.put(value, self.folded(nbytes) if folded else self.target(position, node, value))
        self.step(Step(plan, (*inputs, *[self.locations[v] for v in results]), node.dynamic, node, plans, folded))

    def shared(self, values: Sequence[Value | None], written: Collection[int]) -> set[int]:
        """Which of the inputs at the positions `written` another input shares memory with."""
        at: defaultdict[Buffer, list[tuple[int, int, int]]] = defaultdict(list)
        for k, value in enumerate(values if written else ()):
            if value is not None:
                location = self.locations[value]
                at[location.buffer].append((k, location.offset, location.offset + value.meta.span() * value.meta.dtype.itemsize))
        return {
            k
            for others in at.values()
            for k, start, end in others
            if k in written and any(j != k and start < stop and first < end for j, first, stop in others)
        }

    def update(self, node: Update) -> None:
        base, part = node.inputs
        assert base is not None and part is not None
        start = self.locations[base]
        if self.locations[part] == start.plus(node.offset) and part.meta is node.meta:
            self.put(node.outputs[0], start)  # the part was computed there
            return
        location = self.writable(self.position, base, node.outputs[0])
        self.copy(part.meta, self.locations[part], node.meta, location.plus(node.offset))
        self.put(node.outputs[0], location)

    def join(self, node: Join) -> None:
        for value, offset in zip(node.operands(), node.offsets):
            if self.locations[value] != self.whole(node).plus(offset):  # it could not be made there
                self.copy(value.meta, self.locations[value], value.meta, self.whole(node).plus(offset))
        self.put(node.outputs[0], self.whole(node))

    def whole(self, node: Join) -> Location:
        """Where a join lies, from its first part on."""
        if node not in self.joined:
            (value,) = node.outputs
            self.joined[node] = self.output(value) or self.new(value.meta.nbytes)
        return self.joined[node]

    def target(self, position: int, node: KernelNode, value: Value) -> Location:
        """Where a result goes: to the graph's outputs, to what it is a part of, into the tensor that it is written over next,
        or to the arena."""
        if (output := self.output(value)) is not None:
            return output
        if value in self.joins:
            join = self.joins[value]
            return self.whole(join).plus(join.offsets[join.inputs.index(value)])
        for _, update in self.updates(value):
            location = self.destination(position, node, value, update)
            if location is not None:
                return location
        return self.overwritten(position, node, value) or self.own(value)

    def output(self, value: Value) -> Location | None:
        """The memory of the graph's output that a value is, or that it becomes when its last reader writes over it."""
        final: Value | None = value
        while final is not None and final not in self.outputs:
            final = self.rewritten(final)
        if final is None or not _is_dense(final.meta) or self.outputs[final] in self.taken:
            return None
        self.taken.add(self.outputs[final])
        return Location(Buffer(MemoryKind.OUTPUT, final.meta.nbytes, self.outputs[final]))

    def rewritten(self, value: Value) -> Value | None:
        """What a value's last reader makes of it in its memory, where kernels alone read it."""
        readers = self.reads.get(value, ())
        if not readers or max(readers) == FOREVER:
            return None
        nodes = [self.graph.nodes[k] for k in sorted(readers)]
        if not all(isinstance(node, KernelNode) for node in nodes):
            return None
        return next((after for k, after in nodes[-1].aliases() if nodes[-1].inputs[k] is value), None)

    def made(self, value: Value) -> Value:
        """The value that is this one in another shape, or earlier, or the value itself."""
        while True:
            maker = self.producers.get(value)
            if isinstance(maker, View) and value.meta.is_contiguous and value.meta.nbytes == maker.base.meta.nbytes:
                value = maker.base
            elif isinstance(maker, Late):
                value = next(maker.operands())
            else:
                return value

    def own(self, value: Value) -> Location:
        """Memory in which nothing else lies: a graph's output, or a piece of the arena."""
        return self.output(value) or self.new(value.meta.span() * value.meta.dtype.itemsize)

    def overwritten(self, position: int, node: KernelNode, value: Value) -> Location | None:
        """Where an input lies that nobody reads any more, and that a result can be written over element by element."""
        for old in node.overwritable() if _is_dense(value.meta) else ():
            taken = [self.locations[v].buffer for v in node.outputs if v in self.locations]
            location = self.locations[old]
            with taking_many(value.meta.shape):
                alike = location.buffer.kind is MemoryKind.ARENA and location.buffer.nbytes == value.meta.nbytes == old.meta.nbytes
            alone = all(v is old or self.locations[v].buffer is not location.buffer for v in node.operands())
            if alike and alone and location.buffer not in taken and old.meta.dtype.itemsize == value.meta.dtype.itemsize:
                if self.is_free(position, location.buffer):
                    return location
        return None

    def destination(self, position: int, node: KernelNode, value: Value, update: Update) -> Location | None:
        """Where an update stores a result, if the result can be computed there."""
        base = self.base(update)
        if base is None or update.meta is not value.meta:
            return None
        location = base.plus(update.offset)
        reads = [(v.meta, self.locations[v]) for v in node.operands() if self.locations[v].buffer is location.buffer]
        if any(read != (value.meta, location) for read in reads) or (reads and not node.overwrites):
            return None
        if not self.is_free(position, location.buffer, self.stores([(value, value.meta, location)])):
            return None
        self.note_written(location.buffer)
        return location

    def updates(self, value: Value) -> Iterator[tuple[int, Update]]:
        """The updates, with their positions, that store a value."""
        for k in self.reads.get(value, ()):
            node = self.graph.nodes[k] if k < FOREVER else None
            if isinstance(node, Update) and node.inputs[1] is value:
                yield k, node

    def stores(self, written: list[tuple[Value, TensorMeta, Location]]) -> set[int]:
        """The positions of updates that put values where they lie anyhow."""
        found = set()
        for value, meta, location in written:
            for k, update in self.updates(value):
                base = self.base(update)
                if update.meta is meta and base is not None and base.plus(update.offset) == location:
                    found.add(k)
        return found

    def base(self, update: Update) -> Location | None:
        """The memory that an update overwrites; None if it, or an update before it, is not done in place."""
        value = update.inputs[0]
        while value not in self.locations:
            assert value is not None
            before = self.producers.get(value)
            if not isinstance(before, Update):
                return None
            value = before.inputs[0]
        return self.locations[value]

    def writable(self, position: int, value: Value, after: Value, stores: Collection[int] = ()) -> Location:
        """The memory of a value, to be overwritten by `after`, which the node at `position` makes; a copy's, if others than
        `stores` still read it."""
        location = self.locations[value]
        if self.is_free(position, location.buffer, stores):
            self.note_written(location.buffer)
            return location
        return self.copied(value, after)

    def copied(self, value: Value, after: Value) -> Location:
        """Memory for `after` that holds a copy of a value."""
        fresh = self.own(after)
        self.copy(value.meta, self.locations[value], value.meta, fresh)
        return fresh

    def is_free(self, position: int, buffer: Buffer, stores: Collection[int] = ()) -> bool:
        """Whether nothing that lies in a buffer now is read behind `position`, but by the updates at `stores`."""
        reads = (k for value in self.held[buffer] for k in self.reads.get(value, ()))
        return buffer.kind not in (MemoryKind.INPUT, MemoryKind.FOLDED) and all(k <= position or k in stores for k in reads)

    def note_written(self, buffer: Buffer) -> None:
        if buffer.kind is MemoryKind.STATE:
            self.layout.note_written(buffer.number)

    def new(self, nbytes: int) -> Location:
        buffer = Buffer(MemoryKind.ARENA, nbytes, first=len(self.layout.steps), last=len(self.layout.steps))
        self.layout.buffers.append(buffer)
        return Location(buffer)

    def folded(self, nbytes: int) -> Location:
        """Memory that no other value gets."""
        start = self.layout.folded
        self.layout.folded = start + -(-nbytes // _FOLDED_ALIGNMENT) * _FOLDED_ALIGNMENT
        return Location(Buffer(MemoryKind.FOLDED, nbytes, offset=start))

    def workspaces(self, step: Step) -> list[Location]:
        """Where the workspaces of a step lie: those in which it lays out what is fixed are folded."""
        plan, sizes = step.plan, [n * dtype.itemsize for n, dtype in step.plan.workspaces]
        laid_out = () if step.folded or step.node is None or not self.fixed else laid_out_once(plan, step.node, self.fixed)
        return [self.folded(nbytes) if number in laid_out else self.new(nbytes) for number, nbytes in enumerate(sizes)]

    def copy(self, source_meta: TensorMeta, source: Location, meta: TensorMeta, target: Location) -> None:
        def make() -> Plan:
            return Plan((source_meta,), (meta,), [copy(source_meta, Input(0), meta, Output(0))])

        plan, plans = self.sized(("copy", source_meta, meta), make)
        self.step(Step(plan, (source, target), plans=plans))

    def write_back(self, before: Value, after: Value) -> None:
        """Copy a state's new value to where the state lies, if it came to lie elsewhere."""
        own, location = self.locations[before], self.locations[after]
        if location != own:
            self.layout.note_written(own.buffer.number)
            self.copy(after.meta, location, before.meta, own)

    def deliver(self, number: int, value: Value) -> None:
        """Copy an output that lies elsewhere to where outputs lie."""
        location = self.locations[value]
        if location.buffer.kind is not MemoryKind.OUTPUT or location.buffer.number != number or location.offset:
            target = Location(Buffer(MemoryKind.OUTPUT, value.meta.nbytes, number))
            self.copy(value.meta, location, value.meta.allocated(), target)

    def step(self, step: Step) -> None:
        number = len(self.layout.steps)
        if step.plans is None:
            step.locations = (*step.locations, *self.workspaces(step))
        else:
            self.layout.buffers.append(number)
        for location in step.locations:
            if location is not None:
                location.buffer.last = max(location.buffer.last, number)
        self.layout.steps.append(step)


def _is_dense(meta: TensorMeta) -> bool:
    """Whether an output lies as such a value."""
    return meta.is_contiguous or meta.allocated() is meta


def _kind_of(node: KernelNode) -> Any:
    """What nodes have in common that have one plan."""
    if not isinstance(node, Compute):
        return node
    metas = tuple([None if value is None else value.meta for value in node.inputs])
    return node.op, node.attrs, metas, classes(node.dynamic), node.over, tuple([value.meta for value in node.outputs])


def tuned_plan(graph: Graph, node: KernelNode) -> Plan:
    """The plan of a node, with the configuration that was chosen for it."""
    choice = graph.choices.get(node)
    return node.plan() if choice is None else ask(node.plan, choice.number)[0]


def _reads(graph: Graph) -> dict[Value, set[int]]:
    """The positions of the nodes that read each value, through views of it too; `FOREVER` for results."""
    readers = graph.readers()
    position = {node: number for number, node in enumerate(graph.nodes)}
    reads = {value: {position[node] for node in readers.through_views(value, late=True)} for value in graph.values()}
    for value, positions in reads.items():
        if readers.is_result(value, late=True):
            positions.add(FOREVER)
    return reads


def assign_offsets(buffers: list[Buffer]) -> int:
    """Give every buffer its offset (in `number`), the largest first; returns how many bytes they need together."""
    arena = Arena(1 + max((buffer.last for buffer in buffers), default=0))
    for buffer in sorted(buffers, key=lambda b: (-b.nbytes, b.first)):
        buffer.offset = arena.take(buffer.nbytes, buffer.first, buffer.last)
    return arena.nbytes
