"""Code objects as lists of instructions, into which others can be put.

All else stays as it is: the numbers of constants, names and variables, the lines and columns of instructions, and which exceptions
go where. Only jumps, and the tables of lines and of exceptions, are moved. What is put before an instruction belongs to its line
and to its `try`, and jumps to the instruction meet it.

    offsets     count words of two bytes: an operation and eight bits of its argument
    EXTENDED_ARG words belong to the instruction that they precede, CACHE words to the one that they follow
"""

from __future__ import annotations

import dis
import functools
import opcode
import sys
from collections.abc import Iterator
from types import CodeType
from typing import Any, NamedTuple

VERSION = sys.version_info[:2]
_EXTENDED = dis.EXTENDED_ARG
_RELATIVE, _ABSOLUTE = frozenset(dis.hasjrel), frozenset(dis.hasjabs)
_BACKWARD = {each for each in _RELATIVE if "BACKWARD" in opcode.opname[each] or opcode.opname[each] == "END_ASYNC_FOR"}


class ListedInstruction:
    """An instruction, and what is put around it.

    Attributes:
        name, argument: what it is; 0 where it has no argument.
        start: its offset in the code that was read.
        target: the offset to which it may jump, in the code that was read; None for others.
        is_target: whether there is a jump to it.
        caches: the number of words behind it that Python keeps for itself.
        before, after: words that are put before and behind it.
    """

    __slots__ = ("name", "argument", "start", "target", "is_target", "caches", "before", "after")

    def __init__(self, name: str, argument: int, start: int) -> None:
        self.name = name
        self.argument = argument
        self.start = start
        self.target: int | None = None
        self.is_target = False
        self.caches = 0
        self.before = b""
        self.after = b""


class Handler(NamedTuple):
    """A line of the table of exceptions: from `start` to `stop` they go to `target`, with a stack of this depth."""

    start: int
    stop: int
    target: int
    depth: int
    pushes_offset: bool


# -------------------------------------------------------------------------------------------------------------------- read


