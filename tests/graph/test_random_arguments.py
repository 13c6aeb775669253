"""Random objects among the arguments, and random programs that change them: compiled they do what they do in eager mode."""

from __future__ import annotations

import random
import warnings
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

import tritonflow as flow
from tests.graph.argument_programs import Thing, seen

CALLS = 5


class Slotted:
    __slots__ = ("x", "k", "next", "more", "extra", "__weakref__")


class Items(list[Any]):
    pass


class Table(dict[str, Any]):
    pass


@dataclass
class Fields:
    x: Any = None
    k: Any = 1.0


KINDS = (Thing, Slotted, Items, Table, Fields)


def tensor(k: float) -> flow.Tensor:
    return flow.tensor([float(k), 1.0 + k])


def objects(seed: int, k: int) -> list[Any]:
    """Two objects that lead to others; `k` is in their tensors and numbers, and not in their structure."""
    draw, made = random.Random(seed), []

    def an_object(depth: int) -> Any:
        if made and draw.random() < 0.2:
            return draw.choice(made)
        one = draw.choice(KINDS)()
        made.append(one)
        if isinstance(one, Items):
            one.append(tensor(k + 5))
        elif isinstance(one, Table):
            one["i"] = tensor(k + 3)
        one.x, one.k = tensor(k + draw.randrange(4)), draw.choice([1.0, 2, 3.5]) + k * draw.randrange(2)
        one.more = draw.choice([[], [tensor(k)], {"a": 1, "b": tensor(k)}, deque([1, 2]), {1, 2}, None, "text"])
        one.next = an_object(depth - 1) if depth and draw.random() < 0.7 else None
        return one

    return [an_object(3) for _ in range(2)]


def reached(given: list[Any]) -> list[Any]:
    """The objects that some lead to, each once."""
    found: list[Any] = []
    waiting = [*given]
    while waiting:
        one = waiting.pop(0)
        if one is not None and not any(one is each for each in found):
            found.append(one)
            waiting += [one.next, *[each for each in one.more or () if isinstance(each, KINDS)]]
    return found


def set_number(p: Any, q: Any, y: Any) -> Any:
    p.k = q.k + 1
    return y


def set_tensor(p: Any, q: Any, y: Any) -> Any:
    p.x = p.x * q.k
    return y


def write(p: Any, q: Any, y: Any) -> Any:
    p.x.add_(1.0)
    return y


def swap(p: Any, q: Any, y: Any) -> Any:
    p.x, q.x = q.x, p.x
    return y


def link(p: Any, q: Any, y: Any) -> Any:
    p.next = q
    return y


def grow(p: Any, q: Any, y: Any) -> Any:
    if isinstance(p.more, list):
        p.more.append(q.x)
    elif isinstance(p.more, dict):
        p.more["c"] = q.x
    elif isinstance(p.more, set):
        p.more.add(9)
    elif isinstance(p.more, deque):
        p.more.append(q.k)
    return y


def shrink(p: Any, q: Any, y: Any) -> Any:
    if isinstance(p.more, (list, deque)) and p.more:
        p.more.pop()
    elif isinstance(p.more, dict):
        p.more.pop("a", None)
    return y


def set_items(p: Any, q: Any, y: Any) -> Any:
    if isinstance(p, Table):
        p["n"] = q.x
        p.pop("i", None)
    elif isinstance(p, Items):
        p.append(q.x)
    return y


def replace(p: Any, q: Any, y: Any) -> Any:
    p.more = [q, p.x]
    return y


def insert(p: Any, q: Any, y: Any) -> Any:
    p.next = Thing(x=p.x * 2, k=p.k, more=[p], next=q)
    return y


def add_and_delete(p: Any, q: Any, y: Any) -> Any:
    if hasattr(p, "extra"):
        del p.extra
    p.extra = q.x
    return y


def branch(p: Any, q: Any, y: Any) -> Any:
    return y + p.x if p.k > 2.5 else y * 2


def compare(p: Any, q: Any, y: Any) -> Any:
    return y + (p.x if p is q or p.next is q.next else q.x * 2)


STEPS = (set_number, set_tensor, write, swap, link, grow, shrink, set_items, replace, insert, add_and_delete, branch, compare)


def program(seed: int) -> Callable[..., Any]:
    """A function of two objects and a tensor that makes random steps."""
    draw = random.Random(seed)
    steps = [(draw.choice(STEPS), draw.randrange(8), draw.randrange(8)) for _ in range(draw.randrange(1, 8))]

    def function(a: Any, b: Any, x: Any) -> Any:
        y = x * 1.0
        for step, i, j in steps:
            found = reached([a, b])
            y = step(found[i % len(found)], found[j % len(found)], y)
        return y, a, [b]

    return function


def outcome(function: Any, seed: int) -> list[Any]:
    """What calls give and leave: with objects that come again, with others, and with one of each."""
    again, found = objects(seed, 0), []
    for call in range(CALLS):
        a, b = again if call in (0, 3) else objects(seed, call % 3)
        b = again[0] if call == 4 else b
        y, first, (second,) = function(a, b, tensor(1))
        found.append((first is a, second is b, seen([y, a, b])))
    return found


@pytest.mark.parametrize("seed", [*range(40), *[pytest.param(seed, marks=pytest.mark.long) for seed in range(40, 400)]])
def test_random_programs_of_random_objects(seed: int) -> None:
    expected = outcome(program(seed), seed)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*is not compiled, but runs in eager mode")
        assert outcome(flow.compile(program(seed)), seed) == expected
