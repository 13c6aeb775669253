"""What an ONNX graph is made of: nodes, initializers, and names for values."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import Any

import onnx
from onnx import TensorProto, helper

from tritonflow.dtypes import DType
from tritonflow.errors import ExportError
from tritonflow.framework.expression import SizeExpression, number

OPSET = 20
_TYPES: dict[str, int] = {
    "float32": TensorProto.FLOAT, "float64": TensorProto.DOUBLE, "float16": TensorProto.FLOAT16, "bfloat16": TensorProto.BFLOAT16,
    "int64": TensorProto.INT64, "int32": TensorProto.INT32, "int16": TensorProto.INT16, "int8": TensorProto.INT8,
    "uint8": TensorProto.UINT8, "uint16": TensorProto.UINT16, "uint32": TensorProto.UINT32, "uint64": TensorProto.UINT64,
    "bool": TensorProto.BOOL,
}  # fmt: skip


def type_of(dtype: DType) -> int:
    """ONNX's number of a dtype.

    Raises:
        ExportError: ONNX's ops have no such numbers.
    """
    if dtype.name not in _TYPES:
        raise ExportError(f"onnx.export(): no ONNX op takes {dtype}")
    return _TYPES[dtype.name]


def is_size(value: Any) -> bool:
    """Whether a number differs from run to run."""
    return isinstance(value, SizeExpression) or getattr(value, "expression", None) is not None


def expression_of(value: Any) -> SizeExpression:
    """A size as an expression, which asks nothing of its program where it is compared."""
    if isinstance(value, SizeExpression):
        return value
    found: SizeExpression = number(value) if type(value) is int else value.expression
    return found


class OnnxWriter:
    """Collects the nodes of a graph.

    Args:
        symbols: by the number of a run, the input and the dimension that it is the size of.
        examples: the numbers of the runs that are to be served; the first is the one that was captured.

    Attributes:
        nodes, initializers: those so far.
    """

    def __init__(self, symbols: Mapping[int, tuple[str, int]], examples: Sequence[Sequence[Any]]) -> None:
        self._symbols, self.examples = symbols, examples
        self.nodes: list[onnx.NodeProto] = []
        self.initializers: list[TensorProto] = []
        self._constants: dict[Any, str] = {}
        self._sizes: dict[str, str] = {}
        self._count = 0

    def name(self, kind: str) -> str:
        """A new one."""
        self._count += 1
        return f"{kind.lower()}_{self._count}"

    def op(self, kind: str, *inputs: str, **attributes: Any) -> str:
        """The name of what an op gives."""
        return self.ops(kind, 1, *inputs, **attributes)[0]

    def ops(self, kind: str, outputs: int, *inputs: str, **attributes: Any) -> list[str]:
        """The names of what an op with several results gives."""
        base = self.name(kind)
        names = [base if outputs == 1 else f"{base}.{k}" for k in range(outputs)]
        self.nodes.append(helper.make_node(kind, inputs, names, name=base, **attributes))
        return names

    # ---- constants

    def initializer(self, name: str, dtype: DType, shape: Sequence[int], data: bytes) -> str:
        """A constant of these bytes."""
        self.initializers.append(TensorProto(name=name, data_type=type_of(dtype), dims=list(shape), raw_data=data))
        return name

    def numbers(self, values: Sequence[Any], dtype: DType, shape: Sequence[int]) -> str:
        """A constant, one for equal ones."""
        key = dtype.name, tuple(shape), tuple(map(repr, values))
        if key not in self._constants:
            tensor = helper.make_tensor(self.name("constant"), type_of(dtype), shape, values)
            self.initializers.append(tensor)
            self._constants[key] = tensor.name
        return self._constants[key]

    def ints(self, values: Sequence[int]) -> str:
        """A vector of int64."""
        from tritonflow.dtypes import int64

        return self.numbers(values, int64, (len(values),))

    def number(self, value: Any, dtype: DType) -> str:
        """A scalar: a number, or a size."""
        if is_size(value):
            return self.cast(self.op("Squeeze", self.size(value)), dtype)
        kind = float if dtype.is_floating_point else bool if dtype.name == "bool" else int
        return self.numbers([kind(value)], dtype, ())

    def cast(self, name: str, dtype: DType) -> str:
        """Elements in another dtype."""
        return self.op("Cast", name, to=type_of(dtype))

    # ---- sizes

    def size(self, value: Any) -> str:
        """A size as a vector of one int64."""
        expression = expression_of(value)
        if expression.constant is not None:
            return self.ints([expression.constant])
        return self._computed(ast.parse(expression.source, mode="eval").body)

    def shape(self, sizes: Sequence[Any]) -> str:
        """Sizes as a vector."""
        known = [expression_of(n).constant for n in sizes]
        if None not in known:
            return self.ints([n for n in known if n is not None])
        return self.op("Concat", *[self.size(n) for n in sizes], axis=0)

    def _computed(self, node: ast.expr) -> str:
        """A vector of one int64, from the Python of an expression over the numbers of a run."""
        text = ast.unparse(node)
        if text not in self._sizes:
            self._sizes[text] = self._compute(node)
        return self._sizes[text]

    def _compute(self, node: ast.expr) -> str:
        if isinstance(node, ast.Constant):
            return self.ints([node.value])  # type: ignore[list-item]
        if isinstance(node, ast.Subscript):
            assert isinstance(node.slice, ast.Constant)
            name, dim = self._symbols[node.slice.value]  # type: ignore[index]
            return self.op("Shape", name, start=dim, end=dim + 1)
        if isinstance(node, ast.UnaryOp):
            return self.op("Neg", self._computed(node.operand))
        if isinstance(node, ast.Call):
            assert isinstance(node.func, ast.Name)
            return self.op({"min": "Min", "max": "Max"}[node.func.id], *map(self._computed, node.args))
        assert isinstance(node, ast.BinOp), ast.unparse(node)
        a, b = self._computed(node.left), self._computed(node.right)
        if isinstance(node.op, ast.FloorDiv):  # Div rounds to 0, as C does; Mod has the sign of the divisor, as Python's
            return self.op("Div", self.op("Sub", a, self.op("Mod", a, b)), b)
        return self.op({ast.Add: "Add", ast.Sub: "Sub", ast.Mult: "Mul", ast.Mod: "Mod"}[type(node.op)], a, b)
