"""Tensors of torch as tensors of ours and back, without copying, under OneFlow's names."""

from tritonflow.functional.data_exchange import from_torch, to_torch

__all__ = ["from_torch", "to_torch"]
