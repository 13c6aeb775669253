"""Looks for user code that begins to run without probes, because a library calls it that nothing has led to."""

from __future__ import annotations

import copyreg
import sys
from collections.abc import Container
from types import CodeType, FunctionType
from typing import Any

from tritonflow.graph.watch.user_code import is_library

_MAKERS = frozenset(  # by which `copy` and `pickle` make an object, before user code fills it
    id(function.__code__) for function in (copyreg.__newobj__, copyreg.__newobj_ex__, copyreg._reconstructor)  # type: ignore[attr-defined]
)


class UnwatchedError(BaseException):
    """User code began to run that has no probes: the capture begins anew, with probes in it."""

    def __init__(self, code: CodeType) -> None:
        super().__init__(f"{code.co_name} runs unwatched")
        self.code = code


class Tracer:
    """Python's trace function while a library runs, and only then: it is slow.

    Args:
        codes: the identities of code with probes.
        own: by their identities, objects that are new, which is added to.

    Attributes:
        is_on: whether a library runs that user code has called.
    """

    def __init__(self, codes: Container[int], own: dict[int, Any]) -> None:
        self.is_on = False
        self._codes = codes
        self._own = own
        self._before: Any = None
        self._caller: Any = None  # the frame that has called the library

    def begin_with(self, function: Any) -> None:
        """A function is about to be called by a frame of no user: one of a library may call user code that runs without probes."""
        inner = getattr(function, "__func__", function)
        if isinstance(inner, FunctionType) and id(inner.__code__) not in self._codes:
            if not (inner.__module__ or "").startswith("tritonflow"):
                self._begin(sys._getframe(1))

    def begin(self) -> None:
        """The user's function that runs is about to call a library."""
        if not self.is_on:
            frame: Any = sys._getframe(1)
            while id(frame.f_code) not in self._codes:
                frame = frame.f_back
            self._begin(frame)

    def _begin(self, caller: Any) -> None:
        self.is_on, self._before, self._caller = True, sys.gettrace(), caller
        sys.settrace(self._trace)

    def returned(self, frame: Any) -> None:
        """User code goes on in a frame: look no more, unless it is the library that has called it."""
        caller = frame.f_back
        while frame is not self._caller and caller is not None:
            if caller is self._caller:
                return
            caller = caller.f_back
        self.end()

    def end(self) -> None:
        """Look no more."""
        if self.is_on:
            self.is_on, self._caller = False, None
            sys.settrace(self._before)

    def _trace(self, frame: Any, event: str, argument: Any) -> Any:
        """Called for each call of a Python function.

        Raises:
            UnwatchedError: it is the user's, and runs without probes.
        """
        code = frame.f_code
        if id(code) not in self._codes and code.co_name not in ("<module>", "__del__") and not is_library(code, frame.f_globals):
            raise UnwatchedError(code)
        if id(code) in _MAKERS:
            return self._note_made
        return None if self._before is None else self._before(frame, event, argument)

    def _note_made(self, frame: Any, event: str, argument: Any) -> Any:
        """Called for what happens in a function that makes an object."""
        if event == "return":
            self._own[id(argument)] = argument
        return self._note_made
