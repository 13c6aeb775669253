"""What Triton knows of a `@triton.jit` function."""

from __future__ import annotations

from typing import Any

from .internals import JITCallable, knobs


def is_jit_function(value: object) -> bool:
    """Whether a value is a function of `@triton.jit`."""
    return isinstance(value, JITCallable)


def function_key(fn: Any) -> str:
    """Changes when the source of `fn`, of a function it calls, or a global constexpr it reads changes."""
    return str(fn.cache_key)


def asserts(fn: Any) -> bool:
    """Whether Triton keeps the assertions of a function: `triton.jit(debug=True)` or TRITON_DEBUG."""
    return bool(getattr(fn, "debug", False) or knobs.runtime.debug)
