"""What a function prints, logs and warns of: it happens behind each run, with the numbers of that run."""

from __future__ import annotations

import builtins
import logging
import sys
import warnings
from pathlib import Path
from threading import get_ident
from typing import TYPE_CHECKING, Any

_PACKAGE = str(Path(__file__).parents[2]) + "/"

if TYPE_CHECKING:
    from tritonflow.graph.watch.watch import Watch


def _logging_line(stacklevel: int) -> tuple[str, int, str]:
    """The file, line and function that called a logger."""
    frame: Any = sys._getframe(2)
    while frame.f_back is not None and (frame.f_code.co_filename == _LOGGING or stacklevel > 1):
        stacklevel -= frame.f_code.co_filename != _LOGGING
        frame = frame.f_back
    return frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name


def _handle(
    logger: logging.Logger, level: int, message: Any, arguments: Any, where: tuple[str, int, str],
    exc_info: Any = None, extra: Any = None, stack_info: bool = False,
) -> None:  # fmt: skip
    """Log a record as of a line that has been executed before."""
    file, line, function = where
    if isinstance(exc_info, BaseException):
        exc_info = type(exc_info), exc_info, exc_info.__traceback__
    logger.handle(logger.makeRecord(logger.name, level, file, line, message, arguments, exc_info, function, extra))


_LOGGING = logging.Logger.info.__code__.co_filename


class Deferred:
    """Lets `print`, loggers and warnings of this thread be called behind the run, until `end`.

    Args:
        watch: to whom the calls are told.

    Attributes:
        originals: by the identities of what is called in their stead, the functions themselves.
    """

    def __init__(self, watch: Watch) -> None:
        self._before = builtins.print, logging.Logger._log, warnings.warn
        show, log, warn = self._before
        thread, stdout = get_ident(), sys.stdout

        def print(*values: Any, **options: Any) -> None:
            if get_ident() != thread or sys._getframe(1).f_code.co_filename.startswith(_PACKAGE):  # or told about the capture
                show(*values, **options)
                return
            if sys.stdout is not stdout:
                watch.refuse("prints to another place than before", "print(..., file=...), or redirect the output outside")
            watch.defer("print", show, values, options)

        def _log(logger: Any, level: int, message: Any, arguments: Any, **options: Any) -> None:
            if get_ident() != thread:
                log(logger, level, message, arguments, **options)
                return
            where = _logging_line(options.pop("stacklevel", 1))
            if options.get("exc_info") is True:
                options["exc_info"] = sys.exc_info()
            watch.defer("a logger", _handle, (logger, level, message, arguments, where), options)

        def told(message: Any, category: Any = None, stacklevel: int = 1, source: Any = None, **options: Any) -> None:
            if get_ident() != thread:
                warn(message, category, stacklevel + 1, source, **options)
                return
            frame: Any = sys._getframe(1)
            for _ in range(stacklevel - 1):
                frame = frame.f_back or frame
            kind = message.__class__ if isinstance(message, Warning) else category or UserWarning
            where = frame.f_code.co_filename, frame.f_lineno, frame.f_globals.get("__name__", "<unknown>")
            registry = frame.f_globals.setdefault("__warningregistry__", {})
            watch.defer("a warning", warnings.warn_explicit, (message, kind, *where, registry), {})

        builtins.print, logging.Logger._log, warnings.warn = print, _log, told  # type: ignore[assignment, method-assign]
        self.originals: dict[int, Any] = dict(zip(map(id, (print, _log, told)), self._before))

    def end(self) -> None:
        """Let them be called at once again."""
        builtins.print, logging.Logger._log, warnings.warn = self._before  # type: ignore[method-assign]
