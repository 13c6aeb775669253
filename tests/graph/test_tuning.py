"""Tuning: which candidate is taken, that no bit of a result depends on it, and that it is kept."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tritonflow as flow
from tests import where
from tritonflow import disk_cache, nn, triton_compat
from tritonflow.device.cpu import CpuProvider
from tritonflow.execution.op_expr import op_expr
from tritonflow.graph.explain.why import chosen
from tritonflow.graph.plan import tuning
from tritonflow.graph.plan.memory import plan_memory
from tritonflow.ops.tuning import ask
from tritonflow.settings import settings
from tritonflow.triton_cpu import cache

F = nn.functional
Config = dict[str, Any]
a_cpus_candidates = pytest.mark.cpu_only(reason="has candidates of a CPU; tests/device/test_tuning.py has those of a GPU")

# ------------------------------------------------------------------------------------------------------ which is taken


class Clock:
    """Passes only while something runs."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    def runs(self, *rows: Callable[[int], float]) -> dict[int, tuning.Run]:
        """One run for each row, which says how long the k-th time takes."""
        counts = [0] * len(rows)

        def run(number: int) -> float:
            seconds = rows[number](counts[number])
            counts[number] += 1
            self.now += seconds
            return seconds

        return {number: lambda number=number: run(number) for number in range(len(rows))}


def raced(*rows: Callable[[int], float]) -> dict[int, list[float]]:
    clock = Clock()
    return tuning.race(clock.runs(*rows), clock)


def always(seconds: float) -> Callable[[int], float]:
    return lambda count: seconds


@given(st.lists(st.floats(1e-5, 1e-1), min_size=2, max_size=8))
def test_the_fastest_is_taken_where_it_is_clearly_faster(seconds: list[float]) -> None:
    number = tuning.fastest(raced(*map(always, seconds)))
    best = min(range(len(seconds)), key=seconds.__getitem__)
    assert number == (best if seconds[best] < tuning.CLEARLY * seconds[0] else 0)


def test_a_race_is_short() -> None:
    """As long as is said, but for slow ones a few rounds; the slowest run once."""
    times = raced(always(1e-3), always(1.1e-3), always(5e-3))
    assert [len(times[k]) for k in range(3)] == [tuning.ENOUGH, tuning.ENOUGH, 1]
    assert len(raced(always(0.05), always(0.05))[0]) == tuning.ROUNDS
    assert [len(row) for row in raced(always(4e-3), always(1e-3)).values()][0] > 1, "the rule stays, for comparison"


def test_a_slow_moment_decides_nothing() -> None:
    """One slow run of the rule makes no other one faster, and one fast run of another neither."""
    assert tuning.fastest(raced(lambda k: 1e-2 if k == 0 else 1e-3, always(1e-3))) == 0
    assert tuning.fastest(raced(always(1e-3), lambda k: 5e-4 if k == 3 else 1e-3)) == 0


def test_uneven_times_tell_nothing() -> None:
    """Others use the machine: nobody knows what is faster, and more time does not help for ever."""
    times = raced(lambda k: (9e-3, 1e-2, 2e-3)[k % 3], lambda k: (8e-3, 9e-3, 1e-3)[k % 3])
    assert tuning.fastest(times) is None
    assert sum(map(sum, times.values())) < tuning.LONGER + 0.1


# ----------------------------------------------------------------------------------------------------- no bit depends on it

DTYPES = (flow.float32, flow.bfloat16, flow.float16, flow.float64)


def tensor(rng: numpy.random.Generator, shape: tuple[int, ...], dtype: Any) -> Any:
    return flow.tensor(rng.standard_normal(shape), dtype=dtype)


def results(op: str, inputs: Any, attrs: Any, dynamic: Any = ()) -> Iterator[tuple[Config, list[Any]]]:
    """What an op's plan with each of its candidates gives."""
    metas = tuple([None if x is None else x.meta for x in inputs])
    _, candidates = ask(lambda: op_expr(op).plan(metas, attrs))
    for number, config in enumerate(candidates):
        plan, _ = ask(lambda number=number: op_expr(op).plan(metas, attrs), number)  # type: ignore[misc]
        plan.prepare(metas[0].device)
        outputs = [flow.zeros(*meta.shape, dtype=meta.dtype) for meta in plan.outputs]
        workspaces = [flow.zeros(count, dtype=dtype) for count, dtype in plan.workspaces]
        memory = [0 if x is None else x.ptr for x in (*inputs, *outputs, *workspaces)]
        flow.sync()
        plan.run(*memory, *dynamic)
        yield config, [y.double().numpy() for y in outputs]


