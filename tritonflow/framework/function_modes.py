"""Modes of `__torch_function__`: in a block of one, each function of tensors is first a call of the mode.

A call pays nothing for that where no mode is entered. The first one that is entered exchanges the code of the functions
themselves (`function.__code__`), which whoever imported them calls; behind the last one they have their own again. Other threads
take the way over the exchanged code meanwhile, and find no mode of theirs.

Source: torch.overrides, torch/csrc/utils/python_arg_parser.cpp (handle_torch_function_no_python_arg_parser).
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Iterable
from types import CodeType, FunctionType
from typing import Any

from tritonflow.errors import ArgumentTypeError
from tritonflow.framework.function_overrides import call, overriding
from tritonflow.thread_state import thread_state

Functions = Callable[[], Iterable[tuple[FunctionType, Any]]]
Exchanged = tuple[FunctionType, CodeType, CodeType]

_lock = threading.Lock()
_entered = 0  # modes, over all threads
_exchanged: list[Exchanged] = []  # the functions, each with the code that asks and with its own


def push(mode: Any, functions: Functions) -> None:
    """Enter a mode: the innermost of this thread.

    Args:
        mode: the mode.
        functions: gives the functions of tensors, and what a mode is told that was called.
    """
    global _entered
    thread_state.observer.forbid("a mode of __torch_function__ cannot be entered in a captured program: enter it around the call")
    with _lock:
        if not _exchanged:
            _exchanged.extend({f: (f, _asking_code(f, func), f.__code__) for f, func in functions()}.values())
        if not _entered:
            for function, asking, _ in _exchanged:
                function.__code__ = asking
        _entered += 1
    thread_state.function_modes = (*thread_state.function_modes, mode)
    thread_state.uncaptured += 1


def pop() -> Any:
    """Leave the innermost mode."""
    global _entered
    *outer, mode = thread_state.function_modes
    thread_state.function_modes = tuple(outer)
    thread_state.uncaptured -= 1
    with _lock:
        _entered -= 1
        if not _entered:
            for function, _, own in _exchanged:
                function.__code__ = own
    return mode


def _ask(original: Callable[..., Any], func: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A call of `func`, which is made known as `original`: the innermost mode's, from where the outer ones are asked."""
    modes = thread_state.function_modes
    if not modes:
        return original(*args, **kwargs)
    found = overriding((*args, *kwargs.values()))
    thread_state.function_modes = modes[:-1]
    try:
        result = modes[-1].__torch_function__(func, tuple(map(type, found)), args, kwargs)
        if result is NotImplemented and found:
            result = call(func, found, args, kwargs)
    finally:
        thread_state.function_modes = modes
    if result is NotImplemented and func.__name__[:2] != "__":
        name = func.__name__
        raise ArgumentTypeError(f"Multiple dispatch failed for '{name}'; the mode {modes[-1]!r} returned NotImplemented")
    return result


# ----------------------------------------------------------------------------------------------------- exchanging code


def _template(*args: Any, **kwargs: Any) -> Any:
    ask: Any = "what asks"
    return ask(args, kwargs)


def _asking_code(function: FunctionType, func: Callable[..., Any]) -> CodeType:
    own = function.__code__
    original = FunctionType(own, function.__globals__, function.__name__, function.__defaults__, function.__closure__)
    original.__kwdefaults__ = function.__kwdefaults__
    ask, template = functools.partial(_ask, original, func), _template.__code__
    constants = tuple([ask if value == "what asks" else value for value in template.co_consts])
    return template.replace(co_consts=constants, co_name=own.co_name, co_freevars=own.co_freevars)
