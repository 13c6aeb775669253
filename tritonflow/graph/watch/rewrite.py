"""User code with probes: before an instruction that may read or write a variable, a copy of its operands goes to a `Site`.

    x = config.scale         LOAD_FAST   config                LOAD_FAST    config
                             LOAD_ATTR   scale                 COPY         1
                             STORE_FAST  x                     BUILD_TUPLE  1
                                                               LOAD_CONST   <Site attribute scale>
                                                               CONTAINS_OP            # calls the site with (config,)
                                                               POP_TOP
                                                               LOAD_ATTR    scale
                                                               STORE_FAST   x

The instruction itself runs as it did, so that a probe cannot change what the program does. `CONTAINS_OP` calls a method of the
site in every version of Python with the same stack, and leaves a bool. Instructions that load a method for a call are split into
one that loads an attribute and the call of it, so that the site of the call is given what is called.
"""

from __future__ import annotations

import sys
from collections import OrderedDict
from collections.abc import Callable, Iterator
from threading import get_ident
from types import CodeType
from typing import Any

from bytecode import CellVar, ConcreteBytecode, FreeVar, Instr

VERSION = sys.version_info[:2]
_MOST = 4096  # rewritten code objects that are kept

Event = Callable[[Any, Any, tuple[Any, ...]], None]  # of who watches, the site's argument and the operands


class Current:
    """Who watches at present, and the thread that is watched.

    Attributes:
        watch: the one whose methods events call; None while nobody watches.
        thread: its identity.
    """

    watch: Any = None
    thread = 0


class Site:
    """An instruction that is watched.

    Args:
        event: what is called with who watches, `argument` and the operands.
        argument: the name in the instruction, or whatever else it has.
    """

    __slots__ = ("event", "argument")

    def __init__(self, event: Event, argument: Any) -> None:
        self.event = event
        self.argument = argument

    def __contains__(self, operands: tuple[Any, ...]) -> bool:
        watch = Current.watch
        if watch is not None and Current.thread == get_ident():
            if watch.is_tracing:
                watch.trace_no_more()
            self.event(watch, self.argument, operands)
        return False


