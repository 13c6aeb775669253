"""flow.unique of many integers, which are counted where they lie close together, and sorted where they do not."""

import pytest
import torch

import tritonflow as flow
from tritonflow.functions import index_search as search

CASES = [
    (torch.int64, -(2**63), 40),
    (torch.int64, 2**63 - 41, 40),
    (torch.int32, -20, 5000),
    (torch.uint8, 0, 255),
    (torch.int64, -(2**40), 2**41),
]


@pytest.mark.parametrize(("dtype", "low", "width"), CASES)
def test_many_integers(dtype, low, width):
    x = (torch.randint(0, width + 1, (40, 50)) + low).to(dtype)
    x[0, 0], x[0, 1] = low, low + width
    ours = flow.tensor(x.numpy())
    limits = search._close_limits(ours.reshape(-1))
    assert limits == ((low, low + width) if width < 4 * x.numel() else None)
    found = flow.unique(ours, return_inverse=True, return_counts=True)
    for a, b in zip(found, torch.unique(x, return_inverse=True, return_counts=True), strict=True):
        assert torch.equal(torch.from_numpy(a.numpy()), b)
        assert a.numpy().dtype == b.numpy().dtype
