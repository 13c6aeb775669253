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

This file and `listing` need only Python, so that they can be tested with versions for which there is no torch.
"""

from __future__ import annotations

import dis
import functools
import opcode
import sys
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import get_ident
from types import CodeType
from typing import Any, NamedTuple, Protocol

from tritonflow.graph.watch import listing
from tritonflow.graph.watch.listing import VERSION, Handler, ListedInstruction, words

_MOST = 4096  # rewritten code objects that are kept

Event = Callable[[Any, Any, tuple[Any, ...]], None]  # of who watches, the site's argument and the operands


class Current:
    """Who watches at present, and the thread that is watched.

    Attributes:
        watch: the one whose methods events call; None while nobody watches.
        thread: its identity.
        is_told: whether it is being told of an event: what it calls of the user's, such as an `__eq__`, is no part of the program.
    """

    watch: Any = None
    thread = 0
    is_told = False


@contextmanager
def untold() -> Iterator[None]:
    """A block whose user code, such as an `__eq__` by which keys are compared, is no part of the program."""
    before, Current.is_told = Current.is_told, True
    try:
        yield
    finally:
        Current.is_told = before


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
        if watch is not None and Current.thread == get_ident() and not Current.is_told:
            Current.is_told = True
            try:
                if watch.tracer.is_on:
                    watch.tracer.returned(sys._getframe(1))
                self.event(watch, self.argument, operands)
            finally:
                Current.is_told = False
        return False


class Callees(Protocol):
    """What is called where a function is called by one of some names: that function itself, or another one."""

    names: frozenset[str]

    def __getitem__(self, function: Any) -> Any: ...


class Rewriter:
    """Makes code with probes, each code object once.

    Args:
        events: by names of events (the values of `_OPERANDS` and the like), what sites call.
        callees: which functions are called in the stead of others.
    """

    def __init__(self, events: dict[str, Event], callees: Callees | None = None) -> None:
        self._events = events
        self._callees = callees
        self._done: OrderedDict[tuple[int, int], tuple[CodeType, Any, CodeType]] = OrderedDict()
        self._originals: dict[int, CodeType] = {}  # by the identities of code with probes

    def __call__(self, code: CodeType, variables: dict[str, Any]) -> CodeType:
        """The code with probes, for functions with these global variables."""
        key = id(code), id(variables)
        found = self._done.get(key)
        if found is None:
            found = self._done[key] = code, variables, self._rewritten(code, variables)  # which keeps both alive
            self._originals[id(found[2])] = code
            if len(self._done) > _MOST:
                _, (_, _, oldest) = self._done.popitem(last=False)
                del self._originals[id(oldest)]
        return found[2]

    def original(self, code: CodeType) -> CodeType:
        """The code of which one with probes was made; another one itself."""
        return self._originals.get(id(code), code)

    def _rewritten(self, code: CodeType, variables: dict[str, Any]) -> CodeType:
        instructions = listing.instructions(code)
        constants = [self(each, variables) if isinstance(each, CodeType) else each for each in code.co_consts]
        names = _CodeNames(code, variables)
        calls = _calls(instructions, listing.handlers(code)) if VERSION >= (3, 11) else {}
        most = 0  # operands of a probe
        for position, each in enumerate(instructions):
            if each.name not in _WATCHED:
                continue
            probe = _probe(instructions, position, names, calls)
            if probe is not None:
                event, argument, copies = probe
                each.before = copies.before + words("LOAD_CONST", len(constants)) + _CALL_SITE + copies.after
                constants.append(Site(self._events[event], argument))
                most = max(most, copies.number)
            replaced = self._callees is not None and _is_callee(instructions, position, names, self._callees.names)
            _split(each)
            if replaced:
                _lift_null(each)
                each.after = words("LOAD_CONST", len(constants)) + _ITEM + each.after
                constants.append(self._callees)
        begin = next((position for position, each in enumerate(instructions) if each.name == _FIRST), -1)
        entry, count = _arguments(code)
        entry += words("BUILD_TUPLE", count) + words("LOAD_CONST", len(constants)) + _CALL_SITE
        constants.append(Site(self._events["enter"], code))
        most = max(most, count)
        if begin >= 0 and instructions[begin + 1].is_target:  # to which a loop jumps back: the arguments may be gone then
            instructions[begin].after = entry + instructions[begin].after
        else:
            instructions[begin + 1].before = entry + instructions[begin + 1].before
        return listing.assemble(code, instructions, tuple(constants), code.co_stacksize + most + 2)


def _arguments(code: CodeType) -> tuple[bytes, int]:
    """Words that load the arguments of a function, and how many these are."""
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    loads = b""
    for number, name in enumerate(names):
        if name not in code.co_cellvars:
            loads += words("LOAD_FAST", number)
        else:
            loads += words("LOAD_DEREF", number if VERSION >= (3, 11) else code.co_cellvars.index(name))
    return loads, len(names)


class _CodeNames:
    """What the arguments of code's instructions stand for."""

    def __init__(self, code: CodeType, variables: dict[str, Any]) -> None:
        self.variables = variables
        self.constants = code.co_consts
        self._names = code.co_names
        self._free = code.co_freevars
        own = len(code.co_cellvars)
        if VERSION >= (3, 11):  # all variables have numbers in one row
            own = len({*code.co_varnames, *code.co_cellvars})
        self._first_free = own

    def name(self, instruction: ListedInstruction) -> str:
        """The name of an attribute or a global variable."""
        return self._names[instruction.argument >> _FLAGS.get(instruction.name, 0)]

    def free(self, instruction: ListedInstruction) -> str | None:
        """The name of a variable of an outer function; None for one of the function itself."""
        number = instruction.argument - self._first_free
        return self._free[number] if number >= 0 else None


