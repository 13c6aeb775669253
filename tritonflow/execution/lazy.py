"""The lazy interpreter: a node in the graph that is being captured, no storage, no launch.

The planner of the op is asked for the metas of its outputs, as in eager mode; nothing is compiled. What is captured goes to the
thread's sink, which `graph` implements.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Protocol

from tritonflow.device.device import Device
from tritonflow.errors import CaptureError, DataDependentShapeError
from tritonflow.execution import eager_local
from tritonflow.execution.context import OpContext
from tritonflow.execution.op_expr import OpExpr, op_expr
from tritonflow.framework.capture_errors import computed_elsewhere, shape_unknown
from tritonflow.framework.hooks import RemovableHandle
from tritonflow.framework.meta import TensorMeta
from tritonflow.framework.runtime_scalar import RuntimeScalar
from tritonflow.framework.tensor import Tensor
from tritonflow.thread_state import slow_path, thread_state
from tritonflow.vm.failure import SourceLine

Inputs = tuple[Tensor | None, ...]
Metas = tuple[TensorMeta | None, ...]


@contextmanager
def eager() -> Iterator[None]:
    """A block that runs although a graph is being captured: for what outlives the graph, as an optimizer's memory."""
    before, thread_state.lazy = thread_state.lazy, None
    try:
        yield
    finally:
        thread_state.lazy = before


def note_alias(x: Tensor) -> None:
    """Tell a capture that another tensor is given the memory of this one, which is eager: where that is may change between runs."""
    if slow_path.count and thread_state.lazy is not None and not x.impl.is_lazy:
        thread_state.lazy.note_alias(x)


