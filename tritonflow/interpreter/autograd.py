"""The autograd interpreter: runs the inner interpreter, then adds a node if an input requires grad.

It is around every interpreter: what it does is the same for eager, consistent and lazy tensors.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tritonflow.execution import eager_local, found_views
from tritonflow.execution.context import OpContext
from tritonflow.execution.op_expr import INPUT, OpExpr
from tritonflow.execution.transfer import CPU, on_device
from tritonflow.framework.tensor import Tensor
from tritonflow.interpreter import complex_numbers
from tritonflow.interpreter.choice import get_interpreter
from tritonflow.interpreter.grad_node import Edge
from tritonflow.interpreter.gradient_ops import gradient_ops
from tritonflow.interpreter.inplace import is_of_leaf, rebase_history, refuse_leaf, refuse_overlap, separated
from tritonflow.interpreter.recording import edges_of, make_node, record, record1, record2, refuse_gradients
from tritonflow.interpreter.split_node import record_split
from tritonflow.thread_state import slow_path, thread_state

Attributes = Callable[..., tuple[Any, ...] | None]
Cuts = found_views.Cuts


def apply1(op: OpExpr, x: Tensor, attrs: tuple[Any, ...] = ()) -> Any:
    """One tensor in, one out."""
    out = eager_local.apply1(op, x, attrs)
    if out is None:
        if complex_numbers.wants_form(op, (x,), attrs):
            return complex_numbers.apply(op, (x,), attrs)
        out = _apply_general(op, (x,), attrs)
    if (x._node is not None or x._view is not None) and thread_state.grad_enabled:
        record1(op, x, out, attrs)
    return out


def apply2(op: OpExpr, x: Tensor, y: Tensor, attrs: tuple[Any, ...] = ()) -> Any:
    """Two tensors in, one out."""
    out = eager_local.apply2(op, x, y, attrs)
    if out is None:
        if complex_numbers.wants_form(op, (x, y), attrs):
            return complex_numbers.apply(op, (x, y), attrs)
        out = _apply_general(op, (x, y), attrs)
    if (
        x._node is not None or y._node is not None or x._view is not None or y._view is not None
    ) and thread_state.grad_enabled:
        record2(op, x, y, out, attrs)
    return out


def apply3(op: OpExpr, x: Tensor, y: Tensor, z: Tensor, attrs: tuple[Any, ...] = ()) -> Any:
    """Three tensors in, one out."""
    out = eager_local.apply3(op, x, y, z, attrs)
    if out is None:
        if complex_numbers.wants_form(op, (x, y, z), attrs):
            return complex_numbers.apply(op, (x, y, z), attrs)
        out = _apply_general(op, (x, y, z), attrs)
    if thread_state.grad_enabled:
        for tensor in (x, y, z):
            if tensor._node is not None or tensor._view is not None:
                record(op, (x, y, z), (out,), attrs, ())
                break
    return out


def apply_number(op: OpExpr, x: Tensor, number: Any) -> Any:
    """One tensor and a number in, one tensor out."""
    out = eager_local.apply_number(op, x, number)
    if out is None:
        if complex_numbers.wants_form(op, (x,), (), (number,)):
            return complex_numbers.apply(op, (x,), (), (number,))
        context = OpContext((), (number,))
        out = get_interpreter(op, (x,), context).apply(op, (x,), context)
    if (x._node is not None or x._view is not None) and thread_state.grad_enabled:
        record(op, (x,), (out,), (), (number,))
    return out


def _apply_general(op: OpExpr, inputs: tuple[Tensor, ...], attrs: tuple[Any, ...]) -> Any:
    context = OpContext(attrs)
    inputs = _on_one_device(op, inputs)  # type: ignore[assignment]
    return get_interpreter(op, inputs, context).apply(op, inputs, context)


def _on_one_device(op: OpExpr, inputs: tuple[Tensor | None, ...], out: Tensor | None = None) -> tuple[Tensor | None, ...]:
    """The inputs of a pointwise op, those of one element without dimensions in host memory as numbers on the others' device.

    What is recorded are the inputs as they were; the engine gives each its gradient on its own device.
    """
    first = None
    for tensor in inputs:
        if tensor is None or not tensor.meta.is_local:
            continue
        if first is None:
            first = tensor.meta.device
        elif tensor.meta.device is not first:
            break
    else:
        return inputs
    if op.definition.kind != "pointwise":
        return inputs
    moving = [t is not None and t is not out and t.meta.device is CPU and not t.meta.ndim and not t.is_lazy for t in inputs]
    kept = {t.meta.device for t, moves in zip(inputs, moving) if t is not None and not moves}
    if len(kept) != 1:
        return inputs
    (device,) = kept
    return tuple([on_device(t, device) if moves and t is not None else t for t, moves in zip(inputs, moving)])


def apply_view(op: OpExpr, x: Tensor, given: tuple[Any, ...] = (), attributes: Attributes | None = None) -> Any:
    """A view of a tensor.

    Args:
        op: which.
        x: of what.
        given: the attributes; or what a user gave for them, with `attributes`.
        attributes: what is given -> the attributes, for tensors of a meta; or None where the result is no view. It is asked once
            for a meta and what is given (`found_views.keep_view`), as its answer depends on nothing else. While a capture is on
            it is asked each time, as a program for many sizes has to know what it asks of them.

    Returns:
        The view; None where `attributes` says that there is none.
    """
    out = None if attributes is not None and slow_path.count else found_views.view1(op, x, given)
    if out is None:
        out = _view_missed(op, x, given, attributes)
        if out is None:
            return None
    if (x._node is not None or x._view is not None) and thread_state.grad_enabled:
        record1(op, x, out, out._view[2])
    return out


def _view_missed(op: OpExpr, x: Tensor, given: tuple[Any, ...], attributes: Attributes | None) -> Tensor | None:
    if attributes is None:
        return _view_general(op, x, given)
    attrs = attributes(x.meta, *given)
    if attrs is None:
        return None
    out = _view_general(op, x, attrs)
    if not slow_path.count:
        found_views.keep_view(op, x, given, attrs)
    return out


def _view_general(op: OpExpr, x: Tensor, attrs: tuple[Any, ...]) -> Tensor:
    out = found_views.view1(op, x, attrs)
    if out is None:
        context = OpContext(attrs)
        out = get_interpreter(op, (x,), context).apply_view(op, x, context)
    return out


def apply_split(op: OpExpr, x: Tensor, given: tuple[Any, ...]) -> tuple[Tensor, ...]:
    """The views that split a tensor along a dimension.

    Args:
        op: that of each view.
        x: of what.
        given: a function of a meta and arguments that says what the views are (`Cuts`), and these arguments. It is asked once for
            a meta and arguments, as `attributes` of `apply_view` is.
    """
    found = None if slow_path.count else found_views.split1(op, x, given)
    if found is None:
        chunks, dim, sizes = given[0](x.meta, *given[1:])
        views = tuple([_view_general(op, x, attrs) for attrs in chunks])
        if not slow_path.count:
            found_views.keep_split(op, x, given, (chunks, dim, sizes))
    else:
        views, dim, sizes = found
    if (x._node is not None or x._view is not None) and thread_state.grad_enabled:
        record_split(x, views, dim, sizes, unbound=op.name == "select")
    return views


def apply(
    op: OpExpr,
    inputs: tuple[Tensor | None, ...],
    attrs: tuple[Any, ...] = (),
    dynamic: tuple[Any, ...] = (),
    out: Tensor | None = None,
    placement: Any = None,
    sbp: Any = None,
) -> Any:
    """Any op.

    Args:
        op: what to run.
        inputs: the tensors, None for an absent optional one, a variadic one flattened at the end.
        attrs: the static attributes in the order of the registry.
        dynamic: the dynamic scalars likewise.
        out: a tensor to write the only output over.
        placement: over which ranks the outputs lie, for ops that make tensors from none.
        sbp: how they lie there; of other ops how outputs preferably lie, where several ways cost the same.

    Returns:
        The output, or a tuple of the outputs if the op has several.

    Raises:
        LocalityError: local and consistent tensors are mixed.
    """
    if out is not None:
        return _apply_inplace(op, inputs, attrs, dynamic, out, placement, sbp)
    result = None
    if placement is None and sbp is None and (not op.definition.mut or _is_local(inputs)):
        result = eager_local.apply_found(op, inputs, attrs, dynamic, None)
    if result is None:
        if complex_numbers.wants_form(op, inputs, attrs, dynamic):
            return complex_numbers.apply(op, inputs, (*attrs, placement, sbp) if placement is not None else attrs, dynamic)
        context = OpContext(attrs, dynamic, None, placement, sbp)
        together = _on_one_device(op, inputs)
        result = get_interpreter(op, together, context).apply(op, together, context)
    if inputs:
        if op.definition.mut:
            _count_writes(op, inputs, attrs)
        if thread_state.grad_enabled:
            for tensor in inputs:
                if tensor is not None and (tensor._node is not None or tensor._view is not None):
                    record(op, inputs, (result,) if op.single_output else result, attrs, dynamic)
                    break
    return result


def apply_first(
    op: OpExpr, inputs: tuple[Tensor | None, ...], attrs: tuple[Any, ...] = (), dynamic: tuple[Any, ...] = ()
) -> Tensor:
    """The first output of an op whose others only its derivative reads: where none is recorded, they are temporary memory."""
    writes = op.definition.mut
    if not (thread_state.grad_enabled and _may_record(inputs)) and (not writes or _is_local(inputs)):
        out: Tensor | None = eager_local.apply_found(op, inputs, attrs, dynamic, None, True)
        if out is not None:
            if writes:
                _count_writes(op, inputs, attrs)
            return out
    result: Tensor = apply(op, inputs, attrs, dynamic)[0]
    return result


def _may_record(inputs: tuple[Tensor | None, ...]) -> bool:
    for tensor in inputs:
        if tensor is not None and (tensor._node is not None or tensor._view is not None):
            return True
    return False


def _count_writes(op: OpExpr, inputs: tuple[Tensor | None, ...], attrs: tuple[Any, ...]) -> None:
    for position in op.written(inputs, attrs):
        inputs[position].impl.version += 1  # type: ignore[union-attr]


def _is_local(inputs: tuple[Tensor | None, ...]) -> bool:
    """Whether the tensors are local, if they are all of one kind."""
    return bool(inputs) and inputs[0] is not None and inputs[0].meta.is_local


def _run_over(
    op: OpExpr,
    inputs: tuple[Tensor | None, ...],
    attrs: tuple[Any, ...],
    dynamic: tuple[Any, ...],
    out: Tensor,
    placement: Any,
    sbp: Any,
) -> None:
    """Run an op that writes its only output over `out`."""
    if placement is None and sbp is None and out.meta.is_local:
        if eager_local.apply_found(op, inputs, attrs, dynamic, out) is not None:
            out.impl.version += 1
            return
    if out.meta.dtype.is_complex:
        complex_numbers.apply_over(op, inputs, attrs, dynamic, out)
        return
    context = OpContext(attrs, dynamic, out, placement, sbp)
    inputs = _on_one_device(op, inputs, out)
    get_interpreter(op, inputs, context).apply(op, inputs, context)
    out.impl.version += 1


def _apply_inplace(
    op: OpExpr,
    inputs: tuple[Tensor | None, ...],
    attrs: tuple[Any, ...],
    dynamic: tuple[Any, ...],
    out: Tensor,
    placement: Any,
    sbp: Any,
) -> Tensor:
    """An op that writes its only output over `out`, usually its first input."""
    edges: tuple[Edge, ...] = ()
    recorded = False
    if not out.meta.is_contiguous:
        refuse_overlap(out.meta)
    given, impl = inputs, out.impl
    if op.updates:
        inputs = separated(op, inputs, out)
    else:
        for tensor in inputs:
            if tensor is not out and tensor is not None and tensor.impl is impl:
                inputs = separated(op, inputs, out)
                break
    if thread_state.grad_enabled and out.meta.dtype.has_gradient:  # integers have no gradient, whatever is cast to them
        for tensor in given:
            if tensor is not None and (tensor._node is not None or tensor._view is not None):
                edges = edges_of(given)
                recorded = edges.count(None) < len(edges)
                break
        if out._node is not None or out._view is not None:
            if not thread_state.only_tangents:
                refuse_leaf(out, recorded)
            elif is_of_leaf(out):  # which may be written under `no_grad`
                recorded = False
    if not recorded:
        _run_over(op, inputs, attrs, dynamic, out, placement, sbp)
        return out
    if out.meta.dtype.is_complex:  # which records the ops that it is made of
        return complex_numbers.apply_over(op, inputs, attrs, dynamic, out)
    if op.constants:
        refuse_gradients(op, edges)
    before = inputs
    if inputs[0] is out and _needs_old_value(op, edges):
        before = (gradient_ops.clone(Tensor(out.meta, out.impl, out.ptr)), *inputs[1:])
    _run_over(op, inputs, attrs, dynamic, out, placement, sbp)
    node = make_node(op, before, (out,), attrs, dynamic, edges, written=out)
    rebase_history(out, node, apply_view)
    return out


def _needs_old_value(op: OpExpr, edges: tuple[Edge, ...]) -> bool:
    """Whether a wanted gradient of an in-place op reads what it overwrites, as that of y in `x *= y` does."""
    return any(
        source is INPUT and position == 0 and any(edges[reader] is not None for reader in readers)
        for source, position, readers in op.inplace_saved_order
    )
