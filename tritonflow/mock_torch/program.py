"""Whole programs: a file, or a package's `__main__`, run with tritonflow in torch's place."""

from __future__ import annotations

import io
import os
import sys
from types import ModuleType
from typing import Any

from tritonflow.mock_torch import foreign
from tritonflow.mock_torch.facades import install_facades
from tritonflow.mock_torch.importer import importer
from tritonflow.mock_torch.torch_modules import options


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
    with io.open_code(os.path.abspath(path)) as file:
        code = compile(file.read(), path, "exec")
    sys.path[0:0] = [os.path.dirname(os.path.realpath(path))]
    return _run(code, path, path, arguments or [], None)


def run_module(name: str, arguments: list[str] | None = None) -> dict[str, Any]:
    """Run a module, or a package's `__main__`, as `python -m name` would, with tritonflow in torch's place.

    Raises:
        ModuleNotFoundError: there is no such module.
    """
    install_facades(importer)
    importer.whole_process = True
    if not foreign.is_foreign(name.partition(".")[0]):
        raise ModuleNotFoundError(f"no module {name!r} that can be run with tritonflow in torch's place", name=name)
    parent = name.rpartition(".")[0]
    spec = importer.find_spec(name, importer.load(parent) if parent else None)
    if spec is not None and spec.submodule_search_locations is not None:
        return run_module(f"{name}.__main__", arguments)
    loader: Any = None if spec is None else spec.loader
    code = loader.get_code(name) if loader is not None else None
    if spec is None or code is None:
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)
    return _run(code, str(spec.origin), str(spec.origin), arguments or [], spec)


def _run(code: Any, argv0: str, file: str, arguments: list[str], spec: Any) -> dict[str, Any]:
    install_facades(importer)
    importer.whole_process = True
    options.lazy = False
    main = ModuleType("__main__")
    package = None if spec is None else spec.parent
    main.__dict__.update(
        __file__=file, __builtins__=importer.builtins, __spec__=spec, __package__=package, __cached__=None
    )
    importer.modules["__main__"] = sys.modules["__main__"] = main
    sys.argv[:] = [argv0, *arguments]
    exec(code, main.__dict__)
    return main.__dict__
