"""The loops of multiply-adds and of products compute what they claim to, so that none of it can be left out."""

from __future__ import annotations

import re

import pytest
import torch

from tests.device.fake_cuda import A100
from tests.kernels.gpu_code import code_of
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


@pytest.mark.parametrize("backend", BACKENDS)
def test_products_of_int8(backend):
    """Sums of int32, of which the last byte is stored."""
    out, steps, (m, n, k) = torch.empty(32, dtype=torch.int8), 3, (16, 32, 64)
    run(backend, peak.products, (1,), (out, steps), {"BLOCK_M": m, "BLOCK_N": n, "BLOCK_K": k, "PRECISION": "ieee"})
    x, y = ((((torch.arange(size) * 7919 % 1024) / 512 - 1) * 127).to(torch.int8).long() for size in (m * k, k * n))
    assert torch.equal(out, (steps * (x.view(m, k) @ y.view(k, n)).sum(0)).to(torch.int8))


@pytest.mark.parametrize("dtype", [torch.float16, torch.float64])
@pytest.mark.parametrize("backend", BACKENDS)
def test_products(backend, dtype):
    out, steps, (m, n, k) = torch.empty(2 * 32, dtype=dtype), 3, (16, 32, 16)
    blocks = {"BLOCK_M": m, "BLOCK_N": n, "BLOCK_K": k, "PRECISION": "ieee"}
    run(backend, peak.products, (2,), (out, steps), blocks)
    x, y = (((torch.arange(size) * 7919 % 1024) / 512 - 1).to(dtype).double() for size in (m * k, k * n))
    expected = steps * (x.view(m, k) @ y.view(k, n)).sum(0)
    torch.testing.assert_close(out.double(), expected.repeat(2), rtol=2e-3, atol=2e-3)


@pytest.mark.parametrize("dtype", ["bf16", pytest.param("tf32", marks=pytest.mark.long), pytest.param("fp64", marks=pytest.mark.long)])
@pytest.mark.parametrize("arch", [80, 90])
def test_products_are_those_of_matrix_units(arch, dtype):
    """Nothing but them and their operands on chip is in the loop, from which the compiler takes none out; nothing is spilled."""
    config = peak.product_config(GPU if arch == 90 else A100, dtype)
    options = {name: config[name] for name in ("num_warps", "num_stages")}
    out = torch.empty(64, dtype={"bf16": torch.bfloat16, "fp64": torch.float64}.get(dtype, torch.float32))
    code = code_of(compile_for(arch, peak.products, (out, 5), config["constexprs"], **options), arch)
    loop = " ".join(code.text[max(code.loops, key=lambda found: found.stop - found.start)])
    unit = {"bf16": r"HG?MMA\S*BF16", "tf32": r"HG?MMA\S*TF32", "fp64": r"DMMA"}[dtype]
    assert code.stack == 0 and len(re.findall(unit, loop)) >= 16 and not re.search("LDG|STG|STS|FADD|DADD|FFMA", loop)
