"""Whether ops are recorded for backward, per thread: `no_grad`, `enable_grad`, `set_grad_enabled`, `inference_mode`."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

from tritonflow.thread_state import thread_state

F = TypeVar("F", bound=Callable[..., Any])


def is_grad_enabled() -> bool:
    """Whether ops are recorded for backward in this thread."""
    return thread_state.grad_enabled


def is_inference_mode_enabled() -> bool:
    """Whether this thread is in inference mode."""
    return thread_state.inference


class _GradMode:
    """A scope, also usable as a decorator, in which grad mode has a given value."""

    enabled = True

    def __enter__(self) -> None:
        self._saved = thread_state.grad_enabled, thread_state.inference
        self._enter()

    def _enter(self) -> None:
        thread_state.grad_enabled = self.enabled and not thread_state.inference

    def __exit__(self, *error: object) -> None:
        thread_state.grad_enabled, thread_state.inference = self._saved

    def _clone(self) -> _GradMode:
        return self.__class__()

    def __call__(self, function: F) -> F:
        @functools.wraps(function)
        def wrapped(*args: Any, **kwargs: Any) -> Any:
            with self._clone():
                return function(*args, **kwargs)

        return wrapped  # type: ignore[return-value]


class no_grad(_GradMode):
    """Do not record ops for backward.

    Example:
        >>> import tritonflow as flow
        >>> x = flow.ones(2, requires_grad=True)
        >>> with flow.no_grad():
        ...     y = x * 2
        >>> y.requires_grad
        False
    """

    enabled = False

    def __new__(cls, function: Any = None) -> Any:
        self = super().__new__(cls)
        return self if function is None else self(function)


class enable_grad(no_grad):
    """Record ops for backward, also inside `no_grad`."""

    enabled = True


class set_grad_enabled(_GradMode):
    """Record ops for backward or not, by a flag; takes effect at once and is undone when used as a scope.

    Args:
        mode: whether to record.
    """

    def __init__(self, mode: bool) -> None:
        self.enabled = bool(mode)
        self._before = thread_state.grad_enabled, thread_state.inference
        self._enter()

    def __enter__(self) -> None:
        self._saved = self._before
        self._enter()

    def _clone(self) -> _GradMode:
        return set_grad_enabled(self.enabled)

    def __call__(self, function: F) -> F:
        thread_state.grad_enabled, thread_state.inference = self._before
        return super().__call__(function)


class inference_mode(_GradMode):
    """`no_grad` that cannot be switched back inside: `enable_grad` has no effect.

    Args:
        mode: whether to enter it.
    """

    def __init__(self, mode: bool = True) -> None:
        self.enabled = bool(mode)

    def _enter(self) -> None:
        thread_state.inference = self.enabled
        thread_state.grad_enabled = not self.enabled

    def _clone(self) -> _GradMode:
        return inference_mode(self.enabled)
