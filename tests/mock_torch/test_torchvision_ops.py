"""The ops of torchvision's C++ library that we have."""

from __future__ import annotations

import numpy
import pytest

import tritonflow as flow
from tritonflow.errors import InvalidArgumentError
from tritonflow.mock_torch import torchvision_ops
from tritonflow.mock_torch.names import ops


def suppressed_one_by_one(boxes: numpy.ndarray, scores: numpy.ndarray, threshold: float) -> list[int]:
    """The loop over boxes, the best first."""
    left: list[int] = []
    for i in numpy.argsort(-scores, kind="stable"):
        low, high = numpy.maximum(boxes[i, :2], boxes[left, :2]), numpy.minimum(boxes[i, 2:], boxes[left, 2:])
        both = (high - low).clip(0).prod(-1)
        areas = (boxes[[*left, i], 2:] - boxes[[*left, i], :2]).prod(-1)
        if not (both / (areas[:-1] + areas[-1] - both) > threshold).any():
            left.append(int(i))
    return left


@pytest.mark.parametrize("count", (0, 1, 60))
def test_nms(count: int) -> None:
    random = numpy.random.default_rng(count)
    corners = random.uniform(0, 40, (count, 2))
    boxes = numpy.concatenate([corners, corners + random.uniform(1, 30, (count, 2))], 1).astype(numpy.float32)
    scores = random.uniform(size=count).round(1).astype(numpy.float32)  # some are equal
    found = torchvision_ops.nms(flow.tensor(boxes), flow.tensor(scores), 0.3)
    assert found.dtype is flow.int64 and found.tolist() == suppressed_one_by_one(boxes, scores, 0.3)


def test_nms_of_a_long_chain() -> None:
    starts = flow.arange(30.0)[:, None] * 4
    boxes = flow.cat([starts, starts * 0, starts + 10, starts * 0 + 1], 1)  # each overlaps the next two
    assert torchvision_ops.nms(boxes, -flow.arange(30.0), 0.3).tolist() == list(range(0, 30, 2))


def test_the_library_is_loaded_and_no_other() -> None:
    ops.load_library("/packages/torchvision/_C.so")
    found = ops.any_name("torchvision")
    assert found.nms.default is found.nms and found._cuda_version() == -1
    with pytest.raises(InvalidArgumentError, match="no function computes it"):
        found.deform_conv2d(flow.ones(1))
    assert found.roi_align(flow.ones(1, 1, 2, 2), flow.zeros(1, 5), 1.0, 1, 1, -1).tolist() == [[[[1.0]]]]
    with pytest.raises(OSError, match="cannot be loaded"):
        ops.load_library("/packages/other/_C.so")


def test_compiled_nms_goes_one_way_for_most_boxes() -> None:
    def best(boxes: flow.Tensor, scores: flow.Tensor) -> flow.Tensor:
        return boxes[torchvision_ops.nms(boxes, scores, 0.3)] * 2

    f = flow.compile(best)
    random = numpy.random.default_rng(0)
    for _ in range(12):
        corners = random.uniform(0, 40, (60, 2))
        boxes = numpy.concatenate([corners, corners + random.uniform(1, 30, (60, 2))], 1).astype(numpy.float32)
        scores = random.uniform(size=60).astype(numpy.float32)
        right = boxes[suppressed_one_by_one(boxes, scores, 0.3)] * 2
        assert numpy.array_equal(f(flow.tensor(boxes), flow.tensor(scores)).numpy(), right)
    assert len(f.captures()) == 1
