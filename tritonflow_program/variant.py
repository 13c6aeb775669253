"""What runs for some sizes, as the text has it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple
from urllib.parse import unquote

from tritonflow_program.folder import Folder

Number = str
"""A number of the text: itself, or `#3`, the number of that line."""


class Operand(NamedTuple):
    """A launch's argument: `v` for a value, or an address: input, output, state, arena, table of addresses, error word."""

    kind: str
    number: int
    offset: Number


class Output(NamedTuple):
    """A result by its number (-1 for none), its name, dtype, and what it is for some sizes."""

    result: int
    name: str
    dtype: str
    nbytes: Number
    shape: Sequence[Number]
    stride: Sequence[Number]


class Word(NamedTuple):
    """What it means that an error word is set: the class of the error, and its text, one for all sizes or one for each."""

    error: str
    texts: Sequence[str]


class Launch(NamedTuple):
    """A kernel by its number, its grid, whether the caller runs it alone, its error word (-1 for none), and its arguments."""

    kernel: int
    grid: Sequence[Number]
    alone: Number
    word: int
    operands: Sequence[Operand]


class Variant:
    """The launches for some sizes, of which numbers are formulas."""

    def __init__(self, folder: Folder) -> None:
        folder.take("variant")
        self._numbers = [words[1:] for words in folder.lines("number", 2)]
        self.outputs = [_output(words) for words in folder.lines("output", 5)]
        self.arena = folder.take("arena", 1)[1]
        self.buffers = [words[1] for words in folder.lines("buffer", 1)]
        self.undo = [int(word) for word in folder.take("undo", 1)[2:]]
        self.words = [Word(words[1], [unquote(text) for text in words[3:]]) for words in folder.lines("word", 3)]
        self.tables = [_operands(words[2:]) for words in folder.lines("table", 1)]
        self.launches = [_launch(words) for words in folder.lines("launch", 7)]

    def values(self, sizes: Sequence[int], position: int) -> Values:
        """What its numbers are for some sizes, which have a position among those that it is for."""
        found = Values()
        for operation, *operands in self._numbers:
            if operation == "size":
                found.all.append(sizes[int(operands[0])])
            elif operation == "table":
                found.all.append(int(operands[position]))
            else:
                found.all.append(_calculated(operation, found.of(operands[0]), found.of(operands[1])))
        return found


class Values:
    """Numbers for some sizes."""

    def __init__(self) -> None:
        self.all: list[int] = []

    def of(self, number: Number) -> int:
        """What a number of the text is."""
        return self.all[int(number[1:])] if number[0] == "#" else int(number)


def _calculated(operation: str, a: int, b: int) -> int:
    if operation in ("add", "sub"):
        return a + b if operation == "add" else a - b
    if operation == "mul":
        return a * b
    if operation in ("div", "mod"):
        return a // b if operation == "div" else a % b
    return {"min": min, "max": max}[operation](a, b)


def _operands(words: Sequence[str]) -> list[Operand]:
    return [Operand(words[k], int(words[k + 1]), words[k + 2]) for k in range(0, len(words), 3)]


def _output(words: Sequence[str]) -> Output:
    rank = int(words[5])
    return Output(int(words[1]), unquote(words[2]), words[3], words[4], words[6 : 6 + rank], words[6 + rank :])


def _launch(words: Sequence[str]) -> Launch:
    return Launch(int(words[1]), words[2:5], words[5], int(words[6]), _operands(words[8:]))
