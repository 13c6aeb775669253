"""Compiled programs as folders that run without Python, Triton or LLVM (docs/design/exported_programs.md).

    entry.py          flow.export: from a function to a folder
    arguments.py      tensors among the arguments, and what the results are made of
    sizes.py          the sizes that a program is asked for
    captures.py       the program of each sizes, or why there is none
    variants.py       a schedule as lines of text; numbers.py: its numbers as formulas of sizes
    targets.py        kernels compiled for each kind of CPU
    runner.py         the code that runs launches over threads, as LLVM IR
    shared_object.py  objects linked to a shared library
    folder.py         the files, and their digests
    witness.py        the folder's bits beside those of the compiled function

Under torch.export's names (docs/export.md):

    exported_program.py   a module's program, with its signature.py
    traced.py             it captured in this process: program_inputs.py are its arguments
    dims.py               which sizes differ; dynamic_sizes.py: whether the program is one for all of them
    archive.py            it as one file
"""

from tritonflow.exporting.archive import load_exported, save_exported
from tritonflow.exporting.dims import Dim, ShapesCollection, dims
from tritonflow.exporting.entry import export, load_program
from tritonflow.exporting.exported_program import ExportedProgram, export_program
from tritonflow.exporting.program_inputs import register_dataclass

__all__ = [
    "Dim", "ExportedProgram", "ShapesCollection", "dims", "export", "export_program", "load_exported", "load_program",
    "register_dataclass", "save_exported",
]  # fmt: skip
