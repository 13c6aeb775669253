"""The files of a program, read once and checked: what is used is what was checked, not what lies there later."""

from __future__ import annotations

import hashlib
import os
import platform
import sys
from collections.abc import Iterator
from pathlib import Path

from tritonflow_program.errors import ProgramError

VERSION = 1
PROGRAM = "program.txt"


class Folder:
    """A folder whose digests hold.

    Args:
        path: where it is.
        digest: what its digest must be; None for any.

    Attributes:
        digest: of all its files.
        files: their bytes, by name.
        words: the lines of its text behind the list of files, split.

    Raises:
        ProgramError: one byte is not as it was written, a file is missing, or a later version or another system wrote it.
    """

    def __init__(self, path: str | os.PathLike[str], digest: str | None = None) -> None:
        self.path = Path(path)
        text, self.digest = self._text()
        if digest is not None and digest.lower() != self.digest:
            raise self.error(f"its digest is {self.digest}, not {digest}")
        lines = text.split("\n")[:-1]
        self.words: Iterator[list[str]] = iter([line.split(" ") for line in lines])
        kind, name, version = self.take("tritonflow", 2)[:3]
        if name != "program":
            raise self.error("it is no exported program")
        if int(version) > VERSION:
            raise self.error(f"a later version of tritonflow wrote it: its format is {version}, and this reads up to {VERSION}")
        self._check_system(self.take("system", 2)[1:])
        self.made = self.take("made", 2)[1]
        self.files = {name: self._file(name, int(size), sha) for _, name, size, sha in self.lines("file", 3)}

    def error(self, reason: str) -> ProgramError:
        """An error that names the folder."""
        return ProgramError(f"cannot load the program in {str(self.path)!r}: {reason}")

    def take(self, name: str, least: int = 0) -> list[str]:
        """The next line, which begins with a name and has so many words more, at least."""
        words = next(self.words, [""])
        if words[0] != name or len(words) < least + 1:
            raise self.error(f"a line of {PROGRAM} should be '{name}', and is '{' '.join(words)[:40]}'")
        return words

    def lines(self, name: str, least: int) -> list[list[str]]:
        """The lines of a section: `files 2` begins one of two lines `file`."""
        count = int(self.take(f"{name}s" if name != "launch" else "launches", 1)[1])
        return [self.take(name, least) for _ in range(count)]

    def _text(self) -> tuple[str, str]:
        """The text without its last line, and the digest that this line has."""
        try:
            data = (self.path / PROGRAM).read_bytes()
        except OSError as error:
            raise self.error(f"there is no {PROGRAM} to be read ({error.strerror})") from None
        body, last = data[:-72], data[-72:]
        digest = hashlib.sha256(body).hexdigest()
        if last != f"digest {digest}\n".encode():
            raise self.error(f"{PROGRAM} is damaged, or is no exported program: its digest does not match")
        return body.decode(), digest

    def _file(self, name: str, size: int, sha: str) -> bytes:
        if "/" in name or name.startswith("."):
            raise self.error(f"a file is called {name!r}")
        try:
            data = (self.path / name).read_bytes()
        except OSError as error:
            raise self.error(f"{name} cannot be read ({error.strerror})") from None
        if len(data) != size:
            raise self.error(f"{name} is damaged: it has {len(data)} bytes, and should have {size}")
        if hashlib.sha256(data).hexdigest() != sha:
            raise self.error(f"{name} is damaged: its digest does not match")
        return data

    def _check_system(self, system: list[str]) -> None:
        here = [sys.platform, platform.machine()]
        if system != here:
            raise self.error(f"it is for {' '.join(system)}, and this is {' '.join(here)}")
