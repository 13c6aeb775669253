"""`torch.optim.optimizer`: what optimizers that others write import of it."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any

import tritonflow as flow

ParamsT = params_t = _params_t = Iterable[Any]
_foreach_doc = _fused_doc = _maximize_doc = _capturable_doc = _differentiable_doc = _params_doc = ""


def _use_grad_for_differentiable(func: Callable[..., Any]) -> Callable[..., Any]:
    """A `step` that records nothing for backward, unless the optimizer's default `differentiable` says so."""

    @functools.wraps(func)
    def step(self: Any, *args: Any, **options: Any) -> Any:
        with flow.set_grad_enabled(bool(self.defaults.get("differentiable", False))):
            return func(self, *args, **options)

    return step


def _default_to_fused_or_foreach(params: Any, differentiable: bool, use_fused: bool = False) -> tuple[bool, bool]:
    return False, False


def _get_value(x: Any) -> Any:
    return x.item() if isinstance(x, flow.Tensor) else x


def _stack_if_compiling(x: Any) -> Any:
    return x


def _dispatch_sqrt(x: Any) -> Any:
    return x.sqrt() if isinstance(x, flow.Tensor) else x**0.5


def _view_as_real(params: Any, *state_and_grads: Any) -> None:
    return None


def _get_scalar_dtype(is_fused: Any = None) -> Any:
    return flow.float64 if flow.get_default_dtype() == flow.float64 else flow.float32


def _get_capturable_supported_devices(supports_xla: bool = True) -> list[str]:
    return ["cpu", "cuda"]
