"""The graph that is captured: values, and the nodes that make them, in an order in which they may run.

It is functional: nothing is ever written. What a program writes in place is a new value: an op that writes an input makes a
value for it (`Compute.written`), and a write to a part of a tensor is an `Update` of the whole. Views are `View` nodes: a meta and
an offset in bytes over a base. Memory comes back in `memory`, where an updated value takes the place of the one before.

    %2: float32[8, 4] = matmul(%0, %1)            # train.py:12
    %3: float32[4, 8] = view %2 strides (1, 4) offset 0
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from typing import Any

from tritonflow.dtypes import int32
from tritonflow.framework.meta import Shape, TensorMeta, contiguous_meta
from tritonflow.interpreter.op_expr import OpExpr
from tritonflow.ops.tuning import Choice
from tritonflow.vm.failure import Place, describe

ANY_LAYOUT = "any_layout"  # the fusion class of ops that make their results with any strides
COPIES = ("clone", "contiguous_copy")  # ops whose result is their input, in row-major order


class Value:
    """What one input, state or output of a node holds; `producer` is None for inputs and states."""

    __slots__ = ("meta", "producer", "name")

    def __init__(self, meta: TensorMeta, producer: Node | None = None, name: str = "") -> None:
        self.meta = meta
        self.producer = producer
        self.name = name


class Node:
    """Base of nodes: `inputs` with None for absent ones, `outputs`, and the line of Python that it comes from."""

    __slots__ = ("inputs", "outputs", "place")
    inputs: tuple[Value | None, ...]
    outputs: tuple[Value, ...]
    place: Place | None

    def operands(self) -> Iterator[Value]:
        """The inputs that are there."""
        return (value for value in self.inputs if value is not None)

    def name(self) -> str:
        """For people."""
        return type(self).__name__.lower()

    def ops(self) -> Sequence[Compute]:
        """The ops that it computes: one, several where they were fused, none in a view or an update."""
        return ()

    def again(self, inputs: tuple[Any, ...]) -> Node:
        """A node that does the same with other inputs."""
        raise NotImplementedError(f"{self.name()} is not computed again")


class Compute(Node):
    """An op.

    Attributes:
        op, attrs, dynamic: as in dispatch.
        results: how many of the outputs are the op's own; behind them are the new values of inputs that it writes.
        written: the positions of those inputs, in order.
        over: the meta of the tensor that the result is written over, where the op was called in place.
    """

    __slots__ = ("op", "attrs", "dynamic", "results", "written", "over")

    def __init__(
        self,
        op: OpExpr,
        inputs: tuple[Value | None, ...],
        attrs: tuple[Any, ...],
        dynamic: tuple[Any, ...],
        metas: Iterable[TensorMeta],
        over: TensorMeta | None = None,
        place: Place | None = None,
    ) -> None:
        self.op, self.inputs, self.attrs, self.dynamic, self.over, self.place = op, inputs, attrs, dynamic, over, place
        self.written = op.written(inputs)
        results = [Value(meta, self) for meta in metas]
        self.results = len(results)
        self.outputs = (*results, *[Value(_meta(inputs[k]), self) for k in self.written])

    def ops(self) -> Sequence[Compute]:
        return (self,)

    def rewritten(self) -> list[tuple[int, Value]]:
        """The inputs whose memory the kernel changes and does not write whole, by position, with their new values."""
        pairs = list(zip(self.written, self.outputs[self.results :]))
        if self.over is not None and self.op.definition.updates:
            pairs.append((self.op.definition.inputs.index(self.op.definition.updates), self.outputs[0]))
        return pairs

    def again(self, inputs: tuple[Any, ...]) -> Compute:
        """The op on other inputs of the same metas."""
        metas = [value.meta for value in self.outputs[: self.results]]
        return Compute(self.op, inputs, self.attrs, self.dynamic, metas, self.over, self.place)


class View(Node):
    """Part of a value, or all of it in another shape; `offset` is in bytes from the base's first element."""

    __slots__ = ("offset",)

    def __init__(self, base: Value, meta: TensorMeta, offset: int) -> None:
        self.inputs, self.offset, self.place = (base,), offset, None
        self.outputs = (Value(meta, self),)

    @property
    def meta(self) -> TensorMeta:
        """Of the view."""
        return self.outputs[0].meta

    @property
    def base(self) -> Value:
        """What it is a view of."""
        assert self.inputs[0] is not None
        return self.inputs[0]

    def again(self, inputs: tuple[Any, ...]) -> View:
        """The same part of another base."""
        return View(inputs[0], self.meta, self.offset)


