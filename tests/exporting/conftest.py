"""Programs that several tests export once, and a program in C that runs any of them."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import tritonflow as flow
import tritonflow_program
from tritonflow.exporting.targets import own_level

nn = flow.nn


class Block(nn.Module):
    """A transformer block."""

    def __init__(self, size: int = 32, heads: int = 4) -> None:
        super().__init__()
        self.before, self.behind = nn.LayerNorm(size), nn.LayerNorm(size)
        self.attention = nn.MultiheadAttention(size, heads, batch_first=True)
        self.inner = nn.Sequential(nn.Linear(size, 4 * size), nn.GELU(), nn.Linear(4 * size, size))

    def forward(self, x: Any) -> Any:
        y = self.before(x)
        x = x + self.attention(y, y, y, need_weights=False)[0]
        return x + self.inner(self.behind(x))


class Reader(nn.Module):
    """An embedding and an LSTM; several results, in a dict."""

    def __init__(self) -> None:
        super().__init__()
        self.words = nn.Embedding(50, 16)
        self.lstm = nn.LSTM(16, 24, 2, batch_first=True)

    def forward(self, words: Any) -> Any:
        out, (h, c) = self.lstm(self.words(words))
        return {"out": out, "state": (h, c), "none": None}


class Cache(nn.Module):
    """Buffers that each call writes: rows at a position, and how many there are."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("rows", flow.zeros(8, 6))
        self.register_buffer("count", flow.zeros(1, dtype=flow.int64))

    def forward(self, row: Any, at: Any) -> Any:
        self.rows[at] = row
        self.count += 1
        return self.rows.sum(0), self.count


def convolutions() -> Any:
    net = nn.Sequential(
        nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(8, 16, 3, stride=2, groups=2),
        nn.BatchNorm2d(16), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(16, 5),
    )  # fmt: skip
    for norm in (net[1], net[5]):
        norm.running_mean.uniform_(-1, 1)
        norm.running_var.uniform_(0.5, 2)
    return net.eval()


def classifier(dtype: Any = flow.float32) -> Any:
    return nn.Sequential(nn.Linear(32, 64), nn.GELU(), nn.Linear(64, 10), nn.Softmax(-1)).to(dtype).eval()


class Case(NamedTuple):
    """What is exported: a function that makes it, its arguments, and the sizes that differ."""

    make: Callable[[], Any]
    args: Callable[[], tuple[Any, ...]]
    dynamic: Any = None
    sizes: Any = None


def picture() -> Any:
    """A layer whose filter is laid out anew, and a norm whose scales are computed, once."""
    layer = nn.Sequential(nn.Conv2d(64, 64, 3, padding=1), nn.BatchNorm2d(64), nn.ReLU())
    layer(flow.randn(2, 64, 7, 7))
    return layer.eval()


CASES = {
    "classifier": Case(classifier, lambda: (flow.randn(4, 32),), {"input": {0: "batch"}}, {"batch": range(9)}),
    "convolutions": Case(convolutions, lambda: (flow.randn(2, 3, 16, 16),), {0: {0: "batch"}}, {"batch": [1, 2, 5]}),
    "block": Case(lambda: Block().eval(), lambda: (flow.randn(2, 5, 32),), {"x": {0: "b", 1: "t"}}, {"b": [1, 2], "t": [1, 5, 9]}),
    "reader": Case(lambda: Reader().eval(), lambda: (flow.randint(0, 50, (3, 4)),)),
    "cache": Case(Cache, lambda: (flow.randn(6), flow.tensor([3]))),
    "tiles": Case(lambda: nn.Linear(128, 128).bfloat16(), lambda: (flow.randn(64, 128).bfloat16(),)),
    "folded": Case(picture, lambda: (flow.randn(1, 64, 7, 7),)),
    "bfloat16": Case(lambda: classifier(flow.bfloat16), lambda: (flow.randn(4, 32).bfloat16(),)),
    "function": Case(
        lambda: lambda x, y: [x @ y, (x @ y).sum(0), {"most": (x.max(),)}, x], lambda: (flow.randn(4, 5), flow.randn(5, 6))
    ),
    "wide": Case(
        lambda: nn.Sequential(nn.Linear(256, 512), nn.ReLU(), nn.Linear(512, 256)), lambda: (flow.randn(192, 256),)
    ),
}


class Exported(NamedTuple):
    """A program in a folder, what it was made of, and its digest."""

    path: Path
    model: Any
    args: tuple[Any, ...]
    digest: str


@pytest.fixture(scope="session")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Exported]:
    """The program of a case, exported for this CPU once."""
    known: dict[str, Exported] = {}

    def find(name: str) -> Exported:
        if name not in known:
            case = CASES[name]
            flow.manual_seed(len(name))
            model, args, path = case.make(), case.args(), tmp_path_factory.mktemp("exported") / name
            digest = flow.export(model, args, path, dynamic=case.dynamic, sizes=case.sizes, targets=[own_level()])
            known[name] = Exported(path, model, args, digest)
        return known[name]

    return find


@pytest.fixture(scope="session")
def c_program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """driver.c, compiled: it runs a program on bytes from files."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        pytest.skip("no C compiler")
    sources, target = tritonflow_program.c_sources(), tmp_path_factory.mktemp("c") / "driver"
    driver = Path(__file__).with_name("driver.c")
    subprocess.run(
        [compiler, "-std=c11", "-O1", "-g", "-Wall", "-Wextra", "-Werror", "-I", sources, driver, *sources.glob("*.c"), "-o", target,
         "-lpthread", "-ldl"],
        check=True,
    )  # fmt: skip
    return target
