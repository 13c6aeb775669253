"""The eager local interpreter: a plan by the inputs' metas, output tensors, an instruction for the VM.

`apply0` to `apply3` are the roads of ops with one output and so many tensor inputs, `apply_number` that of a tensor and
a number; that of views is in found_views.py. They are written out because eager programs spend their time on them
(docs/design/fast_path.md).
`apply_found` is the road of all other ops, and `apply` of those that have no plan yet or cannot run at once.
A plan that is found proves that the inputs are local, on one device and of known metas; a plan's `fast_stream` proves that its
kernel may run at once in the issuing thread, if that stream orders all accesses to the inputs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from tritonflow.device.memory import reclaim_hooks, settle_hooks
from tritonflow.device.provider import get_provider
from tritonflow.device.stream import current_stream
from tritonflow.errors import DeviceMismatchError
from tritonflow.execution.context import OpContext
from tritonflow.execution.op_expr import OpExpr, op_expr, plan_key
from tritonflow.framework.meta import TensorMeta
from tritonflow.framework.tensor import Tensor, make_tensor, tensor_in
from tritonflow.framework.tensor_impl import EagerLocalTensorImpl
from tritonflow.ops.operations import operations
from tritonflow.ops.plan import NO_STREAM, Plan
from tritonflow.thread_state import slow_path, thread_state
from tritonflow.vm.failure import caller, describe
from tritonflow.vm.machine import machine

EagerLocalTensorImpl.release = staticmethod(machine.release)
reclaim_hooks.append(machine.reclaim)
settle_hooks.append(lambda: machine.drain("giving memory back", machine.streams()))

_contiguous_copy = op_expr("contiguous_copy")


def apply0(op: OpExpr, given: tuple[Any, ...]) -> Tensor | None:
    """A tensor made from none, of arguments of which one was made before (`keep_new`). None where this road does not apply."""
    try:
        plan, number = op.plans[given]
    except KeyError:
        return None
    if slow_path.count or not plan.fast_stream.immediate:
        return None
    try:
        block = plan.free.pop()
    except IndexError:
        block = plan.new_block()
    out = tensor_in(plan.out, block)
    if number is not None:
        plan.run(block.ptr, number)
    return out


def keep_new(op: OpExpr, given: tuple[Any, ...], attrs: tuple[Any, ...], number: Any = None) -> None:
    """Let `apply0` find a plan under what a user gave: that of `attrs`, of an op that launches nothing or writes one number."""
    cleared = op.cleared
    plan = op.plans.get(plan_key((), attrs, () if number is None else (number.__class__,)))
    if plan is not None and not slow_path.count:
        op.keep(given, (plan, number), cleared)


def apply1(op: OpExpr, x: Tensor, attrs: tuple[Any, ...]) -> Tensor | None:
    """One tensor in, one out; None where this road does not apply."""
    try:
        plan: Plan = op.plans[x.meta, attrs]
    except KeyError:
        return None
    stream = plan.fast_stream
    if slow_path.count or x.impl.block.stream is not stream or not stream.immediate:
        return None
    try:
        block = plan.free.pop()
    except IndexError:
        block = plan.new_block()
    out = tensor_in(plan.out, block)
    plan.run(x.ptr, block.ptr)
    return out


def apply2(op: OpExpr, x: Tensor, y: Tensor, attrs: tuple[Any, ...]) -> Tensor | None:
    """Two tensors in, one out; None where this road does not apply."""
    try:
        plan: Plan = op.plans[x.meta, y.meta, attrs]
    except KeyError:
        return None
    stream = plan.fast_stream
    if slow_path.count or x.impl.block.stream is not stream or y.impl.block.stream is not stream or not stream.immediate:
        return None
    try:
        block = plan.free.pop()
    except IndexError:
        block = plan.new_block()
    out = tensor_in(plan.out, block)
    plan.run(x.ptr, y.ptr, block.ptr)
    return out


def apply3(op: OpExpr, x: Tensor, y: Tensor, z: Tensor, attrs: tuple[Any, ...]) -> Tensor | None:
    """Three tensors in, one out; None where this road does not apply."""
    try:
        plan: Plan = op.plans[x.meta, y.meta, z.meta, attrs]
    except KeyError:
        return None
    stream = plan.fast_stream
    if (
        slow_path.count
        or x.impl.block.stream is not stream
        or y.impl.block.stream is not stream
        or z.impl.block.stream is not stream
        or not stream.immediate
    ):
        return None
    try:
        block = plan.free.pop()
    except IndexError:
        block = plan.new_block()
    out = tensor_in(plan.out, block)
    plan.run(x.ptr, y.ptr, z.ptr, block.ptr)
    return out


def apply_number(op: OpExpr, x: Tensor, number: Any) -> Tensor | None:
    """One tensor and a number in, one tensor out; None where this road does not apply."""
    try:
        plan: Plan = op.plans[x.meta, (), (number.__class__,)]
    except KeyError:
        return None
    stream = plan.fast_stream
    if slow_path.count or x.impl.block.stream is not stream or not stream.immediate:
        return None
    try:
        block = plan.free.pop()
    except IndexError:
        block = plan.new_block()
    out = tensor_in(plan.out, block)
    plan.run(x.ptr, block.ptr, number)
    return out


def apply_found(
    op: OpExpr,
    inputs: tuple[Tensor | None, ...],
    attrs: tuple[Any, ...],
    dynamic: tuple[Any, ...],
    out: Tensor | None,
    first: bool = False,
) -> Any:
    """Any op on local tensors, as `apply`; None where no plan is cached, or it may not run at once.

    With `first`, the first output alone: nobody reads the others, whose memory is temporary.
    """
    if slow_path.count:
        return None
    key: list[Any] = []
    env: list[Any] = []
    for tensor in inputs:
        if tensor is None:
            key.append(None)
            env.append(0)
        else:
            key.append(tensor.meta)
            env.append(tensor.ptr)
    key.append(attrs)
    if dynamic:
        key.append((dynamic[0].__class__,) if len(dynamic) == 1 else tuple([v.__class__ for v in dynamic]))
    if out is not None:
        if not dynamic:
            key.append(())
        key.append(out.meta)
    plan = op.plans.get(tuple(key))
    if plan is None:
        return None
    stream = plan.direct_stream
    if not stream.immediate:
        return None
    for tensor in inputs:
        if tensor is not None and tensor.impl.block.stream is not stream:
            return None
    if out is not None and out.impl.block.stream is not stream:
        return None
    if plan.fast_stream is stream:
        if out is not None:
            plan.run(*env, out.ptr, *dynamic)
            return out
        try:
            block = plan.free.pop()
        except IndexError:
            block = plan.new_block()
        out = tensor_in(plan.out, block)
        plan.run(*env, block.ptr, *dynamic)
        return out
    outputs = _run_at_once(plan, env, dynamic, out, first)
    return outputs[0] if first or op.single_output else tuple(outputs)


def apply_view(op: OpExpr, x: Tensor, context: OpContext) -> Tensor:
    """As `found_views.view1`; the meta is found where it is not cached."""
    attrs = context.attrs
    meta, offset, _ = _missed_plan(op, plan_key((x.meta,), attrs), (x.meta,), attrs, (), None)
    view = make_tensor(meta, x.impl, x.ptr + offset)
    view._view = (x, op, attrs, x.impl.version)
    return view


def apply(op: OpExpr, inputs: tuple[Tensor | None, ...], context: OpContext) -> Any:
    """Any op. With `context.out`, the only output is written over that tensor."""
    attrs, dynamic, out = context.attrs, context.dynamic, context.out
    metas = tuple([None if t is None else t.meta for t in inputs])
    kinds = tuple([v.__class__ for v in dynamic]) if dynamic else ()
    over = None if out is None else out.meta
    key = plan_key(metas, attrs, kinds, over)
    plan: Plan = op.plans.get(key) or _missed_plan(op, key, metas, attrs, kinds, over)
    if op.definition.contiguous:
        inputs = _contiguous(op, inputs)
    return run_plan(op, plan, inputs, context)


def run_plan(op: OpExpr, plan: Plan, inputs: tuple[Tensor | None, ...], context: OpContext) -> Any:
    """Run a plan on tensors whose metas are those that it was made for."""
    outputs = None
    if plan.direct and slow_path.count == 0 and plan.stream.immediate:
        outputs = _run_now(plan, inputs, context.dynamic, context.out)
    if outputs is None:
        outputs = _issue(op, plan, inputs, context)
    if plan.finish is not None:
        _sync_shapes(plan, plan.finish, outputs)
    return outputs[0] if op.single_output else tuple(outputs)


def _run_now(
    plan: Plan, inputs: tuple[Tensor | None, ...], dynamic: tuple[Any, ...], out: Tensor | None
) -> list[Tensor] | None:
    """Run in the issuing thread, if the plan's stream orders all accesses to every operand; None if it does not."""
    stream = plan.stream
    env: list[Any] = []
    for tensor in inputs:
        if tensor is None:
            env.append(0)
        elif tensor.impl.block.stream is stream:
            env.append(tensor.ptr)
        else:
            return None
    if out is not None and out.impl.block.stream is not stream:
        return None
    return _run_at_once(plan, env, dynamic, out)


