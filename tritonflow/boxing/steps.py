"""Runs a route on this rank, or records it."""

from __future__ import annotations

from tritonflow.boxing.moves import Move, Transfer
from tritonflow.boxing.program import EAGER, MoveProgram, Road, seen_as
from tritonflow.boxing.routes import Route
from tritonflow.boxing.views import absent_shard, whole
from tritonflow.device.device import META
from tritonflow.errors import CaptureError, ShapeError
from tritonflow.execution.context import OpContext
from tritonflow.execution.op_expr import op_expr
from tritonflow.execution.transfer import allocate, on_device
from tritonflow.framework.meta import TensorMeta, contiguous_meta
from tritonflow.framework.shards import box_shape
from tritonflow.framework.tensor import Tensor
from tritonflow.thread_state import slow_path, thread_state
from tritonflow.wire.world import this_rank

_contiguous_copy = op_expr("contiguous_copy")


def run_route(route: Route, x: Tensor, what: str = "") -> Tensor:
    """This rank's shard of the target, from its shard of the source; in a capture what stands for it. Autograd does not record it.

    The result may share memory with `x`: where nothing moves it is `x` or a view of it.

    Args:
        x: a local tensor; of shape (0,) on a rank outside of the source's placement.
        what: the op that needs it, for errors and profiles; empty where the program asks for it.

    Raises:
        ShapeError: `x` is no shard of the source.
        NoDataError: it is on the meta device, and the target is not.
    """
    if not route.steps:
        return x
    device = route.target.placement.device()
    if device is META or x.meta.device is META:  # there is nothing to move
        return on_device(allocate(contiguous_meta(route.shard_shape(this_rank().index), route.dtype, META)), device)
    if slow_path.count and thread_state.observer.is_capturing:
        box: Tensor = thread_state.observer.over_ranks.box(route, x, what)
        return box
    return moved(route, x, what, EAGER)


def moved(route: Route, x: Tensor, what: str, road: Road) -> Tensor:
    """This rank's shard of the target, by the ops and verbs of a road."""
    rank = this_rank().index
    for move in route.steps:
        if isinstance(move, Transfer):
            x = _transferred(move, rank, x)
        else:
            x = _program(route, move, rank, x.meta).run(x, f"{move.text} of {route.tensor_text}{what and ', for '}{what}", road)
    shape = route.shard_shape(rank)
    if x.meta.shape == shape:
        return x
    if not x.meta.is_contiguous:
        x = road.apply(_contiguous_copy, (x,), OpContext())
    return whole(x.meta).run(0, shape).of(x)


def moved_meta(route: Route, meta: TensorMeta) -> TensorMeta:
    """The meta that `moved` gives for a shard of this one.

    Raises:
        ShapeError: it is no shard of the source.
        CaptureError: the route leads to another device.
    """
    rank = this_rank().index
    for move in route.steps:
        if isinstance(move, Transfer):
            raise CaptureError(f"{route.tensor_text} goes to another device ({move.text}): move it outside of the graph")
        meta = _program(route, move, rank, meta).gives
    return seen_as(meta, route.shard_shape(rank))


def _transferred(move: Transfer, rank: int, x: Tensor) -> Tensor:
    placement = move.target.placement
    if placement.coordinate(rank) is None:
        return absent_shard(x.meta.dtype, placement)
    return on_device(x, placement.device())


def _program(route: Route, move: Move, rank: int, meta: TensorMeta) -> MoveProgram:
    program: MoveProgram | None = move.programs.get((rank, meta))
    if program is None:
        if move is route.steps[0]:
            _check_shard(route, rank, meta)
        program = move.programs[rank, meta] = MoveProgram(move, rank, meta)
    return program


def _check_shard(route: Route, rank: int, meta: TensorMeta) -> None:
    holding = route.source.holding(rank)
    shape = (0,) if holding is None else box_shape(holding.box)
    if meta.shape != shape or meta.dtype is not route.dtype:
        raise ShapeError(
            f"boxing {route.tensor_text} from {route.source}: expected a shard of shape {list(shape)} and {route.dtype} on rank"
            f" {rank}, got {list(meta.shape)} and {meta.dtype}"
        )
