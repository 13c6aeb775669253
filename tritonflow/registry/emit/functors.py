"""tritonflow/functions/generated.py: the functors whose parameters are their op's inputs and attributes."""

from __future__ import annotations

from tritonflow.binding.signature import SchemaError, Signature, snake
from tritonflow.registry.emit import HEADER, UNFORMATTED
from tritonflow.registry.emit.values import DISPATCHERS, dispatch_call, filled, literal, tuple_of
from tritonflow.registry.op_schema import Op
from tritonflow.registry.project import Project


def emit(project: Project) -> str:
    """The text of tritonflow/functions/generated.py."""
    functors = default_functors(project)
    ops = sorted({op.name for _, op in functors.values()})
    body = [_functor(signature, op) for signature, op in functors.values()]
    text = "\n".join(body)
    dispatchers = sorted(d for d in DISPATCHERS if f"{d}(" in text)
    uses_dtypes = "dtypes." in text
    return "\n".join(
        [
            f'"""Default functors: an op\'s inputs and attributes, straight to dispatch.\n\n{HEADER}\n"""',
            UNFORMATTED,
            "from tritonflow import dtypes" if uses_dtypes else "",
            "from tritonflow.execution.op_expr import op_expr",
            f"from tritonflow.interpreter.dispatch import {', '.join(dispatchers)}" if dispatchers else "",
            "",
            *(f'_{op} = op_expr("{op}")' for op in ops),
            "",
            text,
        ]
    ).rstrip() + "\n"


def default_functors(project: Project) -> dict[str, tuple[Signature, Op]]:
    """The functors to write: for each its longest signature and its op."""
    found: dict[str, tuple[Signature, Op]] = {}
    for entry in project.entries:
        for signature in entry.signatures:
            name = signature.functor
            op = project.op_of(entry, signature)
            if name in project.functors or op is None:
                continue
            if name in found:
                known, short = sorted((found[name][0], signature), key=lambda s: -len(s.parameters))
                _check_prefix(entry.name, known, short)
                found[name] = (known, op)
            else:
                found[name] = (signature, op)
    for signature, op in found.values():
        _check_parameters(signature, op)
    return found


def _check_prefix(entry: str, longer: Signature, shorter: Signature) -> None:
    """Signatures that share a functor must agree on it: the shorter one's parameters lead the longer one's."""
    count = len(shorter.parameters)
    same = [p.type.name for p in longer.parameters[:count]] == [p.type.name for p in shorter.parameters]
    if not same or any(p.required for p in longer.parameters[count:]):
        raise SchemaError(
            f"{entry}: functor {longer.functor} has the parameters {longer}, which {shorter} does not fit"
        )


def _check_parameters(signature: Signature, op: Op) -> None:
    given = {p.name for p in signature.parameters} - {"inplace"}
    wanted = {*op.input_names, *op.attrs, *op.dynamic}
    if given != wanted:
        missing, surplus = sorted(wanted - given), sorted(given - wanted)
        raise SchemaError(
            f"{signature.name}: op {op.name!r} and the signature {signature} differ"
            + (f"; the signature lacks {', '.join(missing)}" if missing else "")
            + (f"; the op does not know {', '.join(surplus)}" if surplus else "")
            + f": write the functor {signature.functor} by hand in functions"
        )


def _functor(signature: Signature, op: Op) -> str:
    parameters = [p.name if p.required else f"{p.name}={literal(p.default)}" for p in signature.parameters]
    variadic = op.inputs[-1].name if op.inputs and op.inputs[-1].variadic else None
    inputs = [f"*{n}" if n == variadic else n for n in op.input_names]
    plain_inputs = not variadic and not any(i.optional for i in op.inputs)
    lines = [filled(f"def {snake(signature.functor)}({', '.join(parameters)}):")]
    if signature.inplace:
        out = op.inputs[0].name
        lines += [
            "    if inplace:",
            f"        return dispatch(_{op.name}, {tuple_of(inputs)}{_rest(op)}, out={out})",
        ]
    if op.kind == "view" and len(inputs) == 1 and plain_inputs and len(op.outputs) == 1 and not op.dynamic:
        attrs = f", {tuple_of(op.attrs)}" if op.attrs else ""
        return "\n".join([*lines, f"    return dispatch_view(_{op.name}, {inputs[0]}{attrs})"]) + "\n"
    single = plain_inputs and len(op.outputs) == 1
    lines.append(f"    return {dispatch_call(f'_{op.name}', inputs, op.attrs, op.dynamic, single)}")
    return "\n".join(lines) + "\n"


def _rest(op: Op) -> str:
    if op.dynamic:
        return f", {tuple_of(op.attrs)}, {tuple_of(op.dynamic)}"
    return f", {tuple_of(op.attrs)}" if op.attrs else ""
