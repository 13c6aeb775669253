"""Small boxings of one kind become one of a packed value: a message takes longer than to copy a few kilobytes twice.

    %1 = box %0 P -> B for add          %4 = cat(view %0, view %2)
    %3 = box %2 P -> B for add    ->    %5 = box %4 P -> B for 2 tensors
                                        %1 = view %5, %3 = view %5

Shares are added elementwise in the order of the ranks, so the bits are those of boxings one by one. Of what is split by rows, which
all ranks have as many of, each tensor is seen as (ranks, elements of one): the packed value is split by rows as they are.

    P -> B     (1, n)        a rank has all of a share
    P -> S0    (ranks, n)    a rank gets its row
    S0 -> B    (ranks, n)    a rank has its row

The packed boxing stands where the last of them stood, whose operand is made last. Those of what the program is given stand where
the first did. What reads one of them ends the bucket.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from math import prod
from typing import NamedTuple

from tritonflow.boxing.pieces import Layout
from tritonflow.boxing.routes import Route, route
from tritonflow.boxing.steps import moved_meta
from tritonflow.boxing.views import whole
from tritonflow.dtypes import DType
from tritonflow.execution import lazy
from tritonflow.execution.context import OpContext
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.meta import Shape, TensorMeta, numel_of
from tritonflow.framework.shards import box_shape
from tritonflow.framework.tensor import Tensor
from tritonflow.graph.ir import Boxing, Graph, Node, Value, root
from tritonflow.graph.passes.emit import recording
from tritonflow.graph.ranks.arranged import Arranged, Given, whole_bytes
from tritonflow.wire.world import this_rank

# 48 boxings over Gloo together take 0.3 of their time at 16 KiB each, 0.5 at 64 KiB and 0.7 at 128 KiB, where no kernels run
# meanwhile (two ranks). Larger buckets gain no more, and nothing runs while the first or the last one is on its way.
SMALL = 64 << 10  # bytes of a whole tensor that is packed
BUCKET = 512 << 10  # bytes of whole tensors in one

_cat, _contiguous_copy = op_expr("cat"), op_expr("contiguous_copy")


def bucket(graph: Graph) -> Graph:
    """The graph with its small boxings together."""
    buckets = _buckets(graph)
    return _Packing(graph, buckets).run() if buckets else graph


class _PackedKind(NamedTuple):
    """What is equal of boxings that can be moved together.

    Attributes:
        source, target: how the tensors lie; the shapes are that of the packed value without its columns.
        rows: of the packed value.
        dtype: of the tensors.
        is_given: whether the program is given them.
        unit: of which they gather parameters: two units are not whole at a time for a bucket's sake.
    """

    source: Layout
    target: Layout
    rows: int
    dtype: DType
    is_given: bool
    unit: str


class _Bucket:
    """Boxings of a kind that are moved together, in their order.

    Attributes:
        nbytes: of whole tensors.
    """

    def __init__(self, kind: _PackedKind) -> None:
        self.kind = kind
        self.boxings: list[Boxing] = []
        self.nbytes = 0

    def add(self, boxing: Boxing) -> None:
        """Add one behind the others."""
        self.boxings.append(boxing)
        self.nbytes += whole_bytes(boxing)

    @property
    def position(self) -> Boxing:
        """The one in whose stead the packed one stands."""
        return self.boxings[0 if self.kind.is_given else -1]


def _buckets(graph: Graph) -> list[_Bucket]:
    """Those of several boxings."""
    given = Given(graph)
    found: list[_Bucket] = []
    filling: dict[_PackedKind, _Bucket] = {}
    holder: dict[Value, _Bucket] = {}  # by results
    for node in graph.nodes:
        for value in node.operands():
            read = holder.get(root(value))
            if read is not None and filling.get(read.kind) is read:
                del filling[read.kind]
        kind = _kind(node, given) if isinstance(node, Boxing) else None
        if kind is None:
            continue
        assert isinstance(node, Boxing)
        now = filling.get(kind)
        if now is None or now.nbytes + whole_bytes(node) > BUCKET:
            now = filling[kind] = _Bucket(kind)
            found.append(now)
        now.add(node)
        holder[node.outputs[0]] = now
    return [each for each in found if len(each.boxings) > 1]


def _kind(boxing: Boxing, given: Given) -> _PackedKind | None:
    """The kind of a boxing; None if it is moved by itself."""
    found, (operand,), (output,) = boxing.route, boxing.operands(), boxing.outputs
    source, target = found.source.plain(), found.target.plain()
    both = [*source.sbp, *target.sbp]
    if not 0 < whole_bytes(boxing) <= SMALL or not found.total_bytes or source.placement is not target.placement:
        return None
    if source.cut or target.cut or target.partial_ops() or any(one.is_split and one.dim for one in both):
        return None
    rows = prod([n for a, b, n in zip(source.sbp, target.sbp, source.placement.shape) if a.is_split or b.is_split])
    if rows > 1 and source.shape[0] % rows or output.meta is not output.meta.contiguous():
        return None
    is_given = given.nodes(operand) is not None
    layouts = source._replace(shape=(rows,)), target._replace(shape=(rows,))
    return _PackedKind(*layouts, rows, found.dtype, is_given, boxing.unit)


class _Packing:
    """Writes a graph anew. What unpacks a value stands before its first reader: until then messages are on their way."""

    def __init__(self, graph: Graph, buckets: list[_Bucket]) -> None:
        self.graph = graph
        self.new = Arranged(graph)
        self.at = {each.position: each for each in buckets}
        self.packed = {boxing for each in buckets for boxing in each.boxings}
        self.waiting: dict[Value, list[Node]] = {}  # by results of boxings what unpacks them

    def run(self) -> Graph:
        for node in self.graph.nodes:
            self.new.begin()
            for value in node.operands():
                self.finish(root(value))
            if node not in self.packed:
                self.new.add(node)
            elif node in self.at:
                self.pack(self.at[node])  # type: ignore[index]
        for value in list(self.waiting):
            self.finish(value)
        return self.new.finish()

    def finish(self, value: Value) -> None:
        """Add what unpacks a value that somebody reads."""
        self.new.nodes += self.waiting.pop(value, ())

    def pack(self, bucket: _Bucket) -> None:
        """Add the boxing of a packed value, and note what unpacks it."""
        kind, last = bucket.kind, bucket.boxings[-1]
        operands = [value for boxing in bucket.boxings for value in boxing.operands()]
        for value in operands if kind.is_given else ():
            self.new.hoist(value)
        widths = [numel_of(boxing.route.source.shape) // kind.rows for boxing in bucket.boxings]
        shape = (kind.rows, sum(widths))
        found = route(kind.source._replace(shape=shape), kind.target._replace(shape=shape), kind.dtype)
        with recording(last) as capture:
            shards = [capture.tensor(self.new.now(value)) for value in operands]
            value = capture.read(_packed(shards, found))
            numbers = tuple([number for boxing in bucket.boxings for number in boxing.numbers])
            meta = moved_meta(found, value.meta)
            boxing = capture.add(Boxing(value, found, meta, f"{len(numbers)} tensors", numbers, last.source_line))
            recorded = len(capture.recorded().nodes)
            self.new.nodes += capture.recorded().nodes
            for each, start in zip(bucket.boxings, accumulate(widths, initial=0)):
                (output,) = each.outputs
                part = _unpacked(capture.tensor(boxing.outputs[0]), start, output.meta)
                self.new.same[output] = capture.read(part)
                nodes = capture.recorded().nodes
                self.waiting[output], recorded = list(nodes[recorded:]), len(nodes)


def _packed(shards: Sequence[Tensor], found: Route) -> Tensor:
    """This rank's shard of the packed value. A rank outside of the placement has none."""
    shape = found.source.holding(this_rank().index)
    if shape is None:
        return shards[0]
    rows = box_shape(shape.box)[0]
    parts = [_seen_as(x, (rows, x.meta.numel // rows)) for x in shards]
    return lazy.apply(_cat, tuple(parts), OpContext((1, tuple([x.meta.shape[1] for x in parts]))))


def _unpacked(x: Tensor, start: int, meta: TensorMeta) -> Tensor:
    """The columns of a shard of the packed value, from `start` on, that are a tensor of this meta."""
    if x.meta.ndim == 1:  # outside of the placement
        return x
    rows, _ = x.meta.shape
    columns = whole(x.meta).box(((0, rows), (start, start + meta.numel // rows))).of(x)
    part = _seen_as(columns, meta.shape)
    return part if part.meta is meta else lazy.apply(_contiguous_copy, (part,), OpContext())


def _seen_as(x: Tensor, shape: Shape) -> Tensor:
    """The same elements in another shape: a view, or of what is not contiguous a view of a copy."""
    if not x.meta.is_contiguous:
        x = lazy.apply(_contiguous_copy, (x,), OpContext())
    return whole(x.meta).run(0, shape).of(x)
