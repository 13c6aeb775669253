"""`float`, `int`, `round` and functions of `math` on numbers of tensors and on numbers among the arguments."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from math import isnan
from typing import Any

import pytest

import tritonflow as flow
from tests import where
from tritonflow.graph.watch.number_functions import NumberFunctions

pytestmark = pytest.mark.filterwarnings("ignore:.*is not compiled")  # what raises runs in eager mode
NAN, INF = math.nan, math.inf
FINITE = [0.5, 2.75, 3.25, 0.1, 7.5, 1e-3, 12.0]


def safe(x: Any) -> Any:
    total = x.sum().item()
    return x / total if math.isfinite(total) and not isnan(total) else x * 0


ONE_PROGRAM: dict[str, Callable[[Any], Any]] = {
    "float": lambda x: float(x.sum()),
    "float of a number": lambda x: x * float(x.sum().item()),
    "int": lambda x: x * int(x.sum() * 10),
    "int of a number": lambda x: int(x.sum().item() * 10),
    "int of a whole number": lambda x: int(x.to(flow.int64)),
    "float of a whole number": lambda x: x + float(x.to(flow.int64)),
    "isfinite": safe,
    "isinf": lambda x: x if math.isinf(x.item()) else x * 2,
    "sqrt": lambda x: x * math.sqrt(x.item()),
    "logarithms": lambda x: x * (math.log(x.item()) + math.log2(x.item()) - math.log10(x.item())),
    "exp": lambda x: x * math.exp(x.item()),
    "round": lambda x: x * round(x.item()),
    "round to digits": lambda x: round(x.item() * math.pi, 2),
    "floor and ceil": lambda x: x * math.floor(x.item()) - math.ceil(x.item()),
    "trunc": lambda x: math.trunc(x.item()),
    "among others": lambda x: {"loss": float(x.mean()), "count": [int(x.numel()), float("2.5"), float(3), int("12", 8)]},
}


def same(actual: Any, expected: Any) -> None:
    assert type(actual) is type(expected)
    if isinstance(expected, flow.Tensor):
        actual, expected = actual.tolist(), expected.tolist()
    assert actual == expected or repr(actual) == repr(expected), (actual, expected)


@pytest.mark.parametrize("name", ONE_PROGRAM)
def test_one_program_for_all_numbers(name: str) -> None:
    function = ONE_PROGRAM[name]
    f = flow.compile(function)
    for number in FINITE:
        x = flow.tensor([number])
        same(f(x), function(x))
    assert len(f.captures()) == 1


@pytest.mark.parametrize("name", ONE_PROGRAM)
def test_numbers_for_which_some_raise(name: str) -> None:
    function = ONE_PROGRAM[name]
    f = flow.compile(function)
    for number in [2.5, NAN, 0.0, INF, -1.5, 800.0, -INF, 1.5, NAN]:
        x = flow.tensor([number])
        try:
            expected = function(x)
        except (ValueError, OverflowError) as error:
            with pytest.raises(type(error)):
                f(x)
        else:
            same(f(x), expected)


@pytest.mark.parametrize("name", ["isfinite", "int", "sqrt"])
def test_numbers_among_the_arguments(name: str) -> None:
    functions: dict[str, Callable[[Any, float], Any]] = {
        "isfinite": lambda x, n: x * n if math.isfinite(n) else x,
        "int": lambda x, n: x * int(n),
        "sqrt": lambda x, n: x * math.sqrt(n),
    }
    f = flow.compile(functions[name])
    for n in FINITE:
        same(f(flow.ones(2), n), functions[name](flow.ones(2), n))
    assert len(f.captures()) == 1


def perplexity(loss: Any) -> Any:
    value = loss.item()
    try:
        return loss * 2, math.exp(value), value**8.0
    except OverflowError as error:
        return loss, str(error), INF


def as_whole(x: Any) -> Any:
    try:
        return x + int(x.item())
    except ValueError as error:
        return str(error)
    except OverflowError as error:
        return str(error)


@pytest.mark.parametrize("function", [perplexity, as_whole])
def test_errors_that_the_function_catches(function: Any) -> None:
    f = flow.compile(function)
    for number in (2.5, 709.5, 800.0, 3.0, INF, NAN, -INF, 3e38, 1e30, 709.9, 0.5):
        actual, expected = f(flow.tensor(number)), function(flow.tensor(number))
        assert repr(actual) == repr(expected)
    assert len(f.captures()) <= 4


@pytest.mark.skipif(where.device == "cuda", reason="in whose words a number is refused is a device's own")
@pytest.mark.parametrize("number", [6 * 10**38, 10**400, 2**63])
@pytest.mark.parametrize("dtype", [flow.float32, flow.float16, flow.int64, flow.uint8])
def test_numbers_too_large_for_a_kernel(number: int, dtype: Any) -> None:
    functions: list[Callable[[Any, int], Any]] = [
        lambda x, n: x * n,
        lambda x, n: x.clamp(max=n),
        lambda x, n: flow.where(x > n, x, n),
        lambda x, n: x / (n / 3 if n < 0 else n * 1.5),
    ]
    for function in functions:
        f = flow.compile(function)
        f(flow.ones(1, dtype=dtype), 3)
        x = flow.ones(1, dtype=dtype)
        version = x._version
        try:
            expected = function(x, number)
        except (OverflowError, flow.errors.DTypeError) as error:
            with pytest.raises(type(error)) as raised:
                f(x, number)
            assert str(raised.value) == str(error)
        else:
            assert repr(f(x, number)) == repr(expected)
        assert x._version == version


def test_functions_of_sizes_are_not_one_another() -> None:
    functions: list[Callable[[Any], Any]] = [
        lambda x: x * float(x.shape[0]),
        lambda x: x * math.exp(x.shape[0]),
        lambda x: x * math.sqrt(x.shape[0]),
        lambda x: x * (x.shape[0] / 2),
        lambda x: x * (x.shape[0] / 4),
        lambda x: x * x.shape[0] ** 0.5,
        lambda x: x * round(x.shape[0] / 3, 1),
        lambda x: x * round(x.shape[0] / 3, 2),
    ]
    compiled = list(map(flow.compile, functions))
    for n in (3, 5, 4, 9):
        for f, function in zip(compiled, functions):
            x = flow.ones(n, 2)
            flow.mark_dynamic(x, 0)  # none asks for the number itself
            same(f(x), function(x))


def test_parts_with_functions_of_sizes_are_not_one_another() -> None:
    def function(x: Any) -> Any:
        a = x * (x.shape[0] / 2)
        if a.sum().item() > 100:
            return a + 1
        b = x * (x.shape[0] / 4 + 0.75)
        return b - 1 if b.sum().item() > 50 else a + b

    f = flow.compile(function)
    for n in (3, 5, 4, 20, 7):
        for scale in (1.0, 5.0, 100.0, 0.1, -1.0):
            same(f(flow.ones(n, 2) * scale), function(flow.ones(n, 2) * scale))


def test_nothing_has_changed_where_one_raises() -> None:
    total = flow.zeros(1)

    @flow.compile
    def f(x: Any) -> Any:
        total.add_(x)
        return x * math.log(x.item())

    for number in (1.0, 2.0):
        f(flow.tensor([number]))
    with pytest.raises(ValueError):
        f(flow.tensor([-1.0]))
    assert total.item() == 2.0  # as eager mode leaves it
    f(flow.tensor([3.0]))
    assert total.item() == 5.0


def test_what_is_no_call_is_what_it_was() -> None:
    @flow.compile
    def f(x: Any) -> Any:
        n = x.sum().item()
        kinds = [float is float, isinstance(n, float), not isinstance(n, int), list(map(float, ["1", 2])) == [1.0, 2.0]]
        return all([*kinds, float.fromhex("0x1p1") == 2.0, math.isfinite is vars(math)["isfinite"]])

    assert f(flow.ones(2)) is True and f(flow.ones(2) * 3) is True and len(f.captures()) == 1


def test_other_functions_of_these_names() -> None:
    space: dict[str, Any] = {"float": lambda value: value * 2}
    exec("def f(x):\n    return x + float(3)\n\nclass Own:\n    def isfinite(self, x):\n        return x + 1\n", space)
    own = space["Own"]()
    assert flow.compile(space["f"])(flow.ones(1)).item() == 7.0
    assert flow.compile(lambda x: own.isfinite(x))(flow.ones(1)).item() == 2.0


def test_other_objects_are_given_back() -> None:
    functions = NumberFunctions()
    nothing: list[Any] = []
    assert functions[print] is print and functions[nothing] is nothing and functions[float] is not float
    with pytest.raises(TypeError, match="expected at most 1 argument"):
        functions[float](1, 2)
    assert functions[math.sqrt](4) == 2.0 and functions[int]("12") == 12


def test_training_that_looks_at_its_loss() -> None:
    def made() -> tuple[Any, Any, list[float]]:
        flow.manual_seed(0)
        net, losses = flow.nn.Linear(4, 2), []
        optimizer = flow.optim.AdamW(net.parameters(), 0.1)

        def step(x: Any) -> float:
            optimizer.zero_grad()
            loss = net(x).pow(2).mean()
            if not math.isfinite(loss.item()):
                return float(loss)
            loss.backward()
            optimizer.step()
            losses.append(float(loss))
            return round(float(loss), 3)

        return step, net, losses

    (eager, net, expected), (step, own, losses) = made(), made()
    f = flow.compile(step)
    for k in range(30):
        x = flow.full((3, 4), NAN if k == 7 else 1.0 + k / 10)
        actual, wanted = f(x), eager(x)
        assert actual == pytest.approx(wanted, rel=1e-5, nan_ok=True)
    assert losses == pytest.approx(expected, rel=1e-5) and len(losses) == 29 and all(type(each) is float for each in losses)
    assert len(f.captures()) <= 3
    for a, b in zip(own.parameters(), net.parameters()):
        assert flow.allclose(a, b, rtol=1e-5)


def test_a_library_takes_the_whole_part_of_a_float() -> None:
    f = flow.compile(lambda x: x * operator.index(int.__new__(int, x.item())))
    found = [f(flow.tensor([number])).item() for number in (2.0, 2.5, 2.75, 3.5, 3.25, -0.5)]
    assert found == [4.0, 5.0, 5.5, 10.5, 9.75, 0.0]
    assert len(f.captures()) == 3  # for 2, 3 and 0
    with pytest.raises(ValueError, match="NaN"):
        f(flow.tensor([NAN]))
