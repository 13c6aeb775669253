"""The rule by which the ordinary run has some cases of a matrix, and the long run the others."""

from __future__ import annotations

from itertools import combinations, product
from types import SimpleNamespace

import pytest

from tests.sampling import covering, mark_doctests_by_turn, mark_the_rest_long, share_of


@pytest.mark.parametrize("strength", (1, 2))
def test_every_combination_of_values_occurs(strength: int) -> None:
    cases = list(product("abcd", range(3), (False, True), "xyz"))
    chosen = covering(cases, strength)
    assert len(chosen) == len(set(chosen)) < len(cases) / 4

    def parts(numbers: list[int]) -> set[object]:
        return {part for k in numbers for part in combinations(enumerate(cases[k]), strength)}

    assert parts(chosen) == parts(list(range(len(cases))))


def test_cases_that_do_not_exist_are_not_missed() -> None:
    assert sorted(covering([(0, 0, 0), (1, 1, 1)], 2)) == [0, 1]


class Item:
    """What sampling asks of a test's case."""

    def __init__(self, test: str, params: dict[str, object], *marks: str) -> None:
        self.nodeid, self.marks = f"{test}[{params}]", {name: getattr(pytest.mark, name).mark for name in marks}
        self.callspec = SimpleNamespace(params=params)

    def get_closest_marker(self, name: str) -> pytest.Mark | None:
        return self.marks.get(name)

    def add_marker(self, mark: pytest.MarkDecorator) -> None:
        self.marks[mark.name] = mark.mark


def test_every_case_is_in_one_of_the_two_runs() -> None:
    items = [Item("a", {"x": x, "y": y}, "sampled", *["hours"] * (y == 3)) for x in range(4) for y in range(4)]
    items += [Item("b", {"x": x, "y": x}) for x in range(3)]
    mark_the_rest_long(items)
    ordinary = [item for item in items if not {"long", "hours"} & set(item.marks)]
    assert sum(item.nodeid[0] == "a" for item in ordinary) == 4
    assert sum(item.nodeid[0] == "b" for item in ordinary) == 3
    assert sum("long" in item.marks for item in items) == 12 - 4
    assert not any({"long", "hours"} <= set(item.marks) for item in items)


def test_a_number_of_cases() -> None:
    items = [Item("a", {"x": x}) for x in range(10)]
    for item in items:
        item.marks["sampled"] = pytest.mark.sampled(most=3).mark
    mark_the_rest_long(items)
    assert [k for k, item in enumerate(items) if "long" not in item.marks] == [0, 3, 6]


def test_each_test_is_in_one_share() -> None:
    names = [f"{file}.py::test[op{k}-{dtype}]" for file in "ab" for k in range(40) for dtype in ("float", "int")]
    shares = [share_of(names, f"{part}/3") for part in (1, 2, 3)]
    assert all(sum(kept) == 1 for kept in zip(*shares))
    assert all(sum(share) > 30 for share in shares)
    with pytest.raises(pytest.UsageError, match="1 to 3"):
        share_of(names, "4/3")


class Doctest(pytest.DoctestItem):
    """What sampling asks of a doctest; pytest makes its own from files."""

    nodeid = ""

    def add_marker(self, mark: pytest.MarkDecorator, append: bool = True) -> None:  # type: ignore[override]
        self.marked = mark.name


def doctest(folder: str, name: str) -> Doctest:
    item = object.__new__(Doctest)
    item.name, item.nodeid, item.marked = name, f"{folder}/some.py::{name}", ""
    return item


def test_one_in_two_doctests_of_the_package_is_in_the_ordinary_run() -> None:
    package = [doctest("tritonflow", f"function{k}") for k in range(100)]
    others = [doctest("tests", "covering"), Item("tritonflow/test_a.py::test", {})]
    mark_doctests_by_turn([*package, *others])
    assert 35 < sum(item.marked == "long" for item in package) < 65
    assert others[0].marked == "" and not others[1].marks
