"""What no exported program can do is refused, with the reason by name, and leaves no folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import tritonflow as flow
from tritonflow.errors import ExportError

nn = flow.nn


class Keeps(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.calls = 0
        self.last = flow.zeros(2)

    def forward(self, x: Any) -> Any:
        self.last = x + self.last
        return self.last * 2


class Counts(Keeps):
    def forward(self, x: Any) -> Any:
        self.calls += 1
        return x * 2


def decides(x: Any) -> Any:
    return x * 2 if x.sum() > 0 else x


def writes(x: Any) -> Any:
    x += 1
    return x * 2


def trains(x: Any) -> Any:
    w = WEIGHT
    with flow.enable_grad():
        (x * w).sum().backward()
    return x + 1


def says(x: Any) -> Any:
    print("called")
    return x * 2


WEIGHT = flow.ones(2, requires_grad=True)
CASES: dict[str, tuple[Any, Any, str]] = {
    "a decision": (decides, (flow.ones(2),), "decides|value|number"),
    "its argument": (writes, (flow.ones(2),), "writes its argument x"),
    "an attribute that is a tensor": (Keeps(), (flow.ones(2),), "last|sets"),
    "an attribute that is a number": (Counts(), (flow.ones(2),), "calls|sets"),
    "random numbers": (nn.Dropout(0.5).train(), (flow.ones(2),), "random numbers"),
    "random numbers of its own": (lambda x: x + flow.rand(2), (flow.ones(2),), "random numbers"),
    "gradients": (trains, (flow.ones(2),), "gradients"),
    "prints": (says, (flow.ones(2),), "sets or prints"),
    "a shape of values": (lambda x: x.nonzero(), (flow.ones(2),), "is no one program|decides"),
    "no tensor": (lambda x: x, (1,), "have no tensor"),
    "no result": (lambda x: None, (flow.ones(2),), "returns no tensor"),
    "another result": (lambda x: (x + 1, {1}), (flow.ones(2),), "type set"),
}


@pytest.mark.parametrize("name", list(CASES))
def test_refused(tmp_path: Path, name: str) -> None:
    function, args, text = CASES[name]
    with pytest.raises(ExportError, match=text):
        flow.export(function, args, tmp_path / "program", targets=["baseline"])
    assert not list(tmp_path.iterdir())


def test_training_graph(tmp_path: Path) -> None:
    net = nn.Linear(2, 2)

    class Train(nn.Graph):
        def __init__(self) -> None:
            super().__init__()
            self.net = net
            self.add_optimizer(flow.optim.SGD(net.parameters(), lr=0.1))

        def build(self, x: Any) -> Any:
            loss = self.net(x).sum()
            loss.backward()
            return loss

    with pytest.raises(ExportError, match="steps an optimizer"):
        flow.export(Train(), [flow.ones(1, 2)], tmp_path / "program")


@pytest.mark.cuda
def test_on_a_gpu(tmp_path: Path) -> None:
    with pytest.raises(ExportError, match="exported for CPUs"):
        flow.export(lambda x: x * 2, [flow.ones(2, device="cuda")], tmp_path / "program")


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"targets": ["avx1024"]}, "not avx1024"),
    ({"targets": []}, "not none"),
    ({"sizes": {"n": [1, 2]}}, "no input has the size 'n'"),
    ({"dynamic": {"x": {0: "n"}}}, "which 'sizes' does not have"),
    ({"dynamic": {"z": {0: "n"}}, "sizes": {"n": [1]}}, "names an input 'z'; there are x, y"),
    ({"dynamic": {0: {0: "n"}, 1: {0: "n"}}, "sizes": {"n": []}}, "there must be one"),
    ({"dynamic": {0: {0: "n"}}, "sizes": {"n": [-1, 2]}}, "ints from 0 on"),
    ({"dynamic": {0: {0: "n"}}, "sizes": {"n": 7}}, "a range or a list of ints"),
    ({"dynamic": {0: {0: "n"}}, "sizes": {"n": range(5000)}}, "5000 combinations of sizes"),
    ({"dynamic": {0: {0: "n"}, 1: {1: "n"}}, "sizes": {"n": [2, 3]}}, "'n' are 2 and 3 in the arguments"),
]


@pytest.mark.parametrize(("options", "text"), WRONG)
def test_wrong_options(tmp_path: Path, options: Any, text: str) -> None:
    with pytest.raises((ValueError, TypeError), match=text):
        flow.export(lambda x, y: (x.sum(), y * 2), [flow.ones(2), flow.ones(2, 3)], tmp_path / "program", **options)
    assert not list(tmp_path.iterdir())
