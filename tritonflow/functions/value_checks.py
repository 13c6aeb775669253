"""Checks of what tensors hold: at once in eager mode, in each run of a graph."""

from __future__ import annotations

from tritonflow.binding import data_exchange
from tritonflow.device.device import META
from tritonflow.errors import TritonflowError
from tritonflow.framework.tensor import Tensor
from tritonflow.functions import reduction
from tritonflow.functions.run_checks import check_in_runs
from tritonflow.interpreter.choice import all_examples
from tritonflow.interpreter.grad_mode import no_grad


def require_all(condition: Tensor, error: TritonflowError) -> None:
    """Raise an error unless all elements of a condition are true; in a graph each run does.

    Raises:
        TritonflowError: `error`.
    """
    if condition.meta.device is META or not condition.meta.numel:
        return
    with no_grad():
        found = all_examples(condition)
        if found.is_lazy:
            check_in_runs(found, error)
        elif not data_exchange.item(reduction.all(found)):
            raise error
