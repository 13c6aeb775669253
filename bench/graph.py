"""Training steps as graphs, beside the same steps in our eager mode, in torch, and by torch.compile.

    python bench/graph.py [NAME ...] [--compile] [--json bench/results/graph.json]

The models are the same source on either side. A round does each kind of step in turn; what is printed are medians over the
rounds of our graph's time divided by the other's: below 1 the graph is faster. Two threads on either side.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import platform
import statistics
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

THREADS = 2
os.environ["OMP_NUM_THREADS"] = str(THREADS)

import torch  # noqa: E402
import triton  # noqa: E402

import tritonflow as flow  # noqa: E402

Step = Callable[[], Any]
SECONDS = 4.0  # of each kind of step, at least five of them


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


def cases() -> Iterator[tuple[str, Any, Any, Any, Any]]:
    """(name, model, inputs, loss, optimizer) in terms of either module; tensors are torch's."""
    classes = torch.randint(0, 10, (128,))

    def entropy(m: Any, y: Any, t: Any) -> Any:
        return m.nn.functional.cross_entropy(y, t)

    yield "mlp", mlp, (torch.randn(128, 784), classes), entropy, lambda m, p: m.optim.SGD(p, lr=0.01, momentum=0.9)
    x = torch.randn(8, 128, 256)
    yield "block", block, (x, torch.randn_like(x)), lambda m, y, t: ((y - t) ** 2).mean(), lambda m, p: m.optim.Adam(p, lr=1e-4)
    images = torch.randn(64, 1, 28, 28)
    yield "cnn", cnn, (images, classes[:64]), entropy, lambda m, p: m.optim.SGD(p, lr=0.01, momentum=0.9)
    text = torch.randint(0, 128, (4, 256))
    yield "gpt", gpt, (text, text.reshape(-1)), entropy, lambda m, p: m.optim.AdamW(p, lr=1e-4)


def eager(m: Any, model: Any, inputs: Any, loss_of: Any, optimizer: Any) -> Step:
    x, target = inputs

    def step() -> Any:
        optimizer.zero_grad()
        loss = loss_of(m, model(x), target)
        loss.backward()
        optimizer.step()
        return loss

    return step


def as_graph(model: Any, inputs: Any, loss_of: Any, optimizer: Any) -> tuple[Step, Any]:
    class Train(flow.nn.Graph):
        def __init__(self) -> None:
            super().__init__()
            self.model = model
            self.add_optimizer(optimizer)

        def build(self, x: Any, target: Any) -> Any:
            loss = loss_of(flow, self.model(x), target)
            loss.backward()
            return loss

    graph = Train()
    return lambda: graph(*inputs), graph


def steps_of(case: Any, compiled: bool) -> tuple[dict[str, Step], Any]:
    """The kinds of steps, each with a model of its own that began with the same parameters."""
    _, model, inputs, loss_of, optimizer = case
    state = model(torch).state_dict()
    ours = tuple(flow.from_torch(x) for x in inputs)

    def copy(m: Any) -> Any:
        made = model(m)
        made.load_state_dict({k: v if m is torch else flow.from_torch(v.clone()) for k, v in state.items()})
        return made

    nets = {name: copy(torch if "torch" in name else flow) for name in ("graph", "our eager", "torch eager", "torch.compile")}
    graph_step, graph = as_graph(nets["graph"], ours, loss_of, optimizer(flow, nets["graph"].parameters()))
    steps = {
        "graph": graph_step,
        "our eager": eager(flow, nets["our eager"], ours, loss_of, optimizer(flow, nets["our eager"].parameters())),
        "torch eager": eager(torch, nets["torch eager"], inputs, loss_of, optimizer(torch, nets["torch eager"].parameters())),
    }
    if compiled:
        net = nets["torch.compile"]
        steps["torch.compile"] = eager(torch, torch.compile(net), inputs, loss_of, optimizer(torch, net.parameters()))
    return steps, graph


class Idle:
    """A program that does nothing."""

    atomic = False

    def run(self, live: Any) -> None:
        """Nothing."""


def host_time(step: Step, captured: Any) -> float:
    """Seconds that a step takes beside its program, which is gone afterwards: the least of several means."""
    captured.executable._program = Idle()
    means = []
    for _ in range(20):
        start = time.thread_time()
        for _ in range(50):
            step()
        means.append((time.thread_time() - start) / 50)
    return min(means)


def measure(case: Any, compiled: bool) -> dict[str, Any]:
    """Medians, after a look at the first losses."""
    steps, graph = steps_of(case, compiled)
    first: dict[str, float] = {}
    losses: dict[str, list[float]] = {}
    for name, step in steps.items():
        start = time.perf_counter()
        losses[name] = [float(step().item())]
        first[name] = time.perf_counter() - start
        losses[name] += [float(step().item()) for _ in range(2)]
    for name, found in losses.items():
        if any(abs(a - b) > 1e-3 * abs(b) + 1e-4 for a, b in zip(found, losses["torch eager"])):
            raise SystemExit(f"{case[0]}: the losses differ: {name} {found}, torch {losses['torch eager']}")
    times: dict[str, list[float]] = {name: [] for name in steps}
    until = time.perf_counter() + SECONDS * len(steps)
    while time.perf_counter() < until or len(times["graph"]) < 5:
        for name, step in steps.items():
            start = time.perf_counter()
            step()
            times[name].append(time.perf_counter() - start)
    rounds = list(zip(*times.values()))
    ratios = {name: statistics.median(r[0] / r[k] for r in rounds) for k, name in enumerate(times) if name != "graph"}
    (captured,) = (c for kept in graph._captured.cache.values() for c in kept)
    return {
        "case": case[0], "ms": 1e3 * statistics.median(times["graph"]), "ratio": ratios, "first call s": first,
        "launches": captured.executable.launches, "arena MB": captured.executable.arena_bytes / 1e6,
        "host us": 1e6 * host_time(steps["graph"], captured),
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="names of cases")
    parser.add_argument("--compile", action="store_true", help="torch.compile, too; takes minutes")
    parser.add_argument("--json", type=Path, help="where the numbers go as well")
    arguments = parser.parse_args()
    libc = ctypes.CDLL(None)  # torch's memory from a heap that keeps what is freed, as ours is
    libc.mallopt(-4, 0)
    libc.mallopt(-1, ctypes.c_int(2**31 - 1))
    torch.set_num_threads(THREADS)
    torch.manual_seed(0)
    results = []
    for case in cases():
        if arguments.names and case[0] not in arguments.names:
            continue
        result = measure(case, arguments.compile)
        results.append(result)
        ratios = ", ".join(f"{ratio:.2f} of {name}" for name, ratio in result["ratio"].items())
        memory = f"{result['launches']} launches, {result['arena MB']:.1f} MB, first call {result['first call s']['graph']:.1f} s, "
        memory += f"host {result['host us']:.0f} us"
        print(f"{result['case']:6} {result['ms']:8.2f} ms  {ratios}; {memory}", flush=True)
    if arguments.json is not None:
        record = {
            "date": time.strftime("%Y-%m-%d"), "python": platform.python_version(), "torch": torch.__version__,
            "triton": triton.__version__, "threads": THREADS, "cases": results,
        }  # fmt: skip
        arguments.json.write_text(json.dumps(record, indent=1) + "\n")


if __name__ == "__main__":
    main()
