"""The fuzzers on fixed seeds; with `-m hours` on new ones for an hour, or FUZZ_MINUTES; and whether they would find a mistake."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from types import ModuleType

import pytest

import tritonflow as flow
from tests.fuzz import captured, consistent, deciding, eager, python_programs, special, threads, training, wrong_calls
from tests.fuzz.command import report
from tests.fuzz.programs import Program, Statement, difference
from tests.fuzz.reduction import reduced
from tests.fuzz.scene import Scene
from tritonflow.device.provider import get_provider
from tritonflow.framework.sbp import partial_sum
from tritonflow.ops.sbp import pointwise
from tritonflow.ops.sbp.signature import SbpSignature

FOLDER = Path(__file__).resolve().parent
FUZZERS = {
    "eager": eager, "consistent": consistent, "captured": captured, "deciding": deciding, "training": training, "special": special,
    "wrong_calls": wrong_calls, "threads": threads, "python_programs": python_programs,
}  # fmt: skip
# Seeds in `make test`, chosen to take seconds: kernels are what costs.
QUICK = {"eager": 25, "consistent": 8, "captured": 10, "deciding": 15, "training": 2, "special": 20, "wrong_calls": 200, "threads": 3, "python_programs": 300}
LONG = {"eager": 700, "consistent": 250, "captured": 250, "deciding": 600, "training": 40, "special": 300, "wrong_calls": 2500, "threads": 60, "python_programs": 3000}

@pytest.fixture(autouse=True)
def _memory_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a size of 2**31 would ask for is refused."""
    monkeypatch.setattr(get_provider(flow.device("cpu")).pool, "_limit", 1 << 30)


def check_seeds(fuzzer: ModuleType, seeds: range) -> None:
    """Fails with the smallest program of the first seed that shows a difference."""
    for seed in seeds:
        kind, text = report(seed, fuzzer.program, fuzzer.check)
        if kind:
            pytest.fail(f"python tests/fuzz/{Path(str(fuzzer.__file__)).name} --seed {seed}\n{text}", pytrace=False)


@pytest.mark.parametrize("name", FUZZERS)
def test_some_seeds(name: str) -> None:
    check_seeds(FUZZERS[name], range(QUICK[name]))


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", FUZZERS)
def test_many_seeds(name: str) -> None:
    check_seeds(FUZZERS[name], range(QUICK[name], LONG[name]))


