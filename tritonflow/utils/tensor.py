"""From torch's tensors to tritonflow's and back, without copying, under OneFlow's names."""

from tritonflow.binding.data_exchange import from_torch, to_torch

__all__ = ["from_torch", "to_torch"]
