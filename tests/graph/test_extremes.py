"""`min` and `max` of counts, of sizes and of numbers that are read: one program, whichever is less."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import tritonflow as flow
from tritonflow.graph.watch import lengths

LIMITS = [3.0, 8.0]
COUNTS = (3, 4, 1, 0, 5, 7, 2, 12)


def first_of_a_batch(x: Any, mask: Any) -> Any:
    """As samplers of detection models choose: some that a mask holds for, and of the others as many as are left."""
    positive, negative = flow.where(mask)[0], flow.where(~mask)[0]
    count = min(positive.numel(), 4)
    others = min(negative.numel(), 8 - count)
    chosen = flow.zeros_like(x)
    chosen[positive[:count]] = 1
    chosen[negative[:others]] = 2
    return chosen, x[positive[:count]] * 2, x[:others].sum() / max(1, count)


def padded(x: Any, mask: Any) -> Any:
    y = x[mask]
    return flow.cat([y, x.new_zeros((max(5, y.shape[0], 7 - y.shape[0]) - y.shape[0],))])


def trained(x: Any, mask: Any) -> Any:
    w, at = flow.ones_like(x).requires_grad_(), flow.where(mask)[0]
    y = (w * x)[at][: min(at.numel(), 4)]
    (y * y).sum().backward()
    return w.grad


PROGRAMS: dict[str, Callable[[Any, Any], Any]] = {
    "a batch": first_of_a_batch, "padded": padded, "trained": trained,
    "returned": lambda x, mask: (min(mask.sum().item(), 4), max(mask.sum().item(), 2, 3)),
}  # fmt: skip


def numbers(value: Any) -> Any:
    return value.tolist() if isinstance(value, flow.Tensor) else [*map(numbers, value)] if isinstance(value, tuple) else value


@pytest.mark.parametrize("name", PROGRAMS)
def test_one_program_for_all_counts(name: str) -> None:
    function = PROGRAMS[name]
    f, x = flow.compile(function), flow.arange(12.0)
    for count in COUNTS:
        mask = flow.arange(12) % 7 < count if count < 7 else flow.ones(12, dtype=flow.bool)
        mask &= flow.arange(12) < count + 2
        assert numbers(f(x, mask)) == numbers(function(x, mask)), count
    assert len(f.captures()) == 1


def test_sizes_of_arguments() -> None:
    f = flow.compile(lambda x: x[: min(x.shape[0], 8)] * max(x.shape[0], 3))
    for count in (4, 5, 9, 12, 3, 20):
        assert f(flow.ones(count)).tolist() == [float(count)] * min(count, 8)
    assert sum(captured.template is not None and captured.template.made > 0 for captured in f.captures()) >= 4


def test_numbers_of_tensors() -> None:
    def limited(x: Any) -> Any:
        total = x.sum().item()
        return x * min(total, 2.0), max(0.5, total, 3.0), min(total, 3)  # the last one may be of another class

    f = flow.compile(limited)
    for number in (1.0, 2.5, 0.25, -0.0, float("inf"), 3.0, 4.0):
        x = flow.tensor([number])
        assert repr(numbers(f(x))) == repr(numbers(limited(x)))
    assert len(f.captures()) == 2


def test_what_containers_hold_and_functions_say_is_followed() -> None:
    scale = {"by": 1.0}

    def far(number: float) -> float:
        return abs(number - scale["by"])

    f = flow.compile(lambda x: x * max(LIMITS) + min(LIMITS, key=far) + max(1, 2))
    assert f(flow.ones(1)).item() == 13.0
    LIMITS.append(10.0)
    scale["by"] = 11.0
    assert f(flow.ones(1)).item() == 22.0
    del LIMITS[2]
    assert f(flow.ones(1)).item() == 18.0


def test_a_count_that_values_are_written_by_may_be_one() -> None:
    def write(x: Any, mask: Any) -> Any:
        x, at = x.clone(), flow.where(mask)[0]
        x[at] = x[at] * 2
        return x

    f, x = flow.compile(write), flow.arange(12.0)
    for count in (3, 1, 0, 5, 1):
        mask = flow.arange(12) < count
        assert f(x, mask).tolist() == write(x, mask).tolist()
    assert len(f.captures()) == 1


def test_modules_with_builtins_of_their_own() -> None:
    """Their `min` and `max` give sizes while a function is captured, and are Python's again behind that."""
    table: dict[str, Any] = {"__builtins__": dict(vars(__import__("builtins")))}
    lengths.tables.append(table["__builtins__"])
    try:
        code = "def some(x, mask):\n    y = x[mask]\n    return y[: min(len(y), 4)] / max(1, len(y))\n"
        exec(compile(code, flow.__file__, "exec"), table)  # as code of a library, which is not rewritten
        some = table["some"]
        f, x = flow.compile(lambda x, mask: some(x, mask)), flow.arange(12.0)
        for count in COUNTS:
            assert f(x, flow.arange(12) < count).tolist() == some(x, flow.arange(12) < count).tolist()
        assert len(f.captures()) == 1 and table["__builtins__"]["min"] is min
    finally:
        lengths.tables.remove(table["__builtins__"])
