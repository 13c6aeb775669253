"""Boxing of real tensors on simulated ranks, and on processes: every route against the same carried out in NumPy."""

from __future__ import annotations

import itertools
import warnings
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy
import pytest

import tritonflow as flow
from tests.consistent import numpy_ranks
from tests.consistent.pool import Pool
from tritonflow.boxing.pieces import Layout
from tritonflow.boxing.program import identity
from tritonflow.boxing.routes import routes
from tritonflow.boxing.steps import run_route
from tritonflow.execution import eager_local
from tritonflow.execution.context import OpContext
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.placement import Placement
from tritonflow.framework.sbp import broadcast, partial_max, partial_min, partial_sum, split
from tritonflow.settings import settings
from tritonflow.wire import verbs
from tritonflow.wire.world import this_rank

SBPS = (split(0), split(1), broadcast, partial_sum, partial_max)
DTYPES = ["bool", "uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32", "float64"]


def layout(shape, ranks, *sbp) -> Layout:
    return Layout(shape, Placement("cpu", ranks), sbp)


def shards_of(source: Layout, dtype: str) -> numpy_ranks.Shards:
    """Small integers, so that sums are exact in every dtype."""
    low, high = {"bool": (0, 2), "uint8": (0, 30)}.get(dtype, (-15, 15))
    return {rank: x % (high - low) + low for rank, x in numpy_ranks.random_shards(source).items()}


