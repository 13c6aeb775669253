"""What a situation is, and the list of them."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import tritonflow as flow

THEMES = (
    "functions", "containers", "classes", "closures", "control_flow", "generators", "contexts", "modules", "hooks", "optimizers",
    "autograd_functions", "aliases", "arguments", "standard_library", "surroundings", "nesting",
)  # fmt: skip

Wrap = Callable[[Any], Any]


@dataclass(frozen=True)
class Situation:
    """A program that calls a function.

    Attributes:
        theme: the file that it is in.
        name: of the function.
        source: torch's file that tests it.
        program: gets `wrap`, and returns what is to be compared.
    """

    theme: str
    name: str
    source: str
    program: Callable[[Wrap], Any]

    @property
    def id(self) -> str:
        return f"{self.theme}/{self.name}"


_found: dict[str, Situation] = {}  # by id, as pytest imports the files of a theme once more, to look for doctests


def situation(source: str) -> Callable[[Callable[[Wrap], Any]], Callable[[Wrap], Any]]:
    """Mark a function as a situation of torch's file `source`."""

    def mark(program: Callable[[Wrap], Any]) -> Callable[[Wrap], Any]:
        found = Situation(program.__module__.rpartition(".")[2], program.__name__, source, program)
        _found[found.id] = found
        return program

    return mark


def situations() -> list[Situation]:
    """All of them, theme by theme."""
    for theme in THEMES:
        importlib.import_module(f"{__package__}.{theme}")
    return list(_found.values())


# What the programs are made of: few shapes and few ops, so that few kernels are compiled.


def row() -> flow.Tensor:
    return flow.tensor([1.0, 2.0, 3.0])


def other() -> flow.Tensor:
    return flow.tensor([0.5, -1.0, 4.0])


def grid() -> flow.Tensor:
    return flow.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])


def leaf() -> flow.Tensor:
    return flow.tensor([1.0, 2.0, 3.0], requires_grad=True)


def linear(inputs: int = 3, outputs: int = 3) -> flow.nn.Linear:
    """A layer whose weights are the same in each run."""
    layer = flow.nn.Linear(inputs, outputs)
    with flow.no_grad():
        layer.weight.copy_(flow.arange(float(inputs * outputs)).reshape(outputs, inputs) * 0.125 - 0.25)
        layer.bias.copy_(flow.arange(float(outputs)) * 0.5)
    return layer


def error_of(function: Callable[..., Any], *args: Any, **kwargs: Any) -> tuple[str, str]:
    """The type and the text of the error of a call."""
    try:
        result = function(*args, **kwargs)
    except Exception as error:
        return type(error).__name__, str(error)
    return "no error", inspect.cleandoc(str(result))
