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

import numpy

from tritonflow.errors import ArgumentTypeError, CaptureError
from tritonflow.graph.api.argument_containers import ArgumentContainers
from tritonflow.graph.api.call import Call
from tritonflow.graph.api.programs import CACHE_SIZE
from tritonflow.graph.capture.objects import keep_whole
from tritonflow.graph.capture.pytree import contents_in, flatten, what_holds_whole
from tritonflow.graph.watch.guards import PythonGuards
from tritonflow.graph.watch.user_code import is_library

_CONTENTS = 64  # structures that are remembered
_NEW_ARRAYS, _NEW_OBJECTS = 2, 8  # how many contents have programs before they come again
_STRUCTURES = 2  # of one object, which is taken apart no more behind these
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

    Attributes:
        has_warned: whether the user was told why.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._kinds: OrderedDict[tuple[Any, ...], _Kind] = OrderedDict()  # by the keys of calls
        self._under_hooks: set[Any] = set()  # kinds of checkpointed calls: computed again, they save what they saved before
        self._met: dict[int, Any] = {}  # by their identities weak references to objects that were arguments
        self._contents: OrderedDict[Any, None] = OrderedDict()  # structures of arrays and objects among the arguments
        self._new_contents = {True: 0, False: 0}  # how many of arrays there were, and of objects
        self._structures: dict[int, tuple[Any, set[int]]] = {}  # by their identities objects, and hashes of their structures
        self._followed: OrderedDict[Any, None] = OrderedDict()  # kinds of calls, by keys
        self._first_times = 0
        self.has_warned = False

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
            why = what_holds_whole(new[0])
            error = CaptureError(
                f"a {type(new[0]).__name__} among the arguments is another one in each call, and a program is for just"
                f" one{why and f', as {why}'}: pass its tensors, a dict or a dataclass"
            )
            self.warn(error)
        for each in new:
            self._met[id(each)] = weakref.ref(each, _dropped(self._met, id(each)))
        return bool(new)

    def has_new_content(self, structure: Any) -> bool:
        """Whether what an array or an object among the arguments holds is new, as it was so often that it may be so each time."""
        new = [content for content in contents_in(structure) if content not in self._contents]
        for content in new:
            self._contents[content] = None
            is_array = content[0] is numpy.ndarray
            self._new_contents[is_array] += 1
            if self._new_contents[is_array] > (_NEW_ARRAYS if is_array else _NEW_OBJECTS):
                what = (
                    "a NumPy array among the arguments holds something else in each call: pass flow.from_numpy(array)"
                    if is_array
                    else f"a {content[1].__name__} among the arguments has other texts or lengths in each call: pass its tensors"
                )
                self.warn(CaptureError(what))
                return True
        while len(self._contents) > _CONTENTS:
            self._contents.popitem(last=False)
        return False

    # ---- objects that are not taken apart any more

    def follow(self, call: Call) -> bool:
        """Take the objects among the arguments of a call apart no more: it matters which they are. False if there are none."""
        marked = [keep_whole(each) for each in ArgumentContainers(call.kind.structure, call.arguments).objects]
        if not marked or not all(marked):
            return False
        self._followed[call.key] = None
        while len(self._followed) > CACHE_SIZE:
            self._followed.popitem(last=False)
        return True

    def have_outgrown(self, call: Call) -> bool:
        """Take objects apart no more that have another structure again and again, as one with a list that the function extends."""
        found = False
        for each in ArgumentContainers(call.kind.structure, call.arguments).objects:
            try:
                reference = weakref.ref(each, _dropped(self._structures, id(each)))
            except TypeError:
                continue
            _, known = self._structures.setdefault(id(each), (reference, set()))
            known.add(hash(flatten(each, [], [], {})))
            found |= len(known) > _STRUCTURES and keep_whole(each)
        return found

    def follows(self, call: Call) -> bool:
        """Whether such a call was refused because it matters to the function which objects its arguments are."""
        return call.key in self._followed

    # ---- what the user is told

    def warn(self, error: Exception) -> None:
        """Say once why the function runs in eager mode."""
        if not self.has_warned:
            self.has_warned = True
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
