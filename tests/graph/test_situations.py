"""Every situation of tests/graph/situations gives eager mode's results under flow.compile."""

from __future__ import annotations

from typing import Any

import pytest

from tests.graph.situations.compare import outcome
from tests.graph.situations.situation import Situation, situations

# What is otherwise, and why. A situation that becomes right fails here, and is to be taken out.
OTHERWISE = {
    "contexts/saved_tensors_hooks": "a program saves what its backward reads, once; eager mode's ops save each for itself",
    "autograd_functions/second_derivatives_outside": "a program's backward cannot be differentiated again; it is an error that says so",
}


def cases() -> list[Any]:
    """The situations, those that are otherwise marked."""
    return [
        pytest.param(one, id=one.id, marks=[pytest.mark.xfail(reason=OTHERWISE[one.id], strict=True)] if one.id in OTHERWISE else [])
        for one in situations()
    ]


@pytest.mark.parametrize("one", cases())
def test_eager_modes_results(one: Situation) -> None:
    """A new situation fails here until flow.compile is right about it: `python -m tests.graph.situations` has the whole list."""
    assert outcome(one).difference == ""
