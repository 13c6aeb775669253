"""`torch.export`: programs of `tritonflow.exporting`."""

from __future__ import annotations

from typing import Any, NoReturn

from tritonflow.errors import ExportError
from tritonflow.exporting import Dim, ExportedProgram, ShapesCollection, dims, register_dataclass
from tritonflow.exporting import export_program as export
from tritonflow.exporting import load_exported as load
from tritonflow.exporting import save_exported as save
from tritonflow.exporting.signature import ExportGraphSignature

__all__ = [
    "Dim", "ExportGraphSignature", "ExportedProgram", "ShapesCollection", "dims", "draft_export", "export", "export_for_training",
    "load", "register_dataclass", "save", "unflatten",
]  # fmt: skip

export_for_training = export


def draft_export(mod: Any, args: tuple[Any, ...], kwargs: Any = None, **options: Any) -> ExportedProgram:
    """As `export`: what torch's would only report is an error."""
    return export(mod, args, kwargs, **options)


def unflatten(module: ExportedProgram, flat_args_adapter: Any = None) -> NoReturn:
    """Refused: a program does not know which of its ops were of which module.

    Raises:
        RuntimeError: always.
    """
    raise ExportError("torch.export.unflatten() is not built: a program has no modules inside; program.module() runs it")
