"""Random eager programs over consistent tensors, in simulated worlds, and with torch: `python tests/fuzz/consistent.py --minutes 60`.

The programs are those of `eager.py`; every tensor lies over 2 to 4 ranks, by an sbp that depends on its numbers. `lib.box` lays a
copy out anew. What the ranks leave is gathered and compared with what torch leaves.
"""

from __future__ import annotations

import random
import re
import sys
import warnings
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path[:1] = [str(Path(__file__).resolve().parents[2])]

import numpy
import torch

import tritonflow as flow
from tests.fuzz import arithmetic, gradients, indexing, layers, reductions, views, writes  # noqa: F401 (they register statements)
from tests.fuzz.command import main
from tests.fuzz.programs import Difference, Outcome, Program, Statement, hidden, judge, run
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


def all_gathered(outcome: Outcome) -> Outcome:
    """A collective, for which the ranks have the same variables."""
    return Outcome({n: gathered(v) for n, v in outcome.values.items() if not hidden(n)}, outcome.errors)


def program(seed: int) -> Program:
    """Without as_strided: the storage of a view of a consistent tensor is the view's own, not its base's."""
    drawn = draw(seed, FAMILIES)
    return Program(seed, [s for s in drawn.statements if "as_strided" not in s.text], drawn.tolerance)


def check(program: Program) -> Difference | None:
    """What is wrong with a program. It ends with the first wrong index, of which some ranks may know nothing."""
    wrong = _wrong_index(program)
    if wrong is None:
        return _difference(program)
    before = Program(program.seed, program.statements[:wrong], program.tolerance)
    return _difference(before) or _difference_of_refusal(before, program.statements[wrong])


def _difference(program: Program) -> Difference | None:
    lib = Ranks(program.seed)
    raised = {}  # by rank, for a finding that the ranks part

    def on_a_rank() -> Difference | None:
        outcome = run(program, lib)
        raised[this_rank().index] = outcome.errors
        return judge(program, all_gathered(outcome))

    try:
        found = on_ranks(lib, on_a_rank)
    except RankError as error:
        return Difference("ranks part", f"{error}\n  statements that raised, by rank: {raised}")
    return next((each for each in found if each is not None), None)


def _wrong_index(program: Program) -> int | None:
    """The first statement in which torch finds a wrong index in a tensor."""
    errors = run(program, torch).errors
    return next((k for k in sorted(errors) if re.search(r"index \S+ is out of (bounds|range)|out of DATA bounds", str(errors[k]))), None)


def _difference_of_refusal(before: Program, statement: Statement) -> Difference | None:
    """A wrong index is refused by a rank at least. Where all ranks refuse it, nothing has changed."""
    lib = Ranks(before.seed)
    program = Program(before.seed, [*before.statements, statement], before.tolerance)
    refused = [False] * lib.size

    def on_a_rank() -> Difference | None:
        outcome = run(program, lib)
        error = outcome.errors.pop(len(before.statements), None)
        refused[this_rank().index] = isinstance(error, IndexError)
        everywhere = flow.comm.all_reduce(flow.tensor(int(error is not None))).item() == lib.size
        return judge(before, all_gathered(outcome)) if everywhere else None

    try:
        found = on_ranks(lib, on_a_rank)
    except RankError:  # a rank that knows of no wrong index was left alone
        found = []
    if not any(refused):
        return Difference("a wrong index", f"{statement.text}: no rank raises")
    return next((each for each in found if each is not None), None)


def on_ranks(lib: Ranks, function: Callable[[], Any]) -> list[Any]:
    with poisoned(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return flow.testing.simulate(lib.size)(function)()


if __name__ == "__main__":
    sys.exit(main(__file__, __doc__, program, check))
