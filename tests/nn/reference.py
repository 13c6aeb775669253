"""Running one scenario with torch and with tritonflow, and comparing what comes out, error texts included."""

from __future__ import annotations

import re
from collections.abc import Callable
from types import ModuleType
from typing import Any

import torch

import tritonflow


def outcome(scenario: Callable[[ModuleType], Any], library: ModuleType) -> Any:
    """What a scenario returns, or the class and the text of what it raises; without the library's name."""
    try:
        result = scenario(library)
    except Exception as e:
        text = e.args[0] if e.args else ""
        builtin = next(kind for kind in type(e).__mro__ if kind.__module__ == "builtins")
        return builtin.__name__, _neutral(str(text))
    return _neutral(repr(_plain(result)))


def assert_same(scenario: Callable[[ModuleType], Any]) -> None:
    """The scenario has the same outcome with both libraries."""
    expected, actual = outcome(scenario, torch), outcome(scenario, tritonflow)
    assert actual == expected, f"\ntorch:      {expected}\ntritonflow: {actual}"


def _plain(value: Any) -> Any:
    if isinstance(value, (torch.Tensor, tritonflow.Tensor)):
        return [round(x, 4) if isinstance(x, float) else x for x in value.detach().reshape(-1).tolist()]
    if isinstance(value, dict):
        return {k: _plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(v) for v in value]
    return value


def _neutral(text: str) -> str:
    text = re.sub(r"tritonflow\.framework\.tensor\.|tritonflow\.nn\.parameter\.|torch\.nn\.parameter\.", "", text)
    text = re.sub(r"torch\.(cuda\.)?FloatTensor", "Tensor", text)
    text = re.sub(r"\btritonflow\.|\btorch\.", "", text)
    text = text.replace("torch Tensor", "Tensor").replace("nn.Buffer, ", "")
    return re.sub(r"at 0x[0-9a-f]+", "at 0x", text)
