"""What is found again by numbers is what questions would have found; steps are bound once, whatever they are combined with."""

from __future__ import annotations

import random
from typing import Any

import pytest

import tritonflow as flow
from tests.graph.test_experts import Experts
from tritonflow.framework.size_context import SizeContext
from tritonflow.graph.ir.by_numbers import AllHold, ByNumbers, positions_of
from tritonflow.graph.ir.numbers import Outcomes
from tritonflow.graph.plan import sized_schedule
from tritonflow.graph.plan.bound_step import BoundStep
from tritonflow.graph.plan.step_plans import PlansOfSteps


def test_what_more_symbols_decide_is_forgotten_for_fewer() -> None:
    sizes, table = SizeContext([12, 7]), ByNumbers[str]()
    n, m = sizes.symbol("n", 0), sizes.symbol("m", 1)
    large: dict[Any, Any] = {}
    with sizes.asking(large):
        assert n > 10
    table.put([12, 7], positions_of(large), "large")
    assert table.get([12, 99]) == "large" and table.get([11, 7]) is None
    both: dict[Any, Any] = {}
    with sizes.at([5, 7]), sizes.asking(both):
        assert not n > 10 and m > n
    table.put([5, 7], positions_of(both), "wide")
    assert table.get([5, 7]) == "wide" and table.get([5, 4]) is None and table.get([12, 7]) is None


def test_guards_hold_together_as_each_by_itself() -> None:
    sizes, draw = SizeContext([12, 7, 3]), random.Random(0)
    n, m, k = (sizes.symbol(name, position) for position, name in enumerate("nmk"))
    asked = [n > 10, m % 2 == 1, n + m < 30, k * m > n, k == 3, (n // k) > 2]
    assert asked == [True, True, True, True, True, True]
    guards = dict(sizes.guards or {})
    together, held = AllHold(guards), 0
    for _ in range(2000):
        numbers = [draw.randint(9, 14), draw.choice((5, 7, 9, 8)), draw.choice((3, 3, 4))]
        expected = all(guard.holds(numbers) for guard in guards.values())
        assert together.at(numbers, Outcomes(numbers)) is expected
        held += expected
    assert 100 < held < 1900


def test_plans_are_those_whose_guards_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    """A mixture of experts with random batches: each step of each program has a plan that was made for such numbers."""
    original, found, bound, known = PlansOfSteps.at, [], [], set()

    def at(self: PlansOfSteps, numbers: Any, outcomes: Outcomes) -> Any:
        plans = original(self, numbers, outcomes)
        found.append(tuple(plans))
        for plans_of_step, plan in zip(self._steps, plans):
            known.add(plans_of_step)
            assert plan in plans_of_step.known and plan.is_compiled
            assert all(guard.holds(numbers) for guard in plan.guards.values())
        return plans

    def bind(self: BoundStep, number: int, step: Any, memory: Any) -> None:
        bound.append((id(memory), number))
        made(self, number, step, memory)

    made = BoundStep.__init__
    monkeypatch.setattr(PlansOfSteps, "at", at)
    monkeypatch.setattr(BoundStep, "__init__", bind)
    monkeypatch.setattr(sized_schedule, "_MOST_SELECTIONS", 4)
    flow.manual_seed(0)
    module = Experts()
    compiled, draw = flow.compile(module), random.Random(0)
    for _ in range(60):
        x = flow.randn(draw.choice((3, 20, 24, 40)), 8)
        with flow.no_grad():
            expected = module(x)
        module.zero_grad()
        result = compiled(x)
        assert flow.equal(result, expected)
        result.square().mean().backward()
    assert len(set(found)) > 30  # combinations
    assert len(bound) < 6 * len(set(bound))  # plans of a step, each bound once
    assert max(len(plans.known) for plans in known) <= 8
