"""The ops of torchvision's C++ library that we have."""

from __future__ import annotations

import itertools
import math

import numpy
import pytest

import tritonflow as flow
from tritonflow.errors import InvalidArgumentError, ShapeError
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
        found.ps_roi_pool(flow.ones(1))
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


def pooled_one_by_one(x: numpy.ndarray, rois: numpy.ndarray, scale: float, bins: tuple[int, int]) -> tuple[numpy.ndarray, numpy.ndarray]:
    """The loop over boxes, channels and bins: the largest elements, and where they are."""
    values = numpy.zeros((len(rois), x.shape[1], *bins))
    found = numpy.full(values.shape, -1)
    for k, (number, *corners) in enumerate(rois):
        left, top, right, bottom = (int(math.copysign(math.floor(abs(v * scale) + 0.5), v)) for v in corners)
        sides = [(top, max(bottom - top + 1, 1), x.shape[2]), (left, max(right - left + 1, 1), x.shape[3])]
        for c, i, j in numpy.ndindex(*values.shape[1:]):
            (h0, h1), (w0, w1) = (
                numpy.clip([math.floor(at * size / of) + start, math.ceil((at + 1) * size / of) + start], 0, most)
                for at, of, (start, size, most) in zip((i, j), bins, sides)
            )
            for h, w in itertools.product(range(h0, h1), range(w0, w1)):
                if found[k, c, i, j] < 0 or x[int(number), c, h, w] > values[k, c, i, j]:
                    values[k, c, i, j], found[k, c, i, j] = x[int(number), c, h, w], h * x.shape[3] + w
    return values, found


@pytest.mark.parametrize("scale", (1.0, 0.5))
def test_roi_pool(scale: float) -> None:
    random = numpy.random.default_rng(0)
    x = random.standard_normal((2, 3, 9, 11)).clip(0)  # many are equal
    rois = numpy.array(
        [[0, 1.2, 2, 7.6, 8], [1, -3, 0.5, 4, 4.5], [1, 5, 5, 5, 5], [0, 20, 20, 30, 30], [0, 0, 0, 10, 8], [1, 3.5, 2.5, 6.5, 4.5]]
    )
    values, found = pooled_one_by_one(x, rois, scale, (2, 3))
    picture = flow.tensor(x, requires_grad=True)
    y, at = torchvision_ops.roi_pool(picture, flow.tensor(rois), scale, 2, 3)
    assert numpy.array_equal(y.detach().numpy(), values) and numpy.array_equal(at.numpy(), found)
    dy = random.standard_normal(y.shape)
    y.backward(flow.tensor(dy))
    expected = numpy.zeros(x.shape)
    for k, c, i, j in numpy.ndindex(*y.shape):
        if found[k, c, i, j] >= 0:
            expected[int(rois[k, 0]), c, found[k, c, i, j] // 11, found[k, c, i, j] % 11] += dy[k, c, i, j]
    numpy.testing.assert_allclose(picture.grad.numpy(), expected, rtol=1e-12, atol=1e-12)


def test_roi_pool_of_no_boxes_and_of_wrong_ones() -> None:
    x = flow.ones(1, 2, 3, 3, requires_grad=True)
    y, _ = torchvision_ops.roi_pool(x, flow.zeros(0, 5), 1.0, 2, 2)
    y.sum().backward()
    assert tuple(y.shape) == (0, 2, 2, 2) and x.grad.abs().sum() == 0
    with pytest.raises(ShapeError, match="roi_pool"):
        torchvision_ops.roi_pool(x, flow.zeros(1, 4), 1.0, 2, 2)


def test_deform_conv2d_takes_torchvisions_arguments() -> None:
    flow.manual_seed(0)
    x, weight, bias = flow.randn(2, 4, 5, 6), flow.randn(3, 2, 3, 3)[:2], flow.randn(2)
    offset, mask = flow.randn(2, 18, 5, 6), flow.randn(2, 9, 5, 6)
    call = (x, weight, offset, mask, bias, 1, 1, 1, 1, 1, 1, 2, 1)
    expected = flow.nn.functional.deform_conv2d(x, offset, weight, bias, padding=1, mask=mask)
    ops.load_library("/packages/torchvision/_C.so")
    assert ops.any_name("torchvision").deform_conv2d(*call, True).tolist() == expected.tolist()
    without = flow.nn.functional.deform_conv2d(x, offset, weight, bias, padding=1)
    assert ops.any_name("torchvision").deform_conv2d(*call, False).tolist() == without.tolist()


def test_ops_of_boxes_are_computed_in_float32_under_autocast() -> None:
    """As torchvision registers them: matrix products of half types would move the samples."""
    ops.load_library("/packages/torchvision/_C.so")
    found = ops.any_name("torchvision")
    x = flow.randn(1, 2, 8, 8)
    rois = flow.tensor([[0.0, 0.3, 0.7, 6.1, 5.3]])
    precise, expected = (found.roi_align(each, rois, 1.0, 2, 2, 2) for each in (x, x.bfloat16().float()))
    with flow.amp.autocast("cpu", dtype=flow.bfloat16):
        assert found.roi_align(x, rois, 1.0, 2, 2, 2).tolist() == precise.tolist()
        half = found.roi_align(x.bfloat16(), rois, 1.0, 2, 2, 2)
    assert half.dtype is flow.bfloat16 and half.tolist() == expected.bfloat16().tolist()
