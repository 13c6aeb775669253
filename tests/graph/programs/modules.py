"""Modules with states, in modules, and loaded anew."""

from __future__ import annotations

import copy
from typing import Any

import tritonflow as flow
from tests.graph.programs.program import PROGRAMS, Program, Wrap, calls, ones_linear, plain, program, trained_parts
from tritonflow import nn


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


class Scales(nn.Module):
    def __init__(self, k: float) -> None:
        super().__init__()
        self.k = k

    def forward(self, x: Any) -> Any:
        return x * self.k


@program()
def children_that_change_while_the_function_sets_modes(wrap: Wrap) -> Any:
    found = []
    for change in (
        lambda net: net.append(Scales(4.0)), lambda net: net.pop(0), lambda net: net.__setitem__(0, Scales(8.0)),
        lambda net: setattr(net, "1", Scales(16.0)), lambda net: net.insert(0, nn.ReLU()), lambda net: net.add_module("more", Scales(0.5)),
    ):  # fmt: skip
        net = nn.Sequential(Scales(2.0), nn.Sequential(Scales(1.0)))

        def evaluated(x: Any, net: Any = net) -> Any:
            net.eval()
            with flow.no_grad():
                y = net(x)
            net.train()
            return y

        f = wrap(evaluated)
        found += calls(f, 2)
        change(net)
        found += calls(f, 2)
    return found
