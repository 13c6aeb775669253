"""Boxing of real tensors on simulated ranks, and on processes: every route against the same carried out in NumPy."""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Callable, Iterator
from random import Random
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
from tritonflow.interpreter import consistent
from tritonflow.settings import settings
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
    values = numpy.where(expected == numpy_ranks.IDENTITIES["min"], most, values)
    return values if dtype != "bool" else values != 0


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


def mixed_partials(dtype: str, sbp: Any) -> list[Any]:
    """What is left of numbers that became partial in two ways, and were put together again."""
    kind = getattr(flow, dtype)
    numbers = [0, 1, 127, 255] if dtype == "uint8" else [-5, 0, 1, 7]
    x = flow.tensor(numbers, dtype=kind).to_global(flow.placement("cpu", [[0, 1], [2, 3]]), [flow.sbp.broadcast] * 2)
    y = x.to_global(sbp=sbp)
    return [
        y.numpy().tolist() == numbers,
        y.to_global(sbp=[flow.sbp.split(0), flow.sbp.broadcast]).numpy().tolist() == numbers,
    ]


@pytest.mark.parametrize(
    "sbp", [(partial_max, partial_sum), (partial_min, partial_sum), (partial_sum, partial_max)], ids=str
)
@pytest.mark.parametrize("dtype", ["float32", "int64", "uint8"])
def test_partial_in_two_ways(dtype, sbp):
    """The last dimension of the placement is reduced first; identities of a maximum are not added up, since integers wrap around."""
    assert flow.testing.simulate(4)(mixed_partials)(dtype, sbp) == [[True, True]] * 4


