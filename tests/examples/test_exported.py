"""The example of an exported program says the same in Python and in C."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from exported import classify

import tritonflow_program

SOURCE = Path(classify.__file__).with_name("main.c")


def test_python_and_c(tmp_path: Path) -> None:
    path = tmp_path / "classifier"
    digest = classify.export(str(path))
    assert tritonflow_program.load_program(path, digest=digest).sizes == {"batch": [*range(1, 9)]}
    classes = classify.run(str(path))
    assert len(set(classes)) > 1
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler")
    sources, program = tritonflow_program.c_sources(), tmp_path / "classify"
    command = [compiler, "-O1", "-Wall", "-Werror", "-I", sources, SOURCE, *sources.glob("*.c"), "-o", program, "-lpthread", "-ldl"]
    subprocess.run(command, check=True)
    done = subprocess.run([program, path], capture_output=True, text=True, check=True)
    assert [int(line) for line in done.stdout.split()] == classes
