"""tritonflow/bench/cases/op_entries.py: what the benchmarks know of each functional name."""

from __future__ import annotations

from tritonflow.registry.emit import HEADER, UNFORMATTED
from tritonflow.registry.emit.values import filled
from tritonflow.registry.project import Project
from tritonflow.registry.schema import Entry


def emit(project: Project) -> str:
    """The text of tritonflow/bench/cases/op_entries.py."""
    bound = [entry for entry in project.entries if entry.bind_python and not entry.like]
    return "\n".join(
        [
            f'"""Functional names, with what their benchmarks take from the registry.\n\n{HEADER}\n"""',
            UNFORMATTED,
            "from typing import NamedTuple",
            "",
            "",
            "class OpEntry(NamedTuple):",
            '    """A functional name.',
            "",
            "    Attributes:",
            "        family: of the registry.",
            '        samples: the kind of its sample inputs; "" where the registry names none.',
            "        tensors: how many tensors its first signature takes.",
            '        reference: a path in torch; "" where torch has no such function.',
            "        export: where its name appears.",
            "        op_class: the class of tolerances of its results; that of a norm where it is made of other names.",
            '    """',
            "",
            "    family: str",
            "    samples: str",
            "    tensors: int",
            "    reference: str",
            "    export: tuple[str, ...]",
            "    op_class: str",
            "",
            "",
            "ENTRIES: dict[str, OpEntry] = {",
            *(filled(_row(project, entry)) for entry in bound),
            "}",
            "",
        ]
    )


def _row(project: Project, entry: Entry) -> str:
    kind = entry.samples.get("kind", "") if isinstance(entry.samples, dict) else entry.samples or ""
    tensors = sum(p.type.name == "Tensor" for p in entry.signatures[0].parameters)
    reference = entry.reference.removeprefix("torch.") if entry.reference.startswith("torch.") else ""
    op_class = entry.tolerance or (project.tolerance(entry.ops[0]) if entry.ops else "norm")
    return f"    {entry.name!r}: OpEntry({entry.family!r}, {kind!r}, {tensors}, {reference!r}, {entry.export!r}, {op_class!r}),"
