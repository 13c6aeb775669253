"""Training steps as graphs, beside the same steps in our eager mode, in torch, by torch.compile, and by jax.jit.

    python bench/graph.py [NAME ...] [--amp] [--without PASS] [--tune] [--compile] [--jax] [--json FILE] [--explain FOLDER]

The models are the same source but for jax's (rivals/jax_steps.py), and begin with the same parameters. A round takes each kind of
step for a stretch of consecutive ones, as training does: the first, which finds the caches and threads as others left them, is not
counted. What is printed are medians over the rounds (20th and 80th percentiles in brackets) of our graph's time divided by the
other's: below 1 the graph is faster. `--amp` is mixed precision, of bfloat16, for all but jax; `--without
fuse_prologues` sets the graph without that pass beside it, `--tune` the graph with `config.enable_tuning(True)`. The process has
two processors.
jax is no requirement of this project: `pip install jax` first.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

THREADS = 2
os.environ["OMP_NUM_THREADS"] = str(THREADS)
os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:THREADS])  # XLA has no other way to be told

import torch  # noqa: E402

import tritonflow as flow  # noqa: E402
from tritonflow.bench import machine  # noqa: E402
from tritonflow.bench.script import script_parser, write_results  # noqa: E402
from tritonflow.bench.timing import Effort, alternate, burst_of, burst_of_steps  # noqa: E402
from tritonflow.bench.verdict import Quantiles  # noqa: E402

Step = Callable[[], Any]  # takes a step; gives its loss
STEPS = Effort(burst=0.3, calls=3)
HOST = Effort(rounds=20, least=20, burst=0.0, calls=50)


class Case(NamedTuple):
    """A model, its optimizer and its data, in terms of torch or of tritonflow; tensors are torch's."""

    name: str
    model: Callable[[Any], Any]
    inputs: tuple[torch.Tensor, torch.Tensor]
    loss: Callable[[Any, Any, Any], Any]
    optimizer: Callable[[Any, Any], Any]

    def build(self, m: Any, state: dict[str, torch.Tensor]) -> tuple[Any, Any, Any]:
        """The model with these parameters, its optimizer, and the inputs."""
        made = self.model(m)
        made.load_state_dict({k: v if m is torch else flow.from_torch(v.clone()) for k, v in state.items()})
        inputs = self.inputs if m is torch else tuple(flow.from_torch(x) for x in self.inputs)
        return made, self.optimizer(m, made.parameters()), inputs


def mlp(m: Any) -> Any:
    """784-512-256-10."""
    nn = m.nn
    return nn.Sequential(nn.Linear(784, 512), nn.ReLU(), nn.Linear(512, 256), nn.ReLU(), nn.Linear(256, 10))


