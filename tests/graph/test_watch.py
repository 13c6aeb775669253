"""A captured program is the program: what its Python reads, sets and shares is as in eager mode.

Each program here stands for a class. It gets `wrap`, does its calls with changes between them, and returns what can be seen, as plain
values. Eager mode runs it beside flow.compile, and beside nn.Graph where a graph is to give the same: a graph copies its results and
writes only the tensors of its modules. Numbers are small powers of two, so that results are equal bit for bit.
"""

from __future__ import annotations

import asyncio
import collections
import contextlib
import copy
import dataclasses
import functools
import gc
import os
import pickle
import random
import re
import time
import types
import warnings
import weakref
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy
import pytest

import tritonflow as flow
from tritonflow import nn
from tritonflow.utils.checkpoint import checkpoint

Wrap = Callable[[Any], Any]


class Whole(nn.Graph):
    """A function as a graph."""

    def __init__(self, function: Any) -> None:
        super().__init__()
        self.function = function
        if isinstance(function, nn.Module):
            self.net = function

    def build(self, *args: Any, **kwargs: Any) -> Any:
        return self.function(*args, **kwargs)


@dataclasses.dataclass(frozen=True)
class Program:
    """What is run in each way.

    Attributes:
        run: gets `wrap`, and returns what can be seen.
        graph: whether nn.Graph gives the same.
        eager: a part of the warning, for what falls back to eager mode; "" for what is captured.
    """

    run: Callable[[Wrap], Any]
    graph: bool
    eager: str


PROGRAMS: dict[str, Program] = {}


def program(graph: bool = False, eager: str = "") -> Callable[[Callable[[Wrap], Any]], Callable[[Wrap], Any]]:
    """Mark a program."""

    def mark(run: Callable[[Wrap], Any]) -> Callable[[Wrap], Any]:
        PROGRAMS[run.__name__] = Program(run, graph, eager)
        return run

    return mark


def plain(value: Any) -> Any:
    """A value as what `==` compares: numbers with their types, tensors with their dtypes."""
    if isinstance(value, flow.Tensor):
        assert not value.is_lazy, "a tensor of the capture has left it"
        return str(value.dtype), value.requires_grad, value.detach().float().tolist()
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, collections.deque)):
        return type(value).__name__, [plain(item) for item in value]
    return type(value).__name__, value


def calls(f: Any, count: int = 4) -> list[Any]:
    """Results of calls with 1, 2, 3 and so on."""
    return [plain(f(flow.full((2,), float(k + 1)))) for k in range(count)]


# ------------------------------------------------------------------------------------------------- what the function sets


class Warm(nn.Module):
    """Grows for four calls."""

    def __init__(self) -> None:
        super().__init__()
        self.n = 0

    def forward(self, x: Any) -> Any:
        self.n += 1
        return x * min(1.0, self.n / 4)


