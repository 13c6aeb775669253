"""The scalar functions under kernels/functions, read from their sources: names, parameters, and whether one is transcendental."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tritonflow.binding.signature import SchemaError
from tritonflow.ops.transcendental import TRANSCENDENTAL

GENERATED = "generated"


@dataclass(frozen=True)
class ScalarFunction:
    """A function under kernels/functions.

    Args:
        name, module, parameters: the function, its file and its parameters.
        source, calls: of those that the generator writes: the result, and the scalar functions in it.
        body: of those that are written by hand: the statements.
        constexprs: the parameters that are constants of a kernel.
        transcendental: whether it, or a function that it calls, calls one of `TRANSCENDENTAL`.
    """

    name: str
    module: str
    parameters: tuple[str, ...]
    source: str = ""
    calls: tuple[str, ...] = ()
    constexprs: tuple[str, ...] = ()
    transcendental: bool = False
    body: tuple[ast.stmt, ...] = field(default=(), compare=False, repr=False)

    @property
    def target(self) -> str:
        """`file.function`."""
        return f"{self.module}.{self.name}"


def scan_functions(folder: Path) -> dict[str, ScalarFunction]:
    """The `@triton.jit` functions under `folder` by name; private ones (`_x`) excepted."""
    functions: dict[str, ScalarFunction] = {}
    definitions = [(path, node) for path, node in function_definitions(folder) if path.stem != GENERATED]
    called = {(path.stem, node.name): _calls(node) for path, node in definitions}
    for path, node in definitions:
        if node.name.startswith("_") or not any(ast.unparse(d).startswith(("triton.jit", "jit")) for d in node.decorator_list):
            continue
        if node.name in functions:
            other = functions[node.name].module
            raise SchemaError(f"two scalar functions are called {node.name!r}: in {other}.py and {path.name}")
        parameters = tuple(a.arg for a in node.args.args)
        series = _is_transcendental(path.stem, node.name, called)
        body = tuple(node.body)
        functions[node.name] = ScalarFunction(node.name, path.stem, parameters, transcendental=series, body=body)
    return functions


def class_of(function: ScalarFunction) -> str:
    """The class of tolerances of a function's results."""
    return "transcendental" if function.transcendental else "pointwise"


def function_definitions(folder: Path) -> Iterator[tuple[Path, ast.FunctionDef]]:
    """The functions at the top of the files in `folder`, with their file."""
    for path in sorted(folder.glob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef):
                yield path, node


def _calls(function: ast.FunctionDef) -> set[str]:
    """What a function calls: `name` for a function of its own name, `.name` for one of a module, such as tl.exp."""
    calls = [node.func for node in ast.walk(function) if isinstance(node, ast.Call)]
    named = {call.id for call in calls if isinstance(call, ast.Name)}
    return named | {f".{call.attr}" for call in calls if isinstance(call, ast.Attribute)}


def _is_transcendental(module: str, name: str, called: Mapping[tuple[str, str], set[str]]) -> bool:
    """Whether some call leads to a transcendental function; a name is that of the same file, or of any other one."""
    seen, rest = set(), [(module, name)]
    while rest:
        at = rest.pop()
        if at in seen:
            continue
        seen.add(at)
        if any(call[1:] in TRANSCENDENTAL for call in called[at] if call.startswith(".")):
            return True
        for call in called[at]:
            own = (at[0], call)
            rest += [own] if own in called else [key for key in called if key[1] == call]
    return False
