"""Arguments as people pass them: each kind in four calls, with other objects, tensors and numbers, and with the same."""

from __future__ import annotations

import argparse
import sys
from collections import OrderedDict, UserDict, defaultdict, deque, namedtuple
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum, IntEnum
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Generic, TypeVar

import numpy
import pytest

import tritonflow as flow
from tests.graph.argument_programs import Thing, called, programs_of, row, seen

T = TypeVar("T")
Pair = namedtuple("Pair", "x scale")


class Layer:
    def __init__(self) -> None:
        self.keys = self.values = None
        self.is_ready = False

    def update(self, keys: Any, values: Any) -> Any:
        if self.is_ready:
            keys, values = flow.cat([self.keys, keys]), flow.cat([self.values, values])
        self.keys, self.values, self.is_ready = keys, values, True
        return keys, values


class Cache:
    """Keys and values of layers, which grow in each call."""

    def __init__(self, layers: int, scale: float = 1.0) -> None:
        self.layers = [Layer() for _ in range(layers)]
        self.seen, self.scale, self.dtype, self.kind, self.extra = 0, scale, flow.float32, Layer, {"name": None}

    def update(self, keys: Any, values: Any, layer: int) -> Any:
        if layer == 0:
            self.seen += keys.shape[0]
        return self.layers[layer].update(keys, values)


class Output(OrderedDict[str, Any]):
    """Items that are attributes, too."""

    def __init__(self, **items: Any) -> None:
        super().__init__()
        for name, item in items.items():
            self[name] = item

    def __setitem__(self, name: str, item: Any) -> None:
        super().__setitem__(name, item)
        super().__setattr__(name, item)

    def __setattr__(self, name: str, item: Any) -> None:
        if name in self.keys():
            super().__setitem__(name, item)
        super().__setattr__(name, item)


@dataclass
class Fields(Output):
    loss: Any = None
    logits: Any = None

    def __post_init__(self) -> None:
        for name in ("loss", "logits"):
            if getattr(self, name) is not None:
                self[name] = getattr(self, name)


@dataclass(frozen=True)
class Frozen:
    x: Any
    scale: float = 1.0
    inner: Any = None


@dataclass
class Batch:
    x: Any
    scale: float = 1.0
    items: list[Any] = field(default_factory=list)
    inner: Any = None


@dataclass(slots=True)
class Narrow:
    x: Any
    scale: float = 1.0


class Slotted:
    __slots__ = ("x", "scale", "late")

    def __init__(self, x: Any, scale: float) -> None:
        self.x, self.scale = x, scale


class Typed(Generic[T]):
    def __init__(self, x: T, scale: float) -> None:
        self.x, self.scale = x, scale


class Items(list[Any]):
    pass


class SlottedItems(list[Any]):
    __slots__ = ("scale",)


class Color(Enum):
    RED = 1
    BLUE = 2


class Mode(IntEnum):
    SLOW = 1
    FAST = 2


def filled(k: int) -> Cache:
    cache = Cache(2, 1.0 + k)
    for layer in range(2):
        cache.update(row(k), row(k + 1), layer)
    return cache


def items(kind: Any, k: int) -> Any:
    made = kind([row(k), row(k + 1)])
    made.scale = 1.0 + k
    return made


def state(k: int) -> Any:
    linear = flow.nn.Linear(3, 3)
    linear.load_state_dict({name: flow.full_like(x, k) for name, x in linear.state_dict().items()})
    return linear.state_dict()


def grow(cache: Any, x: Any) -> Any:
    keys, values = cache.update(x, x * 2, 0)
    more, _ = cache.update(x * 3, x, 1)
    return keys.sum() + values.sum() * cache.scale + more.sum()


def extend(output: Any, x: Any) -> Any:
    output["extra"] = output["loss"] * x
    output.loss = output.extra + 1
    return output["loss"] + output.extra


def move(batch: Any) -> Any:
    batch.x = batch.x * batch.scale
    batch.items.append(batch.x)
    batch.inner.scale += 1.0
    return batch.x + batch.inner.x * batch.inner.scale


def scale(thing: Any) -> Any:
    thing.x = thing.x * thing.scale
    thing.late = thing.x + 1
    return thing.x + thing.scale


