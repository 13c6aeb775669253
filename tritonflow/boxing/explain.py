"""flow.boxing.explain: by which route a tensor gets from one layout to another, what that moves, and what else was considered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tritonflow.boxing.links import node_size
from tritonflow.boxing.pieces import Layout
from tritonflow.boxing.routes import Route, route, routes
from tritonflow.dtypes import DType
from tritonflow.errors import LocalityError, ShapeError
from tritonflow.framework.placement import Placement
from tritonflow.framework.sbp import Sbp, nd_sbp
from tritonflow.framework.tensor import Tensor


class RouteExplanation:
    """A route, as `explain` found it; prints as a table.

    Attributes:
        route: from layout to layout.
        bytes: how many bytes each rank sends to others; ranks that send none are not among them.
        total_bytes: of all ranks.
        seconds: the estimated time.
        alternatives: the other routes that were considered, the best first.
    """

    def __init__(self, chosen: Route, alternatives: list[Route]) -> None:
        self.route = chosen
        self.alternatives = alternatives

    @property
    def bytes(self) -> dict[int, int]:
        """How many bytes each rank sends to others."""
        return self.route.bytes

    @property
    def total_bytes(self) -> int:
        """How many bytes all ranks send."""
        return self.route.total_bytes

    @property
    def seconds(self) -> float:
        """The estimated time."""
        return self.route.seconds - self.route.seconds_later

    def __repr__(self) -> str:
        found = self.route
        lines = [f"{found.tensor_text}: {found.source} -> {found.target}"]
        if not found.steps:
            return lines[0] + "\n  nothing moves: it lies so already"
        width = max(len(str(move.target)) for move in found.steps)
        lines += [f"  -> {move.target!s:{width}}  {move.verbs()}" for move in found.steps]
        lines.append(f"  {_amount(found.total_bytes)} in {_time(self.seconds)} (estimated)" + _each(found.bytes))
        if found.seconds_later:
            lines.append(f"  later {_time(found.seconds_later)} to combine the shares that it makes")
        lines += [f"  instead of {_summary(other)}" for other in self.alternatives]
        return "\n".join(lines)


def explain(source: Any, target: Any) -> RouteExplanation:
    """By which route a tensor is boxed, with bytes, an estimate of the time, and the alternatives. Nothing is moved.

    Args:
        source: a consistent tensor, or (shape, dtype, placement, sbp).
        target: an sbp over the same placement, (placement, sbp), or a consistent tensor that lies as wanted.

    Raises:
        RuntimeError: a tensor is local, an sbp does not fit the placement or the tensor, or the shapes of two tensors differ.

    Example:
        >>> import tritonflow as flow
        >>> one = flow.placement("cpu", ranks=[0])
        >>> flow.boxing.explain(((4, 6), flow.float32, one, flow.sbp.split(0)), flow.sbp.broadcast)
        float32[4, 6]: S0 on cpu[0] -> B on cpu[0]
          -> B on cpu[0]  local
          0 bytes in 2 us (estimated)

    Source: the bytes are those of OneFlow's boxing costs (oneflow/core/framework/sbp_infer_util.cpp).
    """
    begin, dtype = _source(source)
    end = _target(begin, target)
    chosen = route(begin, end, dtype)
    others = sorted(routes(begin, end, dtype, node_size()), key=lambda r: r.cost)
    return RouteExplanation(chosen, [other for other in others if other.digest != chosen.digest])


def _source(given: Any) -> tuple[Layout, DType]:
    if isinstance(given, Tensor):
        return _layout_of(given, "source"), given.meta.dtype
    if isinstance(given, tuple) and len(given) == 4:
        shape, dtype, placement, sbp = given
        if isinstance(dtype, DType) and isinstance(placement, Placement):
            return _layout(tuple(shape), placement, sbp), dtype
    raise TypeError(
        "explain(): argument 'source' must be a consistent tensor or (shape, dtype, placement, sbp), not "
        + type(given).__name__
    )


def _target(source: Layout, given: Any) -> Layout:
    if isinstance(given, Tensor):
        target = _layout_of(given, "target")
        if target.shape != source.shape:
            raise ShapeError(f"explain(): boxing changes no shape, from {list(source.shape)} to {list(target.shape)}")
        return target
    if isinstance(given, tuple) and len(given) == 2 and isinstance(given[0], Placement):
        return _layout(source.shape, *given)
    if isinstance(given, (Sbp, tuple, list)):
        return _layout(source.shape, source.placement, given)
    raise TypeError(
        "explain(): argument 'target' must be sbp, (placement, sbp) or a consistent tensor, not " + type(given).__name__
    )


def _layout(shape: tuple[int, ...], placement: Placement, sbp: Sbp | Sequence[Sbp]) -> Layout:
    return Layout(shape, placement, nd_sbp("explain", sbp, placement.ndim, len(shape)))


def _layout_of(x: Tensor, argument: str) -> Layout:
    meta: Any = x.meta
    if meta.is_local:
        raise LocalityError(
            f"explain(): argument '{argument}' is a local tensor, which is boxed by no route; expected a consistent one"
            " (help: x.to_global(placement, sbp))"
        )
    return Layout(meta.shape, meta.placement, meta.sbp)


def _summary(other: Route) -> str:
    moves = ", ".join(f"{move.verbs()} -> {move.target}" for move in other.steps)
    return f"{moves}: {_amount(other.total_bytes)} in {_time(other.seconds - other.seconds_later)}"


def _each(sent: dict[int, int]) -> str:
    """Which rank sends how much; ranks that send the same stand together."""
    by_amount: dict[int, list[int]] = {}
    for rank, n in sent.items():
        by_amount.setdefault(n, []).append(rank)
    parts = [
        f"{_amount(n)} by {'rank' if len(r) == 1 else 'each of ranks'} {', '.join(map(str, r))}"
        for n, r in by_amount.items()
    ]
    return "; " + "; ".join(parts) if parts else ""


def _amount(n: int) -> str:
    if n < 10_000:
        return f"{n:,} bytes"
    for unit, size in (("kB", 10**3), ("MB", 10**6)):
        if n < 1000 * size:
            return f"{n / size:.1f} {unit}"
    return f"{n / 1e9:,.1f} GB"


def _time(seconds: float) -> str:
    return f"{seconds * 1e3:.1f} ms" if seconds >= 1e-3 else f"{seconds * 1e6:.0f} us"
