"""Situations of the tests of liger-kernel, TorchAO and vLLM that no other test here has: docs/language_model_kernels.md lists all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch

import tritonflow as flow
from tests import op_references
from tests.nn.test_flash_attention import Scores, close, reference
from tritonflow import nn
from tritonflow.functions.attention_paged import paged_append
from tritonflow.nn.attention.flash import flash_attn_with_kvcache
from tritonflow.quantization import (
    Float8DynamicActivationFloat8WeightConfig,
    Float8WeightOnlyConfig,
    Int4WeightOnlyConfig,
    Int8DynamicActivationInt8WeightConfig,
    Int8WeightOnlyConfig,
    NF4WeightOnlyConfig,
)
from tritonflow.testing import assert_close

F = nn.functional

# ------------------------------------------------------------------------------------------------------- liger-kernel

INDEX_LAYOUTS: dict[str, Callable[[Any], Any]] = {
    "behind a prompt": lambda ids: flow.cat([ids * 0, ids], 1)[:, ids.shape[1] :],
    "every other column": lambda ids: flow.stack([ids, ids * 0], 2).flatten(1)[:, ::2],
    "one row for all": lambda ids: ids[:1].expand(ids.shape[0], -1),
}


@pytest.mark.parametrize("dtype", [flow.float32, flow.bfloat16, flow.float16], ids=str)
@pytest.mark.parametrize("classes", [17, 2053])
@pytest.mark.parametrize("layout", INDEX_LAYOUTS)
def test_chosen_classes_that_are_a_view(layout: str, classes: int, dtype: Any) -> None:
    """So are the logits, of which the last row of each text is left out; neither is written to."""
    logits = flow.randn(3, 8, classes).to(dtype)
    ids = INDEX_LAYOUTS[layout](flow.randint(0, classes, (3, 7)))
    given, before = logits.requires_grad_(), ids.clone()
    found = F.selective_log_softmax(given[:, :-1], ids)
    wide = flow.to_torch(logits.detach()).double().requires_grad_()
    expected = wide[:, :-1].log_softmax(-1).gather(-1, flow.to_torch(ids)[..., None])[..., 0]
    assert_close(found, expected.to(flow.to_torch(found.detach()).dtype), check_device=False)
    assert ids.equal(before)
    dy = torch.randn(3, 7).to(flow.to_torch(found.detach()).dtype)
    (grad,) = flow.autograd.grad(found, given, flow.from_torch(dy))
    (right,) = torch.autograd.grad(expected, wide, dy.double())
    assert_close(grad, right.to(flow.to_torch(grad).dtype), check_device=False)


def _rows(*sizes: int) -> list[Any]:
    return [flow.randn(*size, dtype=flow.float64).requires_grad_() for size in zip(sizes[::2], sizes[1::2])]


LOSSES: dict[str, tuple[Callable[..., Any], tuple[int, ...]]] = {
    "linear_cross_entropy": (lambda x, w: F.linear_cross_entropy(x, w, flow.tensor([3, 0, -100, 5, 1]), label_smoothing=0.1), (5, 4, 7, 4)),
    "with z": (lambda x, w: F.linear_cross_entropy(x, w, flow.tensor([3, 0, -100, 5, 1]), lse_square_scale=1e-2), (5, 4, 7, 4)),
    "divergence": (lambda q, p: F.generalized_jsd_loss(flow.log_softmax(q, -1), flow.log_softmax(p, -1), 0.3), (5, 7, 5, 7)),
    "linear divergence": (lambda x, w: F.linear_jsd_loss(x, w, x.detach() * 2, w.detach() + 1, beta=0.3), (5, 4, 7, 4)),
    "of chosen classes": (lambda x, w: F.linear_selective_log_softmax(x, w, flow.tensor([3, 0, 2, 5, 1])).sum(), (5, 4, 7, 4)),
}


@pytest.mark.parametrize("name", LOSSES)
def test_a_loss_that_is_no_last_layer(name: str) -> None:
    """Its gradients are those of a factor of it times the factor, also where they were made with the loss."""
    function, sizes = LOSSES[name]
    given = _rows(*sizes)
    alone = flow.autograd.grad(function(*given), given)
    for ours, theirs in zip(flow.autograd.grad((function(*given) * 2.0 + 1.0).square(), given), alone):
        factor = 4.0 * (function(*given).detach() * 2.0 + 1.0)
        assert_close(ours, theirs * factor, rtol=1e-12, atol=1e-14)


def test_a_divergence_with_equal_shares_is_symmetric() -> None:
    q, p = (flow.log_softmax(x, -1) for x in _rows(41, 131, 41, 131))
    assert_close(F.generalized_jsd_loss(q, p, 0.5), F.generalized_jsd_loss(p, q, 0.5), rtol=1e-13, atol=0)


# --------------------------------------------------------------------------------------------------------------- vLLM


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16], ids=str)
@pytest.mark.parametrize(("rows", "columns"), [(7, 8), (83, 769), (3, 5125)])
@pytest.mark.parametrize("weighs", [False, True])
def test_norms_of_rows_that_are_part_of_wider_ones(weighs: bool, rows: int, columns: int, dtype: torch.dtype) -> None:
    x, residual = ((torch.randn(rows, 2 * columns) / columns).to(dtype)[:, :columns] for _ in range(2))
    weight = (1 + 0.1 * torch.randn(columns)).to(dtype) if weighs else None
    ours = [flow.from_torch(t) for t in (x, residual)]
    assert not ours[0].is_contiguous()
    normed, total = F.add_rms_norm(*ours, (columns,), None if weight is None else flow.from_torch(weight), 1e-6)
    assert torch.equal(flow.to_torch(total), x + residual)
    wide = None if weight is None else weight.double()
    expected, _ = op_references.add_rms_norm((x + residual).double(), torch.zeros(rows, columns).double(), (columns,), wide, 1e-6)
    assert_close(normed, expected.to(dtype), op_class="norm", check_device=False)


@pytest.mark.parametrize("window", [(-1, -1), (40, 0), (1500, 0)])
@pytest.mark.parametrize("used", [(0, 1), (1, 1024), (1025, 4096), (4095, 3000)])
def test_pieces_of_keys_of_which_some_have_none(used: tuple[int, int], window: tuple[int, int]) -> None:
    """What a long cache has behind the keys in use, and before a window, is NaN: such pieces add nothing to the others."""
    q = torch.randn(2, 1, 4, 32)
    keys, values = (torch.full((2, 4096, 2, 32), torch.nan) for _ in range(2))
    for b, length in enumerate(used):
        first = 0 if window[0] < 0 else max(length - 1 - window[0], 0)
        keys[b, first:length], values[b, first:length] = torch.randn(2, length - first, 2, 32)
    lengths = flow.tensor(used, dtype=flow.int32)
    with flow.no_grad():
        out, lse = flash_attn_with_kvcache(
            *map(flow.from_torch, (q, keys, values)), cache_seqlens=lengths, window_size=window, return_softmax_lse=True
        )
    for b, length in enumerate(used):
        own = [x[b : b + 1].double().transpose(1, 2) for x in (q, keys[:, :length].nan_to_num(0.0), values[:, :length].nan_to_num(0.0))]
        right, right_lse = reference(*own, Scores(window)) if length else (torch.zeros(1, 4, 1, 32), torch.full((1, 4, 1), -torch.inf))
        close(out[b : b + 1], right.transpose(1, 2).double())
        close(lse[b : b + 1], right_lse.double())


@pytest.mark.parametrize("size", [64, 80, 256])
@pytest.mark.parametrize("rows", [8, 16, 32])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16], ids=str)
def test_rows_of_a_large_cache(dtype: torch.dtype, rows: int, size: int) -> None:
    """Keys and values that are views of one product go into rows by a random map; all other rows stay."""
    tokens, pages, heads = 42, 60, 8
    _, k, v = torch.randn(tokens, 3, heads, size).to(dtype).unbind(1)
    keys, values = (torch.randn(pages, rows, heads, size).to(dtype) for _ in range(2))
    slots = torch.randperm(pages * rows)[:tokens]
    own = [flow.from_torch(x.clone()) for x in (keys, values)]
    with flow.no_grad():
        paged_append(*[flow.from_torch(x) for x in (k, v, slots)], *own)
    for found, cache, new in zip(own, (keys, values), (k, v)):
        assert torch.equal(flow.to_torch(found).flatten(0, 1), cache.flatten(0, 1).index_copy(0, slots, new))


# ------------------------------------------------------------------------------------------------------------ TorchAO


def decibels(signal: Any, other: Any) -> float:
    """The signal over what is different."""
    noise = (signal.double() - other.double()).square().mean()
    return float(10 * flow.log10(signal.double().square().mean() / noise))


CONFIGS: dict[str, tuple[Any, float]] = {
    "int8": (Int8WeightOnlyConfig(), 38), "int8 inputs": (Int8DynamicActivationInt8WeightConfig(), 33),
    "float8": (Float8WeightOnlyConfig(), 28), "float8 inputs": (Float8DynamicActivationFloat8WeightConfig(), 25),
    "int4, 32": (Int4WeightOnlyConfig(group_size=32), 20), "int4, 128": (Int4WeightOnlyConfig(group_size=128), 17),
    "nf4": (NF4WeightOnlyConfig(), 17),  # 17.8 by the distances of codes for uniform weights
}  # fmt: skip


@pytest.mark.parametrize("dtype", [flow.float32, flow.bfloat16], ids=str)
@pytest.mark.parametrize("name", CONFIGS)
def test_signal_over_noise(name: str, dtype: Any) -> None:
    """Of two layers for inputs of one to three dimensions, compiled and not; a loaded state and a copy give the same bits."""
    config, least = CONFIGS[name]
    flow.manual_seed(0)
    model = nn.Sequential(nn.Linear(128, 256, bias=False), nn.Linear(256, 128, bias=False)).to(dtype)
    small = flow.quantize(model, config)
    other = flow.quantize(nn.Sequential(nn.Linear(128, 256, bias=False), nn.Linear(256, 128, bias=False)).to(dtype), config)
    other.load_state_dict(small.state_dict())
    compiled = flow.compile(small)
    with flow.no_grad():
        for shape in ((128,), (33, 128), (2, 9, 128)):
            x = flow.randn(*shape).to(dtype)
            y = small(x)
            assert decibels(model(x), y) > least, (shape, decibels(model(x), y))
            assert other(x).equal(y)
            assert_close(compiled(x), y, op_class="matmul")
