"""Random programs that look at numbers of tensors, compiled and in eager mode: `python tests/fuzz/deciding.py --minutes 60`.

A program is a function of a world, which has a parameter, buffers, an optimizer, a counter and lists, and of two tensors and a
number. It is called twelve times, with other values, sizes, dtypes and modes. Results, arguments, the world, gradients, errors, which
tensors share memory, and the random numbers that follow have to be eager mode's.
"""

from __future__ import annotations

import random
import re
import sys
import textwrap
import warnings
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path[:1] = [str(Path(__file__).resolve().parents[2])]

import tritonflow as flow
from tests import where
from tests.fuzz.command import main
from tests.fuzz.programs import Difference, compare, digest, is_internal
from tests.poison import poisoned

CALLS = 12
_remarks: list[str] = []


class World:
    """What a program reads and writes besides its arguments."""

    def __init__(self) -> None:
        self.weight = flow.nn.Parameter(flow.tensor([1.0, -0.5, 2.0], dtype=flow.float64))
        self.net = flow.nn.Sequential(flow.nn.Linear(3, 3), flow.nn.ReLU(), flow.nn.BatchNorm1d(3)).double()
        with flow.no_grad():
            for k, each in enumerate(self.net.parameters()):
                each.copy_((flow.arange(each.numel()).reshape(each.shape) % 5 - 2).double() / (2 + k % 2))
        self.buffer = flow.zeros(3, dtype=flow.float64)
        self.count = flow.zeros((), dtype=flow.int64)
        self.last = flow.zeros((), dtype=flow.float64)
        self.steps, self.best = 0, 0.0
        self.log: list[Any] = []
        self.seen: dict[Any, Any] = {}
        self.optimizer = flow.optim.SGD([self.weight, *self.net.parameters()], lr=0.125, momentum=0.5)

    def state(self) -> dict[str, Any]:
        """What can be seen of it."""
        momenta = [value for state in self.optimizer.state.values() for value in state.values()]
        return {
            "weight": self.weight, "grad": self.weight.grad, "net": [*self.net.state_dict().values()],
            "grads": [each.grad for each in self.net.parameters()], "buffer": self.buffer, "count": self.count, "last": self.last,
            "steps": self.steps, "best": self.best, "log": list(self.log), "seen": [*self.seen, *self.seen.values()], "momenta": momenta,
        }  # fmt: skip


@dataclass
class DecidingProgram:
    """A function by its statements, and how it is called.

    Attributes:
        dynamic: of `flow.compile`.
        leaves: whether arguments require grad.
        backward: whether results are differentiated outside.
        modes: what each call runs in.
        calls: the texts of the arguments of each.
    """

    seed: int
    statements: list[str]
    dynamic: bool | None
    leaves: bool
    backward: bool
    modes: list[str]
    calls: list[str]

    def without(self, position: int) -> DecidingProgram:
        return replace(self, statements=self.statements[:position] + self.statements[position + 1 :])

    def outline(self) -> str:
        return " ".join(re.findall(r"\w+(?=\()", " ".join(self.statements)))[:200]

    def function(self) -> str:
        names = dict.fromkeys(re.findall(r"\b([abijv]\d+)\b", "\n".join(self.statements)))
        body = "\n".join([*[f"{name} = None" for name in names], *self.statements, f"return [{', '.join(names)}]"])
        return "def program(w, x, y, n):\n" + textwrap.indent(body, "    ")

    def source(self, name: str = "") -> str:
        about = f"# dynamic={self.dynamic} leaves={self.leaves} backward={self.backward}"
        calls = [f"# {mode}: {call}" for mode, call in zip(self.modes, self.calls)]
        return "\n".join([self.function(), about, *calls])


