"""Planners of layer and root-mean-square normalisation over the last dimensions, and of their gradients."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from tritonflow.device.provider import facts_of
from tritonflow.dtypes import DType, float32, float64
from tritonflow.framework.meta import TensorMeta, contiguous_meta
from tritonflow.ops.epilogue import Epilogue, store_only
from tritonflow.ops.kernel_modules import KernelModule
from tritonflow.ops.op_def import OpDef
from tritonflow.ops.operands import Input, Operands, Output, Scalar, Workspace, optional
from tritonflow.ops.plan import Launch, Plan

kernels = KernelModule("norm")

Metas = tuple[TensorMeta | None, ...]


def compute_type(x: TensorMeta) -> DType:
    """In which dtype statistics are kept."""
    return float64 if x.dtype is float64 else float32


def _rows(x: TensorMeta, dims: int) -> tuple[int, int]:
    split = x.ndim - dims
    return prod(x.shape[:split]), prod(x.shape[split:])


def _row_launch(kernel: Any, x: TensorMeta, dims: int, center: bool, operands: Sequence[Operands], moved: int) -> Launch:
    """Of a kernel that reads or writes `moved` tensors like x."""
    rows, cols = _rows(x, dims)
    config = kernels.config(facts_of(x.device), rows, cols, x.dtype.itemsize, moved)
    blocks = {"CENTER": center, "CACHE": config["cache"], **config["row"]}
    grid = (-(-rows // blocks["ROWS"]),)
    return Launch(kernel, grid, operands, (rows, cols), blocks, num_warps=config["num_warps"])


def layer_norm(op: OpDef, inputs: Metas, attrs: tuple[Any, ...]) -> Plan:
    """(y, mean, rstd) from (x, weight, bias); attributes: (number of normalised dimensions, whether to center)."""
    x, weight, bias = inputs
    dims, center = attrs
    assert x is not None
    compute = compute_type(x)
    statistic = contiguous_meta(x.shape[: x.ndim - dims], compute, x.device)
    affine = (optional(weight, Input(1)), optional(bias, Input(2)))
    operands: tuple[Operands, ...] = (Input(0), (), *affine, Output(0), (), *Output.several(2, 1), Scalar(0, compute))
    launch = _row_launch(kernels.forward, x, dims, center, operands, 2)
    return Plan(inputs, (x, statistic, statistic), [launch])


def add_layer_norm(op: OpDef, inputs: Metas, attrs: tuple[Any, ...]) -> Plan:
    """(y, x + residual, mean, rstd) from (x, residual, weight, bias); attributes as those of layer_norm."""
    x, _, weight, bias = inputs
    dims, center = attrs
    assert x is not None
    compute = compute_type(x)
    statistic = contiguous_meta(x.shape[: x.ndim - dims], compute, x.device)
    read: tuple[Operands, ...] = (Input(0), (Input(1),), optional(weight, Input(2)), optional(bias, Input(3)))
    operands = (*read, Output(0), (Output(1),), *Output.several(2, 2), Scalar(0, compute))
    launch = _row_launch(kernels.forward, x, dims, center, operands, 4)
    return Plan(inputs, (x, x, statistic, statistic), [launch])


def layer_norm_grad(op: OpDef, inputs: Metas, attrs: tuple[Any, ...]) -> Plan:
    """dx from (dy, x, mean, rstd, weight) and maybe what is added to dx; attributes as those of layer_norm."""
    _, x, _, _, weight, *added = inputs
    dims, center = attrs
    assert x is not None
    operands = (Input(0), Input(1), optional(weight, Input(4)), Input(2), Input(3), Input.several(len(added), 5), Output(0))
    return Plan(inputs, (x,), [_row_launch(kernels.backward, x, dims, center, operands, 3 + len(added))])


def read_once(x: TensorMeta, dims: int) -> bool:
    """Whether `layer_norm_gradients` has a kernel for this input."""
    once: bool = kernels.read_once(facts_of(x.device), _rows(x, dims)[1], x.dtype.itemsize)
    return once


def layer_norm_gradients(op: OpDef, inputs: Metas, attrs: tuple[Any, ...], epilogue: Epilogue | None = None) -> Plan:
    """(dx, dweight, dbias) from (dy, x, mean, rstd, weight, added), where `read_once`; dx is what the epilogue makes of it.

    attributes: (number of normalised dimensions, whether to center, dtype of dweight and dbias)
    """
    _, x, _, _, weight, added = inputs
    dims, center, dtype = attrs
    assert x is not None
    epilogue, (rows, cols) = epilogue or store_only(x), _rows(x, dims)
    facts = facts_of(x.device)
    config = kernels.gradients_config(facts, rows, cols, x.dtype.itemsize)
    programs = config["programs"]
    made = len(epilogue.outputs)
    read = (Input(0), Input(1), optional(weight, Input(4)), Input(2), Input(3))
    operands = (*read, Workspace(0), optional(added, Input(5)), epilogue.operands, epilogue.targets)
    blocks = {"CENTER": center, "EPILOGUE": epilogue.function, **config["blocks"]}
    strip = (-(-rows // programs),) if facts.kind == "cpu" else ()
    sizes = (rows, *strip, cols, *epilogue.arguments)
    kernel = kernels.strip_gradients if strip else kernels.gradients
    first = Launch(kernel, (programs,), operands, sizes, blocks, num_warps=config["num_warps"])
    finish = {"ROWS": 32, "COLS": 32}
    last = Launch(
        kernels.finish_gradients, (-(-cols // 32),), (Workspace(0), *Output.several(2, made)), (cols, programs), finish,
        num_warps=4,
    )  # fmt: skip
    out = contiguous_meta(x.shape[x.ndim - dims :], dtype, x.device)
    return Plan((*inputs, *epilogue.inputs), (*epilogue.outputs, out, out), [first, last], [(2 * programs * cols, compute_type(x))])


def layer_norm_param_grad(op: OpDef, inputs: Metas, attrs: tuple[Any, ...]) -> Plan:
    """(dweight, dbias) from (dy, x, mean, rstd); attributes: (number of normalised dimensions, their dtype)."""
    _, x, _, _ = inputs
    dims, dtype = attrs
    assert x is not None
    rows, cols = _rows(x, dims)
    facts = facts_of(x.device)
    config = kernels.config(facts, rows, cols, x.dtype.itemsize)
    blocks = config["sums"]
    splits = kernels.splits_of_rows(facts, rows, cols, blocks["COLS"]) if cols else 1
    per_split = max(-(-rows // splits), 1)
    out = contiguous_meta(x.shape[x.ndim - dims :], dtype, x.device)
    grid = (-(-cols // blocks["COLS"]), splits)
    operands = (*Input.several(4), Workspace(0))
    sums = Launch(kernels.parameter_sums, grid, operands, (rows, per_split, cols), blocks, num_warps=8 if x.dtype is float64 else 4)
    finish = config["finish"]
    tiles = -(-cols // finish["BLOCK"])
    total = Launch(
        kernels.finish_parameter_sums,
        (tiles,),
        (Workspace(0), (Output(0),), (Output(1),)),
        (cols, splits),
        finish,
        num_warps=4,
    )
    return Plan(inputs, (out, out), [sums, total], [(2 * splits * cols, compute_type(x))])
