"""Where every value of a graph lies: in a state's memory, an input's, an output's, or at an offset of the graph's own arena.

A view lies in its base. A written value takes the place of the one before if nobody reads that any more, and that of a copy
otherwise. Buffers of the arena whose lives do not overlap share memory: the largest are placed first, each at the lowest offset
that is free for its whole life.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

from tritonflow.framework.meta import TensorMeta
from tritonflow.graph.fusion.group import Fused
from tritonflow.graph.ir import Compute, Graph, Late, Node, Update, Value, View
from tritonflow.interpreter.eager_local import make_plan
from tritonflow.interpreter.lazy import classes
from tritonflow.ops.copy import copy
from tritonflow.ops.plan import Plan

ALIGNMENT = 64
FOREVER = 1 << 60


@dataclass(eq=False)
class Buffer:
    """A piece of memory: "input" and "output" by number, "state" by number, or "arena" with its life and offset.

    `first` and `last` are the numbers of the steps that write and read it first and last.
    """

    kind: str
    nbytes: int
    number: int = 0
    first: int = 0
    last: int = 0


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
    """A plan to run, and where its inputs (None: absent), outputs and workspaces lie."""

    plan: Plan
    locations: tuple[Location | None, ...]
    dynamic: tuple[Any, ...] = ()


@dataclass
class Layout:
    """The steps of a graph, and the memory that they need."""

    steps: list[Step] = field(default_factory=list)
    arena: int = 0
    written: set[int] = field(default_factory=set)  # numbers of the states that are written


def plan_memory(graph: Graph) -> Layout:
    """Decide where everything lies."""
    return _Planner(graph).run()


class _Planner:
    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.layout = Layout()
        self.places: dict[Value, Location] = {}
        self.held: defaultdict[Buffer, list[Value]] = defaultdict(list)
        self.arena: list[Buffer] = []
        self.last_read = _last_reads(graph)
        self.outputs = {value: number for number, value in reversed(list(enumerate(graph.outputs)))}
        self.plans = {node: plan_of(node) for node in graph.nodes if not isinstance(node, (View, Late, Update))}
        # Values whose addresses stand in tables: they must stay where they are.
        self.fixed = {value for node, plan in self.plans.items() if plan.has_tables for value in node.operands()}

    def run(self) -> Layout:
        graph, layout = self.graph, self.layout
        for number, value in enumerate(graph.inputs):
            self.put(value, Location(Buffer("input", value.meta.nbytes, number)))
        for number, state in enumerate(graph.states):
            self.put(state.value, Location(Buffer("state", state.value.meta.nbytes, number)))
        for position, node in enumerate(graph.nodes):
            if isinstance(node, View):
                self.put(node.outputs[0], self.places[node.inputs[0]].plus(node.offset))  # type: ignore[index]
            elif isinstance(node, Late):
                self.put(node.outputs[0], self.places[node.inputs[0]])  # type: ignore[index]
            elif isinstance(node, Update):
                self.update(position, node)
            else:
                self.compute(position, node)
        for state in graph.states:
            self.write_back(state.value, state.result)
        for number, value in enumerate(graph.outputs):
            self.deliver(number, value)
        layout.arena = place(self.arena)
        return layout

    def put(self, value: Value, place: Location) -> None:
        self.places[value] = place
        self.held[place.buffer].append(value)

    def compute(self, position: int, node: Any) -> None:
        plan, written = self.plans[node], node.written if isinstance(node, Compute) else ()
        results = node.outputs[: len(node.outputs) - len(written)]
        for number, input_ in enumerate(written):
            before, after = node.inputs[input_], node.outputs[len(results) + number]
            assert before is not None
            self.put(after, self.writable(position, before))
        inputs = [None if value is None else self.places[value] for value in node.inputs]
        for number, input_ in enumerate(written):
            inputs[input_] = self.places[node.outputs[len(results) + number]]
        if plan.has_tables:
            inputs = [self.kept(value, place) for value, place in zip(node.inputs, inputs)]
        for value in results:
            self.put(value, self.target(position, node, value))
        self.step(Step(plan, (*inputs, *[self.places[v] for v in results]), node.dynamic))

    def update(self, position: int, node: Update) -> None:
        base, part = node.inputs
        assert base is not None and part is not None
        start = self.places[base]
        if self.places[part] == start.plus(node.offset) and part.meta is node.meta:
            self.put(node.outputs[0], start)  # computed in place
            return
        place = self.writable(position, base)
        self.copy(part.meta, self.places[part], node.meta, place.plus(node.offset))
        self.put(node.outputs[0], place)

    def target(self, position: int, node: Node, value: Value) -> Location:
        """Where a result goes: to the graph's outputs, into the tensor that it is written over next, or to the arena."""
        if value in self.outputs and value not in self.fixed and value.meta.is_contiguous:
            return Location(Buffer("output", value.meta.nbytes, self.outputs[value]))
        following = self.graph.nodes[position + 1] if position + 1 < len(self.graph.nodes) else None
        if isinstance(following, Update) and following.inputs[1] is value and self.last_read.get(value) == position + 1:
            base = following.inputs[0]
            assert base is not None
            place = self.places[base].plus(following.offset)
            reads = [(v.meta, self.places[v]) for v in node.operands() if self.places[v].buffer is place.buffer]
            same = all(read == (following.meta, place) for read in reads)
            if same and value.meta is following.meta and self.is_free(position + 1, place.buffer):
                self.note_written(place.buffer)
                return place
        return self.new(value.meta.span() * value.meta.dtype.itemsize)

    def kept(self, value: Value | None, place: Location | None) -> Location | None:
        """Where a value is in every run: a copy's place for what comes from outside."""
        if value is None or place is None or place.buffer.kind != "input":
            return place
        copy = self.new(value.meta.nbytes)
        self.copy(value.meta, place, value.meta, copy)
        return copy

    def writable(self, position: int, value: Value) -> Location:
        """The memory of a value, to be overwritten by the node at `position`; a copy's, if others still read it."""
        place = self.places[value]
        if self.is_free(position, place.buffer):
            self.note_written(place.buffer)
            return place
        fresh = self.new(value.meta.span() * value.meta.dtype.itemsize)
        self.copy(value.meta, place, value.meta, fresh)
        return fresh

    def is_free(self, position: int, buffer: Buffer) -> bool:
        """Whether nothing that lies in a buffer now is read behind `position`."""
        return buffer.kind != "input" and all(self.last_read.get(v, -1) <= position for v in self.held[buffer])

    def note_written(self, buffer: Buffer) -> None:
        if buffer.kind == "state":
            self.layout.written.add(buffer.number)

    def new(self, nbytes: int) -> Location:
        buffer = Buffer("arena", nbytes, first=len(self.layout.steps), last=len(self.layout.steps))
        self.arena.append(buffer)
        return Location(buffer)

    def copy(self, source_meta: TensorMeta, source: Location, meta: TensorMeta, target: Location) -> None:
        plan = Plan((source_meta,), (meta,), [copy(source_meta, "i0", meta, "o0")])
        self.step(Step(plan, (source, target)))

    def write_back(self, before: Value, after: Value) -> None:
        """Copy a state's new value to where the state lies, if it came to lie elsewhere."""
        home, place = self.places[before], self.places[after]
        if place != home:
            self.layout.written.add(home.buffer.number)
            self.copy(after.meta, place, before.meta, home)

    def deliver(self, number: int, value: Value) -> None:
        """Copy an output that lies elsewhere to where outputs lie."""
        place = self.places[value]
        if place.buffer.kind != "output" or place.buffer.number != number or place.offset:
            target = Location(Buffer("output", value.meta.nbytes, number))
            self.copy(value.meta, place, value.meta.contiguous(), target)

    def step(self, step: Step) -> None:
        workspaces = [self.new(n * dtype.itemsize) for n, dtype in step.plan.workspaces]
        step.locations = (*step.locations, *workspaces)
        number = len(self.layout.steps)
        for place in step.locations:
            if place is not None:
                place.buffer.last = max(place.buffer.last, number)
        self.layout.steps.append(step)