def scale_items(thing: Any) -> Any:
    thing.append(thing[0] * thing.scale)
    thing.scale += 1.0
    thing.pop(0)
    return thing[-1]


def change_list(x: Any, given: Any) -> Any:
    given.append(x * 2)
    given[0] += 1.0
    given[1].append(given[1][0] * x)
    given[1].pop(0)
    given[2:] = given[2:][::-1]
    return x * given[0]


def change_dict(x: Any, given: Any) -> Any:
    given["b"] = given.pop("a", x) * x
    given["k"] += 1.0
    given.setdefault("more", []).append(x)
    return given["b"] * given["k"]


def clear(x: Any, given: Any) -> Any:
    y = given.get("a", x) + x
    given.clear()
    given["y"] = y
    return y


def rotate(x: Any, given: Any) -> Any:
    given.append(x * 2)
    given.appendleft(1)
    return given.pop() * len(given)


def change_set(x: Any, given: Any) -> Any:
    given.add(10)
    given.discard(2)
    return x * len(given)


def change_all(thing: Any) -> Any:
    thing.x = thing.x * thing.scale
    thing.names.add("c")
    thing.queue.append(thing.scale)
    thing.table["x"] = thing.x
    thing.table.pop("old", None)
    return thing.x[thing.part] + len(thing.names)


def everything(k: int) -> Thing:
    return Thing(
        x=row(k), scale=1.0 + k, color=Color.RED, names={"a", "b"}, queue=deque([1.0], 3), part=slice(0, 2), fixed=frozenset((1,)),
        table={"old": 1, 2: "two"}, dtype=flow.float32, device=flow.device("cpu"), kind=Thing, call=len, path=Path("a"),
        number=numpy.float32(2.0), array=numpy.arange(3), nothing=None, inner=[Thing(y=row(), text="t")],
    )  # fmt: skip


KINDS: dict[str, Any] = {
    "a filled cache": (grow, lambda k: (filled(k), row(k))),
    "an empty cache": (grow, lambda k: (Cache(2, 1.0 + k), row(k))),
    "a dict with attributes": (extend, lambda k: (Output(loss=row(k), k=1.0 + k), row(k))),
    "a dataclass that is a dict": (extend, lambda k: (Fields(loss=row(k), logits=row(1)), row(k))),
    "a frozen dataclass": (lambda f: f.x * f.scale + f.inner.x, lambda k: (Frozen(row(k), 1.0 + k, Frozen(row(k + 1))),)),
    "a dataclass": (move, lambda k: (Batch(row(k), 1.0 + k, [row(k)], Batch(row(k + 1))),)),
    "a dataclass with slots": (lambda f: f.x * f.scale, lambda k: (Narrow(row(k), 1.0 + k),)),
    "a named tuple": (lambda p: p.x * p.scale, lambda k: (Pair(row(k), 1.0 + k),)),
    "slots": (scale, lambda k: (Slotted(row(k), 1.0 + k),)),
    "a generic class": (scale, lambda k: (Typed[Any](row(k), 1.0 + k),)),
    "a namespace": (scale, lambda k: (SimpleNamespace(x=row(k), scale=1.0 + k),)),
    "a parser's namespace": (scale, lambda k: (argparse.Namespace(x=row(k), scale=1.0 + k),)),
    "a list with attributes": (scale_items, lambda k: (items(Items, k),)),
    "a list with slots": (scale_items, lambda k: (items(SlottedItems, k),)),
    "a dict of collections": (lambda d: d.update(y=d["x"] * 2), lambda k: (UserDict(x=row(k)),)),
    "the state of a module": (lambda s, x: x @ s["weight"].t(), lambda k: (state(k), row(k))),
    "a list that changes": (change_list, lambda k: (row(k), [1.0 + k, [row(k)]])),
    "a dict that changes": (change_dict, lambda k: (row(k), {"a": row(k), "k": 1.0 + k})),
    "a dict that is cleared": (clear, lambda k: (row(k), {"a": row(k)})),
    "a default dict": (lambda x, d: d["b"].append(x), lambda k: (row(k), defaultdict(list, a=[row(k)]))),
    "a deque": (rotate, lambda k: (row(k), deque([row(k), 1.0 + k], maxlen=3))),
    "everything": (change_all, lambda k: (everything(k),)),
    "a NumPy number": (lambda x, n: x * n, lambda k: (row(k), numpy.float32(1 + k))),
    "None": (lambda x, n: x * 2 if n is None else x, lambda k: (row(k), None)),
}