def check(op: str, inputs: Any, attrs: Any, dynamic: Any = (), least: int = 2) -> None:
    """Every candidate gives what the rule gives, bit for bit, and that is what eager mode runs."""
    (rule, wanted), *others = results(op, inputs, attrs, dynamic)
    assert (least - 1 if where.device == "cpu" else 0) <= len(others) <= 7
    assert all(numpy.isfinite(y).all() for y in wanted)
    for config, found in others:
        assert config != rule
        for a, b in zip(found, wanted):
            assert a.tobytes() == b.tobytes(), f"{op}: {config} adds in another order than {rule}"


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("transposed", [pytest.param((False, False), marks=pytest.mark.long), (True, False), (False, True)], ids=str)
@pytest.mark.sampled(most=2)
def test_products(dtype: Any, transposed: Any, rng: numpy.random.Generator) -> None:
    """Ragged ones, one whose reduction is cut into parts, and a batch."""
    for m, n, k, batch in ((200, 150, 300, ()), (20, 40, 5000, ()), (70, 33, 65, (3,))):
        a = tensor(rng, (*batch, k, m) if transposed[0] else (*batch, m, k), dtype)
        b = tensor(rng, (n, k) if transposed[1] else (k, n), dtype)
        check("matmul", (a, b), transposed)