def _run_at_once(
    plan: Plan, env: list[Any], dynamic: tuple[Any, ...], out: Tensor | None, first: bool = False
) -> list[Tensor]:
    """Run a plan in this thread, with no timeline, on inputs at the addresses `env`; with `first`, for the first output alone."""
    temporary = plan.spare_lists if first else plan.work_lists
    if out is None:
        outputs = []
        for meta, free in plan.slots[:1] if first else plan.slots:
            try:
                block = free.pop()
            except IndexError:
                block = plan.pool.new_block(free)
            outputs.append(tensor_in(meta, block))
            env.append(block.ptr)
    else:
        outputs = [out]
        env.append(out.ptr)
    if not temporary:
        plan.run(*env, *dynamic)
        if plan.index_check is not None:
            _check(plan, env)
        return outputs
    work = []
    for free in temporary:
        try:
            block = free.pop()
        except IndexError:
            block = plan.pool.new_block(free)
        work.append(block)
        env.append(block.ptr)
    try:
        plan.run(*env, *dynamic)
        if plan.index_check is not None:
            _check(plan, env)
    finally:
        for block in work:
            block.free.append(block)
    return outputs


def _issue(op: OpExpr, plan: Plan, inputs: tuple[Tensor | None, ...], context: OpContext) -> list[Tensor]:
    """Issue the plan's instruction: inputs const (and mut, where the op writes them), outputs and workspaces mut."""
    out = context.out
    stream = current_stream(plan.provider.device) if slow_path.count else plan.stream
    outputs = [_allocate(plan, meta, stream) for meta in plan.outputs] if out is None else [out]
    work = [plan.pool.allocate(free.nbytes, stream) for free in plan.work_lists]
    env = [0 if t is None else t.ptr for t in inputs]
    env += [t.ptr for t in outputs]
    env += [block.ptr for block in work]
    env += context.dynamic
    const = [t.impl.block for t in inputs if t is not None]
    mut = [t.impl.block for t in outputs]
    mut += [inputs[position].impl.block for position in op.written(inputs, context.attrs)]  # type: ignore[union-attr]
    compute: Callable[[], None] = partial(_compute, plan, env)
    timeline = machine.engine.timeline
    if timeline is not None:
        nbytes = 0 if out is not None else sum([meta.nbytes for meta in plan.outputs])
        flops = operations(op.definition, plan.inputs, _local_outputs(plan), context.attrs)
        compute = timeline.described(compute, inputs, nbytes, flops)
    if slow_path.count:
        thread_state.observer.run_op(op.definition, plan.inputs, _local_outputs(plan), context.attrs)
    machine.issue(stream, compute, const, mut + work, name=op.name, atomic=plan.atomic)
    for block in work:
        if block.dependence is None:
            block.free.append(block)
        else:
            machine.release(block)
    return outputs


