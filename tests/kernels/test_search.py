"""kernels/search.py against torch."""

import pytest
import torch

from tests.kernels.harness import BACKENDS, kernels, run

module = kernels("search")


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("right", [False, True])
@pytest.mark.parametrize(("rows", "length", "count"), [(1, 1, 5), (3, 100, 70), (2, 64, 1), (1, 0, 3)])
def test_positions_in_sorted_rows(backend, right, rows, length, count):
    edges = torch.randint(-5, 40, (rows, length)).float().sort(-1).values
    values = torch.randint(-9, 50, (rows, count)).float()
    values[0, 0] = float("nan")
    out = torch.empty(rows, count, dtype=torch.int64)
    sizes = (values.numel(), count, length, length, length.bit_length())
    run(backend, module.positions, (1,), (edges, values, out, *sizes), {"RIGHT": right, "BLOCK": 256})
    torch.testing.assert_close(out, torch.searchsorted(edges, values, right=right))