class Update(Node):
    """The first input with its part (`meta`, `offset`) replaced by the second."""

    __slots__ = ("meta", "offset")

    def __init__(self, base: Value, part: Value, meta: TensorMeta, offset: int, place: Place | None = None) -> None:
        self.inputs, self.meta, self.offset, self.place = (base, part), meta, offset, place
        self.outputs = (Value(base.meta, self),)

    def again(self, inputs: tuple[Any, ...]) -> Update:
        """The same part replaced in another base, or by another value."""
        return Update(inputs[0], inputs[1], self.meta, self.offset, self.place)


class Late(Node):
    """The first input, in the same memory, for readers that must not run before the second is there; nothing is fused across."""

    __slots__ = ()

    def __init__(self, value: Value, trigger: Value) -> None:
        self.inputs, self.place = (value, trigger), None
        self.outputs = (Value(value.meta, self),)


class Join(Node):
    """Memory of a meta whose parts, so many bytes from its beginning, are the inputs: what a cat gives without a copy."""

    __slots__ = ("offsets",)

    def __init__(self, parts: Sequence[Value], meta: TensorMeta, offsets: Sequence[int], place: Place | None) -> None:
        self.inputs, self.offsets, self.place = tuple(parts), tuple(offsets), place
        self.outputs = (Value(meta, self),)


class Words(Node):
    """The random words of a tensor's elements, from `first` counters behind the offset of a generator's state on.

    They are drawn where they are read (`kernels/functions/random.py`), and lie nowhere.
    """

    __slots__ = ("first",)

    def __init__(self, state: Value, shape: Shape, first: int) -> None:
        self.inputs, self.first, self.place = (state,), first, None
        self.outputs = (Value(contiguous_meta(shape, int32, state.meta.device), self),)


def _meta(value: Value | None) -> TensorMeta:
    assert value is not None
    return value.meta


def source(value: Value) -> Value:
    """What a value is a view of from its first element on, or the value itself."""
    while isinstance(value.producer, View) and value.producer.offset == 0:
        value = value.producer.base
    return value


def root(value: Value) -> Value:
    """What a value is a view of, wherever it begins."""
    while isinstance(value.producer, View):
        value = value.producer.base
    return value


def constant(value: Value) -> Any:
    """The number that all elements of a value are; None if they may differ."""
    node = source(value).producer
    if not isinstance(node, Compute) or node.op.name != "full" or value.meta.dtype.compute is not value.meta.dtype:
        return None
    return node.dynamic[0]


def words(value: Value) -> Words | None:
    """What draws a value where it is read; None for a value in memory."""
    return value.producer if isinstance(value.producer, Words) else None


def is_loaded(value: Value) -> bool:
    """Whether a value comes from memory: it is no number, nor drawn."""
    return constant(value) is None and words(value) is None


@dataclass
class State:
    """A block of memory outside of the graph, which it reads and may write: `value` before, `result` after the graph has run.

    The value's meta is the block's bytes; tensors on it are views.
    """

    impl: Any
    value: Value
    result: Value


@dataclass(eq=False)
class Segment:
    """What a call of a module captured that is to be computed again in the backward: the nodes from `start` to `stop`.

    `backward` is the position where the first backward behind it starts, None as long as there is none.
    """

    start: int
    stop: int
    backward: int | None = None


@dataclass
class Graph:
    """A captured program.

    Attributes:
        choices: which configurations tuning has found for nodes that have a choice.
    """

    inputs: list[Value] = field(default_factory=list)
    states: list[State] = field(default_factory=list)
    nodes: list[Node] = field(default_factory=list)
    outputs: list[Value] = field(default_factory=list)
    segments: list[Segment] = field(default_factory=list)
    choices: dict[Node, Choice] = field(default_factory=dict)

    def results(self) -> list[Value]:
        """What must be there in the end: outputs, and the states' new values."""
        return [*self.outputs, *[state.result for state in self.states]]

    def computes(self) -> list[Compute]:
        """The nodes that run kernels."""
        return [node for node in self.nodes if isinstance(node, Compute)]

    def values(self) -> Iterator[Value]:
        """Everything that is there at some time."""
        yield from self.inputs
        yield from (state.value for state in self.states)
        yield from (value for node in self.nodes for value in node.outputs)

    def readers(self) -> Readers:
        """Who reads its values."""
        return Readers(self)

    def copy(self) -> Graph:
        """The graph as it was captured, whatever passes do to its nodes: another with nodes and values of its own."""
        own: dict[Value, Value] = {}

        def new(value: Value) -> Value:
            if value not in own:
                own[value] = Value(value.meta, None, value.name)
            return own[value]

        nodes = [copy(node) for node in self.nodes]
        for node in nodes:
            node.inputs = tuple([None if value is None else new(value) for value in node.inputs])
            node.outputs = tuple([new(value) for value in node.outputs])
            for value in node.outputs:
                value.producer = node
        states = [replace(state, value=new(state.value), result=new(state.result)) for state in self.states]
        inputs, outputs = ([new(value) for value in values] for values in (self.inputs, self.outputs))
        return replace(self, inputs=inputs, states=states, nodes=nodes, outputs=outputs)

    def verify(self) -> None:
        """Check that every value is made before it is used, and once.

        Raises:
            ValueError: naming the node.
        """
        known = {*self.inputs, *[state.value for state in self.states]}
        for position, node in enumerate(self.nodes):
            for value in node.operands():
                if value not in known:
                    raise ValueError(f"node {position} ({title(node)}) uses a value that is not made before it")
            for value in node.outputs:
                if value in known or value.producer is not node:
                    raise ValueError(f"node {position} ({title(node)}) makes a value that is made elsewhere")
                known.add(value)
        for value in self.results():
            if value not in known:
                raise ValueError("a result of the graph is not made by its nodes")

    def __str__(self) -> str:
        return "\n".join(_Printer(self).lines())


