"""`GraphConfig.enable_zero`: what a graph with it leaves is what plain data parallelism leaves, with 1/n of the states on a rank."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy
import pytest

import tritonflow as flow
from tests.consistent.graph_programs import PLAIN, everywhere, whole
from tests.consistent.pool import Pool
from tritonflow import nn
from tritonflow.errors import LocalityError
from tritonflow.framework.sbp import broadcast, split
from tritonflow.graph.api.zero import split_sbp
from tritonflow.graph.ir import CollectiveStart
from tritonflow.graph.ranks import decide
from tritonflow.graph.ranks.cut_first import cut_first
from tritonflow.graph.ranks.regather import regather

B, S0, S1 = broadcast, split(0), split(1)
ALL = {"shard_min_size": 1}


class Training(nn.Graph):
    """A few layers, with sizes that two and three ranks do not share alike. The batch is split."""

    def __init__(
        self, zero: dict[str, int] | None = None, optimizer: Any = flow.optim.AdamW, layers: Any = None, **options: Any
    ) -> None:
        super().__init__()
        flow.manual_seed(0)
        layers = layers or (lambda: (nn.Linear(8, 21), nn.Tanh(), nn.Linear(21, 7), nn.Tanh(), nn.Linear(7, 1)))
        self.net = nn.Sequential(*layers()).to_global(everywhere(), B)
        trained = [p for p in self.net.parameters() if p.requires_grad]
        self.optimizers = [optimizer(trained, **(options or {"lr": 0.1}))]
        self.add_optimizer(self.optimizers[0])
        self.config.without |= PLAIN
        if zero is not None:
            self.config.enable_zero(True, **zero)

    def build(self, x: Any) -> Any:
        loss = self.net(x).pow(2).mean()
        loss.backward()
        return loss

    @property
    def optimizer(self) -> Any:
        return self.optimizers[0]

    def numbers(self, steps: int = 3) -> list[Any]:
        """The losses of some steps, and the parameters behind them."""
        return [*[whole(self(batch())) for _ in range(steps)], *map(whole, self.net.parameters())]


def batch() -> flow.Tensor:
    flow.manual_seed(1)
    return flow.randn(12, 8).to_global(everywhere(), B).to_global(sbp=S0)


def equal(ours: list[Any], theirs: list[Any]) -> bool:
    return len(ours) == len(theirs) and all((a == b).all() for a, b in zip(ours, theirs))


def compared(stage: int) -> None:
    plain, graph = Training(), Training({**ALL, "stage": stage})
    assert equal(graph.numbers(), plain.numbers())
    assert len(graph._captured.captures()) == 1
    for p in graph.net.parameters():
        wanted = S0 if p.shape[0] >= p.placement.size else B
        assert p.sbp == (wanted,) and all(s.sbp == (wanted,) for s in graph.optimizer.state[p].values() if s.ndim)


@pytest.mark.parametrize("stage", [1, 2, 3])
@pytest.mark.parametrize("size", [2, 3])
def test_the_numbers_are_those_of_data_parallelism(size: int, stage: int) -> None:
    flow.testing.simulate(size)(compared)(stage)


def test_on_ranks(ranks2: Pool) -> None:
    ranks2.run(compared, 2)


def test_states_take_their_share_of_memory() -> None:
    def sizes() -> tuple[int, int, int]:
        graph = Training(ALL, layers=lambda: (nn.Linear(8, 900), nn.Tanh(), nn.Linear(900, 32)))
        graph(batch())
        params = list(graph.net.parameters())
        states = [s for p in params for s in graph.optimizer.state[p].values() if s.ndim]
        assert len(states) == 2 * len(params)
        whole_bytes = sum(p.numel() * p.dtype.itemsize for p in params)
        return whole_bytes, sum(p.impl.block.nbytes for p in params), sum(s.impl.block.nbytes for s in states)

    for size in (2, 3):
        for full, own, states in flow.testing.simulate(size)(sizes)():
            assert own <= full / size * 1.1 and states <= 2 * full / size * 1.1, (full, own, states)


@pytest.mark.parametrize("amp", [None, flow.bfloat16, flow.float16], ids=str)
def test_bytes_are_those_of_a_sum_in_two_halves(amp: Any) -> None:
    """A rank sends its shares of parameters, and of gradients what are the others' shares: as much as plain parallelism sends."""

    def sent(zero: Any) -> tuple[int, int]:
        graph = Training(zero)
        graph.config.enable_amp(amp is not None, dtype=amp or flow.bfloat16)
        graph(batch())
        (captured,) = graph._captured.programs
        me = flow.env.get_rank()
        starts = [node.verb for node in captured.graph.nodes if isinstance(node, CollectiveStart)]
        nbytes = sum(part.nbytes for verb in starts for part in verb.sends if part.peer != me)
        return nbytes, sum(p.numel() * (amp or p.dtype).itemsize for p in graph.net.parameters())

    found, plain = [flow.testing.simulate(2)(sent)(zero) for zero in (ALL, None)]
    assert sum(n for n, _ in found) <= 1.02 * 2 * found[0][1] and sum(n for n, _ in found) <= sum(n for n, _ in plain)


