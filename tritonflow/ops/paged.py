"""The planner of writes into the pages of a cache: kernels/paged.py."""

from __future__ import annotations

from typing import Any

from tritonflow.device.provider import facts_of
from tritonflow.framework.meta import Shape, TensorMeta, contiguous_meta
from tritonflow.ops.kernel_modules import KernelModule
from tritonflow.ops.loss import sized_message
from tritonflow.ops.op_def import OpDef
from tritonflow.ops.operands import ERROR_WORD, Input, LaunchOperand, Output
from tritonflow.ops.plan import Launch, Plan, stride

kernels = KernelModule("paged")


def paged_append(op: OpDef, inputs: tuple[TensorMeta | None, ...], attrs: tuple[Any, ...]) -> Plan:
    """Turned queries, or an empty tensor, from (key, value, slots, key cache, value cache, query, cos, sin, positions).

    Attributes: (interleaved,).
    """
    key, value, slots, keys, values, query, cos, sin, positions = inputs
    assert key is not None and value is not None and slots is not None and keys is not None and values is not None
    rows = keys.shape[0] * keys.shape[1]
    of_rows = [(m.stride[1], m.stride[2], m.stride[3]) for m in (keys, values)]
    operands: list[LaunchOperand] = [Input(0), Input(1)]
    targets: list[LaunchOperand] = [Input(3), Input(4)]
    tables: tuple[LaunchOperand, ...] = ()
    metas, targeted, table_strides, half, count = [key, value], of_rows, (), 0, 0
    message = sized_message("paged append: a slot is out of bounds for a cache of {} rows", rows)
    if query is None:
        out = contiguous_meta((0,), key.dtype, key.device)
    else:
        assert cos is not None and sin is not None
        out = contiguous_meta(query.shape, query.dtype, query.device)
        operands, targets, tables = [Input(5), *operands], [Output(0), *targets], (Input(6), Input(7), Input(8))
        metas, targeted = [query, *metas], [out.stride, *of_rows]  # type: ignore[list-item]
        table_strides, half, count = tuple([_marked(t.stride) for t in (cos, sin)]), cos.shape[1], cos.shape[0]  # type: ignore[assignment]
        text = "paged append: a slot is out of bounds for a cache of {} rows, or a position for tables of {} rows"
        message = sized_message(text, rows, count)
    heads = tuple([m.shape[1] for m in metas])
    config = kernels.config(facts_of(key.device), max(sum(heads), 1), half, key.shape[2])  # no heads, as a rank may have: it looks
    sizes = (
        key.shape[0], rows, count, half, heads, tuple([m.shape[2] for m in metas]), config["per_program"], stride(slots.stride[0]),
        stride(positions.stride[0] if positions is not None else 1), tuple([_marked(m.stride) for m in metas]), table_strides,
        tuple([_marked(s) for s in targeted]),
    )  # fmt: skip
    grid = (key.shape[0], max(-(-sum(heads) // config["per_program"]), 1))
    arguments = (tuple(operands), tables, Input(2), tuple(targets), ERROR_WORD)
    constexprs = {"INTERLEAVED": attrs[0], **config["constexprs"]}
    launch = Launch(kernels.append, grid, arguments, sizes, constexprs, num_warps=config["num_warps"])
    return Plan(inputs, (out,), [launch] if key.shape[0] else [], index_check=message)


def _marked(strides: Shape) -> tuple[int, ...]:
    """The step from element to element is a constant of the kernel where it is 1."""
    return (*strides[:-1], stride(strides[-1]))
