"""Batches without a sample leave the running statistics as they are."""

import pytest

import tritonflow as flow


@pytest.mark.parametrize("shape", [(0, 3), (0, 3, 2), (0, 3, 2, 2)])
def test_running_statistics_of_an_empty_batch_stay(shape):
    norm = (flow.nn.BatchNorm1d, flow.nn.BatchNorm1d, flow.nn.BatchNorm2d)[len(shape) - 2](3)
    assert tuple(norm(flow.zeros(*shape)).shape) == shape
    assert norm.running_mean.tolist() == [0.0] * 3 and norm.running_var.tolist() == [1.0] * 3
    assert norm.num_batches_tracked.item() == 1
