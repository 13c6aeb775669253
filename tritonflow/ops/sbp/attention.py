"""Rules of attention: batches and heads are apart, and rows of queries, unless a causal mask counts them."""

from __future__ import annotations

from math import prod
from typing import Any

from tritonflow.ops.op_def import OpDef
from tritonflow.ops.sbp.factors import rule_of
from tritonflow.ops.sbp.signature import Local, Metas, SbpSignature, Shards, localizer

_FORWARD = "b h m d!, b h n! d!, b h n! e!, b h m n!, s! -> b h m e!, b h m r!"
_BACKWARD = "b h m e!, b h m d!, b h n! d!, b h n! e!, b h m e!, b h m r!, b h m n!, s! -> b h m d!, b h n! d!, b h n! e!"


def attention(op: OpDef, metas: Metas, attrs: tuple[Any, ...]) -> list[SbpSignature]:
    """(query, key, value, mask, drawn) -> (out, rows), and its gradients; attributes: (causal,).

    Dropout counts the weights of all heads. A piece of the first dimension above size 1 has consecutive ones. They begin at a
    counter of their own, which four of them share, where a matrix of weights has a multiple of four.
    """
    (causal,) = attrs
    text = _FORWARD if op.name == "scaled_dot_product_attention" else _BACKWARD
    query, _, value = _operands(metas)
    (batch, heads, rows), columns = query.shape[:3], value.shape[2]
    fixed = {"m"} if causal else set()
    if metas[-1] is not None:
        fixed |= {"m"}
        if rows * columns * (heads if batch > 1 else 1) % 4:
            fixed |= {"b", "h"}
        else:
            fixed |= {"h"} if batch > 1 else {"b"}
    for name in sorted(fixed):
        text = text.replace(f"{name} ", f"{name}! ")
    return list(rule_of(text)(op, metas, attrs))


def _operands(inputs: tuple[Any, ...]) -> Any:
    """Query, key and value of attention or of its gradient, which has the output's gradient before them."""
    return inputs[:3] if len(inputs) == 5 else inputs[1:4]


@localizer(attention)
def _first_counter(op: OpDef, attrs: tuple[Any, ...], dynamic: tuple[Any, ...], shards: Shards) -> Local:
    """The counter of the first weight that the shard drops or not; the last dynamic scalar."""
    if shards.metas[-1] is None:
        return Local(attrs, dynamic)
    query, _, value = _operands(shards.metas)
    box = _operands(shards.inputs)[0]
    sizes = (*query.shape[:3], value.shape[2])
    before = sum(start * prod(sizes[dim + 1 :]) for dim, (start, _) in enumerate(box[:2]))
    return Local(attrs, (*dynamic[:-1], dynamic[-1] + before // 4))