class _Draw:
    """A program on its way."""

    def __init__(self, rng: random.Random) -> None:
        self.rng, self.count = rng, 0
        self.vectors, self.numbers, self.ints = ["x", "y", "w.buffer", "w.weight"], ["n"], []

    def name(self, kind: str) -> str:
        self.count += 1
        return f"{kind}{self.count}"

    def vector(self) -> str:
        return self.vectors[max(self.rng.randrange(len(self.vectors)) for _ in range(2))]

    def expression(self) -> str:
        """A vector."""
        v, u, n = self.vector(), self.vector(), self.rng.choice(self.numbers)
        i = self.rng.choice(self.ints or ["2"])
        return self.rng.choice([
            f"{v} * 2 + 1", f"{v} - {n}", f"{v}.abs()", f"{v}.clamp(-2, 2)", f"{v} * {v}", f"both({v}, {u})", f"{v}.flip(0)", f"{v}.tanh()",
            f"{v}.cumsum(0)", f"flow.cat([{v}, {u}])", f"{v}[1:]", f"{v}[:{i}]", f"{v}.detach()", f"{v}.relu()", f"{v}.clone()",
            f"{v}[{v} > {self.threshold()}]", f"{v}.nonzero().reshape(-1) * 0.5", f"flow.unique({v}.detach().round())",
            f"flow.where({v} > 0.1, {v}, {v} * {n})", f"{v}[flow.arange(min(2, len({v})))]", f"{v}.unsqueeze(0).expand(2, -1).reshape(-1)",
            f"flow.zeros({i}, dtype=flow.float64) + {n}", f"{v}.masked_select({v} < {self.threshold()})", f"{v} / (1 + {v}.abs().sum())",
            f"flow.rand_like({v}.detach()) + {v}", f"flow.nn.functional.dropout({v}, 0.5)", f"{v}.repeat_interleave(2)", f"{v}.sort()[0]",
            f"{v}.repeat({i} % 3)", f"flow.arange({i}, dtype=flow.float64) + {n}", f"{v}.view(-1)", f"{v} * w.steps", f"{v} + w.last",
            f"{v}.float().double()", f"w.net({v}[:3].reshape(1, 3).expand(2, 3) * flow.tensor([[1.0], [2.0]], dtype=flow.float64))[0]",
            f"({v}.reshape(-1, 1) @ {v}.reshape(1, -1)).sum(0)", f"{v}.new_full(({i},), {n})", f"{v}.softmax(0)", f"{v}.detach().requires_grad_()", f"{v}.narrow(0, 0, min({i}, {v}.shape[0]))",
        ])  # fmt: skip

    def threshold(self) -> str:
        return self.rng.choice(("0.1", "1.1", "-0.6", "2.3", "4.7"))

    def scalar(self) -> str:
        """A tensor of one number."""
        v = self.vector()
        return self.rng.choice([
            f"{v}.sum()", f"{v}.abs().sum()", f"{v}.norm()", f"{v}.mean()", f"(({v} > {self.threshold()}).sum())", f"{v}.prod()", f"{v}[-1]",
            f"{v}[0]", f"{v}.detach().sum()", "w.last", "w.buffer.sum()", "w.weight[0]", "w.count", f"{v}.sum().float()",
            "(w.weight.grad.sum() if w.weight.grad is not None else w.last)", "w.buffer[1]", f"flow.rand(()) + {v}.sum()", "w.net[2].running_mean[0]",
        ])  # fmt: skip

    def condition(self) -> str:
        s, t, v = self.scalar(), self.threshold(), self.vector()
        return self.rng.choice([
            f"{s} > {t}", f"{s} > {t}", f"{s}.item() > {t}", f"({v} > {t}).any()", f"flow.isfinite({v}).all()", f"not {s} < {t}", f"float({s}) < {t}",
            f"{t} < {s} < 6", f"{s}.item() > n", "w.count % 3 == 1", "w.steps % 2", f"{s} > w.best", f"{v}.shape[0] > 2", f"bool(({v} > {t}).all())",
            f"{s} == {s}", f"int({s}.clamp(-2, 2)) == 1" if "count" not in s else "w.count == 2", f"flow.equal({v}, {self.vector()})",
        ])  # fmt: skip

    def write(self) -> str:
        """A statement that changes something."""
        v, s, n, t = self.vector(), self.scalar(), self.rng.choice(self.numbers), self.threshold()
        plain = self.rng.choice([each for each in self.vectors if each not in ("w.weight",)])
        return self.rng.choice([
            f"{plain}.mul_(0.5)", f"{plain}.add_({n})", f"{plain}[0] = {n}", f"{plain}[{plain} > {t}] = 0.25", "w.count += 1", "w.count.add_(1)",
            "w.buffer.add_(1)", "w.buffer = w.buffer * 0.5 + 1", f"w.buffer[0] += {s}.detach()", f"w.last = {s}.detach().double()", f"w.last.copy_({s}.detach())",
            "w.steps += 1", f"w.best = max(w.best, {s}.item())", f"w.log.append({s}.item())", f"w.log.append({n})", f"w.seen['a'] = {s}.item()",
            f"w.log.append({v}.detach().clone())", f"w.seen[w.steps] = {n}", f"w.best = {s}.item()", f"w.steps = int({s}.detach().clamp(-3, 3))",
            f"({v} * w.weight.sum()).sum().backward()", f"w.net({v}.detach()[:3].expand(2, 3) * flow.ones(2, 3, dtype=flow.float64).cumsum(0)).square().sum().backward()",
            "w.optimizer.step()", "w.optimizer.zero_grad()", "with flow.no_grad(): w.weight.mul_(0.75)", f"with flow.no_grad(): w.weight[0] = {n}",
            "w.weight.grad = None", "if w.weight.grad is not None: w.weight.grad.mul_(0.5)", "flow.nn.utils.clip_grad_norm_(w.optimizer.param_groups[0]['params'], 1.5)",
            f"with flow.no_grad(): w.weight.copy_(flow.full((3,), {n}))", "w.net.train(not w.net.training)", "w.net[2].running_mean.mul_(0.5)",
        ])  # fmt: skip

    def statement(self, depth: int = 0) -> str:
        rng = self.rng
        kind = rng.choices(("make", "number", "int", "if", "while", "for", "write", "raise", "choose", "list"), (8, 3, 2, 5, 1, 1, 6, 0.5, 3, 1))[0]
        if depth and kind in ("make", "number", "int", "choose"):
            target = rng.choice([v for v in self.vectors if v[0] in "av"] or ["x"])
            return f"{target} = {self.expression()}"
        if kind == "make":
            text, name = self.expression(), self.name("v")
            self.vectors.append(name)
            return f"{name} = {text}"
        if kind == "number":
            text, name = self.scalar(), self.name("a")
            self.numbers.append(name)
            return f"{name} = " + rng.choice((f"{text}.item()", f"{text}.item()", f"float({text})", f"({text} > {self.threshold()}).item()", f"{self.vector()}.tolist()[0]"))
        if kind == "int":
            v, name = self.vector(), self.name("i")
            text = rng.choice((f"({v} > {self.threshold()}).sum().item()", f"int({v}.sum().clamp(0, 4))", f"{v}.shape[0]", f"{v}.argmax().item()", f"int(({v} > 0.2).sum())", f"{v}.nonzero().shape[0]"))
            self.ints.append(name)
            return f"{name} = {text}"
        if kind == "list":
            v = self.vector()
            return f"w.log.extend({v}[:2].tolist())" if rng.random() < 0.5 else f"{self.name('j')} = {v}.tolist()"
        if kind == "choose" and not depth:
            condition, first, second, name = self.condition(), self.expression(), self.expression(), self.name("v")
            self.vectors.append(name)
            return f"{name} = {first} if {condition} else {second}"
        if kind == "raise":
            return f"if {self.condition()} and w.steps % 3 == 2: raise ValueError('too much')"
        if kind == "write" or depth > 1:
            return self.write()
        inner = [self.statement(depth + 1) for _ in range(rng.randint(1, 2))]
        if kind == "if":
            other = [self.statement(depth + 1)] if rng.random() < 0.5 else []
            text = f"if {self.condition()}:\n" + textwrap.indent("\n".join(inner), "    ")
            return text + ("\nelse:\n" + textwrap.indent("\n".join(other), "    ") if other else "")
        if kind == "while":
            v = rng.choice([v for v in self.vectors if v[0] == "v"] or ["x"])
            more = self.write() if rng.random() < 0.3 else ""
            more = f"\n    {more}" if more and not re.search(rf"\b{v}\b", more) else ""  # which would keep it large for ever
            return f"while 3.3 < {v}.abs().sum() < 1000:\n    {v} = {v} * 0.5{more}"
        return "for k in range(2):\n" + textwrap.indent("\n".join(inner), "    ")


