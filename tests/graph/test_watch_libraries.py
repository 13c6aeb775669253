"""What Python's and other libraries read and change for a function is eager mode's in each call, whoever calls them and how."""

from __future__ import annotations

import collections
import contextlib
import csv
import decimal
import fractions
import functools
import io
import itertools
import json
import operator
import pickle
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy
import pytest

import tritonflow as flow
from tritonflow import nn


def plain(value: Any) -> Any:
    """What can be compared."""
    if isinstance(value, flow.Tensor):
        return "a tensor", type(value).__name__, value.detach().tolist()
    if isinstance(value, (list, tuple, collections.deque)):
        return type(value).__name__, [plain(each) for each in value]
    if isinstance(value, dict):
        return [(plain(key), plain(item)) for key, item in value.items()]
    if isinstance(value, numpy.ndarray):
        return value.tolist()
    return type(value).__name__, value


class Thing:
    def __init__(self, k: float) -> None:
        self.k = k


# ---------------------------------------------------------------------------------------------------------------- reads

# by name: what makes an object, what a function reads of it, and what then changes it
READS: dict[str, tuple[Callable[[], Any], Callable[[Any], Any], Callable[[Any], Any]]] = {
    "attrgetter as a key": (lambda: [Thing(1), Thing(2)], lambda e: e.index(max(e, key=operator.attrgetter("k"))), lambda e: setattr(e[0], "k", 9)),
    "map of an attrgetter": (lambda: [Thing(1), Thing(2)], lambda e: sum(map(operator.attrgetter("k"), e)), lambda e: setattr(e[0], "k", 9)),
    "itemgetter as a key": (lambda: [{"k": 1}, {"k": 2}], lambda e: e.index(max(e, key=operator.itemgetter("k"))), lambda e: e[0].update(k=3)),
    "len as a key": (lambda: [[1], [1, 2]], lambda e: e.index(max(e, key=len)), lambda e: e[0].extend([1, 1, 1])),
    "map of len": (lambda: [[1], [1, 2]], lambda e: sum(map(len, e)), lambda e: e[0].append(1)),
    "a sum of lists": (lambda: [[1], [1, 2]], lambda e: len(sum(e, [])), lambda e: e[0].append(1)),
    "the largest list": (lambda: [[1], [2]], lambda e: max(e)[0], lambda e: e[0].__setitem__(0, 5)),
    "any of lists": (lambda: [[], []], lambda e: any(e), lambda e: e[0].append(1)),
    "a list in lists": (lambda: [[2], [3]], lambda e: [1] in e, lambda e: e[0].__setitem__(0, 1)),
    "a bound get": (lambda: (d := {"a": 1}, d.get), lambda e: e[1]("a"), lambda e: e[0].update(a=2)),
    "map of a bound get": (lambda: {"a": 1}, lambda e: sum(map(e.get, ["a"])), lambda e: e.update(a=2)),
    "a bound len": (lambda: (n := [1], n.__len__), lambda e: e[1](), lambda e: e[0].append(1)),
    "a bound contains": (lambda: (s := {1}, s.__contains__), lambda e: e[1](2), lambda e: e[0].add(2)),
    "filter of a bound contains": (lambda: {1}, lambda e: len(list(filter(e.__contains__, [1, 2]))), lambda e: e.add(2)),
    "a bound sum of an array": (lambda: (a := numpy.ones(1), a.sum), lambda e: float(e[1]()), lambda e: e[0].fill(5)),
    "a number that NumPy writes": (lambda: ((t := flow.ones(1, device="cpu")).numpy(), t), lambda e: e[1].item(), lambda e: e[0].fill(5)),
    "a branch on what NumPy writes": (lambda: flow.tensor([True], device="cpu"), lambda e: 2 if e else 1, lambda e: e.numpy().fill(False)),
    "a list in an array of objects": (lambda: numpy.array([[1.0], None], dtype=object), lambda e: e[0][0], lambda e: e[0].__setitem__(0, 2.0)),
    "subclasses": (lambda: type("Base", (), {}), lambda e: len(e.__subclasses__()), lambda e: setattr(e, "kept", type("New", (e,), {}))),
    "callable": (lambda: type("T", (), {})(), lambda e: callable(e), lambda e: setattr(type(e), "__call__", lambda s: 0)),
    "the name of a class": (lambda: type("T", (), {}), lambda e: len(e.__name__), lambda e: setattr(e, "__name__", "Longer")),
}  # fmt: skip


@pytest.mark.filterwarnings("ignore:.*is not compiled")
@pytest.mark.parametrize("name", READS)
def test_reads(name: str) -> None:
    make, use, change = READS[name]
    found = []
    for wrap in (lambda f: f, flow.compile):
        thing = make()
        f = wrap(lambda x, thing=thing: x * use(thing))
        before = [f(flow.ones(1)).item() for _ in range(2)]
        change(thing)
        found.append((before, [f(flow.ones(1)).item() for _ in range(2)]))
    assert found[0] == found[1] and found[0][0] != found[0][1]


