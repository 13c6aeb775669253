"""flow.boxing.explain: by which route a tensor gets from one layout to another, or the inputs of ops, and what else was considered.

A call is explained by making it without numbers: the interpreter of consistent tensors decides for each op as ever, notes what it
decided (`thread_state.explaining`), and returns tensors to which nothing is written.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from tritonflow.boxing.choose import Considered, consider, text_of
from tritonflow.boxing.links import node_size
from tritonflow.boxing.pieces import Layout
from tritonflow.boxing.placed import Metas, Placed, signatures
from tritonflow.boxing.routes import Route, route, routes
from tritonflow.dtypes import DType
from tritonflow.errors import LocalityError, ShapeError
from tritonflow.execution.transfer import allocate
from tritonflow.framework.consistent_meta import ConsistentTensorMeta
from tritonflow.framework.placement import Placement
from tritonflow.framework.sbp import NdSbp, Sbp, nd_sbp, nd_text
from tritonflow.framework.tensor import Tensor
from tritonflow.thread_state import enter_slow_path, leave_slow_path, thread_state

_MOST = 4  # alternatives of an op that are printed


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

    @property
    def lines(self) -> list[str]:
        """As it prints."""
        found = self.route
        lines = [f"{found.tensor_text}: {found.source} -> {found.target}"]
        if not found.steps:
            return [*lines, "  nothing moves: it lies so already"]
        width = max(len(str(move.target)) for move in found.steps)
        lines += [f"  -> {move.target!s:{width}}  {move.verbs()}" for move in found.steps]
        lines.append(f"  {_amount(found.total_bytes)} in {_time(self.seconds)} (estimated)" + _each(found.bytes))
        if found.seconds_later:
            lines.append(f"  later {_time(found.seconds_later)} to combine the shares that it makes")
        return [*lines, *[f"  instead of {_summary(other)}" for other in self.alternatives]]

    def __repr__(self) -> str:
        return "\n".join(self.lines)


class OpExplanation:
    """An op, as `explain` found it; prints as a table.

    Attributes:
        name: of the op.
        inputs, outputs: the nd-sbp with which it runs, None for an absent input.
        decomposed: whether it is put together from the ops that follow.
        routes: an explanation for every input that is boxed, by the input's name.
        bytes: how many bytes each rank sends to others; ranks that send none are not among them.
        total_bytes: of all ranks.
        seconds: the estimated time.
        alternatives: (signature, bytes, seconds) of what else was considered, the best first.
    """

    def __init__(self, placed: Placed, metas: Metas, over: ConsistentTensorMeta | None, sbp: NdSbp | None) -> None:
        op, signature = placed.op, placed.signature
        self.name = op.name
        self.inputs, self.outputs, self.decomposed = signature
        names = op.definition.inputs
        last = len(names) - 1
        routes = {} if self.decomposed else {k: found for k, found in enumerate(placed.routes) if found is not None}
        self.routes = {
            names[k] if k < last or len(metas) == len(names) else f"{names[last]}[{k - last}]": explained(found)
            for k, found in routes.items()
        }
        self.bytes, self.total_bytes, self.seconds = _together(list(self.routes.values()))
        others = signatures(op, metas, placed.attrs, over, placed.placement, sbp) if self.routes else []
        costs = sorted([consider(one, metas) for one in others if one != signature], key=lambda one: one.cost)
        self.alternatives = [(str(one), *_cost(one)) for one in costs]
        self._came = ", ".join("none" if meta is None else nd_text(meta.sbp) for meta in metas)
        self._signature = text_of(signature)

    def __repr__(self) -> str:
        lines = [f"{self.name} of ({self._came}): {self._signature}"]
        if self.decomposed:
            return lines[0] + ", put together from what follows"
        if not self.routes:
            return lines[0] + ", nothing moves"
        for name, found in self.routes.items():
            lines += [f"  {name} {found.lines[0]}", *[f"  {line}" for line in found.lines[1:]]]
        lines += [f"  instead of {text}: {_amount(n)} in {_time(s)}" for text, n, s in self.alternatives[:_MOST]]
        return "\n".join(lines)


class CallExplanation:
    """The ops of a call, as `explain` found them; prints as their tables.

    Attributes:
        steps: an explanation for every op on consistent tensors, and for every tensor that was laid out anew, in their order.
        bytes: how many bytes each rank sends to others; ranks that send none are not among them.
        total_bytes: of all ranks.
        seconds: the estimated time.
    """

    def __init__(self, steps: list[OpExplanation | RouteExplanation]) -> None:
        self.steps = steps
        self.bytes, self.total_bytes, self.seconds = _together(steps)

    def __repr__(self) -> str:
        return "\n".join([*map(repr, self.steps), f"{_amount(self.total_bytes)} in {_time(self.seconds)} (estimated)"])


def explain(source: Any, *target: Any, **arguments: Any) -> RouteExplanation | CallExplanation:
    """By which route a tensor is boxed, or what a call boxes, with bytes, an estimate of the time, alternatives. Nothing is moved.

    Args:
        source: a consistent tensor, or (shape, dtype, placement, sbp); or a function of tensors.
        target: an sbp over the same placement, (placement, sbp), or a consistent tensor that lies as wanted; or the arguments of
            the function. It is called without gradients on tensors of the arguments' layouts that hold no numbers, and nothing is
            written to the arguments. Views that need no boxing are not told. Random numbers are drawn, and local tensors that
            become consistent are compared: a function that does so is explained on all ranks.
        arguments: keyword arguments of the function.

    Raises:
        RuntimeError: a tensor is local, an sbp does not fit the placement or the tensor, or the shapes of two tensors differ.

    Example:
        >>> import tritonflow as flow
        >>> one = flow.placement("cpu", ranks=[0])
        >>> flow.boxing.explain(((4, 6), flow.float32, one, flow.sbp.split(0)), flow.sbp.broadcast)
        float32[4, 6]: S0 on cpu[0] -> B on cpu[0]
          nothing moves: it lies so already
        >>> x = flow.ones(4, 6, placement=one, sbp=flow.sbp.split(0))
        >>> flow.boxing.explain(flow.relu, x)
        relu of (S0): (S0) -> S0, nothing moves
        0 bytes in 0 us (estimated)

    Source: the bytes are those of OneFlow's boxing costs (oneflow/core/framework/sbp_infer_util.cpp).
    """
    if callable(source) and not isinstance(source, Tensor):
        return _explain_call(source, target, arguments)
    if "target" in arguments:
        target = *target, arguments.pop("target")
    if len(target) != 1 or arguments:
        raise TypeError("explain(): expected a source and one target, or a function and its arguments")
    begin, dtype = _source(source)
    return explained(route(begin, _target(begin, target[0]), dtype))


def explained(chosen: Route) -> RouteExplanation:
    """A route that was chosen, with its alternatives."""
    others = sorted(routes(chosen.source, chosen.target, chosen.dtype, node_size()), key=lambda r: r.cost)
    return RouteExplanation(chosen, [other for other in others if other.digest != chosen.digest])


def without_numbers(meta: ConsistentTensorMeta) -> Tensor:
    """A consistent tensor whose shard nothing has been written to."""
    shard = allocate(meta.local)
    return Tensor(meta, shard.impl, shard.ptr)


def _explain_call(function: Callable[..., Any], inputs: tuple[Any, ...], options: dict[str, Any]) -> CallExplanation:
    steps: list[OpExplanation | RouteExplanation] = []
    before = thread_state.explaining, thread_state.grad_enabled
    thread_state.explaining, thread_state.grad_enabled = steps, False
    enter_slow_path()  # every op is asked, those with plans as well
    try:
        function(*_stand_in(inputs), **_stand_in(options))
    finally:
        leave_slow_path()
        thread_state.explaining, thread_state.grad_enabled = before
    return CallExplanation(steps)


def _stand_in(given: Any) -> Any:
    """The same with other memory for consistent tensors, which may be written."""
    if isinstance(given, Tensor) and not given.meta.is_local:
        meta: Any = given.meta
        return without_numbers(meta.contiguous())
    if given.__class__ in (list, tuple):
        return given.__class__([_stand_in(one) for one in given])
    return {name: _stand_in(one) for name, one in given.items()} if given.__class__ is dict else given


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


def _together(steps: Sequence[OpExplanation | RouteExplanation]) -> tuple[dict[int, int], int, float]:
    """Bytes by rank, bytes and seconds."""
    sent: Counter[int] = Counter()
    for step in steps:
        sent.update(step.bytes)
    return dict(sorted(sent.items())), sum(sent.values()), sum([step.seconds for step in steps])


def _cost(one: Considered) -> tuple[int, float]:
    """Bytes and seconds of what was considered; with the seconds that it takes to combine the shares that it makes."""
    return sum([each.total_bytes for each in one.routes if each is not None]), one.cost[0]


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
