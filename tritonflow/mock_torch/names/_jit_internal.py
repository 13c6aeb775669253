"""`torch._jit_internal`: marks of TorchScript."""

from __future__ import annotations

from typing import Any, Final  # noqa: F401

from tritonflow.jit import export, ignore, interface, is_scripting, unused  # noqa: F401


def _overload(func: Any) -> Any:
    return func


def _overload_method(func: Any) -> Any:
    return func


def _copy_to_script_wrapper(fn: Any) -> Any:
    return fn


def is_tracing() -> bool:
    """No."""
    return False


def boolean_dispatch(
    arg_name: str, arg_index: int, default: bool, if_true: Any, if_false: Any, module_name: str, func_name: str
) -> Any:
    """A function that calls one of two by a boolean argument."""

    def chosen(*args: Any, **options: Any) -> Any:
        flag = options.get(arg_name, args[arg_index] if len(args) > arg_index else default)
        return (if_true if flag else if_false)(*args, **options)

    return chosen
