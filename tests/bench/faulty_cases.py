"""A user's file whose cases fail in every way: an error, a lost context, an end that never comes, a crash. Two are in order."""

import ctypes
import os
import signal
from pathlib import Path
from typing import Any

import tritonflow as flow
from tritonflow.bench.function import CaseFunction


def _after(name: str) -> None:
    """Leave a note for the test: which case was begun."""
    if folder := os.environ.get("FAULTY_CASES_LOG"):
        with open(Path(folder) / "begun.txt", "a") as file:
            file.write(f"{name}\n")


@flow.bench.case
def raises() -> Any:
    _after("raises")
    raise ValueError("a planted error")


@flow.bench.case
def loses() -> Any:
    _after("loses")
    raise RuntimeError("CUDA error: an illegal memory access was encountered")


@flow.bench.case
def hangs() -> Any:
    """In C, with Python's lock, and deaf to SIGTERM."""
    _after("hangs")
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    ctypes.PyDLL(None).sleep(10**6)


@flow.bench.case
def dies() -> Any:
    _after("dies")
    os.kill(os.getpid(), signal.SIGKILL)


@flow.bench.case(n=[16, 32])
def works(n: int) -> Any:
    _after(f"works {n}")
    x = flow.ones(n)
    return lambda: x + 1


def named(word: str) -> dict[str, CaseFunction]:
    """The same cases under other names, for files that are measured into the same results."""
    found = (raises, loses, hangs, dies, works)
    return {case.name: CaseFunction(case.function, f"{word} {case.name}", case.values) for case in found}
