"""A captured program as an ONNX graph."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from typing import Any

from tritonflow.dtypes import int64
from tritonflow.errors import ExportError
from tritonflow.framework.meta import TensorMeta
from tritonflow.graph.ir import Compute, Graph, Join, KernelNode, Late, NodeVisitor, Update, Value, View, Words
from tritonflow.graph.passes.decompose import parts_of
from tritonflow.onnx.writing import moves, pointwise, products, reductions  # noqa: F401  # they fill the table
from tritonflow.onnx.writing.table import TABLE, OpCall
from tritonflow.onnx.writing.views import Views, indices
from tritonflow.onnx.writing.writer import OnnxWriter, is_size
from tritonflow.vm.failure import describe


class GraphWriter(NodeVisitor[None]):
    """Writes the nodes of a graph.

    Args:
        writer: gets ONNX's.
        graph: the program.
        inputs: what its inputs are called.
        parameters: by block and offset, what lies there is called.
        tensors: by block, the offsets and metas of tensors in it.
    """

    def __init__(
        self,
        writer: OnnxWriter,
        graph: Graph,
        inputs: Sequence[str],
        parameters: Mapping[tuple[Any, int], str],
        tensors: Mapping[Any, Sequence[tuple[int, TensorMeta]]],
    ) -> None:
        self._writer, self._graph, self._views = writer, graph, Views(writer)
        self._parameters, self._tensors = parameters, tensors
        self._names: dict[Value, str] = dict(zip(graph.inputs, inputs))
        self._states = {state.value: state.impl for state in graph.states}
        self._unnamed: dict[Value, str] = {}
        self._same: dict[Value, Value] = {}
        self._read: dict[Any, str] = {}

    def write(self) -> list[str]:
        """Write all of it.

        Returns:
            What the outputs are called.
        """
        for state in self._graph.states:
            if state.result is not state.value:
                raise ExportError("onnx.export(): the program writes a parameter or a buffer, and ONNX has none: call eval()")
        for node in self._graph.alive():
            self.visit(node)
        return [self.name(value) for value in self._graph.outputs]

    def name(self, value: Value) -> str:
        """What a value is called."""
        value = self._same.get(value, value)
        if value in self._unnamed:
            raise ExportError(f"onnx.export(): ONNX has no op for a result of {self._unnamed[value]} that the program reads")
        return self._names[value]

    # ---- kinds of nodes

    def compute(self, node: Compute) -> None:
        function = TABLE.get(node.op.name)
        if function is None:
            parts, same = parts_of(node) if node.op.definition.composite else ([], {})
            if not parts:
                line = "" if node.source_line is None else f", called at {describe(node.source_line)}"
                raise ExportError(f"onnx.export(): no ONNX op is known for {node.op.name}{line}")
            self._same.update(same)
            for part in parts:
                self.visit(part)
            return
        definition = node.op.definition
        attrs = dict(zip((*definition.attrs, *definition.dynamic), (*node.attrs, *node.dynamic)))
        names = [None if value is None else self.name(value) for value in node.inputs]
        made = function(OpCall(self._writer, node, names, attrs))
        for value, name in zip(node.outputs, [made] if isinstance(made, str) else made):
            if name is None:
                self._unnamed[value] = node.op.name
            else:
                self._names[value] = name
        for value in node.outputs[node.results :]:  # the new values of what it writes
            self._names[value] = self._names[node.outputs[0]]

    def view(self, node: View) -> None:
        base, offset = node.base, node.offset
        while isinstance(outer := base.definition, View):
            base, offset = outer.base, offset + outer.offset
        base = self._same.get(base, base)
        if base in self._states:
            self._names[node.outputs[0]] = self._constant(self._states[base], node.meta, offset)
            return
        itemsize = base.meta.dtype.itemsize
        if node.meta.dtype is not base.meta.dtype:
            raise ExportError(f"onnx.export(): a view of {base.meta.dtype} as {node.meta.dtype}")
        start = offset // itemsize
        self._names[node.outputs[0]] = self._views.of(self.name(base), base.meta, node.meta, start)

    def _constant(self, impl: Any, meta: TensorMeta, offset: Any) -> str:
        """What lies in a block: an initializer, or a view of one whose size differs from run to run."""
        if not any(map(is_size, (*meta.shape, *meta.stride, offset))):
            return self._initializer(impl, meta, offset)
        for start, whole in self._tensors.get(impl, ()):
            if whole.dtype is meta.dtype and whole.is_contiguous and (is_size(offset) or start <= offset < start + whole.nbytes):
                name = self._initializer(impl, whole, start)
                return self._views.of(name, whole, meta, (offset - start) // meta.dtype.itemsize)
        raise ExportError("onnx.export(): a part of a parameter whose size differs from run to run")

    def _initializer(self, impl: Any, meta: TensorMeta, offset: int) -> str:
        key = impl, offset, meta
        if key not in self._read:
            count = 1 + sum((n - 1) * s for n, s in zip(meta.shape, meta.stride)) if meta.numel else 0
            name = self._parameters.get((impl, offset)) if meta.is_contiguous else None
            if name is None or name in self._read.values():
                name = self._writer.name("weight")
            data = ctypes.string_at(impl.block.ptr + offset, count * meta.dtype.itemsize) if count else b""
            shape = list(meta.shape) if meta.is_contiguous else [count]
            name = self._writer.initializer(name, meta.dtype, shape, data)
            self._read[key] = name if meta.is_contiguous else self._views.of(name, meta.as_vector(), meta, 0)
        return self._read[key]

    def update(self, node: Update) -> None:
        """The base with a part replaced, by constant indices."""
        base, part = node.inputs
        assert base is not None and part is not None
        w, meta = self._writer, node.meta
        start = node.offset // base.meta.dtype.itemsize
        if any(map(is_size, (*meta.shape, *meta.stride, start, *base.meta.shape))) or not base.meta.is_contiguous:
            raise ExportError("onnx.export(): a write to a part whose size differs from run to run: use where() or cat()")
        index = indices(meta, start)
        flat = w.op("Reshape", self.name(base), w.ints([-1]))
        given = w.op("Reshape", self.name(part), w.ints([-1]))
        whole = w.op("ScatterElements", flat, w.numbers(index, int64, (len(index),)), given)
        self._names[node.outputs[0]] = w.op("Reshape", whole, w.ints(base.meta.shape), allowzero=1)

    def late(self, node: Late) -> None:
        assert node.inputs[0] is not None
        self._names[node.outputs[0]] = self.name(node.inputs[0])

    def words(self, node: Words) -> None:
        raise ExportError("onnx.export(): the program draws random numbers: call eval(), or pass what is drawn")

    def join(self, node: Join) -> None:
        raise ExportError("onnx.export(): parts of one memory")

    def fused(self, node: KernelNode) -> None:
        raise ExportError(f"onnx.export(): no ONNX op is known for {node.name()}")

    def boxing(self, node: Any) -> None:
        raise ExportError("onnx.export(): the program computes over ranks")

    start = done = boxing
