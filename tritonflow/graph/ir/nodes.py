"""The nodes of a graph, and the values that they make. Neither ever changes: a pass makes other nodes.

A value is a name, like a variable of a jaxpr: several graphs may have it, and each says which node makes it. A value that no kernel
computes (a view, random words, a constant) has a `definition`. For the others a graph works out who makes and who reads them, and
which nodes contribute to a result (`Graph.producers`, `readers`, `alive`). So these answers are never out of date.

A kind of node is a class. Other files handle each kind in a `NodeVisitor`. Whoever adds a kind adds a method to `NodeVisitor`;
Python and mypy then refuse every visitor that lacks this method.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import FrozenInstanceError
from typing import Any, Generic, NoReturn, TypeGuard, TypeVar

from tritonflow.dtypes import int32
from tritonflow.execution.eager_local import make_plan
from tritonflow.execution.lazy import classes
from tritonflow.execution.op_expr import OpExpr
from tritonflow.framework.meta import Shape, TensorMeta, contiguous_meta
from tritonflow.framework.size_questions import unguarded
from tritonflow.ops.plan import Plan
from tritonflow.vm.failure import SourceLine

# Fusion classes: of ops that make their results with any strides; that take matrices with padded rows, and make results like them;
# of products of matrices; of all gradients of a norm, and of a linear layer's parameters.
ANY_LAYOUT, PADDED_ROWS, MATMUL = "any_layout", "padded_rows", "matmul"
ROW_GRADIENTS, WEIGHT_GRADIENT = "row_gradients", "weight_gradient"
PLACED = ("cast", "contiguous_copy")  # that are told where their result lies, as pointwise ops are

N = TypeVar("N", bound="Node")
T = TypeVar("T")
_set = object.__setattr__  # constructors set the fields of frozen objects with it


class _Frozen:
    """Base of what never changes."""

    __slots__ = ()

    def __setattr__(self, name: str, value: Any) -> NoReturn:
        raise FrozenInstanceError(f"cannot assign to {name!r}: a {type(self).__name__} never changes")

    def __delattr__(self, name: str) -> NoReturn:
        raise FrozenInstanceError(f"cannot delete {name!r}: a {type(self).__name__} never changes")


class Value(_Frozen):
    """What one input, state or output of a node holds.

    Attributes:
        definition: the node that says what the value is, if that is no kernel's work: a view, words, or a constant.
        name: for people.
    """

    __slots__ = ("meta", "definition", "name")
    meta: TensorMeta
    definition: Node | None
    name: str

    def __init__(self, meta: TensorMeta, definition: Node | None = None, name: str = "") -> None:
        _set(self, "meta", meta)
        _set(self, "definition", definition)
        _set(self, "name", name)


class Node(_Frozen):  # not an ABC: isinstance of one is slow
    """Base of nodes: `inputs` with None for absent ones, `outputs`, and the line of Python that it comes from.

    Attributes:
        dynamic: numbers that each run gives to its kernels.
        written: the positions of inputs whose memory it writes.
        moves: whether it moves something between ranks, all of which do it, whether or not they read the result.
    """

    __slots__ = ("inputs", "outputs", "source_line")
    inputs: tuple[Value | None, ...]
    outputs: tuple[Value, ...]
    source_line: SourceLine | None
    dynamic: tuple[Any, ...] = ()
    written: tuple[int, ...] = ()
    moves: bool = False

    @abstractmethod
    def accept(self, visitor: NodeVisitor[T]) -> T:
        """What the visitor's method for this kind of node gives."""

    def _fill(self, **fields: Any) -> None:
        """Give a new node its fields."""
        for name, value in fields.items():
            _set(self, name, value)

    def replace(self: N, **fields: Any) -> N:
        """The node with other fields, which makes the same values unless `outputs` are among these."""
        new = object.__new__(type(self))
        for kind in type(self).__mro__:
            for name in getattr(kind, "__slots__", ()):
                _set(new, name, getattr(self, name))
        new._fill(**fields)
        return new

    def reading(self, now: Callable[[Value], Value]) -> Node:
        """The node reading `now(value)` for each value that it reads; itself if all are the same.

        It makes the same values. Only what it defines is another value then, as that is defined by others.
        """
        inputs = tuple([None if value is None else now(value) for value in self.inputs])
        if inputs == self.inputs:
            return self
        defines = any(value.definition is self for value in self.outputs)
        return self.again(inputs) if defines else self.replace(inputs=inputs)

    def again(self: N, inputs: tuple[Value | None, ...]) -> N:
        """A node that does the same with other inputs of the same metas, and makes values of its own."""
        new = self.replace(inputs=inputs)
        outputs = [Value(value.meta, new if value.definition is self else None) for value in self.outputs]
        new._fill(outputs=tuple(outputs))
        return new

    def operands(self) -> Iterator[Value]:
        """The inputs that are there."""
        return (value for value in self.inputs if value is not None)

    def aliases(self) -> Sequence[tuple[int, Value]]:
        """The outputs that lie in an input's memory, where everything is written in place, behind that input's position."""
        return ()

    def overwritable(self) -> Sequence[Value]:
        """The inputs that a kernel reads in the order in which it writes results, and no other."""
        return ()

    def name(self) -> str:
        """For people: the op's name, "view", "update", or the ops of a fused node."""
        return type(self).__name__.lower()

    def text(self, inputs: str) -> str:
        """For people, with the names of its inputs."""
        return f"{self.name()}({inputs})"

    def ops(self) -> Sequence[Compute]:
        """The ops that it computes: one, several where they were fused, none in a view or an update."""
        return ()


