"""What a graph cannot do, and what is changed behind its back: clear errors, nothing harmed, and the next call works."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy
import pytest

import tritonflow as flow
from tests import where
from tests.graph.test_graph import Train, batches, close, eager_step
from tritonflow import nn
from tritonflow.device.device import Device
from tritonflow.errors import CaptureError, DeviceMismatchError
from tritonflow.framework.meta import contiguous_meta
from tritonflow.framework.tensor import Tensor
from tritonflow.graph.api import compiled_graph

F = nn.functional


def _while(x: Any) -> Any:
    while x.sum() > 0:
        x = x - 1
    return x


VALUES: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "item": ("item()", lambda x: x.sum().item()),
    "numpy": ("numpy()", lambda x: x.numpy()),
    "tolist": ("tolist()", lambda x: x.tolist()),
    "float": ("float()", lambda x: float(x.sum())),
    "int": ("int()", lambda x: int(x.sum())),
    "bool": ("`if`", lambda x: bool(x.sum())),
    "if": ("`if`", lambda x: x if x.sum() > 0 else -x),
    "while": ("`while`", _while),
    "and": ("`and`", lambda x: x.sum() and x),
    "index": ("a Python index", lambda x: [1, 2, 3][x.sum().long()]),
    "range": ("a Python index", lambda x: list(range(x.sum().long()))),
    "format": ("format()", lambda x: f"{x.sum():.3f}"),
    "array": ("NumPy", lambda x: numpy.asarray(x)),
    "pickle": ("pickle", pickle.dumps),
    "equal": ("equal()", lambda x: flow.equal(x, x)),
    "bound": ("an index with a mask or a bound", lambda x: x[: x.sum().long()]),
    "list": ("tensor()", lambda x: flow.tensor([x[0], x[1]])),
}
SHAPES: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "nonzero": ("nonzero()", lambda x: flow.nonzero(x)),
    "argwhere": ("argwhere()", lambda x: flow.argwhere(x)),
    "masked_select": ("masked_select()", lambda x: flow.masked_select(x, x > 0)),
    "mask": ("an index with a mask or a bound", lambda x: x[x > 0]),
}


class Looking(Train):
    """Looks at something behind the loss, as long as `look` is set."""

    look: Any = None

    def build(self, x: Any, target: Any) -> Any:
        loss = super().build(x, target)
        if self.look is not None:
            self.look(x[0])
        return loss


def harmless(graph: Any, batch: Any, error: Any, match: str, heal: Callable[[], Any]) -> BaseException:
    """A call fails and leaves everything as it was; behind `heal` the next one trains as if there had been none."""
    optimizer = graph._optimizers[0]
    twin, before = copy.deepcopy((graph.net, optimizer)), copy.deepcopy(optimizer.state_dict())
    state = flow.get_rng_state()
    with pytest.raises(error, match=match) as caught:
        graph(*batch)
    after = optimizer.state_dict()
    assert after["param_groups"] == before["param_groups"]
    assert {k: v.keys() for k, v in after["state"].items()} == {k: v.keys() for k, v in before["state"].items()}
    for p, q in zip(graph.net.state_dict().values(), twin[0].state_dict().values()):
        numpy.testing.assert_array_equal(p.numpy(), q.numpy())
    assert all(p.grad is None for p in graph.net.parameters()) and flow.get_rng_state() == state
    heal()
    close(graph(*batch), eager_step(twin[0], twin[1], *batch))
    for p, q in zip(graph.net.state_dict().values(), twin[0].state_dict().values()):
        numpy.testing.assert_allclose(p.numpy(), q.numpy(), rtol=1e-5, atol=1e-6)
    return caught.value


def linear(kind: Any = Train) -> Any:
    """With a momentum whose first step is another than those behind it, which a failure must not forget."""
    flow.manual_seed(0)
    net = nn.Linear(8, 4)
    return kind(net, flow.optim.SGD(net.parameters(), lr=0.1, momentum=0.9, dampening=0.5))


@pytest.mark.parametrize("name", [*VALUES, *SHAPES])
def test_what_depends_on_values(name: str) -> None:
    what, look = {**VALUES, **SHAPES}[name]
    graph = linear(Looking)
    graph.look = look
    error = harmless(graph, batches(1)[0], CaptureError, "build\\(\\)|graph cannot have", lambda: setattr(graph, "look", None))
    text = str(error)
    assert what in text and "test_bad_input.py:" in text  # the line of the user's program
    assert "Return the tensor and look at it outside" in text or "use an op with a fixed shape" in text


def test_what_is_printed_is_that_of_each_run(capsys: pytest.CaptureFixture[str]) -> None:
    f = flow.compile(lambda x: (print("sum", x.sum(), end="!"), x)[1], fullgraph=True)
    for k in (1.0, 2.0):
        f(flow.full((2, 3), k))
    assert capsys.readouterr().out == f"sum {flow.tensor(6.0)!s}!sum {flow.tensor(12.0)!s}!"


@pytest.mark.parametrize("wrong", (object(), numpy.ones(2), [1, {"a": b"x"}], {1, 2}), ids=lambda w: type(w).__name__)
def test_wrong_results(wrong: Any) -> None:
    class Wrong(Train):
        result: Any = None

        def build(self, x: Any, target: Any) -> Any:
            loss = super().build(x, target)
            return loss if self.result is None else (loss, self.result)

    graph = linear(Wrong)
    graph.result = wrong
    heal = lambda: setattr(graph, "result", None)
    harmless(graph, batches(1)[0], TypeError, r"build\(\) must return tensors, nested in .* not (object|ndarray|bytes|set)", heal)


def test_backward_without_an_optimizer() -> None:
    net = nn.Linear(8, 4)

    class Only(nn.Graph):
        returned = False

        def __init__(self) -> None:
            super().__init__()
            self.net = net

        def build(self, x: Any) -> Any:
            loss = self.net(x).sum()
            loss.backward()
            return (loss, net.weight.grad) if self.returned else loss

    graph, x = Only(), flow.randn(2, 8)
    with pytest.raises(CaptureError, match=r"backward\(\) in build\(\) has no effect.*add_optimizer\(\), or return the gradients"):
        graph(x)
    graph.returned = True
    numpy.testing.assert_allclose(graph(x)[1].numpy(), x.numpy().sum(0, keepdims=True).repeat(4, 0), rtol=1e-5, atol=1e-6)
    assert net.weight.grad is None


def test_steps_inside() -> None:
    class Steps(Train):
        inside = True

        def build(self, x: Any, target: Any) -> Any:
            loss = super().build(x, target)
            if self.inside:
                self._optimizers[0].step()
            return loss

    graph = linear(Steps)
    harmless(graph, batches(1)[0], CaptureError, r"build\(\) calls step\(\) of the SGD", lambda: setattr(graph, "inside", False))


@pytest.mark.filterwarnings("ignore:.*is not compiled, but runs in eager mode:UserWarning")
def test_tensors_on_another_device() -> None:
    graph = linear()
    x, target = batches(1)[0]
    other = "cpu" if where.device == "cuda" else "cuda:0"
    foreign = Tensor(contiguous_meta((6, 8), flow.float32, Device(other)), x.impl, x.ptr)
    with pytest.raises(DeviceMismatchError, match=rf"{graph.name}: the inputs are on several devices: {other}, {x.device}"):
        graph(foreign, target)
    program = flow.compile(lambda x: graph.net(x))
    with pytest.raises(RuntimeError, match=other):
        program(foreign)
    close(program(x), graph.net(x))
    graph(x, target)


def test_a_failed_compile(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = linear()

    def fails(*_: Any) -> Any:
        raise MemoryError("no room")

    monkeypatch.setattr(compiled_graph, "Executable", fails)
    harmless(graph, batches(1)[0], MemoryError, "no room", monkeypatch.undo)


def test_an_error_of_the_program() -> None:
    graph = linear(Looking)
    graph.look = lambda x: x.reshape(3, 3)
    harmless(graph, batches(1)[0], RuntimeError, "shape", lambda: setattr(graph, "look", None))


def test_nested_graphs() -> None:
    inner, x = linear(), batches(1)[0][0]

    class Outer(nn.Graph):
        def __init__(self, inside: Any) -> None:
            super().__init__()
            self.inside = inside

        def build(self, *batch: Any) -> Any:
            return self.inside(*batch)

    before = inner.net.weight.numpy().copy()
    with pytest.raises(CaptureError, match=rf"{inner.name} steps an optimizer .* training graphs do not nest"):
        Outer(inner)(*batches(1)[0])
    numpy.testing.assert_array_equal(inner.net.weight.numpy(), before)
    close(Outer(Outer(inner.net))(x), inner.net(x))  # without optimizers they do


# ------------------------------------------------------------------------------------------ changes between the calls


class Scaled(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.linear, self.drop, self.scale, self.calls = nn.Linear(8, 4), nn.Dropout(0.5), 2.0, 0
        self.extra = nn.Sequential(nn.Tanh(), nn.Linear(4, 4))

    def forward(self, x: Any) -> Any:
        self.calls += 1
        return self.extra(self.drop(self.linear(x)) * self.scale)


class Evaluate(nn.Graph):
    def __init__(self, net: Any) -> None:
        super().__init__()
        self.net, self.sign = net, 1.0

    def build(self, x: Any) -> Any:
        return self.net(x) * self.sign


def same(graph: Any, x: Any) -> None:
    flow.manual_seed(2)
    expected = graph.net(x) * graph.sign
    flow.manual_seed(2)
    close(graph(x), expected)


CHANGES: dict[str, Callable[[Any], Any]] = {
    "attribute": lambda graph: setattr(graph, "sign", -1.0),
    "module's attribute": lambda graph: setattr(graph.net, "scale", 3.0),
    "child's attribute": lambda graph: setattr(graph.net.drop, "p", 0.1),
    "module": lambda graph: setattr(graph, "net", Scaled()),
    "child": lambda graph: setattr(graph.net, "linear", nn.Linear(8, 4)),
    "parameter": lambda graph: setattr(graph.net.linear, "weight", nn.Parameter(flow.ones(4, 8))),
    "no parameter": lambda graph: setattr(graph.net.linear, "bias", None),
    "data": lambda graph: setattr(graph.net.linear.weight, "data", flow.ones(4, 8)),
    "mode": lambda graph: graph.net.eval(),
    "mode of a child": lambda graph: graph.net.drop.eval(),
    "hook": lambda graph: graph.net.register_forward_hook(lambda module, args, y: y + 1),
    "a list's children": lambda graph: graph.net.extra.append(nn.Linear(4, 4)),
    "a list's order": lambda graph: graph.net.extra.__delitem__(0),
    "dtype": lambda graph: graph.net.double().float(),
}


@pytest.mark.parametrize("name", CHANGES)
def test_changes_are_noticed(name: str) -> None:
    graph, x = Evaluate(Scaled()), batches(1)[0][0]
    same(graph, x)
    CHANGES[name](graph)
    for _ in range(2):
        same(graph, x)
    captured = len(graph._captured.captures())
    for _ in range(3):
        same(graph, x)  # `calls`, which every capture changes, does not count
    assert len(graph._captured.captures()) == captured <= 3


def test_modes_are_switched_to_and_fro() -> None:
    graph, x = Evaluate(Scaled()), batches(1)[0][0]
    for _ in range(3):
        graph.net.train()
        same(graph, x)
        graph.net.eval()
        same(graph, x)
    assert len(graph._captured.captures()) <= 3


def test_an_optimizer_over_a_parameter_that_was_replaced() -> None:
    graph = linear()
    batch = batches(1)[0]
    graph(*batch)
    old = graph.net.weight
    graph.net.weight = nn.Parameter(old.detach().clone())
    with pytest.raises(ValueError, match="SGD has 1 parameters that belong to no module of the graph"):
        graph(*batch)
    graph.net.weight = old
    graph(*batch)


def test_a_buffer_that_is_set_instead_of_written() -> None:
    """Its tensor is an argument of the program, and set to another one behind each run."""

    class Counts(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.register_buffer("count", flow.zeros(1))

        def forward(self, x: Any) -> Any:
            self.count = self.count + 1
            return x * self.count

    graph = Evaluate(Counts())
    before = graph.net.count
    assert [graph(flow.ones(1)).item() for _ in range(3)] == [1.0, 2.0, 3.0]
    assert graph.net.count.tolist() == [3.0] and before.tolist() == [0.0]
    assert len(graph._captured.captures()) == 1


def test_seeding_inside_and_tensors_that_outlive_a_call() -> None:
    with pytest.raises(CaptureError, match=r"manual_seed\(\): a generator cannot be .* seeded .* at .*test_bad_input.py:"):
        flow.compile(lambda x: (flow.manual_seed(1), x)[1], fullgraph=True)(flow.ones(1))
    kept: list[Any] = []
    flow.compile(lambda x: (kept.append(x + 1), x)[1], fullgraph=True)(flow.ones(1))
    assert kept[0].item() == 2.0


@pytest.mark.filterwarnings("ignore:.*is not compiled, but runs in eager mode:UserWarning")
def test_a_module_that_is_copied_inside() -> None:
    net, x = nn.Linear(2, 2), flow.ones(2)
    compiled = flow.compile(lambda x: copy.deepcopy(net)(x), fullgraph=True)
    for weight in (1.0, 2.0):
        net.weight.data.fill_(weight)
        assert compiled(x).tolist() == net(x).tolist()
    compiled(x).sum().backward()
    assert net.weight.grad is None
    made = flow.compile(lambda x: (lambda copied: (copied(x), copied))(copy.deepcopy(net)))
    y, copied = made(x)
    assert y.tolist() == copied(x).tolist() == net(x).tolist() and copied.weight is not net.weight


def test_lost_gradients_of_a_compiled_function_say_nothing_of_nn_graph() -> None:
    weight = flow.ones(3, requires_grad=True)

    def lost(x: flow.Tensor) -> flow.Tensor:
        (weight * x).sum().backward()
        weight.grad = None
        return x + 1

    with pytest.raises(CaptureError, match=r"backward\(\) in lost\(\) has no effect: .* return the gradients") as caught:
        flow.compile(lost, fullgraph=True)(flow.ones(3))
    assert "Graph" not in str(caught.value) and "add_optimizer" not in str(caught.value)
