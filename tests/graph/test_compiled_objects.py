"""What flow.compile gives is a function, a method, or stands for a module; copies of it and of graphs capture anew."""

from __future__ import annotations

import copy
import gc
import pickle
import weakref
from collections.abc import Callable
from typing import Any

import numpy
import pytest

import tritonflow as flow
from tritonflow import nn


class Scaled(nn.Module):
    def __init__(self, scale: float) -> None:
        super().__init__()
        self.linear, self.drop, self.scale = nn.Linear(2, 2), nn.Dropout(0.5), scale

    def forward(self, x: Any) -> Any:
        return self.linear(x)

    @flow.compile
    def score(self, x: Any) -> Any:
        """The score."""
        return self.drop(self.linear(x)) * self.scale


class Counter:
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, step: float) -> None:
        self.step = step

    @flow.compile(tune=False)
    def add(self, x: Any, times: int = 1) -> Any:
        return x + self.step * times


class Train(nn.Graph):
    def __init__(self, net: Any) -> None:
        super().__init__()
        self.net = net
        self.add_optimizer(flow.optim.SGD(net.parameters(), lr=0.1, momentum=0.9))

    def build(self, x: Any) -> Any:
        loss = self.net(x).pow(2).mean()
        loss.backward()
        return loss


def test_methods_belong_to_their_objects() -> None:
    one, two, x = Counter(1.0), Counter(2.0), flow.zeros(2)
    for _ in range(2):
        assert one.add(x).tolist() == [1.0, 1.0] and two.add(x, times=3).tolist() == [6.0, 6.0]
    assert Counter.add.__name__ == "add" and len(one.add.captures()) == 1
    gone = weakref.ref(one)
    del one
    assert gone() is None


def test_methods_of_modules_heed_their_module() -> None:
    net, x = Scaled(2.0), flow.ones(3, 2)
    net.score(x)
    net.eval()
    net.scale = 5.0
    numpy.testing.assert_allclose(net.score(x).numpy(), (net(x) * 5).detach().numpy(), rtol=1e-6)
    assert Scaled.score.__doc__ == "The score." and "linear" in repr(net.score)
    for twin in (copy.deepcopy(net), pickle.loads(pickle.dumps(net))):
        twin.scale = 3.0
        numpy.testing.assert_allclose(twin.score(x).numpy(), (net(x) * 3).detach().numpy(), rtol=1e-6)


def test_a_compiled_module_stands_for_it() -> None:
    net, x = Scaled(1.0), flow.ones(3, 2)
    compiled = flow.compile(net)
    assert list(compiled.parameters()) == list(net.parameters()) and compiled.training
    assert compiled.eval() is compiled and not net.training and len(list(compiled.modules())) == 3
    assert isinstance(compiled, Scaled) and compiled.double() is compiled and net.linear.weight.dtype is flow.float64
    compiled.float()
    compiled.load_state_dict({name: value * 0 for name, value in net.state_dict().items()})
    assert not compiled(x).numpy().any()
    with pytest.raises(AttributeError, match="nothing"):
        compiled.nothing
    with pytest.raises(AttributeError, match="'CapturedFunction' object has no attribute 'parameters'"):
        flow.compile(lambda x: x).parameters()
    assert repr(compiled).startswith("(GRAPH:Scaled:compile): (") and "CAPTURED" in repr(compiled)


def test_copies_capture_anew() -> None:
    graph, x = Train(nn.Linear(2, 2)), flow.ones(3, 2)
    graph(x)
    for twin in (copy.deepcopy(graph), pickle.loads(pickle.dumps(graph))):
        assert not twin.is_compiled and twin.net is not graph.net
        losses = [twin(x).item() for _ in range(3)]
        assert losses[2] < losses[0]
        numpy.testing.assert_allclose(losses[0], graph.net(x).pow(2).mean().item(), rtol=1e-6)
    net = nn.Linear(2, 2)
    net.fast = flow.compile(net)
    net.fast(x)
    twin = copy.deepcopy(net)
    with flow.no_grad():
        twin.weight.zero_()
        twin.bias.zero_()
    assert not twin.fast(x).numpy().any() and net.fast(x).numpy().any()


