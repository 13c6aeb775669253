"""What the classes of arguments do when an attribute is read or set: as in eager mode, and no more."""

from __future__ import annotations

import copy
import gc
import weakref
from typing import Any

import pytest

from tests.graph.argument_programs import Cases, Thing, Wrap, four, row, seen

CASES = Cases()
case = CASES.case


@case(1)
def nothing_of_a_class_is_called(wrap: Wrap) -> Any:
    calls: list[str] = []

    class Counted:
        def __new__(cls, x: Any) -> Any:
            calls.append("new")
            return object.__new__(cls)

        def __init__(self, x: Any) -> None:
            calls.append("init")
            self.x = x

        def __setattr__(self, name: str, value: Any) -> None:
            calls.append(name)
            object.__setattr__(self, name, value)

    def doubled(p: Any) -> Any:
        p.x = p.x * 2
        return p.x

    f = wrap(doubled)
    return [(f(p), seen(p), [*calls]) for p in four(lambda k: Counted(row(k)))]


@case(0, "a Closing among the arguments is another one in each call")
def an_object_that_does_something_when_it_dies(wrap: Wrap) -> Any:
    closed: list[int] = []

    class Closing(Thing):
        def __del__(self) -> None:
            closed.append(1)

    f = wrap(lambda p: p.x * 2)
    found = [f(Closing(x=row(k))) for k in range(4)]
    gc.collect()
    return found, closed


@case(1)
def properties(wrap: Wrap) -> Any:
    class Scaled:
        def __init__(self, x: Any, k: float) -> None:
            self._x, self.k = x, k

        @property
        def x(self) -> Any:
            return self._x

        @x.setter
        def x(self, x: Any) -> None:
            self._x, self.k = x * 1.0, self.k + 1

    def scaled(p: Any) -> Any:
        p.x = p.x * p.k
        return p.x + p.k

    f = wrap(scaled)
    return [(f(p), seen(p)) for p in four(lambda k: Scaled(row(k), 1.0 + k))]


@case(1)
def a_property_over_an_attribute_of_its_name(wrap: Wrap) -> Any:
    class Counted:
        def __init__(self, x: Any) -> None:
            self.__dict__["x"], self.reads = x, 0

        @property
        def x(self) -> Any:
            self.reads += 1
            return self.__dict__["x"]

    f = wrap(lambda p: p.x * 2)
    return [(f(p), p.reads) for p in four(lambda k: Counted(row(k)))]


@case(1)
def attributes_behind_getattr_and_setattr(wrap: Wrap) -> Any:
    class Config:
        def __init__(self, **items: Any) -> None:
            self.__dict__["items"] = items

        def __getattr__(self, name: str) -> Any:
            try:
                return self.__dict__["items"][name]
            except KeyError:
                raise AttributeError(name) from None

        def __setattr__(self, name: str, value: Any) -> None:
            self.items[name] = value

    def scaled(p: Any) -> Any:
        p.x = p.x * p.k
        p.late = 1
        return p.x + getattr(p, "missing", 2.0)

    f = wrap(scaled)
    return [(f(p), seen(p.items)) for p in four(lambda k: Config(x=row(k), k=1.0 + k))]


@case(1)
def attributes_behind_getattribute(wrap: Wrap) -> Any:
    class Counted:
        def __init__(self, x: Any) -> None:
            self.x, self.reads = x, 0

        def __getattribute__(self, name: str) -> Any:
            if name == "x":
                self.reads = object.__getattribute__(self, "reads") + 1
            return object.__getattribute__(self, name)

    f = wrap(lambda p: p.x * 2)
    return [(f(p), vars(p)["reads"]) for p in four(lambda k: Counted(row(k)))]


@case(2)
def slots_that_are_set_and_deleted(wrap: Wrap) -> Any:
    class Slotted:
        __slots__ = ("x", "y", "__weakref__")

        def __init__(self, x: Any) -> None:
            self.x = x

        def __getattr__(self, name: str) -> Any:
            if name == "y":
                return 5.0
            raise AttributeError(name)

    def changed(p: Any) -> Any:
        z = p.x * p.y
        if p.y == 5.0:
            p.y = 2.0
        else:
            del p.y
        return z

    f = wrap(changed)
    return [(f(p), p.y, f(p), p.y) for p in four(lambda k: Slotted(row(k)))]


