"""Where OneFlow has this layer."""

from tritonflow.compat.quantization import MinMaxObserver

__all__ = ["MinMaxObserver"]
