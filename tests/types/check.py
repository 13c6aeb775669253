"""mypy and pyright, strict, over the programs that readers copy: README's, those of docs/, and examples/.

    python tests/types/check.py            what is wrong, by page and line; `make check` runs it
    python tests/types/check.py FILE ...   these files alone

A page is one program: its blocks of Python in their order, at their lines. A block that is no program has `<!-- fragment -->`
above it. The pages of docs/ may leave types of their own functions out, as tutorials do; README and the examples may not.
Neither is asked of a lambda or a Triton kernel, whose parameters have no types.

`wrong_calls.py` is checked the other way: each line that ends in `# wrong` must be reported, and no other line. A program that
is written here names everything that the public modules and Tensor have at run time.
"""

from __future__ import annotations

import ast
import importlib.util
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[2]
RIGHT_CALLS, WRONG_CALLS = (Path(__file__).with_name(name) for name in ("right_calls.py", "wrong_calls.py"))
DOCS = sorted(p for p in (ROOT / "docs").rglob("*.md") if "design" not in p.parts)
PAGES = [ROOT / "README.md", *(p for p in DOCS if "<!-- needs: " not in p.read_text())]  # without those of projects that have no types here
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))


class Fault(NamedTuple):
    """What a checker reports."""

    path: str
    line: int
    checker: str
    text: str
    rule: str


def program(page: str) -> str:
    """The blocks of Python of a page, each at its lines; of a doctest, what is typed."""
    lines = [""] * len(page.splitlines())
    for block in re.finditer(r"(?<!fragment -->\n)^```python\n(.*?)^```", page, re.MULTILINE | re.DOTALL):
        start = page.count("\n", 0, block.start(1))
        for k, line in enumerate(block[1].splitlines()):
            lines[start + k] = line[4:] if ">>> " in block[1] and re.match(r"(>>>|\.\.\.) ", line) else line
            if ">>> " in block[1] and not re.match(r"(>>>|\.\.\.) ", line):
                lines[start + k] = ""
    return "\n".join(lines) + "\n"


# The modules whose names users write; what each has at run time, checkers must know.
MODULES = (
    *("", "amp", "autograd", "autograd.forward_ad", "backends", "comm", "cuda", "distributed", "distributions", "env", "fft"),
    *("func", "graph", "hub", "jit", "library", "linalg", "masked", "nn", "nn.attention", "nn.functional", "nn.init"),
    *("nn.parallel", "nn.utils", "nn.utils.parametrizations", "nn.utils.parametrize", "nn.utils.prune", "nn.utils.rnn", "optim"),
    *("optim.lr_scheduler", "optim.swa_utils", "profiler", "quantization", "quasirandom", "random", "sbp", "serialization", "signal"),
    *("signal.windows", "special", "sysconfig", "testing", "utils", "utils.checkpoint", "utils.data"),
)
EVERY_NAME = "every_name.py"


def every_name() -> str:
    """A program that names everything in MODULES, and every attribute of a tensor."""
    sys.path.insert(0, str(ROOT))
    from tritonflow.registry.assembled_stubs import PACKAGES, public_names

    lines = ["import torch", "import tritonflow as flow", "x = flow.ones(2)", "torch.ones"]
    for path in MODULES:
        full = ".".join(filter(None, ("tritonflow", path)))
        module = importlib.import_module(full)
        names = public_names(module) if full in PACKAGES else getattr(module, "__all__", None)
        names = names or [n for n in public_names(module) if getattr(getattr(module, n), "__module__", full) == full]
        lines += [f"import {full} as {full.replace('.', '_')}", *(f"{full.replace('.', '_')}.{name}" for name in names)]
    tensor = importlib.import_module("tritonflow").Tensor
    lines += [f"x.{name}" for name in dir(tensor) if not name.startswith("_")]
    return "\n".join(lines) + "\n"


def by_mypy(folder: Path, files: list[str]) -> Iterator[Fault]:
    """What mypy reports of files in a folder; packages without types, and tritonflow's own sources, are not its subject."""
    command = [sys.executable, "-m", "mypy", "--config-file", "mypy.ini", "--no-error-summary", "--no-pretty", *files]
    (folder / "mypy.ini").write_text(_MYPY)
    cache = ROOT / ".mypy_cache" / "types"
    environment = {**os.environ, "MYPYPATH": f"{folder / 'typings'}{os.pathsep}{ROOT}", "MYPY_CACHE_DIR": str(cache)}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    for line in done.stdout.splitlines():
        match = re.match(r"(.+?):(\d+): error: (.*?)(?:  \[([\w-]+)\])?$", line)
        if match:
            yield Fault(match[1], int(match[2]), "mypy", match[3], match[4] or "")
        elif ": note: " not in line:
            raise SystemExit(f"mypy: {done.stdout}{done.stderr}")
    if done.returncode > 1 or done.stderr:
        raise SystemExit(f"mypy: {done.stdout}{done.stderr}")


_MYPY = """[mypy]
strict = true
[mypy-tritonflow.*]
follow_imports = silent
"""
_UNTYPED = ("matplotlib", "scipy", "sklearn", "torch", "torchvision", "tqdm", "transformers", "triton")
_ANYTHING = "from typing import Any\n\ndef __getattr__(name: str) -> Any: ...\n"