class _Copies(NamedTuple):
    """Words that leave a tuple of copies of operands, and those that put the operands back after the probe."""

    number: int
    before: bytes
    after: bytes = b""


def _probe(
    instructions: list[ListedInstruction], position: int, names: _CodeNames, calls: dict[int, _Copies | None]
) -> tuple[str, Any, _Copies] | None:
    """The event of an instruction, the site's argument and the operands; None where there is nothing to watch."""
    instruction = instructions[position]
    name, argument = instruction.name, instruction.argument
    if name in _OPERANDS:
        event, count = _OPERANDS[name]
        if name == "FORMAT_VALUE" and argument & 4:  # what it is to look like lies on top
            count = 2
        return None if event == "truth" and _gives_bool(instructions, position) else (event, None, _uppermost(count))
    if name in _NAMED:
        event, count = _NAMED[name]
        return event, names.name(instruction), _uppermost(count)
    if name in _GLOBALS:
        return _GLOBALS[name], (names.variables, names.name(instruction)), _uppermost(1 if name == "STORE_GLOBAL" else 0)
    if name == "IMPORT_NAME":
        return "import_name", (names.variables, names.name(instruction)), _uppermost(2)
    if name in _CELLS:
        free = names.free(instruction)
        return None if free is None else (_CELLS[name], free, _cell(argument, name == "STORE_DEREF"))
    if name in _ARITHMETIC:
        operation = _operator(instruction)
        if operation == "SUBSCR":
            return "load_item", None, _uppermost(2)
        return "write_binary" if operation.startswith("INPLACE") else "binary", operation, _uppermost(2)
    if name == "CALL_FUNCTION_EX":
        has_keywords = instructions[position - 1].name != "PUSH_NULL" if VERSION >= (3, 14) else bool(argument & 1)
        return "call_star", None, _star(has_keywords)
    if name in ("CALL_KW", "CALL_FUNCTION_KW"):  # the keywords' names lie on top
        return "call_named", None, _above_null(argument + 2) if VERSION >= (3, 13) else _uppermost(argument + 2)
    if VERSION >= (3, 11):
        copies = calls.get(position)
        return None if copies is None else ("call", names.constants[argument] if name == "KW_NAMES" else None, copies)
    if name in ("CALL_FUNCTION", "CALL_METHOD") and instructions[position - 1].name != "DUP_TOP":  # that calls `__exit__`
        return "call", None, _uppermost(argument + 1)
    return None