def gathered_by(graph: Any) -> int:
    """The bytes that a rank sends to others in a program where parameters are gathered."""
    (captured,) = graph._captured.programs
    gathers = [n.verb for n in captured.graph.nodes if isinstance(n, CollectiveStart) and n.what.startswith("S0 ")]
    return sum(part.nbytes for verb in gathers for part in verb.sends if part.peer != flow.env.get_rank())


@pytest.mark.parametrize("stage", [2, 3])
def test_autocast_sends_parameters_in_the_half_type(monkeypatch: pytest.MonkeyPatch, stage: int) -> None:
    """Casts stand in front of gathers, and the bits are those of casts behind them."""

    def run() -> Any:
        graph = Training({**ALL, "stage": stage}, layers=lambda: (nn.Linear(8, 20), nn.Tanh(), nn.Linear(20, 6)))
        graph.config.enable_amp(True, dtype=flow.bfloat16)
        return graph.numbers(), gathered_by(graph)

    ours = flow.testing.simulate(2)(run)()
    monkeypatch.setattr(decide, "CHOICES", (cut_first, regather))
    for (numbers, sent), (expected, before) in zip(ours, flow.testing.simulate(2)(run)()):
        assert equal(numbers, expected)
        assert sent == before / 2 and sent > 0


def summed_by(graph: Any) -> int:
    """The bytes that a rank sends to others in a program where gradients are summed."""
    (captured,) = graph._captured.programs
    sums = [n.verb for n in captured.graph.nodes if isinstance(n, CollectiveStart) and n.what.startswith("P ") and "[]" not in n.what]
    return sum(part.nbytes for verb in sums for part in verb.sends if part.peer != flow.env.get_rank())


@pytest.mark.parametrize("amp", [flow.bfloat16, flow.float16], ids=str)
@pytest.mark.parametrize("size, layers", [(2, None), (3, None), (2, "tied"), (4, None)])
def test_autocast_sums_gradients_in_parts(size: int, layers: Any, amp: Any) -> None:
    """A rank gets the sums of its shares, in the half type. They are plain parallelism's, bit for bit; 1/n of the bytes is received."""

    def run(zero: Any, without: Any = ()) -> Any:
        flow.manual_seed(1)
        make: Any = tied_and_frozen if layers else lambda: (nn.Linear(8, 21), nn.Tanh(), nn.Linear(21, 12))
        graph = Training(zero, layers=make)
        graph.config.enable_amp(True, dtype=amp)
        graph.set_grad_scaler(flow.amp.GradScaler(init_scale=64.0))
        graph.config.without |= {*without}
        return graph.numbers(), summed_by(graph), sum(p.numel() for p in graph.net.parameters() if p.requires_grad)

    found = [flow.testing.simulate(size)(run)(*args) for args in ((ALL,), (ALL, ["cut_first"]), (None,))]
    assert all(equal(ours[0], other[0]) for others in found[1:] for ours, other in zip(found[0], others))
    ours, uncut, plain = [sum(sent for _, sent, _ in each) for each in found]
    least = (size - 1) * amp.itemsize * found[0][0][2]
    assert least <= ours <= 1.02 * least and uncut >= 1.9 * least and plain >= 1.9 * least, (least, ours, uncut, plain)