def _both(a: Any, b: Any) -> Any:
    m = min(a.shape[0], b.shape[0])
    return a[:m] + b[:m]


def _tensor(rng: random.Random, size: int, dtype: str) -> str:
    values = [rng.randint(-8, 8) / 4 for _ in range(size)]
    if rng.random() < 0.04 and size:
        values[0] = rng.choice((float("nan"), float("inf")))
    return f"flow.tensor({values}, dtype=flow.{dtype})".replace("nan", "float('nan')").replace("inf", "float('inf')")


def program(seed: int) -> DecidingProgram:
    rng = random.Random(seed)
    drawn = _Draw(rng)
    statements = [drawn.statement() for _ in range(rng.randint(3, 8))]
    modes = ["flow.enable_grad()"] * CALLS
    if rng.random() < 0.3:
        modes = [rng.choice(("flow.enable_grad()", "flow.no_grad()", "flow.enable_grad()")) for _ in range(CALLS)]
    varied, dtypes = rng.random() < 0.4, rng.random() < 0.1
    pool = []
    for _ in range(CALLS):
        size = rng.choice((3, 3, 4, 5, 1, 0)) if varied else 3
        dtype = rng.choice(("float64", "float32")) if dtypes else "float64"
        pool.append(f"({_tensor(rng, size, dtype)}, {_tensor(rng, 3, 'float64')}, {rng.choice((1, 2, 0.5, -1.5))})")
    calls = [rng.choice(pool[: rng.choice((3, CALLS))]) for _ in range(CALLS)]
    return DecidingProgram(seed, statements, rng.choice((None, None, True)), rng.random() < 0.2, rng.random() < 0.5, modes, calls)


