"""Movement: a collective as boxing, and its adjoint.

The tensors of the ranks are the shards of one consistent tensor: summands are its partial shares, pieces its split ones, copies are
broadcast. So every collective is a route from one layout to another. Its adjoint goes back, with partial and broadcast exchanged:
who copied a tensor to several ranks adds the gradients of the copies, and the gradient of a sum goes to every summand.
"""

from __future__ import annotations

from typing import Any

from tritonflow.autograd.function import Function, FunctionCtx
from tritonflow.boxing.pieces import Layout
from tritonflow.boxing.routes import route
from tritonflow.boxing.steps import run_route
from tritonflow.framework.placement import Placement
from tritonflow.framework.sbp import Sbp, broadcast, partial_sum, split
from tritonflow.framework.tensor import Tensor
from tritonflow.wire.record import Ranks

Shape = tuple[int, ...]


class Movement(Function):
    """`Movement.apply(x, source, target, what)`: this rank's shard by the source layout becomes its shard by the target.

    A rank outside of a layout gives, or gets, a tensor of shape (0,). `what` names the collective in errors and profiles.
    """

    @staticmethod
    def forward(ctx: FunctionCtx, x: Tensor, source: Layout, target: Layout, what: str) -> Tensor:  # type: ignore[override]
        ctx.back = adjoint(target), adjoint(source), f"backward of {what}"  # type: ignore[attr-defined]
        return moved(x.contiguous(), source, target, what)

    @staticmethod
    def backward(ctx: FunctionCtx, dy: Tensor) -> Any:  # type: ignore[override]
        return Movement.apply(dy, *ctx.back), None, None, None  # type: ignore[attr-defined]


def moved(x: Tensor, source: Layout, target: Layout, what: str) -> Tensor:
    """The same, which autograd does not see, of a tensor as the source has it."""
    return run_route(route(source, target, x.meta.dtype), x, what)


def adjoint(layout: Layout) -> Layout:
    """How the gradient of a tensor with this layout lies."""
    return layout._replace(sbp=tuple([_adjoint(s, layout.placement) for s in layout.sbp]))


def _adjoint(sbp: Sbp, placement: Placement) -> Sbp:
    if sbp.is_split or placement.size == 1:
        return sbp
    return partial_sum if sbp.is_broadcast else broadcast


def copies(shape: Shape, type: str, ranks: Ranks) -> Layout:
    """Each of some ranks has all of it."""
    return Layout(shape, Placement(type, ranks, members_only=True), (broadcast,))


def summands(shape: Shape, type: str, ranks: Ranks) -> Layout:
    """Each of some ranks has a summand of each element."""
    return Layout(shape, Placement(type, ranks, members_only=True), (partial_sum,))


def pieces(shape: Shape, type: str, ranks: Ranks) -> Layout:
    """Each of some ranks has a row."""
    return Layout(shape, Placement(type, ranks, members_only=True), (split(0),))


def alone(shape: Shape, type: str, rank: int) -> Layout:
    """One rank has it."""
    return Layout(shape, Placement(type, [rank], members_only=True), (broadcast,))
