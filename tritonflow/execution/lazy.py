"""The lazy interpreter: a node in the graph that is being captured, no storage, no launch.

The planner of the op is asked for the metas of its outputs, as in eager mode; nothing is compiled. What is captured goes to the
thread's observer, which is a `Sink` then; `graph` has it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Protocol, cast

from tritonflow.device.device import Device
from tritonflow.execution import eager_local
from tritonflow.execution.context import OpContext
from tritonflow.execution.op_expr import OpExpr, op_expr
from tritonflow.framework.capture_errors import computed_elsewhere, shape_unknown
from tritonflow.framework.meta import TensorMeta
from tritonflow.framework.runtime_scalar import RuntimeScalar, index_of
from tritonflow.framework.size_questions import at_hints
from tritonflow.framework.symbolic_int import integers_in, is_symbolic
from tritonflow.framework.tensor import Tensor
from tritonflow.observer import NOBODY
from tritonflow.thread_state import slow_path, thread_state

COUNTED = ("nonzero",)
"""Ops whose first result has as many rows as their second says."""

Inputs = tuple[Tensor | None, ...]
Metas = tuple[TensorMeta | None, ...]


@contextmanager
def eager() -> Iterator[None]:
    """A block that runs although a graph is being captured: for what outlives the graph, as an optimizer's memory."""
    before, thread_state.observer = thread_state.observer, NOBODY
    try:
        yield
    finally:
        thread_state.observer = before


def note_alias(x: Tensor) -> None:
    """Tell a capture that another tensor is given the memory of this one, which is eager: where that is may change between runs."""
    if slow_path.count and not x.impl.is_lazy:
        thread_state.observer.note_alias(x)


class Sink(Protocol):
    """What a capture is for this interpreter: an observer that records ops.

    `device` is where the program runs; None where it has no inputs to say so.
    """

    device: Device | None

    def infer(self, op: OpExpr, metas: Metas, attrs: tuple[Any, ...], kinds: tuple[type, ...], over: TensorMeta | None) -> Metas:
        """What `infer` of this module says."""

    def elsewhere(self, results: Metas) -> Device | None:
        """Another device than the program's that has a result with one of these metas; None if there is none."""

    def numbers_of(self, tensor: Tensor, most: int | None = None) -> Any:
        """The elements of a tensor of the program, at most `most`, as run-time scalars; None where it must not look at them."""

    def compute(
        self, op: OpExpr, inputs: Inputs, attrs: tuple[Any, ...], dynamic: tuple[Any, ...], results: Metas, out: Tensor | None
    ) -> list[Tensor]:
        """Record an op; returns tensors for its results, or the one that is written over."""


def infer(op: OpExpr, metas: Metas, attrs: tuple[Any, ...], kinds: tuple[type, ...], over: TensorMeta | None) -> Metas:
    """The metas of an op's results, from those of its inputs, static attributes, classes of its numbers, and the meta of what it
    is written over; of an op in `COUNTED` with all rows that there may be.
    """
    outputs: Metas = eager_local.make_plan(op, metas, attrs, kinds, over).outputs
    return outputs


def apply(op: OpExpr, inputs: Inputs, context: OpContext) -> Any:
    """Any op.

    Raises:
        RuntimeError: the shape of an output depends on data that is not known, and must not be looked at.
    """
    sink = cast(Sink, thread_state.observer)
    dynamic, out = context.dynamic, context.out
    attrs = pinned(context.attrs)
    inputs = _contiguous(op, inputs)
    metas = tuple([None if t is None else t.meta for t in inputs])
    if op.name in COUNTED and _are_known(inputs, dynamic):
        return _computed_now(op, inputs, OpContext(attrs, dynamic))
    results = sink.infer(op, metas, attrs, classes(dynamic), None if out is None else out.meta)
    elsewhere = sink.elsewhere(results)
    if elsewhere is not None:
        if out is None and not op.written(inputs, attrs) and _are_known(inputs, dynamic):
            return _computed_now(op, inputs, OpContext(attrs, dynamic))
        raise computed_elsewhere(op.definition.function or op.name, elsewhere, sink.device)
    outputs = sink.compute(op, inputs, attrs, dynamic, results, out)
    if op.name in COUNTED:
        outputs[0] = _of_rows(outputs[0], sink.numbers_of(outputs[1], _most(outputs[0])), op)
    return outputs[0] if op.single_output else tuple(outputs)


