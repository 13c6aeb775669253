"""Functions that a captured function makes: each run makes them anew, with variables of its own.

What such a function finds in its closure, its defaults and its attributes may be computed by the program. Two functions that
share a variable share it again. Their code is that of the user, without probes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import CellType, FunctionType
from typing import TYPE_CHECKING, Any

from tritonflow.graph.watch.slots import ABSENT, CellSlot
from tritonflow.graph.watch.watch import Watch

if TYPE_CHECKING:
    from tritonflow.graph.watch.makers import Run

_Maker = Callable[["Run"], Any]


class Closures:
    """Says how functions are made again.

    Args:
        watch: knows which variables are from outside.
    """

    def __init__(self, watch: Watch) -> None:
        self._watch = watch
        self._cells: dict[int, _Maker] = {}
        self._alive: list[Any] = []  # no other cell gets the identity of one that has a maker

    def fill(self, function: FunctionType, parts: list[_Maker], describe: Callable[[Any], _Maker]) -> None:
        """Add the makers of what a function is made of, which may lead to itself; `describe` gives that of any value."""
        parts += [self._cell(cell, describe) for cell in function.__closure__ or ()]
        keywords = function.__kwdefaults__
        rest = function.__defaults__, None if keywords is None else dict(keywords), dict(vars(function))
        parts.append(describe(rest))

    def maker(self, function: FunctionType, parts: list[_Maker]) -> _Maker:
        """What makes a function of its parts."""
        code, variables, name, key = self._watch.original_code(function), function.__globals__, function.__name__, id(function)
        named = {each: getattr(function, each) for each in ("__module__", "__qualname__", "__doc__", "__annotations__")}

        def make(run: Run) -> Any:
            *cells, rest = [part(run) for part in parts]
            if key in run.made:  # it is in its own closure
                return run.made[key]
            defaults, keywords, attributes = rest
            made = run.made[key] = FunctionType(code, variables, name, defaults, tuple(cells) or None)
            for each, value in named.items():
                setattr(made, each, value)
            made.__kwdefaults__ = keywords
            vars(made).update(attributes)
            return made

        return make

    def _cell(self, cell: CellType, describe: Callable[[Any], _Maker]) -> _Maker:
        if self._watch.is_outside(cell):
            return lambda run: cell
        found = self._cells.get(id(cell))
        if found is None:
            self._alive.append(cell)
            contents: list[_Maker] = []
            found = self._cells[id(cell)] = _cell_maker(id(cell), contents)
            contents += [describe(value) for value in contents_of((cell,))]
        return found


def _cell_maker(key: int, contents: list[_Maker]) -> _Maker:
    def make(run: Run) -> Any:
        if key not in run.made:
            cell = run.made[key] = CellType()
            for each in contents:
                cell.cell_contents = each(run)
        return run.made[key]

    return make


def contents_of(cells: Sequence[CellType]) -> list[Any]:
    """What variables hold, without those to which nothing was assigned."""
    return [cell.cell_contents for cell in cells if CellSlot(cell, "").get() is not ABSENT]


def parts_of(function: FunctionType) -> list[Any]:
    """What tensors may be in: the variables, the defaults and the attributes of a function."""
    return [
        *contents_of(function.__closure__ or ()),
        *(function.__defaults__ or ()),
        *(function.__kwdefaults__ or {}).values(),
        *vars(function).values(),
    ]
