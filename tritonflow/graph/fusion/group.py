"""Groups of ops that are computed by one kernel: the elementwise template with a function written for the group.

A group is pointwise, or it reduces rows that fit in one tile: pointwise ops, reductions of the last dimensions (`fusion: rows.*`
in the registry), and pointwise ops on what they give.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from math import prod
from operator import attrgetter
from typing import Any, TypeGuard, TypeVar

from tritonflow.device.provider import facts_of
from tritonflow.dtypes import INTEGER, DType, float32, int64
from tritonflow.execution.lazy import classes
from tritonflow.framework.meta import Shape, TensorMeta
from tritonflow.framework.size_questions import taking_many
from tritonflow.graph.fusion.space import Space, runs, space_of
from tritonflow.graph.ir import Compute, KernelNode, Node, NodeVisitor, Value, constant, root, source, words
from tritonflow.ops.elementwise import launch, launch_rows, operand_dtypes
from tritonflow.ops.function_source import ABSENT, MOVES, Operation, write_function
from tritonflow.ops.operands import Input, Operands, Output, Scalar
from tritonflow.ops.plan import Plan

COLUMNS = 8192  # the longest row that one tile holds
DRAWN_TOGETHER = 4  # random words that one counter gives
POINTERS = 64  # tensors of a kernel: with up to 5 strides each they fit into a CUDA graph's 4 KB of parameters for a kernel
STEPS = 160  # calls in a fused function: compilers walk along them by recursion
_SHAPE_ATTRS = ("dim", "dims", "keepdim", "dtype")  # attributes of reductions that say what is reduced, and to what
_STATISTICS = ("mean", "rstd")  # inputs of reductions that have one number for a row

F = TypeVar("F", bound="FusedNode")
T = TypeVar("T")
Read = tuple[Value, Shape]  # a value, and its strides over a space


class FusedNode(KernelNode):
    """Base of nodes that are several ops: the pointwise ones, or reductions of rows, are the `body`, in order.

    Attributes:
        space: what the body walks over.
        reads: what it reads from memory, or draws from a generator's state.
        dynamic: its run-time scalars.
    """

    __slots__ = ("body", "space", "reads", "dynamic")
    body: tuple[Compute, ...]
    space: Space
    reads: tuple[Read, ...]
    dynamic: tuple[Any, ...]

    def __init__(self, body: Sequence[Compute], space: Space, given: Collection[Value] = ()) -> None:
        reads = tuple(reads_of(body, space, given))
        self._fill(body=tuple(body), space=space, reads=reads)
        self._fill(inputs=tuple([_lies_in(value) for value, _ in reads]))
        self._fill(dynamic=tuple([number for node in body for number in numbers_of(node)]))

    def reading(self: F, now: Callable[[Value], Value]) -> F:
        """The node reading `now(value)` for each value that it, and so its body, reads."""
        inputs = tuple([None if value is None else now(value) for value in self.inputs])
        if inputs == self.inputs:
            return self
        body, reads = [op.reading(now) for op in self.body], [(now(value), strides) for value, strides in self.reads]
        return self.replace(inputs=inputs, body=tuple(body), reads=tuple(reads))

    def accept(self, visitor: NodeVisitor[T]) -> T:
        return visitor.fused(self)

    def name(self) -> str:
        return f"fused[{', '.join(node.op.name for node in self.ops())}]"


class Fused(FusedNode):
    """Several ops as one; the outputs are those of its values that are `wanted` outside."""

    __slots__ = ()

    def __init__(self, body: Sequence[Any], wanted: set[Value], space: Space) -> None:
        super().__init__(body, space)
        made = {value: scale for node in self.body for value, scale in zip(node.outputs, result_scales(node, space))}
        outputs = sorted([value for value in made if value in wanted], key=lambda value: made[value])
        self._fill(source_line=self.body[-1].source_line, outputs=tuple(outputs))

    def ops(self) -> Sequence[Compute]:
        return self.body

    def overwritable(self) -> Sequence[Value]:
        return overwritable(self.reads, self.space)

    @property
    def overwrites(self) -> bool:
        return True

    def plan(self) -> Plan:
        space, inputs, outputs = self.space, [v.meta for v in self.operands()], [v.meta for v in self.outputs]
        body = Body(self.body, space, self.reads)
        parameters = [*(["mask", "count"] if space.cols else []), *body.parameters]
        function, scalars = body.function("fused", parameters, self.outputs), body.scalars
        strides = {value: steps for node in self.body for value, steps in made_in(node, space)}
        xs = [_seen(value.meta, space.sizes, strides) for value, strides in self.reads]
        outs = [_seen(value.meta, space.sizes, strides[value]) for value in self.outputs]
        sources, targets = body.operands(), Output.several(len(outputs))
        if space.cols:
            return Plan(
                inputs, outputs, [launch_rows(function, space.sizes, space.cols, xs, outs, sources, targets, scalars)]
            )
        return Plan(inputs, outputs, [launch(function, None, space.sizes, xs, outs, sources, targets, scalars)])


class Body:
    """The text of a group's ops, and run-time scalars as operands of a launch.

    Args:
        nodes: the ops, in order.
        space: what they walk over.
        reads: what they read from memory, as `reads_of` gives it.
        names: of values that are computed before.
        operations: what computes these.
    """

    def __init__(
        self,
        nodes: Sequence[Compute],
        space: Space,
        reads: Sequence[Read],
        names: dict[Value, str] | None = None,
        operations: Sequence[Operation] = (),
    ) -> None:
        self.nodes = nodes
        self.space = space
        self.reads = {read: f"x{k}" for k, read in enumerate(reads)}
        self.names = dict(names or {})
        self.scalars: list[Scalar] = []
        self.numbers = 0  # how many run-time scalars there are so far
        self.firsts: dict[Value, Scalar] = {}  # the first counters of random words
        self.operations = [*operations, *[self._operation(f"v{k}", node) for k, node in enumerate(nodes)]]

    @property
    def parameters(self) -> list[str]:
        """The names of what is read, and of the scalars."""
        return [*self.reads.values(), *[f"s{k}" for k in range(len(self.scalars))]]

    def operands(self, start: int = 0) -> list[Operands]:
        """What is read, as operands of a launch, from input `start` on."""
        inputs = zip([value for value, _ in self.reads], Input.several(len(self.reads), start))
        return [(own, self.firsts[value]) if value in self.firsts else own for value, own in inputs]

    def function(self, title: str, parameters: list[str], results: Sequence[Value]) -> Any:
        """The function of these parameters."""
        title = "_".join([title, *[node.op.name for node in self.nodes[:4]]])
        return write_function(title, parameters, self.operations, [self.names[value] for value in results])

    def _operation(self, name: str, node: Compute) -> Operation:
        compute, dtypes = dtypes_of(node)
        arguments = self._arguments(node, compute)
        names = [name if k == 0 else f"{name}_{k}" for k in range(len(dtypes))]
        self.names.update(zip(node.outputs, names))
        results = list(zip(names, dtypes))
        if is_draw(node):
            return Operation(node.op.definition.fusion, results, arguments, compute)
        if not is_row_op(node):
            target = "arithmetic.identity" if node.op.name in MOVES else node.op.definition.target
            return Operation(target, results, arguments, compute)
        fixed = [f"{k}={v!r}" for k, v in zip(node.op.definition.attrs, node.attrs) if k not in _SHAPE_ATTRS]
        return Operation(node.op.definition.fusion, results, arguments, compute, ("mask", "count", *fixed))

    def _arguments(self, node: Compute, compute: DType) -> list[tuple[str, DType]]:
        given = iter(operands(node, self.space))
        found = [(ABSENT, compute) if value is None else self._argument(*next(given), compute) for value in node.inputs]
        found += [self._scalar(compute if compute.is_floating_point else int64) for _ in node.dynamic]
        for value in filter(words, node.operands()):
            self.firsts[value] = self._number(int64)
        return found

    def _argument(self, value: Value, shape: Shape, scale: int, compute: DType) -> tuple[str, DType]:
        if source(value) in self.names:
            return self.names[source(value)], value.meta.dtype.compute
        if constant(value) is not None:
            return self._scalar(value.meta.dtype)
        name = self.reads[value, self.space.strides(value.meta, shape, scale)]
        return name, compute if words(value) else value.meta.dtype.compute

    def _scalar(self, dtype: DType) -> tuple[str, DType]:
        self.scalars.append(self._number(dtype))
        return f"s{len(self.scalars) - 1}", dtype

    def _number(self, dtype: DType) -> Scalar:
        self.numbers += 1
        return Scalar(self.numbers - 1, dtype)


def reads_of(nodes: Sequence[Compute], space: Space, given: Collection[Value] = ()) -> list[Read]:
    """What ops read from memory, and the strides with which they do; numbers of rows behind what has an element at each position.

    Args:
        given: values that are there already.
    """
    made = {*given, *[value for node in nodes for value in node.outputs]}
    reads: dict[Read, None] = {}
    for node in nodes:
        for value, shape, scale in operands(node, space):
            if root(value) not in made and constant(value) is None:
                reads[value, space.strides(value.meta, shape, scale)] = None
    return sorted(reads, key=lambda read: read[1][-1:] == (0,))


def overwritable(reads: Sequence[Read], space: Space) -> list[Value]:
    """The values that are read in row-major order, and no other."""
    others = {value for value, strides in reads if strides != space.own()}
    return [value for value, _ in reads if value not in others and value.meta.is_contiguous and not words(value)]


def _lies_in(value: Value) -> Value:
    """The input of a kernel that gives a value: itself, or the state from which it is drawn."""
    drawn = words(value)
    return value if drawn is None else next(drawn.operands())


def fit(nodes: Sequence[Compute], given: Value | None = None, parts: Shape = ()) -> Space | None:
    """The space in which ops can be one kernel; None if they can not.

    Args:
        given: a value that the kernel has computed before.
        parts: sizes that the space must have cuts between.

    Counts that may be 0 are taken to be many: a kernel of no rows launches nothing.
    """
    reductions = [node for node in nodes if is_row_op(node)]
    values = [value for node in nodes for value in (*node.operands(), *node.outputs)]
    with taking_many([parts, None if given is None else given.meta.shape, *[value.meta.shape for value in values]]):
        return _fit(nodes, reductions, given, parts)


def _fit(nodes: Sequence[Compute], reductions: Sequence[Compute], given: Value | None, parts: tuple[int, ...]) -> Space | None:
    cols = {columns(node) for node in reductions}
    gaps = any(not value.meta.is_contiguous for node in nodes for value in node.outputs)
    if len(cols) > 1 or ((reductions or gaps) and given is not None) or (reductions and gaps):
        return None
    whole = given or (_first(reductions[0]) if reductions else nodes[0].outputs[0])
    draft = Space(whole.meta.numel, cols.pop() if cols else 0, ())
    if any(_scale(node, draft) is None for node in nodes):
        return None
    shapes = [(shape, scale) for node in nodes for shape, scale in _shapes(node, draft)]
    space = space_of(draft.full, draft.cols, [*shapes, (parts, 1)])
    return space if space is not None and _agree(nodes, space, given) and _can_draw(nodes, space) else None


def _agree(nodes: Sequence[Compute], space: Space, given: Value | None) -> bool:
    """Whether every op reads what is made here as it is made, and rows of everything have one stride."""
    made_with = {value: steps for node in nodes for value, steps in made_in(node, space)}
    if given is not None:
        made_with[given] = space.own()
    inner = sum(1 for bound in space.bounds if bound < space.cols)
    for node in nodes:
        for value, shape, scale in operands(node, space):
            strides = space.strides(value.meta, shape, scale)
            made = root(value)
            if made in made_with:
                if source(value) is not made or strides != made_with[made]:
                    return False
            elif any(strides[-k - 1] != strides[-1] * space.bounds[k] for k in range(1, inner)):
                return False
    return True


def _can_draw(nodes: Sequence[Compute], space: Space) -> bool:
    """Whether there is nothing to draw, or each four neighbours in a kernel's tiles share a counter."""
    draws = list(filter(is_draw, nodes))
    if not draws or any(node.outputs[0].meta.numel != space.full for node in draws):
        return not draws
    return space.bounds[1] % DRAWN_TOGETHER == 0 or (space.bounds[1] == space.full and not space.cols)


