"""Placed: everything decided for an op on consistent tensors: its signature, how the inputs are boxed, what each rank runs.

What all ranks must agree on (signature, routes, logical outputs) is decided from logical metas; what a rank runs, from its boxes.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

from tritonflow.boxing.choose import Routes, choose, possible
from tritonflow.device.device import Device
from tritonflow.errors import LocalityError, PlacementError
from tritonflow.execution.op_expr import OpExpr
from tritonflow.framework.consistent_meta import ConsistentTensorMeta, shard_box
from tritonflow.framework.meta import TensorMeta
from tritonflow.framework.placement import Placement
from tritonflow.framework.sbp import NdSbp, nd_text
from tritonflow.ops.plan import NO_STREAM
from tritonflow.ops.sbp.signature import Local, NdSignature, Shards, has_localizer, localize, nd_signatures
from tritonflow.wire.world import this_rank

Metas = tuple[ConsistentTensorMeta | None, ...]


class Placed:
    """An op on consistent tensors of given metas and static attributes.

    It lies among the op's plans where the plan of the local op alone would not do: where something is boxed, where dynamic
    scalars differ between ranks, where the op is decomposed, or on a rank outside of the placement.

    Attributes:
        placement: where the inputs and outputs lie.
        signature: by which sbp.
        routes: how the inputs get there, None for those that lie there.
        outputs: the logical metas of the outputs; the plan's, for an op whose shapes depend on the data.
        sized_by_data: whether the sizes of the outputs depend on the data; then the op is broadcast.
        shards: what this rank has, None outside of the placement.
        attrs: the static attributes of the logical op.
        localizes: whether this rank may run it with other attributes or dynamic scalars.
        digest: a number that is the same on all ranks that decided the same.
        fast_stream, direct_stream: no stream: the short roads of local tensors do not apply.
    """

    __slots__ = (
        "op", "placement", "signature", "routes", "outputs", "sized_by_data", "shards", "attrs", "localizes", "digest",
        "fast_stream",
        "direct_stream",
    )  # fmt: skip

    def __init__(
        self,
        op: OpExpr,
        placement: Placement,
        signature: NdSignature,
        routes: Routes,
        metas: Metas,
        outputs: tuple[TensorMeta, ...],
        sized_by_data: bool,
        attrs: tuple[Any, ...],
    ) -> None:
        self.op = op
        self.placement = placement
        self.signature = signature
        self.routes = routes
        self.outputs = outputs
        self.sized_by_data = sized_by_data
        self.localizes = has_localizer(op.definition)
        self.shards = _shards(placement, signature, metas, outputs)
        self.attrs = attrs
        self.digest = _digest(op, placement, signature, metas, outputs, attrs)
        self.fast_stream = self.direct_stream = NO_STREAM

    @property
    def is_boxed(self) -> bool:
        """Whether an input moves between ranks, or to another layout."""
        return any(route is not None for route in self.routes)

    def local(self, dynamic: tuple[Any, ...]) -> Local:
        """With what this rank runs the op."""
        if not self.localizes or self.shards is None:
            return Local(self.attrs, dynamic)
        return localize(self.op.definition, self.attrs, dynamic, self.shards)

    def output_meta(self, k: int, local: TensorMeta) -> ConsistentTensorMeta:
        """The meta of output k, of which this rank has computed a shard. A size that depends on the data is the shard's.

        Raises:
            RuntimeError: the shard is not what the signature says: the rule of the op is wrong.
        """
        logical, sbp = (
            self.outputs[min(k, len(self.outputs) - 1)],
            self.signature.outputs[min(k, len(self.signature.outputs) - 1)],
        )
        shape = local.shape if self.sized_by_data else logical.shape
        stride = logical.stride if self.op.is_view else None
        meta = ConsistentTensorMeta.get(shape, logical.dtype, self.placement, sbp, local, stride)
        if meta.box is not None and tuple([stop - start for start, stop in meta.box]) != local.shape:
            raise RuntimeError(
                f"{self.op.name}: a shard of {list(logical.shape)} as {nd_text(sbp)} came out as {list(local.shape)};"
                f" the rule {self.op.definition.sbp!r} is wrong for {self.attrs}"
            )
        return meta


def place(
    op: OpExpr,
    metas: Metas,
    attrs: tuple[Any, ...],
    kinds: tuple[type, ...],
    over: ConsistentTensorMeta | None,
    placement: Placement | None,
    sbp: NdSbp | None,
) -> Placed | None:
    """Decide how an op runs on consistent tensors.

    Args:
        op: the op.
        metas: the inputs' metas.
        attrs: its static attributes, of the logical op.
        kinds: the classes of its dynamic scalars.
        over: the meta of the tensor that its output is written over.
        placement, sbp: of the outputs, for an op that makes tensors from none. Without a placement, sbp is what is preferred.

    Returns:
        None if no signature has the sbp of `over`; the op then makes a tensor of its own.

    Raises:
        LocalityError: the tensors lie over different placements.
        PlacementError: the op cannot make a tensor of that sbp; or ranks outside of the placement could not know its shape.
        ShapeError: no strides make the view, even if one rank had all of the tensor.
    """
    demanded = sbp if over is None and placement is not None else None
    placement = _common_placement(op, metas, over, placement)
    logical = tuple([None if m is None else m.on_one_rank if op.is_view else m.logical for m in metas])
    outputs, sized_by_data = _logical_outputs(op, logical, attrs, kinds, over)
    if sized_by_data and placement.size < len(placement.callers):
        raise PlacementError(
            f"{op.name}: the shape of the result depends on the data, which only ranks {list(placement.order)} have;"
            f" move the tensor to all {len(placement.callers)} ranks first, with to_global()"
        )
    candidates = signatures(op, metas, attrs, over, placement, demanded)
    if sbp is not None and demanded is None:
        candidates.sort(key=lambda candidate: sum([a is not b for output in candidate.outputs for a, b in zip(output, sbp)]))
    chosen = choose(candidates, metas, outputs)
    if chosen is None:
        if over is not None:
            return None
        text = "the sbp of what it writes" if sbp is None else nd_text(sbp)
        raise PlacementError(f"{op.name}: no signature for {text} over a placement of shape {placement.shape}")
    return Placed(op, placement, chosen.signature, chosen.routes, metas, outputs, sized_by_data, attrs)


def signatures(
    op: OpExpr,
    metas: Metas,
    attrs: tuple[Any, ...],
    over: ConsistentTensorMeta | None,
    placement: Placement,
    sbp: NdSbp | None,
) -> list[NdSignature]:
    """Those that `place` considers, with outputs of that sbp if one is given."""
    candidates = nd_signatures(op.definition, metas, attrs, placement.shape)
    if sbp is not None and over is None:
        candidates = [c for c in candidates if all(one == sbp for one in c.outputs)]
    return possible(candidates, metas, _unboxed(op, metas, attrs, over), over)


def _common_placement(
    op: OpExpr, metas: Metas, over: ConsistentTensorMeta | None, placement: Placement | None
) -> Placement:
    for meta in (*metas, over):
        if meta is None:
            continue
        if placement is None:
            placement = meta.placement
        elif meta.placement is not placement:
            raise LocalityError(
                f"{op.name}: Expected all tensors to be on the same placement, but found at least two placements, {placement} and"
                f" {meta.placement}!"
                " move one of them with to_global(placement=..., sbp=...)"
            )
    assert placement is not None
    return placement


def _unboxed(op: OpExpr, metas: Metas, attrs: tuple[Any, ...], over: ConsistentTensorMeta | None) -> tuple[int, ...]:
    """The inputs that the op writes, in part or whole: boxed copies of them would be written instead."""
    written = op.written(metas, attrs)
    if over is not None and op.definition.updates:
        written = (*written, op.definition.inputs.index(op.definition.updates))
    return written


def _logical_outputs(
    op: OpExpr,
    logical: tuple[TensorMeta | None, ...],
    attrs: tuple[Any, ...],
    kinds: tuple[type, ...],
    over: ConsistentTensorMeta | None,
) -> tuple[tuple[TensorMeta, ...], bool]:
    """The metas of the outputs, if one rank had everything, and whether their sizes depend on the data. The planner says them."""
    if op.is_view:
        return (op.plan(logical, attrs)[0],), False
    if op.definition.kind == "pointwise":
        return op.plan(logical, attrs, kinds=kinds, out=None if over is None else over.logical).outputs, False
    plan = op.plan(logical, attrs)
    return plan.outputs, plan.finish is not None


def _shards(
    placement: Placement, signature: NdSignature, metas: Metas, outputs: tuple[TensorMeta, ...]
) -> Shards | None:
    coordinate = placement.coordinate(this_rank().index)
    if coordinate is None:
        return None
    inputs = tuple(
        [
            None if m is None or s is None else shard_box(m.shape, placement, s, coordinate)
            for m, s in zip(metas, signature.inputs)
        ]
    )
    made = tuple([shard_box(m.shape, placement, s, coordinate) or () for m, s in zip(outputs, signature.outputs)])
    logical = tuple([None if m is None else m.logical for m in metas])
    return Shards(logical, inputs, made, signature, coordinate)


def _digest(
    op: OpExpr,
    placement: Placement,
    signature: NdSignature,
    metas: Metas,
    outputs: tuple[TensorMeta, ...],
    attrs: tuple[Any, ...],
) -> bytes:
    inputs = [None if m is None else (m.shape, m.dtype, m.placement, m.sbp) for m in metas]
    made = [(m.shape, m.dtype) for m in outputs]
    static = [a.type if isinstance(a, Device) else a for a in attrs]  # each rank has a device of its own
    said = repr((op.name, placement, signature, inputs, made, static))
    return blake2b(said.encode(), digest_size=8).digest()
