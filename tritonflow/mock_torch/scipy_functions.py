"""SciPy's assignment, which models of detection call with tensors: where a program is captured, it is an op of the program.

Everywhere else SciPy itself computes it, of NumPy's array of the tensor. The two agree to the last tie.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

from tritonflow import _C
from tritonflow.dtypes import bool_, float16, float32, float64, int8, int16, int32, int64, uint8
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.tensor import Tensor
from tritonflow.interpreter.dispatch import dispatch1

_cheapest_columns = op_expr("cheapest_columns")
_REAL = (bool_, float16, float32, float64, int8, int16, int32, int64, uint8)  # which NumPy has


def functions_of(optimize: ModuleType) -> dict[str, Any]:
    """The functions of `scipy.optimize` that foreign modules see in another form."""
    solve = optimize.linear_sum_assignment

    def linear_sum_assignment(cost_matrix: Any, maximize: bool = False) -> Any:
        is_captured = isinstance(cost_matrix, Tensor) and cost_matrix.is_lazy
        if is_captured and cost_matrix.ndim == 2 and cost_matrix.dtype in _REAL and not cost_matrix.requires_grad:
            return assignment(cost_matrix, bool(maximize))
        return solve(cost_matrix, maximize)

    linear_sum_assignment.__doc__ = solve.__doc__
    return {"linear_sum_assignment": linear_sum_assignment}


def assignment(cost: Tensor, maximize: bool = False) -> tuple[Tensor, Tensor]:
    """The rows and columns whose costs have the least sum, where each row has one column at most, and each column one row.

    Args:
        cost: `(rows, columns)`.
        maximize: whether the sum is to be the largest.

    Returns:
        The rows, which rise, and the column of each: int64, as many as the lesser of the two sizes.

    Raises:
        IndexError: a cost is NaN or of the wrong infinity, or no assignment has a finite cost.

    Source: scipy.optimize.linear_sum_assignment.

    Example:
        >>> import tritonflow as flow
        >>> from tritonflow.mock_torch.scipy_functions import assignment
        >>> assignment(flow.tensor([[4.0, 1.0, 3.0], [2.0, 0.0, 5.0], [3.0, 2.0, 2.0]]))
        (tensor([0, 1, 2]), tensor([1, 0, 2]))
    """
    cost = cost if cost.dtype in (float32, float64) else cost.to(float64)
    cost = -cost if maximize else cost
    rows, columns = cost.shape
    if rows <= columns:
        return _C.arange(0, rows, dtype=int64, device=cost.device), dispatch1(_cheapest_columns, cost)
    found = dispatch1(_cheapest_columns, cost.transpose(0, 1))
    order = _C.argsort(found)
    return found[order], order
