"""Imports of foreign modules.

A foreign module gets builtins of its own, whose `__import__` answers `torch` with tritonflow. Functions of the module hold these
builtins, so imports inside them are answered alike, whenever they run. Foreign modules are in a table of their own: the same
packages with the real torch lie in `sys.modules`, and neither knows of the other.
"""

from __future__ import annotations

import builtins
import importlib
import importlib.util
import sys
import threading
from collections.abc import Callable, Iterable, Mapping
from importlib.machinery import ModuleSpec, SourceFileLoader
from pathlib import Path
from types import ModuleType, TracebackType
from typing import Any

from tritonflow.graph.watch import lengths
from tritonflow.mock_torch import assertions, foreign
from tritonflow.mock_torch.torch_modules import torch_module

_import = builtins.__import__
_OWN = (__file__, assertions.__file__, "<frozen importlib._bootstrap>", "<frozen importlib._bootstrap_external>")


class Importer:
    """Loads foreign modules, once each.

    Attributes:
        modules: the foreign modules, by full name.
        builtins: what foreign modules have as their builtins.
        replaced: modules of the standard library and others that foreign modules see in another form (facades).
        replaced_when_imported: what makes those of packages that few programs import.
        aliases: top-level names that stand for another module's, such as a package for OneFlow in place of one for torch.
        whole_process: nothing but the foreign program runs here: its modules are in `sys.modules`, too.
    """

    def __init__(self) -> None:
        self.modules: dict[str, ModuleType] = {}
        self.builtins: dict[str, Any] = dict(vars(builtins))
        self.builtins["__import__"] = self.import_statement
        lengths.tables.append(self.builtins)
        self.replaced: dict[str, ModuleType] = {}
        self.replaced_when_imported: dict[str, Callable[[], ModuleType]] = {}
        self.aliases: dict[str, str] = {"torchao": "tritonflow.mock_torch.torchao"}
        self.whole_process = False
        self._lock = threading.RLock()

    def answers(self, name: str) -> bool:
        """Whether foreign modules are given something else under this full name than everybody."""
        root = name.partition(".")[0]
        is_replaced = name in self.replaced or name in self.replaced_when_imported
        return root == foreign.TORCH or is_replaced or root in self.aliases or foreign.is_foreign(root)

    def import_statement(
        self,
        name: str,
        globals: Mapping[str, Any] | None = None,
        locals: Mapping[str, Any] | None = None,
        fromlist: Iterable[str] | None = (),
        level: int = 0,
    ) -> Any:
        """`__import__` of foreign modules."""
        try:
            return self._import(name, globals, fromlist, level)
        except BaseException as error:
            raise error.with_traceback(_without_own_frames(error.__traceback__))  # noqa: B904

    def _import(self, name: str, globals: Any, fromlist: Any, level: int) -> Any:
        full = importlib.util.resolve_name("." * level + name, _package(globals)) if level else name
        if not self.answers(full):
            return self._real(full, name, globals, fromlist, level)
        module = self.load(full)
        if not fromlist:
            return module if level else self.load(name.partition(".")[0])
        for item in fromlist:
            self._load_item(module, full, item)
        return module

    def _real(self, full: str, name: str, globals: Any, fromlist: Any, level: int) -> Any:
        """An import of what all share, with the modules that foreign modules see in another form put in."""
        module = _import(name, globals, None, fromlist or (), level)
        if fromlist:
            return module
        parts = full.split(".")
        return self.replaced.get(parts[0], module) if level == 0 else module

    def _load_item(self, module: ModuleType, full: str, item: str) -> None:
        """For `from module import item`: a submodule is loaded."""
        if item == "*":
            for each in getattr(module, "__all__", ()):
                self._load_item(module, full, each)
        elif hasattr(module, "__path__") and not hasattr(module, item):
            child = f"{full}.{item}"
            try:
                loaded = self.load(child)
            except ModuleNotFoundError as error:
                if error.name != child:
                    raise
                return
            if not hasattr(module, item):  # a package that put another object in its place; Python looks into sys.modules here
                setattr(module, item, loaded)

    def import_module(self, name: str, package: str | None = None) -> ModuleType:
        """`importlib.import_module` of foreign modules."""
        try:
            return self._import_module(name, package)
        except BaseException as error:
            raise error.with_traceback(_without_own_frames(error.__traceback__))  # noqa: B904

    def _import_module(self, name: str, package: str | None) -> ModuleType:
        if name.startswith("."):
            if not package:
                raise TypeError(f"the 'package' argument is required to perform a relative import for {name!r}")
            name = importlib.util.resolve_name(name, package)
        return self.load(name) if self.answers(name) else importlib.import_module(name)

    def load(self, name: str) -> ModuleType:
        """The module of this full name that foreign modules get.

        Raises:
            ModuleNotFoundError: there is no such module.
        """
        if foreign.is_torch(name):
            return torch_module(name)
        if name in self.replaced_when_imported:
            with self._lock:
                if name in self.replaced_when_imported:
                    self.replaced[name] = self.replaced_when_imported[name]()
                    del self.replaced_when_imported[name]
        if name in self.replaced:
            return self.replaced[name]
        root, _, rest = name.partition(".")
        if root in self.aliases:
            return importlib.import_module(".".join(filter(None, (self.aliases[root], rest))))
        if not foreign.is_foreign(root):
            return importlib.import_module(name)
        found = self.modules.get(name)
        if found is not None and not getattr(getattr(found, "__spec__", None), "_initializing", False):
            return found
        with self._lock:  # a module whose import another thread has begun is waited for
            return self.modules.get(name) or self._load(name)

    def _load(self, name: str) -> ModuleType:
        parent_name, _, last = name.rpartition(".")
        parent = self.load(parent_name) if parent_name else None
        if name in self.modules:  # the parent imports it
            return self.modules[name]
        spec = self.find_spec(name, parent)
        if spec is None:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        module = self.module_of(spec)
        self.put(name, module)
        _set_submodule(parent, last, module)  # already now, for modules that import each other
        self._execute(name, spec, module)
        module = self.modules[name]  # a module may put another object in its place
        _set_submodule(parent, last, module)
        return module

    def _execute(self, name: str, spec: ModuleSpec, module: ModuleType) -> None:
        if spec.loader is None:
            return  # a namespace package
        spec._initializing = True  # type: ignore[attr-defined]
        try:
            if not (isinstance(spec.loader, SourceFileLoader) and assertions.execute(module, spec.loader)):
                spec.loader.exec_module(module)
        except BaseException:
            self.drop(name)
            raise
        finally:
            spec._initializing = False  # type: ignore[attr-defined]

    def module_of(self, spec: ModuleSpec) -> ModuleType:
        """A module, not executed yet, whose builtins are those of foreign modules."""
        module = importlib.util.module_from_spec(spec)
        module.__dict__["__builtins__"] = self.builtins
        return module

    def find_spec(self, name: str, parent: ModuleType | None) -> ModuleSpec | None:
        """How to load a foreign module; what is in `sys.modules` does not matter."""
        path = None if parent is None else getattr(parent, "__path__", None)
        if parent is not None and path is None:
            raise ModuleNotFoundError(f"No module named {name!r}; {parent.__name__!r} is not a package", name=name)
        path = None if path is None else list(path)
        for finder in sys.meta_path:
            try:
                spec = finder.find_spec(name, path)
            except KeyError:  # a namespace package asks sys.modules for its parent
                continue
            if spec is not None:
                return spec
        return _namespace_below(name, path)

    def put(self, name: str, module: Any) -> None:
        """Enter a foreign module."""
        self.modules[name] = module
        if self.whole_process:
            sys.modules[name] = module

    def drop(self, name: str) -> None:
        """Forget a foreign module."""
        self.modules.pop(name, None)
        if self.whole_process:
            sys.modules.pop(name, None)


