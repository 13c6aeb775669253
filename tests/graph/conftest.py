"""What tests of graphs for a GPU need where there is none."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from tests import where
from tests.device.fake_cuda import H100
from tritonflow.device import provider
from tritonflow.device.device import Device


@pytest.fixture
def gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    """Device "cuda" has the facts of an H100: enough to plan for it. With `--device cuda` it is there."""
    if where.device == "cuda":
        return
    monkeypatch.setitem(provider._providers, Device("cuda"), SimpleNamespace(facts=H100))
