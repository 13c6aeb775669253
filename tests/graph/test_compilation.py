"""What a graph's first call compiles: side by side, once for all shapes, and not again in another process."""

from __future__ import annotations

import gc
import io
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import tritonflow as flow
from tritonflow import triton_cpu
from tritonflow.device.cpu import CpuProvider
from tritonflow.errors import TritonflowError
from tritonflow.framework.meta import contiguous_meta
from tritonflow.gc_pause import gc_paused
from tritonflow.graph.plan.progress import Progress
from tritonflow.ops import plan as plans
from tritonflow.ops.operands import Input, Output
from tritonflow.ops.plan import Launch, Plan, compile_all
from tritonflow.settings import settings

F = flow.nn.functional

_PROGRAM = """
import sys
import tritonflow as flow
flow.manual_seed(0)
model = flow.nn.Sequential(flow.nn.Linear(8, 16), flow.nn.GELU(), flow.nn.Linear(16, 4))
class Train(flow.nn.Graph):
    def __init__(self):
        super().__init__()
        self.model = model
        self.add_optimizer(flow.optim.SGD(model.parameters(), lr=0.1))
    def build(self, x):
        loss = (self.model(x) ** 2).mean()
        loss.backward()
        return loss
train = Train()
x = flow.randn(4, 8)
print([train(x).item() for _ in range(3)], "tritonflow.triton_cpu.lower" in sys.modules)
"""


class Block(flow.nn.Module):
    """A transformer block."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = flow.nn.LayerNorm(width), flow.nn.LayerNorm(width)
        self.qkv, self.out = flow.nn.Linear(width, 3 * width), flow.nn.Linear(width, width)
        self.up, self.down = flow.nn.Linear(width, 4 * width), flow.nn.Linear(4 * width, width)

    def forward(self, x: flow.Tensor) -> flow.Tensor:
        b, t, d = x.shape
        q, k, v = self.qkv(self.norm1(x)).view(b, t, 3, self.heads, d // self.heads).permute(2, 0, 3, 1, 4).unbind(0)
        x = x + self.out(F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(b, t, d))
        return x + self.down(F.gelu(self.up(self.norm2(x))))


class Train(flow.nn.Graph):
    def __init__(self, model: flow.nn.Module) -> None:
        super().__init__()
        self.model = model
        self.add_optimizer(flow.optim.Adam(model.parameters(), lr=1e-3))

    def build(self, x: flow.Tensor) -> flow.Tensor:
        loss = (self.model(x) ** 2).mean()
        loss.backward()
        return loss


def test_a_second_shape_compiles_nothing() -> None:
    """Of the same class, that is where the kernels' block sizes are the same."""
    train = Train(Block(64, 4))
    train(flow.randn(14, 64, 64))
    compiled, seconds = triton_cpu.compile_count(), []
    for batch in (12, 10, 13):
        x = flow.randn(batch, 64, 64)
        start = time.process_time()
        train(x)
        seconds.append(time.process_time() - start)
    assert triton_cpu.compile_count() == compiled
    assert len(train._captured.captures()) == 4
    assert min(seconds) < 0.3  # capture, passes, plans and a run; of the processor, whatever else the machine does


# -------------------------------------------------------------------------------------------------------- side by side


def _provider(compilers: int, kernel: Any) -> Any:
    device = flow.device("cpu")
    return SimpleNamespace(device=device, compilers=compilers, divisibility=False, kernel=kernel)


def _plans(count: int, fn: Any) -> list[Plan]:
    """Plans of one launch each, of `count` kernels that differ in a constant."""
    meta = contiguous_meta((4,), flow.float32, flow.device("cpu"))
    return [Plan((meta,), (meta,), [Launch(fn, (1,), (Input(0), Output(0)), (4,), {"N": k})]) for k in range(count)]


@pytest.fixture
def fn() -> Any:
    """Something like a Triton function, whose kernels nobody has compiled."""
    function = SimpleNamespace(arg_names=["x", "y", "size", "N"], __name__="f")
    yield function
    for key in [k for k in plans._kernels if k[1] == id(function)]:
        del plans._kernels[key]


