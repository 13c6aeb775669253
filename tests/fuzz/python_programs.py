"""Random programs of Python, captured and in eager mode: `python tests/fuzz/python_programs.py --minutes 60`, or `--seed 17`.

The other fuzzers vary tensors; this one varies Python. A program is a step that is called several times, with changes from outside
between the calls. Results, the state of all objects, which objects and memory are the same, and errors have to be eager mode's.
What runs in eager mode is no failure. The last lines say how many programs do, and why.
"""

from __future__ import annotations

import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path[:1] = [str(Path(__file__).resolve().parents[2])]

from tests.fuzz.command import main
from tests.fuzz.programs import Difference
from tests.fuzz.python_parts import drawing, runner
from tests.fuzz.python_parts.source import PythonProgram

_remarks: list[str] = []


def program(seed: int) -> PythonProgram:
    return drawing.drawn(seed)


def check(program: PythonProgram) -> Difference | None:
    found, _remarks[:] = runner.check(program)
    return found


def remarks() -> list[str]:
    """How the program that was checked last ran: captured, or why not."""
    return list(_remarks)


if __name__ == "__main__":
    sys.exit(main(__file__, __doc__, program, check, remarks))
