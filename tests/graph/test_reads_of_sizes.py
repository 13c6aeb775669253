"""Numbers that are computed of sizes, in parts of a program behind a read: in metas of such a part the sizes may be nowhere."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import pytest

import tritonflow as flow
from tritonflow.graph.api.captured import Captured


def mean_of_positive(x: flow.Tensor) -> Any:
    y = x[x > 0]
    return y if y.sum().item() > 100 else (y * 2).sum() / x.shape[0]


def backward(x: flow.Tensor) -> Any:
    w = flow.ones(1, requires_grad=True)
    y = x[x > 0]
    if y.sum().item() > 100:
        return y
    ((y * w).sum() / (x.shape[0] + 0.5)).backward()
    return w.grad


PROGRAMS: dict[str, Callable[[flow.Tensor], Any]] = {
    "divided by a size": mean_of_positive,
    "in a backward": backward,
    "a tensor of a size": lambda x: flow.stack([flow.full((), x.shape[0] * 1.0), flow.full((), x.sum().item())]),
    "a vector of a size and a number": lambda x: flow.tensor([x.shape[0], x.sum().item()]),
    "a vector of sizes": lambda x: flow.as_tensor([x.shape[0], 3], dtype=flow.float32) * x.sum().item(),
    "powers and quotients": lambda x: x[x > 0] * (x.shape[0] ** 2 / 3 - x.shape[0] // 2),
    "a folded constant": lambda x: x[x > 0].sum() * (flow.full((), x.shape[0] * 1.0) * 2 + 1),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_each_run_has_its_own_sizes(name: str) -> None:
    function = PROGRAMS[name]
    f = flow.compile(function)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for size, positive in ((4, 2), (6, 2), (8, 2), (10, 2), (12, 3), (14, 3), (16, 2), (6, 3)):
            x = flow.cat([flow.ones(positive), -flow.ones(size - positive)])
            assert flow.allclose(f(x), function(x)), (size, positive)


# What costs nothing, made of a number that was read, and looked at: it belongs to no part that runs before that number is there.
LOOKED_AT_AGAIN: dict[str, Callable[[flow.Tensor], Any]] = {
    "a constant of a size": lambda x: flow.full(((x > 0).sum().item(),), 1.5),
    "zeros": lambda x: flow.zeros((x > 0).sum().item()),
    "a constant of a number": lambda x: flow.full((2,), x.sum().item()),
    "a constant of a count": lambda x: x.new_full((2,), (x > 0).sum().item()),
    "a slice": lambda x: (lambda y: y[: y.sum().item()])((x > 0).int()),
    "an element": lambda x: (lambda y: y[y.sum().item() - 1])((x > 0).int()),
    "an expanded one": lambda x: (lambda y: y.expand(y.item()))((x > 0).sum()),
}


@pytest.mark.parametrize("name", LOOKED_AT_AGAIN)
@pytest.mark.parametrize("dynamic", (True, None))
def test_what_is_made_of_a_number_is_looked_at(name: str, dynamic: bool | None) -> None:
    function = LOOKED_AT_AGAIN[name]
    f = flow.compile(lambda x: function(x).tolist(), dynamic=dynamic)
    for size, positive in ((4, 2), (6, 3), (6, 2), (4, 1), (8, 3), (6, 3)):
        x = flow.cat([flow.ones(positive), -flow.ones(size - positive)])
        assert f(x) == function(x).tolist(), (size, positive)
    assert f.captures()


@pytest.mark.parametrize("dtype", (None, flow.float64, flow.float16, flow.int32, flow.int64, flow.bool))
@pytest.mark.parametrize("data", (lambda n, s: [n], lambda n, s: (n, 2), lambda n, s: [n, s], lambda n, s: [[n, 1], [2, n]]))
def test_tensors_of_numbers_of_a_run(dtype: Any, data: Callable[..., Any]) -> None:
    def function(x: flow.Tensor) -> flow.Tensor:
        return flow.tensor(data(x.shape[0], x.sum().item()), dtype=dtype)

    f = flow.compile(function)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # some are captured for each number
        for n in (2, 3, 5, 7):
            found, expected = f(flow.ones(n) * 1.5), function(flow.ones(n) * 1.5)
            assert found.dtype is expected.dtype and found.tolist() == expected.tolist()


def test_no_program_is_tried_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """With one element on one side the product has another shape: the same program was tried 257 times, and then eager mode."""

    def function(x: flow.Tensor, w: flow.Tensor) -> flow.Tensor:
        return (x[x > 0] * w[w > 0]).sum() * 2

    def run(self: Captured, *arguments: Any) -> Any:
        tried.append(self)
        return captured_run(self, *arguments)

    tried: list[Captured] = []
    captured_run = Captured.run
    monkeypatch.setattr(Captured, "run", run)
    f = flow.compile(function)
    for x, w in ((3, 3), (4, 4), (5, 1), (1, 1), (1, 4), (2, 2), (6, 1), (1, 6), (7, 7), (8, 1), (1, 4)):
        given = [flow.cat([flow.arange(n) * 0.5 + 0.1, -flow.ones(9 - n)]) for n in (x, w)]
        tried.clear()
        assert flow.allclose(f(*given), function(*given), atol=1e-4)
        assert len({*map(id, tried)}) == len(tried) <= 3
    assert len(f.captures()) <= 3
