"""Programs of other projects, as their pages show them: what they print with tritonflow in torch's place is what they print with torch.

The sources are those of `make projects`. A program saves into a folder of its own, and ends with one line of JSON: losses and other
numbers, texts and sizes. Where a project cannot be had, its programs are skipped.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
PYTHON = Path(f"{sys.prefix}-projects", "bin", "python")
REFERENCE = Path(__file__).parent / "reference"  # what lets torchvision be imported beside torch
PROGRAMS = sorted((Path(__file__).parent / "programs").glob("*.py"))

pytestmark = pytest.mark.long


def run(folder: Path, *command: str, before: tuple[Path, ...] = ()) -> Any:
    """What a program has printed last; `before` is where it looks for modules first."""
    folder.mkdir()
    paths = os.pathsep.join([*map(str, before), str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    options = {"PYTHONPATH": paths, "HF_HUB_OFFLINE": "1", "TQDM_DISABLE": "1"}
    done = subprocess.run(
        [str(PYTHON if PYTHON.exists() else sys.executable), *command, str(folder)],
        capture_output=True, text=True, cwd=folder, timeout=900, env=os.environ | options,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def missing(program: Path) -> str:
    """The project of a program or a page, where it is not installed or torch cannot run it."""
    packages = re.findall(r"^(?:#|<!--) needs: (.*?)(?: -->)?$", program.read_text(), re.M)[0].split(", ")
    python = str(PYTHON if PYTHON.exists() else sys.executable)
    env = os.environ | {"PYTHONPATH": str(REFERENCE)}
    found = [each for each in packages if subprocess.run([python, "-c", f"import {each}"], capture_output=True, env=env).returncode]
    return ", ".join(found)


def assert_alike(actual: Any, expected: Any, where: str = "") -> None:
    if isinstance(expected, dict):
        assert sorted(actual) == sorted(expected), where
        for name, value in expected.items():
            assert_alike(actual[name], value, f"{where}.{name}")
    elif isinstance(expected, list):
        assert len(actual) == len(expected), where
        for position, value in enumerate(expected):
            assert_alike(actual[position], value, f"{where}[{position}]")
    elif isinstance(expected, float):
        assert actual == pytest.approx(expected, rel=1e-4, abs=1e-6), where
    else:
        assert actual == expected, where


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_a_program_prints_what_it_does_with_torch(program: Path, tmp_path: Path) -> None:
    if lacking := missing(program):
        pytest.skip(f"{lacking} cannot be imported beside torch (make projects)")
    expected = run(tmp_path / "torch", str(program), before=(REFERENCE,))
    actual = run(tmp_path / "tritonflow", "-m", "tritonflow.mock_torch", str(program))
    assert_alike(actual, expected)


@pytest.mark.parametrize("module", [False, True])
def test_what_accelerate_launches_is_run_by_tritonflow(module: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`accelerate launch` starts the program as another process."""
    program = tmp_path / "launched.py"
    program.write_text("""# needs: accelerate
import json, sys, torch
from accelerate import Accelerator
accelerator = Accelerator()
layer = accelerator.prepare(torch.nn.Linear(3, 1))
accelerator.backward(layer(torch.ones(2, 3)).sum())
print(json.dumps([torch.__version__.partition("+")[2], layer.weight.grad.tolist(), str(accelerator.device), sys.argv[1:-1]]))
""")
    if lacking := missing(program):
        pytest.skip(f"{lacking} cannot be imported beside torch (make projects)")
    words = ["--module", "launched"] if module else [str(program)]
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)
    found = run(tmp_path / "run", "-m", "tritonflow.mock_torch", "-m", "accelerate.commands.launch", "--cpu", *words, "an argument")
    assert found == ["tritonflow", [[2.0, 2.0, 2.0]], "cpu", ["an argument"]]
