"""Faults of attention kernels that others reported in public, as situations. Each test names the report."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
import torch

import tritonflow as flow
from tritonflow.nn.attention import flex_attention as flex
from tritonflow.nn.attention.flash import flash_attn_func, flash_attn_varlen_func, flash_attn_with_kvcache

F = flow.nn.functional


def close(got: Any, right: torch.Tensor, tolerance: float = 2e-5) -> None:
    torch.testing.assert_close(torch.from_numpy(got.detach().double().numpy()), right.detach().double(), rtol=tolerance, atol=tolerance)


def right(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, allowed: torch.Tensor | None = None, scale: float | None = None) -> torch.Tensor:
    """Attention of (..., heads, rows, size) in float64; rows without keys give 0."""
    q, k, v = (x.double() for x in (q, k, v))
    k, v = (x.repeat_interleave(q.shape[-3] // k.shape[-3], -3) for x in (k, v))
    s = q @ k.mT * (1 / math.sqrt(q.shape[-1]) if scale is None else scale)
    s = s if allowed is None else s.masked_fill(~allowed, -math.inf)
    nothing = (s == -math.inf).all(-1, keepdim=True)
    return torch.where(nothing, 0, torch.softmax(torch.where(nothing, 0, s), -1)) @ v


def ours(*tensors: torch.Tensor, grad: bool = False) -> list[Any]:
    return [flow.from_torch(x.clone()).requires_grad_(grad) for x in tensors]


def i32(*numbers: int) -> Any:
    return flow.tensor(numbers, dtype=flow.int32)


# ------------------------------------------------------------------------------------------------------- sequences


def test_one_query_at_most_and_sequences_of_none() -> None:
    """Dao-AILab/flash-attention#1537: three heads a group, the longest sequence has one query, some have none."""
    q, k, v = torch.randn(2, 9, 64), torch.randn(8, 3, 64), torch.randn(8, 3, 64)
    out = flash_attn_varlen_func(*ours(q, k, v), i32(0, 0, 1, 1, 2), i32(0, 0, 3, 3, 8), 1, 5, softmax_scale=1.0, causal=True)
    for n, (low, high) in enumerate(((0, 3), (3, 8))):
        one = (x.transpose(0, 1) for x in (q[n : n + 1], k[low:high], v[low:high]))
        close(out[n : n + 1], right(*one, scale=1.0).transpose(0, 1))


@pytest.mark.parametrize("size", [64, 256])
def test_keys_of_a_sequence_without_queries(size: int) -> None:
    """Dao-AILab/flash-attention#2562, #2421 and tile-ai/tilelang#2461: their gradients are 0, all others finite."""
    q, k, v = (torch.randn(n, h, size) for n, h in ((20, 4), (81, 1), (81, 1)))
    tensors = ours(q, k, v, grad=True)
    out = flash_attn_varlen_func(*tensors, i32(0, 0, 12, 20, 20), i32(0, 25, 42, 51, 81), 12, 30)
    grads = flow.autograd.grad(out.square().sum(), tensors)
    assert all(bool(flow.isfinite(g).all()) for g in grads)
    for g in grads[1:]:
        rows = torch.from_numpy(g.numpy())
        assert not rows[:25].any() and not rows[51:].any() and rows[25:51].any(-1).all()


# ------------------------------------------------------------------------------------------- rows that see nothing


@pytest.mark.parametrize("kind", ["bool", "added"])
def test_rows_masked_whole(kind: str) -> None:
    """pytorch/pytorch#103963, #103749, #109517: they give 0, and gradients are finite."""
    q, k, v = (torch.randn(1, 2, n, 8) for n in (6, 10, 10))
    allowed = torch.ones(6, 10, dtype=torch.bool).tril()
    allowed[5] = False
    mask = allowed if kind == "bool" else torch.zeros(6, 10).masked_fill(~allowed, -math.inf)
    tensors = ours(q, k, v, grad=True)
    out = F.scaled_dot_product_attention(*tensors, flow.from_torch(mask))
    close(out, right(q, k, v, allowed))
    assert all(bool(flow.isfinite(g).all()) for g in flow.autograd.grad(out.sum(), tensors))


