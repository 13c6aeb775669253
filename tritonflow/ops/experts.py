"""Planners of mixtures of experts: kernels/experts.py."""

from __future__ import annotations

from typing import Any

from tritonflow.device.provider import facts_of
from tritonflow.dtypes import int32, int64
from tritonflow.framework.meta import TensorMeta, contiguous_meta
from tritonflow.ops.kernel_modules import KernelModule
from tritonflow.ops.op_def import OpDef
from tritonflow.ops.operands import ERROR_WORD, Input, LaunchOperand, Output, Scalar, Workspace, optional
from tritonflow.ops.plan import Launch, Plan, stride

Metas = tuple[TensorMeta | None, ...]

kernels = KernelModule("experts")

SCORES = {"softmax": 0, "sigmoid": 1}
MISPLACED = "positions must be in [0, rows), each row once, as moe_permute() gives them"


def moe_route(op: OpDef, inputs: Metas, attrs: tuple[Any, ...]) -> Plan:
    """(logits, bias) -> (weights, indices of experts); attributes: (k, score, normed, groups, chosen groups)."""
    logits, bias = inputs
    each, score, normed, groups, chosen = attrs
    assert logits is not None
    tokens, experts = logits.shape
    shape, compute = (tokens, each), logits.dtype.compute
    outputs = contiguous_meta(shape, compute, logits.device), contiguous_meta(shape, int64, logits.device)
    config = kernels.route_config(facts_of(logits.device), experts, groups, each)
    blocks = config["constexprs"]
    flags = {"SCORE": SCORES[score], "NORMED": normed, "GROUPED": groups > 1}
    launch = Launch(
        kernels.route,
        (-(-tokens // blocks["ROWS"]),),
        (Input(0), optional(bias, Input(1)), Output(0), Output(1), Scalar(0, compute)),
        (tokens, experts, each, experts // groups, groups, chosen, _marked(logits)),
        {**flags, **blocks},
        work=tokens * experts * each // 4,
        num_warps=config["num_warps"],
    )
    return Plan(inputs, outputs, [launch])


def moe_positions(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...]) -> Plan:
    """(indices,) -> (rows of pairs in the order of experts, where the rows of each expert end); attributes: (experts,)."""
    (indices,), (experts,) = inputs, attrs
    pairs = indices.numel
    outputs = contiguous_meta(indices.shape, int64, indices.device), contiguous_meta((experts,), int32, indices.device)
    config = kernels.sort_config(facts_of(indices.device), pairs, experts)
    blocks, steps = config["constexprs"], config["steps"]
    programs = -(-pairs // (blocks["BLOCK"] * steps))
    grid, options = (programs,), {"work": pairs * blocks["BINS"] // 8, "num_warps": config["num_warps"]}
    counted = Launch(kernels.count, grid, (Input(0), Workspace(0)), (pairs, experts, steps), blocks, **options)
    settle = (Workspace(0), Input(0), Output(0), Output(1))
    settled = Launch(kernels.settle, (max(programs, 1),), settle, (pairs, experts, steps, programs), blocks, **options)
    return Plan(inputs, outputs, [counted, settled], [(max(programs, 1) * blocks["BINS"], int32)])


def moe_spread(op: OpDef, inputs: Metas, attrs: tuple[Any, ...]) -> Plan:
    """(x, positions, weights) -> a row for each pair."""
    x, positions, _ = inputs
    assert x is not None and positions is not None
    rows = positions.numel
    return _of_tokens(kernels.spread, inputs, contiguous_meta((rows, x.shape[1]), x.dtype, x.device), rows)


def moe_combine(op: OpDef, inputs: Metas, attrs: tuple[Any, ...]) -> Plan:
    """(rows, positions, weights) -> the weighted sums of tokens' rows.

    Attributes: (whether the positions are a user's, so that they may have a row twice).
    """
    x, positions, _ = inputs
    assert x is not None and positions is not None
    out = contiguous_meta((positions.shape[0], x.shape[1]), x.dtype, x.device)
    plan = _of_tokens(kernels.combine, inputs, out, x.shape[0])
    if not attrs[0]:
        return plan
    pairs, block = positions.numel, {"BLOCK": 1024}
    grid = (-(-pairs // block["BLOCK"]),)
    mark = Launch(kernels.mark, grid, (Input(1), Workspace(0)), (pairs,), block, work=pairs, num_warps=4)
    verify = Launch(kernels.verify, grid, (Input(1), Workspace(0), ERROR_WORD), (pairs,), block, work=pairs, num_warps=4)
    return Plan(inputs, plan.outputs, [mark, verify, *plan.launches], [(pairs, int64)], index_check=MISPLACED)


def _of_tokens(kernel: Any, inputs: Metas, out: TensorMeta, rows: int) -> Plan:
    x, positions, weights = inputs
    assert x is not None and positions is not None
    tokens, each = positions.shape
    width = x.shape[1]
    config = kernels.rows_config(facts_of(x.device), width)
    blocks = config["constexprs"]
    operands = (Input(0), Input(1), optional(weights, Input(2)), Output(0), ERROR_WORD)
    grid = (-(-tokens // blocks["ROWS"]), -(-width // blocks["COLS"]))
    sizes, work = (tokens, each, width, rows, _marked(x)), tokens * each * width // 8
    launch = Launch(kernel, grid, operands, sizes, blocks, work=work, num_warps=config["num_warps"])
    return Plan(inputs, (out,), [launch], index_check=MISPLACED)


def moe_dots(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...]) -> Plan:
    """(x, rows, positions) -> the product of each pair's token and row."""
    x, y, positions = inputs
    tokens, each = positions.shape
    width = x.shape[1]
    config = kernels.rows_config(facts_of(x.device), width)
    blocks = config["constexprs"]
    operands: tuple[LaunchOperand, ...] = (Input(0), Input(1), Input(2), Output(0), ERROR_WORD)
    sizes = (tokens, each, width, y.shape[0], _marked(x), _marked(y))
    grid, work = (-(-tokens // blocks["ROWS"]), each), tokens * each * width // 4
    launch = Launch(kernels.dots, grid, operands, sizes, blocks, work=work, num_warps=config["num_warps"])
    out = contiguous_meta(positions.shape, x.dtype.compute, x.device)
    return Plan(inputs, (out,), [launch], index_check=MISPLACED)


def _marked(meta: TensorMeta) -> tuple[stride, ...]:
    return tuple([stride(s) for s in meta.stride])
