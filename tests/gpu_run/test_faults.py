"""Whole runs of `python -m gpu` on the stand-in, with a raise, a lost context, a hang and a kill planted in each phase."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from gpu.options import ROOT
from gpu.records import FILES, RUN, append, results_of, rows_of
from gpu.schedule import FIRST

HERE = Path(__file__).parent
LOST = "CUDA error: an illegal memory access was encountered"
LIMIT = 15
pytestmark = [pytest.mark.cpu_only, pytest.mark.long, pytest.mark.timeout(1800)]


class Runs:
    """Runs with one state."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.out, self.state = folder, folder / "out", folder / "state"
        self.roads = HERE / "planted_roads.py"
        self.state.mkdir()

    def start(self, seconds: float, *arguments: str) -> subprocess.Popen[str]:
        planted = [f"--{name}={HERE / f'planted_{name}.py'}" for name in ("tests", "overhead", "models", "kernels")]
        command = [
            sys.executable, "-m", "gpu", "--stand-in", f"--seconds={seconds}", f"--out={self.out}", f"--state={self.state}",
            "--jobs=2", f"--limit={LIMIT}", f"--road-files={self.roads}", "--gpu-tests=", *planted, *arguments,
        ]  # fmt: skip
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
        environment |= {"FAULTY_CASES_LOG": str(self.folder), "PYTHONPATH": str(ROOT)}
        return subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def run(self, seconds: float, *arguments: str) -> tuple[int, str]:
        process = self.start(seconds, *arguments)
        said, _ = process.communicate()
        return process.returncode, said

    def skip(self, *names: str) -> None:
        """Count phases as ended."""
        for name in names:
            append(self.state / RUN, {"phase": name, "status": "ended", "s": 0, "text": "", "ended": True})

    def rows(self, name: str) -> list[dict[str, Any]]:
        """Of a file in `out`; its whole text must be rows."""
        if name.endswith(".json"):
            return list(results_of(self.out / name)["rows"])
        return [json.loads(line) for line in (self.out / name).read_text().splitlines()] if (self.out / name).exists() else []

    def problems(self, name: str) -> dict[str, str]:
        """What each case's row says; "" where it has times."""
        rows = {" ".join([row["case"].partition(" ")[2], *map(str, row["params"].values())]): row for row in self.rows(name)}
        return {case: row.get("problem", "" if "sides" in row else "no times") for case, row in rows.items()}

    def begun(self, name: str = "begun.txt") -> list[str]:
        """Which cases or tests were begun since the last time, in order."""
        path = self.folder / name
        found = path.read_text().splitlines() if path.exists() else []
        path.unlink(missing_ok=True)
        return found

    def check_files(self) -> None:
        names = {path.name for path in self.out.iterdir() if not path.name.startswith(".")}
        assert names <= set(FILES)
        for name in names - {"log.txt"}:
            for text in (self.out / name).read_text().splitlines() if name.endswith(".jsonl") else [(self.out / name).read_text()]:
                json.loads(text)

    def processes(self) -> list[str]:
        """The commands that still run."""
        found = []
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                if str(self.folder).encode() in (folder / "environ").read_bytes():
                    found.append((folder / "cmdline").read_bytes().replace(b"\0", b" ").decode()[:200])
            except OSError:
                continue
        return found


@pytest.fixture
def runs(tmp_path: Path) -> Runs:
    return Runs(tmp_path)


def await_(condition: Callable[[], Any], process: subprocess.Popen[str] | None = None, seconds: float = 300) -> None:
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until and (process is None or process.poll() is None)
        time.sleep(0.05)


def test_a_fault_of_each_kind_in_each_phase_costs_itself(runs: Runs) -> None:
    status, said = runs.run(600)
    assert status == 1, said
    runs.check_files()

    roads: dict[str, dict[str, Any]] = {}
    for row in runs.rows("roads.jsonl"):
        roads.setdefault(row["road"], row)
    texts = {"opens": "ok", "works": "ok", "raises": "ValueError: a planted error", "loses": f"RuntimeError: {LOST}", "dies": "ended by SIGKILL"}
    assert {name: row["text"] for name, row in roads.items() if name != "hangs"} == texts
    assert "no end after" in roads["hangs"]["text"] and "in hangs" in roads["hangs"]["trace"]

    tests = {row["id"].partition("::")[2]: row for row in runs.rows("tests.jsonl") if "id" in row}
    outcomes = {"test_raises": "failed", "test_loses": "lost", "test_hangs": "hung", "test_dies": "crashed"}
    outcomes |= {f"test_works[{k}]": "passed" for k in range(3)}
    assert {name: row["outcome"] for name, row in tests.items()} == outcomes
    assert LOST in tests["test_loses"]["error"] and "in test_hangs" in tests["test_hangs"]["error"]

    for name, word in (("bench.json", "overhead"), ("bench.json", "kernels"), ("models.json", "models")):
        found = {row["case"] for row in runs.rows(name)}
        assert {f"{word} {case}" for case in ("raises", "loses", "hangs", "dies", "works")} <= found
    assert runs.problems("models.json")["works 32"] == "" == runs.problems("bench.json")["works 16"]
    assert LOST in runs.problems("models.json")["loses"]

    again = {(row["test"].partition("::")[2], row["how"]): row for row in runs.rows("again.jsonl") if "test" in row}
    assert "a planted error" in again["test_raises", "as it was"]["text"]
    assert LOST in again["test_loses", "no graphs, launches waited for"]["text"]
    assert "SIGKILL" in again["test_dies", "as it was"]["text"]

    run = runs.rows("run.jsonl")
    assert any(row.get("background") == "warm" for row in run)
    assert [row["phase"] for row in run if "phase" in row][:6] == ["machine", *(phase.name for phase in FIRST)]
    assert runs.begun("begun_tests.txt").count("works 0") == 1
    await_(lambda: not runs.processes())


