"""`flow.compiler`: torch's names around compilation. A capture runs the function itself, so most marks change nothing here."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

from tritonflow.thread_state import thread_state

__all__ = [
    "allow_in_graph", "assume_constant_result", "compile", "constant", "cudagraph_mark_step_begin", "disable", "is_compiling",
    "is_dynamo_compiling", "is_exporting", "list_backends", "nested_compile_region", "reset", "set_stance",
    "substitute_in_graph", "wrap_numpy",
]  # fmt: skip


def is_compiling() -> bool:
    """Whether this thread captures a graph: code may then avoid Python that needs the value of a tensor.

    Example:
        >>> import tritonflow as flow
        >>> flow.compiler.is_compiling()
        False
    """
    return thread_state.observer.is_capturing


is_dynamo_compiling = is_compiling


def is_exporting() -> bool:
    """Whether a model is being exported: never."""
    return False


def compile(model: Callable[..., Any] | None = None, **options: Any) -> Any:
    """`flow.compile`."""
    from tritonflow.graph import compile as flow_compile

    return flow_compile(**options) if model is None else flow_compile(model, **options)


def constant(value: Any) -> Any:
    """The value, which a captured program may take to be what it is now in all calls.

    What gives something else in each call, such as `random.random()` or `time.time()`, is not captured: the function runs in eager
    mode, with a warning. `constant` around the call says that its value at the capture is meant.

    Example:
        >>> import random
        >>> import tritonflow as flow
        >>> f = flow.compile(lambda x: x * flow.compiler.constant(random.random()))
        >>> bool(f(flow.ones(1)) == f(flow.ones(1)))
        True
    """
    thread_state.observer.take_for_constant()
    return value


def disable(fn: Callable[..., Any] | None = None, recursive: bool = True, *, reason: str | None = None) -> Any:
    """The function itself, or a decorator. A capture follows calls; Python that it cannot follow is an error with its line."""
    return _unchanged if fn is None else fn


def allow_in_graph(fn: Any) -> Any:
    """The function itself, or the functions: every function is allowed."""
    return fn


def assume_constant_result(fn: Callable[..., Any]) -> Callable[..., Any]:
    """The function itself: what it returns in a capture, and is no tensor, is constant anyway."""
    return fn


def nested_compile_region(fn: Callable[..., Any] | None = None, **options: Any) -> Any:
    """The function itself, or a decorator."""
    return _unchanged if fn is None else fn


def substitute_in_graph(original_fn: Callable[..., Any], **options: Any) -> Callable[[Any], Any]:
    """A decorator that returns its function: captures call the original one."""
    return _unchanged


def wrap_numpy(fn: Callable[..., Any]) -> Callable[..., Any]:
    """Refused: arrays of NumPy inside a graph would be computed by NumPy.

    Raises:
        NotImplementedError: always.
    """
    raise NotImplementedError(
        "wrap_numpy(): NumPy's arrays cannot be part of a graph; help: write the function with tensors of tritonflow"
    )


def reset() -> None:
    """Nothing: what is compiled is stored with its function, and forgotten with it."""


def list_backends(exclude_tags: Any = ()) -> list[str]:
    """The backends of `compile`: one.

    Example:
        >>> import tritonflow as flow
        >>> flow.compiler.list_backends()
        ['tritonflow']
    """
    return ["tritonflow"]


def cudagraph_mark_step_begin() -> None:
    """Nothing: results of a CUDA graph have memory of their own."""


@contextlib.contextmanager
def _stance() -> Iterator[None]:
    yield


def set_stance(stance: str = "default", **options: Any) -> Any:
    """Accepted for "default"; a block in which nothing is compiled does not exist.

    Raises:
        NotImplementedError: another stance.
    """
    if stance != "default":
        raise NotImplementedError(
            f"set_stance({stance!r}): only 'default' exists; help: call the function that was not compiled"
        )
    return _stance()


def _unchanged(fn: Any) -> Any:
    return fn
