"""kernels/counts.py: both backends draw the same numbers, and these have the right moments."""

import pytest
import torch

from tests.kernels.harness import BACKENDS, kernels, run, stride

module = kernels("counts")
N = 512


def state():
    return torch.tensor([11, 3])


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("rate", [0.0, 2.5, 60.0])
def test_poisson(backend, rate):
    out = torch.empty(N)
    layout = (0, N, (N,), (stride(1),))
    run(backend, module.poisson, (2,), (torch.full((N,), rate), out, state(), *layout), {"UNIT": 4, "BLOCK": 256})
    assert out.equal(out.floor()) and out.min() >= 0
    assert abs(out.mean() - rate) <= 5 * (rate / N) ** 0.5
    assert abs(out.var() - rate) <= 0.4 * rate


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(("count", "chance"), [(5, 0.3), (200, 0.3), (200, 0.9), (7, 0.0), (7, 1.0), (0, 0.5)])
def test_binomial(backend, count, chance):
    out = torch.empty(N)
    layout = (0, N, (N,), (stride(1),))
    tensors = (torch.full((N,), float(count)), torch.full((N,), chance), out, state())
    run(backend, module.binomial, (2,), (*tensors, *layout), {"UNIT": 4, "BLOCK": 256})
    variance = count * chance * (1 - chance)
    assert out.equal(out.floor()) and 0 <= out.min() and out.max() <= count
    assert abs(out.mean() - count * chance) <= 5 * (variance / N) ** 0.5
    assert abs(out.var() - variance) <= 0.4 * variance


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(("values", "chances", "bad"), [
    ([0.0, 5.0], False, 0), ([-1.0, 0.0], False, 1), ([float("nan"), 0.0], False, 1), ([0.5, 1.5], True, 1), ([0.0, 1.0], True, 0),
])  # fmt: skip
def test_what_is_refused(backend, values, chances, bad):
    error = torch.zeros(1, dtype=torch.int32)
    run(backend, module.refuse_outside, (1,), (torch.tensor(values), error, 2), {"CHANCES": chances, "BLOCK": 256})
    assert error.item() == bad