class KernelNode(Node):
    """Base of nodes that run kernels; others say where values lie."""

    __slots__ = ()

    @abstractmethod
    def plan(self) -> Plan:
        """Its kernels, not compiled yet."""

    @property
    def overwrites(self) -> bool:
        """Whether a result may be written over an operand whose elements lie as the result's do."""
        return False


class Compute(KernelNode):
    """An op.

    Attributes:
        op, attrs, dynamic: as in dispatch.
        results: how many of the outputs are the op's own; behind them are the new values of inputs that it writes.
        written: the positions of those inputs, in order.
        over: the meta of the tensor that the result is written over, where the op was called in place.
    """

    __slots__ = ("op", "attrs", "dynamic", "results", "written", "over")
    op: OpExpr
    attrs: tuple[Any, ...]
    dynamic: tuple[Any, ...]
    results: int
    written: tuple[int, ...]
    over: TensorMeta | None

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
        _set(self, "op", op)
        _set(self, "inputs", inputs)
        _set(self, "attrs", attrs)
        _set(self, "dynamic", dynamic)
        _set(self, "over", over)
        _set(self, "source_line", source_line)
        written = op.written(inputs, attrs)
        definition = self if op.name == "full" else None
        results = [Value(meta, definition) for meta in metas]
        _set(self, "written", written)
        _set(self, "results", len(results))
        _set(self, "outputs", (*results, *[Value(_meta(inputs[k])) for k in written]))

    def accept(self, visitor: NodeVisitor[T]) -> T:
        return visitor.compute(self)

    def name(self) -> str:
        return self.op.name

    def text(self, inputs: str) -> str:
        definition = self.op.definition
        names, values = (*definition.attrs, *definition.dynamic), (*self.attrs, *self.dynamic)
        fixed = [f"{name}={value!r}" for name, value in zip(names, values)]
        return f"{self.name()}({', '.join([inputs, *fixed] if inputs else fixed)})"

    def ops(self) -> Sequence[Compute]:
        return (self,)

    def plan(self) -> Plan:
        metas = tuple([None if value is None else value.meta for value in self.inputs])
        if self.op.definition.fusion == ANY_LAYOUT:
            return self.op.plan(metas, self.attrs, outputs=[v.meta for v in self.outputs])  # type: ignore[no-any-return]
        if self.op.definition.fusion == PADDED_ROWS:
            return self.op.plan(metas, self.attrs)  # type: ignore[no-any-return]
        kinds = classes(self.dynamic)
        plan: Plan = make_plan(self.op, metas, self.attrs, kinds, self.over)
        results = [value.meta for value in self.outputs[: self.results]]
        if all(map(_lie_alike, plan.outputs, results)):
            return plan
        if self.op.definition.fusion == MATMUL or self.op.name in PLACED:
            return self.op.plan(metas, self.attrs, outputs=results)  # type: ignore[no-any-return]
        if self.op.definition.kind != "pointwise" or self.over is not None:
            raise RuntimeError(
                f"{self.op.name}: its results lie as {plan.outputs}, not as the graph has them, {results}"
            )
        return self.op.plan(metas, self.attrs, kinds, results=results)  # type: ignore[no-any-return]

    @property
    def draws_for_shard(self) -> bool:
        """Whether it is told behind its attributes, as random ops are, of which tensor its results are a shard."""
        return len(self.attrs) > len(self.op.definition.attrs)

    @property
    def checks(self) -> bool:
        """Whether a kernel of it looks for bad indices; of sizes that are symbols, what it does now."""
        with unguarded([value.meta.shape for value in (*self.operands(), *self.outputs)]):
            return self.plan().index_check is not None

    @property
    def overwrites(self) -> bool:
        return self.over is not None

    def aliases(self) -> Sequence[tuple[int, Value]]:
        """Of the inputs whose memory the kernel changes and does not write whole, the new values."""
        pairs = list(zip(self.written, self.outputs[self.results :]))
        if self.over is not None and self.op.definition.updates:
            pairs.append((self.op.definition.inputs.index(self.op.definition.updates), self.outputs[0]))
        return pairs


