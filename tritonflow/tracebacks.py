"""What a program's end shows of a traceback: the user's frames, and of tritonflow's where its code was entered and where it failed.

Tracebacks themselves stay whole: debuggers, `traceback` and `logging` see every frame. Only the hooks that print
what nobody caught, and IPython's, leave frames out, so a call that goes well pays nothing. `TRITONFLOW_TRACEBACK=full` shows all.
"""

from __future__ import annotations

import contextlib
import gc
import os
import re
import sys
from collections.abc import Iterator
from types import FunctionType, TracebackType
from typing import Any

from tritonflow.first_use import did_you_mean
from tritonflow.settings import settings

_PACKAGE = os.path.dirname(__file__)
_FOLDERS = tuple(folder + os.sep for folder in (_PACKAGE, os.path.realpath(f"{_PACKAGE}/kernels")))
_ROOMS = ("tritonflow.", "torch.")
_UNKNOWN = re.compile(r"([\w.]+)\(\) got an unexpected keyword argument '(\w+)'")  # newer Pythons may go on: "Did you mean"


def shorten(error: BaseException) -> list[tuple[BaseException, TracebackType | None]]:
    """Hide frames of tritonflow in the traceback of an error and of those that it comes from; gives what each had before."""
    before = [(each, each.__traceback__) for each in chain(error)]
    if settings.traceback == "full":
        return []
    hidden = 0
    for each, traceback in before:
        shown = list(_shown(traceback))
        hidden += len(list(_frames(traceback))) - len(shown)
        each.__traceback__ = _linked(shown)
    if hidden:
        frames = "1 frame" if hidden == 1 else f"{hidden} frames"
        print(f"({frames} of tritonflow hidden; TRITONFLOW_TRACEBACK=full shows all)", file=sys.stderr)
    return before


@contextlib.contextmanager
def shortened(error: BaseException) -> Iterator[bool]:
    """While an error is shown, its traceback is short, unless all are to be seen; a line about a near keyword follows."""
    before = shorten(error)
    try:
        yield bool(before)
    finally:
        for each, whole in before:
            each.__traceback__ = whole
    if near := near_keyword(error):
        print(near, file=sys.stderr)


def shorten_in(shell: Any) -> None:
    """Have IPython, whose shells show errors of cells themselves, show them short. A program's own handler there stays."""
    if not shell.custom_exceptions:
        shell.set_custom_exc((Exception,), _show_in_shell)


def _show_in_shell(
    shell: Any, kind: type[BaseException], error: BaseException, traceback: TracebackType, tb_offset: int | None = None
) -> None:
    if shell.call_pdb:  # shows, and then debugs, which wants all frames
        shell.showtraceback((kind, error, traceback), tb_offset=tb_offset)
        return
    with shortened(error) as is_short:
        shell.showtraceback((kind, error, error.__traceback__ if is_short else traceback), tb_offset=tb_offset)
    sys.last_traceback = shell.InteractiveTB.tb = traceback  # for %debug


def near_keyword(error: BaseException) -> str:
    """A line about Python's own error of an unknown keyword: which of the function's keywords is near, if any.

    The error has the function's name only, so the function is looked for among ours and torch's, whose DataLoader ours extends.
    """
    wrong = _UNKNOWN.fullmatch(str(error)) if type(error) is TypeError else None
    if wrong is None:
        return ""
    codes = [
        each.__code__
        for each in gc.get_objects()
        if type(each) is FunctionType and each.__qualname__ == wrong[1] and str(each.__module__).startswith(_ROOMS)
    ]
    known = {name for code in codes for name in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]}
    return did_you_mean(wrong[2], known - {"self", "cls"}).removeprefix("; ")


def chain(error: BaseException) -> Iterator[BaseException]:
    """An error, and those that Python shows with it, each once: an error that was raised again may be behind itself."""
    waiting, seen = [error], set()
    while waiting:
        each = waiting.pop()
        if id(each) in seen:
            continue
        seen.add(id(each))
        yield each
        others = [each.__cause__, each.__context__, *getattr(each, "exceptions", ())]
        waiting += [other for other in others if other is not None]


def _shown(traceback: TracebackType | None) -> Iterator[TracebackType]:
    """All frames of others; of ours the last, and the one by which the last frame of others called us."""
    frames = list(_frames(traceback))
    others = [number for number, each in enumerate(frames) if not _is_ours(each)]
    entry = others[-1] + 1 if others else 0
    for number, each in enumerate(frames):
        if number in (entry, len(frames) - 1) or not _is_ours(each):
            yield each


def _frames(traceback: TracebackType | None) -> Iterator[TracebackType]:
    while traceback is not None:
        yield traceback
        traceback = traceback.tb_next


def _is_ours(traceback: TracebackType) -> bool:
    return traceback.tb_frame.f_code.co_filename.startswith(_FOLDERS)


def _linked(frames: list[TracebackType]) -> TracebackType | None:
    """A new traceback of some frames: the old ones stay as they are."""
    found: TracebackType | None = None
    for each in reversed(frames):
        found = TracebackType(found, each.tb_frame, each.tb_lasti, each.tb_lineno)
    return found
