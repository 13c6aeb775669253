"""The planner of combine_shares: shares of a partial tensor become its elements."""

from __future__ import annotations

from typing import Any

from tritonflow.dtypes import bool_
from tritonflow.framework.meta import TensorMeta, contiguous_meta, numel_of
from tritonflow.ops.elementwise import scalar_function, triton_dtype
from tritonflow.ops.kernel_modules import KernelModule
from tritonflow.ops.op_def import OpDef
from tritonflow.ops.operands import Input, Output
from tritonflow.ops.plan import Launch, Plan

kernels = KernelModule("shares")

_FUNCTIONS = {"sum": "arithmetic.add", "max": "arithmetic.maximum", "min": "arithmetic.minimum"}


def combine_shares(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...]) -> Plan:
    """Over the first dimension; attributes: (sum, max or min,). Half types are added in float32, integers in their own type.

    The sum of bools in bool is whether any is true, as torch's `x + y` of bools.
    """
    (x,), (kind,) = inputs, attrs
    if x.dtype is bool_ and kind == "sum":
        kind = "max"
    y = contiguous_meta(x.shape[1:], x.dtype, x.device)
    n = numel_of(y.shape)
    options = kernels.config()
    warps = options.pop("num_warps")
    function, compute = scalar_function(_FUNCTIONS[kind]), triton_dtype(x.dtype.compute)
    launch = Launch(
        kernels.combine_shares,
        (-(-n // options["BLOCK"]),),
        (Input(0), Output(0)),
        (n, x.shape[0]),
        {"FUNCTION": function, "COMPUTE": compute} | options,
        num_warps=warps,
    )
    return Plan(inputs, (y,), [launch])
