"""Decorators for the forward and backward of an `autograd.Function` that is used under autocast."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any

from tritonflow import _C
from tritonflow.amp.autocast_mode import autocast, is_autocast_enabled
from tritonflow.dtypes import DType, float64
from tritonflow.framework.tensor import Tensor
from tritonflow.interpreter.autocast import set_state, without_casts
from tritonflow.thread_state import thread_state


def custom_fwd(
    fwd: Callable[..., Any] | None = None, *, device_type: str = "cuda", cast_inputs: DType | None = None
) -> Callable[..., Any]:
    """Decorate `forward`: with `cast_inputs`, its floating arguments come in that dtype, and autocast is off inside of it.

    Args:
        fwd: the function; without it a decorator is returned.
        device_type: the arguments of which devices are cast.
        cast_inputs: the dtype; without it autocast goes on inside as it is outside.

    Source: https://pytorch.org/docs/stable/amp.html#functions-that-need-a-particular-dtype

    Example:
        >>> import tritonflow as flow
        >>> class Double(flow.autograd.Function):
        ...     @staticmethod
        ...     @flow.amp.custom_fwd(device_type="cpu", cast_inputs=flow.float32)
        ...     def forward(ctx, x):
        ...         return 2 * x
        ...     @staticmethod
        ...     @flow.amp.custom_bwd(device_type="cpu")
        ...     def backward(ctx, dy):
        ...         return 2 * dy
        >>> with flow.autocast("cpu"):
        ...     Double.apply(flow.ones(1, dtype=flow.bfloat16)).dtype
        tritonflow.float32
    """
    if fwd is None:
        return functools.partial(custom_fwd, device_type=device_type, cast_inputs=cast_inputs)
    function = fwd

    @functools.wraps(function)
    def forward(ctx: Any, *args: Any, **kwargs: Any) -> Any:
        if cast_inputs is None or not is_autocast_enabled(device_type):
            ctx._forward_autocast = without_casts(thread_state.autocast)
            return function(ctx, *args, **kwargs)
        with autocast(device_type, enabled=False):
            ctx._forward_autocast = without_casts(thread_state.autocast)
            return function(
                ctx,
                *[_cast(a, device_type, cast_inputs) for a in args],
                **{k: _cast(a, device_type, cast_inputs) for k, a in kwargs.items()},
            )

    return forward


def custom_bwd(bwd: Callable[..., Any] | None = None, *, device_type: str = "cuda") -> Callable[..., Any]:
    """Decorate `backward`: it runs with autocast as it was in `forward`, which `custom_fwd` has noted.

    Args:
        bwd: the function; without it a decorator is returned.
        device_type: accepted and ignored: the state of all devices is noted.

    Source: https://pytorch.org/docs/stable/amp.html#functions-that-need-a-particular-dtype
    """
    if bwd is None:
        return functools.partial(custom_bwd, device_type=device_type)
    function = bwd

    @functools.wraps(function)
    def backward(ctx: Any, *args: Any, **kwargs: Any) -> Any:
        outside = thread_state.autocast
        set_state(without_casts(ctx._forward_autocast))
        try:
            return function(ctx, *args, **kwargs)
        finally:
            set_state(outside)

    return backward


def _cast(value: Any, device_type: str, dtype: DType) -> Any:
    """Floating tensors of the device, in tuples, lists and dicts as well, in `dtype`."""
    if isinstance(value, Tensor):
        wanted = value.is_floating_point() and value.device.type == device_type and value.dtype is not float64
        return _C.cast(value, dtype) if wanted else value
    if isinstance(value, Mapping):
        return {k: _cast(v, device_type, dtype) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)([_cast(v, device_type, dtype) for v in value])
    return value
