"""kernels/gamma_draws.py: both backends draw numbers with the right moments."""

import pytest
import torch

from tests.kernels.harness import BACKENDS, kernels, run, stride

module = kernels("gamma_draws")
N = 512


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("shape", [0.3, 4.0])
def test_gamma(backend, shape):
    out = torch.empty(N)
    layout = (0, N, (N,), (stride(1),))
    run(backend, module.gamma, (2,), (torch.full((N,), shape), out, torch.tensor([11, 3]), *layout), {"UNIT": 4, "BLOCK": 256})
    assert out.min() > 0
    assert abs(out.mean() - shape) <= 5 * (shape / N) ** 0.5
    assert abs(out.var() - shape) <= 0.6 * shape
