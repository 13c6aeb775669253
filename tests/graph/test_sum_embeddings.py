"""Lookups of tokens and positions, and their sum: one op, with the bits of three."""

from __future__ import annotations

from typing import Any

import pytest

import tritonflow as flow
from tests.graph.test_fusion import optimized
from tritonflow.testing import assert_close

F = flow.nn.functional
ROWS, PLACES, WIDTH = 50, 16, 24

FORMS = {
    "positions": lambda w, p, x: F.embedding(x, w) + F.embedding(flow.arange(x.shape[-1]), p),
    "positions of a row": lambda w, p, x: F.embedding(flow.arange(x.shape[-1])[None], p) + F.embedding(x, w),
    "positions of each": lambda w, p, x: F.embedding(x, w) + F.embedding(x % PLACES, p),
    "first rows": lambda w, p, x: F.embedding(x, w) + p[: x.shape[-1]],
    "padding": lambda w, p, x: F.embedding(x, w, 3) + F.embedding(flow.arange(x.shape[-1]), p, 0),
}
OTHERS = {
    "a lookup that is read again": lambda w, p, x: F.embedding(x, w) * (F.embedding(x, w) + p[: x.shape[-1]]),
    "a vector": lambda w, p, x: F.embedding(x, w) + p[0],
    "a wrapped index": lambda w, p, x: w[x] + p[: x.shape[-1]],
    "a column": lambda w, p, x: F.embedding(x, w) + p[: x.shape[-1], :1].expand(x.shape[0], x.shape[-1], 1),
}


def tables(dtype: Any) -> tuple[Any, Any]:
    return flow.randn(ROWS, WIDTH).to(dtype).requires_grad_(), flow.randn(PLACES, WIDTH).to(dtype).requires_grad_()


def ops(form: Any) -> list[str]:
    w, p = tables(flow.float32)
    with flow.no_grad():
        return [node.op.name for node in optimized(lambda x: [form(w, p, x)], flow.randint(0, ROWS, (3, 5))).computes()]


@pytest.mark.parametrize("name", FORMS)
def test_forms_are_one_op(name: str) -> None:
    found = ops(FORMS[name])
    assert "embedding_sum" in found and not {"index_get", "add", "where"} & set(found)


@pytest.mark.parametrize("name", OTHERS)
def test_other_sums_stay(name: str) -> None:
    assert "embedding_sum" not in ops(OTHERS[name])


@pytest.mark.parametrize("dtype", [flow.float32, flow.bfloat16, flow.float16, flow.float64], ids=str)
@pytest.mark.parametrize("name", FORMS)
def test_bits_and_gradients_are_those_of_eager_mode(name: str, dtype: Any) -> None:
    form, x = FORMS[name], flow.randint(0, ROWS, (3, 5))
    w, p = tables(dtype)
    eager = form(w, p, x)
    compiled = flow.compile(lambda x: form(w, p, x))
    found = compiled(x)
    assert found.equal(eager)
    dy = flow.randn(*eager.shape).to(dtype)
    for ours, theirs in zip(flow.autograd.grad((found * dy).sum(), [w, p]), flow.autograd.grad((eager * dy).sum(), [w, p])):
        assert_close(ours, theirs)


def test_many_lengths_and_bad_tokens() -> None:
    w, p = tables(flow.float32)
    compiled = flow.compile(lambda x: FORMS["positions"](w, p, x))
    with flow.no_grad():
        for length in (5, 7, 9, 16, 1):
            x = flow.randint(0, ROWS, (2, length))
            assert compiled(x).equal(FORMS["positions"](w, p, x))
        for bad in (ROWS, -1):
            with pytest.raises(IndexError, match="out of bounds"):
                compiled(flow.tensor([[0, bad, 1, 2, 3]]))
                flow.sync()
