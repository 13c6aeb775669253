"""Whether ops are recorded for backward, per thread: `no_grad`, `enable_grad`, `set_grad_enabled`, `inference_mode`."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Generator
from typing import TYPE_CHECKING, Any, TypeVar, overload

from tritonflow.interpreter.grad_node import anomaly
from tritonflow.thread_state import thread_state

if TYPE_CHECKING:
    from typing_extensions import Self

F = TypeVar("F", bound=Callable[..., Any])


def is_grad_enabled() -> bool:
    """Whether ops are recorded for backward in this thread.

    Source: torch.is_grad_enabled.

    Example:
        >>> import tritonflow as flow
        >>> with flow.no_grad():
        ...     flow.is_grad_enabled()
        False
        >>> flow.is_grad_enabled()
        True
    """
    return thread_state.grad_enabled and not thread_state.only_tangents


def is_inference_mode_enabled() -> bool:
    """Whether this thread is in inference mode.

    Source: torch.is_inference_mode_enabled.

    Example:
        >>> import tritonflow as flow
        >>> with flow.inference_mode():
        ...     flow.is_inference_mode_enabled()
        True
    """
    return thread_state.inference


def _state() -> tuple[bool, bool, bool]:
    return thread_state.grad_enabled, thread_state.inference, thread_state.only_tangents


def _restore(state: tuple[bool, bool, bool]) -> None:
    thread_state.grad_enabled, thread_state.inference, only_tangents = state
    if only_tangents is not thread_state.only_tangents:
        thread_state.only_tangents = only_tangents
        anomaly.count_scope(1 if only_tangents else -1)


def _change(enabled: bool, inference: bool) -> None:
    """Record or not. Where tangents are computed of what is recorded, `no_grad` keeps it for them (docs/design/autograd.md)."""
    only_tangents = thread_state.tangent_scopes > 0 and not enabled and not inference
    _restore(((enabled or only_tangents) and not inference, inference, only_tangents))


class _GradMode:
    """A scope, also usable as a decorator, in which grad mode has a given value."""

    enabled = True

    def __enter__(self) -> None:
        self._saved = _state()
        self._enter()

    def _enter(self) -> None:
        _change(self.enabled, thread_state.inference)

    def __exit__(self, *error: object) -> None:
        _restore(self._saved)

    def _clone(self) -> _GradMode:
        return self.__class__()

    def __call__(self, function: F) -> F:
        if inspect.isgeneratorfunction(function):
            return _generator_within(self._clone, function)  # type: ignore[return-value]

        @functools.wraps(function)
        def wrapped(*args: Any, **kwargs: Any) -> Any:
            with self._clone():
                return function(*args, **kwargs)

        return wrapped  # type: ignore[return-value]


def _generator_within(scope: Callable[[], _GradMode], function: Callable[..., Any]) -> Callable[..., Any]:
    """The generator function, whose code runs in the scope. What its caller does between two values does not, as in torch."""

    @functools.wraps(function)
    def wrapped(*args: Any, **kwargs: Any) -> Generator[Any, Any, Any]:
        generator = function(*args, **kwargs)
        step: Callable[[], Any] = functools.partial(next, generator)
        while True:
            try:
                with scope():
                    value = step()
            except StopIteration as end:
                return end.value
            try:
                step = functools.partial(generator.send, (yield value))
            except GeneratorExit:
                with scope():
                    generator.close()
                raise
            except BaseException as error:
                step = functools.partial(generator.throw, error)

    return wrapped


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

    @overload
    def __new__(cls) -> Self: ...
    @overload
    def __new__(cls, function: F) -> F: ...  # type: ignore[misc]
    def __new__(cls, function: Any = None) -> Any:
        self = super().__new__(cls)
        return self if function is None else self(function)


class enable_grad(no_grad):
    """Record ops for backward, also inside `no_grad`."""

    enabled = True


class for_tangents(enable_grad):
    """Record ops for tangents, also inside `no_grad`: what that hides from backward has tangents, as in torch."""

    def __enter__(self) -> None:
        thread_state.tangent_scopes += 1
        thread_state.uncaptured += 1
        super().__enter__()

    def __exit__(self, *error: object) -> None:
        thread_state.tangent_scopes -= 1
        thread_state.uncaptured -= 1
        super().__exit__(*error)


class set_grad_enabled(_GradMode):
    """Record ops for backward or not, by a flag; takes effect at once and is undone when used as a scope.

    Args:
        mode: whether to record.
    """

    def __init__(self, mode: bool) -> None:
        self.enabled = bool(mode)
        self._before = _state()
        self._enter()

    def __enter__(self) -> None:
        self._saved = self._before
        self._enter()

    def _clone(self) -> _GradMode:
        return set_grad_enabled(self.enabled)

    def __call__(self, function: F) -> F:
        _restore(self._before)
        return super().__call__(function)


class inference_mode(_GradMode):
    """`no_grad` that cannot be switched back inside: `enable_grad` has no effect.

    Args:
        mode: whether to enter it.
    """

    @overload
    def __new__(cls, mode: bool = True) -> Self: ...
    @overload
    def __new__(cls, mode: F) -> F: ...  # type: ignore[misc]
    def __new__(cls, mode: Any = True) -> Any:
        return cls()(mode) if inspect.isroutine(mode) else super().__new__(cls)

    def __init__(self, mode: bool = True) -> None:
        self.enabled = bool(mode)

    def _enter(self) -> None:
        _change(not self.enabled, self.enabled)

    def _clone(self) -> _GradMode:
        return inference_mode(self.enabled)
