"""Whole programs: a file, or a package's `__main__`, run with tritonflow in torch's place."""

from __future__ import annotations

import io
import os
import sys
from types import ModuleType
from typing import Any

from tritonflow.mock_torch import child_processes, foreign
from tritonflow.mock_torch.child_programs import LAUNCHERS
from tritonflow.mock_torch.facades import install_facades
from tritonflow.mock_torch.importer import importer
from tritonflow.mock_torch.torch_modules import options, torch_module


def run_program(path: str, arguments: list[str] | None = None) -> dict[str, Any]:
    """Run a file as `python path` would, with tritonflow in torch's place; this process is the program's.

    Args:
        path: the file.
        arguments: what `sys.argv` has behind the file's name.

    Returns:
        The names that the program leaves.

    Raises:
        FileNotFoundError: there is no such file.
    """
    code = _code_of(path)
    sys.path[0:0] = [os.path.dirname(os.path.realpath(path))]
    _begin()
    sys.argv[:] = [path, *(arguments or [])]
    return _run(code, path, None, "__main__")


def run_module(name: str, arguments: list[str] | None = None) -> dict[str, Any]:
    """Run a module, or a package's `__main__`, as `python -m name` would, with tritonflow in torch's place.

    Raises:
        ModuleNotFoundError: there is no such module.
    """
    _begin()
    if name in LAUNCHERS:
        sys.argv[:] = [name, *(arguments or [])]
        torch_module(name).main()
        return {}
    if not foreign.is_foreign(name.partition(".")[0]):
        raise ModuleNotFoundError(f"no module {name!r} that can be run with tritonflow in torch's place", name=name)
    spec = _spec_of(name)
    if spec is not None and spec.submodule_search_locations is not None:
        return run_module(f"{name}.__main__", arguments)
    loader: Any = None if spec is None else spec.loader
    code = loader.get_code(name) if loader is not None else None
    if spec is None or code is None:
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)
    sys.argv[:] = [str(spec.origin), *(arguments or [])]
    return _run(code, str(spec.origin), spec, "__main__")


def import_again(name: str, module: str | None, file: str, argv: list[str], path: list[str]) -> str:
    """Import a program into a process of this name that it has started anew, as `multiprocessing` would: as "__mp_main__"."""
    sys.argv[:], sys.path[:] = argv, path
    _begin()
    if module is None:
        _run(_code_of(file), file, None, "__mp_main__")
    else:
        spec: Any = _spec_of(module)
        _run(spec.loader.get_code(module), file, spec, "__mp_main__")
    return name


def _begin() -> None:
    """Make this process a program's."""
    install_facades(importer)
    importer.whole_process = True
    options.lazy = False
    child_processes.install(import_again)


def _code_of(path: str) -> Any:
    with io.open_code(os.path.abspath(path)) as file:
        return compile(file.read(), path, "exec")


def _spec_of(name: str) -> Any:
    parent = name.rpartition(".")[0]
    return importer.find_spec(name, importer.load(parent) if parent else None)


def _run(code: Any, file: str, spec: Any, name: str) -> dict[str, Any]:
    main = ModuleType(name)
    package = None if spec is None else spec.parent
    main.__dict__.update(
        __file__=file, __builtins__=importer.builtins, __spec__=spec, __package__=package, __cached__=None
    )
    for each in {"__main__", name}:
        importer.modules[each] = sys.modules[each] = main
    exec(code, main.__dict__)
    return main.__dict__
