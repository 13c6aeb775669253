"""`flow.compiler`: torch's names around compilation. A capture runs the function itself, so most marks change nothing here."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

from tritonflow.thread_state import thread_state

__all__ = [
    "allow_in_graph", "assume_constant_result", "compile", "constant", "cudagraph_mark_step_begin", "disable", "is_compiling",
    "get_default_backend", "is_dynamo_compiling", "is_exporting", "list_backends", "load_cache_artifacts", "nested_compile_region",
    "reset", "save_cache_artifacts", "set_default_backend", "set_enable_guard_collectives", "set_stance", "substitute_in_graph",
    "wrap_numpy",
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


def list_backends(exclude_tags: Any = ("debug", "experimental")) -> list[str]:
    """The names that `flow.compile` takes for its backend.

    Args:
        exclude_tags: with "debug" among them, those are left out that compile nothing.

    Example:
        >>> import tritonflow as flow
        >>> flow.compiler.list_backends(), flow.compiler.list_backends(())
        (['inductor', 'tritonflow'], ['aot_eager', 'eager', 'inductor', 'tritonflow'])
    """
    from tritonflow.graph.api.compile_options import BACKENDS

    return sorted(name for name, compiles in BACKENDS.items() if compiles or "debug" not in (exclude_tags or ()))


def set_default_backend(backend: str | None) -> None:
    """Choose the backend of calls of `flow.compile` that name none.

    Args:
        backend: a name of `list_backends(())`; None is "inductor" again.

    Raises:
        RuntimeError: an unknown name, or a function.

    Source: torch.compiler.set_default_backend.

    Example:
        >>> import tritonflow as flow
        >>> flow.compiler.set_default_backend("eager")
        >>> flow.compile(abs) is abs
        True
        >>> flow.compiler.set_default_backend(None)
        >>> flow.compiler.get_default_backend()
        'inductor'
    """
    from tritonflow.graph.api.compile_options import set_default_backend as set_default

    set_default(backend)


def get_default_backend() -> str:
    """The backend of calls of `flow.compile` that name none."""
    from tritonflow.graph.api.compile_options import default_backend

    return default_backend()


def save_cache_artifacts() -> None:
    """Nothing to save: what is compiled lies on disk already, where other processes find it; docs/design/disk_caches.md."""


def load_cache_artifacts(serialized_artifacts: bytes) -> None:
    """Nothing to load; see `save_cache_artifacts`."""


def set_enable_guard_collectives(enabled: bool) -> bool:
    """Noted; each rank has the same Python, and finds by itself which program to run. Gives what it was before."""
    before, _guard_collectives[0] = _guard_collectives[0], bool(enabled)
    return before


_guard_collectives = [False]


def cudagraph_mark_step_begin() -> None:
    """Nothing: results of a CUDA graph have memory of their own."""


def set_stance(stance: str = "default", *, skip_guard_eval_unsafe: bool = False, force_backend: str | None = None) -> Any:
    """Choose whether compiled functions run as programs in this thread: from now on, or in a block or function.

    Args:
        stance: "default", or "force_eager": they run in eager mode.
        skip_guard_eval_unsafe: changes nothing: guards are always compared.
        force_backend: refused.

    Raises:
        NotImplementedError: another stance, or a backend.

    Source: torch.compiler.set_stance.

    Example:
        >>> import tritonflow as flow
        >>> f = flow.compile(lambda x: x + 1)
        >>> with flow.compiler.set_stance("force_eager"):
        ...     y = f(flow.ones(1))
        >>> f.captures()
        []
    """
    if force_backend is not None:
        raise NotImplementedError("set_stance(): 'force_backend' does not exist; help: set_default_backend() before compile()")
    if stance not in ("default", "force_eager"):
        raise NotImplementedError(
            f"set_stance({stance!r}): only 'default' and 'force_eager' exist; help: call the function that was not compiled"
        )
    return _Stance(stance)


class _Stance(contextlib.ContextDecorator):
    """A stance, taken when it is made. Behind a block there is again what was before; as a decorator it is for calls alone."""

    def __init__(self, stance: str) -> None:
        self._stance, self._before = stance, thread_state.forced_eager
        self._take(stance == "force_eager")

    @staticmethod
    def _take(forced: bool) -> None:
        thread_state.uncaptured += forced - thread_state.forced_eager
        thread_state.forced_eager = forced

    def __call__(self, func: Any) -> Any:
        self._take(self._before)
        return super().__call__(func)

    def _recreate_cm(self) -> _Stance:
        return _Stance(self._stance)

    def __enter__(self) -> None: ...

    def __exit__(self, *error: object) -> None:
        self._take(self._before)


def _unchanged(fn: Any) -> Any:
    return fn
