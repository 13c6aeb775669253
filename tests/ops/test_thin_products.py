"""Products over one element, which gradients of products with vectors are: each is one multiplication, rounded once."""

import pytest
import torch

import tritonflow as flow

SHAPES = [((5, 1), (1, 7)), ((3, 5, 1), (3, 1, 7)), ((3, 5, 1), (1, 7)), ((0, 1), (1, 4))]


@pytest.mark.parametrize("shapes", SHAPES)
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float64])
def test_columns_times_rows(shapes: tuple[tuple[int, ...], tuple[int, ...]], dtype: torch.dtype) -> None:
    a, b = (torch.randn(shape).to(dtype) for shape in shapes)
    found = flow.from_torch(a) @ flow.from_torch(b)
    assert torch.equal(flow.to_torch(found), a * b)


def test_transposed_operands_and_their_gradients() -> None:
    a, b = torch.randn(1, 5, requires_grad=True), torch.randn(7, 1, requires_grad=True)
    (expected,) = torch.autograd.grad((a.T @ b.T).square().sum(), a)
    x, y = (flow.from_torch(t.detach().clone()).requires_grad_() for t in (a, b))
    (found,) = flow.autograd.grad((x.T @ y.T).square().sum(), x)
    torch.testing.assert_close(flow.to_torch(found), expected)


def test_gradients_of_an_inner_product() -> None:
    x, y = (flow.randn(1000, dtype=flow.float64).requires_grad_() for _ in range(2))
    dx, dy = flow.autograd.grad(flow.dot(x, y), [x, y], flow.tensor(3.0, dtype=flow.float64))
    assert flow.equal(dx, y * 3) and flow.equal(dy, x * 3)
