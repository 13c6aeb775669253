"""Ways with many parts, whose captures take long: they are given up soon where each call goes another one."""

from __future__ import annotations

from typing import Any

import pytest

import tritonflow as flow
from tritonflow.graph.api import programs


def test_ways_of_many_parts_end_in_eager_mode_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Their captures take longer."""
    monkeypatch.setattr(programs, "_MOST_PARTS", 20)

    def signs(x: Any) -> Any:
        for number in x.unbind():
            x = x * 2 if number * 3 > 0 else x + 1
        return x

    f, calls = flow.compile(signs), [flow.tensor([1.0 if k >> bit & 1 else -1.0 for bit in range(8)]) for k in (0, 85, 170, 255)]
    for x in calls[:3]:
        assert f(x).tolist() == signs(x).tolist()
    assert len(f.captures()) == 3
    with pytest.warns(UserWarning, match="some that hardly any other call has taken"):
        assert f(calls[3]).tolist() == signs(calls[3]).tolist()
