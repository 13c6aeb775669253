"""The loop of multiply-adds computes what it claims to, so that none of it can be left out."""

from __future__ import annotations

import pytest
import torch

from tests.kernels.harness import BACKENDS, GPU, compile_for, kernels, run

peak = kernels("peak")


@pytest.mark.parametrize("backend", BACKENDS)
def test_multiply_adds(backend):
    out, steps = torch.empty(64), 5
    run(backend, peak.multiply_adds, (2,), (out, steps), {"BLOCK": 32})
    x = torch.arange(32, dtype=torch.float64) * 1e-9 + 0.999
    chains = [x + k for k in range(10)]
    for _ in range(steps):
        chains = [chain * x + 0.001 for chain in chains]
    torch.testing.assert_close(out, sum(chains).float().repeat(2), rtol=1e-5, atol=0)


@pytest.mark.parametrize("arch", [80, 90])
def test_it_compiles_for_gpus(arch):
    config = peak.config(GPU)
    compiled = compile_for(
        arch, peak.multiply_adds, (torch.empty(64), 5), config["constexprs"], num_warps=config["num_warps"]
    )
    assert "fma.rn.f32" in compiled.asm["ptx"]