def test_windows_before_all_keys() -> None:
    """Dao-AILab/flash-attention#2199: queries whose window has no key give 0, and -inf for the logarithm."""
    q, k = torch.randn(1, 129, 2, 16), torch.randn(1, 40, 2, 16)
    out, lse, _ = flash_attn_func(*ours(q, k, k), window_size=(32, 20), return_attn_probs=True)
    ahead = torch.arange(40) - (torch.arange(129)[:, None] + 40 - 129)
    allowed = (ahead >= -32) & (ahead <= 20)
    close(out.transpose(1, 2), right(*(x.transpose(1, 2) for x in (q, k, k)), allowed))
    assert torch.equal(torch.from_numpy(lse.numpy())[0, 0] == -math.inf, ~allowed.any(-1))


# ---------------------------------------------------------------------------------------------------------- windows


@pytest.mark.parametrize("length", [64, 65, 200])
def test_the_widest_window_is_causal(length: int) -> None:
    """Dao-AILab/flash-attention#1133: so many keys before as there are but one."""
    q, k, v = ours(*(torch.randn(1, length, 2, 16) for _ in range(3)))
    causal = flash_attn_func(q, k, v, causal=True)
    for left in (length, length - 1):
        assert flow.equal(flash_attn_func(q, k, v, window_size=(left, 0)), causal)


@pytest.mark.parametrize("left", [0, 1, 15, 16, 63, 64])
def test_how_many_keys_a_window_has(left: int) -> None:
    """huggingface/transformers#39408: `left` keys before a query, and its own."""
    q, v = flow.zeros(1, 150, 1, 16), flow.eye(150)[None, :, None]
    seen = torch.from_numpy(flash_attn_func(q, q, v, window_size=(left, 0)).numpy())[0, :, 0] > 0
    assert seen.sum(-1).tolist() == [min(n, left) + 1 for n in range(150)]


