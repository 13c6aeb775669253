"""Kernel modules, imported at their first use: importing triton and decorating every kernel takes 0.4 s."""

from __future__ import annotations

from importlib import import_module
from typing import Any


class KernelModule:
    """Stands for a module of `tritonflow.kernels` until an attribute of it is wanted.

    Args:
        name: of the module, such as "softmax" or "functions.arithmetic".
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        value = getattr(import_module(f"tritonflow.kernels.{self._name}"), attribute)
        setattr(self, attribute, value)
        return value
