"""tritonflow/_C/<package>_names.py: the functions of the binding that are names of a package for users as well."""

from __future__ import annotations

from tritonflow.registry.emit import HEADER, UNSORTED
from tritonflow.registry.emit.operators import method_table
from tritonflow.registry.emit.values import filled
from tritonflow.registry.project import Project
from tritonflow.registry.schema import Entry


def path_of(package: str) -> str:
    """The generated file of a package, in the checkout."""
    return f"tritonflow/_C/{package.replace('.', '_')}_names.py"


def _inplace_names(entry: Entry) -> list[str]:
    """The in-place functions of an entry, under the names of its methods, such as `negative_ as neg_`."""
    found = []
    for method, function in method_table(entry).items():
        if method.endswith("_") and not method.startswith("_") and method != entry.name:
            found.append(function if method == function else f"{function} as {method}")
    return found


def emit(project: Project, package: str) -> str:
    """Its text: an import a family."""
    names: dict[str, list[str]] = {}
    for entry in project.entries:
        if entry.bind_python and package in entry.export:
            own = [entry.name, *_inplace_names(entry)] if package in ("flow", "nn.functional") else [entry.name]
            names.setdefault(entry.family, []).extend(_imported(name, package) for name in own)
    full_name = "tritonflow" if package == "flow" else f"tritonflow.{package}"
    imports = [
        filled(f"from tritonflow._C.functional.{family} import ({', '.join(found)})") for family, found in names.items()
    ]
    head = f'"""The functions of the binding that are names of `{full_name}`.\n\n{HEADER}\n"""\n{UNSORTED}\n# ruff: noqa: F401'
    return "\n".join([head, *imports, ""])


def _imported(name: str, package: str) -> str:
    """How a name is imported: `special_airy_ai` is `airy_ai` in the package `special`."""
    short = name.removeprefix(f"{package}_")
    return name if short == name else f"{name} as {short}"
