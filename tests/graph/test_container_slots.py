"""Lists and dicts that a function reads of a variable, and sets to new ones in each call: they are arguments of one program."""

from __future__ import annotations

import copy
import threading
import warnings
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

import tritonflow as flow

CALLS = 6


class Anchors(flow.nn.Module):
    """As detection models do: the anchors are made anew in each forward, of those that are there."""

    def __init__(self) -> None:
        super().__init__()
        self.base: Any = [flow.arange(2.0), flow.arange(3.0)]
        self.scales: Any = None

    def forward(self, x: flow.Tensor) -> flow.Tensor:
        if self.scales is None:
            self.scales = [1.0, 2.0]
        self.base = [anchors.to(x.dtype) for anchors in self.base]
        return sum(anchors.sum() * s for anchors, s in zip(self.base, self.scales)) * x


def state(**attributes: Any) -> SimpleNamespace:
    return SimpleNamespace(**attributes)


def recurrent(s: Any, x: flow.Tensor) -> Any:
    s.hidden = {"h": s.hidden["h"] * 0.5 + x, "c": [s.hidden["c"][0] + 1, s.hidden["c"][1] * x]}
    return s.hidden["h"] + s.hidden["c"][1]


def keeps_the_old_one(s: Any, x: flow.Tensor) -> Any:
    old, s.hidden = s.hidden, [s.hidden[0] + x]
    s.previous = old
    return old


def changes_the_old_one(s: Any, x: flow.Tensor) -> Any:
    old = s.hidden
    old.append(x)
    s.hidden = [sum(old), x * 2]
    return s.hidden[0]


def swaps(s: Any, x: flow.Tensor) -> Any:
    s.first, s.second = [s.second[0] + x], [s.first[0] * x]
    return s.first[0] - s.second[0]


def grows(s: Any, x: flow.Tensor) -> Any:
    s.hidden = [*s.hidden, x]
    return sum(s.hidden)


def writes_an_item(s: Any, x: flow.Tensor) -> Any:
    s.hidden[0].add_(x)
    s.hidden = [s.hidden[0] * 1.0, s.hidden[0]]
    return s.hidden[1]


def only_sometimes(s: Any, x: flow.Tensor) -> Any:
    if s.calls % 2:
        s.hidden = [s.hidden[0] + x]
    s.calls += 1
    return s.hidden[0] * 2


def pair() -> dict[str, Any]:
    return {"h": flow.ones(2), "c": [3, flow.ones(2)]}


PROGRAMS: dict[str, tuple[Callable[[], Any], Callable[..., Any], int]] = {
    "a dict of tensors and numbers": (lambda: state(hidden=pair()), recurrent, 1),
    "the old one is kept": (lambda: state(hidden=[flow.ones(2)], previous=None), keeps_the_old_one, 1),
    "the old one is changed": (lambda: state(hidden=[flow.ones(2), flow.ones(2)]), changes_the_old_one, CALLS),
    "two are swapped": (lambda: state(first=[flow.ones(2)], second=[flow.ones(2) * 2]), swaps, 1),
    "it grows": (lambda: state(hidden=[flow.ones(2)]), grows, CALLS),
    "an item is written": (lambda: state(hidden=[flow.ones(2), flow.ones(2)]), writes_an_item, 2),
    "it is set only sometimes": (lambda: state(hidden=[flow.ones(2)], calls=0), only_sometimes, 3),
}


def plain(value: Any) -> Any:
    if isinstance(value, flow.Tensor):
        return value.tolist()
    if isinstance(value, SimpleNamespace):
        value = vars(value)
    if isinstance(value, dict):
        return {name: plain(item) for name, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, list) else value


@pytest.mark.parametrize("name", PROGRAMS)
def test_as_in_eager_mode(name: str) -> None:
    make, function, most = PROGRAMS[name]
    s, expected = make(), make()
    f = flow.compile(lambda x: function(s, x))
    for k in range(CALLS):
        x = flow.ones(2) * (k + 1)
        old = s.hidden if hasattr(s, "hidden") else None
        found, right = f(x), function(expected, x)
        assert plain(found) == plain(right), k
        assert plain(s) == plain(expected), k
        if name == "the old one is kept":
            assert found is old and s.previous is old
    assert len(f.captures()) <= most


def test_anchors_of_a_module_are_one_program() -> None:
    model = Anchors()
    f, expected = flow.compile(model), copy.deepcopy(model)
    bases = []
    for k in range(20):
        bases.append(model.base)
        assert f(flow.ones(2) * k).tolist() == expected(flow.ones(2) * k).tolist()
    assert len({*map(id, bases)}) == 20 and all(a is b for a, b in zip(bases[0], bases[-1]))
    assert len(f.captures()) == 2  # the first call sets the scales


def test_others_set_it_between_calls() -> None:
    model = Anchors()
    f = flow.compile(model)
    for _ in range(4):
        f(flow.ones(2))
    model.base = [flow.ones(2) * 5, flow.ones(3)]
    assert f(flow.ones(1)).tolist() == [16.0]
    model.base[0] = flow.ones(2) * 6
    assert f(flow.ones(1)).tolist() == [18.0]
    model.base.append(flow.ones(1))  # which has no scale
    assert f(flow.ones(1)).tolist() == [18.0] and len(model.base) == 3
    model.base = (flow.ones(2), flow.ones(3))
    assert f(flow.ones(1)).tolist() == [8.0] and type(model.base) is list
    model.base = ["text"]
    with pytest.raises(AttributeError, match="'to'"), pytest.warns(UserWarning, match="raises AttributeError"):
        f(flow.ones(1))


