from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from tritonflow.vm.machine import Machine


@pytest.fixture
def vm() -> Iterator[Machine]:
    """A machine of the test's own; whatever is still queued when the test ends must be able to finish."""
    machine = Machine(watchdog=20.0, sync=False)
    yield machine
    machine.close()


class Gate:
    """Something for an instruction to stand at until the test lets it go on."""

    def __init__(self) -> None:
        self.reached = threading.Event()
        self.opened = threading.Event()

    def __call__(self) -> None:
        self.reached.set()
        assert self.opened.wait(20), "the test never opened the gate"

    def open(self) -> None:
        self.opened.set()


@pytest.fixture
def gate() -> Iterator[Gate]:
    gate = Gate()
    yield gate
    gate.open()
