"""Gradients of leaves in compiled functions: what `backward()` inside finds and leaves is what it does in eager mode."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import tritonflow as flow
from tritonflow.errors import CaptureError
from tritonflow.graph.plan.executable import Executable
from tritonflow.testing import assert_close

Step = Callable[[Any, Any], Any]


def accumulate(p: Any, x: Any) -> Any:
    (p * p * x).sum().backward()
    return p.grad * 1


def replace(p: Any, x: Any) -> Any:
    p.grad = None
    (p * p * x).sum().backward()


def replace_if_there(p: Any, x: Any) -> Any:
    if p.grad is not None:
        p.grad = None
    (p * p * x).sum().backward()


def zero(p: Any, x: Any) -> Any:
    if p.grad is not None:
        p.grad.zero_()
    (p * p * x).sum().backward()


def drop(p: Any, x: Any) -> Any:
    (p * p * x).sum().backward()
    p.grad.mul_(2)
    result = p.grad * 1
    p.grad = None
    return result


def assign(p: Any, x: Any) -> Any:
    p.grad = x * 2


def return_it(p: Any, x: Any) -> Any:
    (p * p * x).sum().backward()
    return p.grad


def twice(p: Any, x: Any) -> Any:
    for _ in range(2):
        (p * p * x).sum().backward()


def read_only(p: Any, x: Any) -> Any:
    return x if p.grad is None else x + p.grad


def to_some(p: Any, x: Any) -> Any:
    (p * p * x).sum().backward(inputs=[p])


STEPS = (accumulate, replace, replace_if_there, zero, drop, assign, return_it, twice, read_only, to_some)


def _run(step: Step, compiled: bool, as_input: bool) -> list[Any]:
    p = flow.tensor([1.0, 2.0, 3.0], requires_grad=True)
    function: Any = step if as_input else (lambda x: step(p, x))
    function = flow.compile(function) if compiled else function
    seen: list[Any] = []
    for k in range(5):
        x = flow.tensor([1.0, 10.0, 100.0]) + k
        result = function(p, x) if as_input else function(x)
        if result is not None:
            seen.append(result.detach().clone())
        seen.append(None if p.grad is None else p.grad.clone())
        if k == 2:
            with flow.no_grad():
                p.mul_(2)
        if k == 3:
            p.grad = None
    return seen


@pytest.mark.sampled
@pytest.mark.parametrize("as_input", [False, True])
@pytest.mark.parametrize("step", STEPS)
def test_gradients_are_those_of_eager_mode(step: Step, as_input: bool) -> None:
    ours, expected = _run(step, True, as_input), _run(step, False, as_input)
    assert [a is None for a in ours] == [a is None for a in expected]
    for a, b in zip(ours, expected):
        if a is not None:
            assert_close(a, b, op_class="exact")


def test_a_gradient_is_a_tensor_of_its_own() -> None:
    p = flow.ones(2, requires_grad=True)
    step = flow.compile(lambda x: replace(p, x))
    step(flow.ones(2))
    first = p.grad
    step(flow.full((2,), 3.0))
    assert first.tolist() == [2.0, 2.0] and p.grad.tolist() == [6.0, 6.0] and p.grad.is_leaf and not p.grad.requires_grad


def test_a_gradient_that_is_there_is_added_to_in_place() -> None:
    p = flow.ones(2, requires_grad=True)
    p.grad = flow.full((2,), 5.0)
    held = p.grad
    flow.compile(lambda x: accumulate(p, x))(flow.ones(2))
    assert p.grad is held and held.tolist() == [7.0, 7.0]


def test_a_gradient_that_is_returned_is_the_leafs() -> None:
    p = flow.ones(2, requires_grad=True)
    step = flow.compile(lambda x: return_it(p, x))
    first = step(flow.ones(2))
    assert first is p.grad
    assert step(flow.ones(2)) is first and first.tolist() == [4.0, 4.0]


@pytest.mark.filterwarnings("ignore:.*is not compiled, but runs in eager mode:UserWarning")
def test_other_shapes_leave_gradients_alone_and_a_failing_call_leaves_eager_modes() -> None:
    p = flow.ones((), requires_grad=True)
    step = flow.compile(lambda x: accumulate(p, x))
    for n in (2, 3, 2, 4):
        step(flow.ones(n))
    assert p.grad.item() == 2.0 * (2 + 3 + 2 + 4)

    @flow.compile
    def fails(x: Any) -> Any:
        (p * x).sum().backward()
        raise ValueError("later")

    with pytest.raises(ValueError, match="later"):
        fails(flow.ones(2))
    assert p.grad.item() == 22.0 + 2.0


def test_parameters_without_optimizer_accumulate_and_count_in_the_norm() -> None:
    def weights(compiled: bool) -> list[Any]:
        flow.manual_seed(0)
        trained, frozen = flow.nn.Linear(3, 3), flow.nn.Linear(3, 3)
        optimizer = flow.optim.SGD(trained.parameters(), lr=0.1)

        def step(x: Any) -> Any:
            optimizer.zero_grad()
            loss = frozen(trained(x)).square().sum()
            loss.backward()
            flow.nn.utils.clip_grad_norm_([*trained.parameters(), *frozen.parameters()], 1.0)
            optimizer.step()
            return loss.detach()

        run = flow.compile(step) if compiled else step
        for k in range(4):
            run(flow.full((2, 3), 0.5 + k))
        return [*trained.parameters(), *[p.grad for p in (*trained.parameters(), *frozen.parameters())]]

    for a, b in zip(weights(True), weights(False)):
        assert_close(a.detach(), b.detach())


def test_a_step_that_sets_gradients_to_none_is_captured_once() -> None:
    model = flow.nn.Linear(2, 2)
    optimizer = flow.optim.SGD(model.parameters(), lr=0.1)

    @flow.compile
    def step(x: Any) -> Any:
        optimizer.zero_grad()
        loss = model(x).sum()
        loss.backward()
        optimizer.step()
        return loss

    for _ in range(3):
        step(flow.ones(1, 2))
    assert len(step.captures()) == 1 and model.weight.grad.tolist() == [[1.0, 1.0], [1.0, 1.0]]


def test_a_gradient_with_a_history_is_refused() -> None:
    p = flow.ones(2, requires_grad=True)
    p.grad = flow.ones(2, requires_grad=True) * 2
    with pytest.raises(CaptureError, match="history itself"):
        flow.compile(lambda x: read_only(p, x), fullgraph=True)(flow.ones(2))


@pytest.mark.cpu_only(reason="a GPU tells of a bad index behind the call")
@pytest.mark.parametrize("where, gone", [("optimizer first", True), ("module first", True), ("behind a check", False)])
def test_gradients_that_a_step_replaces_are_gone_while_it_runs(monkeypatch: pytest.MonkeyPatch, where: str, gone: bool) -> None:
    """Unless what is in front of that may fail: then they are there behind the call, as in eager mode."""
    model = flow.nn.Sequential(flow.nn.Embedding(4, 2), flow.nn.Linear(2, 2))
    optimizer = flow.optim.SGD(model.parameters(), lr=0.1)
    seen: list[list[bool]] = []

    @flow.compile
    def step(x: Any) -> Any:
        if where == "optimizer first":
            optimizer.zero_grad()
        elif where == "module first":
            model.zero_grad()
        loss = model(x).sum()
        if where == "behind a check":
            optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return loss

    def run(self: Executable, *arguments: Any) -> Any:
        seen.append([p.grad is None for p in model.parameters()])
        return unpatched(self, *arguments)

    unpatched = Executable.run
    monkeypatch.setattr(Executable, "run", run)
    for _ in range(3):
        step(flow.tensor([1, 2]))
    assert seen[1:] == [[gone] * 3] * 2 and len(step.captures()) == 1
    before = [p.grad for p in model.parameters()]
    with pytest.raises(IndexError):
        step(flow.tensor([1, 4]))
    assert [p.grad for p in model.parameters()] == ([None] * 3 if gone else before)
