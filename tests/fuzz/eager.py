"""Random eager programs, with tritonflow and with torch: `python tests/fuzz/eager.py --minutes 60`, or `--seed 17`."""



from __future__ import annotations

import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path[:1] = [str(Path(__file__).resolve().parents[2])]

from tests.fuzz import arithmetic, gradients, indexing, layers, reductions, views, writes  # noqa: F401 (they register statements)
from tests.fuzz.command import main
from tests.fuzz.programs import Difference, Program, difference
from tests.fuzz.scene import draw

FAMILIES = {"views": 4, "writes": 5, "indexing": 4, "arithmetic": 3, "reductions": 2, "layers": 1, "gradients": 3}


def program(seed: int) -> Program:
    return draw(seed, FAMILIES)


def check(program: Program) -> Difference | None:
    return difference(program)


if __name__ == "__main__":
    sys.exit(main(__file__, __doc__, program, check))
