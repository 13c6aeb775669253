"""What foreign modules see of `sys`, `importlib`, `inspect` and others: the same, but `torch` and themselves are found in it."""

from __future__ import annotations

import dataclasses
import importlib
import importlib.metadata
import importlib.util
import inspect
import subprocess
import sys
import typing
from collections.abc import Iterator, MutableMapping
from importlib.machinery import ModuleSpec
from types import FunctionType, ModuleType
from typing import Any

from tritonflow.mock_torch import foreign
from tritonflow.mock_torch.child_programs import Popen
from tritonflow.mock_torch.importer import Importer
from tritonflow.mock_torch.torch_modules import has_module, torch_module


class Facade(ModuleType):
    """A module of which some names are replaced; all others, and assignments, are those of the module behind it."""

    def __init__(self, behind: ModuleType, names: dict[str, Any]) -> None:
        super().__init__(behind.__name__, behind.__doc__)
        self.__dict__.update(names, _behind=behind)
        for name in ("__path__", "__file__", "__spec__", "__package__", "__all__"):
            if hasattr(behind, name):
                self.__dict__[name] = getattr(behind, name)

    def __getattr__(self, name: str) -> Any:
        found = getattr(self.__dict__["_behind"], name)
        if isinstance(found, ModuleType) and foreign.is_foreign(found.__name__.partition(".")[0]):
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")  # foreign modules load one of their own
        return found

    def __setattr__(self, name: str, value: Any) -> None:
        if name in self.__dict__:
            super().__setattr__(name, value)
        else:
            setattr(self.__dict__["_behind"], name, value)

    def __delattr__(self, name: str) -> None:
        delattr(self.__dict__["_behind"], name)

    def __dir__(self) -> list[str]:
        return dir(self.__dict__["_behind"])


class ForeignModules(MutableMapping[str, Any]):
    """`sys.modules` as foreign modules see it: torch's are tritonflow's, foreign packages their own."""

    def __init__(self, importer: Importer) -> None:
        self._importer = importer

    def __getitem__(self, name: str) -> Any:
        if foreign.is_torch(name):
            if not has_module(name):
                raise KeyError(name)
            return torch_module(name)
        if name in self._importer.modules:
            return self._importer.modules[name]
        module = sys.modules[name]
        if name in self._importer.replaced:
            return self._importer.replaced[name]
        if self._is_of_others(name):
            raise KeyError(name)
        return module

    def _is_of_others(self, name: str) -> bool:
        return foreign.is_foreign(name.partition(".")[0]) and name != "__main__"

    def __setitem__(self, name: str, module: Any) -> None:
        root = name.partition(".")[0]
        if name in self._importer.modules or (foreign.is_foreign(root) and not foreign.is_torch(name)):
            self._importer.put(name, module)
        elif root not in sys.modules and not foreign.is_torch(name):  # one made by hand
            self._importer.put(name, module)
        else:
            sys.modules[name] = module

    def __delitem__(self, name: str) -> None:
        if name in self._importer.modules:
            self._importer.drop(name)
        else:
            del sys.modules[name]

    def __iter__(self) -> Iterator[str]:
        others = [name for name in list(sys.modules) if name not in self._importer.modules and not self._hidden(name)]
        return iter([*self._importer.modules, *others])

    def _hidden(self, name: str) -> bool:
        return (foreign.is_torch(name) and not has_module(name)) or (
            not foreign.is_torch(name) and self._is_of_others(name)
        )

    def __len__(self) -> int:
        return len(list(iter(self)))

    def copy(self) -> dict[str, Any]:
        """A dict of what is there now."""
        return {name: self[name] for name in self}