def is_before(first: Iterable[str], second: Iterable[str], begun: list[str]) -> bool:
    """Whether all that are first were begun, and none of the second before them."""
    last = max(begun.index(name) for name in first)
    return not any(name in begun[:last] for name in second)


@pytest.mark.parametrize("phase", ["overhead", "models", "kernels"])
def test_killed_while_cases_are_measured(phase: str, runs: Runs) -> None:
    """What was found is there; the next run has the others first, and what was lost behind all of them."""
    runs.skip(*(each.name for each in FIRST if each.name != phase))
    file = "models.json" if phase == "models" else "bench.json"
    others = ["--overhead=host: add", "--kernels=host: add"]
    process = runs.start(300, *[each for each in others if phase not in each])
    await_(lambda: "loses" in runs.problems(file), process)
    process.kill()
    process.communicate()
    await_(lambda: not runs.processes())
    runs.check_files()
    assert "a planted error" in runs.problems(file)["raises"] and LOST in runs.problems(file)["loses"]

    runs.begun()
    assert runs.run(240, *[each for each in others if phase not in each])[0] == 1
    begun = [name for name in runs.begun() if name]
    assert is_before(["hangs", "dies", "works 16", "works 32"], ["loses"], begun)
    runs.check_files()
    assert runs.problems(file)["works 32"] == "" and runs.problems(file)["dies"]


def test_killed_while_tests_run(runs: Runs) -> None:
    runs.skip(*(each.name for each in FIRST if each.name != "tests"))
    arguments = ["--jobs=1", "--overhead=host: add", "--kernels=host: add", f"--models={ROOT / 'tests/bench/own_cases.py'}:both"]
    process = runs.start(300, *arguments)
    await_(lambda: any(row.get("outcome") == "lost" for row in runs.rows("tests.jsonl")), process)
    process.kill()
    process.communicate()
    await_(lambda: not runs.processes())
    runs.check_files()
    runs.begun("begun_tests.txt")

    assert runs.run(240, *arguments)[0] == 1
    begun = runs.begun("begun_tests.txt")
    assert "works 0" not in begun and is_before(["hangs", "dies", "works 2"], ["loses"], begun)
    runs.check_files()
    last = {row["id"].partition("::")[2]: row["outcome"] for row in runs.rows("tests.jsonl") if "id" in row}
    assert last["test_works[2]"] == "passed" and last["test_dies"] == "crashed"


def test_killed_while_roads_run(runs: Runs) -> None:
    process = runs.start(300)
    await_(lambda: any(row["road"] == "loses" for row in runs.rows("roads.jsonl")), process)
    process.kill()
    process.communicate()
    await_(lambda: not runs.processes())
    runs.check_files()
    before = [row["road"] for row in runs.rows("roads.jsonl")]
    runs.skip(*(each.name for each in FIRST if each.name != "roads"))
    process = runs.start(300)
    await_(lambda: len(runs.rows("roads.jsonl")) >= len(before) + 4, process)
    process.send_signal(signal.SIGTERM)
    said, _ = process.communicate()
    assert process.returncode == 128 + signal.SIGTERM and "ended by SIGTERM" in said and "ROADS 2 open" in said
    assert "opens" not in [row["road"] for row in runs.rows("roads.jsonl")[len(before) :]]
    assert {row["road"] for row in runs.rows("roads.jsonl")} >= {"opens", "raises", "loses", "works"}
    assert rows_of(runs.out / RUN)[-1] == {"stopped": "SIGTERM"}
    await_(lambda: not runs.processes())
    runs.check_files()


def test_a_first_road_that_is_closed_ends_the_run(runs: Runs) -> None:
    """It says why, and goes on once that is repaired."""
    planted = runs.roads.read_text()
    runs.roads = runs.folder / "roads.py"
    runs.roads.write_text(planted.replace('    """Works."""\n', '    """Works."""\n    raise OSError("no C compiler")\n'))
    status, said = runs.run(200)
    assert status == 3 and "opens with each launch waited for" in said and "OSError: no C compiler" in said
    assert [row["road"] for row in runs.rows("roads.jsonl")] == ["opens"] and not runs.rows("tests.jsonl")
    assert [row["status"] for row in runs.rows(RUN) if row.get("phase") == "roads"] == ["closed"]

    runs.roads.write_text(planted)
    runs.skip(*(each.name for each in FIRST if each.name != "roads"))
    process = runs.start(200)
    await_(lambda: len(runs.rows("roads.jsonl")) >= 4, process)
    process.send_signal(signal.SIGINT)
    process.communicate()
    assert process.returncode == 128 + signal.SIGINT
    assert [row["ok"] for row in runs.rows("roads.jsonl") if row["road"] == "opens"] == [False, True]
    await_(lambda: not runs.processes())
    runs.check_files()
