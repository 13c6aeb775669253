"""The batching rule of rotary embeddings: examples are further batches."""

from __future__ import annotations

from typing import Any

from tritonflow.functions.view import expand, unsqueeze
from tritonflow.interpreter.batched import BatchedCall
from tritonflow.interpreter.dispatch import dispatch
from tritonflow.rules.batch.examples import every, folded, looped, unfolded


def rotary(call: BatchedCall) -> Any:
    """(tensors, cos, sin, positions): what differs from example to example has a row for each batch of each example."""
    if call.out is not None:
        return looped(call)
    count = len(call.inputs) - 3
    order, _, starts, *_ = call.attrs
    batch = call.inputs[0].meta.shape[order[0] + (1 if call.batched[0] else 0)]  # type: ignore[union-attr]
    xs = [folded(every(call, k), order[0]) for k in range(count)]
    tables = [_by_batch(call, count + k, batch, 2) for k in range(2)]
    inputs = (*xs, *tables, _by_batch(call, count + 2, batch, 0 if starts else 1))
    found = dispatch(call.op, inputs, call.attrs, call.dynamic)
    if count == 1:
        return unfolded(found, call.size, order[0])
    return tuple([unfolded(t, call.size, order[0]) for t in found])


def _by_batch(call: BatchedCall, position: int, batch: int, own: int) -> Any:
    """An input with `own` dimensions behind that of batches, which it may have."""
    x = call.inputs[position]
    if x is None:
        return None
    ndim = x.meta.ndim - (1 if call.batched[position] else 0)
    if ndim == own:
        if not call.batched[position]:
            return x
        x = unsqueeze(x, 1)
        return folded(expand(x, (call.size, batch, *x.meta.shape[2:])))
    return folded(every(call, position))
