"""Objects of users' classes: attributes that are read and set, properties, special methods, inheritance, metaclasses."""

from __future__ import annotations

import abc
import copy
import functools
import weakref
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, Generic, Protocol, TypeVar, runtime_checkable

import tritonflow as flow
from tests.graph.situations.situation import Wrap, error_of, grid, linear, other, row, situation

T = TypeVar("T")


class Config:
    """Something with settings."""

    level = 1

    def __init__(self, scale: float = 2.0, count: int = 2) -> None:
        self.scale = scale
        self.count = count


@situation("test_misc")
def an_object_with_settings_is_an_argument(wrap: Wrap) -> Any:
    @wrap
    def f(x, config):
        for _ in range(config.count):
            x = x + config.scale
        return x

    one, two = Config(), Config(1.0, 3)
    results = [f(row(), one), f(row(), two)]
    two.count = 1
    results.append(f(row(), two))
    two.scale = 5.0
    return [*results, f(row(), two), f(row(), one)]


@situation("test_misc")
def an_object_with_settings_is_outside(wrap: Wrap) -> Any:
    config = Config()
    f = wrap(lambda x: x * config.scale + config.count)
    results = [f(row())]
    config.scale = 3.0
    results.append(f(row()))
    config.count = 7
    return [*results, f(row())]


@situation("test_misc")
def an_attribute_that_may_be_absent(wrap: Wrap) -> Any:
    config = Config()
    f = wrap(lambda x: x + 7 if getattr(config, "shift", False) else x * config.scale)
    results = [f(row())]
    config.shift = True
    results.append(f(row()))
    config.shift = False
    results.append(f(row()))
    del config.shift
    return [*results, f(row())]


@situation("test_misc")
def hasattr_of_an_object(wrap: Wrap) -> Any:
    config = Config()
    f = wrap(lambda x: x * config.extra if hasattr(config, "extra") else x)
    first = f(row())
    config.extra = 3
    return first, f(row())


@situation("test_misc")
def an_attribute_by_a_name_that_varies(wrap: Wrap) -> Any:
    config = Config(2.0, 5)
    f = wrap(lambda x, name: x * getattr(config, name))
    first = f(row(), "scale"), f(row(), "count")
    config.count = 9
    return first, f(row(), "count")


@situation("test_misc")
def attributes_are_set(wrap: Wrap) -> Any:
    config = Config()

    @wrap
    def f(x):
        config.last = x * 2
        config.count = 5
        config.name = "set"
        return x + 1

    first = f(row()), vars(config).copy()
    return first, f(other()), config


@situation("test_misc")
def a_counter_of_an_object(wrap: Wrap) -> Any:
    config = Config()

    @wrap
    def f(x):
        config.count += 1
        return x * config.count

    return f(row()), f(row()), f(row()), config.count


@situation("test_misc")
def a_flag_of_an_object_turns(wrap: Wrap) -> Any:
    state = SimpleNamespace(on=False)

    @wrap
    def f(x):
        state.on = not state.on
        return x + 1 if state.on else x - 1

    return [f(row()) for _ in range(4)], state.on


@situation("test_misc")
def something_is_made_at_the_first_call(wrap: Wrap) -> Any:
    state = SimpleNamespace(ready=False, weight=None)

    @wrap
    def f(x):
        if not state.ready:
            state.weight = flow.ones(3) * 3
            state.ready = True
        return x * state.weight

    return f(row()), f(other()), state


@situation("test_misc")
def a_tensor_of_an_object_moves_on(wrap: Wrap) -> Any:
    state = SimpleNamespace(h=flow.zeros(3))

    @wrap
    def f(x):
        state.h = state.h * 0.5 + x
        return state.h + 1

    results = [f(row()), f(row())]
    state.h = other()
    return [*results, f(row()), state]


@situation("test_misc")
def an_object_that_is_an_argument_is_changed(wrap: Wrap) -> Any:
    @wrap
    def f(config, x):
        config.count += 1
        config.total = getattr(config, "total", 0) + x
        return config.total * config.count

    config = Config()
    return f(config, row()), f(config, row()), config


