"""Random trainings as graphs and in eager mode: `python tests/fuzz/training.py --minutes 60`, or `--seed 17`.

A net of random layers is trained by a step that is captured, whole, by flow.compile or as an nn.Graph. Between steps learning rates,
modes, batch sizes, parameters and the random state change. Losses, parameters, buffers and states have to be eager mode's.
"""



from __future__ import annotations

import random
import sys
import warnings
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path[:1] = [str(Path(__file__).resolve().parents[2])]

import tritonflow as flow
from tests import where
from tests.fuzz.command import main
from tests.fuzz.programs import Difference, Program, Statement, array, compare, digest, is_internal
from tests.poison import poisoned
from tritonflow.errors import CaptureError
from tritonflow.functions.random_generator import default_generator

LAYERS = ("Linear(8, 8)", "Linear(8, 8, bias=False)", "LayerNorm(8)", "BatchNorm1d(8)", "BatchNorm1d(8, momentum=None)", "BatchNorm1d(8, affine=False)", "Dropout(0.25)", "Dropout(0.5)",
    "GELU()", "ReLU()", "Tanh()", "SiLU()", "Softmax(dim=-1)", "GroupNorm(2, 8)", "Identity()")  # fmt: skip
# With a smaller eps Adam steps by the signs of rounding errors where a gradient is zero, as that of a bias before a norm.
OPTIMIZERS = ("SGD(groups, lr=0.1)", "SGD(groups, lr=0.1, momentum=0.9)", "SGD(groups, lr=0.05, momentum=0.5, nesterov=True, weight_decay=0.1)",
    "Adam(groups, lr=0.01, eps=1e-3)", "AdamW(groups, lr=0.01, weight_decay=0.1, eps=1e-3)", "Adam(groups, lr=0.02, amsgrad=True, eps=1e-3)")  # fmt: skip
EVENTS = ("step({b})",) * 8 + ("evaluate({b})", "evaluate({b})", "net.eval()", "net.train()", "optimizer.param_groups[0]['lr'] = {lr}",
    "optimizer.param_groups[0]['lr'] *= 0.5", "lib.manual_seed({b})", "net[0].weight.data.mul_(0.5)", "net[0].weight.requires_grad_({flag})",
    "net.load_state_dict(saved)", "saved = {{k: v.clone() for k, v in net.state_dict().items()}}", "optimizer.param_groups[-1]['lr'] = 0.0",
    "optimizer.load_state_dict(optimizer.state_dict())", "optimizer.zero_grad()", "scheduler.step()", "with lib.no_grad(): net[0].weight.add_(0.01)",
    "lib.rand(3)", "with lib.no_grad(): evaluate({b})", "setattr(net[-1], 'p', 0.1) if hasattr(net[-1], 'p') else None")  # fmt: skip

SETUP = """
batches = [(lib.tensor(x, dtype=lib.{dtype}), lib.tensor(y, dtype=lib.{dtype})) for x, y in numbers]
lib.manual_seed({seed})
net = lib.nn.Sequential(lib.nn.Linear(8, 8), *[getattr(lib.nn, n)(*a, **k) for n, a, k in layers]).to(lib.{dtype})
groups = [{{'params': list(net[0].parameters())}}, {{'params': [p for m in list(net)[1:] for p in m.parameters()]}}]
groups = groups if {groups} == 2 else list(net.parameters())
optimizer = lib.optim.{optimizer}
scheduler = lib.optim.lr_scheduler.StepLR(optimizer, 1, 0.5)
saved = {{k: v.clone() for k, v in net.state_dict().items()}}
"""


@dataclass
class Training(Program):
    """Statements that add a layer, then those that happen.

    Attributes:
        dtype, optimizer, groups, clip: of the net and its step.
        kind: how the step is captured: compile or graph.
        autocast: whether in bfloat16.
    """

    dtype: str = "float64"
    optimizer: str = OPTIMIZERS[0]
    groups: int = 1
    clip: bool = False
    kind: str = "compile"
    autocast: bool = False

    def without(self, position: int) -> Training:
        return replace(self, statements=self.statements[:position] + self.statements[position + 1 :])

    def layers(self) -> list[str]:
        return [s.text for s in self.statements if s.text in LAYERS]

    def events(self) -> list[str]:
        return [s.text for s in self.statements if s.text not in LAYERS]

    def source(self, name: str = "") -> str:
        options = f"{self.dtype}, {self.optimizer}, {self.groups} groups, clip {self.clip}, {self.kind}, autocast {self.autocast}"
        return "\n".join([f"# {options}", f"Sequential(Linear(8, 8), {', '.join(self.layers())})", *self.events()])


