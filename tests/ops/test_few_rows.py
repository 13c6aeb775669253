"""Linear layers of few rows on a CPU, beside products in float64: the weight is read once for all rows."""

from __future__ import annotations

import pytest
import torch

import tritonflow as flow
from tests.ops.sides import ours
from tritonflow.device.provider import facts_of
from tritonflow.kernels import matmul as kernels

F = flow.nn.functional
EPS = {torch.float32: 2.0**-24, torch.bfloat16: 2.0**-8, torch.float16: 2.0**-11}


def check(x: torch.Tensor, w: torch.Tensor, bias: torch.Tensor | None) -> None:
    """An error of a few roundings of the sum of magnitudes."""
    y = flow.to_torch(F.linear(ours(x), ours(w), None if bias is None else ours(bias)))
    exact = x.double() @ w.double().t() + (0 if bias is None else bias.double())
    size = x.double().abs() @ w.double().abs().t() + (0 if bias is None else bias.double().abs())
    assert y.dtype == x.dtype and y.shape == exact.shape
    bound = (2 * EPS[x.dtype] + (x.shape[-1] / 8 + 16) * 2.0**-24) * size + 1e-30
    assert bool(((y.double() - exact).abs() <= bound).all())


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16], ids=str)
@pytest.mark.parametrize("rows", [1, 2, 3, 4, 5])
def test_products_of_few_rows(rows: int, dtype: torch.dtype) -> None:
    torch.manual_seed(0)
    for n, k in ((257, 256), (130, 509), (66, 1024)):  # columns that fill no block, a depth that fills none
        x, w, bias = torch.randn(rows, k).to(dtype), torch.randn(n, k).to(dtype), torch.randn(n).to(dtype)
        check(x, w, bias)
        check(x, w, None)


def test_layouts() -> None:
    """Rows with gaps, one row for all, views of a weight."""
    torch.manual_seed(0)
    w, bias = torch.randn(300, 512), torch.randn(300)
    check(torch.randn(4, 1024)[:, 256:768], w, bias)
    check(torch.randn(512, 3).t(), w, bias)
    check(torch.randn(1, 512).expand(4, 512), w, bias)
    check(torch.randn(2, 512), torch.randn(600, 512)[::2], bias)
    check(torch.randn(2, 512), torch.randn(512, 300).t(), torch.randn(600)[::2])


def test_numbers_that_are_not_finite_stay_in_their_rows_and_columns() -> None:
    x, w = torch.ones(3, 260), torch.ones(301, 260)
    x[1, 259], w[300, 3] = float("nan"), float("inf")
    y = flow.to_torch(F.linear(ours(x), ours(w), flow.ones(301)))
    assert torch.isnan(y[1]).all() and torch.isinf(y[[0, 2], 300]).all() and torch.equal(y[[0, 2], :300], torch.full((2, 300), 261.0))


def test_gradients_and_graphs_agree_with_many_rows() -> None:
    torch.manual_seed(0)
    layer = flow.nn.Linear(512, 300)
    x = flow.randn(3, 512, requires_grad=True)
    wide = flow.cat([x.detach()] * 4).requires_grad_()
    (few, many) = layer(x), layer(wide)
    assert torch.allclose(flow.to_torch(few.detach()), flow.to_torch(many.detach())[:3], rtol=1e-5, atol=1e-5)
    few.sum().backward()
    many.sum().backward()
    assert torch.allclose(flow.to_torch(x.grad), flow.to_torch(wide.grad)[:3], rtol=1e-5, atol=1e-5)
    compiled = flow.compile(lambda x: F.gelu(layer(x)))
    assert torch.allclose(flow.to_torch(compiled(x.detach())), flow.to_torch(F.gelu(layer(x)).detach()), rtol=1e-5, atol=1e-5)


@pytest.mark.cpu_only(reason="a GPU has tiles for few rows")
def test_which_products_read_the_weight_so() -> None:
    facts = facts_of(flow.ones(1).meta.device)
    sizes = [(4, 1, 300, 512), (4, 4, 300, 512), (4, 5, 300, 512), (2, 2, 300, 512), (2, 3, 300, 512), (4, 1, 300, 128), (4, 1, 9, 512)]
    assert [kernels.few_rows_config(facts, *s) is not None for s in sizes] == [True, True, False, True, False, False, False]