def instructions(code: CodeType) -> list[ListedInstruction]:
    """The instructions of code."""
    words = code.co_code
    result: list[ListedInstruction] = []
    start = extended = 0
    for offset in range(0, len(words), 2):
        operation, argument = words[offset], extended | words[offset + 1]
        if operation == _EXTENDED:
            extended = argument << 8
        elif operation == 0 and VERSION >= (3, 11):  # CACHE
            result[-1].caches += 1
            start = offset // 2 + 1
        else:
            result.append(ListedInstruction(opcode.opname[operation], argument, start))
            extended, start = 0, offset // 2 + 1
    _find_targets(result, len(words) // 2)
    return result


def _find_targets(listing: list[ListedInstruction], end: int) -> None:
    jumped = set()
    for each, after in zip(listing, [*[other.start for other in listing[1:]], end]):
        operation = opcode.opmap[each.name]
        if operation in _ABSOLUTE:
            each.target = each.argument
        elif operation in _RELATIVE:
            each.target = after - each.argument if operation in _BACKWARD else after + each.argument
        jumped.add(each.target)
    for each in listing:
        each.is_target = each.start in jumped


def handlers(code: CodeType) -> list[Handler]:
    """Which exceptions go where; in Python 3.10, instructions say it."""
    if VERSION < (3, 11):
        return []
    numbers = _numbers(code.co_exceptiontable)  # type: ignore[attr-defined]
    result = []
    for start, length, target, depth in zip(numbers, numbers, numbers, numbers):
        result.append(Handler(start, start + length, target, depth >> 1, bool(depth & 1)))
    return result


def _numbers(table: bytes) -> Iterator[int]:
    """The numbers of a table: six bits in each byte, the highest first."""
    number = 0
    for byte in table:
        number = number << 6 | byte & 63
        if not byte & 64:
            yield number
            number = 0


# ------------------------------------------------------------------------------------------------------------------- write


@functools.lru_cache(4096)
def words(name: str, argument: int = 0) -> bytes:
    """The words of an instruction."""
    return _extended(opcode.opmap[name], argument) + bytes(2 * caches(name))


def _extended(operation: int, argument: int) -> bytes:
    result = bytes((operation, argument & 255))
    while argument > 255:
        argument >>= 8
        result = bytes((_EXTENDED, argument & 255)) + result
    return result


@functools.cache
def caches(name: str) -> int:
    """How many words Python keeps behind an instruction."""
    if VERSION < (3, 11):
        return 0
    table = dis._inline_cache_entries  # type: ignore[attr-defined]
    return int(table.get(name, 0) if isinstance(table, dict) else table[opcode.opmap[name]])


def assemble(code: CodeType, listing: list[ListedInstruction], constants: tuple[object, ...], stacksize: int) -> CodeType:
    """The code with other instructions."""
    bodies, starts = _laid_out(listing, len(code.co_code) // 2)
    tables: dict[str, Any] = {"co_linetable": _lines(code, starts)}
    if VERSION >= (3, 11):
        tables["co_exceptiontable"] = _exceptions(handlers(code), starts)
    return code.replace(co_code=b"".join(bodies), co_consts=constants, co_stacksize=stacksize, **tables)


def _laid_out(listing: list[ListedInstruction], end: int) -> tuple[list[bytes], list[int]]:
    """The words of instructions, and for each old offset the new one."""
    bodies = [each.before + _own(each, each.argument) + each.after for each in listing]
    jumps = [(index, each, each.target) for index, each in enumerate(listing) if each.target is not None]
    while True:  # a longer jump moves others
        starts = _offsets(listing, bodies, end)
        changed = False
        for index, each, old_target in jumps:
            after = starts[each.start] + (len(bodies[index]) - len(each.after)) // 2
            operation = opcode.opmap[each.name]
            target = starts[old_target]
            argument = target if operation in _ABSOLUTE else after - target if operation in _BACKWARD else target - after
            own = _own(each, argument)
            spare = len(bodies[index]) - len(each.before) - len(own) - len(each.after)
            own = bytes((_EXTENDED, 0)) * (spare // 2) + own  # no jump gets shorter, or it might never end
            changed |= spare < 0
            bodies[index] = each.before + own + each.after
        if not changed:
            return bodies, starts


def _own(instruction: ListedInstruction, argument: int) -> bytes:
    return _extended(opcode.opmap[instruction.name], argument) + bytes(2 * instruction.caches)


def _offsets(listing: list[ListedInstruction], bodies: list[bytes], end: int) -> list[int]:
    starts = [0] * (end + 1)
    new = 0
    for each, body, stop in zip(listing, bodies, [*[other.start for other in listing[1:]], end]):
        size = len(body) // 2
        for offset in range(each.start, stop):
            starts[offset] = new + min(offset - each.start, size)
        new += size
    starts[end] = new
    return starts


def _exceptions(table: list[Handler], starts: list[int]) -> bytes:
    result = bytearray()
    for each in table:
        start = starts[each.start]
        line = bytearray()
        for number in (start, starts[each.stop] - start, starts[each.target], each.depth << 1 | each.pushes_offset):
            line += _number(number)
        line[0] |= 128  # where lines begin
        result += line
    return bytes(result)


def _number(number: int) -> bytes:
    digits = [number & 63]
    while number > 63:
        number >>= 6
        digits.append(number & 63 | 64)
    return bytes(reversed(digits))


# ------------------------------------------------------------------------------------------------------- the table of lines


def _lines(code: CodeType, starts: list[int]) -> bytes:
    table = code.co_linetable
    return _stretched(table, starts) if VERSION >= (3, 11) else _stretched_pairs(table, starts)


def _stretched(table: bytes, starts: list[int]) -> bytes:
    """The table of Python 3.11: entries of up to eight words.

    The first byte of an entry alone has the highest bit. It has the entry's kind, and how many words it is of, less one. The others
    have the columns, and by how much the line differs from the entry before, which is 0 where an entry is made into several.
    """
    result = bytearray()
    offset = position = 0
    while position < len(table):
        after = position + 1
        while after < len(table) and not table[after] & 128:
            after += 1
        kind, length = table[position] >> 3 & 15, (table[position] & 7) + 1
        content = table[position + 1 : after]
        size = starts[offset + length] - starts[offset]
        while size > 0:
            result.append(128 | kind << 3 | min(size, 8) - 1)
            result += content
            size -= 8
            kind, content = _same_line(kind, content)
        offset, position = offset + length, after
    return bytes(result)


def _same_line(kind: int, content: bytes) -> tuple[int, bytes]:
    """An entry of the line of the one before."""
    if 10 <= kind <= 12:
        return 10, content
    if kind == 13:
        return 13, b"\0"
    if kind == 14:
        first = next(index for index, byte in enumerate(content) if not byte & 64)
        return 14, b"\0" + content[first + 1 :]
    return kind, content


def _stretched_pairs(table: bytes, starts: list[int]) -> bytes:
    """The table of Python 3.10: pairs of how many bytes an entry is of, and by how much its line differs; 128 says it has none."""
    result = bytearray()
    offset = 0
    for length, line in zip(table[::2], table[1::2]):
        size = 2 * (starts[offset + length // 2] - starts[offset])
        offset += length // 2
        while size > 254:
            result += bytes((254, line))
            size -= 254
            line = line if line == 128 else 0
        result += bytes((size, line))
    return bytes(result)