# What is watched of each instruction: an event's name, and how many operands it is given. An instruction that a version of Python
# does not have is never met.
_NAMED = {
    "LOAD_ATTR": ("load_attribute", 1), "LOAD_METHOD": ("load_attribute", 1), "IMPORT_FROM": ("load_attribute", 1),
    "STORE_ATTR": ("store_attribute", 2), "DELETE_ATTR": ("delete_attribute", 1),
    "LOAD_SUPER_ATTR": ("load_super", 3),
}  # fmt: skip
_GLOBALS = {
    "LOAD_GLOBAL": "load_global", "LOAD_NAME": "load_global", "LOAD_FROM_DICT_OR_GLOBALS": "load_global",
    "STORE_GLOBAL": "store_global", "DELETE_GLOBAL": "delete_global",
}  # fmt: skip
_CELLS = {
    "LOAD_DEREF": "load_cell", "LOAD_CLASSDEREF": "load_cell", "LOAD_FROM_DICT_OR_DEREF": "load_cell",
    "STORE_DEREF": "store_cell", "DELETE_DEREF": "delete_cell",
}  # fmt: skip
_OPERANDS = {
    "BINARY_SUBSCR": ("load_item", 2), "BINARY_SLICE": ("load_slice", 3), "STORE_SUBSCR": ("store_item", 3),
    "STORE_SLICE": ("store_slice", 4), "DELETE_SUBSCR": ("delete_item", 2), "GET_ITER": ("iterate", 1),
    "GET_YIELD_FROM_ITER": ("iterate", 1), "CONTAINS_OP": ("contains", 2), "IS_OP": ("identity", 2), "COMPARE_OP": ("binary", 2),
    "UNPACK_SEQUENCE": ("iterate", 1), "UNPACK_EX": ("iterate", 1), "LIST_EXTEND": ("iterate", 1), "SET_UPDATE": ("iterate", 1),
    "DICT_UPDATE": ("iterate", 1), "DICT_MERGE": ("iterate", 1), "GET_LEN": ("iterate", 1), "MATCH_KEYS": ("match", 2),
    "COPY_DICT_WITHOUT_KEYS": ("iterate", 2),
    "FORMAT_VALUE": ("format", 1), "FORMAT_SIMPLE": ("format", 1), "CONVERT_VALUE": ("format", 1),
    "FORMAT_WITH_SPEC": ("format", 2),
    "UNARY_NOT": ("truth", 1), "TO_BOOL": ("truth", 1), "POP_JUMP_IF_TRUE": ("truth", 1), "POP_JUMP_IF_FALSE": ("truth", 1),
    "POP_JUMP_FORWARD_IF_TRUE": ("truth", 1), "POP_JUMP_FORWARD_IF_FALSE": ("truth", 1), "POP_JUMP_BACKWARD_IF_TRUE": ("truth", 1),
    "POP_JUMP_BACKWARD_IF_FALSE": ("truth", 1), "JUMP_IF_TRUE_OR_POP": ("truth", 1), "JUMP_IF_FALSE_OR_POP": ("truth", 1),
    "MATCH_CLASS": ("match", 3),
}  # fmt: skip
_FLAGS = {"LOAD_GLOBAL": int(VERSION >= (3, 11)), "LOAD_ATTR": int(VERSION >= (3, 12)), "LOAD_SUPER_ATTR": 2}  # bits of arguments
_ARITHMETIC = {"BINARY_OP"} if VERSION >= (3, 11) else {each for each in opcode.opmap if each.startswith(("BINARY_", "INPLACE_"))}
_CALLS = ("CALL", "PRECALL", "KW_NAMES", "CALL_FUNCTION", "CALL_METHOD", "CALL_FUNCTION_EX", "CALL_KW", "CALL_FUNCTION_KW")
_WATCHED = {"IMPORT_NAME", *_OPERANDS, *_NAMED, *_GLOBALS, *_CELLS, *_ARITHMETIC, *_CALLS}
_FIRST = "RESUME" if VERSION >= (3, 11) else "GEN_START"  # behind it the arguments are there
_BOOLS = ("COMPARE_OP", "CONTAINS_OP", "IS_OP", "UNARY_NOT", "TO_BOOL", "CHECK_EXC_MATCH", "WITH_EXCEPT_START")
_CALL_SITE = words("CONTAINS_OP") + words("POP_TOP")
_OPERATORS = (
    "ADD AND FLOOR_DIVIDE LSHIFT MATRIX_MULTIPLY MULTIPLY REMAINDER OR POWER RSHIFT SUBTRACT TRUE_DIVIDE XOR"
).split()  # and those in place, in the order of `BINARY_OP`


def _operator(instruction: ListedInstruction) -> str:
    """The operator of an instruction, by one name in all versions."""
    if instruction.name != "BINARY_OP":
        return instruction.name.removeprefix("BINARY_").replace("MODULO", "REMAINDER")
    in_place, number = divmod(instruction.argument, len(_OPERATORS))
    return "SUBSCR" if in_place == 2 else "INPLACE_" * in_place + _OPERATORS[number]


def _gives_bool(instructions: list[ListedInstruction], position: int) -> bool:
    """Whether what an instruction finds on the stack is a bool: the one before it makes one."""
    return position > 0 and not instructions[position].is_target and instructions[position - 1].name in _BOOLS


def _is_callee(instructions: list[ListedInstruction], position: int, names: _CodeNames, some: frozenset[str]) -> bool:
    """Whether an instruction loads, by one of some names, what is called behind it."""
    each = instructions[position]
    if each.name not in _LOADS_CALLEES or names.name(each) not in some:
        return False
    is_flagged = bool(each.argument & _FLAGS.get(each.name, 0))
    if each.name == "LOAD_METHOD" or (each.name == "LOAD_ATTR" and is_flagged):
        return True
    return _is_called(instructions, position, is_flagged and VERSION >= (3, 13))