def _lie_alike(planned: TensorMeta, known: TensorMeta) -> bool:
    """Whether the elements of a result lie where the graph looks for them."""
    if planned is known or planned.numel == 0:
        return True
    steps, wanted = ([step for n, step in zip(m.shape, m.stride) if n > 1] for m in (planned, known))
    return planned.shape == known.shape and planned.dtype is known.dtype and steps == wanted


class View(Node):
    """Part of a value, or all of it in another shape; `offset` is in bytes from the base's first element."""

    __slots__ = ("offset",)
    offset: int

    def __init__(self, base: Value, meta: TensorMeta, offset: int) -> None:
        _set(self, "inputs", (base,))
        _set(self, "offset", offset)
        _set(self, "source_line", None)
        _set(self, "outputs", (Value(meta, self),))

    def accept(self, visitor: NodeVisitor[T]) -> T:
        return visitor.view(self)

    def aliases(self) -> Sequence[tuple[int, Value]]:
        return ((0, self.outputs[0]),)

    def text(self, inputs: str) -> str:
        return f"{self.name()} {inputs} strides {self.meta.stride} offset {self.offset}"

    @property
    def meta(self) -> TensorMeta:
        """Of the view."""
        return self.outputs[0].meta

    @property
    def base(self) -> Value:
        """What it is a view of."""
        assert self.inputs[0] is not None
        return self.inputs[0]


class Update(Node):
    """The first input with its part (`meta`, `offset`) replaced by the second."""

    __slots__ = ("meta", "offset")
    meta: TensorMeta
    offset: int

    def __init__(self, base: Value, part: Value, meta: TensorMeta, offset: int, source_line: SourceLine | None = None) -> None:
        self._fill(inputs=(base, part), meta=meta, offset=offset, source_line=source_line, outputs=(Value(base.meta),))

    def accept(self, visitor: NodeVisitor[T]) -> T:
        return visitor.update(self)

    def aliases(self) -> Sequence[tuple[int, Value]]:
        return ((0, self.outputs[0]),)

    def text(self, inputs: str) -> str:
        return f"{self.name()} {inputs} strides {self.meta.stride} offset {self.offset}"


