"""ONNX: models of other frameworks as modules.

`load` makes a module of a model; its forward runs the model by the functions of this package. It needs the package `onnx`,
which is imported when it is called.

Example:
    >>> import tritonflow as flow
    >>> callable(flow.onnx.load)
    True
"""

from tritonflow.onnx.reading.load import load

__all__ = ("load",)
