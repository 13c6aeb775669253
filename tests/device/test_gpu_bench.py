"""The cases for GPUs, and the training steps of bench/, run at small sizes on the CPU."""

from __future__ import annotations

from pathlib import Path

import pytest

from tritonflow.bench.case import OURS, Context
from tritonflow.bench.cases.gpu_kernels import CASES
from tritonflow.bench.check import check
from tritonflow.bench.discover import Request, find

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.long


@pytest.mark.timeout(900)
def test_every_case_is_right() -> None:
    wrong = {}
    for name, case in CASES.items():
        timed = case.timed(OURS, Context(tiny=True))
        assert timed is not None
        found = check(timed, timed.call())
        if found.status != ("right" if case.exact else "unchecked"):
            wrong[name] = found
    assert not wrong


@pytest.mark.timeout(900)
def test_every_model_steps() -> None:
    for case in find(Request([str(ROOT / "bench" / "gpu_models.py")])):
        timed = case.build(OURS, Context(tiny=True))
        assert timed is not None
        assert all(0 < float(call()) < 30 for call in (timed.call, timed.vs["eager"], timed.vs["torch"]))