class Sink(Protocol):
    """Who is capturing, in `thread_state.lazy`.

    `gradient_scales` are applied, in order, to the gradient that a loss's `backward` starts with.
    `casts` are what autocast keeps of parameters in this capture.
    `source_line` is the line of the forward op whose gradient is being computed, or None.
    `device` is where the program runs; None where it has no inputs to say so.
    """

    gradient_scales: list[Callable[[Tensor], Tensor]]
    casts: dict[Any, Any]
    source_line: SourceLine | None
    device: Device | None

    def elsewhere(self, results: Metas) -> Device | None:
        """Another device than the program's that has a result with one of these metas; None if there is none."""

    def guard(self, scalar: RuntimeScalar) -> None:
        """Note that the program used a run-time number itself."""

    def depend(self, owner: Any, state: Callable[[], Any]) -> None:
        """Note that the program holds while `state()` of an object is what it is now, when the object is first told of."""

    def stepping(self, optimizer: Any) -> AbstractContextManager[None]:
        """A block that steps an optimizer, whose learning rates are run-time numbers in it."""

    def note_alias(self, tensor: Tensor) -> None:
        """Note that another tensor is given the memory of an eager one."""

    def read_gradient(self, tensor: Tensor) -> None:
        """Note that the program looks at the `grad` of a tensor, or adds to it."""

    def read_value(self, tensor: Tensor) -> None:
        """Note that the program looks at the numbers in an eager tensor.

        Raises:
            RuntimeError: the program has written it, which will happen later.
        """

    def change_history(self, tensor: Tensor) -> None:
        """Note that it is about to be set whether a tensor requires grad.

        Raises:
            RuntimeError: no run would do it.
        """

    def detach_in_place(self, tensor: Tensor, detach: Callable[[Tensor], Any]) -> None:
        """Note that a tensor is about to be detached: an argument is so behind each run, by `detach`.

        Raises:
            RuntimeError: no run would do it.
        """

    def change_memory(self, tensor: Tensor, other: Tensor | None = None) -> None:
        """Note that a tensor is about to get another shape, other strides or the memory of `other`.

        Raises:
            RuntimeError: no run would do it.
        """

    def note_hook(self, tensor: Tensor, handle: RemovableHandle) -> None:
        """Note that a hook was registered on a tensor."""

    def constant(self, tensor: Tensor) -> None:
        """Note a tensor that is made now, and is as it is now at the beginning of each run."""

    def refuse(self, error: CaptureError) -> None:
        """Note an error that ends the capture, also where the program catches it."""

    def call_users(self, function: Callable[..., Any]) -> None:
        """Note that a function of the user's is about to be called, which nothing that was read leads to."""

    def take_for_constant(self) -> None:
        """Take back the doubt about the value that was computed last."""

    def defer_schedule(self, scheduler: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Step a learning rate scheduler behind each run, in place of now."""

    def allow(self, error: CaptureError) -> None:
        """Forget an error that the capture gets along with."""

    def defer(self, what: str, function: Callable[..., Any], *args: Any, **kwargs: Any) -> None:
        """Call a function behind each run, in place of now."""

    def write_gradient(self, tensor: Tensor) -> None:
        """Note that the program sets the `grad` of a tensor."""

    def changes(self) -> int:
        """How often the program has set something outside of it so far, other than the state of a default generator."""

    def enter_segment(self) -> None:
        """Note that a call of a module begins whose results are to be computed again in the backward."""

    def leave_segment(self) -> None:
        """Note its end."""

    def reach(self, nodes: Sequence[Any], frees: bool) -> None:
        """Note that a backward begins that goes through these nodes of the history, and frees them if it says so."""

    def enter_backward(self) -> None:
        """Note that a backward begins."""

    def leave_backward(self) -> None:
        """Note that one which leaves gradients in leaves is done."""

    def infer(self, op: OpExpr, metas: Metas, attrs: tuple[Any, ...], kinds: tuple[type, ...], over: TensorMeta | None) -> Metas:
        """What `infer` of this module says."""

    def compute(
        self, op: OpExpr, inputs: Inputs, attrs: tuple[Any, ...], dynamic: tuple[Any, ...], results: Metas, out: Tensor | None
    ) -> list[Tensor]:
        """Record an op; returns tensors for its results, or the one that is written over."""


def infer(op: OpExpr, metas: Metas, attrs: tuple[Any, ...], kinds: tuple[type, ...], over: TensorMeta | None) -> Metas:
    """The metas of an op's results, from those of its inputs, static attributes, classes of its numbers, and the meta of what it
    is written over.

    Raises:
        RuntimeError: the shape of one depends on data.
    """
    plan = eager_local.make_plan(op, metas, attrs, kinds, over)
    if plan.finish is not None:
        raise shape_unknown(op.definition.function or op.name)
    outputs: Metas = plan.outputs
    return outputs


def apply(op: OpExpr, inputs: Inputs, context: OpContext) -> Any:
    """Any op.

    Raises:
        RuntimeError: the shape of an output depends on data that is not known.
    """
    sink: Sink = thread_state.lazy
    dynamic, out = context.dynamic, context.out
    attrs = tuple([v.pin() if isinstance(v, RuntimeScalar) else v for v in context.attrs])
    inputs = _contiguous(op, inputs)
    metas = tuple([None if t is None else t.meta for t in inputs])
    try:
        results = sink.infer(op, metas, attrs, classes(dynamic), None if out is None else out.meta)
    except DataDependentShapeError as error:
        if out is None and _are_known(inputs, dynamic):
            sink.allow(error)
            return _computed_now(op, inputs, OpContext(attrs, dynamic))
        raise
    elsewhere = sink.elsewhere(results)
    if elsewhere is not None:
        if out is None and not op.written(inputs, attrs) and _are_known(inputs, dynamic):
            return _computed_now(op, inputs, OpContext(attrs, dynamic))
        raise computed_elsewhere(op.definition.function or op.name, elsewhere, sink.device)
    outputs = sink.compute(op, inputs, attrs, dynamic, results, out)
    return outputs[0] if op.single_output else tuple(outputs)


def _are_known(inputs: Inputs, dynamic: tuple[Any, ...]) -> bool:
    """Whether a capture may read the numbers of an op's inputs: none is the graph's own, and no gradient goes to one."""
    tensors = all(t is None or (t.meta.is_local and not t.is_lazy and not t.requires_grad) for t in inputs)
    return tensors and not any(isinstance(number, RuntimeScalar) for number in dynamic)


def _computed_now(op: OpExpr, inputs: Inputs, context: OpContext) -> Any:
    """The results of an op on eager tensors; the capture holds while those are not written."""
    for t in inputs:
        if t is not None:
            thread_state.lazy.read_value(t)
    with eager():
        results = eager_local.apply(op, inputs, context)
    for t in results if isinstance(results, tuple) else (results,):
        thread_state.lazy.constant(t)
    return results


def classes(dynamic: tuple[Any, ...]) -> tuple[type, ...]:
    """The Python classes of numbers, which take part in type promotion."""
    return tuple([v.value.__class__ if isinstance(v, RuntimeScalar) else v.__class__ for v in dynamic])


def apply_view(op: OpExpr, x: Tensor, context: OpContext) -> Tensor:
    """A view, which is noted when it is read."""
    return eager_local.apply_view(op, x, context)


def _contiguous(op: OpExpr, inputs: Inputs) -> Inputs:
    if not op.definition.contiguous or all(t is None or t.meta.is_contiguous for t in inputs):
        return inputs
    copy = op_expr("contiguous_copy")
    return tuple(
        apply(copy, (t,), OpContext()) if wanted and t is not None and not eager_local.lies_well(op, t.meta) else t
        for t, wanted in zip(inputs, eager_local.wants_contiguous(op, len(inputs)))
    )
