"""What ops on consistent tensors are put together from, where a dimension is split that they reduce.

The formulas are ops of rooms above this one. `_C` says how they are found, and the first op that needs one has them found.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

Decomposition = Callable[[Any, Any, Any], Any]  # of inputs, static attributes and dynamic scalars; gives the outputs

_finders: list[Callable[[], Mapping[str, Decomposition]]] = []


def find_by(finder: Callable[[], Mapping[str, Decomposition]]) -> None:
    """Have the formulas found by this function, which is called once."""
    _finders.append(finder)


@cache
def decompositions() -> Mapping[str, Decomposition]:
    """The formulas, by names of ops."""
    (finder,) = _finders
    return finder()
