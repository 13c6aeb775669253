"""Containers behave as torch's."""

from __future__ import annotations

from collections import OrderedDict

import pytest

import tritonflow as flow
from tests.nn.reference import assert_same


def layers(lib, n=3):
    return [lib.nn.Linear(2, 2) for _ in range(n)]


def test_sequential():
    assert_same(lambda lib: list(lib.nn.Sequential(*layers(lib)).state_dict()))
    assert_same(lambda lib: list(lib.nn.Sequential(OrderedDict(a=lib.nn.ReLU(), b=lib.nn.Tanh()))._modules))
    assert_same(lambda lib: repr(lib.nn.Sequential(lib.nn.ReLU(), lib.nn.Tanh())[1:]))
    assert_same(lambda lib: repr(lib.nn.Sequential(OrderedDict(a=lib.nn.ReLU(), b=lib.nn.Tanh()))[-1:]))
    assert_same(lambda lib: lib.nn.Sequential(lib.nn.ReLU())[1])
    assert_same(lambda lib: lib.nn.Sequential(3))
    assert_same(lambda lib: repr(lib.nn.Sequential(lib.nn.ReLU()) + lib.nn.Sequential(lib.nn.Tanh())))
    assert_same(lambda lib: lib.nn.Sequential(lib.nn.ReLU())(lib.ones(2) - 3))


def test_sequential_changes():
    def scenario(lib):
        m = lib.nn.Sequential(lib.nn.ReLU(), lib.nn.Tanh(), lib.nn.Sigmoid())
        shown = [repr(m)]
        m.insert(1, lib.nn.Identity())
        shown.append(repr(m))
        del m[0]
        shown.append(repr(m))
        del m[1:]
        shown.append(repr(m))
        m.append(lib.nn.ReLU()).extend([lib.nn.Tanh()])
        m[0] = lib.nn.Sigmoid()
        shown += [repr(m), repr(m.pop(1)), len(m)]
        return shown

    assert_same(scenario)


def test_module_list():
    def scenario(lib):
        m = lib.nn.ModuleList(layers(lib))
        m.append(lib.nn.ReLU())
        m += [lib.nn.Tanh()]
        m.insert(0, lib.nn.Identity())
        m[1] = lib.nn.Sigmoid()
        del m[2]
        return [type(x).__name__ for x in m], len(m), [type(x).__name__ for x in m[-2:]], list(m.state_dict())

    assert_same(scenario)
    assert_same(lambda lib: lib.nn.ModuleList()[0])
    assert_same(lambda lib: lib.nn.ModuleList([3]))
    assert_same(lambda lib: lib.nn.ModuleList().extend(3))


def test_module_dict():
    def scenario(lib):
        m = lib.nn.ModuleDict({"a": lib.nn.ReLU()})
        m["b"] = lib.nn.Tanh()
        m.update([("c", lib.nn.Sigmoid())])
        popped = type(m.pop("a")).__name__
        del m["b"]
        return popped, list(m), list(m.keys()), "c" in m, len(m), repr(m), [k for k, _ in m.items()]

    assert_same(scenario)
    assert_same(lambda lib: lib.nn.ModuleDict()["x"])
    assert_same(lambda lib: lib.nn.ModuleDict().update(3))
    assert_same(lambda lib: lib.nn.ModuleDict().update([(1, 2, 3)]))
    assert_same(lambda lib: lib.nn.ModuleDict({"a": 3}))


def test_parameter_list_and_dict():
    def scenario(lib):
        m = lib.nn.ParameterList([lib.nn.Parameter(lib.ones(2)), lib.zeros(1)])
        m.append(lib.ones(3))
        d = lib.nn.ParameterDict({"a": lib.ones(2)})
        d["b"] = lib.nn.Parameter(lib.zeros(1))
        kinds = [type(p).__name__ for p in [*m, *d.values()]]
        return kinds, list(m.state_dict()), list(d.state_dict()), len(m), "a" in d, m[-1]

    assert_same(scenario)
    with pytest.raises(TypeError, match="cannot assign 'int' object"):
        flow.nn.ParameterList([3])
    assert "Parameter containing: [tritonflow.float32 of size 2x3]" in repr(flow.nn.ParameterList([flow.ones(2, 3, device="cpu")]))


def test_a_class_in_the_role_of_a_module() -> None:
    with pytest.raises(TypeError, match=r"nn\.modules\.activation\.ReLU is not a Module subclass"):
        flow.nn.Sequential(flow.nn.ReLU)
    with pytest.raises(TypeError, match="int is not a Module subclass"):
        flow.nn.Sequential(3)
