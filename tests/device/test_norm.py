"""Normalisations on a GPU, a stand-in: where rows fit in registers, one op computes all gradients."""

from __future__ import annotations

from typing import Any

import numpy
import pytest

import tritonflow as flow

F = flow.nn.functional


def gradients(device: str, shape: tuple[int, ...], dims: int, center: bool, wanted: str) -> list[Any]:
    rng = numpy.random.default_rng(0)
    x, dy = (flow.tensor(rng.standard_normal(shape) * 3 + 1, dtype=flow.float32, device=device) for _ in range(2))
    w, b = (flow.tensor(rng.random(shape[-dims:]), dtype=flow.float32, device=device) for _ in range(2))
    leaves = [t.requires_grad_() for name, t in (("x", x), ("w", w), ("b", b)) if name in wanted]
    scale = w if "w" in wanted or "b" not in wanted else None
    y = F.layer_norm(x, shape[-dims:], scale, b) if center else F.rms_norm(x, shape[-dims:], w)
    return [g.to("cpu").numpy() for g in flow.autograd.grad([y], leaves, [dy])]


@pytest.mark.parametrize(
    ("shape", "dims", "center", "wanted", "at_once"),
    [
        ((300, 40), 1, True, "xwb", True),
        ((5, 7, 6, 8), 2, True, "xw", True),
        ((2, 33, 64), 1, False, "xw", True),
        ((3, 5000), 1, True, "xwb", False),
        ((300, 40), 1, True, "x", False),
        ((300, 40), 1, True, "wb", False),
        ((0, 40), 1, True, "xwb", True),
        ((9, 40), 1, True, "xb", True),
    ],
)
@pytest.mark.sampled(most=3)
def test_gradients(compiled: list[str], shape: Any, dims: int, center: bool, wanted: str, at_once: bool) -> None:
    for ours, expected in zip(
        gradients("cuda", shape, dims, center, wanted), gradients("cpu", shape, dims, center, wanted)
    ):
        numpy.testing.assert_allclose(ours, expected, rtol=1e-4, atol=1e-4)
    assert ("gradients" in compiled) == at_once and ("parameter_sums" in compiled) != (at_once or wanted == "x")