@case()
def descriptors_with_a_table_of_their_own(wrap: Wrap) -> Any:
    class Field:
        def __init__(self) -> None:
            self.by_object: Any = weakref.WeakKeyDictionary()
            self.by_identity: dict[int, Any] = {}

        def __get__(self, owner: Any, kind: Any = None) -> Any:
            return self.by_object[owner] * self.by_identity[id(owner)]

        def __set__(self, owner: Any, value: Any) -> None:
            self.by_object[owner] = self.by_identity[id(owner)] = value

    class Owner:
        x = Field()

        def __init__(self, x: Any) -> None:
            self.x = x

    f, things = wrap(lambda p: p.x * 2), four(lambda k: Owner(row(k)))
    return [f(p) for p in things], [f(p) for p in things]


@case()
def a_method_and_a_closure_among_the_attributes(wrap: Wrap) -> Any:
    class Owner:
        def __init__(self, x: Any) -> None:
            self.x, self.method, self.closure = x, self.double, lambda: self.x * 3

        def double(self) -> Any:
            self.x = self.x * 2
            return self.x

    f, things = wrap(lambda p: p.method() + p.closure()), four(lambda k: Owner(row(k)))
    return [(f(p), p.x) for p in things], [(f(p), p.x) for p in things]


@case(0, "another class")
def another_class_is_given_to_it(wrap: Wrap) -> Any:
    class Other(Thing):
        pass

    def changed(p: Any) -> Any:
        p.__class__ = Other
        return p.x * 2

    f = wrap(changed)
    return [(f(p), seen(p)) for p in four(lambda k: Thing(x=row(k)))]


@case(1)
def an_object_that_is_called(wrap: Wrap) -> Any:
    class Scale:
        def __init__(self, x: Any) -> None:
            self.x, self.calls = x, 0

        def __call__(self, y: Any) -> Any:
            self.calls += 1
            return self.x * y

    f = wrap(lambda p, y: p(y) + p(2.0))
    return [(f(p, row()), seen(p)) for p in four(lambda k: Scale(row(k)))]


@case()
def attributes_that_are_items(wrap: Wrap) -> Any:
    class Table(dict[str, Any]):
        def __init__(self, **items: Any) -> None:
            super().__init__(items)
            self.__dict__ = self

    class Named(dict[str, Any]):
        __getattr__ = dict.__getitem__
        __setattr__ = dict.__setitem__

    def changed(p: Any) -> Any:
        p["x"] = p.x * 2
        p.y = p.x + 1
        return p["y"] * p.k

    f, found = wrap(changed), []
    for kind in (Table, Named):
        found += [(f(p), [*p.items()]) for p in four(lambda k, kind=kind: kind(x=row(k), k=1.0 + k))]
    return found


@case()
def objects_that_share_their_attributes(wrap: Wrap) -> Any:
    shared = {"x": row(), "k": 1.0}
    outside = Thing()
    outside.__dict__ = shared

    def make(k: int) -> Any:
        made = Thing(x=row(k), k=2.0)
        if k % 2:
            made.__dict__ = shared
        return made

    def two(p: Any, q: Any) -> Any:
        p.x = p.x * 2
        return q.x + 1

    def one(p: Any) -> Any:
        p.k += 1.0
        return p.x * outside.k

    def one_and_the_dict(p: Any) -> Any:
        p.k += 1.0
        return p.x * shared["k"]

    f, g, h = wrap(two), wrap(one), wrap(one_and_the_dict)
    return [(f(make(j), make(k)), g(make(j)), h(make(k)), seen(shared)) for j in range(4) for k in range(4)]


@case()
def attributes_of_the_class_change(wrap: Wrap) -> Any:
    class Scaled(Thing):
        k = 2.0
        log: list[int] = []

    def scaled(p: Any) -> Any:
        p.log.append(1)
        return p.x * p.k

    f, found = wrap(scaled), []
    for k in range(6):
        Scaled.k = float(k // 2)
        found.append((f(Scaled(x=row(k))), len(Scaled.log)))
    return found


@case(1)
def the_order_of_attributes(wrap: Wrap) -> Any:
    def changed(p: Any) -> Any:
        x = p.x
        del p.x
        p.x, p.z = x * 2, 1
        return p.x

    f = wrap(changed)
    return [(f(p), [*vars(p)]) for p in four(lambda k: Thing(x=row(k), y=1))]


@case(1)
def copies_of_it(wrap: Wrap) -> Any:
    def copied(p: Any) -> Any:
        twin = copy.copy(p)
        twin.x = twin.x * 2
        items = copy.deepcopy(p.items)
        items.append(1)
        p.twin = twin
        return twin.x, items

    f = wrap(copied)
    return [(f(p), seen(p)) for p in four(lambda k: Thing(x=row(k), items=[1, [2]]))]


@pytest.mark.parametrize("name", CASES)
def test_classes_of_arguments(name: str) -> None:
    CASES[name].check()
