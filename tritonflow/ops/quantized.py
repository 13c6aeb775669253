"""Planners of products with weights of few bits: kernels/quantized.py, kernels/quantized_blocks.py."""

from __future__ import annotations

from typing import Any

from tritonflow.device.provider import facts_of
from tritonflow.dtypes import float8_e4m3fn, float32
from tritonflow.framework.meta import TensorMeta, contiguous_meta
from tritonflow.ops.elementwise import scalar_function
from tritonflow.ops.kernel_modules import KernelModule
from tritonflow.ops.op_def import OpDef
from tritonflow.ops.operands import Float8Input, Input, Output
from tritonflow.ops.plan import Launch, Plan, stride

Metas = tuple[TensorMeta | None, ...]

kernels = KernelModule("quantized")
block_kernels = KernelModule("quantized_blocks")


def quantized_linear(op: OpDef, inputs: Metas, attrs: tuple[Any, ...]) -> Plan:
    """x (rows, in) @ W transposed + bias; inputs: x, codes, scales, zeros?, bias?; attributes: (form, group)."""
    x, weight, scales, zeros, bias = inputs
    assert x is not None and weight is not None and scales is not None
    form, group = attrs
    (m, k), n = x.shape, weight.shape[0]
    y = contiguous_meta((m, n), x.dtype, x.device)
    if not y.numel:
        return Plan(inputs, (y,), [])
    config = kernels.config(facts_of(x.device), form, group, m, n, k)
    blocks = config["constexprs"]
    operands = (Input(0), Input(1), Input(2), Input(3) if zeros else None, Input(4) if bias else None, Output(0))
    sizes: tuple[Any, ...] = (m, n, k, scales.shape[1], weight.shape[1])
    sizes += (_marked(scales), _marked(zeros or scales), _marked(x), _marked(y))
    if config["rows"]:
        grid, kernel = (-(-m // blocks["ROWS"]), -(-n // blocks["COLUMNS"])), kernels.rows
    else:
        grid, kernel = (-(-m // blocks["BLOCK_M"]), -(-n // blocks["BLOCK_N"])), kernels.product
    options = {name: config[name] for name in ("num_warps", "num_stages")}
    constexprs = {"FORM": form, "GROUP": group, **blocks}
    return Plan(inputs, (y,), [Launch(kernel, grid, operands, sizes, constexprs, work=m * n * k // 8, **options)])


def _marked(meta: TensorMeta) -> tuple[stride, ...]:
    return tuple([stride(s) for s in meta.stride])


def dequantize(op: OpDef, inputs: Metas, attrs: tuple[Any, ...]) -> Plan:
    """W; inputs: codes, scales, zeros?; attributes: (form, group, columns, dtype)."""
    weight, scales, zeros = inputs
    assert weight is not None and scales is not None
    form, group, k, dtype = attrs
    n = weight.shape[0]
    out = contiguous_meta((n, k), dtype, weight.device)
    if not out.numel:
        return Plan(inputs, (out,), [])
    config = kernels.dequantize_config(form, group, k)
    blocks = config["constexprs"]
    grid = (-(-k // (blocks["WIDTH"] * blocks["PIECES"])), -(-n // blocks["BLOCK_N"]))
    operands = (Input(0), Input(1), Input(2) if zeros else None, Output(0))
    sizes = (n, k, scales.shape[1], weight.shape[1], _marked(scales), _marked(zeros or scales))
    constexprs = {"FORM": form, "GROUP": group, **blocks}
    return Plan(inputs, (out,), [Launch(kernels.dequantize, grid, operands, sizes, constexprs, num_warps=4)])


def quantize_rows(op: OpDef, inputs: Metas, attrs: tuple[Any, ...]) -> Plan:
    """Codes of rows, and a float32 scale for each; attributes: (int8 or float8_e4m3fn,)."""
    (x,), (dtype,) = inputs, attrs
    assert x is not None
    (rows, columns), device = x.shape, x.device
    codes, scales = contiguous_meta((rows, columns), dtype, device), contiguous_meta((rows, 1), float32, device)
    if not rows:
        return Plan(inputs, (codes, scales), [])
    config = kernels.row_config(facts_of(device), columns)
    launch = Launch(
        kernels.quantize_rows,
        (rows,),
        (Input(0), Output(0), Output(1)),
        (columns, _marked(x)),
        {"LARGEST": 448 if dtype is float8_e4m3fn else 127, **config["constexprs"]},
        num_warps=config["num_warps"],
    )
    return Plan(inputs, (codes, scales), [launch])


def scaled_mm_blocks(op: OpDef, inputs: Metas, attrs: tuple[Any, ...]) -> Plan:
    """a @ b + bias, of float8_e4m3fn with scales for blocks; attributes: (dtype of the result,).

    Matrix units that take float8 multiply it; for others it is cast, which is exact.
    """
    a, b, scale_a, scale_b, bias = inputs
    assert a is not None and b is not None and scale_a is not None and scale_b is not None
    (m, k), n = a.shape, b.shape[1]
    y = contiguous_meta((m, n), attrs[0], a.device)
    if not y.numel:
        return Plan(inputs, (y,), [])
    facts = facts_of(a.device)
    config = block_kernels.config(facts, m)
    blocks, native = config["constexprs"], facts.architecture.float8
    width = "half" if facts.kind == "gpu" else "float"
    operand = Float8Input if native else Input
    operands = (operand(0), operand(1), Input(2), Input(3), Input(4) if bias else None, Output(0))
    sizes = (m, n, k, *[_marked(meta) for meta in (a, b, scale_a, scale_b, y)])
    constexprs = {"CAST": None if native else scalar_function(f"float8.e4m3fn_to_{width}"), **blocks}
    grid = (-(-m // blocks["BLOCK_M"]), -(-n // blocks["BLOCK_N"]))
    options = {name: config[name] for name in ("num_warps", "num_stages")}
    return Plan(inputs, (y,), [Launch(block_kernels.product, grid, operands, sizes, constexprs, work=m * n * k // 8, **options)])
