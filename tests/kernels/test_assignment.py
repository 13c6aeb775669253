"""kernels/assignment.py against SciPy, which it agrees with also where several assignments are the cheapest."""

from __future__ import annotations

import numpy
import pytest
import torch
from scipy.optimize import linear_sum_assignment

from tests.kernels.harness import BACKENDS, kernels, run

module = kernels("assignment")


def solved(backend: str, cost: torch.Tensor) -> tuple[torch.Tensor, int]:
    matrices, rows, width = cost.shape
    columns, error = torch.full((matrices, rows), -7), torch.zeros(1, dtype=torch.int32)
    run(backend, module.assign, (matrices,), (cost, columns, error, rows, width), module.blocks(width))
    return columns, int(error)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("dtype", (torch.float32, torch.float64))
@pytest.mark.parametrize(("rows", "width"), [(1, 1), (1, 7), (5, 5), (3, 20), (17, 33)])
def test_columns(backend: str, dtype: torch.dtype, rows: int, width: int) -> None:
    costs = torch.randn(3, rows, width, dtype=dtype)
    costs[1] = costs[1].mul(2).round()  # several are the cheapest
    costs[2] = (costs[2] > 0).to(dtype)
    columns, error = solved(backend, costs)
    assert error == 0
    for found, cost in zip(columns, costs):
        assert found.tolist() == linear_sum_assignment(cost.numpy())[1].tolist()


@pytest.mark.parametrize("backend", BACKENDS)
def test_costs_that_are_infinite(backend: str) -> None:
    cost = torch.tensor([[[float("inf"), 2.0, 3.0], [1.0, float("inf"), 0.0], [0.0, 1.0, float("inf")]]])
    columns, error = solved(backend, cost)
    assert error == 0 and columns[0].tolist() == linear_sum_assignment(cost[0].numpy())[1].tolist()
    for wrong in (float("nan"), float("-inf")):
        bad = cost.clone()
        bad[0, 1, 1] = wrong
        assert solved(backend, bad)[1] == 1
    cost[0, :, 1] = cost[0, 1] = float("inf")
    with pytest.raises(ValueError, match="infeasible"):
        linear_sum_assignment(cost[0].numpy())
    assert solved(backend, cost)[1] == 1


@pytest.mark.parametrize("seed", range(30))
def test_ties_are_broken_as_scipy_does(seed: int) -> None:
    random = numpy.random.default_rng(seed)
    rows = int(random.integers(1, 14))
    width = rows + int(random.integers(0, 9))
    cost = torch.from_numpy(random.integers(0, 4, (4, rows, width)).astype(numpy.float32))
    columns, error = solved("cpu", cost)
    assert error == 0
    assert [c.tolist() for c in columns] == [linear_sum_assignment(c.numpy())[1].tolist() for c in cost]