def boxed(source: Layout, target: Layout, dtype: str) -> list[list[Any]]:
    """On one rank: the shards that every route gives it, as nested lists."""
    me, kind = this_rank().index, getattr(flow, dtype)
    found = []
    for route in routes(source, target, kind, this_rank().world_size // this_rank().nodes):
        shards = shards_of(source, dtype)
        x = flow.tensor(shards[me]).to(kind) if me in shards else flow.empty(0, dtype=kind)
        y = run_route(route, x)
        assert y.dtype is kind
        found.append([tuple(y.shape), y.to(flow.float64).tolist()])
    return found


def check(
    run: Callable[..., list[Any]], source: Layout, target: Layout, dtype: str = "float32", node_size: int = 8
) -> None:
    """Every route between two layouts on every rank; `run` calls `boxed` on all."""
    shards = shards_of(source, dtype)
    results = run(source, target, dtype)
    for k, route in enumerate(routes(source, target, getattr(flow, dtype), node_size)):
        expected, _ = numpy_ranks.run(route, shards)
        for rank, by_route in enumerate(results):
            shape, numbers = by_route[k]
            if rank in expected:
                assert shape == expected[rank].shape, route
                assert numpy.array_equal(numpy.array(numbers).reshape(shape), as_dtype(expected[rank], dtype)), (
                    route,
                    rank,
                )
            else:
                assert shape == (0,), route


def as_dtype(expected: numpy.ndarray, dtype: str) -> numpy.ndarray:
    """What NumPy's ranks give, with the identities of a dtype."""
    kind = getattr(flow, dtype)
    least, most = float(identity("max", kind)), float(identity("min", kind))
    values = numpy.where(expected == numpy_ranks.IDENTITIES["max"], least, expected.astype(float))
    return numpy.where(expected == numpy_ranks.IDENTITIES["min"], most, values)


def simulated(ranks: int) -> Callable[..., list[Any]]:
    return flow.testing.simulate(ranks)(boxed)


OTHERS = {
    "equal": [0, 1, 2, 3],
    "permuted": [3, 0, 2, 1],
    "subset": [0, 2],
    "overlapping": [3, 4, 5],
    "disjoint": [4, 5],
}


@pytest.fixture(scope="module", autouse=True)
def world():
    """Placements of ranks that this process has not: they are made as on a rank of a simulated world."""
    from tritonflow.thread_state import thread_state
    from tritonflow.wire.world import Rank

    thread_state.rank = Rank(0, 8, 0, 8, 0, 1)
    yield
    thread_state.rank = None


@pytest.mark.sampled(strength=1)
@pytest.mark.parametrize("shape", [(4, 8), (5, 3), (1, 0)], ids=str)
@pytest.mark.parametrize("other", OTHERS)
def test_all_pairs_of_sbp(other, shape):
    for a, b in itertools.product(SBPS, repeat=2):
        check(simulated(6), layout(shape, [0, 1, 2, 3], a), layout(shape, OTHERS[other], b))


PAIRS = [
    ((partial_sum, partial_max), (broadcast, split(0))),
    ((partial_max, partial_sum), (broadcast, broadcast)),
    ((partial_sum, partial_sum), (broadcast, broadcast)),
    ((partial_sum, split(0)), (split(0), partial_sum)),
    ((split(0), split(0)), (broadcast, broadcast)),
    ((split(0), split(1)), (partial_sum, partial_max)),
    ((broadcast, split(1)), (split(0), broadcast)),
]


@pytest.mark.parametrize("a, b", PAIRS, ids=str)
def test_two_mesh_dimensions(a, b):
    check(simulated(4), layout((5, 3), [[0, 1], [2, 3]], *a), layout((5, 3), [[0, 1], [2, 3]], *b))


def test_two_nodes():
    """Chains of several moves: one mesh dimension after the other, or pieces from node to node."""
    run = flow.testing.simulate(4, nodes=2)(boxed)
    mesh = [[0, 1], [2, 3]]
    for a, b in (
        ((split(0), split(1)), (broadcast,) * 2),
        ((partial_sum,) * 2, (broadcast,) * 2),
        ((split(0),) * 2, (broadcast,) * 2),
    ):
        check(run, layout((5, 3), mesh, *a), layout((5, 3), mesh, *b), node_size=2)
    for a in (split(0), partial_sum, broadcast):
        check(run, layout((5, 3), [0, 1], a), layout((5, 3), [2, 3], broadcast), node_size=2)


@pytest.mark.parametrize("dtype", DTYPES)
def test_dtypes(dtype):
    ops = (partial_max, partial_min) if dtype == "bool" else (partial_sum, partial_max, partial_min)
    for op in ops:
        for a, b in ((op, split(0)), (op, broadcast), (split(1), op), (broadcast, op)):
            check(simulated(3), layout((5, 3), [0, 1, 2], a), layout((5, 3), [0, 1, 2], b), dtype)
    check(simulated(3), layout((5, 3), [0, 1, 2], split(0)), layout((5, 3), [0, 1, 2], split(1)), dtype)


def test_shapes_without_dimensions():
    for a, b in itertools.product((broadcast, partial_sum, partial_max), repeat=2):
        check(simulated(3), layout((), [0, 1, 2], a), layout((), [0, 1, 2], b))


@pytest.mark.parametrize(
    "a, b", [(split(0), split(1)), (split(0), broadcast), (partial_sum, split(1)), (partial_max, broadcast)], ids=str
)
def test_bytes_on_the_wire_are_those_of_explain(a, b, monkeypatch):
    sent: Counter[int] = Counter()
    move = verbs._move

    def count(verb, ranks, send, sends, recv, receives, what):
        me = this_rank().index
        sent[me] += sum(message.nbytes for message in sends if message.peer != me)
        move(verb, ranks, send, sends, recv, receives, what)

    monkeypatch.setattr(verbs, "_move", count)
    source = layout((5, 6), [0, 2, 1], a)
    shards = shards_of(source, "float32")
    explanation = flow.boxing.explain((source.shape, flow.float32, source.placement, [a]), [b])
    flow.testing.simulate(3)(lambda: run_route(explanation.route, flow.tensor(shards[this_rank().index]).float()))()
    assert sent == explanation.bytes


def test_a_shard_that_is_none_is_refused():
    """Before anything is read or sent."""
    found = next(routes(layout((4, 6), [0, 1], split(0)), layout((4, 6), [0, 1], broadcast), flow.float32, 2))
    for wrong in (flow.ones(4, 6), flow.ones(6, 2), flow.ones(2, 6, dtype=flow.float64)):
        with pytest.raises(
            flow.errors.ShapeError, match=r"expected a shard of shape \[2, 6\] and tritonflow.float32 on rank 0"
        ):
            run_route(found, wrong)


def strided(source: Layout, target: Layout) -> Any:
    me = this_rank().index
    for route in routes(source, target, flow.float32, 4):
        x = flow.tensor(numpy_ranks.random_shards(source)[me].T.copy()).to(flow.float32).T
        assert not x.is_contiguous()
        yield run_route(route, x).tolist()


def test_shards_that_are_not_contiguous():
    """A rank's strides are its own affair."""
    p, b, s = (layout((6, 4), [0, 1], one) for one in (partial_sum, broadcast, split(1)))
    for source, target in ((p, b), (s, b), (p, s)):
        whole = numpy_ranks.assembled(source, numpy_ranks.random_shards(source))
        for results in zip(*flow.testing.simulate(2)(lambda a, b: list(strided(a, b)))(source, target)):
            shards = {rank: numpy.array(x) for rank, x in enumerate(results)}
            assert numpy.array_equal(numpy_ranks.assembled(target, shards), whole)


def test_a_slice_is_a_view():
    def view() -> bool:
        from tritonflow.boxing.routes import route

        x = flow.ones(4, 6)
        y = run_route(route(layout((4, 6), [0, 1], broadcast), layout((4, 6), [0, 1], split(1)), flow.float32), x)
        return y.impl is x.impl

    assert flow.testing.simulate(2)(view)() == [True, True]


@pytest.mark.cuda
def test_between_a_host_and_its_gpu():
    def there_and_back() -> list[Any]:
        x = flow.ones(3, 4, placement=flow.placement("cpu", [0]), sbp=flow.sbp.partial_sum)
        y = x.to_global(flow.placement("cuda", [0]), flow.sbp.split(0))
        z = y.to_global(flow.placement("cpu", [0]), flow.sbp.broadcast)
        return [y.to_local().device.type, z.to_local().device.type, z.numpy().tolist()]

    assert flow.testing.simulate(1)(there_and_back)() == [["cuda", "cpu", [[1.0] * 4] * 3]]


# ------------------------------------------------------------------------------------- what people are told


def in_order(n: int) -> None:
    x = flow.ones(n, placement=flow.placement("cpu", [0, 1]), sbp=flow.sbp.split(0))
    for _ in range(2):
        flow.sort(x)


def test_a_large_gather_that_nobody_asked_for_warns_once():
    with settings.override(boxing_warning_bytes=400), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        flow.testing.simulate(2)(in_order)(100)
        assert not caught
        flow.testing.simulate(2)(in_order)(101)
        (warning,) = caught
    assert warning.filename == __file__
    text = str(warning.message)
    assert "sort gathers float32[101] on every rank: S0 on cpu[0, 1] -> B on cpu[0, 1]" in text
    assert "TRITONFLOW_BOXING_WARNING_BYTES=0" in text


EXPLAINED = """\
float32[1000, 1000]: P on cpu[0, 1, 2, 3] -> B on cpu[0, 1, 2, 3]
  -> S0 on cpu[0, 1, 2, 3]  exchange of 4 + sum
  -> B on cpu[0, 1, 2, 3]   gather of 4
  24.0 MB in 3.7 ms (estimated); 6.0 MB by each of ranks 0, 1, 2, 3
  instead of gather of 4 + sum -> B on cpu[0, 1, 2, 3]: 48.0 MB in 8.1 ms"""


def test_explain():
    placement = Placement("cpu", range(4))
    explanation = flow.boxing.explain(((1000, 1000), flow.float32, placement, flow.sbp.partial_sum), flow.sbp.broadcast)
    assert str(explanation) == EXPLAINED
    assert explanation.bytes == {0: 6_000_000, 1: 6_000_000, 2: 6_000_000, 3: 6_000_000}
    nothing = flow.boxing.explain(
        ((4,), flow.float32, placement, [flow.sbp.broadcast]), (placement, flow.sbp.broadcast)
    )
    assert nothing.total_bytes == 0 and "nothing moves" in str(nothing)
    shares = flow.boxing.explain(((4,), flow.float32, placement, [flow.sbp.broadcast]), flow.sbp.partial_sum)
    assert shares.total_bytes == 0 and "later 100 us to combine the shares that it makes" in str(shares)


def explained() -> str:
    placement = flow.placement("cpu", [0, 1])
    x = flow.ones(4, 6, placement=placement, sbp=flow.sbp.split(0))
    y = flow.ones(4, 6, placement=placement, sbp=flow.sbp.split(1))
    return str(flow.boxing.explain(x, y))


def test_explain_of_tensors_moves_nothing():
    assert len(set(flow.testing.simulate(2)(explained)())) == 1
    with pytest.raises(flow.errors.LocalityError, match=r"explain\(\): argument 'source' is a local tensor"):
        flow.boxing.explain(flow.ones(2), flow.sbp.broadcast)
    with pytest.raises(TypeError, match="argument 'source' must be a consistent tensor or"):
        flow.boxing.explain([1, 2], flow.sbp.broadcast)
    one = ((4,), flow.float32, Placement("cpu", [0]), flow.sbp.broadcast)
    with pytest.raises(TypeError, match="argument 'target' must be sbp"):
        flow.boxing.explain(one, "broadcast")
    with pytest.raises(flow.errors.PlacementError, match=r"explain\(\): Split axis out of range"):
        flow.boxing.explain(one, flow.sbp.split(1))


# ------------------------------------------------------------------------------------------------------ who adds


def bits(x: flow.Tensor) -> list[int]:
    size = {2: flow.int16, 4: flow.int32, 8: flow.int64}[x.dtype.itemsize]
    return flow.from_torch(flow.to_torch(x).view(getattr(__import__("torch"), str(size).split(".")[1]))).tolist()


@pytest.mark.parametrize("dtype", ["float32", "float16", "float64"])
def test_sums_are_from_left_to_right(dtype):
    """In float32 for half types, whatever the number of elements."""
    random = numpy.random.default_rng(5)
    shares = (random.standard_normal((5, 3001)) * 10.0 ** random.integers(-3, 4, (5, 3001))).astype(dtype)
    wide = shares.astype(numpy.float32 if dtype == "float16" else dtype)
    expected = (((wide[0] + wide[1]) + wide[2]) + wide[3]) + wide[4]
    for n in (1, 7, 3001):
        x = flow.tensor(shares[:, :n].copy())
        total = eager_local.apply(op_expr("combine_shares"), (x,), OpContext(("sum",)))
        assert numpy.array_equal(total.numpy(), expected[:n].astype(dtype))


def test_maxima_carry_nan():
    x = flow.tensor([[1.0, float("nan"), -0.0], [2.0, 5.0, 0.0]])
    largest = eager_local.apply(op_expr("combine_shares"), (x,), OpContext(("max",)))
    least = eager_local.apply(op_expr("combine_shares"), (x,), OpContext(("min",)))
    assert numpy.array_equal(largest.numpy(), [2, numpy.nan, 0], equal_nan=True)
    assert numpy.array_equal(least.numpy(), [1, numpy.nan, 0], equal_nan=True)


def sums(source: Layout, targets: list[Layout], dtype: str) -> list[Any]:
    """On one rank: for every route the bits of its shard."""
    kind, me = getattr(flow, dtype), this_rank().index
    random = numpy.random.default_rng(me)
    x = flow.tensor(random.standard_normal(source.shape) * 10.0 ** random.integers(-3, 4, source.shape)).to(kind)
    found = []
    for target in targets:
        for route in routes(source, target, kind, 4):
            y = run_route(route, x)
            found.append([str(route), target, bits(y)])
    return found


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
@pytest.mark.parametrize("mesh", [[0, 1, 2, 3], [2, 0, 3, 1], [[0, 1], [2, 3]]], ids=str)
def test_every_route_gives_the_same_bits(mesh, dtype):
    """One exchange or two, any piece of the tensor: an element's bits are the same on every rank."""
    ndim = numpy.ndim(mesh)
    source = layout((6, 5), mesh, *[partial_sum] * ndim)
    targets = [layout((6, 5), mesh, *[one] * ndim) for one in (broadcast, split(0), split(1))]
    results = flow.testing.simulate(4)(sums)(source, targets, dtype)
    whole = numpy.array(results[0][0][2])
    for rank, by_route in enumerate(results):
        for text, target, found in by_route:
            expected = numpy_ranks.view(whole, target.holding(rank).box)
            assert numpy.array_equal(numpy.array(found).reshape(expected.shape), expected), (rank, text)


# ----------------------------------------------------------------------------------------------------- processes


def test_on_processes(ranks: Pool):
    everyone = list(range(ranks.size))

    def run(*args: Any) -> list[Any]:
        return ranks.run("tests.consistent.test_boxing:boxed", *args)

    for a, b in itertools.product(SBPS, repeat=2):
        check(run, layout((5, 3), everyone, a), layout((5, 3), everyone[::-1], b), node_size=ranks.size)
    for a, b in ((partial_sum, broadcast), (split(0), split(1)), (broadcast, partial_max)):
        check(run, layout((5, 3), everyone, a), layout((5, 3), [1], b), node_size=ranks.size)
        check(run, layout((5, 3), [0], a), layout((5, 3), everyone, b), node_size=ranks.size)
    for dtype in ("bfloat16", "int64", "bool"):
        check(run, layout((5, 3), everyone, partial_max), layout((5, 3), everyone, broadcast), dtype, ranks.size)
