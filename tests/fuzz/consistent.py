"""Random eager programs over consistent tensors, in simulated worlds, and with torch: `python tests/fuzz/consistent.py --minutes 60`.

The programs are those of `eager.py`; every tensor lies over 2 to 6 ranks, by an sbp that depends on its numbers. The statements of
`boxing.py` lay copies out anew. What the ranks leave is gathered and compared with what torch leaves.
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
from tests.consistent.simulate_rules import cut, partial_shares
from tests.fuzz import arithmetic, boxing, gradients, indexing, layers, reductions, views, writes  # noqa: F401 (they register statements)
from tests.fuzz.command import main
from tests.fuzz.programs import Difference, Outcome, Program, Statement, hidden, judge, run
from tests.fuzz.scene import LARGEST, draw
from tests.poison import poisoned
from tritonflow.errors import RankError
from tritonflow.framework.consistent_meta import ConsistentTensorMeta
from tritonflow.framework.shards import box_of
from tritonflow.interpreter.layout import from_local
from tritonflow.wire.world import this_rank

FAMILIES = {"boxing": 8, "views": 4, "writes": 4, "indexing": 4, "arithmetic": 3, "reductions": 3, "layers": 1, "gradients": 3}
MESHES = ((2,), (2,), (3,), (4,), (2, 2), (5,), (1, 3), (2, 3))


class Ranks:
    """`lib` of a program whose tensors lie over ranks.

    Whatever it draws depends on the seed and on the call alone: it is the same on all ranks, and after statements are left out.
    """

    def __init__(self, seed: int) -> None:
        self.mesh = random.Random(seed).choice(MESHES)
        self.size = int(numpy.prod(self.mesh))
        self.seed = seed

    def __getattr__(self, name: str) -> Any:
        return getattr(flow, name)

    def placement(self) -> Any:
        return flow.placement("cpu", numpy.arange(self.size).reshape(self.mesh))

    def tensor(self, data: Any, dtype: Any = None, requires_grad: bool = False) -> Any:
        """Of shards that the ranks make themselves. Shares of a sum are not 0, shares of a maximum or minimum are all kinds."""
        whole = flow.to_torch(flow.tensor(data, dtype=dtype))
        sbp = self.layout(flow.from_torch(whole), repr(data), "max", "min")
        return self.of_shares(whole, sbp).requires_grad_(requires_grad)

    def of_shares(self, whole: torch.Tensor, sbp: Any) -> Any:
        meta, placement = flow.from_torch(whole).meta, self.placement()
        nd_sbp, coordinate = tuple(sbp), placement.coordinate(this_rank().index)
        rng = numpy.random.default_rng(zlib.crc32(f"{self.seed} {whole} {sbp}".encode()))
        share = partial_shares(whole, self.mesh, nd_sbp, rng)[coordinate]
        shard = flow.from_torch(cut(share, box_of(meta.shape, self.mesh, nd_sbp, coordinate)).clone())
        return from_local(shard, ConsistentTensorMeta.get(meta.shape, meta.dtype, placement, nd_sbp, shard.meta))

    def box(self, x: Any) -> Any:
        """Laid out anew; shares of a sum have more than the first rank's."""
        y = x.to_global(sbp=self.layout(x, "box", "max", "min")).clone()
        if any(one.op == "sum" for one in y.sbp) and y.dtype not in (flow.float16, flow.bfloat16):
            y = y + self.of_shares(torch.zeros(y.shape, dtype=flow.to_torch(flow.zeros(0, dtype=y.dtype)).dtype), y.sbp)
        return y

    def graded(self, x: Any) -> Any:
        """Whose gradient goes through another layout."""
        return x.to_global(sbp=self.layout(x, "box"), grad_sbp=self.layout(x, "grad")).clone()

    def pieces(self, x: Any) -> Any:
        """Over the ranks' pieces, which are local tensors."""
        y = x.to_global(sbp=self.layout(x, "pieces"))
        return flow.local_to_global(y.to_local(), y.placement, y.sbp, y.shape).clone()

    def elsewhere(self, x: Any) -> Any:
        """On other ranks than `placement` says, in another order, or as another mesh."""
        rng = self.rng(x, "elsewhere")
        order = rng.sample(range(self.size), rng.randint(1, self.size))
        ranks = numpy.array(order).reshape(rng.choice([(-1,), (1, -1), (-1, 1)] + [(2, -1)] * (len(order) % 2 == 0)))
        return x.to_global(placement=flow.placement("cpu", ranks), sbp=self.layout(x, "elsewhere", ndim=ranks.ndim))

    def back(self, x: Any) -> Any:
        return x.to_global(placement=self.placement(), sbp=self.layout(x, "back")).clone()

    def rng(self, x: Any, text: str) -> random.Random:
        sbp = "" if x.is_local else x.sbp
        return random.Random(zlib.crc32(f"{self.seed} {self.mesh} {text} {x.shape} {sbp}".encode()))

    def layout(self, x: Any, text: str, *candidates: str, ndim: int | None = None) -> list[Any]:
        """An sbp for each dimension of the mesh; `candidates`: may it be partial_max or partial_min."""
        rng = self.rng(x, text)
        choices = [flow.sbp.split(d) for d in range(x.ndim)] * 3 + [flow.sbp.broadcast] * 2
        choices += [flow.sbp.partial_sum] * 2 if x.dtype is not flow.bool else []
        if rng.random() < 0.3:
            choices += [getattr(flow.sbp, f"partial_{name}") for name in candidates]
        return [rng.choice(choices) for _ in range(len(self.mesh) if ndim is None else ndim)]


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
    """Without as_strided: the storage of a view of a consistent tensor is the view's own, not its base's. It ends with a backward."""
    drawn = draw(seed, FAMILIES, by_shares=True)
    made = Program(seed, [s for s in drawn.statements if "as_strided" not in s.text], drawn.tolerance)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        values = run(made, torch).values
    results = [n for n, v in values.items() if isinstance(v, torch.Tensor) and v.grad_fn is not None and v.numel() and not hidden(n)]
    if not results or made.tolerance > 1e-3:
        return made
    result = random.Random(seed).choice(results[-3:])
    last = Statement(f"({result} * {result}).sum().backward()")
    whole = Program(seed, [*made.statements, last], made.tolerance)
    return whole if _ends_well(whole) else made


def _ends_well(program: Program) -> bool:
    """Whether the last statement raises nothing (we save less than torch), and gradients are moderate."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        outcome = run(program, torch)
    leaves = [v for v in outcome.values.values() if isinstance(v, torch.Tensor) and v.is_leaf and v.grad is not None]
    return len(program.statements) - 1 not in outcome.errors and all(bool((v.grad.abs() < LARGEST).all()) for v in leaves)


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
    return next((k for k in sorted(errors) if re.search(r"index \S+ is out of bounds|out of DATA bounds|index out of range", str(errors[k]))), None)


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
