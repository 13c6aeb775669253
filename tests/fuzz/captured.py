"""Random programs as graphs and in eager mode: `python tests/fuzz/captured.py --minutes 60`, or `--seed 17`.

A program is captured by flow.compile or as an nn.Graph, with dynamic=None or True, and called seven times: twice with the same
values, with others, with inputs of other sizes, and with the first again. Sizes that are equal stay equal. Results, the inputs
afterwards, and errors have to be eager mode's; the random numbers, too.
"""

from __future__ import annotations

import random
import re
import sys
import textwrap
import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path[:1] = [str(Path(__file__).resolve().parents[2])]

import tritonflow as flow
from tests import where
from tests.fuzz import arithmetic, draws, gradients, indexing, layers, reductions, views, writes  # noqa: F401 (they register statements)
from tests.fuzz.command import main
from tests.fuzz.programs import Difference, Program, Statement, compare, digest, is_internal
from tests.fuzz.scene import draw
from tests.poison import poisoned
from tritonflow.errors import CaptureError

FAMILIES = {"views": 3, "writes": 4, "indexing": 4, "arithmetic": 4, "reductions": 3, "layers": 2, "gradients": 2, "draws": 1}
_INPUT = re.compile(r"x\d+ = lib\.tensor")
# What depends on data in its shape, or looks at it: a graph may refuse.
_OF_DATA = re.compile(r"nonzero|argwhere|masked_select|dtype=lib.bool\)[\],]|== True|retain_grad|register_hook|requires_grad_|\.data\b|cross_entropy")


# What is written over elements that share memory depends on the order of the writes.
_SHARES = re.compile(r"unfold|as_strided")


@dataclass
class CapturedProgram(Program):
    """A program with inputs, and how it is captured.

    Attributes:
        inputs: names.
        kind: compile or graph.
        header: a `with` statement around it, or nothing.
        dynamic: whether all sizes are symbols from the first call on.
        sizes: of each call after the third, what becomes of the sizes of its inputs.
    """

    inputs: tuple[str, ...] = ()
    kind: str = "compile"
    header: str = ""
    dynamic: bool | None = None
    sizes: tuple[dict[int, int], ...] = ()

    def without(self, position: int) -> CapturedProgram:
        statements = self.statements[:position] + self.statements[position + 1 :]
        return replace(self, statements=statements, inputs=inputs_in(statements))

    def body(self) -> list[str]:
        return [s.text for s in self.statements if not _INPUT.match(s.text)]

    def function(self) -> str:
        """The program as a function of its inputs; returns every tensor that it made, and gradients."""
        names: dict[str, None] = dict.fromkeys(self.inputs)
        leaves, start = [], []
        for s in self.statements:
            if _INPUT.match(s.text):
                name = s.text.split(" ")[0]
                if "requires_grad=True" in s.text:
                    start.append(f"{name} = {name}.detach().clone().requires_grad_()")
                    leaves.append(name)
                elif self.kind == "graph":
                    start.append(f"{name} = {name}.clone()")
            else:
                names.update(dict.fromkeys(re.findall(r"^(?:with lib.no_grad\(\): )?\(?([gv]+\d+),?\)? = ", s.text)))
        made = ", ".join([n for n in names if n not in self.inputs] + [f"{n}.grad" for n in leaves] + [f"{n} * 1" for n in leaves])
        lines = [*start, *self.body()]
        if self.header:
            lines = [self.header, *[f"    {line}" for line in lines]]
        result = f"return [t.detach() for t in [{made}] if isinstance(t, lib.Tensor)]"
        return f"def program({', '.join(self.inputs)}):\n" + textwrap.indent("\n".join([*lines, result]), "    ")

    def source(self, name: str = "") -> str:
        given = [s.text.replace(", requires_grad=True", "") for s in self.statements if _INPUT.match(s.text)]
        call = f"*given({', '.join(self.inputs)})"
        compiled = f"compiled = lib.compile(program, dynamic={self.dynamic})" if self.kind == "compile" else (
            "graph = type('G', (lib.nn.Graph,), {'build': lambda self, *inputs: program(*inputs)})\n"
            + "graph = lib.nn.Graph.with_dynamic_input_shape()(graph)\n" * bool(self.dynamic) + "compiled = graph()"
        )  # fmt: skip
        loop = f"for sizes in [{{}}, *{self.sizes}, {{}}]:\n    print(program({call}), compiled({call}))"
        return "\n".join(["import tritonflow as lib", *given, self.function(), _RESIZED, compiled, loop])


_RESIZED = """
def given(*tensors):
    return [resized(t, sizes) for t in tensors]

def resized(t, sizes):
    for dim, n in enumerate(tuple(t.shape)):
        if n in sizes:
            t = t.index_select(dim, lib.tensor([k % n for k in range(sizes[n])], dtype=lib.int64))
    return t.clone()
"""


