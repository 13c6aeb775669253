"""Slots: places of Python that hold a value, such as an entry of a dict. A captured program reads some and sets others."""

from __future__ import annotations

import gc
from collections import OrderedDict
from collections.abc import Callable, Iterable
from types import CellType, MappingProxyType, MemberDescriptorType, MethodType
from typing import Any
from weakref import WeakKeyDictionary

from tritonflow.framework.module_version import module_version
from tritonflow.framework.runtime_scalar import RuntimeScalar
from tritonflow.graph.watch.user_code import is_library_class

ABSENT: Any = type("Absent", (), {"__repr__": lambda self: "<absent>"})()
"""What a slot has that holds nothing."""


def key_text(key: Any) -> str:
    """A key as people read it. Of an object only the class: its own `__repr__` may ask for numbers of a tensor."""
    return repr(key) if type(key) in (str, int, bool, float, bytes, type(None)) else f"<{type(key).__name__}>"


ITEM = "item"
"""In the keys of slots: that they are items, of which 1 and True are one."""


class StateSlot:
    """A place that holds a value, or nothing.

    Attributes:
        name: what people call it.
        key: equal for two slots of the same place.
    """

    __slots__ = ("name", "key", "holder")
    is_liftable = True  # whether a number in it may be an argument of a program

    def __init__(self, holder: Any, name: str, key: Any) -> None:
        self.holder = holder
        self.name = name
        self.key = key

    def get(self) -> Any:
        """What it holds; ABSENT for nothing."""
        raise NotImplementedError

    def set(self, value: Any) -> None:
        """Let it hold a value."""
        raise NotImplementedError

    def delete(self) -> None:
        """Let it hold nothing."""
        raise NotImplementedError

    def put(self, value: Any) -> None:
        """Let it hold a value, or nothing, if that is ABSENT."""
        if value is not ABSENT:
            self.set(value)
        elif self.get() is not ABSENT:
            self.delete()


class ItemSlot(StateSlot):
    """An item of a list or dict: of a plain dict also a global variable, and an attribute of an object.

    Args:
        holder: the list or dict.
        item: the index or key.
        name: what people call it; by default the key in brackets.
    """

    __slots__ = ("item",)

    def __init__(self, holder: Any, item: Any, name: str = "") -> None:
        if type(item) is RuntimeScalar:  # by which the program is pinned
            item = item.value
        super().__init__(holder, name or f"[{key_text(item)}]", (id(holder), ITEM, item))
        self.item = item

    def get(self) -> Any:
        holder = self.holder
        if isinstance(holder, dict):
            return dict.get(holder, self.item, ABSENT)
        try:
            return holder[self.item]
        except LookupError:
            return ABSENT

    def set(self, value: Any) -> None:
        method_of(type(self.holder), "__setitem__")(self.holder, self.item, value)

    def delete(self) -> None:
        method_of(type(self.holder), "__delitem__")(self.holder, self.item)


def method_of(kind: type, name: str) -> Callable[..., Any]:
    """A method as it is in the first class that is no user's."""
    for each in kind.__mro__:
        if name in vars(each) and is_library_class(each):
            return vars(each)[name]  # type: ignore[no-any-return]
    return getattr(kind, name)  # type: ignore[no-any-return]


class RootSlot(StateSlot):
    """An attribute of the object that has the program, which must not keep it alive.

    Args:
        owner: a weak reference to the object.
        slot: the attribute as an item of the object's dict.
    """

    __slots__ = ("item",)

    def __init__(self, owner: Callable[[], Any], slot: ItemSlot) -> None:
        super().__init__(owner, slot.name, slot.key)
        self.item = slot.item

    def get(self) -> Any:
        owner = self.holder()
        return ABSENT if owner is None else owner.__dict__.get(self.item, ABSENT)

    def set(self, value: Any) -> None:
        self.holder().__dict__[self.item] = value

    def delete(self) -> None:
        del self.holder().__dict__[self.item]


class ModuleSlot(ItemSlot):
    """An attribute of a module: one of its own, or an entry of one of its tables."""

    __slots__ = ()
    TABLES = ("_parameters", "_buffers", "_modules")

    def _table(self) -> dict[str, Any]:
        own: dict[str, Any] = self.holder
        if self.item not in own:
            for table in self.TABLES:
                if self.item in own.get(table, ()):
                    return own[table]  # type: ignore[no-any-return]
        return own

    def key_in_table(self) -> Any:
        """The key of the slot that is the same entry of a table; None if it is in none."""
        table = self._table()
        return None if table is self.holder else (id(table), ITEM, self.item)

    def get(self) -> Any:
        return self._table().get(self.item, ABSENT)

    def set(self, value: Any) -> None:
        self._table()[self.item] = value
        module_version.advance()

    def delete(self) -> None:
        del self._table()[self.item]
        module_version.advance()


class CellSlot(StateSlot):
    """A variable of a closure."""

    __slots__ = ()
    holder: CellType

    def __init__(self, cell: CellType, name: str) -> None:
        super().__init__(cell, name, (id(cell), None, ""))

    def get(self) -> Any:
        try:
            return self.holder.cell_contents
        except ValueError:  # nothing was assigned yet
            return ABSENT

    def set(self, value: Any) -> None:
        self.holder.cell_contents = value

    def delete(self) -> None:
        del self.holder.cell_contents