def cnn(m: Any) -> Any:
    """Two convolutions, 1-32-64 channels, 28x28."""
    nn = m.nn
    return nn.Sequential(
        nn.Conv2d(1, 32, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(32, 64, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
        nn.Flatten(), nn.Linear(64 * 49, 10),
    )  # fmt: skip


def block(m: Any, d: int = 256, heads: int = 4, causal: bool = False) -> Any:
    """A transformer block, normalised in front."""
    nn, F = m.nn, m.nn.functional

    class Block(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.norm1, self.norm2 = nn.LayerNorm(d), nn.LayerNorm(d)
            self.qkv, self.out = nn.Linear(d, 3 * d), nn.Linear(d, d)
            self.up, self.down = nn.Linear(d, 4 * d), nn.Linear(4 * d, d)

        def forward(self, x: Any) -> Any:
            b, t, _ = x.shape
            q, k, v = self.qkv(self.norm1(x)).view(b, t, 3, heads, d // heads).permute(2, 0, 3, 1, 4).unbind(0)
            y = F.scaled_dot_product_attention(q, k, v, is_causal=causal)
            x = x + self.out(y.transpose(1, 2).reshape(b, t, d))
            return x + self.down(F.gelu(self.up(self.norm2(x))))

    return Block()


def gpt(m: Any, d: int = 384, layers: int = 6, vocabulary: int = 128, length: int = 256) -> Any:
    """A character model of `layers` blocks."""
    nn = m.nn

    class GPT(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.tokens, self.places = nn.Embedding(vocabulary, d), nn.Embedding(length, d)
            self.blocks = nn.Sequential(*[block(m, d, 6, True) for _ in range(layers)])
            self.norm, self.head = nn.LayerNorm(d), nn.Linear(d, vocabulary)

        def forward(self, x: Any) -> Any:
            y = self.tokens(x) + self.places.weight
            return self.head(self.norm(self.blocks(y))).reshape(-1, vocabulary)

    return GPT()


def cases() -> Iterator[Case]:
    """Every case, with the same random data in every process."""
    torch.manual_seed(0)
    classes = torch.randint(0, 10, (128,))

    def entropy(m: Any, y: Any, t: Any) -> Any:
        return m.nn.functional.cross_entropy(y, t)

    def momentum(m: Any, parameters: Any) -> Any:
        return m.optim.SGD(parameters, lr=0.01, momentum=0.9)

    yield Case("mlp", mlp, (torch.randn(128, 784), classes), entropy, momentum)
    x = torch.randn(8, 128, 256)
    square = (x, torch.randn_like(x)), lambda m, y, t: ((y - t) ** 2).mean()
    yield Case("block", block, *square, lambda m, p: m.optim.Adam(p, lr=1e-4))
    images = torch.randn(64, 1, 28, 28)
    yield Case("cnn", cnn, (images, classes[:64]), entropy, momentum)
    text = torch.randint(0, 128, (4, 256))
    yield Case("gpt", gpt, (text, text.reshape(-1)), entropy, lambda m, p: m.optim.AdamW(p, lr=1e-4))


def eager(m: Any, case: Case, state: Any, amp: bool, compiled: bool = False) -> Step:
    """A step op by op; or by torch.compile."""
    model, optimizer, (x, target) = case.build(m, state)
    forward = torch.compile(model) if compiled else model

    def step() -> Any:
        optimizer.zero_grad()
        with m.autocast("cpu", dtype=m.bfloat16, enabled=amp):
            loss = case.loss(m, forward(x), target)
        loss.backward()
        optimizer.step()
        return loss

    return step


class Train(flow.nn.Graph):
    """A step as a graph."""

    def __init__(self, case: Case, state: Any, amp: bool, without: str = "", tune: bool = False) -> None:
        super().__init__()
        self.config.enable_tuning(tune)
        self.config.enable_amp(amp, dtype=flow.bfloat16)
        self.config.without.add(without)
        self.model, optimizer, self.data = case.build(flow, state)
        self.loss = case.loss
        self.add_optimizer(optimizer)

    def build(self, x: Any, target: Any) -> Any:
        loss = self.loss(flow, self.model(x), target)
        loss.backward()
        return loss

    def step(self) -> Any:
        return self(*self.data)

    @property
    def executable(self) -> Any:
        (captured,) = self._captured.captures()
        return captured.executable


def jax_step(case: Case, state: Any, amp: bool) -> Step:
    """A step by jax.jit."""
    from rivals import jax_steps

    assert not amp, "there are no steps in mixed precision"
    arrays = {name: value.numpy() for name, value in state.items()}
    return jax_steps.step(case.name, arrays, *[x.numpy() for x in case.inputs])


KINDS: dict[str, Callable[[Case, Any, bool], Step]] = {
    "graph": lambda case, state, amp: Train(case, state, amp).step,
    "our eager": lambda case, state, amp: eager(flow, case, state, amp),
    "torch eager": lambda case, state, amp: eager(torch, case, state, amp),
    "torch.compile": lambda case, state, amp: eager(torch, case, state, amp, compiled=True),
    "jax.jit": jax_step,
}


class Idle:
    """A program that does nothing."""

    atomic = False

    def run(self, live: Any) -> None:
        """Nothing."""


def host_time(graph: Train) -> float:
    """Seconds that a step takes beside its program, which is gone afterwards: the least of several means."""
    graph.executable._program = Idle()
    return min(alternate({"host": burst_of(graph.step, clock="thread")}, HOST)["host"])


def check(name: str, losses: dict[str, list[float]], amp: bool) -> None:
    """Refuse kinds that learn something else."""
    near = 1e-2 if amp else 1e-3
    for kind, found in losses.items():
        if any(abs(a - b) > near * abs(b) + 1e-4 for a, b in zip(found, losses["torch eager"])):
            raise SystemExit(f"{name}: the losses differ: {kind} {found}, torch {losses['torch eager']}")


def measure(case: Case, kinds: list[str], rounds: int, amp: bool, folder: Path | None) -> dict[str, Any]:
    """Times and their ratios, after a look at the first losses; what the graph runs goes to a page in `folder`."""
    state = case.model(torch).state_dict()
    graph = Train(case, state, amp)
    steps = {kind: graph.step if kind == "graph" else KINDS[kind](case, state, amp) for kind in kinds}
    first: dict[str, float] = {}
    losses: dict[str, list[float]] = {}
    for kind, step in steps.items():
        start = time.perf_counter()
        losses[kind] = [step().item()]
        first[kind] = time.perf_counter() - start
        losses[kind] += [step().item() for _ in range(2)]
    check(case.name, losses, amp)
    times = alternate({kind: burst_of_steps(step) for kind, step in steps.items()}, replace(STEPS, rounds=rounds, least=rounds))
    if folder is not None:
        graph.explain(*graph.data).save(folder / f"{case.name}.html")
    return {
        "case": case.name,
        "ms": {kind: Quantiles.of([1e3 * t for t in times[kind]]).as_dict() for kind in kinds},
        "ratio": {kind: Quantiles.of_ratios(times["graph"], times[kind]).as_dict() for kind in kinds if kind != "graph"},
        "first call s": first, "launches": graph.executable.launches, "arena MB": graph.executable.arena_bytes / 1e6,
        "host us": 1e6 * host_time(graph),
    }  # fmt: skip


def show(result: dict[str, Any]) -> None:
    rivals = result["ratio"].items()
    ratios = ", ".join(f"{r['p50']:.2f} ({r['p20']:.2f} to {r['p80']:.2f}) of {kind}" for kind, r in rivals)
    memory = f"{result['launches']} launches, {result['arena MB']:.1f} MB, first call {result['first call s']['graph']:.1f} s"
    memory += f", host {result['host us']:.0f} us"
    print(f"{result['case']:6} {result['ms']['graph']['p50']:8.2f} ms  {ratios}; {memory}", flush=True)


def main() -> None:
    parser = script_parser(__doc__, names="cases; all unless told")
    parser.add_argument("--amp", action="store_true", help="in mixed precision, of bfloat16")
    parser.add_argument(
        "--without", metavar="PASS", help="the graph without one of its passes, too, such as fuse_prologues"
    )
    parser.add_argument("--tune", action="store_true", help="the graph with tuned configurations, too")
    parser.add_argument("--compile", action="store_true", help="torch.compile, too; takes minutes")
    parser.add_argument("--jax", action="store_true", help="jax.jit, too")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--explain", type=Path, help="a folder for pages that show what the graphs run")
    arguments = parser.parse_args()
    machine.keep_freed_memory()
    torch.set_num_threads(THREADS)
    asked = {"torch.compile": arguments.compile, "jax.jit": arguments.jax}
    kinds = [kind for kind in KINDS if asked.get(kind, True)]
    if arguments.without:
        kinds.append(f"graph without {arguments.without}")
        KINDS[kinds[-1]] = lambda case, state, amp: Train(case, state, amp, arguments.without).step
    if arguments.tune:
        kinds.append("graph tuned")
        KINDS["graph tuned"] = lambda case, state, amp: Train(case, state, amp, tune=True).step
    results = []
    for case in cases():
        if arguments.names and case.name not in arguments.names:
            continue
        torch.manual_seed(0)
        results.append(measure(case, kinds, arguments.rounds, arguments.amp, arguments.explain))
        show(results[-1])
    write_results(arguments.json, {"cases": results}, threads=THREADS)


if __name__ == "__main__":
    main()