def test_kernels_are_compiled_side_by_side(fn: Any) -> None:
    both = threading.Barrier(2, timeout=20)
    told: list[tuple[int, int]] = []

    def kernel(fn: Any, signature: Any, constexprs: Any, attrs: Any) -> Any:
        both.wait()  # alone nobody gets past
        return constexprs["N"]

    provider = _provider(2, kernel)
    compile_all([*_plans(4, fn), *_plans(4, fn)], provider, lambda *counts: told.append(counts))
    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]
    assert [plans.specialise(plan, plan.launches[0], provider)[0] for plan in _plans(4, fn)] == [0, 1, 2, 3]
    compile_all(_plans(4, fn), provider, lambda *counts: told.append(counts))
    assert len(told) == 4, "they are there already"


def test_a_kernel_that_cannot_be_compiled(fn: Any) -> None:
    """Its error comes out; what compiled before is kept, the rest is left."""

    def kernel(fn: Any, signature: Any, constexprs: Any, attrs: Any) -> Any:
        if constexprs["N"] == 1:
            raise TritonflowError("no such instruction")
        return constexprs["N"]

    provider = _provider(1, kernel)
    with pytest.raises(TritonflowError, match="no such instruction"):
        compile_all(_plans(3, fn), provider, lambda *counts: None)
    assert plans.specialise(_plans(1, fn)[0], _plans(1, fn)[0].launches[0], provider)[0] == 0


def test_the_first_error_comes_out(fn: Any) -> None:
    """Whichever ends first, as if kernels were compiled one by one."""
    failed = threading.Event()

    def kernel(fn: Any, signature: Any, constexprs: Any, attrs: Any) -> Any:
        if constexprs["N"] == 1:
            failed.set()
        assert failed.wait(20)
        raise TritonflowError(f"kernel {constexprs['N']}")

    with pytest.raises(TritonflowError, match="kernel 0"):
        compile_all(_plans(2, fn), _provider(2, kernel), lambda *counts: None)


def test_a_setting_compiles_one_by_one(fn: Any) -> None:
    names = set[str]()

    def kernel(fn: Any, signature: Any, constexprs: Any, attrs: Any) -> Any:
        time.sleep(0.01)  # else one thread may do all
        names.add(threading.current_thread().name)
        return constexprs["N"]

    with settings.override(compile_threads=1):
        compile_all(_plans(6, fn), _provider(3, kernel), lambda *counts: None)
    assert len(names) == 1


_SIDE_BY_SIDE = """
import threading
import tritonflow as flow
from tritonflow.triton_cpu import jit
from tritonflow.triton_cpu.lower import kernel as lowering
flow.set_num_threads(2)
both = threading.Barrier(2, timeout=60)
in_llvm, lower, compile_object = threading.Event(), lowering.lower, jit.compile_object
def lower_beside(*args):
    if in_llvm.is_set():
        both.wait()
    return lower(*args)
def compile_beside(*args):
    if not in_llvm.is_set():
        in_llvm.set()
        both.wait()  # until another kernel is lowered
        both.wait = lambda: 0
    return compile_object(*args)
flow.ones(4)
lowering.lower, jit.compile_object = lower_beside, compile_beside
x = flow.ones(4, 8)
print(flow.compile(lambda x: (x @ x.T).exp().sum(0), fullgraph=True)(x).tolist())
"""


@pytest.mark.cpu_only
def test_a_kernel_is_lowered_while_another_is_in_llvm(tmp_path: Path) -> None:
    environment = {**os.environ, "TRITONFLOW_CACHE_DIR": str(tmp_path), "TRITONFLOW_COMPILE_THREADS": "3"}
    done = subprocess.run([sys.executable, "-c", _SIDE_BY_SIDE], env=environment, capture_output=True, text=True, timeout=200)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("11923.8") == 4  # 4 exp(8)


