"""Names of a package that are imported at their first use: few programs use them, or they are of rooms above."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def at_first_use(package: str, names: Mapping[str, str]) -> Callable[[str], Any]:
    """The `__getattr__` of a package.

    Args:
        package: its name.
        names: by each name where it is, below tritonflow: "graph.Graph"; a module ends with a dot, "nn.parallel.".

    Example:
        >>> from tritonflow.first_use import at_first_use
        >>> at_first_use("tritonflow", {"Graph": "graph.Graph"})("Graph").__name__
        'Graph'
    """

    def find(name: str) -> Any:
        if name not in names:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        room, _, own = names[name].rpartition(".")
        module = import_module(f"tritonflow.{room}")
        value = getattr(module, own) if own else module
        setattr(sys.modules[package], name, value)
        return value

    return find
