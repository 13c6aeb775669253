"""Which function carries out an op type, from which version of the operator set on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

FAMILIES = (
    "pointwise", "products", "convolutions", "pools", "reductions", "moves", "indexing", "resize", "norms", "attention",
    "recurrent", "control", "sequences", "quantized", "losses",
)  # fmt: skip


@dataclass(frozen=True)
class Implementation:
    """A function for an op type.

    Attributes:
        since: the first version of the operator set that it is for.
        function: called with the node and a value for each input, None where an optional one is missing.
        numbers: which inputs it takes as they are, tensors or known numbers; others come as tensors. True: all.
        scoped: it is called with the scope, too: it runs graphs within the node.
    """

    since: int
    function: Callable[..., Any]
    numbers: tuple[int, ...] | bool
    scoped: bool

    def takes_numbers(self, position: int) -> bool:
        """Whether the input at a position comes as it is."""
        return self.numbers if isinstance(self.numbers, bool) else position in self.numbers


_table: dict[str, list[Implementation]] = {}


def op(*names: str, since: int = 1, numbers: tuple[int, ...] | bool = (), scoped: bool = False) -> Callable[[Any], Any]:
    """Registers a function for op types; see `Implementation`."""

    def register(function: Any) -> Any:
        for name in names:
            _table.setdefault(name, []).append(Implementation(since, function, numbers, scoped))
        return function

    return register


def find(name: str, version: int) -> Implementation | None:
    """The function for an op type in a version of the operator set, or None."""
    if not _table:
        for family in FAMILIES:
            import_module(f"tritonflow.onnx.reading.{family}")
    fitting = [each for each in _table.get(name, ()) if each.since <= version]
    return max(fitting, key=lambda each: each.since, default=None)


def op_types() -> list[str]:
    """All op types that there are functions for."""
    find("", 0)
    return sorted(_table)
