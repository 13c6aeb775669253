"""The files of a run, its schedule, the order of its tests, its roads and its summary."""

from __future__ import annotations

import json
import tarfile
from pathlib import Path

import pytest

from gpu import carried, command, summary
from gpu.options import ROOT
from gpu.order import breadth_first, left, outcomes
from gpu.records import AGAIN, BENCH, FILES, RUN, TESTS, Records, append, replace, rows_of
from gpu.roads.registry import roads
from gpu.schedule import FIRST, MACHINE, SECOND, phases_of, share
from tests import on_gpu, where

pytestmark = pytest.mark.cpu_only


# ---- files


def test_rows_are_in_both_folders_at_once(tmp_path: Path) -> None:
    records = Records(tmp_path / "state", tmp_path / "out")
    records.append(RUN, {"a": 1})
    append(tmp_path / "state" / TESTS, {"id": "x"})  # by another process
    replace(tmp_path / "state" / BENCH, b'{"rows": [1]}')
    records.sync()
    replace(tmp_path / "state" / BENCH, b'{"rows": []}')
    append(tmp_path / "state" / TESTS, {"id": "y"})
    records.sync()
    out = tmp_path / "out"
    assert rows_of(out / RUN) == [{"a": 1}] and rows_of(out / TESTS) == [{"id": "x"}, {"id": "y"}]
    assert json.loads((out / BENCH).read_text()) == {"rows": []}
    assert len(list(out.iterdir())) == 3 and len(FILES) == 8


def test_half_a_line_is_no_row(tmp_path: Path) -> None:
    state = tmp_path / "state"
    state.mkdir()
    (state / TESTS).write_text('{"id": "x"}\n{"id": ')
    records = Records(state, tmp_path / "out")
    records.append(TESTS, {"id": "z"})
    with open(state / TESTS, "a") as file:
        file.write('{"id"')  # is still written
    records.sync()
    for folder in (state, tmp_path / "out"):
        assert rows_of(folder / TESTS) == [{"id": "x"}, {"id": "z"}]
    assert (tmp_path / "out" / TESTS).read_bytes().endswith(b"\n")


def test_a_folder_of_another_run_is_emptied_of_its_files(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / AGAIN).write_text("{}\n")
    (tmp_path / "out" / "notes.txt").write_text("mine")
    Records(tmp_path / "state", tmp_path / "out")
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["notes.txt"]


def test_results_of_another_machine_are_set_aside(tmp_path: Path) -> None:
    records = Records(tmp_path / "state", tmp_path / "out")
    records.append(TESTS, {"id": "x"})
    records.set_aside("before")
    assert not records.rows(TESTS) and not (tmp_path / "out" / TESTS).exists()
    assert rows_of(tmp_path / "state" / "before" / TESTS) == [{"id": "x"}]
    records.append(TESTS, {"id": "y"})
    assert rows_of(tmp_path / "out" / TESTS) == [{"id": "y"}]


# ---- the schedule


@pytest.mark.parametrize("seconds", [60, 220, 480, 3000])
def test_the_phases_share_the_seconds(seconds: float) -> None:
    for phases in ([MACHINE, *FIRST, *SECOND], [MACHINE, *SECOND]):
        left = seconds
        for position in range(len(phases) - (len(SECOND) if FIRST[0] in phases else 0)):
            left -= share(left, phases[position:])
        assert abs(left) < 1e-6 * seconds


def test_what_a_phase_leaves_over_goes_to_those_behind_it() -> None:
    phases = [MACHINE, *FIRST, *SECOND]
    assert share(480, phases[1:]) > 77 * 480 / 472 - 1e-6 and share(400, phases[2:]) > share(395, phases[2:])


def test_a_run_goes_on_behind_the_phases_that_ended() -> None:
    names = [phase.name for phase in phases_of(["machine", "roads", "tests"])]
    assert names == ["machine", "overhead", "models", "kernels", *(phase.name for phase in SECOND)]


# ---- tests


def test_every_function_has_its_first_case_before_any_has_its_second() -> None:
    ids = [f"tests/{folder}/test_a.py::test_{k}[{case}]" for folder in ("vm", "ops") for k in range(3) for case in range(4)]
    order = [ids[position] for position in breadth_first(ids)]
    assert [name.partition("[")[2] for name in order] == [f"{case}]" for case in range(4) for _ in range(6)]
    assert order[0].startswith("tests/ops")
    failed = ids[7]
    assert ids[breadth_first(ids, {failed})[0]] == failed


