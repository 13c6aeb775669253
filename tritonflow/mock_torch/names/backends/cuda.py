"""`torch.backends.cuda`: which kernel computes attention is chosen by tritonflow; settings are noted."""

from __future__ import annotations

import contextlib
from typing import Any

_enabled = {"flash": True, "mem_efficient": True, "math": True, "cudnn": True, "math_fp16": False}


def is_built() -> bool:
    """Whether there is a GPU."""
    import tritonflow as flow

    return flow.cuda.is_available()


def flash_sdp_enabled() -> bool:
    """What `enable_flash_sdp` was given."""
    return _enabled["flash"]


def enable_flash_sdp(enabled: bool) -> None:
    """Noted."""
    _enabled["flash"] = bool(enabled)


def mem_efficient_sdp_enabled() -> bool:
    """What `enable_mem_efficient_sdp` was given."""
    return _enabled["mem_efficient"]


def enable_mem_efficient_sdp(enabled: bool) -> None:
    """Noted."""
    _enabled["mem_efficient"] = bool(enabled)


def math_sdp_enabled() -> bool:
    """What `enable_math_sdp` was given."""
    return _enabled["math"]


def enable_math_sdp(enabled: bool) -> None:
    """Noted."""
    _enabled["math"] = bool(enabled)


def cudnn_sdp_enabled() -> bool:
    """What `enable_cudnn_sdp` was given."""
    return _enabled["cudnn"]


def enable_cudnn_sdp(enabled: bool) -> None:
    """Noted."""
    _enabled["cudnn"] = bool(enabled)


def fp16_bf16_reduction_math_sdp_allowed() -> bool:
    """What `allow_fp16_bf16_reduction_math_sdp` was given."""
    return _enabled["math_fp16"]


def allow_fp16_bf16_reduction_math_sdp(enabled: bool) -> None:
    """Noted."""
    _enabled["math_fp16"] = bool(enabled)


def sdp_kernel(*args: Any, **options: Any) -> Any:
    """A block that changes nothing: the numbers of all kernels agree."""
    return contextlib.nullcontext()


def preferred_linalg_library(backend: Any = None) -> str:
    """There is one."""
    return "default"


def preferred_blas_library(backend: Any = None) -> str:
    """There is one."""
    return "default"
