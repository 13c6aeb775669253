"""What a program is, and the list of them.

Each program stands for a class of what a function may do. It gets `wrap`, does its calls with changes between them, and returns what
can be seen, as plain values. Eager mode runs it beside flow.compile, and beside nn.Graph where a graph is to give the same: a graph
copies its results and writes only the tensors of its modules. Numbers are small powers of two, so that results are equal bit for bit.
"""

from __future__ import annotations

import collections
import dataclasses
import importlib
from collections.abc import Callable
from typing import Any

import tritonflow as flow
from tritonflow import nn

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


THEMES = ("variables", "modules", "trainings", "memory", "gradients", "arguments_and_results", "contexts_and_errors")
PROGRAMS: dict[str, Program] = {}  # by name, as pytest imports the files of a theme once more, to look for doctests


def programs() -> dict[str, Program]:
    """All of them, theme by theme."""
    for theme in THEMES:
        importlib.import_module(f"{__package__}.{theme}")
    return PROGRAMS


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


def trained_parts(net: nn.Module) -> Any:
    return [(plain(p), None if p.grad is None else plain(p.grad)) for p in net.parameters()]


def ones_linear() -> nn.Linear:
    net = nn.Linear(2, 2, bias=False)
    nn.init.ones_(net.weight)
    return net


WAYS: dict[str, Wrap] = {"compile": flow.compile, "graph": Whole}