class Flip(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.on = False

    def forward(self, x: Any) -> Any:
        self.on = not self.on
        return x if self.on else -x


class Centred(nn.Module):
    """Looks at its first batch."""

    def __init__(self) -> None:
        super().__init__()
        self.shift, self.ready = nn.Parameter(flow.zeros(2), requires_grad=False), False

    def forward(self, x: Any) -> Any:
        if not self.ready:
            self.shift.copy_(-x)
            self.ready = True
        return x + self.shift


class Grows(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.seen: list[Any] = []

    def forward(self, x: Any) -> Any:
        self.seen.append(x)
        return x * len(self.seen)


class Average(nn.Module):
    """An exponential average in a buffer that is set anew, and one that is written."""

    def __init__(self) -> None:
        super().__init__()
        self.mean, self.square = nn.Buffer(flow.zeros(2)), nn.Buffer(flow.zeros(2))

    def forward(self, x: Any) -> Any:
        self.mean = self.mean * 0.5 + x * 0.5
        self.square.mul_(0.5).add_(x * x)
        return x - self.mean + self.square


class Recurrent(nn.Module):
    """Keeps its state, and shows its last input."""

    def __init__(self) -> None:
        super().__init__()
        self.state: Any = None

    def forward(self, x: Any) -> Any:
        self.shown = x * 2
        self.state = (x, x) if self.state is None else (self.state[1], self.state[0] * 0.5 + x)
        return self.state[1]


for _kind in (Warm, Flip, Centred, Grows, Average, Recurrent):

    def _run(wrap: Wrap, kind: Any = _kind) -> Any:
        net = kind()
        f = wrap(net)
        found = calls(f)
        state = {k: plain(v) for k, v in vars(net).items() if not k.startswith("_") and k != "training"}
        return found, state, plain(dict(net.state_dict())), plain(net(flow.ones(2))), calls(f, 1)

    PROGRAMS[f"module {_kind.__name__}"] = Program(_run, True, "")


STATE: Any = None
COUNT = 0


@program(graph=True)
def global_variables(wrap: Wrap) -> Any:
    global STATE, COUNT
    STATE, COUNT = None, 0

    def f(x: Any) -> Any:
        global STATE, COUNT
        COUNT += 1
        STATE = x if STATE is None else STATE * 0.5 + x
        return STATE * COUNT

    return calls(wrap(f)), COUNT, plain(STATE)


@program(graph=True)
def variables_of_closures(wrap: Wrap) -> Any:
    n, h, last = 0, flow.zeros(2), None

    def f(x: Any) -> Any:
        nonlocal n, h, last
        n += 1
        h = h * 0.5 + x
        last = x + n
        return h * n

    compiled = wrap(f)
    found = calls(compiled)
    n, h = 7, flow.ones(2)
    return found, calls(compiled), n, plain(h), plain(last)


@program(graph=True)
def items_and_attributes(wrap: Wrap) -> Any:
    class Slots:
        __slots__ = ("h", "n")

    class Checked:
        def __init__(self) -> None:
            self._h, self.sets = flow.zeros(2), 0

        @property
        def h(self) -> Any:
            return self._h

        @h.setter
        def h(self, value: Any) -> None:
            self._h, self.sets = value, self.sets + 1

    @dataclasses.dataclass
    class Data:
        h: Any
        n: int = 0

    slots, checked, data = Slots(), Checked(), Data(flow.ones(2))
    slots.h, slots.n = flow.zeros(2), 0
    holders = {"h": flow.ones(2), "n": 0}, [flow.zeros(2), 0], SimpleNamespace(h=flow.zeros(2), n=0)

    def f(x: Any) -> Any:
        table, row, space = holders
        table["n"] += 1
        row[1] += table["n"]
        space.n, slots.n, data.n = space.n + 1, slots.n + 2, data.n - 1
        table["h"], row[0] = table["h"] * 0.5 + x, row[0] + table["h"]
        space.h = space.h - x
        slots.h = slots.h + x * slots.n
        checked.h = checked.h + x
        data.h = data.h * 2
        return table["h"] + row[0] + space.h + slots.h + checked.h + data.h, row[1] + space.n

    found = calls(wrap(f))
    return (
        found,
        plain(holders[0]),
        plain(holders[1]),
        plain(vars(holders[2])),
        slots.n,
        plain(slots.h),
        checked.sets,
        plain(vars(data)),
    )


@program(graph=True)
def containers(wrap: Wrap) -> Any:
    seen, sizes, deque, counts = [], {1}, collections.deque(maxlen=2), collections.Counter()
    groups: Any = collections.defaultdict(list)
    cache: dict[Any, Any] = {}

    def f(x: Any) -> Any:
        seen.append(len(seen))
        sizes.add(len(sizes) * 3)
        deque.append(x)
        counts["calls"] += 1
        groups[len(seen) % 2].append(x * 2)
        if x.shape not in cache:
            cache[x.shape] = x + 1
        return sum(deque) * len(seen) + len(sizes) + counts["calls"] + len(groups[0]) + cache[x.shape]

    found = calls(wrap(f))
    return found, seen, sorted(sizes), plain(deque), dict(counts), plain(dict(groups)), plain(list(cache.values()))


@program(graph=True)
def ordered_dicts(wrap: Wrap) -> Any:
    order = collections.OrderedDict(a=1.0, b=2.0, c=4.0)

    def f(x: Any) -> Any:
        order.move_to_end("a")
        order["n"] = order.get("n", 0) + 1
        return x * order["n"] + next(iter(order.values()))

    other = collections.OrderedDict(a=1.0, b=2.0)

    def g(x: Any) -> Any:
        other.move_to_end("a")
        other["c"] = 1
        other.pop("b")
        return x * len(other)

    found = calls(wrap(f)) + calls(wrap(g), 1) + [list(other.items()), other.popitem()]
    order.pop("b")
    return found, list(order.items()), list(reversed(order)), order.popitem(), order.popitem(last=False)


@program(graph=True)
def states_that_are_one_tensor_at_first(wrap: Wrap) -> Any:
    one = flow.ones(2)
    space, table = SimpleNamespace(a=one, b=one), {"pair": (one, one)}

    def f(x: Any) -> Any:
        space.a, space.b = space.b * 1, space.a + x
        table["pair"] = table["pair"][1], table["pair"][0] * 0.5 + x
        return space.b + table["pair"][1]

    return calls(wrap(f), 5), plain(vars(space)), plain(table["pair"])


@program(graph=True)
def attributes_of_classes(wrap: Wrap) -> Any:
    class Counted:
        made = 0
        scale = flow.ones(2)

        @classmethod
        def count(cls) -> int:
            cls.made += 1
            return cls.made

    def f(x: Any) -> Any:
        Counted.scale = Counted.scale + x
        return Counted.scale * Counted.count()

    return calls(wrap(f)), Counted.made, plain(Counted.scale)


@program(graph=True)
def contexts_and_exceptions(wrap: Wrap) -> Any:
    log: list[Any] = []
    mode = SimpleNamespace(on=False, depth=0)

    @contextlib.contextmanager
    def switched() -> Any:
        before, mode.on = mode.on, True
        mode.depth += 1
        try:
            yield mode.depth
        finally:
            mode.on = before

    def f(x: Any) -> Any:
        with switched() as depth:
            y = x * depth if mode.on else x
        try:
            raise KeyError(len(log))
        except KeyError as error:
            log.append(error.args[0])
        return -y if mode.on else y + len(log)

    return calls(wrap(f)), log, vars(mode)


# ------------------------------------------------------------------------------------------------ what the function reads


class Shifted(nn.Module):
    shift = 1.0

    def forward(self, x: Any) -> Any:
        return x + self.shift


MODULE = types.ModuleType("settings")
NAME = "bias"


@program(graph=True)
def objects_that_are_called(wrap: Wrap) -> Any:
    class Gain:
        factor = 2.0

        def __init__(self) -> None:
            self.bias = 1.0

        def __call__(self, x: Any) -> Any:
            return x * self.factor + self.bias

    def scaled(x: Any, factor: Any = 2.0, *, bias: Any = 1.0) -> Any:
        return x * factor + bias

    gain, given, MODULE.SCALE = Gain(), [2.0], 2.0
    partial, over = functools.partial(scaled, factor=4.0), functools.partial(lambda x, k: x * k[0], k=given)
    config = lambda: SimpleNamespace(inner=gain)

    def f(x: Any) -> Any:
        return gain(x) + scaled(x) + partial(x) + over(x) + x * MODULE.SCALE + config().inner.bias + getattr(gain, NAME)

    compiled = wrap(f)
    found = calls(compiled, 2)
    for change in (
        lambda: setattr(gain, "bias", 4.0), lambda: setattr(Gain, "factor", 8.0), lambda: setattr(scaled, "__defaults__", (0.5,)),
        lambda: scaled.__kwdefaults__.update(bias=2.0), lambda: given.__setitem__(0, 16.0), lambda: setattr(MODULE, "SCALE", 0.25),
        lambda: setattr(Gain, "__call__", lambda self, x: x - self.bias),
    ):  # fmt: skip
        change()
        found += calls(compiled, 2)
    return found


@program(graph=True)
def containers_that_are_read(wrap: Wrap) -> Any:
    row, table, group, queue = [1.0, 2.0], {"a": 1.0}, {1, 2}, collections.deque([1.0])
    array, long, view = numpy.float32([1.0, 2.0]), list(range(100)), {"k": [1.0]}

    def f(x: Any) -> Any:
        total = sum(v for v in row) + sum(table.values()) + len(group) + max(queue) + long[70] + float(array[1])
        pairs = [a * b for a, b in zip(row, [*table.values(), 3.0])]
        return x * total + sum(pairs) + sum(map(float, view["k"])) + (3 in group) + flow.tensor(array)

    compiled = wrap(f)
    found = calls(compiled, 1)
    for change in (
        lambda: row.__setitem__(0, 4.0), lambda: table.update(b=2.0), lambda: group.add(3), lambda: queue.appendleft(8.0),
        lambda: long.__setitem__(70, 1), lambda: array.__setitem__(1, 16.0), lambda: view["k"].append(2.0),
    ):  # fmt: skip
        change()
        found += calls(compiled, 1)
    return found


@program(graph=True)
def hooks_and_replaced_methods(wrap: Wrap) -> Any:
    net, k = nn.Sequential(Shifted(), Shifted()), {"k": 2.0}
    compiled = wrap(net)
    found = calls(compiled, 1)
    handle = net[0].register_forward_hook(lambda module, args, y: y * k["k"])
    found += calls(compiled, 1)
    k["k"] = 4.0
    found += calls(compiled, 1)
    everywhere = nn.modules.module.register_module_forward_hook(lambda module, args, y: y - 1)
    found += calls(compiled, 1)
    everywhere.remove()
    handle.remove()
    found += calls(compiled, 1)
    Shifted.shift = 8.0
    found += calls(compiled, 1)
    forward, Shifted.forward = Shifted.forward, lambda self, x: x * 2  # type: ignore[method-assign]
    found += calls(compiled, 1)
    Shifted.forward, Shifted.shift = forward, 1.0  # type: ignore[method-assign]
    return found + calls(compiled, 1)


@program(graph=True)
def memory_that_changes_outside(wrap: Wrap) -> Any:
    array = numpy.float32([1.0, 2.0])
    shared, net, free = flow.from_numpy(array), nn.Linear(2, 2, bias=False), flow.ones(2)
    nn.init.ones_(net.weight)
    compiled = wrap(lambda x: net(x * free + shared).detach())
    found = calls(compiled, 1)
    array[0] = 4.0
    found += calls(compiled, 1)
    net.weight.data = flow.full((2, 2), 2.0)
    found += calls(compiled, 1)
    free.data = flow.full((2,), 4.0)
    found += calls(compiled, 1)
    free.resize_(1).fill_(2.0)
    return found + calls(compiled, 1)


@program()
def functions_of_autograd(wrap: Wrap) -> Any:
    setting = {"forward": 1.0, "backward": 1.0}

    class Scale(flow.autograd.Function):
        slope = 1.0

        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * setting["forward"]

        @staticmethod
        def backward(ctx: Any, dy: Any) -> Any:
            return dy * setting["backward"] * Scale.slope

    f, found = wrap(lambda x: Scale.apply(x)), []
    for change in (
        lambda: None, lambda: setting.update(forward=2.0), lambda: setting.update(backward=4.0), lambda: setattr(Scale, "slope", 8.0)
    ):  # fmt: skip
        change()
        x = flow.ones(2, requires_grad=True)
        y = f(x)
        y.sum().backward()
        found.append((y.tolist(), x.grad.tolist()))
    return found


@program(graph=True)
def the_environment(wrap: Wrap) -> Any:
    f, found = wrap(lambda x: x * float(os.environ.get("TRITONFLOW_TEST_SCALE", "1"))), []
    for value in ("2", "4"):
        os.environ["TRITONFLOW_TEST_SCALE"] = value
        found += calls(f, 1)
    del os.environ["TRITONFLOW_TEST_SCALE"]
    return found + calls(f, 1)


# --------------------------------------------------------------------------------------------------------- whole trainings


class Momentum(flow.optim.Optimizer):
    """Of a user: its state is made at its first step."""

    def __init__(self, params: Any, lr: float) -> None:
        super().__init__(params, {"lr": lr})

    @flow.no_grad()  # type: ignore[misc]
    def step(self) -> None:  # type: ignore[override]
        for group in self.param_groups:
            for p in group["params"]:
                state = self.state[p]
                if "m" not in state:
                    state["m"], state["steps"] = flow.zeros_like(p), 0
                state["steps"] += 1
                state["m"].mul_(0.5).add_(p.grad)
                p.sub_(state["m"], alpha=group["lr"] / state["steps"])


MAKERS: dict[str, Callable[[Any], Any]] = {
    "momentum": lambda params: flow.optim.SGD(params, lr=0.125, momentum=0.5),
    "adam": lambda params: flow.optim.Adam(params, lr=0.125),
    "a user's": lambda params: Momentum(params, 0.125),
}


class Training:
    """One parameter and its optimizer, stepped in eager mode, by flow.compile or by an nn.Graph."""

    def __init__(
        self, way: str, maker: str = "momentum", inside: Callable[[Training], Any] = lambda training: None
    ) -> None:
        self.net = nn.Module()
        self.net.w = nn.Parameter(flow.ones(2))
        self.optimizer = MAKERS[maker](self.net.parameters())
        training, net = self, self.net

        def loss_of(x: Any) -> Any:
            loss = (net.w * x).square().sum()
            loss.backward()
            return loss

        def step(x: Any) -> Any:
            training.optimizer.zero_grad()
            inside(training)
            loss = loss_of(x)
            training.optimizer.step()
            return loss

        class Graph(nn.Graph):
            def __init__(self) -> None:
                super().__init__()
                self.net = net
                self.add_optimizer(training.optimizer)

            def build(self, x: Any) -> Any:
                inside(training)
                return loss_of(x)

        self.step = {"eager": lambda: step, "compile": lambda: flow.compile(step, fullgraph=True), "graph": Graph}[
            way
        ]()

    def losses(self, count: int) -> list[float]:
        return [round(self.step(flow.ones(2)).item(), 5) for _ in range(count)]


def trained(way: str, maker: str, change: Callable[[Training], Any]) -> Any:
    training = Training(way, maker)
    losses = training.losses(3)
    change(training)
    return losses + training.losses(2), [round(v, 5) for v in training.net.w.tolist()]


def halve(optimizer: Any) -> None:
    optimizer.param_groups[0]["lr"] *= 0.5


def nothing(result: Any) -> None:
    """What a hook returns that changes no argument."""


OUTSIDE: dict[str, Callable[[Training], Any]] = {
    "nothing": lambda training: None,
    "state cleared": lambda training: training.optimizer.state.clear(),
    "state popped": lambda training: training.optimizer.state.pop(training.net.w),
    "state replaced": lambda training: training.optimizer.state[training.net.w].update(
        {k: flow.zeros(2) for k in ("m", "momentum_buffer", "exp_avg") if k in training.optimizer.state[training.net.w]}
    ),
    "learning rate": lambda training: halve(training.optimizer),
    "hook before": lambda training: training.optimizer.register_step_pre_hook(
        lambda *_: nothing(training.net.w.grad.mul_(0.5))
    ),
    "hook behind": lambda training: training.optimizer.register_step_post_hook(
        lambda *_: nothing(training.net.w.data.mul_(0.5))
    ),
    "memory": lambda training: setattr(training.net.w, "data", flow.full((2,), 0.5)),
}


@pytest.mark.parametrize("maker", MAKERS)
@pytest.mark.parametrize("way", ("compile", "graph"))
def test_optimizers_that_are_changed_outside(way: str, maker: str) -> None:
    for name, change in OUTSIDE.items():
        assert trained(way, maker, change) == trained("eager", maker, change), name


@pytest.mark.parametrize("way", ("compile", "graph"))
def test_hooks_of_steps_that_are_there_at_first_and_removed(way: str) -> None:
    def losses(way: str) -> Any:
        training, seen = Training(way), []
        before = training.optimizer.register_step_pre_hook(lambda *_: seen.append(1))
        behind = training.optimizer.register_step_post_hook(lambda *_: nothing(training.net.w.data.mul_(0.5)))
        found = training.losses(2)
        behind.remove()
        found += training.losses(2)
        before.remove()
        return found + training.losses(1), seen

    assert losses(way) == losses("eager")


def test_learning_rates_that_are_set_inside() -> None:
    def counted() -> Callable[[Training], Any]:
        current = {"k": 0}

        def inside(training: Training) -> None:
            current["k"] += 1
            training.optimizer.param_groups[0]["lr"] = 0.125 / current["k"]

        return inside

    def warm(training: Training) -> None:
        group = training.optimizer.param_groups[0]
        group["lr"] = min(0.25, group["lr"] * 2)

    for make in (counted, lambda: lambda training: halve(training.optimizer), lambda: warm):
        eager, compiled = Training("eager", "momentum", make()), Training("compile", "momentum", make())
        assert compiled.losses(4) == eager.losses(4)
        assert compiled.optimizer.param_groups[0]["lr"] == eager.optimizer.param_groups[0]["lr"]


@pytest.mark.parametrize("way", ("compile", "graph"))
def test_parameters_over_one_memory(way: str) -> None:
    def stepped(way: str, kind: Any) -> Any:
        net = nn.Module()
        net.a, net.b = nn.Parameter(flow.ones(2)), nn.Parameter(flow.ones(2))
        net.b.data = net.a.data
        optimizer = kind(net.parameters(), lr=0.125)

        def loss_of(x: Any) -> Any:
            loss = (net.a * x).square().sum() + (net.b * x * 2).sum()
            loss.backward()
            return loss

        def step(x: Any) -> Any:
            optimizer.zero_grad()
            loss = loss_of(x)
            optimizer.step()
            return loss

        class Graph(nn.Graph):
            def __init__(self) -> None:
                super().__init__()
                self.net = net
                self.add_optimizer(optimizer)

            def build(self, x: Any) -> Any:
                return loss_of(x)

        f = {"eager": lambda: step, "compile": lambda: flow.compile(step), "graph": Graph}[way]()
        return [round(f(flow.ones(2)).item(), 4) for _ in range(2)], [round(v, 4) for v in net.a.tolist()]

    for kind in (flow.optim.SGD, flow.optim.Adam):
        assert stepped(way, kind) == stepped("eager", kind)


@program()
def schedulers_inside(wrap: Wrap) -> Any:
    found = []
    for make in (
        lambda o: flow.optim.lr_scheduler.StepLR(o, 2, 0.5), lambda o: flow.optim.lr_scheduler.LambdaLR(o, lambda k: 1 / (k + 1)),
        lambda o: flow.optim.lr_scheduler.CosineAnnealingLR(o, 4),
    ):  # fmt: skip
        training = Training("eager")
        schedule = make(training.optimizer)

        def step(x: Any, training: Any = training, schedule: Any = schedule) -> Any:
            loss = training.step(x)
            schedule.step()
            return loss

        f = wrap(step)
        found.append([(round(f(flow.ones(2)).item(), 5), training.optimizer.param_groups[0]["lr"]) for _ in range(4)])
        found.append((schedule.last_epoch, schedule.get_last_lr()))
    return found


# ---------------------------------------------------------------------------------------------------------------- aliases


@program()
def results_that_share_memory(wrap: Wrap) -> Any:
    found = []
    for f in (
        lambda x: x, lambda x: x[1:], lambda x: x.t() if x.dim() > 1 else x.view(2, 2).t(), lambda x: x.detach(), lambda x: [x, x],
        lambda x: (lambda y: (y, y[1:]))(x * 2), lambda x: (lambda y: (y[:2], y[1:]))(x * 2), lambda x: {"a": (x + 1).view(2, 2)},
        lambda x: (lambda y: (y, y))(x + 1), lambda x: x.add_(1), lambda x: (x.mul_(2), x[0]), lambda x: (x[::2], x.expand(2, 4)[0]),
    ):  # fmt: skip
        compiled = wrap(f)
        for _ in range(2):
            x = flow.arange(4.0)
            result = compiled(x)
            values = (
                list(result.values())
                if isinstance(result, dict)
                else result
                if isinstance(result, (list, tuple))
                else [result]
            )
            values[0].add_(16)
            found.append((plain(x), plain(values), [[a is b for a in (x, *values)] for b in values]))
    return found


@program()
def parameters_and_closures_as_results(wrap: Wrap) -> Any:
    net, total, out = nn.Linear(2, 1, bias=False), flow.zeros(2), flow.zeros(2)
    nn.init.ones_(net.weight)
    parameter, add, write = (
        wrap(lambda: net.weight),
        wrap(lambda x: (total.add_(x), total)[1]),
        wrap(lambda x, o: flow.add(x, 1, out=o)),
    )
    with flow.no_grad():
        parameter().mul_(4)
    first = add(flow.ones(2))
    add(flow.ones(2))
    write(flow.ones(2), out).add_(1)
    return parameter() is net.weight, plain(net.weight), first is total, plain(first), plain(out)


@program(eager="shares memory|finds one of its arguments")
def written_inputs_that_overlap(wrap: Wrap) -> Any:
    found, weight = [], flow.ones(2)
    for f, arguments in (
        (lambda a, b: (a.add_(1), b * 2)[1], lambda x: (x[:3], x[1:])), (lambda a, b: (a.add_(1), b * 2)[1], lambda x: (x, x)),
        (lambda a: (a.add_(1), weight * 2)[1], lambda x: (weight,)), (lambda a: (weight.add_(1), a * 2)[1], lambda x: (weight,)),
        (lambda a, b: (b.add_(1), a.sum())[1], lambda x: (x, x.view(2, 2))),
    ):  # fmt: skip
        compiled = wrap(f)
        for _ in range(2):
            x = flow.arange(4.0)
            found.append((plain(compiled(*arguments(x))), plain(x), plain(weight)))
    return found


def lying_otherwise() -> list[Any]:
    """Tensors that are transposed, channels-last, with gaps, expanded, empty, in the middle of their memory."""
    x = flow.arange(48.0).view(2, 2, 3, 4)
    return [
        x, x.permute(0, 2, 3, 1), x.to(memory_format=flow.channels_last), x.transpose(2, 3), x[..., 1:], x[:, :1, :, ::2],
        x[:1, :, :1].expand(3, 2, 2, 4), x[:, :, :0], x[1:],
    ]  # fmt: skip


COPIES_OR_VIEWS = (
    lambda x: x.contiguous(), lambda x: x.reshape(-1), lambda x: x.reshape(len(x), -1), lambda x: x.flatten(1), lambda x: x.ravel(),
    lambda x: x.contiguous(memory_format=flow.channels_last), lambda x: x.to(memory_format=flow.contiguous_format),
    lambda x: x.to(memory_format=flow.channels_last), lambda x: x.permute(0, 2, 3, 1).flatten(1), lambda x: x.clone(),
    lambda x: (x * 2).reshape(-1), lambda x: x.softmax(1).contiguous(), nn.Flatten(2),
)  # fmt: skip


@pytest.mark.parametrize("number", range(len(COPIES_OR_VIEWS)))
@pytest.mark.parametrize("kind", range(9))
def test_views_and_copies_of_arguments_that_are_not_contiguous(kind: int, number: int) -> None:
    """Whether a result is a copy or shares the argument's memory, and how it lies, is as in eager mode."""
    made = COPIES_OR_VIEWS[number]

    def written(x: Any) -> Any:
        y = made(x)
        if x.numel() and 0 not in y.stride():
            y[0].mul_(3)
        return x.sum(), y

    def after(x: Any) -> Any:
        y = made(x)
        if 0 not in x.stride():
            x.add_(1)
        return y

    for function in (made, written, after, lambda x: (made(x), made(x * 2).sin(), sum(x.stride()), x.is_contiguous())):
        found = []
        for wrap in (lambda f: f, flow.compile(fullgraph=True)):
            run = wrap(function)
            for _ in range(2):
                x = lying_otherwise()[kind]
                results = run(x)
                results = results if isinstance(results, tuple) else (results,)
                before = [(plain(y), y.stride()) if isinstance(y, flow.Tensor) else y for y in results]
                if 0 not in results[-1 if function is written else 0].stride():
                    results[-1 if function is written else 0].add_(1)
                found.append((before, plain(x), plain(list(results))))
        assert found[:2] == found[2:]


def test_gradients_of_arguments_that_are_not_contiguous() -> None:
    conv = nn.Conv2d(2, 3, 2)

    def f(x: Any) -> Any:
        y = conv(x.contiguous()).relu().flatten(1)
        return (y * y).sum() + x.reshape(-1).sin().sum() + x.transpose(2, 3).reshape(len(x), -1).exp().mean()

    for make in (lambda x: x, lambda x: x.to(memory_format=flow.channels_last), lambda x: x.transpose(2, 3), lambda x: x[..., 1:]):
        found = []
        for run in (f, flow.compile(f, fullgraph=True)):
            leaf = flow.linspace(0, 1, 48).view(2, 2, 3, 4).requires_grad_()
            conv.zero_grad()
            run(make(leaf)).backward()
            found.append((leaf.grad.numpy(), conv.weight.grad.numpy()))
        for a, b in zip(*found):
            numpy.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6)


WRITTEN_VIEWS = (
    lambda x, y: (lambda v: (v.mul_(y), v, x * 1)[1:])(x[:]), lambda x, y: (x[0].mul_(y), x[1]), lambda x, y: x[0].mul_(y),
    lambda x, y: (lambda v, u: (v.mul_(y), u, v, x)[1:])(x[0], x[:, 0]), lambda x, y: (x[0].copy_(y * 2), x.t(), y * 3)[1:],
)  # fmt: skip
WRITTEN_OTHERS = (
    lambda x, y: (lambda v: (v.mul_(y), v, y * 1)[1:])(x.detach()), lambda x, y: (lambda v: (v[0].mul_(y), v, y * 1)[1:])(x.data),
    lambda x, y: (lambda v: (v[0].mul_(y), v[1], y * 1)[1:])(x.detach()),
    lambda x, y: (lambda z: (lambda v: (v.mul_(y), v, z)[1:])(z.detach()))(x * 2),
)  # fmt: skip


def gradients_of_written_views(wrap: Wrap, functions: Any) -> Any:
    """Of functions that write memory from outside with what requires grad: of an argument, and of a variable."""
    found: list[Any] = []
    held = [flow.ones(2, 2)]
    for function in functions:
        for f in (wrap(function), wrap(lambda x, y, function=function: function(held[0], y))):
            for _ in range(2):
                with flow.no_grad():
                    x, y = flow.arange(4.0).view(2, 2), flow.full((2,), 3.0).requires_grad_()
                held[0] = flow.ones(2, 2)
                results = f(x, y)
                results = results if isinstance(results, tuple) else (results,)
                found.append([(v.is_leaf, v.requires_grad, plain(v)) for v in (*results, x, *held)])
                flow.stack([(v * v).sum() for v in results]).sum().backward()
                with flow.no_grad():
                    results[0].add_(1)
                found.append(plain([y.grad, x, *held, *results]))
    return found


@program()
def views_of_arguments_that_get_a_history(wrap: Wrap) -> Any:
    return gradients_of_written_views(wrap, WRITTEN_VIEWS)


@program(eager="shares memory")
def detached_arguments_that_get_a_history(wrap: Wrap) -> Any:
    return gradients_of_written_views(wrap, WRITTEN_OTHERS)


@program()
def what_a_layer_computes_is_copied_into_a_view(wrap: Wrap) -> Any:
    layer, buffer = nn.Linear(2, 2, bias=False), flow.zeros(2, 1, 2)
    nn.init.ones_(layer.weight)

    @wrap
    def f(x: Any) -> Any:
        rows = buffer.view(-1, 2)
        rows.copy_(layer(x))
        return rows

    (f(flow.ones(2, 2)) * 2).sum().backward()
    return plain(layer.weight.grad), plain(buffer)


SHAPES_IN_PLACE = (
    lambda v: v.t_(), lambda v: v.transpose_(0, 1), lambda v: v.swapaxes_(0, 1), lambda v: v.unsqueeze_(0), lambda v: v.squeeze_(),
    lambda v: v.unsqueeze_(1).squeeze_(1).t_(),
)  # fmt: skip


@program()
def shapes_that_change_in_place_behind_a_view(wrap: Wrap) -> Any:
    found = []
    for change in SHAPES_IN_PLACE:

        @wrap
        def f(x: Any, change: Any = change) -> Any:
            v = x * 2
            u, columns = v[1:], v[:, 0]
            change(v)
            u.add_(1)
            return v, u, columns, v[0]

        for _ in range(2):
            x = flow.arange(6.0).view(2, 3).requires_grad_()
            results = f(x)
            flow.stack([(y * y).sum() for y in results]).sum().backward()
            with flow.no_grad():
                results[1].add_(16)
            found.append(plain([x.grad, *results]))
    return found


@program(eager="changes the shape of a tensor from outside")
def shapes_of_variables_that_change_in_place(wrap: Wrap) -> Any:
    found = []
    for change in (*SHAPES_IN_PLACE[:4], lambda v: v.resize_(3), lambda v: setattr(v, "data", v.data[:1])):
        table = flow.arange(6.0).view(2, 3)
        f = wrap(lambda x, table=table, change=change: (change(table), table * x)[1])
        found += [(plain(f(flow.ones(1))), list(table.shape)) for _ in range(3)]
    return found


@program()
def views_that_are_resized(wrap: Wrap) -> Any:
    def of_argument(x: Any) -> Any:
        v = x[1:3]
        v.resize_(1)
        v.add_(1)
        return x * 1

    def of_a_value(x: Any) -> Any:
        y = x * 2
        v = y[2:]
        v.resize_(2, 1).add_(1)
        return y, v

    def of_detached(x: Any) -> Any:
        y = x * 2
        y.detach().resize_(1).add_(1)
        return y

    found = []
    for f in map(wrap, (of_argument, of_a_value, of_detached)):
        for _ in range(2):
            x = flow.zeros(4)
            found.append((plain(f(x)), plain(x)))
    return found


@program(eager="other memory|set_|given new memory|catch_warnings")
def other_memory_through_a_view(wrap: Wrap) -> Any:
    def data(x: Any) -> Any:
        v = x[1]
        v.data = x
        return v

    def out(x: Any) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            flow.add(x.t().clone(), 1, out=x[0, 1:])
        return x * 1

    found = []
    for f in map(wrap, (data, out, lambda x: (x * 2).set_(x))):
        for _ in range(2):
            x = flow.arange(6.0).view(2, 3)
            found.append((plain(f(x)), plain(x)))
    return found


@program(eager="sets whether an argument requires grad")
def arguments_whose_requires_grad_is_set(wrap: Wrap) -> Any:
    def there_and_back(x: Any, y: Any) -> Any:
        x.requires_grad = True
        z = x * 2
        x.requires_grad = False
        return (z * y).sum()

    found = []
    for f in (there_and_back, lambda x, y: (y.requires_grad_(False), y.add_(1))[1].sum(), lambda x, y: (y.detach_(), y.add_(1))[1].sum()):
        compiled = wrap(f)
        for _ in range(2):
            x, y = flow.ones(2), flow.ones(2).requires_grad_()
            result = compiled(x, y)
            x.requires_grad_()
            if result.requires_grad:
                result.backward()
            found.append(plain([result, x, y, x.grad, y.grad]))
    return found


@program()
def hidden_states_that_are_detached_in_place(wrap: Wrap) -> Any:
    weight, state = flow.ones(2).requires_grad_(), SimpleNamespace(hidden=flow.zeros(2))

    @wrap
    def of_argument(x: Any, hidden: Any) -> Any:
        hidden.detach_()
        hidden = (hidden * 0.5 + x) * weight
        return hidden, hidden.sum()

    @wrap
    def of_variable(x: Any) -> Any:
        state.hidden.detach_()
        state.hidden = (state.hidden * 0.5 + x) * weight
        return state.hidden.sum()

    found, hidden = [], flow.zeros(2)
    for _ in range(3):
        given, kept = hidden, state.hidden
        hidden, loss = of_argument(flow.ones(2), hidden)
        (loss + of_variable(flow.ones(2))).backward()
        found.append(plain([hidden, state.hidden, given, kept, weight.grad]))
    return found


@program()
def parameters_that_are_frozen_for_a_while(wrap: Wrap) -> Any:
    made, judge = flow.ones(2).requires_grad_(), flow.full((2,), 2.0).requires_grad_()

    @wrap
    def step(x: Any) -> Any:
        judge.requires_grad_(True)
        judge.grad = made.grad = None
        ((judge * x) ** 2).sum().backward()
        with flow.no_grad():
            judge.sub_(0.1 * judge.grad)
        judge.requires_grad_(False)
        loss = (judge * made * x).sum()
        loss.backward()
        judge.requires_grad_(True)
        return loss

    return [plain([step(flow.ones(2)), judge, judge.grad, made.grad]) for _ in range(3)]


@program(eager="uses a tensor from outside, and then")
def leaves_that_are_frozen_behind_their_use(wrap: Wrap) -> Any:
    weight = flow.ones(2).requires_grad_()

    @wrap
    def f(x: Any) -> Any:
        y = weight * x
        weight.requires_grad = False
        z = weight * x * x
        weight.requires_grad = True
        return (y + z).sum()

    found = []
    for _ in range(2):
        weight.grad = None
        f(flow.full((2,), 3.0)).backward()
        found.append(plain(weight.grad))
    return found


@program(eager="hook on a tensor from outside|retain_grad")
def hooks_on_tensors_from_outside(wrap: Wrap) -> Any:
    found: list[Any] = []
    for register in (
        lambda p: p.register_hook(lambda g: g * 2),
        lambda p: p.register_post_accumulate_grad_hook(lambda p: p.grad.mul_(3)),
    ):
        p = flow.ones(2).requires_grad_()
        f = wrap(lambda x, p=p, register=register: (register(p), (p * x).sum())[1])
        for _ in range(3):
            p.grad = None
            f(flow.ones(2)).backward()
            found.append(plain(p.grad))
    x, keeps = flow.ones(2).requires_grad_() * 2, wrap(lambda x: (x.retain_grad(), x * 3)[1])
    keeps(x).sum().backward()
    return found, plain(x.grad)


@program()
def gradients_that_are_zeros(wrap: Wrap) -> Any:
    def beside_a_write(a: Any, b: Any) -> Any:
        with flow.no_grad():
            b.mul_(2)
        return a.floor()

    class Nothing(flow.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * 2

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            return None

    functions = (
        beside_a_write, lambda a, b: (a.floor(), b * 2), lambda a, b: (a.sign() + b, a * b), lambda a, b: (Nothing.apply(a) + b, a * 2),
        lambda a, b: (b.exp(), a.round() * b),
    )  # fmt: skip
    found = []
    for f in map(wrap, functions):
        for chosen in (0, -1):
            a, b = flow.full((2,), 1.5).requires_grad_(), flow.full((2,), 2.5).requires_grad_()
            results = f(a, b)
            (results[chosen] if isinstance(results, tuple) else results).sum().backward()
            found.append(plain([a.grad, b.grad]))
    return found


def tenfold(x: Any) -> Any:
    x.register_hook(lambda g: g * 10)
    return x


def gradients_with_hooks(wrap: Wrap, functions: Any) -> Any:
    found = []
    for f in map(wrap, functions):
        for _ in range(2):
            x = flow.ones(2).requires_grad_()
            results = f(x)
            results = results if isinstance(results, tuple) else (results,)
            results[0].register_hook(lambda g: g + 1)
            flow.stack([y.sum() for y in results]).sum().backward()
            found.append(plain([x.grad, [y.grad for y in results if y.retains_grad]]))
    return found


@program(eager="registers a hook on a (result|view)")
def hooks_on_results(wrap: Wrap) -> Any:
    return gradients_with_hooks(
        wrap,
        (
            lambda x: tenfold(x * 2), lambda x: tenfold(x[:1]), lambda x: tenfold(x[:])[:1],
            lambda x: (lambda y: (y, tenfold(y[1:])))(x * 2), lambda x: (lambda y: (y.retain_grad(), y)[1])(x[:1]),
        ),
    )  # fmt: skip


@program()
def hooks_below_results(wrap: Wrap) -> Any:
    return gradients_with_hooks(
        wrap,
        (
            lambda x: tenfold(x * 2) * 3, lambda x: tenfold(x * 2)[1:], lambda x: (lambda y: (y[:1], y[1:]))(tenfold(x * 2)),
            lambda x: (lambda y: (y.retain_grad(), y)[1])(x * 2),
        ),
    )  # fmt: skip


@program()
def a_hook_that_is_removed_inside(wrap: Wrap) -> Any:
    p = flow.ones(2).requires_grad_()

    @wrap
    def f(x: Any) -> Any:
        with p.register_hook(lambda g: g * 2):
            loss = (p * x).sum()
            loss.backward()
        return loss

    return [(plain(f(flow.ones(2))), plain(p.grad)) for _ in range(3)]


@program(eager="`if`")
def what_is_done_to_tensors_is_taken_back_before_the_eager_run(wrap: Wrap) -> Any:
    p, q, other, found = flow.ones(2).requires_grad_(), flow.zeros(2), flow.full((2,), 3.0), []

    @wrap
    def f(x: Any) -> Any:
        found.append(p.requires_grad)
        p.requires_grad_(not p.requires_grad)
        q.data = other
        return x * 2 if x.sum() > 0 else x

    return [plain([f(flow.ones(2)), p, q]) for _ in range(2)], found


@program()
def results_whose_elements_share_memory(wrap: Wrap) -> Any:
    found = []
    for f in map(wrap, (
        lambda x: (x * 2).expand(2, 3), lambda x: (x * 2).unfold(0, 2, 1), lambda x: flow.stack([x, x]).mul(2).unfold(1, 2, 1),
        lambda x: (lambda y: (y.expand(2, 3), y))(x * 2), lambda x: x.expand(2, 3), lambda x: flow.broadcast_to(x * 2, (2, 3)),
    )):  # fmt: skip
        for leaf in (False, True):
            for _ in range(2):
                x = flow.arange(3.0).requires_grad_(leaf)
                result = f(x)
                result = result[0] if isinstance(result, tuple) else result
                if leaf:
                    (result * result).sum().backward()
                with flow.no_grad():
                    result[0].add_(1)
                    found.append((plain(result), result.stride(), plain(x.grad)))
                    if 0 in result.stride():
                        with pytest.raises(RuntimeError, match="single memory location"):
                            result.add_(1)
    return found


@program(eager="shares memory")
def a_view_by_strides_of_a_view(wrap: Wrap) -> Any:
    x, f = flow.ones(4).requires_grad_(), wrap(lambda x: x[1:].as_strided((2,), (1,), 0))
    for _ in range(2):
        f(x).sum().backward()
    return plain(x.grad)


@program(eager="as_strided")
def what_lies_between_the_elements_of_an_argument(wrap: Wrap) -> Any:
    found, f = [], wrap(lambda x: (x.as_strided((2, 2), (3, 1)).mul_(5), x * 1)[1])
    for _ in range(2):
        x = flow.arange(12.0).view(3, 4)
        found.append((plain(f(x[:, ::2])), plain(x)))
    return found


# -------------------------------------------------------------------------------------------------------------- arguments


@program(graph=True)
def kinds_of_numbers(wrap: Wrap) -> Any:
    x, found = flow.arange(3.0), []
    for f, arguments in (
        (lambda k: flow.full((2,), k), (7, 2.0)), (lambda k: flow.tensor(k), (2.5, 3)), (lambda k: flow.tensor([k, 1]), (2.5, 2)),
        (lambda k: flow.where(x > 1, k, 3), (1, 2.0)), (lambda k: flow.full((1,), k), (2**24 + 1, 2**40)),
        (lambda k: x * 2 if type(k) is int else x, (2, 2.0)), (lambda k: (k >= x, k / 2, k // 2, -k), (2, 3.0)),
        (lambda k: x + isinstance(k, float), (2, 2.0, True)), (lambda k: (k, k + 1, x * k, [k] * 2), (2, 0.5)),
        (lambda k: flow.arange(3) * k, (2, 0.5)), (lambda k: {k: x + 1}, (1, 2)), (lambda k: x[k:], (1, 2)), (lambda k: (x * k, f"{k}"), (1, 2.0)),
    ):  # fmt: skip
        compiled = wrap(f)
        for k in (*arguments, arguments[0]):
            found.append(plain(compiled(k)))
    return found


@program(eager="argument twice")
def arguments_that_are_changed(wrap: Wrap) -> Any:
    @dataclasses.dataclass
    class Batch:
        x: Any
        n: int = 0

    def f(row: Any, table: Any, batch: Any) -> Any:
        row.append(table["x"] * 2)
        table["y"], table["n"] = row[-1] + 1, len(row)
        batch.x, batch.n = batch.x + table["y"], batch.n + 1
        row[0] = batch
        return row, table["y"]

    compiled, found = wrap(f), []
    row, table, batch = [0, 1], {"x": flow.ones(2)}, Batch(flow.zeros(2))
    for _ in range(3):
        result, y = compiled(row, table, batch)
        found.append(
            (result is row, row[0] is batch, y is table["y"], plain(row[1:]), plain(table), plain(vars(batch)))
        )
    return found


class Attributes(dict[str, Any]):
    def __getattr__(self, name: str) -> Any:
        return self[name]


@program()
def objects_among_the_arguments(wrap: Wrap) -> Any:
    class State:
        def __init__(self) -> None:
            self.hidden, self.steps, self.log, self.scale = flow.zeros(2), 0, [], 1.0

        def __eq__(self, other: object) -> bool:  # so that it has no hash
            return True

    @wrap
    def step(state: Any, x: Any) -> Any:
        state.steps += 1
        state.hidden = state.hidden * 0.5 + x * state.scale
        state.log.append(state.hidden.sum())
        return state if state.steps % 2 else state.hidden

    first, second, found = State(), State(), []
    for k, state in enumerate((first, first, second, first, second, second, first)):
        first.scale = 1.0 if k < 3 else 4.0
        result = step(state, flow.ones(2) * k)
        found.append((result is state, result is state.hidden, plain(state.hidden), state.steps, [plain(each) for each in state.log]))
    return found


@program()
def arguments_of_other_kinds(wrap: Wrap) -> Any:
    x, found = flow.ones(4), []
    for f, arguments in (
        (lambda d: d.a * 2, (Attributes(a=x),)), (lambda s, v: v[s] * 2, (slice(1, 3), x)),
        (lambda r, v: v * len(r), (range(3), x)), (lambda d: d["a"] * 2, (collections.OrderedDict(a=x),)),
        (lambda k, v: (v * k, k), (True, x)), (lambda d, v: v.to(d), (flow.int32, x)),
    ):  # fmt: skip
        compiled = wrap(f)
        found += [plain(compiled(*arguments)) for _ in range(2)]
    return found


def _give(function: Any, make: Any, change: Any = None) -> Any:
    """A program that passes an object some times, and another one."""

    def run(wrap: Wrap) -> Any:
        compiled, value, found = wrap(function), make(), []
        for k in range(5):
            found.append(plain(compiled(value, flow.ones(2))))
            if change is not None and k == 2:
                change(value)
        return [*found, plain(compiled(make(), flow.ones(2))), plain(compiled(value, flow.ones(2)))]

    return run


PROGRAMS |= {
    "argument ellipsis": Program(_give(lambda s, v: v[s] * 2, lambda: ...), False, ""),
    "argument set": Program(_give(lambda s, v: (s.add(len(s)), v * len(s))[1], lambda: {1, 2}, lambda s: s.clear()), False, ""),
    "argument deque": Program(_give(lambda d, v: (d.append(v), v * len(d))[1], collections.deque, lambda d: d.clear()), False, ""),
    "argument array": Program(
        _give(lambda a, v: v * flow.tensor(a), lambda: numpy.float32([2.0, 4.0]), lambda a: a.fill(3.0)), False, ""
    ),
    "argument namespace": Program(_give(lambda o, v: v * o.k, lambda: SimpleNamespace(k=2.0)), False, "the inputs must be"),
}


# ------------------------------------------------------------------------------------------- results, and what is eager mode


@program()
def results_that_are_no_tensors(wrap: Wrap) -> Any:
    class Node:
        def __init__(self, x: Any, parent: Any = None) -> None:
            self.x, self.parent = x, parent

    Pair = collections.namedtuple("Pair", "a b")

    def f(x: Any) -> Any:
        node = Node(x * 2)
        node.parent = Node(x, node)
        return node, Pair(x, 1), x.dtype, x.shape, x.device, None, "text", {"k": {x.dim()}}, numpy.float32(2.0), Node

    compiled, found = wrap(f), []
    for k in (1.0, 2.0):
        node, pair, *rest = compiled(flow.full((2,), k))
        found.append(
            (plain(node.x), node.parent.parent is node, type(node) is rest[-1], plain(pair), tuple(map(str, rest[:-1])))
        )
    return found


@program()
def numpys_numbers(wrap: Wrap) -> Any:
    f = wrap(lambda x, k: x * k)
    return [plain(f(flow.ones(2), k)) for k in (numpy.float32(2.0), numpy.int64(3), True)]


@program(eager="cannot be|gives something else|asks the time")
def what_differs_in_each_call(wrap: Wrap) -> Any:
    random.seed(0)
    numpy.random.seed(0)
    rng, found = numpy.random.default_rng(0), []
    for f in (
        lambda x: x * random.random(), lambda x: x * numpy.random.rand(), lambda x: x + rng.integers(9),
        lambda x: x * (time.time() > 0), lambda x: x[random.sample([0, 1], 2)],
    ):  # fmt: skip
        compiled = wrap(f)
        found += calls(compiled, 3)
    return found, random.random(), numpy.random.rand()


@program(eager="begun outside|file|text as code")
def what_has_no_source(wrap: Wrap) -> Any:
    numbers, made, found = iter([1.0, 2.0, 3.0, 4.0]), (k * 2.0 for k in range(4)), []
    for f in (
        lambda x: x * next(numbers), lambda x: x * sum([v for _, v in zip(range(2), made)]),
        lambda x: x * len(open(__file__).readline()), lambda x: x * eval("2.0"),
    ):  # fmt: skip
        compiled = wrap(f)
        found += calls(compiled, 2)
    return found


@program(eager="it is a (generator|coroutine) function")
def generators_and_coroutines(wrap: Wrap) -> Any:
    @wrap
    def generated(x: Any) -> Any:
        for k in range(3):
            yield x * k

    @wrap
    async def awaited(x: Any) -> Any:
        return x * 2

    def inside(x: Any) -> Any:
        double = (x * k for k in range(3))
        return [*double, *map(flow.exp, [x * 0])]

    return (
        [plain(v) for v in generated(flow.ones(2))],
        plain(asyncio.run(awaited(flow.ones(2)))),
        calls(wrap(inside), 2),
    )


@program(eager="is not compiled")
def errors_of_the_program(wrap: Wrap) -> Any:
    w, log = flow.ones(2, requires_grad=True), []

    @wrap
    def f(x: Any) -> Any:
        log.append(len(log))
        (w * x).sum().backward()
        w.data.add_(1)
        if len(log) > 0:
            raise ValueError("no")
        return x

    for _ in range(2):
        with pytest.raises(ValueError, match="no"):
            f(flow.full((2,), 2.0))
    return plain(w), plain(w.grad), log


@program()
def compiled_functions_in_transforms(wrap: Wrap) -> Any:
    net = nn.Sequential(nn.Linear(2, 2, bias=False), nn.Dropout(0.5))
    nn.init.ones_(net[0].weight)
    f, x = wrap(net), flow.ones(4, 2, requires_grad=True)
    for _ in range(2):
        flow.manual_seed(3)
        checkpoint(f, x, use_reentrant=False).sum().backward()
    row = wrap(lambda r: r * r.sum())
    row(flow.ones(2))
    return (
        plain(x.grad),
        plain(net[0].weight.grad),
        plain(flow.vmap(row)(flow.ones(3, 2))),
        plain(flow.func.grad(lambda r: row(r).sum())(flow.ones(2))),
    )


@program()
def leaves_that_are_written(wrap: Wrap) -> Any:
    def f(w: Any) -> Any:
        with flow.no_grad():
            w.add_(1)
        return w * 2

    w = nn.Parameter(flow.ones(2))
    compiled = wrap(f)
    found = [plain(compiled(w)) for _ in range(3)]
    compiled(w).sum().backward()
    return found, plain(w), plain(w.grad)


@program()
def gradients_that_are_there(wrap: Wrap) -> Any:
    w = flow.ones(2, requires_grad=True)

    @wrap
    def f(x: Any) -> Any:
        loss = (w * x).sum()
        loss.backward()
        return loss.detach(), w.grad

    found = []
    for k in range(3):
        loss, grad = f(flow.full((2,), float(k)))
        found.append((plain(loss), plain(grad), grad is w.grad))
    return found


@program(eager="make the leaf outside")
def leaves_that_are_made_inside(wrap: Wrap) -> Any:
    f, found = wrap(lambda x: (lambda y: (y, y * 2))(x.detach().requires_grad_())), []
    for _ in range(2):
        y, z = f(flow.ones(2))
        z.sum().backward()
        found.append((y.is_leaf, plain(y.grad)))
    return found


@program(eager="value of a tensor")
def texts_of_tensors(wrap: Wrap) -> Any:
    looks = (
        lambda x: f"{x}",
        lambda x: "%s" % x,  # noqa: UP031
        lambda x: "{} {x!r}".format(x, x=x),  # noqa: UP032
        lambda x: ",".join(map(str, [x])),
        lambda x: str({"a": [x]}),
        lambda x: x.__repr__(),
        repr,
    )
    return [wrap(look)(flow.ones(2)) for look in looks]


# ------------------------------------------------------------------------------------------- what training code reads and sets


def trained_parts(net: nn.Module) -> Any:
    return [(plain(p), None if p.grad is None else plain(p.grad)) for p in net.parameters()]


def ones_linear() -> nn.Linear:
    net = nn.Linear(2, 2, bias=False)
    nn.init.ones_(net.weight)
    return net


@program()
def attributes_of_parameters(wrap: Wrap) -> Any:
    net, found = ones_linear(), []

    @wrap
    def step(x: Any) -> Any:
        net.weight.grad = None
        net(x).sum().backward()
        with flow.no_grad():
            if not hasattr(net.weight, "momentum"):
                net.weight.momentum = flow.zeros_like(net.weight)  # type: ignore[assignment]
            net.weight.steps = getattr(net.weight, "steps", 0) + 1  # type: ignore[assignment]
            net.weight.momentum = net.weight.momentum * 0.5 + net.weight.grad  # type: ignore[operator, assignment]
            net.weight -= net.weight.momentum * 0.25 / net.weight.steps  # type: ignore[operator, misc]

    for _ in range(4):
        step(flow.ones(1, 2))
        found.append((trained_parts(net), plain(net.weight.momentum), net.weight.steps))
    return found


@program()
def dicts_with_parameters_as_keys(wrap: Wrap) -> Any:
    net, steps, found = ones_linear(), {}, []  # type: ignore[var-annotated]

    @wrap
    def step(x: Any) -> None:
        net.zero_grad()
        net(x).sum().backward()
        with flow.no_grad():
            for p in net.parameters():
                steps[p] = p.grad * 0.5
                p.add_(steps[p])
        net(x).sum().backward()
        with flow.no_grad():
            for p in net.parameters():
                p.sub_(steps[p] * 2)

    for _ in range(3):
        step(flow.ones(1, 2))
        found.append((trained_parts(net), plain(list(steps.values()))))
    return found


@program()
def leaves_over_the_memory_of_another_tensor(wrap: Wrap) -> Any:
    leaf = flow.arange(4.0).view(2, 2).requires_grad_()
    f, found = wrap(lambda x: ((x * leaf).sum(), leaf[0])), []
    for _ in range(2):
        y, part = f(flow.ones(2))
        (y + part.sum() * 2).backward()
        found.append((plain(leaf.grad), plain(part), part.data_ptr() == leaf.data_ptr()))
    return found


@program()
def rates_that_a_scheduler_tells(wrap: Wrap) -> Any:
    optimizer = flow.optim.SGD([flow.ones(1, requires_grad=True)], lr=1.0)
    scheduler = flow.optim.lr_scheduler.StepLR(optimizer, step_size=1, gamma=0.5)
    f, found = wrap(lambda x: (x * scheduler.get_last_lr()[0], scheduler.last_step, scheduler.state_dict()["_step_count"])), []
    for _ in range(3):
        found.append(plain(f(flow.ones(1))))
        optimizer.step()
        scheduler.step()
    return found


@program()
def factors_that_a_scaler_tells(wrap: Wrap) -> Any:
    scaler = flow.amp.GradScaler("cpu", init_scale=4.0)
    f, found = wrap(lambda x: x * scaler.get_growth_factor()), []
    for factor in (2.0, 4.0):
        scaler.set_growth_factor(factor)
        found += calls(f, 1)
    return found


@program()
def classes_and_attributes_of_arguments(wrap: Wrap) -> Any:
    @wrap
    def f(x: Any) -> Any:
        y = x * 2 if isinstance(x, nn.Parameter) else x
        return y * getattr(x, "scale", 1.0), type(x).__name__, hasattr(x, "scale")

    scaled = flow.ones(1)
    found = [plain(f(x)) for x in (scaled, nn.Parameter(flow.ones(1)), flow.ones(1, requires_grad=True), nn.Buffer(flow.ones(1)))]
    for scale in (2.0, 4.0):
        scaled.scale = scale  # type: ignore[attr-defined]
        found.append(plain(f(scaled)))
    return found


@program(eager="a second time in backward")
def checkpoints_of_what_sets_something(wrap: Wrap) -> Any:
    net, count, found = nn.Sequential(ones_linear(), nn.BatchNorm1d(2)), {"calls": 0}, []

    def body(x: Any) -> Any:
        count["calls"] += 1
        return net[0](x) * count["calls"]

    steps = [wrap(lambda x: checkpoint(body, x, use_reentrant=False)), wrap(lambda x: checkpoint(net, x, use_reentrant=False))]
    for step in steps:
        y = step(flow.tensor([[1.0, 2.0], [2.0, 4.0]]))
        y.sum().backward()
        found.append((plain(y), count["calls"], plain(net[1].running_mean), trained_parts(net[0])))
    return found


@program(eager="sets a variable or prints in its backward")
def hooks_that_count_outside(wrap: Wrap) -> Any:
    net, count = ones_linear(), {"calls": 0}

    def hook(module: Any, inner: Any, outer: Any) -> None:
        count["calls"] += 1

    net.register_full_backward_hook(hook)
    f = wrap(net)
    for _ in range(2):
        f(flow.ones(1, 2, requires_grad=True)).sum().backward()
    return count, trained_parts(net)


class Encoder(nn.Module):
    """Has attributes of its own, one of which is named as one of a compiled function."""

    def __init__(self) -> None:
        super().__init__()
        self.linear, self.norm, self.config, self.calls = ones_linear(), nn.BatchNorm1d(2), {"scale": 2.0}, 0

    def forward(self, x: Any) -> Any:
        self.calls += 1
        return self.norm(self.linear(x)) * self.config["scale"]


@program()
def compiled_modules_are_children(wrap: Wrap) -> Any:
    net = nn.Sequential(wrap(Encoder()), nn.ReLU(), wrap(ones_linear()))
    optimizer = flow.optim.SGD(net.parameters(), lr=0.5)
    found = [list(net.state_dict()), [type(m).__name__ for m in net.modules()], isinstance(net[0], Encoder), len(wrap(net))]
    x = flow.tensor([[1.0, 2.0], [2.0, 8.0]])
    for k in range(4):
        net[0].config["scale"] = float(k)
        net.train(k != 2)
        optimizer.zero_grad()
        y = net(x)
        y.sum().backward()
        optimizer.step()
        found += [trained_parts(net), net[0].calls, plain(net[0].norm.running_mean), net[0].training]
    twin = copy.deepcopy(net).double().requires_grad_(False)
    net.load_state_dict({name: value * 2 for name, value in net.state_dict().items()})
    whole = wrap(net)
    return found, plain(net(x)), plain(twin(x.double())), whole.eval() is whole, net[2].training, plain(whole[2](x))


@program()
def modules_whose_parameters_stand_aside(wrap: Wrap) -> Any:
    net, given = ones_linear(), {"weight": flow.full((2, 2), 4.0)}
    own, found = net.weight, []
    f = wrap(lambda x: (flow.func.functional_call(net, given, (x,)), net(x)))
    batched = flow.arange(8.0).reshape(2, 2, 2)
    g = wrap(lambda x: flow.func.vmap(lambda w: flow.func.functional_call(net, {"weight": w}, (x,)))(batched))
    for k in range(4):
        if k == 2:
            given["weight"] = flow.full((2, 2), 8.0)
        if k == 3:
            net.weight = nn.Parameter(flow.full((2, 2), 2.0))
        found.append((plain(f(flow.ones(1, 2))), plain(g(flow.ones(1, 2))), net.weight is own, plain(net.weight)))
    return found


@program(eager="calls load_state_dict")
def states_that_are_loaded_inside(wrap: Wrap) -> Any:
    net = ones_linear()
    optimizer = flow.optim.SGD(net.parameters(), lr=0.5, momentum=0.5)
    first = copy.deepcopy(optimizer.state_dict())

    @wrap
    def step(x: Any) -> None:
        optimizer.load_state_dict(first)
        optimizer.zero_grad()
        net(x).sum().backward()
        optimizer.step()

    for _ in range(3):
        step(flow.ones(1, 2))
    return trained_parts(net), plain(optimizer.state[net.weight]["momentum_buffer"])


@program(eager="a gradient that shares memory")
def gradients_that_are_views_of_one_buffer(wrap: Wrap) -> Any:
    net, flat, found = ones_linear(), flow.zeros(4), []
    net.weight.grad = flat.view(2, 2)

    @wrap
    def step(x: Any) -> Any:
        flat.zero_()
        net(x).sum().backward()
        return flat.sum()

    for k in range(3):
        found.append((plain(step(flow.full((1, 2), float(k)))), plain(flat), trained_parts(net)))
    return found


@program(eager="retain_grad")
def gradients_of_results_in_the_middle(wrap: Wrap) -> Any:
    net, found = ones_linear(), []

    @wrap
    def f(x: Any) -> Any:
        hidden = net(x)
        hidden.retain_grad()
        return hidden, (hidden * hidden).sum()

    for _ in range(2):
        hidden, loss = f(flow.ones(1, 2))
        loss.backward()
        found.append((plain(hidden.grad), trained_parts(net)))
    return found


class Renamed:
    """Whose attributes have other names, as those of a configuration."""

    names = {"width": "size"}

    def __init__(self) -> None:
        self.size = 2
        self.decoder_depth = 3

    def __setattr__(self, name: str, value: Any) -> None:
        super().__setattr__(super().__getattribute__("names").get(name, name), value)

    def __getattribute__(self, name: str) -> Any:
        return super().__getattribute__(super().__getattribute__("names").get(name, name))


@program()
def copies_of_objects_that_are_changed(wrap: Wrap) -> Any:
    config, found = Renamed(), []

    @wrap
    def f(x: Any) -> Any:
        for copied in (copy.deepcopy(config), copy.copy(config)):
            copied.depth = copied.decoder_depth
            del copied.decoder_depth
            copied.width = copied.width + 1
            x = x * copied.size + copied.depth
        return x * config.width

    for size in (2, 2, 5):
        config.size = size
        found.append((plain(f(flow.ones(2))), sorted(vars(config).items())))
    return found


class Marked(flow.Tensor):
    pass


@program()
def classes_of_results(wrap: Wrap) -> Any:
    net, found = nn.Module(), []
    net.w = nn.Parameter(flow.ones(2))

    @wrap
    def f(x: Any) -> Any:
        net.w = nn.Parameter(net.w.detach() * 2)
        marked = (x * 3).as_subclass(Marked)
        return nn.Parameter(x * 2), nn.Buffer(x + 1), marked, SimpleNamespace(sum=marked.sum(), n=1), net.w

    for k in range(4):
        *tensors, things, w = f(flow.ones(2))
        found.append(([(type(t).__name__, t.requires_grad, plain(t)) for t in (*tensors, w, net.w)], things.n, plain(things.sum), w is net.w))
        if k == 1:
            net.w = nn.Parameter(flow.zeros(2))
    return found


@program()
def iterators_of_ones_own(wrap: Wrap) -> Any:
    class Down:
        def __init__(self, n: int) -> None:
            self.n = n

        def __iter__(self) -> Any:
            return self

        def __next__(self) -> int:
            if self.n <= 0:
                raise StopIteration
            self.n -= 1
            return self.n

    down, found = Down(3), []

    def stops_early(x: Any) -> Any:
        for n in down:
            x = x + n
            if n % 2 == 0:
                break
        return x

    for function in (stops_early, lambda x: x + next(down, -5) + sum(down), lambda x: x * len([n for n, _ in zip(down, range(2))])):
        f = wrap(function)
        for n in (3, None, None, None, 5, 5):
            down.n = down.n if n is None else n
            found.append((plain(f(flow.ones(2))), down.n))
    return found


@program()
def attributes_by_getattribute(wrap: Wrap) -> Any:
    class Counted:
        reads = 0

        def __getattribute__(self, name: str) -> Any:
            if name == "scale":
                Counted.reads += 1
                return Counted.reads
            return object.__getattribute__(self, name)

    counted = Counted()
    f = wrap(lambda x: x * counted.scale)
    return [(plain(f(flow.ones(2))), Counted.reads) for _ in range(4)]


@program(eager="by retain_grad")
def gradients_that_results_keep(wrap: Wrap) -> Any:
    net, found = ones_linear(), []

    @wrap
    def f(x: Any) -> Any:
        hidden = net(x)
        hidden.retain_grad()
        (hidden * hidden).sum().backward()
        return hidden

    for _ in range(2):
        hidden = f(flow.ones(1, 2))
        found.append((plain(hidden), plain(hidden.grad), trained_parts(net)))
    return found


WAYS: dict[str, Wrap] = {"compile": flow.compile, "graph": Whole}


@pytest.mark.parametrize(
    ("name", "way"), [(n, w) for n, p in PROGRAMS.items() for w in WAYS if w == "compile" or p.graph]
)
def test_programs_are_eager_modes(name: str, way: str) -> None:
    found = PROGRAMS[name]
    expected = found.run(lambda function: function)
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        assert found.run(WAYS[way]) == expected
    texts = [text for w in warned if "is not compiled, but runs in eager mode" in (text := str(w.message))]
    if not found.eager:
        assert not texts
    else:
        assert texts and all(re.search(found.eager, text) for text in texts)


# ------------------------------------------------------------------------------------------------ how often it is captured


def test_a_number_that_differs_in_each_call_becomes_an_argument() -> None:
    space = SimpleNamespace(k=0.0)
    f = flow.compile(lambda x: x * space.k)
    for k in range(8):
        space.k = float(k)
        assert f(flow.ones(2)).tolist() == [float(k)] * 2
    assert len(f.captures()) <= 3


@pytest.mark.parametrize("kind", (Warm, Flip, Centred, Grows, Average))
@pytest.mark.parametrize("way", WAYS)
def test_states_are_no_reason_to_capture_again(way: str, kind: Any) -> None:
    f = WAYS[way](kind())
    for k in range(8):
        f(flow.full((2,), float(k)))
    captured = f if way == "compile" else f._captured
    assert len(captured.captures()) <= {Warm: 6, Grows: 8}.get(kind, 2)


def test_a_backward_refuses_what_it_would_read_now() -> None:
    setting = {"scale": 2.0}

    class Scale(flow.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * 1

        @staticmethod
        def backward(ctx: Any, dy: Any) -> Any:
            return dy * setting["scale"]

    f, x = flow.compile(lambda x: Scale.apply(x).sum()), flow.ones(1, requires_grad=True)
    y = f(x)
    setting["scale"] = 4.0
    with pytest.raises(RuntimeError, match=r"reads '\['scale'\]', which was changed between the call and backward\(\)"):
        y.backward()
    f(x).backward()
    assert x.grad is not None and x.grad.tolist() == [4.0]


class Begins(nn.Module):
    """Makes a buffer in its first call."""

    def forward(self, x: Any) -> Any:
        if not hasattr(self, "scale"):
            self.register_buffer("scale", x * 2)
        return x * self.scale


def test_what_the_first_call_makes_is_captured_in_later_ones() -> None:
    net = Begins()
    f = flow.compile(net)
    with pytest.warns(UserWarning, match=r"a library changes a dict .*, at .*, in forward: call it outside"):
        found = [f(flow.ones(1)).tolist() for _ in range(3)]
    assert found == [[2.0]] * 3 and len(f.captures()) == 1


def test_a_compiled_module_is_copied_pickled_and_parametrized() -> None:
    compiled, x = flow.compile(ones_linear()), flow.ones(1, 2)
    assert compiled(x).tolist() == [[2.0, 2.0]]
    for twin in (copy.copy(compiled), copy.deepcopy(compiled), pickle.loads(pickle.dumps(compiled))):
        assert twin(x).tolist() == [[2.0, 2.0]] and isinstance(twin, nn.Linear) and len(list(twin.parameters())) == 1
    nn.utils.parametrize.register_parametrization(compiled, "weight", nn.ReLU())
    with flow.no_grad():
        compiled.parametrizations.weight.original.neg_()
    assert compiled(x).tolist() == [[0.0, 0.0]] and list(compiled.state_dict()) == ["parametrizations.weight.original"]
    nn.utils.parametrize.remove_parametrizations(compiled, "weight")
    assert compiled(x).tolist() == [[0.0, 0.0]] and list(compiled.state_dict()) == ["weight"]
    with pytest.raises(AttributeError, match="'Linear' object has no attribute 'nothing'"):
        compiled.nothing


def test_data_parallel_runs_in_eager_mode() -> None:
    def trained(wrap: Wrap) -> Any:
        net = nn.Linear(1, 1, bias=False)
        nn.init.ones_(net.weight)
        f = wrap(nn.parallel.DistributedDataParallel(net))
        for k in range(2):
            f(flow.full((1, 1), k + 1.0)).sum().backward()
        return net.weight.grad.item()

    with pytest.warns(UserWarning, match="DistributedDataParallel is not compiled, but runs in eager mode"):
        assert trained(flow.compile) == trained(lambda function: function) == 3.0


# ----------------------------------------------------------------------------------------------------------------- memory


class Scaled(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.linear, self.scale, self.calls = nn.Linear(2, 2), 2.0, 0

    def forward(self, x: Any) -> Any:
        return self.linear(x) * self.scale

    @flow.compile
    def score(self, x: Any) -> Any:
        self.calls += 1
        return self.linear(x) * self.scale * self.calls

    @flow.compile
    def looks(self, x: Any) -> Any:
        return self.linear(x) if x.sum() > 0 else x * self.scale


class Stepped(nn.Graph):
    def __init__(self) -> None:
        super().__init__()
        self.net = nn.Linear(2, 2)
        self.add_optimizer(flow.optim.SGD(self.net.parameters(), lr=0.1, momentum=0.9))

    def build(self, x: Any) -> Any:
        loss = self.net(x).sum()
        loss.backward()
        return loss


def method() -> Any:
    made = Scaled()
    made.score(flow.ones(1, 2))
    return [made]


def method_in_eager_mode() -> Any:
    made = Scaled()
    made.looks(flow.ones(1, 2))
    return [made]


def module() -> Any:
    made = Scaled()
    compiled = flow.compile(made)
    compiled(flow.ones(1, 2)).sum().backward()
    return [made, compiled]


def compiled_in_place() -> Any:
    made = nn.Linear(2, 2)
    made.compile()
    made(flow.ones(1, 2))
    return [made]


def training_graph() -> Any:
    made = Stepped()
    made(flow.ones(1, 2))
    return [made, made.net]


def closure() -> Any:
    net, space, state = nn.Linear(2, 2), Scaled(), flow.ones(2)

    def f(x: Any) -> Any:
        nonlocal state
        state = state + net(x).detach()
        return state * space.scale

    compiled = flow.compile(f)
    compiled(flow.ones(1, 2))
    return [net, space, compiled]


def closure_in_eager_mode() -> Any:
    net = nn.Linear(2, 2)
    compiled = flow.compile(lambda x: net(x) if x.sum() > 0 else x)
    compiled(flow.ones(1, 2))
    return [net, compiled]


def input_with_a_history() -> Any:
    x = flow.ones(2, requires_grad=True)
    DOUBLE(x).sum().backward()
    return [x]


DOUBLE = flow.compile(lambda x: x * 2)
DROPPED = (
    method, method_in_eager_mode, module, compiled_in_place, training_graph, closure, closure_in_eager_mode,
    input_with_a_history,
)  # fmt: skip


@pytest.mark.filterwarnings("ignore:.*is not compiled")
@pytest.mark.parametrize("make", DROPPED, ids=lambda make: make.__name__)
def test_what_is_dropped_is_freed_without_the_garbage_collector(make: Callable[[], Any]) -> None:
    gc.collect()
    gc.disable()
    try:
        gone = [weakref.ref(each) for each in make()]
        assert [reference() for reference in gone] == [None] * len(gone)
    finally:
        gc.enable()
