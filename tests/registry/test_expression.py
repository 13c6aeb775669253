"""The expression language: what is read, and how it is written as Triton and as Python."""

from __future__ import annotations

import re

import pytest

from tritonflow.registry.expression import (
    ExpressionError,
    NotPointwise,
    count_operations,
    direct_call,
    parse,
    to_python,
    to_triton,
)

NAMES = frozenset({"x", "y", "dy", "alpha", "dim"})
FUNCTIONS = {("exp", 1), ("div", 2), ("pow", 2), ("negative", 1), ("where", 3)}


def resolve(name: str, count: int) -> str | None:
    return name if (name, count) in FUNCTIONS else None


def test_what_an_expression_reads():
    parsed = parse("dy * exp(x) if needs(x) else reduce(dy, y.shape, x.dtype, dim)", NAMES, "op")
    assert parsed.data == ("x", "dy", "dim") or set(parsed.data) == {"dy", "x", "dim"}
    assert parsed.metas == ("y",)
    assert parsed.needs == ("x",)
    assert set(parsed.calls) == {"exp", "reduce"}


def test_a_shape_alone_saves_no_data():
    parsed = parse("reshape(dy, x.shape)", NAMES, "op")
    assert parsed.data == ("dy",) and parsed.metas == ("x",)


@pytest.mark.parametrize(
    ("text", "triton", "functions"),
    [
        ("dy * (y > 0)", "dy * (y > 0)", ()),
        ("-dy", "negative(dy)", ("negative",)),
        ("dy * -1", "dy * -1", ()),
        ("dy / y", "div(dy, y)", ("div",)),
        ("alpha * x ** (alpha - 1)", "alpha * pow(x, alpha - 1)", ("pow",)),
        ("exp(-x) / (1 + exp(-x)) ** 2", "div(exp(negative(x)), pow(1 + exp(negative(x)), 2))", None),
        ("(x > 0) & (y < 1)", "(x > 0) & (y < 1)", ()),
        ("0 if alpha == 0 else dy", "where(alpha == 0, 0, dy)", ("where",)),
    ],
)
def test_triton_source(text, triton, functions):
    source, calls = to_triton(parse(text, NAMES, "op"), resolve)
    assert source == triton
    assert functions is None or calls == functions


@pytest.mark.parametrize(
    "text",
    ["dy * x.numel", "softmax_grad(dy, y, dim)", "exp(x, 1)", "dy // 2", "(dy, x)", "exp(x=x)", "'a'", "needs(x)"],
)
def test_what_is_not_pointwise(text):
    with pytest.raises(NotPointwise):
        to_triton(parse(text, NAMES, "op"), resolve)


@pytest.mark.parametrize(
    ("text", "python"),
    [
        ("dy * (y > 0)", "dy * (y > 0)"),
        ("softmax_grad(dy, y, dim)", "_C.softmax_grad(dy, y, dim)"),
        ("sum(dy, x.shape, keepdim=True)", "_C.sum(dy, node.metas[0].shape, keepdim=True)"),
        ("f(dy, needs(x))", "_C.f(dy, node.needs[0])"),
        ("f(dy, x.shape[2:], x.ndim - 1)", "_C.f(dy, node.metas[0].shape[2:], node.metas[0].ndim - 1)"),
        ("exp(exp(x))", "_C.exp(_C.exp(x))"),
    ],
)
def test_python_source(text, python):
    assert to_python(parse(text, NAMES, "op"), {"x": "node.metas[0]"}, {"x": "node.needs[0]"}) == python


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("dy *", "is not an expression"),
        ("dy * z", "unknown name 'z'; the names are alpha, dim, dx"),
        ("dy * x.grad", "attribute 'grad' of 'x': only shape"),
        ("x.f(dy)", "only functions called by their name"),
        ("lambda: dy", "Lambda is not in the expression language"),
        ("[dy for dy in x]", "ListComp is not in the expression language"),
        ("0 < x < 1", "write a chain of comparisons with &"),
        ("needs(1)", "needs(...) takes the name of an input"),
        ("needs(z)", "unknown name 'z'"),
        ("dy % x", "Mod is not in the expression language"),
    ],
)
def test_errors_name_the_entry(text, message):
    message = message.replace("dx", "dy")
    with pytest.raises(ExpressionError, match="^myop: .*" + re.escape(message)):
        parse(text, NAMES, "myop")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("exp(x)", ("exp", ("x",))),
        ("x + y", ("add", ("x", "y"))),
        ("x / y", ("div", ("x", "y"))),
        ("-x", ("negative", ("x",))),
        ("exp(x + 1)", None),
        ("x + 1", None),
        ("x > y", None),
    ],
)
def test_single_calls_are_recognised(text, expected):
    assert direct_call(parse(text, NAMES, "op")) == expected


def test_operations_are_counted():
    assert count_operations(parse("dy", NAMES, "op")) == 0
    assert count_operations(parse("dy * -1", NAMES, "op")) == 1
    assert count_operations(parse("dy * (y > 0)", NAMES, "op")) == 2