@situation("test_misc")
def a_method_of_an_object(wrap: Wrap) -> Any:
    class Net:
        def __init__(self):
            self.weight = other()
            self.k = 2.0

        def layer(self, x):
            return x * self.weight

        def run(self, x):
            return self.layer(x) * self.k

    net = Net()
    f = wrap(net.run)
    results = [f(row())]
    net.k = 3.0
    results.append(f(row()))
    net.weight = row()
    results.append(f(row()))
    net.weight.mul_(2)
    return [*results, f(row())]


@situation("test_misc")
def a_method_is_replaced_on_the_object(wrap: Wrap) -> Any:
    class Net:
        def step(self, x):
            return x * 2

    net = Net()
    f = wrap(lambda x: net.step(x))
    first = f(row())
    net.step = lambda x: x * 3
    return first, f(row())


@situation("test_misc")
def a_method_is_replaced_on_the_class(wrap: Wrap) -> Any:
    class Net:
        def step(self, x):
            return x * 2

    net = Net()
    f = wrap(lambda x: net.step(x))
    first = f(row())
    Net.step = lambda self, x: x * 3
    return first, f(row())


@situation("test_misc")
def the_class_of_an_object_is_replaced(wrap: Wrap) -> Any:
    class One:
        def step(self, x):
            return x * 2

    class Two(One):
        def step(self, x):
            return x * 3

    net = One()
    f = wrap(lambda x: net.step(x))
    first = f(row())
    net.__class__ = Two
    return first, f(row())


@situation("test_misc")
def a_class_attribute_changes(wrap: Wrap) -> Any:
    class Net:
        scale = 2.0

        def step(self, x):
            return x * self.scale

    net = Net()
    f = wrap(lambda x: net.step(x) + Net.scale)
    results = [f(row())]
    Net.scale = 3.0
    results.append(f(row()))
    net.scale = 5.0
    return [*results, f(row())]


@situation("test_misc")
def a_class_counts_its_objects(wrap: Wrap) -> Any:
    class Node:
        made = 0

        def __init__(self, x):
            Node.made += 1
            self.x = x * Node.made

    f = wrap(lambda x: Node(x).x + Node(x).x)
    return f(row()), f(row()), Node.made


@situation("test_misc")
def a_property(wrap: Wrap) -> Any:
    class Net:
        def __init__(self):
            self.k = 2.0

        @property
        def scale(self):
            return self.k * 2

    net = Net()
    f = wrap(lambda x: x * net.scale)
    first = f(row())
    net.k = 5.0
    return first, f(row())


@situation("test_misc")
def a_property_with_a_setter(wrap: Wrap) -> Any:
    class Net:
        def __init__(self):
            self._x = row()

        @property
        def x(self):
            return self._x + 1

        @x.setter
        def x(self, value):
            self._x = value * 2

    net = Net()

    @wrap
    def f(y):
        net.x = y
        return net.x

    return f(row()), f(other()), net


@situation("test_misc")
def a_cached_property(wrap: Wrap) -> Any:
    class Net:
        def __init__(self):
            self.k = 2.0

        @functools.cached_property
        def scale(self):
            return self.k * 2

    net = Net()
    f = wrap(lambda x: x * net.scale)
    first = f(row())
    net.k = 5.0
    second = f(row())
    del net.scale
    return first, second, f(row())


@situation("test_misc")
def a_descriptor(wrap: Wrap) -> Any:
    class Scaled:
        def __init__(self, k):
            self.k = k

        def __get__(self, instance, owner):
            return self if instance is None else instance.base * self.k

    class Net:
        twice = Scaled(2)

        def __init__(self):
            self.base = 3.0

    net = Net()
    f = wrap(lambda x: x * net.twice)
    results = [f(row())]
    net.base = 4.0
    results.append(f(row()))
    Net.__dict__["twice"].k = 10
    return [*results, f(row())]


@situation("test_misc")
def getattr_of_a_class(wrap: Wrap) -> Any:
    class Net:
        def __init__(self):
            self.__dict__["values"] = {"scale": 2.0}

        def __getattr__(self, name):
            if name in self.__dict__["values"]:
                return self.__dict__["values"][name]
            raise AttributeError(name)

    net = Net()
    f = wrap(lambda x: x * net.scale + (1 if hasattr(net, "shift") else 0))
    results = [f(row())]
    net.__dict__["values"]["scale"] = 3.0
    results.append(f(row()))
    net.__dict__["values"]["shift"] = 0
    return [*results, f(row())]


