"""Hooks of every module: called for each module's forward, backward or registration, before the hooks of the module itself.

Source: torch.nn.modules.module (register_module_forward_hook and the like).

Example:
    >>> import tritonflow as flow
    >>> names = []
    >>> with flow.nn.modules.module.register_module_forward_hook(lambda m, args, out: names.append(type(m).__name__)):
    ...     _ = flow.nn.Sequential(flow.nn.Identity())(flow.ones(1))
    >>> names
    ['Identity', 'Sequential']
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tritonflow.framework.hooks import HookTable, RemovableHandle, add_hook

# The hooks by kind. What calls of modules must look for is in `around_calls` as well.
around_calls = HookTable()
forward_pre_hooks = HookTable()
forward_hooks = HookTable()
forward_with_kwargs = HookTable()
forward_always_called = HookTable()
backward_pre_hooks = HookTable()
backward_hooks = HookTable()
parameter_hooks = HookTable()
buffer_hooks = HookTable()
module_hooks = HookTable()


def tables() -> list[HookTable]:
    """All of them."""
    return [table for table in globals().values() if isinstance(table, HookTable)]


def register_module_forward_pre_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """Call `hook(module, args)` before each forward of any module; it may return other arguments."""
    return add_hook(forward_pre_hooks, hook, also=(around_calls,))


def register_module_forward_hook(
    hook: Callable[..., Any], *, with_kwargs: bool = False, always_call: bool = False
) -> RemovableHandle:
    """Call `hook(module, args, output)` after each forward of any module; it may return another output.

    With `with_kwargs`, `hook(module, args, kwargs, output)`; with `always_call` also when the forward raises.
    """
    flags = ((forward_with_kwargs, with_kwargs), (forward_always_called, always_call), (around_calls, True))
    return add_hook(forward_hooks, hook, also=tuple([table for table, wanted in flags if wanted]))


def register_module_full_backward_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """Call `hook(module, grad_input, grad_output)` when the gradients of any module's inputs are known."""
    return add_hook(backward_hooks, hook, also=(around_calls,))


def register_module_backward_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """As `register_module_full_backward_hook`, which torch names beside this older one."""
    return register_module_full_backward_hook(hook)


def register_module_full_backward_pre_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """Call `hook(module, grad_output)` when the gradients of any module's outputs are known."""
    return add_hook(backward_pre_hooks, hook, also=(around_calls,))


def register_module_parameter_registration_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """Call `hook(module, name, parameter)` when a parameter is registered; it may return another one."""
    return add_hook(parameter_hooks, hook)


def register_module_buffer_registration_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """Call `hook(module, name, buffer)` when a buffer is registered; it may return another one."""
    return add_hook(buffer_hooks, hook)


def register_module_module_registration_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """Call `hook(module, name, child)` when a child module is registered; it may return another one."""
    return add_hook(module_hooks, hook)


def registered(hooks: HookTable, module: Any, name: str, value: Any) -> Any:
    """What is registered under a name after the hooks have seen it."""
    for hook in list(hooks.values()):
        changed = hook(module, name, value)
        value = value if changed is None else changed
    return value
