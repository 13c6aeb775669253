"""A captured program is the program: what its Python reads, sets and shares is as in eager mode (tests/graph/programs)."""

from __future__ import annotations

import copy
import pickle
import re
import warnings
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest

import tritonflow as flow
from tests.graph.programs.modules import Average, Centred, Flip, Grows, Warm
from tests.graph.programs.program import WAYS, Wrap, ones_linear, programs
from tritonflow import nn


@pytest.mark.parametrize(
    ("name", "way"), [(n, w) for n, p in programs().items() for w in WAYS if w == "compile" or p.graph]
)
def test_programs_are_eager_modes(name: str, way: str) -> None:
    found = programs()[name]
    expected = found.run(lambda function: function)
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        assert found.run(WAYS[way]) == expected
    texts = [text for w in warned if "is not compiled, but runs in eager mode" in (text := str(w.message))]
    if not found.eager:
        assert not texts
    else:
        assert texts and all(re.search(found.eager, text) for text in texts)


def test_a_number_that_differs_in_each_call_becomes_an_argument() -> None:
    space = SimpleNamespace(k=0.0)
    f = flow.compile(lambda x: x * space.k)
    for k in range(8):
        space.k = float(k)
        assert f(flow.ones(2)).tolist() == [float(k)] * 2
    assert len(f.captures()) <= 3


@pytest.mark.parametrize("kind", (Warm, Flip, Centred, Grows, Average))
@pytest.mark.parametrize("way", WAYS)
def test_states_are_no_reason_to_capture_again(way: str, kind: Any) -> None:
    f = WAYS[way](kind())
    for k in range(8):
        f(flow.full((2,), float(k)))
    captured = f if way == "compile" else f._captured
    assert len(captured.captures()) <= {Warm: 6, Grows: 8}.get(kind, 2)


def test_a_backward_refuses_what_it_would_read_now() -> None:
    setting = {"scale": 2.0}

    class Scale(flow.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * 1

        @staticmethod
        def backward(ctx: Any, dy: Any) -> Any:
            return dy * setting["scale"]

    f, x = flow.compile(lambda x: Scale.apply(x).sum()), flow.ones(1, requires_grad=True)
    y = f(x)
    setting["scale"] = 4.0
    with pytest.raises(RuntimeError, match=r"reads '\['scale'\]', which was changed between the call and backward\(\)"):
        y.backward()
    f(x).backward()
    assert x.grad is not None and x.grad.tolist() == [4.0]


class Begins(nn.Module):
    """Makes a buffer in its first call."""

    def forward(self, x: Any) -> Any:
        if not hasattr(self, "scale"):
            self.register_buffer("scale", x * 2)
        return x * self.scale


def test_what_the_first_call_makes_is_captured_in_later_ones() -> None:
    net = Begins()
    f = flow.compile(net)
    with pytest.warns(UserWarning, match=r"a library changes a dict .*, at .*, in forward: call it outside"):
        found = [f(flow.ones(1)).tolist() for _ in range(3)]
    assert found == [[2.0]] * 3 and len(f.captures()) == 1


def test_a_compiled_module_is_copied_pickled_and_parametrized() -> None:
    compiled, x = flow.compile(ones_linear()), flow.ones(1, 2)
    assert compiled(x).tolist() == [[2.0, 2.0]]
    for twin in (copy.copy(compiled), copy.deepcopy(compiled), pickle.loads(pickle.dumps(compiled))):
        assert twin(x).tolist() == [[2.0, 2.0]] and isinstance(twin, nn.Linear) and len(list(twin.parameters())) == 1
    nn.utils.parametrize.register_parametrization(compiled, "weight", nn.ReLU())
    with flow.no_grad():
        compiled.parametrizations.weight.original.neg_()
    assert compiled(x).tolist() == [[0.0, 0.0]] and list(compiled.state_dict()) == ["parametrizations.weight.original"]
    nn.utils.parametrize.remove_parametrizations(compiled, "weight")
    assert compiled(x).tolist() == [[0.0, 0.0]] and list(compiled.state_dict()) == ["weight"]
    with pytest.raises(AttributeError, match="'Linear' object has no attribute 'nothing'"):
        compiled.nothing


def test_data_parallel() -> None:
    def trained(wrap: Wrap) -> Any:
        net = nn.Linear(1, 1, bias=False)
        nn.init.ones_(net.weight)
        f = wrap(nn.parallel.DistributedDataParallel(net))
        for k in range(2):
            f(flow.full((1, 1), k + 1.0)).sum().backward()
        return net.weight.grad.item()

    assert trained(partial(flow.compile, fullgraph=True)) == trained(lambda function: function) == 3.0


class Held:
    def __init__(self) -> None:
        self.items: list[Any] = []


class Sum(nn.Module):
    """Adds to the first item of an object that it is given."""

    def forward(self, x: Any, held: Any) -> Any:
        if not held.items:
            held.items.append(x)
        else:
            held.items[0] = held.items[0] + x
        return held.items[0]


def test_an_object_that_the_function_makes_is_its_own_in_a_module_too() -> None:
    """A cache of keys and values, which a model is given."""
    add = Sum()

    def f(x: Any) -> Any:
        held = Held()
        return [add(x * k, held) for k in range(3)][-1]

    f = flow.compile(f, fullgraph=True)
    assert [f(flow.ones(1) * k).tolist() for k in range(4)] == [[0.0], [3.0], [6.0], [9.0]]
    assert len(f.captures()) == 1


@pytest.mark.parametrize("first", ["append", "insert"])
def test_a_list_that_grows_and_is_set_is_put_back_behind_a_capture(first: str) -> None:
    """What was set behind the growth is taken back with it: nothing of the capture stays in the list."""
    ones, others = [flow.ones(1)], [flow.ones(1)]

    def change(x: Any, items: list[Any]) -> Any:
        items.append(x) if first == "append" else items.insert(0, x)
        items[-1 if first == "append" else 0] = x * 2
        return x + len(items)

    f = flow.compile(lambda x: change(x, ones))
    for k in range(3):
        x = flow.ones(1) * k
        assert f(x).tolist() == change(x, others).tolist()
        assert [each.tolist() for each in ones] == [each.tolist() for each in others]
