"""The consistent interpreter: infers sbp, boxes the inputs, runs the local op on every rank's shard.

It is around the local interpreters. Where an op needs no boxing, a copy of the local plan lies among the op's plans under the
consistent metas, with consistent output metas. From then on the roads of local tensors run it. Everything else is a `Placed`.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import Any
from weakref import WeakKeyDictionary

from tritonflow.boxing.agreement import require_agreement
from tritonflow.boxing.explain import OpExplanation
from tritonflow.boxing.placed import Placed, place
from tritonflow.boxing.routes import Route
from tritonflow.boxing.warning import warn_of_gather
from tritonflow.device.device import META
from tritonflow.errors import LocalityError, NotYetImplementedError, ShapeError
from tritonflow.execution import eager_local, lazy
from tritonflow.execution.context import OpContext
from tritonflow.execution.op_expr import OpExpr, plan_key
from tritonflow.execution.transfer import allocate
from tritonflow.framework.consistent_meta import ConsistentTensorMeta
from tritonflow.framework.locality import locality
from tritonflow.framework.meta import TensorMeta
from tritonflow.framework.sbp import broadcast, split
from tritonflow.framework.shards import Cut
from tritonflow.framework.tensor import Tensor
from tritonflow.interpreter.boxed_view import BoxedImpl
from tritonflow.interpreter.layout import box, copy_over, moved_shard, seen_alike, unshared
from tritonflow.interpreter.shard import (
    from_local,
    local_shard,
    run_local,
    shared_with_local,
    without_history,
)
from tritonflow.ops.plan import Plan
from tritonflow.thread_state import slow_path, thread_state
from tritonflow.wire.world import this_rank

Inputs = tuple[Tensor | None, ...]

# By the impl of a partial tensor, as long as it lives: its version, and by what is seen of it, and the sbp, what its shares were
# combined to.
_combined: WeakKeyDictionary[Any, tuple[int, dict[Any, Tensor]]] = WeakKeyDictionary()

_NOT_IN_PLACE = object()  # among an op's plans where no signature has the sbp of the tensor that is written


def apply(op: OpExpr, inputs: Inputs, context: OpContext) -> Any:
    """Any op. Returns its output, or a tuple of its outputs if it has several.

    Raises:
        LocalityError: the tensors lie over different placements.
        PlacementError: the op cannot make a tensor of the wanted sbp.
    """
    if op.is_consistent:
        return op.rule("consistent")(op, inputs, context)
    if slow_path.count:
        if thread_state.observer.is_capturing:
            return _apply_captured(op, inputs, context)
        if thread_state.explaining is not None:
            return _explained(op, inputs, context)
    attrs, dynamic, out = context.attrs, context.dynamic, context.out
    metas: Any = tuple([None if t is None else t.meta for t in inputs])
    kinds = tuple([v.__class__ for v in dynamic]) if dynamic else ()
    over: Any = None if out is None else out.meta
    key = plan_key(metas, attrs, kinds, over)
    if context.sbp is not None:
        key = (*key, context.placement, context.sbp, this_rank().index)
    plan = op.plans.get(key) or op.miss(key)
    if plan is None:
        _require_consistent(op, inputs, out)
        cleared = op.cleared
        plan = _new_plan(op, metas, kinds, over, context)
        if not any(meta is not None and meta.device is META for meta in (*metas, over)):  # what is found may be run at once
            op.keep(key, plan, cleared)
    written: Sequence[BoxedImpl] = ()
    if out is not None and out.impl.__class__ is BoxedImpl or op.definition.mut:
        written = _boxed_and_written(op, inputs, attrs, out)
    if plan.__class__ is Placed:
        result = _run_placed(plan, inputs, dynamic, out)
    elif plan is _NOT_IN_PLACE:
        result = _written_over(op, inputs, context)
    else:
        result = eager_local.run_plan(op, plan, inputs, context)
    for impl in written:
        impl.write_back()
    return result


def apply_view(op: OpExpr, x: Tensor, context: OpContext) -> Tensor:
    """A view of the shard, where the result's shards are views of the input's; otherwise of a boxed copy."""
    if slow_path.count:
        if thread_state.observer.is_capturing:
            return _view_captured(op, x, context)
        if thread_state.explaining is not None:
            return _explained(op, (x,), context)
    attrs = context.attrs
    key = plan_key((x.meta,), attrs)
    boxed_key = (*key, Placed)  # what is under `key` is a view that needs no boxing
    found = op.plans.get(boxed_key) or op.miss(key) or op.miss(boxed_key)
    if found is None:
        placed = place(op, (x.meta,), attrs, (), None, None, None)
        assert placed is not None
        if placed.is_boxed or placed.signature.decomposed:
            require_agreement(placed)
            op.keep(boxed_key, found := placed)
        else:
            found = _keep_view(op, placed, x, attrs, boxed_key)
    if found.__class__ is Placed:
        return _view_of_boxed(found, x, attrs)
    meta, offset, _ = found
    view = Tensor(meta, x.impl, x.ptr + offset)
    view._view = (x, op, attrs, x.impl.version)
    return view


def logical_meta(op: str, x: Tensor) -> TensorMeta:
    """The meta of a consistent tensor as one rank would have it that has all of it.

    Raises:
        LocalityError: it is local, where others are not.
    """
    meta: Any = x.meta
    if meta.is_local:
        raise LocalityError(
            f"{op}: some tensors are global (consistent), and one of size {list(meta.shape)} is local; make it global with"
            " to_global(placement=..., sbp=...)"
        )
    return meta.logical


def apply_function(
    placed: Placed, inputs: Sequence[Tensor], compute: Callable[[Sequence[Tensor]], tuple[Tensor, ...]]
) -> tuple[Tensor, ...]:
    """The outputs of an op that a function computes of this rank's shards.

    Raises:
        NotYetImplementedError: something is explained.
    """
    op = placed.op
    if slow_path.count and thread_state.explaining is not None:
        raise NotYetImplementedError(f"{op.name}: flow.boxing.explain of an op of one's own is not supported yet")
    if slow_path.count and thread_state.observer.is_capturing:
        thread_state.observer.over_ranks.placed(placed)
    elif placed.is_boxed:
        require_agreement(placed)
    shards = [_boxed_shard(op, x, found) for x, found in zip(inputs, placed.routes)]
    if placed.shards is None:
        found: Any = _without_numbers(placed, None) if placed.outputs else ()
        return (found,) if op.single_output else found
    made = compute([shard for shard in shards if shard is not None])
    return tuple([_wrapped(placed, k, shard) for k, shard in enumerate(made)])


def _apply_captured(op: OpExpr, inputs: Inputs, context: OpContext) -> Any:
    """Any op while a graph is captured: all is decided as ever, and what this rank would run is recorded."""
    attrs, dynamic, out = lazy.pinned(context.attrs), context.dynamic, context.out
    metas: Any = tuple([None if t is None else t.meta for t in inputs])
    kinds = lazy.classes(dynamic)
    over: Any = None if out is None else out.meta
    _require_consistent(op, inputs, out)
    placed = place(op, metas, attrs, kinds, over, context.placement, context.sbp)
    written = _boxed_and_written(op, inputs, attrs, out)
    if placed is None:
        result = _written_over(op, inputs, OpContext(attrs, dynamic, out))
    else:
        thread_state.observer.over_ranks.placed(placed, dynamic)
        result = _run_placed(placed, inputs, dynamic, out)
    for impl in written:
        impl.write_back()
    return result


def _view_captured(op: OpExpr, x: Tensor, context: OpContext) -> Tensor:
    """A view while a graph is captured."""
    attrs = context.attrs
    placed = place(op, (x.meta,), attrs, (), None, None, None)
    assert placed is not None
    try:
        found = None if placed.is_boxed or placed.signature.decomposed else _view_meta(placed, x.meta.local)
    except ShapeError:  # as of `_keep_view`
        found = None
    if placed.is_boxed or placed.signature.decomposed:  # the plans of others may be known on some ranks, which do not come here
        thread_state.observer.over_ranks.placed(placed)
    if found is None:
        return _view_of_boxed(placed, x, attrs)
    meta, offset = found
    view = Tensor(meta, x.impl, x.ptr + offset)
    view._view = (x, op, attrs, x.impl.version)
    return view


def _require_consistent(op: OpExpr, inputs: Inputs, out: Tensor | None) -> None:
    """Refuse a mixture of local and consistent tensors. A plan that is found proves that there is none.

    Raises:
        LocalityError: says which tensors are what, and the way out.
    """
    if all(tensor is None or not tensor.meta.is_local for tensor in (*inputs, out)):
        return
    kinds = [locality(tensor.meta) for tensor in inputs if tensor is not None]
    raise LocalityError(
        f"Got input tensors with inconsistent attributes! op_type_name: {op.name} attributes of inputs is: {', '.join(kinds)}"
        + ("" if out is None else f", of the tensor that is written: {locality(out.meta)}")
        + "; make the local one global with to_global(placement=..., sbp=...), or the global one local with to_local()"
    )


def _new_plan(
    op: OpExpr, metas: tuple[Any, ...], kinds: tuple[type, ...], over: ConsistentTensorMeta | None, context: OpContext
) -> Any:
    """A copy of the local plan with consistent outputs, or a Placed where that would not do."""
    placed = place(op, metas, context.attrs, kinds, over, context.placement, context.sbp)
    if placed is None:
        return _NOT_IN_PLACE
    if placed.is_boxed:
        require_agreement(placed)
    if not _runs_as_it_is(placed, metas):
        return placed
    scalars = tuple([kind() for kind in kinds])
    local = placed.local(scalars)
    if local.dynamic is not scalars:
        return placed
    local_metas = tuple([None if m is None else m.local for m in metas])
    local_over = None if over is None else over.local
    plan: Plan = copy.copy(eager_local.prepared_plan(op, local_metas, local.attrs, kinds, local_over))
    if local.more:
        _append(plan, local.more)
    return _with_outputs(plan, over, placed)


def _append(plan: Plan, scalars: tuple[Any, ...]) -> None:
    """Pass these scalars behind what a run of the plan is given."""

    def appended(step: Callable[..., None]) -> Callable[..., None]:
        return lambda *env: step(*env, *scalars)

    plan.steps = [(launch, appended(step)) for launch, step in plan.steps]
    plan.run = appended(plan.run)


def _with_outputs(plan: Plan, over: ConsistentTensorMeta | None, placed: Placed) -> Plan:
    """A plan of local launches whose results are consistent tensors."""
    outputs = [over] if over is not None else [placed.output_meta(k, meta) for k, meta in enumerate(plan.outputs)]
    plan.outputs = tuple(outputs)
    plan.slots = tuple([(meta, free) for meta, (_, free) in zip(outputs, plan.slots)])
    if outputs:
        plan.out = outputs[0]
    return plan


def _runs_as_it_is(placed: Placed, metas: tuple[Any, ...]) -> bool:
    """Whether a rank only runs the local op on its shards."""
    if placed.is_boxed or placed.signature.decomposed or placed.sized_by_data or placed.shards is None:
        return False
    if placed.placement.device() is META:  # it runs nothing
        return False
    wanted = eager_local.wants_contiguous(placed.op, len(metas))
    return all(meta is None or meta.local.is_contiguous or not must for meta, must in zip(metas, wanted))


def _run_placed(placed: Placed, inputs: Inputs, dynamic: tuple[Any, ...], out: Tensor | None) -> Any:
    op = placed.op
    if placed.signature.decomposed:
        return _run_decomposed(placed, inputs, dynamic, out)
    shards = tuple([_boxed_shard(op, x, found) for x, found in zip(inputs, placed.routes)])
    if placed.shards is None:
        return _without_numbers(placed, out)
    local = placed.local(dynamic)
    over = None if out is None else local_shard(out)
    result = run_local(op, shards, OpContext(local.attrs, (*local.dynamic, *local.more), over))
    if out is not None:
        return out
    made = (result,) if op.single_output else result
    outputs = tuple([_wrapped(placed, k, shard) for k, shard in enumerate(made)])
    return outputs[0] if op.single_output else outputs


def _wrapped(placed: Placed, k: int, shard: Tensor) -> Tensor:
    return from_local(shard, placed.output_meta(k, shard.meta))


def _boxed_shard(op: OpExpr, x: Tensor | None, found: Any) -> Tensor | None:
    if x is None:
        return None
    if found is None:
        return local_shard(x)
    warn_of_gather(found, op.name)
    is_captured = slow_path.count and thread_state.observer.is_capturing
    if found.combines_evenly and not is_captured and x.impl not in shared_with_local:
        return _combined_once(op, x, found)
    return moved_shard(x, found, op.name)


def _combined_once(op: OpExpr, x: Tensor, found: Route) -> Tensor:
    """What a route makes of the shares of a tensor, for the first op that reads it and for all others."""
    impl, key = x.impl, (*seen_alike(x), found.target.sbp)
    remembered = _combined.get(impl)
    if remembered is None or remembered[0] != impl.version:
        remembered = impl.version, {}
    result = remembered[1].get(key)
    if result is None:
        result = moved_shard(x, found, op.name)
        if result.impl is not impl:
            remembered[1][key] = result
            _combined[impl] = remembered
    return result


def _without_numbers(placed: Placed, out: Tensor | None) -> Any:
    """The outputs, with shards that nothing has been written to."""
    if out is not None:
        return out
    outputs = []
    for logical, sbp in zip(placed.outputs, placed.signature.outputs):
        meta = ConsistentTensorMeta.get(logical.shape, logical.dtype, placed.placement, sbp)
        is_captured = slow_path.count and thread_state.observer.is_capturing
        shard = thread_state.observer.over_ranks.empty(meta.local) if is_captured else allocate(meta.local)
        outputs.append(from_local(shard, meta))
    return outputs[0] if placed.op.single_output else tuple(outputs)


def _explained(op: OpExpr, inputs: Inputs, context: OpContext) -> Any:
    """Notes what the op would box; the outputs hold no numbers."""
    attrs, dynamic, out = context.attrs, context.dynamic, context.out
    _require_consistent(op, inputs, out)
    metas: Any = tuple([None if t is None else t.meta for t in inputs])
    over: Any = None if out is None else out.meta
    placed = place(op, metas, attrs, tuple([v.__class__ for v in dynamic]), over, context.placement, context.sbp)
    if placed is None:
        return _written_over(op, inputs, context)
    demanded = context.sbp if context.placement is not None else None
    thread_state.explaining.append(OpExplanation(placed, metas, over, demanded))
    if placed.signature.decomposed:
        return _run_decomposed(placed, inputs, dynamic, out)
    return _without_numbers(placed, out)


def _run_decomposed(placed: Placed, inputs: Inputs, dynamic: tuple[Any, ...], out: Tensor | None) -> Any:
    """The op by its decomposition over consistent tensors, which box what they need; autograd records the op itself."""
    op = placed.op
    plain = [None if x is None else without_history(x) for x in inputs]
    sbps = placed.signature.inputs
    boxed = [x if x is None or sbp is None else box(x, placed.placement, sbp) for x, sbp in zip(plain, sbps)]
    rule = op.rule("split") or op.rule("decomposition")
    enabled = thread_state.grad_enabled
    thread_state.grad_enabled = False
    try:
        outputs = rule(boxed, placed.attrs, dynamic)
    finally:
        thread_state.grad_enabled = enabled
    if out is None:
        return outputs[0] if op.single_output else tuple(outputs)
    copy_over(out, outputs[0])
    return out


def _written_over(op: OpExpr, inputs: Inputs, context: OpContext) -> Tensor:
    """An op that cannot make its result with the sbp of what it writes: a tensor of its own, boxed, and copied there.

    One that writes only some elements writes them over a boxed copy.
    """
    out = context.out
    assert out is not None
    if op.definition.updates:
        meta: Any = out.meta
        boxed = box(out, meta.placement, (broadcast,) * meta.placement.ndim)
        result = unshared(boxed, out)  # a rank that has all of it would write a boxed view back, as no other rank does
        inputs = tuple([result if x is not None and x.impl is out.impl and x.meta is meta else x for x in inputs])
        apply(op, inputs, OpContext(context.attrs, context.dynamic, result))
    else:
        result = apply(op, inputs, OpContext(context.attrs, context.dynamic))
    copy_over(out, result)
    return out


def _keep_view(op: OpExpr, placed: Placed, x: Tensor, attrs: tuple[Any, ...], boxed_key: Any) -> Any:
    """What makes a view that moves nothing: strides, or a copy of the shard where its gaps let no strides make it.

    A shard has gaps where it was cut out of what the rank has of another layout.
    """
    try:
        found = (*_view_meta(placed, x.meta.local), attrs)
    except ShapeError:
        op.keep(boxed_key, placed)
        return placed
    op.keep(plan_key((x.meta,), attrs), found)
    return found


def _view_meta(placed: Placed, local: TensorMeta) -> tuple[ConsistentTensorMeta, int]:
    """The meta of a view of a shard, and how many bytes further it begins."""
    if placed.shards is None:
        return placed.output_meta(0, local), 0
    meta, offset = placed.op.plan((local,), placed.local(()).attrs)
    return placed.output_meta(0, meta), offset


def _view_of_boxed(placed: Placed, x: Tensor, attrs: tuple[Any, ...]) -> Tensor:
    sbp = placed.signature.inputs[0]
    assert sbp is not None
    if placed.signature.decomposed:
        impl, meta, offset = _slice_of_split(placed, x, attrs)
    else:
        impl = BoxedImpl(x, sbp)
        meta, offset = _view_meta(placed, impl.shard.meta)
    view = Tensor(meta, impl, impl.shard.ptr + offset)
    view._view = (x, placed.op, attrs, impl.version)
    return view


def _slice_of_split(placed: Placed, x: Tensor, attrs: tuple[Any, ...]) -> tuple[BoxedImpl, ConsistentTensorMeta, int]:
    """A slice of a dimension that is split, or one index of it: the memory with that much of x, the view's meta and offset."""
    selects = placed.op.name == "select"
    dim, start, length, step = (*attrs, 1, 1) if selects else attrs
    sbp = placed.signature.outputs[0]
    if selects:
        sbp = tuple([split(s.dim + 1) if s.dim is not None and s.dim >= dim else s for s in sbp])
    impl = BoxedImpl(x, sbp, Cut(dim, x.meta.shape[dim], start, step), length)
    meta, offset = impl.shard.meta, 0
    if selects and placed.shards is not None:
        meta, offset = placed.op.plan((meta,), (dim, 0))
    return impl, placed.output_meta(0, meta), offset


def _boxed_and_written(op: OpExpr, inputs: Inputs, attrs: tuple[Any, ...], out: Tensor | None) -> Sequence[BoxedImpl]:
    """The boxed copies that an op writes, which are to be written back.

    Raises:
        RuntimeError: one cannot be.
    """
    written = [inputs[k] for k in op.written(inputs, attrs)] if op.definition.mut else []
    found: list[BoxedImpl] = []
    for tensor in (*written, out):
        if tensor is not None and tensor.impl.__class__ is BoxedImpl:
            tensor.impl.refuse_write()
            found.append(tensor.impl)
    return found
