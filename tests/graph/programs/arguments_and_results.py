"""Kinds of arguments and results, and arguments that are changed."""

from __future__ import annotations

import collections
import dataclasses
from types import SimpleNamespace
from typing import Any

import numpy

import tritonflow as flow
from tests.graph.programs.program import PROGRAMS, Program, Wrap, plain, program
from tritonflow import nn


@program()
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
    "argument namespace": Program(_give(lambda o, v: v * o.k, lambda: SimpleNamespace(k=2.0)), False, ""),
}


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
