"""Every situation of tests/graph/situations gives eager mode's results under flow.compile."""

from __future__ import annotations

import pytest

from tests.graph.situations.compare import outcome
from tests.graph.situations.situation import Situation, situations


@pytest.mark.parametrize("one", situations(), ids=lambda one: one.id)
def test_eager_modes_results(one: Situation) -> None:
    """A new situation fails here until flow.compile is right about it: `python -m tests.graph.situations` has the whole list."""
    assert outcome(one).difference == ""
