"""The planner of the cheapest assignment of rows to columns."""

from __future__ import annotations

from typing import Any

from tritonflow.dtypes import int64
from tritonflow.framework.meta import TensorMeta, contiguous_meta
from tritonflow.ops.kernel_modules import KernelModule
from tritonflow.ops.op_def import OpDef
from tritonflow.ops.operands import ERROR_WORD, Input, Output
from tritonflow.ops.plan import Launch, Plan

kernels = KernelModule("assignment")

NO_ASSIGNMENT = "linear_sum_assignment: a cost is NaN or -inf, or no assignment has a finite cost"


def cheapest_columns(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...]) -> Plan:
    """costs (..., n, m) with n <= m -> the column of each row (..., n)"""
    (cost,) = inputs
    *batch, rows, width = cost.shape
    columns = contiguous_meta((*batch, rows), int64, cost.device)
    matrices = columns.numel // rows if columns.numel else 0
    operands = (Input(0), Output(0), ERROR_WORD)
    launch = Launch(
        kernels.assign, (matrices,), operands, (rows, width), kernels.blocks(width), work=8 * cost.numel, num_warps=4
    )
    return Plan(inputs, (columns,), [launch] if columns.numel else [], index_check=NO_ASSIGNMENT)