@pytest.mark.parametrize("name", KINDS)
def test_new_objects_of_one_structure_run_one_program(name: str) -> None:
    function, make = KINDS[name]
    assert programs_of(called(function, make)) == (1, "")


@pytest.mark.parametrize("name", KINDS)
def test_the_same_object_in_each_call(name: str) -> None:
    """Its structure or its shapes may change from call to call. Then the call is captured again."""
    function, make = KINDS[name]
    programs_of(called(function, make, same=True))


CONSTANTS: dict[str, Any] = {  # and how many programs four calls need
    "a set of ints": (lambda x, s: x * sum(s), lambda k: (row(k), {1 + k % 2, 5}), 2),
    "a set of texts": (lambda x, s: x * (2 if "a" in s else 3), lambda k: (row(k), {"a", "b"}), 1),
    "a set that changes": (change_set, lambda k: (row(k), {1 + k % 2, 7}), 2),
    "a frozen set": (lambda x, s: x * sum(s), lambda k: (row(k), frozenset((k % 2, 5))), 2),
    "a slice": (lambda x, s: x[s] * 2, lambda k: (row(k), slice(0, 1 + k % 2)), 2),
    "a range": (lambda x, r: x * sum(r), lambda k: (row(k), range(1 + k % 2)), 2),
    "an enum": (lambda x, c: x * c.value, lambda k: (row(k), (Color.RED, Color.BLUE)[k % 2]), 2),
    "an int of an enum": (lambda x, m: x * m, lambda k: (row(k), list(Mode)[k % 2]), 2),
    "a bool of NumPy": (lambda x, b: x * 2 if b else x, lambda k: (row(k), numpy.bool_(k % 2)), 2),
    "a complex number of NumPy": (lambda x, c: x * complex(c).real, lambda k: (row(k), numpy.complex64(1 + k % 2)), 2),
    "an array": (lambda x, a: x + flow.tensor(a), lambda k: (row(k), numpy.arange(3, dtype=numpy.float32) + k % 2), 2),
    "an array of ints": (lambda x, a: x + flow.tensor(a), lambda k: (row(k), numpy.arange(3) + k % 2), 2),
    "an array that decides": (lambda x, a: x * 2 if a.sum() > 4 else x, lambda k: (row(k), numpy.arange(3.0) + k % 2), 2),
    "an array of no dimension": (lambda x, a: x * float(a), lambda k: (row(k), numpy.array(1.0 + k % 2)), 2),
    "an array of bools": (lambda x, a: x * flow.tensor(a), lambda k: (row(k), numpy.array([True, k % 2 > 0, False])), 2),
}  # fmt: skip


@pytest.mark.parametrize("name", CONSTANTS)
def test_what_is_compared_by_value(name: str) -> None:
    function, make, programs = CONSTANTS[name]
    assert programs_of(called(function, make)) == (programs, "")
    programs_of(called(function, make, same=True))


@pytest.mark.cpu_only(reason="an array lies on the host")
def test_arrays_that_are_others_in_each_call() -> None:
    function = lambda x, a: x + flow.from_numpy(a)
    programs, why = programs_of(called(function, lambda k: (row(k), numpy.arange(3.0) + k)))
    assert programs == 2 and "pass flow.from_numpy(array)" in why


def written(x: Any, a: Any) -> Any:
    a[0] += 1.0
    return x * float(a[0])


def written_as_a_tensor(x: Any, a: Any) -> Any:
    return x * flow.from_numpy(a).add_(1.0)


@pytest.mark.cpu_only(reason="an array lies on the host")
@pytest.mark.parametrize(
    "function", (written, written_as_a_tensor, lambda x, a: (x * 2, flow.from_numpy(a)), lambda x, a: (x * 2, a[1:]))
)
def test_arrays_whose_memory_is_shared_run_in_eager_mode(function: Any) -> None:
    programs, why = programs_of(called(function, lambda k: (row(k), numpy.arange(3.0))))
    assert programs == 0 and "of a NumPy array among the arguments" in why or "writes a NumPy array" in why


