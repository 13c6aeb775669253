"""Stubs say what is there: the names of each module and of Tensor, and the parameters and defaults of each function."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from importlib import import_module
from inspect import Parameter
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import tritonflow as flow
from tritonflow.registry import assembled_stubs

ROOT = Path(__file__).resolve().parents[2]
FAMILIES = sorted((ROOT / "tritonflow" / "_C" / "functional").glob("*.pyi"))
OF_CHECKERS = {"BuiltinImporter", "TYPE_CHECKING", "Any", "annotations"}  # at run time, what an import leaves in a module


def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def module_of(path: Path) -> ModuleType:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return import_module(".".join(parts[:-1] if parts[-1] == "__init__" else parts))


def defined(body: list[ast.stmt]) -> Iterator[tuple[str, ast.stmt]]:
    """The names that statements define, or import under the same name for others."""
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            yield node.name, node
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield node.target.id, node
        elif isinstance(node, ast.Assign):
            yield from ((target.id, node) for target in node.targets if isinstance(target, ast.Name))


def exported(tree: ast.Module) -> set[str]:
    """The names in the `__all__` of a stub."""
    lists = [node.value for name, node in defined(tree.body) if name == "__all__" and isinstance(node, ast.Assign)]
    return set(ast.literal_eval(lists[0]))


@pytest.mark.parametrize("name", assembled_stubs.PACKAGES)
def test_a_package_has_the_names_of_its_stub_and_no_others(name: str) -> None:
    module = import_module(name)
    tree = parsed(ROOT / assembled_stubs.path_of(name))
    listed = {n for n in getattr(module, "__all__", ()) if not n.startswith("_")}
    public = listed | {n for n in dir(module) if not n.startswith("_") and n not in OF_CHECKERS}
    public = {n for n in public if n in listed or not isinstance(getattr(module, n), ModuleType) or n in exported(tree)}
    assert public == exported(tree) - {"__version__"}
    here = {n for n, _ in defined(tree.body)}
    here |= {a.asname or a.name for node in tree.body if isinstance(node, ast.ImportFrom) for a in node.names}
    assert exported(tree) <= here
    for imported in [node for node in tree.body if isinstance(node, ast.ImportFrom)]:
        for alias in imported.names:
            value = getattr(import_module(str(imported.module)), alias.name)
            if (alias.asname or alias.name) in exported(tree):
                assert getattr(module, alias.asname or alias.name) is value


def test_the_stubs_of_what_is_assembled_are_up_to_date() -> None:
    for path, text in assembled_stubs.stubs().items():
        assert (ROOT / path).read_text(encoding="utf-8") == text, f"{path}: run python tritonflow/registry/generate.py"


def test_tensor_has_the_names_of_its_stubs_and_no_others() -> None:
    folder = ROOT / "tritonflow"
    stubs = {
        name: node
        for path, cls in (
            (folder / "_C" / "attached_methods.pyi", "AttachedMethods"),
            (folder / "_C" / "tensor_methods.pyi", "TensorMethods"),
            (folder / "framework" / "tensor.py", "Tensor"),
        )
        for top, tree in defined(parsed(path).body)
        if top == cls and isinstance(tree, ast.ClassDef)
        for name, node in defined(tree.body)
    }
    there = {n for n in vars(flow.Tensor) if not n.startswith("_") or n in stubs}
    slots = set(flow.Tensor.__slots__)
    assert there - slots == {n for n in stubs if not n.startswith("_") or n in there} - slots
    dunders = {n for n in vars(flow.Tensor) if n.startswith("__") and callable(getattr(flow.Tensor, n))}
    assert dunders - {"__class__"} <= stubs.keys() | {"__nonzero__", "__long__"}


# ---------------------------------------------------------------------------------------------------------- signatures


def overloads(path: Path) -> dict[str, list[ast.FunctionDef]]:
    """The functions of a stub."""
    found: dict[str, list[ast.FunctionDef]] = {}
    for name, node in defined(parsed(path).body):
        if isinstance(node, ast.FunctionDef):
            found.setdefault(name, []).append(node)
    return found


def parameters(node: ast.FunctionDef) -> dict[str, str]:
    """The parameters of a form, each with the source of its default."""
    given = node.args
    positional = [*given.posonlyargs, *given.args]
    defaults: list[Any] = [None] * (len(positional) - len(given.defaults)) + given.defaults
    found = {a.arg: "" if d is None else ast.unparse(d) for a, d in zip(positional, defaults)}
    if given.vararg is not None:
        found[given.vararg.arg] = ""
    return found | {a.arg: "" if d is None else ast.unparse(d) for a, d in zip(given.kwonlyargs, given.kw_defaults)}


def source_of(default: Any) -> str:
    return "" if default is Parameter.empty else ast.unparse(ast.parse(repr(default), mode="eval")).removeprefix("tritonflow.")


@pytest.mark.parametrize("path", FAMILIES, ids=lambda path: path.stem)
def test_functions_have_the_parameters_and_defaults_of_their_stubs(path: Path) -> None:
    module = module_of(path)
    functions = {n for n in vars(module) if not n.startswith("_")}
    assert functions == set(overloads(path))
    for name, forms in overloads(path).items():
        there = {p.name: source_of(p.default) for p in inspect.signature(getattr(module, name)).parameters.values()}
        if len(forms) == 1:
            assert parameters(forms[0]) == there, name
            continue
        for parameter, default in there.items():  # of all overloads: optional where it is in one of them
            defaults = {parameters(form).get(parameter, "") for form in forms} | {"None"}
            assert default in defaults and any(parameter in parameters(form) for form in forms), f"{name}: {parameter}"


@pytest.mark.parametrize("name", assembled_stubs.PACKAGES)
def test_functions_that_a_package_defines_have_the_signatures_of_its_stub(name: str) -> None:
    module = import_module(name)
    for function, (form, *rest) in overloads(ROOT / assembled_stubs.path_of(name)).items():
        value = getattr(module, function)
        there = {p.name: source_of(p.default) for p in inspect.signature(value).parameters.values()}
        if inspect.unwrap(value).__module__.startswith("tritonflow._C."):  # an in-place form, or a pool with positions, of it
            there = {n: default for n, default in there.items() if n not in ("inplace", "out", "return_indices")}
        assert not rest
        assert parameters(form) == there, function


def test_the_loaders_stub_has_its_parameters() -> None:
    path = ROOT / "tritonflow" / "utils" / "data" / "loader.pyi"
    (cls,) = [node for name, node in defined(parsed(path).body) if name == "DataLoader" and isinstance(node, ast.ClassDef)]
    forms = [node for name, node in defined(cls.body) if name == "__init__" and isinstance(node, ast.FunctionDef)]
    signature = inspect.signature(flow.utils.data.DataLoader.__init__)
    own = {p.name: source_of(p.default) for p in signature.parameters.values() if p.name != "options"}
    torch_options = inspect.signature(flow.utils.data.DataLoader.__mro__[2].__init__).parameters
    assert len(forms) == 5
    for form in forms:
        found = parameters(form)
        found["collate_fn"] = "None"
        assert {n: d for n, d in found.items() if n in own} == own
        assert found.keys() - own.keys() == {n for n in torch_options if n not in own}