def _set_submodule(parent: ModuleType | None, name: str, module: ModuleType) -> None:
    if parent is not None:
        object.__setattr__(parent, name, module)  # a facade keeps it: what stands behind has a submodule of its own


def _namespace_below(name: str, path: list[str] | None) -> ModuleSpec | None:
    """A folder without `__init__.py` in a package."""
    folders = [f"{folder}/{name.rpartition('.')[2]}" for folder in path or ()]
    folders = [folder for folder in folders if Path(folder).is_dir()]
    if not folders:
        return None
    spec = ModuleSpec(name, None, is_package=True)
    spec.submodule_search_locations = folders
    return spec


def _without_own_frames(traceback: TracebackType | None) -> TracebackType | None:
    """A traceback without the frames of this file, as Python leaves out those of its own import."""
    frames = []
    while traceback is not None:
        if traceback.tb_frame.f_code.co_filename not in _OWN:
            frames.append((traceback.tb_frame, traceback.tb_lasti, traceback.tb_lineno))
        traceback = traceback.tb_next
    found: TracebackType | None = None
    for frame, instruction, line in reversed(frames):
        found = TracebackType(found, frame, instruction, line)
    return found


def _package(globals: Mapping[str, Any] | None) -> str:
    """The package that relative imports of a module begin at."""
    if globals is None:
        raise KeyError("'__name__' not in globals")
    package = globals.get("__package__")
    if package is None:
        spec = globals.get("__spec__")
        package = spec.parent if spec is not None else globals["__name__"]
        if spec is None and "__path__" not in globals:
            package = package.rpartition(".")[0]
    if not package:
        raise ImportError("attempted relative import with no known parent package")
    return str(package)


importer = Importer()
