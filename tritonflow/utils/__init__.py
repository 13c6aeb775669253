"""What surrounds training: data loading, and the way to and from torch."""

from tritonflow.utils import data, tensor

__all__ = ["data", "tensor"]
