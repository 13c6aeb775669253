"""Modules while a function is watched: who reads and sets their attributes, whoever it is, is noted."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import get_ident
from typing import TYPE_CHECKING, Any

from tritonflow.framework.hooks import HookTable
from tritonflow.graph.watch.slots import ABSENT, ITEM, ModuleSlot
from tritonflow.graph.watch.user_code import is_library_file
from tritonflow.nn import Module
from tritonflow.optim import Optimizer

if TYPE_CHECKING:
    from tritonflow.graph.watch.watch import Watch

_WHOLE = (list, dict, HookTable)


def vars_of(module: Module) -> dict[str, Any]:
    """A module's own attributes, read without being noted."""
    own: dict[str, Any] = object.__getattribute__(module, "__dict__")
    return own


def attribute_of(own: dict[str, Any], name: str) -> Any:
    """What a module has under a name."""
    if name in own:
        return own[name]
    for table in ModuleSlot.TABLES:
        if name in own.get(table, ()):
            return own[table][name]
    return ABSENT


@contextmanager
def watched_modules(watch: Watch) -> Iterator[None]:
    """A block in which reads and writes of modules' attributes are noted, and what is made, whoever does them."""
    begin, put, remove, restore = (vars(Module)[name] for name in ("__init__", "__setattr__", "__delattr__", "__setstate__"))
    begin_optimizer, thread = Optimizer.__init__, get_ident()
    written: list[Module] = []  # whose tables are read and changed, which is noted as what is written

    def is_watched(module: Module) -> bool:
        if get_ident() == thread and "_parameters" not in vars_of(module):
            note_made(module)  # its __init__ reads or sets an attribute before that of Module
        return get_ident() == thread and id(module) not in watch.made

    def read_attribute(module: Module, name: str) -> Any:
        if not name.startswith("__") and is_watched(module):
            _read(watch, module, name)
            held = vars_of(module).get(name)
            if type(held) in _WHOLE and module not in written and is_library_file(sys._getframe(1).f_code.co_filename):
                watch.read_content(held)
        return object.__getattribute__(module, name)

    def set_attribute(module: Module, name: str, value: Any) -> None:
        if is_watched(module):
            watch.check_suspect()
            watch.read_kind(value)
            watch.write_slot(ModuleSlot(vars_of(module), name, name))
        written.append(module)
        try:
            put(module, name, value)
        finally:
            written.pop()

    def delete_attribute(module: Module, name: str) -> None:
        if is_watched(module):
            watch.write_slot(ModuleSlot(vars_of(module), name, name))
        remove(module, name)

    def note_made(module: Module) -> None:
        if get_ident() == thread and not watch.is_outside(module):
            watch.made[id(module)] = module

    def initialize(module: Module, *args: Any, **kwargs: Any) -> None:
        note_made(module)
        begin(module, *args, **kwargs)

    def copied(module: Module, state: Any) -> None:
        note_made(module)
        restore(module, state)

    def initialize_optimizer(optimizer: Optimizer, *args: Any, **kwargs: Any) -> None:
        if get_ident() == thread:
            watch.own(optimizer)
        begin_optimizer(optimizer, *args, **kwargs)

    _replace(initialize, set_attribute, delete_attribute, copied, initialize_optimizer)
    Module.__getattribute__ = read_attribute  # type: ignore[assignment, method-assign]
    try:
        yield
    finally:
        del Module.__getattribute__
        _replace(begin, put, remove, restore, begin_optimizer)


def _replace(initialize: Any, set_attribute: Any, delete_attribute: Any, restore: Any, initialize_optimizer: Any) -> None:
    Module.__init__ = initialize  # type: ignore[method-assign]
    Module.__setattr__ = set_attribute  # type: ignore[method-assign]
    Module.__delattr__ = delete_attribute  # type: ignore[method-assign]
    Module.__setstate__ = restore  # type: ignore[method-assign]
    Optimizer.__init__ = initialize_optimizer  # type: ignore[method-assign]


def _read(watch: Watch, module: Module, name: str) -> None:
    """Note that somebody reads an attribute of a module."""
    own = vars_of(module)
    record = watch.records.get((id(own), ITEM, name))
    if record is None or not record.read or watch.backward is not None:
        watch.see(module)
        watch.read_kind(module)
        value = attribute_of(own, name)
        watch.note_replaced(own, name, value)
        watch.read_item(own, name, name, value, ModuleSlot)
        if value is ABSENT and record is None:
            watch.read_member(type(module), name)
