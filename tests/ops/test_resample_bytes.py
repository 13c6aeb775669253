"""Pictures of bytes at another resolution: bit by bit what torch computes on CPUs."""

from __future__ import annotations

from typing import Any

import numpy
import pytest
import torch

import tritonflow as flow
from tritonflow.errors import DTypeNotImplementedError

MODES = [
    {"mode": "bilinear"}, {"mode": "bilinear", "align_corners": True}, {"mode": "bilinear", "antialias": True},
    {"mode": "bicubic"}, {"mode": "bicubic", "align_corners": True}, {"mode": "bicubic", "antialias": True},
    {"mode": "lanczos", "antialias": True},
]  # fmt: skip
SIZES: list[dict[str, Any]] = [
    {"size": (12, 16)}, {"size": (40, 50)}, {"size": (24, 9)}, {"size": (1, 2)}, {"scale_factor": (0.6, 1.3)},
    {"scale_factor": (1.01, 0.5)}, {"scale_factor": (1.01, 1.0)},
]  # fmt: skip


def picture(*shape: int, extreme: bool = False) -> numpy.ndarray:
    found = numpy.random.default_rng(0).integers(0, 256, shape, dtype=numpy.uint8)
    return (found // 128) * 255 if extreme else found


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("mode", MODES, ids=str)
def test_resized_as_torch_does(mode: dict[str, Any], size: dict[str, Any]) -> None:
    for shape, extreme in (((2, 3, 24, 32), False), ((1, 5, 24, 32), True), ((1, 1, 7, 1), False)):
        x = picture(*shape, extreme=extreme)
        if min(shape[2:]) == 1 and "scale_factor" in size:
            continue  # torch refuses sizes of 0
        expected = torch.nn.functional.interpolate(torch.tensor(x), **size, **mode)
        for changed in (flow.tensor(x), flow.tensor(x).contiguous(memory_format=flow.channels_last), flow.tensor(x[:, :, ::-1].copy()).flip(2)):
            found = flow.nn.functional.interpolate(changed, **size, **mode)
            assert found.dtype is flow.uint8 and found.numpy().tolist() == expected.tolist()


def test_compiled_captured_and_mapped() -> None:
    x = picture(4, 3, 11, 13)

    def half(image: Any) -> Any:
        return flow.nn.functional.interpolate(image, size=(5, 6), mode="bicubic", antialias=True)

    expected = torch.nn.functional.interpolate(torch.tensor(x), size=(5, 6), mode="bicubic", antialias=True).tolist()
    compiled = flow.compile(half)
    assert compiled(flow.tensor(x)).tolist() == expected and compiled(flow.tensor(x)).tolist() == expected
    assert flow.vmap(half)(flow.tensor(x)[:, None])[:, 0].tolist() == expected


def test_sizes_of_bytes_that_stay_are_copies() -> None:
    x = flow.tensor(picture(1, 3, 4, 4))
    found = flow.nn.functional.interpolate(x, size=(4, 4), mode="bilinear")
    found.zero_()
    assert x.sum() > 0


def test_no_other_dimensions_and_integers() -> None:
    with pytest.raises(DTypeNotImplementedError, match="uint8"):
        flow.nn.functional.interpolate(flow.tensor(picture(1, 3, 4)), size=8, mode="linear")
    with pytest.raises(DTypeNotImplementedError, match="int32"):
        flow.nn.functional.interpolate(flow.ones(1, 3, 4, 4, dtype=flow.int32), size=8, mode="bilinear")
