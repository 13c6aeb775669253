"""kernels/functions/generated.py: composite pointwise expressions and the gradients that are one kernel."""

from __future__ import annotations

from collections import defaultdict

from tritonflow.registry.emit import HEADER
from tritonflow.registry.project import Project
from tritonflow.registry.scalar_functions import GENERATED, ScalarFunction


def emit(project: Project) -> str:
    """The text of kernels/functions/generated.py."""
    functions = project.generated_functions()
    imports: dict[str, set[str]] = defaultdict(set)
    for function in functions:
        for name in function.calls:
            if name in project.functions:
                imports[project.functions[name].module].add(name)
    lines = [
        f'"""Composite pointwise expressions and fused gradients.\n\n{HEADER}\n"""',
        "import triton",
        "import triton.language as tl" if any(f.constexprs for f in functions) else "",
        "",
        *(f"from .{module} import {', '.join(sorted(names))}" for module, names in sorted(imports.items())),
        "",
    ]
    assert GENERATED not in imports
    return "\n".join([*lines, *(_function(f) for f in functions)])


def _function(function: ScalarFunction) -> str:
    parameters = [f"{p}: tl.constexpr" if p in function.constexprs else p for p in function.parameters]
    return f"\n\n@triton.jit\ndef {function.name}({', '.join(parameters)}):\n    return {function.source}\n"
