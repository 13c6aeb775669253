"""The full backward hooks of modules: a boundary around a module's call lets them see gradients of its inputs and outputs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tritonflow.autograd import Function
from tritonflow.framework.hooks import HookTable as HookTable  # pickled modules name it here
from tritonflow.framework.tensor import Tensor
from tritonflow.interpreter.engine import current_backward


class _Boundary(Function):
    """The identity; its backward hands the gradients to `on_grads`, which may replace them."""

    @staticmethod
    def forward(ctx: Any, on_grads: Callable[..., Any], *tensors: Tensor) -> tuple[Tensor, ...]:
        ctx.on_grads = on_grads
        return tuple(t.view_as(t) for t in tensors)

    @staticmethod
    def backward(ctx: Any, *grads: Tensor | None) -> tuple[Any, ...]:
        return None, *ctx.on_grads(grads)


class BackwardHooks:
    """Runs the full backward (pre-)hooks of one call of a module.

    The inputs and the outputs of the call pass through a boundary each. When the gradients reach the outputs' boundary,
    the pre-hooks see them; when they reach the inputs' boundary, the hooks see both. Gradients of the outputs with a history lead
    back to the boundaries: the backward pass keeps them.
    """

    def __init__(self, module: Any, hooks: list[Callable[..., Any]], pre_hooks: list[Callable[..., Any]]) -> None:
        self.module = module
        self.hooks = hooks
        self.pre_hooks = pre_hooks
        self.grad_outputs: tuple[Any, ...] | None = None
        self.has_inputs = False
        self.no_grads: tuple[Any, ...] = ()  # what hooks see of inputs that require no grad

    def enter(self, args: tuple[Any, ...]) -> tuple[Any, ...]:
        """Pass the tensors among the arguments through the inputs' boundary."""
        self.no_grads = (None,) * len(args)
        args, self.has_inputs = _through(args, self._on_inputs)
        return args

    def leave(self, result: Any) -> Any:
        """Pass the result, a tensor or a tuple with tensors, through the outputs' boundary."""
        single = isinstance(result, Tensor)
        outputs = (result,) if single else result
        if not isinstance(outputs, tuple):
            return result
        outputs, _ = _through(outputs, self._on_outputs)
        return outputs[0] if single else outputs

    def _on_outputs(self, grads: tuple[Any, ...]) -> tuple[Any, ...]:
        for hook in self.pre_hooks:
            changed = hook(self.module, grads)
            if changed is not None:
                grads = _same_length(changed, grads, "grad_output", "Backward pre-hook")
        if self.has_inputs:
            self._keep(grads)
        else:
            for hook in self.hooks:
                changed = hook(self.module, self.no_grads, grads)
                if changed is not None and not (isinstance(changed, tuple) and all(grad is None for grad in changed)):
                    raise RuntimeError(
                        "Backward hook for Modules where no input requires gradient should always return None or "
                        "None for all gradients."
                    )
        return grads

    def _keep(self, grads: tuple[Any, ...]) -> None:
        recorded = any(map(_has_history, grads))
        self.grad_outputs = None if recorded else grads
        if recorded:
            current_backward().notes[self] = grads

    def _kept(self) -> Any:
        grads, self.grad_outputs = self.grad_outputs, None
        return current_backward().notes.pop(self, None) if grads is None else grads

    def _on_inputs(self, grads: tuple[Any, ...]) -> tuple[Any, ...]:
        grad_outputs = self._kept()
        if grad_outputs is None:
            raise RuntimeError(
                f"Module backward hook for grad_input is called before the grad_output one in "
                f"{type(self.module).__name__}. This happens because the gradient flows to the module's input "
                "without passing through its output."
            )
        for hook in self.hooks:
            changed = hook(self.module, grads, grad_outputs)
            if changed is not None:
                grads = _same_length(changed, grads, "grad_input", "Backward hook")
        return grads


def _through(values: tuple[Any, ...], on_grads: Callable[..., Any]) -> tuple[tuple[Any, ...], bool]:
    """Replace the tensors that require grad by the boundary's outputs; say whether there were any.

    The hooks see one gradient for every value, None where it is no tensor that requires grad.
    """
    positions = [i for i, v in enumerate(values) if isinstance(v, Tensor) and v.requires_grad]
    if not positions:
        return values, False

    def expand(grads: tuple[Any, ...]) -> tuple[Any, ...]:
        full: list[Any] = [None] * len(values)
        for i, grad in zip(positions, grads):
            full[i] = grad
        changed = on_grads(tuple(full))
        return tuple(changed[i] for i in positions)

    passed = _Boundary.apply(expand, *(values[i] for i in positions))
    passed = passed if isinstance(passed, tuple) else (passed,)
    replaced = list(values)
    for i, tensor in zip(positions, passed):
        replaced[i] = tensor
    kind = type(values)
    return (kind(*replaced) if hasattr(kind, "_fields") else tuple(replaced)), True


def _has_history(grad: Any) -> bool:
    """Whether a gradient, or what it is a view of, has a history."""
    if not isinstance(grad, Tensor):
        return False
    return grad._node is not None or (grad._view is not None and _has_history(grad._view[0]))


def _same_length(changed: Any, grads: tuple[Any, ...], name: str, hook: str) -> tuple[Any, ...]:
    changed = changed if isinstance(changed, tuple) else (changed,)
    if len(changed) != len(grads):
        raise RuntimeError(
            f"{hook} returned an invalid number of {name}, got {len(changed)}, but expected {len(grads)}"
        )
    return changed
