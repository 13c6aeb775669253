"""Routes: by which moves a tensor gets from one layout to another, at least cost.

A route is a pure function of global things: every rank finds the same one.

One move brings the fewest bytes, unless shares are combined for several ranks, or links differ:

    P -> B          P -> S -> B: every rank combines a piece, and all pieces are gathered.
                    Where the tensor is small, one move is quicker: every rank gets all shares.
    P -> Pmax       P -> S -> Pmax: sums are whole before they are shares of a maximum.
    (S0, S1) -> B   over several nodes, one mesh dimension after the other: fewer bytes go between nodes.
    (P, P) -> B     over several nodes, (P, P) -> (P, S) -> (S, S) -> (B, S) -> B: each move along one line of the grid.

Shares are combined along the innermost mesh dimension first, also by a move that combines all of them. So the bits of a sum do not
depend on the route.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from functools import cached_property, lru_cache
from hashlib import blake2b
from itertools import product

from tritonflow.boxing.closed import own_elements
from tritonflow.boxing.lines import grid
from tritonflow.boxing.links import LINKS, MEMORY_RATE, node_size
from tritonflow.boxing.moves import LOCAL, Move, Transfer
from tritonflow.boxing.pieces import Layout, fits_one_move, makes_shares
from tritonflow.device.device import is_gpu, kind_of
from tritonflow.dtypes import DType
from tritonflow.framework.meta import numel_of
from tritonflow.framework.placement import Placement
from tritonflow.framework.sbp import NdSbp, Sbp, split
from tritonflow.framework.shards import Shape, box_shape

Steps = tuple[Move | Transfer, ...]

_FEW_RANKS = 16
NANOSECOND = 1e-9  # costs that differ by less are equal


class Route:
    """How a tensor gets from a layout to another.

    Attributes:
        source, target, dtype: what it is for.
        steps: the moves, one behind the other; none where every rank has what it gets. Between plain layouts.
        total_bytes: the bytes that all ranks send to others together.
        seconds: the estimated time, `seconds_later` included.
        seconds_later: what it will take to combine the shares that it makes. Without it every op would make some.
        whole_bytes: how many bytes a rank holds afterwards, if each holds all elements and some had to be sent; else 0.
    """

    def __init__(self, source: Layout, target: Layout, dtype: DType, steps: Steps) -> None:
        self.source, self.target, self.dtype, self.steps = source, target, dtype, steps
        self._shard_shapes: dict[int, Shape] = {}
        self.total_bytes = sum([move.elements for move in steps]) * dtype.itemsize
        ranks = _count_ranks(source, target)
        self.seconds_later = self._seconds_later()
        self.seconds = sum([move.seconds(dtype.itemsize, ranks) for move in steps]) + self.seconds_later
        gathers = self.total_bytes > 0 and not any(s.is_split for s in target.plain().sbp)
        self.whole_bytes = numel_of(target.shape) * dtype.itemsize if gathers else 0

    @cached_property
    def bytes(self) -> dict[int, int]:
        """How many bytes each rank sends to others; ranks that send none are not among them."""
        ranks = sorted({r for move in self.steps for r in move.source.placement.order})
        sent = {rank: sum([move.sent_by(rank) for move in self.steps]) for rank in ranks}
        return {rank: n * self.dtype.itemsize for rank, n in sent.items() if n}

    @cached_property
    def digest(self) -> int:
        """64 bits that are equal on all ranks that found the same route."""
        moves = [f"{move.target} {move.verbs()}" for move in self.steps]
        return _digest(f"{self.dtype.name} {self.source.shape} {self.source} {moves}")

    def _seconds_later(self) -> float:
        if not self.steps or not makes_shares(self.steps[-1].source, self.steps[-1].target):
            return 0.0
        link, _ = LINKS[kind_of(self.target.placement.type)]
        shares = self.target.placement.size
        return link.latency + numel_of(self.target.shape) * self.dtype.itemsize * (shares - 1) / shares / link.rate

    def shard_shape(self, rank: int) -> Shape:
        """The shape of a rank's shard of the target."""
        shape = self._shard_shapes.get(rank)
        if shape is None:
            wanted = self.target.holding(rank)
            shape = self._shard_shapes[rank] = (0,) if wanted is None else box_shape(wanted.box)
        return shape

    @cached_property
    def combines_evenly(self) -> bool:
        """Whether it combines all shares, and the pieces of all ranks are of one size, so that their views are alike."""
        combines = bool(self.source.partial_ops()) and not self.target.partial_ops()
        sizes = [{stop - start for start, stop in ranges} for ranges in grid(self.source).ranges]
        return combines and all(len(of_dim) == 1 and 0 not in of_dim for of_dim in sizes)

    @property
    def cost(self) -> tuple[int, int]:
        """By which routes are compared: time and bytes."""
        return round(self.seconds / NANOSECOND), self.total_bytes

    @property
    def cost_of_equals(self) -> tuple[int, int]:
        """By which routes of equal cost are compared: bytes of the rank that sends most, if ranks are few, and moves."""
        few = _count_ranks(self.source, self.target) <= _FEW_RANKS
        return max(self.bytes.values(), default=0) if few else 0, len(self.steps)

    @cached_property
    def tensor_text(self) -> str:
        """For people: `float32[4, 8]`."""
        return f"{self.dtype.name}{list(self.source.shape)}"

    def __repr__(self) -> str:
        return f"Route({self}, {self.total_bytes} bytes)"

    def __str__(self) -> str:
        return " -> ".join([str(self.source), *[str(move.target) for move in self.steps]])


