"""`torch.export.dynamic_shapes`."""

from tritonflow.exporting import Dim, ShapesCollection, dims

__all__ = ["Dim", "ShapesCollection", "dims"]
