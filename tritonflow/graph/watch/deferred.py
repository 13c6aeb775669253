"""What a function prints, logs and warns of: it happens behind each run, with the numbers of that run."""

from __future__ import annotations

import builtins
import logging
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from threading import get_ident
from typing import TYPE_CHECKING, Any

from tritonflow.graph.watch.contents import Content
from tritonflow.graph.watch.moments import Moment
from tritonflow.graph.watch.slots import ABSENT, CellSlot, ItemSlot, StateSlot

_PACKAGE = str(Path(__file__).parents[2]) + "/"
_CAPTURE = str(Path(__file__).parents[1] / "api" / "attempt.py")  # which calls the function that is captured

if TYPE_CHECKING:
    from tritonflow.graph.watch.watch import Watch


def _logging_line(stacklevel: int) -> tuple[str, int, str]:
    """The file, line and function that called a logger."""
    frame: Any = sys._getframe(2)
    while frame.f_back is not None and (frame.f_code.co_filename == _LOGGING or stacklevel > 1):
        stacklevel -= frame.f_code.co_filename != _LOGGING
        frame = frame.f_back
    return frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name


class _Log:
    """Logs records as of a line that has been executed before."""

    def __init__(self, logger: logging.Logger, level: int, where: tuple[str, int, str], options: dict[str, Any]) -> None:
        self._logger, self._level, self._where, self._options = logger, level, where, options

    def __call__(self, message: Any, arguments: Any, extra: Any = None) -> None:
        logger, (file, line, function) = self._logger, self._where
        exc_info = self._options.get("exc_info")
        if isinstance(exc_info, BaseException):
            exc_info = type(exc_info), exc_info, exc_info.__traceback__
        logger.handle(logger.makeRecord(logger.name, self._level, file, line, message, arguments, exc_info, function, extra))


class _Warn:
    """Warns as from a line that has been executed before: once, if the filters say so.

    Args:
        frame: that which warns; None if it is beyond the function that was captured.
        level: how many frames further out the line is.
    """

    def __init__(self, frame: Any, level: int) -> None:
        self._level = level
        self._line = None if frame is None else _warning_line(frame)

    def __call__(self, message: Any, category: Any, source: Any = None) -> None:
        line = self._line
        if line is None:
            frame: Any = sys._getframe(1)
            while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
                frame = frame.f_back
            for _ in range(self._level):
                frame = frame.f_back or frame
            line = _warning_line(frame)
        variables, file, number = line
        registry = variables.setdefault("__warningregistry__", {})
        name = variables.get("__name__", "<unknown>")
        warnings.warn_explicit(message, category, file, number, name, registry, source=source)


def _warning_line(frame: Any) -> tuple[dict[str, Any], str, int]:
    return frame.f_globals, frame.f_code.co_filename, frame.f_lineno


_LOGGING = logging.Logger.info.__code__.co_filename


class StandIn:
    """What is called in a function's stead while another one is captured. To all but `is` it is that function.

    Args:
        function: whose place it takes.
        call: what a call does.
    """

    __slots__ = ("function", "_call")

    def __init__(self, function: Callable[..., Any], call: Callable[..., Any]) -> None:
        self.function = function
        self._call = call

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._call(*args, **kwargs)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.function, name)

    def __repr__(self) -> str:
        return repr(self.function)

    def __eq__(self, other: object) -> bool:
        return other is self or other is self.function

    def __hash__(self) -> int:
        return hash(self.function)

    def __copy__(self) -> StandIn:
        return self

    def __deepcopy__(self, memo: Any) -> StandIn:
        return self


