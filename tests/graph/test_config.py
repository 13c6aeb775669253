"""graph.debug(level) and what of graph.config is about passes: what is printed, and what is run."""

from __future__ import annotations

from typing import Any

import pytest

import tritonflow as flow
from tests.graph.test_graph import Train, batches
from tritonflow import nn


def train() -> Any:
    net = nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Tanh(), nn.Linear(8, 4))
    return Train(net, flow.optim.SGD(net.parameters(), lr=0.1))


def printed(level: int, capsys: pytest.CaptureFixture[str]) -> str:
    graph = train()
    graph.debug(level)
    for batch in batches(2):
        graph(*batch)
    assert not graph.net[0]._forward_hooks
    text = capsys.readouterr().out
    assert all(line.startswith((f"(GRAPH:{graph.name}) ", "  ", "graph(")) for line in text.splitlines())
    return text


def test_levels(capsys: pytest.CaptureFixture[str]) -> None:
    silent, stages, parts, ops, details = (printed(level, capsys) for level in range(-1, 4))
    assert silent == ""
    assert stages.count("start building graph.") == 1  # the second call only runs
    assert "building plan Done! Cost time: " in stages and " kernels, " in stages and "MODULE" not in stages
    look = "tensor(..., size=({}), dtype=tritonflow.float32)"
    assert f"(INPUT:0:{look.format('6, 8')})" in parts and f"(OUTPUT:0:{look.format('')})" in parts
    assert f"(MODULE:net.0:Linear) ({look.format('6, 8')}) -> ({look.format('6, 8')})" in parts
    assert "pass fuse_pointwise: " in parts and "= linear(" not in parts
    assert "= linear(" in ops and "test_graph.py:" in ops and "fused[" not in ops
    assert "fused[" in details and "memory: bytes 0 to " in details


def test_what_was_captured_before_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    f = flow.compile(lambda x: flow.exp(x).item(), fullgraph=True)
    f.debug(2)
    with pytest.raises(RuntimeError, match="not known"):
        f(flow.ones(1))
    text = capsys.readouterr().out
    assert "building graph got error: CaptureError." in text and "= exp(input0)" in text


def test_wrong_levels() -> None:
    graph = train()
    for wrong, error in ((4, ValueError), (-2, ValueError), ("1", TypeError), (True, TypeError)):
        with pytest.raises(error, match="v_level"):
            graph.debug(wrong)


def test_ranks_are_those_of_one_process(capsys: pytest.CaptureFixture[str]) -> None:
    for ranks in (None, 0, -1, [0], [-1]):
        graph = train()
        assert not graph.is_compiled
        graph.debug(0, ranks=ranks)
        graph(*batches(1)[0])
        assert graph.is_compiled and "start building graph." in capsys.readouterr().out
    for wrong, error in ((1, ValueError), ([0, 1], ValueError), ("all", TypeError), (True, TypeError)):
        with pytest.raises(error, match="ranks"):
            graph.debug(1, ranks=wrong)


class Fusable(nn.Graph):
    def build(self, x: Any) -> Any:
        return x.sin().tanh(), flow.relu(x @ x.t()), (x * 2).sum(0), x.bfloat16() @ x.t().bfloat16()


SWITCHES = {"pointwise": 1, "add_to_output": 1, "prologues": 2, "reductions": 1}  # and the kernels that it saves here


@pytest.mark.parametrize("name", SWITCHES)
def test_fusion_may_be_switched_off(name: str) -> None:
    graph = Fusable()
    launches = []
    for mode in (True, False, True):
        getattr(graph.config, f"allow_fuse_{name}")(mode)
        graph(flow.randn(3, 4))
        launches.append([kept.executable.launches for kept in graph._captured.captures()])
    more = 4 + SWITCHES[name]
    assert launches == [[4], [4, more], [more, 4]]
    with pytest.raises(TypeError, match=name + r"\(\): mode must be True or False"):
        getattr(graph.config, f"allow_fuse_{name}")(1)
