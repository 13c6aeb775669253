"""`flex_attention` by one kernel: functions of scores and masks inside of it, beside the same functions of all scores in float64."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
import torch

import tritonflow as flow
from tritonflow.nn.attention import flex_attention as flex

TABLE = torch.randn(6, 400, dtype=torch.float64)
DOCUMENTS = torch.tensor([[0] * 30 + [1] * 40 + [2] * 30, [0] * 10 + [1] * 90])


def reference(q: Any, k: Any, v: Any, score_mod: Any, mask_mod: Any) -> tuple[Any, Any]:
    k, v = (x.repeat_interleave(q.shape[1] // k.shape[1], 1) for x in (k, v))
    s = q @ k.mT / math.sqrt(q.shape[-1])
    where = torch.meshgrid(*[torch.arange(n) for n in s.shape], indexing="ij")
    s = s if score_mod is None else score_mod(s, *where)
    s = s if mask_mod is None else s.masked_fill(~mask_mod(*where), -math.inf)
    nothing = (s == -math.inf).all(-1, keepdim=True)
    p = torch.where(nothing, 0, torch.softmax(torch.where(nothing, 0, s), -1))
    return p @ v, torch.logsumexp(s, -1)


def causal(b: Any, h: Any, q: Any, k: Any) -> Any:
    return q >= k


# Functions of the library, and of what makes its tensors: (score_mod, mask_mod).
FUNCTIONS: dict[str, Callable[[Any, Any], tuple[Any, Any]]] = {
    "capped": lambda lib, to: (lambda s, b, h, q, k: 5 * lib.tanh(s / 5), None),
    "causal": lambda lib, to: (None, causal),
    "window with slopes": lambda lib, to: (
        lambda s, b, h, q, k: s - (q - k).abs() * lib.exp2(-(h + 1) * 2.0), lambda b, h, q, k: (q >= k) & (q - k < 20)
    ),
    "documents": lambda lib, to: (None, lambda b, h, q, k: (to(DOCUMENTS)[b, q] == to(DOCUMENTS)[b, k]) & (q >= k)),
    "relative positions": lambda lib, to: (lambda s, b, h, q, k: s + to(TABLE)[h, q - k + 200], None),
    "negative indices": lambda lib, to: (lambda s, b, h, q, k: s + to(TABLE)[h, q - k], None),
    "a tensor of one element": lambda lib, to: (lambda s, b, h, q, k: s * to(TABLE)[0, 0], None),
    "a bias by position": lambda lib, to: (lambda s, b, h, q, k: s + to(TABLE)[:1, : s.shape[-1]], None),
    "a square": lambda lib, to: (lambda s, b, h, q, k: lib.relu(s) ** 2 + lib.sin(s), causal),
    "masked by scores": lambda lib, to: (lambda s, b, h, q, k: lib.where(q >= k, s, -math.inf), None),
    "positions alone": lambda lib, to: (lambda s, b, h, q, k: s * 0 + q * 0.1 - k * 0.05 + h, None),
    "rows without keys": lambda lib, to: (None, lambda b, h, q, k: (q >= k) & (q % 3 != 0)),
    "heads apart": lambda lib, to: (lambda s, b, h, q, k: s * (1 + 0.1 * h), lambda b, h, q, k: (q >= k) | (h == 1)),
    "shifts": lambda lib, to: (lambda s, b, h, q, k: s + (h >> 1) - ((q << 2) & 12) * 0.1, lambda b, h, q, k: (k >> 1) <= q),
    "bytes": lambda lib, to: (lambda s, b, h, q, k: s + ((q - k).to(lib.uint8) * 3 - 200) * 0.01 + (k.to(lib.int8) + 100) * 0.01, None),
    "a choice": lambda lib, to: (lambda s, b, h, q, k: lib.where(h % 2 == 0, s, -s) + (q // 16 == k // 16) * 1.5, None),
}  # fmt: skip
# (batch, heads, heads of keys, rows, columns, size, size of values, block)
SHAPES = [(2, 4, 4, 100, 100, 16, 16, 128), (2, 6, 2, 100, 100, 20, 12, 16), (2, 4, 1, 70, 90, 8, 8, (64, 16)), (2, 4, 2, 1, 90, 16, 16, 128)]


@pytest.fixture
def fused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Scores as a tensor are an error."""

    def refuse(*args: Any) -> Any:
        raise AssertionError("scores became a tensor")

    monkeypatch.setattr(flex, "_by_scores", refuse)


