"""`torch.onnx.symbolic_helper`: decorators of functions that write ONNX, which nothing calls."""

from __future__ import annotations

from typing import Any


def parse_args(*descriptors: Any) -> Any:
    """A decorator that returns its function."""
    return lambda function: function


def quantized_args(*flags: Any, **options: Any) -> Any:
    """A decorator that returns its function."""
    return lambda function: function
