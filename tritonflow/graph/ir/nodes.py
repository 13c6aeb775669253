"""The nodes of a graph, and the values that they make."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from tritonflow.dtypes import int32
from tritonflow.framework.meta import Shape, TensorMeta, contiguous_meta
from tritonflow.interpreter.op_expr import OpExpr
from tritonflow.vm.failure import SourceLine

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

    __slots__ = ("inputs", "outputs", "source_line")
    inputs: tuple[Value | None, ...]
    outputs: tuple[Value, ...]
    source_line: SourceLine | None

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
        source_line: SourceLine | None = None,
    ) -> None:
        self.op, self.inputs, self.attrs, self.dynamic, self.over, self.source_line = op, inputs, attrs, dynamic, over, source_line
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
        return Compute(self.op, inputs, self.attrs, self.dynamic, metas, self.over, self.source_line)


class View(Node):
    """Part of a value, or all of it in another shape; `offset` is in bytes from the base's first element."""

    __slots__ = ("offset",)

    def __init__(self, base: Value, meta: TensorMeta, offset: int) -> None:
        self.inputs, self.offset, self.source_line = (base,), offset, None
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

    def __init__(self, base: Value, part: Value, meta: TensorMeta, offset: int, source_line: SourceLine | None = None) -> None:
        self.inputs, self.meta, self.offset, self.source_line = (base, part), meta, offset, source_line
        self.outputs = (Value(base.meta, self),)

    def again(self, inputs: tuple[Any, ...]) -> Update:
        """The same part replaced in another base, or by another value."""
        return Update(inputs[0], inputs[1], self.meta, self.offset, self.source_line)


class Late(Node):
    """The first input, in the same memory, for readers that must not run before the second is there; nothing is fused across."""

    __slots__ = ()

    def __init__(self, value: Value, trigger: Value) -> None:
        self.inputs, self.source_line = (value, trigger), None
        self.outputs = (Value(value.meta, self),)


class Join(Node):
    """Memory of a meta whose parts, so many bytes from its beginning, are the inputs: what a cat gives without a copy."""

    __slots__ = ("offsets",)

    def __init__(self, parts: Sequence[Value], meta: TensorMeta, offsets: Sequence[int], source_line: SourceLine | None) -> None:
        self.inputs, self.offsets, self.source_line = tuple(parts), tuple(offsets), source_line
        self.outputs = (Value(meta, self),)


class Words(Node):
    """The random words of a tensor's elements, from `first` counters behind the offset of a generator's state on.

    They are drawn where they are read (`kernels/functions/random.py`), and lie nowhere.
    """

    __slots__ = ("first",)

    def __init__(self, state: Value, shape: Shape, first: int) -> None:
        self.inputs, self.first, self.source_line = (state,), first, None
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


def title(node: Node) -> str:
    """The op's name, "view", "update", or a fused node's own."""
    return node.op.name if isinstance(node, Compute) else node.name()
