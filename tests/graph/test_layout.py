"""Where boxes stand: below what they follow, apart from each other, as near to where they are wanted as that allows."""

from __future__ import annotations

import numpy
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from tritonflow.graph.explain.layout import MOST, draw, spread

WIDTH, HEIGHT, GAP, DROP = 100, 40, 10, 30


@st.composite
def graphs(make: st.DrawFn) -> list[list[int]]:
    """For each box some of those before it."""
    count = make(st.integers(0, 30))
    before: list[list[int]] = []
    for box in range(count):
        sources = make(st.lists(st.integers(0, max(box - 1, 0)), max_size=3, unique=True)) if box else []
        before.append(sorted(sources))
    return before


@settings(max_examples=50)
@given(graphs())
def test_boxes_lie_below_what_they_follow_and_apart(before: list[list[int]]) -> None:
    drawing = draw(before, WIDTH, HEIGHT, GAP, DROP)
    layers: dict[float, list[float]] = {}
    for (x, y), sources in zip(drawing.positions, before):
        assert all(drawing.positions[source][1] + HEIGHT + DROP <= y for source in sources)
        assert 0 <= x <= drawing.width - WIDTH + 1e-6 and 0 <= y <= drawing.height - HEIGHT
        layers.setdefault(y, []).append(x)
    for positions in layers.values():
        assert len(positions) <= MOST
        assert all(b - a > WIDTH + GAP - 1e-6 for a, b in zip(sorted(positions), sorted(positions)[1:]))


def test_a_chain_is_a_straight_line() -> None:
    drawing = draw([[], [0], [1], [2]], WIDTH, HEIGHT, GAP, DROP)
    assert len({x for x, _ in drawing.positions}) == 1 and drawing.width == WIDTH


@given(st.lists(st.integers(-50, 50), min_size=1, max_size=5).map(sorted))
def test_spread_is_the_nearest(wanted: list[int]) -> None:
    found = numpy.array(spread(wanted, 10.0))
    assert numpy.all(numpy.diff(found) > 10 - 1e-9)
    constraints = [{"type": "ineq", "fun": lambda p, k=k: p[k + 1] - p[k] - 10} for k in range(len(wanted) - 1)]
    start = numpy.arange(len(wanted)) * 10.0
    best = minimize(lambda p: ((p - wanted) ** 2).sum(), start, constraints=constraints, method="SLSQP")
    assert ((found - wanted) ** 2).sum() <= best.fun + 1e-3
