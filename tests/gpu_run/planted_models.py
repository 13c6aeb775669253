"""The cases that fail in every way, under names of their own."""

from __future__ import annotations

from tests.bench.faulty_cases import named

CASES = named("models")
globals().update(CASES)
