"""Random programs over ranks, as graphs and in eager mode: `python tests/fuzz/captured_over_ranks.py --minutes 60`, or `--seed 17`.

The programs are those of `captured.py`, the worlds those of `consistent.py`: inputs lie over 2 to 6 simulated ranks, and statements
lay tensors out anew. Each is called three times: with the same values twice, and with others. Results, the inputs afterwards, and
errors have to be eager mode's on all ranks. What a graph refuses by name is counted, and no finding.
"""

from __future__ import annotations

import re
import sys
import warnings
import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path[:1] = [str(Path(__file__).resolve().parents[2])]

import tritonflow as flow
from tests import where
from tests.fuzz import arithmetic, draws, gradients, indexing, layers, reductions, views, writes  # noqa: F401 (they register statements)
from tests.fuzz.captured import CapturedProgram, inputs_in, only_what_runs
from tests.fuzz.command import main
from tests.fuzz.consistent import Ranks, gathered, on_ranks
from tests.fuzz.programs import Difference, compare, digest, is_internal
from tests.fuzz.scene import draw
from tritonflow.errors import CaptureError, RankError
from tritonflow.wire.world import this_rank

FAMILIES = {"views": 4, "writes": 3, "indexing": 2, "arithmetic": 4, "reductions": 3, "layers": 2, "gradients": 2}
REFUSALS = (
    "whose elements had to move between ranks",  # views of boxed copies that are written, or whose source is
    "depends on data", "has no effect", "looks at a number", "does not know", "is not known while", "whose shape depends", "requires grad, which a run",
)  # fmt: skip
refused: dict[str, int] = {}


def program(seed: int) -> CapturedProgram:
    """Without as_strided, and with copies that are laid out anew between the statements."""
    made = draw(seed, FAMILIES, length=8)
    statements = [replace(s, reference="", may_refuse=False) for s in made.statements if "as_strided" not in s.text]
    kind = ("compile", "compile", "graph")[seed % 3]
    drawn = only_what_runs(CapturedProgram(seed, statements, made.tolerance, inputs_in(statements), kind))
    return replace(drawn, statements=[s if not _MADE.match(s.text) or k % 2 else _boxed(s) for k, s in enumerate(drawn.statements)])


_MADE = re.compile(r"v\d+ = ")


def _boxed(statement: Any) -> Any:
    """The statement, whose result is laid out anew."""
    name, expression = statement.text.split(" = ", 1)
    return replace(statement, text=f"{name} = lib.laid_out({expression})")


class Laid(Ranks):
    """`lib` of a program that may be captured: it draws nothing from Python."""

    def tensor(self, data: Any, dtype: Any = None, requires_grad: bool = False) -> Any:
        """The same on every rank."""
        made = flow.tensor(data, dtype=dtype).to_global(self.placement(), [flow.sbp.broadcast] * len(self.mesh))
        return made.requires_grad_(requires_grad)

    def laid_out(self, x: Any) -> Any:
        """A copy by another sbp."""
        if not isinstance(x, flow.Tensor) or x.is_local:
            return x
        choices = [*[flow.sbp.split(d) for d in range(x.ndim)] * 2, flow.sbp.broadcast, *[flow.sbp.partial_sum] * (x.dtype is not flow.bool)]
        first = zlib.crc32(f"{self.seed} {x.shape} {x.sbp}".encode())
        return x.to_global(sbp=[choices[(first >> 4 * k) % len(choices)] for k in range(len(self.mesh))]).clone()


def check(program: CapturedProgram) -> Difference | None:
    lib = Laid(program.seed)
    counts: list[Any] = [None] * lib.size

    def on_a_rank() -> Difference | None:
        return _on_a_rank(program, lib, counts)

    try:
        found = on_ranks(lib, on_a_rank)
    except RankError as error:
        return Difference("ranks part", str(error))
    if counts[0] is not None:
        refused[counts[0]] = refused.get(counts[0], 0) + 1
    return next((each for each in found if each is not None), None)


def _on_a_rank(program: CapturedProgram, lib: Laid, counts: list[Any]) -> Difference | None:
    values: dict[str, Any] = {"lib": Ranks(program.seed)}
    try:
        exec(program.function().replace("t.detach()", "t.detach().clone()"), values)
        for s in program.statements:
            if s.text.split(" ")[0] in program.inputs and " = lib.tensor" in s.text:
                exec(s.text.replace(", requires_grad=True", ""), values)
        given = [values[name] for name in program.inputs]
        values["lib"] = lib
    except Exception:
        return None  # a reduction took away what others need
    eager = values["program"]
    compiled: Any = flow.compile(eager, fullgraph=True)
    if program.kind == "graph":
        compiled = type("G", (flow.nn.Graph,), {"build": lambda self, *inputs: eager(*inputs)})()
    for number, inputs in enumerate([given, given, [(-x).clone() if x.dtype.is_floating_point else x for x in given]]):
        found = _call(program, eager, compiled, inputs, number, counts)
        if found is not None:
            return found
    return None


def _call(program: CapturedProgram, eager: Any, compiled: Any, given: list[Any], number: int, counts: list[Any]) -> Difference | None:
    results: list[Any] = []
    errors: list[Any] = []
    for function in (eager, compiled):
        inputs = [x.clone() for x in given]
        flow.manual_seed(number)
        try:
            results.append(gathered([function(*inputs), inputs]))
            where.settle()
            errors.append(None)
        except RankError:
            raise
        except Exception as error:
            results.append(None)
            errors.append(error.with_traceback(None))
    expected, ours = errors
    if expected is not None or ours is not None:
        return _judge(number, expected, ours, counts)
    found = compare(_copied({"results": results[1]}), _copied({"results": results[0]}), program.tolerance)
    return found and Difference(f"{found.kind} {found.name[:4]}", f"call {number}: {found.text}")


def _judge(number: int, expected: Any, ours: Any, counts: list[Any]) -> Difference | None:
    if expected is not None:
        return None if ours is not None else Difference(f"eager raises {digest(expected)}", f"call {number}: {expected!r}, not the graph")
    if is_internal(ours):
        return Difference(f"internal error {digest(ours)}", f"call {number} raises {ours!r}")
    if isinstance(ours, CaptureError) and any(text in str(ours) for text in REFUSALS):
        counts[this_rank().index] = next(text for text in REFUSALS if text in str(ours))
        return None
    return Difference(f"raises {digest(ours)}", f"call {number} raises {ours!r}, eager mode does not")


def _copied(values: Any) -> Any:
    if isinstance(values, dict):
        return {name: _copied(value) for name, value in values.items()}
    if isinstance(values, (list, tuple)):
        return [_copied(value) for value in values]
    return flow.to_torch(values.detach()).clone() if isinstance(values, flow.Tensor) else values


if __name__ == "__main__":
    with warnings.catch_warnings():
        code = main(__file__, __doc__, program, check)
    print("refused by name:", refused)
    sys.exit(code)
