"""Random eager programs over consistent tensors, in simulated worlds, and with torch: `python tests/fuzz/consistent.py --minutes 60`.

The programs are those of `eager.py`; every tensor lies over 2 to 4 ranks, by an sbp that depends on its numbers. `lib.box` lays a
copy out anew. What the ranks leave is gathered and compared with what torch leaves.
"""

from __future__ import annotations

import random
import sys
import warnings
import zlib
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path[:1] = [str(Path(__file__).resolve().parents[2])]

import numpy
import torch

import tritonflow as flow
from tests.fuzz import arithmetic, gradients, indexing, layers, reductions, views, writes  # noqa: F401 (they register statements)
from tests.fuzz.command import main
from tests.fuzz.programs import Difference, Outcome, Program, Statement, judge, run
from tests.fuzz.scene import Drawn, Scene, draw, statement
from tests.poison import poisoned
from tritonflow.errors import RankError
from tritonflow.wire.world import this_rank

FAMILIES = {"boxing": 6, "views": 4, "writes": 4, "indexing": 4, "arithmetic": 3, "reductions": 3, "layers": 1, "gradients": 3}
MESHES = ((2,), (2,), (3,), (4,), (2, 2))


@statement("boxing")
def box(s: Scene) -> Drawn:
    x = s.pick()
    return Statement(f"{s.fresh()} = lib.box({x})", reference=f"v{s.count} = {x}.clone()")


class Ranks:
    """`lib` of a program whose tensors lie over ranks."""

    def __init__(self, seed: int) -> None:
        self.mesh = random.Random(seed).choice(MESHES)
        self.size = int(numpy.prod(self.mesh))
        self.seed = seed

    def __getattr__(self, name: str) -> Any:
        return getattr(flow, name)

    def placement(self) -> Any:
        return flow.placement("cpu", numpy.arange(self.size).reshape(self.mesh))

    def tensor(self, data: Any, dtype: Any = None, requires_grad: bool = False) -> Any:
        x = flow.tensor(data, dtype=dtype)
        x = x.to_global(placement=self.placement(), sbp=[flow.sbp.broadcast] * len(self.mesh))
        return x.to_global(sbp=self.layout(x, repr(data))).detach().requires_grad_(requires_grad)

    def box(self, x: Any) -> Any:
        return x.to_global(sbp=self.layout(x, str(x.sbp))).clone()

    def layout(self, x: Any, text: str) -> list[Any]:
        """An sbp for each dimension of the mesh; it is the same after other statements are left out."""
        rng = random.Random(zlib.crc32(f"{self.seed} {self.mesh} {text}".encode()))
        choices = [flow.sbp.split(d) for d in range(x.ndim)] * 2 + [flow.sbp.broadcast]
        choices += [flow.sbp.partial_sum] if x.dtype.is_floating_point else []
        return [rng.choice(choices) for _ in self.mesh]


def gathered(value: Any) -> Any:
    """The same as local tensors, with gradients; a collective."""
    if isinstance(value, (tuple, list)):
        return [gathered(v) for v in value]
    if not isinstance(value, flow.Tensor) or value.is_local:
        return value
    whole = value.detach().to_global(sbp=[flow.sbp.broadcast] * value.placement.ndim).to_local().clone()
    if not value.requires_grad:
        return whole
    whole.requires_grad_()
    if not value.is_leaf:
        return whole.clone()
    whole.grad = gathered(value.grad)
    return whole


def program(seed: int) -> Program:
    """Without as_strided: the storage of a view of a consistent tensor is the view's own, not its base's."""
    drawn = draw(seed, FAMILIES)
    return Program(seed, [s for s in drawn.statements if "as_strided" not in s.text], drawn.tolerance)


def check(program: Program) -> Difference | None:
    lib = Ranks(program.seed)
    raised = {}  # by rank, for a finding that the ranks part

    def on_a_rank() -> Outcome:
        outcome = run(program, lib)
        raised[this_rank().index] = outcome.errors
        return Outcome({n: gathered(v) for n, v in outcome.values.items() if not n.startswith("_")}, outcome.errors)

    with poisoned(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            outcomes = flow.testing.simulate(lib.size)(on_a_rank)()
        except RankError as error:
            return None if _one_rank_raises(program) else Difference("ranks part", f"{error}\n  statements that raised, by rank: {raised}")
        found = [judge(program, outcome) for outcome in outcomes]
    return next((each for each in found if each is not None), None)


def _one_rank_raises(program: Program) -> bool:
    """Whether an error depends on numbers, such as a wrong index, which only the rank sees that has it."""
    return any("out of range" in str(e) or "out of bounds" in str(e) for e in run(program, torch).errors.values())


if __name__ == "__main__":
    sys.exit(main(__file__, __doc__, program, check))
