"""Variables, attributes, containers and objects that a function reads and sets."""

from __future__ import annotations

import collections
import copy
import dataclasses
import functools
import os
import types
from types import SimpleNamespace
from typing import Any

import numpy

import tritonflow as flow
from tests.graph.programs.program import Wrap, calls, ones_linear, plain, program, trained_parts
from tritonflow import nn

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


@program(graph=True)
def the_environment(wrap: Wrap) -> Any:
    f, found = wrap(lambda x: x * float(os.environ.get("TRITONFLOW_TEST_SCALE", "1"))), []
    for value in ("2", "4"):
        os.environ["TRITONFLOW_TEST_SCALE"] = value
        found += calls(f, 1)
    del os.environ["TRITONFLOW_TEST_SCALE"]
    return found + calls(f, 1)


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


@program()
def numpys_numbers(wrap: Wrap) -> Any:
    f = wrap(lambda x, k: x * k)
    return [plain(f(flow.ones(2), k)) for k in (numpy.float32(2.0), numpy.int64(3), True)]


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