@pytest.mark.parametrize("is_read", [True, False])
def test_a_sum_stays_whole_where_others_read_it(is_read: bool) -> None:
    """A hook sees the whole gradient; what it computes in vain does not count."""

    class Hooked(Training):
        def build(self, x: Any) -> Any:
            seen: list[Any] = []
            self.net[0].weight.register_hook(lambda grad: seen.append(grad.abs().amax()))
            loss = super().build(x)
            return loss, seen[0] if is_read else loss, self.net[2].weight

    def run() -> Any:
        found = []
        for without in ((), ("cut_first",)):
            graph = Hooked(ALL, layers=lambda: (nn.Linear(8, 20), nn.Tanh(), nn.Linear(20, 6)))
            graph.config.enable_amp(True, dtype=flow.bfloat16)
            graph.config.without |= {"remove_dead_code", *without}
            loss, largest, weight = graph(batch())
            assert type(weight) is flow.Tensor and weight.sbp == (B,) and weight.grad is None
            found.append([whole(loss), whole(largest), whole(weight), *map(whole, graph.net.parameters()), summed_by(graph)])
        ours, uncut = found[0].pop(), found[1].pop()
        assert equal(*found) and (ours > 0.5 * uncut if is_read else ours == 0.5 * uncut)

    flow.testing.simulate(2)(run)()


def test_a_cast_stays_behind_where_others_read_too() -> None:
    """What float32 ops read as well is gathered once, in float32; and the other way where nothing is cast to a half type."""

    class Reads(Training):
        def build(self, x: Any) -> Any:
            loss = self.net(x).float().pow(2).mean() + sum(p.pow(2).mean() for p in self.net.parameters())
            loss.backward()
            return loss

    def run() -> Any:
        found = []
        for amp in (True, False):
            graph = Reads({**ALL, "stage": 2}, layers=lambda: (nn.Linear(8, 20), nn.Tanh(), nn.Linear(20, 6)))
            graph.config.enable_amp(amp, dtype=flow.bfloat16)
            graph(batch())
            found.append(gathered_by(graph))
        return found

    for halves, whole_numbers in flow.testing.simulate(2)(run)():
        assert halves == whole_numbers


def test_stage_3_gathers_again() -> None:
    """A backward gathers what it reads, but for the last layer; in stage 2 parameters stay. Micro-steps gather for themselves."""

    def run(stage: int, micro_steps: int) -> Any:
        graph = Training({**ALL, "stage": stage}, layers=lambda: [each for _ in range(5) for each in (nn.Linear(32, 32), nn.Tanh())])
        graph.config.set_gradient_accumulation_steps(micro_steps)
        graph.config.without |= {"bucket"}
        flow.manual_seed(1)
        x = flow.randn(12, 32).to_global(everywhere(), B).to_global(sbp=S0)
        losses = [whole(graph(x)) for _ in range(2)]
        (captured,) = graph._captured.programs
        gathers = sum(isinstance(n, CollectiveStart) and n.verb.name == "gather" for n in captured.graph.nodes)
        return gathers, captured.executable.arena_bytes, [*losses, *map(whole, graph.net.parameters())]

    for micro_steps, again in ((1, 3), (2, 3 + 10 + 3)):
        for (few, most, a), (more, least, b) in zip(*[flow.testing.simulate(2)(run)(k, micro_steps) for k in (2, 3)]):
            assert equal(a, b) and (few, more) == (10, 10 + again), (few, more)
            assert micro_steps > 1 or least < most - 3 * 4 * 32 * 32