class Rewriter:
    """Makes code with probes, each code object once.

    Args:
        events: by names of events (the values of `_OPERANDS` and the like), what sites call.
    """

    def __init__(self, events: dict[str, Event]) -> None:
        self._events = events
        self._done: OrderedDict[tuple[int, int], tuple[CodeType, Any, CodeType]] = OrderedDict()

    def __call__(self, code: CodeType, variables: dict[str, Any]) -> CodeType:
        """The code with probes, for functions with these global variables."""
        key = id(code), id(variables)
        found = self._done.get(key)
        if found is None:
            found = self._done[key] = code, variables, self._rewritten(code, variables)  # which keeps both alive
            if len(self._done) > _MOST:
                self._done.popitem(last=False)
        return found[2]

    def _rewritten(self, code: CodeType, variables: dict[str, Any]) -> CodeType:
        conserved = {} if VERSION < (3, 11) else {"conserve_exception_block_stackdepth": True}
        listing = ConcreteBytecode.from_code(code).to_bytecode(**conserved)
        result: list[Any] = []
        instructions = list(listing)
        begun = False
        for position, instruction in enumerate(instructions):
            if isinstance(instruction, Instr):
                result += self._watched(instruction, instructions, position, variables)
                if not begun and instruction.name == _FIRST:
                    begun = True
                    result += self._entry(code, instruction)
            else:
                result.append(instruction)
        if VERSION < (3, 11) and not begun:
            result[:0] = self._entry(code, next(each for each in instructions if isinstance(each, Instr)))
        listing[:] = result
        extra = 4 + max([each.arg for each in result if isinstance(each, Instr) and each.name == "BUILD_TUPLE"], default=0)
        if VERSION >= (3, 11):
            options = {} if VERSION < (3, 11) else {"compute_exception_stack_depths": False}  # they are as they were
        return listing.to_code(stacksize=code.co_stacksize + extra, **options)

    def _entry(self, code: CodeType, first: Instr) -> Iterator[Instr]:
        """The probe at the beginning of a function, which is given the arguments."""
        line: Any = {"location": first.location} if VERSION >= (3, 11) else {"lineno": first.lineno}
        names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        for name in names:
            is_cell = name in code.co_cellvars
            yield Instr("LOAD_DEREF", CellVar(name), **line) if is_cell else Instr("LOAD_FAST", name, **line)
        yield Instr("BUILD_TUPLE", len(names), **line)
        yield Instr("LOAD_CONST", Site(self._events["enter"], code), **line)
        yield Instr("CONTAINS_OP", 0, **line)
        yield Instr("POP_TOP", **line)

    def _watched(self, instruction: Instr, around: list[Any], position: int, variables: dict[str, Any]) -> Iterator[Any]:
        """An instruction behind its probe."""
        name, argument = instruction.name, instruction.arg
        line = instruction.location if VERSION >= (3, 11) else instruction.lineno

        def make(operation: str, *argument: Any) -> Instr:
            return Instr(operation, *argument, **({"location": line} if VERSION >= (3, 11) else {"lineno": line}))

        def probe(event: str, argument: Any, copies: list[Instr]) -> Iterator[Instr]:
            yield from copies
            yield make("BUILD_TUPLE", len(copies))
            yield make("LOAD_CONST", Site(self._events[event], argument))
            yield make("CONTAINS_OP", 0)
            yield make("POP_TOP")

        def copies(count: int) -> list[Instr]:
            return [make("COPY", count) for _ in range(count)]

        def top(event: str, argument: Any, count: int) -> Iterator[Instr]:
            """A probe with the uppermost operands."""
            if VERSION >= (3, 11):
                yield from probe(event, argument, copies(count))
            else:
                yield from _before_copy(make, count, Site(self._events[event], argument))

        if name == "LOAD_CONST" and isinstance(argument, CodeType):
            yield make("LOAD_CONST", self(argument, variables))
            return
        if name in _GLOBALS:
            key = variables, argument[1] if isinstance(argument, tuple) else argument
            if name == "STORE_GLOBAL":
                yield from top("store_global", key, 1)
            else:
                yield from probe("delete_global" if name == "DELETE_GLOBAL" else "load_global", key, [])
        elif name in _CELLS and isinstance(argument, FreeVar):
            cell = [make("LOAD_CLOSURE" if VERSION < (3, 13) else "LOAD_FAST", argument)]
            if name == "STORE_DEREF":
                yield from probe("store_cell", argument.name, [*cell, *_second(make)])
            else:
                yield from probe(_CELLS[name], argument.name, cell)
        elif name in _NAMED:
            event, count = _NAMED[name]
            yield from top(event, argument[-1] if isinstance(argument, tuple) else argument, count)
        elif name in _OPERANDS:
            event, count = _OPERANDS[name]
            if name == "FORMAT_VALUE" and argument & 4:  # what it is to look like lies on top
                count = 2
            if not (event == "truth" and _gives_bool(around, position)):
                yield from top(event, argument, count)
        elif name == "BINARY_OP" or name.startswith(_ARITHMETIC):
            operator = argument.name if name == "BINARY_OP" else name
            if operator == "SUBSCR":
                yield from top("load_item", None, 2)
            else:
                yield from top("write_binary" if "INPLACE" in operator else "binary", operator, 2)
        elif name in _CALLS:
            keywords = _keywords(around, position)
            if not (position and isinstance(around[position - 1], Instr) and around[position - 1].name in _CALL_PREFIXES):
                yield from self._call(name, _count(around, position), keywords, make, probe, top)
        elif name in ("CALL_FUNCTION_EX", "CALL_KW", "CALL_FUNCTION_KW"):
            yield from self._call(name, argument, None, make, probe, top)
        yield from _split(make, instruction)

    def _call(self, name: str, count: int, keywords: Any, make: Any, probe: Any, top: Any) -> Iterator[Instr]:
        """The probe of a call: what is called, and the arguments."""
        if name == "CALL_FUNCTION_EX":
            given = 1 + (VERSION >= (3, 14) or count & 1)  # the arguments as a tuple, and keywords as a dict
            if VERSION >= (3, 14):
                yield from probe("call_star", None, [make("COPY", 4), make("COPY", 3)])
            elif VERSION >= (3, 13):
                yield from probe("call_star", None, [make("COPY", given + 2), *[make("COPY", given + 1) for _ in range(given)]])
            else:
                yield from top("call_star", None, given + 1)
        elif name in ("CALL_KW", "CALL_FUNCTION_KW"):
            count += 1  # the keywords' names lie on top
            if VERSION >= (3, 13):
                yield from probe("call_named", None, [make("COPY", count + 2), *[make("COPY", count + 1) for _ in range(count)]])
            else:
                yield from top("call_named", None, count + 1)
        elif VERSION >= (3, 13):
            yield from probe("call", keywords, [make("COPY", count + 2), *[make("COPY", count + 1) for _ in range(count)]])
        else:
            yield from top("call", keywords, count + 1)


