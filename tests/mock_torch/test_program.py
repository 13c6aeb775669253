"""`python -m tritonflow.mock_torch`, and `report`."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tritonflow import mock_torch


def command(*arguments: str, cwd: Path) -> str:
    line = [sys.executable, "-m", "tritonflow.mock_torch", *arguments]
    ran = subprocess.run(line, capture_output=True, text=True, cwd=cwd)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_a_program(tmp_path: Path) -> None:
    (tmp_path / "mt_nearby.py").write_text("import torch\nclass Thing:\n    pass\nvalue = torch.ones(2)\n")
    (tmp_path / "program.py").write_text(
        """
import argparse, pickle, sys
from dataclasses import dataclass
import torch
from mt_nearby import Thing, value

@dataclass
class Config:
    width: int = 2

parser = argparse.ArgumentParser()
parser.add_argument("--lr", type=float)
print(__name__, sys.argv[0], parser.parse_args().lr)
print(type(value).__module__, type(pickle.loads(pickle.dumps(Thing()))) is Thing, pickle.loads(pickle.dumps(Config(3))))
print(sys.modules["torch"] is torch, sys.modules["__main__"].Config is Config)
"""
    )
    assert command("program.py", "--lr", "0.5", cwd=tmp_path).splitlines() == [
        "__main__ program.py 0.5",
        "tritonflow.framework.tensor True Config(width=3)",
        "True True",
    ]


def test_a_package_and_a_failing_program(tmp_path: Path) -> None:
    (tmp_path / "mt_tool").mkdir()
    (tmp_path / "mt_tool" / "__init__.py").write_text("import torch\n")
    (tmp_path / "mt_tool" / "__main__.py").write_text(
        "import sys\nfrom . import torch\nprint(__package__, torch.ones(1), sys.argv[1:])\ntorch.ao.quantization.QuantStub()\n"
    )
    line = [sys.executable, "-m", "tritonflow.mock_torch", "--verbose", "-m", "mt_tool", "-x"]
    ran = subprocess.run(line, capture_output=True, text=True, cwd=tmp_path)
    assert ran.stdout == "mt_tool tensor([1.]) ['-x']\n" and ran.returncode == 1
    assert "MissingNameError: torch.ao.quantization.QuantStub" in ran.stderr and "__main__.py:4" in ran.stderr
    assert "mock_torch: torch.ao.quantization.QuantStub is not in tritonflow" in ran.stderr


SOURCE = """
import torch
import torch.nn as nn
from torch.nn import functional as F
from torch.ao.quantization import QuantStub as Stub
import numpy as np

def f(x: torch.Tensor):
    F.relu(x).requires_grad_()
    torch.ao.nn.quantized.Linear(1, 2)
    torch.ao.nn.quantized.Linear(1, 2)
    torch.nn.Linear.no_such
    np.linalg.svd(x)
    x.geqrf(), x.relu()
    return nn.no_such_layer(), torch.float32.itemsize
"""


def test_report(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(SOURCE)
    (tmp_path / "b.py").write_text("import torch.fx as fx\nfx.Tracer()\n")
    (tmp_path / "c.py").write_text("this is no Python")
    found = mock_torch.report(tmp_path)
    assert found.files == 3 and found.unreadable == ("c.py",)
    names = {use.name: use.lines for use in found.missing}
    assert names["torch.fx.Tracer"] == ("b.py:2",) and names["torch.nn.no_such_layer"] == ("a.py:15",)
    assert names["torch.ao.nn.quantized.Linear"] == ("a.py:10", "a.py:11")
    assert names["torch.ao.quantization.QuantStub"] == ("a.py:5",)
    assert not any("relu" in name or "float32" in name or "numpy" in name for name in names)
    text = str(found)
    assert "torch.ao.nn.quantized.Linear" in text and "    2  a.py:10, a.py:11" in text
    assert mock_torch.report("json").missing == ()
    with pytest.raises(FileNotFoundError):
        mock_torch.report(tmp_path / "nothing.py")


def test_report_of_a_foreign_package(write: Callable) -> None:
    write(mt_reported__="import torch\n", mt_reported__model="import torch\ntorch.fx.Tracer()\n")
    assert [use.lines for use in mock_torch.report("mt_reported").missing] == [("model.py:2",)]
