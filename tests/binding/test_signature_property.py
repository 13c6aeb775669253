"""Random signatures and random calls: a generated function does what Python's binding and the conversions say."""

from __future__ import annotations

import ast
import inspect
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.binding.bindings import build_binding, make_tensor
from tritonflow.binding.converters import REJECTED, converter, default_value
from tritonflow.binding.prototype import same_default
from tritonflow.binding.signature import Signature, parse_signature
from tritonflow.dtypes import float32

TENSOR = make_tensor(2, 3)
VALUES = [
    TENSOR,
    0,
    1,
    2.5,
    True,
    None,
    "cpu",
    (1, 2),
    [3, 4],
    (TENSOR, TENSOR),
    (),
    np.int64(5),
    np.float32(0.5),
    float32,
]
DEFAULTS = {
    "Tensor": ["None"],
    "Scalar": ["1", "0.5", "None"],
    "Int32": ["0", "-1", "None"],
    "Float": ["1e-5", "None"],
    "Bool": ["False", "True"],
    "String": ["'mean'", "None"],
    "Int32List": ["None"],
    "Int32List[2]": ["1", "None"],
    "Shape": ["None"],
    "TensorTuple": ["None"],
    "DataType": ["None", "kFloat"],
    "Device": ["None"],
}


@st.composite
def signatures(draw: st.DrawFn, names: tuple[str, ...] = ("a", "b", "c", "d")) -> str:
    """A signature of up to four parameters: required ones, then defaults, then keyword-only ones."""
    count = draw(st.integers(0, 4))
    kinds = draw(st.lists(st.sampled_from(sorted(DEFAULTS)), min_size=count, max_size=count))
    first_default, first_keyword = draw(st.integers(0, count)), draw(st.integers(0, count))
    parts = []
    for i, kind in enumerate(kinds):
        if i == first_keyword:
            parts.append("*")
        default = f"={draw(st.sampled_from(DEFAULTS[kind]))}" if i >= first_default else ""
        parts.append(f"{kind} {names[i]}{default}")
    return f"Tensor ({', '.join(parts)})"


calls = st.tuples(
    st.lists(st.sampled_from(VALUES), max_size=4),
    st.dictionaries(st.sampled_from("abcdz"), st.sampled_from(VALUES), max_size=2),
)


def expected(signature: Signature, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """The converted arguments as Python's own binding would give them; None if the call is wrong."""
    kinds = {True: inspect.Parameter.KEYWORD_ONLY, False: inspect.Parameter.POSITIONAL_OR_KEYWORD}
    parameters = [
        inspect.Parameter(p.name, kinds[p.keyword_only], default=inspect.Parameter.empty if p.required else p.default)
        for p in signature.parameters
    ]
    try:
        bound = inspect.Signature(parameters).bind(*args, **kwargs)
    except TypeError:
        return None
    values = []
    for p in signature.parameters:
        value = converter(p)(bound.arguments[p.name]) if p.name in bound.arguments else default_value(p.default)
        if value is REJECTED:
            return None
        values.append(value)
    return values


def same(left: Any, right: Any) -> bool:
    return len(left) == len(right) and all(a is b or (type(a) is type(b) and a == b) for a, b in zip(left, right))


def has_lone_list(signature: Signature) -> bool:
    return len(signature.positional) == 1 and signature.positional[0].type.is_list


@settings(max_examples=100, deadline=None)
@given(signatures(), st.lists(calls, min_size=1, max_size=8))
def test_one_signature_binds_as_python_does(text: str, many: list[Any]) -> None:
    signature = parse_signature("f", f"{text} => A")
    function = build_binding(text).f
    for args, kwargs in many:
        first = [*args[:1], *(kwargs[p.name] for p in signature.positional if p.name in kwargs)]
        if has_lone_list(signature) and first and not isinstance(first[0], (tuple, list, type(None))):
            continue  # that list takes all positions, which Python has no notion of
        want = expected(signature, args, kwargs)
        if want is None:
            with pytest.raises(TypeError):
                function(*args, **kwargs)
        else:
            assert same(function(*args, **kwargs)[1:], want)


@settings(max_examples=100, deadline=None)
@given(
    st.lists(signatures(), min_size=2, max_size=4), st.lists(st.lists(st.sampled_from(VALUES), max_size=4), max_size=8)
)
def test_the_first_signature_that_fits_is_taken(texts: list[str], many: list[list[Any]]) -> None:
    """By position only: by keyword, overloads may be told apart less strictly than by trying them."""
    parsed = [parse_signature("f", f"{text} => A") for text in texts]
    positional = {p.name for s in parsed for p in s.positional}
    assume(not any(p.keyword_only and p.name in positional for s in parsed for p in s.parameters))
    function = build_binding(texts).f
    defaults = [default_value(p.default) for s in parsed for p in s.parameters if not p.required]
    for args in many:
        if any(same_default(value, default) for value in args for default in defaults):
            continue  # a default that is written out counts as not given
        fitting = [(i, expected(s, args, {})) for i, s in enumerate(parsed)]
        fitting = [(i, values) for i, values in fitting if values is not None]
        if any(has_lone_list(s) for s in parsed):
            continue
        if not fitting:
            with pytest.raises(TypeError):
                function(*args)
        else:
            index, values = fitting[0]
            result = function(*args)
            assert result[0] == "ABCD"[index]
            assert same(result[1:], values)


def without_fast_branches(bound: Any) -> Any:
    """The generated function with nothing but its last statement, the call of the general road."""
    tree = ast.parse(bound.source)
    function = next(node for node in tree.body if isinstance(node, ast.FunctionDef))
    function.body = function.body[-1:]
    function.name = "general"
    namespace = dict(vars(bound))
    exec(compile(ast.Module([function], []), "<general>", "exec"), namespace)
    return namespace["general"]


def outcome(function: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
    try:
        return function(*args, **kwargs)
    except TypeError as error:
        return str(error)


@settings(max_examples=100, deadline=None)
@given(st.lists(signatures(), min_size=1, max_size=3), st.lists(calls, min_size=1, max_size=8))
def test_the_fast_branches_agree_with_the_general_road(texts: list[str], many: list[Any]) -> None:
    bound = build_binding(texts)
    general = without_fast_branches(bound)
    for args, kwargs in many:
        fast, slow = outcome(bound.f, args, kwargs), outcome(general, args, kwargs)
        if isinstance(slow, str):
            assert fast == slow.replace("general()", "f()")
        else:
            assert same(fast, slow)