def test_an_object_that_changes_its_structure_again_and_again() -> None:
    """Its list becomes longer in each call. It is followed as a variable is, so that `append` is repeated behind each run."""

    def noted(thing: Any, x: Any) -> Any:
        thing.history.append(x.sum())
        return x * thing.scale

    f, thing = flow.compile(noted), Thing(history=[], scale=2.0)
    assert [f(thing, row(k))[0].item() for k in range(8)] == [2.0 * (1 + k) for k in range(8)]
    assert [each.item() for each in thing.history] == [6.0 + k for k in range(8)] and len(f.captures()) == 3


def test_objects_with_another_text_in_each_call() -> None:
    f = flow.compile(lambda thing: thing.x * 2)
    with pytest.warns(UserWarning, match="a Thing among the arguments has other texts or lengths in each call"):
        for k in range(12):
            assert f(Thing(x=row(k), name=f"row {k}"))[0].item() == 2 + 2 * k
    assert len(f.captures()) == 8


LIBRARY = """
from collections import OrderedDict
from dataclasses import dataclass, fields
import tritonflow as flow

class Layer:
    is_compileable = False
    def __init__(self):
        self.keys = self.values = None
    def update(self, keys, values):
        if self.keys is None:
            self.keys, self.values, self.dtype = keys, values, keys.dtype
        else:
            self.keys, self.values = flow.cat([self.keys, keys], -2), flow.cat([self.values, values], -2)
        return self.keys, self.values

class Cache:
    def __init__(self):
        self.layers, self.kind, self.seen = [], Layer, 0
    def update(self, keys, values, layer):
        while len(self.layers) <= layer:
            self.layers.append(self.kind())
        if layer == 0 and type(self.seen) is int:
            self.seen += keys.shape[-2]
        return self.layers[layer].update(keys, values)

@dataclass
class Output(OrderedDict):
    logits: object = None
    past: object = None
    def __post_init__(self):
        for each in fields(self):
            if getattr(self, each.name) is not None:
                self[each.name] = getattr(self, each.name)
    def __getitem__(self, key):
        return dict(self.items())[key] if isinstance(key, str) else tuple(self.values())[key]
    def __setattr__(self, name, value):
        if name in self.keys():
            super().__setitem__(name, value)
        super().__setattr__(name, value)
    def __setitem__(self, key, value):
        super().__setitem__(key, value)
        super().__setattr__(key, value)
"""


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Any]:
    """An installed package, whose code is not watched."""
    folder = tmp_path / "site-packages"
    folder.mkdir()
    (folder / "library_of_caches.py").write_text(LIBRARY)
    sys.path.insert(0, str(folder))
    try:
        import library_of_caches

        yield library_of_caches
    finally:
        sys.path.remove(str(folder))
        sys.modules.pop("library_of_caches", None)


def test_objects_of_an_installed_package(library: Any) -> None:
    def step(x: Any, cache: Any, factor: float) -> Any:
        for layer in range(2):
            keys, values = cache.update(x * factor, x + layer, layer)
            x = x + (x @ keys.transpose(-1, -2)).softmax(-1) @ values
        return library.Output(logits=x, past=cache)

    def decoded(wrap: Any) -> Any:
        f, found = wrap(step), []
        for start in range(3):
            cache = library.Cache()
            for k in range(3):
                result = f(flow.arange(4.0).reshape(1, 4) * (0.1 + k), cache, 0.5 + start)
                found.append((seen(result), result[0] is result.logits, result.past is cache, seen(cache)))
        return found

    assert programs_of(decoded) == (3, "")  # one for each length


def test_a_result_of_an_installed_package_is_an_argument(library: Any) -> None:
    def use(output: Any, x: Any) -> Any:
        output.logits = output["logits"] * x
        output["past"] = x
        return output[0] + output.past, output

    assert programs_of(called(use, lambda k: (library.Output(logits=row(k)), row(k)))) == (1, "")


def test_numbers_in_objects_of_an_installed_package_are_plain_numbers(library: Any) -> None:
    """Its code is not watched, and asks for their class."""

    def filled_cache(k: int) -> Any:
        cache = library.Cache()
        cache.seen = k % 2
        return cache

    assert programs_of(called(lambda c, x: c.update(x, x, 0)[0] * c.seen, lambda k: (filled_cache(k), flow.ones(2, 2)))) == (2, "")
