"""The module that runs an ONNX model."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from tritonflow.device.device import get_default_device
from tritonflow.dtypes import DType
from tritonflow.framework.tensor import Tensor
from tritonflow.nn import Module
from tritonflow.onnx.reading.dtypes import NARROW, flow_dtype, name_of
from tritonflow.onnx.reading.node import OnnxGraph, Scope


@dataclass(frozen=True)
class Port:
    """An input of a model.

    Attributes:
        name, dtype: its name and its dtype.
        shape: sizes; None for a dimension of any size. None where even the rank is open.
    """

    name: str
    dtype: DType
    shape: tuple[int | None, ...] | None

    @classmethod
    def of(cls, proto: Any) -> Port:
        """The input that a `ValueInfoProto` describes."""
        if not proto.type.HasField("tensor_type"):
            kind = proto.type.WhichOneof("value") or "value without a type"
            raise NotImplementedError(f"the input {proto.name!r} is a {kind}; flow.onnx.load supports tensors")
        tensor = proto.type.tensor_type
        try:
            if name_of(tensor.elem_type) in NARROW:
                raise TypeError("integers of 4 bits are supported as constants alone")
            dtype = flow_dtype(tensor.elem_type)
        except TypeError as error:
            raise TypeError(f"the input {proto.name!r}: {error}") from error
        shape = None
        if tensor.HasField("shape"):
            shape = tuple(d.dim_value if d.HasField("dim_value") else None for d in tensor.shape.dim)
        return cls(proto.name, dtype, shape)

    def check(self, value: Any) -> None:
        """Refuses what is no such tensor."""
        if not isinstance(value, Tensor):
            raise TypeError(f"the input {self.name!r} must be a tensor, but got {type(value).__name__}")
        if value.dtype is not self.dtype:
            raise TypeError(f"the input {self.name!r} must be of {self.dtype}, but got {value.dtype}")
        if self.shape is None:
            return
        fits = len(self.shape) == value.ndim
        if not fits or any(wanted is not None and wanted != size for wanted, size in zip(self.shape, value.shape)):
            wanted = ", ".join("any" if size is None else str(size) for size in self.shape)
            raise ValueError(f"the input {self.name!r} must have the shape ({wanted}), but got {tuple(value.shape)}")


class OnnxModule(Module):
    """Runs an ONNX model; `flow.onnx.load` makes it.

    Attributes:
        input_names: of the inputs, in their order; then of those that have a default.
        output_names: of the outputs, in their order.
    """

    def __init__(self) -> None:
        super().__init__()
        self.input_names: tuple[str, ...] = ()
        self.output_names: tuple[str, ...] = ()

    def set_graph(self, graph: OnnxGraph, inputs: list[Port], defaults: list[Port], name: str) -> None:
        """Gives it what it runs."""
        self._graph, self._inputs, self._defaults, self._graph_name = graph, inputs, defaults, name
        self.input_names = tuple(each.name for each in (*inputs, *defaults))
        self.output_names = graph.outputs

    def forward(self, *inputs: Any, **named: Any) -> Any:
        """The outputs of the model for its inputs, by position or by name."""
        given = self._bind(inputs, named)
        scope = Scope({}, self._device(given))
        scope.values.update({name: scope.constant(value) for name, value in self._graph.constants.items()})
        scope.values.update(given)
        results = tuple(_result(scope, value) for value in scope.run(self._graph))
        return results[0] if len(results) == 1 else results

    def _bind(self, inputs: tuple[Any, ...], named: dict[str, Any]) -> dict[str, Any]:
        ports = [*self._inputs, *self._defaults]
        if len(inputs) > len(ports):
            raise TypeError(f"the model has {len(ports)} inputs ({_listed(self.input_names)}), but got {len(inputs)}")
        given = dict(zip(self.input_names, inputs))
        for name, value in named.items():
            if name not in self.input_names:
                raise TypeError(f"the model has no input {name!r}; it has {_listed(self.input_names)}")
            if name in given:
                raise TypeError(f"the input {name!r} is given twice")
            given[name] = value
        missing = [port.name for port in self._inputs if port.name not in given]
        if missing:
            raise TypeError(f"inputs of the model are missing: {_listed(missing)}")
        for port in ports:
            if port.name in given:
                port.check(given[port.name])
        return given

    def _device(self, given: dict[str, Any]) -> Any:
        for value in (*given.values(), *self.parameters(), *self.buffers()):
            return value.device
        return get_default_device()

    def op_counts(self) -> dict[str, int]:
        """How many nodes of each op type there are, the most frequent first."""
        return dict(Counter(node.op for node in self._graph.nodes).most_common())

    def __repr__(self) -> str:
        ops = ", ".join(f"{op} x {count}" for op, count in self.op_counts().items())
        inputs, outputs = ", ".join(self.input_names), ", ".join(self.output_names)
        return f"OnnxModule({self._graph_name}: ({inputs}) -> ({outputs}); {ops or 'no ops'})"


def _listed(names: Any) -> str:
    return ", ".join(repr(name) for name in names) or "none"


def _result(scope: Scope, value: Any) -> Any:
    if isinstance(value, list):
        return [scope.tensor(each) for each in value]
    return scope.tensor(value)
