"""How a graph prints: its modules as a tree, with the sizes of parameters and buffers, and what was captured so far."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from tritonflow.graph.api.captured import Captured
from tritonflow.graph.api.debug import tensor_text
from tritonflow.nn import Module


def describe(name: str, class_name: str, modules: Iterable[tuple[str, Module]], captured: Iterable[Captured]) -> str:
    """The text, in OneFlow's manner."""
    lines = [f"(GRAPH:{name}:{class_name}): ("]
    for path, module in modules:
        lines += [f"  {line}" for line in _module(path, module)]
    for each in captured:
        lines += [f"  {line}" for line in _captured(each)]
    return "\n".join([*lines, ")"])


def _module(path: str, module: Module) -> Iterator[str]:
    head = f"(MODULE:{path}:{type(module).__name__}({module.extra_repr()}))"
    inside = [line for name, child in module.named_children() for line in _module(f"{path}.{name}", child)]
    inside += [_tensor("PARAMETER", f"{path}.{name}", p) for name, p in module.named_parameters(recurse=False)]
    inside += [_tensor("BUFFER", f"{path}.{name}", b) for name, b in module.named_buffers(recurse=False)]
    if not inside:
        yield head
        return
    yield f"{head}: ("
    yield from (f"  {line}" for line in inside)
    yield ")"


def _tensor(kind: str, path: str, tensor: Any) -> str:
    return f"({kind}:{path}:{tensor_text(tensor.meta)})"


def _captured(captured: Captured) -> Iterator[str]:
    graph, executable = captured.before, captured.executable
    outputs = graph.outputs if captured.backward is None else graph.outputs[: captured.backward.visible]
    given, made = (", ".join(tensor_text(value.meta) for value in values) for values in (graph.inputs, outputs))
    behind = "" if len(outputs) == len(graph.outputs) else f", {_saved(graph.outputs[len(outputs) :])} saved for backward"
    yield f"(CAPTURED:({given}) -> ({made}), {executable.launches} kernels, {executable.arena_bytes:,} bytes between them{behind})"


def _saved(values: Any) -> str:
    return f"{sum(value.meta.nbytes for value in values):,} bytes"
