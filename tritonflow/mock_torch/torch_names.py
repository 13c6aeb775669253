"""Which modules and names torch has. No module of torch is imported for that: sources are read where it is not loaded."""

from __future__ import annotations

import ast
import functools
import importlib
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import torch

# What `torch.__version__` is for foreign programs: they compare it with releases of torch.
VERSION = torch.torch_version.TorchVersion(f"{str(torch.__version__).partition('+')[0]}+tritonflow")
_FOLDER = Path(torch.__file__).parent
UNKNOWN = object()  # a name that only the source tells


def real_module(name: str) -> ModuleType | None:
    """The module of torch with this full name, if it is loaded."""
    return sys.modules.get(name)


def has_module(name: str) -> bool:
    """Whether torch has a module of this full name, such as `torch.nn.modules.conv`."""
    return name == "torch" or name in sys.modules or _source(name) is not None


def real_value(module: str, name: str) -> Any:
    """What torch has under a name of a module; `UNKNOWN` if the module is not loaded, but its source has the name.

    Raises:
        AttributeError: there is no such name.
    """
    loaded = sys.modules.get(module)
    if loaded is not None:
        return getattr(loaded, name)
    if name in _names_of_source(module):
        return UNKNOWN
    raise AttributeError(name)


def public_names(module: str) -> list[str]:
    """The names that `from module import *` would bind."""
    loaded = sys.modules.get(module)
    if loaded is not None:
        given = getattr(loaded, "__all__", None)  # torch.classes has any name
        return list(given) if isinstance(given, (list, tuple)) and given else _not_private(loaded)
    return [name for name in _names_of_source(module) if not name.startswith("_")]


def listed_names(module: str) -> list[str]:
    """The names of `dir(module)`, without the private ones: some, such as `torch.from_dlpack`, are not in `__all__`."""
    loaded = sys.modules.get(module)
    return public_names(module) if loaded is None else _not_private(loaded)


def _not_private(module: ModuleType) -> list[str]:
    return [name for name in dir(module) if not name.startswith("_")]


# Where the names that programs should use are.
_PUBLIC = (
    "torch", "torch.nn", "torch.nn.functional", "torch.nn.init", "torch.nn.utils", "torch.nn.utils.rnn", "torch.optim",
    "torch.optim.lr_scheduler", "torch.autograd", "torch.utils.data", "torch.amp", "torch.linalg", "torch.fft", "torch.special",
    "torch.distributions", "torch.nn.parallel", "torch.nn.parameter", "torch.autograd.function", "torch.autograd.graph",
    "torch.utils.checkpoint", "torch.random", "torch.serialization", "torch.profiler", "torch.func", "torch.jit", "torch.testing",
)  # fmt: skip


@functools.cache
def _aliases() -> dict[int, list[tuple[str, str]]]:
    """By the id of a function or class of torch: the public modules and names that it has."""
    found: dict[int, list[tuple[str, str]]] = {}
    for module in _PUBLIC:
        loaded = sys.modules.get(module)
        for name, value in vars(loaded).items() if loaded is not None else ():
            if not name.startswith("_") and callable(value):
                found.setdefault(id(value), []).append((module, name))
    return found


def public_aliases(module: str, name: str) -> list[tuple[str, str]]:
    """Where the same function or class is public: `torch.nn.modules.conv.Conv2d` is `torch.nn.Conv2d`."""
    loaded = sys.modules.get(module)
    value = getattr(loaded, name, None) if loaded is not None else None
    return [alias for alias in _aliases().get(id(value), ()) if alias != (module, name)] if callable(value) else []


def _source(name: str) -> Path | None:
    if not name.startswith("torch."):
        return None
    path = _FOLDER.joinpath(*name.split(".")[1:])
    for file in (path / "__init__.py", path.with_name(f"{path.name}.py"), path.with_name(f"{path.name}.pyi")):
        if file.is_file():
            return file
    return None


@functools.cache
def _names_of_source(module: str) -> tuple[str, ...]:
    """The names that the top level of a module's source binds, those in `if` and `try` included."""
    file = _source(module)
    if file is None:
        return ()
    names: dict[str, None] = {}
    todo: list[ast.stmt] = list(ast.parse(file.read_text(encoding="utf-8")).body)
    for statement in todo:
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names[statement.name] = None
        elif isinstance(statement, ast.ImportFrom) and statement.names[0].name == "*":
            if statement.level == 0 and str(statement.module).startswith("torch."):
                names.update((name, None) for name in public_names(str(statement.module)))
        elif isinstance(statement, (ast.Import, ast.ImportFrom)):
            names.update((alias.asname or alias.name.partition(".")[0], None) for alias in statement.names)
        elif isinstance(statement, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            names.update((n.id, None) for target in targets for n in ast.walk(target) if isinstance(n, ast.Name))
        else:
            for part in ("body", "orelse", "handlers", "finalbody"):
                for inner in getattr(statement, part, ()):
                    todo += inner.body if isinstance(inner, ast.ExceptHandler) else [inner]
    return tuple(names)


def shared_module(name: str) -> ModuleType:
    """A module of torch's that is plain Python and knows no tensors: foreign programs have it as it is."""
    return importlib.import_module(name)