def test_which_dimension_is_reduced_first():
    """The last: what the ranks of a row have is put together before the rows."""

    def whole(*sbp: Any) -> Any:
        x = flow.tensor([[[1.0], [5.0]], [[2.0], [3.0]]][this_rank().index // 2][this_rank().index % 2])
        return x.to_global(flow.placement("cpu", [[0, 1], [2, 3]]), sbp).numpy().tolist()

    assert flow.testing.simulate(4)(whole)(partial_max, partial_sum) == [[6.0]] * 4
    assert flow.testing.simulate(4)(whole)(partial_sum, partial_max) == [[8.0]] * 4


OPS = {
    "amax": (lambda x: x.amax(0), lambda a: a.max(0)),
    "max": (lambda x: x.max(1)[0], lambda a: a.max(1)),
    "sum": (lambda x: x.sum(0), lambda a: a.sum(0)),
    "cumsum": (lambda x: x.cumsum(0), lambda a: a.cumsum(0)),
    "view": (lambda x: x.view(24), lambda a: a.reshape(24)),
    "transpose": (lambda x: x.T.contiguous(), lambda a: a.T),
    "slice": (lambda x: x[1:3, ::2], lambda a: a[1:3, ::2]),
    "write to a slice": (lambda x: x[1:3].fill_(-50), lambda a: a[1:3] * 0 - 50),
    "index": (lambda x: x[[2, 0, 1]], lambda a: a[[2, 0, 1]]),
    "cat": (lambda x: flow.cat([x, x], 1), lambda a: numpy.concatenate([a, a], 1)),
    "tril": (lambda x: flow.tril(x), numpy.tril),
    "pad": (
        lambda x: flow.nn.functional.pad(x, (1, 1), value=5),
        lambda a: numpy.pad(a, ((0, 0), (1, 1)), constant_values=5),
    ),
    "linear ops": (lambda x: -(x + x) * 2, lambda a: -4 * a),
    "clamp": (lambda x: x.clamp(-2, 2), lambda a: a.clip(-2, 2)),
    "where": (lambda x: flow.where(x > 0, x, -x), numpy.abs),
    "cast": (lambda x: x.double(), lambda a: a),
}


@pytest.mark.long
@pytest.mark.parametrize("dtype", ["float32", "int64"])
def test_ops_on_what_is_partial_in_two_ways(dtype):
    """Shares hold identities here: infinities, or the least and greatest integers."""
    numbers = (numpy.arange(24).reshape(4, 6) * 7) % 23 - 11
    partials = (partial_sum, partial_max, partial_min)
    layouts = [s for s in itertools.product((*partials, broadcast, split(0)), repeat=2) if {*s} & {*partials}]

    def run() -> None:
        whole = flow.tensor(numbers, dtype=getattr(flow, dtype)).to_global(
            flow.placement("cpu", [[0, 1], [2, 3]]), [broadcast] * 2
        )
        for (name, (op, expected)), sbp in itertools.product(OPS.items(), layouts):
            assert op(whole.to_global(sbp=sbp)).numpy().tolist() == expected(numbers).tolist(), (name, sbp)

    flow.testing.simulate(4)(run)()


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
@pytest.mark.sampled(most=5)
def test_dtypes(dtype):
    """A sum of bools is whether any is true."""
    for op in (partial_sum, partial_max, partial_min):
        for a, b in ((op, split(0)), (op, broadcast), (split(1), op), (broadcast, op)):
            check(simulated(3), layout((5, 3), [0, 1, 2], a), layout((5, 3), [0, 1, 2], b), dtype)
    check(simulated(3), layout((5, 3), [0, 1, 2], split(0)), layout((5, 3), [0, 1, 2], split(1)), dtype)


def test_shapes_without_dimensions():
    for a, b in itertools.product((broadcast, partial_sum, partial_max), repeat=2):
        check(simulated(3), layout((), [0, 1, 2], a), layout((), [0, 1, 2], b))


@pytest.mark.parametrize(
    "a, b", [(split(0), split(1)), (split(0), broadcast), (partial_sum, split(1)), (partial_max, broadcast)], ids=str
)
def test_bytes_on_the_wire_are_those_of_explain(a, b, sent):
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


# ------------------------------------------------------------------------------------------------ what users do


PLACEMENTS = ([0, 1, 2, 3], [1, 3], [2, 0, 3, 1], [2], [[0, 1], [2, 3]], [[3, 1], [2, 0]], [[1], [3]], [[2, 0]])
CHAINS = [
    ((5, 3), "float64"),
    ((), "float16"),
    ((0, 3), "int8"),
    ((2, 1, 3, 1, 2), "uint8"),
    ((4, 2), "bool"),
    ((1,), "bfloat16"),
]


def chained(x: flow.Tensor, random: Random) -> Iterator[flow.Tensor]:
    """The tensor as it lies after each of four steps to anywhere; the same steps on every rank."""
    choices = [
        broadcast,
        partial_max,
        partial_min,
        *map(split, range(x.ndim)),
        *([] if x.dtype is flow.bool else [partial_sum]),
    ]
    for _ in range(4):
        ranks = random.choice(PLACEMENTS)
        x = x.to_global(flow.placement("cpu", ranks), [random.choice(choices) for _ in range(numpy.ndim(ranks))])
        yield x


@pytest.mark.parametrize("shape, dtype", CHAINS, ids=str)
def test_a_chain_of_layouts_keeps_every_number(shape, dtype):
    numbers = numpy.arange(numpy.prod(shape, dtype=int)).reshape(shape) % 7
    numbers = (
        numbers % 2 == 0
        if dtype == "bool"
        else numpy.where(numbers == 3, 255, numbers)
        if dtype == "uint8"
        else numbers - 3
    )

    def run() -> None:
        everyone = flow.placement("cpu", [0, 1, 2, 3])
        for seed in range(5):
            x = flow.tensor(numbers, dtype=getattr(flow, dtype)).to_global(everyone, broadcast)
            for y in chained(x, Random(seed)):
                whole = y.to_global(everyone, broadcast).to_local()
                assert whole.dtype is x.dtype and whole.tolist() == x.to_local().tolist(), (seed, y.placement, y.sbp)

    flow.testing.simulate(4)(run)()


def test_gradients_of_a_chain_of_layouts():
    weights = numpy.arange(15.0).reshape(5, 3)

    def run() -> None:
        everyone = flow.placement("cpu", [0, 1, 2, 3])
        for seed in range(8):
            x = flow.zeros(5, 3, dtype=flow.float64, placement=everyone, sbp=split(seed % 2), requires_grad=True)
            *_, y = chained(x, Random(seed))
            w = flow.tensor(weights).to_global(y.placement, [broadcast] * y.placement.ndim)
            (y * w).sum().backward()
            assert x.grad.sbp == x.sbp and x.grad.placement is x.placement and x.grad.tolist() == weights.tolist(), seed

    flow.testing.simulate(4)(run)()


def test_what_is_laid_out_anew_has_memory_of_its_own():
    def run() -> None:
        for a, b in itertools.permutations(SBPS, 2):
            x = flow.ones(4, 6, placement=flow.placement("cpu", [0, 1]), sbp=a)
            before = x.to_local().tolist()
            x.to_global(sbp=b).to_local().fill_(-7.0)
            assert x.to_local().tolist() == before, (a, b)

    flow.testing.simulate(2)(run)()


# ----------------------------------------------------------------------------------------- dimensions of one rank


@pytest.mark.parametrize("order", [[0], [[0, 1]]], ids=str)
def test_an_op_boxes_nothing_along_a_dimension_of_one_rank(order, monkeypatch):
    """And takes the fast path; its result has the sbp of its inputs, if a signature has it."""
    monkeypatch.setattr(consistent, "moved_shard", None)
    mesh = numpy.ndim(order)

    def run() -> Any:
        placement = flow.placement("cpu", order)
        rest = [flow.sbp.broadcast] * (mesh - 1)
        x, y, p = (
            flow.full((4, 6), 2.0, placement=placement, sbp=[one, *rest])
            for one in (flow.sbp.split(0), flow.sbp.split(1), flow.sbp.partial_sum)
        )
        assert (x + x).sbp[0] is flow.sbp.split(0) and p.relu().numpy().tolist() == [[2.0] * 6] * 4
        assert (x + y).numpy().tolist() == [[4.0] * 6] * 4
        assert (x @ y.T).numpy().tolist() == [[24.0] * 4] * 4
        assert y.mean(1).numpy().tolist() == [2.0] * 4  # of pieces it would be decomposed
        p.exp_().clamp_(max=3.0)
        assert p.sbp[0] is flow.sbp.partial_sum and p.numpy().tolist() == [[3.0] * 6] * 4
        z = x.to_global(sbp=[flow.sbp.broadcast, *rest])
        z.zero_()
        return x.sum().item()

    assert flow.testing.simulate(numpy.size(order))(run)() == [48.0] * numpy.size(order)


# ------------------------------------------------------------------------------------- what people are told


def sorted_twice(n: int) -> None:
    x = flow.ones(n, placement=flow.placement("cpu", [0, 1]), sbp=flow.sbp.split(0))
    for _ in range(2):
        flow.sort(x, 0)


def test_a_large_gather_that_nobody_asked_for_warns_once():
    with settings.override(boxing_warning_bytes=400), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("ignore")  # what the compiler says of a new Python
        warnings.simplefilter("default", RuntimeWarning)
        flow.testing.simulate(2)(sorted_twice)(100)
        assert not caught
        flow.testing.simulate(2)(sorted_twice)(101)
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


EXPLAINED_CALL = """\
matmul of (S0, S0): (S0, B) -> S0
  other float32[6, 4]: S0 on cpu[0, 1, 2, 3] -> B on cpu[0, 1, 2, 3]
    -> B on cpu[0, 1, 2, 3]  exchange of 4
    288 bytes in 100 us (estimated); 96 bytes by each of ranks 0, 1; 48 bytes by each of ranks 2, 3
  instead of (B, S1) -> S1: 648 bytes in 200 us
  instead of (B, B) -> B: 864 bytes in 200 us
  instead of (S1, S0) -> P: 144 bytes in 200 us
  instead of (B, P) -> P: 576 bytes in 304 us
288 bytes in 100 us (estimated)"""


S0 = split(0)


def over_four(*shape: int, sbp: Any = S0) -> flow.Tensor:
    return flow.ones(*shape, placement=flow.placement("cpu", [0, 1, 2, 3]), sbp=sbp)


def explained_alone() -> Any:
    """By one rank: it would wait for the others, if anything moved."""
    x, w = over_four(8, 6), over_four(6, 4)
    if this_rank().index:
        return None
    explanation = flow.boxing.explain(flow.matmul, x, w)
    assert explanation.bytes == {0: 96, 1: 96, 2: 48, 3: 48} and explanation.steps[0].routes["other"].total_bytes == 288
    flow.boxing.explain(lambda y: y.add_(1).view(48).zero_(), x)
    assert x.to_local().tolist() == [[1.0] * 6] * 2 and x._version == 0
    pieces = flow.boxing.explain(flow.cat, [x, over_four(8, 6, sbp=split(1))], dim=0).steps[0]
    assert list(pieces.routes) == ["tensors[0]"] and pieces.alternatives
    assert "nothing moves" in str(flow.boxing.explain(flow.relu, x))
    return str(explanation)


def test_explain_of_a_call():
    assert flow.testing.simulate(4)(explained_alone)() == [EXPLAINED_CALL, None, None, None]
    with pytest.raises(TypeError, match="expected a source and one target, or a function and its arguments"):
        flow.boxing.explain(((4,), flow.float32, Placement("cpu", [0]), flow.sbp.broadcast))


@pytest.mark.parametrize(
    "call, sbp",
    [
        (lambda x: flow.softmax(x, 0), split(0)),  # decomposed
        (lambda x: x.cumsum(0).relu_().sum().to_global(sbp=broadcast), split(0)),
        (lambda x: x.add_(x.exp()), partial_sum),
    ],
    ids=["softmax", "cumsum", "add_"],
)
def test_a_call_sends_what_is_explained(call, sbp, sent):
    def run() -> Any:
        explanation = flow.boxing.explain(call, over_four(6, 6, sbp=sbp))
        call(over_four(6, 6, sbp=sbp))
        return explanation.bytes

    assert flow.testing.simulate(4)(run)() == [dict(sorted(sent.items()))] * 4 and sent


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