def fusable(node: Node) -> TypeGuard[Compute]:
    """Whether a node can be computed with others: each element from those at its position, or each row from its row."""
    return is_pointwise(node) or (isinstance(node, Compute) and is_row_op(node) and _is_plain(node))


def is_pointwise(node: Node) -> TypeGuard[Compute]:
    """Whether a node computes each element from those at its position."""
    if not isinstance(node, Compute) or None in node.inputs or not _is_plain(node, lies_in_order):
        return False
    definition = node.op.definition
    if definition.kind != "pointwise" and node.op.name not in MOVES and not is_draw(node):
        return False
    return not (definition.divisor and dtypes_of(node)[0].category == INTEGER)  # a second kernel looks for zeros in the divisor


def _is_plain(node: Compute, lies_well: Callable[[TensorMeta], bool] = attrgetter("is_contiguous")) -> bool:
    """Whether a node writes nothing but results that lie well, reads more than numbers, and all are of dtypes that it computes."""
    if node.written or all(value is None or constant(value) is not None for value in node.inputs):
        return False
    dtypes = {value.meta.dtype for value in (*node.operands(), *node.outputs)}
    if any(dtype.is_storage or dtype.is_complex or dtype.is_barebones for dtype in dtypes):
        return False
    return all(lies_well(value.meta) and has_elements(value.meta) for value in node.outputs)