def _digest(text: str) -> int:
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "little")


def _count_ranks(source: Layout, target: Layout) -> int:
    return len({*source.placement.order, *target.placement.order})


def route(source: Layout, target: Layout, dtype: DType) -> Route:
    """The route of least cost between two layouts of a tensor."""
    return _route(source, target, dtype, node_size())


@lru_cache(maxsize=1024)
def _route(source: Layout, target: Layout, dtype: DType, node: int) -> Route:
    found = list(routes(source, target, dtype, node))
    least = min([one.cost for one in found])
    cheapest = [one for one in found if one.cost == least]
    return cheapest[0] if len(cheapest) == 1 else min(cheapest, key=lambda one: one.cost_of_equals)


@lru_cache(maxsize=4096)
def least_seconds(source: Layout, target: Layout, dtype: DType) -> float:
    """What every route takes at least, besides what it leaves for later. It is found by what each rank lacks, which is quick."""
    source, target = source.plain(), target.plain()
    if source == target or source.placement.type != target.placement.type:
        return 0.0
    kind = kind_of(source.placement.type)
    sent, combined = _least_elements(source, target)
    latency = min([link.latency for link in LINKS[kind]]) if sent else LOCAL
    rate = max([link.rate for link in LINKS[kind]])
    ranks = _count_ranks(source, target)
    return latency + (sent / rate + combined / MEMORY_RATE[kind]) * dtype.itemsize / ranks


def _least_elements(source: Layout, target: Layout) -> tuple[int, int]:
    """How many elements are sent and combined at least.

    To bring the n shares of an element together and the result to all d ranks that want it takes n + d - 2 messages.
    """
    if target.partial_ops():
        return 0, 0
    numel, shares = numel_of(source.shape), source.multiplicity("partial")
    wanted = numel * target.multiplicity("broadcast")
    if shares > 1:
        return max(numel * (shares - 2) + wanted, 0), numel * shares
    return wanted - own_elements(source, target), 0


def routes(source: Layout, target: Layout, dtype: DType, node: int) -> Iterator[Route]:
    """Every route that is considered."""
    for steps in _chains(source.plain(), target.plain(), dtype, node):
        yield Route(source, target, dtype, steps)