def plan_of(node: Any) -> Plan:
    """The plan of a node, not compiled yet."""
    if isinstance(node, Fused):
        return node.plan()
    metas = tuple([None if value is None else value.meta for value in node.inputs])
    plan: Plan = make_plan(node.op, metas, node.attrs, classes(node.dynamic), node.over)
    return plan


def _last_reads(graph: Graph) -> dict[Value, int]:
    """The position of the last node that reads each value, through views of it too."""
    last: dict[Value, int] = {value: FOREVER for value in graph.results()}
    for position, node in reversed(list(enumerate(graph.nodes))):
        reads = max([last.get(v, -1) for v in node.outputs]) if isinstance(node, (View, Late)) else position
        for value in _memory_read(node):
            last[value] = max(last.get(value, -1), reads)
    return last


def _memory_read(node: Node) -> list[Value]:
    """The operands whose memory a node reads: not what a `late` waits for, nor the base of an update that is written already."""
    operands = list(node.operands())
    if isinstance(node, Late):
        return operands[:1]
    return operands[1:] if isinstance(node, Update) and _is_written(node) else operands


def _is_written(node: Update) -> bool:
    """Whether an op that writes its inputs made the part, from the part of the base that it replaces."""
    base, part = node.inputs
    maker = None if part is None else part.producer
    if not isinstance(maker, Compute) or part not in maker.outputs[maker.results :]:
        return False
    before = maker.inputs[maker.written[maker.outputs.index(part) - maker.results]]
    view = None if before is None else before.producer
    return isinstance(view, View) and view.inputs[0] is base and view.meta is node.meta and view.offset == node.offset


def place(buffers: list[Buffer]) -> int:
    """Give every buffer its offset (in `number`); returns how many bytes they need together."""
    placed: list[Buffer] = []
    size = 0
    for buffer in sorted(buffers, key=lambda b: (-b.nbytes, b.first)):
        offset = 0
        for other in sorted((b for b in placed if _overlap(b, buffer)), key=lambda b: b.number):
            if offset + buffer.nbytes <= other.number:
                break
            offset = max(offset, _aligned(other.number + other.nbytes))
        buffer.number = offset
        placed.append(buffer)
        size = max(size, _aligned(offset + buffer.nbytes))
    return size


def _overlap(a: Buffer, b: Buffer) -> bool:
    return a.first <= b.last and b.first <= a.last


def _aligned(nbytes: int) -> int:
    return -(-nbytes // ALIGNMENT) * ALIGNMENT
