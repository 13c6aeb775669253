"""Routes deliver every element once, by the fewest bytes: all pairs of sbp over many placements, carried out in NumPy."""

from __future__ import annotations

import itertools
from functools import cache

import numpy
import pytest

from tests.consistent import numpy_ranks
from tritonflow.boxing.choose import choose, consider
from tritonflow.boxing.pieces import Layout
from tritonflow.boxing.placed import signatures
from tritonflow.boxing.routes import least_seconds, route, routes
from tritonflow.dtypes import float32
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.consistent_meta import ConsistentTensorMeta
from tritonflow.framework.placement import Placement
from tritonflow.framework.sbp import broadcast, partial_max, partial_min, partial_sum, split
from tritonflow.framework.shards import box_shape
from tritonflow.thread_state import thread_state
from tritonflow.wire.world import Rank

SBPS = (split(0), split(1), split(2), broadcast, partial_sum, partial_max)
PAIRS = list(itertools.product(SBPS, repeat=2))
SHAPES = {"even": (4, 12, 8), "uneven": (5, 3, 7), "short": (1, 2, 3), "empty": (2, 0, 3)}


@pytest.fixture(autouse=True)
def world():
    """This process as rank 0 of 8: that decides nothing but which placements there may be."""
    thread_state.rank = Rank(0, 8, 0, 8, 0, 1)
    yield
    thread_state.rank = None
    given.cache_clear()


def layouts(shape, ranks, sbps) -> list[Layout]:
    placement = Placement("cpu", ranks)
    return [Layout(shape, placement, sbp if isinstance(sbp, tuple) else (sbp,)) for sbp in sbps]


@cache
def given(source: Layout) -> tuple[numpy_ranks.Shards, numpy.ndarray]:
    """What ranks have of a tensor, and the tensor."""
    shards = numpy_ranks.random_shards(source)
    return shards, numpy_ranks.assembled(source, shards)


def check(source: Layout, target: Layout, node_size: int = 8) -> None:
    """Every route between two layouts gives the same tensor, and sends what it says."""
    shards, whole = given(source)
    least = least_seconds(source, target, float32) - 1e-12
    for found in routes(source, target, float32, node_size):
        result, sent = numpy_ranks.run(found, shards)
        assert numpy.array_equal(numpy_ranks.assembled(target, result), whole), found
        assert {rank: n * 4 for rank, n in sent.items() if n} == found.bytes, found
        assert least <= found.seconds, found


# The source lies over the first `size` ranks.
OTHERS = {
    "equal": lambda size: list(range(size)),
    "permuted": lambda size: [*range(1, size, 2), *range(0, size, 2)],
    "subset": lambda size: list(range(size))[size // 2 :] or [0],
    "superset": lambda size: [6, *range(size), 7],
    "overlapping": lambda size: [size - 1, size, size + 1],
    "disjoint": lambda size: [size, size + 1],
    "one rank": lambda size: [0],
    "one other rank": lambda size: [7],
}


@pytest.mark.sampled(strength=1)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("other", OTHERS)
@pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 6])
def test_all_pairs_of_sbp_over_one_dimension(size, other, shape):
    source = layouts(SHAPES[shape], list(range(size)), SBPS)
    target = layouts(SHAPES[shape], OTHERS[other](size), SBPS)
    for a, b in itertools.product(source, target):
        check(a, b)


MESHES = {"2x2": [[0, 1], [2, 3]], "2x3": [[0, 1, 2], [3, 4, 5]]}
OTHER_MESHES = {
    "equal": lambda mesh: mesh,
    "transposed": lambda mesh: [list(column) for column in zip(*mesh)],
    "disjoint": lambda mesh: [[6, 7]],
    "overlapping": lambda mesh: [[1, 3], [7, 0]],
}


@pytest.mark.sampled(strength=1)
@pytest.mark.parametrize("part", range(5))
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("other", OTHER_MESHES)
@pytest.mark.parametrize("mesh", MESHES)
@pytest.mark.parametrize("first", SBPS, ids=str)
def test_every_pair_of_pairs(first, mesh, other, shape, part):
    source = layouts(SHAPES[shape], MESHES[mesh], [(first, second) for second in SBPS])
    target = layouts(SHAPES[shape], OTHER_MESHES[other](MESHES[mesh]), PAIRS)
    for a, b in itertools.product(source, target[part::5]):
        check(a, b)


