"""tritonflow/_C/__init__.py: all functions, and the Tensor methods of ops."""

from __future__ import annotations

from tritonflow.binding.signature import SchemaError
from tritonflow.registry.emit import HEADER, UNSORTED
from tritonflow.registry.emit.binding import functions_of
from tritonflow.registry.emit.values import filled
from tritonflow.registry.project import Project


def emit(project: Project) -> str:
    """The text of tritonflow/_C/__init__.py."""
    _check(project)
    families = project.families
    stars = [f"from tritonflow._C.functional.{family} import *" for family in families]
    tables = [f"{family} as _{family}" for family in families]
    return "\n".join(
        [
            f'"""The functional API (`flow._C.relu`) and the Tensor methods of ops.\n\n{HEADER}\n"""',
            f"{UNSORTED}",
            "# ruff: noqa: F403 (a family exports its functions, and all else with an underscore)",
            filled(f"from tritonflow._C.functional import ({', '.join(tables)})") if tables else "",
            *stars,
            "",
            filled(f"_FAMILIES = ({', '.join(f'_{family}' for family in families)},)") if families else "_FAMILIES = ()",
            "METHODS = {name: function for family in _FAMILIES for name, function in family._methods.items()}",
            "",
        ]
    )


def emit_families(project: Project) -> str:
    """The text of tritonflow/_C/functional/__init__.py."""
    return f'"""The functions of the binding, a file a family.\n\n{HEADER}\n"""\n'


def _check(project: Project) -> None:
    """Every method is one entry's."""
    owners: set[str] = set()
    for entry in project.entries:
        functions_of(entry)
        for method in entry.methods:
            if method in owners:
                raise SchemaError(f"{entry.name}: method {method} is defined by another entry already")
            owners.add(method)