def _of_rows(x: Tensor, count: Any, op: OpExpr) -> Tensor:
    """The first rows of a tensor; how many, the program has to look at.

    Raises:
        RuntimeError: it must not.
    """
    if count is None:
        raise shape_unknown(op.definition.function or op.name)
    shape = (index_of(count[0]), *x.meta.shape[1:])
    return Tensor(TensorMeta.get(shape, x.meta.stride, x.meta.dtype, x.meta.device), x.impl, x.ptr)


def _most(x: Tensor) -> int | None:
    """How many rows a tensor has; None where that is a symbol."""
    return x.meta.shape[0] if type(x.meta.shape[0]) is int else None


def _are_known(inputs: Inputs, dynamic: tuple[Any, ...]) -> bool:
    """Whether a capture may read the numbers of an op's inputs: none is the graph's own, and no gradient goes to one."""
    tensors = all(t is None or (t.meta.is_local and not t.is_lazy and not t.requires_grad) for t in inputs)
    return tensors and not any(isinstance(number, RuntimeScalar) for number in dynamic)


def _computed_now(op: OpExpr, inputs: Inputs, context: OpContext) -> Any:
    """The results of an op on eager tensors; the capture holds while those are not written."""
    for t in inputs:
        if t is not None:
            thread_state.observer.read_value(t)
    for number in integers_in(context.attrs):
        number.pin()
    with eager():
        numbered = OpContext(at_hints(context.attrs), context.dynamic)
        results = eager_local.apply(op, tuple([None if t is None else _with_numbers(t) for t in inputs]), numbered)
    for t in results if isinstance(results, tuple) else (results,):
        thread_state.observer.constant(t)
    return results


def _with_numbers(t: Tensor) -> Tensor:
    """A tensor whose numbers are known, as a view of the sizes that it has in the capture: symbolic ones are pinned."""
    shape, stride = t.meta.shape, t.meta.stride
    if not is_symbolic((shape, stride, t.ptr)):
        return t
    meta = TensorMeta.get(tuple(map(int, shape)), tuple(map(int, stride)), t.meta.dtype, t.meta.device, t.meta.aligned)
    return Tensor(meta, t.impl, int(t.ptr))


def pinned(attrs: tuple[Any, ...]) -> tuple[Any, ...]:
    """Attributes with numbers for what differs between runs: the program holds for these numbers."""
    return tuple([value.pin() if isinstance(value, RuntimeScalar) else value for value in attrs])


def classes(dynamic: tuple[Any, ...]) -> tuple[type, ...]:
    """The Python classes of numbers, which take part in type promotion."""
    return tuple([v.value.__class__ if isinstance(v, RuntimeScalar) else v.__class__ for v in dynamic])


def apply_view(op: OpExpr, x: Tensor, context: OpContext) -> Tensor:
    """A view, which is noted when it is read."""
    return eager_local.apply_view(op, x, context)


def _contiguous(op: OpExpr, inputs: Inputs) -> Inputs:
    if not op.definition.contiguous or all(t is None or t.meta.is_contiguous for t in inputs):
        return inputs
    return tuple(
        _copied(t) if wanted and t is not None and not eager_local.lies_well(op, t.meta) else t
        for t, wanted in zip(inputs, eager_local.wants_contiguous(op, len(inputs)))
    )


def _copied(x: Tensor) -> Tensor:
    """The same elements in row-major order, complex numbers as pairs."""
    if x.meta.dtype.is_complex:
        pairs = _copied(Tensor(x.meta.as_pairs(), x.impl, x.ptr))
        return Tensor(x.meta.contiguous(), pairs.impl, pairs.ptr)
    copy: Tensor = apply(op_expr("contiguous_copy"), (x,), OpContext())
    return copy
