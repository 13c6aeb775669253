"""`torch._inductor`: settings of a compiler that is not here."""

from __future__ import annotations

import contextlib
from typing import Any


def cudagraph_mark_step_begin() -> None:
    """Nothing: results of a CUDA graph have memory of their own."""


class _Config:
    """Settings that may be set, also those of their parts, and change nothing."""

    def patch(self, *args: Any, **options: Any) -> Any:
        """A block that changes nothing."""
        return contextlib.nullcontext()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        part = self.__dict__[name] = _Config()
        return part


config = _Config()
