"""Schedules on disk: found by the next one that captures the same, which computes the same bits; anything else makes another."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings

import tritonflow as flow
from tests import where
from tests.graph.models import MODELS
from tests.graph.test_every_op import step as op_step
from tests.graph.test_every_op import tensors_of
from tests.graph.test_random_graphs import SHAPES, programs
from tests.graph.test_random_graphs import step as random_step
from tests.op_samples import DTYPES, entries, samples_of, tested_entries, thinned
from tests.ops.sides import attempt
from tritonflow import nn, versions
from tritonflow.device.provider import get_provider
from tritonflow.framework.runtime_scalar import RuntimeScalar
from tritonflow.graph.api import compiled_graph
from tritonflow.graph.api.function import CapturedFunction
from tritonflow.graph.capture import meta_cache
from tritonflow.graph.capture.capture import Capture
from tritonflow.graph.ir.canonical import NotCanonicalError, graph_text, text_of
from tritonflow.graph.passes import optimize
from tritonflow.graph.plan import schedule_cache
from tritonflow.graph.plan.executable import Executable
from tritonflow.graph.plan.memory import plan_memory
from tritonflow.graph.plan.schedule import from_text, schedule_of, to_text
from tritonflow.profiler import profile
from tritonflow.settings import settings

CPU = flow.device("cpu")


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """An empty cache, but for the kernels that are there anyhow."""
    for kind in ("cpu", "fused"):
        (settings.cache_dir / kind).mkdir(parents=True, exist_ok=True)
        (tmp_path / kind).symlink_to(settings.cache_dir / kind)
    with settings.override(cache_dir=tmp_path, keep_plans=True):
        yield tmp_path


def files(folder: Path, kind: str = "plans") -> list[Path]:
    return sorted(path for path in (folder / kind).rglob("*") if path.is_file())


@pytest.fixture
def nothing_is_planned(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """From the call on, whoever runs passes or asks planners fails."""

    def forbid() -> None:
        for module, name in (
            (compiled_graph, "optimize"), (compiled_graph, "plan_memory"), (compiled_graph, "schedule_of"), (meta_cache, "infer"),
        ):  # fmt: skip
            monkeypatch.setattr(module, name, lambda *_: pytest.fail("something was planned"))

    return forbid


# ------------------------------------------------------------------------------------------------------------ the same bits


class Train(nn.Graph):
    """A step with what steps may have: mixed precision with a scaler, a schedule, clipping."""

    def __init__(self, name: str, precise: bool, clip: float | None = 0.5) -> None:
        super().__init__()
        self.model = MODELS[name]
        self.net = self.model.make()
        group = {"params": list(self.net.parameters())} | ({} if clip is None else {"clip_grad_max_norm": clip})
        optimizer = flow.optim.AdamW([group], lr=0.05)
        self.add_optimizer(optimizer, lr_sch=flow.optim.lr_scheduler.StepLR(optimizer, 2, 0.5))
        if not precise:
            self.config.enable_amp(True, dtype=flow.float16)
            self.set_grad_scaler(flow.amp.GradScaler(init_scale=2.0**10, growth_interval=2))

    def build(self, *batch: Any) -> Any:
        loss = self.model.loss(self.net, *batch)
        loss.backward()
        return loss


def trained(name: str, precise: bool, steps: int = 5) -> tuple[list[str], list[bytes], Train]:
    """Losses, parameters and buffers behind some steps, to the bit."""
    flow.manual_seed(0)
    Train._child_init_cnt.pop("Train", None)  # graphs are called alike in every process
    train = Train(name, precise)
    losses = [train(*train.model.batch()).item().hex() for _ in range(steps)]
    return losses, [tensor.numpy().tobytes() for tensor in train.net.state_dict().values()], train


@pytest.mark.parametrize("precise", [True, False])
@pytest.mark.parametrize("name", [n if n == "mlp" else pytest.param(n, marks=pytest.mark.long) for n in MODELS])
def test_a_plan_from_disk_trains_alike(folder: Path, nothing_is_planned: Any, name: str, precise: bool) -> None:
    with settings.override(keep_plans=False):
        expected = trained(name, precise)
    assert files(folder) == []
    made = trained(name, precise)
    assert files(folder) and files(folder, "inferred")
    nothing_is_planned()
    found = trained(name, precise)
    assert expected[:2] == made[:2] == found[:2]


def test_tables_hold_the_addresses_of_this_process(folder: Path, nothing_is_planned: Any) -> None:
    """Two nets that live at once have tables of their own."""
    first = trained("mlp", True)
    nothing_is_planned()
    second = trained("mlp", True)
    assert first[2].net is not second[2].net and first[:2] == second[:2]
    first[2](*first[2].model.batch())
    assert [tensor.numpy().tobytes() for tensor in second[2].net.state_dict().values()] == second[1]


@hypothesis_settings(max_examples=10)
@given(programs())
def test_random_plans_as_texts(program: Any) -> None:
    as_text(program)


@pytest.mark.long
@hypothesis_settings(max_examples=200)
@given(programs())
def test_many_random_plans_as_texts(program: Any) -> None:
    as_text(program)


def as_text(program: Any) -> None:
    """What is read is what was written, and computes the same."""
    inputs = [flow.randn(shape) for shape in SHAPES]
    with Capture() as capture:
        captured = capture.finish(random_step(program, [capture.input(x.meta) for x in inputs]))
    before, device = graph_text(captured), inputs[0].device
    provider = get_provider(device)
    schedule = schedule_of(plan_memory(optimize(captured)), captured, provider)
    assert graph_text(captured) == before
    text = to_text(schedule)
    assert text is not None
    parsed = from_text(text, provider.load)
    assert parsed == schedule and parsed is not None and to_text(parsed) == text
    results = [Executable(captured, device, each).run(inputs) for each in (schedule, parsed)]
    assert [y.numpy().tobytes() for y in results[0]] == [y.numpy().tobytes() for y in results[1]]


# ---------------------------------------------------------------------------------------------------- other processes

_FOUND = """
import sys
from tritonflow.graph.api import compiled_graph
from tritonflow.graph.capture import meta_cache

