"""`torch.overrides`: no class of tensors here replaces functions (`__torch_function__` is never called)."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

from tritonflow.errors import NotYetImplementedError


def has_torch_function(relevant_args: Any) -> bool:
    """No."""
    return False


def has_torch_function_unary(obj: Any) -> bool:
    """No."""
    return False


def has_torch_function_variadic(*args: Any) -> bool:
    """No."""
    return False


def handle_torch_function(public_api: Any, relevant_args: Any, *args: Any, **kwargs: Any) -> Any:
    """Call the function itself."""
    return public_api(*args, **kwargs)


def is_tensor_like(inp: Any) -> bool:
    """Whether it is a tensor."""
    import tritonflow as flow

    return isinstance(inp, flow.Tensor)


def get_ignored_functions() -> set[Callable[..., Any]]:
    """None that would be handed to `__torch_function__` otherwise."""
    return set()


def get_overridable_functions() -> dict[Any, list[Callable[..., Any]]]:
    """None: `__torch_function__` is never called."""
    return {}


def wrap_torch_function(dispatcher: Callable[..., Any]) -> Callable[..., Any]:
    """A decorator that returns its function."""
    return lambda function: function


class TorchFunctionMode:
    """A mode that would see every call; entering one is refused."""

    def __enter__(self) -> Any:
        raise NotYetImplementedError(
            f"{type(self).__name__}: modes of __torch_function__ are not in tritonflow; help: for dtypes and devices there are"
            " set_default_dtype() and `with torch.device(...)`"
        )

    def __exit__(self, *error: object) -> None:
        return None


def _no_mode() -> Any:
    return contextlib.nullcontext()


enable_reentrant_dispatch = _no_mode
