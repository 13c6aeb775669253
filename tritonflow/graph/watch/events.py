"""What each instruction of user code reads and writes: the events of probes.

Each function is given the watch, what the instruction names, and its operands.
"""

from __future__ import annotations

import sys
import types
from types import FunctionType
from typing import Any

import numpy

from tritonflow.framework.tensor import Tensor
from tritonflow.graph.watch import accesses, calls, system
from tritonflow.graph.watch.contents import CONTAINERS
from tritonflow.graph.watch.number_functions import NumberFunctions
from tritonflow.graph.watch.outside import ATOMS
from tritonflow.graph.watch.rewrite import Event, Rewriter
from tritonflow.graph.watch.slots import ABSENT, CellSlot, ItemSlot
from tritonflow.graph.watch.user_code import is_library_class, is_library_file
from tritonflow.graph.watch.watch import Watch
from tritonflow.nn import Module


def enter(watch: Watch, code: types.CodeType, operands: Any) -> None:
    """A function of the user's begins."""
    frame: Any = sys._getframe(2)  # the function's own
    if is_library_file(frame.f_back.f_code.co_filename):
        watch.see_arguments(code, operands)
    elif code.co_name == "__init__" and operands and not watch.is_outside(operands[0]):
        watch.own(operands[0])  # which a library may give to user code: it is not from outside then


# --------------------------------------------------------------------------------------------------------------- variables


def load_global(watch: Watch, key: Any, operands: Any) -> None:
    variables, name = key
    value = variables.get(name, ABSENT)
    watch.read_item(variables, name, name, value)
    if value is ABSENT:
        own = variables.get("__builtins__")
        table = vars(own) if isinstance(own, types.ModuleType) else own
        if type(table) is dict and name in table:
            watch.read_item(table, name, name, table[name])


def store_global(watch: Watch, key: Any, operands: Any) -> None:
    variables, name = key
    watch.write_slot(ItemSlot(variables, name, name))


def delete_global(watch: Watch, key: Any, operands: Any) -> None:
    store_global(watch, key, operands)


def load_cell(watch: Watch, name: str, operands: Any) -> None:
    if watch.is_outside(operands[0]):
        watch.read_slot(CellSlot(operands[0], name))


def store_cell(watch: Watch, name: str, operands: Any) -> None:
    if watch.is_outside(operands[0]):
        watch.write_slot(CellSlot(operands[0], name))


def delete_cell(watch: Watch, name: str, operands: Any) -> None:
    store_cell(watch, name, operands)


def import_name(watch: Watch, key: Any, operands: Any) -> None:
    """A module of the user's may be another one, or be read anew; that of a library stays."""
    variables, name = key
    accesses.read_module(watch, "." * operands[0] + name, variables.get("__package__") or "")


# -------------------------------------------------------------------------------------------------------------- attributes


def load_attribute(watch: Watch, name: str, operands: Any) -> None:
    accesses.check_argument(watch, operands[0])
    accesses.read_attribute(watch, operands[0], name)


def load_super(watch: Watch, name: str, operands: Any) -> None:
    function, kind, owner = operands
    if function is super:
        accesses.read_attribute(watch, super(kind, owner), name)


def store_attribute(watch: Watch, name: str, operands: Any) -> None:
    value, owner = operands
    if name == "__dict__" and watch.is_outside(value):
        watch.refuse(f"gives a {type(owner).__name__} a __dict__ that was there before", "set its attributes")
    accesses.write_attribute(watch, owner, name)


def delete_attribute(watch: Watch, name: str, operands: Any) -> None:
    accesses.write_attribute(watch, operands[0], name, removes=True)


# ------------------------------------------------------------------------------------------------------------------- items


def load_item(watch: Watch, name: Any, operands: Any) -> None:
    accesses.check_argument(watch, operands[0])
    accesses.read_item(watch, *operands)


def load_slice(watch: Watch, name: Any, operands: Any) -> None:
    iterate(watch, name, operands)


def store_item(watch: Watch, name: Any, operands: Any) -> None:
    value, container, key = operands
    if watch.is_outside(container):
        _store_item(watch, container, key, (value,))


def delete_item(watch: Watch, name: Any, operands: Any) -> None:
    container, key = operands
    if watch.is_outside(container):
        _store_item(watch, container, key, ())


def store_slice(watch: Watch, name: Any, operands: Any) -> None:
    value, container, start, stop = operands
    if watch.is_outside(container):
        _store_item(watch, container, slice(start, stop), (value,))


