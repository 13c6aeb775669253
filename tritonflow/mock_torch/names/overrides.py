"""`torch.overrides`, beside `flow.overrides`."""

from __future__ import annotations

import contextlib
from typing import Any

from tritonflow.framework import function_modes
from tritonflow.overrides import TorchFunctionMode, has_torch_function_unary, has_torch_function_variadic  # noqa: F401
from tritonflow.thread_state import thread_state


class BaseTorchFunctionMode(TorchFunctionMode):
    """The mode that changes nothing."""

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return func(*args, **(kwargs or {}))


_pop_mode = function_modes.pop


def _push_mode(mode: TorchFunctionMode) -> None:
    mode.__enter__()


def _get_current_function_mode_stack() -> list[Any]:
    return list(thread_state.function_modes)


def _get_current_function_mode() -> Any:
    return thread_state.function_modes[-1] if thread_state.function_modes else None


def _no_mode() -> Any:
    return contextlib.nullcontext()


enable_reentrant_dispatch = _no_mode
