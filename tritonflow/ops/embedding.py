"""The planner of sums of rows of two tables: kernels/embedding.py."""

from __future__ import annotations

from typing import Any

from tritonflow.device.provider import facts_of
from tritonflow.dtypes import float32, float64
from tritonflow.framework.meta import TensorMeta, contiguous_meta
from tritonflow.ops.kernel_modules import KernelModule
from tritonflow.ops.loss import sized_message
from tritonflow.ops.op_def import OpDef
from tritonflow.ops.operands import ERROR_WORD, Input, Output, Scalar, optional
from tritonflow.ops.plan import Launch, Plan, stride

kernels = KernelModule("embedding")


def embedding_sum(op: OpDef, inputs: tuple[TensorMeta | None, ...], attrs: tuple[Any, ...]) -> Plan:
    """(tokens, weight, places, positions) -> scale * rows of weight + rows of places; positions are as many as a last dimension.

    Attributes: (padding,), for the gradient.
    """
    tokens, weight, places, positions = inputs
    assert tokens is not None and weight is not None and places is not None
    width = weight.shape[1]
    out = contiguous_meta((*tokens.shape, width), weight.dtype, weight.device)
    length = tokens.shape[-1] if positions is None else positions.numel
    limits = weight.shape[0], places.shape[0]
    config = kernels.config(facts_of(weight.device), tokens.numel, width, weight.dtype.itemsize)
    given = optional(positions, Input(3))
    scale = Scalar(0, float64 if weight.dtype is float64 else float32)
    operands = (Input(0), given, Input(1), Input(2), Output(0), ERROR_WORD, scale)
    strides = tuple([(t.stride[0], stride(t.stride[1])) for t in (weight, places)])
    sizes = (tokens.numel, length, width, limits, *strides)
    grid = (-(-tokens.numel // config["constexprs"]["TOKENS"]),)
    launch = Launch(kernels.add_rows, grid, operands, sizes, config["constexprs"], num_warps=config["num_warps"])
    text = "embedding: a token is out of bounds for a table of {} rows, or a position for one of {} rows"
    return Plan(inputs, (out,), [launch] if tokens.numel else [], index_check=sized_message(text, *limits))
