"""The page for users: its examples run, in a world of one rank."""

from __future__ import annotations

import doctest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_examples_run() -> None:
    assert doctest.testfile(str(ROOT / "docs" / "consistent.md"), module_relative=False).failed == 0
