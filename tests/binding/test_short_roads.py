"""Ops whose plan is cached run at once: no interpreter is chosen for them, and results, errors and versions are the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import tritonflow as flow
from tests import where
from tritonflow.execution import eager_local
from tritonflow.framework.tensor import tensor_in
from tritonflow.functions.random_generator import default_generator
from tritonflow.interpreter import autograd

functional = flow.nn.functional


def numbers(*shape: int) -> flow.Tensor:
    count = flow.ones(*shape).numel()
    return flow.arange(count, dtype=flow.float32).reshape(shape) / 4 - 1


CASES: dict[str, Callable[[Any, Any, Any], Any]] = {
    "tensor * number": lambda x, y, b: x * 2.0,
    "number * tensor": lambda x, y, b: 3 * x,
    "tensor + number": lambda x, y, b: x + 1.5,
    "tensor - number": lambda x, y, b: x - 1,
    "number / tensor": lambda x, y, b: 2.0 / (x + 9.0),
    "tensor > number": lambda x, y, b: x > 0.0,
    "leaky_relu": lambda x, y, b: functional.leaky_relu(x, 0.1),
    "add_": lambda x, y, b: x.clone().add_(y),
    "mul_ by a number": lambda x, y, b: x.clone().mul_(2.0),
    "linear": lambda x, y, b: functional.linear(x, y, b),
    "linear without bias": lambda x, y, b: functional.linear(x, y),
    "layer_norm": lambda x, y, b: functional.layer_norm(x, (4,), b, b),
    "attention": lambda x, y, b: functional.scaled_dot_product_attention(x, y, y),
    "conv2d": lambda x, y, b: functional.conv2d(x.reshape(1, 1, 4, 4), y.reshape(4, 1, 2, 2)),
    "embedding": lambda x, y, b: functional.embedding(flow.full((2, 3), 3, dtype=flow.int64), x),
    "where": lambda x, y, b: flow.where(x > y, x, y),
    "gather": lambda x, y, b: flow.gather(x, 0, flow.zeros(1, 4, dtype=flow.int64)),
    "max": lambda x, y, b: flow.max(x, 1)[0],
    "cat": lambda x, y, b: flow.cat([x, y]),
}


@pytest.mark.parametrize("case", CASES)
def test_no_interpreter_is_chosen(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    function, arguments = CASES[case], (numbers(4, 4), 2.0 * numbers(4, 4), numbers(4))
    first = function(*arguments)

    def refuse(op: Any, inputs: Any, context: Any) -> Any:
        raise AssertionError(f"{op.name} has a plan")

    monkeypatch.setattr(autograd, "get_interpreter", refuse)
    assert function(*arguments).tolist() == first.tolist()


def test_numbers_of_every_kind() -> None:
    """An int, a float and a bool, which have plans of their own, in turns."""
    x = flow.tensor([1, 2, 3])
    for _ in range(2):
        assert (x * 2).tolist() == [2, 4, 6] and (x * 2).dtype is flow.int64
        assert (x * 0.5).tolist() == [0.5, 1.0, 1.5] and (x * 0.5).dtype is flow.float32
        assert (x * True).tolist() == [1, 2, 3] and (x * True).dtype is flow.int64


def test_gradients_and_versions() -> None:
    for _ in range(2):
        x = numbers(4, 4).requires_grad_()
        y = x * 2.0
        z = y.clone()
        version = z.impl.version
        z.mul_(3.0)
        assert z.impl.version == version + 1
        z.sum().backward()
        assert x.grad.tolist() == [[6.0] * 4] * 4


def test_inputs_that_are_copied_first() -> None:
    """A kernel that wants contiguous inputs gets them in every call."""
    x, b = numbers(3, 4), numbers(3)
    expected = functional.layer_norm(x.T.contiguous(), (3,), b, b).tolist()
    for _ in range(2):
        assert functional.layer_norm(x.T, (3,), b, b).tolist() == expected


def test_what_only_a_derivative_reads_is_a_tensor_where_one_is_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    x, b = numbers(4, 4), numbers(4)
    expected = functional.layer_norm(x, (4,), b, b).tolist()
    made = []

    def tensor(meta: Any, block: Any) -> Any:
        made.append(meta)
        return tensor_in(meta, block)

    monkeypatch.setattr(eager_local, "tensor_in", tensor)
    assert functional.layer_norm(x, (4,), b, b).tolist() == expected and len(made) == 1
    assert functional.layer_norm(x.requires_grad_(), (4,), b, b).tolist() == expected and len(made) == 4


def test_a_generator_counts_the_same_whether_gradients_are_recorded() -> None:
    drawn = []
    for recorded in (False, True, False):
        x = numbers(4, 4).requires_grad_(recorded)
        flow.manual_seed(0)
        before = default_generator(x.device).state.impl.version
        drawn.append([functional.dropout(x).tolist() for _ in range(2)])
        assert default_generator(x.device).state.impl.version == before + 2
    assert drawn[0] == drawn[1] == drawn[2] and drawn[0][0] != drawn[0][1]


def test_wrong_indices_are_told_in_every_call() -> None:
    x, index = numbers(3, 4), flow.full((1, 4), 7, dtype=flow.int64)
    for _ in range(2):
        with pytest.raises(IndexError):
            flow.gather(x, 0, index)
            where.settle()
    assert flow.gather(x, 0, index * 0).tolist() == x[:1].tolist()
