"""Guards on Python: what a captured program has read of what was there before, compared in each run.

The usual run finds all as it was. So what is compared is grouped by the dict that holds it, and compared by identity in one loop
of C for each. Only where an object is another one, it may be an equal number or text.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable
from operator import is_, itemgetter
from typing import Any

from tritonflow.framework.hooks import HookTable
from tritonflow.framework.module_version import module_version
from tritonflow.graph.watch.contents import Content, alike
from tritonflow.graph.watch.modules import attribute_of
from tritonflow.graph.watch.records import SlotRecord
from tritonflow.graph.watch.slots import (
    ABSENT,
    CellSlot,
    ItemSlot,
    ModuleSlot,
    RootSlot,
    StateSlot,
    key_text,
    own_dict,
    underlying,
)
from tritonflow.graph.watch.watch import Watch
from tritonflow.nn import Module

_MANY = 6  # entries of one dict, from which on it takes less time to compare them together
_Item = tuple[Callable[[Any, Any], Any], Any, Any]  # what looks an entry up, its name, and what it was


class PythonGuards:
    """What a program was captured for.

    Args:
        watch: what the capture has read.
        root: the object whose method is captured, which the guards do not keep alive.
        lifted: the keys of slots that are arguments of the program.
        live: the keys of slots that the program looks up in each run.
    """

    def __init__(self, watch: Watch, root: Any, lifted: Iterable[Any]) -> None:
        skipped = {*lifted, *watch.live}
        owned = root is not None and id(getattr(root, "__dict__", None))
        self._owners = {key: (weakly(owner), type(owner)) for key, owner in watch.own_dicts.items() if key != owned}
        kinds = [pair for pair in watch.kinds.values() if id(own_dict(pair[0])) not in self._owners]
        self._kinds = [(weakly(owner), kind) for owner, kind in kinds if not isinstance(owner, Module)]
        self._module_kinds = [(weakly(owner), kind) for owner, kind in kinds if isinstance(owner, Module)]
        self._bases = [(kind, kind.__bases__) for kind in {kind: None for kind, _ in watch.classes}]
        self._classes = [(underlying(vars(kind)).get, name, value) for (kind, name), value in watch.classes.items()]
        self._called = [(f.function, f.code, f.defaults, f.keyword_defaults) for f in watch.functions.values()]
        read = [r for key, r in watch.records.items() if r.read and key not in skipped]
        set_inside = [r.slot for r in watch.records.values() if r.written or r.placed is not ABSENT]
        self._set_inside = [slot for slot in set_inside if isinstance(slot, ModuleSlot)]
        self._build(
            [SlotRecord(rooted(r.slot, root), r.before, True) for r in read],
            [content for key, content in watch.contents.items() if key != owned],
        )

    def _build(self, read: list[SlotRecord], contents: list[Content]) -> None:
        self._read = read
        self._modules = [record for record in read if isinstance(record.slot, ModuleSlot)]
        self._module_keys = {record.slot.key for record in self._modules}
        self._items, self._tables = self._tables_of([r for r in read if _lies_in_dict(r.slot)])
        rest = [r for r in read if not isinstance(r.slot, ModuleSlot) and not _lies_in_dict(r.slot)]
        self._cells = [(r.slot.holder, r.slot.name, r.before) for r in rest if _is_full_cell(r)]
        self._slots = [(r.slot, r.before) for r in rest if not _is_full_cell(r)]
        tables = [(slot.item, slot.holder.get(name, ())) for slot in self._set_inside for name in ModuleSlot.TABLES]
        set_inside = {id(table) for item, table in tables if item in table}
        contents = [content for content in contents if id(content.container) not in set_inside]
        own = {id(table) for record in self._modules for table in record.slot.holder.values() if isinstance(table, dict)}
        counted = [isinstance(content.container, HookTable) or id(content.container) in own for content in contents]
        self._module_contents = [content for content, known in zip(contents, counted) if known]
        self._contents = [content for content, known in zip(contents, counted) if not known]
        self._compared_at = -1  # the count of module changes when modules were compared last

    def _tables_of(self, records: list[SlotRecord]) -> tuple[list[_Item], list[_Table]]:
        found: dict[int, tuple[Any, dict[Any, Any]]] = {}
        for record in records:
            slot: Any = record.slot
            found.setdefault(id(slot.holder), (slot.holder, {}))[1][slot.item] = record.before
        items: list[_Item] = []
        tables: list[_Table] = []
        for own, entries in found.values():
            if type(own) is dict and id(own) not in self._owners and len(entries) < _MANY:
                items += [(own.get, name, value) for name, value in entries.items()]
            elif isinstance(own, dict):
                tables.append(_Table(own, self._owners.get(id(own)), entries))
            else:
                tables.append(_RootTable(None, (own, None), entries))
        return items, tables

    @property
    def reads_variables(self) -> bool:
        """Whether anything but modules, classes and functions is compared."""
        return bool(self._items or self._tables or self._cells or self._slots or self._contents)

    def changed(self) -> str:
        """What is not what it was, in words; empty if all is."""
        for get, name, value in self._items:
            if (now := get(name, ABSENT)) is not value and not alike(now, value):
                return f"'{name}', which it reads of a variable or an object"
        for table in self._tables:
            if name := table.changed():
                return f"'{name}', which it reads of a variable or an object"
        for cell, name, value in self._cells:
            try:
                now = cell.cell_contents
            except ValueError:  # it is empty
                now = ABSENT
            if now is not value and not alike(now, value):
                return f"'{name}', which it reads of a variable or an object"
        for slot, value in self._slots:
            if (now := slot.get()) is not value and not alike(now, value):
                return f"'{slot.name}', which it reads of a variable or an object"
        for get, name, value in self._classes:
            if (now := get(name, ABSENT)) is not value and not alike(now, value):
                return f"'{name}', which it reads of a class"
        for each, bases in self._bases:
            if each.__bases__ is not bases:
                return f"the bases of {each.__name__}"
        for owner, kind in self._kinds:
            if type(owner()) is not kind:
                return f"the class of a {kind.__name__}"
        for content in self._contents:
            if not content.holds():
                return f"what a {type(content.container).__name__} holds"
        for function, code, defaults, keyword_defaults in self._called:
            if (
                function.__code__ is not code
                or function.__defaults__ is not defaults
                or function.__kwdefaults__ is not keyword_defaults
            ):
                return "the code or the defaults of a function"
        return "" if self._compared_at == module_version.latest else self._changed_modules()

    def _changed_modules(self) -> str:
        latest, self._compared_at = module_version.latest, -1
        for owner, kind in self._module_kinds:
            if type(owner()) is not kind:
                return f"the class of a {kind.__name__}"
        for record in self._modules:
            now = attribute_of(record.slot.holder, record.slot.name)
            if now is not record.before and not alike(now, record.before):
                return f"the attribute '{record.slot.name}' of a module"
        for content in self._module_contents:
            if not content.holds():
                return "hooks or children of a module"
        self._compared_at = latest
        return ""

    def forget_changed(self) -> None:
        """Forget what is not as it was."""
        read = [record for record in self._read if (now := record.slot.get()) is record.before or alike(now, record.before)]
        self._build(read, [content for content in (*self._contents, *self._module_contents) if content.holds()])

    def moved_numbers(self) -> list[StateSlot]:
        """The slots that held another number than now."""
        kinds = (int, float)
        return [
            record.slot
            for record in self._read
            if type(record.before) in kinds
            and record.slot.is_liftable
            and type(now := record.slot.get()) is type(record.before)
            and not alike(now, record.before)
        ]

    def own_change(self, before: int, keys: frozenset[Any]) -> None:
        """Note that what changed modules since this count was the program itself, which has set these slots."""
        if self._compared_at == before and keys.isdisjoint(self._module_keys):
            self._compared_at = module_version.latest


def weakly(owner: Any) -> Any:
    """What gives an object and does not keep it alive, where it lets itself be referred to so."""
    try:
        return weakref.ref(owner)
    except TypeError:
        return lambda: owner


def rooted(slot: StateSlot, root: Any) -> StateSlot:
    """A slot that does not keep the object alive that has the program."""
    if root is not None and type(slot) is ItemSlot and slot.holder is getattr(root, "__dict__", None):
        return RootSlot(weakly(root), slot)
    return slot


def _is_full_cell(record: SlotRecord) -> bool:
    return isinstance(record.slot, CellSlot) and record.before is not ABSENT


def _lies_in_dict(slot: StateSlot) -> bool:
    return isinstance(slot, RootSlot) or (type(slot) is ItemSlot and isinstance(slot.holder, dict))


class _Table:
    """Names of a dict, and what they stand for.

    Args:
        own: the dict.
        owner: what gives the object whose attributes it holds, and that object's class; None if it holds none's.
        records: what was read.
    """

    __slots__ = ("own", "owner", "kind", "names", "get", "values", "absent")

    def __init__(self, own: Any, owner: Any, entries: dict[Any, Any]) -> None:
        self.own = own
        self.owner: Any = None if owner is None else owner[0]
        self.kind: Any = None if owner is None else owner[1]
        present = [name for name, value in entries.items() if value is not ABSENT]
        self.absent = frozenset([name for name, value in entries.items() if value is ABSENT])
        self.names = (present * 2)[: max(2, len(present))] if present else []  # itemgetter of a single name gives no tuple
        self.get: Any = itemgetter(*self.names) if present else None
        if present and isinstance(own, dict) and type(own) is not dict:  # which may put there what it lacks
            self.get = lambda table: tuple([dict.get(table, name, ABSENT) for name in self.names])
        self.values = tuple([entries[name] for name in self.names])

    def changed(self) -> str:
        """The name of the first that stands for something else; empty if none does."""
        own = self.dict()
        if own is None:
            return "__dict__"
        if self.absent and not dict.keys(own).isdisjoint(self.absent):  # which looks up the fewer ones
            return _text(next(iter(self.absent)))
        if self.get is None:
            return ""
        try:
            now = self.get(own)
        except KeyError as error:
            return _text(error.args[0])
        if all(map(is_, now, self.values)):
            return ""
        for name, a, b in zip(self.names, now, self.values):
            if a is not b and not alike(a, b):
                return _text(name)
        self.values = now
        return ""

    def dict(self) -> Any:
        """The dict now; None if the object has another one."""
        if self.owner is None:
            return self.own
        owner = self.owner()
        return self.own if type(owner) is self.kind and owner.__dict__ is self.own else None


def _text(name: Any) -> str:
    return name if isinstance(name, str) else key_text(name)


class _RootTable(_Table):
    """The attributes of the object that has the program, which must not keep it alive."""

    __slots__ = ()

    def dict(self) -> Any:
        owner = self.owner()
        return None if owner is None else owner.__dict__
