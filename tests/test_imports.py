"""Imports inside functions, which threads may run at the same time."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import tritonflow

ROOT = Path(tritonflow.__file__).parent


def module_of(file: Path) -> str:
    return ".".join(("tritonflow", *file.relative_to(ROOT).with_suffix("").parts)).removesuffix(".__init__")


def imported(tree: ast.AST, package: str) -> Iterator[str]:
    """What a tree's import statements import first; `package` is the one of its file."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            yield ".".join([*above, *filter(None, [node.module])])


FIRST_OPS = """
import threading
import tritonflow as flow

x = flow.tensor([[-1.5], [0.5], [1.5]], dtype=flow.float64, requires_grad=True)
index = flow.tensor([[0, 0, 0]])
ops = (lambda: x.expand(2, 3, 4) * x, lambda: flow.topk(x.detach(), 1, 0), lambda: x.detach().clamp_min(0), lambda: x.sum().backward(),
       lambda: flow.arange(5.0), lambda: flow.zeros(3, 3).scatter(-1, index, flow.ones(1, 3)), lambda: x @ x.t(), lambda: flow.sort(x))
begin, errors = threading.Barrier(len(ops)), []

def run(op):
    begin.wait()
    try:
        op()
    except Exception as error:
        errors.append(error)

threads = [threading.Thread(target=run, args=(op,)) for op in ops]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
assert not errors, errors
"""


def test_threads_begin_at_a_time() -> None:
    """The first ops import Triton, whose modules import each other: no thread sees half of one."""
    for _ in range(3):
        done = subprocess.run([sys.executable, "-c", FIRST_OPS], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr


@pytest.mark.long
def test_a_function_imports_a_package_before_its_modules() -> None:
    """CPython locks a module and then imports its package. Where another thread is importing the package, which imports the
    module, one of the two is told of a deadlock. A package that `import tritonflow` brings is safe."""
    loaded = "import sys, tritonflow; print(*(name for name in sys.modules if name.startswith('tritonflow.')))"
    early = subprocess.run([sys.executable, "-c", loaded], capture_output=True, text=True, check=True).stdout.split()
    files = [file for file in ROOT.rglob("*.py") if "kernels" not in file.parts]
    modules = {module_of(file): file for file in files}
    filled = {
        name for name, file in modules.items()
        if file.name == "__init__.py"
        and any(f"{found}.".startswith(f"{name}.") for found in imported(ast.parse(file.read_text()), name))
    }  # fmt: skip
    late = filled - set(early) - {"tritonflow"}
    assert "tritonflow.triton_cpu" in late
    bad = []
    for file in files:
        package = module_of(file) if file.name == "__init__.py" else module_of(file).rpartition(".")[0]
        for function in ast.walk(ast.parse(file.read_text())):
            if isinstance(function, ast.FunctionDef):
                for name in set(imported(function, package)) & set(modules):
                    outer = name.rpartition(".")[0]
                    if outer in late and not f"{package}.".startswith(f"{outer}."):
                        bad.append(
                            f"{file.relative_to(ROOT)}: {function.name} imports {name}, of a package that may not be there yet"
                        )
    assert not bad, "\n".join(bad)
