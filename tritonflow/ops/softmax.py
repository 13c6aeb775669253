"""Planners of softmax and log_softmax along one dimension of a contiguous tensor, and of their gradients."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tritonflow.device.provider import facts_of
from tritonflow.framework.meta import TensorMeta
from tritonflow.kernels.facts import DeviceFacts
from tritonflow.ops.kernel_modules import KernelModule
from tritonflow.ops.op_def import OpDef
from tritonflow.ops.operands import Input, Operands, Output
from tritonflow.ops.plan import Launch, Plan, stride

if TYPE_CHECKING:
    from tritonflow.kernels.rows import RowLayout

kernels = KernelModule("softmax")
rows = KernelModule("rows")


def softmax(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...]) -> Plan:
    """exp(x) / sum(exp(x)); attributes: (dim, dtype of the result or None)."""
    return _forward(inputs, attrs, log=False)


def log_softmax(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...]) -> Plan:
    """x - log(sum(exp(x))); attributes: (dim, dtype of the result or None)."""
    return _forward(inputs, attrs, log=True)


def softmax_grad(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...]) -> Plan:
    """The gradient from (dy, y); attributes: (dim,)."""
    return _backward(inputs, attrs, log=False)


def log_softmax_grad(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...]) -> Plan:
    """The gradient from (dy, y); attributes: (dim,)."""
    return _backward(inputs, attrs, log=True)


def layout_of(x: TensorMeta, dim: int) -> RowLayout:
    """The rows along `dim`; a scalar is one row of one element."""
    return rows.row_layout(x.shape or (1,), dim)


def row_strides(layout: RowLayout) -> tuple[stride, ...]:
    """The layout's strides as sizes of a launch."""
    return tuple([stride(s) for s in layout.strides])


def _forward(inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...], log: bool) -> Plan:
    (x,), (dim, dtype) = inputs, attrs
    y = x.with_dtype(dtype or x.dtype)
    return Plan(
        inputs, (y,), [_launch(kernels.forward, (Input(0), Output(0)), layout_of(x, dim), facts_of(x.device), log)]
    )


def _backward(inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...], log: bool) -> Plan:
    (dy, _), (dim,) = inputs, attrs
    operands = (Input(0), Input(1), Output(0))
    return Plan(inputs, (dy,), [_launch(kernels.backward, operands, layout_of(dy, dim), facts_of(dy.device), log)])


def _launch(kernel: Any, operands: Sequence[Operands], layout: RowLayout, facts: DeviceFacts, log: bool) -> Launch:
    config = kernels.config(facts, layout)
    blocks = {"LOG": log, **config["constexprs"]}
    grid = rows.row_grid(layout, blocks) if layout.cols else 0
    sizes = (layout.rows, layout.cols, row_strides(layout))
    return Launch(kernel, (grid,), operands, sizes, blocks, num_warps=config["num_warps"])
