"""The GPT on several ranks: every way gives the losses of one process, and goes on from a checkpoint of any other."""

from __future__ import annotations

from pathlib import Path

import char_gpt_ranks
import pytest

import tritonflow as flow

WAYS = ["--zero 0", "--zero 1", "--zero 2", "--zero 3", "--zero 0 --compile", "--zero 2 --compile", "--zero 3 --compile"]


def trained(ranks: int, folder: Path, steps: int, way: str) -> float:
    """The last loss, which all ranks have."""
    size = "--batch 6 --every 2 --width 16 --length 16 --layers 2"
    options = char_gpt_ranks.options_of([*way.split(), *size.split(), "--steps", str(steps), "--folder", str(folder)])
    found = flow.testing.simulate(ranks)(char_gpt_ranks.train)(options)
    assert len(set(found)) == 1
    return float(found[0])


@pytest.mark.parametrize(
    "way", [pytest.param(way, marks=() if way in ("--zero 2", "--zero 3 --compile") else pytest.mark.long) for way in WAYS]
)
def test_ways_and_worlds(tmp_path: Path, way: str) -> None:
    expected = trained(1, tmp_path / "one", 6, "--zero 0")
    trained(2, tmp_path / "two", 4, way)
    assert trained(3, tmp_path / "two", 6, way) == pytest.approx(expected, rel=1e-5)
    (tmp_path / "two" / "step_00000006").rename(tmp_path / "gone")
    assert trained(1, tmp_path / "two", 6, "--zero 0") == pytest.approx(expected, rel=1e-5)
