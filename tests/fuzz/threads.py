"""Random eager programs in several threads at once: `python tests/fuzz/threads.py --minutes 60`, or `--seed 17`.

In the VM's threaded mode, unless TRITONFLOW_VM_MODE says otherwise. Each thread's results have to be torch's.
"""



from __future__ import annotations

import os
import sys
import threading
import warnings
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path[:1] = [str(Path(__file__).resolve().parents[2])]
    os.environ.setdefault("TRITONFLOW_VM_MODE", "threaded")

import tritonflow as flow
from tests.fuzz import eager
from tests.fuzz.command import main
from tests.fuzz.programs import Difference, Outcome, Program, judge, run
from tests.fuzz.scene import ERRORS, draw
from tests.poison import poisoned
from tritonflow.settings import settings

THREADS = 4
TIMES = 3


@dataclass
class Together:
    """Programs, each for a thread."""

    statements: list[Program]

    def without(self, position: int) -> Together:
        return replace(self, statements=self.statements[:position] + self.statements[position + 1 :])

    def outline(self) -> str:
        return f"{len(self.statements)} threads"

    def source(self, name: str = "") -> str:
        return "\n".join(f"# thread {k}\n{program.source()}" for k, program in enumerate(self.statements))


def program(seed: int) -> Together:
    """Without wrong statements in the threaded mode, where errors appear later."""
    errors = 0.0 if settings.vm_mode == "threaded" else ERRORS
    return Together([draw(THREADS * seed + k, eager.FAMILIES, errors=errors) for k in range(THREADS)])


def check(together: Together) -> Difference | None:
    outcomes: list[list[Outcome]] = [[] for _ in together.statements]
    start = threading.Barrier(len(outcomes)) if outcomes else None

    def work(number: int) -> None:
        assert start is not None
        start.wait()
        for _ in range(TIMES):
            outcomes[number].append(run(together.statements[number], flow))

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        with poisoned(), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            threads: list[Any] = [threading.Thread(target=work, args=(k,)) for k in range(len(outcomes))]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            return _first_difference(together, outcomes)
    finally:
        sys.setswitchinterval(interval)


def _first_difference(together: Together, outcomes: list[list[Outcome]]) -> Difference | None:
    for number, (each, found) in enumerate(zip(together.statements, outcomes)):
        for outcome in found:
            difference = judge(each, outcome)
            if difference is not None:
                return replace(difference, text=f"thread {number}: {difference.text}")
    return None


if __name__ == "__main__":
    sys.exit(main(__file__, __doc__, program, check))
