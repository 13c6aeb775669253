"""The examples that run torchvision's and transformers' models: eager and compiled, with weights that torch saved."""

from __future__ import annotations

import importlib.util
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
import torch

ROOT = Path(__file__).parents[2]


def run(example: str, *arguments: object) -> str:
    command = [sys.executable, str(ROOT / "examples" / f"{example}.py"), "--device", "cpu", *map(str, arguments)]
    result = subprocess.run(command, capture_output=True, text=True, timeout=280)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


def losses(printed: str) -> list[float]:
    return [float(loss) for loss in re.findall(r"loss ([\d.]+)", printed)]


def needs(package: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(importlib.util.find_spec(package) is None, reason=f"{package} is not installed")


@needs("torchvision")
@pytest.mark.long
def test_a_resnet_begins_with_weights_that_torch_saved(tmp_path: Path) -> None:
    saved, trained = tmp_path / "resnet18.pth", tmp_path / "trained.pth"
    sizes = ("--steps", 2, "--batch", 8)
    eager = run("torchvision_resnet", *sizes, "--save", trained)
    assert "random" in eager
    from tritonflow import load

    state = {name: torch.from_numpy(value.numpy().copy()) for name, value in load(str(trained)).items()}
    state["fc.weight"], state["fc.bias"] = torch.zeros(1000, 512), torch.zeros(1000)  # as of ImageNet
    torch.save(state, saved)
    eager, compiled = (run("torchvision_resnet", *sizes, "--weights", saved, *mode) for mode in ((), ("--compile",)))
    assert losses(compiled) == pytest.approx(losses(eager), rel=1e-4) and f"weights: {saved}" in eager


@needs("transformers")
@pytest.mark.long
def test_gpt2_learns_and_writes_with_its_cache(tmp_path: Path) -> None:
    from tritonflow.serialization.load import load

    sizes = ("--steps", 3, "--batch", 2, "--tokens", 4)
    first = run("hf_gpt2", *sizes, "--save", tmp_path)
    assert "random" in first and "In what" in first
    state = {name: torch.from_numpy(value.numpy().copy()) for name, value in load(tmp_path / "model.safetensors").items()}
    (tmp_path / "model.safetensors").unlink()
    torch.save(state, tmp_path / "pytorch_model.bin")
    assert json.loads((tmp_path / "config.json").read_text())["n_layer"] == 2
    eager, compiled = (run("hf_gpt2", *sizes, "--weights", tmp_path, *mode) for mode in ((), ("--compile",)))
    assert losses(compiled) == pytest.approx(losses(eager), rel=1e-4)
    assert losses(eager)[0] < losses(first)[0]  # it goes on where the first run ended