@situation("test_misc")
def getattribute_of_a_class(wrap: Wrap) -> Any:
    class Net:
        def __init__(self):
            self.k = 2.0

        def __getattribute__(self, name):
            found = object.__getattribute__(self, name)
            return found + 1 if name == "k" else found

    net = Net()
    f = wrap(lambda x: x * net.k)
    first = f(row())
    net.k = 5.0
    return first, f(row())


@situation("test_misc")
def setattr_of_a_class(wrap: Wrap) -> Any:
    class Net:
        def __setattr__(self, name, value):
            super().__setattr__("kept_" + name, value)

    net = Net()

    @wrap
    def f(x):
        net.y = x * 2
        return net.kept_y + 1

    return f(row()), f(other()), net


@situation("test_misc")
def an_attribute_is_deleted_inside(wrap: Wrap) -> Any:
    @wrap
    def f(config, x):
        del config.count
        return x * len(vars(config))

    one, two = Config(), Config()
    return f(one, row()), f(two, row()), one, error_of(f, one, row())


@situation("test_misc")
def slots(wrap: Wrap) -> Any:
    class Point:
        __slots__ = ("x", "k")

        def __init__(self, x, k):
            self.x, self.k = x, k

    point = Point(row(), 2)

    @wrap
    def f(y):
        point.x = point.x + y
        return point.x * point.k

    first = f(row())
    point.k = 3
    return first, f(row()), point.x


@situation("test_misc")
def dunder_dict(wrap: Wrap) -> Any:
    config = Config()

    @wrap
    def f(x):
        config.__dict__["count"] = 10
        return x * config.count if "scale" in config.__dict__ else x * config.__dict__.get("z", 2)

    first = f(row())
    del config.scale
    return first, f(row()), config


@situation("test_misc")
def arithmetic_of_an_object(wrap: Wrap) -> Any:
    class Money:
        def __init__(self, value):
            self.value = value

        def __add__(self, more):
            return Money(self.value + (more.value if isinstance(more, Money) else more))

        __radd__ = __add__

        def __mul__(self, k):
            return Money(self.value * k)

        def __neg__(self):
            return Money(-self.value)

        def __iadd__(self, more):
            self.value = self.value + more
            return self

    @wrap
    def f(x):
        money = Money(x) + Money(x * 2)
        money += 1
        return (-(money * 2)).value, (1 + money).value

    return f(row())


@situation("test_misc")
def comparisons_of_an_object(wrap: Wrap) -> Any:
    @functools.total_ordering
    class Version:
        def __init__(self, *parts):
            self.parts = parts

        def __eq__(self, other):
            return self.parts == other.parts

        def __lt__(self, other):
            return self.parts < other.parts

        def __hash__(self):
            return hash(self.parts)

    current = Version(1, 2)
    f = wrap(lambda x: x * 2 if current >= Version(1, 3) else x * 3)
    first = f(row())
    current.parts = (2, 0)
    return first, f(row())


@situation("test_misc")
def an_object_as_a_container(wrap: Wrap) -> Any:
    class Bag:
        def __init__(self):
            self.items = {"a": row(), "b": other()}

        def __getitem__(self, key):
            return self.items[key]

        def __setitem__(self, key, value):
            self.items[key] = value

        def __delitem__(self, key):
            del self.items[key]

        def __contains__(self, key):
            return key in self.items

        def __len__(self):
            return len(self.items)

        def __iter__(self):
            return iter(self.items)

    bag = Bag()

    @wrap
    def f(x):
        bag["c"] = bag["a"] + x
        if "b" in bag:
            del bag["b"]
        return bag["c"] * len(bag), list(bag)

    return f(row()), f(other()), bag.items


@situation("test_misc")
def the_truth_of_an_object(wrap: Wrap) -> Any:
    class Sized:
        def __init__(self, values):
            self.values = values

        def __len__(self):
            return len(self.values)

    class Truth(Sized):
        def __bool__(self):
            return False

    f = wrap(lambda x, one: x - 1 if one else x + 1)
    return [f(row(), one) for one in (Config(), Sized([1]), Sized([]), Truth([1]), Config())]