@pytest.mark.parametrize(
    "optimizer, options",
    [(flow.optim.SGD, {"lr": 0.1, "momentum": 0.9}), (flow.optim.LAMB, {"lr": 0.1}), (flow.optim.Adafactor, {"lr": 0.1})],
    ids=["sgd", "lamb", "adafactor"],
)
def test_optimizers(optimizer: Any, options: Any) -> None:
    """Norms over shares are added in another order."""

    def run() -> None:
        for a, b in zip(Training(ALL, optimizer, **options).numbers(), Training(None, optimizer, **options).numbers()):
            numpy.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6)

    flow.testing.simulate(2)(run)()


def test_micro_steps_clipping_half_types_and_scales() -> None:
    def run() -> None:
        found = []
        for zero in (ALL, None):
            graph = Training(zero)
            graph.config.set_gradient_accumulation_steps(2)
            graph.config.enable_amp(True, dtype=flow.bfloat16)
            graph.set_grad_scaler(flow.amp.GradScaler(init_scale=256.0, growth_interval=2))
            graph.optimizer.param_groups[0]["clip_grad_max_norm"] = 0.01
            found.append(graph.numbers())
        for a, b in zip(*found):
            numpy.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6)

    flow.testing.simulate(2)(run)()


def test_it_may_begin_behind_steps_without_it_and_states_go_over() -> None:
    def run() -> None:
        plain, later = Training(), Training()
        expected = [*plain.numbers(2), *plain.numbers(2)]
        found = later.numbers(2)
        loaded, before = Training(ALL), Training()
        before.numbers(2)
        loaded.load_state_dict(before.state_dict())
        assert equal(loaded.numbers(2), expected[-8:])
        later.config.enable_zero(True, **ALL)
        assert equal([*found, *later.numbers(2)], expected)
        later.load_state_dict(plain.state_dict())
        assert equal(later.numbers(1), plain.numbers(1)) and later.net[0].weight.sbp == (S0,)

    flow.testing.simulate(2)(run)()


def test_behind_it_a_graph_without_and_eager_mode_have_the_numbers() -> None:
    def run() -> None:
        class Evaluation(nn.Graph):
            def __init__(self, net: Any) -> None:
                super().__init__()
                self.net = net

            def build(self, x: Any) -> Any:
                return self.net(x)

        graph, plain = Training({**ALL, "shard_restore_level": 0}), Training()
        for a, b in zip(graph.numbers(), plain.numbers()):
            numpy.testing.assert_allclose(a, b, rtol=2e-4, atol=1e-5)
        with flow.no_grad():
            for call in (Evaluation(graph.net), graph.net):
                numpy.testing.assert_allclose(whole(call(batch())), whole(plain.net(batch())), rtol=1e-3, atol=1e-4)

    flow.testing.simulate(2)(run)()


def tied_and_frozen() -> list[Any]:
    layers = [nn.Linear(8, 8), nn.Tanh(), nn.Linear(8, 8), nn.Tanh(), nn.Linear(8, 8)]
    layers[4].weight = layers[0].weight
    layers[2].weight.requires_grad_(False)
    return layers


def test_tied_and_frozen_parameters() -> None:
    def run() -> None:
        graph, plain = Training(ALL, layers=tied_and_frozen), Training(layers=tied_and_frozen)
        assert equal(graph.numbers(), plain.numbers())
        net = graph.net
        assert net[4].weight is net[0].weight and (net[0].weight.sbp, net[2].weight.sbp) == ((S0,), (B,))

    flow.testing.simulate(2)(run)()


LAYOUTS = [
    ((2,), (B,), (6, 4), (S0,)), ((2,), (S0,), (6, 4), None), ((2,), (S1,), (6, 4), None), ((1,), (B,), (6, 4), None),
    ((2, 2), (B, B), (6, 4), (B, S0)), ((2, 2), (B, S0), (6, 4), (S0, S0)), ((2, 2), (S1, B), (6, 4), (S1, S1)),
    ((2, 2), (S0, S1), (6, 4), None), ((2,), (B,), (1, 4), None), ((2,), (B,), (), None), ((3, 1), (B, S0), (6, 4), (S0, S0)),
]  # fmt: skip


