"""Where a public name is defined, and a page of each such file: the site needs no repository on a host."""

from __future__ import annotations

import functools
import inspect
from pathlib import Path
from typing import Any

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

ROOT = Path(__file__).resolve().parents[2]
FOLDER = "source"


def where(value: Any) -> tuple[str, int] | None:
    """The file, seen from the repository, and the line of a function or a class. Other values have none."""
    if isinstance(value, property):
        value = value.fget
    value = inspect.unwrap(getattr(value, "__func__", value)) if callable(value) or hasattr(value, "__func__") else value
    if isinstance(value, functools.partial):
        value = value.func
    if not (inspect.isclass(value) or inspect.isroutine(value)):
        value = type(value) if callable(value) else None
    try:
        path, line = Path(inspect.getsourcefile(value) or "").resolve(), inspect.getsourcelines(value)[1]
    except (TypeError, OSError):
        return None
    return (str(path.relative_to(ROOT)), max(line, 1)) if path.is_relative_to(ROOT) else None


def address(path: str, line: int) -> str:
    """What a page of the site that is not in a folder calls it."""
    return f"{FOLDER}/{path}.html#L-{line}"


def page(path: str) -> str:
    """A file with its lines' numbers, as a page of its own."""
    formatter = HtmlFormatter(full=True, title=path, linenos="inline", lineanchors="L", anchorlinenos=True, style="default")
    return str(highlight((ROOT / path).read_text(), PythonLexer(), formatter))
