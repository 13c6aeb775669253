"""Which cases of a matrix of parameters the ordinary run has.

A test with several parameters has a case for each combination of their values; most of its time goes to compiling a kernel for
each. Under the mark `sampled`, the ordinary run has a covering array: every value of every parameter occurs and, from three
parameters on, every pair of values of two parameters. The other cases are marked `long`; none is left out of both runs.

- The choice depends on the parameters alone, not on chance, and is the same in every run.
- Cases that are marked `long` or `hours` already are neither chosen nor counted.
- `strength=1` asks for every value, `strength=2` for every pair.
- `most=3` asks for three cases, spread over all: for values that differ little, and cases that cost much.

`--share K/N` runs one of N parts of what is selected; CI has another third of the long tests each day.
"""

from __future__ import annotations

import zlib
from collections.abc import Container, Hashable, Iterable, Sequence
from itertools import combinations
from typing import Any, TypeVar

import pytest

Case = Sequence[Hashable]
T = TypeVar("T")


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


def by_turn(name: str, values: Sequence[T], count: int) -> list[T]:
    """`count` of the values, others for another name, and the same in every run: many names together have all values.

    >>> by_turn("add", (1, 2, 3, 4), 2), by_turn("sub", (1, 2, 3, 4), 2)
    ([4, 1], [1, 2])
    """
    start = zlib.crc32(name.encode()) % len(values)
    return [values[(start + k) % len(values)] for k in range(min(count, len(values)))]


def quick_by_turn(names: Iterable[str], whole: Container[str], turn: int, turns: int) -> list[Any]:
    """Names as parameters of a test: of those that are not in `whole` one in `turns` is in the ordinary run, the others are long.

    Tests of a file with other values of `turn` have other names.
    """
    return [
        name if name in whole or zlib.crc32(name.encode()) % turns == turn else pytest.param(name, marks=pytest.mark.long)
        for name in names
    ]


def share_of(names: Sequence[str], share: str) -> list[bool]:
    """Which tests are in the part `K/N` of a run. Cases of one op are in the same part, whatever their test: they share its kernels.

    >>> share_of(["a.py::test_op[add-float32]", "b.py::test_op[add]", "a.py::test_op[mul]", "a.py::test_it"], "1/2")
    [False, False, False, True]
    """
    part, parts = (int(number) for number in share.split("/"))
    if not 1 <= part <= parts:
        raise pytest.UsageError(f"--share {share}: a part is 1 to {parts}")

    def subject(name: str) -> str:
        test, _, case = name.partition("[")
        return case.rstrip("]").partition("-")[0] or test

    return [zlib.crc32(subject(name).encode()) % parts == part - 1 for name in names]


def mark_the_rest_long(items: Iterable[pytest.Item]) -> None:
    """Mark the cases of sampled tests that the ordinary run leaves to the long one."""
    matrices: dict[str, list[pytest.Item]] = {}
    for item in items:
        if item.get_closest_marker("sampled") and not (item.get_closest_marker("long") or item.get_closest_marker("hours")):
            matrices.setdefault(item.nodeid.partition("[")[0], []).append(item)
    for matrix in matrices.values():
        chosen = _chosen([_values(item) for item in matrix], **matrix[0].get_closest_marker("sampled").kwargs)
        for number, item in enumerate(matrix):
            if number not in chosen:
                item.add_marker(pytest.mark.long)


def mark_doctests_by_turn(items: Iterable[pytest.Item], turns: int = 2) -> None:
    """Mark doctests of the package long, but one in `turns`: all examples run in the long run."""
    for item in items:
        if isinstance(item, pytest.DoctestItem) and item.nodeid.startswith("tritonflow/"):
            if zlib.crc32(item.name.encode()) % turns:
                item.add_marker(pytest.mark.long)


def _chosen(cases: list[Case], strength: int | None = None, most: int | None = None) -> set[int]:
    if most is not None:
        return {k * len(cases) // most for k in range(most)}
    strength = min(strength or (2 if len(cases[0]) > 2 else 1), len(cases[0]))
    return set(covering(cases, strength)) if cases[0] else {0}


def _values(item: pytest.Item) -> tuple[Hashable, ...]:
    """A case's values as texts: values themselves need not be hashable."""
    call = getattr(item, "callspec", None)
    return tuple(f"{name}={value!r}" for name, value in sorted(call.params.items())) if call else ()
