"""`enable` and `disable`: for which modules' import statements `torch` is tritonflow."""

from __future__ import annotations

import builtins
import importlib
import sys
import threading
from collections.abc import Mapping
from types import TracebackType
from typing import Any

from tritonflow.mock_torch.facades import install_facades
from tritonflow.mock_torch.importer import Importer, importer
from tritonflow.mock_torch.torch_modules import options


class _Here(threading.local):
    """What the `with` blocks of a thread have set: by the id of a module's namespace, the importer of its statements, or None."""

    def __init__(self) -> None:
        self.importers: dict[int, Importer | None] = {}


_here = _Here()
_everywhere: dict[int, tuple[Any, Importer]] = {}  # set by calls outside of `with`, for all threads; with the namespace
_lock = threading.RLock()
_blocks = 0  # that are entered, in all threads
_MISSING: Any = object()


class _Setting:
    """What `enable` and `disable` have in common: a setting for the namespace of the module that calls."""

    def __init__(self, namespace: dict[str, Any], chosen: Importer | None, lazy: bool, verbose: bool) -> None:
        self._namespace, self._key, self._importer = namespace, id(namespace), chosen
        self._options = options.lazy, options.verbose
        with _lock:
            self._replaced: Any = _everywhere.get(self._key, _MISSING)
            _restore(_everywhere, self._key, _MISSING if chosen is None else (namespace, chosen))
            options.lazy, options.verbose = lazy, verbose
            _update_hooks()

    def __enter__(self) -> _Setting:
        with _lock:
            _restore(_everywhere, self._key, self._replaced)  # from now on for this thread alone
            _change_blocks(+1)
        self._replaced = _here.importers.get(self._key, _MISSING)
        _here.importers[self._key] = self._importer
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        _restore(_here.importers, self._key, self._replaced)
        with _lock:
            options.lazy, options.verbose = self._options
            _change_blocks(-1)


class enable(_Setting):
    """The import statements of the calling module give tritonflow under torch's names, and so do those of what they import.

    With `with` it holds in the block, and in the calling thread; called alone, until `disable()`. Only the module that calls
    is concerned, and the foreign modules that it imports from then on. These are loaded for it once, and stay as they are
    when the block is left: a later block finds the same ones. Modules that were imported before have the real torch.

    Args:
        lazy: whether a name that torch lacks, too, is a stand-in that raises when it is used; else it is an AttributeError.
        verbose: whether each name that tritonflow lacks is printed on stderr when a program first asks for it.
        extra_dict: other top-level names and the modules that stand for them, such as `{"torchvision": "flowvision"}`.

    Example:
        >>> import tritonflow as flow
        >>> with flow.mock_torch.enable():
        ...     import torch
        ...     from torch.nn import functional as F
        >>> type(F.relu(torch.ones(2))) is flow.Tensor
        True

    Source: oneflow.mock_torch.enable.
    """

    def __init__(self, lazy: bool = False, verbose: bool = False, extra_dict: Mapping[str, str] | None = None) -> None:
        install_facades(importer)
        importer.aliases.update(extra_dict or {})
        super().__init__(sys._getframe(1).f_globals, importer, bool(lazy), bool(verbose))


class disable(_Setting):
    """The calling module's import statements give the real torch again: until the block's end, or until `enable` is called.

    Example:
        >>> import tritonflow as flow
        >>> with flow.mock_torch.enable():
        ...     with flow.mock_torch.disable():
        ...         import torch
        >>> torch.__name__, hasattr(torch, "placement")
        ('torch', False)

    Source: oneflow.mock_torch.disable.
    """

    def __init__(self) -> None:
        super().__init__(sys._getframe(1).f_globals, None, False, False)


def is_enabled() -> bool:
    """Whether the calling module's import statements give tritonflow for torch.

    Example:
        >>> import tritonflow as flow
        >>> flow.mock_torch.is_enabled()
        False
    """
    namespace = sys._getframe(1).f_globals
    return namespace.get("__builtins__") is importer.builtins or _importer_of(namespace) is not None


def _importer_of(namespace: Any) -> Importer | None:
    key = id(namespace)
    found = _here.importers.get(key, _MISSING)
    return _everywhere.get(key, (None, None))[1] if found is _MISSING else found


def _restore(settings: dict[int, Any], key: int, before: Any) -> None:
    if before is _MISSING:
        settings.pop(key, None)
    else:
        settings[key] = before


# ------------------------------------------------------------------------------------------------- hooks in Python's import

_import = builtins.__import__
_import_module = importlib.import_module


def _hooked_import(name: str, globals: Any = None, locals: Any = None, fromlist: Any = (), level: int = 0) -> Any:
    chosen = _importer_of(globals) if globals is not None else None
    return (_import if chosen is None else chosen.import_statement)(name, globals, locals, fromlist, level)


def _hooked_import_module(name: str, package: str | None = None) -> Any:
    chosen = _importer_of(sys._getframe(1).f_globals)
    return (_import_module if chosen is None else chosen.import_module)(name, package)


def _change_blocks(change: int) -> None:
    global _blocks
    _blocks += change
    _update_hooks()


def _update_hooks() -> None:
    """The hooks are in Python's import while there is a setting. For modules without one they do what they replace."""
    global _import, _import_module
    wanted, there = bool(_everywhere or _blocks), builtins.__import__ is _hooked_import
    if wanted and not there:
        _import, _import_module = builtins.__import__, importlib.import_module
        builtins.__import__, importlib.import_module = _hooked_import, _hooked_import_module
    elif there and not wanted:
        builtins.__import__, importlib.import_module = _import, _import_module
