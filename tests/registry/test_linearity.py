"""In which inputs scalar functions are linear, as the generator reads it from their sources."""

from __future__ import annotations

import ast

import pytest

from tritonflow.registry.linearity import linear_sets
from tritonflow.registry.scalar_functions import ScalarFunction


def function(name: str, parameters: str, source: str = "", body: str = "") -> ScalarFunction:
    """A scalar function that returns an expression, or that has a body."""
    return ScalarFunction(name, "a", tuple(parameters.split()), source, body=tuple(ast.parse(body).body[0].body if body else ()))  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("x + y", [(0, 1)]),
        ("x - y", [(0, 1)]),
        ("-x * z", [(0,), (1,)]),
        ("x * x", []),
        ("x * y + x * z", [(1, 2), (0,)]),
        ("x / y", [(0,)]),
        ("x + 1", []),
        ("x + 0", [(0,)]),
        ("0 - x", [(0,)]),
        ("tl.where(z > 0, x, y)", [(0, 1)]),
        ("tl.where(x > 0, x, 0)", []),
        ("tl.where(z > 0, x, 1)", []),
        ("tl.exp(x) * y", [(1,)]),
        ("unknown(x) + y", []),
        ("x + y * y", []),
        ("x.to(y.dtype)", []),
    ],
)
def test_expressions(source: str, expected: list[tuple[int, ...]]) -> None:
    read = [name for name in "xyz" if name in {n.id for n in ast.walk(ast.parse(source)) if isinstance(n, ast.Name)}]
    assert linear_sets(function("f", " ".join(read), source), {}, len(read)) == tuple(expected)


def test_only_inputs_count() -> None:
    """A run-time scalar behind the inputs is a factor, or it is added."""
    assert linear_sets(function("f", "x alpha", "x * alpha"), {}, 1) == ((0,),)
    assert linear_sets(function("f", "x alpha", "x + alpha"), {}, 1) == ()


def test_bodies_and_calls() -> None:
    div = function("div", "x y", body="""
def div(x, y):
    "True division."
    if (x + y).dtype.is_fp32():
        return tl.div_rn(x, y)
    else:
        return x / y
""")
    step = function("step", "x y w", body="""
def step(x, y, w):
    near = y - x
    return x + div(near, w)
""")
    loop = function("loop", "x", body="""
def loop(x):
    for k in range(3):
        x = x * 2
    return x
""")
    functions = {f.name: f for f in (div, step, loop)}
    assert linear_sets(div, functions, 2) == ((0,),)
    assert linear_sets(step, functions, 3) == ((0, 1),)
    assert linear_sets(loop, functions, 1) == (), "what is not understood is not linear"


def test_a_condition_on_values_is_no_choice_of_types() -> None:
    relu = function("relu", "x", body="""
def relu(x):
    if x > 0:
        return x
    else:
        return 0 * x
""")
    assert linear_sets(relu, {}, 1) == ()
