"""`flow.jit`: TorchScript's names, for programs that mark or script their functions. Functions stay Python.

`script` and `trace` return what they are given: the result is the same, computed op by op. `flow.compile` makes it fast.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any, Final

from tritonflow.errors import NotYetImplementedError
from tritonflow.nn import Module

__all__ = [
    "Attribute", "Final", "ScriptFunction", "ScriptModule", "annotate", "enable_onednn_fusion", "export", "fork", "freeze",
    "fuser", "ignore", "interface", "is_scripting", "is_tracing", "isinstance", "load", "onednn_fusion_enabled",
    "optimize_for_inference", "optimized_execution", "run_frozen_optimizations", "save", "script", "script_if_tracing",
    "script_method", "set_fusion_strategy", "strict_fusion", "trace", "trace_module", "unused", "wait",
]  # fmt: skip


class ScriptModule(Module):
    """A module. Nothing makes one; programs ask whether theirs is one, or derive from it."""


class ScriptFunction:
    """The class of scripted functions. Nothing makes one: a scripted function is the function itself."""


def script(obj: Any, *args: Any, **options: Any) -> Any:
    """The function, class or module itself.

    Example:
        >>> import tritonflow as flow
        >>> @flow.jit.script
        ... def twice(x: flow.Tensor) -> flow.Tensor:
        ...     return x + x
        >>> twice(flow.ones(2)).tolist()
        [2.0, 2.0]
    """
    return obj


def trace(func: Any = None, example_inputs: Any = None, *args: Any, **options: Any) -> Any:
    """The function or module itself, or a decorator; it runs its Python at each call."""
    return _unchanged if func is None else func


def trace_module(mod: Module, inputs: Any, *args: Any, **options: Any) -> Module:
    """The module itself."""
    return mod


def ignore(drop: Any = False, **options: Any) -> Any:
    """The function itself, or a decorator."""
    return drop if callable(drop) else _unchanged


def unused(fn: Any) -> Any:
    """The function itself."""
    return fn


def export(fn: Any) -> Any:
    """The function itself."""
    return fn


def interface(obj: Any) -> Any:
    """The class itself."""
    return obj


def script_method(fn: Any) -> Any:
    """The method itself."""
    return fn


def script_if_tracing(fn: Any) -> Any:
    """The function itself."""
    return fn


def is_scripting() -> bool:
    """Whether TorchScript runs the function: never.

    Example:
        >>> import tritonflow as flow
        >>> flow.jit.is_scripting()
        False
    """
    return False


def is_tracing() -> bool:
    """Whether a trace is being made: never; `flow.compiler.is_compiling` tells of captures."""
    return False


def annotate(the_type: Any, the_value: Any) -> Any:
    """The value."""
    return the_value


class Attribute(tuple[Any, ...]):
    """A value and its type."""

    value = property(lambda self: self[0])
    type = property(lambda self: self[1])

    def __new__(cls, value: Any, type: Any) -> Attribute:
        return super().__new__(cls, (value, type))


def isinstance(obj: Any, target_type: Any) -> bool:
    """Python's `isinstance`; of a type such as `list[int]` its class counts."""
    import builtins
    import typing

    types: Any = target_type if builtins.isinstance(target_type, tuple) else (target_type,)
    classes: Any = tuple([typing.get_origin(each) or each for each in types])
    return builtins.isinstance(obj, classes)


def freeze(mod: Module, preserved_attrs: Any = None, optimize_numerics: bool = True) -> Module:
    """The module itself."""
    return mod


def optimize_for_inference(mod: Module, other_methods: Any = None) -> Module:
    """The module itself."""
    return mod


def run_frozen_optimizations(mod: Module, *args: Any, **options: Any) -> None:
    """Nothing."""


def fork(func: Callable[..., Any], *args: Any, **options: Any) -> Any:
    """Call the function now; `wait` gives its result."""
    return func(*args, **options)


def wait(future: Any) -> Any:
    """What `fork` returned."""
    return future


def set_fusion_strategy(strategy: Any) -> Any:
    """Accepted: nothing is fused in eager mode."""
    return strategy


def enable_onednn_fusion(enabled: bool) -> None:
    """Accepted: there is no oneDNN here."""


def onednn_fusion_enabled() -> bool:
    """No."""
    return False


@contextlib.contextmanager
def _block() -> Iterator[None]:
    yield


def fuser(name: str) -> Any:
    """A block that changes nothing."""
    return _block()


def optimized_execution(should_optimize: bool) -> Any:
    """A block that changes nothing."""
    return _block()


def strict_fusion() -> Any:
    """A block that changes nothing."""
    return _block()


def save(m: Any, f: Any, _extra_files: Any = None) -> None:
    """Refused: a TorchScript file holds a program, and nothing here writes one.

    Raises:
        NotImplementedError: always.
    """
    raise NotYetImplementedError(
        "jit.save(): nothing writes TorchScript files; help: flow.save(model.state_dict(), path)"
    )


def load(f: Any, map_location: Any = None, _extra_files: Any = None) -> Any:
    """Refused: a TorchScript file holds a program, and nothing here runs one.

    Raises:
        NotImplementedError: always.
    """
    raise NotYetImplementedError(
        "jit.load(): nothing runs TorchScript files; help: save the model's state_dict() with torch, and load it with flow.load()"
    )


def _unchanged(fn: Any) -> Any:
    return fn
