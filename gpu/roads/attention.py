"""Attention: forward and backward, causal and not, heads of 64, 80 and 128, grouped heads, one query."""

from __future__ import annotations

from typing import Any

import torch

from gpu.roads.registry import road
from gpu.roads.stage import close, ours, package

SHAPES = ((64, True, 300, 300), (80, False, 129, 257), (128, True, 256, 256), (128, False, 1, 513))  # head, causal, queries, keys


def _attend(dtype: torch.dtype, tolerance: float) -> Any:
    flow = package()
    attention = flow.nn.functional.scaled_dot_product_attention
    found = {}
    for head, causal, queries, keys in SHAPES:
        shapes = ((2, 4, queries, head), (2, 2, keys, head), (2, 2, keys, head))
        operands = [torch.randn(shape).to(dtype) for shape in shapes]
        xs, ts = [ours(t, True) for t in operands], [t.double().requires_grad_() for t in operands]
        y = attention(*xs, is_causal=causal, enable_gqa=True)
        expected = torch.nn.functional.scaled_dot_product_attention(*ts, is_causal=causal, enable_gqa=True)
        gradient = torch.randn(expected.shape).to(dtype)
        flow.autograd.backward([y], [ours(gradient)])
        expected.backward(gradient.double())
        errors = [close(x.grad, t.grad, 2 * tolerance) for x, t in zip(xs, ts)]
        found[f"d{head} m{queries}"] = [close(y, expected, tolerance), *errors]
    return found


@road()
def attention_bfloat16() -> Any:
    """Attention in bfloat16."""
    return _attend(torch.bfloat16, 2e-2)


@road()
def attention_float16() -> Any:
    """Attention in float16."""
    return _attend(torch.float16, 3e-3)


@road()
def attention_float32() -> Any:
    """Attention in float32, whose products are three in TF32."""
    return _attend(torch.float32, 1e-5)
