"""Cats last: pointwise ops behind a cat are done on its parts, and what they give is the cat of these results.

    %1 = negative(x[..., 64:])                     %1 = negative(x[..., 64:])
    %2 = cat(%1, x[..., :64], dim=-1)              %2, %3 = mul(%1, sin[..., :64]), mul(x[..., :64], sin[..., 64:])
    %3 = mul(x, cos)                        ->     %4, %5 = mul(x[..., :64], cos[..., :64]), mul(x[..., 64:], cos[..., 64:])
    %4 = add(%3, mul(%2, sin))                     %6, %7 = add(%4, %2), add(%5, %3)
    return %4                                      return cat(%6, %7, dim=-1)

So the first cat is never made, and the last one is made in its parts (`choose_layouts`). The gradient of a slice is a cat with
zeros, where it is added to another one: gradients of the parts of a tensor become parts of its gradient. Likewise a pointwise op
that slices alone read is done on them. Each element is computed by the same ops as before. It is done where pointwise ops alone
read the cat, of up to four parts.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple, TypeGuard

from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.meta import Shape, TensorMeta, contiguous_meta, contiguous_stride
from tritonflow.graph.fusion.group import is_draw, is_pointwise, shortest_row
from tritonflow.graph.ir import ANY_LAYOUT, Compute, Graph, Node, Value, View, constant, is_op, words
from tritonflow.graph.passes.fold_constants import full
from tritonflow.graph.passes.rewrite import Rewriting, views_where_read

MOST = 4  # parts


class Parts(NamedTuple):
    """A value as the cat of others along a dimension: the first one has the indices from `bounds[0]` to `bounds[1]`.

    None is a part of zeros, in a sum of gradients of slices.
    """

    dim: int
    bounds: tuple[int, ...]
    values: tuple[Value | None, ...]


def cat_last(graph: Graph) -> Graph:
    """The graph with such ops done on parts."""
    found = [node for node in graph.computes() if is_op(node, "cat", "region_grad")]
    if not found:
        return graph
    readers, producers, results = graph.readers(), graph.producers(), set(graph.results())

    def vanishes(node: Compute) -> bool:
        """Whether pointwise ops alone read a cat with copies of its parts, or a gradient of a slice that is added to others."""
        (value,) = node.outputs
        if value in results or not (_is_copied(node, producers) if node.op.name == "cat" else _slice_of(node)):
            return False
        adds = node.op.name == "region_grad"
        return all(_goes_by_parts(reader, value) and (is_op(reader, "add") or not adds) for reader in readers.of(value))

    vanishing = set(filter(vanishes, found))
    return _CatLast(graph, vanishing).run() if vanishing else graph


class _CatLast(Rewriting):
    """Values of the old graph that are not made yet are in `parts`, or in `waiting`: their nodes are done where they are read."""

    def __init__(self, graph: Graph, vanishing: set[Compute]) -> None:
        super().__init__(graph)
        self.vanishing = vanishing
        self.lines = {value: node.source_line for node in graph.nodes for value in node.outputs}
        self.parts: dict[Value, Parts] = {}
        self.waiting = _read_by_parts(graph, vanishing)
        self.pieces: dict[tuple[Value, int, int, int], Value] = {}
        self.views = {_key(node): node.outputs[0] for node in graph.nodes if isinstance(node, View)}

    def run(self) -> Graph:
        for node in self.graph.nodes:
            if node in self.vanishing:
                assert isinstance(node, Compute)
                self.parts[node.outputs[0]] = self.of_cat(node) if node.op.name == "cat" else self.of_gradient(node)
            elif (piece := self.piece_of(node)) is not None:
                self.same[node.outputs[0]] = piece
            elif is_op(node, "cat") and not self.parts.keys().isdisjoint(node.operands()):
                self.parts[node.outputs[0]] = self.of_cat(node)
                self.make(node.outputs[0])
            elif (parts := self.by_parts(node)) is not None:
                self.parts[node.outputs[0]] = parts
            elif self.waiting.keys().isdisjoint(node.outputs):
                self.add_whole(node)
        for value in self.graph.results():
            self.make(value)
        return views_where_read(self.finish())

    def of_cat(self, node: Compute) -> Parts:
        """The parts that a cat is made of; of those that are cats along the same dimension, their parts."""
        dim, sizes = node.attrs
        bounds, values = [0], list[Value | None]()
        for value, size in zip(node.operands(), sizes):
            inner = self.parts.get(value)
            if inner is None or inner.dim != dim:
                inner = Parts(dim, (0, size), (self.made(value),))
            values += inner.values
            bounds += [bounds[-1] + bound for bound in inner.bounds[1:]]
        return Parts(dim, tuple(bounds), tuple(values))

    def of_gradient(self, node: Compute) -> Parts:
        """The gradient of a slice: zeros, what was given, and zeros."""
        (given,), found = node.operands(), _slice_of(node)
        assert found is not None
        dim, start, stop = found
        bounds = tuple(dict.fromkeys((0, start, stop, node.outputs[0].meta.shape[dim])))
        return Parts(dim, bounds, tuple([self.made(given) if low == start else None for low in bounds[:-1]]))

    def put(self, node: Node) -> Value:
        """Add a new node; what it makes."""
        self.nodes.append(node)
        return node.outputs[0]

    def add_whole(self, node: Node) -> None:
        """Do a node of the old graph."""
        for value in node.operands():
            self.make(value)
        self.add(node)

    def made(self, value: Value) -> Value:
        """What stands for a value of the old graph, which is made if it was left."""
        self.make(value)
        return self.now(value)

    def make(self, value: Value) -> None:
        """Make a value that was left, where something reads it as a whole."""
        if value in self.waiting:
            return self.add_whole(self.waiting.pop(value))
        parts = self.parts.pop(value, None)
        if parts is None:
            return None
        sizes = [high - low for low, high in pairwise(parts.bounds)]
        given = [k for k, part in enumerate(parts.values) if part is not None]
        attrs: tuple[Any, ...]
        op, inputs, attrs = "cat", list(parts.values), (parts.dim, tuple(sizes))
        if len(given) == 1:
            steps = value.meta.stride
            op, inputs = "region_grad", [parts.values[given[0]]]
            attrs = (value.meta.shape, steps, parts.bounds[given[0]] * steps[parts.dim])
        else:
            inputs = [self.or_zeros(part, value.meta, parts.dim, n) for part, n in zip(inputs, sizes)]
        node = Compute(op_expr(op), tuple(inputs), attrs, (), [value.meta], source_line=self.lines[value])
        self.same[value] = self.put(node)
        return None

    def by_parts(self, node: Node) -> Parts | None:
        """What a pointwise op makes of parts; None, and nothing done, if it is done on the whole."""
        found = {value: self.parts[value] for value in node.operands() if value in self.parts}
        if not found or not all(_goes_by_parts(node, value) for value in found):
            return None
        assert isinstance(node, Compute)
        dims, bounds = {parts.dim for parts in found.values()}, {bound for parts in found.values() for bound in parts.bounds}
        if len(bounds) > MOST + 1 or len(dims) > 1:
            return None
        (dim,), cuts = dims, tuple(sorted(bounds))
        return Parts(dim, cuts, tuple([self.on_part(node, dim, low, high) for low, high in pairwise(cuts)]))

    def on_part(self, node: Compute, dim: int, low: int, high: int) -> Value | None:
        """What an op makes of one part of its operands. A sum of zeros is zeros; of anything and zeros it is a sum with 0."""
        whole = node.outputs[0].meta
        meta = _part(whole, dim, high - low)
        values = [self.part(value, whole, dim, low, high) for value in node.operands()]
        given = [value for value in values if value is not None]
        op, dynamic = node.op, node.dynamic
        if node.op.name == "add" and not given:
            return None
        if node.op.name == "add" and len(given) == 1 and _is_like(given[0].meta, meta):
            op, dynamic = op_expr("scalar_add"), (0.0,)
        else:
            given = [self.or_zeros(part, v.meta, dim, high - low) for part, v in zip(values, node.operands())]
        return self.put(Compute(op, tuple(given), node.attrs, dynamic, [meta], source_line=node.source_line))

    def or_zeros(self, part: Value | None, whole: TensorMeta, dim: int, size: int) -> Value:
        """A part of a value, or the zeros that it is."""
        return self.put(full(_part(whole, dim, size), 0.0)) if part is None else part

    def part(self, value: Value, whole: TensorMeta, dim: int, low: int, high: int) -> Value | None:
        """What an operand has at the indices from `low` to `high` of a dimension of the result."""
        parts = self.parts.get(value)
        if parts is not None and parts.dim == dim and value.meta.shape == whole.shape:
            for part, (start, stop) in zip(parts.values, pairwise(parts.bounds)):
                if start <= low and high <= stop:
                    return None if part is None else self.sliced(part, dim, low - start, high - start)
        if value in self.waiting and value.meta.shape == whole.shape:
            return self.piece(value, dim, low, high)
        value = self.made(value)
        own = dim - (whole.ndim - value.meta.ndim)
        return self.sliced(value, own, low, high) if own >= 0 and value.meta.shape[own] > 1 else value

    def piece(self, value: Value, dim: int, low: int, high: int) -> Value:
        """The slice of a value whose op waits, which is done on that slice."""
        key = value, dim, low, high
        if key not in self.pieces:
            piece = self.on_part(self.waiting[value], dim, low, high)
            assert piece is not None
            self.pieces[key] = piece
        return self.pieces[key]

    def piece_of(self, node: Node) -> Value | None:
        """What a view is that is a slice of a value whose op waits."""
        if not isinstance(node, View) or node.base not in self.waiting:
            return None
        found = _slice(node)
        return None if found is None else self.piece(node.base, *found)

    def sliced(self, value: Value, dim: int, low: int, high: int) -> Value:
        """A slice of a value: one view, whoever asks; all slices of a number begin where it does."""
        meta = value.meta
        if (low, high) == (0, meta.shape[dim]):
            return value
        key = value, dim, low, high
        if key not in self.pieces:
            offset = 0 if constant(value) is not None else low * meta.stride[dim] * meta.dtype.itemsize
            shape = (*meta.shape[:dim], high - low, *meta.shape[dim + 1 :])
            aligned = meta.aligned_at(offset)
            while isinstance(seen := value.definition, View):  # as a program's own slices are
                value, offset = seen.base, offset + seen.offset
            view = View(value, TensorMeta.get(shape, meta.stride, meta.dtype, meta.device, aligned), offset)
            self.pieces[key] = self.views.get(_key(view)) or self.put(view)
        return self.pieces[key]


def _read_by_parts(graph: Graph, vanishing: set[Compute]) -> dict[Value, Compute]:
    """The pointwise ops, by their results, that are read by ops on parts alone, or by slices that lie apart."""
    readers, results = graph.readers(), set(graph.results())
    parted = {node.outputs[0] for node in vanishing}
    going: set[Node] = set()
    for node in graph.computes():
        shared = parted.intersection(node.operands())
        if shared and all(_goes_by_parts(node, value) for value in shared):
            parted.update(node.outputs)
            going.add(node)

    def read_in_kernels(slice_of: Value) -> bool:
        """Whether pointwise ops alone read a slice, so that they can compute what it is of."""
        read_by = readers.of(slice_of)
        return slice_of not in results and len(read_by) > 0 and all(is_pointwise(r) or r in vanishing for r in read_by)

    found: dict[Value, Compute] = {}
    for node in reversed(graph.computes()):
        if node in going or not node.outputs or node.outputs[0] in results or not _goes_by_parts(node, node.outputs[0]):
            continue
        (value,), read_by = node.outputs, readers.of(node.outputs[0])
        views = [reader for reader in read_by if isinstance(reader, View)]
        if _lie_apart(views) and all(read_in_kernels(view.outputs[0]) for view in views):
            read_by = [reader for reader in read_by if reader not in views]
            if (views or read_by) and all(reader in going and _goes_by_parts(reader, value) for reader in read_by):
                found[value] = node
                going.add(node)
    return found


def _key(view: View) -> tuple[Value, int, TensorMeta]:
    """What is equal for equal views."""
    return view.base, view.offset, view.meta


def _slice(view: View) -> tuple[int, int, int] | None:
    """(dimension, start, stop) of a view that is a slice of its contiguous base; None if it is another view."""
    elements = view.offset // view.meta.dtype.itemsize
    return _region(view.base.meta.shape, view.meta.shape, view.meta.stride, elements)


def _lie_apart(views: Sequence[View]) -> bool:
    """Whether views are slices of one dimension that do not overlap."""
    found = sorted([each for each in map(_slice, views) if each is not None])
    apart = all(a[0] == b[0] and a[2] <= b[1] for a, b in pairwise(found))
    return apart and len(found) == len(views)


def _part(meta: TensorMeta, dim: int, size: int) -> TensorMeta:
    """A contiguous part of a value."""
    return contiguous_meta((*meta.shape[:dim], size, *meta.shape[dim + 1 :]), meta.dtype, meta.device)


def _goes_by_parts(node: Node, value: Value) -> TypeGuard[Compute]:
    """Whether an op makes an element of its only result of each one of a value, whatever lies beside it."""
    if not is_pointwise(node) or is_draw(node) or node.over is not None or len(node.outputs) > 1:
        return False
    elementwise = node.op.definition.kind == "pointwise" or node.op.name == "cast"
    return elementwise and node.outputs[0].meta.shape == value.meta.shape and not any(map(words, node.operands()))


def _is_copied(cat: Compute, producers: dict[Value, Node]) -> bool:
    """Whether a cat has few parts, none of them empty, and some are not made where it puts them anyway."""
    dim, sizes = cat.attrs
    makers = [producers.get(value) for value in cat.operands()]
    placed = [isinstance(maker, Compute) and maker.op.definition.fusion == ANY_LAYOUT for maker in makers]
    plain = cat.outputs[0].meta.is_contiguous and all(value.meta.shape[dim] == n for value, n in zip(cat.operands(), sizes))
    return plain and 1 < len(sizes) <= MOST and not all(placed) and _are_long(cat.outputs[0].meta, dim, sizes)


def _is_like(meta: TensorMeta, other: TensorMeta) -> bool:
    return meta.shape == other.shape and meta.dtype is other.dtype


def _are_long(whole: TensorMeta, dim: int, sizes: Sequence[int]) -> bool:
    """Whether the rows of all parts are long enough for kernels by parts."""
    return all(size * whole.stride[dim] >= shortest_row(whole) for size in sizes)  # which part is shortest decides nothing


def _slice_of(node: Compute) -> tuple[int, int, int] | None:
    """(dimension, start, stop) of the slice of a tensor that the op gives the gradient of; None for others, and short parts."""
    if not is_op(node, "region_grad") or not node.outputs[0].meta.is_contiguous or not node.outputs[0].meta.numel:
        return None
    shape, strides, elements = node.attrs
    (given,) = node.operands()
    found = _region(shape, given.meta.shape, strides, elements)
    if found is None:
        return None
    dim, start, stop = found
    sizes = [n for n in (start, stop - start, shape[dim] - stop) if n]
    return found if _are_long(node.outputs[0].meta, dim, sizes) else None


def _region(whole: Shape, shape: Shape, strides: Shape, elements: int) -> tuple[int, int, int] | None:
    """(dimension, start, stop) of a region of a contiguous tensor, `elements` from its beginning; None if it is no slice."""
    cut = [d for d, (n, all_of_it) in enumerate(zip(shape, whole)) if n != all_of_it]
    steps = contiguous_stride(whole)
    if len(shape) != len(whole) or len(cut) != 1 or any(a != b for n, a, b in zip(shape, strides, steps) if n > 1):
        return None
    (dim,) = cut
    start, rest = divmod(elements, steps[dim])
    return None if rest or not shape[dim] else (dim, start, start + shape[dim])
