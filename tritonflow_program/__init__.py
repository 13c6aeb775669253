"""Runs programs that `tritonflow.export` wrote: needs NumPy, and neither tritonflow nor Triton, LLVM or a compiler.

    import tritonflow_program

    program = tritonflow_program.load_program("classifier")
    scores = program(image)                  # NumPy arrays, tensors of torch, or anything with DLPack

The folder `c_sources()` has the same for C, C++ and Rust: a header with six functions, and its source.
docs/export.md says how to use both; docs/design/exported_programs.md what is in a folder.
"""

from pathlib import Path

from tritonflow_program.errors import ProgramError
from tritonflow_program.program import Program, load_program

__all__ = ["Program", "ProgramError", "c_sources", "load_program"]


def c_sources() -> Path:
    """The folder of `tritonflow_program.h`, and of the three sources that are compiled with what uses it.

    Example:
        >>> import tritonflow_program
        >>> sorted(path.name for path in tritonflow_program.c_sources().glob("*.c"))
        ['folder.c', 'sha256.c', 'tritonflow_program.c']
    """
    return Path(__file__).parent / "c"
