"""Planners of products of groups of rows, of columns, or of a sum: kernels/matmul_grouped.py."""

from __future__ import annotations

from typing import Any

from tritonflow.device.provider import facts_of
from tritonflow.framework.meta import Shape, TensorMeta, contiguous_meta
from tritonflow.kernels.block_sizes import next_power_of_2
from tritonflow.ops.kernel_modules import KernelModule
from tritonflow.ops.matmul import Product
from tritonflow.ops.matmul import kernels as products
from tritonflow.ops.op_def import OpDef
from tritonflow.ops.operands import ERROR_WORD, Input, Output
from tritonflow.ops.plan import Launch, Plan, stride
from tritonflow.ops.precision import product_dtype

Metas = tuple[TensorMeta, ...]

kernels = KernelModule("matmul_grouped")


def grouped_product(op: OpDef, inputs: Metas, attrs: tuple[Any, ...]) -> Plan:
    """Products of groups that end at offs[g]; zeros behind the last one.

    Rows of a matrix with a batch, a batch with columns of a matrix, or columns of a matrix with rows of another: by the ranks.
    """
    a, b, ends = inputs
    m, n, k, groups = a.shape[-2], b.shape[-1], a.shape[-1], ends.shape[0]
    shape = (groups, m, n) if a.ndim == b.ndim else (m, n)
    c = contiguous_meta(shape, a.dtype, a.device)
    if not c.numel:
        return Plan(inputs, (c,), [])
    if a.ndim == 2 and b.ndim == 2:
        launch, size = _depths(inputs, c), k
    elif a.ndim == 2:
        launch, size = _rows(inputs, (m, n, k), a.stride, b.stride, c.stride, (Input(0), Input(1))), m
    else:  # the columns are rows of the transposed product
        step = (a.stride[0], a.stride[2], a.stride[1])
        launch, size = _rows(inputs, (n, m, k), b.stride[::-1], step, c.stride[::-1], (Input(1), Input(0))), n
    message = f"grouped_mm(): offs must rise from 0 to {size} at most"
    return Plan(inputs, (c,), [launch], index_check=message)


def _config(inputs: Metas, p: Product, steady: bool) -> dict[str, Any]:
    """The tiles for groups of one size.

    Args:
        steady: whether factors lie in memory along dimensions in which no group begins: in others, that may be anywhere.
    """
    facts = facts_of(inputs[0].device)
    wide = steady and p.loads_wide and all(meta.aligned for meta in inputs[:2])
    kind = product_dtype(facts, inputs[0].dtype, "matmul")
    return products.config(facts, kind, p.m, p.n, p.k, False, max(p.matrices, 1), False, not wide)


def _rows(inputs: Metas, sizes: Shape, a: Shape, b: Shape, c: Shape, factors: tuple[Input, Input]) -> Launch:
    """The launch for groups of rows of the first factor, by strides; those of `b` begin with the groups'."""
    m, n, k = sizes
    ends = inputs[2]
    groups = ends.shape[0]
    each = -(-m // max(groups, 1))
    p = Product(each, n, k, (groups,), ((0,), b[:1], (0,)), (a, b[1:], c))
    config = _config(inputs, p, a[1] == 1)
    blocks = config["constexprs"]
    high = blocks["BLOCK_M"]
    tiles = min((m + (groups + 1) * (high - 1)) // high, m) * -(-n // blocks["BLOCK_N"])
    return Launch(
        kernels.rows,
        (tiles,),
        (*factors, Input(2), Output(0), ERROR_WORD),
        (m, n, k, groups, stride(ends.stride[0]), *[tuple(map(stride, s)) for s in (a, b, c)]),
        {**blocks, "GROUPS": next_power_of_2(groups + 1)},
        work=m * n * max(k, 1) // 16,
        num_warps=config["num_warps"],
        num_stages=config["num_stages"],
    )


def _depths(inputs: Metas, c: TensorMeta) -> Launch:
    """The launch for groups of columns of the first factor and rows of the second."""
    a, b, ends = inputs
    groups, m, n = c.shape
    k = a.shape[1]
    p = Product(m, n, -(-k // groups), (groups,), ((0,), (0,), c.stride[:1]), (a.stride, b.stride, c.stride[1:]))
    config = _config(inputs, p, a.stride[0] == 1 and b.stride[1] == 1)
    blocks = config["constexprs"]
    tiles = -(-m // blocks["BLOCK_M"]) * -(-n // blocks["BLOCK_N"]) * groups
    return Launch(
        kernels.depths,
        (tiles,),
        (Input(0), Input(1), Input(2), Output(0), ERROR_WORD),
        (m, n, k, groups, stride(ends.stride[0]), *[tuple(map(stride, s)) for s in (a.stride, b.stride, c.stride)]),
        blocks,
        work=m * n * max(k, 1) // 16,
        num_warps=config["num_warps"],
        num_stages=config["num_stages"],
    )
