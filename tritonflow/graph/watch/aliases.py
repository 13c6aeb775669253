"""Tensors that share memory: how one lies in another, and which of that no run can repeat."""

from __future__ import annotations

from typing import Any

from tritonflow.errors import CaptureError
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.symbolic_int import hint
from tritonflow.framework.tensor import Tensor
from tritonflow.interpreter.dispatch import dispatch_view
from tritonflow.interpreter.grad_node import AccumulateGrad
from tritonflow.interpreter.op_node import OpNode
from tritonflow.interpreter.recording import edges_of, relation

NOT_REPEATED = "a result shares memory with another tensor in a way that a captured program cannot repeat: return a copy of it"


def owner_of(one: Tensor, other: Tensor) -> Tensor:
    """Of two tensors in one piece of memory that are no views of each other, what both are made of: that which has a history, or
    which the other is in; else the tensor that the memory was allocated for."""
    first, second = (one, other) if _precedence(one) >= _precedence(other) else (other, one)
    if first is second or edges_of((first,))[0] is not None or not hasattr(first.impl, "base"):
        return first
    ptr, meta = first.impl.base
    return first if is_in(second, first) else Tensor(meta, first.impl, ptr)


def _precedence(tensor: Tensor) -> tuple[bool, int]:
    return edges_of((tensor,))[0] is not None, numel(tensor)


def is_in(part: Tensor, whole: Tensor, is_argument: bool = False) -> bool:
    """Whether a tensor is another one again, or a view by strides of one without gaps: a program need not leave them in what it
    outputs. An argument may have some."""
    if part.meta is whole.meta and part.ptr == whole.ptr:
        return True
    elements, rest = divmod(part.ptr - whole.ptr, whole.meta.dtype.itemsize)
    if not (whole.meta.is_local and part.meta.is_local and whole.meta.dtype is part.meta.dtype) or rest:
        return False
    has_gaps = whole.meta.span() != numel(whole) and not is_argument
    return not has_gaps and 0 <= elements <= whole.meta.span() - part.meta.span()


def strides_in(value: Tensor, owner: Tensor) -> list[tuple[Any, Any]]:
    """The view by which one tensor is in the memory of another: none where they are alike."""
    if owner.meta is value.meta and owner.ptr == value.ptr:
        return []
    elements = (value.ptr - owner.ptr) // value.meta.dtype.itemsize
    return [(op_expr("as_strided"), (value.meta.shape, value.meta.stride, elements))]


def viewed(x: Tensor, steps: list[tuple[Any, Any]]) -> Tensor:
    for op, attrs in steps:
        x = dispatch_view(op, x, attrs)
    return x


def chain_of(value: Tensor) -> tuple[Tensor, list[tuple[Any, Any]]]:
    """The tensor that one is a view of, and the ops by which it is. A leaf has a history of its own."""
    steps: list[tuple[Any, Any]] = []
    while value._view is not None and not value._is_of_function and not isinstance(value._node, AccumulateGrad):
        parent, op, attrs, _ = relation(value)
        steps.append((op, attrs))
        value = parent
    return value, steps[::-1]


def refuse_gradient(value: Tensor) -> None:
    """Refuse a result that has a gradient already, as a leaf that was made inside or by `retain_grad()`: that of a run has none.

    Raises:
        CaptureError: it has one.
    """
    if value._grad is not None:
        raise CaptureError(
            "a result keeps the gradient that a backward() in the function has left in it, as a leaf or by retain_grad(), which"
            " that of a run would not: return the gradient"
        )


def refuse_hooks(value: Tensor) -> None:
    """Refuse hooks on a result: those that are registered outside would run before them, not behind.

    Raises:
        CaptureError: it has one.
    """
    edge = edges_of((value,))[0]
    if edge is not None and edge[0].extras is not None and edge[0].extras.tensor_hooks.get(edge[1]):
        raise CaptureError(
            "the function registers a hook on a result, which would run behind the hooks that are registered outside: register it"
            " outside, or on what the result is computed of"
        )


def refuse_histories_of_views(value: Tensor, root: Tensor) -> None:
    """Refuse a view whose history a run does not make again with it: hooks, `retain_grad()`, and `as_strided()` of a view, which is
    recorded as an op of that view, but is made again of the whole tensor.

    Raises:
        CaptureError: there is some.
    """
    while value is not root:
        (edge,), (below,) = edges_of((value,)), edges_of((value._view[0],))
        is_by_strides = isinstance(value._node, OpNode) and value._node.op.name == "as_strided"
        if edge is not None and is_by_strides and edge[0].edges[:1] != (below,):
            raise CaptureError(NOT_REPEATED)
        extras = None if edge is None else edge[0].extras
        if extras is not None and (any(extras.tensor_hooks.values()) or extras.hooks or extras.pre_hooks or value._retains_grad):
            raise CaptureError("the function registers a hook on a view, or calls its retain_grad(), and returns it: clone() it")
        value = value._view[0]


def refuse_resized(root: Tensor) -> None:
    """Refuse views of a tensor that was made smaller in place, as by `resize_()`: in a run it has no more memory than it shows.

    Raises:
        CaptureError: it is one.
    """
    if root.is_lazy and root.meta.nbytes < root.impl.value.meta.nbytes and root._was_viewed:
        raise CaptureError(NOT_REPEATED)


def refuse_history(value: Tensor) -> None:
    """Refuse a tensor over the memory of another one, by `detach()` or `data`, that was written with what requires grad.

    Raises:
        CaptureError: it has a history that the other one has not.
    """
    if not value.is_leaf:
        raise CaptureError(NOT_REPEATED)


def numel(x: Tensor) -> int:
    """Of two tensors in one piece of memory, which is the larger one is seen by the sizes that are captured."""
    return hint(x.meta.numel)
