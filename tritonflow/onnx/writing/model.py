"""A function as an ONNX model: its graph, with names for inputs, outputs, parameters and sizes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import onnx
from onnx import helper

import tritonflow
from tritonflow.errors import ArgumentValueError, ExportError
from tritonflow.exporting.arguments import Arguments, all_names, check_tensors
from tritonflow.exporting.captures import Captures, ForSizes, source_of
from tritonflow.exporting.sizes import Sizes
from tritonflow.framework.meta import TensorMeta
from tritonflow.graph.ir import Graph, Value
from tritonflow.onnx.writing.graph import GraphWriter
from tritonflow.onnx.writing.writer import OPSET, OnnxWriter, expression_of, type_of


def model_of(
    model: Callable[..., Any],
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
    input_names: Sequence[str] | None,
    output_names: Sequence[str] | None,
    dynamic: Mapping[Any, Mapping[int, str]] | None,
    sizes: Mapping[str, Iterable[int]] | None,
) -> onnx.ModelProto:
    """The model of a function; arguments as of `export`."""
    source = source_of(model)
    arguments = Arguments(source.function, args, kwargs)
    check_tensors(arguments.tensors, arguments.names)
    names = list(all_names(arguments.names))
    asked = Sizes(arguments.tensors, names, dynamic, _sizes(arguments, names, dynamic, sizes))
    inputs = _given(input_names, names, "input_names")
    captures = Captures(source, arguments, asked)
    captures.capture()
    runs = [captures.by_combination[c] for c in sorted(asked.combinations(), key=lambda c: list(c) != asked.example)]
    outputs = _given(output_names, captures.results.names, "output_names")
    return _model(captures, runs, asked, source.name, inputs, outputs)


def _sizes(
    arguments: Arguments,
    names: Sequence[str],
    dynamic: Mapping[Any, Mapping[int, str]] | None,
    sizes: Mapping[str, Iterable[int]] | None,
) -> Mapping[str, Iterable[int]] | None:
    """The sizes to try: unless given, that of the arguments and two larger ones."""
    if sizes is not None or not dynamic:
        return sizes
    found: dict[str, list[int]] = {}
    for key, each in dynamic.items():
        position = key if isinstance(key, int) else names.index(key) if key in names else len(names)
        shape = arguments.tensors[position].meta.shape if position < len(names) else ()
        for dim, name in each.items():
            if dim < len(shape):
                found[name] = [shape[dim], shape[dim] + 1, 2 * shape[dim] + 1]
    return found


def _given(names: Sequence[str] | None, own: Sequence[str], argument: str) -> list[str]:
    """The names that users gave, or else the program's own."""
    if names is None:
        return list(own)
    if len(names) != len(own) or len(set(names)) != len(own):
        raise ArgumentValueError(f"onnx.export(): {argument} must be {len(own)} different names, but got {list(names)}")
    return list(names)


def _model(
    captures: Captures, runs: Sequence[ForSizes], sizes: Sizes, name: str, inputs: Sequence[str], outputs: Sequence[str]
) -> onnx.ModelProto:
    graph, symbols = _graph(runs, sizes, inputs)
    writer = OnnxWriter(symbols, [run.numbers for run in runs])
    tensors: dict[Any, list[tuple[int, TensorMeta]]] = {}
    for tensor, impl, _ in runs[0].captured._tensors:
        tensors.setdefault(impl, []).append((tensor.ptr - impl.block.ptr, tensor.meta))
    made = GraphWriter(writer, graph, inputs, _parameters(captures), tensors).write()
    results = captures.results_of(runs[0])
    for number, result in sorted(results.items()):
        writer.nodes.append(helper.make_node("Identity", [made[number]], [outputs[result]], name=outputs[result]))
    order = {result: number for number, result in results.items()}
    dimensions = [{d: sizes.names[k] for d, k in own.items()} for own in sizes.dimensions]
    proto = helper.make_graph(
        writer.nodes,
        name,
        [_described(n, v, d) for n, v, d in zip(inputs, graph.inputs, dimensions)],
        [_described(n, graph.outputs[order[k]], {}) for k, n in enumerate(outputs)],
        writer.initializers,
    )
    imports = [helper.make_opsetid("", OPSET)]
    return helper.make_model(
        proto, opset_imports=imports, ir_version=9, producer_name="tritonflow", producer_version=tritonflow.__version__
    )


def _graph(runs: Sequence[ForSizes], sizes: Sizes, inputs: Sequence[str]) -> tuple[Graph, dict[int, tuple[str, int]]]:
    """The program that all runs are of, and which dimensions the symbols in it are.

    Raises:
        ExportError: the function is another program for some sizes.
    """
    first = runs[0].captured
    if len(runs) == 1:
        return first.before, {}
    template = first.template
    if template is None or any(run.captured.template is not template for run in runs):
        raise ExportError("onnx.export(): the function is another program for other sizes; pass fewer `sizes`")
    graph, dimensions = template.graph, template.dimensions
    at = len(runs[0].numbers) - len(dimensions.symbols)
    return graph, {at + k: (inputs[s.dimensions[0][0]], s.dimensions[0][1]) for k, s in enumerate(dimensions.symbols)}


def _described(name: str, value: Value, sizes: Mapping[int, str]) -> onnx.ValueInfoProto:
    """An input or output: sizes that differ are names."""
    shape = [sizes.get(d, expression_of(n).constant) for d, n in enumerate(value.meta.shape)]
    return helper.make_tensor_value_info(name, type_of(value.meta.dtype), shape)


def _parameters(captures: Captures) -> dict[tuple[Any, int], str]:
    """What parameters and buffers are called, by where they lie."""
    found: dict[tuple[Any, int], str] = {}
    for root, module in captures.source.modules.items():
        for name, tensor in (*module.named_parameters(), *module.named_buffers()):
            found[tensor.impl, tensor.ptr - tensor.impl.block.ptr] = f"{root}.{name}" if root else name
    return found
