"""Writes the kernels that come ready with a wheel: those of usual programs, for CPUs with AVX2 and with AVX-512.

    python release/ready.py [LEVEL ...]

Each level's programs run in a process of their own, with an empty cache. A level that this CPU lacks is skipped with a line.
docs/design/disk_caches.md.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "examples")]

from digits import DigitNet  # noqa: E402

import tritonflow as flow  # noqa: E402
from tritonflow import nn  # noqa: E402
from tritonflow.triton_cpu import cache, ready, runtime_ir, threads  # noqa: E402
from tritonflow.triton_cpu.compile import compiled_kernels  # noqa: E402
from tritonflow.triton_cpu.target import reaches, resolve  # noqa: E402

F = nn.functional
UNARY = "abs neg exp log sqrt rsqrt sin cos tanh sigmoid erf floor ceil round sign reciprocal square relu".split()
ACTIVATIONS = (F.gelu, F.silu, F.softplus, F.leaky_relu, F.elu, F.log_softmax, F.softmax)
BINARY = (
    flow.add, flow.sub, flow.mul, flow.div, flow.pow, flow.maximum, flow.minimum,
    flow.eq, flow.ne, flow.lt, flow.le, flow.gt, flow.ge,
)  # fmt: skip


class Block(nn.Module):
    """A language model of one transformer block: tokens `(N, T)` to logits `(N, T, 100)`."""

    def __init__(self, width: int = 64, heads: int = 4) -> None:
        super().__init__()
        self.heads = heads
        self.tokens, self.head = nn.Embedding(100, width), nn.Linear(width, 100)
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, tokens: flow.Tensor) -> flow.Tensor:
        x = self.tokens(tokens)
        n, t, width = x.shape
        q, k, v = self.qkv(self.norm1(x)).view(n, t, 3, self.heads, width // self.heads).permute(2, 0, 3, 1, 4)
        seen = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(seen.transpose(1, 2).reshape(n, t, width))
        return self.head(x + self.down(F.gelu(self.up(self.norm2(x)))))


def eager_ops() -> None:
    """The first lines of a user: tensors, arithmetic, reductions, random numbers, prints."""
    x, y = flow.rand(6, 8) + 0.5, flow.randn(6, 8)
    for name in UNARY:
        getattr(flow, name)(x)
    for function in ACTIVATIONS:
        function(x, -1) if function in (F.softmax, F.log_softmax) else function(x)
    for function in BINARY:
        function(x, y), function(x, y[0])
        if function not in (flow.maximum, flow.minimum):
            function(x, 2.0)
    for name in ("sum", "mean", "max", "min", "argmax", "argmin", "prod", "std", "var"):
        getattr(x, name)()
        for dim in (0, 1):
            getattr(x, name)(dim=dim)
    made_by_users = flow.zeros(3), flow.ones(3) + 1, 1 - x, 1 / x, flow.arange(6), flow.arange(6.0), flow.eye(3)
    for made in (*made_by_users, flow.randint(0, 9, (4,))):
        repr(made), made.clone(), made.float(), made.long(), made.tolist()
    _ = x @ y.T, x[0] @ y[0], x @ y[0], flow.cat([x, y]), flow.stack([x, y]), flow.where(x > y, x, y)
    _ = x.T.contiguous(), x.to(flow.float64), x.cumsum(0), x.sort(), x.topk(2), flow.allclose(x, y)
    _ = (x > 0).all(), (x > 0).any(), x.norm(), x.clamp(0, 1), x[flow.tensor([0, 2])], flow.linspace(0, 1, 5)
    _ = flow.tensor([[1.0, 2.0]]), flow.full((2, 2), 3.0), flow.randperm(5), flow.zeros_like(x), flow.ones_like(x)
    x.add_(y).mul_(2.0).zero_()
    w = flow.randn(8, 3, requires_grad=True)
    (y @ w).relu().pow(2).mean().backward()


def train(model: nn.Module, x: flow.Tensor, labels: flow.Tensor, optimizer: Callable[..., object], **options: float) -> None:
    """A step of a classifier in eager mode and as a graph, and its evaluation in both."""
    steps = optimizer(model.parameters(), **options)

    def step(x: flow.Tensor, labels: flow.Tensor) -> flow.Tensor:
        steps.zero_grad()
        loss = F.cross_entropy(model(x).flatten(0, -2), labels.flatten())
        loss.backward()
        steps.step()
        return loss

    class Step(nn.Graph):
        def __init__(self) -> None:
            super().__init__()
            self.model = model
            self.add_optimizer(steps)

        def build(self, x: flow.Tensor, labels: flow.Tensor) -> flow.Tensor:
            loss = F.cross_entropy(self.model(x).flatten(0, -2), labels.flatten())
            loss.backward()
            return loss

    model.train()
    for run in (step, Step(), flow.compile(step)):
        run(x, labels).item()
    model.eval()
    with flow.no_grad():
        for evaluate in (model, flow.compile(model)):
            (evaluate(x).argmax(-1) == labels).float().mean().item()


def programs() -> Iterator[Callable[[], None]]:
    """The usual ones."""
    yield eager_ops
    labels, images, tokens = flow.randint(0, 10, (64,)), flow.randn(64, 1, 8, 8), flow.randint(0, 100, (4, 16))
    for optimizer, options in ((flow.optim.Adam, {}), (flow.optim.AdamW, {}), (flow.optim.SGD, {"lr": 0.1, "momentum": 0.9})):
        mlp = nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 64), nn.ReLU(), nn.Linear(64, 10))
        yield lambda: train(mlp, images.flatten(1), labels, optimizer, **options)  # noqa: B023
        yield lambda: train(DigitNet(), images, labels, optimizer, **options)  # noqa: B023
        yield lambda: train(Block(), tokens, tokens, optimizer, **options)  # noqa: B023


def write(level: str) -> None:
    """Run the programs, and write the kernels that this process has compiled for the level."""
    flow.manual_seed(0)
    for program in programs():
        program()
    kernels = compiled_kernels()
    shared = [kernel.reference for kernel in kernels if ready.is_shared(kernel, level)]
    runtime = cache.digest("runtime", runtime_ir.TEXT, resolve(level).key)
    cache.write(runtime, {"kind": "runtime"}, threads.compile_runtime(resolve(level)))
    path = ready.write(level, [*shared, runtime])
    print(f"{path.relative_to(ROOT)}: {len(shared)} of {len(kernels)} kernels, {path.stat().st_size / 1e6:.2f} MB", flush=True)


def main() -> None:
    level = os.environ.get("TRITONFLOW_CPU_TARGET")
    if level in ready.LEVELS:
        write(level)
        return
    for level in sys.argv[1:] or ready.LEVELS:
        if not reaches(level):
            print(f"{level}: skipped, this CPU is less")
            continue
        with tempfile.TemporaryDirectory() as folder:
            environment = {"TRITONFLOW_CPU_TARGET": level, "TRITONFLOW_CACHE_DIR": folder, "TRITONFLOW_CPU_CODEGEN": "1"}
            subprocess.run([sys.executable, __file__], env={**os.environ, **environment}, check=True)


if __name__ == "__main__":
    main()