def test_a_call_that_is_replaced() -> None:
    class Double(nn.Module):
        def forward(self, x: Any) -> Any:
            return x * 2

    module = Double()
    f = flow.compile(lambda x: module(x))
    assert f(flow.ones(1)).item() == 2
    Double.__call__ = lambda self, x: nn.Module.__call__(self, x) + 10  # type: ignore[method-assign]
    assert f(flow.ones(1)).item() == 12


def test_the_precision_of_decimal_numbers() -> None:
    f = flow.compile(lambda x: x * float(decimal.Decimal(1) / 3))
    with decimal.localcontext() as context:
        found = []
        for context.prec in (28, 2, 28):
            found.append(f(flow.ones(1, dtype=flow.float64)).item())
    assert found == [1 / 3, 0.33, 1 / 3]


# -------------------------------------------------------------------------------------------------------------- changes


def stacked(e: list[int]) -> None:
    e.append(1)
    e.pop()
    with contextlib.ExitStack() as stack:
        stack.callback(e.append, 9)



# by name: what makes an object, what a function does to it, and what can be seen of it afterwards
CHANGES: dict[str, tuple[Callable[[], Any], Callable[[Any], Any], Callable[[Any], Any]]] = {
    "a bound append": (lambda: (n := [], n.append), lambda e: e[1](len(e[0])), lambda e: e[0]),
    "a bound append of a tensor": (lambda: (n := [], n.append), lambda e: e[1](flow.ones(2) * len(e[0])), lambda e: e[0]),
    "map of append": (list, lambda e: list(map(e.append, [1])), lambda e: e),
    "a partial of append": (lambda: (n := [], functools.partial(n.append, 1)), lambda e: e[1](), lambda e: e[0]),
    "a bound popleft": (lambda: (q := collections.deque(range(9)), q.popleft), lambda e: e[1](), lambda e: e[0]),
    "a bound setdefault": (lambda: (d := {}, d.setdefault), lambda e: e[1](len(e[0]), 1), lambda e: e[0]),
    "a bound clear": (lambda: (s := {1}, s.clear), lambda e: (e[0].add(3), e[1]()), lambda e: e[0]),
    "the next of a count": (lambda: (c := itertools.count(1), c.__next__), lambda e: e[1](), lambda e: next(e[0])),
    "a slice of an iterator": (lambda: iter(range(20)), lambda e: list(itertools.islice(e, 2)), next),
    "a callback of an exit stack": (list, stacked, lambda e: e),
    "a shuffled array": (lambda: (numpy.random.seed(0), numpy.arange(5))[1], numpy.random.shuffle, lambda e: e),
    "out= of NumPy": (lambda: numpy.zeros(1), lambda e: numpy.add(e, 1, out=e), lambda e: e),
    "a view of an array": (lambda: numpy.zeros(1), lambda e: e.reshape(-1).__iadd__(1), lambda e: e),
    "add.at": (lambda: numpy.zeros(1), lambda e: numpy.add.at(e, [0], 1), lambda e: e),
    "copyto": (lambda: numpy.zeros(1), lambda e: numpy.copyto(e, e + 1), lambda e: e),
    "the memory of a tensor": (lambda: flow.zeros(1), lambda e: numpy.add(e.numpy(), 1, out=e.numpy()), lambda e: e),
    "random numbers of one's own": (lambda: numpy.random.RandomState(0), lambda e: e.rand(), lambda e: e.rand()),
    "json to a stream": (io.StringIO, lambda e: json.dump(1, e), lambda e: e.getvalue()),
    "csv to a stream": (io.StringIO, lambda e: csv.DictWriter(e, ["a"]).writerow({"a": 1}), lambda e: e.getvalue()),
    "pickle to a stream": (io.BytesIO, lambda e: pickle.dump(1, e), lambda e: e.getvalue()),
    "a group of parameters": (
        lambda: flow.optim.SGD([nn.Parameter(flow.ones(1))], lr=0.1),
        lambda e: e.add_param_group({"params": [nn.Parameter(flow.ones(1))]}),
        lambda e: len(e.param_groups),
    ),
}  # fmt: skip


@pytest.mark.filterwarnings("ignore:.*is not compiled")
@pytest.mark.parametrize("falls_back", (False, True))
@pytest.mark.parametrize("name", CHANGES)
def test_changes(name: str, falls_back: bool) -> None:
    """Also where the function falls back to eager mode for another reason: what the capture did is taken back."""
    make, act, look = CHANGES[name]
    found = []
    for wrap in (lambda f: f, flow.compile):
        thing = make()
        f = wrap(lambda x, thing=thing: (act(thing), x.sum().item() if falls_back else x * 2)[1])
        results = [plain(f(flow.ones(1))) for _ in range(3)]
        found.append((results, plain(look(thing))))
    assert found[0] == found[1]


