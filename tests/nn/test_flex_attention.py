"""`flex_attention` against torch's, and its gradients against those of the formula."""

from __future__ import annotations

import warnings
from typing import Any

import numpy
import pytest
import torch
from torch.nn.attention import flex_attention as theirs

import tritonflow as flow
from tests.torch_release import since
from tritonflow.nn.attention import flex_attention as ours
from tritonflow.testing import assert_close

pytestmark = pytest.mark.filterwarnings("ignore")


def near(lib: Any) -> Any:
    return lambda b, h, q, k: (q >= k) & (q - k < 130) | ((h == 1) & (k == 0))


def far(lib: Any) -> Any:
    return lambda score, b, h, q, k: lib.where(q >= k, lib.tanh(score / 3) * 3 - 0.1 * (q - k) * (h + 1), -float("inf"))


def both(libs: Any, data: list[Any]) -> list[list[Any]]:
    return [[lib.tensor(x) for x in data] for lib in libs]


@pytest.mark.parametrize(
    "masked, scored", [(True, True), *[pytest.param(*case, marks=pytest.mark.long) for case in ((True, False), (False, True), (False, False))]]
)
def test_outputs(masked: bool, scored: bool, rng: numpy.random.Generator) -> None:
    data = [rng.standard_normal((2, heads, 300, 4)) for heads in (4, 2, 2)]
    results = []
    for lib, module in ((flow, ours), (torch, theirs)):
        q, k, v = (lib.tensor(x) for x in data)
        mask = module.create_block_mask(near(lib), None, 4, 300, 300, device=q.device) if masked else None
        score_mod = far(lib) if scored else None
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            output, lse = module.flex_attention(q, k, v, score_mod, mask, enable_gqa=True, return_lse=True)
        plain = module.flex_attention(q, k, v, score_mod, mask, 0.5, True)
        results.append([output.cpu(), plain.cpu(), lse.cpu()])
    for mine, expected in zip(*results):
        assert_close(mine, expected, op_class="matmul")


def test_gradients_and_queries_that_attend_to_nothing(rng: numpy.random.Generator) -> None:
    data = [rng.standard_normal((1, 2, 5, 3)) for _ in range(3)]
    bias, upstream = rng.standard_normal((2, 5)), rng.standard_normal((1, 2, 5, 3))

    def formula(q: Any, k: Any, v: Any, table: Any) -> Any:
        scores = q @ k.transpose(-2, -1) / 3**0.5 + table[None, :, :, None]
        scores = scores.masked_fill(torch.ones(5, 5).triu(0).bool(), -1e9)
        weights = scores.softmax(-1) * torch.tensor([0.0, 1, 1, 1, 1])[:, None]
        return weights @ v

    def flex(q: Any, k: Any, v: Any, table: Any) -> Any:
        mask = ours.create_block_mask(lambda b, h, q, k: q > k, None, None, 5, 5, device=q.device)
        return ours.flex_attention(q, k, v, lambda score, b, h, q, k: score + table[h, q], mask)

    results = []
    for lib, function in ((flow, flex), (flow, flow.compile(flex)), (torch, formula)):
        inputs = [lib.tensor(x, requires_grad=True) for x in (*data, bias)]
        output = function(*inputs)
        (output * lib.tensor(upstream)).sum().backward()
        results.append([x.detach().cpu() for x in (output, *[x.grad for x in inputs])])
    for eager, captured, expected in zip(*results):
        assert_close(eager, expected, op_class="matmul")
        assert_close(captured, expected, op_class="matmul")


@since("2.13", "_adjust keeps the number of queries")
def test_masks_of_blocks() -> None:
    masks = [module.create_block_mask(near(lib), 2, 3, 300, 400, device="cpu") for lib, module in ((flow, ours), (torch, theirs))]
    for mine, expected in (masks, [m[0, 1:] for m in masks], [m._adjust(130, 256) for m in masks]):
        assert mine.shape == expected.shape and mine.sparsity() == pytest.approx(expected.sparsity())
        assert mine.to_dense().tolist() == expected.to_dense().tolist()
        for a, b in zip(mine.as_tuple()[2:10], expected.as_tuple()[2:10]):
            assert a.dtype is flow.int32 and a.tolist() == b.tolist()
    assert masks[0].elements().tolist() == theirs.create_mask(near(torch), 2, 3, 300, 400, device="cpu").tolist()
    rule = ours.or_masks(ours.and_masks(lambda b, h, q, k: q >= k, lambda b, h, q, k: q < 2), lambda b, h, q, k: k == 3)
    assert ours.create_mask(rule, None, None, 3, 4)[0, 0].int().tolist() == [[1, 0, 0, 1], [1, 1, 0, 1], [0, 0, 0, 1]]


def test_wrong_calls() -> None:
    q, table = flow.ones(1, 2, 4, 4), flow.ones(2, 4)
    mask = ours.create_block_mask(lambda b, h, q, k: q >= k, None, 3, 4, 4)
    wrong = [
        lambda: ours.flex_attention(q, q[:, :1], q[:, :1]),
        lambda: ours.flex_attention(q, q, q, block_mask=mask),
        lambda: ours.flex_attention(q, q, q, block_mask=ours.create_block_mask(lambda b, h, q, k: q >= k, None, None, 4, 5)),
        lambda: ours.flex_attention(q, q, q, lambda score, b, h, q, k: score + table[h]),
        lambda: ours.create_block_mask(lambda b, h, q, k: q - k, None, None, 4, 4),
    ]
    for call in wrong:
        with pytest.raises(ValueError):
            call()
    with pytest.raises(RuntimeError, match="mask_mod"):
        mask[0].elements()
