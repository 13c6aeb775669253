"""ModuleTracker: which modules a program is in, in its forward and in its backward."""

from __future__ import annotations

import weakref
from typing import Any

from tritonflow.autograd.graph import MultiHandle, register_multi_grad_hook
from tritonflow.autograd.tree import flatten
from tritonflow.framework.hooks import RemovableHandle
from tritonflow.framework.tensor import Tensor
from tritonflow.interpreter.engine import current_backward
from tritonflow.nn.global_hooks import register_module_forward_hook, register_module_forward_pre_hook
from tritonflow.thread_state import thread_state

__all__ = ["ModuleTracker"]


class ModuleTracker:
    """A block in which `parents` has the names of the modules that are being called, or through whose call a backward goes.

    The outermost module is called by its class, its children as in its `state_dict()`: "Net.encoder.0". Backward is in a module
    from the moment that the gradients of the outputs of its call are known, until those of its inputs are; where the inputs need
    none, until it ends. The modules inside of a compiled function are not called in its runs.

    Source: torch.utils.module_tracker.ModuleTracker.

    Example:
        >>> import tritonflow as flow
        >>> net = flow.nn.Sequential(flow.nn.Identity())
        >>> with flow.utils.module_tracker.ModuleTracker() as tracker:
        ...     _ = net[0].register_forward_pre_hook(lambda *args: print(sorted(tracker.parents)))
        ...     _ = net(flow.ones(1))
        ['Global', 'Sequential', 'Sequential.0']
    """

    def __init__(self) -> None:
        self._in_forward: dict[str, int] = {}  # how many calls of each module there are
        self._in_backward: set[str] = set()
        self._backward: Any = None  # the backward pass that these are of
        self._names: weakref.WeakKeyDictionary[Any, str] = weakref.WeakKeyDictionary()
        self._handles: list[RemovableHandle] = []
        self._gradient_hooks: list[MultiHandle] = []

    @property
    def parents(self) -> set[str]:
        """The names of the modules, and "Global"."""
        return {"Global", *self._in_forward, *self._of_backward()}

    @property
    def is_bw(self) -> bool:
        """Whether a backward runs."""
        return current_backward() is not None

    def __enter__(self) -> ModuleTracker:
        hooks = register_module_forward_pre_hook(self._enter), register_module_forward_hook(self._leave, always_call=True)
        self._handles = list(hooks)
        return self

    def __exit__(self, *error: object) -> None:
        for handle in self._handles:
            handle.remove()
        for hook in self._gradient_hooks:
            hook.remove()
        self._gradient_hooks.clear()
        self._in_forward.clear()
        self._in_backward.clear()

    def _enter(self, module: Any, args: Any) -> None:
        if thread_state.observer.is_capturing:
            return
        name = self._name(module)
        self._in_forward[name] = self._in_forward.get(name, 0) + 1
        self._follow(args, lambda _: self._of_backward().discard(name))

    def _leave(self, module: Any, args: Any, output: Any) -> None:
        if thread_state.observer.is_capturing:
            return
        name = self._name(module)
        self._in_forward[name] -= 1
        if not self._in_forward[name]:
            del self._in_forward[name]
        self._follow(output, lambda _: self._of_backward().add(name))

    def _follow(self, values: Any, hook: Any) -> None:
        """Call a hook in each backward once the gradients of the tensors among values are known."""
        tensors = [leaf for leaf in flatten(values)[0] if isinstance(leaf, Tensor) and leaf.requires_grad]
        if tensors:
            self._gradient_hooks.append(register_multi_grad_hook(tensors, hook))

    def _of_backward(self) -> set[str]:
        """The modules that the backward pass of this moment is in."""
        if self._backward is not current_backward():
            self._backward, self._in_backward = current_backward(), set()
        return self._in_backward

    def _name(self, module: Any) -> str:
        if module not in self._names:
            for name, each in module.named_modules():
                self._names.setdefault(each, f"{type(module).__name__}.{name}" if name else type(module).__name__)
        return self._names[module]
