"""`torch.export.exported_program`."""

from tritonflow.exporting import ExportedProgram
from tritonflow.exporting.signature import (
    ConstantArgument,
    ExportGraphSignature,
    InputKind,
    InputSpec,
    OutputKind,
    OutputSpec,
    TensorArgument,
)

__all__ = [
    "ConstantArgument", "ExportGraphSignature", "ExportedProgram", "InputKind", "InputSpec", "OutputKind", "OutputSpec",
    "TensorArgument",
]  # fmt: skip
