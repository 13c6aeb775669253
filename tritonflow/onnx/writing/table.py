"""How ops are found by their names: each family of ops fills the table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from tritonflow.dtypes import DType, result_type
from tritonflow.errors import ExportError
from tritonflow.framework.meta import TensorMeta
from tritonflow.graph.ir import Compute
from tritonflow.onnx.writing.writer import OnnxWriter


@dataclass(frozen=True)
class OpCall:
    """An op of a captured program, and what its inputs are called.

    Attributes:
        w: gets the nodes.
        node: the op.
        names: of the inputs; None for absent ones.
        attrs: its attributes and numbers, by name.
    """

    w: OnnxWriter
    node: Compute
    names: Sequence[str | None]
    attrs: dict[str, Any]

    def __getitem__(self, position: int) -> str:
        """What an input is called that is there."""
        name = self.names[position]
        assert name is not None
        return name

    def meta(self, position: int) -> TensorMeta:
        """Of an input."""
        value = self.node.inputs[position]
        assert value is not None
        return value.meta

    @property
    def result(self) -> TensorMeta:
        """Of the first output."""
        return self.node.outputs[0].meta

    def cast(self, position: int, dtype: DType) -> str:
        """An input in a dtype."""
        return self[position] if self.meta(position).dtype is dtype else self.w.cast(self[position], dtype)

    def in_result_dtype(self) -> list[str]:
        """All inputs in the dtype of the result."""
        return [self.cast(k, self.result.dtype) for k, value in enumerate(self.node.inputs) if value is not None]

    def number(self, name: str, dtype: DType | None = None) -> str:
        """One of the numbers, as a scalar of the result's dtype unless given."""
        return self.w.number(self.attrs[name], dtype or self.result.dtype)

    def common(self) -> DType:
        """The dtype that inputs have together."""
        metas = [value.meta for value in self.node.inputs if value is not None]
        return result_type([(meta.dtype, meta.ndim) for meta in metas])

    def refuse(self, why: str) -> ExportError:
        """The error to raise."""
        return ExportError(f"onnx.export(): {self.node.op.name}: {why}")


Written = Callable[[OpCall], "str | Sequence[str | None]"]
TABLE: dict[str, Written] = {}
"""By the name of an op, what writes it and names its outputs; a None is an output that nobody may read."""


def writes(*names: str) -> Callable[[Written], Written]:
    """Put a function into the table."""

    def put(function: Written) -> Written:
        for name in names:
            TABLE[name] = function
        return function

    return put
