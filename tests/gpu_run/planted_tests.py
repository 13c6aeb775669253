"""Tests that fail in every way, for runs of `python -m gpu`: no run of the project's tests has them."""

from __future__ import annotations

import ctypes
import os
import signal
from pathlib import Path

import pytest

import tritonflow as flow


def _begun(name: str) -> None:
    if folder := os.environ.get("FAULTY_CASES_LOG"):
        with open(Path(folder) / "begun_tests.txt", "a") as file:
            file.write(f"{name}\n")


@pytest.mark.parametrize("k", range(3))
def test_works(k: int) -> None:
    _begun(f"works {k}")
    assert (flow.ones(3, device="cuda") + k).tolist() == [1.0 + k] * 3


def test_raises() -> None:
    _begun("raises")
    raise ValueError("a planted error")


def test_loses() -> None:
    _begun("loses")
    raise RuntimeError("CUDA error: an illegal memory access was encountered")


def test_hangs() -> None:
    """In C, with Python's lock, deaf to SIGTERM."""
    _begun("hangs")
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    ctypes.PyDLL(None).sleep(10**6)


def test_dies() -> None:
    _begun("dies")
    os.kill(os.getpid(), signal.SIGKILL)