@pytest.mark.usefixtures("fused")
@pytest.mark.sampled(most=14)
@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("shape", SHAPES)
def test_functions(name: str, shape: tuple[Any, ...]) -> None:
    batch, heads, shared, rows, columns, size, wide, block = shape
    data = [torch.randn(batch, *rest, dtype=torch.float64) for rest in ((heads, rows, size), (shared, columns, size), (shared, columns, wide))]
    theirs = [x.float().double().requires_grad_() for x in data]
    ours = [flow.from_torch(x.float()).requires_grad_() for x in data]
    right, right_lse = reference(*theirs, *FUNCTIONS[name](torch, lambda x: x))
    score_mod, mask_mod = FUNCTIONS[name](flow, lambda x: flow.from_torch(x if x.dtype == torch.int64 else x.float()))
    of_batches = batch if name == "documents" else None
    mask = None if mask_mod is None else flex.create_block_mask(mask_mod, of_batches, heads, rows, columns, BLOCK_SIZE=block)
    out, lse = flex.flex_attention(*ours, score_mod, mask, enable_gqa=True, return_lse=True)
    weight, live = torch.randn_like(right), torch.isfinite(right_lse)
    expected = torch.autograd.grad((right * weight).sum() + right_lse[live].sum(), theirs, allow_unused=True)
    got = flow.autograd.grad((out.double() * flow.from_torch(weight)).sum() + lse[flow.isfinite(lse)].sum(), ours)
    for mine, wanted in zip((out, lse, *got), (right, right_lse, *expected)):
        wanted = torch.zeros(tuple(mine.shape), dtype=torch.float64) if wanted is None else wanted.detach()
        torch.testing.assert_close(torch.from_numpy(mine.detach().double().numpy()), wanted, rtol=3e-5, atol=3e-5)


@pytest.mark.usefixtures("fused")
def test_full_blocks_are_not_asked() -> None:
    """A full block is attended to whole, whatever the rule says."""
    q = flow.randn(1, 1, 64, 8)
    counts, blocks = flow.tensor([[[1, 1]]], dtype=flow.int32), flow.tensor([[[[0, 1], [1, 0]]]], dtype=flow.int32)
    mask = flex.BlockMask.from_kv_blocks(counts, blocks, counts, 1 - blocks, 32, lambda b, h, q, k: q >= k)
    assert flow.allclose(
        flex.flex_attention(q, q, q, block_mask=mask),
        flow.nn.functional.scaled_dot_product_attention(q, q, q, mask.elements()), rtol=1e-5, atol=1e-6,
    )  # fmt: skip


def test_an_index_that_is_not_there() -> None:
    q, table = flow.randn(1, 2, 20, 8), flow.randn(25)
    with pytest.raises(IndexError, match="at an index that it does not have"):
        flex.flex_attention(q, q, q, lambda s, b, h, m, n: s + table[m + n])
        flow.sync()


NOT_OF_A_KERNEL = {
    "a tensor that trains": lambda s, b, h, q, k, table: s + table.requires_grad_()[h],
    "several dimensions at once": lambda s, b, h, q, k, table: s + table[q - q].sum(-1, keepdim=True) * 0,
    "a mean of scores": lambda s, b, h, q, k, table: s - s.mean(-1, keepdim=True),
    "random numbers": lambda s, b, h, q, k, table: s + 0 * flow.rand(s.shape),
    "a write": lambda s, b, h, q, k, table: s + table.add_(1.0)[h],
}


