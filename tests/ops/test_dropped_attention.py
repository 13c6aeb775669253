"""scaled_dot_product_attention with dropout: torch's arithmetic with the mask that `dropout` itself draws for the weights."""

from __future__ import annotations

from math import inf
from typing import Any

import pytest
import torch

import tritonflow as flow
from tritonflow.testing import assert_close

F = flow.nn.functional
attend = F.scaled_dot_product_attention


def operands(*batch: int, rows: int = 10, keys: int = 12, dtype: Any = flow.float32) -> list[Any]:
    return [flow.randn(*batch, n, 8, dtype=dtype).requires_grad_() for n in (rows, keys, keys)]


def factors(shape: tuple[int, ...], rate: float, dtype: Any) -> torch.Tensor:
    """1 / (1 - rate) or 0 for each weight, by the numbers of seed 3."""
    flow.manual_seed(3)
    return flow.to_torch(F.dropout(flow.ones(*shape, dtype=dtype), rate))


def reference(tensors: list[Any], mask: torch.Tensor | None, drawn: torch.Tensor) -> list[torch.Tensor]:
    """The result in torch and float64, and the gradients of the sum of its squares."""
    dtype, (q, k, v) = drawn.dtype, (flow.to_torch(x.detach()).double().requires_grad_() for x in tensors)
    scores = q @ k.mT / 8**0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, -inf) if mask.dtype is torch.bool else scores + mask
    y = (torch.softmax(scores, -1) * drawn) @ v
    return [x.to(dtype) for x in (y, *torch.autograd.grad(y.square().sum(), [q, k, v]))]


def check(tensors: list[Any], rate: float, mask: torch.Tensor | None = None, causal: bool = False) -> None:
    q, k, v = tensors
    weights = (*(q @ k.mT).shape[:-2], q.shape[-2], k.shape[-2])
    drawn = factors(weights, rate, q.dtype)
    state = flow.get_rng_state()
    flow.manual_seed(3)
    y = attend(q, k, v, None if mask is None else flow.from_torch(mask), rate, causal)
    found = [y, *flow.autograd.grad(y.square().sum(), tensors)]
    assert flow.get_rng_state() == state
    if causal:
        mask = torch.ones(weights[-2:], dtype=torch.bool).tril()
    for ours, theirs in zip(found, reference(tensors, mask, drawn)):
        assert_close(flow.to_torch(ours), theirs, op_class="matmul")


@pytest.mark.sampled(most=1)
@pytest.mark.parametrize("rate", (0.1, 0.9, 1.0))
@pytest.mark.parametrize("keys", (12, 11))
def test_rates(rate: float, keys: int) -> None:
    check(operands(2, 3, keys=keys), rate)
    check(operands(2, 3, keys=keys), rate, causal=True)


@pytest.mark.parametrize("dtype", (flow.float64, flow.bfloat16, flow.float16), ids=str)
@pytest.mark.sampled(most=1)
def test_dtypes(dtype: Any) -> None:
    check(operands(2, 3, dtype=dtype), 0.4)


@pytest.mark.parametrize("batch", ((), (3,), (2, 1, 3)), ids=str)
def test_any_batch(batch: tuple[int, ...]) -> None:
    check(operands(*batch), 0.4, mask=torch.arange(120).view(10, 12) % 5 > 0)


def test_masks() -> None:
    check(operands(2, 3), 0.4, mask=torch.rand(2, 1, 10, 12) > 0.3)
    check(operands(2, 3), 0.4, mask=torch.randn(10, 12))


def test_values_of_more_batches_share_what_is_dropped() -> None:
    (q, k, _), (_, _, v) = operands(1, 3), operands(2, 3)
    check([q, k, v], 0.4)


def test_second_derivative() -> None:
    """That of the composition of ops, with the same numbers."""
    tensors = operands(2, 3, dtype=flow.float64)
    q, k, v = tensors

    def twice(program: Any) -> Any:
        flow.manual_seed(3)
        first = flow.autograd.grad(program().square().sum(), tensors, create_graph=True)
        return flow.autograd.grad(sum(g.square().sum() for g in first), tensors)

    spelled = twice(lambda: F.dropout(flow.softmax(q @ k.mT * 8**-0.5, -1), 0.4) @ v)
    for ours, theirs in zip(twice(lambda: attend(q, k, v, dropout_p=0.4)), spelled):
        assert_close(ours, theirs, op_class="matmul")


def test_no_draw_without_a_weight_or_a_rate() -> None:
    q, k, v = operands(2, 3)
    state = flow.get_rng_state()
    attend(q, k, v, dropout_p=0.0)
    attend(q[:, :, :0], k, v, dropout_p=0.5)
    assert flow.get_rng_state() == state
    with pytest.raises(ValueError, match="dropout probability has to be between 0 and 1"):
        attend(q, k, v, dropout_p=1.5)
    assert flow.get_rng_state() == state


def test_fresh_numbers() -> None:
    q, k, v = operands(2, 3)
    assert not (attend(q, k, v, dropout_p=0.5) == attend(q, k, v, dropout_p=0.5)).all()
