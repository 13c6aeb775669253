"""In-place writes: what is refused, which operands are copied before, and how a write through a view changes the base's history.

An operand may share all its memory with what is written, where an element is read before it is written (`x += x`). If both are
dense and overlap in part, the write is refused, as in torch. If they are not dense (columns of a matrix), torch reads what it has
written; here the operand is copied before (`separated`).

A view knows its parent, the op and attributes that made it, and the memory's version at which its own history was looked up.
A write through a view gives the parent a `CopySlices` node: the gradient of the parent outside the view goes on to the parent's
old history, inside the view it goes through the write. Any other view made earlier sees by the version that its history is
stale and looks it up again (torch's scheme).
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Any

from tritonflow.errors import InplaceError
from tritonflow.framework.meta import TensorMeta, contiguous_meta
from tritonflow.framework.tensor import Tensor
from tritonflow.framework.tensor_impl import BatchedTensorImpl
from tritonflow.interpreter.choice import with_batch_of
from tritonflow.interpreter.grad_node import AccumulateGrad, GradNode, every_gradient, has_repeats, replace_history
from tritonflow.interpreter.gradient_ops import gradient_ops
from tritonflow.interpreter.op_node import OpNode
from tritonflow.interpreter.recording import edges_of, refuse_view_of_function, relation
from tritonflow.thread_state import thread_state

ViewFunction = Callable[[Any, Tensor, tuple[Any, ...]], Tensor]


def refuse_overlap(meta: TensorMeta) -> None:
    """Refuse a write where several elements share memory.

    Raises:
        RuntimeError: the meta is that of an expanded tensor.
    """
    if has_repeats(meta):
        raise InplaceError(
            "unsupported operation: more than one element of the written-to tensor refers to a single memory location."
            " Please clone() the tensor before performing the operation."
        )


class Overlap(Enum):
    """Which of their elements two tensors on one memory block share: none, each its counterpart, others, or at least one while
    some tensor has gaps or elements that share memory themselves."""

    NONE = 0
    FULL = 1
    PARTIAL = 2
    INTERLEAVED = 3


def separated(op: Any, inputs: tuple[Tensor | None, ...], out: Tensor) -> tuple[Tensor | None, ...]:
    """The inputs of an op that writes over `out`, its first input, none of them changed while the others are read.

    Raises:
        RuntimeError: an input overlaps `out` in part; or in full, where the op writes other elements than it reads.
    """
    found: list[Tensor | None] = [inputs[0]]
    for tensor in inputs[1:]:
        if tensor is None or tensor.impl is not out.impl:
            overlap = Overlap.NONE
        elif not out.meta.is_local and tensor is not out:
            overlap = Overlap.INTERLEAVED  # what overlaps on one rank may not on another: all of them copy, and none refuses
        else:
            overlap = overlap_of(tensor, out)
        if overlap is Overlap.PARTIAL or (overlap is Overlap.FULL and op.updates):
            raise InplaceError(
                "unsupported operation: some elements of the input tensor and the written-to tensor refer to a single memory"
                " location. Please clone() the tensor before performing the operation."
            )
        if overlap is Overlap.INTERLEAVED:
            tensor = gradient_ops.clone(Tensor(tensor.meta, tensor.impl, tensor.ptr))  # type: ignore[union-attr]
        found.append(tensor)
    return tuple(found)


def overlap_of(a: Tensor, b: Tensor) -> Overlap:
    """How two tensors on one memory block overlap."""
    if a is b:
        return Overlap.FULL
    x, y = a.meta.local, b.meta.local
    if not x.numel or not y.numel:
        return Overlap.NONE
    same_lattice = _steps(x) == _steps(y) and x.dtype.itemsize == y.dtype.itemsize
    if same_lattice and a.ptr == b.ptr:
        return Overlap.FULL
    starts, ends = (a.ptr, b.ptr), (a.ptr + x.span() * x.dtype.itemsize, b.ptr + y.span() * y.dtype.itemsize)
    if max(starts) >= min(ends):
        return Overlap.NONE
    if _is_dense(x) and _is_dense(y):
        return Overlap.PARTIAL
    if same_lattice and not _meets(abs(a.ptr - b.ptr), x):
        return Overlap.NONE
    return Overlap.INTERLEAVED


def _steps(meta: TensorMeta) -> list[tuple[int, int]]:
    """(stride, size) of the dimensions; those of size 1 are none."""
    return [(s, n) for s, n in zip(meta.stride, meta.shape) if n != 1]


def _is_dense(meta: TensorMeta) -> bool:
    """Whether the elements lie without gaps, in whatever order of the dimensions, and none shares memory with another."""
    step = 1
    for stride, size in sorted(_steps(meta)):
        if stride != step:
            return False
        step *= size
    return True


def _meets(nbytes: int, meta: TensorMeta) -> bool:
    """Whether a tensor and the same one so many bytes further have memory in common."""
    distance, rest = divmod(nbytes, meta.dtype.itemsize)
    steps = sorted(_steps(meta), reverse=True)
    return rest != 0 or _is_difference(distance, steps)


def _is_difference(distance: int, steps: list[tuple[int, int]]) -> bool:
    """Whether two elements of a tensor with these (stride, size), largest first, can be so far apart; True in hard cases."""
    if not steps:
        return distance == 0
    (step, size), *inner = steps
    reach = sum(s * (n - 1) for s, n in inner)
    if step <= reach:
        return True
    nearest = round(distance / step)
    return any(_is_difference(distance - k * step, inner) for k in range(nearest - 1, nearest + 2) if abs(k) < size)


def refuse_leaf(out: Tensor, requires_grad: bool) -> None:
    """Refuse a write under autograd that would lose a gradient; `requires_grad` says whether the result requires grad.

    Raises:
        RuntimeError: a leaf that requires grad is written, or a view of one; or a view of an expanded tensor by what requires
            grad; or a view that an `autograd.Function` gave.
    """
    if isinstance(out._node, AccumulateGrad):
        raise InplaceError("a leaf Tensor that requires grad is being used in an in-place operation.")
    parent = out
    refuse_view_of_function(out)
    while parent._view is not None:
        parent = parent._view[0]
        refuse_view_of_function(parent)
        if isinstance(parent._node, AccumulateGrad):
            raise InplaceError("a view of a leaf Tensor that requires grad is being used in an in-place operation.")
        if requires_grad and has_repeats(parent.meta):
            raise InplaceError(
                "unsupported operation: the written-to tensor is a view of an expanded tensor, whose gradient after the write"
                " is not supported. Please clone() the tensor before performing the operation."
            )


def refuse_unrecorded(what: str, out: Tensor) -> None:
    """Refuse a write of which no derivative is known, where the tensor requires grad and gradients are recorded.

    Raises:
        RuntimeError: says `what` writes it.
    """
    if out._node is None and out._view is None or not thread_state.grad_enabled:
        return
    refuse_leaf(out, False)
    if edges_of((out,))[0] is not None:
        raise InplaceError(
            f"{what} writes a tensor that requires grad, and its derivative is not known; help: write under flow.no_grad(), or"
            " give an op a derivative by flow.library.triton_op and register_autograd"
        )


def is_of_leaf(out: Tensor) -> bool:
    """Whether a tensor is a leaf that requires grad, or a view of one."""
    while out._view is not None:
        out = out._view[0]
    return isinstance(out._node, AccumulateGrad)


def rebase_history(out: Tensor, node: Any, view_of: ViewFunction, output_nr: int = 0) -> None:
    """Make an output of `node` the history of a tensor that was written in place, and of what it is a view of.

    `view_of(op, x, attrs)` makes a view and records it: the interpreter's, which is built on this file.
    """
    if out._view is None:
        replace_history(out, node, output_nr)
        return
    parent, op, attrs, _ = relation(out)
    old = None if parent._node is None else (parent._node, parent._output_nr)
    rebase_history(parent, CopySlices(old, op, attrs, parent.meta, out.meta, node, view_of), view_of)


class CopySlices(GradNode):
    """The history of a tensor after a write through a view of it."""

    __slots__ = ("op", "attrs", "meta", "view_meta", "inner", "view_of")

    def __init__(
        self,
        old: Any,
        op: Any,
        attrs: tuple[Any, ...],
        meta: TensorMeta,
        view_meta: TensorMeta,
        inner: OpNode,
        view_of: ViewFunction,
    ) -> None:
        super().__init__((old, *inner.edges[1:]))
        self.op = op
        self.attrs = attrs
        self.meta = meta
        self.view_meta = view_meta
        self.inner = inner
        self.view_of = view_of

    def output_meta(self, output_nr: int) -> TensorMeta:
        return self.meta

    def apply(self, grads: list[Any]) -> Any:
        """The gradient of the old value outside the view as it is, inside through the write."""
        grad, region = self._with_region(grads[0])
        with every_gradient():
            inner = self.inner.twin().apply([gradient_ops.clone(region)])
        of_view = inner[0]
        if of_view is not None and of_view.impl.__class__ is BatchedTensorImpl:
            grad, region = self._with_region(with_batch_of(grads[0], of_view))
        if of_view is None:
            gradient_ops.fill(region, 0)
        else:
            gradient_ops.copy(region, of_view)
        return (grad, *inner[1:])

    def _with_region(self, grad: Tensor) -> tuple[Tensor, Tensor]:
        """A copy of a gradient, and the view of it. One by strides needs the layout of what it was a view of.

        A gradient of a consistent tensor is laid out as that tensor, whose views need no elements of other ranks.
        """
        if not self.meta.is_local:
            copied = gradient_ops.clone(gradient_ops.lay_out(grad, self.meta))
            return copied, self.view_of(self.op, copied, self.attrs)
        if self.op.name != "as_strided":
            copied = gradient_ops.clone(grad)
            return copied, self.view_of(self.op, copied, self.attrs)
        shape, stride, elements = self.attrs
        first = min(elements, 0)
        last = max(self.meta.span(), elements + self.view_meta.span())
        memory = gradient_ops.zeros(contiguous_meta((last - first,), grad.meta.dtype, grad.meta.device))
        memory = with_batch_of(memory, grad)
        copied = self.view_of(self.op, memory, (self.meta.shape, self.meta.stride, -first))
        gradient_ops.copy(copied, grad)
        return copied, self.view_of(self.op, memory, (shape, stride, elements - first))

    def release(self) -> None:
        self.inner.release()

    @property
    def is_released(self) -> bool:
        return self.inner.is_released
