"""`torch.cpu.amp`: the names of `torch.amp` as they were before, for the CPU alone."""

from __future__ import annotations

from typing import Any

import tritonflow as flow

__all__ = ["GradScaler", "autocast"]


class autocast(flow.autocast):
    """`torch.autocast("cpu", ...)`."""

    def __init__(self, enabled: bool = True, dtype: Any = flow.bfloat16, cache_enabled: bool = True) -> None:
        super().__init__("cpu", enabled=enabled, dtype=dtype, cache_enabled=cache_enabled)


class GradScaler(flow.amp.GradScaler):
    """`torch.amp.GradScaler("cpu", ...)`."""

    def __init__(
        self, init_scale: float = 65536.0, growth_factor: float = 2.0, backoff_factor: float = 0.5, growth_interval: int = 2000,
        enabled: bool = True,
    ) -> None:  # fmt: skip
        super().__init__("cpu", init_scale, growth_factor, backoff_factor, growth_interval, enabled)