class Run:
    """A run of all calls."""

    def __init__(self, program: DecidingProgram) -> None:
        self.program, self.world = program, World()
        values: dict[str, Any] = {"flow": flow, "both": _both, "float": float}
        exec(compile(program.function(), f"<deciding {program.seed}>", "exec"), values)
        self.values, self.function = values, values["program"]

    def call(self, number: int) -> tuple[dict[str, Any], Exception | None]:
        """What a call leaves, as things that later calls do not change."""
        program, world = self.program, self.world
        x, y, n = eval(program.calls[number], self.values)
        if program.leaves:
            x.requires_grad_()
        flow.manual_seed(number)
        error: Exception | None = None
        results: list[Any] = []
        backward = None
        try:
            with eval(program.modes[number], {"flow": flow}):
                results = self.function(world, x, y, n)
            where.settle()
        except Exception as raised:
            error = raised.with_traceback(None)
        leave = {"results": _copy(results), "arguments": _copy([x, y]), "world": _copy(world.state()), "shares": _shares(results, [x, y, *_tensors(world)])}
        if program.backward and error is None:
            last = [r for r in results if isinstance(r, flow.Tensor) and r.requires_grad][-1:]
            if last:
                try:
                    (last[0] * 1.5).sum().backward()
                    where.settle()
                except Exception as raised:
                    backward = raised.with_traceback(None)
        leave |= {"raises": [backward is not None], "gradients": _copy([x.grad, results, world.state()["grad"], world.state()["grads"]]), "draw": _copy(flow.rand(2))}
        leave["backward"] = repr(backward)
        return leave, error


def _tensors(world: World) -> list[Any]:
    return [world.weight, world.buffer, world.last, world.count]


def _shares(results: list[Any], others: list[Any]) -> list[Any]:
    made = [r for r in results if isinstance(r, flow.Tensor) and r.numel()]
    others = [o for o in others if o.numel()]
    return [[a.impl is b.impl for b in (*others, *made)] for a in made]


def _copy(value: Any) -> Any:
    """Nothing that later calls overwrite, whether it requires grad, and a leaf's gradient."""
    if isinstance(value, dict):
        return [_copy(each) for each in value.values()]
    if isinstance(value, (list, tuple)):
        return [_copy(each) for each in value]
    if isinstance(value, flow.Tensor):
        grad = _copy(value.grad) if value.is_leaf else None
        return [flow.to_torch(value.detach().clone()), value.requires_grad, value.is_leaf, grad, str(value.dtype)]
    return value


def check(program: DecidingProgram) -> Difference | None:
    _remarks[:] = []
    with poisoned(), warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        try:
            eager, compiled = Run(program), Run(program)
        except SyntaxError:
            return None
        compiled.function = flow.compile(compiled.function, dynamic=program.dynamic)
        for number in range(CALLS):
            (wanted, error), (got, ours) = eager.call(number), compiled.call(number)
            if isinstance(error, (NameError, AttributeError)):
                return None  # a reduction took away what others need
            found = _difference(number, wanted, error, got, ours)
            if found is not None:
                return found
    if compiled.function.captures():
        ways = len(compiled.function.captures())
        _remarks.append("captured, with reads" if any(each.path is not None for each in compiled.function.captures()) else "captured")
        _remarks.append(f"{'1' if ways == 1 else '2 to 4' if ways < 5 else 'more'} ways")
    _remarks.extend("warns: " + re.sub(r".*: ", "", str(each.message).split(", at ")[0])[:70] for each in told[:1])
    return None


def remarks() -> list[str]:
    return list(_remarks)


def _difference(number: int, wanted: Any, error: Exception | None, got: Any, ours: Exception | None) -> Difference | None:
    if _said(error) != _said(ours):
        if ours is not None and (error is None or is_internal(ours)):
            return Difference(f"raises {digest(ours)}", f"call {number} raises {ours!r}, eager mode {error!r}")
        return Difference(f"eager raises {digest(error)}", f"call {number}: eager mode raises {error!r}, we {ours!r}")
    backward, other = wanted.pop("backward"), got.pop("backward")
    if wanted["raises"] != got["raises"]:
        return Difference(f"backward {digest(other + backward)}", f"call {number}: backward {other}, eager mode {backward}")
    scale = 1e-6
    found = compare(got, wanted, scale)
    return found and Difference(f"{found.kind} {found.name[:9]}", f"call {number}: {found.text}\n  wanted {wanted[found.name.split('.')[0]]}\n  got {got[found.name.split('.')[0]]}")


def _said(error: Exception | None) -> str:
    """An error's text without counts of writes: what was undone counts as one more."""
    return re.sub(r"version \d+", "version", repr(error))


if __name__ == "__main__":
    sys.exit(main(__file__, __doc__, program, check, remarks))
