"""In-place writes under autograd: what is refused, and how a write through a view changes the base's history.

A view knows its parent, the op and attributes that made it, and the memory's version at which its own history was looked up.
A write through a view gives the parent a `CopySlices` node: the gradient of the parent outside the view goes on to the parent's
old history, inside the view it goes through the write. Any other view made earlier sees by the version that its history is
stale and looks it up again (torch's scheme).
"""

from __future__ import annotations

from typing import Any

from tritonflow.errors import InplaceError
from tritonflow.framework.meta import TensorMeta
from tritonflow.framework.tensor import Tensor
from tritonflow.interpreter.grad_node import AccumulateGrad, GradNode, OpNode, functional_hooks


def check_inplace(out: Tensor, recording: bool, requires_grad: bool) -> None:
    """Refuse a write that cannot be done or would lose a gradient.

    Raises:
        RuntimeError: several elements share memory; a leaf that requires grad, or a view of one, is written under autograd.
    """
    if out.meta.numel and any(s == 0 and n > 1 for n, s in zip(out.meta.shape, out.meta.stride)):
        raise InplaceError(
            "unsupported operation: more than one element of the written-to tensor refers to a single memory location."
            " Please clone() the tensor before performing the operation."
        )
    if not recording:
        return
    if isinstance(out._node, AccumulateGrad):
        raise InplaceError("a leaf Tensor that requires grad is being used in an in-place operation.")
    parent = out
    while parent._view is not None:
        parent = parent._view[0]
        if isinstance(parent._node, AccumulateGrad):
            raise InplaceError("a view of a leaf Tensor that requires grad is being used in an in-place operation.")
    if requires_grad and not out.meta.dtype.is_floating_point:
        raise InplaceError(f"result requires grad, but the tensor written in place has dtype {out.meta.dtype}")


def rebase_history(out: Tensor, node: Any) -> None:
    """Make `node` the history of a tensor that was written in place, and of what it is a view of."""
    view = out._view
    if view is None:
        out._node = node
        out._output_nr = 0
        return
    parent, op, attrs, _ = view
    old = None if parent._node is None else (parent._node, parent._output_nr)
    rebase_history(parent, CopySlices(old, op, attrs, parent.meta, out.meta, node))


def refresh_view(view: Tensor) -> None:
    """Look up the history of a view again, after its memory was written."""
    from tritonflow.interpreter.autograd import edges_of, make_node

    parent, op, attrs, _ = view._view
    version = view.impl.version
    if not isinstance(view._node, AccumulateGrad):
        (edge,) = edges_of((parent,))
        view._node = None if edge is None else make_node(op, (parent,), (view,), attrs, (), (edge,))
    view._view = (parent, op, attrs, version)


class CopySlices(GradNode):
    """The history of a tensor after a write through a view of it."""

    __slots__ = ("op", "attrs", "meta", "view_meta", "inner")

    def __init__(
        self, old: Any, op: Any, attrs: tuple[Any, ...], meta: TensorMeta, view_meta: TensorMeta, inner: OpNode
    ) -> None:
        super().__init__((old, *inner.edges[1:]))
        self.op = op
        self.attrs = attrs
        self.meta = meta
        self.view_meta = view_meta
        self.inner = inner

    def output_meta(self, output_nr: int) -> TensorMeta:
        return self.meta

    def apply(self, grads: list[Any]) -> Any:
        """The gradient of the old value outside the view as it is, inside through the write."""
        from tritonflow.interpreter.dispatch import dispatch_view

        grad = functional_hooks["clone"](grads[0])
        region = dispatch_view(self.op, grad, self.attrs)
        inner = self.inner.apply([functional_hooks["clone"](region)])
        of_view = inner[0]
        if of_view is None:
            functional_hooks["fill"](region, 0)
        else:
            functional_hooks["copy"](region, of_view)
        return (grad, *inner[1:])

    def release(self) -> None:
        self.inner.release()
