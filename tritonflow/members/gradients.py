"""Tensor's members for histories and gradients."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tritonflow.errors import (
    AutogradError,
    CaptureError,
    foreign_hint,
    type_name,
)
from tritonflow.framework.hooks import HookTable, RemovableHandle, add_hook
from tritonflow.framework.locality import require_same_locality
from tritonflow.framework.module_version import module_version
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.view import base_of, detach
from tritonflow.interpreter.grad_node import AccumulateGrad
from tritonflow.interpreter.recording import edges_of, require_grad
from tritonflow.thread_state import slow_path, thread_state


def _requires_grad(self: Tensor) -> bool:
    """Whether gradients flow to this tensor."""
    return edges_of((self,))[0] is not None


def _set_requires_grad(self: Tensor, value: bool) -> None:
    module_version.advance()
    if slow_path.count and bool(value) is not (self._node is not None):
        thread_state.observer.change_history(self)
    if value:
        require_grad(self)
    elif self._node is not None:
        if not isinstance(self._node, AccumulateGrad):
            raise AutogradError(
                "you can only change requires_grad flags of leaf variables. If you want to use a computed variable in a"
                " subgraph that doesn't require differentiation use var_no_grad = var.detach()."
            )
        self._node = None


def requires_grad_(self: Tensor, requires_grad: bool = True) -> Tensor:
    """Set `requires_grad` and return the tensor.

    Args:
        requires_grad: whether backward leaves a gradient in `.grad`.

    Raises:
        RuntimeError: a dtype that has no gradient, or False for a tensor that is no leaf.

    Source: torch.Tensor.requires_grad_.

    Example:
        >>> import tritonflow as flow
        >>> flow.ones(2).requires_grad_().requires_grad
        True
    """
    _set_requires_grad(self, requires_grad)
    return self


def _is_leaf(self: Tensor) -> bool:
    """Whether the tensor is no result of a recorded op. A view has the history of its memory, which may have been written."""
    node = self._node
    if node is None and self._view is not None:
        return edges_of((self,))[0] is None
    return node is None or isinstance(node, AccumulateGrad)


def _grad_fn(self: Tensor) -> Any:
    """The node of the op that made the tensor; None for leaves."""
    edge = edges_of((self,))[0]
    return None if edge is None or isinstance(edge[0], AccumulateGrad) else edge[0]


def _grad(self: Tensor) -> Tensor | Any:
    """The gradient accumulated by backward, or None; to checkers a tensor, as no program asks before each use."""
    if slow_path.count:
        thread_state.observer.read_gradient(self)
    return self._grad


def _set_grad(self: Tensor, grad: Tensor | None) -> None:
    if grad is not None:
        if not isinstance(grad, Tensor):
            came = f"{type_name(grad)}{foreign_hint(grad)}"
            raise TypeError(f"assigned grad expected to be a Tensor or None but got grad of type {came}")
        if grad.meta.shape != self.meta.shape:
            raise AutogradError(
                f"assigned grad has data of a different size: {list(grad.meta.shape)}, expected {list(self.meta.shape)}"
            )
        require_same_locality("assigned grad", grad.meta, self.meta)
        if not self.meta.is_local and grad.placement is not self.placement:
            raise AutogradError(f"assigned grad lies over {grad.placement}, expected {self.placement}")
        if grad.meta.device is not self.meta.device or grad.meta.dtype is not self.meta.dtype:
            raise AutogradError("assigned grad has data of a different type or on a different device")
    if slow_path.count:
        thread_state.observer.write_gradient(self)
    self._grad = grad


def _retains_grad(self: Tensor) -> bool:
    """Whether backward stores the gradient of this non-leaf tensor."""
    return self._retains_grad


def retain_grad(self: Tensor) -> None:
    """Store the gradient of this non-leaf tensor in `.grad`.

    Raises:
        RuntimeError: the tensor does not require grad.

    Source: torch.Tensor.retain_grad.

    Example:
        >>> import tritonflow as flow
        >>> y = flow.ones(2, requires_grad=True) * 2
        >>> y.retain_grad()
        >>> y.sum().backward()
        >>> y.grad
        tensor([1., 1.])
    """
    edge = edges_of((self,))[0]
    if edge is None:
        raise AutogradError("can't retain_grad on Tensor that has requires_grad=False")
    if isinstance(edge[0], AccumulateGrad) or self._retains_grad:
        return
    self._retains_grad = True
    edge[0].retain(edge[1], self)


def register_hook(self: Tensor, hook: Callable[[Tensor], Any]) -> RemovableHandle:
    """Call `hook(grad)` when this tensor's gradient is computed; what it returns (if not None) is used instead.

    Args:
        hook: from a gradient to a gradient or None.

    Returns:
        A handle whose `remove()` takes the hook away.

    Raises:
        RuntimeError: the tensor does not require grad.

    Source: torch.Tensor.register_hook.

    Example:
        >>> import tritonflow as flow
        >>> x = flow.ones(2, requires_grad=True)
        >>> handle = x.register_hook(lambda grad: 10 * grad)
        >>> x.sum().backward()
        >>> x.grad
        tensor([10., 10.])
    """
    edge = edges_of((self,))[0]
    if edge is None:
        raise AutogradError("cannot register a hook on a tensor that doesn't require gradient")
    handle: RemovableHandle = edge[0].add_tensor_hook(edge[1], hook)
    if slow_path.count:
        thread_state.observer.note_hook(self, handle)
    return handle


def register_post_accumulate_grad_hook(self: Tensor, hook: Callable[[Tensor], None]) -> RemovableHandle:
    """Call `hook(tensor)` after a gradient was added to this leaf's `.grad`.

    Args:
        hook: from the tensor; what it returns is ignored.

    Returns:
        A handle whose `remove()` takes the hook away.

    Raises:
        RuntimeError: the tensor is no leaf that requires grad.

    Source: torch.Tensor.register_post_accumulate_grad_hook.

    Example:
        >>> import tritonflow as flow
        >>> x, seen = flow.ones(2, requires_grad=True), []
        >>> handle = x.register_post_accumulate_grad_hook(lambda x: seen.append(x.grad.tolist()))
        >>> x.sum().backward()
        >>> seen
        [[1.0, 1.0]]
    """
    node = self._node
    if not isinstance(node, AccumulateGrad):
        raise AutogradError("post accumulate grad hooks cannot be registered on non-leaf tensors")
    if node.post_hooks is None:
        node.post_hooks = HookTable()
    handle = add_hook(node.post_hooks, hook)
    if slow_path.count:
        thread_state.observer.note_hook(self, handle)
    return handle


def detach_(self: Tensor) -> Tensor:
    """Forget the history of this tensor, in place.

    Raises:
        RuntimeError: it is a view.

    Source: torch.Tensor.detach_.

    Example:
        >>> import tritonflow as flow
        >>> y = flow.ones(2, requires_grad=True) * 2
        >>> y.detach_().requires_grad
        False
    """
    if self._view is not None:
        raise AutogradError("Can't detach views in-place. Use detach() instead.")
    if self._node is not None and slow_path.count:
        thread_state.observer.detach_in_place(self, detach_)
    self._node = None
    return self


def _set_data(self: Tensor, other: Tensor) -> None:
    if not isinstance(other, Tensor):
        raise TypeError(f"data must be a Tensor, not {type_name(other)}{foreign_hint(other)}")
    if other.impl.is_lazy and not self.impl.is_lazy:
        raise CaptureError(
            "`data` of a tensor from outside was set to one that a captured function computes, as by `module.half()`: its memory is"
            " another in every run. Write into it with copy_(), or convert the module outside."
        )
    if slow_path.count:
        thread_state.observer.change_memory(self, other)
    other.impl.base = base_of(other)
    self.meta, self.impl, self.ptr = other.meta, other.impl, other.ptr


METHODS: dict[str, Any] = {
    "requires_grad": property(_requires_grad, _set_requires_grad),
    "is_leaf": property(_is_leaf),
    "grad_fn": property(_grad_fn),
    "grad": property(_grad, _set_grad, lambda self: _set_grad(self, None)),
    "data": property(detach, _set_data),
    "retains_grad": property(_retains_grad),
    "requires_grad_": requires_grad_,
    "retain_grad": retain_grad,
    "register_hook": register_hook,
    "register_post_accumulate_grad_hook": register_post_accumulate_grad_hook,
    "detach_": detach_,
}