_FIRST = "RESUME" if VERSION >= (3, 11) else "GEN_START"  # behind it the arguments are there

# What is watched of each instruction: an event's name, and how many operands it is given. An instruction that a version of Python
# does not have is never met.
_NAMED = {
    "LOAD_ATTR": ("load_attribute", 1), "LOAD_METHOD": ("load_attribute", 1), "IMPORT_FROM": ("load_attribute", 1),
    "STORE_ATTR": ("store_attribute", 2), "DELETE_ATTR": ("delete_attribute", 1),
}  # fmt: skip
_GLOBALS = ("LOAD_GLOBAL", "LOAD_NAME", "LOAD_FROM_DICT_OR_GLOBALS", "STORE_GLOBAL", "DELETE_GLOBAL")
_CELLS = {
    "LOAD_DEREF": "load_cell", "LOAD_CLASSDEREF": "load_cell", "LOAD_FROM_DICT_OR_DEREF": "load_cell",
    "STORE_DEREF": "store_cell", "DELETE_DEREF": "delete_cell",
}  # fmt: skip
_OPERANDS = {
    "BINARY_SUBSCR": ("load_item", 2), "BINARY_SLICE": ("load_slice", 3), "STORE_SUBSCR": ("store_item", 3),
    "STORE_SLICE": ("store_slice", 4), "DELETE_SUBSCR": ("delete_item", 2), "GET_ITER": ("iterate", 1),
    "GET_YIELD_FROM_ITER": ("iterate", 1), "CONTAINS_OP": ("contains", 2), "COMPARE_OP": ("binary", 2),
    "UNPACK_SEQUENCE": ("iterate", 1), "UNPACK_EX": ("iterate", 1), "LIST_EXTEND": ("iterate", 1), "SET_UPDATE": ("iterate", 1),
    "DICT_UPDATE": ("iterate", 1), "DICT_MERGE": ("iterate", 1), "GET_LEN": ("iterate", 1), "MATCH_KEYS": ("match", 2),
    "FORMAT_VALUE": ("format", 1), "FORMAT_SIMPLE": ("format", 1), "CONVERT_VALUE": ("format", 1),
    "FORMAT_WITH_SPEC": ("format", 2),
    "UNARY_NOT": ("truth", 1), "TO_BOOL": ("truth", 1), "POP_JUMP_IF_TRUE": ("truth", 1), "POP_JUMP_IF_FALSE": ("truth", 1),
    "POP_JUMP_FORWARD_IF_TRUE": ("truth", 1), "POP_JUMP_FORWARD_IF_FALSE": ("truth", 1), "POP_JUMP_BACKWARD_IF_TRUE": ("truth", 1),
    "POP_JUMP_BACKWARD_IF_FALSE": ("truth", 1), "JUMP_IF_TRUE_OR_POP": ("truth", 1), "JUMP_IF_FALSE_OR_POP": ("truth", 1),
    "MATCH_CLASS": ("match", 3),
}  # fmt: skip
_ARITHMETIC = (
    "BINARY_POWER", "BINARY_MULTIPLY", "BINARY_MODULO", "BINARY_ADD", "BINARY_SUBTRACT", "BINARY_FLOOR", "BINARY_TRUE", "BINARY_L",
    "BINARY_R", "BINARY_AND", "BINARY_XOR", "BINARY_OR", "INPLACE_",
)  # fmt: skip
_CALLS = ("CALL", "PRECALL", "KW_NAMES", "CALL_FUNCTION", "CALL_METHOD")
_CALL_PREFIXES = ("PRECALL", "KW_NAMES")  # instructions that come before the one that calls, in this order reversed
_BOOLS = ("COMPARE_OP", "CONTAINS_OP", "IS_OP", "UNARY_NOT", "TO_BOOL", "CHECK_EXC_MATCH", "WITH_EXCEPT_START")