@pytest.mark.parametrize("name", NOT_OF_A_KERNEL)
def test_other_functions_have_scores_as_a_tensor(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    taken = []
    by_scores = flex._by_scores
    monkeypatch.setattr(flex, "_by_scores", lambda *args: (taken.append(1), by_scores(*args))[1])
    q, table = flow.randn(1, 2, 20, 8), flow.randn(2)
    out = flex.flex_attention(q, q, q, lambda *given: NOT_OF_A_KERNEL[name](*given, table))
    assert taken and out.shape == q.shape


@pytest.mark.usefixtures("fused")
def test_compiled_with_a_mask_of_its_own() -> None:
    """The mask of blocks and the functions are part of a program, which is captured once."""
    slopes = flow.rand(4)

    def step(q: Any, k: Any, v: Any, documents: Any) -> Any:
        mask = flex.create_block_mask(
            lambda b, h, m, n: (documents[m] == documents[n]) & (m >= n), None, None, q.shape[2], k.shape[2], device=q.device, BLOCK_SIZE=16
        )
        out = flex.flex_attention(q, k, v, lambda s, b, h, m, n: s - slopes[h] * (m - n), mask)
        return out, *flow.autograd.grad(out.square().sum(), [q, k, v])

    compiled = flow.compile(step)
    for bounds in ((10, 30), (5, 44), (0, 48)):
        x = [flow.randn(1, 4, 48, 8).requires_grad_() for _ in range(3)]
        documents = (flow.arange(48)[:, None] >= flow.tensor(bounds)).sum(-1)
        for got, wanted in zip(compiled(*x, documents), step(*x, documents)):
            assert flow.allclose(got, wanted, rtol=1e-5, atol=1e-6)


def test_a_program_looks_again_at_numbers_that_a_function_read() -> None:
    """`score_mod` reads an element: a program that was captured with it does not go on with the old one."""
    shift = flow.tensor([0.0])

    def step(x: Any) -> Any:
        return flex.flex_attention(x, x, x, lambda s, b, h, q, k: s + shift[0].item() * k)

    compiled, x = flow.compile(step), flow.randn(1, 1, 8, 4)
    for number in (0.0, 1.5, 0.0):
        shift.fill_(number)
        assert flow.allclose(compiled(x), step(x), rtol=1e-5, atol=1e-6)


@pytest.mark.usefixtures("fused")
def test_within_a_checkpoint() -> None:
    """Hooks on saved tensors, which a checkpoint has, do not see what the functions save."""
    table, q = flow.rand(2), flow.randn(1, 2, 20, 8).requires_grad_()

    def block(x: Any) -> Any:
        return flex.flex_attention(x, x, x, lambda s, b, h, m, n: s * s * table[h])

    (wanted,) = flow.autograd.grad(block(q).square().sum(), q)
    (got,) = flow.autograd.grad(flow.utils.checkpoint.checkpoint(block, q, use_reentrant=False).square().sum(), q)
    assert flow.equal(got, wanted)


@pytest.mark.usefixtures("fused")
def test_compiled_at_many_lengths() -> None:
    """Sizes that a program is captured for are no part of metas that eager calls find later."""

    def step(x: Any, documents: Any) -> Any:
        length = x.shape[2]
        mask = flex.create_block_mask(
            lambda b, h, i, j: (documents[i] == documents[j]) & (i >= j), None, None, length, length, BLOCK_SIZE=32
        )
        return flex.flex_attention(x, x, x, None, mask)

    compiled = flow.compile(step)
    for length in (15, 16, 17, 33, 64, 65):
        x, documents = flow.randn(1, 2, length, 8), flow.arange(length) // 7
        got = compiled(x, documents)
        assert flow.allclose(got, step(x, documents), rtol=1e-5, atol=1e-6)
