"""From an ONNX model to a module: the file is read and checked, and its nodes find their functions."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import Any

from tritonflow.onnx.reading.constants import Constants
from tritonflow.onnx.reading.module import OnnxModule, Port
from tritonflow.onnx.reading.node import OnnxGraph, OnnxNode
from tritonflow.onnx.reading.table import find

OLDEST, NEWEST = 7, 27  # of 28 the specification still changes
"""Versions of the operator set that are read."""

REFUSED = {("Attention", "left_window_size"): -1, ("Attention", "right_window_size"): -1, ("BatchNormalization", "spatial"): 1}
"""Attributes of which only one number is supported."""

IGNORED = {
    "hidden_size": "the shape of the weights says it",
    "round_mode": "of casts to float8_e8m0, which are not supported",
    "seed": "masks are drawn by flow's generator",
    "sorted": "what is sorted may be asked for unsorted",
    "stash_type": "statistics are computed in float32 at least",
}
"""Attributes that are not read, and why."""

OWN_DOMAINS = ("", "ai.onnx")


def load(model: Any) -> OnnxModule:
    """An ONNX model as a module, whose forward runs it by the functions of this package.

    Its floating initializers are parameters; running statistics, scales of quantisation and other constants are buffers.
    Names of initializers are names in the state dict: dots make modules within modules. Sizes that the model computes of its
    inputs stay symbolic under `flow.compile`. Dropout and batch norms do as the model says, which `train()` does not change.

    Args:
        model: a path, the bytes of a file, or an `onnx.ModelProto`. External data of a path are beside it.

    Returns:
        The module. It is called with tensors for the inputs of the model, by position or by name. It gives the output, or a
        tuple of several.

    Raises:
        ImportError: the package `onnx` is not installed.
        FileNotFoundError: there is no such file, or external data are missing.
        TypeError: another argument, or inputs and constants of dtypes that there are not here.
        ValueError: it is no valid model, or its operator set is older than 7 or newer than those that are known.
        NotImplementedError: it has ops that are not known, all of which are named.

    Source: the specification of ONNX, https://onnx.ai/onnx/operators.

    Example:
        >>> import tritonflow as flow
        >>> flow.onnx.load(3)
        Traceback (most recent call last):
        TypeError: load() expects a path, bytes or an onnx.ModelProto, but got int
    """
    if not isinstance(model, (str, os.PathLike, bytes, bytearray, memoryview)) and not hasattr(model, "SerializeToString"):
        raise TypeError(f"load() expects a path, bytes or an onnx.ModelProto, but got {type(model).__name__}")
    return Reader(checked(read(model))).module()


def _onnx() -> Any:
    try:
        import onnx  # no other function needs it
    except ImportError as error:
        raise ImportError("flow.onnx.load needs the package onnx: pip install onnx") from error
    return onnx


def read(model: Any) -> Any:
    """The model as a message, with external data inside."""
    onnx = _onnx()
    from google.protobuf.message import DecodeError  # comes with onnx

    try:
        if isinstance(model, (str, os.PathLike)):
            return onnx.load(os.fspath(model))
        if isinstance(model, (bytes, bytearray, memoryview)):
            return onnx.load_from_string(bytes(model))
    except DecodeError as error:
        raise ValueError(f"this is no ONNX model: {error}") from error
    except onnx.checker.ValidationError as error:
        raise _invalid(error) from error
    if not isinstance(model, onnx.ModelProto):
        raise TypeError(f"load() expects a path, bytes or an onnx.ModelProto, but got {type(model).__name__}")
    return model


def _invalid(error: Exception) -> Exception:
    text = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
    missing = "external" in text.lower() and "exist" in text.lower()
    return FileNotFoundError(text) if missing else ValueError(f"this is no valid ONNX model: {text}")


def checked(model: Any) -> Any:
    """The model, valid and with its own functions inlined."""
    onnx = _onnx()
    if not model.HasField("graph") or not model.graph.output:
        raise ValueError("this is no valid ONNX model: it has no graph with outputs")
    for tensor in tensors_of(model.graph):
        if tensor.data_location == onnx.TensorProto.EXTERNAL:
            raise ValueError(f"the data of {tensor.name!r} are in another file: load the model by its path")
    try:
        if model.ByteSize() < 2**31:  # which the checker cannot take otherwise
            onnx.checker.check_model(model)
    except onnx.checker.ValidationError as error:
        raise _invalid(error) from error
    if model.functions:
        from onnx.inliner import inline_local_functions  # a part that `import onnx` leaves out

        model = inline_local_functions(model)
    version = version_of(model)
    if not OLDEST <= version <= NEWEST:
        raise ValueError(f"the model is of operator set {version}; {OLDEST} to {NEWEST} are supported. "
                         "onnx.version_converter may convert it")  # fmt: skip
    missing = [node for node in nodes_of(model.graph) if not _is_known(node, version)]
    for node in nodes_of(model.graph):
        for attribute in node.attribute:
            if attribute.i != REFUSED.get((node.op_type, attribute.name), attribute.i):
                raise NotImplementedError(f"flow.onnx.load does not support {attribute.name}={attribute.i} of {node.op_type}")
    unknown = sorted({f"{node.domain}.{node.op_type}".lstrip(".") for node in missing})
    if unknown:
        raise NotImplementedError(f"flow.onnx.load has no functions for these ops of the model: {', '.join(unknown)}")
    return model


def version_of(model: Any) -> int:
    """The version of the operator set of ONNX."""
    return int(max((each.version for each in model.opset_import if each.domain in OWN_DOMAINS), default=1))


def _is_known(node: Any, version: int) -> bool:
    return node.domain in OWN_DOMAINS and (node.op_type == "Constant" or find(node.op_type, version) is not None)


def subgraphs_of(node: Any) -> Iterator[Any]:
    """The graphs within a node."""
    for attribute in node.attribute:
        if attribute.HasField("g"):
            yield attribute.g
        yield from attribute.graphs


def nodes_of(graph: Any) -> Iterator[Any]:
    """All nodes, also those of graphs within nodes."""
    for node in graph.node:
        yield node
        for inner in subgraphs_of(node):
            yield from nodes_of(inner)


def tensors_of(graph: Any) -> Iterator[Any]:
    """All initializers and attributes that are tensors."""
    yield from graph.initializer
    for node in graph.node:
        for attribute in node.attribute:
            if attribute.HasField("t"):
                yield attribute.t
        for inner in subgraphs_of(node):
            yield from tensors_of(inner)


def names_used(graph: Any) -> Iterator[str]:
    """Names of values that a graph uses, its own and those of graphs around it."""
    for node in graph.node:
        yield from uses_of(node)
    for output in graph.output:
        yield output.name


def uses_of(node: Any) -> Iterator[str]:
    """Names of values that a node uses, also in graphs within it."""
    yield from node.input
    for inner in subgraphs_of(node):
        yield from names_used(inner)


class Reader:
    """Makes a module of a valid model."""

    def __init__(self, model: Any) -> None:
        self.model = model
        self.version = version_of(model)
        self.root = OnnxModule()
        self.constants = Constants(self.root, nodes_of(model.graph))

    def module(self) -> OnnxModule:
        """The module of the model."""
        proto = self.model.graph
        graph = self.graph(proto)
        inputs = [Port.of(each) for each in proto.input if each.name not in graph.constants]
        defaults = [Port.of(each) for each in proto.input if each.name in graph.constants]
        self.root.set_graph(graph, inputs, defaults, proto.name)
        return self.root

    def graph(self, proto: Any) -> OnnxGraph:
        """A graph, or one within a node."""
        constants = {each.name: self.constants.initializer(each) for each in proto.initializer}
        for sparse in proto.sparse_initializer:
            raise NotImplementedError(f"the initializer {sparse.values.name!r} is sparse, which flow.onnx.load does not support")
        nodes = []
        for each in proto.node:
            if each.op_type == "Constant":
                constants[each.output[0]] = self.constants.node(each)
            else:
                nodes.append(each)
        made = [self.node(each) for each in nodes]
        _free_after_last_use(made, nodes, [each.name for each in proto.output])
        return OnnxGraph(tuple(each.name for each in proto.input), tuple(each.name for each in proto.output), made, constants)

    def node(self, proto: Any) -> OnnxNode:
        """A node with its function."""
        found = find(proto.op_type, self.version)
        assert found is not None
        attributes = {each.name: self.attribute(each) for each in proto.attribute}
        inputs = list(proto.input)
        while inputs and not inputs[-1]:
            inputs.pop()
        return OnnxNode(proto.op_type, self.version, proto.name, tuple(inputs), tuple(proto.output), attributes, found)

    def attribute(self, proto: Any) -> Any:
        """An attribute as a Python value."""
        onnx = _onnx()
        value = onnx.helper.get_attribute_value(proto)
        if proto.type == onnx.AttributeProto.GRAPH:
            return self.graph(value)
        if proto.type == onnx.AttributeProto.TENSOR:
            return onnx.numpy_helper.to_array(value)
        if isinstance(value, bytes):
            return value.decode()
        if isinstance(value, Iterable) and not isinstance(value, str):
            return [each.decode() if isinstance(each, bytes) else each for each in value]
        return value


def _free_after_last_use(nodes: list[OnnxNode], protos: list[Any], outputs: list[str]) -> None:
    seen = set(outputs)
    for node, proto in zip(reversed(nodes), reversed(protos)):
        fresh = {name for name in (*uses_of(proto), *proto.output) if name and name not in seen}
        node.last = tuple(sorted(fresh))
        seen |= fresh
