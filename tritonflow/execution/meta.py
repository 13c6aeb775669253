"""The interpreter of tensors on the meta device: the metas of an op's results, no memory, no launch.

The planner of the op is asked, as in eager mode, so that shapes, dtypes and errors are the same; nothing is compiled or cached.
"""

from __future__ import annotations

from typing import Any

from tritonflow.device.device import META
from tritonflow.errors import NoDataError
from tritonflow.execution import eager_local
from tritonflow.execution.context import OpContext
from tritonflow.execution.op_expr import OpExpr
from tritonflow.framework.tensor import Tensor
from tritonflow.framework.tensor_impl import MetaTensorImpl
from tritonflow.thread_state import slow_path, thread_state

apply_view = eager_local.apply_view


def is_without_data(inputs: tuple[Tensor | None, ...], context: OpContext) -> bool:
    """Whether an op is for this interpreter: a tensor is on the meta device, or one is to be made there."""
    for x in inputs:
        if x is not None and x.meta.device is META:
            return True
    return not inputs and context.attrs[-1:] == (META,)


def apply(op: OpExpr, inputs: tuple[Tensor | None, ...], context: OpContext) -> Any:
    """Any op.

    Raises:
        NotImplementedError: the shape of an output depends on data.
    """
    metas = tuple([None if t is None else t.meta for t in inputs])
    kinds = tuple([v.__class__ for v in context.dynamic])
    out = context.out
    plan = eager_local.make_plan(op, metas, context.attrs, kinds, None if out is None else out.meta)
    if plan.finish is not None:
        name = op.definition.function or op.name
        raise NoDataError(f"{name}(): the shape of the result depends on data, and a tensor on the meta device has none")
    if slow_path.count:
        thread_state.observer.run_op(op.definition, plan.inputs, plan.outputs, context.attrs)
    if out is not None:
        return out
    outputs = [Tensor(meta, MetaTensorImpl(), 0) for meta in plan.outputs]
    return outputs[0] if op.single_output else tuple(outputs)
