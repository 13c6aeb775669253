"""Errors behind which a process can do nothing more on its GPU: an illegal address and the like spoil the device's context.

Every later call fails with the same text, so that one fault looks like hundreds. Only another process goes on.
"""

from __future__ import annotations

import re

_TEXTS = re.compile(
    r"illegal memory access|illegal instruction|misaligned address|invalid address space|invalid program counter"
    r"|hardware stack error|unspecified launch failure|device-side assert|launch timed out|uncorrectable|CUDA error:? 7\d\d\b"
)


def is_lost(text: str) -> bool:
    """Whether an error's text, torch's, Triton's or the driver's, says that the context is lost.

    Example:
        >>> from tritonflow.device.lost_context import is_lost
        >>> is_lost("CUDA error: an illegal memory access was encountered"), is_lost("CUDA out of memory")
        (True, False)
    """
    return bool(_TEXTS.search(text))
