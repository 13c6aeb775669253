"""Checks of what tensors of a graph hold, which each run makes."""

from __future__ import annotations

from tritonflow.dtypes import int32
from tritonflow.errors import TritonflowError
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.cast import cast
from tritonflow.functions.generated import logical_not
from tritonflow.functions.view import contiguous
from tritonflow.interpreter.choice import all_examples
from tritonflow.interpreter.dispatch import dispatch
from tritonflow.interpreter.grad_mode import no_grad

_checked = op_expr("linalg_checked")


def check_in_runs(condition: Tensor, error: TritonflowError) -> None:
    """Let a run raise an error unless all elements of a condition are true.

    The op that looks belongs to the program although nobody reads its result. Consistent tensors are not looked at.
    """
    if condition.meta.numel and condition.meta.is_local:
        with no_grad():
            failed = contiguous(cast(logical_not(all_examples(condition)), int32))
            dispatch(_checked, (failed, failed), (str(error), type(error).__name__))