def _local_outputs(plan: Plan) -> list[TensorMeta]:
    """The metas of what a plan makes on this rank."""
    return [meta if meta.is_local else meta.local for meta in plan.outputs]


def _missed_plan(
    op: OpExpr,
    key: tuple[Any, ...],
    metas: tuple[TensorMeta | None, ...],
    attrs: tuple[Any, ...],
    kinds: tuple[type, ...],
    out: TensorMeta | None,
) -> Any:
    """A plan that is not among the young ones of the op's cache: an old one, or a new one."""
    plan = op.miss(key)
    if plan is None:
        cleared = op.cleared
        plan = prepared_plan(op, metas, attrs, kinds, out)
        op.keep(key, plan, cleared)
    return plan


def prepared_plan(
    op: OpExpr,
    metas: tuple[TensorMeta | None, ...],
    attrs: tuple[Any, ...],
    kinds: tuple[type, ...],
    out: TensorMeta | None,
) -> Any:
    """A plan for local inputs of these metas, compiled; for a view its meta, byte offset and attributes."""
    if op.is_view:
        return (*op.plan(metas, attrs), attrs)
    plan = make_plan(op, metas, attrs, kinds, out)
    device = _common_device(op, metas) or plan.outputs[0].device
    if out is None:
        _ask_for_much(plan, device)
    plan.prepare(device)
    if any(w and m is not None and not lies_well(op, m) for m, w in zip(metas, wants_contiguous(op, len(metas)))):
        plan.fast_stream = plan.direct_stream = NO_STREAM  # an input is copied first, which the short roads do not do
    return plan


_MUCH = 1 << 38  # bytes of a result that few devices have room for, and whose launch may be larger than a grid can be


def _ask_for_much(plan: Plan, device: Any) -> None:
    """Raise at once where a device has no room for a plan's results.

    Raises:
        OutOfMemoryError: names the sizes.
    """
    for meta in plan.outputs:
        if meta.nbytes >= _MUCH:
            provider = get_provider(device)
            block = provider.pool.allocate(meta.nbytes, provider.stream)
            block.free.append(block)


