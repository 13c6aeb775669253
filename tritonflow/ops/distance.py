"""The planners of cosine_similarity and of pairwise distances."""

from __future__ import annotations

from math import prod
from typing import Any

from tritonflow.device.provider import facts_of
from tritonflow.dtypes import DType
from tritonflow.framework.meta import TensorMeta, contiguous_meta
from tritonflow.ops.copy import copy
from tritonflow.ops.elementwise import triton_dtype
from tritonflow.ops.kernel_modules import KernelModule
from tritonflow.ops.norm import compute_type
from tritonflow.ops.op_def import OpDef
from tritonflow.ops.operands import Address, Input, Output, Scalar, Workspace
from tritonflow.ops.plan import Launch, Plan, stride
from tritonflow.ops.softmax import layout_of, row_strides

kernels = KernelModule("distance")
rows = KernelModule("rows")


def cosine_similarity(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...]) -> Plan:
    """(cosine, product, length of x1, of x2), the dimension of size 1, from inputs of one shape and dtype; attributes: (dim,)."""
    (x, _), (dim,) = inputs, attrs
    layout = layout_of(x, dim)
    shape = tuple([1 if d == dim else n for d, n in enumerate(x.shape)])
    y, exact = (contiguous_meta(shape, dtype, x.device) for dtype in (x.dtype, compute_type(x)))
    blocks = kernels.blocks(layout)
    sizes = (layout.rows, layout.cols, row_strides(layout))
    operands = (*Input.several(2), *Output.several(4), Scalar(0, compute_type(x)))
    launch = Launch(kernels.cosine, (rows.row_grid(layout, blocks),), operands, sizes, blocks)
    return Plan(inputs, (y, exact, exact, exact), [launch])


def cdist(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...]) -> Plan:
    """(..., n, k) and (..., m, k) of one dtype to (..., n, m); attributes: (order, one of 0, 1, 2, "max", "any"); dynamic: (p,)."""
    (a, b), (order,) = inputs, attrs
    *batch, n, k = a.shape
    m = b.shape[-2]
    y = contiguous_meta((*batch, n, m), a.dtype, a.device)
    blocks = kernels.pairwise_blocks(n, m)
    tiles = prod(batch) * -(-n // blocks["ROWS"]) * -(-m // blocks["COLS"])
    compute = compute_type(a)
    options = {"MODE": order, "COMPUTE": triton_dtype(compute), **blocks}
    launches, spaces = list[Launch](), list[tuple[int, DType]]()
    of_b: Address = Input(1)
    steps = stride(k), stride(1)
    if facts_of(a.device).kind == "cpu":  # lanes of one chunk read the rows of b side by side
        columns = contiguous_meta((*batch, k, m), b.dtype, b.device)
        turned = TensorMeta.get(columns.shape, (*b.stride[:-2], b.stride[-1], b.stride[-2]), b.dtype, b.device)
        launches.append(copy(turned, of_b, columns, Workspace(0)))
        spaces, of_b, steps = [(b.numel, b.dtype)], Workspace(0), (stride(1), stride(m))
    operands = (Input(0), of_b, Output(0), Scalar(0, compute))
    launches.append(Launch(kernels.pairwise, (tiles,), operands, (n, m, k, *steps), options, work=y.numel * k // 4))
    return Plan(inputs, (y,), launches, spaces)
