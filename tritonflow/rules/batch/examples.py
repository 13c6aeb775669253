"""What batching rules are written with: inputs of all examples, dimensions folded together and taken apart, and a loop."""

from __future__ import annotations

import warnings
from typing import Any

from tritonflow.execution import eager_local, lazy
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.meta import Shape
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.cast import clone
from tritonflow.functions.creation import zeros
from tritonflow.functions.join import cat
from tritonflow.functions.view import expand, reshape, select, unsqueeze
from tritonflow.functions.view_orders import permute
from tritonflow.interpreter.batched import BatchedCall
from tritonflow.interpreter.dispatch import dispatch, dispatch_view

_as_strided, _unsqueeze = op_expr("as_strided"), op_expr("unsqueeze")

_warned: set[str] = set()


def every(call: BatchedCall, position: int) -> Any:
    """An input of all examples: one that they share is expanded. None for an absent one."""
    x = call.inputs[position]
    if x is None or call.batched[position]:
        return x
    return expand(unsqueeze(x, 0), (call.size, *x.meta.shape))


def all_of(call: BatchedCall) -> list[Any]:
    """All inputs, each of all examples."""
    return [every(call, k) for k in range(len(call.inputs))]


def widened(x: Tensor, ndim: int) -> Tensor:
    """Examples with dimensions of size 1 put behind the first one, so that they have `ndim` dimensions beside it."""
    for _ in range(ndim + 1 - x.meta.ndim):
        x = dispatch_view(_unsqueeze, x, (1,))
    return x


def aligned(call: BatchedCall, position: int, ndim: int) -> Any:
    """An input that broadcasts with examples of `ndim` dimensions."""
    x = call.inputs[position]
    return widened(x, ndim) if x is not None and call.batched[position] else x


def folded(x: Tensor, dim: int = 0) -> Tensor:
    """(batch, ..., n, ...) as (..., batch * n, ...), where n is dimension `dim` of an example."""
    shape = x.meta.shape
    if dim:
        order = (*range(1, dim + 1), 0, *range(dim + 1, len(shape)))
        x = permute(x, order)
    own = shape[1:]
    return reshape(x, (*own[:dim], shape[0] * own[dim], *own[dim + 1 :]))


def unfolded(x: Tensor, size: int, dim: int = 0) -> Tensor:
    """The reverse of `folded`."""
    shape = x.meta.shape
    count = shape[dim] // size if size else 0
    x = reshape(x, (*shape[:dim], size, count, *shape[dim + 1 :]))
    return permute(x, (dim, *range(dim), *range(dim + 1, len(shape) + 1))) if dim else x


def looped(call: BatchedCall) -> Any:
    """The op for one example after the other: the rule of ops that have no better one."""
    _warn_of_loop(call.op.name)
    if not call.size:
        return _of_no_examples(call)
    found = []
    for k in range(call.size):
        out = None if call.out is None else select(call.out, 0, k)
        inputs = [
            out if out is not None and x is call.out else select(x, 0, k) if mine else x
            for x, mine in zip(call.inputs, call.batched)
        ]
        found.append(dispatch(call.op, tuple(inputs), call.attrs, call.dynamic, out))
    if call.out is not None:
        return call.out
    if call.op.single_output:
        return stacked(found)
    return tuple([stacked(list(outputs)) for outputs in zip(*found)])


def stacked(tensors: list[Any]) -> Any:
    """Tensors along a new first dimension."""
    return cat([unsqueeze(x, 0) for x in tensors], 0)


def _of_no_examples(call: BatchedCall) -> Any:
    if call.out is not None:
        return call.out
    plan = eager_local.make_plan(call.op, call.metas, call.attrs, lazy.classes(call.dynamic))
    made = [zeros((0, *meta.shape), dtype=meta.dtype, device=meta.device) for meta in plan.outputs]
    return made[0] if call.op.single_output else tuple(made)


def _warn_of_loop(name: str) -> None:
    if name not in _warned:
        _warned.add(name)
        warnings.warn(
            f"There is a performance drop because we have not yet implemented the batching rule for {name}: it runs for one"
            " example after the other.",
            stacklevel=6,
        )


def by_strides(x: Tensor, shape: Shape, stride: Shape, elements: int) -> Tensor:
    """The view of a tensor with a shape, strides, and so many elements behind its first."""
    return dispatch_view(_as_strided, x, (shape, stride, elements))


def repeated(x: Tensor, count: int) -> Any:
    """So many copies of a tensor along a new first dimension."""
    return clone(expand(unsqueeze(x, 0), (count, *x.meta.shape)))
