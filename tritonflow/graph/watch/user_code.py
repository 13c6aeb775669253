"""Which Python is the user's, and so watched: all that is no library's.

Libraries are this package, Python's own modules, and what is installed. Some rooms of this package keep what they know in plain
Python attributes, as a user's object does; they are watched, too.
"""

from __future__ import annotations

import dis
import os
import sys
import sysconfig
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any
from weakref import WeakKeyDictionary

import numpy

_PACKAGE = str(Path(__file__).parents[2]) + os.sep
_STANDARD = sysconfig.get_paths()["stdlib"] + os.sep
_KERNELS = os.path.realpath(f"{_PACKAGE}kernels") + os.sep  # a link, in a checkout
_LIBRARIES = (_PACKAGE, _KERNELS, _STANDARD, *[os.path.dirname(str(m.__file__)) + os.sep for m in (os, numpy)])
_INSTALLED = ("site-packages", "dist-packages")
_known: dict[str, bool] = {}


def is_library_file(name: str) -> bool:
    """Whether code of a file is a library's."""
    found = _known.get(name)
    if found is None:
        found = name.startswith((*_LIBRARIES, "<frozen ", "<__array_function__")) or any(part in name for part in _INSTALLED)
        _known[name] = found
    return found


def take_for_library(file: str) -> None:
    """Have the code of a file taken for a library's: it does not run for the user."""
    _known[file] = True


def is_library(code: CodeType, variables: dict[str, Any]) -> bool:
    """Whether code with these global variables is a library's; what was made of a text is whose variables it has."""
    name = code.co_filename
    if name[:1] == "<":
        if code.co_name == "dynamic_func" or str(variables.get("__name__")).startswith("namedtuple_"):  # of Triton, and of Python
            return True
        if name.startswith("<doctest "):  # an example in a library's docstring is as a user would write it
            return False
        name = variables.get("__file__") or name
    return is_library_file(name)


def may_store(code: CodeType) -> bool:
    """Whether code has an instruction that sets something that outlives it."""
    return any(each.opname in _STORES for each in dis.get_instructions(code))


_STORES = ("STORE_ATTR", "STORE_SUBSCR", "STORE_GLOBAL", "STORE_DEREF")


def is_library_module(module: Any) -> bool:
    """Whether a Python module is a library's; what has no file is built in, unless it is the user's main program."""
    file = getattr(module, "__file__", None)
    if file is None:
        return getattr(module, "__name__", "") != "__main__" and hasattr(module, "__spec__") and module.__spec__ is not None
    return is_library_file(file)


def is_namespace_of_library(table: Any) -> bool:
    """Whether a dict has the global variables of a library, or Python's built-in names."""
    if type(table) is not dict or table.get("__spec__") is None or "__loader__" not in table:
        return False
    return is_library_file(table.get("__file__") or "<frozen ")


def is_library_class(kind: type) -> bool:
    """Whether a class is a library's: none of its functions is a user's."""
    known = _classes.get(kind)
    if known is None:
        known = _classes[kind] = _is_library_class(kind)
    return known


_HEAP_TYPE = 1 << 9  # a flag of classes that were made by a `class` statement
_classes: WeakKeyDictionary[type, bool] = WeakKeyDictionary()


def _is_library_class(kind: type) -> bool:
    if not kind.__flags__ & _HEAP_TYPE:
        return True
    if kind.__module__ == "__main__":  # of the user's program, also where a library runs it, such as pytest or cProfile
        return False
    module = sys.modules.get(kind.__module__)
    return module is not None and kind.__module__ != "builtins" and is_library_module(module)


def names_around(kind: type) -> dict[str, Any]:
    """The variables of a class's module, which `sys.modules` need not have."""
    module = sys.modules.get(kind.__module__)
    if module is not None:
        return vars(module)
    return next((value.__globals__ for value in vars(kind).values() if isinstance(value, FunctionType)), {})
