"""The choice of the interpreter that carries out an op, below autograd: batched around all others, consistent around the local
ones, lazy and eager."""

from __future__ import annotations

from functools import cache
from typing import Any, Protocol

from tritonflow.execution import eager_local, lazy, meta
from tritonflow.execution.context import OpContext
from tritonflow.execution.op_expr import OpExpr
from tritonflow.framework.tensor import Tensor
from tritonflow.framework.tensor_impl import BatchedTensorImpl
from tritonflow.thread_state import slow_path, thread_state

Inputs = tuple[Tensor | None, ...]


class Interpreter(Protocol):
    """What carries out an op: one of the modules `consistent`, `lazy` and `eager_local`."""

    def apply(self, op: OpExpr, inputs: Inputs, context: OpContext) -> Any:
        """Any op. Returns its output, or a tuple of its outputs if it has several."""

    def apply_view(self, op: OpExpr, x: Tensor, context: OpContext) -> Tensor:
        """An op whose output is a view of its only input."""


@cache
def consistent_road() -> Any:
    """`interpreter.consistent`, imported with the first consistent tensor: it brings boxing and the rules of sbp."""
    from tritonflow.interpreter import consistent

    return consistent


@cache
def batched_road() -> Any:
    """`interpreter.batched`, imported with the first batched tensor."""
    from tritonflow.interpreter import batched

    return batched


def get_interpreter(op: OpExpr, inputs: Inputs, context: OpContext) -> Interpreter:
    """Batched if a tensor is; consistent if one is, if a placement is given, or for such an op; then meta if one is on the meta
    device; then lazy in lazy mode; eager local otherwise."""
    if context.placement is not None or op.is_consistent:
        return consistent_road()
    out = context.out
    if out is not None:
        if not out.meta.is_local:
            return consistent_road()
        if out.impl.__class__ is BatchedTensorImpl:
            return batched_road()
    for tensor in inputs:
        if tensor is not None:
            if not tensor.meta.is_local:
                return consistent_road()
            if tensor.impl.__class__ is BatchedTensorImpl:
                return batched_road()
    if meta.is_without_data(inputs, context):
        return meta
    if slow_path.count and thread_state.observer.is_capturing:
        return lazy
    return eager_local


def with_batch_of(x: Tensor, *sources: Tensor) -> Tensor:
    """A tensor of our own that parts of others are to be written into: with their examples, where these are batched."""
    for source in sources:
        if source.impl.__class__ is BatchedTensorImpl:
            joined: Tensor = batched_road().joined(x, sources)
            return joined
    return x


def all_examples(x: Tensor) -> Tensor:
    """The tensor of all examples of a batched one, for checks that read numbers; another tensor as it is."""
    while x.impl.__class__ is BatchedTensorImpl:
        x = batched_road().whole_of(x)
    return x
