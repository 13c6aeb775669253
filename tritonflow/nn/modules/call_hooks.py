"""The hooks of one module, around its calls; those of every module are in global_hooks.py."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tritonflow.framework.hooks import HookTable, RemovableHandle, add_hook
from tritonflow.nn import global_hooks
from tritonflow.nn.hooks import BackwardHooks


class ModuleCallHooks:
    """The part of Module that deals with hooks before and after its forward and its backward."""

    forward: Callable[..., Any]
    _forward_pre_hooks: HookTable
    _forward_hooks: HookTable
    _forward_with_kwargs: HookTable
    _forward_always_called: HookTable
    _backward_hooks: HookTable
    _backward_pre_hooks: HookTable

    def _call_with_hooks(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        called: set[int] = set()
        try:
            args, kwargs = self._run_forward_pre_hooks(args, kwargs)
            backward = None
            hooks = [*global_hooks.backward_hooks.values(), *self._backward_hooks.values()]
            pre_hooks = [*global_hooks.backward_pre_hooks.values(), *self._backward_pre_hooks.values()]
            if hooks or pre_hooks:
                backward = BackwardHooks(self, hooks, pre_hooks)
                args = backward.enter(args)
            result = self.forward(*args, **kwargs)
            for key, hook in [*global_hooks.forward_hooks.items(), *self._forward_hooks.items()]:
                called.add(key)
                result = self._run_forward_hook(key, hook, args, kwargs, result)
            return result if backward is None else backward.leave(result)
        except Exception:
            hooks_of_any = {**global_hooks.forward_hooks, **self._forward_hooks}
            for key in [*global_hooks.forward_always_called, *self._forward_always_called]:
                if key not in called and key in hooks_of_any:
                    self._run_forward_hook(key, hooks_of_any[key], args, kwargs, None)
            raise

    def _run_forward_pre_hooks(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        for key, hook in [*global_hooks.forward_pre_hooks.items(), *self._forward_pre_hooks.items()]:
            if key in self._forward_with_kwargs:
                changed = hook(self, args, kwargs)
                if changed is not None:
                    if not (isinstance(changed, tuple) and len(changed) == 2):
                        raise RuntimeError(
                            "forward pre-hook must return None or a tuple of (new_args, new_kwargs), "
                            f"but got {changed}."
                        )
                    args, kwargs = changed
            else:
                changed = hook(self, args)
                if changed is not None:
                    args = changed if isinstance(changed, tuple) else (changed,)
        return args, kwargs

    def _run_forward_hook(
        self, key: int, hook: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], result: Any
    ) -> Any:
        with_kwargs = key in self._forward_with_kwargs or key in global_hooks.forward_with_kwargs
        changed = hook(self, args, kwargs, result) if with_kwargs else hook(self, args, result)
        return result if changed is None else changed

    def register_forward_pre_hook(
        self, hook: Callable[..., Any], *, prepend: bool = False, with_kwargs: bool = False
    ) -> RemovableHandle:
        """Call `hook(module, args)` before each forward; what it returns, if not None, replaces the arguments.

        With `with_kwargs`, `hook(module, args, kwargs)`, which returns None or `(args, kwargs)`.
        """
        also = (self._forward_with_kwargs,) if with_kwargs else ()
        return add_hook(self._forward_pre_hooks, hook, prepend=prepend, also=also)

    def register_forward_hook(
        self, hook: Callable[..., Any], *, prepend: bool = False, with_kwargs: bool = False, always_call: bool = False
    ) -> RemovableHandle:
        """Call `hook(module, args, output)` after each forward; what it returns, if not None, replaces the output.

        With `with_kwargs`, `hook(module, args, kwargs, output)`; with `always_call` also when the forward raises.
        """
        flags = ((self._forward_with_kwargs, with_kwargs), (self._forward_always_called, always_call))
        also = tuple([table for table, wanted in flags if wanted])
        return add_hook(self._forward_hooks, hook, prepend=prepend, also=also)

    def register_full_backward_hook(self, hook: Callable[..., Any], prepend: bool = False) -> RemovableHandle:
        """Call `hook(module, grad_input, grad_output)` when the gradients of the inputs are known.

        Both are tuples with None where an argument is no tensor that requires grad. What it returns, if not None, is
        used in place of `grad_input`.
        """
        return add_hook(self._backward_hooks, hook, prepend=prepend)

    def register_full_backward_pre_hook(self, hook: Callable[..., Any], prepend: bool = False) -> RemovableHandle:
        """Call `hook(module, grad_output)` when the gradients of the outputs are known; it may return others."""
        return add_hook(self._backward_pre_hooks, hook, prepend=prepend)

    def register_backward_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """As `register_full_backward_hook`, which torch names beside this older one."""
        return self.register_full_backward_hook(hook)
