"""Processes of Python that a program starts anew, such as other ranks of a launcher: they have tritonflow in torch's place, too."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

from tritonflow.mock_torch import foreign

_COMMAND = ["-m", "tritonflow.mock_torch"]
LAUNCHERS = ("torch.distributed.run", "torch.distributed.launch")  # of torch's modules those that run programs
_FLAGS = {"-u", "-O", "-OO", "-B", "-q", "-v"}  # of the interpreter, which take no argument


def in_torchs_place(command: Any) -> Any:
    """A command, run by `python -m tritonflow.mock_torch` if it is this Python's with a program or a module that is foreign."""
    if isinstance(command, (str, bytes, os.PathLike)):
        return command
    words = list(command)
    if words[:1] == ["torchrun"]:
        words[:1] = [sys.executable, "-m", LAUNCHERS[0]]
    if not words or words[0] != sys.executable:
        return command
    start = 1
    while start < len(words) and words[start] in _FLAGS:
        start += 1
    rest = [os.fspath(word) for word in words[start:]]
    is_module = rest[:1] == ["-m"] and len(rest) > 1 and _is_of_programs(rest[1])
    if not is_module and not (rest and not rest[0].startswith("-")):
        return command
    return [*words[:start], *_COMMAND, *rest]


def _is_of_programs(module: str) -> bool:
    root = module.partition(".")[0]
    return module in LAUNCHERS or (foreign.is_foreign(root) and not foreign.is_torch(root))


class Popen(subprocess.Popen):  # type: ignore[type-arg]
    """`subprocess.Popen`, as programs see it."""

    def __init__(self, args: Any, *more: Any, **options: Any) -> None:
        super().__init__(in_torchs_place(args), *more, **options)