def install_facades(importer: Importer) -> None:
    """Enter the facades, once."""
    if "sys" in importer.replaced:
        return
    util = Facade(importlib.util, {"find_spec": _find_spec(importer), "module_from_spec": importer.module_of})
    metadata = Facade(importlib.metadata, {"version": _version})
    names = {"import_module": importer.import_module, "reload": _reload(importer), "util": util, "metadata": metadata}
    own_sys = Facade(sys, {"modules": ForeignModules(importer)})
    importer.replaced.update({
        "sys": own_sys,
        "importlib": Facade(importlib, {**names, "__import__": importer.import_statement}),
        "importlib.util": util,
        "importlib.metadata": metadata,
        "typing": Facade(typing, {"get_type_hints": _get_type_hints(importer)}),
        "inspect": _with_names(inspect, {"sys": own_sys}),
        "dataclasses": _with_names(dataclasses, {"sys": own_sys}),
        "subprocess": _with_names(subprocess, {"Popen": Popen}),
    })  # fmt: skip
    importer.replaced_when_imported["scipy.optimize"] = _optimize
    if importlib.util.find_spec("safetensors") is not None:
        from tritonflow.mock_torch.safetensors_files import SafeOpen

        safetensors = importlib.import_module("safetensors")
        importer.replaced["safetensors"] = Facade(safetensors, {"safe_open": SafeOpen})


def _optimize() -> ModuleType:
    from tritonflow.mock_torch.scipy_functions import functions_of

    module = importlib.import_module("scipy.optimize")
    return Facade(module, functions_of(module))


def _with_names(module: ModuleType, other: dict[str, Any]) -> Facade:
    """A module whose functions see other values of some names, such as `sys`; its other classes and objects are the same."""
    names = dict(vars(module), **other)
    found = {name: _own_function(module, name) for name in vars(module)}
    functions = {name: _in_namespace(function, names) for name, function in found.items() if function is not None}
    names.update(functions)
    return Facade(module, {name: value for name, value in {**other, **functions}.items() if name != "sys"})


def _own_function(module: ModuleType, name: str) -> FunctionType | None:
    """A function that a module defines, also where torch has put another around it, as around `inspect.getfile`."""
    value = vars(module)[name]
    if not isinstance(value, FunctionType):
        return None
    candidates = [value, *value.__globals__.values()]
    own = [each for each in candidates if isinstance(each, FunctionType) and each.__globals__ is vars(module)]
    return next((each for each in own if each.__name__ == value.__name__ or each.__name__ == name), None)


def _in_namespace(function: FunctionType, names: dict[str, Any]) -> FunctionType:
    """The same function with other global names."""
    made = FunctionType(function.__code__, names, function.__name__, function.__defaults__, function.__closure__)
    made.__kwdefaults__ = function.__kwdefaults__
    made.__dict__.update(vars(function))
    for name in ("__doc__", "__module__", "__qualname__", "__annotations__"):
        setattr(made, name, getattr(function, name))
    return made


def _find_spec(importer: Importer) -> Any:
    def find_spec(name: str, package: str | None = None) -> ModuleSpec | None:
        full = importlib.util.resolve_name(name, package) if name.startswith(".") else name
        if foreign.is_torch(full):
            return torch_module(full).__spec__ if has_module(full) else None
        if full in importer.modules:
            return getattr(importer.modules[full], "__spec__", None)
        root = full.partition(".")[0]
        if not foreign.is_foreign(root):
            return importlib.util.find_spec(full)
        parent = full.rpartition(".")[0]
        return importer.find_spec(full, importer.load(parent) if parent else None)

    return find_spec


def _reload(importer: Importer) -> Any:
    def reload(module: ModuleType) -> ModuleType:
        name = module.__name__
        if importer.modules.get(name) is not module:
            return importlib.reload(module)
        assert module.__spec__ is not None and module.__spec__.loader is not None
        module.__spec__.loader.exec_module(module)
        return importer.modules[name]

    return reload


def _version(name: str) -> str:
    """The version of an installed distribution; for torch that of the interface that tritonflow has."""
    return str(torch_module("torch").__version__) if name == "torch" else importlib.metadata.version(name)


def _get_type_hints(importer: Importer) -> Any:
    """`typing.get_type_hints` looks into `sys.modules` for the names of a class's module."""

    def get_type_hints(
        obj: Any, globalns: Any = None, localns: Any = None, include_extras: bool = False
    ) -> dict[str, Any]:
        if globalns is None and isinstance(obj, type):
            known = [importer.modules.get(base.__module__) for base in reversed(obj.__mro__)]
            names: dict[str, Any] = {}
            for module in known:
                names.update(vars(module) if module is not None else {})
            if names and localns is None:
                localns = names
        return typing.get_type_hints(obj, globalns, localns, include_extras)

    return get_type_hints
