"""token_and_position_embedding: roundings, wide and many rows, positions of any form, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest
import torch

import tritonflow as flow
from tests import op_references
from tritonflow.testing import assert_close

F = flow.nn.functional
embed = F.token_and_position_embedding


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16, torch.float32, torch.float64], ids=str)
def test_one_rounding_and_gradients(dtype: torch.dtype) -> None:
    """The sum is that of float64, rounded once; tables that are not contiguous; more columns than a block."""
    torch.manual_seed(0)
    words, places = torch.randn(300, 40).to(dtype).T, torch.randn(20, 300).to(dtype)
    x = torch.randint(0, 40, (3, 17))
    for positions in (None, torch.randint(0, 20, (17,)), torch.randint(0, 20, (3, 17)), torch.randint(0, 20, (3, 1)), torch.arange(17)[None]):
        w, p = (flow.from_torch(t).requires_grad_() for t in (words, places))
        wide = [t.double().requires_grad_() for t in (words, places)]
        at = None if positions is None else flow.from_torch(positions)
        y = embed(flow.from_torch(x), w, p, at, padding_idx=-2, scale=0.5)
        expected = op_references.token_and_position_embedding(x, *wide, positions, -2, 0.5)
        assert_close(y, expected.to(dtype), rtol=torch.finfo(dtype).eps, atol=0, check_device=False)
        dy = torch.randn_like(expected).to(dtype)
        y.backward(flow.from_torch(dy))
        theirs = torch.autograd.grad(expected, wide, dy.double(), retain_graph=True)
        sizes = torch.autograd.grad(expected, wide, dy.double().abs())
        for found, exact, size in zip((w.grad, p.grad), theirs, sizes):  # scale, sums of rows, sums: each is rounded
            assert ((flow.to_torch(found).double() - exact).abs() <= 2 * torch.finfo(dtype).eps * size).all()
        assert not flow.to_torch(w.grad)[38].any()


def test_large_results_pass_by_the_caches() -> None:
    """Enough numbers that they are stored so; every element is there."""
    words, places, x = flow.randn(90, 1000), flow.randn(3300, 1000), flow.randint(0, 90, (3300,))
    assert embed(x, words, places).equal(words[x] + places)


def test_vmap() -> None:
    words, places = flow.randn(2, 9, 5), flow.randn(6, 5)
    x, positions = flow.randint(0, 9, (2, 3, 4)), flow.randint(0, 6, (2, 4))
    for of_words, of_positions in ((0, 0), (None, 0), (0, None), (None, None)):
        w, at = words if of_words == 0 else words[0], positions if of_positions == 0 else positions[0]
        found = flow.vmap(lambda x, w, at: embed(x, w, places, at), in_dims=(0, of_words, of_positions))(x, w, at)
        for k in range(2):
            assert found[k].equal(embed(x[k], words[k if of_words == 0 else 0], places, positions[k if of_positions == 0 else 0]))
    found = flow.vmap(lambda x: embed(x, words[0], places))(x)
    assert found.equal(embed(x, words[0], places))


def test_second_derivative_and_nothing() -> None:
    words, places = (flow.randn(5, 3, dtype=flow.float64).requires_grad_() for _ in range(2))
    x = flow.tensor([[1, 4, 1], [0, 4, 4]])
    assert flow.autograd.gradgradcheck(lambda w, p: embed(x, w, p, scale=2.0) ** 3, (words, places))
    assert embed(x[:0], words, places).shape == (0, 3, 3) and embed(x[:, :0], words, places).shape == (2, 0, 3)


def test_what_is_refused() -> None:
    words, places, x = flow.randn(5, 3), flow.randn(4, 3), flow.tensor([[1, 4, 1]])
    calls: list[tuple[tuple[Any, ...], dict[str, Any], Any, str]] = [
        ((x, words, places[:2]), {}, ValueError, "3 tokens in a row, and 2 positions"),
        ((x, words, flow.randn(4, 2)), {}, RuntimeError, "tables"),
        ((x, words, places.double()), {}, RuntimeError, "one dtype"),
        ((x, words.long(), places.long()), {}, NotImplementedError, "weight"),
        ((x.float(), words, places), {}, RuntimeError, "token_and_position_embedding"),
        ((flow.tensor(1), words, places), {}, RuntimeError, "a dimension or more"),
        ((x, words, places, flow.tensor([1, 2])), {}, RuntimeError, "do not fit"),
        ((x, words, places), {"padding_idx": 5}, ValueError, "padding_idx"),
        ((x, words, places, flow.tensor([1, 2, 4])), {}, IndexError, "5 rows, or a position for one of 4"),
        ((x + 1, words, places), {}, IndexError, "out of bounds"),
    ]
    for arguments, options, error, text in calls:
        with pytest.raises((error, TypeError) if error is RuntimeError else error, match=text):
            embed(*arguments, **options)
            flow.sync()
