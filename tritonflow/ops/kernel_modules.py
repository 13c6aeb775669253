"""Kernel modules, imported at their first use: importing triton and decorating every kernel takes 0.4 s."""

from __future__ import annotations

from importlib import import_module
from threading import RLock
from typing import Any

_importing = RLock()


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
        setattr(self, attribute, value)
        return value