@pytest.mark.cpu_only
def test_the_same_kernels_whoever_compiles_them(tmp_path: Path) -> None:
    """One by one and side by side: the same files, with the same bytes."""
    found = []
    for threads in (1, 3):
        folder = tmp_path / str(threads)
        environment = {**os.environ, "TRITONFLOW_CACHE_DIR": str(folder), "TRITONFLOW_COMPILE_THREADS": str(threads)}
        subprocess.run([sys.executable, "-c", _PROGRAM], env=environment, capture_output=True, timeout=300, check=True)
        found.append({path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()})
    assert len(found[0]) > 10 and found[0] == found[1]


class Terminal(io.StringIO):
    def __init__(self, tty: bool) -> None:
        super().__init__()
        self.tty = tty

    def isatty(self) -> bool:
        return self.tty


@pytest.mark.parametrize("tty, seconds, shown", [(True, 5.0, True), (True, 0.1, False), (False, 5.0, False)])
def test_progress(monkeypatch: pytest.MonkeyPatch, tty: bool, seconds: float, shown: bool) -> None:
    terminal = Terminal(tty)
    monkeypatch.setattr(sys, "stderr", terminal)
    progress = Progress()
    progress._start -= seconds
    progress(1, 2)
    progress(2, 2)
    lines = "\rtritonflow: 1 of 2 kernels compiled (5 s)\rtritonflow: 2 of 2 kernels compiled (5 s)\n"
    assert terminal.getvalue() == (lines if shown else "")


# ---------------------------------------------------------------------------------------------------- other processes

@pytest.mark.long
def test_another_process_compiles_nothing(tmp_path: Path) -> None:
    """Kernels and generated functions are found on disk; damaged ones are made again."""
    environment = {**os.environ, "TRITONFLOW_CACHE_DIR": str(tmp_path)}

    def run() -> tuple[str, bool]:
        done = subprocess.run(
            [sys.executable, "-c", _PROGRAM], env=environment, capture_output=True, text=True, timeout=300, check=True
        )
        numbers, _, lowered = done.stdout.strip().rpartition(" ")
        return numbers, lowered == "True"

    first, lowered = run()
    assert lowered
    assert run() == (first, False)
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert {path.relative_to(tmp_path).parts[0] for path in files} >= {"cpu", "fused"}
    for path in files:
        path.write_bytes(path.read_bytes()[:-7] + b"damaged")
    assert run() == (first, True)
    assert run() == (first, False)


def test_the_provider_says_how_many_kernels_compile_at_once() -> None:
    for threads, compilers in ((1, 1), (2, 3), (16, 3)):
        with settings.override(num_threads=threads):
            assert CpuProvider(flow.device("cpu")).compilers == compilers


def test_no_collection_while_some_thread_compiles() -> None:
    """Of threads whose pauses overlap, the first to end leaves the collector off: with it, Python 3.11 fails to parse sources."""
    first, second = gc_paused(), gc_paused()
    for pause in (first, second):
        pause.__enter__()
    thread = threading.Thread(target=first.__exit__, args=(None, None, None))
    thread.start()
    thread.join()
    assert not gc.isenabled()
    second.__exit__(None, None, None)
    assert gc.isenabled()


def test_a_forked_child_collects_again() -> None:
    """The thread whose pause it was is not in it."""
    inside, end = threading.Event(), threading.Event()

    def pause() -> None:
        with gc_paused():
            inside.set()
            end.wait(60)

    thread = threading.Thread(target=pause)
    thread.start()
    assert inside.wait(60)
    child = os.fork()
    if child == 0:
        os._exit(0 if gc.isenabled() else 1)
    end.set()
    thread.join()
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_compiling_many_kernels_pauses_the_collector(monkeypatch: pytest.MonkeyPatch) -> None:
    seen, x = [], flow.ones(3, 7)
    compile_ = plans._compile
    monkeypatch.setattr(plans, "_compile", lambda *a: seen.append(gc.isenabled()) or compile_(*a))
    flow.compile(lambda x: flow.relu(x.cumsum(0)).sum() * 7.125)(x)
    assert seen and not any(seen)
