"""Metas with symbolic sizes as text, for the meta cache: a size is what it is computed of the numbers of a run.

What a planner says of symbolic sizes may depend on their numbers in the call that is captured, and on their ranges. These belong to
the question.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from typing import Any

from tritonflow.device.device import Device
from tritonflow.dtypes import from_name
from tritonflow.framework.expression import Atom, SizeExpression, position_of
from tritonflow.framework.meta import TensorMeta
from tritonflow.framework.symbolic_int import SymbolicInt, extreme_of, integers_in
from tritonflow.graph.ir.canonical import fields_of, text_of

Metas = Sequence[TensorMeta | None]
_EXTREMES = {function.__name__: partial(extreme_of, function) for function in (min, max)}


class SizedQuestion:
    """What is asked of metas with symbolic sizes.

    Args:
        integers: the symbolic integers in it, of which there are some.
        what: all else that is asked.
        metas: of which it is asked.

    Attributes:
        text: the same for equal questions, in any process.
    """

    def __init__(self, integers: Sequence[SymbolicInt], what: str, metas: Metas) -> None:
        self._context = integers[0].context
        atoms = frozenset().union(*[each.expression.symbols() for each in integers])
        self._atoms: dict[int, Atom] = {position_of(atom): atom for atom in atoms}
        hints = self._context.hints
        numbers = [[k, atom.text, atom.low, atom.high, hints[k]] for k, atom in sorted(self._atoms.items())]
        self.text = json.dumps([what, numbers, written(metas)])

    def metas(self, answer: Sequence[Any]) -> tuple[TensorMeta | None, ...] | None:
        """The metas that were written as an answer; None if they have symbols that the question has not."""
        symbols = {k: self._context.integer(SizeExpression({(atom,): 1})) for k, atom in self._atoms.items()}
        try:
            return tuple([None if each is None else _meta(symbols, *each) for each in answer])
        except KeyError:
            return None


def integers_of(metas: Metas, attrs: Any) -> list[SymbolicInt]:
    """The symbolic integers of a question."""
    sizes = [(meta.shape, meta.stride) for meta in metas if meta is not None and meta.is_local]
    return [*integers_in(sizes), *integers_in(attrs)]


def written(metas: Metas) -> list[Any]:
    """Metas as lists of numbers and texts."""
    return [None if meta is None else json.loads(json.dumps(fields_of(meta), default=text_of)) for meta in metas]


def _meta(symbols: dict[int, Any], shape: list[Any], stride: list[Any], dtype: str, device: str, aligned: bool) -> TensorMeta:
    sizes = tuple([_size(each, symbols) for each in shape])
    steps = tuple([_size(each, symbols) for each in stride])
    return TensorMeta.get(sizes, steps, from_name(dtype), Device(device), aligned)


def _size(value: Any, symbols: dict[int, Any]) -> Any:
    """A number, or what its text computes of symbols."""
    return eval(value[1:-1], {"n": symbols, **_EXTREMES}) if isinstance(value, str) else value