if "planned" not in sys.argv:
    planning = [(compiled_graph, name) for name in ("optimize", "plan_memory", "schedule_of")]
    for module, name in (*planning, (meta_cache, "infer")):
        assert hasattr(module, name)
        setattr(module, name, lambda *_: sys.exit(f"{name} was called"))
"""
_PROGRAM = """
import numpy
import tritonflow as flow
from tritonflow import nn

random = numpy.random.default_rng(0)

def array(*shape):
    return flow.from_numpy(random.standard_normal(shape, dtype="float32"))

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w, self.b, self.v = nn.Parameter(array(8, 16)), nn.Parameter(array(16)), nn.Parameter(array(16, 4))
        self.drop = nn.Dropout(0.5)

    def forward(self, x):
        return flow.softmax(self.drop(flow.relu(x @ self.w + self.b)) @ self.v, -1)

class Train(nn.Graph):
    def __init__(self):
        super().__init__()
        self.net = Net()
        self.add_optimizer(flow.optim.SGD([{"params": self.net.parameters(), "clip_grad_max_norm": 0.1}], lr=0.1))

    def build(self, x):
        loss = (self.net(x) ** 2).mean()
        loss.backward()
        return loss

train, x = Train(), array(4, 8)
losses = [train(x).numpy().item().hex() for _ in range(4)]
imported = sorted(name for name in sys.modules if name == "triton" or name.startswith("tritonflow.kernels.") and name != "tritonflow.kernels.facts")
print(losses, len(imported))
"""


def start(cache: Path, *arguments: str, program: str = _PROGRAM) -> subprocess.Popen[str]:
    """A process; unless it is told "planned", nothing is planned in it."""
    path = os.pathsep.join(p for p in sys.path if p)
    environment = {**os.environ, "TRITONFLOW_CACHE_DIR": str(cache), "TRITONFLOW_KEEP_PLANS": "1", "PYTHONPATH": path}
    command = [sys.executable, "-c", _FOUND + program, *arguments]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def output(process: subprocess.Popen[str]) -> tuple[str, int]:
    """The losses, and how many modules of Triton and of kernels were imported for them."""
    out, err = process.communicate(timeout=250)
    assert process.returncode == 0, err
    losses, _, imported = out.strip().rpartition(" ")
    return losses, int(imported)


@pytest.mark.long
def test_another_process_imports_neither_kernels_nor_triton(tmp_path: Path) -> None:
    """Two processes make the same plan at once; the next ones find it, as long as what it names is there."""
    made = [output(process) for process in [start(tmp_path, "planned") for _ in range(2)]]
    assert made[0] == made[1] and made[0][1] > 1
    for _ in range(2):
        assert output(start(tmp_path)) == (made[0][0], 0)
    (plan,) = files(tmp_path)
    good = plan.read_bytes()
    for path in files(tmp_path, "cpu"):
        path.unlink()
    assert output(start(tmp_path, "planned"))[0] == made[0][0]
    assert output(start(tmp_path)) == (made[0][0], 0)
    plan.write_bytes(good[:100])
    assert output(start(tmp_path, "planned"))[0] == made[0][0]
    assert plan.read_bytes() == good and files(tmp_path) == [plan]


@pytest.mark.long
@pytest.mark.parametrize("name, precise", [("mlp", False), ("bert", False), ("bert", True), ("resnet", True)])
def test_models_in_another_process(folder: Path, name: str, precise: bool) -> None:
    program = f"""
