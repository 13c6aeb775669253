"""How a graph prints: its modules as a tree, with the sizes of parameters and buffers, and what was captured so far."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from html import escape
from typing import Any

from tritonflow.framework.symbolic_int import hint
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


def describe_html(name: str, class_name: str, modules: Iterable[tuple[str, Module]], captured: Iterable[Captured]) -> str:
    """The same for notebooks: modules that fold, and a row for each kind of call."""
    parts = "".join(_folding(path, module) for path, module in modules)
    heads = "".join(f"<th>{head}</th>" for head in ("inputs", "outputs", "kernels", "bytes between kernels"))
    rows = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in _cells(each))}</tr>" for each in captured)
    table = f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>" if rows else "<p>not captured yet</p>"
    return f"<p><b>{escape(name)}</b>: {escape(class_name)}</p>{parts}{table}"


def _folding(path: str, module: Module) -> str:
    text = escape("\n".join(_module(path, module)))
    title = f"{escape(path)}: {type(module).__name__}" if path else type(module).__name__
    return f"<details><summary>{title}</summary><pre>{text}</pre></details>"


def _cells(captured: Captured) -> tuple[str, str, str, str]:
    executable = captured.executable
    return (*_values(captured), f"{executable.launches:,}", f"{executable.arena_bytes:,}")


def _values(captured: Captured) -> tuple[str, str]:
    """The inputs of a call, and what it gives."""
    graph, backward = captured.before, captured.backward
    outputs = graph.outputs if backward is None else graph.outputs[: backward.visible]
    further = [value.meta for value in graph.inputs[len(captured.metas) :]]
    given, made = (", ".join(map(tensor_text, metas)) for metas in ([*captured.metas, *further], [v.meta for v in outputs]))
    return given, made


def _captured(captured: Captured) -> Iterator[str]:
    graph, executable = captured.before, captured.executable
    outputs = graph.outputs if captured.backward is None else graph.outputs[: captured.backward.visible]
    given, made = _values(captured)
    behind = "" if len(outputs) == len(graph.outputs) else f", {_saved(graph.outputs[len(outputs) :])} saved for backward"
    yield f"(CAPTURED:({given}) -> ({made}), {executable.launches} kernels, {executable.arena_bytes:,} bytes between them{behind})"


def _saved(values: Any) -> str:
    return f"{sum(hint(value.meta.nbytes) for value in values):,} bytes"  # of many sizes, those of the capture


def names_of(modules: Mapping[str, Module]) -> dict[Any, str]:
    """What parameters and buffers are called, by their impls."""
    found: dict[Any, str] = {}
    for path, module in modules.items():
        for name, tensor in (*module.named_parameters(), *module.named_buffers()):
            found.setdefault(tensor.impl, f"{path}.{name}" if path else name)
    return found