def make_plan(
    op: OpExpr,
    metas: tuple[TensorMeta | None, ...],
    attrs: tuple[Any, ...],
    kinds: tuple[type, ...] = (),
    out: TensorMeta | None = None,
) -> Plan:
    """A plan for inputs that are contiguous where the op wants that; not compiled yet."""
    _common_device(op, metas)
    planned = tuple(
        m.contiguous() if wanted and m is not None and not lies_well(op, m) else m
        for m, wanted in zip(metas, wants_contiguous(op, len(metas)))
    )
    if op.definition.kind == "pointwise":
        return op.plan(planned, attrs, kinds, out)
    plan = op.plan(planned, attrs, kinds, out) if complex in kinds else op.plan(planned, attrs)
    return plan if out is None else _into(op, plan, out)


def _into(op: OpExpr, plan: Plan, out: TensorMeta) -> Plan:
    """A plan of an op that is no pointwise one, writing over `out`: the op must support its layout."""
    if plan.outputs[0] is not out:
        raise RuntimeError(
            f"{op.name}: cannot write the result {plan.outputs[0]} over a tensor {out}: shape, dtype and layout must agree"
        )
    return plan


def _names(op: OpExpr, count: int) -> list[str]:
    """The names of the inputs, the variadic last one repeated."""
    names = list(op.definition.inputs)
    return names + names[-1:] * (count - len(names))


def _common_device(op: OpExpr, metas: tuple[TensorMeta | None, ...]) -> Any:
    device = None
    for meta in metas:
        if meta is None:
            continue
        if device is None:
            device = meta.device
        elif meta.device is not device:
            raise DeviceMismatchError(
                "Expected all tensors to be on the same device, but found at least two devices,"
                f" {device} and {meta.device}! ({op.name})"
            )
    return device


def wants_contiguous(op: OpExpr, count: int) -> list[bool]:
    """Which of the inputs the op's kernel wants contiguous."""
    wanted = op.definition.contiguous
    return [name in wanted for name in _names(op, count)] if wanted else [False] * count


def lies_well(op: OpExpr, meta: TensorMeta) -> bool:
    """Whether an input that the op's kernel wants contiguous needs no copy: some take channels-last images, too."""
    return meta.is_contiguous or op.definition.channels_last and meta.is_channels_last


def _contiguous(op: OpExpr, inputs: tuple[Tensor | None, ...]) -> tuple[Tensor | None, ...]:
    """The inputs, with copies of those that the op wants contiguous and that are not."""
    for tensor in inputs:
        if tensor is not None and not tensor.meta.is_contiguous:
            break
    else:
        return inputs
    return tuple(
        contiguous_copy(t) if wanted and t is not None and not lies_well(op, t.meta) else t
        for t, wanted in zip(inputs, wants_contiguous(op, len(inputs)))
    )


def contiguous_copy(x: Tensor) -> Tensor:
    """The same elements in row-major order; not recorded for backward."""
    if x.meta.dtype.is_complex:
        pairs = contiguous_copy(Tensor(x.meta.as_pairs(), x.impl, x.ptr))
        return Tensor(x.meta.contiguous(), pairs.impl, pairs.ptr)
    copy: Tensor = apply(_contiguous_copy, (x,), OpContext())
    return copy


def _allocate(plan: Plan, meta: TensorMeta, stream: Any) -> Tensor:
    block = plan.pool.allocate(meta.nbytes, stream)
    return tensor_in(meta, block)


def _compute(plan: Plan, env: Sequence[Any]) -> None:
    timeline = machine.engine.timeline
    if timeline is None:
        plan.run(*env)
    else:
        plan.run_steps(timeline.run, env)
    if plan.index_check is not None:
        _check(plan, env)


def _check(plan: Plan, env: Sequence[Any]) -> None:
    """Behind the launches of a plan that may set the error word: raise, or note it where that is known later."""
    word = plan.provider.error_word
    if word.deferred:
        assert plan.index_check is not None
        word.note(plan.index_check, partial(describe, caller(4)), plan.check_error)  # the next two frames are of this package
    else:
        plan.raise_bad_index(*env)


def _sync_shapes(plan: Plan, finish: Callable[..., Sequence[TensorMeta]], outputs: list[Tensor]) -> None:
    """Give outputs whose shape was unknown until now their true metas."""
    found: list[Any] = []
    machine.access(
        [t.impl.block for t in outputs], [], lambda: found.extend(finish(plan.provider, [t.ptr for t in outputs]))
    )
    for tensor, meta in zip(outputs, found):
        tensor.meta = meta