import hashlib
from tests.graph.test_schedule_cache import trained
losses, tensors, _ = trained({name!r}, {precise})
print(losses, hashlib.sha256(b"".join(tensors)).hexdigest(), 0)
"""
    made = output(start(folder, "planned", program=program))
    assert output(start(folder, program=program)) == made


# ---------------------------------------------------------------------------------------------------------- what is a plan's key


def double(x: Any) -> Any:
    return flow.relu(x * 2.0) + 1.0


def run(
    program: Any = double,
    shape: tuple[int, ...] = (4, 6),
    dtype: Any = flow.float32,
    without: Any = (),
    tuning: bool = False,
) -> CapturedFunction:
    """A program captured anew, and called once."""
    function = CapturedFunction(program, "program")
    function.config.without |= set(without)
    function.config.enable_tuning(tuning)
    function(flow.ones(shape, dtype=dtype))
    return function


@pytest.mark.parametrize(
    "other",
    [
        {"shape": (4, 7)},
        {"dtype": flow.float64},
        {"without": ["fuse_pointwise"]},
        {"tuning": True},
        {"program": lambda x: flow.relu(x * 3.0) + 1.0},
        {"program": lambda x: flow.relu(x * 2.0) - 1.0},
        {"program": lambda x: flow.tanh(x * 2.0) + 1.0},
        {"program": lambda x: flow.relu(x.t() * 2.0) + 1.0},
    ],
)
def test_another_program_has_another_plan(folder: Path, other: Any) -> None:
    run()
    assert len(files(folder)) == 1
    run()
    assert len(files(folder)) == 1
    run(**other)
    assert len(files(folder)) == 2


def test_attention_that_drops_weights(folder: Path, nothing_is_planned: Any) -> None:
    """Another rate has another plan; one that is found draws where the generator is, and on from there."""
    half, tenth = (
        lambda x, rate=rate: nn.functional.scaled_dot_product_attention(x, x, x, dropout_p=rate) for rate in (0.5, 0.1)
    )
    run(half, (1, 16, 8))
    run(tenth, (1, 16, 8))
    assert len(files(folder)) == 2
    nothing_is_planned()
    for program in (half, tenth):
        found, x = run(program, (1, 16, 8)), flow.randn(1, 16, 8)
        flow.manual_seed(6)
        first, second = found(x).tolist(), found(x).tolist()
        flow.manual_seed(6)
        assert first == program(x).tolist() and second == program(x).tolist() and first != second


def test_another_number_of_threads_has_the_same_plan(folder: Path) -> None:
    for threads in (1, 2):
        with settings.override(num_threads=threads):
            run()
    assert len(files(folder)) == 1


def test_other_numbers_have_the_same_plan(folder: Path, nothing_is_planned: Any) -> None:
    """But for numbers of another class, and numbers that are used twice."""

    def scaled(x: Any, a: Any, b: Any) -> Any:
        return x * a + x * b

    def call(a: Any, b: Any, program: Any = scaled) -> list[float]:
        return CapturedFunction(program, "scaled")(flow.ones(3), a, b).tolist()  # type: ignore[no-any-return]

    assert call(2.0, 3.0) == [5.0] * 3
    assert call(2, 3.0) == [5.0] * 3
    assert call(2.0, 3.0, lambda x, a, b: x * a + x * a) == [4.0] * 3
    assert len(files(folder)) == 3
    nothing_is_planned()
    assert call(5.0, 7.0) == [12.0] * 3 and call(5, 7.0) == [12.0] * 3


OF_THE_CPU = [pytest.param(what, marks=pytest.mark.cpu_only(reason="kernels for the CPU alone")) for what in ("target", "check")]


@pytest.mark.parametrize("what", ["sources", "python", "triton", "llvmlite", *OF_THE_CPU, "TRITON_DEBUG", "dtype"])
def test_other_versions_have_other_plans(folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, what: str) -> None:
    run()
    versions.fingerprint.cache_clear()
    if what == "sources":
        copy = tmp_path / "package"
        copy.mkdir()
        (copy / "versions.py").write_text("")
        monkeypatch.setattr(versions, "__file__", str(copy / "versions.py"))
    elif what == "python":
        monkeypatch.setattr(platform, "python_version", lambda: "3.99.0")
    elif what in ("triton", "llvmlite"):
        real = versions.installed
        monkeypatch.setattr(versions, "installed", lambda package: "99.0" if package == what else real(package))
    elif what == "target":
        monkeypatch.setattr("tritonflow.triton_cpu.target_key", lambda: "another machine")
    elif what == "check":
        monkeypatch.setenv("TRITONFLOW_CPU_CHECK", "1")
    elif what == "dtype":
        monkeypatch.setattr(schedule_cache, "get_default_dtype", lambda: flow.float64)
    else:
        monkeypatch.setenv(what, "1")
    try:
        function = run()
    finally:
        versions.fingerprint.cache_clear()
    assert len(files(folder)) == 2
    assert function(flow.ones(4, 6)).tolist() == [[3.0] * 6] * 4


def test_an_edited_file_changes_the_fingerprint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever its size and its times are."""
    package = tmp_path / "package"
    (package / "kernels").mkdir(parents=True)
    file = package / "kernels" / "relu.py"
    monkeypatch.setattr(versions, "__file__", str(package / "versions.py"))

    def fingerprint(text: str, path: Path = file) -> str:
        path.write_text(text)
        os.utime(path, (0, 0))
        return versions.fingerprint.__wrapped__()

    found = [fingerprint("x > 0"), fingerprint("x < 0"), fingerprint("x > 0"), fingerprint("", package / "new.py")]
    assert found[0] == found[2] and len(set(found)) == 3


