"""`torch.cuda.amp`: the names of `torch.amp` as they were before, for GPUs alone."""

from __future__ import annotations

import functools
from typing import Any

import tritonflow as flow
from tritonflow.amp import custom_bwd as _custom_bwd
from tritonflow.amp import custom_fwd as _custom_fwd

__all__ = ["GradScaler", "autocast", "custom_bwd", "custom_fwd"]


class autocast(flow.autocast):
    """`torch.autocast("cuda", ...)`."""

    def __init__(self, enabled: bool = True, dtype: Any = flow.float16, cache_enabled: bool = True) -> None:
        super().__init__("cuda", enabled=enabled, dtype=dtype, cache_enabled=cache_enabled)


class GradScaler(flow.amp.GradScaler):
    """`torch.amp.GradScaler`; without a GPU it scales nothing, as torch's."""

    def __init__(
        self, init_scale: float = 65536.0, growth_factor: float = 2.0, backoff_factor: float = 0.5, growth_interval: int = 2000,
        enabled: bool = True,
    ) -> None:  # fmt: skip
        usable = enabled and flow.cuda.is_available()
        super().__init__("cuda", init_scale, growth_factor, backoff_factor, growth_interval, usable)


custom_fwd = functools.partial(_custom_fwd, device_type="cuda")
custom_bwd = functools.partial(_custom_bwd, device_type="cuda")
