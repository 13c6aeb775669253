"""Planners of attention beyond a mask: windows, caps, slopes, sinks, sequences of several lengths, keys in pages, lists of blocks.

The kernels are those of scaled dot product attention.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from tritonflow.framework.meta import TensorMeta, contiguous_meta
from tritonflow.ops.attention import Around, Metas, Problem, marked
from tritonflow.ops.kernel_modules import KernelModule
from tritonflow.ops.op_def import OpDef
from tritonflow.ops.operands import ERROR_WORD, Input, Operands, Scalar
from tritonflow.ops.plan import Plan, constant, stride

edits = KernelModule("attention_edits")

FAR = 1 << 30  # columns to the edge of a window that has none


class Edit(NamedTuple):
    """What scores become: a function that was written for them, and its derivative, or None. They read the op's `reads`."""

    function: Any
    slope: Any

    def __repr__(self) -> str:
        return f"Edit({self.function.__module__})"


NAMES = ("q_starts", "k_starts", "used", "table", "sinks", "row_counts", "row_blocks", "column_counts", "column_blocks", "drawn")


def flash_attention(op: OpDef, inputs: Metas, attrs: tuple[Any, ...]) -> Plan:
    """(out, lse, rows) from (query, key, value, starts of queries and of keys, keys in use, tables, sinks, lists, drawn, reads).

    Query, key and value are (batch, heads, rows, size). With starts, the batch is 1, and its rows are sequences in their order.
    With tables, (batch, pages), the batch of keys and values is one of pages. Lists are counts and numbers of blocks, by rows of
    blocks and by columns.

    Attributes: (edit, window, most, block, single): names of "cap" and "slope", or an `Edit`; () or (left, right), -1 for no edge;
    () or the most rows and columns of a sequence; () or the rows and columns of a list's block;
    whether keys are walked over in one piece; and True of a piece of a larger tensor with dropout.
    Scalars: (scale, -inf, weights of rows without scores, cap), and dropout's as in scaled_dot_product_attention.
    """
    q, _, v = inputs[:3]
    assert q is not None and v is not None
    s = _problem(q, v, inputs, 3, 3, attrs)
    lse = contiguous_meta(q.shape[:3], s.compute, q.device)
    read: tuple[Operands, ...] = (*Input.several(3), (), s.dropout(3 + NAMES.index("drawn"), 4))
    return s.forward(inputs, read, s.out, s.scalars(3), lse, _message(s.around))


def flash_attention_grad(op: OpDef, inputs: Metas, attrs: tuple[Any, ...]) -> Plan:
    """(dq, dk, dv) from (grad, query, key, value, out, rows, gradient of lse) and what is behind the forward's values.

    Attributes: the forward's; scalars: (scale, -inf, cap), and dropout's.
    """
    _, q, k, v, _, _, dlse = inputs[:7]
    assert q is not None and k is not None and v is not None
    s = _problem(q, v, inputs, 7, 2, attrs)
    results = (q.contiguous(), k.contiguous(), v.contiguous())
    of_lse = None if dlse is None else Input(6)
    read: tuple[Operands, ...] = (*Input.several(4), (), s.dropout(7 + NAMES.index("drawn"), 3))
    return s.backward(inputs, read, (Input(4), Input(5), of_lse), s.scalars(2), results, _message(s.around))


def _message(around: Around) -> str | None:
    """What a bad number means."""
    if around.sequences:
        return "attention: starts must rise from 0 to the rows at most, lengths fit, and tables name pages that there are"
    if ERROR_WORD in around.reads:
        return "flex_attention: score_mod or mask_mod reads a tensor at an index that it does not have"
    return None


def _problem(q: TensorMeta, v: TensorMeta, inputs: Metas, first: int, cap: int, attrs: tuple[Any, ...]) -> Problem:
    """The sizes of a call, and what kernels take beside query, key and value.

    first: the number of the first input of `NAMES`; cap: that of the scalar.
    """
    edit, window, most, block, single, *piece = attrs
    given = dict(zip(NAMES, inputs[first:]))
    at: dict[str, Operands] = {name: None if given[name] is None else Input(first + k) for k, name in enumerate(NAMES)}
    starts, table = given["q_starts"], given["table"]
    s = Problem(q, v, None, given["drawn"], (False, *piece))
    s.single = single
    if table is not None:
        s.n = table.shape[1] * v.shape[2]
    if starts is not None:
        s.batch, s.m = starts.shape[0] - 1, most[0]
    if given["k_starts"] is not None:
        s.n = most[1]
    around = Around(window=tuple([FAR if n < 0 else n for n in window]), sinks=at["sinks"])
    if any(given[name] is not None for name in NAMES[:4]):
        sequences = tuple([() if at[name] is None else (at[name],) for name in NAMES[:3]])
        around = around._replace(sequences=sequences, spans=(q.shape[2], v.shape[2], s.batch))
        around = around._replace(joined=(starts is not None, given["k_starts"] is not None))
    if table is not None:
        size = v.shape[2]
        size = constant(size) if type(size) is int and size & (size - 1) == 0 else size  # few, and a division is a shift
        around = around._replace(pages=(at["table"],), page_sizes=(table.stride[0], size, v.shape[0]))
    if given["row_counts"] is not None:
        sizes = _sizes_of_list(given["row_counts"], given["row_blocks"], block)
        around = around._replace(lists=(at["row_counts"], at["row_blocks"]), list_sizes=sizes)
    if given["column_counts"] is not None:
        sizes = _sizes_of_list(given["column_counts"], given["column_blocks"], block[::-1])
        around = around._replace(columns=(at["column_counts"], at["column_blocks"]), column_sizes=sizes)
    behind = first + len(NAMES)
    s.around = _edited(around, edit, Input.several(len(inputs) - behind, behind), inputs[behind:], Scalar(cap, s.compute))
    return s


def _sizes_of_list(counts: Any, numbers: Any, sides: tuple[int, ...]) -> tuple[Any, ...]:
    return (*sides, *map(stride, counts.stride[:2]), *map(stride, numbers.stride[:3]))


def _edited(around: Around, edit: Any, reads: tuple[Operands, ...], metas: Metas, cap: Scalar) -> Around:
    """With what edits scores."""
    if isinstance(edit, Edit):
        given = tuple([(marked(meta), meta.shape) for meta in metas if meta is not None])
        return around._replace(edit=edit.function, slope=edit.slope, reads=(*reads, ERROR_WORD) if reads else (), steps=given)
    if not edit:
        return around
    steps = marked(metas[0]) if metas and metas[0] is not None else ()
    caps = (cap,) if "cap" in edit else ()
    slope = edits.slope_of_cap if caps else None
    return around._replace(edit=edits.cap_and_slope, slope=slope, reads=(caps, reads), steps=steps)