@pytest.mark.parametrize("value", [len, object(), 1j, {"a": 1}, (1, [len]), RuntimeScalar(1, len)])
def test_what_has_no_text(value: Any) -> None:
    with pytest.raises(NotCanonicalError, match="has no canonical text"):
        text_of(value)


def test_texts_tell_values_apart() -> None:
    values = [1, 1.0, True, "1", None, "None", (1,), [1], (1, 1), ((1,), 1), -0.0, 0.0, float("nan"), "nan", flow.float32, CPU]
    assert len({text_of(value) for value in values}) == len(values)


@pytest.mark.parametrize("name", [entry.name for entry in tested_entries()])
def test_every_op_has_a_text(name: str, rng: Any) -> None:
    """Its attributes and its gradients' are the same in every process."""
    for sample in thinned(list(samples_of(entries()[name], DTYPES[0], rng, False)), 4):
        with Capture() as capture:
            inputs = [capture.input(tensor.meta) for tensor in tensors_of(sample)]
            attempt(op_step, (getattr(flow._C, name), sample, inputs), {})
        graph_text(capture.recorded())  # of what came before the error, in samples of errors


def test_a_graph_without_a_text_is_not_kept(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(graph: Any) -> str:
        raise NotCanonicalError("no text")

    monkeypatch.setattr(schedule_cache, "graph_text", refuse)
    assert run()(flow.ones(2)).tolist() == [3.0, 3.0]
    assert files(folder) == []


def test_a_device_whose_kernels_are_not_found_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(get_provider(flow.device(where.device))), "code_key", lambda self: None)
    run()
    assert files(folder) == []
    monkeypatch.undo()
    with settings.override(cache_dir=folder, keep_plans=True):
        schedule = run().captures()[-1].executable.schedule
    (step,) = schedule.steps
    (launch,) = step.launches
    unnamed = launch._replace(kernel=type("Kernel", (), {"reference": None}))
    assert to_text(schedule._replace(steps=(step._replace(launches=(unnamed,)),))) is None


# ------------------------------------------------------------------------------------------------------------- damaged, missing


