"""The ops between local and consistent tensors, and from one layout to another. `consistent.apply` calls them by the registry.

Their derivatives are formulas of the registry, so that gradients go the opposite way, and are differentiable again.
"""

from __future__ import annotations

from tritonflow.boxing.views import absent_shard
from tritonflow.errors import PlacementError
from tritonflow.execution.context import OpContext
from tritonflow.execution.op_expr import OpExpr, op_expr
from tritonflow.framework.consistent_meta import ConsistentTensorMeta, shard_box
from tritonflow.framework.meta import Shape
from tritonflow.framework.placement import Placement
from tritonflow.framework.sbp import NdSbp, nd_text
from tritonflow.framework.shards import box_shape
from tritonflow.framework.tensor import Tensor
from tritonflow.interpreter import layout
from tritonflow.interpreter.inplace import is_of_leaf
from tritonflow.interpreter.rank_metas import RankMeta, logical_meta, require_same
from tritonflow.interpreter.shard import from_local, local_shard, run_local, shared_with_local
from tritonflow.thread_state import slow_path, thread_state
from tritonflow.wire.world import this_rank

Inputs = tuple[Tensor | None, ...]

_contiguous_copy = op_expr("contiguous_copy")


def cast_to_consistent(op: OpExpr, inputs: Inputs, context: OpContext) -> Tensor:
    """A consistent tensor whose shards are the ranks' local tensors; where it is broadcast, the first rank's.

    Attributes of the op: placement, sbp, the sbp that the gradient goes through and the one that it ends with, the shape where it
    is known, and whether the ranks' metas are compared.

    Raises:
        PlacementError: the ranks' shapes or dtypes are not those of shards of one tensor.
    """
    (x,) = inputs
    assert x is not None
    placement, sbp, _, _, shape, check_meta = context.attrs
    dtype = x.meta.dtype
    is_captured = slow_path.count and thread_state.observer.is_capturing
    if shape is None:
        own = RankMeta(tuple(map(int, x.meta.shape)), dtype)
        shape, dtype = logical_meta(own, placement, sbp, check_meta and not is_captured)
    else:
        _require_shard(x, shape, placement, sbp)
    if is_captured:  # the ranks compare it behind the capture
        text = f"a {dtype.name}{list(shape)} of local tensors, as {nd_text(sbp)} over {placement}"
        thread_state.observer.over_ranks.told(text, placement)
    source = _first_of_broadcast(placement, sbp)
    inside = source.coordinate(this_rank().index) is not None
    if inside:  # strides that the other ranks do not know would decide what is a view
        shard = x if x.meta.is_contiguous else run_local(_contiguous_copy, (x,), OpContext())
    else:
        shard = absent_shard(dtype, placement)
    shared_with_local.add(shard.impl)
    given = from_local(shard, ConsistentTensorMeta.get(shape, dtype, source, sbp, shard.meta))
    return _on_leaf(x, given if source is placement else layout.box(given, placement, sbp))


def cast_from_consistent(op: OpExpr, inputs: Inputs, context: OpContext) -> Tensor:
    """The shard of this rank, on the same memory; of no elements outside of the placement."""
    (x,) = inputs
    assert x is not None
    shared_with_local.add(x.impl)
    shard = local_shard(x)
    return _on_leaf(x, Tensor(shard.meta, shard.impl, shard.ptr))


def consistent_to_consistent(op: OpExpr, inputs: Inputs, context: OpContext) -> Tensor:
    """The same tensor over another placement, or with another sbp.

    Attributes of the op: placement, sbp, those of the gradient, and whether the ranks are asked if they want the same.

    Raises:
        PlacementError: ranks want different placements or sbp.
    """
    (x,) = inputs
    assert x is not None
    placement, sbp, _, _, check_meta = context.attrs
    if check_meta and not (slow_path.count and thread_state.observer.is_capturing):
        require_same((placement, sbp), "to_global")
    boxed = layout.box(x, placement, sbp)
    if boxed is x:
        return _on_leaf(x, Tensor(x.meta, x.impl, x.ptr))
    return layout.unshared(boxed, x)


def _on_leaf(x: Tensor, result: Tensor) -> Tensor:
    """A result, of which a capture must know where it is on the memory of a leaf: its history is made inside, and ends there."""
    if slow_path.count and thread_state.observer.is_capturing and result.impl is x.impl and is_of_leaf(x):
        result._view = (x, None, (), x.impl.version)
    return result


def _require_shard(x: Tensor, shape: Shape, placement: Placement, sbp: NdSbp) -> None:
    box = shard_box(shape, placement, sbp, placement.coordinate(this_rank().index))
    if box is not None and box_shape(box) != x.meta.shape:
        raise PlacementError(
            f"local_to_global(): expected the shard of size {list(box_shape(box))} of a tensor of size {list(shape)} as"
            f" {nd_text(sbp)}, but got a tensor of size {list(x.meta.shape)}"
        )


def _first_of_broadcast(placement: Placement, sbp: NdSbp) -> Placement:
    """The ranks whose local tensors count: along a dimension in which the tensor is broadcast, the first ones."""
    index = tuple([slice(0, 1) if one.is_broadcast else slice(None) for one in sbp])
    return Placement(placement.type, placement.ranks[index], members_only=placement.members_only)
