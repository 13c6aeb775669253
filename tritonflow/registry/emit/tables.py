"""tritonflow/ops/registry.py: every op as plain data."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from tritonflow.registry.emit import HEADER, UNFORMATTED
from tritonflow.registry.emit.values import filled
from tritonflow.registry.linearity import linear_sets
from tritonflow.registry.op_schema import Op
from tritonflow.registry.project import FusedOp, Project
from tritonflow.registry.scalar_functions import ScalarFunction, class_of

# The defaults of OpDef, which are not written. tritonflow.ops.op_def itself is not imported: its room imports Triton.
_DEFAULTS: dict[str, Any] = {
    **dict.fromkeys(("attrs", "dynamic", "optional", "contiguous", "columns", "mut", "nondifferentiable"), ()),
    **dict.fromkeys(("differentiable", "saved", "saved_for", "dtypes"), ()),
    "variadic": False,
    "channels_last": False,
    "inplace": False,
    "inplace_saved": None,
    "kind": "pointwise",
    "divisor": "",
    "function": "",
    "updates": "",
    "result": "promoted",
    "tolerance": "pointwise",
    "sbp": "pointwise.pointwise",
    "complex": "",
    "batch": "default.by_definition",
    "split": "",
    "composite": False,
    "linear": (),
    "fusion": "pointwise",
    "prologue": False,
    "identity": None,
    "selects": "",
    "storage": False,
    "unsigned": False,
    "zero_second_derivative": False,
}


def emit(project: Project) -> str:
    """The text of tritonflow/ops/registry.py."""
    definitions = []
    for op in project.ops.values():
        definitions.append(_definition(_op_fields(project, op)))
        definitions.extend(_definition(_fused_fields(project, f)) for f in project.fused_ops(op.name))
    return "\n".join(
        [
            f'"""Every op as data.\n\n{HEADER}\n"""',
            UNFORMATTED,
            "from typing import Any",
            "",
            "from tritonflow.ops.op_def import OpTable",
            "",
            "_FIELDS: dict[str, dict[str, Any]] = {",
            *(filled(f"    {d},") for d in definitions),
            "}",
            "",
            "OPS = OpTable(_FIELDS)",
            "",
        ]
    )


def _op_fields(project: Project, op: Op) -> dict[str, Any]:
    derivative = project.derivatives.get(op.name)
    inplace_derivative = project.inplace_derivatives.get(op.name)
    shared = {f.name: getattr(op, f.name) for f in fields(op) if f.name in ("name", "outputs", "kind", *_DEFAULTS)}
    return {
        **shared,
        "inputs": op.input_names,
        "optional": tuple(i.name for i in op.inputs if i.optional),
        "variadic": any(i.variadic for i in op.inputs),
        "function": op.entry if (op.dtypes or op.divisor) and op.entry != op.name else "",
        "target": project.pointwise[op.name].target if op.kind == "pointwise" else op.target,
        "differentiable": derivative.differentiable if derivative else (),
        "saved": derivative.saved if derivative else (),
        "saved_for": derivative.saved_for if derivative else (),
        "inplace_saved": inplace_derivative.saved if inplace_derivative else None,
        "inplace": op.name in project.inplace_ops,
        "batch": op.batch or _DEFAULTS["batch"],
        "composite": op.name in project.decompositions,
        "tolerance": project.tolerance(op),
        "linear": _linear(project, project.pointwise[op.name], op.input_names) if op.kind == "pointwise" else (),
    }


def _linear(project: Project, function: ScalarFunction, inputs: tuple[str, ...]) -> tuple[tuple[int, ...], ...]:
    """In which inputs jointly a pointwise op is linear."""
    return linear_sets(function, {**project.functions, **{f.name: f for f in project.generated_functions()}}, len(inputs))


def _fused_fields(project: Project, fused: FusedOp) -> dict[str, Any]:
    return {
        "name": fused.name,
        "inputs": fused.inputs,
        "outputs": ("out",),
        "attrs": fused.attrs,
        "dynamic": fused.dynamic,
        "target": fused.function.target,
        "tolerance": class_of(fused.function),
        "linear": _linear(project, fused.function, fused.inputs),
    }


_ORDER = (
    *("inputs", "outputs", "attrs", "dynamic", "kind", "target", "optional", "variadic", "result"),
    *("dtypes", "divisor", "function"),
    *("contiguous", "channels_last", "columns", "mut", "updates", "nondifferentiable", "differentiable"),
    *("saved", "saved_for", "inplace_saved", "inplace"),
    *("tolerance", "sbp", "complex", "batch", "split", "composite"),
    *("linear", "fusion", "prologue", "identity", "selects", "storage", "unsigned"),
    "zero_second_derivative",
)


def _definition(values: dict[str, Any]) -> str:
    written = [k for k in _ORDER if k in values and not (k in _DEFAULTS and values[k] == _DEFAULTS[k])]
    return f"{values['name']!r}: {{{', '.join(f'{k!r}: {values[k]!r}' for k in written)}}}"
