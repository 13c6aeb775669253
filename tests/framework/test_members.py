"""How Tensor gets its members: one list of tables, each method under the name of the function that it is."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from types import FunctionType
from typing import Any

import pytest

from tritonflow import members
from tritonflow.autograd import members as autograd_members

ROOMS = (*members.MODULES, autograd_members)
FOLDER = Path(members.__file__).parent


def _functions(table: dict[str, Any]) -> list[tuple[str, Any]]:
    """The functions of a table, and those by which properties are read."""
    plain = {name: getattr(value, "__func__", value) for name, value in table.items()}
    read = {name: value.fget if isinstance(value, property) else value for name, value in plain.items()}
    return [(name, value) for name, value in read.items() if isinstance(value, FunctionType)]


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.__name__)
def test_a_member_is_found_by_the_name_of_its_function(room: Any) -> None:
    """Other names of a function have rows of their own, and `data` is what `detach` gives."""
    functions = _functions(room.METHODS)
    rows = Counter(function for _, function in functions)
    strange = [name for name, f in functions if f.__name__.strip("_") != name.strip("_").lower() and rows[f] == 1]
    assert [name for name in strange if name != "data"] == []


def test_every_file_with_members_is_in_the_list() -> None:
    files = {path.stem for path in FOLDER.glob("*.py") if "\nMETHODS" in path.read_text()}
    assert files == {module.__name__.rpartition(".")[2] for module in members.MODULES}
