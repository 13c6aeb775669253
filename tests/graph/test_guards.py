"""The guards on modules and Python variables: whatever the program reads of them, wherever it found them."""

from __future__ import annotations

import builtins
import copy
import functools
import random
import threading
import time
import warnings
import weakref
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy
import pytest

import tritonflow as flow
from tritonflow import nn

F = nn.functional


class Part(nn.Module):
    """Depends on attributes of several kinds; `score` is no forward."""

    def __init__(self) -> None:
        super().__init__()
        self.drop, self.linear = nn.Dropout(0.5), nn.Linear(4, 4)
        self.sizes, self.act, self.factors = (2.0, 3.0), F.relu, [1.0, 2.0]
        self.offset = flow.ones(4)
        self.unread = 0

    def score(self, x: Any) -> Any:
        return self.act(self.linear(self.drop(x))) * self.sizes[0] * self.factors[0] + self.offset

    forward = score


class Registered(nn.Graph):
    def __init__(self, part: Any) -> None:
        super().__init__()
        self.part = part

    def build(self, x: Any) -> Any:
        return self.part(x)


def in_an_object(part: Any) -> Any:
    holder = SimpleNamespace(parts=[part])
    return flow.compile(lambda x: holder.parts[0](x))


def as_an_argument(part: Any) -> Any:
    call = flow.compile(lambda module, x: module(x))
    return lambda x: call(part, x)


WAYS: dict[str, Callable[[Any], Any]] = {
    "module": flow.compile,
    "closure": lambda part: flow.compile(lambda x: part(x)),
    "method": lambda part: flow.compile(part.score),
    "object": in_an_object,
    "argument": as_an_argument,
    "graph": Registered,
}
CHANGES: dict[str, Callable[[Any], Any]] = {
    "mode": lambda part: part.eval(),
    "tuple": lambda part: setattr(part, "sizes", (5.0, 3.0)),
    "class of a number": lambda part: setattr(part, "sizes", (2, 3)),
    "function": lambda part: setattr(part, "act", F.sigmoid),
    "list": lambda part: setattr(part, "factors", [3.0]),
    "inside of a list": lambda part: part.factors.__setitem__(0, 7.0),
    "tensor": lambda part: setattr(part, "offset", flow.zeros(4)),
    "child": lambda part: setattr(part, "linear", nn.Linear(4, 4)),
    "hook": lambda part: part.linear.register_forward_hook(lambda module, args, y: y + 1),
}