def program(seed: int) -> Training:
    rng = random.Random(seed)
    layers = [rng.choice(LAYERS) for _ in range(rng.randint(1, 4))]
    events = [
        rng.choice(EVENTS).format(b=rng.randrange(4), lr=rng.choice((0.0, 0.01, 0.3)), flag=rng.random() < 0.5) for _ in range(rng.randint(4, 12))
    ]
    autocast = rng.random() < 0.15
    dtype = "float32" if autocast or rng.random() < 0.2 else "float64"
    tolerance = 0.1 if autocast else 2e-4 if dtype == "float32" else 1e-7
    return Training(
        seed, [Statement(text) for text in (*layers, *events)], tolerance, dtype, rng.choice(OPTIMIZERS), rng.choice((1, 2)),
        rng.random() < 0.3, rng.choice(("compile", "graph")), autocast,
    )  # fmt: skip


def check(program: Training) -> Difference | None:
    with poisoned(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        eager, captured = (Run(program, kind) for kind in ("eager", program.kind))
        for event in program.events():
            found = compare_event(program, event, eager, captured)
            if found is not None or eager.over:
                return found
    return None


def compare_event(program: Training, event: str, eager: Run, captured: Run) -> Difference | None:
    """One event on both sides, and all that it left."""
    wanted, error = eager.do(event)
    got, our_error = captured.do(event)
    if our_error is not None and is_internal(our_error):
        return Difference(f"internal error {digest(our_error)}", f"{event} raises {our_error!r}")
    if (error is None) != (our_error is None):
        if isinstance(our_error, CaptureError) and "momentum=None" in str(program.layers()):
            eager.over = True
            return None
        return Difference(f"raises {digest(our_error or error)}", f"{event}: eager mode raises {error!r}, the graph {our_error!r}")
    if error is not None:
        eager.over = True
        return None
    found = compare(got, wanted, program.tolerance)
    return found and Difference(f"{found.kind} {found.name}", f"after {event}: {found.text}")


class Run:
    """A net and its optimizer, with a step that is captured or not."""

    def __init__(self, program: Training, kind: str) -> None:
        rng = random.Random(1)
        numbers = [[[[rng.randint(-8, 8) / 4 for _ in range(8)] for _ in range(n)] for _ in range(2)] for n in (4, 4, 3, 4)]
        layers = [(text.split("(")[0], *eval(f"(lambda *a, **k: (a, k))({text[text.index('(') + 1 : -1]})")) for text in program.layers()]
        self.values: dict[str, Any] = {"lib": flow, "numbers": numbers, "layers": layers}
        self.over = False
        groups = program.groups if any("Linear" in t or "Norm" in t and "affine=False" not in t for t in program.layers()) else 1
        exec(SETUP.format(dtype=program.dtype, seed=program.seed, optimizer=program.optimizer, groups=groups), self.values)
        net, optimizer = self.values["net"], self.values["optimizer"]

        def forward(x: Any, y: Any) -> Any:
            with flow.autocast("cpu", dtype=flow.bfloat16, enabled=program.autocast):
                return ((net(x) - y) ** 2).mean()

        def step(x: Any, y: Any) -> Any:
            optimizer.zero_grad()
            loss = forward(x, y)
            loss.backward()
            if program.clip:
                flow.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            optimizer.step()
            return loss.detach()

        def evaluate(x: Any, y: Any) -> Any:
            with flow.no_grad():
                return forward(x, y)

        if kind == "compile":
            step, evaluate = flow.compile(step), flow.compile(evaluate)
        if kind == "graph":
            step, evaluate = _graph(net, optimizer, forward, program.clip), flow.compile(evaluate)
        self.random = _generator().get_state()
        self.values["step"], self.values["evaluate"] = self._noted(step), self._noted(evaluate)

    def _noted(self, function: Any) -> Any:
        def call(number: int) -> None:
            self.loss = function(*self.values["batches"][number]).detach()

        return call

    def do(self, event: str) -> tuple[dict[str, Any], Exception | None]:
        """Everything that there is after an event, or its error."""
        self.loss: Any = None
        _generator().set_state(self.random)
        try:
            exec(event, self.values)
            where.settle()
            self.random = _generator().get_state()
        except Exception as error:
            return {}, error.with_traceback(None)
        net, optimizer = self.values["net"], self.values["optimizer"]
        found = {f"net {name}": array(value) for name, value in net.state_dict().items()}
        states = [optimizer.state.get(p, {}) for group in optimizer.param_groups for p in group["params"]]
        found |= {f"state {k} {name}": array(v) for k, state in enumerate(states) for name, v in state.items()}
        found["random"] = array(self.random)
        found["lr"] = [float(group["lr"]) for group in optimizer.param_groups]
        if self.loss is not None:
            found["loss"] = array(self.loss)
        return found, None


def _generator() -> Any:
    return default_generator(flow.device(where.device))


def _graph(net: Any, optimizer: Any, forward: Any, clip: bool) -> Any:
    class Step(flow.nn.Graph):
        def __init__(self) -> None:
            super().__init__()
            self.net = net
            self.add_optimizer(optimizer)

        def build(self, x: Any, y: Any) -> Any:
            loss = forward(x, y)
            loss.backward()
            if clip:
                flow.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            return loss

    return Step()


if __name__ == "__main__":
    sys.exit(main(__file__, __doc__, program, check))