class Deferred:
    """Lets `print`, loggers and warnings of this thread be called behind the run, until `end`.

    Args:
        watch: to whom the calls are told.

    The functions are themselves in what a run sets or gives: what is called in their stead is seen by the capture alone.
    """

    def __init__(self, watch: Watch) -> None:
        self._watch = watch
        self._before = builtins.print, logging.Logger._log, warnings.warn
        self._thread, self._stdout, self._filters = get_ident(), sys.stdout, _filters()
        self._is_on = True
        self._moments: list[tuple[Any, Moment]] = []  # the calls, and what their arguments were
        show, warn = StandIn(builtins.print, self._print), StandIn(warnings.warn, self._warn)

        def _log(logger: Any, level: int, message: Any, arguments: Any, **options: Any) -> None:
            self._log(logger, level, message, arguments, options)

        builtins.print, logging.Logger._log, warnings.warn = show, _log, warn  # type: ignore[assignment, method-assign]
        self._originals: dict[int, Any] = dict(zip(map(id, (show, _log, warn)), self._before))
        self._stand_ins: dict[int, Any] = {id(each.function): each for each in (show, warn)}

    def _is_told_at_once(self) -> bool:
        return not self._is_on or get_ident() != self._thread

    def _print(self, *values: Any, **options: Any) -> None:
        if self._is_told_at_once() or sys._getframe(2).f_code.co_filename.startswith(_PACKAGE):  # or told about the capture
            self._before[0](*values, **options)
            return
        if sys.stdout is not self._stdout:
            self._watch.refuse("prints to another place than before", "print(..., file=...), or redirect the output outside")
        self._defer("print", self._before[0], values, options)

    def _log(self, logger: Any, level: int, message: Any, arguments: Any, options: dict[str, Any]) -> None:
        if self._is_told_at_once():
            self._before[1](logger, level, message, arguments, **options)
            return
        where = _logging_line(options.pop("stacklevel", 1) + 1)
        if options.get("exc_info") is True:
            options["exc_info"] = sys.exc_info()
        extra = options.pop("extra", None)
        self._defer("a logger", _Log(logger, level, where, options), (message, arguments, extra), {})

    def _warn(self, message: Any, category: Any = None, stacklevel: int = 1, source: Any = None, **options: Any) -> None:
        if self._is_told_at_once():
            self._before[2](message, category, stacklevel + 2, source, **options)
            return
        if _filters() is not self._filters:
            self._watch.refuse("warns in a block of warnings.catch_warnings()", "catch warnings outside")
        frame: Any = sys._getframe(2)
        level = stacklevel - 1
        while level > 0 and frame is not None:
            frame, level = frame.f_back, level - 1
            if frame is not None and frame.f_code.co_filename == _CAPTURE:
                frame = None
        kind = message.__class__ if isinstance(message, Warning) else category or UserWarning
        self._defer("a warning", _Warn(frame, level), (message, kind), {} if source is None else {"source": source})

    def _defer(self, what: str, function: Callable[..., Any], arguments: tuple[Any, ...], keywords: dict[str, Any]) -> None:
        """Call a function behind each run with what its arguments are now."""
        moment = Moment(what, arguments)
        self._moments.append((self._watch.defer(what, function, arguments, keywords), moment))

    def original(self, value: Any) -> Any:
        """The function in whose stead a value is called; any other value itself."""
        return self._originals.get(id(value), value)

    def placed(self, slot: StateSlot, value: Any) -> tuple[Any, Any]:
        """What a slot that is read held before, and what is put there for the capture: `self.log` may be `print`."""
        original = self.original(value)
        stand_in = self._stand_ins.get(id(value))
        if stand_in is not None and isinstance(slot, (ItemSlot, CellSlot)) and not isinstance(slot.holder, list):
            slot.set(stand_in)
            return value, stand_in
        return original, ABSENT if original is value else value

    def take_back(self, content: Content) -> None:
        """Let what was noted of a container have the functions, and not what is called in their stead."""
        if any(id(item) in self._originals for item in content.items):
            content.items = type(content.items)(map(self.original, content.items))

    def refuse_to_compare(self, *values: Any) -> None:
        """Refuse to ask whether one of the functions is what is called in its stead.

        Raises:
            CaptureError: one value is, and another one is not.
        """
        if any(id(value) in self._stand_ins for value in values) and any(id(value) in self._originals for value in values):
            self._watch.refuse("asks whether something is print() or warn()", "ask outside")

    def settle(self) -> None:
        """Let the calls show what their arguments were.

        Raises:
            CaptureError: that of an object is not known any more.
        """
        for change, moment in self._moments:
            change.arguments = moment.value()
        self._moments.clear()

    def end(self) -> None:
        """Let them be called at once again, also by who has kept what was called in their stead."""
        builtins.print, logging.Logger._log, warnings.warn = self._before  # type: ignore[method-assign]
        self._is_on = False
        self._originals, self._stand_ins, self._moments = {}, {}, []  # by which it would keep itself alive


def _filters() -> Any:
    """The filters of warnings: another list in each block of `catch_warnings`."""
    get = getattr(warnings, "_get_filters", None)
    return warnings.filters if get is None else get()
