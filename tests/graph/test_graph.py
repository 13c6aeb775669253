"""nn.Graph: training steps as graphs against the same steps in eager mode, and what is refused."""

from __future__ import annotations

import copy
import gc
import weakref
from collections.abc import Callable
from typing import Any

import numpy
import pytest

import tritonflow as flow
from tests import where
from tritonflow import nn
from tritonflow.errors import CaptureError

F = nn.functional


class Residual(nn.Module):
    """Dropout, batch norm and a view on the way."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.norm, self.second = nn.Linear(8, 16), nn.BatchNorm1d(16), nn.Linear(16, 8)

    def forward(self, x: Any) -> Any:
        y = F.dropout(F.gelu(self.norm(self.first(x))), 0.2, self.training)
        return (x + self.second(y)).reshape(-1, 4, 2).sum(2)


OPTIMIZERS: dict[str, Callable[[Any], Any]] = {
    "sgd": lambda p: flow.optim.SGD(p, lr=0.05),
    "momentum": lambda p: flow.optim.SGD(p, lr=0.05, momentum=0.9, weight_decay=0.01, nesterov=True),
    "dampened": lambda p: flow.optim.SGD(p, lr=0.05, momentum=0.9, dampening=0.3),
    "adam": lambda p: flow.optim.Adam(p, lr=0.01),
    "amsgrad": lambda p: flow.optim.Adam(p, lr=0.01, amsgrad=True, weight_decay=0.1),
    "adamw": lambda p: flow.optim.AdamW(p, lr=0.01),
    "clipped": lambda p: flow.optim.SGD([{"params": list(p), "clip_grad_max_norm": 0.1}], lr=0.5),
}


class Train(nn.Graph):
    def __init__(self, net: Any, optimizer: Any, schedule: Any = None) -> None:
        super().__init__()
        self.net = net
        self.add_optimizer(optimizer, lr_sch=schedule)

    def build(self, x: Any, target: Any) -> Any:
        loss = F.cross_entropy(self.net(x), target)
        loss.backward()
        return loss


def eager_step(net: Any, optimizer: Any, x: Any, target: Any, schedule: Any = None) -> Any:
    optimizer.zero_grad()
    loss = F.cross_entropy(net(x), target)
    loss.backward()
    optimizer.clip_grad()
    optimizer.step()
    if schedule is not None:
        schedule.step()
    return loss


def batches(count: int) -> list[Any]:
    return [(flow.randn(6, 8), flow.randint(0, 4, (6,))) for _ in range(count)]


def close(a: Any, b: Any) -> None:
    numpy.testing.assert_allclose(a.detach().numpy(), b.detach().numpy(), rtol=2e-5, atol=1e-6)


def same_parameters(a: Any, b: Any) -> None:
    for (name, p), q in zip(a.state_dict().items(), b.state_dict().values()):
        numpy.testing.assert_allclose(p.numpy(), q.numpy(), rtol=1e-4, atol=1e-5, err_msg=name)


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_training_is_eagers(name: str) -> None:
    flow.manual_seed(0)
    net = Residual()
    twin = copy.deepcopy(net)
    data = batches(20)
    optimizer, own = OPTIMIZERS[name](twin.parameters()), OPTIMIZERS[name](net.parameters())
    flow.manual_seed(5)
    expected = [eager_step(twin, optimizer, *batch) for batch in data]
    flow.manual_seed(5)
    graph = Train(net, own)
    for batch, loss in zip(data, expected):
        close(graph(*batch), loss)
    same_parameters(net, twin)
    assert len(graph._captured.captures()) <= 1 + (name == "dampened")
    assert all(p.grad is None for p in net.parameters())


def test_two_runs_have_the_same_bits() -> None:
    def train() -> list[bytes]:
        flow.manual_seed(0)
        net = Residual()
        graph = Train(net, flow.optim.Adam(net.parameters()))
        for batch in batches(5):
            graph(*batch)
        return [p.numpy().tobytes() for p in net.state_dict().values()]

    assert train() == train()


def test_schedules() -> None:
    net = nn.Linear(8, 4)
    twin = copy.deepcopy(net)
    make = lambda m: flow.optim.SGD(m.parameters(), lr=0.5)
    ours, eager = make(net), make(twin)
    graph = Train(net, ours, flow.optim.lr_scheduler.StepLR(ours, 2, 0.1))
    schedule = flow.optim.lr_scheduler.StepLR(eager, 2, 0.1)
    for batch in batches(6):
        close(graph(*batch), eager_step(twin, eager, *batch, schedule))
        state = graph.state_dict()
        assert state["optimizers"][0]["param_groups"][0]["lr"] == eager.param_groups[0]["lr"]
        assert state["lr_schedulers"][0] == schedule.state_dict()
        assert ours.param_groups[0]["lr"] == 0.5
    assert len(graph._captured.captures()) == 1


def test_options_may_change() -> None:
    net = nn.Linear(8, 4)
    twin = copy.deepcopy(net)
    ours, eager = (flow.optim.SGD(m.parameters(), lr=0.5, momentum=0.5) for m in (net, twin))
    graph = Train(net, ours)
    for k, batch in enumerate(batches(4)):
        for optimizer in (ours, eager):
            optimizer.param_groups[0]["momentum"] = 0.5 if k < 2 else 0.9
        close(graph(*batch), eager_step(twin, eager, *batch))
    same_parameters(net, twin)


def test_eager_and_graph_share_parameters() -> None:
    net = Residual()
    optimizer = flow.optim.SGD(net.parameters(), lr=0.1)
    train = Train(net, optimizer)

    class Evaluate(nn.Graph):
        def __init__(self) -> None:
            super().__init__()
            self.net = net

        def build(self, x: Any) -> Any:
            return self.net(x)

    evaluate = Evaluate()
    for batch in batches(3):
        net.train()
        train(*batch)
        eager_step(net, optimizer, *batch)
        net.eval()
        close(evaluate(batch[0]), net(batch[0]))


@pytest.mark.parametrize("dtype", (flow.bfloat16, flow.float16))
def test_amp(dtype: Any) -> None:
    flow.manual_seed(1)
    net = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 4))
    twin = copy.deepcopy(net)
    ours, eager = (flow.optim.Adam(m.parameters(), lr=0.01) for m in (net, twin))
    graph = Train(net, ours)
    graph.config.enable_amp(True, dtype=dtype)
    scalers = [flow.amp.GradScaler(init_scale=2.0**30, growth_interval=3) for _ in range(2)]
    graph.set_grad_scaler(scalers[0])
    for x, target in batches(16):
        eager.zero_grad()
        with flow.autocast(where.device, dtype=dtype):
            loss = F.cross_entropy(twin(x), target)
        scalers[1].scale(loss).backward()
        scalers[1].step(eager)
        scalers[1].update()
        numpy.testing.assert_allclose(graph(x, target).item(), loss.item(), rtol=2e-2)
        assert scalers[0].get_scale() == scalers[1].get_scale()
    assert (scalers[0].get_scale() < 2.0**30) == (dtype is flow.float16)  # it overflowed, and such steps were skipped


def test_graphs_captured_in_one_autocast_region_share_no_casts() -> None:
    net, x = nn.Linear(8, 8), flow.ones(4, 8)
    with flow.autocast(where.device):
        eager = net(x).float().numpy()
        for _ in range(8):  # a capture that is gone leaves its place in memory to the next one
            numpy.testing.assert_array_equal(flow.compile(lambda x: net(x))(x).float().numpy(), eager)


def test_state_dicts_at_any_time() -> None:
    net = nn.Linear(8, 4)
    graph = Train(net, flow.optim.Adam(net.parameters(), lr=0.01))
    data = batches(6)
    for batch in data[:3]:
        graph(*batch)
    saved = copy.deepcopy(graph.state_dict())
    later = [graph(*batch).item() for batch in data[3:]]
    graph.load_state_dict(saved)
    assert [graph(*batch).item() for batch in data[3:]] == later
    other = nn.Linear(8, 4)
    fresh = Train(other, flow.optim.Adam(other.parameters(), lr=0.01))
    fresh.load_state_dict(saved)
    assert [fresh(*batch).item() for batch in data[3:]] == later


def test_states_that_lack_something_are_refused_whole() -> None:
    net = nn.Linear(8, 4)
    graph = Train(net, flow.optim.Adam(net.parameters(), lr=0.01))
    graph(*batches(1)[0])
    good, before = graph.state_dict(), net.weight.numpy().copy()
    zeros = {**good, "net": {name: value * 0 for name, value in good["net"].items()}}
    for wrong, error in ((["net"], KeyError), (["optimizers"], KeyError)):
        with pytest.raises(error, match=f"has '{wrong[0]}', which is missing"):
            graph.load_state_dict({name: value for name, value in zeros.items() if name not in wrong})
    with pytest.raises(ValueError, match="has 1 optimizers, but the state has 0"):
        graph.load_state_dict({**zeros, "optimizers": []})
    numpy.testing.assert_array_equal(net.weight.numpy(), before)

    class Evaluate(nn.Graph):
        def __init__(self) -> None:
            super().__init__()
            self.net = nn.Linear(8, 4)

    evaluate = Evaluate()
    evaluate.load_state_dict(good)
    numpy.testing.assert_array_equal(evaluate.net.weight.numpy(), before)


def test_a_schedule_that_needs_a_metric_is_stepped_outside() -> None:
    net = nn.Linear(8, 4)
    optimizer = flow.optim.Adam(net.parameters(), lr=0.01, betas=[0.9, 0.99])
    plateau = flow.optim.lr_scheduler.ReduceLROnPlateau(optimizer, patience=0)
    graph = Train(net, optimizer)
    with pytest.raises(TypeError, match=r"call its step\(metric\) yourself"):
        graph.add_optimizer(optimizer, lr_sch=plateau)
    graph(*batches(1)[0])
    plateau.step(1.0)
    plateau.step(2.0)
    assert optimizer.param_groups[0]["lr"] < 0.01
    before = net.weight.numpy().copy()
    optimizer.param_groups[0]["lr"] = 0.0
    graph(*batches(1)[0])
    numpy.testing.assert_array_equal(net.weight.numpy(), before)
    assert len(graph._captured.captures()) == 1


def test_two_graphs_share_modules() -> None:
    """A small adversarial pair: each graph steps its own optimizer through both modules."""
    flow.manual_seed(2)
    generator, critic = nn.Linear(4, 8), nn.Linear(8, 1)
    twins = copy.deepcopy([generator, critic])

    class Adversary(nn.Graph):
        def __init__(self, sign: float, own: Any) -> None:
            super().__init__()
            self.generator, self.critic, self.sign = generator, critic, sign
            self.add_optimizer(flow.optim.SGD(own.parameters(), lr=0.1))

        def build(self, z: Any) -> Any:
            loss = self.sign * self.critic(self.generator(z)).tanh().mean()
            loss.backward()
            return loss

    graphs = [Adversary(1.0, critic), Adversary(-1.0, generator)]
    optimizers = [flow.optim.SGD(m.parameters(), lr=0.1) for m in (twins[1], twins[0])]
    for _ in range(4):
        z = flow.randn(5, 4)
        for graph, optimizer, sign in zip(graphs, optimizers, (1.0, -1.0)):
            for module in twins:
                module.zero_grad()
            loss = sign * twins[1](twins[0](z)).tanh().mean()
            loss.backward()
            optimizer.step()
            close(graph(z), loss)
    same_parameters(generator, twins[0])


def test_tied_weights() -> None:
    class Tied(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.embedding, self.head = nn.Embedding(4, 8), nn.Linear(8, 4, bias=False)
            self.head.weight = self.embedding.weight

        def forward(self, x: Any) -> Any:
            return self.head(x + self.embedding.weight.sum(0))

    net = Tied()
    twin = copy.deepcopy(net)
    assert twin.head.weight is twin.embedding.weight
    graph = Train(net, flow.optim.Adam(net.parameters(), lr=0.1))
    eager = flow.optim.Adam(twin.parameters(), lr=0.1)
    for batch in batches(5):
        close(graph(*batch), eager_step(twin, eager, *batch))


def test_a_graph_prints_as_a_tree() -> None:
    net = nn.Sequential(nn.Linear(8, 4), nn.ReLU())
    graph = Train(net, flow.optim.SGD(net.parameters(), lr=0.1))
    graph(*batches(1)[0])
    lines = repr(graph).splitlines()
    assert lines[0] == f"(GRAPH:{graph.name}:Train): ("
    assert "  (MODULE:net:Sequential()): (" in lines
    assert "    (MODULE:net.0:Linear(in_features=8, out_features=4, bias=True)): (" in lines
    assert "      (PARAMETER:net.0.weight:tensor(..., size=(4, 8), dtype=tritonflow.float32))" in lines
    assert any(line.startswith("  (CAPTURED:(tensor(..., size=(6, 8), ") and "kernels" in line for line in lines)


def test_wrong_use() -> None:
    net = nn.Linear(8, 4)

    class Bad(nn.Graph):
        def __init__(self, value: Any) -> None:
            super().__init__()
            self.value = value

    with pytest.raises(TypeError, match="not allowed to set Tensor attribute named 'value'"):
        Bad(flow.ones(1))
    with pytest.raises(TypeError, match="add_optimizer"):
        Bad(flow.optim.SGD(net.parameters(), lr=0.1))
    with pytest.raises(NotImplementedError, match="Bad does not implement build"):
        Bad(3)(flow.ones(1))

    class Early(nn.Graph):
        def __init__(self) -> None:
            self.net = net

    with pytest.raises(AttributeError, match="super"):
        Early()
    with pytest.raises(TypeError, match="must be an Optimizer"):
        Bad(3).add_optimizer(net)
    graph = Train(net, flow.optim.SGD(net.parameters(), lr=0.1))
    graph(*batches(1)[0])
    with pytest.raises(RuntimeError, match="before the first call"):
        graph.add_optimizer(flow.optim.SGD(net.parameters(), lr=0.1))
    with pytest.raises(TypeError, match="float16 or bfloat16"):
        graph.config.enable_amp(True, dtype=flow.float32)


def test_no_backward_and_foreign_parameters() -> None:
    net, foreign = nn.Linear(8, 4), nn.Linear(8, 4)
    before = net.weight.numpy().copy()

    class Silent(Train):
        def build(self, x: Any, target: Any) -> Any:
            return F.cross_entropy(self.net(x), target)

    batch = batches(1)[0]
    with pytest.raises(CaptureError, match=r"must call backward\(\)"):
        Silent(net, flow.optim.SGD(net.parameters(), lr=0.1))(*batch)
    with pytest.raises(ValueError, match="belong to no module"):
        Train(net, flow.optim.SGD(foreign.parameters(), lr=0.1))(*batch)
    numpy.testing.assert_array_equal(net.weight.numpy(), before)
    assert net.weight.grad is None


def test_a_failed_capture_leaves_everything_as_it_was() -> None:
    net = Residual()
    state = copy.deepcopy(net.state_dict())
    optimizer = flow.optim.Adam(net.parameters())

    class Fails(Train):
        broken = True

        def build(self, x: Any, target: Any) -> Any:
            loss = super().build(x, target)
            if self.broken:
                loss.item()
            return loss

    graph = Fails(net, optimizer)
    batch = batches(1)[0]
    with pytest.raises(CaptureError, match="needs the value of a tensor"):
        graph(*batch)
    for name, value in net.state_dict().items():
        numpy.testing.assert_array_equal(value.numpy(), state[name].numpy())
    graph.broken = False
    graph(*batch)


def test_in_place_ops_on_free_tensors_change_a_copy() -> None:
    free, counts = flow.ones(3), nn.BatchNorm1d(3)

    class Writes(nn.Graph):
        def __init__(self) -> None:
            super().__init__()
            self.counts = counts

        def build(self, x: Any) -> Any:
            free.add_(x)
            free[0] = 7.0
            counts.running_mean.add_(1.0)
            return free, counts.running_mean

    graph = Writes()
    for k in range(1, 4):
        written, mean = graph(flow.ones(3))
        assert written.tolist() == [7.0, 2.0, 2.0] and free.tolist() == [1.0, 1.0, 1.0]
        assert mean.tolist() == counts.running_mean.tolist() == [float(k)] * 3


def test_trace_is_compile() -> None:
    linear = nn.Linear(3, 2)
    x = flow.randn(4, 3)
    close(nn.Graph.trace(lambda x: linear(x))(x), linear(x))


def test_what_is_frozen_later_stays_and_what_is_thawed_moves() -> None:
    net = nn.Sequential(nn.Linear(8, 4), nn.Linear(4, 4))
    graph, weight, batch = Train(net, flow.optim.SGD(net.parameters(), lr=0.1)), net[0].weight, batches(1)[0]
    moved = []
    for wanted in (True, False, False, True):
        weight.requires_grad_(wanted)
        before = weight.numpy().copy()
        graph(*batch)
        moved.append(bool((weight.numpy() != before).any()))
    assert moved == [True, False, False, True]
    assert len(graph._captured.captures()) == 2


def test_a_tensors_hook_registered_later_is_heeded_until_it_is_removed() -> None:
    net = nn.Linear(8, 4)
    graph, batch = Train(net, flow.optim.SGD(net.parameters(), lr=0.1)), batches(1)[0]
    graph(*batch)
    before = net.weight.numpy().copy()
    handle = net.weight.register_hook(lambda grad: grad * 0)
    graph(*batch)
    assert (net.weight.numpy() == before).all()
    handle.remove()
    graph(*batch)
    assert (net.weight.numpy() != before).any()


def test_a_graph_that_nobody_has_gives_its_memory_back() -> None:
    net = nn.Linear(8, 4)
    graph = Train(net, flow.optim.SGD(net.parameters(), lr=0.1))
    graph(*batches(1)[0])
    left = weakref.ref(graph), weakref.ref(graph._captured.captures()[0].executable)
    gc.disable()
    try:
        del graph
        assert [reference() for reference in left] == [None, None]
    finally:
        gc.enable()