def test_a_list_that_is_a_module_global_too() -> None:
    shared = [flow.ones(2)]
    s = state(hidden=shared)

    def function(x: flow.Tensor) -> Any:
        s.hidden.append(x)
        total = sum(shared)
        s.hidden = [total]
        return total

    f = flow.compile(function)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert f(flow.ones(2)).tolist() == [2.0, 2.0]
        assert f(flow.ones(2)).tolist() == [2.0, 2.0] and len(shared) == 2
        s.hidden = shared
        assert f(flow.ones(2)).tolist() == [3.0, 3.0] and len(shared) == 3


def test_one_that_is_set_back_to_a_constant_is_compiled() -> None:
    default = [flow.ones(2)]
    s = state(hidden=[flow.zeros(2)], fresh=True)

    def function(x: flow.Tensor) -> Any:
        y = s.hidden[0] + x
        s.hidden = default
        return y

    f = flow.compile(function)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert [f(flow.ones(2)).tolist() for _ in range(4)] == [[1.0, 1.0], *[[2.0, 2.0]] * 3]
    assert s.hidden is default and len(f.captures()) <= 2


def test_two_ways_of_which_one_sets_a_constant() -> None:
    default = [flow.ones(2)]
    s = state(hidden=[flow.zeros(2)])

    def function(x: flow.Tensor, resets: bool) -> Any:
        y = s.hidden[0] + x
        s.hidden = default if resets else [y]
        return y

    f = flow.compile(function)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = [f(flow.ones(2), k % 3 == 2)[0].item() for k in range(9)]
    assert found == [1.0, 2.0, 3.0, 2.0, 3.0, 4.0, 2.0, 3.0, 4.0]
    assert default[0].tolist() == [1.0, 1.0]


def test_one_list_in_two_variables() -> None:
    one = [flow.ones(2)]
    s = state(a=one, b=one)

    def function(x: flow.Tensor) -> Any:
        s.a.append(x)
        y = sum(s.b)
        s.a, s.b = [y], [y * 2]
        return y

    f = flow.compile(function)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert f(flow.ones(2)).tolist() == [2.0, 2.0]  # both are one list
        assert f(flow.ones(2)).tolist() == [4.0, 4.0]
        assert f(flow.ones(2)).tolist() == [8.0, 8.0]
        s.a = s.b
        assert f(flow.ones(2)).tolist() == [17.0, 17.0]


def test_an_argument_that_is_the_variable_too() -> None:
    s = state(hidden=[flow.zeros(2)])

    def function(given: list[flow.Tensor]) -> Any:
        given.append(flow.ones(2))
        y = sum(s.hidden)
        s.hidden = [y]
        return y

    f = flow.compile(function)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert f([flow.ones(2)]).tolist() == [0.0, 0.0]
        assert f([flow.ones(2)]).tolist() == [0.0, 0.0]
        assert f(s.hidden).tolist() == [1.0, 1.0]
        assert f([flow.ones(2)]).tolist() == [1.0, 1.0]


def test_gradients_through_a_list() -> None:
    def run(compiled: bool) -> Any:
        weight = flow.full((2,), 0.5).requires_grad_()
        s = state(hidden=[flow.ones(2)])

        def function(x: flow.Tensor) -> Any:
            s.hidden = [s.hidden[0] * weight + x]
            return s.hidden[0].sum()

        f = flow.compile(function) if compiled else function
        total = sum(f(flow.ones(2) * k) for k in range(4))
        total.backward()
        return total.item(), weight.grad.tolist()

    assert run(True) == run(False)


@pytest.mark.cpu_only  # the default device is the main thread's
def test_threads() -> None:
    def run(model: Anchors, f: Any, out: list[float]) -> None:
        out += [f(flow.ones(1) * k).item() for k in range(20)]

    models = [Anchors() for _ in range(3)]
    results: list[list[float]] = [[] for _ in models]
    threads = [
        threading.Thread(target=run, args=(model, flow.compile(model), out)) for model, out in zip(models, results)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [[7.0 * k for k in range(20)]] * 3


def test_a_failing_call_leaves_it() -> None:
    s = state(hidden=[flow.ones(2)])

    def function(x: flow.Tensor) -> Any:
        s.hidden = [s.hidden[0] + x]
        return s.hidden[0] @ x

    f = flow.compile(function)
    f(flow.ones(2))
    before = s.hidden
    with pytest.raises(Exception, match="size|shape"):
        f(flow.ones(3))
    assert s.hidden[0].tolist() == before[0].tolist()
    assert f(flow.ones(2)).item() == 6.0


def test_a_large_or_nested_one_is_followed_as_before() -> None:
    cyclic: list[Any] = [flow.ones(2)]
    cyclic.append(cyclic)
    s = state(large=[flow.ones(1)] * 300, cyclic=cyclic)

    def function(x: flow.Tensor) -> Any:
        y = s.large[0] + s.cyclic[0][:1] + x
        s.large, s.cyclic = [*s.large], [s.cyclic[0], s.cyclic]
        return y

    f = flow.compile(function)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert [f(flow.ones(1) * k).item() for k in range(5)] == [2.0, 3.0, 4.0, 5.0, 6.0]
