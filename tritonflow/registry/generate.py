"""The generator: from `op_registry.yaml` to the binding, its stub, the op tables, the docs and kernels of derivatives.

    python tritonflow/registry/generate.py                 write what has changed
    python tritonflow/registry/generate.py --check         fail if something is stale
    python tritonflow/registry/generate.py --keep-going    write what is right, and fail if something is not

It imports neither torch nor Triton, nor the package that it generates a part of: run as a file, it works while the rest
of the tree is stale or broken (`python -m tritonflow.registry.generate` would import that first).
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parents[2]

if not __package__:  # run as a file: let its modules be imported without `import tritonflow`
    _package = sys.modules["tritonflow"] = ModuleType("tritonflow")
    _package.__path__ = [str(ROOT / "tritonflow")]
    sys.path[0] = str(ROOT)

from tritonflow.binding.signature import SchemaError  # noqa: E402
from tritonflow.registry.emit import (  # noqa: E402
    UNFORMATTED,
    bench_entries,
    binding,
    decompositions,
    derivatives,
    docs,
    docstrings,
    exports,
    flops,
    functors,
    kernels,
    package,
    stub,
    tables,
)
from tritonflow.registry.expression import ExpressionError  # noqa: E402
from tritonflow.registry.project import Project  # noqa: E402
from tritonflow.registry.schema import EXPORTS  # noqa: E402

OUTPUTS: dict[str, Callable[[Project], str]] = {
    "kernels/functions/generated.py": kernels.emit,
    "tritonflow/ops/registry.py": tables.emit,
    "tritonflow/ops/flops.py": flops.emit,
    "tritonflow/functions/generated.py": functors.emit,
    "tritonflow/_C/return_types.py": binding.emit_return_types,
    "tritonflow/_C/return_types.pyi": stub.emit_return_types,
    "tritonflow/_C/derivatives.py": derivatives.emit,
    "tritonflow/_C/decompositions.py": decompositions.emit,
    "tritonflow/_C/__init__.py": package.emit,
    "tritonflow/_C/functional/__init__.py": package.emit_families,
    "tritonflow/_C/tensor_methods.pyi": stub.emit_methods,
    "tritonflow/bench/cases/op_entries.py": bench_entries.emit,
    "docs/ops.md": docs.emit,
}


def outputs(project: Project) -> dict[str, Callable[[Project], str]]:
    """What writes each generated file, by its path in the checkout: one a package of names, two a family, and the others."""
    found = dict(OUTPUTS)
    for exporter in EXPORTS:
        found[exports.path_of(exporter)] = partial(exports.emit, package=exporter)
    for family in project.families:
        found[f"tritonflow/_C/functional/{family}.py"] = partial(binding.emit, family=family)
        found[f"tritonflow/_C/functional/{family}.pyi"] = partial(stub.emit, family=family)
    return found


def generate(project: Project) -> dict[str, str]:
    """The text of every generated file, by its path in the checkout.

    Raises:
        SchemaError, ExpressionError: the registry is wrong; the text names the entry.
    """
    return {path: _format(emit(project), path) for path, emit in outputs(project).items()}


def _format(text: str, path: str) -> str:
    """Lay out Python as `ruff format` does, but where a file is laid out already."""
    if not path.endswith((".py", ".pyi")) or UNFORMATTED in text:
        return text
    ruff = [sys.executable, "-m", "ruff"]
    options = ["--isolated", "--line-length", "120", "--target-version", "py310", "--stdin-filename", path, "-"]
    for command in (["check", "--fix-only", "--quiet", "--select", "I", *_ISORT], ["format", "--quiet"]):
        text = _run([*ruff, *command, *options], text, path)
    return text


_ISORT = ["--config", 'lint.isort.known-first-party=["tritonflow"]']


def _run(command: list[str], text: str, path: str) -> str:
    try:
        done = subprocess.run(command, input=text, capture_output=True, text=True, encoding="utf-8", check=True)
    except FileNotFoundError:
        raise SystemExit("the generator needs ruff: pip install ruff") from None
    except subprocess.CalledProcessError as error:
        raise SystemExit(f"{path}: what was generated is not valid:\n{error.stderr}") from None
    return done.stdout


def read_all(root: Path) -> tuple[Project, list[str]]:
    """The project without the entries that are wrong, and what is wrong with them."""
    errors: list[str] = []
    wrong: set[str] = set()
    while True:
        try:
            project = Project.read(root, wrong)
            for emit in outputs(project).values():
                emit(project)
            docstrings.check(project)
            return project, errors
        except (SchemaError, ExpressionError) as error:
            if getattr(error, "missing", "") not in wrong:  # what calls a wrong entry is reported with that entry
                errors.append(str(error))
            name = re.match(r"\w*", str(error))
            if (
                name is None
                or name[0] in wrong
                or f"- name: {name[0]}\n" not in (root / "op_registry.yaml").read_text()
            ):
                raise SystemExit("\n".join(errors)) from None
            wrong.add(name[0])


def stale(texts: dict[str, str], root: Path = ROOT) -> list[str]:
    """The paths whose files differ from `texts`, and generated files of families that are no more."""
    folder = root / "tritonflow" / "_C" / "functional"
    families = [f"tritonflow/_C/functional/{p.name}" for p in sorted(folder.glob("*.py*")) if p.is_file()]
    wrong = [p for p in families if p not in texts]
    for path, text in texts.items():
        if not (root / path).exists() or (root / path).read_text(encoding="utf-8") != text:
            wrong.append(path)
    return wrong


def main(arguments: list[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="generate", description="Generate code, tables and docs from op_registry.yaml."
    )
    parser.add_argument("--check", action="store_true", help="write nothing; fail if a generated file is stale")
    parser.add_argument("--keep-going", action="store_true", help="leave out wrong entries, write the rest, and fail")
    options = parser.parse_args(arguments)
    project, errors = read_all(ROOT)
    for error in errors:
        print(error, file=sys.stderr)
    if errors and not options.keep_going:
        return 1
    texts = generate(project)
    found = _update(texts, options.check)
    if not errors and not (found and options.check):
        stubs = assembled_stubs()
        found |= _update({**stubs, ".gitattributes": attributes([*texts, *stubs])}, options.check)
    return 1 if errors or found and options.check else 0


def _update(texts: dict[str, str], check: bool) -> bool:
    """Write the files that differ from the texts; only name them where `check` is set. Returns whether there are any."""
    changed = [path for path in stale(texts) if path in texts or "docs/ops.md" in texts]
    for path in changed:
        if check:
            print(f"{path} is stale: run python tritonflow/registry/generate.py", file=sys.stderr)
        elif path not in texts:
            (ROOT / path).unlink()
            print(f"removed {path}")
        else:
            (ROOT / path).parent.mkdir(parents=True, exist_ok=True)
            (ROOT / path).write_text(texts[path], encoding="utf-8")
            print(f"wrote {path}")
    return bool(changed)


def attributes(paths: Iterable[str]) -> str:
    """The text of .gitattributes: what is generated is no language of the repository, and not shown in diffs."""
    binding = "tritonflow/_C/"
    others = sorted(path for path in paths if not path.startswith(binding))
    lines = [f"{path} linguist-generated -diff" for path in (f"{binding}**", *others)]
    return "\n".join(["# What `python tritonflow/registry/generate.py` writes.", *lines, ""])


def assembled_stubs() -> dict[str, str]:
    """The stubs of what the package assembles at its import, by their paths, from a process that imports it."""
    command = [sys.executable, "-m", "tritonflow.registry.assembled_stubs"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, encoding="utf-8")
    if done.returncode:
        raise SystemExit(f"the stubs of the assembled package: it cannot be imported:\n{done.stderr}")
    texts: dict[str, str] = json.loads(done.stdout)
    return texts


if __name__ == "__main__":
    sys.exit(main())
