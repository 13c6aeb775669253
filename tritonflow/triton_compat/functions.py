"""What Triton knows of a `@triton.jit` function."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from .internals import JITCallable, knobs


def is_jit_function(value: object) -> bool:
    """Whether a value is a function of `@triton.jit`."""
    return isinstance(value, JITCallable)


def function_key(fn: Any) -> str:
    """Changes when the source of `fn`, of a function it calls, or a global constexpr it reads changes."""
    return str(fn.cache_key)


def kernel_title(fn: Any, constexprs: Mapping[Any, Any]) -> str:
    """A kernel for people: its function, and the functions that it is given as constexprs."""
    given = [value.__name__ for value in constexprs.values() if is_jit_function(value)]
    return f"{fn.__name__}[{', '.join(given)}]" if given else str(fn.__name__)


def flat_types(types: Iterable[Any]) -> Iterator[str]:
    """The types of run-time arguments: tuples flattened, constexprs left out."""
    for type_ in types:
        if isinstance(type_, (tuple, list)):
            yield from flat_types(type_)
        elif type_ != "constexpr":
            yield type_


def asserts(fn: Any) -> bool:
    """Whether Triton keeps the assertions of a function: `triton.jit(debug=True)` or TRITON_DEBUG."""
    return bool(getattr(fn, "debug", False) or knobs.runtime.debug)
