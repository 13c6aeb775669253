"""Nodes and graphs of a model, ready to run."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tritonflow.dtypes import DType
from tritonflow.onnx.reading.dtypes import dtype_of_array, flow_dtype
from tritonflow.onnx.reading.numbers import NUMBERS
from tritonflow.onnx.reading.table import Implementation
from tritonflow.onnx.reading.values import Known


@dataclass(slots=True)
class OnnxNode:
    """One op of a graph.

    Attributes:
        op: the op type; version: of the operator set.
        name: what the model calls it.
        inputs, outputs: names of values; "" where an optional one is missing.
        attributes: by name, numbers, texts, arrays, lists of such, and graphs.
        implementation: what carries it out.
        last: names of values that no later node uses.
    """

    op: str
    version: int
    name: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    attributes: dict[str, Any]
    implementation: Implementation
    last: tuple[str, ...] = ()

    def get(self, name: str, default: Any = None) -> Any:
        """An attribute."""
        return self.attributes.get(name, default)

    def dtype(self, name: str) -> DType:
        """The dtype that an attribute names."""
        return flow_dtype(self.attributes[name])

    @staticmethod
    def dtype_of(array: Any) -> DType:
        """The dtype of an attribute that is an array."""
        return dtype_of_array(array)

    def wants(self, position: int) -> bool:
        """Whether an output has a name, so that somebody may use it."""
        return position < len(self.outputs) and self.outputs[position] != ""

    def __str__(self) -> str:
        return f"{self.op} node {self.name!r}" if self.name else f"{self.op} node of {', '.join(self.outputs)!r}"


@dataclass(slots=True)
class OnnxGraph:
    """Nodes in order, with the names of inputs and outputs, and constants of its own by name."""

    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    nodes: list[OnnxNode]
    constants: dict[str, Any] = field(default_factory=dict)
    last: tuple[str, ...] = ()


class Scope:
    """The values of a run by name, with those of the graphs around."""

    def __init__(self, values: dict[str, Any], device: Any, around: Scope | None = None) -> None:
        self.values, self.device, self.around = values, device, around

    def __getitem__(self, name: str) -> Any:
        scope: Scope | None = self
        while scope is not None:
            if name in scope.values:
                return scope.values[name]
            scope = scope.around
        raise KeyError(name)

    def tensor(self, value: Any) -> Any:
        """A value as a tensor."""
        return value.tensor(self.device) if isinstance(value, Known) else value

    def call(self, graph: OnnxGraph, inputs: list[Any]) -> list[Any]:
        """The outputs of a graph within a node."""
        inner = Scope({}, self.device, self)
        inner.values.update({name: inner.constant(value) for name, value in graph.constants.items()})
        inner.values.update(zip(graph.inputs, inputs))
        return inner.run(graph)

    def constant(self, value: Any) -> Any:
        """What a graph has as a constant: known numbers, or a parameter or buffer that a module holds."""
        if isinstance(value, Known):
            return value
        module, name = value
        return module._parameters[name] if name in module._parameters else module._buffers[name]

    def run(self, graph: OnnxGraph) -> list[Any]:
        """Runs the nodes and gives the outputs."""
        for node in graph.nodes:
            try:
                self.step(node)
            except Exception as error:
                if hasattr(error, "add_note"):  # Python 3.11
                    error.add_note(f"in the {node} of an ONNX model")
                raise
        return [self[name] for name in graph.outputs]

    def step(self, node: OnnxNode) -> None:
        """Runs one node."""
        arguments = [self[name] if name else None for name in node.inputs]
        result: Any = NotImplemented
        on_numbers = NUMBERS.get(node.op)
        given = [each for each in arguments if each is not None]
        if on_numbers is not None and given and all(isinstance(each, Known) for each in given):
            result = on_numbers(node, *arguments)
        if result is NotImplemented:
            takes = node.implementation.takes_numbers
            arguments = [each if takes(k) else self.tensor(each) for k, each in enumerate(arguments)]
            scope = (self,) if node.implementation.scoped else ()
            result = node.implementation.function(node, *scope, *arguments)
        results = result if isinstance(result, tuple) else (result,)
        for name, value in zip(node.outputs, results):
            if name:
                self.values[name] = value
        for name in node.last:
            self.values.pop(name, None)
