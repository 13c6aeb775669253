"""Kernel modules, imported at their first use: importing triton and decorating every kernel takes 0.4 s.

Their functions in Python are rules: what a kernel's configuration is for some sizes. They see plain integers only. Where a plan is
made for many sizes, it depends on what a rule gives, and not on each comparison in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import wraps
from importlib import import_module
from threading import RLock
from types import FunctionType
from typing import Any

from tritonflow.framework.symbolic_int import context_of

_importing = RLock()
_GIVE_SIZES = frozenset((
    "row_layout", "row_grid", "splits", "splits_of_rows", "splits_of_k", "splits_of_batch", "last_splits", "output_size",
    "windows_over",
))  # fmt: skip
"""Functions whose results are sizes themselves: they calculate with symbolic integers as they are."""


def imported(name: str) -> Any:
    """A module that imports Triton, whole. Of two threads that import parts of it at a time, one may see half of the other's."""
    with _importing:
        return import_module(name)


class KernelModule:
    """Stands for a module of `tritonflow.kernels` until an attribute of it is wanted.

    Args:
        name: of the module, such as "softmax" or "functions.arithmetic".
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        value = getattr(imported(f"tritonflow.kernels.{self._name}"), attribute)
        if isinstance(value, FunctionType) and attribute not in _GIVE_SIZES:
            value = _rule(value)
        setattr(self, attribute, value)
        return value


def _rule(function: FunctionType) -> Callable[..., Any]:
    """A function of sizes, to be asked with symbolic ones, too."""

    @wraps(function)
    def listed(*args: Any, **kwargs: Any) -> Any:
        outcome = function(*args, **kwargs)
        return list(outcome) if isinstance(outcome, Iterator) else outcome  # outcomes are compared as a whole

    @wraps(function)
    def rule(*args: Any, **kwargs: Any) -> Any:
        context = context_of((args, kwargs))
        return function(*args, **kwargs) if context is None else context.rule(listed, args, kwargs)

    return rule
