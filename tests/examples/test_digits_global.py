"""The digits net over ranks: its losses are one process's, in every layout, dropout on."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import pytest

import tritonflow as flow

EXAMPLES = Path(__file__).parents[2] / "examples"


def train(steps: int) -> int:
    """The exit status of the example."""
    if str(EXAMPLES) not in sys.path:
        sys.path.append(str(EXAMPLES))
    return importlib.import_module("digits_global").main(["--steps", str(steps)])


@pytest.mark.long
@pytest.mark.parametrize("world", [2, 3, 4])
def test_losses_are_those_of_one_process(world: int) -> None:
    assert flow.testing.simulate(world)(train)(4) == [0] * world
