"""What compiled functions print, log and warn of: eager mode's texts, and the functions themselves where they are kept."""

from __future__ import annotations

import collections
import contextlib
import functools
import io
import logging
import re
import warnings
from collections.abc import Callable
from typing import Any

import pytest

import tritonflow as flow

Wrap = Callable[[Any], Any]


def eager(function: Any) -> Any:
    return function


def texts(run: Callable[[Wrap], Any], wrap: Wrap) -> tuple[str, Any]:
    """What a program prints, and what it gives."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = run(wrap)
    return re.sub(r"grad_fn=<\w+>", "grad_fn", out.getvalue()), result


def parameters(wrap: Wrap) -> Any:
    weight = flow.nn.Parameter(flow.ones(2))
    optimizer = flow.optim.SGD([weight], lr=0.5)

    @wrap
    def step(x: Any) -> None:
        print("before", weight, weight.data, [weight.data])
        optimizer.zero_grad()
        (weight * x).sum().backward()
        print("gradient", weight.grad)
        optimizer.step()
        print("after", weight, weight.data)

    return [step(flow.ones(2)) for _ in range(3)], step


Pair = collections.namedtuple("Pair", "first second")


def tensors(wrap: Wrap) -> Any:
    buffer = flow.zeros(2)

    @wrap
    def step(x: Any) -> Any:
        y = x * 2
        row = y[:1]
        print(y, row, {"k": [y, (y, Pair(y, 1))]})
        y.add_(1)
        print(y, row, buffer, x)
        buffer.add_(1)
        x.mul_(3)
        print(buffer, x)
        return y

    return [step(flow.ones(2)).tolist() for _ in range(3)], step


def containers(wrap: Wrap) -> Any:
    table = {"a": [1, (2, [3])]}
    last = collections.deque([1], maxlen=2)
    given: list[Any] = []

    @wrap
    def step(x: Any, given: list[Any]) -> Any:
        made: list[Any] = []
        names: dict[str, Any] = {}
        print(made, names, table, last, given)
        made.append(x * 2)
        names["made"] = made
        table["a"][1][1].append(5)
        last.append(7)
        given.append(1)
        print(made, names, table, last, given)
        table["a"][1][1].pop()
        last.clear()
        last.append(1)

    return [step(flow.ones(1), given) for _ in range(3)], step


def ones_own_functions(wrap: Wrap) -> Any:
    @wrap
    def step(x: Any) -> Any:
        say = functools.partial(print, "part", sep="-")
        say(x)
        found = [print, say]
        found[0]("said")
        list(map(print, [1, 2]))
        return found[0] is print, print in found, found

    results = [step(flow.ones(1)) for _ in range(2)]
    results[0][2][1]("later")
    return [(same, found, kept[0] is print, kept[1].func is print) for same, found, kept in results], step


class Trainer:
    log: Any = None

    def __init__(self, wrap: Wrap) -> None:
        self.run = wrap(self.step)

    def step(self, x: Any) -> Any:
        if self.log is None:
            self.log = print
        self.log("step", x)
        return self.log is print


def kept(wrap: Wrap) -> Any:
    trainer = Trainer(wrap)
    found = [trainer.run(flow.full((1,), float(k))) for k in range(3)]
    trainer.log("outside")
    return (found, trainer.log is print), trainer.run


@pytest.mark.parametrize("run", [parameters, tensors, containers, ones_own_functions, kept])
def test_prints_show_what_was_there(run: Callable[[Wrap], Any]) -> None:
    told, (result, _) = texts(run, eager)
    told_by_runs, (result_of_runs, step) = texts(run, flow.compile)
    assert told_by_runs == told
    assert result_of_runs == result
    assert step.captures()


class Meter:
    def __init__(self) -> None:
        self.seen = [0]

    def __str__(self) -> str:
        return f"Meter({self.seen})"


def test_an_object_with_a_text_of_its_own_that_is_changed_is_printed_in_eager_mode() -> None:
    meter = Meter()

    @flow.compile
    def step(x: Any) -> None:
        print("before", meter)
        meter.seen.append(1)

    out = io.StringIO()
    with contextlib.redirect_stdout(out), pytest.warns(UserWarning, match="gives a Meter to print, at .*test_printing.py"):
        step(flow.ones(1))
        step(flow.ones(1))
    assert out.getvalue() == "before Meter([0])\nbefore Meter([0, 1])\n"


def test_an_object_that_is_changed_before_is_printed_by_the_program() -> None:
    meter = Meter()

    @flow.compile
    def step(x: Any) -> None:
        meter.seen[0] += 1
        print("now", meter)

    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        for _ in range(3):
            step(flow.ones(1))
    assert out.getvalue() == "now Meter([1])\nnow Meter([2])\nnow Meter([3])\n"
    assert step.captures()


def test_log_records_have_what_was_there(caplog: pytest.LogCaptureFixture) -> None:
    log = logging.getLogger("test_printing")
    state = flow.zeros(1)

    @flow.compile
    def step(x: Any) -> None:
        log.warning("state %s", state)
        state.add_(x)
        log.warning("then %s", [state], extra={"own": state})

    step(flow.ones(1))
    step(flow.ones(1))
    zero, one, two = (flow.tensor([number]) for number in (0.0, 1.0, 2.0))
    assert [record.message for record in caplog.records] == [
        f"state {zero}", f"then [{one}]", f"state {one}", f"then [{two}]",
    ]  # fmt: skip
    assert step.captures()


def warn_above() -> None:
    warnings.warn("above", stacklevel=2)


def warn_two_above() -> None:
    warnings.warn("two above", stacklevel=3)


@pytest.mark.parametrize("wrap", [eager, flow.compile])
def test_warnings_are_shown_once_for_a_line(wrap: Wrap) -> None:
    globals().pop("__warningregistry__", None)

    def step(x: Any) -> Any:
        warnings.warn("here", stacklevel=1)
        warn_above()
        warn_two_above()
        return x + 1

    compiled = wrap(step)
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("default")
        for _ in range(3):
            compiled(flow.ones(1))
        line = step.__code__.co_firstlineno
        compiled(flow.ones(1))  # `two above` is of the line that calls the function
    assert [(str(each.message), each.filename == __file__) for each in found] == [
        ("here", True), ("above", True), ("two above", True), ("two above", True),
    ]  # fmt: skip
    assert [each.lineno - line for each in found] == [1, 2, 10, 12]


def test_warnings_in_a_block_that_catches_them_run_in_eager_mode() -> None:
    @flow.compile
    def step(x: Any) -> Any:
        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter("always")
            warnings.warn("here", stacklevel=1)
        return x * len(found)

    with pytest.warns(UserWarning, match="catch_warnings"):
        assert step(flow.ones(1)).tolist() == [1.0]
    assert step(flow.ones(1)).tolist() == [1.0]