def _gives_bool(around: list[Any], position: int) -> bool:
    """Whether what an instruction finds on the stack is a bool: the one before it makes one."""
    before = around[position - 1] if position else None
    return isinstance(before, Instr) and before.name in _BOOLS


def _keywords(around: list[Any], position: int) -> tuple[str, ...] | None:
    """The names of a call's last arguments."""
    instruction = around[position]
    return instruction.arg if instruction.name == "KW_NAMES" else None


def _count(around: list[Any], position: int) -> int:
    """The number of arguments of a call; `position` is of its first instruction."""
    while around[position].name not in ("CALL", "CALL_FUNCTION", "CALL_METHOD"):
        position += 1
    count: int = around[position].arg
    return count


def _second(make: Any) -> list[Instr]:
    """A copy of what lies below the top of the stack."""
    return [make("COPY", 2)] if VERSION >= (3, 11) else [make("ROT_TWO"), make("DUP_TOP"), make("ROT_THREE")]


def _before_copy(make: Any, count: int, site: Site) -> Iterator[Instr]:
    """A probe in Python 3.10, which copies one operand or two: more are put into a tuple, and taken out twice to be in order."""
    if count > 2:
        yield make("BUILD_TUPLE", count)
        yield make("DUP_TOP")
    else:
        yield make("DUP_TOP" if count == 1 else "DUP_TOP_TWO")
        yield make("BUILD_TUPLE", count)
    yield make("LOAD_CONST", site)
    yield make("CONTAINS_OP", 0)
    yield make("POP_TOP")
    if count > 2:
        yield make("UNPACK_SEQUENCE", count)
        yield make("BUILD_TUPLE", count)
        yield make("UNPACK_SEQUENCE", count)


def _split(make: Any, instruction: Instr) -> Iterator[Instr]:
    """An instruction; one that loads a method as one that loads an attribute."""
    name, argument = instruction.name, instruction.arg
    if name == "LOAD_METHOD" and VERSION >= (3, 11):
        yield make("LOAD_ATTR", argument)
        yield make("PUSH_NULL")
        yield make("SWAP", 2)
    elif name == "LOAD_METHOD":
        yield make("LOAD_ATTR", argument)
    elif name == "LOAD_SUPER_ATTR" and argument[0]:
        yield make("LOAD_SUPER_ATTR", (False, *argument[1:]))
        yield make("PUSH_NULL")
        if VERSION < (3, 13):
            yield make("SWAP", 2)
    elif name == "CALL_METHOD":
        yield make("CALL_FUNCTION", argument)
    elif name == "LOAD_ATTR" and isinstance(argument, tuple) and argument[0]:
        yield make("LOAD_ATTR", (False, argument[1]))
        yield make("PUSH_NULL")
        if VERSION < (3, 13):
            yield make("SWAP", 2)
    else:
        yield instruction
