"""Where the rules of an op are found: functions that its record names, each in the room of its kind.

A file is imported when the first of its rules is asked for.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

ROOMS = {
    "plan": "ops",
    "consistent": "interpreter",
    "sbp": "ops.sbp",
    "derivative": "_C",
    "inplace_derivative": "_C",
    "decomposition": "_C",
    "complex": "rules.complex",
    "batch": "rules.batch",
    "split": "rules.split",
}


@cache
def find_rule(kind: str, name: str) -> Any:
    """The function that a record names as `file.function`, of one kind."""
    file, _, function = name.rpartition(".")
    return getattr(import_module(f"tritonflow.{ROOMS[kind]}.{file}"), function)
