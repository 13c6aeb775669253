"""tritonflow/ops/flops.py: the floating-point operations of ops that are not one for each element of a pointwise result."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from tritonflow.registry.emit import HEADER, UNSORTED
from tritonflow.registry.emit.values import filled
from tritonflow.registry.op_schema import Op
from tritonflow.registry.project import ELEMENTS, Project


def emit(project: Project) -> str:
    """The text of tritonflow/ops/flops.py."""
    counted = [op for op in project.ops.values() if op.kind != "pointwise" and op.flops != "0"]
    counted += [op for op in project.ops.values() if op.kind == "pointwise" and op.flops != f"{op.outputs[0]}.numel"]
    rows = [f'    "{op.name}": lambda inputs, outputs, attrs: {_python(project, op)},' for op in counted]
    helpers = [name for name in ("largest", "numel") if any(f"{name}(" in row for row in rows)]
    return "\n".join(
        [
            f'"""Floating-point operations of ops, from the metas of inputs and outputs and the attributes.\n\n{HEADER}\n"""',
            UNSORTED,
            *(["from math import prod"] if any("prod(" in row for row in rows) else []),
            f"from tritonflow.ops.sizes import {', '.join(['Flops', *helpers])}",
            "",
            "FLOPS: dict[str, Flops] = {",
            *map(filled, rows),
            "}",
            "",
        ]
    )


def _python(project: Project, op: Op) -> str:
    lists = (("inputs", op.input_names), ("outputs", op.outputs), ("attrs", op.attrs))
    values = {name: f"{source}[{k}]" for source, names in lists for k, name in enumerate(names)}
    if op.inputs and op.inputs[-1].variadic:
        first = len(op.inputs) - 1
        values[op.inputs[-1].name] = f"inputs[{first}:]" if first else "inputs"
    values[ELEMENTS] = "largest(inputs)"
    tree = ast.parse(project.flops[op.name].source, mode="eval").body
    return ast.unparse(_Values(values).visit(tree))


class _Values(ast.NodeTransformer):
    """Replaces names by where their values are found."""

    def __init__(self, values: Mapping[str, str]) -> None:
        self.values = values

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.parse(self.values.get(node.id, node.id), mode="eval").body
