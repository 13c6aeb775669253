"""Names of a package that are imported at their first use: few programs use them, or they are of rooms above."""

from __future__ import annotations

import difflib
import sys
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import Any


class UnknownName(AttributeError):
    """A module has no such name. Its text looks for one that is meant: programs that only ask `hasattr` do not pay for that."""

    def __init__(self, package: str, wanted: str) -> None:
        super().__init__(package, wanted)
        self.package, self.wanted = package, wanted

    def __str__(self) -> str:
        meant = did_you_mean(self.wanted, dir(sys.modules[self.package]))
        return f"module {self.package!r} has no attribute {self.wanted!r}{meant}"


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """The end of an error's text: the known word that is nearest to one that is unknown, if any is near.

    Example:
        >>> from tritonflow.first_use import did_you_mean
        >>> did_you_mean("keepdims", ["dim", "keepdim"])
        "; did you mean 'keepdim'?"
    """
    near = difflib.get_close_matches(word, [each for each in known if each[:1] != "_"], 1)
    return f"; did you mean {near[0]!r}?" if near else ""


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
            raise UnknownName(package, name)
        room, _, own = names[name].rpartition(".")
        module = import_module(f"tritonflow.{room}")
        value = getattr(module, own) if own else module
        setattr(sys.modules[package], name, value)
        return value

    return find
