"""The autograd interpreter: runs the inner interpreter, then adds a node if an input requires grad.

It is around every interpreter: what it does is the same for eager, consistent and lazy tensors.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tritonflow.errors import LocalityError
from tritonflow.execution import eager_local, lazy
from tritonflow.execution.op_expr import INPUT, OpExpr
from tritonflow.framework.tensor import Tensor
from tritonflow.interpreter import consistent
from tritonflow.interpreter.grad_node import Edge, functional_hooks
from tritonflow.interpreter.inplace import rebase_history, refuse_leaf, refuse_overlap, separated
from tritonflow.interpreter.recording import edges_of, make_node, record, record1, record2, refuse_gradients
from tritonflow.interpreter.split_node import record_split
from tritonflow.thread_state import slow_path, thread_state


def apply1(op: OpExpr, x: Tensor, attrs: tuple[Any, ...] = ()) -> Any:
    """One tensor in, one out."""
    out = eager_local.apply1(op, x, attrs)
    if out is None:
        out = get_interpreter(op, (x,)).apply(op, (x,), attrs, (), None)
    if (x._node is not None or x._view is not None) and thread_state.grad_enabled:
        record1(op, x, out, attrs)
    return out


def apply2(op: OpExpr, x: Tensor, y: Tensor, attrs: tuple[Any, ...] = ()) -> Any:
    """Two tensors in, one out."""
    out = eager_local.apply2(op, x, y, attrs)
    if out is None:
        out = get_interpreter(op, (x, y)).apply(op, (x, y), attrs, (), None)
    if (
        x._node is not None or y._node is not None or x._view is not None or y._view is not None
    ) and thread_state.grad_enabled:
        record2(op, x, y, out, attrs)
    return out


def apply_view(op: OpExpr, x: Tensor, attrs: tuple[Any, ...] = ()) -> Tensor:
    """A view of a tensor."""
    if slow_path.count:
        out = get_interpreter(op, (x,)).apply_view(op, x, attrs)
    else:
        out = eager_local.apply_view(op, x, attrs)
    if (x._node is not None or x._view is not None) and thread_state.grad_enabled:
        record1(op, x, out, attrs)
    return out


def apply_split(op: OpExpr, x: Tensor, chunks: list[tuple[Any, ...]], dim: int, sizes: tuple[int, ...]) -> tuple[Tensor, ...]:
    """The views that split a tensor along `dim` into chunks of the given sizes; `chunks` has their attributes for `op`."""
    interpreter = get_interpreter(op, (x,))
    views = tuple([interpreter.apply_view(op, x, attrs) for attrs in chunks])
    if (x._node is not None or x._view is not None) and thread_state.grad_enabled:
        record_split(x, views, dim, sizes, unbound=op.name == "select")
    return views


def apply(
    op: OpExpr, inputs: tuple[Tensor | None, ...], attrs: tuple[Any, ...], dynamic: tuple[Any, ...], out: Tensor | None
) -> Any:
    """Any op; with `out`, in place."""
    if out is not None:
        return apply_inplace(op, inputs, attrs, dynamic, out)
    result = get_interpreter(op, inputs).apply(op, inputs, attrs, dynamic, None)
    _count_writes(op, inputs)
    if thread_state.grad_enabled:
        record(op, inputs, (result,) if op.single_output else result, attrs, dynamic)
    return result


def get_interpreter(op: OpExpr, inputs: Iterable[Tensor | None]) -> Any:
    """The inner interpreter: lazy if lazy mode is on, consistent if the inputs are, local otherwise.

    Raises:
        RuntimeError: local and consistent inputs are mixed.
    """
    if slow_path.count and thread_state.lazy is not None:
        return lazy
    for tensor in inputs:
        if tensor is not None and tensor.impl.is_consistent:
            return _consistent(op, inputs)
    return eager_local


def _consistent(op: OpExpr, inputs: Iterable[Tensor | None]) -> Any:
    kinds = ["global" if t.impl.is_consistent else "local" for t in inputs if t is not None]
    if "local" in kinds:
        raise LocalityError(
            f"Got input tensors with inconsistent attributes! op_type_name: {op.name} attributes of inputs is: {', '.join(kinds)}"
        )
    return consistent


def _count_writes(op: OpExpr, inputs: tuple[Tensor | None, ...]) -> None:
    for position in op.written(inputs):
        inputs[position].impl.version += 1  # type: ignore[union-attr]


def apply_inplace(
    op: OpExpr, inputs: tuple[Tensor | None, ...], attrs: tuple[Any, ...], dynamic: tuple[Any, ...], out: Tensor
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
    if thread_state.grad_enabled and out.meta.dtype.is_floating_point:  # integers have no gradient, whatever is cast to them
        edges = edges_of(given)
        recorded = edges.count(None) < len(edges)
        if out._node is not None or out._view is not None:
            refuse_leaf(out, recorded)
    if not recorded:
        get_interpreter(op, inputs).apply(op, inputs, attrs, dynamic, out)
        out.impl.version += 1
        return out
    if op.constants:
        refuse_gradients(op, edges)
    before = inputs
    if inputs[0] is out and _needs_old_value(op, edges):
        before = (functional_hooks["clone"](Tensor(out.meta, out.impl, out.ptr)), *inputs[1:])
    get_interpreter(op, inputs).apply(op, inputs, attrs, dynamic, out)
    out.impl.version += 1
    rebase_history(out, make_node(op, before, (out,), attrs, dynamic, edges, written=out), apply_view)
    return out


def _needs_old_value(op: OpExpr, edges: tuple[Edge, ...]) -> bool:
    """Whether a wanted gradient of an in-place op reads what it overwrites, as that of y in `x *= y` does."""
    return any(
        source is INPUT and position == 0 and any(edges[reader] is not None for reader in readers)
        for source, position, readers in op.inplace_saved_order
    )
