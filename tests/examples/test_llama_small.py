"""The language model of the examples in its quick form: weights of fewer bits lose little, and each serves by three programs."""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.long
def test_the_quick_form(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    if str(EXAMPLES) not in sys.path:
        sys.path.append(str(EXAMPLES))
    found = importlib.import_module("llama_small").main(["--tiny", "--device", "cpu", "--figures", str(tmp_path / "figures.json")])
    assert json.loads((tmp_path / "figures.json").read_text())["forms"] == found
    loss = {name: figures["loss"] for name, figures in found.items()}
    assert loss["fp32"] < 5  # 5.55 is log(256)
    for name, share in (("bf16", 0.002), ("int8", 0.001), ("int4", 0.01)):
        assert abs(loss[name] / loss["fp32"] - 1) < share, name
    assert all(figures["programs"] <= 3 for figures in found.values())
    assert found["int4"]["weights MB"] < found["int8"]["weights MB"] < found["bf16"]["weights MB"]
    assert capsys.readouterr().out.splitlines()[-1]