@pytest.mark.parametrize("first", [split(0), partial_sum, broadcast], ids=str)
def test_several_nodes(first):
    """Chains of more than two moves: two nodes of two or three ranks."""
    for mesh in MESHES.values():
        for a in layouts((5, 6, 1), mesh, [(first, second) for second in SBPS]):
            for b in layouts((5, 6, 1), mesh, PAIRS[::3]):
                check(a, b, node_size=len(mesh[0]))
    for a, b in itertools.product(layouts((5, 6, 1), [0, 1], SBPS), layouts((5, 6, 1), [2, 3], SBPS)):
        check(a, b, node_size=2)


def test_three_mesh_dimensions():
    mesh = numpy.arange(8).reshape(2, 2, 2)
    several = [(split(0), split(0), split(0)), (partial_sum, split(1), partial_sum), (broadcast, partial_max, split(0))]
    several += [
        (partial_sum, partial_max, partial_sum),
        (partial_max, partial_sum, broadcast),
        (split(1), broadcast, split(0)),
        (partial_max, partial_sum, partial_sum),
        (partial_max, partial_sum, partial_max),
    ]
    for a, b in itertools.product(layouts((5, 6), mesh, several), repeat=2):
        check(a, b)


@pytest.mark.parametrize("target_ranks", [[0, 1, 2, 3], [2, 1], [3, 4], [5, 6, 7]], ids=str)
def test_hosts_and_their_gpus(target_ranks):
    """A rank that has no GPU of the placement is never asked for one; where all have them, both orders are considered."""
    shape = SHAPES["uneven"]
    for types in (("cpu", "cuda"), ("cuda", "cpu")):
        for a, b in PAIRS:
            source = Layout(shape, Placement(types[0], [0, 1, 2, 3]), (a,))
            target = Layout(shape, Placement(types[1], target_ranks), (b,))
            check(source, target)
            gpu, host = (
                set(one.placement.order) for one in sorted([source, target], key=lambda one: one.placement.type)[::-1]
            )
            considered = list(routes(source, target, float32, 8))
            assert len(considered) == 1 + (host <= gpu)
            for found in considered:
                on_gpu = {
                    r
                    for m in found.steps
                    for lies in (m.source, m.target)
                    if lies.placement.type == "cuda"
                    for r in lies.placement.order
                }
                assert on_gpu <= gpu


def least_elements(source: Layout, target: Layout) -> int:
    """How many elements have to be sent at least, by the reasoning of one element.

    Its n shares have to meet, and the result has to reach all d ranks that want it: n + d - 1 ranks are joined by no fewer
    messages than n + d - 2, if one of them has a share and wants the result, else n + d - 1. Shares that stay shares leave only
    the ranks that are not in the target.
    """
    (before,), (after,) = source.sbp, target.sbp
    held, wanted = source.holdings(), target.holdings()
    common = held.keys() & wanted.keys()
    if before is after and before.is_partial:
        return len(held.keys() - common) * int(numpy.prod(source.shape))
    has, wants = ({r: _mask(h.box, source.shape) for r, h in holdings.items()} for holdings in (held, wanted))
    n_wants = 1 if after.is_partial else sum(wants.values())
    there = sum([has[r] & wants[r] for r in common], numpy.zeros(source.shape, int))
    if before.is_partial:
        return int((len(held) - 1 + n_wants - (there > 0)).sum())
    return int((n_wants - ((there > 0) if after.is_partial else there)).sum())


def _mask(box, shape) -> numpy.ndarray:
    mask = numpy.zeros(shape, int)
    numpy_ranks.view(mask, box)[...] = 1
    return mask


@pytest.mark.sampled
@pytest.mark.parametrize("other", OTHERS)
@pytest.mark.parametrize("size", [1, 3, *[pytest.param(n, marks=pytest.mark.long) for n in (2, 4, 5, 6)]])
def test_fewest_bytes(size, other, monkeypatch):
    """Of every pair over one dimension, where a message costs nothing but its bytes."""
    from tritonflow.boxing import links, moves
    from tritonflow.boxing import routes as module

    free = {kind: tuple(link._replace(latency=0.0) for link in both) for kind, both in links.LINKS.items()}
    monkeypatch.setattr(moves, "LINKS", free)
    monkeypatch.setattr(module, "LINKS", free)
    module._route.cache_clear()
    try:
        for shape in ((60, 60, 60), (61, 5, 59)):
            source = layouts(shape, list(range(size)), SBPS)
            target = layouts(shape, OTHERS[other](size), SBPS)
            for a, b in itertools.product(source, target):
                assert route(a, b, float32).total_bytes == 4 * least_elements(a, b), route(a, b, float32)
    finally:
        module._route.cache_clear()


