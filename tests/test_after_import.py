"""Work behind an import: it happens once, whoever looks for the module before, and other threads' imports do not see it."""

from __future__ import annotations

import importlib
import importlib.util
import itertools
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tritonflow.after_import import after_import

NAMES = (f"imported_later_{number}" for number in itertools.count())


@pytest.fixture
def name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A module that is not imported yet."""
    name, before = next(NAMES), list(sys.meta_path)
    (tmp_path / f"{name}.py").write_text("value = 1\n")
    monkeypatch.syspath_prepend(tmp_path)
    yield name
    sys.meta_path[:] = before
    sys.modules.pop(name, None)


def test_work_is_done_once_behind_the_module(name: str) -> None:
    done: list[int] = []
    after_import(name, lambda module: done.append(module.value))
    assert not done
    module = importlib.import_module(name)
    importlib.reload(module)
    assert done == [1]


def test_a_module_that_is_there_is_worked_on_at_once(name: str) -> None:
    module, done = importlib.import_module(name), []
    after_import(name, done.append)
    assert done == [module]


def test_who_only_looks_for_the_module_changes_nothing(name: str) -> None:
    """As libraries do, to know whether Triton is installed."""
    done: list[int] = []
    after_import(name, lambda module: done.append(module.value))
    assert importlib.util.find_spec(name) is not None and not done
    importlib.import_module(name)
    assert done == [1]


def test_an_import_takes_no_finder_from_the_list(name: str) -> None:
    """Other threads go through that list at the same time, and would miss the finder behind one that is taken out."""
    after_import(name, lambda module: None)
    before = list(sys.meta_path)
    importlib.import_module(name)
    assert sys.meta_path == before


def test_a_module_that_is_nowhere_is_not_found() -> None:
    before = list(sys.meta_path)
    after_import("imported_never", lambda module: None)
    with pytest.raises(ModuleNotFoundError, match="No module named 'imported_never'"):
        importlib.import_module("imported_never")
    sys.meta_path[:] = before
