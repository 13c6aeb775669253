"""Recording: the grad nodes that ops add, and the edges to the grad nodes of their inputs."""

from __future__ import annotations

from typing import Any

from tritonflow.errors import InplaceError, NotYetImplementedError
from tritonflow.execution.op_expr import INPUT, OUTPUT, REST_OF_INPUTS, OpExpr, SavedName, op_expr
from tritonflow.framework.tensor import Tensor
from tritonflow.framework.tensor_impl import BatchedTensorImpl
from tritonflow.interpreter.grad_node import AccumulateGrad, Edge, replace_history
from tritonflow.interpreter.op_node import InplaceOpNode, OpNode, ViewAgain, ZeroEdges
from tritonflow.interpreter.saved_tensors import SavedTensor, pack_by_hooks
from tritonflow.thread_state import saved_hooks, thread_state


def edges_of(inputs: tuple[Tensor | None, ...]) -> tuple[Edge, ...]:
    """Where the gradients of the inputs go: None for those that need none."""
    edges: list[Edge] = []
    for tensor in inputs:
        if tensor is None:
            edges.append(None)
            continue
        view = tensor._view
        if view is not None and view[3] != tensor.impl.version:
            refresh_view(tensor)
        node = tensor._node
        edges.append(None if node is None else (node, tensor._output_nr))
    return tuple(edges)


def has_outer_history(x: Tensor) -> bool:
    """Whether the examples of a batched tensor (interpreter/batched.py) have a history outside of its call of `vmap`."""
    if x.impl.__class__ is not BatchedTensorImpl:
        return False
    return any(edge is not None for edge in edges_of(tuple(with_wholes(x)[1:])))


def with_wholes(x: Tensor) -> list[Tensor]:
    """A tensor, and all examples of it that the calls of `vmap` around have; in each of these it may have a history."""
    found = [x]
    while x.impl.__class__ is BatchedTensorImpl and not x.impl.is_state:
        x = x.impl.whole
        found.append(x)
    return found


def wants_gradient(x: Tensor) -> bool:
    """Whether a gradient by a tensor, or by its examples, is wanted: what an op saves, or chooses a recorded form by."""
    return edges_of((x,))[0] is not None or has_outer_history(x)


def record1(op: OpExpr, x: Tensor, out: Tensor, attrs: tuple[Any, ...]) -> None:
    """`record` for one input and one output, whose node is made without lists and loops."""
    view = x._view
    if view is not None and view[3] != x.impl.version:
        refresh_view(x)
    node = x._node
    if node is None or not op.records1 or not out.meta.dtype.has_gradient:
        return
    edge = (node, x._output_nr)
    saved: Any = ()
    if op.saved_order:
        saved = []
        for source, _, _ in op.saved_order:
            if source is INPUT:
                impl = x.impl
                saved.append((x.meta, impl, x.ptr, impl.version, edge, -1))
            else:
                impl = out.impl
                saved.append((out.meta, impl, out.ptr, impl.version, None, 0 if source is OUTPUT else -1))
        if saved_hooks.count:
            saved = pack_by_hooks(saved)
    out._node = OpNode(op, (edge,), (x.meta,), (out.meta,), attrs, (), saved)


def record2(op: OpExpr, x: Tensor, y: Tensor, out: Tensor, attrs: tuple[Any, ...]) -> None:
    """`record` for two inputs and one output."""
    view = x._view
    if view is not None and view[3] != x.impl.version:
        refresh_view(x)
    view = y._view
    if view is not None and view[3] != y.impl.version:
        refresh_view(y)
    x_node, y_node = x._node, y._node
    if (x_node is None and y_node is None) or not op.records1 or not out.meta.dtype.has_gradient:
        return
    edges = (
        None if x_node is None else (x_node, x._output_nr),
        None if y_node is None else (y_node, y._output_nr),
    )
    if op.constants:
        refuse_gradients(op, edges)
    saved: tuple[Any, ...] = ()
    if op.saved_order:
        saved = save((x, y), (out,), edges, op.saved_order)
    out._node = OpNode(op, edges, (x.meta, y.meta), (out.meta,), attrs, (), saved)


def record(
    op: OpExpr,
    inputs: tuple[Tensor | None, ...],
    outputs: tuple[Tensor, ...],
    attrs: tuple[Any, ...],
    dynamic: tuple[Any, ...],
) -> None:
    """Add the op's node to the graph, if an input requires grad and an output can."""
    edges = edges_of(inputs)
    for edge in edges:
        if edge is not None:
            break
    else:
        return
    if op.constants:
        refuse_gradients(op, edges)
    differentiable = op.differentiable_outputs
    if len(outputs) == 1:
        out = outputs[0]
        if differentiable[0] and out.meta.dtype.has_gradient:
            metas = tuple([None if t is None else t.meta for t in inputs])
            saved = save(inputs, outputs, edges, op.saved_order) if op.saved_order else ()
            out._node = OpNode(op, edges, metas, (out.meta,), attrs, dynamic, saved)
        return
    node = make_node(op, inputs, outputs, attrs, dynamic, edges)
    for number, out in enumerate(outputs):
        if differentiable[min(number, len(differentiable) - 1)] and out.meta.dtype.has_gradient:
            out._node = node
            if number:
                out._output_nr = number


