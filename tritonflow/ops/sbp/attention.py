"""Rules of attention: batches and heads are apart, and rows of queries, unless a causal mask counts them.

Where a head of keys serves several heads of the query, these are split in whole groups, and a single head of keys is every rank's.
"""

from __future__ import annotations

from typing import Any

from tritonflow.framework.sbp import split
from tritonflow.framework.shards import box_shape
from tritonflow.ops.op_def import OpDef
from tritonflow.ops.sbp.factors import rule_of
from tritonflow.ops.sbp.signature import Local, Metas, SbpSignature, Shards, localizer

_FORWARD = "b h m d!, b g n! d!, b g n! e!, b h m n!, s! -> b h m e!, b h m r!"
_BACKWARD = "b h m e!, b h m d!, b g n! d!, b g n! e!, b h m e!, b h m r!, b h m n!, s! -> b h m d!, b g n! d!, b g n! e!"


def attention(op: OpDef, metas: Metas, attrs: tuple[Any, ...]) -> list[SbpSignature]:
    """(query, key, value, mask, drawn) -> (out, rows), and its gradients; attributes: (causal,)."""
    (causal,) = attrs
    text = _FORWARD if op.name == "scaled_dot_product_attention" else _BACKWARD
    return _by_heads(text.replace("m ", "m! ") if causal else text, op, metas, attrs)


def _by_heads(text: str, op: OpDef, metas: Metas, attrs: tuple[Any, ...]) -> list[SbpSignature]:
    """The signatures of a factor string, in which heads of the query are h, and heads of keys and values g."""
    at = op.inputs.index("query")
    query, key = metas[at], metas[at + 1]
    assert query is not None and key is not None
    shared = key.shape[1]
    if query.shape[1] == shared:
        return list(rule_of(text.replace(" g", " h"))(op, metas, attrs))
    if shared == 1:
        return list(rule_of(text.replace(" g", " g!"))(op, metas, attrs))
    found = list(rule_of(text)(op, metas, attrs))
    (of_queries,), (of_keys,) = ([s for s in found if s.inputs[k] == split(1)] for k in (at, at + 1))
    inputs = tuple([b if b is not None and b.dim is not None else a for a, b in zip(of_queries.inputs, of_keys.inputs)])
    outputs = tuple([b if b.dim is not None else a for a, b in zip(of_queries.outputs, of_keys.outputs)])
    joined = SbpSignature(inputs, outputs, even=shared)
    return [joined if s is of_queries else s for s in found if s is not of_keys]


def flash(op: OpDef, metas: Metas, attrs: tuple[Any, ...]) -> list[SbpSignature]:
    """Batches and heads are apart; not with starts, tables, lists or a user's edit."""
    backward = op.name == "flash_attention_grad"
    first = 7 if backward else 3
    starts, rest = metas[first : first + 2], (*metas[first + 3 : first + 4], *metas[first + 5 : first + 9])
    reads = metas[first + 10 :]
    apart = all(meta is None for meta in (*starts, *rest)) and isinstance(attrs[0], tuple)
    b, h = ("b", "h") if apart else ("b!", "h!")
    g = "g" if apart else "g!"
    rows, keys = f"{b} {h} m! d!", f"{b} {g} n! d!, {b} {g} n! e!"
    made, statistics = f"{b} {h} m! e!", f"{b} {h} m! r!"
    given = f"s!, t!, {b}, p! q!, {h}, i! j! k!, i! j! k! l!, u! v! w!, u! v! w! x!, s!"
    for number, meta in enumerate(reads):
        assert meta is not None
        names = [f"{'y' * (number + 1)}{'z' * (dim + 1)}!" for dim in range(meta.ndim)]
        given += f", {b} {h}" if apart else f", {' '.join(names)}"
    if backward:
        text = f"{made}, {rows}, {keys}, {made}, {statistics}, {b} {h} m!, {given} -> {rows}, {keys}"
    else:
        text = f"{rows}, {keys}, {given} -> {made}, {b} {h} m!, {statistics}"
    return _by_heads(text, op, metas, attrs) if apart else list(rule_of(text)(op, metas, attrs))


@localizer(flash)
@localizer(attention)
def _dropped_weights(op: OpDef, attrs: tuple[Any, ...], dynamic: tuple[Any, ...], shards: Shards) -> Local:
    """Dropout counts the weights of the whole: a shard has its heads and rows, and where the shard's weights begin there."""
    at, drawn = op.inputs.index("query"), shards.metas[op.inputs.index("drawn")]
    query, value, box = shards.metas[at], shards.metas[at + 2], shards.inputs[at]
    assert query is not None and value is not None and box is not None
    box = box[:3]
    if drawn is None or box_shape(box) == query.shape[:3]:
        return Local(attrs, dynamic)
    (batch, _), (head, _), (row, _) = box
    heads, rows = query.shape[1:3]
    first = ((batch * heads + head) * rows + row) * value.shape[2]
    return Local((*attrs, True), dynamic, (heads, rows, first))