@dataclass
class Setting:
    act: Callable[[], Any]
    look: Callable[[], Any]
    reset: Callable[[], Any]


SETTINGS = {
    "anomalies": Setting(
        lambda: flow.autograd.set_detect_anomaly(True), flow.is_anomaly_enabled, lambda: flow.autograd.set_detect_anomaly(False)
    ),
    "deterministic": Setting(
        lambda: flow.use_deterministic_algorithms(True), flow.are_deterministic_algorithms_enabled,
        lambda: flow.use_deterministic_algorithms(False),
    ),
    "precision": Setting(
        lambda: flow.set_float32_matmul_precision("medium"), flow.get_float32_matmul_precision,
        lambda: flow.set_float32_matmul_precision("highest"),
    ),
    "errors of NumPy": Setting(lambda: numpy.seterr(over="raise"), lambda: numpy.geterr()["over"], lambda: numpy.seterr(over="warn")),
}  # fmt: skip


@pytest.fixture
def settings_as_before() -> Iterator[None]:
    """Nothing of it stays."""
    yield
    for setting in SETTINGS.values():
        setting.reset()


@pytest.mark.filterwarnings("ignore:.*is not compiled")
@pytest.mark.parametrize("name", SETTINGS)
def test_settings(name: str, settings_as_before: None) -> None:
    setting = SETTINGS[name]
    f = flow.compile(lambda x: (setting.act(), x * 2)[1])
    for _ in range(2):
        setting.reset()
        before = setting.look()
        f(flow.ones(1))
        assert setting.look() != before


# --------------------------------------------------------------------------------------------------- caches and numbers


@pytest.mark.filterwarnings("ignore:.*is not compiled")
@pytest.mark.parametrize("way", ("method", "class", "map"))
def test_functions_with_a_cache(way: str) -> None:
    class Scaled:
        k = 1.0

        @functools.lru_cache  # noqa: B019
        def table(self, n: int) -> Any:
            return flow.arange(n) * self.k

        @classmethod
        @functools.lru_cache
        def of_class(cls, n: int) -> Any:
            return flow.arange(n) * cls.k

    found = []
    for wrap in (lambda f: f, flow.compile):
        thing = Scaled()
        uses: dict[str, Callable[[Any], Any]] = {
            "method": lambda x, t=thing: x + t.table(2), "class": lambda x: x + Scaled.of_class(2),
            "map": lambda x, t=thing: x + list(map(t.table, [2]))[0],
        }  # fmt: skip
        f, results = wrap(uses[way]), []
        for k in (1.0, 3.0, 4.0):
            Scaled.k = k
            results.append((plain(f(flow.ones(2))), plain(thing.table(2))))
            if k == 3.0:
                Scaled.table.cache_clear()
        Scaled.of_class.cache_clear()
        Scaled.table.cache_clear()
        found.append(results)
    assert found[0] == found[1]


def tried(function: Callable[[Any], Any]) -> Callable[[Any, Any], Any]:
    """A function that takes another way where a number is none."""

    def program(x: Any, k: Any) -> Any:
        try:
            return function(k)
        except (TypeError, AttributeError):
            return "no number"

    return program


NUMBERS: dict[str, Callable[[Any, Any], Any]] = {
    "json": lambda x, k: json.dumps({"epoch": k}, default=str),
    "json that is tried": tried(lambda k: json.dumps({"epoch": [k]})),
    "a fraction": tried(lambda k: float(fractions.Fraction(k, 2))),
    "a length of a deque": tried(lambda k: len(collections.deque([1, 2, 3, 4], maxlen=k))),
    "a power modulo": tried(lambda k: pow(k, 2, 5)),
    "a pickle": tried(lambda k: pickle.loads(pickle.dumps(k))),
    "a size": lambda x, k: x.shape + (k,),
    "a size of one's own": lambda x, k: flow.Size([k, 2]),
    "the type of a result": lambda x, k: str(flow.result_type(flow.tensor([1]), k)),
    "a bound get": lambda x, k: {"k": k}.get,
}


@pytest.mark.parametrize("name", NUMBERS)
def test_numbers(name: str) -> None:
    function, compiled = NUMBERS[name], flow.compile(NUMBERS[name])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for k in (1, 2, 3):
            expected, found = function(flow.ones(1), k), compiled(flow.ones(1), k)
            if callable(expected):
                expected, found = expected("k"), found("k")
            assert plain(found) == plain(expected) and (not isinstance(found, tuple) or [*map(type, found)] == [int] * len(found))


def test_numbers_in_keys() -> None:
    table: dict[Any, Any] = {}
    f = flow.compile(lambda x, k: (table.__setitem__((k, "a"), k), x)[1])
    f(flow.ones(1), 1.5), f(flow.ones(1), 2.5)
    assert pickle.loads(pickle.dumps(table)) == {(1.5, "a"): 1.5, (2.5, "a"): 2.5}
