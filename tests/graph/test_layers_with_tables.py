"""Layers that look at numbers of their tables in eager mode are captured where the tables are inputs of the graph."""

from __future__ import annotations

from typing import Any

import pytest

import tritonflow as flow
from tritonflow import nn
from tritonflow.testing import assert_close


@pytest.mark.parametrize("floating", [True, False])
def test_masks_of_transformers(floating: bool) -> None:
    layer = nn.TransformerEncoderLayer(4, 2, 6, dropout=0.0, batch_first=True)
    encoder = nn.TransformerEncoder(layer, 1, enable_nested_tensor=False)
    mask = flow.ones(3, 3, dtype=flow.bool).triu(1)
    if floating:
        mask = nn.Transformer.generate_square_subsequent_mask(3)
    x = flow.randn(2, 3, 4)
    compiled = flow.compile(lambda x, mask: encoder(x, mask))
    assert_close(compiled(x, mask), encoder(x, mask), op_class="matmul")
    other = flow.zeros(3, 3) if floating else flow.zeros(3, 3, dtype=flow.bool)
    assert_close(compiled(x, other), encoder(x), op_class="matmul")


def test_offsets_of_bags() -> None:
    bags = nn.EmbeddingBag(5, 3, mode="mean")
    compiled: Any = flow.compile(lambda indices, offsets: bags(indices, offsets))
    indices = flow.tensor([4, 1, 1, 0])
    for offsets in ([0, 1, 1], [0, 3, 4]):
        assert_close(compiled(indices, flow.tensor(offsets)), bags(indices, flow.tensor(offsets)), op_class="reduction")
    for offsets in ([1, 2, 3], [0, 1, 5]):
        with pytest.raises((IndexError, RuntimeError, ValueError), match=r"out of|offsets\["):
            compiled(indices, flow.tensor(offsets)).sum().item()
    with pytest.raises(ValueError, match=r"offsets\[0\] has to be 0"):
        bags(indices, flow.tensor([1, 4]))
    with pytest.raises(ValueError, match=r"offsets\[-1\] can not be greater"):
        bags(indices, flow.tensor([0, 5]))
