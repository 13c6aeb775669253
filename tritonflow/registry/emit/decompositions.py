"""tritonflow/_C/decompositions.py: for each composite op, a function from inputs and attributes to outputs, made of other ops."""

from __future__ import annotations

from tritonflow.registry import expression as language
from tritonflow.registry.emit import HEADER
from tritonflow.registry.emit.values import tuple_of
from tritonflow.registry.expression import Expression
from tritonflow.registry.project import Decomposition, Project


def emit(project: Project) -> str:
    """The text of tritonflow/_C/decompositions.py."""
    return "\n".join(
        [
            f'"""What composite ops are made of: formulas over `_C`, None where there are none.\n\n{HEADER}\n"""',
            "from tritonflow import _C",
            "",
            "",
            *(_function(name, each) + "\n\n" for name, each in project.decompositions.items()),
        ]
    )


def _function(name: str, decomposition: Decomposition) -> str:
    op = decomposition.op
    formulas = [formula for _, formula in decomposition.steps]
    read = {n for f in [*formulas, *filter(None, [decomposition.condition])] for n in (*f.data, *f.metas)}
    lines = []
    for source, names in (("inputs", op.input_names), ("attrs", op.attrs), ("dynamic", op.dynamic)):
        lines += [f"{n} = {source}[{k}]" for k, n in enumerate(names) if n in read]
    if decomposition.condition is not None:
        lines += [f"if not ({_python(decomposition.condition)}):", "    return None"]
    lines += [f"{', '.join(names)} = {_python(formula)}" for names, formula in decomposition.steps]
    lines.append(f"return {tuple_of(op.outputs)}")
    return f"def {name}(inputs, attrs, dynamic):\n" + "\n".join("    " + line for line in lines)


def _python(formula: Expression) -> str:
    return language.to_python(formula, {name: f"{name}.meta" for name in (*formula.data, *formula.metas)}, {})