def test_small_sums_take_one_collective_and_large_ones_two():
    def steps(n):
        a, b = layouts((n,), range(4), [partial_sum, broadcast])
        return [move.verbs() for move in route(a, b, float32).steps]

    assert steps(100) == ["gather of 4 + sum"]
    assert steps(1_000_000) == ["exchange of 4 + sum", "gather of 4"]


def test_what_needs_no_wire():
    shape = (4, 6)
    (b,) = layouts(shape, range(4), [broadcast])
    for target in layouts(shape, range(4), [split(0), split(1), broadcast, partial_sum, partial_min]):
        assert route(b, target, float32).bytes == {}
    for source in layouts(shape, range(4), [split(0), split(1)]):
        (target,) = layouts(shape, range(4), [partial_sum])
        assert route(source, target, float32).bytes == {}


@pytest.mark.parametrize("order", [[1], [[0, 1]], [[0], [1]], [[[0], [1]], [[2], [3]]]], ids=str)
def test_any_sbp_means_the_whole_along_a_dimension_of_one_rank(order):
    """The route is the identity; the other dimensions are boxed as if that one were not."""
    mesh = numpy.shape(order)
    one, others = mesh.index(1), [k for k, n in enumerate(mesh) if n != 1]
    for rest in itertools.product((split(0), broadcast, partial_sum), repeat=len(others)):
        named = [list(rest) for _ in SBPS]
        for names, sbp in zip(named, SBPS):
            names.insert(one, sbp)
        same = layouts((5, 3, 7), order, map(tuple, named))
        for a, b in itertools.product(same, repeat=2):
            assert route(a, b, float32).steps == () and route(a, b, float32).seconds == 0
        (target,) = layouts((5, 3, 7), order, [(split(1),) * len(mesh)])
        assert len({str(route(a, target, float32).bytes) for a in same}) == 1
        for a in same:
            check(a, target)
            check(target, a)


def test_shares_of_a_new_partial_tensor_are_not_for_nothing():
    """Else a sum of two tensors that are split in different ways would become partial."""
    s0, s1, p = layouts((400, 400), range(4), [split(0), split(1), partial_sum])
    assert 2 * route(s0, p, float32).seconds > route(s0, s1, float32).seconds
    b, s0 = layouts((400, 400), range(4), [broadcast, split(0)])
    assert 0 < route(b, s0, float32).seconds < 1e-5


@pytest.mark.parametrize("name, shapes, attrs", [("add", 2, ()), ("matmul", 2, (False, False)), ("relu", 1, ())])
def test_the_choice_of_a_signature_is_the_first_of_least_cost(name, shapes, attrs):
    """Though routes are found only for those that may be."""
    op, shape, placement = op_expr(name), (6, 6), Placement("cpu", MESHES["2x3"])
    for sbps in itertools.islice(
        itertools.product([(a, b) for a, b in PAIRS if 2 not in (a.dim, b.dim)], repeat=shapes), 0, None, 7
    ):
        metas = tuple([ConsistentTensorMeta.get(shape, float32, placement, sbp) for sbp in sbps])
        made = [metas[0].logical]
        considered = [consider(one, metas, made) for one in signatures(op, metas, attrs, None, placement, None)]
        assert choose([one.signature for one in considered], metas, made) == min(considered, key=lambda one: one.cost)


def test_the_digest_says_which_route():
    s0, s1, b = layouts((4, 4), range(2), [split(0), split(1), broadcast])
    digests = {route(x, y, float32).digest for x, y in itertools.product([s0, s1, b], repeat=2)}
    assert len(digests) == 9


def test_every_rank_finds_the_same_pieces():
    a, b = layouts((5, 7), range(4), [split(0), split(1)])
    (move,) = route(a, b, float32).steps
    for rank in range(4):
        work = move.work_of(rank)
        assert sum(p.numel for cell in work.cells for p in cell.pieces) == numpy.prod(box_shape(work.wanted))
