"""Batching rules of reads and writes by index tensors.

An op indexes neighbouring dimensions of its tensor. Where the indices differ from example to example, the examples are one more
indexed dimension: these dimensions are moved to the front, and the number of the example is the first index.
"""

from __future__ import annotations

from typing import Any

from tritonflow.binding.target import beside
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.cast import cast, copy_
from tritonflow.functions.creation import arange
from tritonflow.functions.view import expand, reshape
from tritonflow.functions.view_orders import permute
from tritonflow.interpreter.batched import BatchedCall, without_batch
from tritonflow.interpreter.dispatch import dispatch
from tritonflow.rules.batch.examples import every, looped


def index_get(call: BatchedCall) -> Any:
    """The elements at indices."""
    dim, wrap, *shard = call.attrs
    count = len(call.inputs) - 1
    if not any(call.batched[1:]):
        return dispatch(call.op, call.inputs, (dim + 1, wrap, *shard))
    shape = call.metas[1].shape  # type: ignore[union-attr]
    if not call.batched[0]:
        found = dispatch(call.op, (call.inputs[0], *[every(call, k) for k in range(1, count + 1)]), call.attrs)
        return _to_front(found, dim)
    x = _indexed_first(every(call, 0), dim, count)
    found = dispatch(call.op, (x, *_with_examples(call, 1)), (0, wrap, *shard))
    return _back(found, dim, len(shape))


def index_get_grad(call: BatchedCall) -> Any:
    """Zeros with a gradient added at indices."""
    shape, dim, wrap, *shard = call.attrs
    count = len(call.inputs) - 1
    if not any(call.batched[1:]):
        return dispatch(call.op, call.inputs, ((call.size, *shape), dim + 1, wrap, *shard))
    index_ndim = call.metas[1].ndim  # type: ignore[union-attr]
    dy = _indexed_first(every(call, 0), dim, index_ndim)
    inner = (call.size, *shape[dim : dim + count], *shape[:dim], *shape[dim + count :])
    found = dispatch(call.op, (dy, *_with_examples(call, 1)), (inner, 0, wrap, *shard))
    return _back(found, dim, count)


def embedding_sum(call: BatchedCall) -> Any:
    """Tokens of all examples, whose positions are alike or a number for each; tables of examples one by one."""
    _, of_weight, of_places, of_positions = call.batched
    positions = call.metas[3]
    for_each = positions is not None and positions.ndim == call.metas[0].ndim  # type: ignore[union-attr]
    if of_weight or of_places or (of_positions and not for_each):
        return looped(call)
    inputs = (every(call, 0), *call.inputs[1:3], every(call, 3) if for_each else call.inputs[3])
    return dispatch(call.op, inputs, call.attrs, call.dynamic)


def index_put(call: BatchedCall) -> Any:
    """A tensor with values written or added at indices."""
    dim, accumulate, wrap, inplace, *shard = call.attrs
    count = len(call.inputs) - 2
    if not any(call.batched[2:]):
        x = call.out if call.out is not None else every(call, 0)
        value = _like_indexed(call, every(call, 1))
        attrs = (dim + 1, accumulate, wrap, inplace, *shard)
        return dispatch(call.op, (x, value, *call.inputs[2:]), attrs, (), call.out)
    index_ndim = call.metas[2].ndim  # type: ignore[union-attr]
    x = _indexed_first(every(call, 0), dim, count)
    value = _indexed_first(_like_indexed(call, every(call, 1)), dim, index_ndim)
    found = dispatch(call.op, (x, value, *_with_examples(call, 2)), (0, accumulate, wrap, False, *shard))
    found = _back(found, dim, count)
    return found if call.out is None else copy_(call.out, found)


def nonzero(call: BatchedCall) -> Any:
    """The number of results differs from example to example."""
    raise without_batch("nonzero")


def _like_indexed(call: BatchedCall, value: Tensor) -> Tensor:
    """Values of the shape that a read at the indices would have."""
    own, index = call.metas[0], call.metas[2]
    assert own is not None and index is not None
    dim, count = call.attrs[0], len(call.inputs) - 2
    shape = (call.size, *own.shape[:dim], *index.shape, *own.shape[dim + count :])
    for _ in range(len(shape) - value.meta.ndim):
        value = reshape(value, (value.meta.shape[0], 1, *value.meta.shape[1:]))
    return expand(value, shape)


def _indexed_first(x: Tensor, dim: int, count: int) -> Tensor:
    """(batch, before..., indexed..., behind...) as (batch, indexed..., before..., behind...)."""
    if not dim:
        return x
    middle = range(1 + dim, 1 + dim + count)
    return permute(x, (0, *middle, *range(1, 1 + dim), *range(1 + dim + count, x.meta.ndim)))


def _back(x: Tensor, dim: int, count: int) -> Tensor:
    """The reverse of `_indexed_first`."""
    if not dim:
        return x
    before = range(1 + count, 1 + count + dim)
    return permute(x, (0, *before, *range(1, 1 + count), *range(1 + count + dim, x.meta.ndim)))


def _to_front(x: Tensor, dim: int) -> Tensor:
    return permute(x, (dim, *range(dim), *range(dim + 1, x.meta.ndim))) if dim else x


def _with_examples(call: BatchedCall, first: int) -> list[Tensor]:
    """The indices of all examples, and before them the numbers of the examples."""
    indices = [every(call, k) for k in range(first, len(call.inputs))]
    meta = indices[0].meta
    numbers = cast(arange(0, call.size, 1, **beside(indices[0])), meta.dtype)
    own = reshape(numbers, (call.size, *[1] * (meta.ndim - 1)))
    return [expand(own, meta.shape), *indices]
