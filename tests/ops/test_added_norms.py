"""add_rms_norm and add_layer_norm: the roundings of the sum, long rows, and both gradients of the sum."""

from __future__ import annotations

from typing import Any

import pytest
import torch

import tritonflow as flow
from tests import op_references
from tritonflow.testing import assert_close

F = flow.nn.functional


@pytest.mark.parametrize("dtype", [flow.float32, flow.bfloat16])
@pytest.mark.parametrize("cols", [96, 9000])
@pytest.mark.parametrize("center", [False, True])
def test_the_bits_are_those_of_a_sum_that_is_normalised(center: bool, cols: int, dtype: Any) -> None:
    x, residual, w = (flow.randn(*shape).to(dtype) for shape in ((5, cols), (5, cols), (cols,)))
    add_norm, norm = (F.add_layer_norm, F.layer_norm) if center else (F.add_rms_norm, F.rms_norm)
    normed, total = add_norm(x, residual, (cols,), w, eps=1e-5)
    assert total.equal(x + residual)
    assert normed.equal(norm(total, (cols,), w, eps=1e-5))


@pytest.mark.parametrize("cols", [96, 9000])
@pytest.mark.parametrize("center", [False, True])
def test_the_sum_has_the_gradients_of_both_results(center: bool, cols: int) -> None:
    """Of one of them as well; and input and residual have one gradient."""
    tensors = [torch.randn(*shape, dtype=torch.float64) for shape in ((3, cols), (3, cols), (cols,))]
    dy, dtotal = torch.randn(3, cols, dtype=torch.float64), torch.randn(3, cols, dtype=torch.float64)
    ours = F.add_layer_norm if center else F.add_rms_norm
    reference = op_references.add_layer_norm if center else op_references.add_rms_norm
    for uses in ((1, 1), (1, 0), (0, 1)):
        found, expected = [], []
        for function, make, grads in ((ours, flow.from_torch, found), (reference, lambda t: t, expected)):
            x, r, w, *g = (make(t.clone()) for t in (*tensors, dy, dtotal))
            for leaf in (x, r, w):
                leaf.requires_grad_()
            results: Any = function(x, r, (cols,), w)
            sum((y * d).sum() for y, d, use in zip(results, g, uses) if use).backward()
            grads += [x.grad, r.grad, w.grad]
        for f, e in zip(found, expected):
            assert (f is None) == (e is None) or not flow.to_torch(f).any()
            assert e is None or f is None or assert_close(f, e) is None


def test_other_residuals_are_refused() -> None:
    x = flow.randn(2, 4)
    for residual in (flow.randn(4), flow.randn(2, 4, dtype=flow.float64), flow.randn(2, 1)):
        with pytest.raises(RuntimeError, match="expected a residual of the input's shape"):
            F.add_rms_norm(x, residual, (4,))
    with pytest.raises(NotImplementedError, match="add_rms_norm"):
        F.add_rms_norm(x.long(), x.long(), (4,))