class AttributeSlot(StateSlot):
    """An attribute that lies in no dict: one of `__slots__`, of a class, of a function.

    Args:
        holder: whose it is.
        name: of the attribute.
        get, put: how it is read and set, as `getattr` and `setattr` do.
    """

    __slots__ = ("_get", "_set", "_delete")

    def __init__(
        self,
        holder: Any,
        name: str,
        get: Callable[..., Any] = object.__getattribute__,
        put: Callable[..., None] = object.__setattr__,
        delete: Callable[..., None] = object.__delattr__,
    ) -> None:
        super().__init__(holder, name, (id(holder), object, name))
        self._get, self._set, self._delete = get, put, delete

    @property
    def is_liftable(self) -> bool:  # type: ignore[override]
        """What only `getattr` reads is computed by a class that is written in C."""
        return self._get is not getattr

    def get(self) -> Any:
        try:
            return self._get(self.holder, self.name)
        except AttributeError:
            return ABSENT

    def set(self, value: Any) -> None:
        self._set(self.holder, self.name, value)

    def delete(self) -> None:
        self._delete(self.holder, self.name)


class CalledSlot(StateSlot):
    """What a function without arguments gives, such as a weak reference, or one that says how a mode is set."""

    __slots__ = ()
    is_liftable = False

    def __init__(self, function: Callable[[], Any]) -> None:
        super().__init__(function, getattr(function, "__name__", "a weak reference"), (id(function), CalledSlot, ""))

    def get(self) -> Any:
        value = self.holder()
        return tuple(value.items()) if type(value) is dict else value  # a new one each time


class ReferenceSlot(CalledSlot):
    """Whether the object of a weak reference is alive, and which it is. It is not kept alive."""

    __slots__ = ()

    def get(self) -> Any:
        value = self.holder()
        if type(value) is MethodType:  # which a WeakMethod makes in each call
            return id(value.__self__), id(value.__func__)
        return None if value is None else id(value)


def own_dict(owner: Any) -> Any:
    """The dict of an object's attributes, whatever a `__getattribute__` of its class does; None if it has none."""
    try:
        return object.__getattribute__(owner, "__dict__")
    except AttributeError:
        return None


def names_of_slots(kind: type) -> list[str]:
    """The names of the attributes that a class has in `__slots__`, in whichever of its bases."""
    known = _slots_of.get(kind)
    if known is None:
        members = [member for each in kind.__mro__ for member in vars(each).items()]
        known = [name for name, member in members if isinstance(member, MemberDescriptorType) and name != "__dict__"]
        _slots_of[kind] = known
    return known


_slots_of: WeakKeyDictionary[type, list[str]] = WeakKeyDictionary()


def attributes_of(value: Any) -> dict[str, Any]:
    """The attributes that an object has itself: those of its dict, and behind them those in `__slots__`."""
    found = dict(own_dict(value) or ())
    for name in names_of_slots(type(value)):
        try:
            found[name] = _member(type(value), name).__get__(value)
        except AttributeError:  # nothing was set
            continue
    return found


def own_attribute_of(value: Any, name: str) -> Any:
    """One of these, whatever the object's class does to give it."""
    own = own_dict(value)
    return own[name] if own is not None and name in own else _member(type(value), name).__get__(value)


def put_attributes(value: Any, found: dict[str, Any], removed: Iterable[str] = ()) -> None:
    """Set attributes of an object, behind those that are removed, whatever its class does to set one."""
    own, slots = own_dict(value), names_of_slots(type(value))
    for name in removed:
        if name in slots:
            _member(type(value), name).__delete__(value)
        else:
            del own[name]
    for name, item in found.items():
        if name in slots:
            _member(type(value), name).__set__(value, item)
        else:
            own[name] = item


def _member(kind: type, name: str) -> Any:
    """What stands for one of a class's `__slots__`."""
    found = [vars(each).get(name) for each in kind.__mro__]
    return next(each for each in found if isinstance(each, MemberDescriptorType))


def underlying(value: Any) -> Any:
    """The container that a view of it shows: of the keys of a dict, the dict; what is no view itself."""
    kind = type(value)
    if kind is MappingProxyType:
        return gc.get_referents(value)[0]
    if kind in _VIEWS:
        return gc.get_referents(value.mapping)[0]
    return value.obj if kind is memoryview else value


_MAPPINGS: tuple[Any, ...] = ({}, OrderedDict())
_VIEWS = tuple(type(view) for each in _MAPPINGS for view in (each.keys(), each.values(), each.items()))


def is_written(kind: Any, name: str) -> bool:
    """Whether a class has a method of its own in the place of that of `object`."""
    return getattr(kind, name) is not getattr(object, name)


def own_attribute(kind: type, name: str) -> Any:
    """What a class itself has under a name, of whatever kind."""
    try:
        return kind.__dict__[name]
    except KeyError:
        raise AttributeError(name) from None


def class_slot(kind: type, name: str) -> StateSlot:
    """An attribute of a class, not of those that it inherits from."""
    return AttributeSlot(kind, name, own_attribute, type.__setattr__, type.__delattr__)