def record_zeros(out: Tensor, inputs: tuple[Tensor, ...]) -> Tensor:
    """Give a drawn tensor the gradients that torch's random functions have for their inputs: zeros."""
    edges = edges_of(inputs)
    if thread_state.grad_enabled and any(edge is not None for edge in edges) and out.meta.dtype.is_floating_point:
        out._node, out._output_nr = ZeroEdges(out, edges), 0
    return out


def refuse_gradients(op: OpExpr, edges: tuple[Edge, ...]) -> None:
    """Raise if an input requires grad that the op's derivative has no formula for: its gradient would silently be missing."""
    for position in op.constants:
        if position < len(edges) and edges[position] is not None:
            name = op.definition.inputs[position]
            raise NotYetImplementedError(f"the derivative for '{name}' is not implemented ({op.name})")


def make_node(
    op: OpExpr,
    inputs: tuple[Tensor | None, ...],
    outputs: tuple[Tensor, ...],
    attrs: tuple[Any, ...],
    dynamic: tuple[Any, ...],
    edges: tuple[Edge, ...],
    written: Tensor | None = None,
) -> OpNode:
    """The node of an op, with what its derivative reads saved.

    An input that the op itself overwrote (`written`) is saved at its old version: reading it in backward is an error.
    """
    metas = tuple([None if t is None else t.meta for t in inputs])
    out_metas = tuple([t.meta for t in outputs])
    if written is None:
        saved = save(inputs, outputs, edges, op.saved_order)
        return OpNode(op, edges, metas, out_metas, attrs, dynamic, saved)
    kind = OpNode if op.definition.inplace_saved is None else InplaceOpNode
    saved = save(inputs, outputs, edges, op.inplace_saved_order, written)
    return kind(op, edges, metas, out_metas, attrs, dynamic, saved)


def save(
    inputs: tuple[Tensor | None, ...],
    outputs: tuple[Tensor, ...],
    edges: tuple[Edge, ...],
    order: tuple[SavedName, ...],
    written: Tensor | None = None,
) -> tuple[Any, ...]:
    """The tensors that the wanted gradients read (see `saved_tensors.SavedTensor`), in the op's order."""
    saved: Any = []
    for source, position, readers in order:
        for reader in readers:
            if edges[reader] is not None:
                break
        else:
            saved.append(None)
            continue
        if source is INPUT:
            tensor = inputs[position]
            saved.append(None if tensor is None else _saved_input(tensor, edges[position], written))
        elif source is REST_OF_INPUTS:
            rest = range(position, len(inputs))
            saved.append(tuple([_saved_input(inputs[k], edges[k], written) for k in rest]))
        else:
            tensor = outputs[position]
            number = position if source is OUTPUT else -1
            saved.append((tensor.meta, tensor.impl, tensor.ptr, tensor.impl.version, None, number))
    return pack_by_hooks(tuple(saved)) if saved_hooks.count else tuple(saved)


def _saved_input(tensor: Any, edge: Edge, written: Tensor | None) -> SavedTensor:
    """A saved input; at its old version if the op itself overwrote it."""
    impl = tensor.impl
    version = impl.version
    if written is not None and impl is written.impl:
        version -= 1
    return (tensor.meta, impl, tensor.ptr, version, edge, -1)


def refuse_view_of_function(tensor: Tensor) -> None:
    """Refuse to give a tensor the history of its memory, where it has that of an `autograd.Function`.

    Raises:
        RuntimeError: the tensor is a view, or an input, that the function returned.
    """
    if tensor._is_of_function and tensor._node is not None:
        raise InplaceError(
            f"an output of {tensor._node.name()} is a view and is being modified inplace, and the function's backward"
            " would be lost; help: clone() the output"
        )


def refresh_view(view: Tensor) -> None:
    """Look up the history of a view again, after its memory was written.

    Raises:
        RuntimeError: an `autograd.Function` gave the view.
    """
    refuse_view_of_function(view)
    parent, op, attrs, _ = relation(view)
    version = view.impl.version
    if not isinstance(view._node, AccumulateGrad):
        (edge,) = edges_of((parent,))
        node = None if edge is None else ViewAgain(op, (edge,), (parent.meta,), (view.meta,), attrs, (), ())
        replace_history(view, node)
    view._view = (parent, op, attrs, version)


def relation(view: Tensor) -> Any:
    """What a view is of its parent; by strides where the parent became a view of itself, which the view's op knows nothing of."""
    parent = view._view[0]
    if parent._was_viewed and parent.meta.is_local:
        view_of_whole(view, op_expr("as_strided"))
    return view._view


def view_of_whole(view: Tensor, as_strided: OpExpr) -> None:
    """Make a view of a view one of the whole tensor, by strides; or of a leaf on the way, which must not be written."""
    whole = view._view[0]
    while whole._view is not None and not isinstance(whole._node, AccumulateGrad):
        whole = whole._view[0]
    elements = (view.ptr - whole.ptr) // view.meta.dtype.itemsize
    view._view = (whole, as_strided, (view.meta.shape, view.meta.stride, elements), view._view[3])


def require_grad(tensor: Tensor) -> None:
    """Make a tensor without history a leaf that requires grad."""
    if tensor._node is None:
        if not tensor.meta.dtype.has_gradient:
            raise RuntimeError("only Tensors of floating point and complex dtype can require gradients")
        tensor._node = AccumulateGrad(tensor)
