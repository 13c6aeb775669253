"""What all initial values have in common: they are written without a gradient, and a thread may skip them."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from tritonflow.interpreter.grad_mode import no_grad

F = TypeVar("F", bound=Callable[..., Any])


class _Skipping(threading.local):
    """Whether this thread leaves parameters as they are."""

    active = False


_skipping = _Skipping()


@contextmanager
def skipped() -> Iterator[None]:
    """A block in which the functions of nn.init return their tensor as it is: for modules that are given values at once."""
    before, _skipping.active = _skipping.active, True
    try:
        yield
    finally:
        _skipping.active = before


def without_grad(function: F) -> F:
    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        if _skipping.active:
            return args[0] if args else kwargs["tensor"]
        with no_grad():
            return function(*args, **kwargs)

    return wrapper  # type: ignore[return-value]