@pytest.mark.parametrize("mesh, sbp, shape, wanted", LAYOUTS, ids=str)
def test_layouts(mesh: Any, sbp: Any, shape: Any, wanted: Any) -> None:
    def found() -> Any:
        placement = flow.placement("cpu", numpy.arange(prod(mesh)).reshape(mesh))
        x = flow.zeros(shape, placement=placement, sbp=sbp)
        return split_sbp(x.meta, 1), split_sbp(x.meta, 24)

    assert flow.testing.simulate(prod(mesh))(found)()[0] == (wanted, None)


def test_two_dimensions_of_ranks_and_stages_of_a_pipeline() -> None:
    """The placements of parameters stay theirs; a mesh splits one dimension more."""

    class Net(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            flow.manual_seed(0)
            self.first, self.second = nn.Linear(8, 12), nn.Linear(12, 4)

        def forward(self, x: Any) -> Any:
            return self.second(flow.relu(self.first(x)))

    class Train(nn.Graph):
        def __init__(self, net: Any, places: Any, zero: bool) -> None:
            super().__init__()
            self.net = net
            for k, (layer, (placement, sbp)) in enumerate(zip((net.first, net.second), places)):
                layer.to_global(placement, [B] * placement.ndim).to_global(sbp=sbp)
                if places[0][0] is not places[1][0]:
                    layer.to(nn.graph.GraphModule).set_stage(k, placement)
            self.add_optimizer(flow.optim.SGD(net.parameters(), lr=0.1, momentum=0.9))
            self.config.without |= PLAIN
            if zero:
                self.config.enable_zero(True, shard_min_size=1)

        def build(self, x: Any) -> Any:
            loss = self.net(x).pow(2).mean()
            loss.backward()
            return loss

    def run() -> None:
        mesh, stages = flow.placement("cpu", [[0, 1], [2, 3]]), [flow.placement("cpu", k) for k in ([0, 1], [2, 3])]
        flow.manual_seed(1)
        for places, wanted in (
            ([(mesh, [B, S0]), (mesh, [S0, B])], (S0, S0)),
            ([(stages[0], B), (stages[1], B)], (S0,)),
        ):
            x = flow.randn(6, 8).to_global(places[0][0], [B] * places[0][0].ndim).to_global(sbp=[S0, B][: places[0][0].ndim])
            found = []
            for zero in (True, False):
                graph = Train(Net(), places, zero)
                losses = [whole(graph(x).to_global(everywhere(), B)) for _ in range(3)]
                if zero:
                    assert all(p.sbp == wanted for p in graph.net.parameters())
                moved = [p.detach().to_global(everywhere(), B) for p in graph.net.parameters()]
                found.append([*losses, *map(whole, moved)])
            for a, b in zip(*found):
                numpy.testing.assert_allclose(a, b, rtol=1e-6, atol=1e-7)

    flow.testing.simulate(4)(run)()


def test_wrong_arguments_and_local_parameters() -> None:
    config = nn.Graph().config
    for wrong, error in (
        ({"mode": 1}, TypeError), ({"stage": 0}, ValueError), ({"stage": 4}, ValueError), ({"stage": 1.0}, TypeError),
        ({"shard_min_size": 0}, ValueError), ({"shard_restore_level": 3}, ValueError),
    ):  # fmt: skip
        with pytest.raises(error, match="enable_zero"):
            config.enable_zero(**wrong)
    with pytest.raises(ValueError, match="distributed_split"):
        config.set_zero_redundancy_optimizer_mode("split")
    assert config.zero is None
    config.set_zero_redundancy_optimizer_mode()
    assert config.zero is not None and config.zero.stage == 2
    config.set_zero_redundancy_optimizer_mode("none")
    assert config.zero is None

    def refused() -> None:
        graph = Training(ALL)
        graph.net[2].to_local()
        before = [p.meta for p in graph.net.parameters()]
        with pytest.raises(LocalityError, match="2 parameters are local"):
            graph(batch())
        assert [p.meta for p in graph.net.parameters()] == before

    flow.testing.simulate(2)(refused)()