def is_module(package: str, name: str) -> bool:
    """Whether a package that is installed has a module of this name; the package is not imported."""
    root, *rest = package.split(".")
    spec = importlib.util.find_spec(root)
    folders = [Path(folder, *rest) for folder in (spec and spec.submodule_search_locations) or ()]
    return any((folder / name).is_dir() or (folder / f"{name}.py").exists() for folder in folders)


def write_typings(folder: Path, text: str) -> None:
    """Stubs of other packages that a program imports, in which everything is Any: only tritonflow is the subject."""
    for node in ast.walk(ast.parse(text)):
        names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{a.name}" for a in node.names if is_module(node.module, a.name))]
        for name in names:
            parts = name.split(".")
            for k in range(1, len(parts) + 1 if parts[0] in _UNTYPED else 0):
                package = folder.joinpath("typings", *parts[:k])
                package.mkdir(parents=True, exist_ok=True)
                (package / "__init__.pyi").write_text(_ANYTHING + "Tensor = Any\n" * (name == "torch"))


def by_pyright(folder: Path, files: list[str]) -> Iterator[Fault]:
    """What pyright reports of files in a folder."""
    settings = {
        "include": files,
        "typeCheckingMode": "strict",
        "stubPath": "typings",
        "reportMissingModuleSource": False,
        "reportUnusedExpression": False,  # doctests
    }
    (folder / "pyrightconfig.json").write_text(json.dumps(settings))
    command = [sys.executable, "-m", "basedpyright", "--outputjson", "--pythonpath", sys.executable, "--project", str(folder)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    try:
        found: list[dict[str, Any]] = json.loads(done.stdout)["generalDiagnostics"]
    except (json.JSONDecodeError, KeyError):
        raise SystemExit(f"pyright: {done.stdout}{done.stderr}") from None
    for fault in found:
        path = str(Path(fault["file"]).resolve().relative_to(folder.resolve()))
        line = fault["range"]["start"]["line"] + 1
        yield Fault(path, line, "pyright", fault["message"].splitlines()[0], fault.get("rule", ""))


# What the checkers say where a function of the program has no types.
OF_MISSING_TYPES = {
    *("no-untyped-def", "no-untyped-call", "untyped-decorator", "no-any-return"),
    *("reportMissingParameterType", "reportUntypedFunctionDecorator"),
    *(f"reportUnknown{what}Type" for what in ("Parameter", "Argument", "Variable", "Member", "Lambda")),
}


def untyped_lines(path: Path) -> set[int]:
    """The lines of lambdas and of kernels."""
    lines: set[int] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        is_kernel = isinstance(node, ast.FunctionDef) and any("jit" in ast.unparse(d) for d in node.decorator_list)
        if isinstance(node, ast.Lambda) or is_kernel:
            first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", ()))])
            lines |= set(range(first, (node.end_lineno or first) + 1))
    return lines


def main(arguments: list[str]) -> int:
    """The command line."""
    chosen = [Path(a).resolve() for a in arguments] or [*PAGES, *EXAMPLES, RIGHT_CALLS, WRONG_CALLS]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        names: dict[str, Path] = {}
        for path in chosen:
            text = path.read_text(encoding="utf-8")
            if path.suffix == ".md":
                text = program(text)
                if not text.strip():
                    continue
            file = re.sub(r"\W", "_", path.stem) + ("_page" if path.suffix == ".md" else "") + ".py"
            (folder / file).write_text(text, encoding="utf-8")
            names[file] = path
            write_typings(folder, text)
        if not arguments:
            (folder / EVERY_NAME).write_text(every_name(), encoding="utf-8")
            names[EVERY_NAME] = Path(EVERY_NAME)
            write_typings(folder, "import torch")
        files = sorted(names)
        faults = [*by_mypy(folder, files), *by_pyright(folder, files)]
        untyped = {file: untyped_lines(folder / file) for file in files}
    wrong = []
    for fault in faults:
        path = names.get(fault.path)
        is_of_missing_types = fault.rule in OF_MISSING_TYPES
        is_lenient = path is not None and (ROOT / "docs" in path.parents or fault.line in untyped[fault.path])
        if path != WRONG_CALLS and not (is_of_missing_types and is_lenient):
            wrong.append(fault)
            place = path.relative_to(ROOT) if path and path.is_relative_to(ROOT) else path or fault.path
            if fault.path == EVERY_NAME:
                place = Path(every_name().splitlines()[fault.line - 1])
            print(f"{place}:{fault.line}: {fault.checker}: {fault.text} [{fault.rule}]")
    missed = list(_missed(faults)) if WRONG_CALLS in chosen else []
    for text in missed:
        print(text)
    print(f"{len(names)} programs, {len(wrong) + len(missed)} faults")
    return 1 if wrong or missed else 0


def _missed(faults: list[Fault]) -> Iterator[str]:
    """The lines of wrong_calls.py of which a checker says another thing than the file."""
    lines = WRONG_CALLS.read_text(encoding="utf-8").splitlines()
    expected = {k for k, line in enumerate(lines, 1) if line.endswith("# wrong")}
    for checker in ("mypy", "pyright"):
        found = {f.line for f in faults if f.path == WRONG_CALLS.name and f.checker == checker}
        for k in sorted(expected ^ found):
            verb = "reports nothing" if k in expected else "reports a right line"
            yield f"{WRONG_CALLS.relative_to(ROOT)}:{k}: {checker} {verb}: {lines[k - 1]}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
