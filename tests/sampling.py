"""Which cases of a matrix of parameters the ordinary run has.

A test with several parameters has a case for each combination of their values; most of its time goes to compiling a kernel for
each. Under the mark `sampled`, the ordinary run has a covering array: every value of every parameter occurs and, from three
parameters on, every pair of values of two parameters. The other cases are marked `long`; none is left out of both runs.

- The choice depends on the parameters alone, not on chance, and is the same in every run.
- Cases that are marked `long` or `hours` already are neither chosen nor counted.
- `strength=1` asks for every value, `strength=2` for every pair.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from itertools import combinations

import pytest

Case = Sequence[Hashable]


def covering(cases: Sequence[Case], strength: int) -> list[int]:
    """The positions of cases that together have every combination of `strength` values which occurs in all of them.

    Greedy: each time the first case with the most combinations that are missing.

    >>> covering([(a, b) for a in range(2) for b in range(3)], 1)
    [0, 4, 2]
    """
    parts = [set(combinations(enumerate(case), strength)) for case in cases]
    missing = set().union(*parts)
    chosen = []
    while missing:
        best = max(range(len(cases)), key=lambda k: len(parts[k] & missing))
        chosen.append(best)
        missing -= parts[best]
    return chosen


def mark_the_rest_long(items: Iterable[pytest.Item]) -> None:
    """Mark the cases of sampled tests that the ordinary run leaves to the long one."""
    matrices: dict[str, list[pytest.Item]] = {}
    for item in items:
        if item.get_closest_marker("sampled") and not (item.get_closest_marker("long") or item.get_closest_marker("hours")):
            matrices.setdefault(item.nodeid.partition("[")[0], []).append(item)
    for matrix in matrices.values():
        cases = [_values(item) for item in matrix]
        strength = matrix[0].get_closest_marker("sampled").kwargs.get("strength", 2 if len(cases[0]) > 2 else 1)
        chosen = set(covering(cases, min(strength, len(cases[0])))) if cases[0] else {0}
        for number, item in enumerate(matrix):
            if number not in chosen:
                item.add_marker(pytest.mark.long)


def _values(item: pytest.Item) -> tuple[Hashable, ...]:
    """A case's values as texts: values themselves need not be hashable."""
    call = getattr(item, "callspec", None)
    return tuple(f"{name}={value!r}" for name, value in sorted(call.params.items())) if call else ()
