"""`torch.utils`."""

from __future__ import annotations

from typing import Any


def set_module(obj: Any, mod: str) -> None:
    """Say that an object is of another module."""
    if not isinstance(mod, str):
        raise TypeError("The mod argument should be a string")
    obj.__module__ = mod


def generate_methods_for_privateuse1_backend(*args: Any, **options: Any) -> None:
    """Nothing: there are no such devices."""


def rename_privateuse1_backend(name: str) -> None:
    """Nothing: there are no such devices."""
