"""Kernels in Triton's interpreter."""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

from .internals import check_version, knobs


@contextlib.contextmanager
def interpreting() -> Iterator[None]:
    """Functions decorated with `triton.jit` inside this block run in Triton's interpreter."""
    check_version()
    with knobs.runtime.scope():
        knobs.runtime.interpret = True
        yield


def load_interpreted(module: str | Path, package: str | None = None) -> ModuleType:
    """A second copy of a module of kernels whose functions are interpreted.

    Whether a function is interpreted is decided when it is decorated, and an interpreted kernel cannot call a compiled
    function: so modules of `package` that the copy imports are copied as well. `sys.modules` is as before afterwards.
    """
    with interpreting():
        if isinstance(module, Path):
            return _load_file(module)
        prefix = package or module
        hidden = {n: m for n, m in sys.modules.items() if n == prefix or n.startswith(prefix + ".")}
        for name in hidden:
            del sys.modules[name]
        try:
            return importlib.import_module(module)
        finally:
            for name in [n for n in sys.modules if n == prefix or n.startswith(prefix + ".")]:
                del sys.modules[name]
            sys.modules.update(hidden)


def _load_file(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"_interpreted_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is not a Python module")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
