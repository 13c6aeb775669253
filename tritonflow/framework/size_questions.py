"""What is asked of sizes that may be symbolic: by one decision, without a guard, or each time anew."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from functools import lru_cache, wraps
from typing import Any, TypeVar

from tritonflow.framework.symbolic_int import SymbolicInt, at_numbers, context_of


def decided(question: Any, values: Any, decision: Callable[[], Any], by_questions: bool = False) -> Any:
    """What a decision about values gives; where some are symbolic, the program depends on that alone.

    Args:
        question: the same for decisions that are the same.
        values: all symbols of what it depends on are in these.
        by_questions: see `SizeContext.decide`.
    """
    context = context_of(values)
    return decision() if context is None else context.decide(question, values, decision, by_questions)


@contextmanager
def unguarded(values: Any) -> Iterator[None]:
    """A block that may ask of symbolic integers among the values without a guard: what it finds out changes no result."""
    context = context_of(values)
    if context is None:
        yield
    else:
        with context.asking({}):
            yield


@contextmanager
def taking_many(values: Any) -> Iterator[None]:
    """A block that takes counts among the values which may be 0 or 1 to be more; see `SizeContext.taking_many`."""
    context = context_of(values)
    with nullcontext() if context is None else context.taking_many():
        yield


def at_hints(value: Any) -> Any:
    """A value, or a nested one, with the hints of its symbolic integers."""
    context = context_of(value)
    return value if context is None else at_numbers(value, context.hints)


F = TypeVar("F", bound=Callable[..., Any])


def kept(function: F) -> F:
    """A decorator: what a function gives for some numbers is kept. Of symbolic ones it is asked each time, as that asks guards."""
    cached = lru_cache(maxsize=4096)(function)

    @wraps(function)
    def call(*args: Any) -> Any:
        shapes = [(*each.shape, *each.stride) if hasattr(each, "stride") else each for each in args]
        return cached(*args) if context_of(shapes) is None else function(*args)

    return call  # type: ignore[return-value]


def slice_indices(bounds: slice, n: Any) -> tuple[Any, Any, Any]:
    """`bounds.indices(n)` of a slice with a positive step, whose numbers may be symbolic."""
    if type(n) is int and type(bounds.start) is not SymbolicInt and type(bounds.stop) is not SymbolicInt:
        return bounds.indices(n)
    return _within(bounds.start, 0, n), _within(bounds.stop, n, n), 1 if bounds.step is None else bounds.step


def _within(bound: Any, default: Any, n: Any) -> Any:
    if bound is None:
        return default
    if bound < 0:
        bound = bound + n
        return bound if bound >= 0 else 0
    return bound if bound <= n else n
