"""`flow.quasirandom.SobolEngine` draws the points that torch's draws."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

import tritonflow as flow
from tritonflow.quasirandom import _scrambled

SobolEngine = flow.quasirandom.SobolEngine


def equal(ours: Any, theirs: Any) -> bool:
    return bool(ours.shape == theirs.shape and np.array_equal(ours.numpy(), theirs.numpy()))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("dimension", [1, 3, 40, 21201])
def test_points_are_torchs(dimension: int, dtype: str) -> None:
    ours, theirs = SobolEngine(dimension), torch.quasirandom.SobolEngine(dimension)
    assert equal(ours.sobolstate, theirs.sobolstate)
    for n in (1, 5, 0, 3):
        assert equal(ours.draw(n, dtype=getattr(flow, dtype)), theirs.draw(n, dtype=getattr(torch, dtype)))
    for each in (ours, theirs):
        each.fast_forward(1003)
    assert equal(ours.draw(2), theirs.draw(2)) and ours.num_generated == theirs.num_generated
    assert equal(ours.reset().draw_base2(3), theirs.reset().draw_base2(3))
    assert equal(ours.draw(1), theirs.draw(1))


def test_what_is_left_out_is_as_if_drawn() -> None:
    for skipped in (0, 1, 6, 2**20):
        ours, theirs = SobolEngine(4).fast_forward(skipped), torch.quasirandom.SobolEngine(4).fast_forward(skipped)
        assert equal(ours.draw(4, dtype=flow.float64), theirs.draw(4, dtype=torch.float64))


def test_scrambling_multiplies_bits_as_torch_does() -> None:
    theirs, matrices = torch.quasirandom.SobolEngine(7), torch.randint(2, (7, 30, 30)).tril()
    ours = _scrambled(SobolEngine(7).sobolstate, flow.tensor(matrices.numpy()))
    torch._sobol_engine_scramble_(theirs.sobolstate, matrices, 7)
    assert equal(ours, theirs.sobolstate)


def test_scrambled_points_stay_even_and_follow_their_seed() -> None:
    engine = SobolEngine(5, scramble=True, seed=3)
    points = engine.draw(256)
    cells = (points * 256).floor().to(flow.int64).sort(0).values
    assert bool((cells == flow.arange(256).unsqueeze(1)).all()) and bool(points[0].any())
    assert equal(SobolEngine(5, True, 3).draw(256), points) and not equal(SobolEngine(5, True, 4).draw(256), points)
    assert equal(engine.reset().draw(9), points[:9])
    flow.manual_seed(1)
    first = SobolEngine(5, True).draw(2)
    assert not equal(SobolEngine(5, True).draw(2), first)
    flow.manual_seed(1)
    assert equal(SobolEngine(5, True).draw(2), first)


def test_out_copies_and_texts() -> None:
    engine, out = SobolEngine(3), flow.empty(1, dtype=flow.float64)
    expected = torch.quasirandom.SobolEngine(3).draw(6)
    assert engine.draw(2, out) is out and out.dtype is flow.float64 and equal(out, expected[:2].double())
    for each in (copy.deepcopy(engine), pickle.loads(pickle.dumps(engine))):
        assert equal(each.draw(4), expected[2:])
    assert engine.num_generated == 2
    assert repr(SobolEngine(2, True, 5)) == repr(torch.quasirandom.SobolEngine(2, True, 5))
    assert repr(engine) == repr(torch.quasirandom.SobolEngine(3))
    flow.set_default_dtype(flow.float64)
    try:
        assert SobolEngine(2).draw(2).dtype is flow.float64
    finally:
        flow.set_default_dtype(flow.float32)


@pytest.mark.parametrize(("call", "error", "text"), [
    (lambda e: SobolEngine(0), ValueError, "from 1 to 21201, not 0"),
    (lambda e: SobolEngine(21202), ValueError, "from 1 to 21201"),
    (lambda e: SobolEngine(2.0), TypeError, "dimension must be int, not float"),
    (lambda e: e.draw(-1), ValueError, "-1 points"),
    (lambda e: e.draw(1.5), TypeError, "n must be int"),
    (lambda e: e.draw(2, dtype=flow.float16), TypeError, "float32 or float64"),
    (lambda e: e.fast_forward(2**30), ValueError, "cannot follow 3"),
    (lambda e: e.fast_forward(-1), ValueError, "-1 points"),
    (lambda e: e.draw_base2(2), ValueError, "use draw"),
    (lambda e: e.draw_base2(-1), ValueError, "m must be"),
    (lambda e: e.draw(2, out=flow.ones(1, requires_grad=True)), RuntimeError, "leaf|grad"),
])  # fmt: skip
def test_errors_leave_the_sequence_where_it_was(call: Callable[[Any], Any], error: type[Exception], text: str) -> None:
    engine = SobolEngine(2)
    engine.draw(3)
    with pytest.raises(error, match=text):
        call(engine)
    assert engine.num_generated == 3
