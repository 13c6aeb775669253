"""Helpers around training: data loading, and tensors from and to torch."""

from tritonflow.utils import data, tensor

__all__ = ["data", "tensor"]