def same(run: Any, part: Any) -> None:
    x = flow.ones(3, 4)
    flow.manual_seed(1)
    expected = part(x).detach().numpy()
    flow.manual_seed(1)
    numpy.testing.assert_allclose(run(x).numpy(), expected, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("way", WAYS)
def test_changes_of_a_module_are_noticed(way: str) -> None:
    part = Part()
    run = WAYS[way](part)
    same(run, part)
    for change in CHANGES.values():
        change(part)
        same(run, part)


def test_what_was_not_read_is_no_reason_to_capture_again() -> None:
    part = Part()
    run = flow.compile(lambda x: part(x))
    x = flow.ones(3, 4)
    for k in range(3):
        part.unread = k
        part.note = object()
        run(x)
    for mode in (False, True, False, True):
        part.train(mode)
        run(x)
    assert len(run.captures()) == 2


class Remembers(nn.Module):
    """Keeps its last result, by an attribute that it reads before."""

    def __init__(self) -> None:
        super().__init__()
        self.last: Any = None

    def forward(self, x: Any) -> Any:
        self.last = x if self.last is None else (self.last[0] + x if isinstance(self.last, tuple) else self.last + x)
        return self.last


class Caches(nn.Module):
    """Makes a mask once for the longest sequence, and shows its last weights."""

    def __init__(self) -> None:
        super().__init__()
        self.mask = self.weights = None

    def forward(self, x: Any) -> Any:
        n = x.shape[0]
        if self.mask is None or self.mask.shape[0] < n:
            self.mask = flow.ones(n, n).tril()
        if not hasattr(self, "scale"):
            self.scale = flow.full((1,), 2.0)
        self.weights = x.softmax(0)
        return self.mask[:n, :n] @ self.weights * self.scale


@pytest.mark.parametrize("kind", ("nothing", "tensor", "tuple"))
def test_attributes_that_carry_values_from_call_to_call(kind: str) -> None:
    net, twin = Remembers(), Remembers()
    start = {"nothing": None, "tensor": flow.ones(2), "tuple": (flow.ones(2), flow.full((2,), 4.0))}[kind]
    net.last = twin.last = start
    run = flow.compile(net, fullgraph=True)
    for k in range(4):
        x = flow.full((2,), float(k))
        assert run(x).tolist() == twin(x).tolist() and net.last.tolist() == twin.last.tolist()
    net.last = twin.last = start  # and so where it is set outside
    assert run(x).tolist() == twin(x).tolist()
    assert flow.ones(2).tolist() == [1.0, 1.0] and len(run.captures()) <= 3


def test_attributes_that_are_made_once() -> None:
    net, twin = Caches(), Caches()
    run = flow.compile(net)
    for n in (2, 4, 3, 2):
        x = flow.randn(n, 2)
        numpy.testing.assert_allclose(run(x).numpy(), twin(x).numpy(), rtol=1e-6)
    assert net.mask.tolist() == twin.mask.tolist() and net.scale.tolist() == twin.scale.tolist()
    numpy.testing.assert_allclose(net.weights.numpy(), twin.weights.numpy(), rtol=1e-6)
    numpy.testing.assert_allclose(net(x).numpy(), twin(x).numpy(), rtol=1e-6)
    numpy.testing.assert_allclose(run(x).numpy(), twin(x).numpy(), rtol=1e-6)


class Tempered(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("temperature", flow.ones(1))
        self.register_buffer("calls", flow.zeros(()))
        self.counts = False

    def forward(self, x: Any) -> Any:
        if self.counts:
            self.calls.add_(1)
            return x / float(self.calls)
        return x / self.temperature.item() if self.temperature[0:1].tolist() != [0.0] else x


def test_numbers_in_eager_tensors_hold_while_these_are_not_written() -> None:
    net, x = Tempered(), flow.ones(2)
    run = flow.compile(net, fullgraph=True)
    for temperature in (1.0, 2.0, 0.0, 4.0, 4.0):
        net.temperature.fill_(temperature)
        assert run(x).tolist() == net(x).tolist()
    captures = len(run.captures())
    run(x)
    assert len(run.captures()) == captures
    net.counts = True
    with pytest.raises(RuntimeError, match=r"item\(\), float\(\) or int\(\) needs the value of a tensor.*test_guards.py"):
        run(x)
    assert net.calls.item() == 0.0


def test_first_calls_of_several_threads_leave_no_gradients_behind() -> None:
    for _ in range(3):
        net = nn.Linear(4, 1)
        graphs = [Step(net) for _ in range(4)]
        threads = [threading.Thread(target=graph, args=(flow.ones(2 + k, 4),)) for k, graph in enumerate(graphs)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert all(graph.is_compiled for graph in graphs)
        assert all(parameter.grad is None for parameter in net.parameters())


class Step(nn.Graph):
    def __init__(self, net: Any) -> None:
        super().__init__()
        self.net = net
        self.add_optimizer(flow.optim.SGD(net.parameters(), lr=0.1))

    def build(self, x: Any) -> Any:
        loss = self.net(x).mean()
        loss.backward()
        return loss


# ---------------------------------------------------------------------------------------------- what is no module's: Python itself

SCALE: Any = 2.0
SIZES = [1, 2]
CONFIG = SimpleNamespace(inner=SimpleNamespace(shift=3))


def shifted(x: Any) -> Any:
    return x * SCALE + CONFIG.inner.shift + sum(SIZES)


class Constants:
    """Of a class, and read through methods and properties."""

    gain = 1.0

    def __init__(self) -> None:
        self.bias = 1
        self.slots = self.Slots()
        self.slots.low = 0.0

    class Slots:
        __slots__ = ("low",)

    @property
    def both(self) -> Any:
        return self.gain * self.bias

    def of(self, x: Any) -> Any:
        return x + self.both + self.slots.low


class Scaled(nn.Module):
    """Reads a global variable in its forward."""

    def forward(self, x: Any) -> Any:
        return shifted(x)


class Around(nn.Graph):
    """Reads a list of its own, and global variables in a module."""

    def __init__(self) -> None:
        super().__init__()
        self.part, self.sizes = Scaled(), [1.0, 2.0]

    def build(self, x: Any) -> Any:
        return self.part(x) + self.sizes[0]


def follows(f: Any, program: Callable[[Any], Any], changes: list[Callable[[], Any]]) -> None:
    """Every change makes another capture, and nothing else does."""
    x = flow.arange(3.0)
    captures = (f._captured if isinstance(f, nn.Graph) else f).captures
    for count, change in enumerate([lambda: None, *changes], 1):
        change()
        for _ in range(2):
            numpy.testing.assert_array_equal(f(x).numpy(), program(x).numpy())
        assert len(captures()) == count


def set_global(name: str, value: Any) -> Callable[[], None]:
    return lambda: globals().__setitem__(name, value)


@pytest.fixture
def variables(monkeypatch: pytest.MonkeyPatch) -> None:
    """The module's variables as they were, behind a test."""
    monkeypatch.setitem(globals(), "SCALE", 2.0)
    monkeypatch.setitem(globals(), "SIZES", [1, 2])
    monkeypatch.setitem(globals(), "CONFIG", SimpleNamespace(inner=SimpleNamespace(shift=3)))
    monkeypatch.setitem(globals(), "shifted", shifted)


@pytest.mark.usefixtures("variables")
@pytest.mark.parametrize("way", ("function", "lambda", "module", "partial", "wrapped"))
def test_global_variables(way: str) -> None:
    @flow.no_grad()
    def wrapped(x: Any) -> Any:
        return [shifted(y) for y in (x,)][0]

    program: Any = {
        "function": shifted, "lambda": lambda x: shifted(x), "module": Scaled(), "partial": functools.partial(shifted),
        "wrapped": wrapped,
    }[way]  # fmt: skip
    changes = [
        set_global("SCALE", 3.0), set_global("SCALE", 3), lambda: SIZES.append(4),
        lambda: setattr(CONFIG.inner, "shift", 5), set_global("CONFIG", SimpleNamespace(inner=SimpleNamespace(shift=7))),
    ]  # fmt: skip
    if way not in ("function", "partial"):
        changes.append(set_global("shifted", lambda x: x - SCALE))
    follows(flow.compile(program), program, changes)


@pytest.mark.usefixtures("variables")
def test_equal_numbers_are_no_change() -> None:
    f = flow.compile(shifted)
    for number in ("1234.5", "1234.5"):
        globals()["SCALE"] = float(number)
        f(flow.ones(3))
    assert len(f.captures()) == 1


def test_empty_tuples_among_the_constants() -> None:
    """They are no names of variables."""
    factor = 2.0
    program = flow.compile(lambda x: [(x * factor).sum(()), *()])
    assert program(flow.ones(2))[0].item() == 4


def test_closures_and_methods() -> None:
    factor, constants = 1.0, Constants()

    def program(x: Any) -> Any:
        mine = constants
        return mine.of(x) * factor + mine.bias

    def change(value: float) -> None:
        nonlocal factor
        factor = value

    changes = [
        lambda: change(2.0), lambda: setattr(constants, "bias", 4), lambda: setattr(Constants, "gain", 0.5),
        lambda: setattr(constants, "gain", 3.0), lambda: setattr(constants.slots, "low", 1.0),
    ]  # fmt: skip
    try:
        follows(flow.compile(program), program, changes)
        follows(flow.compile(constants.of), constants.of, [lambda: setattr(constants, "bias", 9)])
    finally:
        Constants.gain = 1.0


@pytest.mark.usefixtures("variables")
def test_a_graph_reads_global_variables_and_lists_of_its_own() -> None:
    graph = Around()
    changes = [lambda: graph.sizes.__setitem__(0, 5.0), set_global("SCALE", 4.0), lambda: graph.sizes.__setitem__(0, 7)]
    follows(graph, lambda x: shifted(x) + graph.sizes[0], changes)
    graph.sizes.append(1.0)  # which it does not read
    graph(flow.arange(3.0))
    assert len(graph._captured.captures()) == 4


def test_what_varies_in_every_call_is_told() -> None:
    for function, why in (
        (lambda x: x * random.random(), r"random\(\) of a random generator, which gives something else in each call"),
        (lambda x: x + time.time() * 0, r"time.time\(\), which gives something else in each call"),
    ):
        f = flow.compile(function)
        with pytest.warns(UserWarning, match=rf"runs in eager mode: the function calls {why}, at .*test_guards.py"):
            f(flow.ones(3))
    random.seed(0)
    f = flow.compile(lambda x: x * random.random())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        drawn = [f(flow.ones(1)).item() for _ in range(3)]
    random.seed(0)
    assert drawn == [(flow.ones(1) * random.random()).item() for _ in range(3)]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        flow.compile(lambda x: flow.nn.functional.dropout(x + numpy.float32(1).item(), 0.5))(flow.ones(3))


@pytest.mark.usefixtures("variables")
def test_a_capture_in_every_call_is_told() -> None:
    f = flow.compile(lambda x: x * float(SCALE))
    with pytest.warns(UserWarning, match="captured more than 16 times.*'SCALE'"):
        for k in range(18):
            set_global("SCALE", str(k))()
            assert f(flow.ones(3)).tolist() == [float(k)] * 3
    assert len(f.captures()) == 16


@pytest.mark.usefixtures("variables")
@pytest.mark.filterwarnings("ignore:.*captured")
def test_a_call_that_is_captured_each_time_runs_in_eager_mode() -> None:
    calls = []

    def scaled(x: flow.Tensor) -> flow.Tensor:
        calls.append(float(SCALE))
        return x * float(SCALE)

    f = flow.compile(scaled)
    for k in range(24):
        set_global("SCALE", str(k))()
        assert f(flow.ones(3)).tolist() == [float(k)] * 3
    before = {id(each) for each in f.captures()}
    set_global("SCALE", "15")()  # there is a program for that, and with it new ones are worth a capture again
    assert f(flow.ones(3)).tolist() == [15.0] * 3 and {id(each) for each in f.captures()} == before
    set_global("SCALE", "99")()
    assert f(flow.ones(3)).tolist() == [99.0] * 3 and {id(each) for each in f.captures()} != before
    assert calls[:16] == [float(k) for k in range(16)]


def test_a_way_that_is_forgotten_is_told_once() -> None:
    f = flow.compile(lambda x: x * 2, dynamic=False)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for size in range(1, 17):
            f(flow.ones(size))
    with pytest.warns(UserWarning, match="called in more than 16 ways, now because of .*became.*Pad sizes") as told:
        for size in (*range(17, 20), 1, 2, 3):
            assert f(flow.ones(size)).tolist() == [2.0] * size
    assert len(told) == 1 and len(f.captures()) == 16


@pytest.mark.usefixtures("variables")
def test_a_number_that_differs_in_every_call_becomes_an_argument() -> None:
    f = flow.compile(lambda x: x * SCALE)
    for k in range(18):
        set_global("SCALE", float(k))()
        assert f(flow.ones(3)).tolist() == [float(k)] * 3
    assert len(f.captures()) <= 3


def test_a_program_keeps_nothing_alive_but_what_it_reads() -> None:
    class Method:
        def __init__(self) -> None:
            self.factor = 2.0

        @flow.compile
        def run(self, x: Any) -> Any:
            return x * self.factor

    method = Method()
    assert method.run(flow.ones(3)).tolist() == [2.0] * 3
    method.factor = 3.0
    assert method.run(flow.ones(3)).tolist() == [3.0] * 3
    left = weakref.ref(method)
    del method
    assert left() is None


def test_classes_of_a_main_program_that_a_library_runs_are_the_users() -> None:
    """As of a program under cProfile, or a page under pytest: its `__main__` is then the library's."""
    names: dict[str, Any] = {"__name__": "__main__"}
    exec("class Scale:\n    factor = 2.0\n    def __call__(self, x):\n        return x * self.factor\n", names)
    scale = names["Scale"]()
    scaled = flow.compile(lambda x: scale(x))
    assert scaled(flow.ones(1)).item() == 2
    names["Scale"].factor = 3.0
    assert scaled(flow.ones(1)).item() == 3


def test_an_object_that_leads_to_the_variables_of_a_library_is_no_condition_on_these() -> None:
    """Python's built-in names among them, which a capture replaces in part."""
    before, leads = dict(vars(builtins)), SimpleNamespace(names=vars(builtins), more=vars(functools))

    def f(x: Any) -> Any:
        copy.copy(leads)
        return x if x.sum().numpy() > 0 else -x

    with pytest.warns(UserWarning, match=r"numpy\(\)"):
        flow.compile(f)(flow.ones(2))
    assert vars(builtins) == before