@situation("test_misc")
def the_truth_of_an_object_outside_changes(wrap: Wrap) -> Any:
    class Gate:
        def __init__(self):
            self.open = True

        def __bool__(self):
            return self.open

    gate = Gate()
    f = wrap(lambda x: x - 1 if gate else x + 1)
    first = f(row())
    gate.open = False
    return first, f(row())


@situation("test_misc")
def an_object_with_a_bool_that_is_none(wrap: Wrap) -> Any:
    class Odd:
        def __bool__(self):
            return 1.5  # noqa: PLE0304

    odd = Odd()
    return error_of(wrap(lambda x: x if odd else x + 1), row())


@situation("test_misc")
def an_object_is_made_and_returned(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        config = Config(3.0)
        config.x = x * config.scale
        return config

    return f(row()), f(other())


@situation("test_misc")
def an_object_is_made_and_used_inside(wrap: Wrap) -> Any:
    class Accumulator:
        def __init__(self):
            self.total, self.seen = 0, []

        def add(self, x):
            self.total = self.total + x
            self.seen.append(x)
            return self

    f = wrap(lambda x: (lambda a: a.add(x).add(x * 2).total * len(a.seen))(Accumulator()))
    return f(row()), f(other())


@situation("test_misc")
def static_and_class_methods(wrap: Wrap) -> Any:
    class Net:
        k = 2.0

        @staticmethod
        def double(x):
            return x * 2

        @classmethod
        def scaled(cls, x):
            return x * cls.k

    class Sub(Net):
        k = 3.0

    f = wrap(lambda x: Net.double(x) + Sub.scaled(x) + Sub().scaled(x))
    first = f(row())
    Sub.k = 4.0
    return first, f(row())


@situation("test_misc")
def super_calls(wrap: Wrap) -> Any:
    class Base:
        def step(self, x):
            return x * 2

    class Left(Base):
        def step(self, x):
            return super().step(x) + 1

    class Right(Base):
        def step(self, x):
            return super().step(x) * 3

    class Both(Left, Right):
        def step(self, x):
            return super().step(x) - 1

    both = Both()
    return wrap(lambda x: both.step(x))(row()), [c.__name__ for c in Both.__mro__]


@situation("test_misc")
def super_with_a_metaclass(wrap: Wrap) -> Any:
    class Meta(type):
        def scaled(cls, x):
            return x * cls.k

    class Base(metaclass=Meta):
        k = 2.0

    class Sub(Base):
        k = 3.0

    f = wrap(lambda x: Sub.scaled(x) if isinstance(Sub, Meta) else x)
    first = f(row())
    Sub.k = 5.0
    return first, f(row())


@situation("test_misc")
def instance_checks(wrap: Wrap) -> Any:
    class Even(type):
        def __instancecheck__(cls, instance):
            return instance % 2 == 0

    class EvenNumber(metaclass=Even):
        pass

    f = wrap(lambda x, k: x * 2 if isinstance(k, EvenNumber) else x * 3)
    return [f(row(), k) for k in (2, 3, 4)]


@situation("test_misc")
def abstract_classes_and_protocols(wrap: Wrap) -> Any:
    class Layer(abc.ABC):
        @abc.abstractmethod
        def run(self, x): ...

    @runtime_checkable
    class Runs(Protocol):
        def run(self, x): ...

    class Twice(Layer):
        def run(self, x):
            return x * 2

    layer = Twice()
    f = wrap(lambda x: layer.run(x) if isinstance(layer, Layer) and isinstance(layer, Runs) else x)
    return f(row()), error_of(wrap(lambda x: Layer()), row())


@situation("test_misc")
def generic_classes(wrap: Wrap) -> Any:
    class Box(Generic[T]):
        def __init__(self, value: T) -> None:
            self.value = value

    return wrap(lambda x: Box[flow.Tensor](x).value * 2)(row())


@situation("test_misc")
def new_of_a_class(wrap: Wrap) -> Any:
    class One:
        made = None

        def __new__(cls, x):
            made = super().__new__(cls)
            made.twice = x * 2
            return made

        def __init__(self, x):
            self.x = x

    f = wrap(lambda x: One(x).twice + One(x).x)
    return f(row()), f(other())


@situation("test_misc")
def a_singleton(wrap: Wrap) -> Any:
    class Registry:
        only = None

        def __new__(cls):
            if cls.only is None:
                cls.only = super().__new__(cls)
                cls.only.k = 2.0
            return cls.only

    f = wrap(lambda x: x * Registry().k)
    first = f(row())
    Registry().k = 4.0
    return first, f(row())


@situation("test_misc")
def a_class_is_made_inside(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        class Local:
            k = 2

            def run(self, y):
                return y * self.k

        return Local().run(x)

    return f(row()), f(other())


@situation("test_misc")
def the_name_and_the_type_of_an_object(wrap: Wrap) -> Any:
    f = wrap(lambda x, one: x * len(type(one).__name__) if type(one) is Config else x * len(one.__class__.__name__))
    return f(row(), Config()), f(row(), linear())


@situation("test_misc")
def identity_of_objects(wrap: Wrap) -> Any:
    one, two = Config(), Config()
    current = SimpleNamespace(config=one)
    f = wrap(lambda x: x * 2 if current.config is one else x * 3)
    first = f(row())
    current.config = two
    return first, f(row())


@situation("test_misc")
def id_as_a_key(wrap: Wrap) -> Any:
    one = Config()
    table = {id(one): 3}
    f = wrap(lambda x, config: x * table.get(id(config), 1))
    return f(row(), one), f(row(), Config())


@situation("test_misc")
def the_hash_of_an_object(wrap: Wrap) -> Any:
    class Key:
        def __init__(self, name):
            self.name = name

        def __hash__(self):
            return hash(self.name)

        def __eq__(self, other):
            return self.name == other.name

    table = {Key("a"): 2}
    f = wrap(lambda x, name: x * table.get(Key(name), 5))
    first = f(row(), "a"), f(row(), "b")
    table[Key("b")] = 7
    return first, f(row(), "b")


@situation("test_misc")
def dataclasses(wrap: Wrap) -> Any:
    @dataclass
    class State:
        x: flow.Tensor
        k: int = 2
        seen: list[Any] = field(default_factory=list)

        def step(self):
            return State(self.x * self.k, self.k, [*self.seen, self.k])

    f = wrap(lambda state: state.step())
    return f(State(row())), f(State(other(), 3)), f(State(row(), seen=[1]))


@situation("test_misc")
def a_dataclass_that_is_an_argument_is_changed(wrap: Wrap) -> Any:
    @dataclass
    class State:
        x: flow.Tensor
        k: int = 2

    @wrap
    def f(state):
        state.x = state.x * state.k
        state.k += 1
        return state.x.sum()

    state = State(row())
    return f(state), f(state), state


@situation("test_misc")
def a_frozen_dataclass_outside(wrap: Wrap) -> Any:
    @dataclass(frozen=True)
    class Settings:
        k: float
        names: tuple[str, ...] = ("a",)

    holder = SimpleNamespace(settings=Settings(2.0))
    f = wrap(lambda x: x * holder.settings.k * len(holder.settings.names))
    first = f(row())
    holder.settings = Settings(3.0, ("a", "b"))
    return first, f(row())


@situation("test_misc")
def objects_in_objects(wrap: Wrap) -> Any:
    root = SimpleNamespace(a=SimpleNamespace(b=[SimpleNamespace(k=2.0)]))
    f = wrap(lambda x: x * root.a.b[0].k)
    results = [f(row())]
    root.a.b[0].k = 3.0
    results.append(f(row()))
    root.a.b.insert(0, SimpleNamespace(k=4.0))
    results.append(f(row()))
    root.a = SimpleNamespace(b=[SimpleNamespace(k=5.0)])
    return [*results, f(row())]


@situation("test_misc")
def a_helper_reads_an_object_that_it_gets(wrap: Wrap) -> Any:
    config = Config()

    def helper(x, settings):
        return x * settings.scale

    f = wrap(lambda x: helper(x, config))
    first = f(row())
    config.scale = 3.0
    return first, f(row())


@situation("test_misc")
def a_call_gives_the_object(wrap: Wrap) -> Any:
    config = Config()

    def current():
        return config

    f = wrap(lambda x: x * current().scale)
    first = f(row())
    config.scale = 3.0
    return first, f(row())


@situation("test_misc")
def objects_in_a_list_are_walked(wrap: Wrap) -> Any:
    configs = [Config(2.0), Config(3.0)]

    @wrap
    def f(x):
        for config in configs:
            x = x * config.scale
        return x

    results = [f(row())]
    configs[1].scale = 5.0
    results.append(f(row()))
    configs.reverse()
    configs.append(Config(7.0))
    return [*results, f(row())]


@situation("test_misc")
def a_weak_reference(wrap: Wrap) -> Any:
    one = Config()
    reference = weakref.ref(one)
    f = wrap(lambda x: x * reference().scale if reference() is not None else x)
    first = f(row())
    one.scale = 3.0
    second = f(row())
    del one
    return first, second, f(row())


@situation("test_misc")
def an_object_is_copied_inside(wrap: Wrap) -> Any:
    config = Config()
    config.x = row()

    @wrap
    def f(x):
        shallow, deep = copy.copy(config), copy.deepcopy(config)
        shallow.scale = 9.0
        return x * deep.scale + shallow.x, shallow.scale

    first = f(row())
    config.scale = 3.0
    return first, f(row())


@situation("test_input_attr_tracking")
def attributes_of_tensors(wrap: Wrap) -> Any:
    x = row()
    x.scale, x.shift = 2.0, other()
    f = wrap(lambda t: t * t.scale + t.shift)
    results = [f(x)]
    x.scale = 3.0
    results.append(f(x))
    x.shift = row()
    return [*results, f(x)]


@situation("test_input_attr_tracking")
def an_attribute_of_a_tensor_is_set_inside(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        y = x * 2
        y.note = x + 1
        x.used = True
        return y, y.note * 2

    x = row()
    y, z = f(x)
    return y, z, hasattr(x, "used"), hasattr(y, "note")


@situation("test_subclasses")
def a_subclass_of_tensor(wrap: Wrap) -> Any:
    class Named(flow.Tensor):
        pass

    x = row().as_subclass(Named) if hasattr(row(), "as_subclass") else row()
    f = wrap(lambda t: t * 2)
    return f(x), f(row())


@situation("test_misc")
def an_object_of_the_standard_library(wrap: Wrap) -> Any:
    import argparse
    from fractions import Fraction

    options = argparse.Namespace(scale=2.0, half=Fraction(1, 2))
    f = wrap(lambda x: x * options.scale + float(options.half))
    first = f(row())
    options.scale = 3.0
    return first, f(row())


@situation("test_misc")
def an_attribute_error_inside(wrap: Wrap) -> Any:
    config = Config()

    @wrap
    def f(x):
        try:
            return x * config.extra
        except AttributeError:
            return x * 9

    first = f(row())
    config.extra = 2
    return first, f(row())


@situation("test_misc")
def callable_of_an_object(wrap: Wrap) -> Any:
    f = wrap(lambda x, one: one(x) if callable(one) else x)
    return f(row(), flow.sin), f(row(), 3), f(row(), lambda t: t * 2)


@situation("test_misc")
def dir_and_vars_of_an_object(wrap: Wrap) -> Any:
    config = Config()
    f = wrap(lambda x: x * len(vars(config)) + ("extra" in dir(config)))
    first = f(row())
    config.extra = 1
    return first, f(row())


@situation("test_misc")
def a_tree_of_objects_is_walked(wrap: Wrap) -> Any:
    class Node:
        def __init__(self, k, *children):
            self.k, self.children = k, list(children)

        def apply(self, x):
            for child in self.children:
                x = child.apply(x)
            return x * self.k

    tree = Node(1.0, Node(2.0), Node(3.0, Node(4.0)))
    f = wrap(lambda x: tree.apply(x))
    results = [f(row())]
    tree.children[1].children[0].k = 5.0
    results.append(f(row()))
    tree.children.append(Node(7.0))
    return [*results, f(grid())]


@situation("test_repros")
def an_object_in_a_tuple_in_an_argument(wrap: Wrap) -> Any:
    config = Config(10.0)
    table = {"a": 2, "b": (config,)}
    f = wrap(lambda x, d: x * d["a"] * d["b"][0].scale)
    first = f(row(), table)
    config.scale = 12.0
    return first, f(row(), table)


@situation("test_repros")
def the_init_of_a_class_is_wrapped(wrap: Wrap) -> Any:
    class Net(flow.nn.Module):
        def forward(self, x):
            return x * self.k

    kept = Net.__init__

    @functools.wraps(kept)
    def init(self, k):
        kept(self)
        self.k = k

    Net.__init__ = init
    return wrap(Net(5.0))(row())


@situation("test_misc")
def an_attribute_of_a_base_class_is_read_by_super(wrap: Wrap) -> Any:
    class Base:
        scale = 2.0

        def apply(self, x: Any) -> Any:
            return x * 2

    class Middle(Base):
        pass

    class Derived(Middle):
        scale = 3.0

        def apply(self, x: Any) -> Any:
            return super().apply(x) * super().scale + super(Derived, self).scale  # noqa: UP008

    thing = Derived()

    @wrap
    def f(x):
        return thing.apply(x)

    results = [f(row()), f(row())]
    Base.scale = 5.0
    results.append(f(row()))
    Middle.scale = 7.0
    results.append(f(row()))
    Base.apply = lambda self, x: x * 3
    return [*results, f(row())]


# ------------------------------------------------------------------------------------------ classes that change, and are asked for


class First:
    """A class that objects change from."""

    value = 1.0

    def double(self) -> float:
        return self.value * 2


class Second(First):
    """A class that objects change to."""

    value = 3.0

    def double(self) -> float:
        return self.value * 20


@situation("test_misc")
def the_class_of_an_object_changes(wrap: Wrap) -> Any:
    class Slotted:
        __slots__ = ("value",)

        def double(self):
            return 2

    class Other:
        __slots__ = ("value",)

        def double(self):
            return 20

    thing, slotted, layer = First(), Slotted(), flow.nn.ReLU()
    functions = (
        wrap(lambda x: x * (2 if type(thing) is First else 3)),
        wrap(lambda x: x * (2 if isinstance(thing, Second) else 3)),
        wrap(lambda x: x * (2 if thing.__class__ is First else 3)),
        wrap(lambda x: x * thing.double() + slotted.double()),
        wrap(lambda x: x * (2 if type(layer) is flow.nn.ReLU else 3)),
        wrap(layer),
    )
    found = [f(other()) for f in functions]
    thing.__class__, slotted.__class__, layer.__class__ = Second, Other, flow.nn.Identity
    return found, [f(other()) for f in functions]


@situation("test_misc")
def the_function_changes_a_class(wrap: Wrap) -> Any:
    thing = First()

    @wrap
    def f(x):
        thing.__class__ = Second if type(thing) is First else First
        return x * thing.double()

    return f(row()), f(row()), f(row()), type(thing)


@situation("test_misc")
def a_class_is_registered_at_an_abstract_one(wrap: Wrap) -> Any:
    class Abstract(abc.ABC):  # noqa: B024
        pass

    class Plain:
        pass

    plain = Plain()
    f = wrap(lambda x: x * (2 if isinstance(plain, Abstract) else 3))
    found = [f(row())]
    Abstract.register(Plain)
    return [*found, f(row())]


@situation("test_misc")
def a_protocol_that_a_class_comes_to_have(wrap: Wrap) -> Any:
    @runtime_checkable
    class Runs(Protocol):
        def run(self) -> int: ...

    class Plain:
        pass

    plain = Plain()
    f = wrap(lambda x: x * (2 if isinstance(plain, Runs) else 3))
    found = [f(row())]
    Plain.run = lambda self: 1  # type: ignore[attr-defined]
    return [*found, f(row())]


@situation("test_misc")
def special_methods_are_added(wrap: Wrap) -> Any:
    class Plain:
        pass

    a, b = Plain(), Plain()
    f = wrap(lambda x: x * (2 if a else 3) * (5 if a == b else 7) * getattr(a, "missing", 11))
    found = [f(row())]
    Plain.__bool__ = lambda self: False  # type: ignore[attr-defined]
    found.append(f(row()))
    Plain.__eq__ = lambda self, other: True  # type: ignore[assignment, method-assign]
    found.append(f(row()))
    Plain.__getattr__ = lambda self, name: 13  # type: ignore[attr-defined]
    return [*found, f(row())]


@situation("test_misc")
def the_dict_of_a_class(wrap: Wrap) -> Any:
    class Plain:
        value = 2

    f = wrap(lambda x: x * Plain.__dict__["value"] + ("more" in vars(Plain)) + Plain.__dict__.get("third", 5))
    g = wrap(lambda x: x * len([name for name in vars(Plain) if not name.startswith("_")]))
    found = [f(row()), g(row())]
    Plain.value = 3
    found += [f(row()), g(row())]
    Plain.more = Plain.third = 1  # type: ignore[attr-defined]
    return [*found, f(row()), g(row())]


@situation("test_misc")
def objects_that_share_one_dict(wrap: Wrap) -> Any:
    class Shared:
        _state: dict[str, Any] = {}

        def __init__(self):
            self.__dict__ = self._state

    @wrap
    def f(x):
        shared = Shared()
        shared.count = getattr(shared, "count", 0) + 1
        return x * shared.count

    return f(row()), f(row()), Shared._state


@situation("test_misc")
def one_object_is_made_once(wrap: Wrap) -> Any:
    class Single:
        only: Any = None

        def __new__(cls):
            if cls.only is None:
                cls.only = super().__new__(cls)
                cls.only.count = 0
            return cls.only

    @wrap
    def f(x):
        single = Single()
        single.count += 1
        return x * single.count

    return f(row()), f(row()), f(row()), Single.only.count


@situation("test_misc")
def a_class_of_new_objects_changes(wrap: Wrap) -> Any:
    class Plain:
        level = 2

        def read(self):
            return self.level

    f = wrap(lambda x: x * Plain().read())
    found = [f(row())]
    Plain.level = 3
    found.append(f(row()))
    Plain.read = lambda self: 50  # type: ignore[method-assign]
    return [*found, f(row())]


@situation("test_misc")
def every_read_of_an_attribute_is_counted(wrap: Wrap) -> Any:
    class Counted:
        reads = 0

        def __init__(self):
            self.value = 2

        def __getattribute__(self, name):
            if name == "value":
                Counted.reads += 1
            return object.__getattribute__(self, name)

    counted = Counted()
    f = wrap(lambda x: x * counted.value)
    found = [f(row()), f(row())]
    counted.value = 3
    return [*found, f(row())], Counted.reads


@situation("test_misc")
def a_key_that_counts_its_hashes(wrap: Wrap) -> Any:
    class Key:
        hashes = 0

        def __hash__(self):
            Key.hashes += 1
            return 1

        def __eq__(self, other):
            return True

    table, key = {Key(): 4}, Key()
    Key.hashes = 0
    f = wrap(lambda x: x * table[key])
    return f(row()), f(row()), Key.hashes


@situation("test_misc")
def attributes_in_slots_are_given_to_a_library(wrap: Wrap) -> Any:
    class Slotted:
        __slots__ = ("value",)

        def __init__(self, value):
            self.value = value

    things = [Slotted(3), Slotted(1)]
    f = wrap(lambda x: x * copy.copy(things[0]).value + min(things, key=lambda thing: thing.value).value)
    found = [f(row())]
    things[0].value = 0
    return [*found, f(row())]


@situation("test_misc")
def a_dataclass_in_slots_is_changed(wrap: Wrap) -> Any:
    @dataclass(slots=True)
    class Slotted:
        x: Any
        count: int = 0

    @wrap
    def f(slotted):
        slotted.count += 1
        slotted.x = slotted.x * 2
        return slotted.x, Slotted(slotted.x, 3)

    slotted = Slotted(row())
    return f(slotted), f(slotted), slotted.count, slotted.x


@situation("test_misc")
def a_dataclass_with_another_attribute(wrap: Wrap) -> Any:
    @dataclass
    class Batch:
        x: Any
        factor = 2

    f = wrap(lambda batch: batch.x * batch.factor * (batch.more if hasattr(batch, "more") else 1))
    first, second = Batch(row()), Batch(row())
    second.more = 5  # type: ignore[attr-defined]
    found = [f(first), f(second), f(Batch(row()))]
    second.more = 7  # type: ignore[attr-defined]
    found.append(f(second))
    Batch.factor = 3
    return [*found, f(first)]


@situation("test_misc")
def a_class_that_is_made_inside_is_returned(wrap: Wrap) -> Any:
    @wrap
    def f(x):
        class Inner:
            total = x * 2

        return Inner, Inner()

    (first, one), (second, two) = f(row()), f(other())
    return first is second, type(one) is first, one.total, two.total
