"""Models trained as graphs: the losses of eager mode, its bits before the passes, and the same bits in every run."""

from __future__ import annotations

import copy
from typing import Any

import numpy
import pytest

import tritonflow as flow
from tests import where
from tests.graph.models import MODELS, Model
from tritonflow import nn
from tritonflow.graph.api import compiled_graph
from tritonflow.nn.graph import GraphModule
from tritonflow.testing import assert_close

STEPS = 20
LONG = pytest.mark.long
SOME = [pytest.param(name, marks=[] if name in ("mlp", "cnn", "gpt") else LONG) for name in MODELS]


class Train(nn.Graph):
    """A step of a model, with the parts of it that are optional."""

    def __init__(self, model: Model, net: Any, optimizer: Any, amp: Any = None, micro_steps: int = 1) -> None:
        super().__init__()
        self.net, self.model = net, model
        self.add_optimizer(optimizer)
        self.config.set_gradient_accumulation_steps(micro_steps)
        if amp is not None:
            self.config.enable_amp(True, dtype=amp)

    def build(self, *batch: Any) -> Any:
        loss = self.model.loss(self.net, *batch)
        loss.backward()
        return loss


def sgd(net: Any) -> Any:
    return flow.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)


def setup(model: Model, count: int = STEPS) -> tuple[Any, list[Any]]:
    flow.manual_seed(0)
    return model.make(), [model.batch() for _ in range(count)]


def in_eager_mode(model: Model, net: Any, data: list[Any], amp: Any = None, micro_steps: int = 1) -> Any:
    optimizer = sgd(net)
    flow.manual_seed(1)
    losses = []
    for batch in data:
        optimizer.zero_grad()
        for part in zip(*[tensor.chunk(micro_steps) for tensor in batch]):
            with flow.autocast(where.device, amp or flow.bfloat16, enabled=amp is not None):
                loss = model.loss(net, *part)
            (loss if micro_steps == 1 else loss * (1.0 / micro_steps)).backward()
            losses.append(loss.item())
        optimizer.step()
    return losses


def as_a_graph(model: Model, net: Any, data: list[Any], fuse: bool = True, **options: Any) -> Any:
    graph = Train(model, net, sgd(net), **options)
    for name in ("pointwise", "add_to_output", "reductions", "attention"):
        getattr(graph.config, f"allow_fuse_{name}")(fuse)
    flow.manual_seed(1)
    losses = [loss for batch in data for loss in graph(*batch).reshape(-1).tolist()]
    assert len(graph._captured.captures()) <= 2  # momentum is there from the second step on
    return losses


@pytest.mark.parametrize("name", [pytest.param(name, marks=LONG if name == "resnet" else []) for name in MODELS])
@pytest.mark.sampled(most=3)
def test_losses_are_eagers(name: str) -> None:
    net, data = setup(MODELS[name])
    twins = [copy.deepcopy(net) for _ in range(2)]
    expected = in_eager_mode(MODELS[name], net, data)
    actual = as_a_graph(MODELS[name], twins[0], data)
    assert_close(numpy.float32(actual), numpy.float32(expected), op_class="norm")
    for (path, p), q in zip(net.state_dict().items(), twins[0].state_dict().values()):
        numpy.testing.assert_allclose(q.numpy(), p.numpy(), rtol=1e-3, atol=1e-4, err_msg=path)
    assert as_a_graph(MODELS[name], twins[1], data) == actual


@pytest.mark.parametrize("name", MODELS)
def test_the_bits_are_eagers_before_the_passes(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled_graph, "optimize", lambda graph, *_: graph)
    net, data = setup(MODELS[name], 5)
    twin = copy.deepcopy(net)
    assert as_a_graph(MODELS[name], twin, data) == in_eager_mode(MODELS[name], net, data)


@pytest.mark.parametrize("name", SOME)
@pytest.mark.sampled(most=1)
def test_bfloat16(name: str) -> None:
    net, data = setup(MODELS[name])
    twins = [copy.deepcopy(net) for _ in range(2)]
    expected = in_eager_mode(MODELS[name], net, data, amp=flow.bfloat16)
    actual = as_a_graph(MODELS[name], twins[0], data, amp=flow.bfloat16)
    numpy.testing.assert_allclose(actual, expected, rtol=3.2e-2, atol=1.6e-2)
    assert as_a_graph(MODELS[name], twins[1], data, amp=flow.bfloat16) == actual


