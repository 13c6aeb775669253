"""Work that waits until a program imports a module, which most programs never do."""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import importlib.util
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
    """Finds one module as the other finders do, and has the work done behind its code."""

    def __init__(self, name: str, work: Callable[[ModuleType], None]) -> None:
        self._name, self._work = name, work

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname != self._name:
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(fullname)
        if spec is not None and spec.loader is not None:
            execute = spec.loader.exec_module

            def exec_module(module: ModuleType) -> None:
                execute(module)
                self._work(module)

            spec.loader.exec_module = exec_module  # type: ignore[method-assign]
        return spec