class Readers:
    """The nodes that read each value of a graph."""

    def __init__(self, graph: Graph) -> None:
        self._results = set(graph.results())
        self._of: dict[Value, list[Node]] = {}
        for node in graph.nodes:
            self._add(node)

    def of(self, value: Value) -> Sequence[Node]:
        """The nodes that read a value itself."""
        return self._of.get(value, ())

    def through_views(self, value: Value, late: bool = False) -> list[Node]:
        """The nodes that read a value or views of it; with `late` through `Late`, too, which reads nothing."""
        through = (View, Late) if late else (View,)
        readers = (node for alias in self._aliases(value, through) for node in self.of(alias))
        return list(dict.fromkeys(node for node in readers if not isinstance(node, through)))

    def is_result(self, value: Value, late: bool = False) -> bool:
        """Whether a value is a result of the graph, or a view of it is; with `late` through `Late`, too."""
        return any(alias in self._results for alias in self._aliases(value, (View, Late) if late else (View,)))

    def merge(self, nodes: Iterable[Node], merged: Node) -> None:
        """Let one node read in place of several."""
        for node in nodes:
            for value in dict.fromkeys(node.operands()):
                self._of[value].remove(node)
        self._add(merged)

    def _add(self, node: Node) -> None:
        for value in dict.fromkeys(node.operands()):
            self._of.setdefault(value, []).append(node)

    def _aliases(self, value: Value, kinds: tuple[type[Node], ...]) -> Iterator[Value]:
        """A value, and what nodes of these kinds make of its memory."""
        yield value
        for node in self.of(value):
            if isinstance(node, kinds) and node.inputs[0] is value:
                yield from self._aliases(node.outputs[0], kinds)


def title(node: Node) -> str:
    """The op's name, "view", "update", or a fused node's own."""
    return node.op.name if isinstance(node, Compute) else node.name()


class _Printer:
    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.names: dict[Value, str] = {}

    def name(self, value: Value | None) -> str:
        if value is None:
            return "None"
        if value not in self.names:
            self.names[value] = value.name or f"%{len(self.names)}"
        return self.names[value]

    def typed(self, value: Value) -> str:
        return f"{self.name(value)}: {value.meta.dtype.name}{list(value.meta.shape)}"

    def lines(self) -> Iterator[str]:
        graph = self.graph
        yield f"graph({', '.join(self.typed(v) for v in graph.inputs)}):"
        for state in graph.states:
            yield f"  state {self.typed(state.value)}"
        for node in graph.nodes:
            line = f"  {', '.join(self.typed(v) for v in node.outputs)} = {self.call(node)}"
            yield f"{line:<80}  # {describe(node.place)}" if node.place else line
        for state in graph.states:
            if state.result is not state.value:
                yield f"  {self.name(state.value)} <- {self.name(state.result)}"
        yield f"  return {', '.join(self.name(v) for v in graph.outputs)}"

    def call(self, node: Node) -> str:
        inputs = ", ".join(self.name(v) for v in node.inputs)
        if isinstance(node, Compute):
            fixed = [f"{k}={v!r}" for k, v in zip(node.op.definition.attrs, node.attrs)]
            fixed += [f"{k}={v!r}" for k, v in zip(node.op.definition.dynamic, node.dynamic)]
            return f"{node.op.name}({', '.join([inputs, *fixed] if inputs else fixed)})"
        if not isinstance(node, (View, Update)):
            return f"{title(node)}({inputs})"
        return f"{title(node)} {inputs} strides {node.meta.stride} offset {node.offset}"
