"""Work that waits until a program imports a module, which most programs never do."""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import sys
from collections.abc import Callable, Sequence
from types import ModuleType


def after_import(name: str, work: Callable[[ModuleType], None]) -> None:
    """Call `work(module)` once the module is imported: now, if it is already."""
    if name in sys.modules:
        work(sys.modules[name])
    else:
        sys.meta_path.insert(0, _Finder(name, work))


class _Finder(importlib.abc.MetaPathFinder):
    """Finds one module as the other finders do, and has the work done behind its code.

    It stays among the finders: other threads go through their list, and would miss one where another is taken out.
    """

    def __init__(self, name: str, work: Callable[[ModuleType], None]) -> None:
        self._name, self._work = name, work
        self._is_done = False

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname != self._name or self._is_done:
            return None
        others = [finder for finder in sys.meta_path if finder is not self and hasattr(finder, "find_spec")]
        found = (finder.find_spec(fullname, path, target) for finder in others)
        spec = next((each for each in found if each is not None), None)
        if spec is not None and spec.loader is not None:
            self._follow(spec.loader)
        return spec

    def _follow(self, loader: importlib.abc.Loader) -> None:
        execute = loader.exec_module

        def exec_module(module: ModuleType) -> None:
            execute(module)
            if not self._is_done:
                self._is_done = True
                self._work(module)

        loader.exec_module = exec_module  # type: ignore[method-assign]
