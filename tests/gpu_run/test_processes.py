"""Processes of a run: over their limit they end with their children, and none outlives the run."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gpu.options import ROOT
from gpu.processes import Ended, Processes, Task

pytestmark = pytest.mark.cpu_only
DEAF = "import signal, ctypes; [signal.signal(n, signal.SIG_IGN) for n in (2, 15)]; ctypes.PyDLL(None).sleep(1000)"
WITH_A_CHILD = f"import subprocess, sys; p = subprocess.Popen([sys.executable, '-c', {DEAF!r}]); print(p.pid, flush=True); p.wait()"


def python(name: str, code: str, seconds: float = 30) -> Task:
    return Task(name, [sys.executable, "-c", code], seconds)


def is_gone(pid: int) -> bool:
    """Whether a process ends within a few seconds; one that its parent has not asked for does not count."""
    for _ in range(100):
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            return True
        if state == "Z":
            return True
        time.sleep(0.1)
    return False


def test_status_text_and_limit(tmp_path: Path) -> None:
    codes = {"fine": "print('said')", "bad": "raise SystemExit(3)", "killed": "import os; os.kill(os.getpid(), 9)", "deaf": DEAF}
    found: dict[str, Ended] = {}
    with Processes(tmp_path) as processes:
        tasks = [python(name, code, 2 if name == "deaf" else 60) for name, code in codes.items()]
        processes.side_by_side(tasks, 4, float("inf"), lambda ended: found.update({ended.name: ended}))
    assert {name: ended.status for name, ended in found.items()} == {"fine": 0, "bad": 3, "killed": -9, "deaf": None}
    assert found["fine"].text == "said\n" and found["killed"].why == "ended by SIGKILL" and "no end after" in found["deaf"].why


def test_children_end_too(tmp_path: Path) -> None:
    with Processes(tmp_path) as processes:
        ended = processes.run(python("parent", WITH_A_CHILD, 3))
    assert ended.status is None and is_gone(int(ended.text))


def test_none_begins_behind_the_end(tmp_path: Path) -> None:
    found: list[Ended] = []
    with Processes(tmp_path) as processes:
        tasks = [python(f"deaf{k}", DEAF, 100) for k in range(3)]
        processes.side_by_side(tasks, 1, time.monotonic() + 1, found.append)
    assert [ended.name for ended in found] == ["deaf0"] and found[0].status is None


def test_none_outlives_a_run_that_is_killed(tmp_path: Path) -> None:
    """SIGKILL leaves a run no time to end anything."""
    code = (
        "from pathlib import Path; from gpu.processes import *; import sys\n"
        f"Processes(Path({str(tmp_path)!r})).run(Task('deaf', [sys.executable, '-c', 'import os; print(os.getpid(), flush=True);'"
        f" + {DEAF!r}], 1000))"
    )
    run = subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)})
    said = tmp_path / "deaf.txt"
    for _ in range(300):
        if said.exists() and said.read_text().strip():
            break
        time.sleep(0.1)
    run.kill()
    run.wait()
    assert is_gone(int(said.read_text()))