def test_a_method_keeps_nothing_alive() -> None:
    net = Scaled(1.0)
    net.score(flow.ones(1, 2))
    linear = nn.Linear(2, 2)
    linear.compile()
    linear(flow.ones(1, 2))
    gone = weakref.ref(net), weakref.ref(linear)
    gc.disable()
    try:
        del net, linear
        assert [reference() for reference in gone] == [None, None]
    finally:
        gc.enable()


def test_modules_that_a_function_makes_and_returns_are_others_in_each_call() -> None:
    """OneFlow's test helper builds layers so, too: the parameters are drawn in each run, the program is captured once."""

    def function(x: flow.Tensor) -> tuple[flow.Tensor, flow.nn.Module]:
        net = flow.nn.Sequential(flow.nn.Linear(4, 3), flow.nn.BatchNorm1d(3), flow.nn.PReLU())
        return net(x).detach(), net

    compiled, x = flow.compile(function, fullgraph=True), flow.randn(5, 4)
    (y, first), (_, second) = compiled(x), compiled(x)
    assert first is not second and type(first[0].weight) is flow.nn.Parameter
    assert all(p.requires_grad and p.is_leaf for p in second.parameters())
    assert not first[0].weight.equal(second[0].weight) and first[1].num_batches_tracked == 1
    fresh = flow.nn.Sequential(flow.nn.Linear(4, 3), flow.nn.BatchNorm1d(3), flow.nn.PReLU())
    fresh.load_state_dict(first.state_dict())
    assert flow.allclose(fresh(x), y, atol=1e-6)
    second(x).square().sum().backward()
    assert second[0].weight.grad is not None and first[0].weight.grad is None


class Narrow(flow.nn.Module):
    """A layer whose __init__ reads its class before that of Module has run, as ConvTranspose2d does."""

    width = 2

    def __init__(self) -> None:
        self.scale = self.width * 2
        super().__init__()
        self.line = flow.nn.Linear(3, self.width)

    def forward(self, x: flow.Tensor) -> flow.Tensor:
        return self.line(x) * self.scale


@pytest.mark.parametrize(
    "make",
    [
        lambda: flow.nn.ConvTranspose1d(2, 3, 3, stride=2),
        lambda: flow.nn.ConvTranspose2d(2, 3, 3, bias=False),
        lambda: flow.nn.ConvTranspose3d(2, 3, 2),
        Narrow,
    ],
)
def test_modules_that_read_their_class_before_they_begin_are_made_in_a_capture(make: Any) -> None:
    class Build(flow.nn.Graph):
        def build(self) -> flow.nn.Module:
            return make()

    graph, compiled = Build(), flow.compile(lambda: make(), fullgraph=True)
    for made in (graph(), graph(), compiled(), compiled()):
        assert type(made) is type(make()) and all(type(p) is flow.nn.Parameter and p.is_leaf for p in made.parameters())
    first, second = (next(compiled().parameters()) for _ in range(2))
    assert not first.equal(second)
    x = flow.randn(2, 3) if make is Narrow else flow.randn(1, 2, *(4,) * (first.ndim - 2))
    run = flow.compile(lambda x: [(m := make()), m(x).detach()], fullgraph=True)
    m, y = run(x)
    m, y = run(x)
    assert flow.allclose(m(x), y, atol=1e-5)


class Wide(flow.nn.Module):
    width = 2

    def __init__(self) -> None:
        self.early = self.width
        super().__init__()
        self.late = self.width


@pytest.mark.parametrize("read", [lambda: Wide().early, lambda: Wide().late, lambda: Wide().width])
def test_class_attributes_that_modules_made_in_a_capture_read_are_no_stale_constants(
    read: Callable[[], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    compiled, x = flow.compile(lambda x: x * read()), flow.ones(1)
    assert compiled(x) == 2
    monkeypatch.setattr(Wide, "width", 5)
    assert compiled(x) == 5
