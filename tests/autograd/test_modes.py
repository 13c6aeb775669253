"""Grad modes, saved versions, anomaly mode."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator
from typing import Any

import pytest

import tritonflow as flow


def leaf(*values: float) -> flow.Tensor:
    return flow.tensor(list(values), requires_grad=True)


# --------------------------------------------------------------------------------------------------------------- modes


def test_no_grad_as_scope_and_decorator() -> None:
    x = leaf(1.0)
    with flow.no_grad():
        assert not flow.is_grad_enabled()
        assert not (x * 2).requires_grad
        with flow.enable_grad():
            assert (x * 2).requires_grad
        assert not (x * 2).requires_grad
    assert flow.is_grad_enabled()

    @flow.no_grad()
    def called(x: flow.Tensor) -> flow.Tensor:
        return x * 2

    @flow.no_grad
    def plain(x: flow.Tensor) -> flow.Tensor:
        return x * 2

    assert not called(x).requires_grad and not plain(x).requires_grad and called.__name__ == "called"
    assert (x * 2).requires_grad


# Decorators as they are made, and whether grad mode and inference mode are on in what they decorate.
DECORATORS: list[tuple[Callable[[], Any], bool, bool]] = [
    (lambda: flow.no_grad(), False, False),
    (lambda: flow.no_grad, False, False),
    (lambda: flow.enable_grad(), True, False),
    (lambda: flow.inference_mode(), False, True),
    (lambda: flow.inference_mode, False, True),
    (lambda: flow.set_grad_enabled(True), True, False),
    (lambda: flow.set_grad_enabled(False), False, False),
]


@pytest.mark.parametrize("outside", [True, False])
@pytest.mark.parametrize(("make", "enabled", "inference"), DECORATORS)
def test_a_generator_runs_in_its_mode_and_its_caller_does_not(
    make: Callable[[], Any], enabled: bool, inference: bool, outside: bool
) -> None:
    def now() -> tuple[bool, bool]:
        return flow.is_grad_enabled(), flow.is_inference_mode_enabled()

    def values(seen: list[Any]) -> Generator[Any, Any, str]:
        try:
            seen.append((now(), (yield now())))
            try:
                yield now()
            except KeyError as error:
                seen.append((now(), error.args))
            yield now()
        finally:
            seen.append(now())
        return "end"

    with flow.set_grad_enabled(outside):
        decorated = make()(values)
        mode, seen = (enabled, inference), []
        generator = decorated(seen)
        assert decorated.__name__ == "values" and now() == (outside, False)
        assert next(generator) == mode and now() == (outside, False)
        assert generator.send("sent") == mode and seen == [(mode, "sent")] and now() == (outside, False)
        assert generator.throw(KeyError("thrown")) == mode and seen[1:] == [(mode, ("thrown",))]
        with pytest.raises(StopIteration) as end:
            next(generator)
        assert end.value.value == "end" and seen[2:] == [mode] and now() == (outside, False)
        closed = decorated(seen)
        next(closed)
        closed.close()
        assert seen[3:] == [mode] and now() == (outside, False)


def test_an_error_leaves_a_decorated_generator() -> None:
    @flow.no_grad()
    def failing() -> Generator[int, None, None]:
        yield 1
        raise ValueError("of the generator")

    generator = failing()
    next(generator)
    with pytest.raises(ValueError, match="of the generator"):
        next(generator)
    assert flow.is_grad_enabled() and list(generator) == []


def test_set_grad_enabled() -> None:
    with flow.set_grad_enabled(False):
        assert not flow.is_grad_enabled()
        with flow.set_grad_enabled(True):
            assert flow.is_grad_enabled()
        assert not flow.is_grad_enabled()
    assert flow.is_grad_enabled()
    flow.set_grad_enabled(False)
    assert not flow.is_grad_enabled()
    flow.set_grad_enabled(True)


def test_mode_is_restored_after_an_error() -> None:
    with pytest.raises(KeyError), flow.no_grad():
        raise KeyError
    assert flow.is_grad_enabled()


def test_inference_mode() -> None:
    x = leaf(1.0)
    with flow.inference_mode():
        assert flow.is_inference_mode_enabled()
        y = x * 2
        with flow.enable_grad():
            assert not (x * 2).requires_grad
    assert not y.requires_grad and not flow.is_inference_mode_enabled()
    with flow.inference_mode(False):
        assert (x * 2).requires_grad


def test_mode_belongs_to_the_thread() -> None:
    found = []
    with flow.no_grad():
        thread = threading.Thread(target=lambda: found.append(flow.is_grad_enabled()))
        thread.start()
        thread.join()
    assert found == [True]


def test_in_place_on_a_leaf_under_no_grad() -> None:
    x = leaf(1.0, 2.0)
    with flow.no_grad():
        x.add_(1)
        x[0] = 7.0
    assert x.tolist() == [7.0, 3.0] and x.is_leaf and x.requires_grad


# ------------------------------------------------------------------------------------------------------------ versions


def test_versions_count_writes_and_are_shared_by_views() -> None:
    x = flow.tensor([1.0, 2.0])
    before = x._version
    view, alias = x[:1], x.detach()
    view.add_(1)
    assert x._version == view._version == alias._version == before + 1


@pytest.mark.parametrize("write", ["x.mul_(2)", "x[0] = 5.0", "x.detach().add_(1)", "x.view(2).zero_()", "x.copy_(x + 1)"])
def test_writing_what_backward_needs_is_an_error(write: str) -> None:
    w = leaf(1.0, 2.0)
    x = flow.tensor([3.0, 4.0])
    y = (w * x).sum()
    exec(write, {"x": x})
    with pytest.raises(RuntimeError, match="(?s)modified by an inplace operation.*version"):
        y.backward()


def test_writing_a_saved_result_is_an_error() -> None:
    x = leaf(1.0, 2.0)
    y = x.exp()
    z = y * 1
    y.add_(1)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        z.sum().backward()


def test_writing_what_backward_does_not_need_is_allowed() -> None:
    x = leaf(1.0, 2.0)
    y = x + 1
    z = y + 2
    y.mul_(5)
    z.sum().backward()
    assert x.grad.tolist() == [1.0, 1.0]


def test_data_is_outside_of_version_control() -> None:
    w, x = leaf(1.0, 2.0), flow.tensor([3.0, 4.0])
    y = (w * x).sum()
    x.data = flow.tensor([5.0, 6.0])
    y.backward()
    assert w.grad.tolist() == [3.0, 4.0]


# ------------------------------------------------------------------------------------------------------------- anomaly


def test_anomaly_mode_names_the_forward_line() -> None:
    x = leaf(-1.0, 2.0)
    with flow.autograd.detect_anomaly():
        y = x**1.5  # the line to be named
        with pytest.raises(RuntimeError, match="(?s)pow_backward.*nan.*the line to be named"):
            y.sum().backward()


def test_anomaly_mode_names_the_line_of_an_error() -> None:
    w, x = leaf(1.0), flow.tensor([3.0])
    with flow.autograd.set_detect_anomaly(True):
        y = w * x  # written in vain
    x.add_(1)
    with pytest.raises(RuntimeError) as caught:
        y.sum().backward()
    assert "written in vain" in str(caught.value) + "".join(getattr(caught.value, "__notes__", []))


def test_anomaly_mode_ends() -> None:
    with flow.autograd.detect_anomaly():
        pass
    x = leaf(-1.0)
    (x.log() * 0).sum().backward()
