"""tritonflow/_C/<package>_names.py: the functions of the binding that are names of a package for users as well."""

from __future__ import annotations

from tritonflow.functional.emit import HEADER, UNSORTED
from tritonflow.functional.emit.values import filled
from tritonflow.functional.project import Project


def path_of(package: str) -> str:
    """The generated file of a package, in the checkout."""
    return f"tritonflow/_C/{package.replace('.', '_')}_names.py"


def emit(project: Project, package: str) -> str:
    """Its text: an import a family."""
    names: dict[str, list[str]] = {}
    for entry in project.entries:
        if entry.bind_python and package in entry.export:
            names.setdefault(entry.family, []).append(entry.name)
    full_name = "tritonflow" if package == "flow" else f"tritonflow.{package}"
    imports = [
        filled(f"from tritonflow._C.functional.{family} import ({', '.join(found)})") for family, found in names.items()
    ]
    head = f'"""The functions of the binding that are names of `{full_name}`.\n\n{HEADER}\n"""\n{UNSORTED}\n# ruff: noqa: F401'
    return "\n".join([head, *imports, ""])
