"""utils.tensorboard.SummaryWriter, over a stand-in of tensorboardX."""

from __future__ import annotations

import sys
import types
from typing import Any

import numpy
import pytest

import tritonflow as flow
from tritonflow.utils.tensorboard import SummaryWriter


def test_tensors_reach_the_writer_as_arrays(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Any] = []

    class Writer:
        def __init__(self, log_dir: str) -> None:
            self.log_dir = log_dir

        def add_scalars(self, *args: Any, **kwargs: Any) -> None:
            seen.append((args, kwargs))

        def close(self) -> None:
            seen.append("closed")

    monkeypatch.setitem(sys.modules, "tensorboardX", types.SimpleNamespace(SummaryWriter=Writer))
    with SummaryWriter("runs") as writer:
        assert writer.log_dir == "runs"
        writer.add_scalars("losses", {"a": flow.ones(2, requires_grad=True)}, global_step=3)
    (args, kwargs), closed = seen
    assert args[0] == "losses" and isinstance(args[1]["a"], numpy.ndarray) and kwargs == {"global_step": 3} and closed == "closed"


def test_the_error_without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tensorboardX", None)
    with pytest.raises(ImportError, match="pip install tensorboardX"):
        SummaryWriter()
