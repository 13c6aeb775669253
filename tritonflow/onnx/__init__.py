"""ONNX: models of other frameworks as modules, and programs as models.

`load` makes a module of a model; its forward runs the model by the functions of this package. `export` writes a function as a
model. Both need the package `onnx`, which is imported when they are called.

Example:
    >>> import tritonflow as flow
    >>> callable(flow.onnx.load) and callable(flow.onnx.export)
    True
"""

from tritonflow.onnx.reading.load import load
from tritonflow.onnx.writing.entry import export

__all__ = ("export", "load")