def other_sizes(rng: random.Random) -> dict[int, int]:
    """What becomes of sizes of 2, 3 and 4: others of these too, so that some become equal."""
    sizes = {n: n + rng.choice((0, 0, 1, 2, 5)) for n in (2, 3, 4)}
    if rng.random() < 0.2:
        sizes[rng.choice((2, 3, 4))] = rng.choice((0, 1))
    return sizes


def program(seed: int) -> CapturedProgram:
    made = draw(seed, FAMILIES, length=10)
    statements = [replace(s, reference="", may_refuse=False) for s in made.statements]
    inputs = inputs_in(statements)
    kind = ("compile", "compile", "graph")[seed % 3]
    autocast = seed % 10 == 0 and any("float32" in s.text for s in statements)
    header = "with lib.autocast('cpu', dtype=lib.bfloat16):" if autocast else ""
    tolerance = 0.1 if autocast else made.tolerance
    rng = random.Random(seed)
    dynamic, sizes = rng.choice((None, None, True)), tuple(other_sizes(rng) for _ in range(3))
    if any(_SHARES.search(s.text) for s in statements):
        sizes = ()
    return only_what_runs(CapturedProgram(made.seed, statements, tolerance, inputs, kind, header, dynamic, sizes))


def inputs_in(statements: list[Statement]) -> tuple[str, ...]:
    return tuple(s.text.split(" ")[0] for s in statements if _INPUT.match(s.text))


def only_what_runs(program: CapturedProgram) -> CapturedProgram:
    """Without the statements that raise in eager mode."""
    values: dict[str, Any] = {"lib": flow}
    taken: list[Statement] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for s in program.statements:
            try:
                exec(s.text, values)
                where.settle()
                taken.append(s)
            except Exception:
                continue
    return replace(program, statements=taken)


def check(program: CapturedProgram) -> Difference | None:
    values: dict[str, Any] = {"lib": flow}
    with poisoned(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            exec(program.function(), values)
            given = inputs_of(program)
            where.settle()
        except Exception:
            return None  # a reduction took away what others need
        eager = values["program"]
        compiled = captured(eager, program.kind, program.dynamic)
        exec(_RESIZED, values)
        calls = [given, given, [other(t) for t in given], *[[values["resized"](t, sizes) for t in given] for sizes in program.sizes], given]
        for number, inputs in enumerate(calls):
            found = check_call(program, eager, compiled, inputs, number)
            if found is not None:
                return found
    return None


def captured(function: Callable[..., Any], kind: str, dynamic: bool | None) -> Callable[..., Any]:
    if kind == "compile":
        return flow.compile(function, dynamic=dynamic)
    graph: Any = type("G", (flow.nn.Graph,), {"build": lambda self, *inputs: function(*inputs)})
    return flow.nn.Graph.with_dynamic_input_shape()(graph)() if dynamic else graph()


def inputs_of(program: CapturedProgram) -> list[Any]:
    values: dict[str, Any] = {"lib": flow}
    for s in program.statements:
        if _INPUT.match(s.text):
            exec(s.text.replace(", requires_grad=True", ""), values)
    return [values[name] for name in program.inputs]


def other(t: Any) -> Any:
    """Other values of the same shape and dtype, as exact as these."""
    return flow.from_torch(flow.to_torch(t).roll(1).clone()).neg() if t.dtype.is_floating_point else t.clone()


def check_call(program: CapturedProgram, eager: Any, compiled: Any, given: list[Any], number: int) -> Difference | None:
    results = []
    for function in (eager, compiled):
        inputs = [t.clone() for t in given]
        flow.manual_seed(number)
        try:
            result = function(*inputs)
            where.settle()
            results.append(({"results": result, "inputs": inputs, "draw": flow.rand(2)}, None))
        except Exception as error:
            results.append((None, error.with_traceback(None)))
    (wanted, error), (got, our_error) = results
    if our_error is not None and repr(our_error) == repr(error):
        return None
    if our_error is not None:
        if is_internal(our_error):
            return Difference(f"internal error {digest(our_error)}", f"call {number} raises {our_error!r}")
        if isinstance(our_error, CaptureError) and re.search(r"backward\(\) in .* has no effect", str(our_error)):
            return None
        if isinstance(our_error, CaptureError) and _OF_DATA.search("\n".join(program.body())):
            return None
        if error is None:
            return Difference(f"raises {digest(our_error)}", f"call {number} raises {our_error!r}, eager mode does not")
    if error is not None:
        if our_error is None:
            return Difference(f"eager raises {digest(error)}", f"call {number}: eager mode raises {error!r}, the graph does not")
        return None
    assert wanted is not None and got is not None
    found = compare(_plain(got), _plain(wanted), program.tolerance)
    return found and Difference(f"{found.kind} {found.name[:4]}", f"call {number}: {found.text}")


def _plain(values: dict[str, Any]) -> dict[str, Any]:
    """Nothing that later calls overwrite."""
    return {name: _copy(value) for name, value in values.items()}


def _copy(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return [_copy(v) for v in value]
    return flow.to_torch(value.detach()).clone() if isinstance(value, flow.Tensor) else value


if __name__ == "__main__":
    sys.exit(main(__file__, __doc__, program, check))