def _is_called(instructions: list[ListedInstruction], position: int, loads_null: bool) -> bool:
    """Whether the first instruction that takes what one has loaded, with a NULL above it or without, is a call of it."""
    height = 1 + loads_null  # of the stack, from what is loaded on
    for each in instructions[position + 1 :]:
        if each.target is not None or each.is_target or (height == 1 and each.name in _ATTRIBUTES):
            return False
        if each.name == _CALLS_WITH and each.argument == height - (2 if VERSION >= (3, 13) else 1):
            return True
        height += _effect(each.name, each.argument, False)
        if height < 2 + loads_null:
            return False
    return False


def _split(instruction: ListedInstruction) -> None:
    """Make of an instruction that loads a method one that loads an attribute."""
    name = instruction.name
    if name == "CALL_METHOD":
        instruction.name = "CALL_FUNCTION"
    elif name == "LOAD_METHOD":
        instruction.name = "LOAD_ATTR"
        instruction.caches = listing.caches("LOAD_ATTR")
        instruction.after = _BELOW_NULL if VERSION >= (3, 11) else b""
    elif name in _METHOD_FLAGS and instruction.argument & 1:
        instruction.argument -= 1
        instruction.after = _BELOW_NULL


def _lift_null(instruction: ListedInstruction) -> None:
    """Make of an instruction that loads a variable to be called, and a NULL, two."""
    if instruction.name == "LOAD_GLOBAL" and instruction.argument & _FLAGS["LOAD_GLOBAL"]:
        instruction.argument -= 1
        instruction.after = _BELOW_NULL


_ATTRIBUTES = ("LOAD_ATTR", "LOAD_METHOD")
_CALLS_WITH = "CALL_FUNCTION" if VERSION < (3, 11) else "PRECALL" if VERSION < (3, 12) else "CALL"
_LOADS_CALLEES = ("LOAD_GLOBAL", *_ATTRIBUTES)
_ITEM = (words("SWAP", 2) if VERSION >= (3, 11) else words("ROT_TWO")) + (
    words("BINARY_OP", 26) if VERSION >= (3, 14) else words("BINARY_SUBSCR")
)  # what is loaded last, by what was loaded before it
_METHOD_FLAGS = ("LOAD_ATTR", "LOAD_SUPER_ATTR") if VERSION >= (3, 12) else ()
_BELOW_NULL = b"" if VERSION < (3, 11) else words("PUSH_NULL") if VERSION >= (3, 13) else words("PUSH_NULL") + words("SWAP", 2)


# ------------------------------------------------------------------------------------------------------ copies of operands


@functools.cache
def _uppermost(count: int) -> _Copies:
    """Copies of the uppermost operands.

    Python 3.10 copies one operand or two. More are put into a tuple, and taken out twice to be in order.
    """
    made = words("BUILD_TUPLE", count)
    if VERSION >= (3, 11):
        return _Copies(count, words("COPY", count) * count + made)
    if count > 2:
        taken = words("UNPACK_SEQUENCE", count)
        return _Copies(count, made + words("DUP_TOP"), taken + made + taken)
    return _Copies(count, (b"", words("DUP_TOP"), words("DUP_TOP_TWO"))[count] + made)


@functools.cache
def _above_null(count: int) -> _Copies:
    """Copies of what is called and of what lies above it, but for the NULL between the two."""
    return _Copies(count, words("COPY", count + 1) + words("COPY", count) * (count - 1) + words("BUILD_TUPLE", count))


def _star(has_keywords: bool) -> _Copies:
    """Copies of what is called, its arguments as one object, and its keywords, if it has any."""
    if VERSION >= (3, 14) and not has_keywords:  # there is a NULL in their place
        return _Copies(2, words("COPY", 4) + words("COPY", 3) + words("BUILD_TUPLE", 2))
    return _above_null(2 + has_keywords) if VERSION >= (3, 13) else _uppermost(2 + has_keywords)


def _cell(number: int, is_stored: bool) -> _Copies:
    """The cell of a variable, and what is about to be stored in it."""
    cell = words("LOAD_CLOSURE" if VERSION < (3, 13) else "LOAD_FAST", number)
    if not is_stored:
        return _Copies(1, cell + words("BUILD_TUPLE", 1))
    second = words("COPY", 2) if VERSION >= (3, 11) else words("ROT_TWO") + words("DUP_TOP") + words("ROT_THREE")
    return _Copies(2, cell + second + words("BUILD_TUPLE", 2))


