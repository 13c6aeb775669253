"""Automatic mixed precision: `autocast` chooses dtypes, `GradScaler` scales the loss for gradients that would vanish in float16."""

from tritonflow.amp.autocast_mode import (
    autocast,
    clear_autocast_cache,
    get_autocast_dtype,
    is_autocast_available,
    is_autocast_cache_enabled,
    is_autocast_enabled,
    set_autocast_cache_enabled,
    set_autocast_dtype,
    set_autocast_enabled,
)
from tritonflow.amp.custom_function import custom_bwd, custom_fwd
from tritonflow.amp.grad_scaler import GradScaler, StaticGradScaler

__all__ = [
    "GradScaler",
    "StaticGradScaler",
    "autocast",
    "clear_autocast_cache",
    "custom_bwd",
    "custom_fwd",
    "get_autocast_dtype",
    "is_autocast_available",
    "is_autocast_cache_enabled",
    "is_autocast_enabled",
    "set_autocast_cache_enabled",
    "set_autocast_dtype",
    "set_autocast_enabled",
]