def _store_item(watch: Watch, container: Any, key: Any, value: tuple[Any, ...]) -> None:
    method = "__setitem__" if value else "__delitem__"
    if isinstance(container, CONTAINERS):
        if not calls.is_users(type(container), method):
            calls.change(watch, container, method, (key, *value), {})
    elif accesses.is_environment(container) or hasattr(type(container), method) and is_library_class(type(container)):
        if not isinstance(container, Tensor):
            watch.refuse(f"sets an item of a {type(container).__name__}", "set it outside")


def iterate(watch: Watch, name: Any, operands: Any) -> None:
    container = operands[0]
    accesses.check_argument(watch, container)
    if type(container) is types.MappingProxyType:
        accesses.read_of_class(watch, container, "__iter__", ())
    if not watch.is_outside(container):
        return
    if isinstance(container, CONTAINERS):
        watch.read_content(container)
    elif not isinstance(container, (tuple, frozenset, Tensor, Module)):
        calls.refuse_iterator(watch, container)
        watch.read_deeply(container)


def contains(watch: Watch, name: Any, operands: Any) -> None:
    item, container = operands
    accesses.check_argument(watch, container)
    if type(container) is types.MappingProxyType and not watch.is_outside(container):
        accesses.read_of_class(watch, container, "__contains__", (item,))
    if watch.is_outside(container):
        if isinstance(container, dict):
            accesses.read_key(watch, container, item)
        else:
            accesses.check_key(watch, item)
            iterate(watch, name, (container,))
            calls.read_nested(watch, container)


def identity(watch: Watch, name: Any, operands: Any) -> None:
    a, b = operands
    watch.check_identity(a, b)
    if isinstance(a, Tensor) and isinstance(b, Tensor) and a is not b and watch.is_outside(a) != watch.is_outside(b):
        if id(b if watch.is_outside(a) else a) in watch.argument_ids:
            watch.refuse("asks whether an argument is a tensor that a variable has", "ask outside, and pass the answer")


def binary(watch: Watch, name: Any, operands: Any) -> None:
    for operand in operands:
        watch_whole(watch, operand)
        if type(operand).__module__ == "decimal":
            system.note_decimal(watch)
        if name is None and type(operand) not in ATOMS:  # a comparison
            watch.read_special(type(operand), "__eq__")


def write_binary(watch: Watch, name: str, operands: Any) -> None:
    container, other = operands
    watch_whole(watch, other)
    if watch.is_outside(container) and isinstance(container, (list, dict, set, numpy.ndarray, *CONTAINERS)):
        calls.change(watch, container, calls.INPLACE[name], (other,), {})


def truth(watch: Watch, name: Any, operands: Any) -> None:
    kind = type(operands[0])
    if kind not in ATOMS and not isinstance(operands[0], (Tensor, Module)):
        watch.read_special(kind, "__bool__", "__len__")
    watch_whole(watch, operands[0])


def format(watch: Watch, name: Any, operands: Any) -> None:
    accesses.check_argument(watch, operands[0])
    watch.read_text(operands[0])


def match(watch: Watch, name: Any, operands: Any) -> None:
    watch.read_kind(operands[0])
    watch.read_deeply(operands[0])


def watch_whole(watch: Watch, value: Any) -> None:
    """Note that all of a value from outside is read, if it is a container."""
    accesses.check_argument(watch, value)
    if type(value) not in ATOMS and isinstance(value, (tuple, *CONTAINERS)):
        watch.read_deeply(value)


# ------------------------------------------------------------------------------------------------------------------- calls


def call(watch: Watch, names: tuple[str, ...] | None, operands: Any) -> None:
    function, *arguments = operands
    keywords = {}
    if names:
        keywords = dict(zip(names, arguments[-len(names) :]))
        del arguments[-len(names) :]
    watch.check_suspect()
    calls.call(watch, function, tuple(arguments), keywords)


def call_named(watch: Watch, name: Any, operands: Any) -> None:
    call(watch, operands[-1], operands[:-1])


def call_star(watch: Watch, name: Any, operands: Any) -> None:
    function, arguments, *keywords = operands
    for given in (arguments, *keywords):
        watch_whole(watch, given)
    watch.check_suspect()
    if isinstance(arguments, (list, tuple)):
        calls.call(watch, function, tuple(arguments), dict(keywords[0]) if keywords else {})


EVENTS: dict[str, Event] = {
    name: function
    for name, function in globals().items()
    if isinstance(function, FunctionType) and function.__module__ == __name__ and not name.startswith("_")
}
rewritten = Rewriter(EVENTS, NumberFunctions())
