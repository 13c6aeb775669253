"""`torch._dynamo`: marks of torch.compile, most of which change nothing here."""

from __future__ import annotations

import contextlib
from typing import Any

from tritonflow.compiler import (  # noqa: F401
    allow_in_graph,
    assume_constant_result,
    disable,
    is_compiling,
    list_backends,
    nested_compile_region,
    reset,
    set_stance,
    substitute_in_graph,
)


def mark_dynamic(*args: Any, **options: Any) -> None:
    """Nothing: another shape is another capture."""


def mark_static(*args: Any, **options: Any) -> None:
    """Nothing: shapes are static."""


def mark_static_address(*args: Any, **options: Any) -> None:
    """Nothing."""


def maybe_mark_dynamic(*args: Any, **options: Any) -> None:
    """Nothing: another shape is another capture."""


def graph_break(msg: str = "") -> None:
    """Nothing: a capture goes on."""


def disallow_in_graph(fn: Any) -> Any:
    """The function itself."""
    return fn


def forbid_in_graph(fn: Any) -> Any:
    """The function itself."""
    return fn


def optimize(*args: Any, **options: Any) -> Any:
    """A decorator: `flow.compile`."""
    from tritonflow.mock_torch.names import compile

    return compile


def run(fn: Any = None) -> Any:
    """The function itself."""
    return fn


class _Config:
    """Settings that may be set, and change nothing."""

    def __init__(self) -> None:
        self.__dict__.update(suppress_errors=False, cache_size_limit=8, recompile_limit=8, capture_scalar_outputs=False)

    def patch(self, *args: Any, **options: Any) -> Any:
        """A block that changes nothing."""
        return contextlib.nullcontext()


config = _Config()
