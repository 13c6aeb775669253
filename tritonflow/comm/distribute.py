"""From one consistent tensor to a tensor on each of its ranks, and back: OneFlow's distribute ops; and `select_top_n`.

The tensors of single ranks are the shards of the whole, relabelled: nothing moves here. What has to move is boxed before, to the
sbp that the function stands for. Each function is the adjoint of another one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tritonflow import _C
from tritonflow.autograd.function import Function, FunctionCtx
from tritonflow.boxing.views import absent_shard
from tritonflow.errors import ArgumentTypeError, InvalidArgumentError, LocalityError, ShapeError, type_name
from tritonflow.execution.eager_local import contiguous_copy
from tritonflow.framework.consistent_meta import ConsistentTensorMeta
from tritonflow.framework.placement import Placement
from tritonflow.framework.sbp import Sbp, broadcast, nd_sbp, partial_sum, split
from tritonflow.framework.shards import balanced
from tritonflow.framework.tensor import Tensor
from tritonflow.interpreter.shard import from_local, local_shard
from tritonflow.wire.world import this_rank


def distribute_split(x: Tensor, dim: int = 0) -> tuple[Tensor, ...]:
    """A tensor of each rank's piece of `dim`, the k-th on the k-th rank of x's placement alone.

    Args:
        x: consistent, over a placement with one dimension.
        dim: which dimension; pieces differ by one element at most.
    """
    _check_line("distribute_split", x)
    (sbp,) = nd_sbp("distribute_split", split(dim), 1, x.ndim)
    return Spread.apply(_boxed(x, sbp), sbp)


def distribute_clone(x: Tensor) -> tuple[Tensor, ...]:
    """A copy of x on each rank of its placement alone. x is consistent, over a placement with one dimension."""
    _check_line("distribute_clone", x)
    return Spread.apply(_boxed(x, broadcast), broadcast)


def distribute_concat(tensors: Sequence[Tensor], dim: int = 0) -> Tensor:
    """The tensors of several ranks behind each other along `dim`, split over these ranks.

    Args:
        tensors: consistent ones, each on another rank alone.
        dim: along which; the other sizes are equal.
    """
    placement = _placement_of("distribute_concat", tensors)
    first = tensors[0]
    (sbp,) = nd_sbp("distribute_concat", split(dim), 1, first.ndim)
    assert sbp.dim is not None
    sizes = []
    for k, x in enumerate(tensors):
        size = x.shape[sbp.dim] if x.ndim == first.ndim else 0
        expected = (*first.shape[: sbp.dim], size, *first.shape[sbp.dim + 1 :])
        if x.shape != expected:
            raise ShapeError(f"distribute_concat(): expected tensor {k} of size {list(expected)}, got {list(x.shape)}")
        sizes.append(size)
    pieces = [balanced(sum(sizes), len(sizes), k) for k in range(len(sizes))]
    if all(stop - start == size for (start, stop), size in zip(pieces, sizes)):
        return JoinPieces.apply(sbp, placement, *tensors)
    whole: Tensor = _C.cat([x.to_global(placement, broadcast) for x in tensors], sbp.dim)
    return _boxed(whole, sbp)


def distribute_add(tensors: Sequence[Tensor]) -> Tensor:
    """The sum of the tensors of several ranks, as a partial one over these ranks.

    Args:
        tensors: consistent ones of one shape and dtype, each on another rank alone.
    """
    placement = _placement_of("distribute_add", tensors)
    for k, x in enumerate(tensors):
        if x.shape != tensors[0].shape:
            raise ShapeError(f"distribute_add(): expected tensor {k} of size {list(tensors[0].shape)}, got {list(x.shape)}")
    return JoinPieces.apply(partial_sum, placement, *tensors)


def select_top_n(inputs: Sequence[Tensor], n: int) -> tuple[Tensor, ...]:
    """The first n tensors; backward gives the others gradients of zeros.

    So parameters that a loss does not use take part in its backward, as data parallelism needs it.

    Example:
        >>> import tritonflow as flow
        >>> loss, unused = flow.ones(2, requires_grad=True), flow.ones(3, requires_grad=True)
        >>> flow.comm.select_top_n([loss, unused], 1)[0].sum().backward()
        >>> unused.grad.tolist()
        [0.0, 0.0, 0.0]
    """
    if not 0 <= n <= len(inputs):
        raise InvalidArgumentError(f"select_top_n(): n={n}, but there are {len(inputs)} tensors")
    return SelectTopN.apply(n, *inputs)


class Spread(Function):
    """`Spread.apply(x, sbp)`: the shards of x, which has this sbp, each as a tensor on its rank alone."""

    @staticmethod
    def forward(ctx: FunctionCtx, x: Tensor, sbp: Sbp) -> tuple[Tensor, ...]:  # type: ignore[override]
        meta: Any = x.meta
        ctx.back = (partial_sum if sbp.is_broadcast else sbp), meta.placement  # type: ignore[attr-defined]
        return tuple([_alone(x, sbp, k) for k in range(meta.placement.size)])

    @staticmethod
    def backward(ctx: FunctionCtx, *grads: Tensor) -> Any:
        return JoinPieces.apply(*ctx.back, *grads), None  # type: ignore[attr-defined]


class JoinPieces(Function):
    """`JoinPieces.apply(sbp, placement, *tensors)`: a tensor with this sbp, whose shards are the tensors on single ranks."""

    @staticmethod
    def forward(ctx: FunctionCtx, sbp: Sbp, placement: Placement, *tensors: Tensor) -> Tensor:  # type: ignore[override]
        ctx.back = placement, broadcast if sbp.is_partial else sbp  # type: ignore[attr-defined]
        first = tensors[0].meta
        shape = first.shape
        if sbp.dim is not None:
            whole = sum(x.meta.shape[sbp.dim] for x in tensors)
            shape = (*shape[: sbp.dim], whole, *shape[sbp.dim + 1 :])
        coordinate = placement.coordinate(this_rank().index)
        if coordinate is None:
            shard = absent_shard(first.dtype, placement)
        else:
            shard = contiguous_copy(local_shard(tensors[coordinate[0]]))
        return from_local(shard, ConsistentTensorMeta.get(shape, first.dtype, placement, (sbp,), shard.meta))

    @staticmethod
    def backward(ctx: FunctionCtx, dy: Tensor) -> Any:  # type: ignore[override]
        placement, sbp = ctx.back  # type: ignore[attr-defined]
        return (None, None, *Spread.apply(dy.to_global(placement, sbp), sbp))


class SelectTopN(Function):
    """`SelectTopN.apply(n, *inputs)`: the first n inputs."""

    @staticmethod
    def forward(ctx: FunctionCtx, n: int, *inputs: Tensor) -> tuple[Tensor, ...]:  # type: ignore[override]
        ctx.unused = [x.detach() for x in inputs[n:]]  # type: ignore[attr-defined]
        return inputs[:n]

    @staticmethod
    def backward(ctx: FunctionCtx, *grads: Tensor) -> Any:
        return (None, *grads, *[_C.zeros_like(x) for x in ctx.unused])  # type: ignore[attr-defined]


def _alone(x: Tensor, sbp: Sbp, k: int) -> Tensor:
    """The shard of the k-th rank as a tensor on that rank."""
    meta: Any = x.meta
    placement = meta.placement
    rank, shape = placement.order[k], meta.shape
    if sbp.dim is not None:
        start, stop = balanced(shape[sbp.dim], placement.size, k)
        shape = (*shape[: sbp.dim], stop - start, *shape[sbp.dim + 1 :])
    if this_rank().index == rank:
        shard = contiguous_copy(local_shard(x))
    else:
        shard = absent_shard(meta.dtype, placement)
    alone = Placement(placement.type, [rank])
    return from_local(shard, ConsistentTensorMeta.get(shape, meta.dtype, alone, (broadcast,), shard.meta))


def _boxed(x: Tensor, sbp: Sbp) -> Tensor:
    boxed: Tensor = x.to_global(sbp=sbp)
    return boxed


def _check_line(function: str, x: Any) -> None:
    if not isinstance(x, Tensor):
        raise ArgumentTypeError(f"{function}(): argument 'x' must be tensor, not {type_name(x)}")
    if x.meta.is_local:
        raise LocalityError(f"{function}(): expected a global (consistent) tensor, but got a local one of size {list(x.shape)}")
    if x.placement.ndim != 1 or x.placement.members_only:
        raise InvalidArgumentError(f"{function}(): expected a placement with one dimension, known to all ranks, got {x.placement}")


def _placement_of(function: str, tensors: Any) -> Placement:
    """The ranks of tensors that lie on one rank each."""
    if not isinstance(tensors, (list, tuple)) or not tensors:
        raise ArgumentTypeError(f"{function}(): argument 'tensors' must be list of tensors, not {type_name(tensors)}")
    for k, x in enumerate(tensors):
        if not isinstance(x, Tensor):
            raise ArgumentTypeError(f"{function}(): tensor {k} must be tensor, not {type_name(x)}")
        if x.meta.is_local or x.placement.size != 1:
            where = "local" if x.meta.is_local else str(x.placement)
            raise LocalityError(f"{function}(): expected tensor {k} on one rank alone, but it is {where}")
    first = tensors[0].placement
    return Placement(first.type, [x.placement.order[0] for x in tensors])