class Late(Node):
    """The first input, in the same memory, for readers that must not run before the second is there; nothing is fused across."""

    __slots__ = ()

    def __init__(self, value: Value, trigger: Value) -> None:
        self._fill(inputs=(value, trigger), source_line=None, outputs=(Value(value.meta),))

    def accept(self, visitor: NodeVisitor[T]) -> T:
        return visitor.late(self)

    def aliases(self) -> Sequence[tuple[int, Value]]:
        return ((0, self.outputs[0]),)


class Join(Node):
    """Memory of a meta whose parts, so many bytes from its beginning, are the inputs: what a cat gives without a copy."""

    __slots__ = ("offsets",)
    offsets: tuple[int, ...]

    def __init__(self, parts: Sequence[Value], meta: TensorMeta, offsets: Sequence[int], source_line: SourceLine | None) -> None:
        self._fill(inputs=tuple(parts), offsets=tuple(offsets), source_line=source_line, outputs=(Value(meta),))

    def accept(self, visitor: NodeVisitor[T]) -> T:
        return visitor.join(self)


class Words(Node):
    """The random words of a tensor's elements, from `first` counters behind the offset of a generator's state on.

    They are drawn where they are read (`kernels/functions/random.py`), and lie nowhere.
    """

    __slots__ = ("first",)
    first: int

    def __init__(self, state: Value, shape: Shape, first: int) -> None:
        meta = contiguous_meta(shape, int32, state.meta.device)
        self._fill(inputs=(state,), first=first, source_line=None, outputs=(Value(meta, self),))

    def accept(self, visitor: NodeVisitor[T]) -> T:
        return visitor.words(self)


class NodeVisitor(ABC, Generic[T]):
    """What is done with a node, by its kind; one without a method for each kind cannot be made."""

    def visit(self, node: Node) -> T:
        """Do it with a node of any kind."""
        return node.accept(self)

    @abstractmethod
    def compute(self, node: Compute) -> T: ...

    @abstractmethod
    def fused(self, node: KernelNode) -> T:
        """With one of the kinds of `fusion`, several ops in one kernel."""

    @abstractmethod
    def view(self, node: View) -> T: ...

    @abstractmethod
    def update(self, node: Update) -> T: ...

    @abstractmethod
    def late(self, node: Late) -> T: ...

    @abstractmethod
    def join(self, node: Join) -> T: ...

    @abstractmethod
    def words(self, node: Words) -> T: ...

    @abstractmethod
    def boxing(self, node: Any) -> T:
        """With one of the kinds of `collectives`, as with the next two."""

    @abstractmethod
    def start(self, node: Any) -> T: ...

    @abstractmethod
    def done(self, node: Any) -> T: ...


def _meta(value: Value | None) -> TensorMeta:
    assert value is not None
    return value.meta


def is_op(node: Node | None, *names: str) -> TypeGuard[Compute]:
    """Whether a node is an op of one of these names."""
    return isinstance(node, Compute) and node.op.name in names


def source(value: Value) -> Value:
    """What a value is a view of from its first element on, or the value itself."""
    while isinstance(view := value.definition, View) and view.offset == 0:
        value = view.base
    return value


def root(value: Value) -> Value:
    """What a value is a view of, wherever it begins."""
    while isinstance(view := value.definition, View):
        value = view.base
    return value


def constant(value: Value) -> Any:
    """The number that all elements of a value are; None if they may differ."""
    node = source(value).definition
    if not isinstance(node, Compute) or value.meta.dtype.compute is not value.meta.dtype:
        return None
    return node.dynamic[0]


def words(value: Value) -> Words | None:
    """What draws a value where it is read; None for a value in memory."""
    return value.definition if isinstance(value.definition, Words) else None


def is_loaded(value: Value) -> bool:
    """Whether a value comes from memory: it is no number, nor drawn."""
    return constant(value) is None and words(value) is None
