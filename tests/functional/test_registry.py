"""The registry itself: every name in it leads somewhere, and what was generated from it is up to date."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tritonflow.functional.generate import ROOT, generate, read_all, stale
from tritonflow.functional.project import Project

OPS = ROOT / "tritonflow" / "ops"


@pytest.fixture(scope="module")
def project() -> Project:
    made, errors = read_all(ROOT)
    assert not errors
    return made


def functions_in(path: Path) -> set[str]:
    if not path.exists():
        return set()
    return {node.name for node in ast.parse(path.read_text()).body if isinstance(node, ast.FunctionDef)}


def test_every_planner_exists(project: Project) -> None:
    targets = {op.name: op.target for op in project.ops.values() if op.kind != "pointwise"}
    known = {file: functions_in(OPS / f"{file}.py") for file in {t.partition(".")[0] for t in targets.values()}}
    missing = {name: t for name, t in targets.items() if t.partition(".")[2] not in known[t.partition(".")[0]]}
    assert not missing


def test_what_is_generated_is_up_to_date(project: Project) -> None:
    assert not stale(generate(project))


def test_the_package_has_what_the_registry_says(project: Project) -> None:
    from tritonflow import _C
    from tritonflow.framework.tensor import Tensor

    for entry in project.entries:
        assert callable(getattr(_C, entry.name))
        assert all(callable(getattr(Tensor, method)) for method in entry.methods)
    assert {name for names in _C.EXPORTS.values() for name in names} == {
        entry.name for entry in project.entries if entry.bind_python and entry.export
    }


def test_imports_stand_at_the_top_of_files() -> None:
    """An import inside a function may hide a circle; one that is there for another reason says so in a comment."""
    found = []
    for path in sorted((ROOT / "tritonflow" / "functional").rglob("*.py")):
        lines = path.read_text().splitlines()
        for function in ast.walk(ast.parse(path.read_text())):
            if isinstance(function, ast.FunctionDef):
                inside = [n for n in ast.walk(function) if isinstance(n, (ast.Import, ast.ImportFrom))]
                found += [f"{path.name}:{n.lineno}" for n in inside if "#" not in lines[n.lineno - 1]]
    assert not found
