"""Choices of what moves are compared: where ranks would choose otherwise, all of them move what was captured, or tell it."""

from __future__ import annotations

from typing import Any

import pytest

import tritonflow as flow
from tests.consistent.graph_programs import PLAIN, everywhere, simulated, whole
from tests.consistent.pool import Pool
from tests.consistent.test_zero import ALL, Training, batch, equal
from tritonflow import nn
from tritonflow.errors import CaptureError, RankError
from tritonflow.framework.sbp import broadcast, split
from tritonflow.graph.ranks.decide import CHOICES, DECISIONS
from tritonflow.graph.ranks.proposals import moved_otherwise, order_of
from tritonflow.graph.ranks.verify import verify_ranks
from tritonflow.wire.world import this_rank

B, S0 = broadcast, split(0)
EACH = [run.__name__ for run in (*CHOICES, *DECISIONS)]


def layers() -> Any:
    return [each for _ in range(4) for each in (nn.Linear(8, 8), nn.Tanh())]


def training(graph: type[Training] = Training, without: Any = ()) -> Training:
    """One of which each choice moves something otherwise."""
    made = graph({**ALL, "stage": 3}, layers=layers)
    made.config.enable_amp(True, dtype=flow.bfloat16)
    made.config.without |= set(without)
    return made


def program(graph: Training) -> Any:
    (captured,) = graph._captured.programs
    return captured


def all_as_captured(found: Any) -> bool:
    """Whether the programs of all ranks fit together, and each moves what was captured, once and in that order."""
    verify_ranks({rank: each.graph for rank, each in enumerate(found)})
    orders = [order_of(each.before) for each in found]
    return all(order == [(k,) for k in range(len(order))] and order == orders[0] for order in orders)


def one_is_alone(name: str) -> Any:
    expected = training(without=(*EACH, *PLAIN)).numbers(2)
    graph = training(without=[name] if this_rank().index == 1 else ())
    assert equal(graph.numbers(2), expected)
    return program(graph)


@pytest.mark.parametrize("name", EACH)
def test_one_rank_without_a_pass(name: str) -> None:
    assert all_as_captured(simulated(4)(one_is_alone)(name))


@pytest.mark.parametrize("name", EACH)
def test_each_choice_moves_something(name: str) -> None:
    """So the test above would see it."""

    def run() -> Any:
        found = []
        for without in ((), (name,)):
            graph = training(without=without)
            graph.numbers(1)
            before = program(graph).before
            before.verify()
            found.append((order_of(before), [node.route.digest for node in before.nodes if node.name() == "boxing"]))
        return found

    for ours, without in simulated(2)(run)():
        assert ours != without


class Reads(Training):
    """Rank 1 alone reads a whole parameter, in a dtype and at a time in which no other rank does."""

    where = "before"

    def build(self, x: Any) -> Any:
        read, seen = this_rank().index == 1, []
        if read and self.where == "before":
            seen.append(self.net[0].weight.to_local().sum())
        if read and self.where == "hook":
            self.net[0].weight.register_hook(lambda grad: seen.append(grad.to_local().sum()))
        loss = super().build(x)
        if read and self.where == "behind":
            seen.append(self.net[0].weight.to_local().sum())
        return (loss, *seen)

    def numbers(self, steps: int = 2) -> list[Any]:
        losses, *seen = zip(*[[y.numpy() if y.is_local else whole(y) for y in self(batch())] for _ in range(steps)])
        assert len(seen) == (self.where != "" and this_rank().index == 1)
        return [*losses, *map(whole, self.net.parameters())]


@pytest.mark.parametrize("where", ["before", "hook", "behind", ""])
def test_one_rank_reads_a_parameter(where: str) -> None:
    def run() -> Any:
        graph = training(type("Graph", (Reads,), {"where": where}), PLAIN)
        assert equal(graph.numbers(), training(without=(*EACH, *PLAIN)).numbers(2))
        return program(graph)

    assert all_as_captured(simulated(2)(run)()) == (where != "")


@pytest.mark.parametrize("stage", [2, 3])
def test_one_rank_computes_modules_again(stage: int) -> None:
    """What its backward computes again reads parameters at times at which no other rank does; what moves is the same."""

    def run() -> Any:
        found = []
        for marked in (False, True):
            graph = Training({**ALL, "stage": stage}, layers=lambda: [nn.Sequential(nn.Linear(8, 8), nn.Tanh()) for _ in range(4)])
            graph.config.without |= PLAIN - {"checkpoint"}
            for block in graph.net if marked and this_rank().index == 1 else ():
                block.to(nn.graph.GraphModule).activation_checkpointing = True
            found.append(graph.numbers(2))
        assert equal(*found)
        return program(graph)

    verify_ranks({rank: each.graph for rank, each in enumerate(simulated(2)(run)())})