def has_elements(meta: TensorMeta) -> bool:
    """Whether there are any; where a count may be 0, kernels of pointwise ops and products launch nothing then."""
    with taking_many(meta.shape):
        return bool(meta.numel)


def lies_in_order(meta: TensorMeta) -> bool:
    """Whether elements lie in row-major order, with gaps between rows that are not short if it is a part of something."""
    if meta.is_contiguous:
        return True
    with taking_many((meta.shape, meta.stride)):
        reach, row = 1, 0
        for n, step in zip(meta.shape[::-1], meta.stride[::-1]):
            if n > 1 and step < reach:
                return False
            if n > 1 and step > reach:
                row = row or reach
            reach = reach if n == 1 else n * step
        return not row or row >= shortest_row(meta)


def shortest_row(meta: TensorMeta) -> int:
    """Elements of a row, with gaps before and behind it, that a kernel should have.

    A GPU loads 16 bytes at a time. On a CPU a rotary embedding by rows of 16 takes 1.4 times as long as with a copy of its cat,
    of 32 as long, and of 64 0.8 times (of 4 MB and more, 0.3 times).
    """
    return 32 if facts_of(meta.device).kind == "cpu" else max(16 // meta.dtype.itemsize, 1)


def is_draw(node: Compute) -> bool:
    """Whether a node computes each element from its random word among others."""
    return node.op.definition.fusion.startswith("random.") and not node.written


def is_row_op(node: Compute) -> bool:
    """Whether a node reduces rows that fit in a tile."""
    if not node.op.definition.fusion.startswith("rows.") or not 1 < columns(node) <= COLUMNS:
        return False
    return all(value.meta.dtype.is_floating_point for value in (*node.operands(), *node.outputs))


def columns(node: Compute) -> int:
    """How many elements each row has that a node reduces; 0 if it reduces other dimensions than the last ones."""
    attrs = dict(zip(node.op.definition.attrs, node.attrs))
    shape = _first(node).meta.shape
    if "dims" in attrs:
        return prod(shape[len(shape) - attrs["dims"] :])
    dims = attrs["dim"] if isinstance(attrs["dim"], (tuple, list)) else (attrs["dim"],)
    last = range(len(shape) - len(dims), len(shape))
    return prod(shape[last.start :]) if dims and sorted(dims) == list(last) else 0


def operands(node: Compute, space: Space) -> list[tuple[Value, Shape, int]]:
    """A node's inputs, each with the shape that it is read as, and that one's scale."""
    if not is_row_op(node):
        shape = node.outputs[0].meta.shape
        return [(value, shape, _scale(node, space) or 1) for value in node.operands()]
    shape, found = _first(node).meta.shape, []
    for name, value in zip(node.op.definition.inputs, node.inputs):
        if value is not None:
            whole = name not in _STATISTICS
            found.append((value, shape if whole else value.meta.shape, 1 if whole else space.cols))
    return found


def result_scales(node: Compute, space: Space) -> list[int]:
    """The scale of each output."""
    with taking_many(space.full):
        return [1 if value.meta.numel == space.full else space.cols for value in node.outputs]


def made_in(node: Compute, space: Space) -> Iterator[Read]:
    """What a node makes, with the strides over a space."""
    for value, scale in zip(node.outputs, result_scales(node, space)):
        yield value, space.own(scale) if value.meta.is_contiguous else space.strides(value.meta, value.meta.shape, scale)


def _shapes(node: Compute, space: Space) -> list[tuple[Shape, int]]:
    """What a node reads and makes, with neighbouring dimensions as one where its memory runs on."""
    made = [(value, value.meta.shape, scale) for value, scale in zip(node.outputs, result_scales(node, space))]
    gaps = [each for each in made if not each[0].meta.is_contiguous]
    return [(runs(value.meta, shape)[0], scale) for value, shape, scale in (*operands(node, space), *gaps)]


def _scale(node: Compute, space: Space) -> int | None:
    """1 for an op on all elements, `cols` for one on numbers of rows, None for one that does not belong there."""
    numel = (_first(node) if is_row_op(node) else node.outputs[0]).meta.numel
    if numel == space.full:
        return 1
    return space.cols if space.cols and not is_row_op(node) and numel * space.cols == space.full else None


def _first(node: Compute) -> Value:
    value = node.inputs[0]
    assert value is not None
    return value


def numbers_of(node: Compute) -> list[Any]:
    """The run-time scalars of a node, as they come among its arguments."""
    constants = [constant(value) for value in node.operands()]
    firsts = [drawn.first for drawn in map(words, node.operands()) if drawn is not None]
    return [*[number for number in constants if number is not None], *node.dynamic, *firsts]


def _seen(meta: TensorMeta, sizes: Shape, strides: Shape) -> TensorMeta:
    return TensorMeta.get(sizes, strides, meta.dtype, meta.device, meta.aligned)


def dtypes_of(node: Compute) -> tuple[DType, list[DType]]:
    """What a node computes in, and its results' dtypes."""
    results = [value.meta.dtype for value in node.outputs]
    if is_row_op(node):
        return results[0].compute, results
    if is_draw(node):
        return results[0].compute if results[0].is_floating_point else float32, results
    if node.op.name in MOVES:
        return _first(node).meta.dtype.compute, results
    operand, _ = operand_dtypes(node.op.definition, [value.meta for value in node.operands()], classes(node.dynamic))
    return operand.compute, results