@pytest.mark.parametrize("name", SOME)
def test_accumulation(name: str) -> None:
    net, data = setup(MODELS[name])
    twin = copy.deepcopy(net)
    expected = in_eager_mode(MODELS[name], net, data, micro_steps=2)
    assert_close(
        numpy.float32(as_a_graph(MODELS[name], twin, data, micro_steps=2)), numpy.float32(expected), op_class="norm"
    )


@pytest.mark.parametrize("options", ({}, {"amp": flow.bfloat16, "micro_steps": 2}), ids=("plain", "amp and accumulation"))
@pytest.mark.parametrize("name", SOME)
@pytest.mark.sampled(most=2)
def test_checkpointing_leaves_the_bits(name: str, options: dict[str, Any]) -> None:
    net, data = setup(MODELS[name])
    twin = copy.deepcopy(net)
    for block in MODELS[name].blocks(twin):
        block.to(GraphModule).activation_checkpointing = True
    expected = as_a_graph(MODELS[name], net, data, fuse=False, **options)  # each fusion has roundings of its own
    assert as_a_graph(MODELS[name], twin, data, fuse=False, **options) == expected
    for p, q in zip(net.state_dict().values(), twin.state_dict().values()):
        assert p.numpy().tobytes() == q.numpy().tobytes()


class Pair:
    """A generator and a critic, each with an optimizer."""

    def __init__(self) -> None:
        self.generator = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.BatchNorm1d(16), nn.Linear(16, 8))
        self.critic = nn.Sequential(nn.Linear(8, 16), nn.LeakyReLU(0.2), nn.Dropout(0.1), nn.Linear(16, 1))
        self.steps_generator, self.steps_critic = (
            flow.optim.Adam(net.parameters(), lr=1e-3, betas=(0.5, 0.99)) for net in (self.generator, self.critic)
        )

    def critics_loss(self, real: Any, z: Any) -> Any:
        wrong = self.critic(self.generator(z).detach())
        return nn.functional.softplus(-self.critic(real)).mean() + nn.functional.softplus(wrong).mean()

    def generators_loss(self, z: Any) -> Any:
        return nn.functional.softplus(-self.critic(self.generator(z))).mean()


class Half(nn.Graph):
    """A step of one of the two, through both."""

    def __init__(self, pair: Pair, loss: Any, optimizer: Any) -> None:
        super().__init__()
        self.generator, self.critic, self.loss = pair.generator, pair.critic, loss
        self.add_optimizer(optimizer)

    def build(self, *batch: Any) -> Any:
        loss = self.loss(*batch)
        loss.backward()
        return loss


def adversaries(pair: Pair, graphs: bool) -> list[float]:
    """The losses of both in turn."""

    def eager(loss: Any, optimizer: Any) -> Any:
        def step(*batch: Any) -> Any:
            for net in (pair.generator, pair.critic):
                net.zero_grad()
            value = loss(*batch)
            value.backward()
            optimizer.step()
            return value

        return step

    halves = ((pair.critics_loss, pair.steps_critic), (pair.generators_loss, pair.steps_generator))
    critic, generator = (Half(pair, *half) if graphs else eager(*half) for half in halves)
    losses = []
    flow.manual_seed(3)
    for _ in range(STEPS):
        real, z = flow.randn(8, 8), flow.randn(8, 4)
        losses += [critic(real, z).item(), generator(z).item()]
    return losses


def test_two_graphs_with_two_optimizers_share_modules() -> None:
    flow.manual_seed(0)
    pair = Pair()
    twins = [copy.deepcopy(pair) for _ in range(2)]
    expected = adversaries(pair, graphs=False)
    actual = adversaries(twins[0], graphs=True)
    assert_close(numpy.float32(actual), numpy.float32(expected), op_class="norm")
    assert adversaries(twins[1], graphs=True) == actual