@pytest.mark.hours
@pytest.mark.timeout(0)
@pytest.mark.parametrize("name", FUZZERS)
def test_an_hour_of_new_seeds(name: str) -> None:
    """In a process of its own, which may crash; the first seed is the day's."""
    minutes = float(os.environ.get("FUZZ_MINUTES", "60"))
    run(name, "--minutes", str(minutes), "--start", str(int(time.time()) // 86400 * 100_000))


@pytest.mark.long
def test_threads_in_the_threaded_mode() -> None:
    run("threads", "--count", "3")


def run(name: str, *options: str) -> str:
    done = subprocess.run([sys.executable, str(FOLDER / f"{name}.py"), *options], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


# ------------------------------------------------------------------------------------------------- do they find mistakes?


def a_program(*lines: str) -> Program:
    return Program(0, [Statement(line) for line in lines], 1e-9)


def test_a_wrong_number_is_found_and_made_small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flow.Tensor, "tanh", flow.Tensor.sigmoid)
    lines = ["x0 = lib.tensor([0.5, 1.0], dtype=lib.float64)", "v1 = x0 + 1", "v2 = x0 * v1", "v3 = v2.tanh()", "v4 = v1 - v3"]
    found = difference(a_program(*lines))
    assert found is not None and found.kind == "values differ:" and found.name == "v3"
    small = reduced(a_program(*lines), difference)
    assert [s.text for s in small.statements] == [lines[0], lines[1], lines[2], lines[3]]
    assert "print(v3)" in small.source(found.name)


def test_a_missing_error_and_a_wrong_one_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    x = "x0 = lib.tensor([[0.5, 1.0]], dtype=lib.float64)"
    assert difference(a_program(x, "v1 = x0 @ x0")) is None, "both raise"
    monkeypatch.setattr(flow.Tensor, "__matmul__", lambda a, b: a)
    found = difference(a_program(x, "v1 = x0 @ x0"))
    assert found is not None and found.kind.startswith("torch raises mat#")
    monkeypatch.setattr(flow.Tensor, "__matmul__", lambda a, b: {}[a.shape])
    found = difference(a_program(x, "v1 = x0 @ x0"))
    assert found is not None and found.kind.startswith("internal error KeyError")


def test_unwritten_memory_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is left unwritten is poison, not what the last program left."""
    monkeypatch.setattr(flow, "zeros_like", flow.empty_like)
    lines = ["x0 = lib.tensor([0.0, 0.0], dtype=lib.float64)", "v1 = lib.zeros_like(x0)"]
    assert difference(a_program(*lines)) is not None


def test_a_wrong_rule_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A sine of shares is no share of a sine, but for shares of which one has everything."""
    monkeypatch.setattr(pointwise, "_partial", lambda op, metas: [SbpSignature((partial_sum,), (partial_sum,))])
    monkeypatch.setattr(consistent.Ranks, "layout", lambda self, *_, **__: [partial_sum] * len(self.mesh))
    lines = ["x0 = lib.tensor([[[0.5], [2.0], [3.0]]], dtype=lib.float64)", "v1 = x0.sin()"]  # a shape of no other test
    found = consistent.check(a_program(*lines))
    assert found is not None and found.name == "v1"


@pytest.mark.parametrize("text", [
    "v = x / x", "x.div_(x); v = x.view(4)", "v = x.clone(); v.view(2, 2).mul_(x.mean())", "v = x.mean((0, 1))", "y = x.sin(); v = y - y.clone()",
    "v = x.softmax(0) * 0", "(x.sin() * 1).sum().backward(); v = x.grad - x.grad",
])  # fmt: skip
def test_what_is_rounded_decides_nothing(text: str) -> None:
    """Torch has x / x as exactly 1. The shares of x on several ranks, each divided, are 1 together but for rounding."""
    scene = Scene(0, {}, 0)
    scene.add(Statement(f"x = lib.tensor([[1.75, 2.25, -0.25, 0.75]], dtype=lib.float64, requires_grad={'grad' in text})"))
    assert scene.is_exact("x")
    for line in text.split("; "):
        scene.add(Statement(line))
    assert not scene.is_exact("v")
    scene.add(Statement("w = lib.tensor([3, 1]) * 0.5 + 1"))
    assert scene.is_exact("w")


def test_an_index_that_no_rank_refuses_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = ["x0 = lib.tensor([0.5, 1.0], dtype=lib.float64)", "v1 = x0.index_select(0, lib.tensor([0, 2]))", "v2 = v1 + 1"]
    assert consistent.check(a_program(*lines)) is None
    monkeypatch.setattr(flow.Tensor, "index_select", lambda x, dim, index: x)
    found = consistent.check(a_program(*lines))
    assert found is not None and found.kind == "a wrong index"


def test_an_overlapping_write_may_be_refused_or_right() -> None:
    x = Statement("x0 = lib.tensor([1.0, 2.0, 3.0], dtype=lib.float64)")
    write = Statement("x0[lib.tensor([0])] = v", reference="x0[lib.tensor([0])] = x0[1].clone()", may_refuse=True)
    assert difference(Program(0, [x, write], 0)) is None, "refused"
    right = Statement("x0[0] = x0[1]", reference="x0[0] = x0[1].clone()", may_refuse=True)
    assert difference(Program(0, [x, right], 0)) is None, "right"
    wrong = Statement("x0[0] = x0[2]", reference="x0[0] = x0[1].clone()", may_refuse=True)
    assert difference(Program(0, [x, wrong], 0)) is not None


@pytest.mark.long
def test_a_crash_is_reported(tmp_path: Path) -> None:
    script = tmp_path / "crashing.py"
    script.write_text(
        f"import sys, os\nsys.path[:1] = [{str(FOLDER.parents[1])!r}]\n"
        "from tests.fuzz.command import main\n"
        "def program(seed): return seed\n"
        "def check(seed):\n    if seed == 1: os.abort()\n"
        "if __name__ == '__main__': sys.exit(main(__file__, '', program, check))\n"
    )
    done = subprocess.run([sys.executable, script, "--count", "3"], capture_output=True, text=True)
    assert done.returncode == 1
    assert "seed 1 ends the process (-6)" in done.stdout and "3 seeds, 1 failures" in done.stdout


def test_a_program_is_the_same_in_every_process() -> None:
    assert run("eager", "--print", "--seed", "11") == eager.program(11).source() + "\n"
