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
"""

from tritonflow.exporting.entry import export, load_program

__all__ = ["export", "load_program"]
