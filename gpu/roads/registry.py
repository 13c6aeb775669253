"""The roads by name. They are found by reading the files, not by importing them: who lists them has no torch."""

from __future__ import annotations

import ast
import importlib
import importlib.util
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

FOLDER = Path(__file__).parent
# The order to run them in: first what most others need.
FILES = (
    "launch", "products", "graphs", "memory", "attention", "convolutions", "reductions", "linear_algebra", "training", "threads",
)  # fmt: skip
Function = TypeVar("Function", bound=Callable[[], Any])


def road(first: bool = False, real: bool = False) -> Callable[[Function], Function]:
    """Mark a function as a road.

    Args:
        first: if it is closed, nothing else is tried.
        real: the stand-in for a GPU does not have it.
    """
    return lambda function: function


@dataclass(frozen=True)
class Road:
    """A road, before its file is imported."""

    name: str
    path: Path
    shows: str
    first: bool
    real: bool

    def function(self) -> Callable[[], Any]:
        """What runs it."""
        if self.path.parent == FOLDER:
            module = importlib.import_module(f"gpu.roads.{self.path.stem}")
        else:
            spec = importlib.util.spec_from_file_location(self.path.stem, self.path)
            assert spec is not None and spec.loader is not None
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
        found: Callable[[], Any] = getattr(module, self.name)
        return found


def roads(stand_in: bool = False, files: Iterable[Path] = ()) -> dict[str, Road]:
    """The roads in the order to run them in.

    Args:
        stand_in: without those that need a real GPU.
        files: instead of the project's.
    """
    paths = list(files) or [FOLDER / f"{name}.py" for name in FILES]
    found = [each for path in paths for each in _roads_of(path)]
    return {each.name: each for each in found if not (stand_in and each.real)}


def _roads_of(path: Path) -> Iterable[Road]:
    for node in ast.parse(path.read_text()).body:
        if not isinstance(node, ast.FunctionDef):
            continue
        for mark in node.decorator_list:
            if isinstance(mark, ast.Call) and isinstance(mark.func, ast.Name) and mark.func.id == "road":
                marks = {each.arg for each in mark.keywords if isinstance(each.value, ast.Constant) and each.value.value}
                shows = " ".join((ast.get_docstring(node) or "").split())
                yield Road(node.name, path, shows, "first" in marks, "real" in marks)