@pytest.mark.filterwarnings("ignore:.*is not compiled")
@pytest.mark.parametrize("fullgraph", [False, True])
def test_a_loss_that_ranks_would_cut_otherwise(fullgraph: bool) -> None:
    """Its backward is a program of its own, which is cut for what ranks have chosen. All run eagerly, or tell it."""

    def run() -> None:
        flow.manual_seed(0)
        weight = flow.randn(8, 6).to_global(everywhere(), B).to_global(sbp=S0).requires_grad_()

        def f(x: Any) -> Any:
            w = weight.to_global(sbp=B)
            with flow.autocast("cpu", flow.bfloat16):
                y = x @ w
            own = w.detach().to_local().sum() if this_rank().index == 1 else None
            return y.float().pow(2).mean(), own

        def numbers(f: Any) -> list[Any]:
            weight.grad = None
            loss, own = f(batch())
            loss.backward()
            return [whole(loss), whole(weight.grad), *([] if own is None else [own.numpy()])]

        compiled = flow.compile(f, fullgraph=fullgraph)
        for _ in range(2):
            if fullgraph:
                with pytest.raises(CaptureError, match=r"different things: S0 on .* float32\[8, 6\].* read it alike"):
                    compiled(batch())
            else:
                assert equal(numbers(compiled), numbers(f))
        assert not compiled.captures()

    simulated(2)(run)()


@pytest.mark.parametrize("other", [{"stage": 2}, {"shard_min_size": 40}, {"shard_restore_level": 0}], ids=str)
def test_settings_of_one_rank_are_seen_by_all(other: dict[str, int]) -> None:
    """What `enable_zero` is given is in what ranks compare."""

    def run() -> None:
        graph = Training({**ALL, "stage": 3, **(other if this_rank().index == 1 else {})}, layers=layers)
        with pytest.raises(RankError, match="capture different programs"):
            graph(batch())

    simulated(2)(run)()


@pytest.mark.parametrize("rows", [(2, 5), (1, 7)], ids=str)
def test_uneven_and_empty_shards_choose_alike(rows: tuple[int, int]) -> None:
    """A rank without rows, or with a row less, gathers, sums and casts as the others do."""

    def run() -> Any:
        flow.manual_seed(0)
        net = nn.ParameterList([nn.Parameter(flow.randn(n, 8).to_global(everywhere(), B).to_global(sbp=S0)) for n in rows])

        def f(x: Any) -> Any:
            net.zero_grad()
            with flow.autocast("cpu", flow.bfloat16):
                y = flow.cat([x @ w.to_global(sbp=B).t() for w in net], 1)
            loss = y.float().pow(2).mean()
            loss.backward()
            return loss

        compiled = flow.compile(f, fullgraph=True)
        compiled.config.without |= PLAIN
        found = [[*[whole(each(batch())) for _ in range(2)], *[whole(w.grad) for w in net]] for each in (compiled, f)]
        assert equal(*found)
        captured = compiled.captures()[-1]  # the first one found no gradients
        return captured, [node.route.dtype.name for node in captured.before.nodes if node.name() == "boxing"]

    found = simulated(3)(run)()
    verify_ranks({rank: each.graph for rank, (each, _) in enumerate(found)})
    assert all(dtypes == found[0][1] and dtypes.count("bfloat16") >= 2 for _, dtypes in found)


EVERYONE, PAIRS = [(0, 1, 2)] * 2, [(0, 1), (1, 2)]
MOVES = [
    ([[{0: [7], 1: [8]}]] * 3, EVERYONE, None),
    ([[{0: [7], 1: [8]}], [{0: [7], 1: [8]}], [{0: [7], 1: [9]}]], EVERYONE, 1),
    ([[{0: [7, 7]}], [{0: [7]}], [{0: [7, 7]}]], EVERYONE, 0),
    ([[{0: [7]}, {1: [8]}], [{0: [7], 1: [8]}], [{0: [7]}, {1: [8]}]], EVERYONE, 1),  # in another program
    ([[{0: [7]}], [{0: [7], 1: [8]}], [{0: [6], 1: [8]}]], PAIRS, None),  # what others move may be anything
    ([[], [], []], EVERYONE, None),
]  # fmt: skip


@pytest.mark.parametrize("moves, takers, number", MOVES, ids=str)
def test_what_moves_is_compared(moves: Any, takers: Any, number: int | None) -> None:
    assert moved_otherwise(dict(enumerate(moves)), takers) == number


def test_on_ranks(ranks2: Pool) -> None:
    for name in EACH:
        ranks2.run(one_is_alone_on_ranks, name)


def one_is_alone_on_ranks(name: str) -> None:
    order = order_of(one_is_alone(name).before)
    assert order == [(k,) for k in range(len(order))]