def _chains(source: Layout, target: Layout, dtype: DType, node: int) -> Iterator[Steps]:
    """Moves from one plain layout to another."""
    if source == target:
        yield ()
        return
    if source.placement.type != target.placement.type:
        yield from _across_devices(source, target, dtype, node)
        return
    direct = fits_one_move(source, target)
    if direct:
        yield (Move(source, target, node),)
    far = _has_far_links(source, target, node)
    if direct and not _gains_by_more_moves(source, target, far):
        return
    search = _Search(*_flat(source, target), dtype, node)
    yield from search.two_moves()
    chain = search.cheapest_chain() if far else ()
    if len(chain) > 2:
        yield chain


def _across_devices(source: Layout, target: Layout, dtype: DType, node: int) -> Iterator[Steps]:
    """From hosts to their GPUs or back: boxed on the hosts, or on the GPUs, if each rank with one there has the other, too."""
    to_gpu = is_gpu(target.placement.type)
    host, gpu = (source, target) if to_gpu else (target, source)
    on_host = gpu._replace(placement=_on(host.placement.type, gpu.placement))
    on_gpu = host._replace(placement=_on(gpu.placement.type, host.placement))
    boxed = []
    if to_gpu:
        boxed.append((*_route(host, on_host, dtype, node).steps, Transfer(on_host, gpu)))
    else:
        boxed.append((Transfer(gpu, on_host), *_route(on_host, host, dtype, node).steps))
    if set(host.placement.order) <= set(gpu.placement.order):
        if to_gpu:
            boxed.append((Transfer(host, on_gpu), *_route(on_gpu, gpu, dtype, node).steps))
        else:
            boxed.append((*_route(gpu, on_gpu, dtype, node).steps, Transfer(on_gpu, host)))
    yield from boxed


def _on(type_: str, placement: Placement) -> Placement:
    return Placement(type_, placement.ranks)


