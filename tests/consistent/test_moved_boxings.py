"""Boxings that begin earlier, and together: the bits of those where they were captured, in fewer collectives, alike on all ranks."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import numpy
import pytest

import tritonflow as flow
from tests.consistent.graph_programs import PLAIN, everywhere, simulated, trained, whole
from tests.consistent.pool import Pool
from tests.consistent.test_zero import ALL, Training, batch, equal
from tritonflow import nn
from tritonflow.framework.sbp import broadcast, partial_max, partial_sum, split
from tritonflow.graph.ir import Boxing, CollectiveStart, Graph, Late
from tritonflow.graph.passes.checkpoint import checkpoint
from tritonflow.graph.ranks import decide as decisions
from tritonflow.graph.ranks import place_boxes as places
from tritonflow.graph.ranks.proposals import fits, order_of
from tritonflow.graph.ranks.verify import verify_ranks
from tritonflow.wire import verbs
from tritonflow.wire.world import this_rank

B, S0 = broadcast, split(0)
NOTHING = frozenset(run.__name__ for run in decisions.DECISIONS)


def starts(graph: Graph) -> int:
    return sum(isinstance(node, CollectiveStart) for node in graph.nodes)


def shards(*shapes: tuple[int, ...], sbp: Any = S0) -> list[flow.Tensor]:
    """Parameters that are split."""
    flow.manual_seed(0)
    return [flow.randn(*shape).to_global(everywhere(), B).to_global(sbp=sbp).requires_grad_() for shape in shapes]


# -------------------------------------------------------------------------------------------------------- bits and counts


@pytest.mark.parametrize("zero", [ALL, None], ids=["zero", "copies"])
@pytest.mark.parametrize("size", [2, 3, 4])
def test_bits_and_fewer_collectives(size: int, zero: Any) -> None:
    """Rows that ranks do not share alike go by themselves; sums on all ranks go together whatever their sizes."""

    def run() -> Any:
        found = []
        for without in (frozenset(), NOTHING):
            graph = Training(zero, layers=lambda: (nn.Linear(8, 24), nn.Tanh(), nn.Linear(24, 12), nn.Tanh(), nn.Linear(12, 7)))
            graph.config.without |= without
            losses = graph.numbers()
            (captured,) = graph._captured.programs
            found.append((losses, starts(captured.graph), order_of(captured.before), captured.graph))
        moved, captured = found
        assert equal(moved[0], captured[0])
        return *[each[1:3] for each in found], moved[3]

    found = simulated(size)(run)()
    verify_ranks({rank: each[2] for rank, each in enumerate(found)})
    assert all(each[:2] == found[0][:2] for each in found)
    (count, together), (before, apart) = found[0][:2]
    assert sorted(n for each in together for n in each) == sorted(n for (n,) in apart)
    last = 2 if zero and 7 % size else 0  # the last layer's weight and bias, which are gathered, and whose gradients are added
    assert count <= 2 + 2 * last and before >= 6 + (6 if zero else 0), (count, before, together)


@pytest.mark.parametrize("kind", ["graph", "loss", "step"])
def test_kinds_of_programs(kind: str, monkeypatch: Any) -> None:
    """A compiled call is two programs; weights that are split are gathered in both."""

    def run(kind: str = kind) -> list[Any]:
        losses, weights = trained(_split_net, (), kind, PLAIN)
        return [*losses, *weights]

    ours, eager = simulated(2)(run)(), simulated(2)(run)("eager")
    monkeypatch.setattr(decisions, "DECISIONS", ())
    plain = simulated(2)(run)()
    for a, b, c in zip(ours, plain, eager):
        assert equal(a, b)
        assert equal(a, c) if kind == "graph" else all(numpy.allclose(x, y, rtol=1e-5, atol=1e-6) for x, y in zip(a, c))


def _split_net() -> Any:
    """Layers whose split weights become whole where they are used: one is used twice, one is frozen."""

    class Net(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.weights = nn.ParameterList([nn.Parameter(w.detach()) for w in shards((8, 8), (8, 6), (8, 8), (6, 3))])
            self.weights[2].requires_grad_(False)

        def forward(self, x: Any) -> Any:
            for k in (0, 2, 0, 1, 3):
                x = flow.tanh(x @ self.weights[k].to_global(sbp=B))
            return x

    return Net(), [batch()], lambda net, x: net(x).pow(2).mean()


def test_kinds_of_shares_and_meshes() -> None:
    """Maxima are combined elementwise, too; a mesh has rows of rows."""

    def run() -> list[Any]:
        grid = flow.placement(everywhere().type, [[0, 1], [2, 3]])
        flow.manual_seed(0)
        xs = [flow.randn(8, k + 1).to_global(everywhere(), B) for k in range(3)]

        def lay(xs: Any, placement: Any, source: Any, target: Any) -> Any:
            laid = [x.to_global(placement, source) for x in xs]
            moved = [x.to_global(sbp=target) for x in laid]
            return [x * 2 for x in moved]

        found = []
        for placement, source, target in (
            (everywhere(), partial_max, B), (everywhere(), partial_sum, S0), (grid, (S0, S0), (B, B)), (grid, (B, S0), (B, B)),
            (grid, (partial_sum, S0), (S0, S0)), (grid, (partial_sum, partial_sum), (B, S0)), (grid, (S0, partial_sum), (S0, B)),
        ):  # fmt: skip
            laid = [x.to_global(placement, B if placement.ndim == 1 else (B, B)).to_global(placement, source) for x in xs]
            f = flow.compile(lambda xs, target=target: [x * 2 for x in [x.to_global(sbp=target) for x in xs]], fullgraph=True)
            eager = [x.to_global(sbp=target) * 2 for x in laid]
            assert equal([whole(y) for y in f(laid)], [whole(y) for y in eager]), (source, target)
            found.append(order_of(f.captures()[0].before))
        return found

    found = simulated(4)(run)()
    assert all(each == found[0] for each in found)
    assert found[0] == [[(0, 1, 2)]] * 7


def test_what_is_not_packed() -> None:
    """Uneven rows, large tensors, other dtypes and columns, and what is read before the last operand is made."""

    def run() -> list[Any]:
        def moved(xs: Any, target: Any = B) -> Any:
            f = flow.compile(lambda xs: [x + 1 for x in [x.to_global(sbp=target) for x in xs]], fullgraph=True)
            eager = [whole(x.to_global(sbp=target) + 1) for x in xs]
            assert equal([whole(y) for y in f(xs)], eager)
            return order_of(f.captures()[0].before)

        def between(x: Any, y: Any) -> Any:
            a = (x * 2).to_global(sbp=B)
            b = (y + a.sum()).to_global(sbp=B)
            return a, b

        f = flow.compile(between, fullgraph=True)
        (x, y) = shards((4, 3), (4, 3))
        assert equal([whole(z) for z in f(x, y)], [whole(z) for z in between(x, y)])
        found = [order_of(f.captures()[0].before)]
        with flow.no_grad():
            found += [
                moved(shards((5, 3), (7, 2), (4, 3), (6, 2))), moved([*shards((4, 3)), *[x.double() for x in shards((4, 3))]]),
                moved(shards((4, 6), (4, 8), sbp=split(1))), moved(shards((512, 256), (4, 2), (6, 2))),
            ]  # fmt: skip
        return found

    found = simulated(2)(run)()
    assert found[0] == found[1]
    read, uneven, dtypes, columns, large = found[0]
    assert all(len(each) == 1 for order in (read, dtypes, columns) for each in order)
    assert sorted(uneven) == [(0,), (1,), (2, 3)] and sorted(large) == [(0,), (1, 2)]


# ------------------------------------------------------------------------------------------------------------- positions


def test_parameters_are_gathered_ahead_of_their_readers(monkeypatch: Any) -> None:
    """With room for two weights ahead: the third begins with the first reader. All of what a program asks for at once waits so, too."""
    monkeypatch.setattr(places, "AHEAD", 2 * 8 * 8 * 4)

    def run(early: bool, casts: bool) -> list[str]:
        weights = shards(*[(8, 8)] * 4)
        if casts:
            weights = [w.double() for w in weights]

        def f(x: Any) -> Any:
            gathered = [w.float().to_global(sbp=B) for w in reversed(weights)][::-1] if early else None
            for k, w in enumerate(weights):
                x = flow.relu(x @ (gathered[k] if gathered else w.float().to_global(sbp=B)))
            return x

        x = batch()
        compiled = flow.compile(f, fullgraph=True)
        graph = type("G", (nn.Graph,), {"build": lambda self, x: f(x)})()
        graph.config.without |= PLAIN | {"bucket"}
        with flow.no_grad():
            assert equal([whole(graph(x)), whole(compiled(x))], [whole(f(x))] * 2)
        (captured,) = graph._captured.programs
        return [node.name() for node in captured.before.nodes if node.name() in ("boxing", "matmul")]

    for early, casts in ((False, False), (True, False), (False, True), (True, True)):
        found = simulated(2)(run)(early, casts)
        assert found[0] == found[1]
        assert found[0] == ["boxing", "boxing", "boxing", "matmul", "boxing", "matmul", "matmul", "matmul"]


def test_what_one_op_reads_begins_ahead_of_it(monkeypatch: Any) -> None:
    """Of a weight and its bias, of which one has room ahead, both begin with the layer before."""
    monkeypatch.setattr(places, "AHEAD", 8 * 8 * 4)

    def run() -> list[str]:
        weights, biases = shards(*[(8, 8)] * 3), shards(*[(8,)] * 3)

        def f(x: Any) -> Any:
            for w, b in zip(weights, biases):
                x = nn.functional.linear(x, w.to_global(sbp=B), b.to_global(sbp=B))
            return x

        graph = type("G", (nn.Graph,), {"build": lambda self, x: f(x)})()
        graph.config.without |= PLAIN | {"bucket"}
        with flow.no_grad():
            assert equal([whole(graph(batch()))], [whole(f(batch()))])
        (captured,) = graph._captured.programs
        return [node.name() for node in captured.before.nodes if node.name() in ("boxing", "linear")]

    found = simulated(2)(run)()
    assert found[0] == found[1] == [*["boxing"] * 4, "linear", *["boxing"] * 2, "linear", "linear"]


def test_no_boxing_moves_over_a_write() -> None:
    """A parameter that the program writes before it is used, behind, and by a view of its memory."""

    def run() -> None:
        def before(w: Any, x: Any) -> Any:
            y = x @ x.t().sum(1)
            with flow.no_grad():
                w.mul_(2)
            return y, x @ w.to_global(sbp=B)

        def behind(w: Any, x: Any) -> Any:
            gathered = w.to_global(sbp=B)
            with flow.no_grad():
                w.add_(1)
            return x @ gathered, x @ w.to_global(sbp=B)

        def by_a_view(w: Any, x: Any) -> Any:
            gathered, part = w.to_global(sbp=B), w.to_local().view(-1)[1:3]
            with flow.no_grad():
                part.zero_()
            again = w.to_global(sbp=B)
            with flow.no_grad():
                w.to_local().t().copy_(flow.ones(*w.to_local().shape[::-1]))
            return x @ gathered, x @ again, x @ w.to_global(sbp=B)

        x = batch()
        for f in (before, behind, by_a_view):
            for without in (frozenset(), PLAIN):
                found = []
                for compiled in (False, True):
                    (w,) = shards((8, 4))
                    layer = nn.Module()
                    layer.w = nn.Parameter(w.detach())
                    if compiled:
                        graph = type("G", (nn.Graph,), {"build": lambda self, x, f=f: f(self.layer.w, x)})()
                        graph.layer = layer
                        graph.config.without |= without
                    with flow.no_grad():
                        found.append([*[whole(y) for _ in range(2) for y in (graph(x) if compiled else f(layer.w, x))], whole(layer.w)])
                assert equal(*found), (f.__name__, without)

    simulated(2)(run)()


def test_results_do_not_share_what_is_written() -> None:
    """Results that came together may be written in place; an explanation says what came together."""

    def run() -> None:
        xs = [x.detach() for x in shards((4, 3), (6, 2), (8, 1))]
        for sbp, moved in ((S0, lambda x: x), (partial_sum, lambda x: x * 1.5)):
            laid = [x.to_global(sbp=sbp) for x in xs]
            f = flow.compile(lambda xs, moved=moved: [x.to_global(sbp=B) for x in [moved(x) for x in xs]], fullgraph=True)
            for _ in range(2):
                ours, eager = f(laid), [moved(x).to_global(sbp=B).clone() for x in laid]
                for k, (a, b) in enumerate(zip(ours, eager)):
                    assert equal([whole(x) for x in ours], [whole(x) for x in eager])
                    a.mul_(k + 2)
                    b.mul_(k + 2)
            assert order_of(f.captures()[0].before) == [(0, 1, 2)]
            assert any(row.title.endswith("for 3 tensors") for row in f.explain(laid).kernels)

    simulated(2)(run)()


def test_the_memory_ahead_is_that_of_the_last_step() -> None:
    """A training step gathers what the step before has left."""

    def run() -> None:
        found = []
        for without in (frozenset(), NOTHING):
            graph = Training({**ALL, "shard_restore_level": 0}, layers=lambda: [nn.Linear(8, 8) for _ in range(5)])
            graph.config.without |= without
            found.append(graph.numbers(4))
        assert equal(*found)

    simulated(2)(run)()


# ---------------------------------------------------------------------------------------------- checkpointing, and twice


def test_segments_stay_what_they_are() -> None:
    """What is computed again in a backward is the same where boxings were moved out of it, into it and together."""

    class Block(nn.Module):
        def __init__(self, weights: Any) -> None:
            super().__init__()
            self.weights = nn.ParameterList([nn.Parameter(w.detach()) for w in weights])

        def forward(self, x: Any) -> Any:
            for w in self.weights:
                x = flow.tanh(x @ w.to_global(sbp=B) + w.sum().to_global(sbp=B))
            return x

    def run() -> Any:
        found, told = [], []
        for marked, without in ((True, frozenset()), (True, NOTHING), (False, NOTHING)):
            weights = shards(*[(8, 8)] * 6)
            graph = Training()
            graph.net = nn.Sequential(*[Block(weights[k : k + 2]) for k in (0, 2, 4)])
            graph.optimizer.param_groups[0]["params"] = list(graph.net.parameters())
            graph.config.without = set(PLAIN - {"checkpoint"}) | without
            for block in graph.net if marked else ():
                block.to(nn.graph.GraphModule).activation_checkpointing = True
            found.append(graph.numbers())
            (captured,) = graph._captured.programs
            before, segments = captured.before, captured.before.segments
            inside = [(_computed(before, s.start, s.stop), _computed(before, s.stop, s.backward)) for s in segments]
            told.append((order_of(before), inside, _computed(checkpoint(before))))
        assert equal(found[0], found[1]) and equal(found[0], found[2])
        return told

    moved, captured, unmarked = simulated(2)(run)()[0]
    assert len(moved[0]) < len(captured[0]) and moved[1:] == captured[1:]
    assert len(moved[1]) == 3 and len(moved[2]) > len(unmarked[2])


def _computed(graph: Graph, start: int = 0, stop: int | None = None) -> list[str]:
    """What a part of a graph computes, but for what packs and unpacks."""
    names = [node.name() for node in graph.nodes[start:stop]]
    return [name for name in names if name not in ("boxing", "view", "late", "cat", "contiguous_copy")]


def _gathered_twice(graph: Graph) -> Graph:
    """A boxing of a parameter again for each reader behind the first, behind what stands before that."""
    nodes: list[Any] = []
    seen: dict[Any, Any] = {}
    for node in graph.nodes:
        for value in node.operands():
            boxing = seen.get(value)
            if boxing == "read":
                continue
            if isinstance(boxing, Boxing):
                seen[value] = (boxing,)
            elif boxing is not None:
                late = Late(boxing[0].inputs[0], nodes[-1].outputs[0])
                again = boxing[0].again((late.outputs[0],))
                nodes += [late, again]
                node = node.reading(lambda v, old=value, new=again: new.outputs[0] if v is old else v)
        if isinstance(node, Boxing):
            seen[node.outputs[0]] = node
        nodes.append(node)
    return replace(graph, nodes=nodes)


def test_late_operands_move_with_their_boxings(monkeypatch: Any) -> None:
    """A second boxing behind the first reader begins ahead of its own, and waits for nothing that comes later."""
    monkeypatch.setattr(decisions, "DECISIONS", (_gathered_twice, *decisions.DECISIONS))
    monkeypatch.setattr(places, "AHEAD", 2 * 8 * 8 * 4)

    def run() -> list[Any]:
        weights = shards(*[(8, 8)] * 4)

        def f(x: Any) -> Any:
            whole_weights = [w.to_global(sbp=B) for w in weights]
            for w in (*whole_weights, *whole_weights[::-1]):
                x = flow.tanh(x @ w)
            return x

        graph = type("G", (nn.Graph,), {"build": lambda self, x: f(x)})()
        graph.config.without |= PLAIN
        with flow.no_grad():
            assert equal([whole(graph(batch()))], [whole(f(batch()))])
        (captured,) = graph._captured.programs
        captured.before.verify()
        return order_of(captured.before), sum(isinstance(node, Late) for node in captured.before.nodes)

    for found in simulated(2)(run)():
        order, late = found
        assert sorted(n for each in order for n in each) == [0, 0, 1, 1, 2, 2, 3, 3] and late == 4, found
        assert len(order) < 8


# ------------------------------------------------------------------------------------------------------------ agreement


@pytest.mark.parametrize("differ", [False, True])
def test_ranks_that_would_move_differently_move_what_was_captured(differ: bool, monkeypatch: Any) -> None:
    """One rank reads its shard in between, which no other rank knows of."""
    meet, met = verbs.control_gather, []
    monkeypatch.setattr(verbs, "control_gather", lambda ranks, own, what: met.append(what) or meet(ranks, own, what))

    def run() -> Any:
        def f(x: Any, y: Any) -> Any:
            a = (x * 2).to_global(sbp=B)
            local = y.to_local()
            if differ and this_rank().index == 1:
                local = local + 0 * (a.to_local() + 1).exp().sum()
            b = (local.to_global(y.placement, S0) * 3).to_global(sbp=B)
            return a.exp(), b.exp()

        xs = [x.detach() for x in shards((6, 3), (6, 3))]
        compiled = flow.compile(f, fullgraph=True)
        for _ in range(3):
            assert equal([whole(z) for z in compiled(*xs)], [whole(z) for z in f(*xs)])
        (captured,) = compiled.captures()
        return order_of(captured.before), captured.graph

    found = simulated(3)(run)()
    verify_ranks({rank: graph for rank, (_, graph) in enumerate(found)})
    assert [order for order, _ in found] == [[(0,), (1,)] if differ else [(0, 1)]] * 3
    assert met.count("a capture") == 3


def test_ranks_know_nothing_of_what_others_move() -> None:
    """Stages of a pipeline: no rank reads what the other stage gathers, and yet each gathers together."""

    def run() -> Any:
        stages = [flow.placement(everywhere().type, ranks) for ranks in ([0, 1], [2, 3])]
        flow.manual_seed(0)
        weights = [flow.randn(8, 8).to_global(stages[k // 3], B).to_global(sbp=S0) for k in range(6)]

        def f(x: Any) -> Any:
            for w in weights:
                x = flow.tanh(x.to_global(w.placement, B) @ w.to_global(sbp=B))
            return x.to_global(everywhere(), B)

        x = flow.randn(4, 8).to_global(everywhere(), B)
        compiled = flow.compile(f, fullgraph=True)
        for _ in range(2):
            assert equal([whole(compiled(x))], [whole(f(x))])
        (captured,) = compiled.captures()
        return order_of(captured.before), captured.graph, captured.over_ranks.ranks

    found = simulated(4)(run)()
    verify_ranks({rank: graph for rank, (_, graph, _) in enumerate(found)})
    for rank, (order, _, ranks) in enumerate(found):
        own = [each for each in order if rank in ranks[each[0]]]
        assert sum(len(each) == 3 for each in own) == 1, (rank, own)


EVERYONE, PAIRS = [(0, 1, 2)] * 4, [(0, 1), (1, 2), (0, 2)]
PROPOSALS = [
    ([[(0,), (1, 2), (3,)]] * 3, EVERYONE, True),
    ([[(0,), (1, 2), (3,)], [(0,), (1, 2), (3,)], [(0,), (3,), (1, 2)]], EVERYONE, False),
    ([[(0,), (1, 2)], [(0,), (1, 2)], [(0,), (1,), (2,)]], EVERYONE, False),
    ([[(0,), (1, 2)], [(0,), (1, 2)], [(0,), (2, 1)]], EVERYONE, False),
    ([[(0,), (1,), (0,)], [(0,), (1,), (0,)], [(0,), (1,)]], EVERYONE, False),
    ([[(0,), (1,), (0,)]] * 3, EVERYONE, True),
    ([[(0,), (2,)], [(0,), (1,)], [(1,), (2,)]], PAIRS, True),
    ([[(2,), (0,)], [(0,), (1,)], [(1,), (2,)]], PAIRS, False),  # each waits for the next
    ([[(1,), (0,), (2,)], [(0,), (1,), (2,)], [(1,), (0,), (2,)]], PAIRS, True),  # boxings of others may stand anywhere
    ([[], [], []], EVERYONE, True),
]  # fmt: skip


@pytest.mark.parametrize("orders, movers, fit", PROPOSALS, ids=str)
def test_proposals(orders: Any, movers: Any, fit: bool) -> None:
    assert fits({rank: [order] for rank, order in enumerate(orders)}, movers) == fit
    assert fits({rank: [[], order] for rank, order in enumerate(orders)}, movers) == fit


# --------------------------------------------------------------------------------------------------------------- attacks


def _random_program(seed: int, size: int) -> Any:
    """Tensors of some layouts, some of them states, that are laid out anew, read, and written, in any order; some by one rank alone."""
    rng = random.Random(seed)
    tensors = [
        ((rng.choice((size, 2 * size, 3 * size, 5)), rng.randint(1, 3)), rng.choice((S0, S0, S0, partial_sum, B)), rng.random() < 0.2)
        for _ in range(7)
    ]
    steps = []
    for _ in range(22):
        kind = rng.choice(("move", "move", "move", "move", "computed", "computed", "read", "read", "write", "part", "alone"))
        steps.append((kind, rng.randrange(len(tensors)), rng.choice((B, B, S0)), rng.randrange(size)))

    def given() -> list[Any]:
        flow.manual_seed(seed)
        found = [flow.randn(*shape).to_global(everywhere(), B).to_global(sbp=sbp) for shape, sbp, _ in tensors]
        return [x.double() if is_double else x for x, (_, _, is_double) in zip(found, tensors)]

    def run(xs: list[Any]) -> list[Any]:
        moved, results = [], []
        for kind, k, sbp, rank in steps:
            x = xs[k]
            if kind in ("move", "computed"):
                moved.append((x if kind == "move" else x * 1.5).to_global(sbp=sbp))
            elif kind == "write":
                x.mul_(1.25)
            elif kind == "part":
                x.to_local().view(-1)[1:2].add_(0.5)
            elif moved and kind == "read":
                results.append(flow.tanh(moved[k % len(moved)]))
            elif moved and rank == this_rank().index:
                results.append(flow.tanh(moved[k % len(moved)].to_local()) * 2)
        return [*results, *[y + 1 for y in moved]]

    return given, run


def _attack(seed: int, size: int) -> list[tuple[int, ...]]:
    given, run = _random_program(seed, size)

    class Program(nn.Graph):
        def __init__(self, xs: list[Any], without: Any) -> None:
            super().__init__()
            self.net = nn.Module()
            for k, x in enumerate(xs):
                self.net.register_buffer(f"x{k}", x)
            self.config.without |= without

        def build(self, *rest: Any) -> Any:
            own = iter(rest)
            return run([next(own) if k % 3 == 0 else getattr(self.net, f"x{k}") for k in range(7)])

    with flow.no_grad():
        found = []
        for without in (None, PLAIN, frozenset()):
            xs = given()
            program = None if without is None else Program(xs, without)
            for _ in range(2):  # a graph writes its states, and no arguments
                now = [x.clone() if k % 3 == 0 else x for k, x in enumerate(xs)]
                results = run(now) if without is None else program(*now[::3])
                found.append([y.numpy().copy() if y.is_local else whole(y) for y in results])
            found[-1] += [whole(x) for x in xs]
    assert equal(found[0], found[2]) and equal(found[1], found[3])
    for ours, eager in zip(found[4:], found[:2]):
        for a, b in zip(ours, eager):
            numpy.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6)
    (captured,) = program._captured.programs
    return order_of(captured.before)


@pytest.mark.parametrize("seed", [*range(4), *[pytest.param(k, marks=pytest.mark.long) for k in range(4, 200)]])
def test_random_moves(seed: int, monkeypatch: Any) -> None:
    monkeypatch.setattr(places, "AHEAD", random.Random(seed).choice((0, 100, 25 << 20)))
    size = 2 + seed % 3
    orders = simulated(size)(_attack)(seed, size)
    assert all(order == orders[0] for order in orders)


def test_on_ranks(ranks2: Pool) -> None:
    for seed in (0, 3, 9):
        ranks2.run(_attack, seed, 2)