@pytest.mark.long
@pytest.mark.parametrize("dtype", DTYPES[:2], ids=str)
@pytest.mark.parametrize("kernel, stride, dilation, channels, groups", [
    (3, 1, 1, (3, 20), 1), (3, 2, 1, (32, 40), 1), (1, 1, 1, (40, 64), 1), (3, 1, 2, (32, 48), 2), (5, 1, 1, (1, 32), 1),
])  # fmt: skip
def test_convolutions(
    dtype: Any, kernel: int, stride: int, dilation: int, channels: Any, groups: int, rng: numpy.random.Generator
) -> None:
    x = tensor(rng, (4, channels[0], 15, 17), dtype)
    w = tensor(rng, (channels[1], channels[0] // groups, kernel, kernel), dtype)
    attrs = ((stride, stride), (1, 1), (dilation, dilation), groups)
    y = F.conv2d(x, w, None, stride, 1, dilation, groups)
    check("conv2d", (x, w, None), attrs)
    check("conv_data_grad", (y, w), (tuple(x.shape), *attrs))
    check("conv_filter_grad", (y, x), (tuple(w.shape), *attrs), least=1)


@pytest.mark.parametrize(
    ("kind", "heads", "dtype"),
    [
        pytest.param(kind, heads, dtype, marks=pytest.mark.long if (i + j + k) % 2 else pytest.mark.hours)
        for i, kind in enumerate(["plain", "causal", "boolean", "additive", "dropped"])
        for j, heads in enumerate([2, 4])  # a program a tile, and a program a head
        for k, dtype in enumerate(DTYPES[:2])
    ],
    ids=str,
)
def test_attention(kind: str, heads: int, dtype: Any, rng: numpy.random.Generator) -> None:
    q, k, v, grad = (tensor(rng, (2, heads, length, 40), dtype) for length in (130, 100, 100, 130))
    mask = None
    if kind == "boolean":
        mask = flow.tensor(rng.random((130, 100)) < 0.7)
    elif kind == "additive":
        mask = tensor(rng, (130, 100), dtype)
    if mask is not None:
        mask = flow.broadcast_to(mask, (2, heads, 130, 100))
    drawn = flow.tensor([3, 4]) if kind == "dropped" else None
    dropout = (0.3, 1 / 0.7, 5)
    scalars = (0.2, float("-inf"), 0.0, *dropout)
    inputs, attrs = (q, k, v, mask, drawn), (kind == "causal",)
    check("scaled_dot_product_attention", inputs, attrs, scalars)
    out, rows = (flow.tensor(y) for _, found in list(results("scaled_dot_product_attention", inputs, attrs, scalars))[:1] for y in found)
    check("attention_grad", (grad, q, k, v, out.to(dtype), rows.float(), mask, drawn), attrs, (*scalars[:2], *dropout))


def test_eager_mode_runs_the_rule() -> None:
    a, b = flow.randn(64, 96), flow.randn(96, 80)
    plan, (rule, *_) = ask(lambda: op_expr("matmul").plan((a.meta, b.meta), (False, False)))
    a @ b
    (eager,) = (p for key, p in op_expr("matmul").plans.items() if key[:2] == (a.meta, b.meta))
    assert eager.launches[0].constexprs == plan.launches[0].constexprs
    assert rule["constexprs"].items() <= eager.launches[0].constexprs.items()


# ------------------------------------------------------------------------------------------------------------ in graphs


class Bench:
    """Stands in for the clock: each candidate runs, and takes as long as `speed` says; `runs` counts what was measured."""

    def __init__(self) -> None:
        self.speed: Callable[[Config], float] = lambda config: 1e-3
        self.runs: list[Config] = []

    def __call__(self, question: Any, plans: Any, provider: Any) -> dict[int, tuning.Run]:
        def timed(number: int, run: tuning.Run) -> float:
            run()
            self.runs.append(question.candidates[number])
            return self.speed(question.candidates[number])

        found = self.real(question, plans, provider)
        return {number: lambda number=number, run=run: timed(number, run) for number, run in found.items()}

    real = staticmethod(tuning._runs)


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Bench]:
    """Times as the test says, and nothing known of before."""
    monkeypatch.setattr(tuning, "ENOUGH", 2)
    monkeypatch.setattr(tuning, "_known", {})
    made = Bench()
    monkeypatch.setattr(tuning, "_runs", made)
    with settings.override(cache_dir=tmp_path):
        yield made


def narrow(config: Config) -> float:
    """Configurations with columns of 32 are the fastest."""
    return 5e-4 if config["constexprs"].get("BLOCK_N") == 32 else 1e-3


class Train(nn.Graph):
    """A step of a small net: products with bias and activation, their gradients, a convolution, attention."""

    def __init__(self, tune: bool) -> None:
        super().__init__()
        flow.manual_seed(1)
        self.conv, self.qkv, self.out = nn.Conv2d(1, 8, 3, padding=1), nn.Linear(64, 192), nn.Linear(64, 40)
        parameters = [p for part in (self.conv, self.qkv, self.out) for p in part.parameters()]
        self.add_optimizer(flow.optim.SGD(parameters, lr=0.1))
        self.config.enable_tuning(tune)

    def build(self, x: Any) -> Any:
        y = self.conv(x).mean(1)
        q, k, v = self.qkv(y).view(4, 48, 3, 2, 32).permute(2, 0, 3, 1, 4).unbind(0)
        y = F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(4, 48, 64)
        loss = (F.relu(self.out(y)) ** 2).mean()
        loss.backward()
        return loss


def images() -> Any:
    flow.manual_seed(2)
    return flow.randn(4, 1, 48, 64)


def losses(graph: nn.Graph) -> list[float]:
    return [graph(images()).item() for _ in range(3)]


def blocks(captured: Any) -> dict[str, list[Any]]:
    """BLOCK_N of the launches of each kernel."""
    found: dict[str, list[Any]] = {}
    for step in plan_memory(captured.graph).steps:
        for launch in step.plan.launches:
            if "BLOCK_N" in launch.constexprs:
                found.setdefault(launch.fn.__name__, []).append(launch.constexprs["BLOCK_N"])
    return found


def captured(graph: Any) -> list[Any]:
    return graph._captured.captures()


@a_cpus_candidates
@pytest.mark.long
def test_a_step_runs_what_is_fastest(bench: Bench) -> None:
    """With the bits of the step that is not tuned, on memory of its own; a second graph measures nothing."""
    bench.speed = narrow
    plain, tuned, again = Train(False), Train(True), Train(True)
    wanted = losses(plain)
    assert losses(tuned) == wanted
    measured = len(bench.runs)
    assert measured > 20
    assert losses(again) == wanted
    assert len(bench.runs) == measured
    (before,), (after,), (same,) = map(captured, (plain, tuned, again))
    assert set(blocks(after)["matmul"]) == {32} != set(blocks(before)["matmul"])
    assert blocks(after) == blocks(same)
    for name, value in plain.out.state_dict().items():
        assert value.numpy().tobytes() == tuned.out.state_dict()[name].numpy().tobytes()


@a_cpus_candidates
def test_on_and_off_beside_each_other(bench: Bench) -> None:
    """Both are kept, and a change of the setting finds the other one again."""
    bench.speed = narrow
    graph, found = Train(False), []
    for mode in (False, True, False, True):
        graph.config.enable_tuning(mode)
        graph(images())
        found.append([set(blocks(each)["matmul"]) for each in captured(graph)])
    assert found[1][0] == found[0][0] != found[1][1]
    assert found[2] == found[1][::-1] and found[3] == found[1]


def test_what_is_not_clearly_faster_is_not_taken(bench: Bench) -> None:
    bench.speed = lambda config: 0.98e-3 if config["constexprs"].get("BLOCK_N") == 32 else 1e-3
    plain, tuned = Train(False), Train(True)
    losses(plain), losses(tuned)
    assert blocks(captured(tuned)[0]) == blocks(captured(plain)[0])


def test_small_kernels_are_not_measured(bench: Bench) -> None:
    """But for three runs, once; the rule is kept for them."""
    bench.speed = lambda config: 1e-6
    f, g = (flow.compile(lambda x, w: x @ w, tune=True) for _ in range(2))
    x, w = flow.randn(64, 64), flow.randn(64, 128)
    assert numpy.array_equal(f(x, w).numpy(), g(x, w).numpy())
    assert len(bench.runs) == 3
    (choice,) = captured_of(f).graph.choices.values()
    assert chosen(choice) == "by the rule: 1.00 us are too short to measure others"


def captured_of(function: Any) -> Any:
    (found,) = function.captures()
    return found


@a_cpus_candidates
def test_uneven_times_are_not_kept(bench: Bench) -> None:
    """This process stays with the rule, and measures no more; the next one looks again."""
    count = iter(range(1000))
    bench.speed = lambda config: (1e-3, 3e-3)[next(count) % 2] if config["constexprs"]["BLOCK_N"] == 128 else 9e-4
    f = flow.compile(lambda x, w: x @ w, tune=True)
    x, w = flow.randn(64, 64), flow.randn(64, 128)
    f(x, w)
    (choice,) = captured_of(f).graph.choices.values()
    assert choice.number == 0 and "too uneven" in chosen(choice)
    measured = len(bench.runs)
    flow.compile(lambda x, w: x @ w, tune=True)(x, w)
    assert len(bench.runs) == measured
    tuning._known.clear()
    flow.compile(lambda x, w: x @ w, tune=True)(x, w)
    assert len(bench.runs) > measured


def test_nobody_asks_without_tuning(bench: Bench) -> None:
    losses(Train(False))
    flow.compile(lambda x: x @ x)(flow.randn(64, 64))
    assert not bench.runs and not tuning._known


@a_cpus_candidates
def test_what_is_told(bench: Bench, capsys: pytest.CaptureFixture[str]) -> None:
    """`debug` and `explain` have the configuration and both times."""
    bench.speed = narrow

    @flow.compile(tune=True)
    def f(x: Any, w: Any) -> Any:
        return x @ w, flow.relu(w)

    f.debug(1)
    f(flow.randn(64, 64), flow.randn(64, 128))
    text = capsys.readouterr().out
    assert "start tuning." in text and "tuning Done!" in text
    line = next(line for line in text.splitlines() if "tuned matmul: " in line)
    assert "BLOCK_N 32: 500 us instead of 1.00 ms, the fastest of " in line
    explanation = f.explain()
    (kernel,) = (kernel for kernel in explanation.kernels if kernel.choice is not None)
    assert f"tuned: {line.partition('matmul: ')[2]}" in explanation.why(kernel.number)
    assert "tuned                       1   of 1 kernels that have a choice" in str(explanation)
    assert "tuned  " not in str(plainly())


def plainly() -> Any:
    f = flow.compile(lambda x: x @ x)
    f(flow.randn(48, 48))
    return f.explain()


def test_bad_arguments() -> None:
    graph = Train(False)
    for wrong in (1, "yes", None):
        with pytest.raises(TypeError, match=r"enable_tuning\(\): mode must be True or False, not "):
            graph.config.enable_tuning(wrong)  # type: ignore[arg-type]
        with pytest.raises(TypeError, match=r"compile\(\): argument 'tune' must be True or False, not "):
            flow.compile(lambda x: x, tune=wrong)
    assert graph.config.tuning is False


# ------------------------------------------------------------------------------------------------------------ what is kept


def product(m: int = 48, n: int = 96, k: int = 64, dtype: Any = flow.float32, transposed: bool = False) -> str:
    """The key of a product."""
    a, b = flow.zeros(m, k, dtype=dtype), flow.zeros(n, k, dtype=dtype).t() if transposed else flow.zeros(k, n, dtype=dtype)
    plan, candidates = ask(lambda: op_expr("matmul").plan((a.meta, b.meta), (False, False)))
    return tuning._key(plan, candidates)


@a_cpus_candidates
def test_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Equal for equal launches; shapes, layouts, dtypes, the device, threads, versions, sources and candidates make others."""
    keys = [product(), product(m=49), product(n=97), product(k=65), product(dtype=flow.float64), product(transposed=True)]
    assert product() == keys[0]
    with settings.override(num_threads=settings.num_threads + 1):
        keys.append(product())
    for owner, name, value in (
        (CpuProvider, "timing_key", lambda self: "another machine"),
        (cache, "source_key", lambda: "other versions"),
        (triton_compat, "function_key", lambda fn: "another source"),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(owner, name, value)
            keys.append(product())
    from tritonflow.ops import matmul

    with monkeypatch.context() as patch:
        patch.setattr(matmul.kernels, "candidates", lambda *args: iter([args[-2], {**args[-2], "num_warps": 2}]))
        keys.append(product())
    assert len(set(keys)) == len(keys)


def entries(folder: Path) -> list[Path]:
    """The files of what tuning found."""
    return [path for path in (folder / "tuning").rglob("*") if path.is_file()]


@a_cpus_candidates
@pytest.mark.parametrize("harm", ["none", "damaged", "cut", "empty", "foreign", "gone"])
def test_entries(bench: Bench, tmp_path: Path, harm: str) -> None:
    """One that is whole is used; others are made again."""
    bench.speed = narrow
    x, w = flow.randn(64, 64), flow.randn(64, 128)
    f = flow.compile(lambda x, w: x @ w, tune=True)
    f(x, w)
    measured, (path,) = len(bench.runs), entries(tmp_path)
    data = path.read_bytes()
    if harm == "damaged":
        path.write_bytes(data[:-3] + b"xyz")
    elif harm == "cut":
        path.write_bytes(data[: len(data) // 2])
    elif harm == "empty":
        path.write_bytes(b"")
    elif harm == "gone":
        path.unlink()
    elif harm == "foreign":
        key = path.parent.name + path.name
        for meta in ({"name": "a kernel"}, {"seconds": [1.0], "number": 0}, {"seconds": 3, "number": 0}, {"seconds": [None] * 7, "number": 9}):
            disk_cache.write("tuning", key, json.dumps(meta).encode())
            tuning._known.clear()
            bench.runs.clear()
            flow.compile(lambda x, w: x @ w, tune=True)(x, w)
            assert len(bench.runs) == measured
    tuning._known.clear()
    bench.runs.clear()
    g = flow.compile(lambda x, w: x @ w, tune=True)
    g(x, w)
    assert len(bench.runs) == (0 if harm in ("none", "foreign") else measured)
    assert blocks(captured_of(g)) == blocks(captured_of(f)) == {"matmul": [32]}
    assert path.read_bytes() == data


def test_a_disk_that_takes_nothing(bench: Bench, tmp_path: Path) -> None:
    """The process measures once."""
    file = tmp_path / "no folder"
    file.write_text("")
    x, w = flow.randn(64, 64), flow.randn(64, 128)
    with settings.override(cache_dir=file):
        flow.compile(lambda x, w: x @ w, tune=True)(x, w)
        measured = len(bench.runs)
        flow.compile(lambda x, w: x @ w, tune=True)(x, w)
    assert len(bench.runs) == measured > 0


_PROGRAM = """
import sys
import tritonflow as flow
from tritonflow.graph.plan import tuning
measured = []
def slower_every_time(provider, run, arguments):
    run(*arguments)
    measured.append(1)
    return 1e-3 / len(measured)  # the later, the faster: the choice says when it was made
tuning.seconds_of = slower_every_time
tuning.STEADY, tuning.ENOUGH = 1e9, 2
f = flow.compile(lambda x, w: flow.relu(x @ w), tune=True)
y = f(flow.ones(64, 64), flow.ones(64, 128))
(choice,) = f.captures()[-1].graph.choices.values()
print(len(measured), choice.number, sorted(choice.seconds.items()))
"""


@a_cpus_candidates
@pytest.mark.long
def test_another_process_measures_nothing(tmp_path: Path) -> None:
    """And has the same choice; with other threads it looks again, and several processes at once do not harm each other."""

    def start(threads: int = 1, folder: str = "one") -> Any:
        environment = {**os.environ, "TRITONFLOW_CACHE_DIR": str(tmp_path / folder), "TRITONFLOW_NUM_THREADS": str(threads)}
        return subprocess.Popen([sys.executable, "-c", _PROGRAM], env=environment, stdout=subprocess.PIPE, text=True)

    def said(process: Any) -> tuple[int, str]:
        out, _ = process.communicate(timeout=300)
        assert process.returncode == 0
        measured, _, choice = out.strip().partition(" ")
        return int(measured), choice

    first = said(start())
    assert first[0] > 10
    assert said(start()) == (0, first[1])
    assert said(start(threads=2))[0] == first[0]
    together = [said(process) for process in [start(folder="two") for _ in range(3)]]
    assert said(start(folder="two")) in [(0, choice) for _, choice in together]
