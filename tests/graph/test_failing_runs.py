"""Errors that depend on numbers of tensors: a compiled function does what eager mode does, also where it catches them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import tritonflow as flow
from tests import where
from tritonflow import nn

Wrap = Callable[[Any], Any]
EYE, NEGATIVE, SINGULAR = [[1.0, 0.0], [0.0, 1.0]], [[-1.0, 0.0], [0.0, 1.0]], [[0.0, 0.0], [0.0, 0.0]]
PROGRAMS: list[Any] = []


def program(*calls: Any, catches: bool = False) -> Callable[[Any], Any]:
    """Mark what gives a function, and what tells a state, with the numbers of the tensors of each call.

    A function that `catches` an error itself does so on the CPU only: on a GPU the next synchronisation raises it.
    """

    def mark(make: Any) -> Any:
        PROGRAMS.append(pytest.param(make, list(calls), id=make.__name__, marks=[pytest.mark.cpu_only] if catches else []))
        return make

    return mark


@program([EYE], [NEGATIVE], [EYE], catches=True)
def another_way(wrap: Wrap) -> Any:
    def f(a: Any) -> Any:
        try:
            return flow.linalg.cholesky(a)
        except RuntimeError:
            return flow.linalg.cholesky(a + 5 * flow.eye(2))

    return wrap(f), None


@program([EYE], [NEGATIVE], [EYE], catches=True)
def a_result_that_nobody_reads(wrap: Wrap) -> Any:
    def f(a: Any) -> Any:
        try:
            flow.linalg.cholesky(a)
        except RuntimeError:
            return a * 0
        return a + 1

    return wrap(f), None


@program([EYE], [SINGULAR], [EYE], catches=True)
def no_result(wrap: Wrap) -> Any:
    counts = {"calls": 0, "good": 0}

    def f(a: Any) -> None:
        counts["calls"] += 1
        try:
            flow.linalg.inv(a)
            counts["good"] += 1
        finally:
            counts["calls"] += 10

    return wrap(f), lambda: dict(counts)


@program([[0, 1]], [[0, 9]], [[2, 3]])
def what_was_done_before(wrap: Wrap) -> Any:
    layer, seen, state = nn.Embedding(4, 1), [], {"hidden": flow.zeros(1)}
    nn.init.ones_(layer.weight)

    def f(index: Any) -> Any:
        seen.append(1)
        state["hidden"] = state["hidden"] + 1
        y = layer(index)
        seen.append(-1)
        return y.sum()

    return wrap(f), lambda: (seen, state["hidden"].tolist())


@program([[0, 1]], [[0, 9]], [[1, 2]], [[7, 0]], [[1, 2]])
def random_numbers(wrap: Wrap) -> Any:
    weight = flow.arange(8.0).reshape(4, 2)

    def f(index: Any) -> Any:
        noise = flow.rand(2)
        return nn.functional.embedding(index, weight) + noise + flow.rand(2)

    return wrap(f), lambda: flow.rand(3).tolist()


@program(
    *[[[[1.0, 2.0], [3.0, 1.0], [0.0, 1.0]], target] for target in ([0, 1, 2], [0, 1, 9], [0, 1, 2], [0, 1, -3], [0, 1, 1])]
)
def a_training_step(wrap: Wrap) -> Any:
    model = nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3))
    optimizer = flow.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    seen: list[int] = []

    def step(x: Any, target: Any) -> Any:
        optimizer.zero_grad()
        y = model(x)
        seen.append(1)
        loss = nn.functional.cross_entropy(y, target)
        loss.backward()
        optimizer.step()
        seen.append(2)
        return loss

    return wrap(step), lambda: (seen, [value.tolist() for value in model.state_dict().values()])


@program([[0, 1]], [[0, 9]], [[1, 2]], [[7, 0]], [[1, 2]])
def a_tensor_that_is_written(wrap: Wrap) -> Any:
    buffer = flow.zeros(3)

    def f(index: Any) -> Any:
        buffer.add_(1)
        buffer[index] = 5.0
        y = flow.ones(3)[index]
        buffer.mul_(2)
        return y.sum()

    return wrap(f), buffer.tolist


@program([[4, 5], [2, 2]], [[4, 5], [0, 2]], [[4, 5], [1, 2]])
def division(wrap: Wrap) -> Any:
    return wrap(lambda a, b: a // b + a % b), None


@program([[0.5, 0.5]], [[0.5, 7.0]], [[0.5, 0.5]])
def chances(wrap: Wrap) -> Any:
    return wrap(flow.bernoulli), lambda: flow.rand(2).tolist()


@program([[0, 1]], [[0, 3]], [[2, 0]])
def tables(wrap: Wrap) -> Any:
    one_hot = nn.functional.one_hot
    return wrap(lambda p: one_hot(p, 3).sum() + flow.zeros(3).scatter(0, p, 1.0).sum() + flow.arange(4.0).gather(0, p)), None


def outcome(make: Callable[[Wrap], tuple[Any, Any]], calls: list[Any], wrap: Wrap) -> tuple[list[Any], Any]:
    """Results, errors and states of calls; and the function."""
    flow.manual_seed(0)
    function, state = make(wrap)
    found: list[Any] = []
    for arguments in calls:
        try:
            result = function(*[flow.tensor(argument) for argument in arguments])
            found.append(result if result is None else result.tolist())
            where.settle()
        except Exception as error:
            found.append((type(error), str(error)))
        found.append(None if state is None else state())
    return found, function


@pytest.mark.parametrize(("make", "calls"), PROGRAMS)
def test_errors_of_runs(make: Any, calls: list[Any]) -> None:
    expected, _ = outcome(make, calls, lambda function: function)
    found, function = outcome(make, calls, flow.compile)
    assert found == expected
    assert len(function.captures()) == 1


def test_a_large_tensor_that_was_written_before_stays_so() -> None:
    buffer = flow.zeros(1 << 16)
    seen: list[int] = []

    @flow.compile
    def f(index: Any) -> Any:
        buffer.add_(1)
        seen.append(1)
        return flow.ones(3)[index] + buffer[:1]

    f(flow.tensor([0]))
    with pytest.raises(IndexError, match=r"issued at .*test_failing_runs\.py"):
        f(flow.tensor([7]))
        where.settle()
    assert (buffer[0].item(), seen) == (2.0, [1] if where.device == "cpu" else [1, 1])  # a GPU's run goes on behind the error


def test_a_failing_graph_raises_its_own_error() -> None:
    class Pick(nn.Graph):
        def build(self, index: Any) -> Any:
            flow.linalg.cholesky(flow.eye(2) * index[0])  # nobody reads it
            return flow.ones(3)[index]

    graph = Pick()
    assert graph(flow.tensor([1])).tolist() == [1.0]
    with pytest.raises(IndexError, match="issued at"):
        graph(flow.tensor([3]))
        where.settle()
    with pytest.raises(RuntimeError, match="not positive-definite"):
        graph(flow.tensor([-1]))
        where.settle()


ONE = flow.ones(2)
NORMAL = flow.distributions.Normal
CHECKS: dict[str, tuple[Any, Any, str]] = {
    "scale": (lambda x: NORMAL(0.0, x).log_prob(ONE), -ONE, "Expected parameter scale"),
    "value": (lambda x: NORMAL(0.0, ONE).log_prob(x), ONE * float("nan"), "within the support"),
    "sampled": (lambda x: NORMAL(x, nn.functional.softplus(x)).rsample().shape, ONE * float("nan"), "Expected parameter loc"),
    "geometric": (lambda x: flow.distributions.Geometric(probs=x * 0.5).mean, ONE * 0, "Expected parameter probs"),
    "normal": (lambda x: flow.normal(0.0, x).shape, -ONE, "all elements of std"),
    "multinomial": (lambda x: flow.multinomial(x, 1).shape, -ONE, "probability tensor contains"),
    "no probability": (lambda x: flow.multinomial(x, 1).shape, ONE * 0, "sum of probabilities"),
    "quantile": (lambda x: flow.quantile(ONE, x), ONE * 2, "must be in the range"),
    "covariance": (lambda x: flow.cov(ONE, aweights=x), -ONE, "cannot be negative"),
}


@pytest.mark.parametrize("name", CHECKS)
def test_checks_of_values_are_made_in_runs(name: str) -> None:
    function, bad, message = CHECKS[name]
    compiled = flow.compile(function)
    compiled(ONE)
    for wrap in (function, compiled):
        with pytest.raises((RuntimeError, ValueError), match=message):
            wrap(bad)
            where.settle()
    compiled(ONE)
    assert len(compiled.captures()) == 1


def test_a_graph_checks_parameters_of_distributions() -> None:
    class Density(nn.Graph):
        def build(self, scale: Any) -> Any:
            return NORMAL(0.0, scale).log_prob(scale)

    graph = Density()
    graph(flow.ones(2))
    with pytest.raises(ValueError, match="Expected parameter scale of Normal to satisfy its constraint"):
        graph(-flow.ones(2))
        where.settle()


@pytest.mark.parametrize(("value", "fits"), [(0.5, True), (255.0, True), (255.5, False), (-0.5, False), (-1.0, False), (float("nan"), False)])
def test_a_number_that_does_not_fit(value: float, fits: bool) -> None:
    def fill(x: Any, number: Any) -> Any:
        x = x.clone()
        x[x > 2] = number
        return x

    x, compiled = flow.tensor([2, 3], dtype=flow.uint8), flow.compile(fill)
    compiled(x, flow.tensor(1.0))
    if fits:
        assert compiled(x, flow.tensor(value)).tolist() == fill(x, flow.tensor(value)).tolist()
    else:
        for wrap in (fill, compiled):
            with pytest.raises(RuntimeError, match="without overflow"):
                wrap(x, flow.tensor(value))
                where.settle()
    assert len(compiled.captures()) == 1


class Circular(flow.autograd.Function):
    """Its backward raises an error that is behind itself."""

    @staticmethod
    def forward(ctx: Any, x: flow.Tensor) -> flow.Tensor:
        return x * 2

    @staticmethod
    def backward(ctx: Any, gradient: flow.Tensor) -> flow.Tensor:
        first, second = ValueError("first"), ValueError("second")
        first.__cause__, second.__cause__ = second, first
        raise first


def test_an_error_of_a_backward_that_is_behind_itself() -> None:
    y = flow.compile(lambda x: Circular.apply(x) * 3, fullgraph=True)(flow.ones(3, requires_grad=True))
    assert y.tolist() == [6.0] * 3
    with pytest.raises(ValueError, match="first"):
        y.sum().backward()
