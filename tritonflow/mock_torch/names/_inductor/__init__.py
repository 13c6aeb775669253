"""`torch._inductor`: settings of a compiler that is not here."""

from __future__ import annotations

import contextlib
from typing import Any


def cudagraph_mark_step_begin() -> None:
    """Nothing: results of a CUDA graph have memory of their own."""


def list_mode_options(mode: str | None = None, dynamic: bool | None = None) -> dict[str, Any]:
    """What the modes of `torch.compile` set: those whose setting means something here."""
    tuned = {"max_autotune": True, "coordinate_descent_tuning": True}
    cudagraphs = {"triton.cudagraphs": True}
    modes: dict[str, dict[str, bool]] = {
        "default": {}, "reduce-overhead": cudagraphs, "max-autotune-no-cudagraphs": tuned, "max-autotune": {**tuned, **cudagraphs},
    }  # fmt: skip
    return modes[mode] if mode else modes


def list_options() -> list[str]:
    """The options of `torch.compile` that mean something here."""
    from tritonflow.graph.api.compile_options import OPTIONS

    return list(OPTIONS)


class _Config:
    """Settings that may be set, also those of their parts, and change nothing."""

    def patch(self, *args: Any, **options: Any) -> Any:
        """A block, or a decorator, that changes nothing."""
        return _Nothing()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        part = self.__dict__[name] = _Config()
        return part


class _Nothing(contextlib.ContextDecorator):
    """A block, or a decorator, that changes nothing."""

    def __enter__(self) -> None: ...

    def __exit__(self, *error: object) -> None: ...


config = _Config()
