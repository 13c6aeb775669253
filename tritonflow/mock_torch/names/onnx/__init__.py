"""`torch.onnx`: nothing is exported."""

from __future__ import annotations

from typing import Any


def is_in_onnx_export() -> bool:
    """No."""
    return False


def is_onnxrt_backend_supported() -> bool:
    """No."""
    return False


def register_custom_op_symbolic(symbolic_name: str, symbolic_fn: Any, opset_version: int) -> None:
    """Nothing: no ONNX is written."""


def unregister_custom_op_symbolic(symbolic_name: str, opset_version: int) -> None:
    """Nothing: no ONNX is written."""