def _has_far_links(source: Layout, target: Layout, node: int) -> bool:
    return len({rank // node for rank in (*source.placement.order, *target.placement.order)}) > 1


def _gains_by_more_moves(source: Layout, target: Layout, far: bool) -> bool:
    """Whether several ranks get the same, which one might get for the others."""
    if source.partial_ops() and target.partial_ops() and source.placement is not target.placement:
        return False  # shares go to other ranks as they are
    repeats = any(s.is_broadcast for s in target.sbp)
    return repeats and (far or len(source.partial_ops()) > 0)


def _flat(source: Layout, target: Layout) -> tuple[Layout, Layout]:
    """Both over one dimension, where every rank holds all elements: a row can then be cut anywhere."""
    if any(s.is_split for s in (*source.sbp, *target.sbp)):
        return source, target
    shape = (numel_of(source.shape),)
    return source._replace(shape=shape), target._replace(shape=shape)


class _Search:
    """Chains of moves between two layouts.

    Attributes:
        layouts: the first, those between, the last.
        shares: which mesh dimensions may be partial, from those of the first layout to those that stay so.
    """

    def __init__(self, begin: Layout, end: Layout, dtype: DType, node: int) -> None:
        self.begin, self.end, self.dtype, self.node = begin, end, dtype, node
        self.shares = _shares_between(begin, end)
        between = [v for v in dict.fromkeys(_intermediates(begin, end)) if v not in (begin, end)]
        self.layouts = [begin, *[v for v in between if _shares(v) in self.shares], end]

    def two_moves(self) -> Iterator[tuple[Move, Move]]:
        """Every chain of two."""
        for via in self.layouts[1:-1]:
            if self._is_step(self.begin, via) and self._is_step(via, self.end):
                yield Move(self.begin, via, self.node), Move(via, self.end, self.node)

    def cheapest_chain(self) -> tuple[Move, ...]:
        """The cheapest chain of any number of moves (Dijkstra's algorithm)."""
        ranks = _count_ranks(self.begin, self.end)
        best: dict[Layout, tuple[float, tuple[Move, ...]]] = {self.begin: (0.0, ())}
        queue: list[tuple[float, int]] = [(0.0, 0)]
        done: set[Layout] = set()
        while self.end not in done:
            seconds, number = heapq.heappop(queue)
            layout = self.layouts[number]
            if layout in done:
                continue
            done.add(layout)
            for k, other in enumerate(self.layouts):
                if other in done or not self._is_step(layout, other):
                    continue
                move = Move(layout, other, self.node)
                reached = seconds + move.seconds(self.dtype.itemsize, ranks)
                if other not in best or reached < best[other][0] - NANOSECOND:
                    best[other] = reached, (*best[layout][1], move)
                    heapq.heappush(queue, (reached, k))
        return best[self.end][1]

    def _is_step(self, source: Layout, target: Layout) -> bool:
        """Whether a move combines shares in their order or none; only the last may make shares."""
        if not fits_one_move(source, target):
            return False
        before, after = (self.shares.index(_shares(one)) if _shares(one) in self.shares else None for one in (source, target))
        return target == self.end or before is not None and after is not None and before <= after


Shares = tuple[tuple[Placement, int, Sbp], ...]  # the mesh dimensions that are partial


def _shares(layout: Layout) -> Shares:
    return tuple([(layout.placement, k, s) for k, s in enumerate(layout.sbp) if s.is_partial])


def _shares_between(begin: Layout, end: Layout) -> list[Shares]:
    """Those of the first layout, without the innermost one, and so on, to those that stay shares."""
    before = _shares(begin)
    retained = tuple([one for one in before if one in _shares(end)]) if fits_one_move(begin, end) else ()
    if before[: len(retained)] != retained:
        return [before, retained]
    return [before[:n] for n in range(len(before), len(retained) - 1, -1)]


def _intermediates(source: Layout, target: Layout) -> Iterator[Layout]:
    """Layouts by which a tensor may go: mixtures of source and target, pieces over the ranks of the source, the target or both.

    Shares that are combined line by line, the innermost first, leave pieces of which the innermost dimension has the larger ones.
    """
    shape = source.shape
    if source.placement is target.placement and len(source.sbp) > 1:
        inside_out = Placement(source.placement.type, source.placement.ranks.T)
        mixtures = list(dict.fromkeys(_mixtures(source, target)))
        yield from [Layout(shape, source.placement, mixture) for mixture in mixtures]
        yield from [Layout(shape, inside_out, m[::-1]) for m in mixtures if not any(s.is_partial for s in m)]
    common = tuple([r for r in source.placement.order if target.placement.coordinate(r) is not None])
    for order in dict.fromkeys([source.placement.order, target.placement.order, common]):
        for sbp in _splits(source, target) if order else ():
            yield Layout(shape, Placement(source.placement.type, order), (sbp,))


def _mixtures(source: Layout, target: Layout) -> Iterator[NdSbp]:
    """Each mesh dimension as in the source, as in the target, or split where shares or replicas become whole."""
    for piece in _splits(source, target):
        yield from product(*[dict.fromkeys(_between(a, b, piece)) for a, b in zip(source.sbp, target.sbp)])


def _between(a: Sbp, b: Sbp, piece: Sbp) -> tuple[Sbp, ...]:
    """As what a mesh dimension may lie on the way from a to b."""
    if a is b and not a.is_broadcast or b.is_partial and not a.is_partial:
        return (a,)
    if b.is_partial:
        return a, piece
    return (a, b) if a.is_split or a.is_broadcast and b.is_split else (a, piece, b)


def _splits(source: Layout, target: Layout) -> list[Sbp]:
    """The dimensions by which pieces are made: those that are split already, and the largest."""
    shape = source.shape
    dims = {s.dim for s in (*source.sbp, *target.sbp) if s.dim is not None}
    if shape:
        dims.add(max(range(len(shape)), key=lambda d: shape[d]))
    return [split(d) for d in sorted(dims)]
