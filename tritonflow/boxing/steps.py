"""Runs a route on this rank."""

from __future__ import annotations

from tritonflow.boxing.moves import Move, Transfer
from tritonflow.boxing.program import MoveProgram
from tritonflow.boxing.routes import Route
from tritonflow.boxing.views import absent_shard, as_shape
from tritonflow.errors import ShapeError
from tritonflow.execution.transfer import on_device
from tritonflow.framework.shards import box_shape
from tritonflow.framework.tensor import Tensor
from tritonflow.wire.world import this_rank


def run_route(route: Route, x: Tensor, what: str = "") -> Tensor:
    """This rank's shard of the target, from its shard of the source. Autograd does not record it.

    The result may share memory with `x`: where nothing moves it is `x` or a view of it.

    Args:
        x: a local tensor; of shape (0,) on a rank outside of the source's placement.
        what: the op that needs it, for errors and profiles; empty where the program asks for it.

    Raises:
        ShapeError: `x` is no shard of the source.
    """
    if not route.steps:
        return x
    rank = this_rank().index
    for move in route.steps:
        if isinstance(move, Transfer):
            x = _transferred(move, rank, x)
        else:
            program = move.programs.get((rank, x.meta)) or _new_program(route, move, rank, x)
            x = program.run(x, f"{move.text} of {route.tensor_text}{what and ', for '}{what}")
    shape = route.shard_shape(rank)
    return x if x.meta.shape == shape else as_shape(x, shape)


def _transferred(move: Transfer, rank: int, x: Tensor) -> Tensor:
    placement = move.target.placement
    if placement.coordinate(rank) is None:
        return absent_shard(x.meta.dtype, placement)
    return on_device(x, placement.device())


def _new_program(route: Route, move: Move, rank: int, x: Tensor) -> MoveProgram:
    if move is route.steps[0]:
        _check_shard(route, rank, x)
    program = move.programs[rank, x.meta] = MoveProgram(move, rank, x.meta)
    return program


def _check_shard(route: Route, rank: int, x: Tensor) -> None:
    holding = route.source.holding(rank)
    shape = (0,) if holding is None else box_shape(holding.box)
    if x.meta.shape != shape or x.meta.dtype is not route.dtype:
        raise ShapeError(
            f"boxing {route.tensor_text} from {route.source}: expected a shard of shape {list(shape)} and {route.dtype} on rank"
            f" {rank}, got {list(x.meta.shape)} and {x.meta.dtype}"
        )
