"""A library whose code is not watched may draw from Python's and NumPy's generators: no program has such a number for a constant."""

from __future__ import annotations

import random
import types
from collections.abc import Callable
from typing import Any

import numpy
import pytest

import tritonflow as flow

_SOURCE = "import random, numpy\ndef python(): return random.random()\ndef array(): return float(numpy.random.rand())\n"


@pytest.fixture
def library() -> Any:
    """A module that seems to be installed."""
    module: Any = types.ModuleType("drawing_library")
    module.__file__ = "/site-packages/drawing_library.py"
    exec(compile(_SOURCE, module.__file__, "exec"), vars(module))
    return module


def runs(f: Callable[..., Any]) -> tuple[list[float], float, float]:
    """What four calls give, and what the generators give behind them."""
    random.seed(1)
    numpy.random.seed(1)
    found = [f(flow.ones(1) * k).item() for k in range(4)]
    return found, random.random(), float(numpy.random.rand())


@pytest.mark.filterwarnings("ignore:.*draws from Python's or NumPy's random generator")
@pytest.mark.parametrize("name", ["python", "array"])
def test_what_a_library_draws_is_another_number_in_each_call(library: Any, name: str) -> None:
    draw = getattr(library, name)

    def shifted(x: flow.Tensor) -> flow.Tensor:
        return x + draw()

    assert runs(flow.compile(shifted)) == runs(shifted)


@pytest.mark.filterwarnings("ignore:.*draws from Python's or NumPy's random generator")
def test_a_constant_hides_no_draw_of_a_library(library: Any) -> None:
    def shifted(x: flow.Tensor) -> flow.Tensor:
        drawn = library.python()
        return x + drawn + flow.compiler.constant(random.random())

    assert runs(flow.compile(shifted)) == runs(shifted)


def test_a_user_is_told_that_a_library_draws(library: Any) -> None:
    compiled = flow.compile(lambda x: x + library.python(), fullgraph=True)
    with pytest.raises(RuntimeError, match="a library that draws from Python's or NumPy's random generator"):
        compiled(flow.ones(1))


def test_a_constant_that_is_drawn_is_one_program() -> None:
    compiled = flow.compile(lambda x: x + flow.compiler.constant(random.random()), fullgraph=True)
    assert compiled(flow.ones(1)).item() == compiled(flow.ones(1)).item()