def test_shares_of_processes_go_through_the_order_side_by_side() -> None:
    ids = [f"tests/ops/a.py::f{k}" for k in range(6)]
    assert breadth_first(ids, workers=2) == [0, 2, 4, 1, 3, 5]


def test_what_cost_its_process_is_left_to_the_end() -> None:
    rows = [{"id": name, "outcome": name} for name in ("passed", "failed", "lost", "hung", "crashed", "skipped")]
    rows += [{"to_run": 3}, {"id": "lost then passed", "outcome": "lost"}, {"id": "lost then passed", "outcome": "passed"}]
    ids = [*outcomes(rows), "new"]
    fresh = [name for name, keep in zip(ids, left(ids, outcomes(rows), lost=False)) if keep]
    lost = [name for name, keep in zip(ids, left(ids, outcomes(rows), lost=True)) if keep]
    assert fresh == ["failed", "new"] and lost == ["lost", "hung", "crashed"]


def test_errors_that_lose_the_context() -> None:
    lost = RuntimeError("CUDA error: an illegal memory access was encountered")
    behind = ValueError("cleaning up")
    behind.__context__ = lost
    assert on_gpu.loses_the_context(lost) and on_gpu.loses_the_context(behind)
    assert not on_gpu.loses_the_context(AssertionError(str(lost))) and not on_gpu.loses_the_context(ValueError("x"))
    first, second = ValueError("first"), ValueError("second")
    first.__cause__, second.__cause__ = second, first
    assert not on_gpu.loses_the_context(first)


@pytest.mark.skipif(where.device != "cpu", reason="of the items of this run")
def test_tests_of_cpu_kernels_are_left_out_on_a_gpu(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    item = request.node
    assert on_gpu.has_to_do_with(item)
    monkeypatch.setattr(item, "path", ROOT / "tests" / "kernels" / "test_rows.py")
    assert not on_gpu.has_to_do_with(item)
    item.add_marker(pytest.mark.cuda)
    assert on_gpu.has_to_do_with(item)


# ---- what was carried


def test_only_packages_that_the_machine_lacks_are_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "build").mkdir()
    names = ("numpy/__init__.py", "numpy-9.dist-info/METADATA", "numpy.libs/x.so", "lacking/__init__.py", "lacking-1.dist-info/METADATA")
    with tarfile.open(carried.PACKED, "w:xz") as tar:
        for name in names:
            tar.addfile(tarfile.TarInfo(f"site/{name}"))
    carried.unpack(tmp_path / "state")
    found = {str(path.relative_to(tmp_path / "state")) for path in (tmp_path / "state").rglob("*") if path.is_file()}
    assert found == {"site/lacking/__init__.py", "site/lacking-1.dist-info/METADATA"}


def test_a_link_that_arrived_as_a_file_is_one_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "kernels").mkdir()
    (tmp_path / "tritonflow").mkdir()
    (tmp_path / "tritonflow" / "kernels").write_text("../kernels")
    carried.mend_link()
    carried.mend_link()
    assert (tmp_path / "tritonflow" / "kernels").is_dir()


# ---- roads


def test_roads_are_found_without_importing_them() -> None:
    found = roads()
    assert len(found) >= 40 and [road.name for road in found.values() if road.first] == ["torch_alone", "triton_alone", "first_op"]
    assert all(road.shows.endswith(".") for road in found.values())
    assert "dlpack" in found and "dlpack" not in roads(stand_in=True)


# ---- the summary


def test_one_fault_behind_many_failures_is_one_kind() -> None:
    rows = [{"to_run": 5}]
    rows += [{"id": f"tests/ops/a.py::f[{k}]", "outcome": "failed", "error": f"E   AssertionError: {k}e-3 > 0.1", "s": k} for k in range(3)]
    rows += [{"id": "tests/vm/a.py::g", "outcome": "hung", "error": "worker 'gw3' crashed while running 'g'\nTimeout", "s": 60}]
    found = summary.of_tests(rows)
    assert found["outcomes"] == {"failed": 3, "hung": 1} and found["not_reached"] == 1
    assert [(kind["count"], kind["example"]) for kind in found["kinds"]] == [(3, "tests/ops/a.py::f[0]"), (1, "tests/vm/a.py::g")]
    assert found["slowest"][0] == ["tests/vm/a.py::g", 60]


def test_an_empty_run_has_a_summary(tmp_path: Path) -> None:
    assert "ROADS 0 open; closed: none" in list(summary.lines_of(summary.write(tmp_path)))
    assert json.loads((tmp_path / "summary.json").read_text())["machine"] is None


def test_the_phases_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["--list"]) == 0
    said = capsys.readouterr().out
    assert all(phase.what in said for phase in (*FIRST, *SECOND))