@pytest.mark.parametrize("page", [1, 16, 64])
@pytest.mark.parametrize("used", [100, 128, 129])
def test_garbage_before_a_window(page: int, used: int) -> None:
    """vllm-project/vllm#30887: pages that the window has left may hold anything, NaN too."""
    keys = torch.randn(1, 192, 2, 16)
    q, first = torch.randn(1, 1, 4, 16), used - 1 - 40
    dirty = keys.clone()
    dirty[:, :first] = math.nan
    table = flow.arange(192 // page, dtype=flow.int32)[None]
    pages = ours(*[dirty.reshape(-1, page, 2, 16)] * 2)
    out = flash_attn_with_kvcache(flow.from_torch(q), *pages, cache_seqlens=i32(used), block_table=table, window_size=(40, 0))
    close(out.transpose(1, 2), right(*(x.transpose(1, 2) for x in (q, *[keys[:, first:used]] * 2))))


# ------------------------------------------------------------------------------------------------------------ pages


@pytest.mark.parametrize("page", [1, 3, 8, 128, 256])
@pytest.mark.parametrize("length", [700, pytest.param(6144, marks=pytest.mark.long)])
def test_sizes_of_pages(page: int, length: int) -> None:
    """flashinfer-ai/flashinfer#4347, vllm-project/vllm#41339: pages over 128 rows and long sequences, pages under 16."""
    count = -(-length // page)
    keys, q = torch.randn(1, count * page, 2, 16), torch.randn(1, 2, 4, 16)
    order = torch.randperm(count + 2)[:count]
    pages = torch.full((count + 2, page, 2, 16), math.nan)
    pages[order] = keys.reshape(count, page, 2, 16)
    table = flow.from_torch(order.int()[None])
    out = flash_attn_with_kvcache(flow.from_torch(q), *ours(pages, pages), cache_seqlens=i32(length), block_table=table, causal=True)
    allowed = torch.arange(length) <= torch.arange(2)[:, None] + length - 2
    close(out.transpose(1, 2), right(*(x.transpose(1, 2) for x in (q, *[keys[:, :length]] * 2)), allowed))


@pytest.mark.parametrize("wide", [1, 3, 5, 7])
def test_tables_of_any_width(wide: int) -> None:
    """vllm-project/vllm#14597: the width is no multiple of anything, and what lies behind a row of the table is not read as pages."""
    keys, q = torch.randn(2, wide * 16, 1, 16), torch.randn(2, 1, 2, 16)
    pages = keys.reshape(2 * wide, 16, 1, 16)
    around = torch.full((2, wide + 3), 10**6, dtype=torch.int32)
    around[:, :wide] = torch.arange(2 * wide).view(2, wide)
    out = flash_attn_with_kvcache(
        flow.from_torch(q), *ours(pages, pages), cache_seqlens=i32(wide * 16, wide * 16 - 5), block_table=flow.from_torch(around)[:, :wide]
    )  # fmt: skip
    for n, used in enumerate((wide * 16, wide * 16 - 5)):
        close(out[n].transpose(0, 1), right(*(x.transpose(0, 1) for x in (q[n], *[keys[n, :used]] * 2))))


# ------------------------------------------------------------------------------------------------ functions of scores


def check_flex(
    length: int, others: int, size: int, score_mod: Any, mask_mod: Any, block: Any = 128, dtype: torch.dtype = torch.float32
) -> None:  # fmt: skip
    data = [torch.randn(1, 2, n, size, dtype=dtype) for n in (length, others, others)]
    tensors = ours(*data, grad=True)
    mask = flex.create_block_mask(mask_mod, None, None, length, others, BLOCK_SIZE=block)
    out = flex.flex_attention(*tensors, score_mod, mask)
    wide = [x.double().requires_grad_() for x in data]
    s = wide[0] @ wide[1].mT / math.sqrt(size)
    where = torch.meshgrid(*[torch.arange(n) for n in s.shape], indexing="ij")
    s = (s if score_mod is None else score_mod(s, *where)).masked_fill(~mask_mod(*where), -math.inf)
    nothing = (s == -math.inf).all(-1, keepdim=True)
    expected = torch.where(nothing, 0, torch.softmax(torch.where(nothing, 0, s), -1)) @ wide[2]
    close(out, expected)
    for got, wanted in zip(flow.autograd.grad(out.square().sum(), tensors), torch.autograd.grad(expected.square().sum(), wide)):
        close(got, wanted, 2e-4)


@pytest.mark.parametrize("length", [129, pytest.param(1025, marks=pytest.mark.long)])
def test_lengths_that_are_no_multiple_of_the_block(length: int) -> None:
    """pytorch/pytorch#153799: with a mask and a function of scores, gradients were NaN. Scores of 1,000 have 1e-4 as float32."""
    for dtype in (torch.float32, torch.float64) if length < 200 else (torch.float64,):
        check_flex(length, length, 16, lambda s, b, h, q, k: s + (q - k), lambda b, h, q, k: q >= k, dtype=dtype)


def test_fewer_keys_than_a_block() -> None:
    """pytorch/pytorch#159247."""
    check_flex(1, 64, 16, lambda s, b, h, q, k: s * 2 - k * 0.1, lambda b, h, q, k: k < 60)


@pytest.mark.parametrize("offset", [0, 3])
def test_masks_of_parts_of_windows(offset: int) -> None:
    """pytorch/pytorch#158212, #141126: gradients of keys where most blocks are cut or empty."""
    n, w = 96, 4

    def mask(b: Any, h: Any, q: Any, k: Any) -> Any:
        near = (q < n) & (k < n) & (q > k - w)
        far = (q >= n) & (k < n) & ((q - n) % w != offset) & (k <= (q - offset - n) // w * w + offset)
        return near | far | ((q >= n) & (k >= n) & ((q - n) // w == (k - n) // w))

    check_flex(2 * n, 2 * n, 16, None, mask, 32)


def test_a_factor_that_is_learned() -> None:
    """pytorch/pytorch#145208: a scalar that a function of scores reads gets its gradient."""
    q, factor = torch.randn(1, 1, 40, 16), torch.randn(())
    (x,), (f,) = ours(q), ours(factor, grad=True)
    loss = flex.flex_attention(x, x, x, lambda s, b, h, m, n: s * f).square().sum()
    wide = factor.double().requires_grad_()
    s = q.double() @ q.double().mT / 4 * wide
    wanted = torch.autograd.grad((torch.softmax(s, -1) @ q.double()).square().sum(), wide)[0]
    close(flow.autograd.grad(loss, f)[0], wanted, 1e-4)


# ---------------------------------------------------------------------------------------- sizes, strides, roundings


@pytest.mark.parametrize("size", [8, 40, 72, 80, 96, 112, 160, 192])
def test_sizes_of_heads(size: int) -> None:
    """Head sizes of public models that are no power of two, in forward and backward."""
    q, k, v = (torch.randn(1, n, h, size) for n, h in ((20, 6), (33, 2), (33, 2)))
    tensors = ours(q, k, v, grad=True)
    out = flash_attn_func(*tensors, causal=True)
    wide = [x.double().transpose(1, 2).requires_grad_() for x in (q, k, v)]
    expected = right(*wide, torch.arange(33) <= torch.arange(20)[:, None] + 13)
    close(out.transpose(1, 2), expected)
    grads = torch.autograd.grad(expected.square().sum(), wide)
    for got, wanted in zip(flow.autograd.grad(out.square().sum(), tensors), grads):
        close(got.transpose(1, 2), wanted, 1e-4)


STRIDES: dict[str, Callable[[Any], Any]] = {
    "one head for all": lambda x: x[:, :, :1].expand(x.shape),
    "one batch for all": lambda x: x[:1].expand(x.shape),
    "one row for all": lambda x: x[:, :1].expand(x.shape),
    "every other head": lambda x: x.repeat_interleave(2, 2)[:, :, ::2],
    "every other element": lambda x: x.repeat_interleave(2, 3)[..., ::2],
    "an odd beginning": lambda x: flow.cat([x[:, :1], x], 1).reshape(-1)[1:][: x.numel()].reshape(x.shape),
}


@pytest.mark.parametrize("name", STRIDES)
def test_strides(name: str) -> None:
    """pytorch/executorch#22192, vllm-project/vllm#18046: repeated and sliced operands."""
    x = STRIDES[name](flow.randn(2, 30, 4, 16))
    out = flash_attn_func(x, x, x, window_size=(7, 2))
    assert flow.equal(out, flash_attn_func(*[x.contiguous()] * 3, window_size=(7, 2)))


def test_halves_over_a_long_cache() -> None:
    """Sums of weights in half precision lose small ones: 20,000 keys of bfloat16 keep their mean."""
    q, k = flow.zeros(1, 1, 1, 16, dtype=flow.bfloat16), flow.randn(1, 20000, 1, 16, dtype=flow.bfloat16)
    out = flash_attn_with_kvcache(q, k, k + 1)
    close(out.float(), torch.from_numpy((k + 1).double().mean(1, keepdim=True).numpy()), 6e-3)


@pytest.mark.parametrize("interleaved", [False, True])
def test_rotations_of_halves(interleaved: bool) -> None:
    """ROCm/aiter#4765, Comfy-Org/comfy-kitchen#77: bfloat16 is rounded once, and keys of fewer heads have strides of their own."""
    q, k = (torch.randn(2, 8, heads, 64).bfloat16() for heads in (4, 1))
    angles = torch.randn(8, 32)
    found = F.apply_rotary_emb(tuple(ours(q, k)), *ours(angles.cos(), angles.sin()), interleaved)
    for x, got in zip((q, k), found):
        a, b = (x[..., ::2], x[..., 1::2]) if interleaved else (x[..., :32], x[..., 32:])
        cos, sin = (t.double()[:, None] for t in (angles.cos(), angles.sin()))
        a, b = a.double() * cos - b.double() * sin, b.double() * cos + a.double() * sin
        wanted = torch.stack([a, b], -1).flatten(-2) if interleaved else torch.cat([a, b], -1)
        error = (torch.from_numpy(got.double().numpy()) - wanted).abs()
        assert bool((error <= wanted.abs() * 2**-8 + 1e-7).all())
