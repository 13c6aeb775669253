"""Rematerialisation: less memory, the same bits, and only where memory is short."""

from __future__ import annotations

import copy
import importlib
from typing import Any

import pytest

import tritonflow as flow
from tests.device.fake_cuda import H100
from tests.graph.models import MODELS, Model, entropy
from tests.graph.test_checkpoint import mark
from tests.graph.test_graph import Train
from tritonflow import nn
from tritonflow.graph.ir import Late


def deep() -> Any:
    layers = [nn.Sequential(nn.Linear(32, 64), nn.GELU(), nn.Linear(64, 32)) for _ in range(8)]
    return nn.Sequential(*layers, nn.Linear(32, 4))


DEEP = Model(deep, lambda: (flow.randn(256, 32), flow.randint(0, 4, (256,))), entropy, list)


def run(model: Model, net: Any, data: Any, amp: bool = False) -> tuple[list[bytes], Any]:
    """The bits of losses and parameters after three steps, and what ran."""

    class Step(Train):
        def build(self, *inputs: Any) -> Any:
            loss = model.loss(self.net, *inputs)
            loss.backward()
            return loss

    graph = Step(net, flow.optim.SGD(net.parameters(), lr=0.1))
    graph.config.enable_amp(amp, dtype=flow.bfloat16)
    flow.manual_seed(3)
    losses = [graph(*data) for _ in range(3)]
    (captured,) = graph._captured.programs
    return [t.numpy().tobytes() for t in (*losses, *net.state_dict().values())], captured


def memory_is_short(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LEAST", "SHARE"):
        monkeypatch.setattr(importlib.import_module("tritonflow.graph.passes.recompute"), name, 0)


def both(monkeypatch: pytest.MonkeyPatch, model: Model, marked: bool = False, **options: Any) -> tuple[Any, Any]:
    """What runs without and with it, after a look at the bits."""
    flow.manual_seed(0)
    net, data = model.make(), model.batch()
    if marked:
        mark(model.blocks(net)[0])
    twin = copy.deepcopy(net)
    plain, without = run(model, net, data, **options)
    memory_is_short(monkeypatch)
    again, with_it = run(model, twin, data, **options)
    assert again == plain
    return without, with_it


def normed(affine: bool) -> Any:
    layers = [nn.Sequential(nn.Linear(32, 32), nn.LayerNorm(32, elementwise_affine=affine), nn.Linear(32, 32)) for _ in range(8)]
    return nn.Sequential(*layers, nn.Linear(32, 4))


def second(captured: Any) -> int:
    return sum(isinstance(node, Late) for node in captured.graph.nodes)


@pytest.mark.parametrize("affine", (True, False))
def test_rows_are_computed_again(monkeypatch: pytest.MonkeyPatch, affine: bool) -> None:
    without, with_it = both(monkeypatch, DEEP._replace(make=lambda: normed(affine)))
    norms = [sum(op.op.name == "layer_norm" for node in c.graph.nodes for op in node.ops()) for c in (without, with_it)]
    assert norms[0] == 8 and norms[1] >= 14, "once more for the gradient of what reads it"
    assert with_it.executable.arena_bytes < 0.8 * without.executable.arena_bytes


@pytest.mark.parametrize("amp", (False, True))
def test_a_deep_net_takes_less_memory(monkeypatch: pytest.MonkeyPatch, amp: bool) -> None:
    without, with_it = both(monkeypatch, DEEP, amp=amp)
    assert second(with_it) > 5 and not second(without), "small graphs are left alone"
    assert with_it.executable.arena_bytes < 0.8 * without.executable.arena_bytes


@pytest.mark.sampled
@pytest.mark.parametrize("marked", (False, True))
@pytest.mark.parametrize("name", MODELS)
def test_any_net_keeps_its_bits(monkeypatch: pytest.MonkeyPatch, name: str, marked: bool) -> None:
    both(monkeypatch, MODELS[name], marked)


def test_a_gpu_with_room_computes_nothing_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A graph is large there if it holds a part of the memory."""
    recompute = importlib.import_module("tritonflow.graph.passes.recompute")
    monkeypatch.setattr(recompute, "LEAST", 0)
    for memory, again in ((1 << 30, False), (1 << 10, True)):
        monkeypatch.setattr(recompute, "facts_of", lambda device, memory=memory: H100._replace(memory=memory))
        net = DEEP.make()
        _, captured = run(DEEP, net, DEEP.batch())
        assert (second(captured) > 5) == again
