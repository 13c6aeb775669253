"""RoIAlign whose number of samples depends on the boxes, beside the loop over samples of torchvision's kernel."""

from __future__ import annotations

from math import ceil, floor

import numpy
import pytest

import tritonflow as flow


def sampled(picture: numpy.ndarray, y: float, x: float) -> numpy.ndarray:
    """The bilinear mean of four pixels; zeros farther outside than a pixel."""
    height, width = picture.shape[1:]
    if y < -1 or y > height or x < -1 or x > width:
        return numpy.zeros(len(picture))
    y, x = min(max(y, 0), height - 1), min(max(x, 0), width - 1)
    top, left = floor(y), floor(x)
    bottom, right = min(top + 1, height - 1), min(left + 1, width - 1)
    a, b = y - top, x - left
    upper = picture[:, top, left] * (1 - b) + picture[:, top, right] * b
    lower = picture[:, bottom, left] * (1 - b) + picture[:, bottom, right] * b
    return upper * (1 - a) + lower * a


def by_samples(x: numpy.ndarray, rois: numpy.ndarray, scale: float, rows: int, columns: int, samples: int, aligned: bool) -> numpy.ndarray:
    out = numpy.zeros((len(rois), x.shape[1], rows, columns))
    for k, (batch, *corners) in enumerate(rois):
        left, top, right, bottom = numpy.array(corners) * scale - (0.5 if aligned else 0)
        sizes = [bottom - top, right - left] if aligned else [max(bottom - top, 1), max(right - left, 1)]
        bins = sizes[0] / rows, sizes[1] / columns
        counts = (samples, samples) if samples > 0 else (ceil(bins[0]), ceil(bins[1]))
        for i, j in numpy.ndindex(rows, columns):
            for m, n in numpy.ndindex(max(counts[0], 0), max(counts[1], 0)):
                y = top + i * bins[0] + (m + 0.5) * bins[0] / counts[0]
                z = left + j * bins[1] + (n + 0.5) * bins[1] / counts[1]
                out[k, :, i, j] += sampled(x[int(batch)], y, z) / max(counts[0] * counts[1], 1)
    return out


def boxes_of(seed: int, count: int, least: float) -> numpy.ndarray:
    random = numpy.random.default_rng(seed)
    low = random.uniform(-3, 8, (count, 2))
    corners = numpy.concatenate([low, low + random.uniform(least, 12, (count, 2))], 1)
    return numpy.concatenate([random.integers(0, 2, (count, 1)), corners], 1)


@pytest.mark.parametrize("aligned", [False, True])
@pytest.mark.parametrize("scale", [1.0, 0.5])
@pytest.mark.parametrize("samples", [-1, 0, 1, 3])
def test_means_are_the_loops(aligned: bool, scale: float, samples: int) -> None:
    x = numpy.random.default_rng(0).standard_normal((2, 3, 11, 9))
    rois = boxes_of(1, 6, -1.0 if aligned else 0.0)
    found = flow.roi_align(flow.tensor(x), flow.tensor(rois), scale, 3, 2, samples, aligned)
    numpy.testing.assert_allclose(found.numpy(), by_samples(x, rois, scale, 3, 2, samples, aligned), atol=1e-12)


def test_the_gradient_is_that_of_the_mean() -> None:
    x = flow.randn(2, 2, 6, 5, dtype=flow.float64, requires_grad=True)
    rois = flow.tensor(boxes_of(2, 3, 0.0))
    assert flow.autograd.gradcheck(lambda x: flow.roi_align(x, rois, 0.5, 2, 2, -1, False), (x,))


def test_no_boxes_give_no_means() -> None:
    x = flow.randn(1, 2, 4, 4, requires_grad=True)
    found = flow.roi_align(x, flow.zeros(0, 5), 1.0, 3, 3, -1, False)
    found.sum().backward()
    assert found.shape == (0, 2, 3, 3) and x.grad.abs().max().item() == 0


def test_a_compiled_function_aligns_boxes_of_other_sizes() -> None:
    compiled = flow.compile(flow.roi_align)
    x = flow.randn(2, 2, 11, 9)
    for seed in range(4):
        rois = flow.tensor(boxes_of(seed, 4, 0.0).astype(numpy.float32))
        expected = flow.roi_align(x, rois, 1.0, 3, 2)
        assert flow.allclose(compiled(x, rois, 1.0, 3, 2, False), expected, atol=1e-6)
    assert len(compiled.captures()) == 1
