"""The source lines of operations: MLIR's locations, read from
a printed module and removed from it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import PurePath

from .errors import SourceError

_ALIAS = re.compile(r"(#loc\d*) = loc\((.*)\)$")
_STRING = r'"(?:[^"\\]|\\.)*"'
_FILE = re.compile(rf"({_STRING}):(\d+):\d+")
_NAMED = re.compile(rf"({_STRING})(?:\((.*)\))?$")
_START = re.compile(rf" loc\(|{_STRING}")

Frames = tuple[str, ...]  # 'file.py:12' of the operation itself, then of the calls it was inlined through


class Locations:
    """The `lines` of a module without locations, and the source line of each."""

    def __init__(self, text: str) -> None:
        self._aliases: dict[str, str] = {}
        self._of_line: dict[int, str] = {}
        self._known: dict[str, Frames] = {}
        self.lines: list[tuple[int, str]] = []
        openers: list[int] = []
        for number, raw in enumerate(text.splitlines(), 1):
            alias = _ALIAS.match(raw)
            if alias:
                self._aliases[alias.group(1)] = alias.group(2)
                continue
            line, location = strip(raw.strip())
            self.lines.append((number, line))
            if location:
                self._of_line[number] = location
            if line.startswith("}") and openers:  # an operation with regions has its location at its end
                opener = openers.pop()
                self._of_line[opener] = location
                if line.endswith("{"):
                    openers.append(opener)
            elif line.endswith("{"):
                openers.append(number)

    def source(self, number: int | None) -> str:
        """'kernel.py:12', or 'helpers.py:3, called from kernel.py:12' if inlined; '' if unknown."""
        if number is None or number not in self._of_line:
            return ""
        return ", called from ".join(self._frames(self._of_line[number]))

    @contextmanager
    def named(self) -> Iterator[None]:
        """Around lowering: errors about a line of this module
        get the line of the kernel's source.
        """
        try:
            yield
        except SourceError as error:
            error.source = error.source or self.source(error.line)
            raise

    def _frames(self, location: str) -> Frames:
        if location not in self._known:
            self._known[location] = self._read(location.strip())
        return self._known[location]

    def _read(self, location: str) -> Frames:
        if location.startswith("#loc"):
            return self._frames(self._aliases.get(location, "unknown"))
        if location.startswith("callsite("):
            callee, caller = _split_callsite(location[len("callsite(") : -1])
            inner, outer = self._frames(callee), self._frames(caller)
            return inner + outer[1 if inner[-1:] == outer[:1] else 0 :]
        file = _FILE.match(location)
        if file:
            return (f"{PurePath(file.group(1)[1:-1]).name}:{file.group(2)}",)
        named = _NAMED.match(location)
        return self._frames(named.group(2)) if named and named.group(2) else ()


def strip(line: str) -> tuple[str, str]:
    """The line without its locations, and the last of them, which is the operation's own."""
    if " loc(" not in line:
        return line, ""
    rest, location, position = "", "", 0
    while True:
        match = _START.search(line, position)
        if match is None:
            return rest + line[position:], location
        if match.group(0) == " loc(":
            end = _closing(line, match.end() - 1)
            location = line[match.end() : end]
            rest += line[position : match.start()]
            position = end + 1
        else:
            rest += line[position : match.end()]
            position = match.end()


def _closing(text: str, start: int) -> int:
    """The parenthesis that closes the one at `start`."""
    depth = 0
    for match in re.finditer(rf"{_STRING}|[()]", text[start:]):
        depth += {"(": 1, ")": -1}.get(match.group(0), 0)
        if depth == 0:
            return start + match.start()
    return len(text) - 1


def _split_callsite(text: str) -> tuple[str, str]:
    """`callee at caller`, either of which may be a call site itself."""
    depth = 0
    for match in re.finditer(rf"{_STRING}|[()]| at ", text):
        depth += {"(": 1, ")": -1}.get(match.group(0), 0)
        if depth == 0 and match.group(0) == " at ":
            return text[: match.start()], text[match.end() :]
    return text, "unknown"
