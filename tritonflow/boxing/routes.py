"""Routes: by which moves a tensor gets from one layout to another, at least cost.

A route is a pure function of global things: every rank finds the same one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from hashlib import blake2b
from math import prod

from tritonflow.boxing.links import LINKS, node_size
from tritonflow.boxing.moves import Move
from tritonflow.boxing.pieces import Layout, fits_one_move, makes_shares
from tritonflow.dtypes import DType, bool_
from tritonflow.errors import DTypeNotImplementedError
from tritonflow.framework.meta import numel_of
from tritonflow.framework.placement import Placement
from tritonflow.framework.sbp import Sbp, split


class Route:
    """How a tensor gets from a layout to another.

    Attributes:
        source, target, dtype: what it is for.
        steps: the moves, one behind the other; none where nothing changes.
        bytes: how many bytes each rank sends to others; ranks that send none are not among them.
        seconds: the estimated time; where it makes shares, with what it will take to combine them, or every op would make them.
        digest: 64 bits that are equal on all ranks that found the same route.
    """

    def __init__(self, source: Layout, target: Layout, dtype: DType, steps: tuple[Move, ...]) -> None:
        self.source, self.target, self.dtype, self.steps = source, target, dtype, steps
        sent: Counter[int] = Counter()
        for move in steps:
            sent.update(move.sent)
        self.bytes = {rank: n * dtype.itemsize for rank, n in sorted(sent.items()) if n}
        self.seconds = sum([move.seconds(dtype.itemsize) for move in steps]) + self._seconds_later()
        self.digest = _digest(f"{dtype.name} {source.shape} {source} {[f'{m.target} {m.verbs()}' for m in steps]}")

    def _seconds_later(self) -> float:
        if not self.steps or not makes_shares(self.steps[-1].source, self.target):
            return 0.0
        link, _ = LINKS[self.target.placement.type]
        shares = self.target.placement.size
        return link.latency + numel_of(self.target.shape) * self.dtype.itemsize * (shares - 1) / shares / link.rate

    @property
    def tensor_text(self) -> str:
        """For people: `float32[4, 8]`."""
        return f"{self.dtype.name}{list(self.source.shape)}"

    @property
    def total_bytes(self) -> int:
        """The bytes that all ranks send together."""
        return sum(self.bytes.values())

    def __repr__(self) -> str:
        return f"Route({self}, {self.total_bytes} bytes)"

    def __str__(self) -> str:
        return " -> ".join([str(self.source), *[str(move.target) for move in self.steps]])


def _digest(text: str) -> int:
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "little")


def route(source: Layout, target: Layout, dtype: DType) -> Route:
    """The route of least cost between two layouts of a tensor.

    Raises:
        NotImplementedError: it takes sums of bools, which are none.
    """
    return _route(source, target, dtype, node_size())


@lru_cache(maxsize=4096)
def _route(source: Layout, target: Layout, dtype: DType, node: int) -> Route:
    if dtype is bool_ and source != target and "sum" in (*source.partial_ops(), *target.partial_ops()):
        raise DTypeNotImplementedError(
            f"boxing {source} -> {target} of bool: partial_sum is not implemented for 'Bool', whose sums are no bools;"
            " help: partial_max is any, partial_min is all; or cast to int32 first"
        )
    return min(routes(source, target, dtype, node), key=lambda r: (r.seconds, r.total_bytes, len(r.steps)))


def routes(source: Layout, target: Layout, dtype: DType, node: int) -> Iterator[Route]:
    """Every route that is considered."""
    if source == target:
        yield Route(source, target, dtype, ())
        return
    flat_source, flat_target = _flat(source, target)
    if fits_one_move(source, target):
        yield Route(source, target, dtype, (Move(source, target, node),))
    for via in _intermediates(flat_source, flat_target):
        if via not in (flat_source, flat_target):
            moves = Move(flat_source, via, node), Move(via, flat_target, node)
            yield Route(source, target, dtype, moves)


def _flat(source: Layout, target: Layout) -> tuple[Layout, Layout]:
    """Both over one dimension, where every rank holds all elements: a row can then be cut anywhere."""
    if any(s.is_split for s in (*source.sbp, *target.sbp)):
        return source, target
    shape = (prod(source.shape),)
    return source._replace(shape=shape), target._replace(shape=shape)


def _intermediates(source: Layout, target: Layout) -> Iterator[Layout]:
    """Layouts without shares by which a tensor may go: split over the ranks of the source, of the target, or of both."""
    common = [r for r in source.placement.order if target.placement.coordinate(r) is not None]
    over = dict.fromkeys([source.placement.order, target.placement.order, tuple(common)])
    for order in over:
        if order:
            for sbp in _splits(source.shape):
                yield Layout(source.shape, Placement(source.placement.type, order), (sbp,))


def _splits(shape: tuple[int, ...]) -> list[Sbp]:
    return [split(d) for d in range(len(shape))]
