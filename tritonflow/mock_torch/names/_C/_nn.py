"""`torch._C._nn`: the arguments of `Module.to`, which libraries parse as torch does."""

from __future__ import annotations

from typing import Any

import tritonflow as flow
from tritonflow.nn.modules.conversion import parsed_to


def _parse_to(*args: Any, **kwargs: Any) -> tuple[Any, Any, bool, Any]:
    """Device, dtype, whether the copy need not be waited for, and memory format; None for what is not said."""
    device, dtype, memory_format = parsed_to(args, kwargs)
    told = [arg for arg in args if isinstance(arg, bool)]
    non_blocking = bool(kwargs.get("non_blocking", told[0] if told else False))
    return None if device is None else flow.device(device), dtype, non_blocking, memory_format
