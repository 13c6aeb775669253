"""The calls of a captured function that no graph can do: which they are, and the word that a user gets about it."""

from __future__ import annotations

import sys
import traceback
import warnings
import weakref
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tritonflow.errors import ArgumentTypeError, CaptureError
from tritonflow.graph.api.call import Call
from tritonflow.graph.api.programs import CACHE_SIZE
from tritonflow.graph.watch.guards import PythonGuards
from tritonflow.graph.watch.user_code import is_library

_PACKAGE = str(Path(__file__).parents[2]) + "/"


@dataclass
class _Kind:
    """A kind of call that no graph can do.

    Attributes:
        guards: what the function had read when it was refused.
        attempts: how often such a call has been refused.
        has_run: whether it has run in eager mode since.
    """

    guards: PythonGuards
    attempts: int
    has_run: bool = False


class EagerCalls:
    """The kinds of calls that run in eager mode, while what the function had read is as it was.

    Args:
        name: the function's, for the warning.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._kinds: OrderedDict[tuple[Any, ...], _Kind] = OrderedDict()  # by the keys of calls
        self._under_hooks: set[Any] = set()  # kinds of checkpointed calls: computed again, they save what they saved before
        self._met: dict[int, Any] = {}  # by their identities weak references to objects that were arguments
        self._first_times = 0
        self._has_warned = False

    def __contains__(self, call: Call) -> bool:
        """Whether such a call was refused for what it would be refused for again."""
        kind = self._kinds.get(call.key)
        return kind is not None and not kind.guards.changed()

    def add(self, call: Call, guards: PythonGuards) -> None:
        """From now on such calls run in eager mode while guards hold."""
        before = self._kinds.get(call.key)
        self._kinds[call.key] = _Kind(guards, 1 if before is None else before.attempts + 1)
        while len(self._kinds) > CACHE_SIZE:
            self._kinds.popitem(last=False)

    def note_run(self, call: Call) -> None:
        """A call has run in eager mode."""
        kind = self._kinds.get(call.key)
        if kind is not None and not kind.has_run:
            kind.has_run = True
            if kind.attempts > 1:  # the first run may have made what later ones find; behind it that is no reason to try again
                kind.guards.forget_changed()

    # ---- calls that a checkpoint computes again

    def keep_under_hooks(self, call: Call) -> None:
        """Such calls stay in eager mode where hooks pack what is saved."""
        self._under_hooks.add(call.key)

    def is_kept_under_hooks(self, call: Call) -> bool:
        """Whether they do."""
        return call.key in self._under_hooks

    # ---- objects among the arguments

    def has_new(self, objects: list[Any], has_programs: bool) -> bool:
        """Whether one of the objects among the arguments comes for the first time: it may be the last.

        A program is for just the objects that it was captured with, so that one for a batch, of which each call has another, would
        never run again.
        """
        new = [each for each in objects if id(each) not in self._met]
        self._first_times += bool(new)
        if new and self._first_times > 2 and not has_programs:
            error = CaptureError(
                f"a {type(new[0]).__name__} among the arguments is another one in each call, and a program is for just one: pass"
                " its tensors, a dict or a dataclass"
            )
            self.warn(error)
        for each in new:
            self._met[id(each)] = weakref.ref(each, _dropped(self._met, id(each)))
        return bool(new)

    # ---- what the user is told

    def warn(self, error: Exception) -> None:
        """Say once why the function runs in eager mode."""
        if not self._has_warned:
            self._has_warned = True
            warnings.warn(f"{self._name} is not compiled, but runs in eager mode: {_reason(error)}", stacklevel=frames_inside())


def _reason(error: Exception) -> str:
    """Why no graph can do a call: an error of the function itself with its class, and the line that raises it."""
    if isinstance(error, (CaptureError, ArgumentTypeError)):
        return str(error)
    where = ""
    for frame, line in traceback.walk_tb(error.__traceback__):
        if not is_library(frame.f_code, frame.f_globals):
            where = f", at {frame.f_code.co_filename}:{line}, in {frame.f_code.co_name}"
    return f"the function raises {type(error).__name__}: {error}{where}"


def frames_inside() -> int:
    """How many frames of this package are above the caller's, for warnings."""
    frame, count = sys._getframe(1), 1
    while frame is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        frame, count = frame.f_back, count + 1  # type: ignore[assignment]
    return count


def _dropped(table: dict[int, Any], key: int) -> Callable[[Any], Any]:
    """What removes an entry of a table."""
    return lambda _: table.pop(key, None)
