"""Contexts, exceptions, generators, and what differs in each call."""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
from types import SimpleNamespace
from typing import Any

import numpy
import pytest

import tritonflow as flow
from tests.graph.programs.program import Wrap, calls, plain, program


@program(graph=True)
def contexts_and_exceptions(wrap: Wrap) -> Any:
    log: list[Any] = []
    mode = SimpleNamespace(on=False, depth=0)

    @contextlib.contextmanager
    def switched() -> Any:
        before, mode.on = mode.on, True
        mode.depth += 1
        try:
            yield mode.depth
        finally:
            mode.on = before

    def f(x: Any) -> Any:
        with switched() as depth:
            y = x * depth if mode.on else x
        try:
            raise KeyError(len(log))
        except KeyError as error:
            log.append(error.args[0])
        return -y if mode.on else y + len(log)

    return calls(wrap(f)), log, vars(mode)


@program(eager="cannot be|gives something else|asks the time")
def what_differs_in_each_call(wrap: Wrap) -> Any:
    random.seed(0)
    numpy.random.seed(0)
    rng, found = numpy.random.default_rng(0), []
    for f in (
        lambda x: x * random.random(), lambda x: x * numpy.random.rand(), lambda x: x + rng.integers(9),
        lambda x: x * (time.time() > 0), lambda x: x[random.sample([0, 1], 2)],
    ):  # fmt: skip
        compiled = wrap(f)
        found += calls(compiled, 3)
    return found, random.random(), numpy.random.rand()


@program(eager="begun outside|file|text as code")
def what_has_no_source(wrap: Wrap) -> Any:
    numbers, made, found = iter([1.0, 2.0, 3.0, 4.0]), (k * 2.0 for k in range(4)), []
    for f in (
        lambda x: x * next(numbers), lambda x: x * sum([v for _, v in zip(range(2), made)]),
        lambda x: x * len(open(__file__).readline()), lambda x: x * eval("2.0"),
    ):  # fmt: skip
        compiled = wrap(f)
        found += calls(compiled, 2)
    return found


@program(eager="it is a (generator|coroutine) function")
def generators_and_coroutines(wrap: Wrap) -> Any:
    @wrap
    def generated(x: Any) -> Any:
        for k in range(3):
            yield x * k

    @wrap
    async def awaited(x: Any) -> Any:
        return x * 2

    def inside(x: Any) -> Any:
        double = (x * k for k in range(3))
        return [*double, *map(flow.exp, [x * 0])]

    return (
        [plain(v) for v in generated(flow.ones(2))],
        plain(asyncio.run(awaited(flow.ones(2)))),
        calls(wrap(inside), 2),
    )


@program(eager="is not compiled")
def errors_of_the_program(wrap: Wrap) -> Any:
    w, log = flow.ones(2, requires_grad=True), []

    @wrap
    def f(x: Any) -> Any:
        log.append(len(log))
        (w * x).sum().backward()
        w.data.add_(1)
        if len(log) > 0:
            raise ValueError("no")
        return x

    for _ in range(2):
        with pytest.raises(ValueError, match="no"):
            f(flow.full((2,), 2.0))
    return plain(w), plain(w.grad), log
