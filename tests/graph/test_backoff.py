"""Calls that no graph can do: they are examined rarely, and what makes them compilable is still found."""

from __future__ import annotations

import copy
import threading
import warnings
from collections.abc import Callable
from typing import Any

import pytest

import tritonflow as flow
from tritonflow.errors import CaptureError
from tritonflow.graph.api import function as function_module
from tritonflow.graph.api.backoff import FIRST, LONGEST
from tritonflow.graph.api.captured import Captured
from tritonflow.graph.api.function import CapturedFunction

MOST = LONGEST * LONGEST  # calls between two examinations
pytestmark = pytest.mark.filterwarnings("ignore:.*is not compiled")


@pytest.fixture
def examined(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The calls that were taken apart."""
    seen: list[str] = []
    taken_apart = CapturedFunction._call

    def counted(self: Any, args: Any, kwargs: Any) -> Any:
        seen.append(self.name)
        return taken_apart(self, args, kwargs)

    monkeypatch.setattr(CapturedFunction, "_call", counted)
    return seen


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The runs of programs."""
    seen: list[Any] = []
    run = Captured.run

    def counted(self: Captured, call: Any) -> Any:
        seen.append(call)
        return run(self, call)

    monkeypatch.setattr(Captured, "run", counted)
    return seen


class Looks(flow.nn.Module):
    """Looks at a number while it trains."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = flow.nn.Parameter(flow.ones(2))
        self.calls = 0

    def forward(self, x: flow.Tensor) -> flow.Tensor:
        y = x * self.weight
        if self.training and y.sum().numpy() < 0:
            y = -y
        return y


def negated(x: flow.Tensor) -> flow.Tensor:
    return -x if x.sum().numpy() > 0 else x


class Negates:
    @flow.compile
    def of(self, x: flow.Tensor) -> flow.Tensor:
        return negated(x)

    def plainly(self, x: flow.Tensor) -> flow.Tensor:
        return negated(x)


def _programs() -> dict[str, Callable[[flow.Tensor], flow.Tensor]]:
    negates = Negates()
    return {
        "function": flow.compile(negated),
        "lambda": flow.compile(lambda x: negated(x)),
        "module": flow.compile(Looks()),
        "method": lambda x: negates.of(x),
        "method of an object": flow.compile(negates.plainly),
    }


@pytest.mark.parametrize("name", _programs())
def test_few_calls_are_examined(name: str, examined: list[str]) -> None:
    program = _programs()[name]
    x = flow.ones(2)
    eager = Looks()(x).tolist() if name == "module" else [-1.0, -1.0]
    for _ in range(4 * MOST):
        assert program(x).tolist() == eager
    assert FIRST < len(examined) < 20
    assert program(-x).tolist() == ([1.0, 1.0] if name == "module" else [-1.0, -1.0])


def test_calls_of_ever_other_shapes(monkeypatch: pytest.MonkeyPatch) -> None:
    attempts: list[Any] = []
    capture = function_module.capture
    monkeypatch.setattr(function_module, "capture", lambda *given: (attempts.append(given), capture(*given))[1])
    compiled = flow.compile(negated)
    for n in range(1, 100):
        assert compiled(flow.ones(n)).tolist() == [-1.0] * n
    assert len(attempts) < 15


@pytest.mark.parametrize("calls", [1, 5, 40, 3 * MOST])
def test_a_change_of_what_is_read_is_found(calls: int) -> None:
    settings = {"looks": True}

    def f(x: flow.Tensor) -> flow.Tensor:
        return negated(x) if settings["looks"] else x * 2

    compiled = flow.compile(f)
    x = flow.ones(2)
    for _ in range(calls):
        compiled(x)
    settings["looks"] = False
    later = 0
    while not compiled.captures() and later <= MOST:
        assert compiled(x).tolist() == [2.0, 2.0]
        later += 1
    assert len(compiled.captures()) == 1 and (later == 1 if calls < FIRST else later <= 4 * calls)
    settings["looks"] = True
    assert compiled(x).tolist() == [-1.0, -1.0]


def test_evaluation_is_compiled_beside_training(runs: list[Any]) -> None:
    net = Looks()
    compiled, x = flow.compile(net), flow.ones(2)
    for _ in range(MOST):
        compiled(x)
    net.eval()
    for _ in range(LONGEST):  # no more, as it is seen that the module does not train
        compiled(x)
    assert len(compiled.captures()) == 1 and runs
    for _ in range(3 * FIRST):
        net.train()
        for _ in range(20):
            compiled(x)
        net.eval()
        del runs[:]
        assert compiled(x).tolist() == [1.0, 1.0] and len(runs) == 1  # from the first call on


def test_kinds_that_alternate(runs: list[Any]) -> None:
    def f(x: flow.Tensor) -> flow.Tensor:
        return negated(x) if x.shape[0] == 2 else x + 1

    compiled = flow.compile(f)
    for k in range(50):
        assert compiled(flow.ones(2)).tolist() == [-1.0] * 2
        assert compiled(flow.ones(3)).tolist() == [2.0] * 3
        assert len(runs) == k + 1


def test_kinds_that_look_the_same_and_alternate(runs: list[Any]) -> None:
    def f(given: dict[str, flow.Tensor]) -> flow.Tensor:
        x = given["x"]
        return negated(x) if x.shape[0] == 2 else x + 1

    compiled = flow.compile(f)
    for _ in range(30):
        compiled({"x": flow.ones(2)}), compiled({"x": flow.ones(3)})
    assert len(runs) == 30


def test_grad_mode(runs: list[Any]) -> None:
    def f(x: flow.Tensor) -> flow.Tensor:
        return negated(x) if flow.is_grad_enabled() else x + 1

    compiled = flow.compile(f)
    for _ in range(200):
        compiled(flow.ones(2))
    with flow.no_grad():
        for _ in range(LONGEST + 1):
            assert compiled(flow.ones(2)).tolist() == [2.0, 2.0]
    assert runs


def test_arguments_that_no_graph_takes(examined: list[str]) -> None:
    compiled = flow.compile(lambda x, names: x * len(names))
    for _ in range(300):
        assert compiled(flow.ones(1), bytearray(b"ab")).tolist() == [2.0]
    assert len(examined) < 15

    class Batch:
        def __init__(self, x: flow.Tensor) -> None:
            self.x = x
            self.rest = iter(())  # which cannot be taken apart

    doubled = flow.compile(lambda batch: batch.x * 2)
    del examined[:]
    assert [doubled(Batch(flow.ones(1) * k)).item() for k in range(300)] == [2.0 * k for k in range(300)]
    assert len(examined) < 15


def test_calls_that_raise(examined: list[str]) -> None:
    @flow.compile
    def positive(x: flow.Tensor) -> flow.Tensor:
        if x.sum().numpy() <= 0:
            raise ValueError("not positive")
        return x * 2

    for _ in range(300):
        with pytest.raises(ValueError, match="not positive"):
            positive(flow.zeros(2))
    assert len(examined) < 15 and positive(flow.ones(2)).tolist() == [2.0, 2.0]


def test_fullgraph_is_an_error_in_each_call() -> None:
    compiled = flow.compile(negated, fullgraph=True)
    for _ in range(20):
        compiled_on_meta = flow.compile(lambda x: x + 1, fullgraph=True)
        assert compiled_on_meta(flow.ones(2, device="meta")).is_meta
        with pytest.raises(CaptureError, match="needs the value of a tensor"):
            compiled(flow.ones(2))


def test_states_and_gradients_are_eager_modes() -> None:
    net = Looks()
    twin = copy.deepcopy(net)
    compiled = flow.compile(net)
    results = []
    for program, module in ((compiled, net), (twin, twin)):
        optimizer = flow.optim.SGD(module.parameters(), lr=0.01)
        for k in range(100):
            optimizer.zero_grad()
            loss = program(flow.ones(2) * (k % 3 - 1)).square().sum()
            loss.backward()
            optimizer.step()
        results.append((loss.item(), net.weight.tolist() if program is compiled else twin.weight.tolist()))
    assert results[0] == results[1]


def test_a_checkpoint_computes_again_what_it_computed() -> None:
    settings = {"looks": True}

    def f(x: flow.Tensor) -> flow.Tensor:
        y = (x * 3).sin()
        return negated(y) if settings["looks"] else y.cos()

    compiled = flow.compile(f)
    for k in range(60):
        x = flow.ones(2, requires_grad=True)
        settings["looks"] = k % 7 != 3
        y = flow.utils.checkpoint.checkpoint(compiled, x, use_reentrant=False)
        y.sum().backward()
        again = flow.ones(2, requires_grad=True)
        f(again).sum().backward()
        assert x.grad is not None and again.grad is not None and flow.allclose(x.grad, again.grad)


def test_copies_and_threads_have_counts_of_their_own() -> None:
    compiled = flow.compile(negated)
    for _ in range(50):
        compiled(flow.ones(2))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert copy.copy(compiled)(flow.ones(2)).tolist() == [-1.0, -1.0]
    wrong: list[Any] = []

    def many() -> None:
        for _ in range(500):
            if compiled(flow.ones(2)).tolist() != [-1.0, -1.0]:
                wrong.append(1)

    threads = [threading.Thread(target=many) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong and compiled.unexamined >= 0
