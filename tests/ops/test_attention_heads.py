"""Attention whose keys serve groups of the query's heads, or are walked over in pieces, beside torch in float64."""

from __future__ import annotations

import itertools
import math
from typing import Any

import pytest
import torch

import tritonflow as flow
from tritonflow.execution.op_expr import op_expr

F = flow.nn.functional
TOLERANCE = {torch.float64: 1e-10, torch.float32: 2e-5, torch.bfloat16: 2e-2}


def operands(dtype: torch.dtype, heads: int, shared: int, m: int, n: int, *batch: int) -> list[torch.Tensor]:
    return [torch.randn(*batch, *size, dtype=torch.float64).to(dtype) for size in ((heads, m, 8), (shared, n, 8), (shared, n, 5))]


def check(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, mask: torch.Tensor | None, causal: bool, order: int = 1) -> None:
    """Output and gradients; with `order` 2 those of the gradients too."""
    theirs = [x.double().requires_grad_() for x in (q, k, v)]
    ours = [flow.from_torch(x.clone()).detach().requires_grad_() for x in (q, k, v)]
    wide = mask if mask is None or mask.dtype == torch.bool else mask.double()
    found = []
    for lib, inputs, given in ((torch, theirs, wide), (flow, ours, None if mask is None else flow.from_torch(mask))):
        out: Any = lib.nn.functional.scaled_dot_product_attention(*inputs, attn_mask=given, is_causal=causal, enable_gqa=True)  # type: ignore[attr-defined]
        first = lib.autograd.grad(out.double().square().sum(), inputs, create_graph=order > 1)  # type: ignore[attr-defined]
        second = lib.autograd.grad(sum(g.square().sum() for g in first), inputs) if order > 1 else ()  # type: ignore[attr-defined]
        found.append([out, *first, *second])
    for right, mine in zip(*found):
        got, tolerance = torch.from_numpy(mine.detach().double().numpy()), TOLERANCE[q.dtype]
        torch.testing.assert_close(got, right.detach().double(), rtol=tolerance, atol=tolerance * max(1.0, float(right.abs().max())))


MASKS = (None, "causal", "shared", "heads", "added")


def mask_of(kind: str | None, heads: int, m: int, n: int, dtype: torch.dtype) -> torch.Tensor | None:
    if kind == "added":
        return torch.randn(1, heads, m, n, dtype=torch.float64).to(dtype)
    allowed = torch.rand(1, heads if kind == "heads" else 1, m, n) > 0.4
    return allowed if kind in ("shared", "heads") else None


@pytest.mark.sampled(most=8)
@pytest.mark.parametrize("dtype", TOLERANCE)
@pytest.mark.parametrize("kind", MASKS)
@pytest.mark.parametrize("heads, shared", [(8, 2), (6, 1), (16, 8), (4, 4)])
@pytest.mark.parametrize("m", [1, 3, 40])
def test_groups(dtype: torch.dtype, kind: str | None, heads: int, shared: int, m: int) -> None:
    q, k, v = operands(dtype, heads, shared, m, 21, 2)
    check(q, k, v, mask_of(kind, heads, m, 21, dtype), kind == "causal")
    check(q.transpose(1, 2).contiguous().transpose(1, 2), k, v, None, kind == "causal")


@pytest.mark.parametrize("m", [1, 4])
@pytest.mark.parametrize("kind", MASKS)
def test_second_gradients_of_groups(m: int, kind: str | None) -> None:
    q, k, v = operands(torch.float64, 6, 2, m, 7, 2)
    check(q, k, v, mask_of(kind, 6, m, 7, torch.float64), kind == "causal", order=2)


@pytest.mark.parametrize("batch", [(), (2,), (2, 3)])
@pytest.mark.parametrize("m", [1, 4])
def test_groups_of_any_batch(batch: tuple[int, ...], m: int) -> None:
    q, k, v = operands(torch.float64, 6, 3, m, 9, *batch)
    check(q, k, v, None, False)
    check(q, k, v, torch.rand(m, 9) > 0.3, False)
    mapped = flow.vmap(lambda *x: F.scaled_dot_product_attention(*x, enable_gqa=True))
    if batch:
        out = mapped(*map(flow.from_torch, (q, k, v)))
        right = torch.nn.functional.scaled_dot_product_attention(q, k, v, enable_gqa=True)
        torch.testing.assert_close(torch.from_numpy(out.numpy()), right)


@pytest.mark.parametrize("m", [1, 4])
def test_groups_drop_the_weights_that_repeated_heads_drop(m: int) -> None:
    q, k, v = map(flow.from_torch, operands(torch.float64, 6, 2, m, 9, 2))

    def attend(*x: Any, shared: bool) -> Any:
        flow.manual_seed(5)
        return F.scaled_dot_product_attention(*x, dropout_p=0.4, enable_gqa=shared)

    repeated = attend(q, *[x.repeat_interleave(3, dim=1) for x in (k, v)], shared=False)
    torch.testing.assert_close(attend(q, k, v, shared=True).numpy(), repeated.numpy())


@pytest.mark.parametrize("m", [1, 4])
def test_groups_in_a_program_of_all_lengths(m: int) -> None:
    @flow.compile(dynamic=True)
    def attend(*x: Any) -> Any:
        return F.scaled_dot_product_attention(*x, enable_gqa=True)

    for n in (9, 10, 2100, 4099, 33):
        q, k, v = operands(torch.float64, 6, 2, m, n, 1)
        right = torch.nn.functional.scaled_dot_product_attention(q, k, v, enable_gqa=True)
        torch.testing.assert_close(torch.from_numpy(attend(*map(flow.from_torch, (q, k, v))).numpy()), right)


@pytest.mark.sampled(most=6)
@pytest.mark.parametrize("dtype", TOLERANCE)
@pytest.mark.parametrize("kind", MASKS)
@pytest.mark.parametrize("m, n", [(1, 2048), (1, 4097), (7, 3000)])
def test_pieces(dtype: torch.dtype, kind: str | None, m: int, n: int) -> None:
    q, k, v = operands(dtype, 4, 2, m, n, 1)
    mask = mask_of(kind, 4, m, n, dtype)
    if mask is not None:
        mask[..., 100:1900] = False if mask.dtype == torch.bool else -math.inf  # a piece without any key
    check(q, k, v, mask, kind == "causal")


def test_long_keys_have_a_program_for_each_piece() -> None:
    q, k, v = [flow.from_torch(x) for x in operands(torch.float32, 8, 2, 1, 8192, 1)]
    found = [F.scaled_dot_product_attention(q, k, v, enable_gqa=True).tolist() for _ in range(3)]
    assert found[0] == found[1] == found[2]
    rows = q.reshape(1, 2, 4, 8)
    plan = op_expr("scaled_dot_product_attention").plan((rows.meta, k.meta, v.meta, None, None), (False,))
    assert [(launch.name, launch.grid) for launch in plan.launches] == [("forward", (2, 8, 1)), ("merge", (2, 1, 1))]
    k, v = k[:, :, :1000], v[:, :, :1000]
    plan = op_expr("scaled_dot_product_attention").plan((rows.meta, k.meta, v.meta, None, None), (False,))
    assert [(launch.name, launch.grid) for launch in plan.launches] == [("forward", (2, 1, 1))]


def test_heads_that_cannot_be_shared() -> None:
    for heads, shared in itertools.product((6,), (4, 0)):
        x = [flow.ones(1, n, 2, 8) for n in (heads, shared, shared)]
        with pytest.raises(RuntimeError, match=f"{heads} query heads cannot share {shared}"):
            F.scaled_dot_product_attention(*x, enable_gqa=True)
