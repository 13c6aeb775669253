"""What a run does, as the command line says."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from gpu.cases import CASES

ROOT = Path(__file__).resolve().parents[1]
TESTS = tuple(f"tests/{name}" for name in ("device", "kernels", "ops", "graph", "autograd", "optim", "nn", "amp", "vm"))


@dataclass(frozen=True)
class Options:
    """What a run does.

    Attributes:
        seconds: of the whole command.
        out: for eight files.
        state: what the next run goes on with.
        stand_in: roads and tests on the stand-in for a GPU, benchmarks at small sizes on the CPU.
        jobs: processes of the tests.
        limit: seconds of a road, a test or a case at most, where less than they have anyway.
        road_files: roads of these files, instead of the project's.
        roads: their names; none: all.
        gpu_tests: what is run beside the roads.
        tests: files and folders, what says most first.
        overhead: cases whose time is the host's.
        kernels: cases, the most important first.
        models: the file of the training steps.
        checked: cases for compute-sanitizer.
    """

    seconds: float
    out: Path
    state: Path
    stand_in: bool = False
    jobs: int = 13
    limit: float = 1000.0
    road_files: tuple[Path, ...] = ()
    roads: tuple[str, ...] = ()
    gpu_tests: str = "tests/device/test_gpu.py"
    tests: tuple[str, ...] = TESTS
    overhead: tuple[str, ...] = ("overhead",)
    kernels: tuple[str, ...] = CASES
    models: str = "bench/gpu_models.py"
    checked: tuple[str, ...] = ()

    def capped(self, seconds: float) -> float:
        """A limit of one road, test or case."""
        return min(seconds, self.limit)