# -------------------------------------------------------------------------------------------------------------- the stack

_VALUE, _NULL, _HIDDEN = range(3)  # what lies on the stack; what a `with` statement calls is hidden


def _calls(instructions: list[ListedInstruction], table: list[Handler]) -> dict[int, _Copies | None]:
    """The operands of calls, by the position of each call's first instruction.

    Below the arguments are what is called and a NULL, or, for decorators and the like, what is called and its first argument. To
    copy a NULL is a crash, so that the stack's content is followed from instruction to instruction.
    """
    found: dict[int, _Copies | None] = {}
    positions = {each.start: position for position, each in enumerate(instructions)}
    tries: dict[int, list[Handler]] = {}
    for handler in table:
        tries.setdefault(handler.start, []).append(handler)
    waiting: list[tuple[int, list[int]]] = [(0, [])]
    seen = bytearray(len(instructions))
    while waiting:
        position, stack = waiting.pop()
        while not seen[position]:
            seen[position] = 1
            each = instructions[position]
            for handler in tries.get(each.start, ()):
                waiting.append((positions[handler.target], stack[: handler.depth] + [_VALUE] * (1 + handler.pushes_offset)))
            if each.name in _CALL_STARTS and instructions[position - 1].name not in _CALL_PREFIXES:
                found[position] = _called(stack, _count(instructions, position))
            if each.target is not None and each.name != "END_ASYNC_FOR":  # that says where it belongs, and never jumps
                jumped = list(stack)
                _execute(each, jumped, True)
                waiting.append((positions[each.target], jumped))
            _execute(each, stack, False)
            if each.name in _FINAL:
                break
            position += 1
    return found


_CALL_STARTS, _CALL_PREFIXES = ("KW_NAMES", "PRECALL", "CALL"), ("KW_NAMES", "PRECALL")
_FINAL = {"RETURN_VALUE", "RETURN_CONST", "RAISE_VARARGS", "RERAISE"} | {
    each for each in opcode.opmap if each.startswith("JUMP_") and "IF" not in each
}  # there is no next instruction


def _count(instructions: list[ListedInstruction], position: int) -> int:
    """The number of arguments of a call; `position` is of its first instruction."""
    while instructions[position].name != "CALL":
        position += 1
    return instructions[position].argument


def _called(stack: list[int], count: int) -> _Copies | None:
    lower, upper = stack[-count - 2], stack[-count - 1]
    if _HIDDEN in (lower, upper):
        return None
    if _NULL not in (lower, upper):
        return _uppermost(count + 2)
    return _above_null(count + 1) if VERSION >= (3, 13) else _uppermost(count + 1)


def _execute(instruction: ListedInstruction, stack: list[int], jumps: bool) -> None:
    """Do to what lies on the stack as an instruction does."""
    name, argument = instruction.name, instruction.argument
    if name == "PUSH_NULL":
        stack.append(_NULL)
    elif name == "COPY":
        stack.append(stack[-argument])
    elif name == "SWAP":
        stack[-1], stack[-argument] = stack[-argument], stack[-1]
    elif name in _MAY_PUSH_NULL:
        del stack[len(stack) - _MAY_PUSH_NULL[name] :]
        if name == "LOAD_METHOD" or argument & 1 and _FLAGS[name]:
            stack += (_VALUE, _NULL) if VERSION >= (3, 13) else (_NULL, _VALUE)
        else:
            stack.append(_VALUE)
    elif name in _OF_WITH:
        stack[-1:] = _OF_WITH[name]
    else:
        effect = _effect(name, argument, jumps)
        if effect < 0:
            del stack[effect:]
        else:
            stack += [_VALUE] * effect
        if name in _CALLS:
            stack[-1] = _VALUE


_MAY_PUSH_NULL = {"LOAD_GLOBAL": 0, "LOAD_METHOD": 1, "LOAD_ATTR": 1, "LOAD_SUPER_ATTR": 3}  # and how many operands they take
_OF_WITH = {
    "BEFORE_WITH": (_HIDDEN, _VALUE), "BEFORE_ASYNC_WITH": (_HIDDEN, _VALUE), "LOAD_SPECIAL": (_HIDDEN, _HIDDEN),
}  # fmt: skip


@functools.lru_cache(4096)
def _effect(name: str, argument: int, jumps: bool) -> int:
    """By how much an instruction makes the stack higher."""
    operation = opcode.opmap[name]
    return dis.stack_effect(operation, argument if operation >= dis.HAVE_ARGUMENT else None, jump=jumps)
