"""Compiled functions that look at numbers of tensors: programs that once gave other results than eager mode."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy
import pytest

import tritonflow as flow


def test_a_run_goes_on_on_a_path_that_has_fewer_arguments() -> None:
    """A counter is an argument of one path only, so what is read has another position there."""
    state = SimpleNamespace(steps=5)

    def f(x: Any) -> Any:
        n = x.sum().item()
        if n > 2:
            state.steps += 1
            return x * state.steps
        return x + n

    compiled = flow.compile(f)
    found = [compiled(flow.tensor([k])).tolist() for k in (1.0, 3.0, 1.5, 4.0, 0.5, 2.0, 3.0)]
    assert found == [[2.0], [18.0], [3.0], [28.0], [1.0], [4.0], [24.0]]
    assert len(compiled.captures()) == 3  # that of the first call has a twin with the counter as an argument


def test_a_run_goes_on_on_a_path_that_has_other_arguments() -> None:
    """Two paths have one argument besides their tensor each, and look at it."""
    state = SimpleNamespace(first=flow.tensor(5.0), second=flow.tensor(50.0))

    def f(x: Any) -> Any:
        if x > 2:
            if state.first > 6:
                state.first = state.first - x
            state.first = state.first + x
            return state.first
        if state.second > 51:
            state.second = state.second - x
        state.second = state.second + x
        return state.second

    def results(function: Any) -> list[float]:
        state.first, state.second = flow.tensor(5.0), flow.tensor(50.0)
        return [function(flow.tensor(k)).item() for k in (1.0, 3.0, 1.5, 4.0, 0.5, 2.0, 3.0, 1.0)]

    assert results(flow.compile(f)) == results(f)


def test_a_later_path_wants_several_values_of_the_beginning() -> None:
    """Each of them is another output of the program of the beginning."""

    def f(x: Any) -> Any:
        a = x + 1
        b = a.exp()
        c = b * a
        total = c.sum()
        if total > 100:
            return (total,)
        if x.max() > 0:
            return (a @ b,)
        return a.sin(), c.cos(), total

    compiled = flow.compile(f)
    for k in (3.0, 0.5, -1.0, 3.0, 0.5, -1.0):
        x = flow.full((3,), k)
        for actual, expected in zip(compiled(x), f(x)):
            numpy.testing.assert_allclose(actual.numpy(), expected.numpy(), rtol=1e-5)


def test_a_program_of_many_reads_that_never_repeats_is_given_up() -> None:
    """It was captured 256 times, which took minutes: once for each call."""

    def f(x: Any) -> Any:
        total = x[0] * 0
        for k in range(70):
            total = total + (x[k] if x[k].item() > 0 else x[k] * 2)
        return total

    compiled, random = flow.compile(f), numpy.random.default_rng(0)
    with pytest.warns(UserWarning, match="or there are 256 ways"):
        for _ in range(20):
            x = flow.tensor(random.standard_normal(70).astype(numpy.float32))
            assert abs(compiled(x).item() - f(x).item()) < 1e-4
    assert not compiled.captures()


def test_numbers_behind_another_decision_are_not_those_of_the_other_way() -> None:
    """One way reads `y` next, the other one a sum: taken for the sum, the first number of `y` decided on a step, whose state stayed."""
    weight, total = flow.nn.Parameter(flow.ones(3)), flow.zeros(3)
    optimizer = flow.optim.SGD([weight], lr=0.1, momentum=0.9)

    def program(y: flow.Tensor) -> list[float]:
        if not bool((y > -0.6).all()) and bool(total.sum() > 0.1):
            optimizer.step()
        (total * weight.sum()).sum().backward()
        return [y.tolist()[0]]

    compiled = flow.compile(program)
    for numbers in ([1.25, 0.5, 2.0], [0.5, 1.5, -0.25], [-0.75, 2.0, 0.75], [-0.5, 1.0, -2.0], [1.0, 1.0, 1.0]):
        assert compiled(flow.tensor(numbers)) == [numbers[0]]
        assert not optimizer.state
