"""Which phases a run has, in their order, and how the seconds are divided among them.

A phase gets its share of the seconds that are left, in proportion to the weights of the phases from it on: what one leaves over
goes to all behind it. The weights are the seconds of a run of 480, and of 220 for the second pass.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gpu.phases import again, benchmarks, machine, roads, tests
from gpu.run import Outcome, Run

LEAST = 4.0  # seconds of a phase that begins


@dataclass(frozen=True)
class Phase:
    """A part of a run.

    Attributes:
        weight: its seconds in a run of usual length.
        work: does it, until a time of `time.monotonic`.
        what: for people.
    """

    name: str
    weight: float
    work: Callable[[Run, float], Outcome]
    what: str


MACHINE = Phase("machine", 8, machine.look, "what the machine is and has")
FIRST = (
    Phase("roads", 77, roads.run, "each road to the GPU in a process of its own"),
    Phase("tests", 205, tests.run, "tests, breadth first; in the background torch.compile's code for the models"),
    Phase("overhead", 30, benchmarks.overhead, "the host's share of small ops"),
    Phase("models", 110, benchmarks.models, "training steps beside torch and torch.compile"),
    Phase("kernels", 50, benchmarks.kernels, "kernels in the order of gpu/cases.py, beside torch"),
)
SECOND = (
    Phase("roads_again", 20, roads.run, "roads that are not open yet"),
    Phase("again", 55, again.failures, "a failure of each kind, whole; then without graphs, each launch waited for"),
    Phase("sanitizer", 55, again.sanitizer, "addresses checked, at small sizes"),
    Phase("tests_left", 45, tests.run, "tests that were not reached"),
    Phase("cases_left", 35, benchmarks.rest, "cases that were not reached"),
    Phase("once_more", 10, again.once_more, "tests and cases that cost their process"),
)


def phases_of(ended: Sequence[str]) -> list[Phase]:
    """What a run does, by the phases that have ended in runs before it on the same machine."""
    rest = [phase for phase in FIRST if phase.name not in ended]
    return [MACHINE, *rest, *SECOND]


def share(seconds: float, phases: Sequence[Phase]) -> float:
    """The seconds of the first of the phases. The second pass has what the first one leaves over.

    >>> round(share(480, [MACHINE, *FIRST, *SECOND])), round(share(220, SECOND)), round(share(50, [FIRST[-1], *SECOND]))
    (8, 20, 50)
    """
    sharing = [phase for phase in phases if phase in FIRST] or phases
    return seconds * phases[0].weight / sum(phase.weight for phase in {phases[0], *sharing})