@pytest.mark.parametrize("damage", ["empty", "cut", "flipped", "foreign", "older", "a folder"])
@pytest.mark.parametrize("kind", ["plans", "inferred"])
def test_damaged_files_are_made_again(folder: Path, nothing_is_planned: Any, damage: str, kind: str) -> None:
    run(lambda x: x - 1.0)
    (other,) = files(folder, kind)
    run(double, (5,))
    (path,) = [path for path in files(folder, kind) if path != other]
    good = path.read_bytes()
    if damage == "a folder":
        path.unlink()
        path.mkdir()
    else:
        flipped = bytearray(good)
        flipped[-9] ^= 1
        path.write_bytes(
            {
                "empty": b"", "cut": good[:-1], "flipped": bytes(flipped), "foreign": other.read_bytes(),
                "older": good.replace(b"tritonflow-2", b"tritonflow-1"),
            }[damage]
        )  # fmt: skip
    assert run(double, (5,))(flow.ones(5)).tolist() == [3.0] * 5
    if damage == "a folder":
        return
    assert path.read_bytes() == good
    nothing_is_planned()
    assert run(double, (5,))(flow.ones(5)).tolist() == [3.0] * 5


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read(folder: Path) -> None:
    run()
    (path,) = files(folder)
    path.chmod(0)
    assert run()(flow.ones(2)).tolist() == [3.0, 3.0]


def test_a_kernel_that_is_gone(folder: Path, monkeypatch: pytest.MonkeyPatch, nothing_is_planned: Any) -> None:
    run()
    (path,) = files(folder)
    good = path.read_bytes()
    path.write_bytes(good)
    provider = get_provider(CPU)
    with monkeypatch.context() as patch:
        patch.setattr(type(provider), "load", lambda self, reference: None)
        assert run()(flow.ones(2)).tolist() == [3.0, 3.0]
    assert path.read_bytes() == good
    nothing_is_planned()
    run()


def test_a_disk_that_refuses(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with settings.override(cache_dir=tmp_path / "file", keep_plans=True):
        assert run(lambda x: flow.relu(x * 2.5) + flow.sigmoid(x))(flow.zeros(2)).tolist() == [0.5, 0.5]


# -------------------------------------------------------------------------------------------------- what people see of it


def test_a_bad_index_still_names_its_line(folder: Path, nothing_is_planned: Any) -> None:
    def pick(x: Any, index: Any) -> Any:
        return flow.index_select(x * 2.0, 0, index) + 1.0

    def picked() -> CapturedFunction:
        function = CapturedFunction(pick, "pick", differentiable=False)
        assert function(flow.ones(3), flow.tensor([0, 2])).tolist() == [3.0, 3.0]
        return function

    picked()
    nothing_is_planned()
    function = picked()
    with pytest.raises(IndexError, match=r"issued at .*test_schedule_cache\.py:\d+, in pick"):
        function(flow.ones(3), flow.tensor([0, 3]))
        flow.sync()
    assert function(flow.ones(3), flow.tensor([1, 1])).tolist() == [3.0, 3.0]


def test_the_log_says_where_a_plan_is_from(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level("INFO", "tritonflow.graph"):
        run()
        assert caplog.messages == []
        run()
        assert caplog.messages == ["program: the plan was found on disk"]


def test_debug_says_where_a_plan_is_from(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def said(level: int) -> str:
        function = CapturedFunction(double, "program")
        function.debug(level)
        function(flow.ones(3))
        return capsys.readouterr().out

    assert "on disk" not in said(0)
    assert "1 kernels, 0 bytes between them. The plan was found on disk." in said(0)
    assert "on disk" not in said(1)  # what the passes do is to be shown
    assert "pass fuse_pointwise" in said(1)


def test_explain_and_the_profiler(folder: Path) -> None:
    """The passes run for who wants to see them; the names of launches are the plan's."""
    x, seen = flow.ones(4, 6), []
    for _ in range(2):
        function = run()
        with profile() as prof:
            function(x)
        (captured,) = function.captures()[:1]
        explanation = function.explain(x)
        names = [average.name for average in prof.key_averages() if average.kind == "kernel"]
        seen.append((names, explanation.after, [k.title for k in explanation.kernels], str(captured.graph)))
        assert explanation.after.launches == captured.executable.launches == len(names) == 1
    assert seen[0] == seen[1]
