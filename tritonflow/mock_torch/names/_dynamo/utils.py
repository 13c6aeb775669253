"""`torch._dynamo.utils`."""

from typing import Any


def is_compile_supported(device_type: Any) -> bool:
    """Yes: `flow.compile` captures on every device."""
    return True
