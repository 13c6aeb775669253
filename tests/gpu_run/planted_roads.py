"""Roads that are closed in every way."""

from __future__ import annotations

import ctypes
import os
import signal
from typing import Any

from gpu.roads.registry import road


@road(first=True)
def opens() -> Any:
    """Works."""
    return "ok"


@road()
def raises() -> Any:
    """Raises."""
    raise ValueError("a planted error")


@road()
def loses() -> Any:
    """Loses the context."""
    raise RuntimeError("CUDA error: an illegal memory access was encountered")


@road()
def hangs() -> Any:
    """Never ends: in C, with Python's lock, deaf to SIGTERM."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    ctypes.PyDLL(None).sleep(10**6)


@road()
def dies() -> Any:
    """Is killed."""
    os.kill(os.getpid(), signal.SIGKILL)


@road()
def works() -> Any:
    """Works, behind all others."""
    return "ok"
