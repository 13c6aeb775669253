"""The planner of cosine_similarity."""

from __future__ import annotations

from typing import Any

from tritonflow.framework.meta import TensorMeta, contiguous_meta
from tritonflow.ops.kernel_modules import KernelModule
from tritonflow.ops.norm import compute_type
from tritonflow.ops.op_def import OpDef
from tritonflow.ops.operands import Input, Output, Scalar
from tritonflow.ops.plan import Launch, Plan
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
