"""tritonflow/_C/derivatives.py: for each op, a function from the gradients of its outputs to those of its inputs."""

from __future__ import annotations

from tritonflow.registry import expression as language
from tritonflow.registry.emit import HEADER, UNFORMATTED
from tritonflow.registry.emit.values import DISPATCHERS, dispatch_call, filled, tuple_of
from tritonflow.registry.project import Derivative, Formula, FusedOp, Project


def emit(project: Project) -> str:
    """The text of tritonflow/_C/derivatives.py."""
    functions = [(f"{name}_backward", d) for name, d in project.derivatives.items()]
    functions += [(f"{name}_inplace_backward", d) for name, d in project.inplace_derivatives.items()]
    body = "\n\n".join(_function(name, derivative) for name, derivative in functions)
    fused = sorted(f.name for op in project.ops for f in project.fused_ops(op))
    dispatchers = sorted(d for d in DISPATCHERS if f"{d}(" in body)
    return "\n".join(
        [
            f'"""Derivatives: formulas over `_C`, and one kernel each where grad mode is off.\n\n{HEADER}\n"""',
            UNFORMATTED,
            "from tritonflow import _C",
            "from tritonflow.execution.op_expr import op_expr" if fused else "",
            f"from tritonflow.interpreter.dispatch import {', '.join(dispatchers)}" if dispatchers else "",
            "from tritonflow.interpreter.grad_mode import is_grad_enabled" if fused else "",
            "",
            *(f'_{name} = op_expr("{name}")' for name in fused),
            "",
            body,
            "",
        ]
    )


def _function(name: str, derivative: Derivative) -> str:
    op = derivative.op
    differentiable = [o for o in op.outputs if o not in op.nondifferentiable]
    grads = [f"d{o}" for o in op.outputs]
    lines = [f"def {name}(node, {', '.join(grads)}):"]
    read = {n for f in derivative.formulas for n in f.expression.data}
    if len(op.outputs) > 1:
        nothing = " and ".join(f"d{o} is None" for o in differentiable)
        variadic = op.inputs[-1].variadic
        nones = "(None,) * len(node.metas)" if variadic else tuple_of(["None"] * len(op.inputs))
        lines += [f"if {nothing}:", f"    return {nones}"]
        for k, output in enumerate(op.outputs):
            if f"d{output}" in read:
                lines += [f"if d{output} is None:", f"    d{output} = node.zeros({k})"]
    scalars = [(n, f"node.attrs[{k}]") for k, n in enumerate(op.attrs) if n in read]
    scalars += [(n, f"node.dynamic[{k}]") for k, n in enumerate(op.dynamic) if n in read]
    lines += [f"{n} = {source}" for n, source in scalars]
    if len(op.inputs) > 1:
        lines += _guarded(derivative)
    else:
        lines += _gradient(derivative, derivative.formulas[0])
    lines.append(f"return {_result(derivative)}")
    target, assigns, source = lines[-2].partition(" = ")
    if assigns and lines[-1] == f"return ({target},)":
        lines[-2:] = [f"return ({source},)"]
    return filled(lines[0]) + "\n" + "\n".join(filled("    " + line) for line in lines[1:])


def _result(derivative: Derivative) -> str:
    parts = [f"d{i.name}" if i.name in derivative.differentiable else "None" for i in derivative.op.inputs]
    if derivative.op.inputs[-1].variadic:
        parts[-1] = "*" + (parts[-1] if parts[-1] != "None" else f"(None,) * (len(node.metas) - {len(parts) - 1})")
    return tuple_of(parts)


def _guarded(derivative: Derivative) -> list[str]:
    """Each gradient only if some input wants it."""
    op = derivative.op
    position = {n: i for i, n in enumerate(op.input_names)}
    variadic = op.inputs[-1].name if op.inputs[-1].variadic else None
    lines = ["needs = node.needs"]
    plain = [f"d{n}" for n in derivative.differentiable if n != variadic]
    if plain:
        lines.append(" = ".join([*plain, "None"]))
    if variadic in derivative.differentiable:
        lines.append(f"d{variadic} = (None,) * (len(node.metas) - {position[variadic]})")
    for formula in derivative.formulas:
        wants = [f"any(needs[{position[n]}:])" if n == variadic else f"needs[{position[n]}]" for n in formula.inputs]
        lines.append(f"if {' or '.join(wants)}:")
        lines += ["    " + line for line in _gradient(derivative, formula)]
    return lines


def _gradient(derivative: Derivative, formula: Formula) -> list[str]:
    """Statements that read what is saved and set `d<input>`."""
    op = derivative.op
    variadic = op.inputs[-1].name if op.inputs and op.inputs[-1].variadic else None
    lines = [
        f"{n} = node.{'saved_list' if n == variadic else 'saved'}({k})"
        for k, n in enumerate(derivative.saved)
        if n in formula.expression.data
    ]
    target = ", ".join(f"d{n}" for n in formula.inputs)
    source = language.to_python(formula.expression, _metas(derivative), _needs(derivative))
    if formula.fused is None:
        return [*lines, f"{target} = {source}"]
    fused: FusedOp = formula.fused
    call = dispatch_call(f"_{fused.name}", fused.inputs, fused.attrs, fused.dynamic)
    assert op.inputs
    return [*lines, "if is_grad_enabled():", f"    {target} = {source}", "else:", f"    {target} = {call}"]


def _metas(derivative: Derivative) -> dict[str, str]:
    op = derivative.op
    metas = {n: f"node.metas[{i}]" for i, n in enumerate(op.input_names)}
    metas |= {n: f"node.out_metas[{i}]" for i, n in enumerate(op.outputs)}
    metas |= {f"d{n}": f"d{n}.meta" for n in op.outputs}
    if op.inputs and op.inputs[-1].variadic:
        metas.pop(op.inputs[-1].name)
    return metas


def _needs(derivative: Derivative) -> dict[str, str]:
    return {n: f"node.needs[{i}]" for i, n in enumerate(derivative.op.input_names)}
