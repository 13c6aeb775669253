"""What OneFlow's own tests of graphs over ranks check, on CPUs: stages, states in files, modes and the layout of gradients."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy
import pytest

import tritonflow as flow
from tests.consistent.graph_programs import everywhere, whole
from tests.consistent.pool import Pool
from tritonflow import nn
from tritonflow.errors import RankError
from tritonflow.framework.sbp import broadcast, split
from tritonflow.nn.graph import GraphModule
from tritonflow.utils.global_view import current_global_mode, global_mode, to_global, to_local

B, S0, S1 = broadcast, split(0), split(1)
IMAGES, LABELS = numpy.random.default_rng(0).normal(size=(8, 6)).astype("f4"), numpy.ones((8, 1), "f4")


def layers() -> list[nn.Module]:
    flow.manual_seed(0)
    return [nn.Linear(6, 8), nn.Linear(8, 8), nn.Linear(8, 8), nn.Linear(8, 1)]


class Pipeline(nn.Graph):
    """A layer on each of some ranks, or several of them."""

    def __init__(self, ranks: int, by_stage: bool = True) -> None:
        super().__init__()
        self.stages = nn.Sequential(*layers())
        self.places = [flow.placement("cpu", [k * ranks // 4]) for k in range(4)]
        for k, (stage, placement) in enumerate(zip(self.stages, self.places)):
            stage.to_global(placement, B)
            stage.to(GraphModule).set_stage(k, placement if by_stage else None)
        self.moves_itself = not by_stage
        self.config.set_gradient_accumulation_steps(4)
        self.add_optimizer(flow.optim.SGD(self.stages.parameters(), lr=0.1, momentum=0.9))

    def build(self, x: Any, wanted: Any) -> Any:
        y = x
        for stage, placement in zip(self.stages, self.places):
            y = stage(y.to_global(placement) if self.moves_itself else y)
        loss = (y - wanted.to_global(self.places[-1])).pow(2).sum()
        if self.config.training:
            loss.backward()
        return loss, x.to_global(self.places[-1])


def one_process() -> tuple[list[Any], list[Any]]:
    """Losses of micro-batches, and the parameters, of three steps without ranks."""
    net = nn.Sequential(*layers())
    optimizer, losses = flow.optim.SGD(net.parameters(), lr=0.1, momentum=0.9), []
    for _ in range(3):
        for k in range(4):
            loss = (net(flow.tensor(IMAGES[2 * k : 2 * k + 2])) - flow.tensor(LABELS[2 * k : 2 * k + 2])).pow(2).sum()
            (loss / 4).backward()
            losses.append(loss.item())
        optimizer.step()
        optimizer.zero_grad()
    return losses, [p.detach().numpy() for p in net.parameters()]


def pipelined(ranks: int, by_stage: bool) -> None:
    graph = Pipeline(ranks, by_stage)
    x, wanted = (flow.tensor(a).to_global(graph.places[0], B) for a in (IMAGES, LABELS))
    losses: list[float] = []
    for _ in range(3):
        loss, there = graph(x, wanted)
        assert loss.placement is graph.places[-1] and loss.shape == (4,)
        losses += loss.to_global(everywhere(), B).to_local().tolist()
        assert (there.to_global(everywhere(), B).to_local().numpy() == IMAGES).all()
    expected, weights = one_process()
    numpy.testing.assert_allclose(losses, expected, rtol=1e-5)
    for p, q in zip(graph.stages.parameters(), weights):
        numpy.testing.assert_allclose(whole(p.detach().to_global(everywhere(), B)), q, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("by_stage", [True, False])
@pytest.mark.parametrize("size", [2, 4])
def test_a_pipeline(size: int, by_stage: bool) -> None:
    flow.testing.simulate(size)(pipelined)(size, by_stage)


def test_a_pipeline_on_ranks(ranks2: Pool) -> None:
    ranks2.run(pipelined, 2, True)


@pytest.mark.parametrize("kind", ["views", "a write", "a write to a view", "nothing"])
def test_ranks_that_have_nothing_of_a_tensor_box_it_as_often_as_others(kind: str) -> None:
    def run() -> None:
        first, second = flow.placement("cpu", [0]), flow.placement("cpu", [1])

        def f(x: Any) -> Any:
            y = x * 1
            if kind == "views":
                return [y[k : k + 2].to_global(second) * 2 for k in (0, 2, 0)]
            before = y.to_global(second)
            if kind != "nothing":
                (y if kind == "a write" else y[0:2]).add_(1)
            return before, y.to_global(second)

        x = flow.arange(8.0, placement=first, sbp=B).view(4, 2)
        for ours, eager in zip(flow.compile(f, fullgraph=True)(x), f(x)):
            assert (whole(ours.to_global(everywhere(), B)) == whole(eager.to_global(everywhere(), B))).all()

    flow.testing.simulate(2)(run)()


def test_stages_of_modules() -> None:
    placement = flow.placement("cpu", [0])
    layer = nn.Linear(2, 2).to_global(placement, B)
    view = layer.to(GraphModule)
    assert (view.stage_id, view.stage_placement) == (None, None) and "stage" not in repr(view)
    view.set_stage(2, placement)
    view.stage_id = 1
    assert (view.stage_id, layer.to(GraphModule).stage_placement) == (1, placement) and "stage_id=1" in repr(view)
    for wrong, error in (({"stage_id": -1}, ValueError), ({"stage_id": True}, TypeError), ({"placement": "cpu"}, TypeError)):
        with pytest.raises(error, match="set_stage"):
            view.set_stage(**wrong)
    with pytest.raises(ValueError, match="must have placement and sbp"):
        layer(flow.ones(1, 2))
    view.set_stage()
    assert not layer._forward_pre_hooks and not layer._forward_with_kwargs


def test_what_a_stage_moves() -> None:
    """Tensors wherever they are among the arguments, and nothing else."""

    class Stage(nn.Module):
        def forward(self, x: Any, more: Any, *, last: Any) -> Any:
            return [x, *more["some"], *last], more["number"]

    def run() -> None:
        one, other = flow.placement("cpu", [0]), flow.placement("cpu", [1])
        stage = Stage()
        stage.to(GraphModule).set_stage(0, other)
        x = flow.ones(2, placement=one, sbp=B)
        there = flow.ones(2, placement=other, sbp=B)
        found, number = stage(x, {"some": (x, there), "number": 3}, last=[x])
        assert number == 3 and all(t.placement is other and t.sbp == (B,) for t in found) and found[2] is there

    flow.testing.simulate(2)(run)()


# -------------------------------------------------------------------------------------------------------- states in files


class Saved(nn.Graph):
    def __init__(self, optimizer: Callable[..., Any], sbp: Any) -> None:
        super().__init__()
        flow.manual_seed(0)
        self.linear = nn.Linear(3, 8).to_global(everywhere(), B).to_global(sbp=sbp)
        self.add_optimizer(optimizer(self.linear.parameters()))

    def build(self, x: Any) -> Any:
        loss = self.linear(x).pow(2).sum()
        loss.backward()
        return loss


OPTIMIZERS = {
    "momentum": (lambda params: flow.optim.SGD(params, lr=0.01, momentum=0.9), ["momentum"]),
    "adam": (lambda params: flow.optim.AdamW(params, lr=0.1, amsgrad=True), ["m", "v", "max_v"]),
}


def saved_and_loaded(folder: str, kind: str, sbp: Any) -> None:
    """A state goes to the first rank, into a file, and back; what follows has the same bits."""
    optimizer, names = OPTIMIZERS[kind]
    first = flow.placement("cpu", [0])
    flow.manual_seed(1)
    x = flow.randn(8, 3).to_global(everywhere(), B).to_global(sbp=S0)
    graph = Saved(optimizer, sbp)
    assert graph.state_dict()["System-Train-TrainStep"].tolist() == [0]
    for _ in range(2):
        graph(x)
    at_one = to_local(to_global(graph.state_dict(), first, B, warn_on_non_tensor_leaf=False))
    is_first = flow.env.get_rank() == 0
    if is_first:
        flow.save(at_one, folder)
    graph(x)
    loaded = Saved(optimizer, sbp)
    loaded.load_state_dict(
        to_global(flow.load(folder) if is_first else None, first, B, warn_on_non_tensor_leaf=False)
    )
    loaded(x)
    ours, theirs = loaded.state_dict(), graph.state_dict()
    assert ours["System-Train-TrainStep"].tolist() == theirs["System-Train-TrainStep"].tolist() == [3]
    for name in names:
        for p in ("weight", "bias"):
            key = f"linear.{p}-{name}"
            assert ours[key].sbp == (sbp,) and (whole(ours[key]) == whole(theirs[key])).all()
    assert (whole(loaded.linear.weight) == whole(graph.linear.weight)).all()


@pytest.mark.filterwarnings("ignore:Non-Tensor type", "ignore:The tensor should be global")
@pytest.mark.parametrize("kind, sbp", [("momentum", B), ("adam", S0)])
def test_states_in_files(tmp_path: Path, kind: str, sbp: Any) -> None:
    flow.testing.simulate(2)(saved_and_loaded)(str(tmp_path / "state"), kind, sbp)


def test_ranks_outside_of_a_placement_give_nothing() -> None:
    def run() -> Any:
        here = flow.env.get_rank() == 1
        given = {"a": flow.arange(6.0).view(2, 3), "b": [flow.tensor(3), "x"], "c": flow.ones(2, dtype=flow.float16)}
        found = to_global(
            given if here else None, flow.placement("cpu", [1]), lambda state, x: B if x is state["b"][0] else [split(x.ndim - 1)],
            warn_on_non_tensor_leaf=False,
        )  # fmt: skip
        assert found["a"].sbp == (S1,) and found["b"][1] == "x" and found["c"].dtype is flow.float16
        assert to_global(flow.ones(2) if here else None, flow.placement("cpu", [1]), B).shape == (2,)
        return [whole(x.to_global(everywhere(), B)).tolist() for x in (found["a"], found["b"][0])]

    for found in flow.testing.simulate(3)(run)():
        assert found == [[[0, 1, 2], [3, 4, 5]], 3]


# --------------------------------------------------------------------------------------------- modes, data and gradients


def test_a_mode_of_global_tensors() -> None:
    class Source(nn.Graph):
        def build(self, seed: Any) -> Any:
            with global_mode(True, placement=everywhere(), sbp=B):
                assert current_global_mode().is_enabled
                made = {
                    "randn": flow.randn((2, 2)), "rand": flow.rand((2, 2)), "randint": flow.randint(-100, 100, (2, 2)),
                    "randperm": flow.randperm(5), "arange": flow.arange(10), "empty": flow.empty((1, 2)),
                    "tensor": flow.tensor([[1, 2], [4, 3]], dtype=flow.int), "window": flow.hann_window(8),
                }  # fmt: skip
            assert not current_global_mode().is_enabled
            return made

    def run() -> None:
        made = Source()(flow.ones(1))
        assert all(x.is_global and x.placement is everywhere() and x.sbp == (B,) for x in made.values())
        assert whole(made["tensor"]).tolist() == [[1, 2], [4, 3]] and whole(made["arange"]).tolist() == [*range(10)]

    flow.testing.simulate(2)(run)()


def test_data_of_new_tensors_is_compared_behind_a_capture(ranks2: Pool) -> None:
    ranks2.run(_other_data)


def _other_data() -> None:
    def f(x: Any) -> Any:
        return x + flow.tensor([1.0, own["number"]], placement=everywhere(), sbp=B)

    own, x = {"number": 2.0}, flow.ones(2, placement=everywhere(), sbp=B)
    compiled = flow.compile(f, fullgraph=True)
    assert whole(compiled(x)).tolist() == [2, 3]
    own["number"] = 3.0 + flow.env.get_rank()
    with pytest.raises(RankError, match="capture different programs"):
        compiled(x)


@pytest.mark.parametrize("way", ["grad_sbp", "local", "both"])
def test_gradients_through_the_same_layout(way: str) -> None:
    """`to_global` with the gradient's layout alone, and `to_local`, give tensors on a parameter's memory."""

    def loss_of(w: Any) -> Any:
        if way != "local":
            w = w.to_global(grad_sbp=B)
        if way != "grad_sbp":
            w = w.to_local().to_global(everywhere(), S0)
        return (w * w).sum().to_global(sbp=B)

    class Train(nn.Graph):
        def __init__(self, net: Any) -> None:
            super().__init__()
            self.net = net
            self.add_optimizer(flow.optim.SGD(net.parameters(), lr=0.1))

        def build(self) -> Any:
            loss = loss_of(self.net.weight)
            loss.backward()
            return loss

    def run() -> None:
        flow.manual_seed(0)
        net = nn.Linear(4, 6, bias=False).to_global(everywhere(), B).to_global(sbp=S0)
        before = whole(net.weight)
        loss = Train(net)()
        assert loss.sbp == (B,) and abs(whole(loss) - (before**2).sum()) < 1e-5
        numpy.testing.assert_allclose(whole(net.weight), before * 0.8, rtol=1e-6)

    flow.testing.simulate(2)(run)()


def test_settings_of_nccl_do_nothing() -> None:
    for name in flow.boxing.nccl.__all__:
        setter = getattr(flow.boxing.nccl, name)
        value = 2 if name.startswith("set_") else True
        assert setter(value) is None
        with pytest.raises(TypeError, match=name):
            setter("2")
