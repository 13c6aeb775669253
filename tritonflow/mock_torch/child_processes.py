"""Processes that a program starts anew: they have tritonflow in torch's place as the program has.

`multiprocessing` sends a process what it is to be prepared with, before it imports the program and receives its target. Of a
program that is run by `mock_torch` the process's name among it is an object, which prepares the process when it is unpickled.
"""

from __future__ import annotations

import multiprocessing.spawn
import sys
from collections.abc import Callable
from typing import Any

_prepared = multiprocessing.spawn.get_preparation_data


class _Name(str):
    """The name of a process. Where it is unpickled, the program is imported with tritonflow in torch's place.

    Attributes:
        program: the program's module, or None; its file, as `multiprocessing` names it; its arguments and path.
        enter: imports the program by these in the new process, and returns the name.
    """

    program: tuple[Any, ...]
    enter: Callable[..., str]

    def __reduce__(self) -> tuple[Any, ...]:
        return self.enter, (str(self), *self.program)


def install(enter: Callable[..., str]) -> None:
    """From now on, processes that this one starts by "spawn" or "forkserver" run the same program, which `enter` imports."""

    def get_preparation_data(name: str) -> dict[str, Any]:
        data = _prepared(name)
        main = sys.modules["__main__"]
        if "init_main_from_path" in data or "init_main_from_name" in data:
            name = data["name"] = _Name(name)
            name.enter = enter
            name.program = (
                data.get("init_main_from_name"), data.get("init_main_from_path", main.__file__), list(sys.argv), data["sys_path"]
            )  # fmt: skip
        return data

    multiprocessing.spawn.get_preparation_data = get_preparation_data
