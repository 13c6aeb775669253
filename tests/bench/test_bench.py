"""The harness from its command line: which cases it finds, what it writes, and what it says of mistakes."""

from __future__ import annotations

import csv
import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch

import tritonflow as flow
from tritonflow.bench import command, machine
from tritonflow.bench.case import Context
from tritonflow.bench.cases.op_entries import ENTRIES
from tritonflow.bench.cases.op_inputs import NAMES
from tritonflow.bench.cases.ops import without_inputs
from tritonflow.bench.check import compared
from tritonflow.bench.discover import Request, find
from tritonflow.bench.record import Results
from tritonflow.bench.script import write_results
from tritonflow.bench.timing import QUICK, Effort, alternate, burst_of_steps, warm
from tritonflow.graph.explain import roof_measurement

ROOT = Path(__file__).resolve().parents[2]
OWN = str(Path(__file__).with_name("own_cases.py"))
pytestmark = pytest.mark.cpu_only


@pytest.fixture(scope="module", autouse=True)
def cheap() -> Iterator[None]:
    """The roof is measured in no time; nothing of the process is changed for good."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(roof_measurement, "SECONDS", 0.0)
        patch.setattr(roof_measurement, "AGAIN", 0.0)
        patch.setattr(machine, "keep_freed_memory", lambda: None)
        threads = torch.get_num_threads()
        yield
        torch.set_num_threads(threads)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, int]:
    """Two ops and the cases of a file, in every format."""
    folder = tmp_path_factory.mktemp("bench")
    patterns = ["ops:relu", "ops:softmax", OWN, "--size", "64", "--quick", "--vs", "torch,op"]
    files = [f"--{kind}={folder / f'r.{kind}'}" for kind in ("json", "csv", "html")]
    plot = [f"--plot={folder / 'r.png'}"] if _has_matplotlib() else []
    return folder, command.main([*patterns, *files, *plot])


def _has_matplotlib() -> bool:
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        return False
    return True


def rows(run: tuple[Path, int]) -> dict[str, dict[str, Any]]:
    found = Results.read(run[0] / "r.json").rows
    return {" ".join([row["case"], *map(str, row["params"].values())]): row for row in found}


# ---- cases


def test_patterns_select_names_words_globs_and_groups() -> None:
    names = {case.name for case in find(Request(["softmax", "conv 64x56", "log_soft*", "overhead"]))}
    assert {"softmax", "softmax 4096x1024", "log_softmax", "host: add"} <= names and "conv 64x56 64 3x3" in names
    assert "conv1d" not in names and "relu" not in names
    assert {case.group for case in find(Request(["ops:softmax"]))} == {"ops"}
    assert len(find(Request(["softmax"], sizes=["4K", "8x16"], dtypes=["float32", "bfloat16"], directions=["forward"]))) == 8


def test_a_gpus_kernels_are_others() -> None:
    assert any(case.name == "cumsum float32 64M" for case in find(Request(["kernels"], device="cuda")))


def test_nearly_every_op_has_arguments() -> None:
    """Those without are made for GPUs, by graphs and optimizers, or for several ranks."""
    of_ranks = [name for name, entry in ENTRIES.items() if entry.family == "placement"]
    internal = {"multi_tensor_norm", "multi_tensor_clip", "add_layer_norm_gradients"}
    assert set(without_inputs()) <= {"scaled_mm", "grouped_mm", "linear_cross_entropy", *internal, *of_ranks}
    assert len(ENTRIES) > 500 and set(NAMES) <= set(ENTRIES)


def test_files_have_a_case_for_each_combination() -> None:
    assert [case.label for case in find(Request([OWN]))] == ["doubled n=1000 BLOCK=64", "doubled n=1000 BLOCK=128", "both n=16", "off"]
    swept = find(Request([f"{OWN}:doubled", f"{OWN}:plain"], values={"BLOCK": [16, 32]}))
    assert [case.label for case in swept] == ["doubled n=1000 BLOCK=16", "doubled n=1000 BLOCK=32", "plain BLOCK=16", "plain BLOCK=32"]


def test_the_file_of_the_page_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = (Path(__file__).resolve().parents[2] / "docs" / "benchmarks.md").read_text()
    (block,) = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    file = tmp_path / "my_kernels.py"
    file.write_text(block)
    assert command.main([str(file), "--vs", "op,torch", "--tiny", "--param", "n=4096", "--param", "rows=4"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert sum(line.startswith(("doubled", "row_sums")) and " right " in line for line in lines) == 4


def test_the_decorator_says_what_is_wrong() -> None:
    with pytest.raises(TypeError, match=r"case f: no values for 'n'; help: @flow.bench.case\(n=\[...\]\)"):
        flow.bench.case(lambda n: None, name="f")
    with pytest.raises(TypeError, match="values for 'm', but the function takes n"):
        flow.bench.case(lambda n: None, name="f", m=[1])
    with pytest.raises(TypeError, match=r"n takes a list of values, not 3; help: n=\[3\]"):
        flow.bench.case(lambda n: None, name="f", n=3)
    with pytest.raises(ValueError, match="n has no values"):
        flow.bench.case(lambda n: None, name="f", n=[])
    (case,) = flow.bench.case(lambda: 3, name="f").cases()
    with pytest.raises(TypeError, match="returns the call to be timed.* not int"):
        case.build("tritonflow", Context())


# ---- measuring


def test_rounds_have_a_burst_of_each_rival_in_turns() -> None:
    calls: list[str] = []

    def burst(name: str, seconds: float) -> Any:
        return lambda count: calls.append(name) or seconds

    times = alternate({"a": burst("a", 1.0), "b": burst("b", 2.0), "c": burst("c", 3.0)}, QUICK)
    rounds = ["".join(calls[k : k + 3]) for k in range(6, len(calls), 3)]
    assert rounds[:4] == ["abc", "bca", "cab", "abc"] and len(rounds) == QUICK.rounds
    assert {name: set(found) for name, found in times.items()} == {"a": {1.0}, "b": {2.0}, "c": {3.0}}


def test_bursts_have_as_many_calls_as_told_and_warm_ones_another_before() -> None:
    calls: list[int] = []

    def burst(count: int) -> float:
        calls.append(count)
        return 1.0

    alternate({"warm": warm(burst)}, Effort(rounds=2, least=2, burst=0.0, calls=3))
    assert calls == [1, 1, 1, 1, 1, 3, 1, 3]  # two to try, then two rounds
    steps: list[int] = []

    def step() -> Any:
        steps.append(len(steps))
        return SimpleNamespace(item=lambda: steps.append(-1))

    assert burst_of_steps(step)(2) > 0
    assert steps == [0, -1, 2, 3, -1]  # the loss of the last step is waited for


@pytest.mark.parametrize("path", sorted((ROOT / "bench").glob("*.py")), ids=lambda path: path.name)
def test_scripts_take_times_and_arguments_from_the_harness(path: Path) -> None:
    text = path.read_text()
    assert "statistics" not in text and "ArgumentParser(" not in text and "machine.about" not in text
    assert "__main__" not in text or "script_parser(__doc__" in text


def test_results_of_scripts_have_a_head(tmp_path: Path) -> None:
    write_results(tmp_path / "new" / "r.json", {"cases": [1]}, threads=3)
    found = json.loads((tmp_path / "new" / "r.json").read_text())
    assert found["cases"] == [1] and found["about"]["threads"] == 3 and found["about"]["cpu"]
    write_results(None, {})


def test_rows_have_times_rates_launches_and_checks(run: tuple[Path, int]) -> None:
    found = rows(run)
    assert list(found) == [
        "relu 64 forward", "relu 64 backward", "softmax 64 forward", "softmax 64 backward",
        "doubled 1000 64", "doubled 1000 128", "both 16", "off",
    ]  # fmt: skip
    softmax = found["softmax 64 forward"]
    assert softmax["launches"] == 1 and softmax["bytes"] == 2 * 4 * 64 and softmax["flops"] == 5 * 64
    times = softmax["sides"]["tritonflow"]
    assert 0 < times["p20"] <= times["p50"] <= times["p80"] and len(softmax["times"]["torch"]) >= QUICK.least
    assert softmax["bytes_per_s"] == pytest.approx(softmax["bytes"] / times["p50"], rel=1e-3) and 0 < softmax["roof"]
    assert softmax["vs"]["torch"]["verdict"] in ("faster", "slower", "same", "too uneven to tell")
    assert all(row["check"]["status"] == "right" for name, row in found.items() if name != "off")
    assert found["doubled 1000 64"]["launches"] == 1 and set(found["doubled 1000 64"]["vs"]) == {"op"}
    assert set(found["both 16"]["vs"]) == {"torch"} and found["off"]["absent"] == dict.fromkeys(("torch", "op"), "it has no such call")


def test_a_wrong_result_is_said_and_is_the_exit_status(run: tuple[Path, int]) -> None:
    assert run[1] == 1
    check = rows(run)["off"]["check"]
    assert check["status"] == "wrong" and check["error"] == pytest.approx(1 / 21**0.5, rel=1e-4) and "1.0e-06" not in check["why"]


def test_results_say_where_they_are_of(run: tuple[Path, int]) -> None:
    about = json.loads((run[0] / "r.json").read_text())["about"]
    assert about["torch"] == torch.__version__.partition(" ")[0] and about["cpu"] and about["threads"] == flow.get_num_threads()
    assert about["roof"]["flops"] > 0 and about["cpu_flags"] and about["vs"] == ["torch", "op"]


def test_csv_has_a_line_for_each_side(run: tuple[Path, int]) -> None:
    with open(run[0] / "r.csv", newline="") as file:
        lines = list(csv.DictReader(file))
    assert [line["side"] for line in lines if line["case"] == "softmax"] == ["tritonflow", "torch"] * 2
    assert float(lines[0]["p50_us"]) > 0 and lines[1]["verdict"] and lines[0]["check"] == "right"


def test_the_page_and_the_picture_have_every_case(run: tuple[Path, int]) -> None:
    text = (run[0] / "r.html").read_text()
    assert text.count("<tr>") == 1 + 8 and "WRONG" in text and "src=" not in text and "href=" not in text
    if _has_matplotlib():
        assert (run[0] / "r.png").read_bytes()[:4] == b"\x89PNG"


def test_results_are_compared_with_older_ones(run: tuple[Path, int], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    new = Results.read(run[0] / "r.json")
    for row in new.rows:
        for side, times in row["times"].items():
            row["times"][side] = [min(times) * (1 + k / 1000) for k in range(len(times))]
        row["control"] = 1.0
    new.rows[0]["times"]["tritonflow"] = [3 * seconds for seconds in new.rows[0]["times"]["tritonflow"]]
    new.write(tmp_path / "new.json")
    old = Results.read(tmp_path / "new.json")
    old.rows[0]["times"]["tritonflow"] = [seconds / 3 for seconds in old.rows[0]["times"]["tritonflow"]]
    old.about["cpu"] = "another"
    old.write(tmp_path / "old.json")
    command.main(["--show", str(tmp_path / "new.json"), "--compare", str(tmp_path / "old.json")])
    out = capsys.readouterr().out
    assert "1 slower, 7 same" in out and "another machine or setting: another" in out
    assert any(line.startswith("relu size=64 direction=forward") and line.endswith(" 0.33  slower") for line in out.splitlines())


def test_a_run_goes_on_where_it_ended(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["ops:relu", "--size", "64", "--tiny", "--json", str(tmp_path / "r.json"), "--resume"]
    assert command.main([*arguments, "--direction", "forward"]) == 0
    first = Results.read(tmp_path / "r.json").rows
    assert command.main(arguments) == 0
    both = Results.read(tmp_path / "r.json").rows
    assert both[:1] == first and [row["params"]["direction"] for row in both] == ["forward", "backward"]
    other = json.loads((tmp_path / "r.json").read_text())
    other["about"]["triton"] = "0"
    (tmp_path / "r.json").write_text(json.dumps(other))
    assert command.main(arguments) == 2 and "move it away first" in capsys.readouterr().err


def test_integers_must_agree_and_nan_is_where_it_should_be() -> None:
    nan = float("nan")
    assert compared(flow.tensor([1, 2]), torch.tensor([1, 2])).status == "right"
    assert compared(flow.tensor([1, 2]), torch.tensor([1, 3])).error == 0.5
    assert compared(flow.tensor([1.0, nan]), torch.tensor([1.0, nan])).status == "right"
    assert compared(flow.tensor([1.0, nan]), torch.tensor([1.0, 2.0])).status == "wrong"
    assert compared([flow.ones(2)], [torch.ones(2), torch.ones(2)]).why == "1 results, not 2"
    assert compared(flow.ones(2, 1), torch.ones(2)).why == "shape (2, 1), not (2,)"


# ---- mistakes


@pytest.mark.parametrize(
    "arguments, text",
    (
        (["sofmax"], "no case is named 'sofmax'; do you mean softmax"),
        (["scaled_mm"], "scaled_mm is an op, but no arguments are written for it"),
        (["softmax", "--size", "big"], "--size big: expected small, medium, large, a number"),
        (["softmax", "--dtype", "half"], "--dtype half: expected one of float32"),
        (["softmax", "--vs", "troch"], "--vs troch: there are torch, torch.compile, jax, and commit:NAME of the checkout; do you mean torch?"),
        (["softmax", "--param", "BLOCK"], "--param BLOCK: expected NAME=VALUE,VALUE"),
        (["nowhere.py"], "there is no file nowhere.py"),
        ([f"{OWN}:plane"], "has no function 'plane'; do you mean plain"),
        (["softmax", "--compare", "nowhere.json"], "cannot load 'nowhere.json': there is no such file"),
        (["softmax", "--compare", "tests"], "cannot load 'tests': it cannot be read"),
        (["softmax", "--resume"], "--resume goes on behind the rows of a file; help: --json FILE"),
    ),
)
def test_mistakes_are_named(arguments: list[str], text: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(arguments) == 2
    assert text in capsys.readouterr().err


def test_a_gpu_that_is_not_there_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    if torch.cuda.is_available():
        pytest.skip("there is one")
    assert command.main(["ops:relu", "--device", "cuda"]) == 2
    assert "--device cuda: there is no GPU" in capsys.readouterr().err


def test_without_matplotlib_a_plot_says_what_to_install(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setitem(__import__("sys").modules, "matplotlib", None)
    assert command.main(["softmax", "--plot"]) == 2
    assert "--plot needs Matplotlib, which is not installed; help: pip install matplotlib" in capsys.readouterr().err


def test_cases_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["ops:softmax", OWN, "--list"]) == 0
    out = capsys.readouterr().out
    assert "ops: 6 cases" in out and "  doubled: 1000 64, 1000 128" in out


@pytest.mark.long
@pytest.mark.timeout(600)
def test_another_commit_is_a_rival(tmp_path: Path) -> None:
    if not (Path(flow.__file__).resolve().parents[1] / ".git").exists():
        pytest.skip("no checkout")
    file = tmp_path / "r.json"
    assert command.main(["ops:relu", "--size", "64", "--quick", "--vs", "commit:HEAD", f"--json={file}"]) == 0
    assert all(set(row["vs"]) == {"commit:HEAD"} for row in Results.read(file).rows)


@pytest.mark.long
@pytest.mark.timeout(3000)
@pytest.mark.parametrize("group", ("kernels", "overhead"))
def test_every_case_runs_at_small_sizes(group: str) -> None:
    assert command.main([group, "--tiny", "--vs", "torch"]) == 0


@pytest.mark.long
@pytest.mark.timeout(3000)
def test_every_op_is_right_at_a_small_size(tmp_path: Path) -> None:
    file = tmp_path / "ops.json"
    assert command.main(["ops", "--size", "1K", "--tiny", f"--json={file}"]) == 0
    found = Results.read(file).rows
    assert len(found) > 800 and sum(row["check"]["status"] == "right" for row in found) > 0.9 * len(found)
    assert os.path.getsize(file) < 5_000_000


@pytest.mark.parametrize("option", ["--json", "--csv", "--html", "--plot"])
def test_paths_that_cannot_be_written_are_refused_before_measuring(
    option: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "_measure", lambda *given: pytest.fail("it measures"))
    monkeypatch.setattr(command.plot, "check_installed", lambda: None)
    (tmp_path / "file").touch()
    for path in (tmp_path, tmp_path / "file" / "inside"):
        assert command.main([OWN, option, str(path)]) == 2
        assert f"cannot write {str(path)!r}" in capsys.readouterr().err
